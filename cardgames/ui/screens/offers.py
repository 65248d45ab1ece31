"""The part that both screens share: offers, the keys that every choice has, and the few words of a screen."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from cardgames.ui.messages import folded

Draw: TypeAlias = Callable[[int, int], str]
"""Draws a picture for so many columns and at most so many rows, as text with ANSI styles; see ``ONLY_NEW``."""

Check: TypeAlias = Callable[[str], str | None]
"""Says why a text cannot be taken, or ``None`` if it can."""

LONGEST = 200
"""The most characters that can be typed into one field."""

LEAST_ROWS = 6
"""How many rows a picture keeps above a note, however long that is."""

ONLY_NEW = 0
"""Asks a picture of the table, in place of rows, only for what is new, for those to whom it is read out."""


class Chosen(NamedTuple):
    """The cards that stand out in a picture while somebody chooses."""

    pointed: tuple[int, ...] = ()
    """Those of the offer that is pointed at."""
    ticked: tuple[int, ...] = ()
    """Those of the offers that are ticked."""


Paint: TypeAlias = Callable[[int, int, Chosen, bool], str]
"""Draws a picture in which some cards stand out; the flag says that there is a panel beside it."""

ALL_ROWS = 1 << 16
"""How many rows are enough for anything."""

Beneath: TypeAlias = Callable[[int, int, object], str]
"""Draws a text under a list: in so many columns and rows at most, and about the value that is pointed at there.

It takes as many rows whatever is pointed at, so that nothing else moves."""


class Picture:
    """A picture of the table that fills its rows, so that everything has its place, and what may stand beside it."""

    def __init__(self, paint: Paint, panel: Draw, hint: Beneath | None = None, advised: object = None) -> None:
        self.paint = paint
        self.panel = panel
        self.advised = advised
        """The value of the offer that the hint recommends."""
        self.hint = hint
        """Drawn under the list of a question, as much of it as has room there: nothing moves for it."""

    def __call__(self, columns: int, rows: int) -> str:
        return self.paint(columns, rows, Chosen(), False) + (self.hint(columns, ALL_ROWS, None) if self.hint else "")

    def hinted(self, hint: Beneath, advised: object) -> "Picture":
        """The same with a hint, which recommends the offer of a value."""
        return Picture(self.paint, self.panel, hint, advised)

    def above(self, note: Callable[[int], str], together: int) -> "Picture":
        """The same with a note under it: the picture gives way down to ``LEAST_ROWS``.

        Where there are few rows for pictures the two have so many ``together``.
        """

        def paint(columns: int, rows: int, chosen: Chosen, beside: bool) -> str:
            text = note(columns)
            left = max(LEAST_ROWS, max(together, rows) - text.count("\n"))
            return self.paint(columns, rows and left, chosen, beside) + text

        return Picture(paint, self.panel, self.hint, self.advised)


class Key(Enum):
    """The keys that every question takes besides its answers, and the other events that can end one."""

    RULES = "?"
    SHEET = "s"
    LAST = "l"
    HINT = "h"
    UNDO = "u"
    TALK = "t"
    """Where others sit at terminals of their own: a word to them, or a wish."""
    ORDER = "o"
    """While a hand is in view: by rank instead of by suit, or by suit again."""
    LEAVE = "q"
    SUSPEND = "c-z"
    AWAY = "away"
    """No key for a long time, or the process was stopped and goes on: somebody else may be looking."""
    NEWS = "news"
    """Something has happened at another terminal."""


SUSPEND, NEWS, ESCAPE = Key.SUSPEND.value, Key.NEWS.value, "escape"
SHARED_KEYS: Mapping[str, Any] = {key.value: key for key in Key if key is not Key.ORDER}
"""The answer of each key while nothing was typed: itself."""
KEYS: Mapping[str, Any] = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.TALK, Key.NEWS)}
"""The same where nobody sits at another terminal."""
HAND_KEYS: Mapping[str, Any] = {Key.ORDER.value: Key.ORDER}
"""The keys that there are besides where a hand is in view."""
BACK: Mapping[str, None] = {ESCAPE: None, "q": None}
"""The keys that lead back from a choice that is not part of a match."""
FOOT = frozenset(key.value for key in Key if len(key.value) == 1)
"""The keys that mean the same in every question, whether they do anything there or not."""
FREE = "abcdefgijkmnrvwxyz"
"""The letters of offers that have none of their own; ``p`` is to pass or to stop."""


class Offer(NamedTuple):
    """One line of a question."""

    value: Any
    text: str
    typed: tuple[str, ...] = ()
    """The texts that somebody may type to find it, besides its own."""
    letters: str = ""
    """The keys that mean it; of a refused offer for several cards, one a card."""
    refused: str | None = None
    """Why it cannot be chosen."""
    cards: tuple[int, ...] = ()
    """The cards it is about, which stand out in the picture while it is pointed at; the first is one of the hand."""
    unlisted: bool = False
    """Whether it stands in no list, and is found by typing alone."""
    confirm: str | None = None
    """Said, and a second Enter asked for, before it is taken: for what costs much and cannot be undone."""


class Ticks(NamedTuple):
    """A list whose offers are to be ticked, and then taken together."""

    check: Callable[[list[Any]], str | None]
    """Tells why the ticked values cannot be taken; ``None`` if they can."""
    status: Callable[[list[Any]], str]
    """Tells what to say of the ticked values meanwhile."""
    values: list[Any]
    """Those that are ticked at first, and from then on."""


class Labels(NamedTuple):
    """The few words of a screen itself, in the player's language."""

    keys: str
    """The line at the foot that names the keys."""
    too_small: Callable[[int, int], str]
    """Said in a window of so many columns and rows."""
    nothing_found: Callable[[str], str]
    """Said when nothing fits what was typed."""
    move: str
    """How to choose, beside the question."""
    tick: str
    """How to tick, beside the question."""
    refused: Callable[[str, str], str] = lambda text, why: f"{text} ({why})"
    """An offer that cannot be chosen, and why."""
    more: Callable[[int, int], str] = lambda above, below: f"↑ {above}  ↓ {below}"
    """Said of a list of which so many lines are above and below those in view."""
    no_key: Callable[[str], str] = lambda letter: f"({letter})"
    """Said of a small letter that means nothing here."""
    capital: Callable[[str], str] = lambda letter: f"({letter})"
    """Said beside a capital that may be a key typed with Caps Lock on."""
    ambiguous: Callable[[str], str] = lambda typed: f"({typed} …)"
    """Said when Enter follows something that several offers begin with."""
    fingers: str = ""
    """That small letters are keys, and what begins a card."""
    order: str = ""
    """The key that sorts a hand, for the foot where it is one and there is room."""
    advised: str = "*"
    """Said beside the offer that a hint recommends."""
    search: str = "/"
    """Said before the text that is looked for in a page."""


def plain_key(data: str) -> str:
    """A key as it is meant: full-width letters, digits and signs count as the plain ones, blanks too."""
    return unicodedata.normalize("NFKC", data)


def _compared(text: str) -> str:
    """A text as it is compared with what was typed: neither case nor width nor what parts its words matter."""
    return "".join(folded(text).replace("・", " ").split())


def fits(offer: Offer, typed: str) -> bool:
    """Whether what was typed finds this offer: it begins its text, a word of it, or one of the ways to type it."""
    wanted = _compared(typed)
    words = (offer.text, *offer.text.split(), *offer.typed)
    return any(_compared(word).startswith(wanted) for word in words)


def shortcuts(offers: Sequence[Offer]) -> list[str]:
    """For each offer the letters that mean it: its own, or where no offer has any, one by its place in the list.

    Where there is nothing to choose between there are none: Enter is enough.
    """
    if any(offer.letters for offer in offers):
        return [offer.letters for offer in offers]
    following = iter(FREE if len(offers) > 1 else "")
    return ["" if offer.unlisted else next(following, "") for offer in offers]


def found(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """The offers that somebody may mean who begins like this.

    In a question about a match a single capital begins a card, a suit or a number, and never a word.
    """
    wanted = _compared(typed)
    moves = any(offer.letters for offer in offers)
    cards = [offer for offer in offers if any(_compared(way).startswith(wanted) for way in _cards(offer))]
    if cards or (moves and len(wanted) < 2 and typed.isascii()):
        return cards
    return [offer for offer in offers if fits(offer, typed)]


def only(offers: Sequence[Offer], typed: str) -> Offer | None:
    """The offer that what was typed can only mean, if there is one; a text in full means that rather than a longer one.

    ``offers`` are those that were found and can be chosen.
    """
    wanted = _compared(typed)
    exact = [offer for offer in offers if wanted in map(_compared, (offer.text, *offer.typed))]
    listed = [offer for offer in exact if not offer.unlisted] or exact
    return next(iter(listed if len(listed) == 1 else offers), None) if len(listed) == 1 or len(offers) == 1 else None


def _cards(offer: Offer) -> list[str]:
    """The ways to type an offer that begin with a capital, a digit or the sign of a suit."""
    return [way for way in offer.typed if not way[:1].islower()]
