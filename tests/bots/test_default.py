"""The computers of a game that has none of its own, at Durak."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from cardgames.bots import default
from cardgames.bots.thinking import Budget
from cardgames.engine.durak import DurakObservation
from cardgames.engine.game import Action, AnyGame
from cardgames.engine.record import read

RECORDS = Path(__file__).parents[1] / "records"


def won_at_once() -> Iterator[tuple[AnyGame, DurakObservation, set[Action]]]:
    """Choices on record of which some win the match at once, nothing being hidden any more."""
    for path in sorted(RECORDS.glob("durak-*.jsonl")):
        _, game, plies = read(path.read_bytes().splitlines())
        for ply in plies:
            legal = game.legal_actions(ply.state)
            seat = game.to_act(ply.state) or 0
            ends = {action for action in legal if game.payoff(game.apply(ply.state, action))[seat - 1] > 0}
            if ends and len(ends) < len(legal):
                yield game, game.observation(ply.state, seat), ends


def test_a_move_that_wins_at_once_is_rated_first() -> None:
    found = list(won_at_once())
    assert found
    for game, observation, ends in found:
        best, *others = default.thinker("easy", game).rate(observation, Random(1), Budget(200))
        assert best.action in ends
        assert {rating.action for rating in (best, *others)} == {*observation.legal}


def test_equal_seeds_lead_to_equal_choices() -> None:
    game, observation, _ = next(won_at_once())
    first, second = [default.thinker("fair", game).rate(observation, Random(2), Budget(50)) for _ in range(2)]
    assert first == second
