"""Durak on the table: the order in which moves are offered, and what is shown of a bout that is over."""

from typing import Any

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.durak import attack_pairs
from cardgames.engine.game import CHANCE, Event, Message
from cardgames.layout.durak import PAUSES, question, removed_blocks, scene
from cardgames.layout.scene import Pairs, Scene
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.stills import Match


def test_what_a_card_can_beat_is_offered_as_it_lies() -> None:
    """Card by card as the hand lies, and with each card first what was laid first; what names no card comes last."""
    match = Match.read("durak-turn-over")
    several = 0
    for state in match.states:
        seat = match.game.to_act(state)
        if not seat:
            continue
        seen = match.game.observation(state, seat)
        hand, actions = scene(seen).hand, question(seen).actions
        assert sorted(action.text for action in actions) == sorted(action.text for action in seen.legal)
        with_card = [action for action in actions if action.cards]
        assert actions[: len(with_card)] == tuple(with_card)
        places = [hand.index(action.cards[0]) for action in with_card]
        assert places == sorted(places)
        laid = [action.cards[0] for action in seen.bout if action.kind != "beat"]
        for card in hand:
            beaten = [laid.index(one.cards[1]) for one in with_card if one.kind == "beat" and one.cards[0] == card]
            assert beaten == sorted(beaten), NAMES[card]
            several += len(beaten) > 1
    assert several


@pytest.mark.parametrize("record", ["durak-throw-in", "durak-turn-over"])
def test_a_bout_that_is_over_is_shown_as_it_lay(record: str) -> None:
    """With the card, if any, that the action has laid by which it ended; nothing is shown for any other event."""
    match = Match.read(record)
    shown = 0
    for before, action in zip(match.states, match.actions, strict=False):
        events: list[Event] = []
        match.game.apply(before, action, events.append)
        bout = match.game.observation(before, CHANCE).bout
        laid = (*bout, action) if action.cards else bout
        for event in events:
            assert removed_blocks(event) == ((Pairs(attack_pairs(laid)),) if event.key in PAUSES else ())
            shown += event.key in PAUSES
    assert shown


def test_every_card_that_lay_there_is_shown_once() -> None:
    match = Match.read("durak-throw-in")
    events: list[Event] = []
    for before, action in zip(match.states, match.actions, strict=False):
        match.game.apply(before, action, events.append)
    unbeaten = 0
    for event in events:
        for block in removed_blocks(event):
            args: Any = event.args
            assert isinstance(block, Pairs)
            beaters = [beater for _, beater in block.pairs if beater is not None]
            assert sorted([card for card, _ in block.pairs] + beaters) == list(args["cards"])
            unbeaten += len(block.pairs) - len(beaters)
    assert unbeaten, "some were taken"


@pytest.mark.parametrize("ply", [39, 74])
def test_the_defenders_line_and_those_who_are_out_stand_out_in_a_pause_too(ply: int) -> None:
    """As they were in the bout that is over; but those who went out with it are out, and hold no cards."""
    match = Match.read("durak-six-players")
    played = match.played(ply)
    step = played.steps[-1]
    (ended,) = [event for event in step.events if event.key in PAUSES]
    drawn: list[Scene] = []

    class Kept(View):
        def _picture(self, scene: Scene, *more: Any, **named: Any) -> Any:
            drawn.append(scene)

    Kept(played, match.header.names or (), Settings(), "").pause_picture(step, CHANCE)
    (shown,) = drawn
    assert [player.seat for player in shown.players if player.target] == [ended.args["seat"]]
    assert tuple(player.seat for player in shown.players if player.resting) == tuple(sorted(step.after.out))
    for place, seat in enumerate(step.after.out, 1):
        assert shown.players[seat - 1].marks == (Message("out_place", {"number": place}),)


@pytest.mark.parametrize(
    ("record", "clauses"),
    [
        ("durak-throw-in", {"attack": "D3", "defend": "D4", "more": "D5", "throw": "D11", "over": "D9"}),
        ("durak-six-players", {"attack": "D3", "defend": "D4", "more": "D19", "throw": "D20", "over": "D23"}),
    ],
)
def test_the_clause_that_matters_is_that_for_so_many_players(record: str, clauses: dict[str, str]) -> None:
    match = Match.read(record)
    seen = [match.game.observation(state, CHANCE) for state in match.states[1:]]
    assert {observation.phase: scene(observation).clause for observation in seen} == clauses
