"""All trials at full size, a line of figures each: ``scripts/trials``, or ``scripts/trials killed records``."""

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterator

from cardgames.engine.game import GAMES, OFFERED, game_class

from . import (
    bids,
    certainty,
    damage,
    database,
    endings,
    exploitability,
    growth,
    held_keys,
    interruptions,
    keys,
    killed_tables,
    kills,
    leaving,
    luck,
    many_matches,
    measurements,
    memory,
    mischief,
    mutations,
    presses,
    reasons,
    tables,
    values,
)

TRIALS: dict[str, Callable[[float], Iterator[object]]] = {}
"""The trials by name; each is given how much of its full size is wanted and yields its figures."""


def trial(run: Callable[[float], Iterator[object]]) -> Callable[[float], Iterator[object]]:
    """Register a trial under its name."""
    TRIALS[run.__name__.replace("_", "-")] = run
    return run


def share(whole: int, part: float) -> int:
    """That part of a whole number, but at least one."""
    return max(1, round(whole * part))


@trial
def killed(part: float) -> Iterator[object]:
    """1,000 kills over all games."""
    yield kills.trial(share(1000, part))


@trial
def left(part: float) -> Iterator[object]:
    """Every way to leave, at every prompt of eight turns of each game; 600 signals between and at prompts."""
    yield leaving.trial(share(8, part))
    yield leaving.at_any_moment(share(300, part))


@trial
def damaged(part: float) -> Iterator[object]:
    """A file cut at every 512th byte, 2,000 with flipped bytes; full disks, a read-only folder, a newer one, a lock."""
    yield damage.trial(1, share(1000, part))
    yield damage.refusals(share(20, part))


@trial
def interrupted(part: float) -> Iterator[object]:
    """All that writes the store, killed and without power at each system call: more than 1,000 repairs among it."""
    yield interruptions.trial(share(1, 1 / part), 3, share(18, part))


@trial
def restarted(part: float) -> Iterator[object]:
    """PostgreSQL restarted 20 times, and 200 players killed, during play at two terminals."""
    yield database.restarts(share(20, part), share(200, part))


@trial
def appended(part: float) -> Iterator[object]:
    """How many actions a second PostgreSQL takes, ten seconds each."""
    for writers, listeners in ((1, 0), (1, 20), (8, 20)):
        yield database.appends(writers, listeners, 10 * part)


@trial
def records(part: float) -> Iterator[object]:
    """100,000 mutated records."""
    yield mutations.trial(share(100_000, part), workers=2)


@trial
def random_keys(part: float) -> Iterator[object]:
    """6,000 random keys."""
    yield keys.trial(share(6000, part))


@trial
def keys_an_action(part: float) -> Iterator[object]:
    """Twelve matches of each game with each number of players, by rule: the fewest keys for every action."""
    for game in GAMES:
        for seats in game_class(game).SEATS:
            found = presses.trial(game, seats, share(12, part))
            yield found
            assert found.an_action <= presses.REACH, found
            alone = presses.trial(game, seats, share(12, part), people=1)
            yield alone
            assert alone.without_pauses <= presses.REACH_ALONE, alone


@trial
def luck_is_even(part: float) -> Iterator[object]:
    """Forty matches of ``random`` against ``strong`` of each game reviewed: the luck of both has a mean of zero."""
    for game in GAMES:
        yield luck.trial(game, max(2, share(40, part)))


@trial
def best_responses(part: float) -> Iterator[object]:
    """A hand of Truc with few cards: what a best response gains, as OpenSpiel and our solver say."""
    yield exploitability.trial()


@trial
def ten_thousand_actions(part: float) -> Iterator[object]:
    """A match of 10,000 actions of every game that can be so long."""
    for game in growth.LONG:
        yield growth.trial(game, share(10_000, part), 540)


@trial
def ten_thousand_matches(part: float) -> Iterator[object]:
    """A store of 10,000 matches: listed, looked at, left and repaired."""
    yield many_matches.trial(share(10_000, part))


@trial
def intervals(part: float) -> Iterator[object]:
    """1,000 simulations of each of two games, and 1,000 in pairs: how often their intervals hold the truth."""
    for game in ("durak", "fipsen"):
        yield certainty.trial(game, share(1000, part), 60)
    yield certainty.trial("durak", share(1000, part), 120, pairs=True)


@trial
def bids_come_true(part: float) -> Iterator[object]:
    """400 deals of Fipsen with three and with four, as thought over at a table: how many bids are made as said."""
    for seats in (3, 4):
        yield bids.trial(seats, share(400, part), 150)


@trial
def contracts_come_true(part: float) -> Iterator[object]:
    """400 deals of Fipsen with three and with four after the auction: how many contracts are made as said."""
    for seats in (3, 4):
        yield bids.contracts(seats, share(400, part), 1000)


@trial
def errors_hold(part: float) -> Iterator[object]:
    """200 positions a game: how many values and differences lie within their doubts at four times the thinking, and
    how many of 200 pairs of hints contradict each other."""
    for game in OFFERED:
        yield values.errors(game, share(200, part))


@trial
def endings_are_exact(part: float) -> Iterator[object]:
    """3,000 endings of Durak and 1,000 of Kakeya Trump and of Fipsen, beside a minimax over the rulebook.

    Then 300 endings of Durak of each size: how many are exact with the work of a hint."""
    for game in endings.SOLVERS:
        yield endings.trial(game, share(3000 if game == "durak" else 1000, part))
    yield endings.solved(share(300, part))


@trial
def values_come_true(part: float) -> Iterator[object]:
    """4,000 positions of Kakeya Trump and 1,500 of Zetema: values beside the results of matches."""
    yield values.outcomes("kakeya", 4, share(4000, part))
    yield values.outcomes("zetema", 2, share(1500, part))


@trial
def hints_have_reasons(part: float) -> Iterator[object]:
    """200 hints a game in which a move is clearly worse: how many have a reason."""
    for game in OFFERED:
        yield values.hints(game, share(200, part))


@trial
def reasons_are_true(part: float) -> Iterator[object]:
    """Ten times the matches of the suite: every sentence of every hint, checked against cards that nobody sees."""
    for game in OFFERED:
        yield reasons.trial(game, 10 * part)


@trial
def starts_are_right(part: float) -> Iterator[object]:
    """200 choices a game: how often the pointer starts at a move that a hint calls an error."""
    for game in OFFERED:
        yield values.starts(game, share(200, part))


@trial
def guests_at_tables(part: float) -> Iterator[object]:
    """50 tables for ten minutes, a guest a seat, through SSH."""
    found = tables.trial(share(50, part), 600 * min(1.0, part))
    yield found
    assert found.p95 <= tables.REACH_MS, found
    if part >= 1:  # fewer people take more each: what the server needs for itself is divided by them
        assert found.person <= tables.REACH_MB, found


@trial
def tables_killed(part: float) -> Iterator[object]:
    """1,000 kills of guests' processes, their lines and servers, and 20 restarts of PostgreSQL, at three tables; as
    many kills on SQLite."""
    yield killed_tables.trial(share(1000, part), share(20, part))
    yield killed_tables.trial(share(1020, part), 0)


@trial
def guests_up_to_mischief(part: float) -> Iterator[object]:
    """10,000 guests who come over SSH for something else than cards."""
    yield mischief.trial(share(10_000, part))


@trial
def keys_held(part: float) -> Iterator[object]:
    """10,000 keys in each kind of question, in a guest's lobby, and as many as a guest can send."""
    for question in held_keys.QUESTIONS:
        yield held_keys.trial(question, share(10_000, part))
    yield held_keys.over_ssh(share(10_000, part))
    for rate in held_keys.RATES:
        yield held_keys.flooded(rate, 60 * part)


@trial
def keys_held_at_once(part: float) -> Iterator[object]:
    """100 guests who hold a key for a minute each, at once."""
    yield held_keys.crowd(share(100, part), 60 * part)


@trial
def a_million_matches(part: float) -> Iterator[object]:
    """1,000,000 simulated matches of Durak, 100,000 of the others: the memory that they take."""
    for game in GAMES:
        yield memory.trial(game, share(1_000_000 if game == "durak" else 100_000, part))


def main() -> int:
    """Run the trials that are named, or all of them; 1 if one failed."""
    parser = argparse.ArgumentParser(prog="scripts/trials", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TRIAL", help=f"of {', '.join(TRIALS)}; all if none is named")
    parser.add_argument("--part", type=float, default=1.0, metavar="P", help="how much of the full size (default: 1)")
    parser.add_argument("--write", action="store_true", help="keep the figures in .github/MEASUREMENTS.md")
    options = parser.parse_args()
    for name in options.names:
        if name not in TRIALS:
            parser.error(f"there is no trial {name}")
    failed = False
    for name in options.names or TRIALS:
        begun, where, found = time.monotonic(), measurements.machine(), []
        try:
            for figures in TRIALS[name](options.part):
                print(f"{name}: {figures}", flush=True)
                found.append(str(figures).replace("|", "/"))
            if options.write:
                what = name if options.part == 1 else f"{name}, part {options.part:g}"
                measurements.write("scripts/trials", [(what, "; ".join(found), "", "", "holds")], where)
        except AssertionError as error:
            failed = True
            traceback.print_exception(error)
            print(f"{name}: FAILED after {time.monotonic() - begun:.0f} s: {error}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
