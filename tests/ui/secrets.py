"""The cards that only their holder may see, computed from a record."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len

from cardgames.engine import record
from cardgames.engine.cards import NAMES, RANKS
from cardgames.engine.game import Event, cards_named

SHOWN = re.compile(r"(?<![0-9A-Za-z])(10|[2-9AKQJ])([♠♥♦♣])")
RANK = re.compile(r"(?:(?<=▏)|(?<=[ ▌▖] ))(?:10|[2-9AKQJ])(?=[ ▏\0]|$)")
LETTERS = dict(zip("♠♥♦♣", "SHDC", strict=True))
IN_ASCII = re.compile(r"(?<![0-9A-Za-z])(10|[2-9AKQJ])([SHDC])(?![0-9A-Za-z])")


RENSHO = re.compile(r"(?:rensho|れんしょ)(?: is|は)? ?(?:\w+[♠♥♦♣]|\w+[SHDC]\b)")
"""Which card that is follows from the trumps, whoever holds it."""


def cards_on(screen: str) -> set[str]:
    """The cards that appear anywhere in a text, in notation."""
    found = SHOWN.findall(RENSHO.sub("", screen)) + stacked_on(screen)
    return {("T" if rank == "10" else rank) + LETTERS[suit] for rank, suit in found}


def stacked_on(screen: str) -> list[tuple[str, str]]:
    """The ranks and suits of cards that show the suit below the rank."""
    rows = ["".join([character.ljust(cell_len(character), "\0") for character in line]) for line in screen.splitlines()]
    found = []
    for row, below in pairwise(rows):
        for corner in RANK.finditer(row):
            suit = below[corner.start() : corner.start() + 1]
            if suit and suit in LETTERS:
                found.append((corner[0], suit))
    return found


def ascii_cards_on(screen: str) -> set[str]:
    """The cards that appear anywhere in a text with letters for suits, in notation."""
    return {("T" if rank == "10" else rank) + suit for rank, suit in IN_ASCII.findall(RENSHO.sub("", screen))}


def names(cards: Iterable[int]) -> set[str]:
    """Cards in notation."""
    return {NAMES[card] for card in cards}


class Secrets(NamedTuple):
    """The secret cards at one point of a match."""

    to_act: int | None
    hands: list[set[str]]
    """Each seat's cards."""
    hidden: list[set[str]]
    """Those that have not been shown to all since they were dealt. A card of which the pack has two counts as shown as
    soon as one of them was."""
    before: set[str]
    """Those that were shown to all in the deal before this one, of which the end may still be told."""


def secrets_of(lines: Iterable[bytes]) -> Secrets:
    """The secret cards after the last action of a record."""
    _, game, plies = record.read(lines)
    shown: Counter[int] = Counter()
    before: Counter[int] = Counter()
    last = None
    for ply in plies:
        if last is not None and ply.action is not None:
            events: list[Event] = []
            game.apply(last.state, ply.action, events.append)
            if ply.by == 0:
                before, shown = shown, Counter()
            for event in events:
                if event.audience is None:
                    shown.update(cards_named(event.args))
        last = ply
    assert last is not None
    hands = [{NAMES[card] for card in hand} for hand in game.hands(last.state)]
    hidden = [{NAMES[card] for card in hand if not shown[card]} for hand in game.hands(last.state)]
    return Secrets(game.to_act(last.state), hands, hidden, {NAMES[card] for card in before})


assert cards_on("10♠ │K♥│") == {"TS", "KH"}
assert len(RANKS) == 13
