"""The possible places of Fipsen's hidden cards for a seat: hands, skat, rest, and declarer's discards."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgames.engine.cards import BIT, SUIT_SETS, Card, CardSet, card_set
from cardgames.engine.fipsen_bids import COURT, TRICKS
from cardgames.engine.hand_guesser import HandGuesser, HiddenPlace

if TYPE_CHECKING:
    from cardgames.engine.fipsen import FipsenObservation

Hands: TypeAlias = tuple[CardSet, ...]
"""Hands by seat; seat 0 has none."""


class Aside(NamedTuple):
    """The cards outside of hands."""

    skat: CardSet = 0
    """The skat while it lies on the table."""
    unused: CardSet = 0
    """The undealt rest of the pack while it is on the table."""
    taken: CardSet = 0
    """The cards that declarer has taken up, wherever they are now."""
    laid: CardSet = 0
    """The cards that declarer has laid away: discards, and with three players the hand of a kieker."""


def card_sampler(o: "FipsenObservation", pack: CardSet) -> Callable[[Random], tuple[Hands, Aside]]:
    """A function that samples hands and the cards aside: uniformly among all that fit ``o``.

    If declarer is somebody else, some of their cards were dealt, and may have been shown or be known to hold no K, Q
    or J, and some taken up. Each way to share these among cards played, held and laid away has its own guesser, and
    is as likely as its number of arrangements."""
    seats = len(o.counts)
    skat, unused, taken, laid = range(seats + 1, seats + 5)  # the places besides hands
    took = pack.bit_count() - TRICKS * seats - o.skat - o.unused if o.declarer else 0
    hidden = o.declarer if took and o.declarer != o.seat else None
    others = [seat for seat in range(1, seats + 1) if seat not in (o.seat, hidden)]
    played = card_set([card for _, card in _plays(o)])

    known = [0] * (seats + 5)
    known[o.seat], known[taken], known[laid] = card_set(o.hand), card_set(o.own_taken), card_set(o.own_laid)
    for seat, card in _plays(o):
        if seat != hidden:
            known[seat] |= BIT[card]
    unknown = pack & ~sum(known[: seats + 1]) & ~known[laid]
    unseen = unknown & ~played
    shown = card_set(o.shown) if hidden else 0
    free = unseen & ~shown

    # The places of known cards
    spots: list[tuple[int, ...]] = [(skat,), (unused,), *[(seat,) for seat in others]]
    places = [HiddenPlace(o.skat, free), HiddenPlace(o.unused, free)]
    for seat in others:
        court = COURT if seat in o.courtless else 0
        places.append(HiddenPlace(o.counts[seat - 1], free & ~court & ~_lacking(o, seat)))
    divisions: Iterable[list[HiddenPlace]] = [[]]
    if hidden:
        spots += [(hidden,), (hidden, taken), (hidden,), (hidden, taken), (laid,), (laid, taken)]
        divisions = _divisions(o, hidden, took, unseen, shown)
    guessers = []
    for division in divisions:
        with suppress(ValueError):  # no arrangement is possible
            guessers.append(HandGuesser(unknown, [*places, *division]))
    weights = list(accumulate([guesser.ways for guesser in guessers]))

    def draw(rng: Random) -> tuple[Hands, Aside]:
        guesser = guessers[0] if len(guessers) == 1 else rng.choices(guessers, cum_weights=weights)[0]
        found = known.copy()
        for spot, cards in zip(spots, guesser.draw(rng), strict=True):
            for where in spot:
                found[where] |= cards
        return tuple([hand & ~played for hand in found[: seats + 1]]), Aside(*found[seats + 1 :])

    return draw


def _divisions(
    o: "FipsenObservation", declarer: int, took: int, unseen: CardSet, shown: CardSet
) -> Iterator[list[HiddenPlace]]:
    """All ways to share the cards taken up among declarer's played cards, hand and discards.

    Each of these three places is split into dealt and taken-up cards. With three players a kieker lays the whole
    dealt hand away (F12)."""
    replaced = o.contract is not None and o.contract.kieker and len(o.counts) == 3
    dealt = shown or (~COURT if declarer in o.courtless else ~0)
    played = card_set([card for seat, card in _plays(o) if seat == declarer])
    held = unseen & ~_lacking(o, declarer)
    rooms = (played.bit_count(), o.counts[declarer - 1], o.laid)
    for taken in product(*[range(room + 1) for room in rooms]):
        if sum(taken) == took:
            yield [
                HiddenPlace(rooms[0] - taken[0], 0 if replaced else played & dealt),
                HiddenPlace(taken[0], played & ~shown),
                HiddenPlace(rooms[1] - taken[1], 0 if replaced else held & dealt),
                HiddenPlace(taken[1], held & ~shown),
                HiddenPlace(rooms[2] - taken[2], unseen & dealt),
                HiddenPlace(taken[2], unseen & ~shown),
            ]


def _plays(o: "FipsenObservation") -> list[tuple[int, Card]]:
    """The cards played in this deal, with their seats."""
    return [*[play for trick in o.tricks for play in trick.plays], *o.trick]


def _lacking(o: "FipsenObservation", seat: int) -> CardSet:
    """The suits that a seat has shown to lack (F9)."""
    return sum([SUIT_SETS[suit] for suit in o.lacks[seat - 1]])
