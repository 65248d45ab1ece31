"""Computers for Durak: rules of thumb, search over hidden cards, and exact endgames."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.kernel_race import KernelPosition, TreeRace
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.engine import durak as rules
from cardgames.engine.cards import Card, CardSet, card_set, cards_in, rank_of, suit_of
from cardgames.engine.durak import Durak, DurakObservation, DurakState, attack_card_count, beaters, own_cards
from cardgames.engine.game import Action, Message

UNIT = "win"

WORK = {"easy": 1, "fair": 1000, "strong": 1500}
"""The work for a choice, by level: sampled deals for ``strong``, steps of an endgame for ``fair``."""

DOUBT = 0.5
"""The standard deviation assumed for a result before any trial, as a probability of winning."""
TREES = 4
"""The number of trees of each action from which a rating is made; a choice without rating has one."""
NODES = 60_000
"""The least number of steps that ``strong`` may spend on an endgame if its time is not limited."""

STEPS_AT_ONCE = 100
"""The number of steps of the endgame solver between two checks of the budget. A step is a bout."""
STORED, STORED_FOR_SMALL_BUDGET = 1 << 18, 1 << 13
"""The number of stored results of the endgame solver, by size of the budget. New results replace old ones."""
SMALL_BUDGET = 2000
"""The number of steps below which a budget counts as small."""

JACK, KING = 9, 11
SHORT_STOCK = 4
"""The number of cards in the stock up to which the rule spends high trumps."""
TRUMPED = 13
"""The additional cost of a trump over a plain card of the same rank."""


def by_rule(observation: DurakObservation, rng: Random) -> Action:
    """Play low cards first, keep trumps for the end, and take rather than spend a high trump early."""
    trump, early = suit_of(observation.turn_up or 0), observation.stock > SHORT_STOCK
    cost_of = _costs(observation)

    def cost(action: Action) -> int:
        return cost_of(action.cards[0])

    if observation.phase == rules.DEFEND:
        turns = [action for action in _turns(observation, rng) if suit_of(action.cards[0]) != trump]
        beats = [action for action in observation.legal if action.kind == "beat"]
        if early:  # no trump above the jack for a plain card
            beats = [beat for beat in beats if cost(beat) <= TRUMPED + JACK or suit_of(beat.cards[1]) == trump]
        return min(turns or beats, key=cost, default=observation.legal[-1])  # the last is to take
    plays = [action for action in observation.legal if action.cards]
    if observation.phase == rules.ATTACK:
        ranks = [rank_of(card) for card in observation.hand]
        return min(plays, key=lambda action: (cost(action), -ranks.count(rank_of(action.cards[0]))))
    if observation.stock:
        most = KING if early else TRUMPED  # early neither kings nor aces, and never trumps
        plays = [action for action in plays if cost(action) < most]
    if plays and not _partner_going_out(observation):
        return min(plays, key=cost)
    return next(action for action in observation.legal if not action.cards)


def careless(observation: DurakObservation, rng: Random) -> Action:
    """Play as a beginner: beat and add cards while possible, the lowest rank first, but attack with trumps last."""
    turns = _turns(observation, rng)
    plays = [action for action in observation.legal if action.kind in ("play", "beat") or action in turns]
    if not plays:
        return observation.legal[-1]
    cost = rank_of if observation.phase == rules.DEFEND else _costs(observation)  # trumps cost no more in defence
    return min(plays, key=lambda action: cost(action.cards[0]))


class BudgetExceeded(Exception):
    """A position needs more work than the budget allows."""


class DurakSolver:
    """A solver of positions of one match with open hands, for two players. It remembers its results."""

    def __init__(self, game: Durak, budget: Budget) -> None:
        from cardgames.kernels import durak, durak_ending
        from cardgames.kernels.compiling import ints, rows

        self._game, self._budget, self._encode, self._kernel = game, budget, durak.encode, durak_ending
        stored = STORED if budget.allows(SMALL_BUDGET) else STORED_FOR_SMALL_BUDGET
        self._work, self._results = ints(durak_ending.LENGTH), ints(2 * stored)  # a result is a key and its bounds
        self._path = rows(durak_ending.MAX_DEPTH, durak_ending.WIDTH)

    def value(self, state: DurakState, seat: int) -> int:
        """The value of a state to a seat: 1 for a win, 0 for a draw, -1 for a loss. Raises :class:`BudgetExceeded`."""
        if state.to_act is None:
            return max(-1, self._game.scores(state)[seat - 1])  # a fool with several opponents pays more (D9)
        position = self._encode(self._game, state)
        defends = state.to_act == state.bout.defender
        value = 1 if self._reaches(position, 1, defends) else 0 if self._reaches(position, 0, defends) else -1
        return value if seat == state.to_act else -value

    def _reaches(self, position: Any, goal: int, defends: bool) -> bool:
        """Whether a position is worth at least ``goal`` to the acting seat. Raises :class:`BudgetExceeded`.

        ``defends``: whether the acting seat is the defender. The kernel answers for the attacker."""
        kernel, work = self._kernel, self._work
        kernel.prepare(position, work, 1 - goal if defends else goal)  # the defender's goal fails if this is reached
        while (answer := kernel.reaches(work, self._path, self._results)) == kernel.UNSOLVED:
            if work[kernel.POSITIONS] or not self._budget.spend(STEPS_AT_ONCE):  # steps are left: it got too deep
                raise BudgetExceeded
            work[kernel.POSITIONS] = STEPS_AT_ONCE
        return bool(answer) != defends


class EndgamePlayer(NamedTuple):
    """A player that keeps to the rule until all cards are known, and solves the endgames that its budget allows."""

    game: Durak

    def choose(self, observation: DurakObservation, rng: Random, budget: Budget) -> Action:
        """Choose a best action of a solved endgame, or else the action of the rule."""
        solved, is_enough = self._solve(observation, rng, budget, every_action=False)
        return solved[0].action if is_enough else by_rule(observation, rng)

    def _solve(
        self, observation: DurakObservation, rng: Random, budget: Budget, every_action: bool
    ) -> tuple[tuple[Rating, ...], bool]:
        """Solve an endgame of two players; return ratings of the actions, the best first, and whether they are enough.

        They are not if cards are hidden or the budget is too small. Of equally good actions the rule's comes first.
        Unless ``every_action`` is set, no action is rated after the first that wins."""
        options, seats = self.game.rules, len(observation.counts)
        # a stock of one card is the turn-up, which hides nothing
        if observation.stock > 1 or options.turn_over != "off" or options.several:
            return (), False
        if seats > 2 and (observation.stock or seats - len(observation.out) > 2):
            return (), False
        state = self.game.resample(observation, rng)  # the only state that fits
        usual, is_enough = by_rule(observation, rng), False
        result: list[Rating] = []
        with suppress(BudgetExceeded):
            # Results of earlier choices would decide whether the work suffices, so each choice has its own.
            solver = DurakSolver(self.game, budget)
            for action in sorted(observation.legal, key=lambda action: action != usual):
                value = solver.value(self.game.apply(state, action), observation.seat)
                result.append(Rating(action, (1 + value) / 2, 0.0, True))
                if value == 1 and not every_action:
                    break
            is_enough = True
        return tuple(sorted(result, key=lambda rating: -rating.value)), is_enough


class DurakSearcher(EndgamePlayer):
    """A player that solves the endgames that its budget allows, and searches in all other positions."""

    def choose(self, observation: DurakObservation, rng: Random, budget: Budget) -> Action:
        """Choose a best action of a solved endgame, or else the search's first action that is not known to lose."""
        solved, is_enough = self._solve(observation, rng, budget.part(0.8, NODES), every_action=False)
        if is_enough:  # otherwise the rest of the budget is for the search
            return solved[0].action
        lost = [rating.action for rating in solved if not rating.value]
        ranked = [rating.action for rating in self._search(observation, rng, budget)]
        return next((action for action in ranked if action not in lost), ranked[0])

    def rate(self, observation: DurakObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the actions of a solved endgame, or else rate them by search, the best first."""
        solved, is_enough = self._solve(observation, rng, budget.part(0.8, NODES), every_action=True)
        return solved if is_enough else self._search(observation, rng, budget, TREES)

    def _search(self, observation: DurakObservation, rng: Random, budget: Budget, trees: int = 1) -> tuple[Rating, ...]:
        """Rate the actions by search, the best first. It is always thorough: in small trees few results mislead."""
        budget.thorough = True
        legal, seats, usual = observation.legal, self.game.seats, by_rule(observation, rng)
        position = KernelPosition.of(self.game, observation, rng)
        race = TreeRace(legal, usual, doubt=DOUBT, kernel="durak", position=position, worths=seats, trees=trees)
        return race.run(rng, budget)


def thinker(level: str, game: Durak) -> Thinker:
    """The player of a level: ``easy`` never takes if it can beat, ``fair`` solves endgames, ``strong`` searches."""
    if level == "easy":
        return ByRule(careless)
    return EndgamePlayer(game) if level == "fair" else DurakSearcher(game)


THEMES = {
    "trumps": ("keeps_trumps",),
    "low": ("weakest", "cheapest"),
    "sure": ("unbeatable",),
    "follow": ("can_follow",),
    "take": ("beating_costs",),
    "ending": ("wins", "draws", "loses"),
    "turn": ("turns",),
    "partner": ("partner_could_go_out", "partner_would_defend"),
}


def reasons(observation: DurakObservation, ratings: Sequence[Rating]) -> tuple[Message, ...]:
    best, action, trump = ratings[0], ratings[0].action, suit_of(observation.turn_up or 0)
    cost = _costs(observation)
    result = [*_card_reasons(observation, action)]
    if best.exact:
        result.insert(0, Message("hint.wins" if best.value == 1 else "hint.loses" if best.value == 0 else "hint.draws"))
    takes = [other for other in ratings if other.action.kind == "take"]
    if (partner := _partner_defending(observation)) and best.better_than_some(takes):
        result.append(Message("hint.partner_would_defend", {"seat": partner}))
    if action.kind == "pass" and len(observation.legal) > 1 and (partner := _partner_going_out(observation)):
        result.append(Message("hint.partner_could_go_out", {"seat": partner}))
    beats = [other.cards for other in observation.legal if other.kind == "beat"]
    if action.kind == "take" and beats and len(observation.unbeaten) == 1:
        card, attack_card = min(beats, key=lambda cards: cost(cards[0]))
        result.append(Message("hint.beating_costs", {"card": card, "attack_card": attack_card}))
    if observation.phase == rules.ATTACK:
        same_rank = [card for card in observation.hand if rank_of(card) == rank_of(action.cards[0])]
        others = tuple([card for card in same_rank if card not in action.cards])
        if others and observation.counts[observation.defender - 1] >= len(action.cards) + len(others):
            result.append(Message("hint.can_follow", {"cards": others}))
    trumps = [other for other in ratings if trump in map(suit_of, own_cards(other.action))]
    if observation.stock and action.cards and best not in trumps and best.better_than_some(trumps):
        result.append(Message("hint.keeps_trumps", {"count": observation.stock}))
    if action.kind == "play" and cost(action.cards[0]) == min(map(cost, observation.hand)):
        result.append(Message("hint.weakest", {"card": action.cards[0]}))
    return tuple(result or _general_reasons(observation, ratings))


def _card_reasons(observation: DurakObservation, action: Action) -> Iterator[Message]:
    """Yield the reasons for an attack, a beat or a turn that follow from its cards."""
    if action.kind == "play":
        (card,) = action.cards
        if not beaters(card, suit_of(observation.turn_up or 0)) & _possible_cards_of_others(observation):
            yield Message("hint.unbeatable", {"card": card})
    if action.kind == "beat":
        card, attack_card = action.cards
        cost = _costs(observation)
        beats = [other.cards for other in observation.legal if other.kind == "beat"]
        costs = [cost(own) for own, beaten in beats if beaten == attack_card]
        if cost(card) == min(costs) < max(costs):
            yield Message("hint.cheapest", {"card": card, "attack_card": attack_card})
    if action.kind == "turn":
        yield Message("hint.turns", {"seat": observation.next_defender})


def _general_reasons(observation: DurakObservation, ratings: Sequence[Rating]) -> Iterator[Message]:
    """Yield the reasons for an action that has no more specific reason."""
    best, table, kind = ratings[0], cards_in(observation.as_bout.table), ratings[0].action.kind
    if kind == "beat":
        card = best.action.cards[0]
        if best.better_than_some([other for other in ratings if other.action.kind == "take"]):
            yield Message("hint.taking_costs", {"count": len(table)})
        elif rank_of(card) in map(rank_of, table):
            yield Message("hint.no_new_rank", {"card": card})
    plays = [other for other in ratings if other.action.kind == "play"]
    if kind == "play" and table:
        key = "thrown_in" if observation.phase == rules.THROW else "one_more"
        yield Message(f"hint.{key}", {"seat": observation.defender, "card": best.action.cards[0]})
    if kind == "pass" and best.better_than_some(plays):
        cards = [card for action in observation.legal if action.kind == "play" for card in action.cards]
        yield Message("hint.holds_back", {"card": min(cards, key=_costs(observation))})


def _turns(observation: DurakObservation, rng: Random) -> list[Action]:
    """The actions that turn the attack over (D12). If turning could go on for ever, half of the calls return none."""
    turns = [action for action in observation.legal if action.kind == "turn"]
    dealt = sum(observation.counts) + sum([len(action.cards) for action in observation.bout])
    may_repeat = observation.stock and dealt > len(observation.counts) * rules.HAND_SIZE  # D13 needs an empty stock
    return [] if turns and may_repeat and rng.random() < 0.5 else turns


def _partners(observation: DurakObservation) -> set[int]:
    """The partners of this seat (D25)."""
    return {seat for side in observation.sides if observation.seat in side for seat in side} - {observation.seat}


def _room(observation: DurakObservation) -> int:
    """The number of attack cards that may still be laid before the defender beats or takes (D6)."""
    unanswered = observation.counts[observation.defender - 1] - len(observation.unbeaten)
    return min(observation.most_attacks - attack_card_count(observation.as_bout), unanswered)


def _partner_going_out(observation: DurakObservation) -> int | None:
    """The partner who certainly goes out by adding the last attack card allowed in the bout (D25).

    ``None`` without such a partner, or if this seat could go out by that card itself."""
    if observation.stock or _room(observation) != 1 or len(observation.hand) == 1:
        return None
    ranks, partners = set(map(rank_of, cards_in(observation.as_bout.table))), _partners(observation)
    candidates = [seat for seat in observation.may_add if seat in partners and observation.counts[seat - 1] == 1]
    return next((seat for seat in candidates if ranks & set(map(rank_of, observation.known[seat - 1]))), None)


def _partner_defending(observation: DurakObservation) -> int | None:
    """The partner who certainly defends next if this seat takes (D21, D25), or ``None``.

    A partner is certain to defend only with cards, and if the next leader has too many to go out by throwing in."""
    seats = len(observation.counts)
    leader, *others = [(observation.seat + step) % seats + 1 for step in range(seats - 1)]  # in turn after this seat
    if observation.phase != rules.DEFEND or observation.counts[leader - 1] <= _room(observation):
        return None
    partners = [seat for seat in others if seat in _partners(observation) and seat not in observation.out]
    return partners[0] if partners and observation.counts[partners[0] - 1] else None


def _costs(observation: DurakObservation) -> Callable[[Card], int]:
    """A function that returns the cost of playing a card: its rank, and for a trump ``TRUMPED`` more."""
    trump = suit_of(observation.turn_up or 0)
    return lambda card: rank_of(card) + (TRUMPED if suit_of(card) == trump else 0)


def _possible_cards_of_others(observation: DurakObservation) -> CardSet:
    """The cards that other seats hold or may still draw: their known cards, the turn-up, and all unseen cards."""
    seen = card_set(observation.hand) | observation.as_bout.table | observation.shown
    known = [card for seat, cards in enumerate(observation.known, 1) if seat != observation.seat for card in cards]
    turn_up = [observation.turn_up or 0] if observation.stock else []
    return card_set([*known, *turn_up]) | (card_set(rules.PACKS[observation.pack]) & ~seen)
