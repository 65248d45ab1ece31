"""Pieces of a layout that every question of the whole screen is made of."""

from collections.abc import Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import DynamicContainer, FormattedTextControl
from prompt_toolkit.layout.containers import Container, Window

from cardgames.ui.render.line_breaking import broken
from cardgames.ui.screens.question import Draw, Key, Labels

SMALLEST = Size(rows=20, columns=60)
"""Below this a larger window is asked for."""


def too_small(size: Size) -> bool:
    """Whether a window is smaller than the table can be drawn in."""
    return size.rows < SMALLEST.rows or size.columns < SMALLEST.columns


def unless_small(labels: Labels, body: Container) -> Container:
    """``body``, or in a window that is too small the words that ask for a larger one."""

    def say() -> str:
        size = get_app().output.get_size()
        return "\n".join(broken(labels.too_small(size.columns, size.rows), size.columns))

    small = Window(FormattedTextControl(say))
    return DynamicContainer(lambda: small if too_small(get_app().output.get_size()) else body)


def picture_window(draw: Draw, most: Callable[[Size], int]) -> Window:
    """A picture in as many rows as it has, ``most`` of a window's size at the most."""

    def text() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        return ANSI(draw(size.columns, most(size)).rstrip("\n")).__pt_formatted_text__()

    return Window(FormattedTextControl(text), dont_extend_height=True, wrap_lines=False, always_hide_cursor=True)


def bind_ending(bindings: KeyBindings) -> None:
    """Bind the keys that end this process and stop it."""
    bindings.add(Keys.ControlC, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    bindings.add(Keys.ControlZ, eager=True)(lambda event: event.app.exit(result=Key.SUSPEND))
