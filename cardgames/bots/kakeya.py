"""Computers that play Kakeya Trump: rules of thumb, and deals guessed and played out by them."""

from collections.abc import Sequence
from math import inf
from random import Random

from cardgames.bots.kakeya_play import (
    PICTURES,
    PLACES,
    SUIT_OF,
    SUITS,
    TRUMPS,
    Trumps,
    Weighed,
    follow,
    lead,
    play_out,
    trumps,
)
from cardgames.bots.kakeya_solver import Ending
from cardgames.bots.monte_carlo import ROUNDS, try_each
from cardgames.bots.thinking import Budget, Rating, Thinker
from cardgames.engine.cards import SUIT_SETS, card_set
from cardgames.engine.game import Action, Reason
from cardgames.engine.hand_guesser import HandGuesser, Place
from cardgames.engine.kakeya import ALL, LEAD, PLAY, Kakeya, KakeyaObservation
from cardgames.engine.tricks import Trick

UNIT = "points"

WORK = {"easy": 40, "fair": 400, "strong": 2500}
"""Deals played out a choice."""

STEPS = (1, 1, 1, 3, 10, 50)
"""By the number of cards in hand, about how much longer it takes to solve a guess than to play it out."""

SOLVED = len(STEPS) - 1
"""With so many cards in hand or fewer guesses are solved by the strongest."""

WHOLE: Weighed = (1 << 52) - 1


def by_rule(observation: KakeyaObservation, rng: Random) -> Action:
    """Lead what nobody beats, put pictures on a partner's trick, win pictures cheaply, and keep rensho for many."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if "claim" in kinds:
        return kinds["claim"]  # every way to go on comes to the same
    kind = trumps(o.trump)
    hand = kind.weigh(o.hand)
    if o.phase == LEAD:
        strong = hand & kind.rensho or (hand & PICTURES).bit_count() + (hand & TRUMPS).bit_count() >= 7
        return kinds["lead" if strong else "partner"]
    if o.phase != PLAY:
        return o.legal[0]
    return card_action(o, kind.card(card_to_play(o, kind, hand)))


def card_action(o: KakeyaObservation, card: int) -> Action:
    """The action that plays this card."""
    return next(action for action in o.legal if action.cards == (card,))


def card_to_play(o: KakeyaObservation, kind: Trumps, hand: Weighed) -> Weighed:
    """The card that the rule plays."""
    out = _held_by_others(o, kind, hand)
    if not o.trick:
        return lead(hand, out, kind.rensho)
    table = [kind.weigh((card,)) for card in o.trick.cards]
    ours = o.trick.winner == o.partner
    last = len(table) == PLACES - 1
    return follow(hand, SUIT_OF[table[0]], _best_laid(o.trick, kind), ours, last, sum(table), out, kind)


def _held_by_others(o: KakeyaObservation, kind: Trumps, hand: Weighed) -> Weighed:
    """The cards that are neither in this hand nor played."""
    return WHOLE & ~hand & ~kind.weigh([card for card in range(52) if o.played >> card & 1])


def _best_laid(trick: Trick, kind: Trumps) -> Weighed:
    """The card that wins a trick as it lies there."""
    return kind.weigh((trick.cards[trick.players.index(trick.winner)],))


def _all_known(o: KakeyaObservation) -> bool:
    """Whether the cards of the others can lie in one way only."""
    unseen = ALL & ~o.played & ~card_set(o.hand)
    places = [
        Place(o.counts[player - 1], unseen & ~sum([SUIT_SETS[suit] for suit in o.lacks[player - 1]]))
        for player in o.chairs
        if player != o.seat and player not in o.resting
    ]
    return HandGuesser(unseen, places).ways == 1


def senseless(o: KakeyaObservation) -> list[Action]:
    """The cards that a partner would shake the head at, where there are others.

    To lead rensho while others hold trumps. On a trick that the partner is sure of: to throw a trump or rensho away, to
    take it with a card that is no picture, or to give it none although one is to spare that others of its suit beat. On
    a trick of the others that this hand cannot win: a picture. And, when all others have played, rensho for a trick
    without a picture.
    """
    if o.phase != PLAY:
        return []
    kind = trumps(o.trump)
    hand = kind.weigh(o.hand)
    plays = [(action, kind.weigh(action.cards)) for action in o.legal if action.kind == "play"]
    may = sum([card for _, card in plays])
    out = _held_by_others(o, kind, hand)
    bad = _senseless_to_follow(o.trick, o.partner, may, out, kind) if o.trick else kind.rensho if out & TRUMPS else 0
    return [action for action, card in plays if card & bad] if may & ~bad else []


def _senseless_to_follow(trick: Trick, partner: int | None, may: Weighed, out: Weighed, kind: Trumps) -> Weighed:
    """Of the cards that may be played to a trick, those that are senseless; ``out`` are the cards of others."""
    table = [kind.weigh((card,)) for card in trick.cards]
    led = SUIT_OF[table[0]]
    above = kind.beats[_best_laid(trick, kind)]
    last = len(table) == PLACES - 1
    if trick.winner == partner:
        if not last and out & above:
            return 0
        lowest = [mine & -mine for suit in SUITS[:3] if (mine := may & suit & PICTURES & ~above)]
        spare = any(card < out & SUIT_OF[card] for card in lowest)
        return may & (kind.rensho | (above & ~PICTURES if may & led else TRUMPS) | (~PICTURES if spare else 0))
    if not may & above:
        return may & PICTURES
    return may & kind.rensho if last and not sum(table) & PICTURES else 0


def naive(observation: KakeyaObservation, rng: Random) -> Action:
    """As somebody who has just learnt it: the highest card where it wins, else the lowest."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if o.phase != PLAY or "claim" in kinds:
        return kinds.get("claim") or kinds.get("lead") or o.legal[0]
    kind = trumps(o.trump)
    cards = sorted([kind.weigh(action.cards) for action in o.legal])
    if not o.trick:
        return card_action(o, kind.card(cards[-1]))
    winning = [card for card in cards if kind.beats[_best_laid(o.trick, kind)] & card]
    return card_action(o, kind.card(winning[-1] if winning else cards[0]))


class Guesser:
    """Plays by guessing the other hands and playing each of them out.

    Towards the end of the deal guesses are solved as well, and count by the mean of both: others will not play as if
    they saw all hands, but neither always by the rule.
    """

    def __init__(self, game: Kakeya, solves: int) -> None:
        """``solves``: with how many cards in hand, or fewer, guesses are solved."""
        self._game = game
        self._solves = solves

    def choose(self, observation: KakeyaObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        if observation.phase not in (PLAY, LEAD) or observation.legal[-1].kind == "claim":
            return by_rule(observation, rng)
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: KakeyaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`. Before the deal all suits of trumps are alike."""
        o = observation
        if o.phase not in (PLAY, LEAD):
            return tuple([Rating(action, 0.0, inf, same_as=o.legal[0]) for action in o.legal])
        kind = trumps(o.trump)
        active = [player for player in o.chairs if player not in o.resting]
        me = active.index(o.seat)
        order = active[me:] + active[:me]
        pair = next(place for place, pair in enumerate(o.pairs) if o.seat in pair)
        ours = kind.weigh(o.pictures[pair])
        theirs = kind.weigh([card for place, cards in enumerate(o.pictures) if place != pair for card in cards])
        laid = [kind.weigh((card,)) for card in o.trick.cards] if o.trick else []
        if o.legal[-1].kind == "claim":  # K12: however the other pictures fall, the payment is the same
            settled = kind.paid(PICTURES & ~theirs)
            return tuple([Rating(action, settled, 0.0, True) for action in (o.legal[-1], *o.legal[:-1])])
        sample, hands = self._game.sampler(o), self._game.hands

        def guess(rng: Random) -> list[Weighed]:
            found = hands(sample(rng))
            return [kind.weigh(found[player - 1]) for player in order]

        def attempt(guessed: list[Weighed], action: Action, rng: Random) -> float:
            if action.kind == "lead":
                return play_out(guessed, kind, 0, (), ours, theirs)
            if action.kind == "partner":
                return play_out(guessed, kind, 2, (), ours, theirs)
            return self._played(guessed, kind, kind.weigh(action.cards), laid, ours, theirs)

        def guess_end(rng: Random) -> tuple[list[Weighed], Ending]:
            guessed = guess(rng)
            return guessed, Ending(guessed, kind)

        def attempt_end(guessed: tuple[list[Weighed], Ending], action: Action, rng: Random) -> float:
            hands, ending = guessed
            return (ending.worth_after(kind.weigh(action.cards), laid, ours) + attempt(hands, action, rng)) / 2

        usual, odd = by_rule(o, rng), senseless(o)
        steps = STEPS[len(o.hand)] if len(o.hand) <= self._solves else 0
        if not steps or not budget.allows(ROUNDS * steps * len(o.legal)):
            return try_each(o.legal, usual, guess, attempt, rng, budget, 2.0, odd=odd)
        if _all_known(o):
            ending = Ending(guess(rng), kind)
            worth = {action: ending.worth_after(kind.weigh(action.cards), laid, ours) for action in o.legal}
            best_first = sorted(o.legal, key=lambda action: (-worth[action], action in odd, action != usual))
            return tuple([Rating(action, worth[action], 0.0, True) for action in best_first])
        return try_each(o.legal, usual, guess_end, attempt_end, rng, budget, 2.0, odd=odd, steps=steps)

    @staticmethod
    def _played(
        guessed: list[Weighed], kind: Trumps, card: Weighed, laid: list[Weighed], ours: Weighed, theirs: Weighed
    ) -> float:
        """The outcome of playing this card."""
        trick = [*laid, card]
        hands = [guessed[0] ^ card, *guessed[1:]]
        if len(trick) < 4:
            return play_out(hands, kind, 1, trick, ours, theirs)
        best = 0
        for place in range(1, 4):
            if kind.beats[trick[best]] & trick[place]:
                best = place
        won = sum(trick) & PICTURES
        winner = (best + 1) % 4  # this seat, place 0, has played last
        if winner % 2:
            theirs |= won
        else:
            ours |= won
        return play_out(hands, kind, winner, (), ours, theirs)


def thinker(level: str, game: Kakeya) -> Thinker:
    """How a level plays: ``easy`` guesses a few deals, ``fair`` some, ``strong`` many, whose ends it solves."""
    return Guesser(game, SOLVED if level == "strong" else 0)


def reasons(observation: KakeyaObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action that is rated first; see :func:`cardgames.bots.reasons`."""
    o, action = observation, ratings[0].action
    if action.kind == "claim":
        return (Reason("hint.settled"),)
    if action.kind == "trump":
        return (Reason("hint.not_dealt"),)
    if action.kind != "play":
        return ()
    kind = trumps(o.trump)
    card, hand = kind.weigh(action.cards), kind.weigh(o.hand)
    out = _held_by_others(o, kind, hand)
    higher = out & kind.beats[card] & (SUIT_OF[card] | kind.rensho)
    highest = out & SUIT_OF[card] and not higher  # to be the only one left of its suit says nothing for a card
    highest_left = (Reason("hint.highest_left", {"card": action.cards[0]}),) if highest else ()
    if not o.trick:
        return highest_left
    table = [kind.weigh((other,)) for other in o.trick.cards]
    last = len(table) == PLACES - 1
    above = kind.beats[_best_laid(o.trick, kind)]
    wins = card & above
    if o.trick.winner == o.partner and card & PICTURES and not wins:
        key = "hint.partner_wins" if last else "hint.partner_ahead"
        return (Reason(key, {"seat": o.trick.winner, "card": action.cards[0]}),)
    may = kind.weigh([other.cards[0] for other in o.legal if other.cards])
    if o.trick.winner != o.partner and may & PICTURES and not (card & PICTURES or wins):
        return (Reason("hint.no_picture_lost", {"seat": o.trick.winner}),)
    if o.trick.winner == o.partner and not (may & PICTURES or wins):
        return (Reason("hint.nothing_to_add", {"seat": o.trick.winner}),)
    if not may & above:
        return () if card & PICTURES or o.trick.winner == o.partner else (Reason("hint.cannot_win"),)
    if not wins or not last:
        return highest_left if wins else ()
    if pictures := (sum(table) | card) & PICTURES:
        return (Reason("hint.takes_pictures", {"count": pictures.bit_count()}),)
    lower = may & above & ~kind.rensho & (card - 1)
    return () if lower or card == kind.rensho else (Reason("hint.lowest_to_win", {"card": action.cards[0]}),)
