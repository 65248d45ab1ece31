"""Computers for Zetema: estimates of hands, and a search over coming turns."""

from collections.abc import Sequence
from functools import partial
from random import Random

from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.bots.zetema_policy import CASUAL, KING, QUEEN, WINDOWS, Style, keeping_worths, live_royals
from cardgames.engine.cards import SUITS, Card, rank_of, suit_of
from cardgames.engine.game import Action, Reason
from cardgames.engine.zetema import (
    COMBINATION_POINTS,
    MARRIAGE_POINTS,
    TRICK_POINTS,
    Zetema,
    ZetemaObservation,
    marriage_column,
    points_of,
)

UNIT = "win"

WORK = {"easy": 1, "fair": 1, "strong": 600}
"""The number of sampled deals for a choice, by level."""


def by_rule(observation: ZetemaObservation, rng: Random, style: Style = CASUAL) -> Action:
    """Take points, keep groups of cards, delay single marriages, and avoid laying the fourth card of a rank."""
    o = observation
    gains = {action: points_of(o, action) for action in o.legal}
    if winning := _winning(o):
        return winning
    plays = [action for action in o.legal if action.kind == "play"]
    worths = {card: value for value, card in keeping_worths(o.hand, o.hand_size, live_royals(o.out), style)}
    unseen = max(1, 65 - len(o.out) - sum(map(len, o.piles)) - len(o.hand))

    def cost(action: Action) -> float:
        """The worth that the hand loses by laying a card, minus the card's score."""
        rank = rank_of(action.cards[0])
        risk = 0.0
        if len(o.piles[rank]) == 3 and sum(rank_of(card) == rank for card in o.hand) < 2:
            risk = TRICK_POINTS[rank] * min(1.0, style.fear * (len(o.counts) - 1) * o.hand_size / unseen * 2)
        return worths[action.cards[0]] + risk - gains[action]

    may_wait = o.stock > style.soon
    marriages = [action for action in o.legal if action.kind == "marriage"]
    declarations = [action for action in o.legal if action.kind not in ("play", "marriage")]
    if marriages:
        best_marriage = max(marriages, key=lambda action: (gains[action], -_cards_from_hand(action)))
        royals = sum([worths[card] >= style.royal for card in o.hand])
        if not may_wait or len(best_marriage.args) >= style.wait or royals <= _cards_from_hand(best_marriage):
            declarations.append(best_marriage)
    if declarations:
        most = max(map(gains.__getitem__, declarations))
        return min(
            [action for action in declarations if gains[action] == most],
            key=lambda action: cost(action) if action.cards and action.kind != "marriage" else 0.0,
        )
    return min(plays, key=cost)


def _cards_from_hand(action: Action) -> int:
    """The number of cards that a declaration of marriages takes from the hand."""
    return sum([2 - str(pair).count("(") for pair in action.args])


def naive(observation: ZetemaObservation, rng: Random) -> Action:
    """Play as a beginner: take the highest score now, else lay the least useful card."""
    return by_rule(observation, rng, SIMPLE)


SIMPLE = Style(royal=3.0, wait=1, flush=(0, 0, 0, 0, 1, 2, 2), row=(0, 0, 0, 0, 0, 1, 1), fear=0.2)


class ZetemaSearcher:
    """A player that plays each action out for some turns on sampled deals, and then judges by estimates of hands."""

    def __init__(self, game: Zetema) -> None:
        self._game = game

    def choose(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> Action:
        """Choose a declaration that wins the match, or else the action rated first."""
        return _winning(observation) or self.rate(observation, rng, budget)[0].action

    def rate(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the probability of winning the match, estimated from the lead after some turns."""
        from cardgames.bots.kernel_race import KernelRace
        from cardgames.kernels import zetema as kernel

        o, game = observation, self._game
        race = KernelRace(
            o.legal,
            by_worth(game, o, rng),
            doubt=0.25,
            caution=1.0,
            kernel="zetema_likely" if budget.thorough else "zetema",  # a thorough budget asks for values
            seat=o.seat,
            root=kernel.encode(game, game.resample(o, rng)),
            known=kernel.known(game, o),
            moves={action: kernel.move_of(action) for action in o.legal},
            worths=game.seats,
        )
        return race.run(rng, budget)


def by_worth(game: Zetema, observation: ZetemaObservation, rng: Random) -> Action:
    """The action with the greatest sum of its points and the worth of the hand that remains."""
    from cardgames.kernels import zetema as kernel
    from cardgames.kernels.zetema_worth import WEIGHTS

    state = kernel.encode(game, game.resample(observation, rng))  # the choice uses only what the seat knows
    return _winning(observation) or game.parse(kernel.text(state, kernel.by_worth(state, WEIGHTS)))


def _winning(o: ZetemaObservation) -> Action | None:
    """The highest-scoring action if it wins the match, else ``None``."""
    best = max(o.legal, key=lambda action: points_of(o, action))
    return best if o.wins_with(points_of(o, best)) else None


def thinker(level: str, game: Zetema) -> Thinker:
    """The player of a level: ``easy`` takes points, ``fair`` keeps the cards worth most, ``strong`` looks ahead."""
    return ZetemaSearcher(game) if level == "strong" else ByRule(naive if level == "easy" else partial(by_worth, game))


THEMES = {
    "score": ("wins_match", "scores_most", "scores"),
    "pile": ("no_fourth", "cheap_fourth", "own_fifth"),
    "wait": ("waits",),
    "row": ("keeps_row",),
    "suit": ("keeps_suit",),
    "royals": ("keeps_royals",),
}
"""The themes of exercises, each with the keys of the reasons that belong to the theme."""


def reasons(observation: ZetemaObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action rated first; see :func:`cardgames.bots.reasons`."""
    o, best = observation, ratings[0]
    action = best.action
    scored = points_of(o, action)
    if scored and o.wins_with(scored):
        return (Reason("hint.wins_match", {"points": scored}),)
    result = []
    if scored:
        most = all(points_of(o, other) < scored for other in o.legal if other != action)
        result.append(Reason("hint.scores_most" if most else "hint.scores", {"points": scored}))
    if action.kind in ("play", *COMBINATION_POINTS):
        marriages = [rating for rating in ratings if rating.action.kind == "marriage"]
        result += [_reason_to_wait(o, each.action) for each in marriages[:1] if _should_wait(o, action, each, best)]
        same_kind = [rating for rating in ratings if rating.action.kind == action.kind]
        result += _card_reasons(o, best, same_kind, 2)
        result = result or _card_reasons(o, best, same_kind, 3)
    return tuple(result)


def _card_reasons(o: ZetemaObservation, best: Rating, plays: Sequence[Rating], max_missing: int) -> list[Reason]:
    """The reasons to lay the best card that do not hold for a worse one; ``max_missing``: see :func:`_groups_kept`."""
    action, result = best.action, []
    rank = rank_of(action.cards[0])
    fifth = _own_fifth(o, action)
    if fifth is not None and best.better_than_some(rating for rating in plays if _own_fifth(o, rating.action) is None):
        result.append(Reason("hint.own_fifth", {"card": fifth, "points": TRICK_POINTS[rank]}))
    groups = [(rating, _groups_kept(o, rating.action, max_missing)) for rating in plays]
    for group, (number, reason) in _groups_kept(o, action, max_missing).items():
        if best.better_than_some(rating for rating, kept in groups if group not in kept or kept[group][0] < number):
            result.append(reason)
    fourths = [rating for rating in plays if _offers_trick(o, rating.action)]
    if len(o.piles[rank]) < 3 and best.better_than_some(fourths):
        result.append(Reason("hint.no_fourth"))
    dearer = [rating for rating in fourths if TRICK_POINTS[rank_of(rating.action.cards[0])] > TRICK_POINTS[rank]]
    if _offers_trick(o, action) and best.better_than_some(dearer):
        result.append(Reason("hint.cheap_fourth", {"points": TRICK_POINTS[rank]}))
    return result


def _offers_trick(o: ZetemaObservation, action: Action) -> bool:
    """Whether an action lays the fourth card of a trick whose fifth card another player may lay."""
    rank = rank_of(action.cards[0])
    return len(o.piles[rank]) == 3 and len(o.lacking[rank]) == 2 and _count_of_rank(o, rank) == 1


def _own_fifth(o: ZetemaObservation, action: Action) -> Card | None:
    """The card of the hand that completes the trick of which an action lays the fourth card, or ``None``.

    Always ``None`` for kings and queens, because marriages may use them first."""
    rank = rank_of(action.cards[0])
    if rank in (KING, QUEEN) or len(o.piles[rank]) != 3 or len(o.lacking[rank]) != 2 or _count_of_rank(o, rank) != 2:
        return None
    return next((card for card in o.hand if rank_of(card) == rank and card != action.cards[0]), action.cards[0])


def _count_of_rank(o: ZetemaObservation, rank: int) -> int:
    """The number of cards of a rank in the hand."""
    return sum([rank_of(card) == rank for card in o.hand])


def _groups_kept(o: ZetemaObservation, action: Action, max_missing: int) -> dict[str, tuple[int, Reason]]:
    """The groups that remain in the hand after an action: a suit's letter, "row" or "royals", with size and reason.
    A suit or row counts if it lacks at most ``max_missing`` cards."""
    result = {}
    kept = list(o.hand)
    kept.remove(action.cards[0])
    not_laid = [card for cards in o.lacking for card in cards]
    for suit in (1, 2, 3):
        count = sum([suit_of(card) == suit for card in kept])
        to_come = sum([suit_of(card) == suit for card in not_laid]) - sum([suit_of(card) == suit for card in o.hand])
        if _can_fill(o, count, max_missing) and to_come >= o.hand_size - count:
            result[SUITS[suit]] = count, Reason("hint.keeps_suit", {"count": count, "suit": SUITS[suit]})
    row = max((_row_cards(o, kept, window) for window in WINDOWS[o.hand_size - 5]), key=len)
    if _can_fill(o, len(row), max_missing):
        result["row"] = len(row), Reason("hint.keeps_row", {"cards": row})
    live = live_royals(o.out)
    royals = tuple([card for card in kept if live >> card & 1])
    if royals:
        result["royals"] = len(royals), Reason("hint.keeps_royals", {"cards": royals})
    return result


def _can_fill(o: ZetemaObservation, count: int, max_missing: int) -> bool:
    """Whether a group of ``count`` cards lacks at most ``max_missing``, and the stock suffices to draw these cards."""
    missing = o.hand_size - count
    return missing <= max_missing and o.stock > (missing - 1) * len(o.counts)


def _row_cards(o: ZetemaObservation, kept: Sequence[Card], window: Sequence[int]) -> tuple[Card, ...]:
    """One of the ``kept`` cards for each rank of a row (``window``); empty if a missing rank can no longer be drawn."""
    of_rank = {rank_of(card): card for card in kept}
    if any(rank not in of_rank and len(o.lacking[rank]) <= _count_of_rank(o, rank) for rank in window):
        return ()
    return tuple([of_rank[rank] for rank in window if rank in of_rank])


def _should_wait(o: ZetemaObservation, action: Action, marriage: Rating, best: Rating) -> bool:
    """Whether laying a card is certainly better than declaring ``marriage`` now, and one more marriage is possible."""
    possible = sum([min(_copies_left(o, 13 * suit + KING), _copies_left(o, 13 * suit + QUEEN)) for suit in range(4)])
    keeps_royals = rank_of(action.cards[0]) not in (KING, QUEEN)
    return keeps_royals and best.beats(marriage) and possible > len(marriage.action.args)


def _copies_left(o: ZetemaObservation, card: Card) -> int:
    """The number of copies of a card that are not out of play."""
    return (1 if suit_of(card) else 2) - o.out.count(card)


def _reason_to_wait(o: ZetemaObservation, marriage: Action) -> Reason:
    """The reason for delaying marriages: the points for one marriage more."""
    more = MARRIAGE_POINTS[marriage_column(marriage, o.spade_marriages)][len(marriage.args) + 1]
    return Reason("hint.waits", {"cards": marriage.cards, "points": points_of(o, marriage), "more": more})
