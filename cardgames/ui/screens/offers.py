"""Questions and pages for both screens: pictures, offers and common keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardgames.ui.messages import clip
from cardgames.ui.render.asked import INDENT, Asked, Painted
from cardgames.ui.render.canvas import Canvas, Line, Rect, plain_text
from cardgames.ui.render.line_breaking import wrap_text

if TYPE_CHECKING:
    from cardgames.ui.screens.choice_form import ChoiceForm

Check: TypeAlias = Callable[[str], str | None]
"""A function that returns why a text is not valid, or ``None`` for a valid text."""

ALL_ROWS = 1 << 16
"""More rows than any page has."""
MARGINS = len(INDENT) + 1
"""The columns of the indentation of a page and of its right margin."""


class Picture(NamedTuple):
    """A picture of the table."""

    said: Callable[[bool], Sequence[str]]
    """Puts the table into words or, if the argument is ``True``, only the news; see :meth:`SpokenPainter.scene`."""
    on_canvas: Callable[[Canvas, Asked], Painted]
    """Draws the table and what is asked on the canvas of the whole window."""
    asked: Asked = Asked()
    """A note and marked cards, to which a screen adds its question."""
    hint: Callable[[object], Sequence[str]] | None = None
    """Returns the lines of a hint, for the pointed value of a question."""
    advised: object = None
    """The value of the offer that the hint recommends."""
    hand: tuple[int, ...] = ()
    """The cards of the hand in the picture, in order."""

    def text(self, columns: int, only_new: bool) -> str:
        """The table in words for the line screen, or only the news, and what stands below it."""
        return "\n".join([*self.said(only_new), *self.asked.note, *(self.hint(None) if self.hint else ())])


class Page(NamedTuple):
    """A page of text under a title."""

    title: str
    lines: Sequence[str] = ()
    """Paragraphs, which are broken to fit the width."""
    more: Sequence[str] = ()
    """Further paragraphs. If rows do not suffice, each is cut to one row, and if this is not enough, none is shown."""
    body: Callable[[int, int], Sequence[Line]] = lambda width, rows: ()
    """Returns the lines below all paragraphs, for a width and the number of rows that are left."""
    beside: Callable[[Canvas, Rect], object] | None = None
    """Draws something at the right of the page, where the window has room for both."""

    def drawn(self, columns: int, rows: int = ALL_ROWS) -> list[Line]:
        """The lines below the title and its rule, without their indentation, for so many columns and rows."""
        width = columns - MARGINS
        lines: list[Line] = [piece for line in self.lines for piece in wrap_text(line, width)]
        rows -= 4 + len(lines)  # 4: title, rule, and the blank rows above and below the lines
        wrapped = [piece for line in self.more for piece in wrap_text(line, width)]
        cut = [clip(line, width) for line in self.more]
        lines += next((pieces for pieces in (wrapped, cut) if len(pieces) <= rows), [])
        return [*([""] if lines else []), *lines, *self.body(width, rows)]

    def said(self, columns: int) -> list[Line]:
        """Title and lines for the line screen, where paragraphs are whole."""
        return [self.title, *self.lines, *self.more, *self.body(columns - MARGINS, ALL_ROWS)]

    def text(self, columns: int, only_new: bool) -> str:
        """The page as text for the line screen. A page is always news."""
        return "\n".join(map(plain_text, self.said(columns)))


Drawing: TypeAlias = Picture | Page
"""What a screen shows above a question."""


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

    draw: Drawing
    question: str
    offers: Sequence[Offer]
    keys: Mapping[str, Any]
    foot: str | None
    at: Any = None
    quiet: float = 0.0
    ticks: Ticks | None = None
    state: FormState | None = None
