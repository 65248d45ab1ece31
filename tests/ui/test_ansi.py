"""Lines of the table are written to a terminal as Rich itself would write them."""

from collections.abc import Sequence
from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from cardgames.ui.render.pages import ansi


def by_rich(lines: Sequence[Text]) -> str:
    output = StringIO()
    console = Console(file=output, width=10, force_terminal=True, color_system="256", highlight=False)
    console.print(Text("\n").join(lines), soft_wrap=True)
    return output.getvalue()


CARD = Text("7♥", style="bold red reverse").append("★", style="bold").append(" ", style="default")
LINES = {
    "plain": Text("切り札  "),
    "empty": Text(),
    "of one style": Text("─" * 12, style="dim"),
    "with cards": Text(" Durak · ", style="bold").append_text(CARD).append_text(Text("D", style="bold color(28)")),
    "taken back": Text(" ─", style="dim").append(" means ", "not dim").append("").append("D", "bold underline"),
    "overlapping": Text("overlapping", spans=[]).append_text(CARD),
}
LINES["overlapping"].stylize("magenta", 2, 12)
LINES["overlapping"].stylize("not bold", 5)


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_written_as_rich_writes_it(name: str) -> None:
    assert ansi([LINES[name]]) == by_rich([LINES[name]])


def test_lines_end_each_on_its_own() -> None:
    assert ansi([*LINES.values()]) == by_rich([*LINES.values()])
    assert ansi([]) == ""
