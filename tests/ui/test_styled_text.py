"""Text with styles is put together, cut and written as Rich does it."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from rich.console import Console
from rich.text import Text as RichText

from cardgames.ui.render.cards import cut
from cardgames.ui.render.styled_text import Text, ansi


def shown(written: str) -> StyleAndTextTuples:
    """Each character with its style, however many sequences it took to say that."""
    return ANSI(written).__pt_formatted_text__()


def by_rich(line: RichText) -> str:
    output = StringIO()
    console = Console(file=output, width=80, force_terminal=True, color_system="256", highlight=False)
    console.print(line, soft_wrap=True)
    return output.getvalue()


def line(kind: Any) -> Any:
    """Styles within styles, some of them taken back, and characters of two cells."""
    card = kind("7♥", style="bold red reverse").append("★", style="bold").append(" ", style="default")
    last = kind("10♣", style="bold color(28) not bold underline")
    found = kind(" Durak · 切り札", style="bold").append(" ─ ", style="not bold dim").append_text(card).append("")
    return found.append(" Ann ", "not dim").append_text(kind(", ").join([last.copy(), kind(), card, last])).append("  ")


def stylized(one: Any) -> Any:
    one.stylize("not bold magenta")
    return one.append("10")


def stripped(one: Any) -> Any:
    one.rstrip()
    return one


WAYS: dict[str, tuple[Callable[[Text], Text], Callable[[RichText], RichText]]] = {
    "as it is": (lambda one: one, lambda one: one),
    "copied": (lambda one: one.copy(), lambda one: one.copy()),
    "stylized": (stylized, stylized),
    "stripped": (stripped, stripped),
    "within another": (
        lambda one: Text("(", "dim").append_text(one),
        lambda one: RichText("(", "dim").append_text(one),
    ),
    "a part": (lambda one: one.part(9, 20), lambda one: one[9:20]),
    "the rest": (lambda one: one.part(17, None), lambda one: one[17:]),
    "nothing": (lambda one: one.part(9, 9), lambda one: one[9:9]),
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_shown_as_rich_shows_it(way: str) -> None:
    ours, theirs = WAYS[way]
    mine, rich = ours(line(Text)), theirs(line(RichText))
    assert (mine.plain, mine.cell_len, bool(mine)) == (rich.plain, rich.cell_len, bool(rich))
    assert shown(ansi([mine])) == shown(by_rich(rich))


def test_it_is_divided_as_rich_divides_it() -> None:
    cuts = [3, 12, 12, 20]
    mine, rich = list(line(Text).divided(cuts)), list(line(RichText).divide(cuts))
    assert [shown(ansi([one])) for one in mine] == [shown(by_rich(one)) for one in rich]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [(40, "切り札 · Ann"), (12, "切り札 · Ann"), (11, "切り札 · A…"), (8, "切り札…"), (4, "切…"), (1, "…")],
)
def test_what_is_cut_ends_with_an_ellipsis_and_is_never_wider(cells: int, expected: str) -> None:
    assert cut(Text("切り札").append(" · ", "bold").append("Ann"), cells).plain == expected


def test_a_style_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError):
        ansi([Text("7", "blod")])
