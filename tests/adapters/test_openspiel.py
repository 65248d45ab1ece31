"""OpenSpiel's own tests and algorithms on the games, and a playthrough on file."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.policy import UniformRandomPolicy

from cardgames.adapters.openspiel import DealState, register, resample
from cardgames.engine.cards import CARDS, names
from cardgames.engine.game import CHANCE, GAMES, Action, Chance, game_class
from cardgames.engine.truc import Truc

TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]


def load(name: str, seats: int) -> Any:
    return pyspiel.load_game(f"cardgames_{name}", {"players": seats})


def drawn(state: DealState, rng: Random) -> int:
    """What chance draws."""
    places, chances = zip(*state.chance_outcomes(), strict=True)
    assert abs(sum(chances) - 1) < 1e-9
    place: int = rng.choices(places, chances)[0]
    return place


def played(state: DealState, rng: Random) -> Iterator[DealState]:
    """The states of a deal that is played at random from here: ``state`` itself, which goes on each time."""
    while not state.is_terminal():
        yield state
        state.apply_action(drawn(state, rng) if state.is_chance_node() else rng.choice(state.legal_actions()))
    yield state


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_random_simulation(name: str, seats: int) -> None:
    pyspiel.random_sim_test(load(name, seats), num_sims=1, serialize=True, verbose=False)


def test_games_states_and_policies_go_to_other_processes() -> None:
    """A process that has not imported the adapter unpickles them."""
    games = [pyspiel.load_game("cardgames_durak", {"players": 3, "throw_in": True}), load("truc", 2)]
    states = [[*played(game.new_initial_state(), Random(1))][-1] for game in games]
    policies = [UniformRandomPolicy(game) for game in games]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert [*pool.map(str, games)] == [*map(str, games)]
        assert [*pool.map(DealState.returns, states)] == [state.returns() for state in states]
        chances = [policy.action_probabilities(policy.game.new_initial_state()) for policy in policies]
        starts = [game.new_initial_state() for game in games]
        assert [*pool.map(UniformRandomPolicy.action_probabilities, policies, starts)] == chances


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_part_of_the_tree(name: str, seats: int) -> None:
    """Run all methods of OpenSpiel's test of its own games that begin with ``test_``."""
    test: Any = type("Test", (api_test.EnforceAPIOnPartialTreeBase,), {"game": load(name, seats), "game_name": name})
    test.setUpClass()
    methods = [method for method in dir(test) if method.startswith("test_")]
    assert len(methods) > 4
    for method in methods:
        getattr(test(method), method)()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_payoffs_are_constant_sum_where_the_game_says_so(name: str, seats: int) -> None:
    game, sums = load(name, seats), set()
    for seed in range(12):
        *_, end = played(game.new_initial_state(), Random(seed))
        sums.add(sum(end.returns()))
        assert all(game.min_utility() <= worth <= game.max_utility() for worth in end.returns())
    assert (game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM) == (sums == {0.0})


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_a_player_recalls_only_grows(name: str, seats: int) -> None:
    before = [""] * seats
    choices = 0
    for now in played(load(name, seats).new_initial_state(), Random(7)):
        for player in range(seats):
            recalled = "\n".join(now.deal.histories[player + 1])
            assert recalled.startswith(before[player])
            before[player] = recalled
        choices += not now.is_chance_node()
    assert choices > 5


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_resampled_state_looks_the_same(name: str, seats: int) -> None:
    rng = Random(9)
    others = 0
    for state in played(load(name, seats).new_initial_state(), rng):
        if state.is_chance_node() or state.is_terminal():
            continue
        player = state.current_player()
        guess = resample(state, player, rng)
        assert guess.information_state_string(player) == state.information_state_string(player)
        assert guess.legal_actions() == state.legal_actions()
        others += guess.deal.state != state.deal.state
    assert others


EQUAL_HANDS = ("7S", "7H", "8S", "8H", "9S", "9H")
"""So dealt, the hands are equal, and a hand may be nobody's."""


class FewDeals(Chance):
    """A shuffle of few cards, which are dealt first; the rest follow in their order."""

    def action(self, chosen: Sequence[int]) -> Action:
        order = tuple(dict.fromkeys((*chosen, *[CARDS[name] for name in EQUAL_HANDS], *Truc.PACK)))
        return Action(self.kind, f"{self.kind} {names(order)}", order)


class SmallTruc(Truc):
    """Truc with two deals: the whole tree of a round of one point can be walked."""

    def chance(self, state: Any) -> Chance | None:
        return FewDeals("deal", (CARDS["7S"], CARDS["7H"]), 2) if self.to_act(state) == CHANCE else None


register("small_truc", SmallTruc)

RECALLING_TENSORS = "test_current_player_infosets_no_overlap_between_players"
"""It wants tensors with perfect recall, which there are not."""
COUNTS = ("test_number_of_nodes", "test_game_is_perfect_recall")
"""They compare numbers that OpenSpiel has for its own games."""


def test_the_whole_tree() -> None:
    """Run the methods of OpenSpiel's test of whole trees on a small Truc, and its check of perfect recall."""
    game = pyspiel.load_game("small_truc", {"points": 1, "rounds": 1, "one_exchange": True})
    assert api_test._assert_is_perfect_recall(game)
    test: Any = type("Test", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": "small_truc"})
    test.setUpClass()
    methods = {method for method in dir(test) if method.startswith("test_")} - {RECALLING_TENSORS, *COUNTS}
    assert len(methods) > 4
    for method in methods:
        getattr(test(method), method)()


def test_ismcts_plays_a_match() -> None:
    game, rng = load("durak", 2), Random(3)
    bots = []
    for seed in range(2):
        numbers = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, numbers)
        bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=2.0, max_simulations=4, random_state=numbers)
        bot.set_resampler(lambda state, player: resample(state, player, rng))
        bots.append(bot)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(drawn(state, rng) if state.is_chance_node() else bots[state.current_player()].step(state))
    assert sorted(state.returns()) in ([-1, 1], [0, 0])


def test_counterfactual_regret_minimisation_plays_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of Durak is one deal; CFR of a whole one learns from sampled outcomes."""
    game, rng = load("durak", 2), Random(4)
    monkeypatch.setattr(np.random, "choice", np.random.RandomState(4).choice)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(3):
        solver.iteration()
    policy = solver.average_policy()
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(drawn(state, rng))
        else:
            actions, chances = zip(*policy.action_probabilities(state).items(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
    assert sorted(state.returns()) in ([-1, 1], [0, 0])


PLAYTHROUGH = Path(__file__).parent / "playthrough-truc.txt"


def test_playthrough() -> None:
    """One deal of Truc as OpenSpiel's own script writes it; ``CARDGAMES_PLAYTHROUGH=write`` writes it anew."""
    text = playthrough("cardgames_truc", None, seed=11)
    if os.environ.get("CARDGAMES_PLAYTHROUGH") == "write":
        PLAYTHROUGH.write_text(text, encoding="utf-8")
    assert text == PLAYTHROUGH.read_text(encoding="utf-8")
