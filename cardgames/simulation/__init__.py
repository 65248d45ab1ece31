"""Many matches between computers, on all cores or on a cluster, and their statistics, without a screen.

    simulation = Simulation("durak", 2, {}, ("random",), seed=1)
    tally = Tally()
    with local_workers(jobs=2) as workers:
        for result in play_chunks(simulation, chunks(simulation, 10_000), workers):
            tally = add(tally, result.tally)
    print(tally.seats[2].wins.interval())

``plan`` has the seats and cards of each match, ``playing`` plays a chunk of matches, ``workers`` hands chunks out,
``tally`` and ``intervals`` add up the results, and ``folder`` keeps the records. The result of a simulation
follows from its seed: the number of a chunk determines its random numbers, and only integers are added up. Thus it
does not matter which process plays a chunk, or in which order chunks are finished.
"""

from cardgames.simulation.intervals import Interval, Sums, add
from cardgames.simulation.plan import Chunk, Simulation, chunks
from cardgames.simulation.playing import ChunkResult, MatchFailed, UnreadableRecord, play_chunk
from cardgames.simulation.tally import Means, Pace, ResultSums, Tally, seconds_a_move, standings_of_levels
from cardgames.simulation.workers import Workers, WorkersLost, cluster_workers, local_workers, map_parallel, play_chunks

__all__ = [
    "Chunk", "ChunkResult", "Interval", "MatchFailed", "Means", "Pace", "ResultSums", "Simulation", "Sums", "Tally",
    "UnreadableRecord", "Workers", "WorkersLost", "add", "chunks", "cluster_workers", "local_workers", "map_parallel",
    "play_chunk", "play_chunks", "seconds_a_move", "standings_of_levels",
]  # fmt: skip
