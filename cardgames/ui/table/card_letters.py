"""The letter of each card of a hand, the same for as long as the card is held."""

from collections.abc import Mapping
from typing import Any

from cardgames.engine.cards import Card
from cardgames.engine.game import CHANCE, AnyGame
from cardgames.layout import Layout
from cardgames.match import Match, Step
from cardgames.ui.screens.offers import FREE


def card_letters(match: Match, seat: int, layout: Layout) -> dict[Card, str]:
    """The letter of each card of ``seat``, or none for the last cards of a very large hand.

    Letters depend only on the deal's actions, so that a continued match has the same ones."""
    game = match.game
    free = [letter for letter in FREE if letter not in layout.LETTERS.values()]
    letters: dict[Card, str] = {}
    held: tuple[Card, ...] = ()
    for step in _of_this_deal(game, match.steps):
        before, held = held, game.hands(step.after)[seat - 1]
        if held != before:
            letters = {card: letter for card, letter in letters.items() if card in held}
            left = iter([letter for letter in free if letter not in letters.values()])
            new = [card for card in layout.scene(game.observation(step.after, seat)).hand if card not in letters]
            letters |= dict(zip(dict.fromkeys(new), left, strict=False))
    return letters


def _of_this_deal(game: AnyGame, steps: Any) -> list[Step]:
    begun = [place for place, step in enumerate(steps) if step.by == CHANCE and game.deal_over(step.before)]
    return list(steps[begun[-1] if begun else 0 :])


def letter_of(letters: Mapping[str, str], *names: str) -> str:
    """The first letter found for one of the ``names``."""
    return next((letters[name] for name in names if name in letters), "")
