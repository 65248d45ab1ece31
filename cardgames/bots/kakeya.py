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
    trumps_of,
)
from cardgames.bots.kakeya_solver import Ending
from cardgames.bots.monte_carlo import ROUNDS, Race
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

DOUBT = 2.0
"""The spread of what a deal pays, in chips, as far as it is known before any is played out."""

WHOLE: Weighed = (1 << 52) - 1
"""All 52 cards."""


def by_rule(observation: KakeyaObservation, rng: Random) -> Action:
    """Lead what nobody beats, put pictures on a partner's trick, win pictures cheaply, and keep rensho for many."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if "claim" in kinds:
        return kinds["claim"]  # every way to go on comes to the same
    trumps = trumps_of(o.trump)
    hand = trumps.weigh(o.hand)
    if o.phase == LEAD:
        strong = hand & trumps.rensho or (hand & PICTURES).bit_count() + (hand & TRUMPS).bit_count() >= 7
        return kinds["lead" if strong else "partner"]
    if o.phase != PLAY:
        return o.legal[0]
    return card_action(o, trumps.card(card_to_play(o, trumps, hand)))


def card_action(o: KakeyaObservation, card: int) -> Action:
    """The action that plays this card."""
    return next(action for action in o.legal if action.cards == (card,))


def card_to_play(o: KakeyaObservation, trumps: Trumps, hand: Weighed) -> Weighed:
    """The card that the rule plays."""
    out = _held_by_others(o, trumps, hand)
    if not o.trick:
        return lead(hand, out, trumps.rensho)
    table = [trumps.weigh((card,)) for card in o.trick.cards]
    ours = o.trick.winner == o.partner
    last = len(table) == PLACES - 1
    return follow(hand, SUIT_OF[table[0]], _best_laid(o.trick, trumps), ours, last, sum(table), out, trumps)


def _held_by_others(o: KakeyaObservation, trumps: Trumps, hand: Weighed) -> Weighed:
    """The cards that are neither in this hand nor played."""
    return WHOLE & ~hand & ~trumps.weigh([card for card in range(52) if o.played >> card & 1])


def _best_laid(trick: Trick, trumps: Trumps) -> Weighed:
    """The card that wins a trick as it lies there."""
    return trumps.weigh((trick.cards[trick.players.index(trick.winner)],))


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
    trumps = trumps_of(o.trump)
    hand = trumps.weigh(o.hand)
    plays = [(action, trumps.weigh(action.cards)) for action in o.legal if action.kind == "play"]
    may = sum([card for _, card in plays])
    out = _held_by_others(o, trumps, hand)
    if o.trick:
        bad = _senseless_to_follow(o.trick, o.partner, may, out, trumps)
    else:
        bad = trumps.rensho if out & TRUMPS else 0
    return [action for action, card in plays if card & bad] if may & ~bad else []


def _senseless_to_follow(trick: Trick, partner: int | None, may: Weighed, out: Weighed, trumps: Trumps) -> Weighed:
    """Of the cards that may be played to a trick, those that are senseless; ``out`` are the cards of others."""
    table = [trumps.weigh((card,)) for card in trick.cards]
    led = SUIT_OF[table[0]]
    above = trumps.beats[_best_laid(trick, trumps)]
    last = len(table) == PLACES - 1
    if trick.winner == partner:
        if not last and out & above:
            return 0
        lowest = [mine & -mine for suit in SUITS[:3] if (mine := may & suit & PICTURES & ~above)]
        spare = any(card < out & SUIT_OF[card] for card in lowest)
        return may & (trumps.rensho | (above & ~PICTURES if may & led else TRUMPS) | (~PICTURES if spare else 0))
    if not may & above:
        return may & PICTURES
    return may & trumps.rensho if last and not sum(table) & PICTURES else 0


def naive(observation: KakeyaObservation, rng: Random) -> Action:
    """As somebody who has just learnt it: the highest card where it wins, else the lowest."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if o.phase != PLAY or "claim" in kinds:
        return kinds.get("claim") or kinds.get("lead") or o.legal[0]
    trumps = trumps_of(o.trump)
    cards = sorted([trumps.weigh(action.cards) for action in o.legal])
    if not o.trick:
        return card_action(o, trumps.card(cards[-1]))
    winning = [card for card in cards if trumps.beats[_best_laid(o.trick, trumps)] & card]
    return card_action(o, trumps.card(winning[-1] if winning else cards[0]))


class Guesses:
    """The hands that the others may hold, and the chips that an action brings against them.

    Hands are those of the four places, this seat's first.
    """

    def __init__(self, game: Kakeya, o: KakeyaObservation) -> None:
        self.trumps = trumps_of(o.trump)
        weigh = self.trumps.weigh
        active = [player for player in o.chairs if player not in o.resting]
        me = active.index(o.seat)
        self._order = active[me:] + active[:me]
        pair = next(place for place, pair in enumerate(o.pairs) if o.seat in pair)
        self._ours = weigh(o.pictures[pair])
        self._theirs = weigh([card for place, cards in enumerate(o.pictures) if place != pair for card in cards])
        self._laid = [weigh((card,)) for card in o.trick.cards] if o.trick else []
        self._sample, self._hands = game.sampler(o), game.hands

    def draw(self, rng: Random) -> list[Weighed]:
        """Hands that fit what this seat knows."""
        found = self._hands(self._sample(rng))
        return [self.trumps.weigh(found[player - 1]) for player in self._order]

    def played_out(self, hands: Sequence[Weighed], action: Action, rng: Random) -> float:
        """The chips with an action if everybody plays on by rule."""
        if action.kind == "play":
            return self._after(hands, self.trumps.weigh(action.cards))
        leader = 0 if action.kind == "lead" else 2
        return play_out(hands, self.trumps, leader, (), self._ours, self._theirs)

    def _after(self, hands: Sequence[Weighed], card: Weighed) -> int:
        """The chips once this seat has played a card."""
        trumps, ours, theirs = self.trumps, self._ours, self._theirs
        trick = [*self._laid, card]
        hands = [hands[0] ^ card, *hands[1:]]
        if len(trick) < PLACES:
            return play_out(hands, trumps, 1, trick, ours, theirs)
        best = 0
        for place in range(1, PLACES):
            if trumps.beats[trick[best]] & trick[place]:
                best = place
        won = sum(trick) & PICTURES
        winner = (best + 1) % PLACES  # this seat, place 0, has played last
        if winner % 2:
            theirs |= won
        else:
            ours |= won
        return play_out(hands, trumps, winner, (), ours, theirs)

    def draw_ending(self, rng: Random) -> tuple[list[Weighed], Ending]:
        """Hands that fit, to be solved as well."""
        hands = self.draw(rng)
        return hands, Ending(hands, self.trumps)

    def solved(self, ending: Ending, action: Action) -> int:
        """The chips with a card if everybody plays their best."""
        return ending.worth_after(self.trumps.weigh(action.cards), self._laid, self._ours)

    def solved_and_played_out(self, guess: tuple[list[Weighed], Ending], action: Action, rng: Random) -> float:
        """The mean of both."""
        hands, ending = guess
        return (self.solved(ending, action) + self.played_out(hands, action, rng)) / 2

    def settled(self) -> int:
        """K12: the chips of a deal that may be claimed: however the other pictures fall, the payment is the same."""
        return self.trumps.paid(PICTURES & ~self._theirs)


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
        guesses = Guesses(self._game, o)
        if o.legal[-1].kind == "claim":
            return tuple([Rating(action, guesses.settled(), 0.0, True) for action in (o.legal[-1], *o.legal[:-1])])
        usual, odd = by_rule(o, rng), senseless(o)
        steps = STEPS[len(o.hand)] if len(o.hand) <= self._solves else 0
        if not steps or not budget.allows(ROUNDS * steps * len(o.legal)):
            return Race(o.legal, usual, guesses.draw, guesses.played_out, DOUBT, odd=odd).run(rng, budget)
        if _all_known(o):
            _, ending = guesses.draw_ending(rng)
            worth = {action: guesses.solved(ending, action) for action in o.legal}
            best_first = sorted(o.legal, key=lambda action: (-worth[action], action in odd, action != usual))
            return tuple([Rating(action, worth[action], 0.0, True) for action in best_first])
        race = Race(o.legal, usual, guesses.draw_ending, guesses.solved_and_played_out, DOUBT, odd=odd, steps=steps)
        return race.run(rng, budget)


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
    trumps = trumps_of(o.trump)
    card, hand = trumps.weigh(action.cards), trumps.weigh(o.hand)
    out = _held_by_others(o, trumps, hand)
    higher = out & trumps.beats[card] & (SUIT_OF[card] | trumps.rensho)
    highest = out & SUIT_OF[card] and not higher  # to be the only one left of its suit says nothing for a card
    highest_left = (Reason("hint.highest_left", {"card": action.cards[0]}),) if highest else ()
    if not o.trick:
        return highest_left
    table = [trumps.weigh((other,)) for other in o.trick.cards]
    last = len(table) == PLACES - 1
    above = trumps.beats[_best_laid(o.trick, trumps)]
    wins = card & above
    if o.trick.winner == o.partner and card & PICTURES and not wins:
        key = "hint.partner_wins" if last else "hint.partner_ahead"
        return (Reason(key, {"seat": o.trick.winner, "card": action.cards[0]}),)
    may = trumps.weigh([other.cards[0] for other in o.legal if other.cards])
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
    lower = may & above & ~trumps.rensho & (card - 1)
    return () if lower or card == trumps.rensho else (Reason("hint.lowest_to_win", {"card": action.cards[0]}),)
