"""Questions and pages for both screens: pictures, offers and common keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardgames.ui.messages import clip
from cardgames.ui.render.asked import Asked, Painted
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.ui.screens.choice_form import ChoiceForm

Draw: TypeAlias = Callable[[int, int], str]
"""A function of ``columns`` and ``rows`` that draws a picture of at most that size, as text with ANSI styles."""

Check: TypeAlias = Callable[[str], str | None]
"""A function that returns why a text is not valid, or ``None`` for a valid text."""

ONLY_NEW = 0
"""The value of ``rows`` with which a picture of the table returns only the news, to be read aloud."""

ALL_ROWS = 1 << 16
"""More rows than any picture or page has."""


@dataclass(eq=False, repr=False)
class Picture:
    """A picture of the table."""

    paint: Draw
    """Writes the table as text, for the line screen."""
    on_canvas: Callable[[Canvas, Asked], Painted]
    """Draws the table and what is asked on the canvas of the whole window."""
    hint: Callable[[object], Sequence[str]] | None = None
    """Returns the lines of a hint, for the pointed value of a question."""
    advised: object = None
    """The value of the offer that the hint recommends."""
    hand: tuple[int, ...] = ()
    """The cards of the hand in the picture, in order."""

    def __call__(self, columns: int, rows: int) -> str:
        return "".join([self.paint(columns, rows), *[f"{line}\n" for line in (self.hint(None) if self.hint else ())]])

    def above(self, note: Sequence[str], best: tuple[int, ...] = (), played: tuple[int, ...] = ()) -> "Picture":
        """This picture with a note under it, and the cards of a better move and of the move that was played marked."""

        def paint(columns: int, rows: int) -> str:
            return "".join([self.paint(columns, rows), *[f"{line}\n" for line in note]])

        def with_note(canvas: Canvas, asked: Asked) -> Painted:
            return self.on_canvas(canvas, asked._replace(note=note, best=best, played=played))

        return replace(self, paint=paint, on_canvas=with_note)

    def whole(self) -> "Picture":
        """This picture, changed to show the whole table even when only the news is requested."""

        def paint(columns: int, rows: int) -> str:
            return self.paint(columns, rows or ALL_ROWS)  # 0 is ``ONLY_NEW``

        return replace(self, paint=paint)


@dataclass(eq=False, repr=False)
class PageBeside:
    """A page of text with a drawing at its right, where the window has room for both."""

    page: Draw
    beside: Callable[[Canvas, Rect], object]

    def __call__(self, columns: int, rows: int) -> str:
        return self.page(columns, rows)


def titled_page(settings: Settings, title: str, lines: Sequence[str] = (), more: Sequence[str] = ()) -> Draw:
    """A picture of a title, ``lines``, and the lines ``more``, all broken to fit the width.

    If rows do not suffice, each line of ``more`` is cut to one row, and if this is not enough, ``more`` is left out."""

    def draw(columns: int, rows: int) -> str:
        if settings.plain:
            return "\n".join([title, *lines, *more])
        page = [f"\x1b[1m {title}\x1b[0m", f"\x1b[90m{'─' * columns}\x1b[0m", ""]
        width = columns - 4  # without the indentation and a margin
        page += [f"   {piece}" for line in lines for piece in wrap_text(line, width)]
        wrapped = [f"   {piece}" for line in more for piece in wrap_text(line, width)]
        cut = [f"   {clip(line, width)}" for line in more]
        page += next((pieces for pieces in (wrapped, cut) if len(page) + len(pieces) < rows), [])
        return "\n".join([*page, "\n"])

    return draw


class Key(Enum):
    """A key that questions may accept besides their offers, or an event that ends a question."""

    RULES = "?"
    SHEET = "s"
    LAST = "l"
    HINT = "h"
    UNDO = "u"
    TALK = "t"
    """At a shared table: send a chat message or a request."""
    ORDER = "o"
    """While a hand is in view: sort it by rank or by suit."""
    LEAVE = "q"
    ANSWER = "answer"
    """In an exercise, in place of a hint: show the best move."""
    AWAY = "away"
    """No key for a long time, or the process was stopped and continued: somebody else may be looking."""
    NEWS = "news"
    """Something happened at another terminal."""


AWAY, NEWS, ESCAPE = Key.AWAY.value, Key.NEWS.value, "escape"
SHARED_KEYS: Mapping[str, Any] = {key.value: key for key in Key if key not in (Key.ORDER, Key.ANSWER)}
"""The common keys at a shared table. Each maps to its own ``Key`` as answer."""
KEYS: Mapping[str, Any] = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.TALK, Key.NEWS)}
"""The common keys at a table of one terminal."""
UNAIDED_KEYS: Mapping[str, Any] = {name: key for name, key in KEYS.items() if key not in (Key.HINT, Key.UNDO)}
"""The common keys where nobody is helped."""
HAND_KEYS: Mapping[str, Any] = {Key.ORDER.value: Key.ORDER}
"""The key that is added while a hand is in view."""
BACK: Mapping[str, None] = {ESCAPE: None, "q": None}
"""The keys that lead back from a choice outside a match."""
FOOT_KEYS = frozenset(key.value for key in Key if len(key.value) == 1)
"""The keys that have the same meaning in all questions, even in questions where they do nothing."""
FOOT = (*"?slhutq", ESCAPE, Key.ORDER.value)
"""The keys of the foot in their order."""
FREE_LETTERS = "abcdefgijkmnrvwxyz"
"""The letters for offers without a letter of their own. The letter ``p`` is reserved for passing and stopping."""


class Offer(NamedTuple):
    """One line of a question."""

    value: Any
    text: str
    typed: tuple[str, ...] = ()
    """Further texts by which typing finds the offer."""
    letters: str = ""
    """The letters that choose the offer. A refused offer for several cards has a letter for each card."""
    refused: str | None = None
    """The reason why the offer cannot be chosen; ``None`` if it can."""
    cards: tuple[int, ...] = ()
    """The cards that stand out in the picture while the pointer is at the offer; the first is a card of the hand."""
    unlisted: bool = False
    """Whether the offer is not listed and only typing finds it."""
    note: str = ""
    """A short note at the end of the line."""
    begins_group: bool = False
    """Whether a blank row lies above the line, where there is room."""
    confirm: str | None = None
    """A warning that asks for a second Enter, for choices that cost much and cannot be undone."""
    is_button: bool = False
    """Whether the offer is no use of its first card, such as a declaration, and has a letter of its own."""
    brief: str = ""
    """A shorter text for a button, where the whole text has no room; empty if there is none."""


class Call(partial[Any]):
    """A call as the value of an offer. The same call is an equal value when the offers are made again."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and (self.func, self.args) == (other.func, other.args)

    __hash__ = partial.__hash__


class Ticks(NamedTuple):
    """The rules of a list whose offers are ticked and taken together."""

    check: Callable[[list[Any]], str | None]
    """Returns why the ticked values are not valid together, or ``None`` if they are."""
    status: Callable[[list[Any]], str]
    """Returns a text about the ticked values for the status line."""
    values: list[Any]
    """The ticked values, updated by the screen."""


@dataclass(eq=False, repr=False)
class FormState:
    """Keeps the form of a question while a key or news interrupts it, for the next form of the same question."""

    interrupted: "ChoiceForm | None" = None


class Prompt(NamedTuple):
    """A question with its choices. The fields are arguments of :meth:`Screen.choose`."""

    draw: Draw
    question: str
    offers: Sequence[Offer]
    keys: Mapping[str, Any]
    foot: str | None
    at: Any = None
    quiet: float = 0.0
    ticks: Ticks | None = None
    state: FormState | None = None


class Pictures(NamedTuple):
    """A sequence of pictures, numbered from 0."""

    draw: Callable[[int], Picture]
    """Returns the picture with the given number."""
    last: int
    stops: Sequence[int]
    """The numbers, in ascending order, of the pictures at which a longer step ends."""
    first: int = 0
    """The number of the picture that is shown first."""
