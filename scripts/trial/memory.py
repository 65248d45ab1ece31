"""Whether many matches take more memory than few."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
REACH = 1.25
"""How many times the memory after a tenth of the matches all of them may take: tables of the rules fill up by then."""

PLAY = """
import sys
from cardgames.engine.game import game_class
from cardgames.simulation import Tally, Simulation, add, chunks, play_chunks

game, matches = sys.argv[1], int(sys.argv[2])
simulation = Simulation(game, game_class(game).SEATS[0], {}, ("random",), 1)
tally, soon = Tally(), matches // 10
for done in play_chunks(simulation, chunks(simulation, matches), None):
    tally = add(tally, done.tally)
    if tally.matches >= soon:
        print(open("/proc/self/statm").read().split()[1])  # pages; the high-water mark would be that of who started it
        soon = matches if soon < matches else soon + 1
"""


class Memory(NamedTuple):
    """The figures of the trial, in pages of 4 kB."""

    game: str
    matches: int
    after_a_tenth: int
    at_the_end: int

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.matches:,} matches: {self.after_a_tenth / 256:.0f} MB after a tenth of them, "
            f"{self.at_the_end / 256:.0f} MB at the end"
        )


def trial(game: str, matches: int) -> Memory:
    """Play so many matches at random in a process of its own; fails if they take more memory than a tenth of them."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, game, str(matches)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tenth, *_, end = map(int, done.stdout.split())
    found = Memory(game, matches, tenth, end)
    assert end <= REACH * tenth, str(found)
    return found
