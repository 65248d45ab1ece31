"""Messages in the player's language, with names and cards."""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from string import Formatter
from typing import Any

from cardgames.engine.cards import CARDS, SUITS
from cardgames.engine.game import KINDS, Kind, Message, Value
from cardgames.engine.player_names import LONGEST_NAME, clean_name
from cardgames.texts import Number, template
from cardgames.ui.render.charset import Faces

Fragment = tuple[bool, str]
"""Whether a piece of text stands out, as a name, a card, a suit or a rank, and the piece."""

PROGRAM = os.environ.get("CARDGAMES_PROGRAM") or "cardgames"
"""The command that started this program, for advice on how to continue."""

TERMS: Mapping[str, Value] = {
    **{f"{name[1]}{name[0]}_card": card for name, card in CARDS.items()},
    **{f"{suit}_suit": suit for suit in SUITS},
}
"""The names of cards and suits in the texts of lessons: ``S9_card`` is the nine of spades, ``S_suit`` spades."""
ARGUMENTS: Mapping[str, Kind] = {
    **KINDS,
    **{name: "suit" if isinstance(value, str) else "card" for name, value in TERMS.items()},
}
"""The kind of each argument of a message, by the argument's name."""
NAME_CELLS = 24
"""The most cells of a name, unless a window has less room."""


def clip(text: str, cells: int, tail: int = 0) -> str:
    """Cut the end of ``text`` with an ellipsis if the text is wider than ``cells`` cells.

    If the last ``tail`` characters fit, they are kept, and the middle is cut instead."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= cells:
        return text
    end = text[-tail:] if tail else ""
    if not end or cell_len(end) > cells - 2:
        return set_cell_size(text, cells - 1).rstrip(" 、") + "…"
    return set_cell_size(text, max(1, cells - 1 - cell_len(end))).rstrip() + "…" + end


def clip_names(names: Sequence[str], cells: int) -> tuple[str, ...]:
    """Cut different names to at most ``cells`` cells each, so that they stay different; empty names may repeat.

    A long name loses its end, or its middle if it ends with digits or would otherwise equal another name. Names that
    are still equal get the number of their seat."""
    digits = [len(name) - len(name.rstrip("0123456789")) for name in names]
    shown = [clip(name, cells, tail) for name, tail in zip(names, digits, strict=True)]
    for tail in range(1, cells - 1):  # keep more and more characters at the end
        equal = {name for name in shown if name and shown.count(name) > 1}
        if not equal:
            return tuple(shown)
        shown = [  # all names cut in the middle keep equally many characters at the end
            clip(whole, cells, tail) if name in equal or "…" in name[:-1] else name
            for whole, name in zip(names, shown, strict=True)
        ]
    equal = {name for name in shown if name and shown.count(name) > 1}
    numbered = [f"{clip(name, cells - 1).removesuffix('…')}…{seat}" for seat, name in enumerate(names, 1)]
    return tuple([longer if name in equal else name for name, longer in zip(shown, numbered, strict=True)])


def short_name(name: str, cells: int) -> str:
    """A name without unprintable characters, cut to ``cells`` cells and ``LONGEST_NAME`` characters."""
    return clip(clean_name(name[: LONGEST_NAME + 1]), cells)


@dataclass(eq=False, repr=False)
class Words:
    """The messages in one language, with the texts of a game and the names of a match's players."""

    language: str
    game: str | None = None
    names: tuple[str, ...] = ()
    faces: Faces = Faces()  # noqa: RUF009 — a tuple
    name_cells: int = NAME_CELLS

    def name(self, seat: int) -> str:
        """The name of a seat's player, cut to ``name_cells``, or the seat's number if there is no name."""
        if not seat:
            return self.text("chance")
        name = self._clipped_names[seat - 1] if self.names else ""
        return name or self.text("seat_number", number=seat)

    @cached_property
    def _clipped_names(self) -> tuple[str, ...]:
        return clip_names([clean_name(name[: LONGEST_NAME + 1]) for name in self.names], self.name_cells)

    def match_title(self, number: int | None) -> str:
        """The title of a match: its game and, if it is stored, its number."""
        title = self.text("title")
        return title if number is None else self.text("match_title", title=title, number=number)

    def refusal(self, text: str, why: str) -> str:
        """The line of an offer that cannot be chosen: its ``text``, with aligning spaces, then the reason ``why``."""
        return text + self.text("refused", text="", why=why)

    def not_allowed(self, text: str, why: str) -> str:
        """The answer to whoever chooses an offer that cannot be chosen."""
        return self.text("not_allowed", text=self.refusal(text, why))

    def with_short_names(self, cells: int) -> "Words":
        """The same words, with names of at most ``cells`` cells."""
        return replace(self, name_cells=min(cells, self.name_cells))

    def text(self, key: str, **args: Any) -> str:
        """The message of a key with its arguments, as plain text."""
        return self.say(Message(key, args))

    def say(self, message: Message) -> str:
        """A message as plain text."""
        return "".join(text for _, text in self.fragments(message))

    def knows(self, key: str) -> bool:
        """Whether a key has a message."""
        try:
            return bool(template(self.language, self.game, key))
        except KeyError:
            return False

    def shortened(self, message: Message) -> Message:
        """The short form of a message, or the message itself if it has none."""
        short = message._replace(key=f"{message.key}_brief")
        return short if self.knows(short.key) else message

    def brief(self, message: Message) -> str:
        """The text of an offer without the explanation at its end, after a colon or in Japanese brackets.

        Texts of offers keep what tells one from another before it."""
        return re.sub(r"(: .*?|（[^（）]*）)(?= ?…$|$)", "", self.say(message))

    def fragments(self, message: Message) -> list[Fragment]:
        """A message in pieces.

        In a message, ``{cards:#}`` becomes the number of cards, ``{cards:card|cards}`` the word that fits this number,
        ``{words:or}`` a list with "or" before the last item, and ``{text:capital}`` a text with a capital, unless the
        text is a path."""
        pieces: list[Fragment] = []
        key = message.key
        if "" in message.args.values() and self.knows(f"{key}_unnamed"):  # "the weakest" would tell a hidden card
            key += "_unnamed"
        for literal, name, spec, _ in Formatter().parse(template(self.language, self.game, key)):
            if literal:
                pieces.append((False, literal))
            if name is not None:
                pieces += self._argument(name, PROGRAM if name == "program" else message.args[name], spec or "")
        return pieces

    def _argument(self, name: str, value: Any, spec: str) -> Iterator[Fragment]:
        """The argument ``name`` of a message in pieces, in the format ``spec``.

        The value of a card argument may be a tuple of cards."""
        kind = ARGUMENTS.get(name)
        if kind == "seat" and isinstance(value, int):
            yield True, self.name(value)
        elif kind == "seats" and isinstance(value, tuple):
            names = [self.name(int(seat)) for seat in value]
            comma = template(self.language, None, "comma")
            joins_any_number = not spec or spec.endswith(comma)  # a word such as "and" joins two names only
            yield True, ((spec or comma) if joins_any_number or len(names) == 2 else comma).join(names)
        elif spec == "or" and isinstance(value, tuple):
            *others, last = map(str, value)
            yield False, self.text("or", start=tuple(others), end=last) if others else last
        elif spec == "capital":
            text = clean_name(str(value))
            is_path = "/" in text.partition(" ")[0]
            yield False, text if is_path else text[:1].upper() + text[1:]
        elif spec and isinstance(value, tuple):  # the number of items, or the word that fits it
            yield False, format(Number(len(value)), spec.removesuffix("#"))
        elif kind in ("card", "cards") and value == "":
            yield False, self.text("hidden_card")
        elif kind in ("card", "cards"):
            for index, card in enumerate(value if isinstance(value, tuple) else (value,)):
                if index:
                    yield False, " "
                yield True, self.faces.card(card)
        elif kind == "suit":
            yield True, self.faces.suit(str(value))
        elif kind == "rank":
            yield True, "10" if value == "T" else str(value)
        elif kind == "words":
            words = value if isinstance(value, tuple) else str(value).split()
            yield False, reduce(lambda start, end: self.text("phrase", start=start, end=end), map(self.term, words))
        elif isinstance(value, int):
            yield False, format(Number(value), spec)
        elif isinstance(value, tuple):
            yield False, template(self.language, None, "comma").join(map(str, value))
        else:
            yield False, clean_name(str(value))

    def term(self, word: str) -> str:
        """The translation of ``word``, the English name of a term of the game.

        Return ``word`` itself if there is no translation."""
        key = f"word.{word}"
        return self.text(key) if self.knows(key) else word


def fold_case(text: str) -> str:
    """``text`` in lower case without full-width letters, for comparisons."""
    return unicodedata.normalize("NFKC", text).casefold()


def signed(value: float) -> str:
    """A number as text with its sign; ``0`` has no sign."""
    return f"{value:+g}" if value else "0"
