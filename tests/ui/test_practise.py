"""Exercises at a terminal, from the packs and from one's own errors."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import cast

import pytest

from cardgames.bots.exercises import pack, selections
from cardgames.bots.review import MatchOnRecord, Review, choices, judge
from cardgames.engine.game import OFFERED, Message
from cardgames.engine.record import header_line, ply_line, read
from cardgames.store import Store
from cardgames.store.progress import ThemeProgress
from cardgames.ui.review.judging import save_review
from cardgames.ui.review.practice import ExercisePages
from cardgames.ui.review.review import Trial
from cardgames.ui.screens.offers import Key, Offer, Page, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.terminal import ENTER, POINTER, Terminal

RECORD = Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl"


def test_an_exercise_is_judged_at_once_and_is_there_again(tmp_path: Path) -> None:
    count = len(pack("kakeya"))
    with Terminal(tmp_path, "practise", "kakeya", columns=60, rows=20) as terminal:
        terminal.wait_for("Which exercises?", f"mixed: {count} left", POINTER)
        terminal.press_until(ENTER, f"Exercise ({count} left)", POINTER)
    with Terminal(tmp_path, "practise", "kakeya", "--language", "ja", columns=60, rows=20) as terminal:
        terminal.wait_for("どの問題を解きますか", POINTER)
        terminal.press_until(ENTER, f"問題（残り{count}問", POINTER)
        terminal.press_until("h", "答えです。", "最善の手：")
        terminal.press_until("b", "どの問題を解きますか", f"残り{count}問")
    with Store.open(tmp_path) as store:
        (found,) = store.progress("プレイヤー1", (), {}).themes
        assert found == ThemeProgress("kakeya", found.theme, 0, 1)


def test_own_errors_come_back(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines()
    header, game, found = read(lines)
    plies, today = tuple(found), date.today()
    judged = tuple([judge(game, choice) for choice in choices(game, plies) if choice.ply == 65])
    with Store.open(tmp_path) as store:
        match = store.import_record(lines)
        save_review(store, Review(MatchOnRecord(header, game, plies, match), (1,), judged))
        assert [error.name for error in store.due_errors("Ann", today)] == ["1/65"]
        assert not store.due_errors("Ben", today)
    with Terminal(tmp_path, "practise", "--mine", "--player", "Ann", "--plain") as terminal:
        asked = terminal.wait_for("Your error (1 left), in match 1: play 7♣")
        assert "Exercise · Durak, trumps " in asked, "nobody has heard of the table yet"
        terminal.press_until("TC" + ENTER, "Right: play 10♣", "best: ")
        assert terminal.leave("q" + ENTER) == 0
    with Store.open(tmp_path) as store:
        assert not store.due_errors("Ann", today)
        assert [solved for _, solved in store.tries("Ann")["1/65"].tries] == [True]


def test_a_match_deleted_during_its_review_hinders_nobody(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines()
    header, game, found = read(lines)
    with Store.open(tmp_path) as store:
        match = store.import_record(lines)
        with store.hold(match) as lock:
            lock.delete()
        save_review(store, Review(MatchOnRecord(header, game, tuple(found), match), (1,), ()))
        assert not store.reviews()


def test_ten_errors_a_day_are_those_of_all_games_together(tmp_path: Path) -> None:
    today = date.today()
    with Store.open(tmp_path) as store:
        for ply in range(24):
            error = {"player": "Ann", "game": ("durak", "truc")[ply % 2]}
            store.write_memo(f"error 1/{ply}", {**error, "ratings": [], "cost": [1, 1, 1], "exact": True})
        durak, truc, both = [store.due_errors("Ann", today, game) for game in ("durak", "truc", None)]
        assert [len(durak), len(truc), len(both)] == [10, 10, 10]
        for each in (*durak[:4], *truc[:4]):
            store.save_try("Ann", each.name, each.game, "own", today, is_solved=True)
        assert [len(store.due_errors("Ann", today, game)) for game in ("durak", "truc", None)] == [2, 2, 2]


class Recorder:
    """A screen that keeps what it is given to show, and answers with pages first and then with the solution."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self._answers = iter((Key.SHEET, Key.LAST, Key.ANSWER, None))

    def choose(
        self, draw: Picture, question: str, offers: Sequence[Offer], *args: object, **more: object
    ) -> Key | None:
        """Keep a picture with its question and offers."""
        self.shown += [*draw.asked.note, question, *[offer.text for offer in offers]]
        return next(self._answers)

    def show(self, page: Page, *args: object, **more: object) -> bool:
        """Keep a page."""
        self.shown.append(page.text(200, only_new=False))
        return False


@pytest.mark.parametrize("game", OFFERED)
def test_an_exercise_shows_no_hidden_card(game: str) -> None:
    """Nor do its pages and its solution."""
    for exercise in selections(game, {})["practise.mixed"][:40]:
        played, error = exercise.load()
        lines = [header_line(played.header), *[ply_line(played.game, ply) for ply in played.plies[1:]]]
        secrets = secrets_of([f"{line}\n".encode() for line in lines])
        screen, seat = Recorder(), error.choice.by
        trial = Trial(cast(Screen, screen), ExercisePages(played, error, Settings()), Settings(), error)
        trial.question = Message("line", {"text": ""})
        trial.run()
        assert any("best: " in text for text in screen.shown)
        seen = cards_on("\n".join(screen.shown)) - secrets.before - secrets.hands[seat - 1]
        for other, hidden in enumerate(secrets.hidden, 1):
            assert other == seat or not seen & hidden, f"{exercise.name} shows cards of seat {other}"
