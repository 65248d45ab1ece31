"""Computers that play Zetema: what a hand may come to, and a search over the turns to come."""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random

from cardgames.bots.monte_carlo import try_each
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.bots.zetema_policy import CASUAL, Style, live_royals, spared
from cardgames.bots.zetema_rollout import Position
from cardgames.engine.cards import SUITS, rank_of, suit_of
from cardgames.engine.game import Action, Reason
from cardgames.engine.zetema import TRICK, State, Zetema, ZetemaObservation, marriage, points_of

UNIT = "win"

WORK = {"easy": 1, "fair": 1, "strong": 600}
"""Guesses a choice."""


def by_rule(observation: ZetemaObservation, rng: Random, style: Style = CASUAL) -> Action:
    """Take what scores, keep what goes together, wait with single marriages, and fear to lay the fourth of a rank."""
    o = observation
    gains = {action: points_of(o, action) for action in o.legal}
    best = max(o.legal, key=gains.__getitem__)
    if o.wins_with(gains[best]):
        return best
    plays = [action for action in o.legal if action.kind == "play"]
    worth = {card: value for value, card in spared(o.hand, o.hand_size, live_royals(o.out), style)}
    unseen = max(1, 65 - len(o.out) - sum(map(len, o.piles)) - len(o.hand))

    def cost(action: Action) -> float:
        """The loss by laying a card, less its score."""
        rank = rank_of(action.cards[0])
        risk = 0.0
        if len(o.piles[rank]) == 3 and sum(rank_of(card) == rank for card in o.hand) < 2:
            risk = TRICK[rank] * min(1.0, style.fear * (len(o.counts) - 1) * o.hand_size / unseen * 2)
        return worth[action.cards[0]] + risk - gains[action]

    waiting = o.stock > style.soon
    marriages = [action for action in o.legal if action.kind == "marriage"]
    declared = [action for action in o.legal if action.kind not in ("play", "marriage")]
    if marriages:
        married = max(marriages, key=lambda action: (gains[action], -_from_hand(action)))
        royals = sum([worth[card] >= style.royal for card in o.hand])
        if not waiting or len(married.args) >= style.wait or royals <= _from_hand(married):
            declared.append(married)
    if declared:
        most = max(map(gains.__getitem__, declared))
        return min(
            [action for action in declared if gains[action] == most],
            key=lambda action: cost(action) if action.cards and action.kind != "marriage" else 0.0,
        )
    return min(plays, key=cost)


def _from_hand(action: Action) -> int:
    """How many cards a declaration of marriages takes from the hand."""
    return sum([2 - str(pair).count("(") for pair in action.args])


def naive(observation: ZetemaObservation, rng: Random) -> Action:
    """As somebody who has just learnt it: take what scores most now, otherwise lay a card that helps with nothing."""
    return by_rule(observation, rng, SIMPLE)


SIMPLE = Style(royal=3.0, wait=1, flush=(0, 0, 0, 0, 1, 2, 2), row=(0, 0, 0, 0, 0, 1, 1), fear=0.2)


class Searcher:
    """Plays by trying each turn on guesses of what is hidden, with some turns after it by what hands are worth."""

    def __init__(self, game: Zetema) -> None:
        self._game = game

    def choose(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`. A declaration that wins is never missed."""
        best = max(observation.legal, key=lambda action: points_of(observation, action))
        if observation.wins_with(points_of(observation, best)):
            return best
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`: the chance to win, from the lead after some turns."""
        o, game = observation, self._game
        sample = game.sampler(o)
        side = next(place for place, seats in enumerate(o.sides) if o.seat in seats)
        turns = -(-TURNS // game.seats) * game.seats
        guessed = sample(rng)
        after_each = {action: Position(game.observation(game.apply(guessed, action), o.seat)) for action in o.legal}

        def attempt(state: State, action: Action, rng: Random) -> float:
            after = game.apply(state, action)
            position = after_each[action]
            if after.to_act:
                position = position.given(game, after, 2 * turns)
                position.play(turns)
            scores = list(map(float, position.scores))
            if max(scores) >= o.target:
                return 1.0 if scores[side] >= o.target else 0.0
            if after.to_act:
                for place, its_side in enumerate(position.side_of):
                    scores[its_side] += position.potential(place)
            return _chance(scores, side, o.target)

        return try_each(o.legal, by_worth(o, rng), sample, attempt, rng, budget, doubt=0.1, caution=1.0)


def by_worth(observation: ZetemaObservation, rng: Random) -> Action:
    """The action with which its points and what is left in the hand come to most."""
    o = observation
    best = max(o.legal, key=lambda action: points_of(o, action))
    if o.wins_with(points_of(o, best)):
        return best
    _, cards, wedding = Position(o).choice(o.hand)
    if wedding:
        return marriage([pair.text for pair in wedding.pairs])
    found = [
        action
        for action in o.legal
        if (action.kind == "assembly" if len(cards) > 1 else action.kind != "marriage" and action.cards == cards)
    ]
    return max(found, key=lambda action: points_of(o, action))


TURNS = 10
"""How many turns are played before a position is judged, or a few more, so that each seat has as many."""


def _chance(scores: list[float], side: int, target: int) -> float:
    """The chance of a side to win from these points: a lead counts for more the less is left to be won."""
    spread = 3.7 * sqrt(max(0.0, target - max(scores)) + 30)
    return 1 / sum([exp((score - scores[side]) / spread) for score in scores])


def thinker(level: str, game: Zetema) -> Thinker:
    """How a level plays: ``easy`` takes what there is, ``fair`` keeps what is worth most, ``strong`` looks ahead."""
    return Searcher(game) if level == "strong" else ByRule(naive if level == "easy" else by_worth)


def reasons(observation: ZetemaObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action that is rated first; see :func:`cardgames.bots.reasons`."""
    o, best = observation, ratings[0]
    action = best.action
    scored = points_of(o, action)
    if scored and o.wins_with(scored):
        return (Reason("hint.wins_match", {"points": scored}),)
    found = [Reason("hint.scores", {"points": scored})] if scored else []
    if action.kind == "play":
        plays = [rating for rating in ratings if rating.action.kind == "play"]
        for reason in _kept(o, action):
            if best.better_than_some(rating for rating in plays if reason not in _kept(o, rating.action)):
                found.append(reason)
        fourths = [rating for rating in plays if _lying(o, rating.action) == 3]
        if _lying(o, action) < 3 and best.better_than_some(fourths):
            found.append(Reason("hint.no_fourth"))
    return tuple(found)


def _lying(o: ZetemaObservation, action: Action) -> int:
    """How many cards lie on the pile to which an action plays."""
    return len(o.piles[rank_of(action.cards[0])])


def _kept(o: ZetemaObservation, action: Action) -> list[Reason]:
    """The reasons to keep the cards that are left after laying one."""
    found = []
    kept = list(o.hand)
    kept.remove(action.cards[0])
    for suit in (1, 2, 3):
        count = sum([suit_of(card) == suit for card in kept])
        if count >= o.hand_size - 2:
            found.append(Reason("hint.keeps_suit", {"count": count, "suit": SUITS[suit]}))
    live = live_royals(o.out)
    royals = tuple([card for card in kept if live >> card & 1])
    if len(royals) >= 2:
        found.append(Reason("hint.keeps_royals", {"cards": royals}))
    return found
