"""Computers for Zetema: estimates of hands, and a search over coming turns."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.engine import zetema as rules
from cardgames.engine.cards import SUITS, Card, CardSet, card_set, rank_of, suit_of
from cardgames.engine.game import Action, Message
from cardgames.engine.zetema import KING, QUEEN, TRICK_POINTS, Zetema, ZetemaObservation, ZetemaRules, points_of

UNIT = "win"

WORK = {"easy": 1, "fair": 1, "strong": 600}
"""The number of sampled deals for a choice, by level."""


def marriages_left(out: Sequence[Card], suit: int) -> int:
    """The number of marriages of a suit that are still possible; ``out`` are the cards out of play."""
    return (1 if suit else 2) - max(out.count(13 * suit + KING), out.count(13 * suit + QUEEN))


def marriageable_cards(out: Sequence[Card]) -> CardSet:
    """The kings and queens that may still marry; ``out`` are the cards out of play."""
    suits = [suit for suit in range(4) if marriages_left(out, suit)]
    return card_set([13 * suit + rank for suit in suits for rank in (KING, QUEEN)])


def by_rule(observation: ZetemaObservation, rng: Random) -> Action:
    """Win at once, or else choose the action with the greatest sum of points and worth of the cards kept."""
    from cardgames.kernels import zetema as kernel
    from cardgames.kernels.zetema_worth import WEIGHTS

    game = _game(len(observation.counts), len(observation.sides))
    state = kernel.encode(game, game.resample(observation, rng))  # the choice uses only what the seat knows
    return _winning(observation) or game.parse(kernel.text(state, kernel.by_worth(state, WEIGHTS)))


@cache
def _game(seats: int, sides: int) -> Zetema:
    """The game with these numbers of seats and sides, which decide all options that matter."""
    return Zetema(seats, ZetemaRules(teams=sides < seats, three_sides=sides == 3 < seats))


def simple(observation: ZetemaObservation, rng: Random) -> Action:
    """Play as a beginner: declare what scores most, or else lay the card that scores most or is needed least.

    Needed are kings and queens that may still marry, and cards of a long suit or row. The fourth card of a rank is
    laid late, since it offers an opponent a trick."""
    live, suits = marriageable_cards(observation.out), [suit_of(card) for card in observation.hand]
    ranks = [rank_of(card) for card in observation.hand]
    row = max([{*window}.intersection(ranks) for window in rules.SEQUENCES[observation.hand_size]], key=len)

    def worth(action: Action) -> float:
        points = points_of(observation, action)
        if action.kind in ("marriage", "assembly"):
            return points
        card, rank = action.cards[0], rank_of(action.cards[0])
        offered = TRICK_POINTS[rank] / (2 + observation.stock / 2) if _lays_fourth(observation, action, held=1) else 0
        in_suit = suits.count(suit_of(card)) if suit_of(card) else 0  # spades make no flush
        in_row = len(row) > 4 and rank in row and ranks.count(rank) == 1
        return points - offered - (3 * (live >> card & 1) + max(0, in_suit - 3) + in_row)

    declarations = [action for action in observation.legal if action.kind != "play"]
    return max(declarations or observation.legal, key=worth)


class ZetemaSearcher(NamedTuple):
    """A player that plays each action and some further turns on sampled deals, and then estimates the hands."""

    game: Zetema

    def choose(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> Action:
        """Choose a declaration that wins the match, or else the action rated first."""
        return _winning(observation) or self.rate(observation, rng, budget)[0].action

    def rate(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate actions by the probability of winning the match, estimated from the lead in points after some turns."""
        from cardgames.bots.kernel_race import KernelPosition, KernelRace

        game, legal = self.game, observation.legal
        usual, position = by_rule(observation, rng), KernelPosition.of(game, observation, rng)
        kernel = "zetema_likely" if budget.thorough else "zetema"  # a thorough budget asks for values
        race = KernelRace(legal, usual, doubt=0.25, caution=1.0, kernel=kernel, position=position, worths=game.seats)
        return race.run(rng, budget)


def _winning(observation: ZetemaObservation) -> Action | None:
    """The highest-scoring action if it wins the match, else ``None``."""
    best = max(observation.legal, key=lambda action: points_of(observation, action))
    return best if observation.wins_with(points_of(observation, best)) else None


def thinker(level: str, game: Zetema) -> Thinker:
    """The player of a level: ``easy`` takes points, ``fair`` keeps the cards worth most, ``strong`` looks ahead."""
    return ZetemaSearcher(game) if level == "strong" else ByRule(simple if level == "easy" else by_rule)


THEMES = {
    "score": ("wins_match", "scores_most", "scores"),
    "pile": ("no_fourth", "cheap_fourth", "own_fifth"),
    "wait": ("waits",),
    "row": ("keeps_row",),
    "suit": ("keeps_suit",),
    "royals": ("keeps_royals",),
}


def reasons(observation: ZetemaObservation, ratings: Sequence[Rating]) -> tuple[Message, ...]:
    best, action, points = ratings[0], ratings[0].action, points_of(observation, ratings[0].action)
    if points and observation.wins_with(points):
        return (Message("hint.wins_match", {"points": points}),)
    result = []
    if points:
        most = all(points_of(observation, other) < points for other in observation.legal if other != action)
        result.append(Message("hint.scores_most" if most else "hint.scores", {"points": points}))
    if action.kind in ("play", *rules.COMBINATION_POINTS):
        marriage = next((rating for rating in ratings if rating.action.kind == "marriage"), None)
        if marriage and (waits := _reason_to_wait(observation, best, marriage)):
            result.append(waits)
        same_kind = [rating for rating in ratings if rating.action.kind == action.kind]
        result += _card_reasons(observation, best, same_kind, max_missing=2)
        result = result or _card_reasons(observation, best, same_kind, max_missing=3)
    return tuple(result)


def _card_reasons(
    observation: ZetemaObservation, best: Rating, plays: Sequence[Rating], max_missing: int
) -> list[Message]:
    """The reasons for the ``best`` card. Each fails for at least one card of ``plays`` that is certainly worse."""
    result, rank = [], rank_of(best.action.cards[0])
    points = {"points": TRICK_POINTS[rank]}
    fifth = _own_fifth(observation, best.action)
    without_fifth = [rating for rating in plays if _own_fifth(observation, rating.action) is None]
    if fifth is not None and best.better_than_some(without_fifth):
        result.append(Message("hint.own_fifth", {"card": fifth, **points}))
    groups = [(rating, _groups_kept(observation, rating.action, max_missing)) for rating in plays]
    for group, (size, reason) in _groups_kept(observation, best.action, max_missing).items():
        without_group = [rating for rating, kept in groups if group not in kept or kept[group][0] < size]
        if best.better_than_some(without_group):
            result.append(reason)
    fourths = [rating for rating in plays if _lays_fourth(observation, rating.action, held=1)]  # the fifth is not held
    if len(observation.piles[rank]) < 3 and best.better_than_some(fourths):
        result.append(Message("hint.no_fourth"))
    dearer = [rating for rating in fourths if TRICK_POINTS[rank_of(rating.action.cards[0])] > TRICK_POINTS[rank]]
    if _lays_fourth(observation, best.action, held=1) and best.better_than_some(dearer):
        result.append(Message("hint.cheap_fourth", points))
    return result


def _lays_fourth(observation: ZetemaObservation, action: Action, held: int) -> bool:
    """Whether an action lays the fourth card of a rank, of which the hand has ``held``, and the fifth is in play."""
    rank = rank_of(action.cards[0])
    laid, lacking = len(observation.piles[rank]), len(observation.lacking[rank])
    return laid == 3 and lacking == 2 and _count_of_rank(observation, rank) == held  # lacking: this card and the fifth


def _own_fifth(observation: ZetemaObservation, action: Action) -> Card | None:
    """The fifth card of a rank, if an action lays the fourth card and the hand holds the fifth too; else ``None``.

    Always ``None`` for kings and queens, as marriages may use them first. The fifth may be the laid card's twin."""
    laid = action.cards[0]
    if rank_of(laid) in (KING, QUEEN) or not _lays_fourth(observation, action, held=2):
        return None
    return next((card for card in observation.hand if rank_of(card) == rank_of(laid) and card != laid), laid)


def _count_of_rank(observation: ZetemaObservation, rank: int) -> int:
    """The number of cards of a rank in the hand."""
    return sum([rank_of(card) == rank for card in observation.hand])


def _groups_kept(observation: ZetemaObservation, action: Action, max_missing: int) -> dict[str, tuple[int, Message]]:
    """The groups of cards that are in the hand after an action, each with its size and the reason for keeping it.

    The keys are letters of suits, ``row`` and ``royals``. Suits and rows lack at most ``max_missing`` cards."""
    result, size, kept = {}, observation.hand_size, list(observation.hand)
    kept.remove(action.cards[0])
    suits_kept = [suit_of(card) for card in kept]
    suits_in_hand = [suit_of(card) for card in observation.hand]
    suits_not_laid = [suit_of(card) for cards in observation.lacking for card in cards]
    for suit in (1, 2, 3):  # spades make no flush
        count, to_come = suits_kept.count(suit), suits_not_laid.count(suit) - suits_in_hand.count(suit)
        if _can_fill(observation, count, max_missing) and to_come >= size - count:
            result[SUITS[suit]] = count, Message("hint.keeps_suit", {"count": count, "suit": SUITS[suit]})
    row = max((_row_cards(observation, kept, window) for window in rules.SEQUENCES[size]), key=len)
    if _can_fill(observation, len(row), max_missing):
        result["row"] = len(row), Message("hint.keeps_row", {"cards": row})
    live = marriageable_cards(observation.out)
    if royals := tuple([card for card in kept if live >> card & 1]):
        result["royals"] = len(royals), Message("hint.keeps_royals", {"cards": royals})
    return result


def _can_fill(observation: ZetemaObservation, count: int, max_missing: int) -> bool:
    """Whether a group of ``count`` cards lacks at most ``max_missing``, and the stock is large enough to draw them."""
    missing = observation.hand_size - count
    return missing <= max_missing and observation.stock > (missing - 1) * len(observation.counts)


def _row_cards(observation: ZetemaObservation, kept: Sequence[Card], window: Sequence[int]) -> tuple[Card, ...]:
    """The ``kept`` cards of the row ``window``, one for each rank; empty if a missing rank can no longer be drawn."""
    of_rank, lacking = {rank_of(card): card for card in kept}, observation.lacking
    missing = [rank for rank in window if rank not in of_rank]
    if any(len(lacking[rank]) <= _count_of_rank(observation, rank) for rank in missing):  # none to draw
        return ()
    return tuple([of_rank[rank] for rank in window if rank in of_rank])


def _reason_to_wait(observation: ZetemaObservation, best: Rating, marriage: Rating) -> Message | None:
    """The reason for delaying ``marriage``: the higher points for declaring one more marriage together with it.

    ``None`` unless the ``best`` action certainly beats it and keeps royals, and one more marriage is possible."""
    possible = sum([marriages_left(observation.out, suit) for suit in range(4)])
    pairs, cards = len(marriage.action.args), marriage.action.cards
    if rank_of(best.action.cards[0]) in (KING, QUEEN) or not best.beats(marriage) or possible <= pairs:
        return None
    more = rules.MARRIAGE_POINTS[rules.marriage_column(marriage.action, observation.spade_marriages)][pairs + 1]
    return Message("hint.waits", {"cards": cards, "points": points_of(observation, marriage.action), "more": more})
