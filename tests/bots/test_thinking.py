"""How much is thought, and how the promising actions are told from the others."""

from dataclasses import replace
from random import Random

import pytest

from cardgames.bots.monte_carlo import FINALISTS, ROUNDS, Race
from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action

ACTIONS = [Action("play", text) for text in "abcde"]
WORTH = {"a": 0.1, "b": 0.5, "c": 0.1, "d": 0.5, "e": 0.9}


def test_time_is_counted_too() -> None:
    assert not Budget(None, 0.0).spend()
    assert Budget(None, 60.0).spend(1_000_000)
    assert not Budget(5, 60.0).spend(6)
    assert Budget(None, 60.0).part(0.5, 1).spend(2)


def test_a_part_has_the_steps_left_but_no_fewer_than_its_own() -> None:
    for left, own in ((100, 7), (7, 100)):
        part = Budget(left).part(0.5, own)
        assert part.spend(100)
        assert not part.spend()


def test_the_best_is_found_and_tried_most() -> None:
    tries: dict[str, int] = dict.fromkeys("abcde", 0)

    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        tries[action.text] += 1
        return WORTH[action.text] + guessed + rng.gauss(0, 0.3)

    def guess(rng: Random) -> float:
        return rng.gauss(0, 1)

    rated = Race(ACTIONS, ACTIONS[0], guess, roll_out, doubt=0.5).run(Random(1), Budget(1000))
    assert rated[0].action.text == "e"
    assert sorted(rating.action for rating in rated) == sorted(ACTIONS)
    assert tries["e"] == max(tries.values())
    assert ROUNDS <= tries["a"] < tries["e"]
    assert all(rating.error > 0 for rating in rated)


def test_the_usual_is_chosen_where_nothing_is_clearly_better() -> None:
    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        return 1.0

    for usual in ACTIONS:
        race = Race(ACTIONS, usual, Random.random, roll_out, doubt=0.5)
        assert race.run(Random(1), Budget(40))[0].action == usual


def test_caution_keeps_to_the_usual_until_another_is_better_beyond_doubt() -> None:
    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        return 0.05 * (action.text == "c") + rng.gauss(0, 1)

    chosen = [
        Race(ACTIONS, ACTIONS[1], Random.random, roll_out, doubt=0.5, caution=caution).run(Random(seed), Budget(60))[0]
        for caution in (0.0, 2.0)
        for seed in range(20)
    ]
    bold, careful = chosen[:20], chosen[20:]
    assert sum([rating.action == ACTIONS[1] for rating in careful]) > sum([r.action == ACTIONS[1] for r in bold])


@pytest.mark.parametrize(("lead", "first"), [(0.02, "a"), (1.0, "b")])
def test_an_odd_move_comes_first_only_if_it_is_clearly_better(lead: float, first: str) -> None:
    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        return {"a": 0.0, "b": lead}.get(action.text, -1.0) + rng.gauss(0, 0.01)

    race = Race(ACTIONS, ACTIONS[2], Random.random, roll_out, doubt=0.5, dubious=ACTIONS[1:])
    for thorough in (False, True):  # in a hint both stay in the race
        assert race.run(Random(1), Budget(40, thorough=thorough))[0].action.text == first


def test_small_budgets_still_allow_a_few_attempts() -> None:
    tries: list[str] = []

    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        tries.append(action.text)
        return 0.0

    race = Race(ACTIONS, ACTIONS[0], Random.random, roll_out, doubt=0.5, steps=3)
    race.run(Random(1), Budget(0))
    assert len(tries) == ROUNDS * len(ACTIONS)
    tries.clear()
    race.run(Random(1), Budget(60))
    assert len(tries) == ROUNDS * len(ACTIONS) + 60 // 3
    tries.clear()
    replace(race, actions=ACTIONS[:1]).run(Random(1), Budget(60, thorough=True))  # one alone, of which a hint tells
    assert len(tries) == 2 * ROUNDS + 60 // 3  # in two heats


def test_hints_spend_the_rest_on_compared_moves() -> None:
    tries: dict[str, int] = dict.fromkeys("abcde", 0)

    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        tries[action.text] += 1
        return WORTH[action.text] + rng.gauss(0, 0.1)

    def ratings(thorough: bool) -> tuple[Rating, ...]:
        budget = Budget(600, thorough=thorough)
        return Race(ACTIONS, ACTIONS[0], Random.random, roll_out, doubt=0.5).run(Random(1), budget)

    quick = ratings(thorough=False)
    tries.update(dict.fromkeys("abcde", 0))
    sure = ratings(thorough=True)
    assert quick[0].action == sure[0].action
    assert all(one.error < other.error / 4 for one, other in zip(sure[:FINALISTS], quick[:FINALISTS], strict=True))
    assert sum(tries.values()) >= 600


def test_moves_worse_in_every_sample_are_behind() -> None:
    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        return guessed + WORTH[action.text] / 100

    def guess(rng: Random) -> float:
        return rng.gauss(0, 1)

    best, *others = Race(ACTIONS, ACTIONS[0], guess, roll_out, doubt=0.01).run(Random(1), Budget(400))
    assert best.action.text == "e"
    assert all(best.beats(rating) and not rating.beats(best) for rating in others)
    assert not any(best._replace(leads={}).beats(rating) for rating in others)


def test_there_is_no_doubt_about_what_no_guess_changes() -> None:
    def roll_out(guessed: float, action: Action, rng: Random) -> float:
        return 0.3 if action.text == "a" else guessed

    race = Race(ACTIONS, ACTIONS[1], Random.random, roll_out, doubt=0.5, sure=ACTIONS[:1])
    rated = race.run(Random(1), Budget(40))
    assert [(rating.action, round(rating.value, 9)) for rating in rated if not rating.error] == [(ACTIONS[0], 0.3)]
