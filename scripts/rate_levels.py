"""Rate the levels of computers by matches between them, and write ``cardgames/bots/level_ratings.py``.

    .venv/bin/python scripts/rate_levels.py --matches 60           slow without numba

Each pair of levels plays the same number of matches of each game, each deal from both sides, with counted work. The
matches are rated like those of people, so all ratings have one scale. `fair` gets the rating at which newcomers begin.
"""

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, combinations, groupby
from operator import attrgetter
from pathlib import Path
from statistics import fmean

from cardgames.engine.game import OFFERED, game_class
from cardgames.simulation import Chunk, Simulation, play_chunk
from cardgames.store.ratings import MEAN, PlayerRating, ratings_after

MODULE = Path(__file__).parent.parent / "cardgames/bots/level_ratings.py"
LEVELS = ("easy", "fair", "strong")
PASSES, STEP = 300, 15.0
"""The number of further passes through all results, and the deviation that limits their steps."""
HEAD = '''"""The ratings of the levels at each game: mean and standard deviation, on the scale of `store.ratings`.

`scripts/rate_levels.py --matches {matches} --seed {seed}` has written this file: {matches} matches a pair of levels.
"""

LEVEL_RATINGS = {{
{lines}
}}
"""Pairs of mean and standard deviation by game and level, for the smallest number of players."""
'''


def results(game: str, seed: int, matches: int, levels: tuple[str, str]) -> list[tuple[tuple[str, ...], list[int]]]:
    """Play matches of two levels; return the levels by seat and the winning seats of each match."""
    game_type = game_class(game)
    simulation = Simulation(game, game_type.SEATS[0], game_type.RULES().values(), levels, seed, pairs=True)
    count = simulation.round_up(matches)
    chunks = [Chunk(number, first, simulation.unit, recorded=True) for number, first in
              enumerate(range(0, count, simulation.unit))]  # fmt: skip
    records = [record for chunk in chunks for record in play_chunk(simulation, chunk).records]
    won = [json.loads(record.splitlines()[-1])["outcome"]["winners"] for record in records]
    return [(simulation.seating(match), winners) for match, winners in enumerate(won)]


def rate_game(game: str, matches: int, seed: int) -> dict[str, PlayerRating]:
    """Play matches of a game and rate its levels, with ``fair`` at ``MEAN``. Print the results of each pair."""
    game_type = game_class(game)
    sides = game_type(game_type.SEATS[0], game_type.RULES(), 1).sides
    played = [results(game, seed, matches, pair) for pair in combinations(LEVELS, 2)]
    for (first, second), matches_of_pair in zip(combinations(LEVELS, 2), played, strict=True):
        won = sum(first in [seating[seat - 1] for seat in winners] for seating, winners in matches_of_pair)
        print(f"# {game}: {first} has won {won} of {len(matches_of_pair)} against {second}", flush=True)
        # One match is added with the opposite result, so that even a level that always wins has a finite rating.
        seating, winners = matches_of_pair[0]
        matches_of_pair.append((seating, [seat for side in sides if side[0] not in winners for seat in side]))
    in_turn = [*chain(*zip(*played, strict=True))]
    ratings = rate_results({level: PlayerRating(level) for level in LEVELS}, in_turn, sides)
    deviations = {level: rating.deviation for level, rating in ratings.items()}
    for _ in range(PASSES):  # the first pass overshoots, and these settle by small steps
        ratings = rate_results(ratings, in_turn, sides, STEP)
    shift = MEAN - ratings["fair"].mean
    return {level: PlayerRating(level, ratings[level].mean + shift, deviations[level]) for level in LEVELS}


def rate_results(
    ratings: dict[str, PlayerRating],
    played: list[tuple[tuple[str, ...], list[int]]],
    sides: Sequence[Sequence[int]],
    deviation: float | None = None,
) -> dict[str, PlayerRating]:
    """The ratings of the levels after these matches, given as :func:`results` does.

    With ``deviation`` every rating has it before each match, which limits the steps of the means."""
    if deviation is not None:
        ratings = {level: rating._replace(deviation=deviation) for level, rating in ratings.items()}
    for seating, winners in played:
        before = [[ratings[seating[seat - 1]] for seat in side] for side in sides]
        after = chain(*ratings_after(before, [side[0] in winners for side in sides]))
        new = {}
        for level, group in groupby(sorted(after, key=attrgetter("name")), key=attrgetter("name")):
            seats = [*group]
            spread = fmean(each.deviation for each in seats) if deviation is None else deviation
            new[level] = PlayerRating(level, fmean(each.mean for each in seats), spread)
        ratings = {**ratings, **new}
    return ratings


def main() -> None:
    """Rate all games and write the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=60, help="of each pair of levels (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="decides the cards (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, help="games that are played at once (default: 1)")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        result = pool.map(partial(rate_game, matches=options.matches, seed=options.seed), OFFERED)
        lines = []
        for game, ratings in zip(OFFERED, result, strict=True):
            entries = ", ".join(f'"{name}": ({each.mean:.0f}, {each.deviation:.0f})' for name, each in ratings.items())
            lines.append(f'    "{game}": {{{entries}}},')
            print(lines[-1], flush=True)
    MODULE.write_text(HEAD.format(matches=options.matches, seed=options.seed, lines="\n".join(lines)))


if __name__ == "__main__":
    main()
