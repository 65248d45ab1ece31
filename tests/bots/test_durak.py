"""Durak's roll-outs and endings against the engine, and what its players make of clear positions."""

from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

import pytest

from cardgames.bots import Choose, player, rate
from cardgames.bots.durak import WORK, by_rule
from cardgames.bots.durak_cards import BEATS, PLAIN, WHOLE, weigher_of
from cardgames.bots.durak_rollout import STYLES, Style, _opening, roll_out
from cardgames.engine.cards import RANK_SETS, card_set
from cardgames.engine.durak import ATTACK, DEFEND, MOST_ATTACKS, PACKS, Durak, State
from cardgames.engine.game import Action, AnyGame, Observation, new_game
from cardgames.tournament.playing import play_match

WHOLE_PACK = card_set(PACKS[36])

VARIANTS: list[dict[str, Any]] = [
    {},
    {"throw_in": True},
    {"throw_in": True, "first_bout_five": True},
    {"turn_over": "any"},
    {"throw_in": True, "turn_over": "opening"},
]


def states(game: AnyGame, seed: int) -> Iterator[State]:
    """The states of a match at random in which somebody is asked."""
    rng = Random(seed)
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        if seat:
            yield state
        state = game.apply(state, chance.sample(rng) if chance else rng.choice(game.legal_actions(state)))


def by_style(game: AnyGame, s: State, style: Style) -> Action:
    """The choice of the roll-out, in the words of the rules."""
    weigh, legal = weigher_of(s), game.legal_actions(s)
    ah, dh = weigh(s.hands[s.bout.leader - 1]), weigh(s.hands[s.bout.defender - 1])

    def action(kinds: tuple[str, ...], card: int, other: int = 0) -> Action:
        wanted = (weigh.card(card), weigh.card(other)) if other else (weigh.card(card),)
        return next(action for action in legal if action.kind in kinds and action.cards == wanted)

    if s.phase == ATTACK:
        low = ah & PLAIN or ah
        return action(("play",), low & -low if s.stock else _opening(ah, dh))
    if s.phase == DEFEND:
        lying = weigh(s.bout.unbeaten)
        card = lying & -lying
        can = dh & BEATS[card] & (style.spent if s.stock and card <= PLAIN else WHOLE)
        return action(("beat",), can & -can, card) if can else legal[-1]
    ranks = sum([weigh(rank & WHOLE_PACK) for rank in RANK_SETS if rank & s.bout.table])
    may = ah & ranks & (style.thrown if s.stock else WHOLE)
    return action(("play",), may & -may) if may else legal[-1]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_roll_out_ends_as_the_same_choices_end_in_the_engine(rules: dict[str, Any]) -> None:
    game = new_game("durak", 2, rules)
    assert isinstance(game, Durak)
    most_first = 5 if rules.get("first_bout_five") else MOST_ATTACKS
    ends = set()
    for seed in range(12):
        for number, state in enumerate(states(game, seed)):
            style = STYLES[number % len(STYLES)]
            fool = roll_out(state, bool(rules.get("throw_in")), MOST_ATTACKS, most_first, style)
            while game.to_act(state) is not None:
                state = game.apply(state, by_style(game, state, style))
            outcome = game.outcome(state)
            assert outcome
            assert fool == (3 - outcome.winners[0] if outcome.winners else 0)
            ends.add(fool)
    assert ends >= {1, 2}


def worth(game: AnyGame, state: Any, seat: int, known: dict[Hashable, int]) -> int:
    """The value of a position for ``seat`` by the engine alone."""
    if game.to_act(state) is None:
        return game.scores(state)[seat - 1]
    key = game.key(state)
    if key not in known:
        values = [worth(game, game.apply(state, action), seat, known) for action in game.legal_actions(state)]
        known[key] = max(values) if game.to_act(state) == seat else min(values)
    return known[key]


@pytest.mark.parametrize("throw_in", [False, True])
def test_endings_are_exact(throw_in: bool) -> None:
    game = new_game("durak", 2, {"throw_in": throw_in})
    compared = set()
    for seed in range(12):
        for state in states(game, seed):
            seat = game.to_act(state)
            assert seat
            observation = game.observation(state, seat)
            if observation.stock or sum(observation.counts) > 6 or len(observation.legal) < 2:
                continue
            known: dict[Hashable, int] = {}
            for rating in rate(game, observation, Random(1)):
                assert rating.exact
                value = worth(game, game.apply(state, rating.action), seat, known)
                assert rating.value == (1 + value) / 2
                compared.add((observation.phase, value))
    assert {value for _, value in compared} >= {-1, 1}
    assert {phase for phase, _ in compared} >= {"attack", "defend", "more"}


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

    def enter(level: str, game: AnyGame, seat: int) -> Choose:
        choose, left = player(level, game), iter(range(200))

        def choice(observation: Observation, rng: Random) -> Action:
            assert next(left, None) is not None, "it goes round and round"
            return choose(observation, rng)

        return choice

    game = new_game("durak", 2, {"turn_over": "any"})
    play_match(game, (level, level), enter, f"3/{match}/0", Random(f"3/{match}"))
