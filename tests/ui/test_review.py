"""The review at a terminal: errors to be tried again before the better move is told, and the curve of a match."""

from functools import partial
from pathlib import Path

from cardgames.bots.review import LineOfPlay, MatchOnRecord, Review
from cardgames.engine.game import Message
from cardgames.engine.record import Ply, read
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.review.figures import chart
from cardgames.ui.review.review_pages import ReviewPages, course_in_background
from cardgames.ui.screens.terminal import ENTER as SCREEN
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.pictures import painted, plain
from tests.ui.stills import Match
from tests.ui.terminal import DOWN, ENTER, Terminal

RECORDS = Path(__file__).parents[1] / "records"
RECORD, FAULTLESS = str(RECORDS / "durak-throw-in.jsonl"), str(RECORDS / "zetema-three-players.jsonl")


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
    endings = [Ending(Message("drawn_match"), course=partial(lambda course: course, known)) for known in (None, course)]
    shown = [plain(painted(view.end_picture(ending), 80, 24)) for ending in endings]
    for screen in shown:
        assert all(text in screen for text in ("6♣", "J♦", "★ Ben", "The result"))
    assert ["Ann: chance to win" in screen and "100%" in screen for screen in shown] == [False, True]
    assert ["Ann stopped" in screen for screen in shown] == [True, False]


def read_plies() -> list[Ply]:
    with open(RECORD, "rb") as lines:
        return [*read(lines)[2]]


def test_keys_pressed_during_the_work_are_neither_shown_nor_kept(tmp_path: Path) -> None:
    with Terminal(tmp_path, "review", FAULTLESS, environment={"CARDGAMES_COMPILE": "0"}) as terminal:
        while "Going over Zetema" not in terminal.output:  # the program never gets idle meanwhile
            assert terminal.child.isalive()
            terminal.read()
        terminal.press(DOWN + ENTER)
        terminal.wait_for("▶ a  The course")
        bar, _, _ = terminal.output.partition(SCREEN)
        assert bar.count("\n") == bar.count("\x1b[1A") == 1  # the row of the bar is left and taken back at its end
        assert terminal.leave("q") == 0
