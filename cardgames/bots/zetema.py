"""Computers for Zetema: estimates of hands, and a search over coming turns."""

from collections.abc import Sequence
from functools import partial
from random import Random

from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.bots.zetema_policy import CASUAL, KING, QUEEN, WINDOWS, Style, keeping_worths, live_royals
from cardgames.engine.cards import SUITS, Card, rank_of, suit_of
from cardgames.engine.game import Action, Reason
from cardgames.engine.zetema import (
    COMBINATION,
    MARRIAGES,
    TRICK,
    Zetema,
    ZetemaObservation,
    column,
    points_of,
)

UNIT = "win"

WORK = {"easy": 1, "fair": 1, "strong": 600}
"""The number of sampled deals for a choice."""


def by_rule(observation: ZetemaObservation, rng: Random, style: Style = CASUAL) -> Action:
    """Take what scores, keep what belongs together, wait with single marriages, and avoid laying the fourth of a
    rank."""
    o = observation
    gains = {action: points_of(o, action) for action in o.legal}
    if winning := _winning(o):
        return winning
    plays = [action for action in o.legal if action.kind == "play"]
    worth = {card: value for value, card in keeping_worths(o.hand, o.hand_size, live_royals(o.out), style)}
    unseen = max(1, 65 - len(o.out) - sum(map(len, o.piles)) - len(o.hand))

    def cost(action: Action) -> float:
        """The worth that the hand loses by laying a card, minus the card's score."""
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
    """The number of cards that marriages take from the hand."""
    return sum([2 - str(pair).count("(") for pair in action.args])


def naive(observation: ZetemaObservation, rng: Random) -> Action:
    """Play as a beginner: take the highest score now, else lay a useless card."""
    return by_rule(observation, rng, SIMPLE)


SIMPLE = Style(royal=3.0, wait=1, flush=(0, 0, 0, 0, 1, 2, 2), row=(0, 0, 0, 0, 0, 1, 1), fear=0.2)


class ZetemaSearcher:
    """A player that tries each action on sampled deals, with some further turns, then by estimates of hands."""

    def __init__(self, game: Zetema) -> None:
        self._game = game

    def choose(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`. A declaration that wins is never missed."""
        return _winning(observation) or self.rate(observation, rng, budget)[0].action

    def rate(self, observation: ZetemaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the probability of winning, estimated from the lead after some turns; see :class:`Rater`."""
        from cardgames.bots.kernel_race import KernelRace
        from cardgames.kernels import zetema as kernel

        o, game = observation, self._game
        race = KernelRace(
            o.legal,
            by_worth(game, o, rng),
            doubt=0.25,
            caution=1.0,
            kernel="zetema_likely" if budget.thorough else "zetema",  # values are told then
            seat=o.seat,
            root=kernel.encode(game, game.resample(o, rng)),
            known=kernel.known(game, o),
            moves={action: kernel.move_of(action) for action in o.legal},
            worths=game.seats,
        )
        return race.run(rng, budget)


def by_worth(game: Zetema, observation: ZetemaObservation, rng: Random) -> Action:
    """The action with the greatest sum of its points and the remaining hand's worth."""
    from cardgames.kernels import zetema as kernel
    from cardgames.kernels.zetema_worth import NUMBERS

    state = kernel.encode(game, game.resample(observation, rng))  # the choice uses only what the seat knows
    return _winning(observation) or game.parse(kernel.text(state, kernel.by_worth(state, NUMBERS)))


def _winning(o: ZetemaObservation) -> Action | None:
    """The highest-scoring action, if it wins the match."""
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
"""The themes of exercises, each with its reasons for a move."""


def reasons(observation: ZetemaObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action rated first; see :func:`cardgames.bots.reasons`."""
    o, best = observation, ratings[0]
    action = best.action
    scored = points_of(o, action)
    if scored and o.wins_with(scored):
        return (Reason("hint.wins_match", {"points": scored}),)
    found = []
    if scored:
        most = all(points_of(o, other) < scored for other in o.legal if other != action)
        found.append(Reason("hint.scores_most" if most else "hint.scores", {"points": scored}))
    if action.kind in ("play", *COMBINATION):
        married = [rating for rating in ratings if rating.action.kind == "marriage"]
        found += [_waiting(o, rating.action) for rating in married[:1] if _waits(o, action, rating, best)]
        lays = [rating for rating in ratings if rating.action.kind == action.kind]
        found += _why_this_card(o, best, lays, 2)
        found = found or _why_this_card(o, best, lays, 3)
    return tuple(found)


def _why_this_card(o: ZetemaObservation, best: Rating, lays: Sequence[Rating], lacking: int) -> list[Reason]:
    """The reasons to lay this card that do not hold for a worse one; groups count if they lack few cards."""
    action, found = best.action, []
    rank = rank_of(action.cards[0])
    fifth = _own_fifth(o, action)
    if fifth is not None and best.better_than_some(rating for rating in lays if _own_fifth(o, rating.action) is None):
        found.append(Reason("hint.own_fifth", {"card": fifth, "points": TRICK[rank]}))
    kept = [(rating, _kept(o, rating.action, lacking)) for rating in lays]
    for hope, (number, reason) in _kept(o, action, lacking).items():
        if best.better_than_some(rating for rating, keeps in kept if hope not in keeps or keeps[hope][0] < number):
            found.append(reason)
    fourths = [rating for rating in lays if _invites(o, rating.action)]
    if len(o.piles[rank]) < 3 and best.better_than_some(fourths):
        found.append(Reason("hint.no_fourth"))
    dearer = [rating for rating in fourths if TRICK[rank_of(rating.action.cards[0])] > TRICK[rank]]
    if _invites(o, action) and best.better_than_some(dearer):
        found.append(Reason("hint.cheap_fourth", {"points": TRICK[rank]}))
    return found


def _invites(o: ZetemaObservation, action: Action) -> bool:
    """Whether an action lays the fourth card of a trick, and the player does not hold the fifth."""
    rank = rank_of(action.cards[0])
    return len(o.piles[rank]) == 3 and len(o.lacking[rank]) == 2 and _held(o, rank) == 1


def _own_fifth(o: ZetemaObservation, action: Action) -> Card | None:
    """The card of the hand that alone completes the trick whose fourth card an action lays.

    ``None`` for kings and queens, which may be married before."""
    rank = rank_of(action.cards[0])
    if rank in (KING, QUEEN) or len(o.piles[rank]) != 3 or len(o.lacking[rank]) != 2 or _held(o, rank) != 2:
        return None
    return next((card for card in o.hand if rank_of(card) == rank and card != action.cards[0]), action.cards[0])


def _held(o: ZetemaObservation, rank: int) -> int:
    """The number of cards of a rank in the hand."""
    return sum([rank_of(card) == rank for card in o.hand])


def _kept(o: ZetemaObservation, action: Action, lacking: int) -> dict[str, tuple[int, Reason]]:
    """The groups of the remaining cards (the letter of a suit, "row", "royals"), each with its size and the reason
    to give. Suit and row lack at most ``lacking`` cards."""
    found = {}
    kept = list(o.hand)
    kept.remove(action.cards[0])
    coming = [card for cards in o.lacking for card in cards]
    for suit in (1, 2, 3):
        count = sum([suit_of(card) == suit for card in kept])
        to_come = sum([suit_of(card) == suit for card in coming]) - sum([suit_of(card) == suit for card in o.hand])
        if _can_fill(o, count, lacking) and to_come >= o.hand_size - count:
            found[SUITS[suit]] = count, Reason("hint.keeps_suit", {"count": count, "suit": SUITS[suit]})
    row = max((_of_row(o, kept, window) for window in WINDOWS[o.hand_size - 5]), key=len)
    if _can_fill(o, len(row), lacking):
        found["row"] = len(row), Reason("hint.keeps_row", {"cards": row})
    live = live_royals(o.out)
    royals = tuple([card for card in kept if live >> card & 1])
    if royals:
        found["royals"] = len(royals), Reason("hint.keeps_royals", {"cards": royals})
    return found


def _can_fill(o: ZetemaObservation, count: int, most: int) -> bool:
    """Whether a group of ``count`` cards lacks at most ``most``, and the stock lasts to complete it."""
    lacking = o.hand_size - count
    return lacking <= most and o.stock > (lacking - 1) * len(o.counts)


def _of_row(o: ZetemaObservation, kept: Sequence[Card], window: Sequence[int]) -> tuple[Card, ...]:
    """A card of each rank of a row that the hand has; empty if another rank cannot come any more."""
    of_rank = {rank_of(card): card for card in kept}
    if any(rank not in of_rank and len(o.lacking[rank]) <= _held(o, rank) for rank in window):
        return ()
    return tuple([of_rank[rank] for rank in window if rank in of_rank])


def _waits(o: ZetemaObservation, action: Action, married: Rating, best: Rating) -> bool:
    """Whether to lay this card is certainly better than to declare these marriages now, as one more may still come."""
    possible = sum([min(_left(o, 13 * suit + KING), _left(o, 13 * suit + QUEEN)) for suit in range(4)])
    keeps_royals = rank_of(action.cards[0]) not in (KING, QUEEN)
    return keeps_royals and best.beats(married) and possible > len(married.action.args)


def _left(o: ZetemaObservation, card: Card) -> int:
    """The number of copies of a card still in play."""
    return (1 if suit_of(card) else 2) - o.out.count(card)


def _waiting(o: ZetemaObservation, married: Action) -> Reason:
    """The reason for waiting: the score of the marriages with one more."""
    more = MARRIAGES[column(married, o.spade_marriages)][len(married.args) + 1]
    return Reason("hint.waits", {"cards": married.cards, "points": points_of(o, married), "more": more})
