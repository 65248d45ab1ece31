"""Many matches between computers, on all cores or on a cluster, and their statistics, without a screen.

    tournament = Tournament("durak", 2, {}, ("random",), seed=1)
    tally = Tally()
    with local(jobs=2) as workers:
        for done in results(tournament, chunks(tournament, 10_000), workers):
            tally = tally.plus(done.tally)
    print(tally.seats[2].wins.interval())

``plan`` has the seats and cards of each match, ``playing`` plays a chunk of matches, ``workers`` hands chunks out,
``tally`` and ``intervals`` add up the results, and ``folder`` keeps the records. The result of a tournament
follows from its seed: each chunk has random numbers of its own, by its number, and only integers are added up,
so that the result is the same whichever process plays a chunk, and in whichever order chunks are done.
"""

from cardgames.tournament.intervals import Interval, Sums
from cardgames.tournament.plan import Chunk, Tournament, chunks
from cardgames.tournament.playing import Done, MatchFailed, UnreadableRecord, play_chunk
from cardgames.tournament.summary import Pace, seconds_a_move, standings_of_levels
from cardgames.tournament.tally import Means, ResultSums, Tally
from cardgames.tournament.workers import Workers, WorkersLost, cluster, local, processors, results, spread

__all__ = [
    "Chunk", "Done", "Interval", "MatchFailed", "Means", "Pace", "ResultSums", "Sums", "Tally", "Tournament",
    "UnreadableRecord", "Workers", "WorkersLost", "chunks", "cluster", "local", "play_chunk", "processors", "results",
    "seconds_a_move", "spread", "standings_of_levels",
]  # fmt: skip
