"""What an auction of Fipsen tells."""

from collections import Counter
from random import Random
from statistics import fmean
from typing import Any

import pytest

from cardgames.bots import fipsen, player, rate, reasons
from cardgames.bots.fipsen_auction import AuctionInference, estimates
from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.cards import CARDS, card_set, names
from cardgames.engine.game import Action, AnyGame, new_game
from scripts.trial.reasons import CHECKS, Said

from .test_players import positions


def dealt(game: AnyGame, *hands: str) -> Any:
    """The state after a deal that gives these hands to the seats from the dealer's left on, and the rest at random."""
    given = [[CARDS[name] for name in hand.split()] for hand in hands]
    rest = [card for card in game.chance(game.start()).items if not any(card in hand for hand in given)]  # type: ignore[union-attr]
    Random(1).shuffle(rest)
    given += [[rest.pop() for _ in range(5)] for _ in range(game.seats - len(given))]
    skat = [rest.pop(), rest.pop()]
    cards = [
        *[card for hand in given for card in hand[:3]],
        *skat,
        *[card for hand in given for card in hand[3:]],
        *rest,
    ]
    return game.apply(game.start(), game.parse(f"deal {names(cards)}"))


def rated(game: AnyGame, state: Any, work: int) -> tuple[Rating, ...]:
    """How ``strong`` rates what may be said or played."""
    observation = game.observation(state, game.to_act(state) or 0)
    return fipsen.FipsenGuesser(game).rate(observation, Random(1), Budget(work))  # type: ignore[arg-type]


def choice(game: AnyGame, state: Any) -> Action:
    """The bid or card of ``strong``."""
    return rated(game, state, 400)[0].action


def test_five_sure_tricks_are_bid_and_none_is_not() -> None:
    game = new_game("fipsen", 4)
    state = dealt(game, "AS KS QS JS TS", "7S 8H 9C 7H 8C")
    sure = choice(game, state)
    assert sure.args[0] == 5
    assert "hand" in sure.args
    assert choice(game, game.apply(state, game.parse("bid 3"))).kind == "pass"


@pytest.mark.parametrize("seats", [3, 4])
def test_a_hopeless_bid_is_said_to_be_hopeless(seats: int) -> None:
    game = new_game("fipsen", seats)
    state = dealt(game, "7S 8H 9C 7H 8C")
    observation: Any = game.observation(state, game.to_act(state) or 0)
    for rating in rated(game, state, 2000):
        if rating.action.args[:1] in ((4,), (5,)) and "hand" in rating.action.args:
            said = fipsen.contract_probability(observation, rating)
            assert said is not None
            assert said < 0.02, rating


def test_doubtful_bids_rank_below_the_pass() -> None:
    """A bid that may as well cost something comes after the pass."""
    game = new_game("fipsen", 4)
    seen = Counter[bool]()
    for number in range(20):
        state = game.apply(game.start(), game.chance(game.start()).sample(Random(number)))  # type: ignore[union-attr]
        best, *others = rated(game, state, 1)
        if best.action.kind == "pass":
            seen[any(other.value > 0 for other in others)] += 1
            assert all(other.value <= other.error for other in others)
        else:
            assert best.value > best.error
    assert seen[True]


def test_to_stop_is_certain_and_to_go_on_is_not() -> None:
    game = new_game("fipsen", 3)
    state = dealt(game, "AS KS 8H 9C 7H", "7S 8S 9S AH KH", "TS JS QS QH JH")
    for text in ("bid 2 hand", "pass", "pass", "trump S", "AS", "7S", "TS", "KS", "8S", "JS"):
        state = game.apply(state, game.parse(text))
    best, other = rate(game, game.observation(state, 2), Random(1))
    assert best[:4] == (game.parse("stop"), 4.0, 0.0, True)
    assert other.value < 0 < other.error
    assert not other.exact


@pytest.mark.parametrize("played", ["", "bid 2 hand|pass|pass", "bid 2 hand|pass|pass|trump S"])
def test_four_sevens_and_an_ace_are_said_whatever_is_asked(played: str) -> None:
    game = new_game("fipsen", 3)
    state = dealt(game, "7S 7H 7D 7C AS")
    for text in filter(None, played.split("|")):
        state = game.apply(state, game.parse(text))
    o = game.observation(state, 2)
    best, *others = rate(game, o, Random(1))
    assert best[:4] == (game.parse("sevens"), 30.0, 0.0, True)
    assert others
    (why,) = reasons(game, o, (best, *others))
    assert CHECKS["fipsen"]["sevens"](Said(game, state, o, best.action, (best, *others), why.args))


def test_bidders_are_expected_to_be_stronger() -> None:
    """Who has bid is thought to be stronger than who has passed."""
    game = new_game("fipsen", 3)
    weak, good = (card_set([CARDS[name] for name in hand.split()]) for hand in ("7S 8H 9C 7H 8C", "AS KS QS JC AC"))
    for word, likely, unlikely in (("bid 3", good, weak), ("pass", weak, good)):
        state = game.apply(dealt(game), game.parse(word))
        heard = AuctionInference(game.observation(state, game.to_act(state) or 0))
        hands, other = [0, likely, 0], [0, unlikely, 0]  # seat 1 deals, so seat 2 has spoken
        assert heard.likelihood(hands) > 3 * heard.likelihood(other)


def test_guesses_fit_what_is_seen() -> None:
    game = new_game("fipsen", 4)
    seen = Counter[str]()
    for number, (_, observation) in enumerate(positions(game, 22, matches=2)):
        o: Any = observation
        if o.phase in ("bid", "play") and number % 4:
            continue
        deal = fipsen.FipsenGuesser(game)._sampler(o)  # type: ignore[arg-type]
        for _ in range(3):
            guess = deal(Random(number))
            assert guess.hands[o.seat - 1] == card_set(o.hand)
            assert [hand.bit_count() for hand in guess.hands] == list(o.counts)
            assert sum(guess.hands).bit_count() == sum(o.counts)
            for hand, lacks in zip(guess.hands, o.lacks, strict=True):
                assert not any(card // 13 in lacks for card in range(52) if hand >> card & 1)
            seen[o.phase] += 1
    assert len(seen) >= 4


def test_opponents_take_declarer_to_hold_what_the_contract_needs() -> None:
    """Declarer keeps good cards, and names trumps of which they are worth most."""
    game, rng = new_game("fipsen", 4, {"deals": 8}), Random(5)
    table = [player("fair", game) for _ in range(4)]
    inferred, uniform = list[float](), list[float]()
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        o: Any = None if chance else game.observation(state, seat)
        if o and o.phase == "play" and not o.tricks and seat != o.declarer and not o.contract.kieker:
            infer, sample = fipsen.FipsenGuesser(game)._sampler(o), game.sampler(o)  # type: ignore[arg-type]
            for _ in range(10):
                inferred.append(estimates(infer(rng).hands[o.declarer - 1])[o.trump])
                uniform.append(estimates(sample(rng).hands[o.declarer])[o.trump])
        state = game.apply(state, chance.sample(rng) if chance else table[seat - 1](o, rng))
    assert len(inferred) >= 100
    assert fmean(inferred) > fmean(uniform) + 0.5
