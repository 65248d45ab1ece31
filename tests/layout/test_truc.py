"""Truc on the table: the order of its ranks."""

import pytest

from cardgames.engine.cards import RANKS
from cardgames.layout.truc import scene
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView
from tests.engine.test_truc import truc


@pytest.mark.parametrize(
    ("order", "strength"), [("seven_eight", "7>8>A>K>Q>J>10>9"), ("seven_ace", "7>A>K>Q>J>10>9>8")]
)
def test_the_order_that_is_played_is_shown(order: str, strength: str) -> None:
    """In the head line, and in the hand, also where people want hands by rank."""
    table = truc(order=order).deal("8C 7D AH", "JS 8S AC")
    seen = table.sees(1)
    shown = scene(seen)
    assert shown.legend
    assert Words("en", "truc").say(shown.legend) == strength
    assert shown.ranks == strength.replace("10", "T").replace(">", "")
    assert GameView(table.game, ("Ann", "Ben"), Settings(sort="rank")).scene(seen).hand == shown.hand
    assert [*shown.hand] == sorted(shown.hand, key=lambda card: shown.ranks.index(RANKS[card % 13]))
