"""The packs of exercises: each replays, is judged as it was mined, and shows what its seat knows and nothing else."""

from random import Random

import pytest

from cardgames.bots import module_of, reasons
from cardgames.bots.exercises import DIFFICULTIES, pack
from cardgames.bots.review import LEAST_COSTS, as_good
from cardgames.engine.game import CHANCE, OFFERED


@pytest.mark.parametrize("name", OFFERED)
def test_every_exercise_holds(name: str) -> None:
    exercises = pack(name)
    assert exercises
    assert len({exercise.name for exercise in exercises}) == len(exercises)
    for exercise in exercises:
        (_, game, plies, *_), judged = exercise.load()
        observation, unit = judged.choice.observation, module_of(game).UNIT
        assert {rating.action for rating in judged.ratings} == {*observation.legal}
        accepted = [rating.action for rating in judged.ratings if as_good(unit, judged.best, rating)]
        assert [action for action in observation.legal if judged.is_right(action)] == [
            action for action in observation.legal if action in accepted
        ]
        assert judged.best.action in accepted
        assert judged.choice.action not in accepted
        assert judged.grade
        assert judged.cost >= LEAST_COSTS[unit][0]
        assert exercise.theme in module_of(game).THEMES
        assert exercise.difficulty in DIFFICULTIES
        assert exercise.exact == all(rating.exact for rating in judged.ratings)
        told = reasons(game, observation, judged.ratings)
        elsewhere = game.resample(observation, Random(exercise.seed))
        assert reasons(game, game.observation(elsewhere, observation.seat), judged.ratings) == told
        assert all(ply.by != CHANCE or ply.action for ply in plies[1:])


@pytest.mark.parametrize("name", OFFERED)
def test_harder_exercises_are_solved_less_often(name: str) -> None:
    thirds = [[each.share for each in pack(name) if each.difficulty == difficulty] for difficulty in DIFFICULTIES]
    easy, medium, hard = thirds
    assert min(easy) > max(medium) >= min(medium) > max(hard)
    assert all(len(pack(name)) / 5 < len(third) < len(pack(name)) / 2 for third in thirds)
