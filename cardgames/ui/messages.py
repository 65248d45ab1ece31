"""Messages in the player's language, with names and cards in them."""

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from string import Formatter
from typing import Any

from cardgames.engine.cards import CARDS, SUITS
from cardgames.engine.game import KINDS, Kind, Reason, Value
from cardgames.engine.player_names import LONGEST_NAME, clean_name
from cardgames.texts import Number, template
from cardgames.ui.render.card_faces import Face, Faces

Fragment = tuple[str, str]
"""A piece of text with its Rich style."""

PROGRAM = os.environ.get("CARDGAMES_PROGRAM") or "cardgames"
"""The command with which the player started this, to be told how to go on."""

TERMS: Mapping[str, Value] = {
    **{f"{name[1]}{name[0]}_card": card for name, card in CARDS.items()},
    **{f"{suit}_suit": suit for suit in SUITS},
}
"""Cards and suits by their names in the texts of a lesson: ``S9_card`` is the nine of spades, ``S_suit`` spades."""
ARGUMENTS: Mapping[str, Kind] = {
    **KINDS,
    **{name: "suit" if isinstance(value, str) else "card" for name, value in TERMS.items()},
}
NAME_CELLS = 24
"""How many cells a name has where there is room."""


def clip(text: str, cells: int) -> str:
    """``text`` in at most ``cells`` cells of the terminal, the end replaced by an ellipsis where it is longer."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= cells else set_cell_size(text, cells - 1).rstrip(" 、") + "…"


def distinct(names: Sequence[str], cells: int) -> tuple[str, ...]:
    """The names in at most ``cells`` cells each, still different from each other.

    A name that is too long loses its end, and where that leaves two alike, as much from its middle that the ends which
    tell them apart stay; where no end is short enough for that, they are numbered. Who has no name stays without one.
    """
    shown = [clip(name, cells) for name in names]
    for tail in range(1, cells - 1):
        alike = {name for name in shown if name and shown.count(name) > 1}
        if not alike:
            return tuple(shown)
        shown = [
            clip_middle(whole, cells, tail) if name in alike or "…" in name[:-1] else name
            for whole, name in zip(names, shown, strict=True)
        ]
    alike = {name for name in shown if name and shown.count(name) > 1}
    numbered = [f"{clip(name, cells - 1).removesuffix('…')}…{place}" for place, name in enumerate(names, 1)]
    return tuple([number if name in alike else name for name, number in zip(shown, numbered, strict=True)])


def clip_middle(text: str, cells: int, tail: int) -> str:
    """``text`` in at most ``cells`` cells, its middle replaced by an ellipsis, with so many characters at its end."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= cells:
        return text
    end = text[-tail:]
    if cell_len(end) > cells - 2:
        return clip(text, cells)
    return set_cell_size(text, max(1, cells - 1 - cell_len(end))).rstrip() + "…" + end


def short_name(name: str, cells: int) -> str:
    """A name as it can be shown in so many cells, whoever wrote it into a record: marks without end take no cell."""
    return clip(clean_name(name[: LONGEST_NAME + 1]), cells)


class Words:
    """The words of the table in one language, about one game and these people."""

    def __init__(
        self,
        language: str,
        game: str | None = None,
        names: tuple[str, ...] = (),
        faces: Faces | None = None,
        name_cells: int = NAME_CELLS,
    ) -> None:
        """A name has at most ``name_cells`` cells."""
        self.language = language
        self.game = game
        self.names = names
        self.faces = faces or Faces()
        self.name_cells = name_cells

    def name(self, seat: int) -> str:
        """The name of a seat, short enough for a line."""
        if not seat:
            return self.text("chance")
        if not self.names:
            return self.text("seat_number", number=seat)
        return self._shown[seat - 1] or self.text("seat_number", number=seat)

    @cached_property
    def _shown(self) -> tuple[str, ...]:
        return distinct([clean_name(name[: LONGEST_NAME + 1]) for name in self.names], self.name_cells)

    def match_title(self, number: int) -> str:
        """The title of the match of this number in the store."""
        return self.text("match_title", title=self.text("title"), number=number)

    def shortened(self, cells: int) -> "Words":
        """These words with names of at most ``cells`` cells."""
        return Words(self.language, self.game, self.names, self.faces, min(cells, self.name_cells))

    def text(self, key: str, **args: Any) -> str:
        """The message of a key, with these arguments, as plain text."""
        return "".join(text for _, text in self.fragments(Reason(key, args)))

    def say(self, message: Reason) -> str:
        """A message that has its arguments already, as plain text."""
        return "".join(text for _, text in self.fragments(message))

    def knows(self, key: str) -> bool:
        """Whether there is a message of this key."""
        try:
            return bool(template(self.language, self.game, key))
        except KeyError:
            return False

    def fragments(self, message: Reason) -> list[Fragment]:
        """The message in pieces, cards and suits in their colours; several cards may stand where one does.

        ``{cards:#}`` says how many there are, and ``{cards:card|cards}`` chooses by that; ``{words:or}`` has an "or"
        before the last, and ``{text:capital}`` a capital letter, unless it begins with an address or a path.
        """
        found: list[Fragment] = []
        for literal, name, spec, _ in Formatter().parse(template(self.language, self.game, message.key)):
            if literal:
                found.append(("", literal))
            if name is not None:
                found += self._value(name, PROGRAM if name == "program" else message.args[name], spec or "")
        return found

    def _value(self, name: str, value: Any, spec: str) -> Iterator[Fragment]:
        """An argument of a message as styled text. ``card`` may be several, of which the same is said."""
        kind = ARGUMENTS.get(name)
        if kind == "seat" and isinstance(value, int):
            yield "bold", self.name(value)
        elif kind == "seats" and isinstance(value, tuple):
            named = [self.name(int(seat)) for seat in value]
            yield "bold", spec.join(named) if spec and len(named) == 2 else self._list(named)
        elif spec == "or" and isinstance(value, tuple):
            *others, last = map(str, value)
            yield "", self.text("or", start=self._list(others), end=last) if others else last
        elif spec == "capital":
            text = clean_name(str(value))
            path = "/" in text.partition(" ")[0]
            yield "", text if path else text[:1].upper() + text[1:]
        elif spec and isinstance(value, tuple):
            yield "", format(Number(len(value)), spec.removesuffix("#"))
        elif kind in ("card", "cards"):
            for place, card in enumerate(value if isinstance(value, tuple) else (value,)):
                if place:
                    yield "", " "
                yield self._face(self.faces.card(card))
        elif kind == "suit":
            yield self._face(self.faces.suit(str(value)))
        elif kind == "rank":
            yield "bold", "10" if value == "T" else str(value)
        elif kind == "words":
            words = value if isinstance(value, tuple) else str(value).split()
            yield "", reduce(lambda start, end: self.text("phrase", start=start, end=end), map(self.term, words))
        elif isinstance(value, int):
            yield "", format(Number(value), spec)
        elif isinstance(value, tuple):
            yield "", self._list([str(item) for item in value])
        else:
            yield "", clean_name(str(value))

    def term(self, word: str) -> str:
        """A word of the game in this language."""
        try:
            return template(self.language, self.game, f"word.{word}")
        except KeyError:
            return word

    def _list(self, items: Sequence[str]) -> str:
        return template(self.language, None, "comma").join(items)

    @staticmethod
    def _face(face: Face) -> Fragment:
        return face.style, face.text


def folded(text: str) -> str:
    """A text that somebody typed, or could type, in a form to compare: full-width letters and case do not matter."""
    return unicodedata.normalize("NFKC", text).casefold()
