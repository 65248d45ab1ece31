"""The sampling of Fipsen's hidden cards: hands, skat, undealt cards and declarer's discards."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgames.engine.cards import SUIT_SETS, Card, CardSet, card_set
from cardgames.engine.fipsen_bids import COURT, TRICKS
from cardgames.engine.hidden import HandGuesser, HiddenPlace

if TYPE_CHECKING:
    from cardgames.engine.fipsen import FipsenObservation

Hands: TypeAlias = tuple[CardSet, ...]
"""The cards in the hand of each seat, by seat; seat 0 has none."""


class AsideCards(NamedTuple):
    """The undealt cards, and the cards that declarer has taken up or laid away."""

    skat: CardSet = 0
    """The skat, until somebody takes it up."""
    unused: CardSet = 0
    """The undealt cards of the pack, until somebody takes them up."""
    taken: CardSet = 0
    """The cards that declarer has taken up, including those already played or laid away."""
    laid: CardSet = 0
    """The cards that declarer has laid away: discards, and with three players the dealt hand of a kieker."""


def card_sampler(o: "FipsenObservation", pack: CardSet) -> Callable[[Random], tuple[Hands, AsideCards]]:
    """Return a function that samples hands and set-aside cards, uniformly among all that fit the observation ``o``.

    If another seat is declarer, it has dealt cards and taken-up cards. Each division of the taken-up cards among its
    played cards, hand and discards has a guesser, and is chosen in proportion to its number of arrangements."""
    seats = len(o.counts)
    skat, unused, taken, laid = range(seats + 1, seats + 5)  # the places besides hands
    taken_count = pack.bit_count() - TRICKS * seats - o.skat - o.unused if o.declarer else 0
    hidden_declarer = o.declarer if taken_count and o.declarer != o.seat else None
    others = [seat for seat in range(1, seats + 1) if seat not in (o.seat, hidden_declarer)]
    played = card_set([card for _, card in _plays(o)])

    known = [0] * (seats + 5)
    known[o.seat], known[taken], known[laid] = card_set(o.hand), card_set(o.own_taken), card_set(o.own_laid)
    for seat, card in _plays(o):
        if seat != hidden_declarer:
            known[seat] |= 1 << card
    unknown = pack & ~sum(known[: seats + 1]) & ~known[laid]
    unseen = unknown & ~played
    shown = card_set(o.shown) if hidden_declarer else 0
    free = unseen & ~shown

    # For each guessed place the entries of ``known`` to which its cards are added
    targets: list[tuple[int, ...]] = [(skat,), (unused,), *[(seat,) for seat in others]]
    places = [HiddenPlace(o.skat, free), HiddenPlace(o.unused, free)]
    for seat in others:
        court = COURT if seat in o.courtless else 0
        places.append(HiddenPlace(o.counts[seat - 1], free & ~court & ~_lacking(o, seat)))
    divisions: Iterable[list[HiddenPlace]] = [[]]
    if hidden_declarer:
        targets += [(hidden_declarer,), (hidden_declarer, taken)] * 2 + [(laid,), (laid, taken)]
        divisions = _divisions(o, hidden_declarer, taken_count, unseen, shown)
    guessers = []
    for division in divisions:
        with suppress(ValueError):  # no arrangement is possible
            guessers.append(HandGuesser(unknown, [*places, *division]))
    weights = list(accumulate([guesser.ways for guesser in guessers]))

    def draw(rng: Random) -> tuple[Hands, AsideCards]:
        guesser = guessers[0] if len(guessers) == 1 else rng.choices(guessers, cum_weights=weights)[0]
        sets = known.copy()
        for indices, cards in zip(targets, guesser.draw(rng), strict=True):
            for index in indices:
                sets[index] |= cards
        return tuple([hand & ~played for hand in sets[: seats + 1]]), AsideCards(*sets[seats + 1 :])

    return draw


def _divisions(
    o: "FipsenObservation", declarer: int, taken_count: int, unseen: CardSet, shown: CardSet
) -> Iterator[list[HiddenPlace]]:
    """All ways to divide ``taken_count`` taken-up cards among declarer's played cards, hand and discards.

    A division has six places: the dealt and the taken-up cards among each of the three. ``shown`` is a kieker's dealt
    hand, if the observing seat saw it. With three players a kieker's dealt hand is laid away (F12)."""
    hand_laid_away = o.contract is not None and o.contract.kieker and len(o.counts) == 3
    dealt = shown or (~COURT if declarer in o.courtless else ~0)
    played = card_set([card for seat, card in _plays(o) if seat == declarer])
    held = unseen & ~_lacking(o, declarer)
    sizes = (played.bit_count(), o.counts[declarer - 1], o.laid)
    for taken in product(*[range(size + 1) for size in sizes]):
        if sum(taken) == taken_count:
            yield [
                HiddenPlace(sizes[0] - taken[0], 0 if hand_laid_away else played & dealt),
                HiddenPlace(taken[0], played & ~shown),
                HiddenPlace(sizes[1] - taken[1], 0 if hand_laid_away else held & dealt),
                HiddenPlace(taken[1], held & ~shown),
                HiddenPlace(sizes[2] - taken[2], unseen & dealt),
                HiddenPlace(taken[2], unseen & ~shown),
            ]


def _plays(o: "FipsenObservation") -> list[tuple[int, Card]]:
    """The cards played in this deal, in order, as pairs of seat and card."""
    return [*[play for trick in o.tricks for play in trick.plays], *o.trick]


def _lacking(o: "FipsenObservation", seat: int) -> CardSet:
    """All cards of the suits that a seat has shown to lack (F9)."""
    return sum([SUIT_SETS[suit] for suit in o.lacks[seat - 1]])
