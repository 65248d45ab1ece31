"""The sampling of Fipsen's hidden cards: hands, skat, undealt cards and declarer's discards."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import accumulate, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardgames.engine.cards import SUIT_SETS, CardSet, card_set
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


def card_sampler(observation: "FipsenObservation", pack: CardSet) -> Callable[[Random], tuple[Hands, AsideCards]]:
    """Return a function that samples hands and :class:`AsideCards`, uniformly among all that fit ``observation``.

    The cards that another seat has taken up can be among that seat's played cards, hand and discards. Each way to
    divide them has its own :class:`HandGuesser`, chosen in proportion to its number of arrangements."""
    seats, declarer = len(observation.counts), observation.declarer
    skat, unused, taken, laid = range(seats + 1, seats + 5)  # the places besides hands
    undealt = pack.bit_count() - TRICKS * seats
    taken_count = undealt - observation.skat - observation.unused if declarer else 0
    # Another seat that has taken up cards, hidden from the observer
    hidden_declarer = declarer if taken_count and declarer != observation.seat else None
    others = [seat for seat in range(1, seats + 1) if seat not in (observation.seat, hidden_declarer)]
    known = _known_cards(observation, hidden_declarer)
    unknown = pack & ~sum(known[: seats + 1]) & ~known[laid]
    played = card_set([card for _, card in observation.plays])
    unseen = unknown & ~played
    shown = card_set(observation.shown) if hidden_declarer else 0

    # For each guessed place the entries of ``known`` to which its cards are added
    targets: list[tuple[int, ...]] = [(skat,), (unused,), *[(seat,) for seat in others]]
    places = _undivided_places(observation, others, unseen & ~shown)
    divisions: Iterable[list[HiddenPlace]] = [[]]
    if hidden_declarer:  # the dealt and the taken-up cards, both played and in hand, then those laid away
        targets += [(hidden_declarer,), (hidden_declarer, taken)] * 2 + [(laid,), (laid, taken)]
        divisions = _divisions(observation, hidden_declarer, taken_count, unseen, shown)
    guessers = []
    for division in divisions:
        with suppress(ValueError):  # the cards do not fit this division
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


def _known_cards(observation: "FipsenObservation", hidden_declarer: int | None) -> list[CardSet]:
    """The known cards of each seat from seat 0 on, then those of each field of :class:`AsideCards`.

    Played cards count too, but not of ``hidden_declarer``: the observer does not know which of them were dealt."""
    hands = [0] * (len(observation.counts) + 1)
    hands[observation.seat] = card_set(observation.hand)
    for seat, card in observation.plays:
        if seat != hidden_declarer:
            hands[seat] |= 1 << card
    return [*hands, *AsideCards(taken=card_set(observation.own_taken), laid=card_set(observation.own_laid))]


def _undivided_places(observation: "FipsenObservation", seats: Iterable[int], free: CardSet) -> list[HiddenPlace]:
    """The places for the skat, the undealt cards and the hands of ``seats``. Only cards of ``free`` fit into them."""
    places = [HiddenPlace(observation.skat, free), HiddenPlace(observation.unused, free)]
    for seat in seats:
        fits = free & ~_lacking(observation, seat) & ~(COURT if seat in observation.courtless else 0)
        places.append(HiddenPlace(observation.counts[seat - 1], fits))
    return places


def _divisions(
    observation: "FipsenObservation", declarer: int, taken_count: int, unseen: CardSet, shown: CardSet
) -> Iterator[list[HiddenPlace]]:
    """Yield all ways to divide ``taken_count`` taken-up cards among declarer's played cards, hand and discards.

    A division is a list of six places: two for the played cards, two for the hand and two for the discards. The first
    of each two is for dealt cards, the second for taken-up cards. ``shown`` is the dealt hand of a kieker if the
    observing seat saw it, else 0. With three players the dealt hand of a kieker is laid away (F12)."""
    contract = observation.contract
    hand_laid_away = contract is not None and contract.kieker and len(observation.counts) == 3
    dealt = shown or (~COURT if declarer in observation.courtless else ~0)
    played = card_set([card for seat, card in observation.plays if seat == declarer])
    held = unseen & ~_lacking(observation, declarer)
    dealt_sets = (0, 0, unseen & dealt) if hand_laid_away else (played & dealt, held & dealt, unseen & dealt)
    taken_sets = (played & ~shown, held & ~shown, unseen & ~shown)
    sizes = (played.bit_count(), observation.counts[declarer - 1], observation.laid)
    for taken_counts in product(*[range(size + 1) for size in sizes]):
        if sum(taken_counts) == taken_count:
            division = []
            for size, count, dealt_set, taken_set in zip(sizes, taken_counts, dealt_sets, taken_sets, strict=True):
                division += [HiddenPlace(size - count, dealt_set), HiddenPlace(count, taken_set)]
            yield division


def _lacking(observation: "FipsenObservation", seat: int) -> CardSet:
    """All cards of the suits that a seat has shown to lack (F9)."""
    return sum([SUIT_SETS[suit] for suit in observation.lacks[seat - 1]])
