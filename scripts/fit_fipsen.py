"""Fit the probability of making a bid at Fipsen: `SUCCESS_RATES` and `SHARPNESS` of ``cardgames/bots/fipsen.py``.

    .venv/bin/python scripts/fit_fipsen.py                         wants numba, or patience

In more than half of the deals one seat bids at random, so that good and bad bids are played; all others bid and play as
`strong` does. For each contract the script solves the deal, and sampled deals, with open hands. The tricks in the deal
give `SUCCESS_RATES`, the rate at which such contracts are made; those in the sampled deals give `SHARPNESS`.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from math import log
from random import Random
from statistics import fmean
from typing import NamedTuple

from cardgames.bots import fipsen
from cardgames.bots.fipsen_auction import best_estimate, bid_probability, needed_over
from cardgames.bots.thinking import Budget
from cardgames.engine.fipsen import Fipsen, FipsenObservation, FipsenRules
from cardgames.engine.fipsen_bids import Bid
from cardgames.engine.game import Action
from cardgames.kernels.fipsen_solver import work_space

BIDDING, PLAYING, SAMPLED = 100, 150, 120
"""The number of deals solved for a bid, for another choice, and for a contract."""
RANDOM_BIDS = 0.6
"""The share of deals in which one seat bids at random."""
TRUST = 2
"""The weight of a present rate of `SUCCESS_RATES`, as a number of contracts."""
SHARPNESSES = [round(0.5 + 0.01 * step, 2) for step in range(200)]
"""The values tried for `SHARPNESS`."""


class PlayedContract(NamedTuple):
    """A contract that was played until it was made or lost."""

    bid: Bid
    tricks: int
    """The tricks won with open hands in the deal."""
    sampled: dict[int, float]
    """The summed weight of the sampled deals in which declarer wins each number of tricks with open hands."""
    made: bool

    @property
    def place(self) -> int:
        """The place of the contract's rate in `SUCCESS_RATES`, by the tricks won beyond those needed."""
        return max(0, min(5, self.tricks - self.bid.needed + 3))


def random_bid(observation: FipsenObservation, guesser: fipsen.FipsenGuesser, rng: Random) -> Action:
    """Hold if that is legal, else bid the contract whose probability of being made is nearest to a random number."""
    ratings = [each for each in guesser.rate(observation, rng, Budget(BIDDING)) if each.action.kind in ("bid", "hold")]
    probabilities = {each.action: fipsen.contract_probability(observation, each) or 0.0 for each in ratings}
    target = rng.random()
    holds = [action for action in probabilities if action.kind == "hold"]
    if holds:
        return holds[0]
    return min(probabilities, key=lambda action: abs(probabilities[action] - target), default=observation.legal[0])


def play(seats: int, number: int) -> PlayedContract | None:
    """Play deal ``number`` with ``seats`` seats; return its contract, or ``None`` after a kieker or four sevens."""
    game, rng = Fipsen(seats, FipsenRules(deals=1)), Random(f"fit_fipsen {seats} {number}")
    guessers = [fipsen.FipsenGuesser(game) for _ in range(seats)]
    random_bidder = rng.randrange(seats) + 1 if rng.random() < RANDOM_BIDS else 0
    state, last_observations = game.start(), dict[int, FipsenObservation]()
    dealt, skat, declarer = state.hands, 0, 0
    contract: Bid | None = None
    made: bool | None = None
    while made is None and (seat := game.to_act(state)) is not None:
        if drawn := game.chance(state):
            state = game.apply(state, drawn.sample(rng))
            dealt, skat = state.hands, state.aside.skat
            continue
        observation = game.observation(state, seat)
        declarer, contract = observation.declarer or declarer, contract or observation.contract
        if observation.phase == "stop":
            made = True
            break
        if observation.phase == "bid" and seat == random_bidder and len(observation.legal) > 1:
            action = random_bid(observation, guessers[seat - 1], rng)
        elif len(observation.legal) > 1:
            action = guessers[seat - 1].choose(
                observation, rng, Budget(BIDDING if observation.phase == "bid" else PLAYING)
            )
        else:
            action = observation.legal[0]
        if action.kind in ("kieker", "sevens"):
            return None
        if action.kind in ("bid", "hold"):
            last_observations[seat] = observation
        state = game.apply(state, action)
    assert contract
    made = made or game.scores(state)[declarer - 1] > 0
    deal = fipsen.SampledDeal([*dealt[1:]], [*dealt[1:]], skat)
    return _solve_contract(contract, guessers[declarer - 1], last_observations[declarer], deal, made, rng)


def _solve_contract(
    bid: Bid,
    guesser: fipsen.FipsenGuesser,
    observation: FipsenObservation,
    played: fipsen.SampledDeal,
    made: bool,
    rng: Random,
) -> PlayedContract:
    """Solve the ``played`` deal of a contract, and deals sampled from declarer's ``observation`` at the last call."""
    bidders = {*observation.waiting, observation.standing, observation.bidder} - {observation.seat}
    rivals = [seat - 1 for seat in bidders if seat]
    extras = frozenset(bid.extras) - {"durch"}
    work, draw_deal = work_space(), guesser._sampler(observation)
    sampled = dict[int, float]()
    for _ in range(SAMPLED):
        deal = draw_deal(rng)
        tricks = deal.tricks(observation, extras, fipsen.FEWEST_TRICKS, work)
        weight = 1 - bid_probability(
            max([best_estimate(deal.dealt[seat]) for seat in rivals], default=0.0), needed_over(bid)
        )
        sampled[tricks] = sampled.get(tricks, 0.0) + weight
    tricks = played.tricks(observation, extras, fipsen.FEWEST_TRICKS, work)
    return PlayedContract(bid, tricks, sampled, made)


def fit(contracts: list[PlayedContract]) -> None:
    """Fit and print `SUCCESS_RATES`, and the `SHARPNESS` under which the results are likeliest."""
    for hand, rates in fipsen.SUCCESS_RATES.items():
        new_rates = []
        for place, rate in enumerate(rates):
            results = [each.made for each in contracts if each.place == place and ("hand" in each.bid.extras) == hand]
            new_rates.append((sum(results) + TRUST * rate) / (len(results) + TRUST))
            print(f"hand {hand}, {place - 3:+}: {sum(results)} of {len(results)}")
        fipsen.SUCCESS_RATES[hand] = tuple([round(rate, 2) for rate in new_rates])
    shares = [
        sum([weight * fipsen.made_with(contract.bid, tricks) for tricks, weight in contract.sampled.items()])
        / sum(contract.sampled.values())
        for contract in contracts
    ]

    def likelihood(sharpness: float) -> float:
        """The mean log-likelihood of the results; sets `SHARPNESS`."""
        fipsen.SHARPNESS = sharpness
        probabilities = [min(0.999, max(0.001, fipsen.sharpen(share))) for share in shares]
        return fmean([log(p if each.made else 1 - p) for each, p in zip(contracts, probabilities, strict=True)])

    print(f"SUCCESS_RATES = {fipsen.SUCCESS_RATES}")
    print(f"SHARPNESS = {max(SHARPNESSES, key=likelihood)}    ({len(contracts)} contracts)")


def main() -> None:
    """Play deals on several processors, then fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1200, metavar="N", help="for each number of seats (default: 1200)")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.workers) as pool:
        numbers = range(options.deals)
        runs = [pool.map(play, [seats] * options.deals, numbers, chunksize=50) for seats in Fipsen.SEATS]
        fit([contract for run in runs for contract in run if contract])


if __name__ == "__main__":
    main()
