"""Durak on the table: the order in which moves are offered."""

from cardgames.engine.cards import NAMES
from cardgames.layout.durak import question, scene
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
