"""The part that both screens share: offers, the keys that every choice has, and the few words of a screen."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from string import ascii_lowercase
from typing import Any, NamedTuple, TypeAlias

from cardgames.ui.messages import folded

Draw: TypeAlias = Callable[[int, int], str]
"""Draws a picture for so many columns and at most so many rows, as text with ANSI styles; see ``ONLY_NEW``."""

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


class Picture:
    """A picture of the table that fills its rows, so that everything has its place, and what may stand beside it."""

    def __init__(self, paint: Paint, panel: Draw, hint: Draw | None = None) -> None:
        self.paint = paint
        self.panel = panel
        self.hint = hint
        """Drawn under the list of a question, as much of it as has room there: nothing moves for it."""

    def __call__(self, columns: int, rows: int) -> str:
        return self.paint(columns, rows, Chosen(), False) + (self.hint(columns, ALL_ROWS) if self.hint else "")

    def hinted(self, hint: Draw) -> "Picture":
        """The same with a hint."""
        return Picture(self.paint, self.panel, hint)

    def above(self, note: Callable[[int], str], together: int) -> "Picture":
        """The same with a note under it: the picture gives way down to ``LEAST_ROWS``.

        Where there are few rows for pictures the two have so many ``together``.
        """

        def paint(columns: int, rows: int, chosen: Chosen, beside: bool) -> str:
            text = note(columns)
            left = max(LEAST_ROWS, max(together, rows) - text.count("\n"))
            return self.paint(columns, rows and left, chosen, beside) + text

        return Picture(paint, self.panel, self.hint)


class Key(Enum):
    """The keys that every choice has besides its answers, and what else can end one."""

    RULES = "?"
    SHEET = "s"
    LAST = "l"
    HINT = "h"
    UNDO = "u"
    TALK = "t"
    """Where others sit at terminals of their own: a word to them, or a wish."""
    LEAVE = "q"
    SUSPEND = "c-z"
    AWAY = "away"
    """No key for a long time, or the process was stopped and goes on: somebody else may be looking."""
    NEWS = "news"
    """Something has happened at another terminal."""


SUSPEND, NEWS, ESCAPE = Key.SUSPEND.value, Key.NEWS.value, "escape"
SHARED_KEYS: Mapping[str, Any] = {key.value: key for key in Key}
"""The answer of each key while nothing was typed: itself."""
KEYS: Mapping[str, Any] = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.TALK, Key.NEWS)}
"""The same where nobody sits at another terminal."""
BACK: Mapping[str, None] = {ESCAPE: None, "q": None}
"""The keys that lead back from a choice that is not part of a match."""


class Offer(NamedTuple):
    """One line of a question."""

    value: Any
    text: str
    typed: tuple[str, ...] = ()
    """The texts that somebody may type to find it, besides its own."""
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
    again: Callable[[str], str] = lambda key: f"({key} {key})"
    """Said of a key at the foot that has opened a move instead: typed once more it is the key."""
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


def shortcuts(offers: Sequence[Offer], keys: Mapping[str, Any]) -> list[str]:
    """For each offer the one key that chooses it; empty where it is refused or unlisted, or the keys run out.

    Letters in their order, and then digits, which beside cards would be taken for ranks. A key that opens the text of
    a possible move is left for typing, and one that has a meaning of its own keeps it.
    """
    free = [key for key in ascii_lowercase + "123456789" if key not in keys and not _opened(offers, key)]
    following = iter(free)
    return ["" if offer.refused or offer.unlisted else next(following, "") for offer in offers]


def opens(offer: Offer, typed: str) -> bool:
    """Whether what was typed begins the text of this offer, or one of the ways to type it."""
    return any(_compared(way).startswith(_compared(typed)) for way in (offer.text, *offer.typed))


def _opened(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """Those of several possible moves that somebody may type who begins like this."""
    possible = [offer for offer in offers if not offer.refused] if len(offers) > 1 else []
    return [offer for offer in possible if opens(offer, typed)]


def meaning(typed: str, keys: Mapping[str, Any], offers: Sequence[Offer]) -> str:
    """The key of ``keys`` that what was typed stands for, or nothing.

    A letter that opens a possible move is typing, unless it means that move; typed twice it is the key all the same.
    """
    key = typed[:1]
    if key not in keys or typed not in (key, key + key):
        return ""
    other = [offer for offer in _opened(offers, typed) if offer.value != keys[key]]
    return "" if other else key
