"""The people at one terminal: whose hand is in view, and which keys it takes."""

import re
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.game import CHANCE
from cardgames.match import PlayerLeft, play
from cardgames.store import Store
from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.card_art import draw_large
from cardgames.ui.render.themes import Style
from cardgames.ui.screens.key_decoder import REPEAT_GAP
from cardgames.ui.screens.key_guard import REPEAT_DELAY
from cardgames.ui.screens.offers import KEYS, Drawing, Key
from cardgames.ui.settings import Settings
from cardgames.ui.table.table import PAUSE_SECONDS, AfterMatch, Table
from cardgames.ui.table.view import View, computer_marks
from tests.ui.pictures import plain
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.stills import Camera, Match, Seen, Still, text_of
from tests.ui.terminal import ENTER, HOME, Terminal

HAND_OVER = "when nobody else is looking"


def same_again(match: Match) -> list[int]:
    """The plies after which whoever acts ends a deal and is the first to act in the next."""
    by = [seat for seat, _ in match.moves(len(match.actions))]
    return [ply for ply in range(len(by) - 2) if by[ply + 1] == CHANCE and by[ply] == by[ply + 2] != CHANCE]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("record", ["fipsen-evening", "fipsen-three-players", "truc-source-hand", "truc-remainder"])
def test_after_a_deal_whoever_looked_is_called_again(record: str, fast: bool) -> None:
    """After a deal the hand is a new one, so that its owner is called again."""
    match = Match.read(record)
    plies = same_again(match)
    assert plies
    for ply in plies:
        shown = shown_from(match, ply, Settings(fast=fast))
        assert shown == ["hand-over", "question", *([] if fast else ["rest"]), "hand-over", "question"]


def test_a_hand_over_shows_the_table_as_it_is_now() -> None:
    """The pause shows the bout that is over; whoever is called next has the role of the next bout."""
    match = Match.read("durak-throw-in")
    assert shown_from(match, 26, Settings()) == ["hand-over", "question", "rest", "hand-over", "question"]
    screen = text_of(Camera(match, Settings(), 80, 24).pause(27))
    assert Words("en", "durak").text("goes_on") in screen
    assert {*re.findall(r"\w+♠|\w+♣|7♥", screen)} == {"8♠", "7♥", "8♣", "J♣"}
    screen = text_of(Camera(match, Settings(), 80, 24).hand_over(27))
    assert "Ann, it is your turn" in screen
    assert re.findall(r"defends|attacks", screen) == ["defends", "attacks"], "Ben's role, then Ann's"
    assert "8♠" not in screen


ENDS = (
    ("durak-throw-in", "Ben wins", ["Ann is the fool", "Ann held the defence: 2 cards left the game"]),
    ("durak-repetition", "Nobody wins", ["The same position came up for the third time", "Eva took 2 cards"]),
    ("truc-three-rounds", "Emi wins", ["Emi won the last round by the remainder", "K♥ K♣ were equally strong"]),
    ("kakeya-rensho", "Ben and Dan win", ["Time was up"]),
    ("fipsen-evening", "Dora wins", ["All 12 deals have been played", "Cleo failed to make 3 hand: -12 points"]),
    ("zetema-four-alone", "Cleo wins", ["Cleo reached 200 points first", "Cleo completed the J trick and scored 20"]),
)


@pytest.mark.parametrize(("record", "winner", "told"), ENDS)
def test_the_end_is_told_once(record: str, winner: str, told: list[str]) -> None:
    """The winner stands large, then the reason for the end, and the last action in the log. No event repeats any."""
    screen = text_of(Camera(Match.read(record), Settings(), 80, 24).end())
    assert [screen.count(text) for text in told] == [1] * len(told)
    assert screen.count(winner) + all(line in screen for line in large(winner)) == 1
    log = [line[:47].strip() for line in screen.splitlines()[12:19]]
    assert not [line for line in log if told[0] in line]
    assert not told[1:] or any(line.startswith(told[1]) for line in log[-2:])


def large(text: str) -> list[str]:
    """The rows of a text in large letters."""
    canvas = Canvas(80, 3)
    draw_large(canvas, Rect(0, 0, 80, 3), text, Style("gold"))
    return [line.strip() for line in plain(canvas).splitlines()]


def test_the_table_does_not_rest_before_the_end() -> None:
    """The last bout stays in view with the question for another match."""
    match = Match.read("durak-throw-in")
    assert shown_from(match, len(match.actions) - 1, Settings()) == ["hand-over", "question"]
    assert "Ann beat A♠ with 6♥" in text_of(Camera(match, Settings(), 80, 24).end())


class Resting(Still):
    """Keeps for how long the table was to rest, and what was said then."""

    def pause(self, draw: Drawing, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> None:
        self.rested = seconds, said


@pytest.mark.parametrize(
    ("handed", "pause", "seconds", "said"),
    [
        ((), "key", None, "any_key"),
        ((1, 2), "key", None, "any_key"),
        ((1, 2, 3), "key", PAUSE_SECONDS, "goes_on"),
        ((), 3, 3.0, "goes_on"),
        ((), "natural", None, "any_key"),
    ],
)
def test_the_table_waits_for_no_key_where_computers_play_for_all(
    handed: tuple[int, ...], pause: int | str, seconds: float | None, said: str
) -> None:
    """People who have handed over their seats are away. While a person plays, somebody can press a key.

    Whether it waits for one or goes on by itself, as it does where people want that, is said.
    """
    match = Match.read("fipsen-three-players")
    ply = same_again(match)[0]
    words = Words("en", match.header.game, match.header.names or ())
    view = View(match.played(ply), match.header.names or (), Settings(pause=pause), "Fipsen")
    view.marks = computer_marks(dict.fromkeys(handed, "fair"))
    with Resting(words, Settings(), 80, 24, lambda still: None) as screen:
        Table(screen, view, (1, 2, 3))
        by, act = match.moves(ply + 1)[ply]
        view.match.act(by, match.game.parse(act))
        view.match.settle()
    assert screen.rested == (seconds, words.text(said))


@pytest.mark.parametrize("handed", [(), (1, 2, 3)], ids=["people", "computers"])
def test_the_key_to_leave_asks_so_while_the_table_rests(handed: tuple[int, ...]) -> None:
    match = Match.read("fipsen-three-players")
    ply = same_again(match)[0]
    words = Words("en", match.header.game, match.header.names or ())
    view = View(match.played(ply), match.header.names or (), Settings(), "Fipsen")
    view.marks = computer_marks(dict.fromkeys(handed, "fair"))

    def leave(draw: Drawing) -> bool:
        raise PlayerLeft

    with Still(words, Settings(), 80, 24, lambda still: None if still.offers else Key.LEAVE) as screen:
        table = Table(screen, view, (1, 2, 3))
        table.on_leave = leave
        by, act = match.moves(ply + 1)[ply]
        view.match.act(by, match.game.parse(act))
        view.match.settle()
        with pytest.raises(PlayerLeft):
            table.wait("")


def test_after_the_match_there_is_no_hint() -> None:
    match = Match.read("durak-throw-in")
    words = Words("en", match.header.game, match.header.names or ())
    answers: list[Any] = [Key.HINT]
    told = []

    def answer(still: Still) -> Any:
        told.append(text_of(still.draw()))
        return answers.pop() if answers else False

    with Still(words, Settings(), 80, 24, answer) as still:
        assert match.table(still, len(match.actions), Settings()).ask_next_step() is AfterMatch.LEAVE
    assert "no move to suggest" in told[1]
    assert "hand" not in told[1].rpartition("Play again?")[2]


def shown_from(match: Match, ply: int, settings: Settings) -> list[str]:
    """The kinds of screens from there to the second question or the end, when the first is answered as it was then."""
    shown: list[str] = []

    def answer(still: Still) -> Any:
        if not still.offers:
            shown.append("rest")
            return None
        shown.append("hand-over" if still.offers[0].value is True else "question")
        if shown[-1] == "hand-over":
            return True
        if shown.count("question") == 2:
            raise Seen
        return match.actions[ply]

    words = Words("en", match.header.game, match.header.names or ())
    with Still(words, settings, 80, 24, answer) as still:
        table = match.table(still, ply, settings)
        with suppress(Seen):
            play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    return shown


def test_stopping_for_a_bout_holds_to_its_end() -> None:
    """A player can stop without opening the hand. In the next bout all players are called again."""
    match = Match.read("durak-six-players")
    names = match.header.names or ()
    calls: list[str] = []
    acted: list[str] = []

    def answer(still: Still) -> Any:
        name = next(name for name in names if still.question.startswith(name))
        if still.offers[0].value is True:
            calls.append(name)
            if len(calls) == 8:
                raise Seen
            return still.offers[2].value if len(still.offers) > 2 and name in ("Eva", "Ann") else True
        acted.append(name)
        wanted = {"more": "QD", "defend": "take", "throw": "pass"}[table.match.observation(CHANCE).phase]
        return match.game.parse(wanted)

    with Still(Words("en", "durak", names), Settings(fast=True), 80, 24, answer) as still:
        table = match.table(still, 28, Settings(fast=True))
        with suppress(Seen):
            play(table.match, dict.fromkeys(range(1, 7), table))
    assert calls == ["Eva", "Ann", "Ben", "Finn", "Ben", "Cleo", "Dan", "Ann"]
    assert acted == ["Ben", "Finn", "Ben", "Cleo", "Dan"]
    assert [step.action.text for step in table.match.steps[28:]] == [
        "pass", "pass", "QD", "take", "pass", "pass", "pass", "pass", "pass",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "stops"),
    [("durak-six-players", ["stop", "stop for the rest of this bout"]), ("durak-throw-in", ["stop"])],
)
def test_a_hand_over_tells_nothing_of_the_hand(record: str, stops: list[str]) -> None:
    """The offers for adding cards are the same, whether the hand has a fitting card or not."""
    match = Match.read(record)
    plies = [ply for ply, state in enumerate(match.states) if state.phase == "more"]
    is_forced = [len(match.game.legal_actions(match.states[ply])) == 1 for ply in plies]
    offered: list[list[str]] = []

    def answer(still: Still) -> Any:
        offered.append([offer.text for offer in still.offers])
        raise Seen

    for ply in (plies[is_forced.index(True)], plies[is_forced.index(False)]):
        with Still(Words("en", "durak"), Settings(), 80, 24, answer) as still, suppress(Seen):
            table = match.table(still, ply, Settings())
            play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    assert [texts[: 1 + len(stops)] for texts in offered] == [[f"Show my hand, {HAND_OVER}", *stops]] * 2
    assert record == "durak-six-players" or len(offered[0]) == len(offered[1]) == 2


def test_all_here_who_add_nothing_can_say_so_at_once() -> None:
    """One key is for all of them. If a later player lays a card that is beaten, all are asked anew."""
    match = Match.read("durak-six-players")
    calls: list[str] = []

    def answer(still: Still) -> Any:
        calls.append(still.question.partition(",")[0])
        if len(calls) > 2:
            raise Seen
        return still.offers[-1].value

    with Still(Words("en", "durak", match.header.names or ()), Settings(fast=True), 80, 24, answer) as still:
        table = match.table(still, 28, Settings(fast=True))
        table.match.act(5, match.game.parse("pass"))
        with suppress(Seen):
            play(table.match, dict.fromkeys(range(1, 7), table))
    assert [(step.by, step.action.text) for step in table.match.steps[28:]] == [
        (5, "pass"), (1, "pass"), (2, "pass"), (3, "pass"), (4, "pass"),
    ]  # fmt: skip
    assert calls == ["Ann", "Finn", "Finn"], "who held the defence leads"


def called(screen: str) -> str:
    """Who is to look next; empty while the screen is being drawn."""
    return next((line for line in screen.splitlines() if line.endswith(", it is your turn")), "")


def asked_more(screen: str) -> bool:
    """Whether somebody is asked something since the hand-over, which plain mode leaves above."""
    return HAND_OVER not in screen or "\n1. " in screen.rpartition(HAND_OVER)[2]


@pytest.mark.parametrize(
    ("key", "times", "gap"),
    [(ENTER, 2, 0.0), (ENTER, 40, 0.033), ("1" + ENTER, 5, 0.0)],
    ids=["doubled", "held", "plain"],
)
def test_early_keys_open_and_play_nothing(tmp_path: Path, key: str, times: int, gap: float) -> None:
    """Held or doubled keys answer one question, slower ones one player's, and the next player's hand stays closed."""
    for number in range(30):
        home = tmp_path / str(number)
        if pressed_too_early(home, key, times, gap):
            break  # a busy machine makes one of the keys so late that it could be meant
    else:
        pytest.fail("the machine was too busy thirty times")
    with Store.open(home) as store:
        _, moves = store.load(1)
        acted = [seat for seat, _ in moves if seat != CHANCE]
    assert len({*acted}) == 1, "keys that were meant for one player have answered for another"
    if gap < REPEAT_GAP:
        assert len(acted) == 1, "keys that were meant for one question have answered another"


def pressed_too_early(home: Path, key: str, times: int, gap: float) -> bool:
    """Press a key some times at the first hand, and look at what is shown then; whether each came soon enough."""
    plain = ["--plain"] if key != ENTER else []
    words = ("play", "durak", "--players", "2", "--seed", "3", "--fast")
    with Terminal(home, *plain, *words, rows=80, guarded=True) as terminal:
        first = called(terminal.wait_for(HAND_OVER))
        terminal.press(key)
        terminal.wait(asked_more, "the first hand")
        if not plain:
            terminal.move(HOME)
        time.sleep(REPEAT_DELAY)  # somebody has looked at the hand
        pressed = []
        for _ in range(times):
            terminal.child.send(key)
            pressed.append(time.monotonic())
            terminal.read(gap)
        if max(after - before for before, after in pairwise(pressed)) > 0.9 * REPEAT_DELAY:
            return False
        terminal.wait(lambda screen: HAND_OVER in screen and called(screen) not in {"", first}, "another hand-over")
        terminal.read(0.3)
        terminal.settle()
        assert HAND_OVER in terminal.text
        with Store.open(home) as store:
            lines = [line.encode() for line in store.export(1)]
        assert not cards_on(terminal.text) & set().union(*secrets_of(lines).hidden)
    return True
