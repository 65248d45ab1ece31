"""The contract for those who think ahead: samples of what may be, keys of equal positions, payoffs, ends of deals."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, AnyGame, Game, game_class

from .matches import PRESENT, SETUPS, TABLES, Setup, choose, guesses, in_hands, match, of, positions


@pytest.mark.parametrize("name", PRESENT)
def test_a_sampler_draws_states_that_fit(name: str) -> None:
    for game, state, _, where in positions(name):
        for seat in range(1, game.seats + 1):
            known = game.observation(state, seat)
            sample, again = game.sampler(known), game.sampler(game.observation(state, seat))
            rng, same_rng = Random(where), Random(where)
            for number in range(3):
                drawn, other = sample(rng), again(same_rng)
                assert game.observation(drawn, seat) == known, where
                assert drawn == other, "equal observations and seeds draw equal states"
                assert hash(drawn) == hash(other)
                assert number or drawn == game.resample(known, Random(where))


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_after_the_deal_any_card_may_be_in_any_other_hand(setup: Setup) -> None:
    """Every card that a seat has not seen is as likely as any other to be there."""
    game, states, _, actions = match(setup)
    state = states[next(ply for ply, action in enumerate(actions) if action.kind == "deal") + 1]
    times = 400
    for seat in range(1, setup.seats + 1):
        sample, rng = game.sampler(game.observation(state, seat)), Random(seat)
        found = [game.hands(sample(rng)) for _ in range(times)]
        unseen = Counter(game.pack) - Counter(game.hands(state)[seat - 1])
        for other, hand in enumerate(game.hands(state), 1):
            if other == seat or not hand:
                continue
            often = Counter(card for hands in found for card in hands[other - 1])
            sure = [card for card in unseen if often[card] in (0, times)]
            assert len(sure) <= 1, "but for one that is turned up, or shown in a hand, any card may be there"
            unknown = len(hand) - sum([often[card] == times for card in sure])
            for card, copies in unseen.items():
                chance = unknown * copies / (unseen.total() - len(sure))
                spread = (times * chance) ** 0.5
                assert card in sure or abs(often[card] - times * chance) < 5 * spread


FEW, EACH, PLACES = 30, 40, 12
"""Up to so many possibilities are counted, each so often on average, at so many places of a game."""
LONG = 40
"""Of a match with more states than this every fifth one is such a place."""


def even_places(name: str, look: Callable[[AnyGame, Any], Hashable]) -> int:
    """At how many places, of those with few possibilities, each came out of guesses about as often as any other."""
    places = [
        (match(setup).game, state, seat)
        for setup in of(name)
        for state in match(setup).states[:: 5 if len(match(setup).states) > LONG else 1]
        for seat in range(1, setup.seats + 1)
    ]
    even = 0
    for game, state, seat in Random(name).sample(places, min(300, len(places))):
        sample, rng = game.sampler(game.observation(state, seat)), Random(1)
        often = Counter(look(game, sample(rng)) for _ in range(FEW + 1))
        while len(often) <= min(FEW, often.total() - 1) and often.total() < EACH * len(often):
            often.update([look(game, sample(rng))])
        if 1 < len(often) <= min(FEW, often.total() - 1):
            mean = often.total() / len(often)
            assert all(abs(number - mean) < 5 * mean**0.5 for number in often.values())
            even += 1
        if even == PLACES:
            break
    return even


WITHOUT_TWINS = [kind.NAME for kind in map(game_class, PRESENT) if len(set(kind.PACK)) == len(kind.PACK)]


@pytest.mark.parametrize("name", WITHOUT_TWINS)
def test_every_state_that_fits_is_as_likely_as_any_other(name: str) -> None:
    """Where the order of a stock makes too many states, hands are counted; no card of the stock is then known."""
    assert even_places(name, lambda game, state: state) or even_places(name, lambda game, state: game.hands(state))


class Fate(NamedTuple):
    """All that can still happen from a state to the end of its deal."""

    to_act: int | None
    hands: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[str, tuple[int, ...], int], ...]
    """For each legal action its notation, what each seat wins by it, and the number of the fate that follows."""
    next_deal: Hashable
    """Where the deal is over, the key."""


class Tree:
    """Every state that can be reached from one to the end of its deal, with its fate."""

    def __init__(self, game: AnyGame, state: Any, most: int) -> None:
        """Raises ``OverflowError`` if there are more than ``most`` states."""
        self.game = game
        self.most = most
        self.numbers: dict[Fate, int] = {}
        """A number for each fate."""
        self.fates: dict[Any, int] = {}
        """The number of the fate of each state."""
        self._visit(state)

    def _visit(self, state: Any) -> int:
        if state not in self.fates:
            if len(self.fates) >= self.most:
                raise OverflowError
            game = self.game
            won = game.payoff(state)
            ways = []
            for action in [] if game.deal_over(state) else sorted(game.legal_actions(state)):
                after = game.apply(state, action)
                gain = tuple([now - before for now, before in zip(game.payoff(after), won, strict=True)])
                ways.append((action.text, gain, self._visit(after)))
            next_deal = game.key(state) if game.deal_over(state) else None
            fate = Fate(game.to_act(state), game.hands(state), tuple(ways), next_deal)
            self.fates[state] = self.numbers.setdefault(fate, len(self.numbers))
        return self.fates[state]


def trees(name: str, most: int) -> Iterator[Tree]:
    """The end of the first deal of every other match, from as far back as there are no more states than ``most``."""
    for setup in of(name)[::2]:
        game, states, _, _ = match(setup)
        first = next(ply for ply, state in enumerate(states) if not game.deal_over(state))
        last = next(ply for ply, state in enumerate(states) if ply > first and game.deal_over(state))
        tree = None
        for state in reversed(states[first:last]):
            try:
                tree = Tree(game, state, most)
            except OverflowError:
                break
        if tree:
            yield tree


@pytest.mark.parametrize("name", PRESENT)
def test_states_of_one_key_have_one_fate(name: str) -> None:
    """The same can happen from them, with the same payoffs to come; and states that came about in other ways are met
    as one."""
    shared = 0
    # Where equal positions are mostly equal states it takes larger trees to meet two that only share a key.
    for tree in (tree for most in (400, 3_000) if not shared for tree in trees(name, most)):
        fates: dict[Hashable, int] = {}
        for state, fate in tree.fates.items():
            key = tree.game.key(state)
            shared += key in fates
            assert fates.setdefault(key, fate) == fate
    assert shared or game_class(name).key is Game.key, (
        "no two states of a deal have one key: leave out key, unless it can leave something out"
    )


def resembling(setup: Setup) -> Iterator[Any]:
    """States that differ in one thing from those of a match: where two cards of the first deal are, or in everything
    that was before it."""
    game, states, _, actions = match(setup)
    deals = [ply for ply, action in enumerate(actions) if action.kind == "deal"]
    first, end = deals[0], [*deals[1:], len(actions)][0]
    pack, rng = actions[first].cards, Random(str(setup))
    orders = [list(pack) for _ in range(12)]
    for order in orders[1:]:
        one, other = rng.sample(range(len(pack)), 2)
        order[one], order[other] = order[other], order[one]
    for before, order in [(states[first], order) for order in orders] + [
        (states[ply], orders[0]) for ply in deals[1:3]
    ]:
        state = before
        for action in (game.parse(" ".join(["deal", *[NAMES[card] for card in order]])), *actions[first + 1 : end]):
            if state != before and action not in game.legal_actions(state):
                break
            state = game.apply(state, action)
            yield state


def check_alike(game: AnyGame, state: Any, twin: Any) -> None:
    """Past the end of the deal, too: as long as the same is done, the same can be done, keys are equal and the same is
    won."""
    rng = Random(1)
    for _ in range(300):
        assert game.key(state) == game.key(twin)
        assert game.to_act(state) == game.to_act(twin)
        assert game.chance(state) == game.chance(twin)
        assert set(game.legal_actions(state)) == set(game.legal_actions(twin))
        if game.to_act(state) is None:
            break
        action = choose(game, state, rng, by_kind=True)
        after, twin_after = game.apply(state, action), game.apply(twin, action)
        assert gained(game, state, after) == gained(game, twin, twin_after)
        state, twin = after, twin_after


@pytest.mark.parametrize("name", PRESENT)
def test_states_of_one_key_go_on_alike(name: str) -> None:
    pools = [(tree.game, list(tree.fates)) for tree in trees(name, most=100)]
    pools += [(match(setup).game, list(resembling(setup))) for setup in of(name)[::2] if not setup.record]
    for game, pool in pools:
        met: dict[Hashable, Any] = {}
        for state in pool:
            twin = met.setdefault(game.key(state), state)
            if twin != state:
                check_alike(game, state, twin)


def gained(game: AnyGame, before: Any, after: Any) -> list[int]:
    """The points that each seat has won from one state to another."""
    return [now - was for was, now in zip(game.payoff(before), game.payoff(after), strict=True)]


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.name in PRESENT], ids=str)
def test_a_deal_is_over_when_the_cards_are_gathered(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states:
        assert game.deal_over(state) == (not in_hands(game, state) or game.outcome(state) is not None)
        assert game.deal_over(state) or game.to_act(state) not in (CHANCE, None)


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.name in PRESENT], ids=str)
def test_a_payoff_is_what_was_won_in_the_whole_match(setup: Setup) -> None:
    """All begin alike, cards that are dealt win nothing, and whoever won the match has more than the others."""
    game, states, by, actions = match(setup)
    for state in states:
        payoff = game.payoff(state)
        assert type(payoff) is tuple
        assert len(payoff) == setup.seats
        assert all(type(won) is int for won in payoff)
    assert len(set(game.payoff(states[0]))) == 1
    for actor, action, (before, after) in zip(by, actions, pairwise(states), strict=True):
        if actor == CHANCE and action.kind == "deal":
            assert game.payoff(after) == game.payoff(before)
    outcome, last = game.outcome(states[-1]), game.payoff(states[-1])
    assert outcome
    best = [seat for seat, won in enumerate(last, 1) if won == max(last)]
    if by[-1] == CHANCE:  # which decides among equals, or ends the match at any moment
        assert set(outcome.winners) <= set(best)
    elif outcome.winners:
        assert list(outcome.winners) == best


@pytest.mark.parametrize("name", PRESENT)
def test_what_was_won_follows_from_what_is_known(name: str) -> None:
    for (game, state, _, where), _, _, other in guesses(name):
        assert game.payoff(other) == game.payoff(state), where
        assert game.deal_over(other) == game.deal_over(state), where
