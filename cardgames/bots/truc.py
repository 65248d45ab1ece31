"""Computers for Truc: ``easy`` plays by the odds of its cards, ``fair`` by sampling, ``strong`` by an equilibrium."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from cardgames.bots.kernel_race import KernelPosition
from cardgames.bots.monte_carlo import Race
from cardgames.bots.thinking import Budget, ByRule, Rater, Rating, Thinker
from cardgames.bots.truc_odds import NO_CARD, Position, TrucStanding, descending, odds, plain_odds, strength_of
from cardgames.engine.cards import cards_in
from cardgames.engine.game import Action, Message
from cardgames.engine.truc import ANSWER_EXCHANGE, ANSWER_REMAINDER, EXCHANGE, Truc, TrucObservation
from cardgames.engine.truc import HAND as HAND_SIZE
from cardgames.kernels import truc as kernel
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import Ints

UNIT = "win"

WORK = {"easy": 1, "fair": 8, "strong": 10_000}
"""The number of hands played out for a choice, by level.

For ``strong`` it is the number of opponent's hands considered, if the table of the equilibrium covers the match: in
matches of at most 12 points to a round."""


AGREE_BELOW = 0.45
"""The odds below which an exchange is agreed to."""


def by_rule(observation: TrucObservation, rng: Random) -> Action:
    """Double with good odds, sometimes with bad odds; exchange a poor hand; refuse when hopeless."""
    win_share = plain_odds(observation).win_share
    by_kind = {action.kind: action for action in observation.legal}
    accept_from = 0.42  # a proposer usually has the better hand
    if observation.proposal == "remainder":  # by the points that each player would still need after a refusal
        lack = observation.goal - TrucStanding.of(observation).mine
        their_lack = max(0, observation.goal - observation.points_if_refused)
        accept_from = max(0.2, 0.95 - lack / (lack + their_lack))
    if answer := _answer(observation, win_share, AGREE_BELOW, accept_from):
        return by_kind[answer]
    if "double" in by_kind and (win_share > 0.66 or (win_share < 0.2 and rng.random() < 0.08)):  # or a bluff
        return by_kind["double"]
    half_won = 2 * TrucStanding.of(observation).mine >= observation.goal
    if "remainder" in by_kind and win_share > (0.6 if half_won else 0.75):
        return by_kind["remainder"]
    return card_to_play(observation)


def naive(observation: TrucObservation, rng: Random) -> Action:
    """Play as a beginner: never bluff, win the first trick at any price, never lose the round by a refusal."""
    win_share = plain_odds(observation).win_share
    by_kind = {action.kind: action for action in observation.legal}
    if answer := _answer(observation, win_share, 0.5, 0.5):
        return by_kind[answer]
    for answer in ("double", "remainder"):
        if answer in by_kind and win_share > 0.75:
            return by_kind[answer]
    beats = strength_of(observation)(observation.hand[0]) >= Position.of(observation).led
    return observation.legal[0] if beats and len(observation.hand) == HAND_SIZE else card_to_play(observation)


def _answer(observation: TrucObservation, win_share: float, agree_below: float, accept_from: float) -> str:
    """The answer to a question about an exchange or a proposal, by the odds ``win_share``; empty without a question.

    An exchange is granted below ``agree_below``, a proposal accepted from ``accept_from`` or to save the round."""
    if observation.phase == EXCHANGE:
        return "exchange" if win_share < 0.5 else "play"
    if observation.phase == ANSWER_EXCHANGE:
        return "agree" if win_share < agree_below else "refuse"
    if not observation.proposal:
        return ""
    return "accept" if win_share >= accept_from or observation.won_if_refused != "nothing" else "refuse"


def card_to_play(observation: TrucObservation) -> Action:
    """The action of simple play: lead the strongest card; follow with the weakest that wins, else the weakest."""
    strength, position = strength_of(observation), Position.of(observation)
    wins = [card for card in position.mine if card > position.led]  # as ``mine``, the strongest first
    wanted = position.mine[0] if position.led == NO_CARD else (wins or position.mine)[-1]
    return next(action for action in observation.legal if action.cards and strength(action.cards[0]) == wanted)


class BettingStyle(NamedTuple):
    """The least odds for proposing and for accepting, and the probability of proposing with a hopeless hand."""

    proposes: float
    accepts: float
    bluffs: float


OWN_STYLE = BettingStyle(0.64, 0.38, 0.05)
"""The style in which a sampling player plays out its own seat."""


class StateSampler:
    """A sampler of kernel states that fit an observation; it also plays actions out in them."""

    def __init__(self, game: Truc, observation: TrucObservation, rng: Random) -> None:
        self._seat, self._start, self._known, self._moves = KernelPosition.of(game, observation, rng)
        self._strength, self._generator = strength_of(observation), seeded(rng)
        self._shown = [card for trick in observation.tricks for seat, card in trick.plays if seat != observation.seat]
        self._opponent_proposals = observation.doubled.count(3 - observation.seat) + (observation.proposal is not None)
        self._opponent_acceptances = observation.doubled.count(observation.seat)  # of this seat's doubles

    def draw(self, rng: Random) -> Ints:
        """Sample a state, preferring states in which the opponent's hand fits their proposals and answers."""
        while True:
            state = self._start.copy()
            kernel.guess(state, self._known, self._generator)
            if not (self._opponent_proposals or self._opponent_acceptances) or rng.random() < self._fit(state):
                return state

    def _fit(self, state: Ints) -> float:
        """The relative likelihood, at most 1, of the opponent's proposals and answers with the hand in ``state``."""
        held = cards_in(int(state[kernel.HAND + 3 - self._seat]))
        hand = descending(map(self._strength, (*held, *self._shown)))
        win_share = odds(Position(hand, HAND_SIZE, NO_CARD, False, ())).win_share
        # with poorer odds before the hand, each proposal or acceptance is less likely
        proposal_fit = 1.0 if win_share > 0.6 else 0.35 if win_share > 0.45 else 0.12
        answer_fit = 1.0 if win_share > 0.4 else 0.25
        return float(proposal_fit**self._opponent_proposals * answer_fit**self._opponent_acceptances)

    def win_probability(self, sampled: Ints, action: Action, rng: Random) -> float:
        """The probability of winning the match after an action in a ``sampled`` state, with the hand played out."""
        state = sampled.copy()
        opponent_style = BettingStyle(0.55 + 0.2 * rng.random(), 0.3 + 0.2 * rng.random(), 0.12 * rng.random())
        kernel.play(state, self._moves[action.text])
        while (seat := state[kernel.TO_ACT]) > 0:  # 0 is chance, -1 the end
            kernel.play(state, self._move(state, seat, OWN_STYLE if seat == self._seat else opponent_style, rng))
        return TrucStanding.in_state(state, self._seat).win_probability()

    def _move(self, state: Ints, seat: int, style: BettingStyle, rng: Random) -> int:
        """The move of a seat: a card by simple play (see ``truc_odds``), a proposal or an answer by ``style``."""
        phase = state[kernel.PHASE]
        if phase == kernel.EXCHANGE:
            return int(kernel.KEEP)  # nobody asks for an exchange here
        if phase != kernel.PLAY:
            win_share = odds(Position.in_state(state, seat, self._strength)).win_share
            if phase == kernel.ANSWER_EXCHANGE:
                return int(kernel.AGREE if win_share < AGREE_BELOW else kernel.REFUSE)
            if phase != kernel.TURN:
                return int(kernel.ACCEPT if win_share >= _least_to_accept(state, seat, style) else kernel.REFUSE)
            if win_share > style.proposes or (win_share < 0.25 and rng.random() < style.bluffs):
                return int(kernel.proposal(state))
        return int(kernel.by_rule(state))


def _least_to_accept(state: Ints, seat: int, style: BettingStyle) -> float:
    """The least odds for accepting a proposal. They are low if the round will hardly be won after a refusal."""
    standing = TrucStanding.in_state(state, seat)
    refused = standing.round_probability(int(state[kernel.STAKE]))
    if state[kernel.PHASE] == kernel.ANSWER_DOUBLE and refused:  # 0 if a refusal loses the round
        return style.accepts
    return refused + style.accepts - 0.4  # the mean of ``accepts``


@dataclass
class TrucGuesser(Rater):
    """A player that samples the opponent's hand and plays the deal out."""

    game: Truc
    caution: float
    """The lead over the rule's action, in standard errors, that another action needs to be chosen."""

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the probability of winning the match, the choice first; equally strong cards are tried once."""
        strength, sampler = strength_of(observation), StateSampler(self.game, observation, rng)
        firsts: dict[object, Action] = {}
        for action in observation.legal:
            firsts.setdefault(strength(action.cards[0]) if action.cards else action.text, action)
        # to refuse a proposal, unlike an exchange, ends the hand
        refusals = [action for action in observation.legal if action.kind == "refuse" and observation.proposal]
        actions, usual, worth = [*firsts.values()], by_rule(observation, rng), sampler.win_probability
        race = Race(actions, usual, sampler.draw, worth, doubt=0.15, caution=self.caution, sure=refusals)
        tried = race.run(rng, budget)
        rated = {rating.action: rating for rating in tried}
        for action in observation.legal:
            if action not in rated:
                same = firsts[strength(action.cards[0])]
                rated[action] = rated[same]._replace(action=action, same_as=same)
        result = [rated[action] for action in observation.legal]
        return tuple(sorted(result, key=lambda rating: (rating.action != tried[0].action, -rating.value)))


def thinker(level: str, game: Truc) -> Thinker:
    """The player of a level: ``easy`` bets by its odds; ``fair`` follows the rule unless a few sampled hands show a
    clearly better action; ``strong`` plays an equilibrium, or samples if no equilibrium is stored for the match."""
    if level == "strong":
        from cardgames.bots.truc_equilibrium_player import EquilibriumPlayer

        return EquilibriumPlayer(TrucGuesser(game, 1.0))
    return ByRule(naive) if level == "easy" else TrucGuesser(game, 2.0)


WEAK_KINDS = ("exchange", "agree", "refuse")
JUSTIFYING_ODDS = {
    **dict.fromkeys(("play", "double", "remainder", "refuse exchange"), range(50, 101)),
    **dict.fromkeys(WEAK_KINDS, range(50)),
    "accept": range(25, 101),
}
"""The odds, in percent, that justify each kind of action. Accepting a double pays from 25 percent on."""

BLUFF = 30
"""The greatest odds, in percent, at which a proposal is a bluff."""

THEMES = {
    "propose": ("odds", "bluff"),
    "exchange": ("no_exchange",),
    "answer": ("nothing_lost",),
    "keep": ("strongest", "keeps"),
    "enough": ("enough", "cannot_win"),
}


def reasons(observation: TrucObservation, ratings: Sequence[Rating]) -> tuple[Message, ...]:
    action = ratings[0].action
    if action.kind == "accept" and observation.won_if_refused != "nothing":
        return (Message("hint.nothing_lost"),)
    result = [*(_card_reasons(observation, ratings) if action.cards else _call_reasons(observation, action))]
    return tuple(result or _stake_reasons(observation, ratings))


def _call_reasons(observation: TrucObservation, action: Action) -> Iterator[Message]:
    """Yield the reasons for an exchange, a proposal or an answer."""
    kind, percent = action.kind, _percent(observation)
    if kind == "refuse" and observation.proposal is None:
        kind = "refuse exchange"  # which shows no weak hand
    if kind in ("double", "remainder") and percent <= BLUFF:
        yield Message("hint.bluff", {"percent": percent})
    elif percent in JUSTIFYING_ODDS[kind]:
        yield Message("hint.poor" if kind in WEAK_KINDS else "hint.odds", {"percent": percent})
    if kind in ("play", "refuse exchange"):
        yield Message("hint.no_exchange")


def _card_reasons(observation: TrucObservation, ratings: Sequence[Rating]) -> Iterator[Message]:
    """Yield the reason for playing a card, unless the card is the last of a hand."""
    strength, led, card = strength_of(observation), Position.of(observation).led, ratings[0].action.cards[0]
    if len(observation.hand) == 1:
        return
    best = max(observation.hand, key=strength)
    is_later_trick_certain = led == NO_CARD or len(observation.hand) == HAND_SIZE
    if led == NO_CARD and strength(card) == strength(best):
        yield Message("hint.strongest", {"card": card})
    elif strength(card) == led:
        yield Message("hint.spoils", {"card": card})
    elif led != NO_CARD and strength(card) == strength(card_to_play(observation).cards[0]):
        yield Message("hint.enough" if strength(card) > led else "hint.cannot_win", {"card": card})
    elif strength(card) < strength(best) and is_later_trick_certain:
        plays = [rating for rating in ratings if rating.action.cards]
        if ratings[0].better_than_some([each for each in plays if strength(each.action.cards[0]) == strength(best)]):
            yield Message("hint.keeps", {"card": best})


def _stake_reasons(observation: TrucObservation, ratings: Sequence[Rating]) -> Iterator[Message]:
    """Yield the reasons that concern the stake, for an action without other reasons."""
    best, by_kind = ratings[0], {rating.action.kind: rating for rating in ratings}
    kind, percent = best.action.kind, _percent(observation)
    if observation.phase == ANSWER_REMAINDER:
        standing = TrucStanding.of(observation)
        if_lost, if_won = standing.win_given_round(0.0), standing.win_given_round(1.0)
        values = [by_kind[each].value for each in ("accept", "refuse")]
        accepted, refused = [round(100 * (value - if_lost) / (if_won - if_lost)) for value in values]
        if (accepted > refused) == (kind == "accept") and accepted != refused:
            yield Message("hint.decides", {"percent": accepted, "less": refused})
    elif kind in ("double", "remainder") and best.better_than_some(ratings[1:]):
        yield Message("hint.presses", {"percent": percent})
    raises = [rating for kind, rating in by_kind.items() if kind in ("double", "remainder")]
    if best.action.cards and percent < min(JUSTIFYING_ODDS["double"]) and best.better_than_some(raises):
        yield Message("hint.no_raise", {"percent": percent})


def _percent(observation: TrucObservation) -> int:
    """The odds of winning the hand without raises, in percent."""
    return round(100 * plain_odds(observation).won)
