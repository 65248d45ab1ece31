"""Every game as numbers, as the adapters write it: from what the engine declares, and from nothing else."""

from functools import cache

import pytest

from cardgames.adapters.episode import ActionNumbers, Selection
from cardgames.adapters.vector import ObservationVector
from cardgames.engine.game import Action, AnyGame
from tests.conformance.matches import PRESENT, TABLES, Setup, guesses, known_actions, positions

LEAST, MOST = -(1 << 15), (1 << 15) - 1
"""The numbers that a vector may hold: those of 16 bits."""


@cache
def vector_of(game: AnyGame) -> ObservationVector:
    """The vectors of a game, made once."""
    return ObservationVector(game)


@pytest.mark.parametrize("name", PRESENT)
def test_choices_lead_to_every_legal_action_once(name: str) -> None:
    for here in positions(name):
        numbers = ActionNumbers(here.game)
        legal = here.game.legal_actions(here.state)
        reached: list[Action] = []
        begun = [Selection()] if legal else []
        while begun:
            for number, result in numbers.choices(legal, begun.pop()).items():
                assert 0 <= number < len(numbers.labels)
                reached += [result] if isinstance(result, Action) else []
                begun += [result] if isinstance(result, Selection) else []
        assert sorted(action.text for action in reached) == sorted(action.text for action in legal), here.where


@pytest.mark.parametrize("name", PRESENT)
def test_an_action_has_a_number_or_is_a_selection(name: str) -> None:
    chance = ("deal", "seats", "draw")
    for action in known_actions(name):
        game = positions(name)[0].game
        if action.kind not in chance:
            assert action.text in game.ACTIONS or (action.kind in game.SELECTIONS and len(action.cards) > 1)


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_labels_differ_from_each_other(setup: Setup) -> None:
    for labels in (ActionNumbers(setup.new()).labels, ObservationVector(setup.new()).labels):
        assert len(set(labels)) == len(labels) > 0


@pytest.mark.parametrize("name", PRESENT)
def test_entries_of_a_vector_have_a_label_and_fit_16_bits(name: str) -> None:
    for here in positions(name):
        vector = vector_of(here.game)
        for seat in range(here.game.seats + 1):
            entries = vector(here.game.observation(here.state, seat))
            assert 0 <= min(entries) <= max(entries) < len(vector.labels), here.where
            assert LEAST <= min(entries.values()) <= max(entries.values()) <= MOST, here.where


@pytest.mark.parametrize("name", PRESENT)
def test_a_vector_holds_nothing_that_the_seat_does_not_know(name: str) -> None:
    for guess in guesses(name):
        vector = vector_of(guess.here.game)
        assert vector(guess.here.game.observation(guess.other, guess.seat)) == vector(guess.known), guess.here.where


@pytest.mark.parametrize("name", PRESENT)
def test_another_hand_or_phase_is_another_vector(name: str) -> None:
    for here in positions(name):
        vector, seat = vector_of(here.game), here.game.to_act(here.state)
        if seat:
            mine = here.game.observation(here.state, seat)
            others = {here.game.observation(there.state, seat) for there in positions(name) if there.game == here.game}
            for other in others:
                if (other.hand, other.phase) != (mine.hand, mine.phase):
                    assert vector(other) != vector(mine), here.where
