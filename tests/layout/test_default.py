"""The layout of a game that has none of its own, at the matches on record."""

from pathlib import Path

import pytest

from cardgames.engine.cards import CARDS
from cardgames.engine.game import Action, Message, Observation
from cardgames.engine.record import read
from cardgames.layout import default
from cardgames.layout.scene import Row

RECORDS = Path(__file__).parents[1] / "records"


def observations(record: str) -> list[Observation]:
    """What each seat to act saw."""
    _, game, plies = read((RECORDS / f"{record}.jsonl").read_bytes().splitlines())
    return [game.observation(ply.state, game.to_act(ply.state) or 0) for ply in plies]


@pytest.mark.parametrize("record", ["durak-six-players", "kakeya-rensho", "zetema-three-players"])
def test_hand_and_choices_are_those_of_the_seat(record: str) -> None:
    for seen in observations(record):
        scene = default.scene(seen)
        assert sorted(scene.hand) == sorted(getattr(seen, "hand"))  # noqa: B009 - not every game has one
        assert [player.seat for player in scene.players] == [*range(1, len(seen.scores) + 1)]
        assert (scene.playable or frozenset()) <= {*scene.hand}
        question = default.question(seen)
        assert sorted(question.actions) == sorted(seen.legal)
        assert question.message == Message("ask." + seen.phase, {"seat": seen.seat})


def test_trick_stays_until_the_next_lead() -> None:
    lying = [default.scene(seen) for seen in observations("kakeya-rensho")]
    assert {len(scene.trick.cards) for scene in lying} == {0, 1, 2, 3, 4}


def test_fields_are_shown_by_their_types() -> None:
    seen = observations("durak-throw-in")[3]
    scene = default.scene(seen)
    assert Message("table.stock", {"count": 24}) in scene.facts
    assert [block.label for block in scene.middle if isinstance(block, Row)] == [Message("table.turn_up")]
    assert not {"table.shown", "table.known", "table.hand"} & {fact.key for fact in scene.facts}


def test_an_action_names_its_cards_and_its_suit() -> None:
    card = CARDS["8S"]
    assert default.words(Action("wild", "8S H", (card,), ("H",))) == Message(
        "action.wild", {"card": card, "cards": (card,), "suit": "H"}
    )
    assert default.words(Action("draw", "draw")) == Message("action.draw")
