"""Pictures that are shown one at a time, with keys to step forwards and backwards."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, HSplit
from prompt_toolkit.layout.containers import Window

from cardgames.ui.screens.offers import Draw, Picture, plain_key
from cardgames.ui.screens.window import bind_ending, table_rows


class Pictures(NamedTuple):
    """A sequence of pictures, numbered from 0."""

    draw: Callable[[int], Draw]
    """Returns the picture with the given number."""
    last: int
    stops: Sequence[int]
    """The numbers, in ascending order, of the pictures at which a longer step ends."""
    first: int = 0
    """The number of the picture that is shown first."""

    def clamp(self, place: int) -> int:
        """``place``, limited to the numbers of pictures."""
        return max(0, min(place, self.last))

    def stop_after(self, place: int) -> int:
        """The number of the picture at which a longer step forwards from ``place`` ends."""
        return next(iter(self.stops[bisect_right(self.stops, place) :]), self.last)

    def stop_before(self, place: int) -> int:
        """The number of the picture at which a longer step backwards from ``place`` ends."""
        return next(iter(self.stops[: bisect_left(self.stops, place)][::-1]), 0)


class Stepper:
    """The form that shows one picture at a time above a line of keys."""

    def __init__(self, pictures: Pictures, foot: str, size: Callable[[], Size]) -> None:
        self._pictures = pictures
        self._foot = foot
        self._size = size
        self._place = pictures.first
        self.body = HSplit(
            [
                Window(FormattedTextControl(self._text), always_hide_cursor=True),
                Window(FormattedTextControl([("class:keys", " " + foot)]), height=1),
            ]
        )

    def _text(self) -> StyleAndTextTuples:
        size = self._size()
        draw = self._pictures.draw(self._place)
        rows = table_rows(size) if isinstance(draw, Picture) else size.rows - 1  # the table keeps its height
        drawn = draw(size.columns, rows)
        return ANSI(drawn.rstrip("\n")).__pt_formatted_text__()

    def bindings(self) -> KeyBindings:
        """The key bindings: arrows, Enter and Space step, Page Up and Page Down take longer steps, Home and End jump to
        the first and last picture, Escape and ``q`` leave."""
        bindings = KeyBindings()
        moves: dict[Keys | str, Callable[[], int]] = {
            **dict.fromkeys((Keys.Right, Keys.Down, Keys.ControlM), lambda: self._place + 1),
            **dict.fromkeys((Keys.Left, Keys.Up, Keys.Backspace), lambda: self._place - 1),
            Keys.PageDown: lambda: self._pictures.stop_after(self._place),
            Keys.PageUp: lambda: self._pictures.stop_before(self._place),
            Keys.Home: lambda: 0,
            Keys.End: lambda: self._pictures.last,
        }
        for key, place in moves.items():
            bindings.add(key)(lambda event, place=place: self._show(place()))
        bindings.add(Keys.Any)(self._handle_character)
        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit())
        bind_ending(bindings)
        return bindings

    def _show(self, place: int) -> None:
        self._place = self._pictures.clamp(place)

    def _handle_character(self, event: KeyPressEvent) -> None:
        key = plain_key(event.data)
        if key in (" ", "f"):
            self._show(self._place + 1)
        elif key == "b":
            self._show(self._place - 1)
        elif key == "q":
            event.app.exit()
