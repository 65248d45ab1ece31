"""Durak's roll-outs against the engine, and what its players make of clear positions."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, product
from math import sqrt
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest

from cardgames.bots import Choose, load_compiled, player, rate, reasons
from cardgames.bots.durak import WORK, DurakSearcher, DurakSolver, by_rule
from cardgames.bots.thinking import CERTAINTY, Budget, Rating
from cardgames.engine.cards import CARDS, SUIT_SETS, card_set, cards_in, rank_of, suit_of
from cardgames.engine.durak import ATTACK, DEFEND, THROW, Durak, DurakState
from cardgames.engine.game import Action, AnyGame, Message, Observation, new_game
from cardgames.kernels import durak as fast
from cardgames.kernels import durak_ending
from cardgames.kernels.generic import functions
from cardgames.simulation.playing import play_match
from scripts.trial.reasons import CHECKS, Said
from tests.conformance.test_kernels import filled
from tests.engine.durak_tables import ending
from tests.engine.positions import cards as numbers


def states(game: AnyGame, seed: int) -> Iterator[DurakState]:
    """The states of a match at random in which somebody is asked."""
    rng = Random(seed)
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        if seat:
            yield state
        state = game.apply(state, chance.sample(rng) if chance else rng.choice(game.legal_actions(state)))


def test_a_roll_out_plays_by_the_rules_and_by_its_style() -> None:
    """Each of its moves is legal, cheap cards come first, and trumps are kept while there is a stock."""
    kept = 0
    for seats, seed in product((2, 4), range(4)):
        game = new_game("durak", seats, {"throw_in": True, "turn_over": "any"})
        assert isinstance(game, Durak)
        for state in states(game, seed):
            after = fast.encode(game, state)
            seat = game.to_act(state)
            assert seat
            is_ending = state.phase == ATTACK and not state.stock and seats == 2
            if is_ending and fast.surely_wins(after[seat], after[3 - seat], after[fast.TRUMPS]):
                continue  # the roll-out ends there: see the next test
            fast._play_by_rule(after, 1, (1 << 4 * 9) - 1, (1 << 4 * 6) - 1)
            legal = game.legal_actions(state)
            actions = [
                each
                for each in legal
                if filled(fast, after) == filled(fast, fast.encode(game, game.apply(state, each)))
            ]
            assert actions
            action = actions[0]
            trumps = SUIT_SETS[suit_of(state.turn_up)]
            if action.kind == "play" and state.phase == ATTACK and state.stock:
                plain = [rank_of(card) for card in cards_in(state.hands[seat - 1] & ~trumps)]
                assert not plain or rank_of(action.cards[0]) == min(plain)
            if action.kind == "take" and state.stock:
                kept += any(legal.kind == "beat" for legal in game.legal_actions(state))
    assert kept > 1


def test_a_roll_out_ends_early_only_if_the_attacker_surely_wins() -> None:
    found = Counter[bool]()
    for throw_in, seed in product((False, True), range(60)):
        game = new_game("durak", 2, {"throw_in": throw_in})
        assert isinstance(game, Durak)
        for state in states(game, seed):
            seat = game.to_act(state)
            if state.phase != ATTACK or state.stock or not seat:
                continue
            end = fast.encode(game, state)
            fast._play_by_rule(end, 1, 0, 0)
            is_sure = end[fast.TO_ACT] < 0
            if is_sure:
                assert DurakSolver(game, Budget(20_000)).value(state, seat) == 1
                assert end[seat] == 0
                assert end[3 - seat]
                assert end[fast.RESULT] == fast.FOOL
            found[is_sure] += 1
    assert min(found.values()) > 30


@pytest.mark.parametrize(("level", "cards"), [("strong", 11), ("fair", 7)])
def test_a_won_ending_is_won_against_anybody(level: str, cards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORK, "fair", 1000)
    game = new_game("durak", 2)
    won = 0
    for seed in range(40):
        for state in states(game, seed):
            seat = game.to_act(state)
            assert seat
            observation = game.observation(state, seat)
            if observation.stock or sum(observation.counts) > cards or len(observation.legal) < 2:
                continue
            if rate(game, observation, Random(1))[0].value == 1:
                choose, rng = player(level, game), Random(seed)
                while (mover := game.to_act(state)) is not None:
                    known = game.observation(state, mover)
                    state = game.apply(state, choose(known, rng) if mover == seat else by_rule(known, rng))
                outcome = game.outcome(state)
                assert outcome
                assert outcome.winners == (seat,)
                won += 1
            break
    assert won > 8


@pytest.mark.parametrize(("level", "match"), [("easy", 83), ("fair", 138)])
def test_nobody_turns_over_for_ever(level: str, match: int) -> None:
    """Two who always did came back to the same hands, bout after bout, with cards in the stock."""

    def make_player(level: str, game: AnyGame, seat: int) -> Choose:
        choose, left = player(level, game), iter(range(200))

        def choice(observation: Observation, rng: Random) -> Action:
            assert next(left, None) is not None, "it goes round and round"
            return choose(observation, rng)

        return choice

    game = new_game("durak", 2, {"turn_over": "any"})
    play_match(game, (level, level), make_player, f"3/{match}/0", Random(f"3/{match}"))


def test_keeping_trumps_needs_another_card() -> None:
    game, told = new_game("durak", 2), Counter[bool]()
    for state in chain.from_iterable(states(game, seed) for seed in range(6)):
        observation = game.observation(state, game.to_act(state) or 0)
        trumps = [
            action for action in observation.legal if action.cards and suit_of(action.cards[0]) == state.turn_up // 13
        ]
        for best in observation.legal:
            if observation.stock and trumps and best not in trumps:
                others = [action for action in observation.legal if action != best]
                ratings = (Rating(best, 0.9, 0.01), *[Rating(action, 0.1, 0.01) for action in others])
                keys = [reason.key for reason in reasons(game, observation, ratings)]
                assert ("hint.keeps_trumps" in keys) == bool(best.cards)
                told[bool(best.cards)] += 1
    assert min(told[True], told[False]) > 10


@pytest.mark.parametrize("seats", [4, 6])
def test_a_take_that_makes_a_partner_defend_is_told(seats: int) -> None:
    """The partner named defends next, whatever is thrown in (D21, D25)."""
    game, told = new_game("durak", seats, {"sides": True, "throw_in": True}), 0
    for state in chain.from_iterable(states(game, seed) for seed in range(6)):
        observation = game.observation(state, game.to_act(state) or 0)
        if state.phase != DEFEND or len(observation.legal) < 2:
            continue
        beats, take = observation.legal[:-1], observation.legal[-1]
        ratings = (Rating(beats[0], 0.9, 0.01), Rating(take, 0.1, 0.01))
        named = [
            why.args["seat"] for why in reasons(game, observation, ratings) if why.key == "hint.partner_would_defend"
        ]
        after: Any = game.apply(state, take)
        while after.phase == THROW:
            after = game.apply(after, game.legal_actions(after)[0])
        assert named in ([], [after.bout.defender])
        told += len(named)
        swapped = reasons(game, observation, ratings[::-1])
        assert "hint.partner_would_defend" not in [why.key for why in swapped]
    assert told > 10


@pytest.mark.parametrize(
    ("partner", "is_seen", "is_left"), [("7C", True, True), ("7C", False, False), ("9C", True, False)]
)
def test_last_attack_is_left_to_a_partner(partner: str, is_seen: bool, is_left: bool) -> None:
    """D25: if everybody knows that it fits, and there is room for no other (D6)."""
    table = ending("6S 7D 9D", "7S 8S", partner, "9S TS", sides=True).do("6S", "7S>6S")
    if is_seen:
        table.state = table.state._replace(shown=table.state.shown | 1 << numbers(partner)[0])
    observation = table.sees(1)
    assert by_rule(observation, Random(1)).text == ("pass" if is_left else "7D")
    ratings = tuple([Rating(table.game.parse(text), value, 0.01) for text, value in (("pass", 0.9), ("7D", 0.1))])
    left = [Message("hint.partner_could_go_out", {"seat": 3})]
    told = [why for why in reasons(table.game, observation, ratings) if why.key != "hint.holds_back"]
    assert told == left * is_left
    for why in told:
        assert CHECKS["durak"]["partner_could_go_out"](
            Said(table.game, table.state, observation, ratings[0].action, ratings, why.args)
        )


@pytest.mark.parametrize(("attack", "follows"), [("6S", "6D 6C"), ("play 6S 6D", "6C"), ("play 6S 6D 6C", "")])
def test_only_cards_that_are_not_laid_can_follow(attack: str, follows: str) -> None:
    """D26: of several cards laid at once none is left to be added."""
    table = ending("6S 6D 6C 9S", "7S 7D 8D", several=True)
    observation = table.sees(1)
    others = [action for action in observation.legal if action.text != attack]
    ratings = (Rating(table.game.parse(attack), 0.9, 0.01), *[Rating(action, 0.1, 0.01) for action in others])
    told = [why.args["cards"] for why in reasons(table.game, observation, ratings) if why.key == "hint.can_follow"]
    assert sorted(*told or [()]) == sorted(numbers(follows))  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 4])
def test_values_hold_at_four_times_the_thinking(seats: int) -> None:
    """Nine of ten lie within the error that is said."""
    game: Any = new_game("durak", seats, {"throw_in": True})
    within = Counter[bool]()
    for seed in range(16):
        found = [game.observation(state, game.to_act(state) or 0) for state in states(game, seed)][2 + seed % 20 :]
        known = next((one for one in found if len(one.legal) > 2 and one.stock > 1), None)
        if known:
            searcher = DurakSearcher(game)
            brief, long = [searcher.rate(known, Random(seed), Budget(work, thorough=True)) for work in (1500, 6000)]
            values = {rating.action: rating.value for rating in long}
            within.update(abs(rating.value - values[rating.action]) < CERTAINTY * rating.error for rating in brief)
    assert within.total() > 30
    assert within[True] > 0.9 * within.total()


def test_ratings_scatter_no_more_than_they_say() -> None:
    """In an open position of three, in which early luck leads whole trees astray.

    With one tree an action, the leads scattered almost twice as much as was said."""
    table = ending(
        "", "9S JS KS 9H KH 9D JD KD 8C 9C KC 8S 8H", "JH TD AD TC JC TS TH", "", "AS AH 6C AC", out=(4, 1), leader=2
    )
    table.state = table.state._replace(turn_up=CARDS["QD"], shown=card_set(table.game.pack))  # all hands are known
    observation, leads = table.do("8S", "TS>8S", "8H", "TH>8H").sees(2), []
    for seed in range(16):
        searcher = DurakSearcher(table.game)  # type: ignore[arg-type]
        ratings = {rating.action.text: rating for rating in searcher.rate(observation, Random(seed), Budget(1500))}
        leads.append(ratings["8C"].lead(ratings["pass"]))
    assert pstdev([lead.value for lead in leads]) < 1.2 * sqrt(fmean([lead.error**2 for lead in leads]))


def test_compiled_code_is_loaded_before_a_fork_shares_it() -> None:
    pytest.importorskip("numba")
    load_compiled("durak")
    assert functions("durak").search.signatures
    assert durak_ending.reaches.signatures  # type: ignore[attr-defined]
