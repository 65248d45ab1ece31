"""Questions for both screens: pictures, offers, common keys, and how typing finds an offer."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from cardgames.ui.messages import Words, clip, folded
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.settings import Settings

Draw: TypeAlias = Callable[[int, int], str]
"""A function that draws a picture in at most ``columns`` and ``rows``, as text with ANSI styles; see ``ONLY_NEW``."""

Check: TypeAlias = Callable[[str], str | None]
"""A function that says why a text is not valid; ``None`` if it is."""

LONGEST = 200
"""The most characters of a text field."""

LEAST_ROWS = 6
"""The fewest rows of a picture above a note."""

ONLY_NEW = 0
"""Passed instead of rows, asks a picture of the table only for the news, to be read out."""


class Chosen(NamedTuple):
    """The cards that stand out in a picture during a choice."""

    pointed: tuple[int, ...] = ()
    """The cards of the pointed offer."""
    ticked: tuple[int, ...] = ()
    """The cards of the ticked offers."""
    advised: tuple[int, ...] = ()
    """The cards that a hint recommends."""


Paint: TypeAlias = Callable[[int, int, Chosen, bool], str]
"""A function that draws a picture in which some cards stand out; the flag says that a panel stands beside it."""

ALL_ROWS = 1 << 16
"""More rows than any picture or page has."""

Beneath: TypeAlias = Callable[[int, int, object], str]
"""A function that draws a text under a list, in at most ``columns`` and ``rows``, for the pointed value.

Its height is the same for each value, so that nothing else moves."""


@dataclass(frozen=True)
class Picture:
    """A picture of the table that fills its rows, with a panel beside it where there is room."""

    paint: Paint
    panel: Draw
    hint: Beneath | None = None
    """Drawn under the list of a question, as much of it as has room there: nothing moves for it."""
    advised: object = None
    """The value of the offer that the hint recommends."""
    advised_cards: tuple[int, ...] = ()
    """Its cards."""

    def __call__(self, columns: int, rows: int) -> str:
        return self.paint(columns, rows, Chosen(), False) + (self.hint(columns, ALL_ROWS, None) if self.hint else "")

    def above(self, note: Callable[[int], str], together: int) -> "Picture":
        """This picture above a note, for which it shrinks to at least ``LEAST_ROWS``.

        ``together``: the fewest rows that picture and note share in a small window."""

        def paint(columns: int, rows: int, chosen: Chosen, beside: bool) -> str:
            text = note(columns)
            left = max(LEAST_ROWS, max(together, rows) - text.count("\n"))
            return self.paint(columns, rows and left, chosen, beside) + text

        return replace(self, paint=paint)


def titled_page(settings: Settings, title: str, lines: Sequence[str] = (), more: Sequence[str] = ()) -> Draw:
    """A picture of a title with lines below it, and as many of the lines ``more`` as fit."""

    def draw(columns: int, rows: int) -> str:
        if settings.plain:
            return "\n".join([title, *lines, *more])
        found = [f"\x1b[1m {title}\x1b[0m", f"\x1b[90m{'─' * columns}\x1b[0m", ""]
        found += [f"   {piece}" for line in lines for piece in broken(line, columns - 4)]
        whole = [f"   {piece}" for line in more for piece in broken(line, columns - 4)]
        cut = [f"   {clip(line, columns - 4)}" for line in more]
        found += next((others for others in (whole, cut) if len(found) + len(others) < rows), [])
        return "\n".join([*found, "\n"])

    return draw


class Key(Enum):
    """The keys that every question takes besides its answers, and the events that may end it."""

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
    SUSPEND = "c-z"
    AWAY = "away"
    """No key for a long time, or the process was stopped and continued: somebody else may be looking."""
    NEWS = "news"
    """Something happened at another terminal."""


SUSPEND, NEWS, ESCAPE = Key.SUSPEND.value, Key.NEWS.value, "escape"
SHARED_KEYS: Mapping[str, Any] = {key.value: key for key in Key if key is not Key.ORDER}
"""The common keys at a shared table, each with itself as answer."""
KEYS: Mapping[str, Any] = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.TALK, Key.NEWS)}
"""The common keys at a table of one terminal."""
HAND_KEYS: Mapping[str, Any] = {Key.ORDER.value: Key.ORDER}
"""The common keys, and those for a hand in view."""
BACK: Mapping[str, None] = {ESCAPE: None, "q": None}
"""The keys that lead back from a choice outside a match."""
FOOT = frozenset(key.value for key in Key if len(key.value) == 1)
"""The keys that have one meaning in all questions, even where they do nothing."""
FREE = "abcdefgijkmnrvwxyz"
"""The letters given to offers without their own. The letter ``p`` is kept for passing and stopping."""


class Offer(NamedTuple):
    """One line of a question."""

    value: Any
    text: str
    typed: tuple[str, ...] = ()
    """Further texts by which typing finds it."""
    letters: str = ""
    """Its shortcuts. A refused offer for several cards has one for each card."""
    refused: str | None = None
    """Why it cannot be chosen."""
    cards: tuple[int, ...] = ()
    """Its cards, which stand out in the picture while it is pointed at; the first is one of the hand."""
    unlisted: bool = False
    """Whether it is in no list and is found only by typing."""
    confirm: str | None = None
    """A warning that asks for a second Enter, for choices that cost much and cannot be undone."""


class Ticks(NamedTuple):
    """The rules of a list whose offers are ticked and taken together."""

    check: Callable[[list[Any]], str | None]
    """A function that says why the ticked values are not valid together; ``None`` if they are."""
    status: Callable[[list[Any]], str]
    """A function that describes the ticked values."""
    values: list[Any]
    """The ticked values, updated by the screen."""


class Prompt(NamedTuple):
    """A question with its choices; see :meth:`Screen.choose`."""

    draw: Draw
    question: str
    offers: Sequence[Offer]
    keys: Mapping[str, Any]
    foot: str
    at: Any = None
    quiet: float = 0.0
    ticks: Ticks | None = None


def refusal(words: Words, text: str, why: str) -> str:
    """A refused offer and the reason; spaces in ``text``, which set columns, are kept."""
    return text + words.text("refused", text="", why=why)


def plain_key(data: str) -> str:
    """A key in its plain form: full-width letters, digits, signs and blanks become ASCII."""
    return unicodedata.normalize("NFKC", data)


def _compared(text: str) -> str:
    """A text prepared for comparison: case, width and separators of words are removed."""
    return "".join(folded(text).replace("・", " ").split())


def fits(offer: Offer, typed: str) -> bool:
    """Whether typed text finds an offer: as the beginning of its text, of a word of it, or of its other spellings."""
    wanted = _compared(typed)
    words = (offer.text, *offer.text.split(), *offer.typed)
    return any(_compared(word).startswith(wanted) for word in words)


def shortcuts(offers: Sequence[Offer]) -> list[str]:
    """The shortcuts of each offer: its own, or by position if no offer has any.

    A single choice has none, as Enter is enough."""
    if any(offer.letters for offer in offers):
        return [offer.letters for offer in offers]
    following = iter(FREE if len(offers) > 1 else "")
    return ["" if offer.unlisted else next(following, "") for offer in offers]


def found(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """The offers that begin with the typed text.

    In a question about a match a single capital begins a card, a suit or a number, but no word."""
    wanted = _compared(typed)
    moves = any(offer.letters for offer in offers)
    cards = [offer for offer in offers if any(_compared(way).startswith(wanted) for way in _cards(offer))]
    if cards or (moves and len(wanted) < 2 and typed.isascii()):
        return cards
    return [offer for offer in offers if fits(offer, typed)]


def only(offers: Sequence[Offer], typed: str) -> Offer | None:
    """The only offer that the typed text can mean, if there is one. An exact match wins over longer texts.

    ``offers`` are those found that can be chosen."""
    wanted = _compared(typed)
    exact = [offer for offer in offers if wanted in map(_compared, (offer.text, *offer.typed))]
    listed = [offer for offer in exact if not offer.unlisted] or exact
    return next(iter(listed if len(listed) == 1 else offers), None) if len(listed) == 1 or len(offers) == 1 else None


def _cards(offer: Offer) -> list[str]:
    """The spellings of an offer that begin with a capital, a digit or a suit symbol."""
    return [way for way in offer.typed if not way[:1].islower()]
