"""Fits the chance of making a bid at Fipsen, and prints `MADE` and `SHARPNESS` of ``cardgames/bots/fipsen.py``.

    .venv/bin/python scripts/fit_fipsen.py                         wants numba, or patience

In more than half of the deals one seat bids at random, so that bids of all chances are played; all others bid and play
as `strong` does. Of each bid that became the contract the tricks won with open hands are looked up, in that deal and in
sampled ones: the first count how often a contract is made, the second how sharp the chance is by that count.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from math import log
from random import Random
from statistics import fmean
from typing import NamedTuple

from cardgames.bots import fipsen
from cardgames.bots.fipsen_auction import bid_probability, needed_over, strength
from cardgames.bots.fipsen_solver import FipsenSolver
from cardgames.bots.thinking import Budget
from cardgames.engine.fipsen import Fipsen, FipsenObservation, FipsenRules
from cardgames.engine.fipsen_bids import Bid
from cardgames.engine.game import Action

BIDDING, PLAYING, SAMPLED = 100, 150, 120
"""The deals solved for a bid and for another choice, and those sampled for a contract."""
BOLD = 0.6
"""The share of deals in which one seat bids at random."""
TRUST = 2
"""How many contracts the present rate counts for."""
SHARP = [round(0.5 + 0.01 * step, 2) for step in range(200)]
"""The values tried for `SHARPNESS`."""


class Played(NamedTuple):
    """A contract, played until it was made or lost."""

    bid: Bid
    tricks: int
    """The tricks won with open hands."""
    sampled: dict[int, float]
    """The weights of these tricks in sampled deals."""
    made: bool


def bold(o: FipsenObservation, guesser: fipsen.FipsenGuesser, rng: Random) -> Action:
    """A bid of a random chance."""
    ratings = [each for each in guesser.rate(o, rng, Budget(BIDDING)) if each.action.kind in ("bid", "hold")]
    chances = {each.action: fipsen.contract_probability(o, each) or 0.0 for each in ratings}
    target = rng.random()
    holds = [action for action in chances if action.kind == "hold"]
    return holds[0] if holds else min(chances, key=lambda action: abs(chances[action] - target), default=o.legal[0])


def play(seats: int, number: int) -> Played | None:
    """Play a deal; ``None`` if it has a kieker or four sevens."""
    game, rng = Fipsen(seats, FipsenRules(deals=1)), Random(f"fit_fipsen {seats} {number}")
    guessers = [fipsen.FipsenGuesser(game) for _ in range(seats)]
    odd = rng.randrange(seats) + 1 if rng.random() < BOLD else 0
    state, spoken = game.start(), dict[int, FipsenObservation]()
    dealt, skat, declarer = state.hands, 0, 0
    contract: Bid | None = None
    made: bool | None = None
    while made is None and (seat := game.to_act(state)) is not None:
        if drawn := game.chance(state):
            state = game.apply(state, drawn.sample(rng))
            dealt, skat = state.hands, state.aside.skat
            continue
        o = game.observation(state, seat)
        declarer, contract = o.declarer or declarer, contract or o.contract
        if o.phase == "stop":
            made = True
            break
        if o.phase == "bid" and seat == odd and len(o.legal) > 1:
            action = bold(o, guessers[seat - 1], rng)
        elif len(o.legal) > 1:
            action = guessers[seat - 1].choose(o, rng, Budget(BIDDING if o.phase == "bid" else PLAYING))
        else:
            action = o.legal[0]
        if action.kind in ("kieker", "sevens"):
            return None
        if action.kind in ("bid", "hold"):
            spoken[seat] = o
        state = game.apply(state, action)
    assert contract
    made = made or game.scores(state)[declarer - 1] > 0
    return _played(contract, guessers[declarer - 1], spoken[declarer], [*dealt[1:]], skat, made, rng)


def _played(
    bid: Bid, guesser: fipsen.FipsenGuesser, o: FipsenObservation, dealt: list[int], skat: int, made: bool, rng: Random
) -> Played:
    """The contract, with what declarer could see when they spoke last."""
    seats = len(o.counts)
    others = [(o.seat + step) % seats for step in range(seats - 1)]
    rivals = [seat - 1 for seat in {*o.waiting, o.standing, o.bidder} if seat and seat != o.seat]
    way = frozenset(bid.extras) - {"durch"}
    prospects, draw = fipsen.Prospects(o.hand, FipsenSolver()), guesser._sampler(o)
    sampled = dict[int, float]()
    for _ in range(SAMPLED):
        guess = draw(rng)
        tricks = prospects.tricks_by_extras((way,), [guess.hands[seat] for seat in others], guess.skat)[way]
        weight = 1 - bid_probability(
            max([strength(guess.dealt[seat]) for seat in rivals], default=0.0), needed_over(bid)
        )
        sampled[tricks] = sampled.get(tricks, 0.0) + weight
    tricks = prospects.tricks_by_extras((way,), [dealt[seat] for seat in others], skat)[way]
    return Played(bid, tricks, sampled, made)


def fit(found: list[Played]) -> None:
    """Count how often contracts are made, and find the sharpness by which the results are likeliest."""
    for hand, rates in fipsen.MADE.items():
        counted = []
        for place, rate in enumerate(rates):
            here = [
                one.made
                for one in found
                if ("hand" in one.bid.extras) == hand and max(0, min(5, one.tricks - one.bid.needed + 3)) == place
            ]
            counted.append((sum(here) + TRUST * rate) / (len(here) + TRUST))
            print(f"hand {hand}, {place - 3:+}: {sum(here)} of {len(here)}")
        fipsen.MADE[hand] = tuple([round(each, 2) for each in counted])
    shares = [
        sum([weight * fipsen.made_with(one.bid, tricks) for tricks, weight in one.sampled.items()])
        / sum(one.sampled.values())
        for one in found
    ]

    def likelihood(sharpness: float) -> float:
        fipsen.SHARPNESS = sharpness
        said = [min(0.999, max(0.001, fipsen.sharpened(share))) for share in shares]
        return fmean([log(each if one.made else 1 - each) for one, each in zip(found, said, strict=True)])

    print(f"MADE = {fipsen.MADE}\nSHARPNESS = {max(SHARP, key=likelihood)}    ({len(found)} contracts)")


def main() -> None:
    """Play and fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1200, metavar="N", help="so many for each number of seats")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        numbers = range(options.deals)
        runs = [pool.map(play, [seats] * options.deals, numbers, chunksize=50) for seats in Fipsen.SEATS]
        fit([one for run in runs for one in run if one])


if __name__ == "__main__":
    main()
