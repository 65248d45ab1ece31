"""The review at a terminal: errors to be tried again before the better move is told, and the curve of a match."""

import re
from functools import partial
from pathlib import Path

import pytest

from cardgames.bots.review import LineOfPlay
from cardgames.engine.game import Message
from cardgames.engine.record import Ply, read
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.review.figures import chart
from cardgames.ui.review.judging import MatchOnRecord, Review
from cardgames.ui.review.review_pages import ReviewPages, course_in_background
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.pictures import painted
from tests.ui.stills import Match
from tests.ui.terminal import ENTER, POINTER, Terminal

RECORDS = Path(__file__).parents[1] / "records"
RECORD, FAULTLESS = str(RECORDS / "durak-throw-in.jsonl"), str(RECORDS / "zetema-three-players.jsonl")


def test_the_better_move_is_looked_for_before_it_is_told(tmp_path: Path) -> None:
    with Terminal(tmp_path, "review", RECORD, "--seat", "1") as terminal:
        listed = terminal.wait_for("Pick an error", "Ann, 29 choices", "▼", "100%")
        assert "play 7♦" not in listed
        told = re.search(r"55: Ann \(blunder, (\d+%)\), play 6♦", terminal.pointed)
        assert told
        cost = told[1]
        asked = terminal.press_until(ENTER, "Ann chose: play 6♦.", "Ann")
        assert "better, by" not in asked
        terminal.press("6D" + ENTER)
        assert "better, by" not in terminal.wait_for(
            f"{cost} less than the best: play 6♦ (played: {cost} less; h shows the best)"
        )
        terminal.press_until("7D" + ENTER, "Right: play 7♦ is the best move", f", by {cost}", "every card in view")
        terminal.press(ENTER)
        terminal.wait(lambda screen: "Ann chose: " in screen and "play 6♦." not in screen, "the next error")
        terminal.press_until("h", "answer:", "better, by ")
        listed = terminal.press_until("q", "Pick an error")
        assert ["55: " in line for line in listed.splitlines() if "· found" in line] == [True]
        assert "55: " not in terminal.pointed
        terminal.press_until("c", "Ann chose: play 6♠.")
        terminal.press_until("6S" + ENTER, "Why another move is better: if it is beaten, ")


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
def test_its_pages(tmp_path: Path, columns: int, rows: int) -> None:
    with Terminal(tmp_path, "review", FAULTLESS, "--language", "ja", columns=columns, rows=rows) as terminal:
        terminal.wait_for("はっきりしたミスはありません", POINTER)
        terminal.press("全体")
        terminal.press_until(ENTER, "Annさん（選択4回）", "100% |")
        terminal.press_until("q", "はっきりしたミスはありません", POINTER)
        terminal.press("もっと")
        terminal.press_until(ENTER, "すべてのカードが見えていたら")
        terminal.press_until("q", "はっきりしたミスはありません", POINTER)


def test_the_gain_of_a_better_line() -> None:
    header, game, plies = read(Path(FAULTLESS).read_bytes().splitlines())
    pages = ReviewPages(Review(MatchOnRecord(header, game, tuple(plies)), (1,), ()), Settings())
    said = {
        0.3: "less than a point better in",
        1.0: "1 point better",
        2.0: "2 points better",
        56.67: "57 points better",
    }
    for gain, text in said.items():
        assert pages.gain_text(LineOfPlay(1, (), (), False, gain)).startswith(text)


def percent(value: float) -> str:
    return f"{100 * value:.0f}%"


def test_a_curve() -> None:
    points = [(0, 0.5), (3, 1.0), (7, 0.0)]
    assert chart(points, (0.0, 1.0), 14, 6, percent, "7", ascii=True, marked=[5]) == [
        "100% |   *",
        "     | ** *v",
        "     |*    *",
        "     |      *",
        "  0% |       *",
        "     0       7",
    ]
    assert chart(points, (0.0, 1.0), 14, 6, percent, "7", ascii=False, marked=[5]) == [
        "100% |  ⢠⠒⡄",
        "     | ⡰⠁ ⠸▼",
        "     |⠜    ⠱⡀",
        "     |      ⢱",
        "  0% |       ⢣",
        "     0       7",
    ]
    drawn = chart(
        [(0, 0.0), (5, 2.5), (9, -1.5)], (-1.5, 2.5), 40, 7, lambda value: f"{value:+}点", "9手目", ascii=True
    )
    assert drawn[0].startswith("+2.5点 |")
    assert drawn[5].startswith("-1.5点 |")
    assert drawn[6].endswith(" 9手目")
    assert "*" in drawn[0]
    assert drawn[5].endswith("*")


def test_the_course_stands_on_the_closing_page_once_it_is_known() -> None:
    """The curve of a person's chances, the standing beside it and the hand that is left."""
    match = Match.read("durak-throw-in")
    played = MatchOnRecord(match.header, match.game, tuple(read_plies()[:16]))
    with course_in_background(played, 1, Settings()) as future:
        course = future.result()
    assert course
    view = View(match.played(len(match.actions)), match.header.names or (), Settings())
    shown = [
        painted(
            view.end_picture(Ending(Message("drawn_match"), course=partial(lambda course: course, known))), 80, 24
        ).plain()
        for known in (None, course)
    ]
    for screen in shown:
        assert all(text in screen for text in ("6♣", "J♦", "★ Ben", "The result"))
    assert ["Ann: chance to win" in screen and "100%" in screen for screen in shown] == [False, True]
    assert ["Ann stopped" in screen for screen in shown] == [True, False]


def read_plies() -> list[Ply]:
    with open(RECORD, "rb") as lines:
        return [*read(lines)[2]]
