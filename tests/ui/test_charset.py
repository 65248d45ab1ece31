"""The characters a terminal can show: letters for suits, plain characters, and suits that take two cells."""

import ast
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pyte.screens
import pytest

from cardgames.engine.game import GAMES
from cardgames.texts import LANGUAGES, messages, rules_page
from cardgames.ui.render.charset import PLAIN_CHARACTERS, SUIT_LETTERS, SUIT_SYMBOLS, glyphs
from cardgames.ui.settings import Settings
from tests.ui.terminal import CTRL_C, DOWN, ENTER, Terminal

UI = Path(__file__).parents[2] / "cardgames" / "ui"


def everything_said() -> Iterator[tuple[str, str]]:
    """Every text of the program with where it stands: messages, rules pages, and what is drawn."""
    for language in LANGUAGES:
        for name in ("common", "cli", *GAMES):
            for key, text in messages(language, name).items():
                yield f"{language} {name} {key}", text
        for game in GAMES:
            yield f"{language} {game}.md", rules_page(language, game)
    for path in UI.glob("*.py"):
        if path.stem in ("glyphs", "flow"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.name}:{node.lineno}", node.value


def is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LM"


def test_every_character_has_a_plain_one() -> None:
    """Every character that is neither a letter nor a wide Japanese character has a plain replacement."""
    plain = glyphs(Settings(ascii=True))
    for place, text in everything_said():
        left = {
            char
            for char in text.translate(plain)
            if not (char.isascii() or is_letter(char) or unicodedata.east_asian_width(char) in "WF")
        }
        assert left <= {"�"}, (place, left)


def test_where_suits_are_wide_nothing_else_may_be() -> None:
    """A terminal that draws suits in two cells is sent no other characters that it would draw as wide."""
    plain = glyphs(Settings(width=2))
    for place, text in everything_said():
        left = {
            char
            for char in text.translate(plain)
            if unicodedata.east_asian_width(char) == "A" and not is_letter(char) and char not in SUIT_SYMBOLS
        }
        assert left <= {"�"}, (place, left)


def test_a_plain_character_takes_the_place_of_one() -> None:
    assert {len(plain) for plain in (*SUIT_LETTERS.values(), *PLAIN_CHARACTERS.values())} == {1}
    assert glyphs(Settings()) == {}


def wide(char: str) -> int:
    """A terminal that draws every suit in two cells."""
    return 2 if char in SUIT_SYMBOLS else pyte_width(char)


def ambiguous(char: str) -> int:
    """A terminal of East Asia: what may be wide there is wide, and of the suits not the diamond."""
    return 2 if unicodedata.east_asian_width(char) == "A" else pyte_width(char)


pyte_width = pyte.screens.wcwidth


def rows_of(terminal: Terminal) -> list[list[str]]:
    """The cells of the screen: the second of a wide character is empty."""
    screen = terminal.screen
    return [[screen.buffer[row][column].data for column in range(screen.columns)] for row in range(screen.lines)]


def crooked(terminal: Terminal) -> bool:
    """Whether a box on the screen does not line up: its corners and sides stand below each other."""
    rows = rows_of(terminal)
    for upper, middle in pairwise(rows):
        tops = [column for column, char in enumerate(upper) if char and char in "+╭╮"]
        sides = [column for column, char in enumerate(middle) if char and char in "|│"]
        if tops and sides and tops != [side for side in sides if side >= tops[0]]:
            return True
    return False


def foot(screen: str) -> bool:
    """Whether the keys stand at the foot, where they belong."""
    return screen.splitlines()[-1].lstrip().startswith("?")


ARGUMENTS = ("play", "durak", "--players", "2", "--seed", "3", "--fast")


@pytest.mark.parametrize(("language", "width"), [("en", wide), ("ja", ambiguous)], ids=["wide", "ambiguous"])
def test_wide_suits_line_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, width: Callable[[str], int]
) -> None:
    monkeypatch.setattr(pyte.screens, "wcwidth", width)
    with Terminal(tmp_path, "--width", "2", "--language", language, *ARGUMENTS) as terminal:
        terminal.wait(lambda screen: foot(screen), "a hand-over")
        seen = 0
        for _ in range(8):
            before = len(terminal.output)
            terminal.press(ENTER)
            terminal.wait(
                lambda screen: foot(screen) and len(terminal.output) > before and not crooked(terminal),  # noqa: B023
                "a table that lines up",
            )
            seen += "|" in terminal.text
        assert seen > 2


@pytest.mark.parametrize("arguments", [ARGUMENTS, ("rules", "zetema"), ("replay", "RECORD")])
def test_ascii_is_ascii_throughout(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """No other character reaches the terminal on any page."""
    record = str(Path(__file__).parents[1] / "records" / "zetema-three-players.jsonl")
    words = [record if word == "RECORD" else word for word in arguments]
    with Terminal(tmp_path, "--ascii", *words) as terminal:
        terminal.wait(lambda screen: bool(screen.strip()), "a screen")
        for keys in (ENTER, DOWN, "zz", "\x7f\x7f", "?", ENTER, "s", ENTER, "l", ENTER, ENTER):
            terminal.press(keys)
            terminal.settle()
        terminal.press(CTRL_C)
        terminal.ended()
        assert terminal.output.isascii(), sorted({char for char in terminal.output if not char.isascii()})
        assert re.search("[0-9JQKA][SHDC]|Enter|back", terminal.output)


def colours(output: str) -> set[str]:
    """The colours that were switched on."""
    return {
        code for codes in re.findall("\x1b\\[([0-9;]*)m", output) for code in codes.split(";") if code in FOREGROUND
    }


FOREGROUND = {str(code) for code in (*range(30, 38), *range(90, 98), 38, 48)}


def seen(home: Path, *arguments: str, environment: dict[str, str] | None = None) -> str:
    with Terminal(home, *arguments, *ARGUMENTS, environment=environment) as terminal:
        terminal.wait(lambda screen: "turn" in screen, "a hand-over")
        terminal.press_until(ENTER, "o order")
        terminal.press(CTRL_C)
        terminal.ended()
        return terminal.output


def test_colours(tmp_path: Path) -> None:
    """Two suits are red, or each suit has a colour, or no suit has any, as the settings say."""
    red, green, blue = "31", "32", "34"
    sixteen = {"TERM": "xterm"}
    two = colours(seen(tmp_path, environment=sixteen))
    assert red in two
    assert not {green, blue} & two
    assert {red, green, blue} <= colours(seen(tmp_path, "--four-colours", environment=sixteen))
    assert {"38", "48"} <= colours(seen(tmp_path))
    assert colours(seen(tmp_path, "--no-colour")) == set()
