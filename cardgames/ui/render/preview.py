"""Small pictures beside a menu: a match as it was left, with what everybody may see, or a hand of cards."""

from collections.abc import Sequence

from cardgames.engine.cards import CARDS, Card
from cardgames.layout.scene import Pairs, Scene
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.canvas import Canvas, Rect, width_of
from cardgames.ui.render.card_art import CardLook, draw_backs, draw_card
from cardgames.ui.render.themes import Style

CARD = Rect(0, 0, 5, 4)
"""The size of a card in a preview."""
STEP = 6
"""The columns from one card of a trick to the next."""
PAIR_STEP, BEATING_SHIFT = 8, 2
"""The columns from one attack card to the next, and the cells by which a beating card covers its attack card."""
HEAD_ROWS = 2
"""The rows of a preview above the players."""
FAN = (("9D", 2), ("JC", 1), ("QH", 0), ("KS", 1), ("AD", 2))
"""The cards of a hand that stands for all games, and the rows by which each lies lower than the middle one."""
FAN_CARD = Rect(0, 0, 7, 5)
"""The size of a card in this hand, of which the others cover all but ``STEP`` columns."""


def draw_preview(canvas: Canvas, area: Rect, scene: Scene, words: Words, title: str) -> None:
    """Draw the title, the cards on the table, and the players with the backs of their hands."""
    canvas.fill(area, "panel")
    inside = Rect(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
    game, _, where = title.partition(" · ")
    end = canvas.put(inside.x, inside.y, game, Style("gold", "panel", bold=True))
    canvas.put(end + 1, inside.y, clip(where, max(1, inside.right - end - 1)), Style("faint", "panel"))
    y = inside.y + HEAD_ROWS
    for player in scene.players:
        canvas.put(inside.x, y, clip(words.name(player.seat), inside.width // 2), Style("text", "panel"))
        count = min(player.cards, inside.width // 2 - 4)
        backs = draw_backs(canvas, inside.x + inside.width // 2, y, count, 1, 1)
        canvas.put(backs.right + 1, y, str(player.cards), Style("faint", "panel"))
        y += 1
    _draw_table(canvas, Rect(inside.x, y + 1, inside.width, inside.bottom - y - 1), scene)


def draw_welcome(canvas: Canvas, area: Rect, lines: Sequence[str]) -> None:
    """Draw a hand of cards with ``lines`` below it, in the middle of the area."""
    canvas.fill(area, "panel")
    width, height = STEP * (len(FAN) - 1) + FAN_CARD.width, FAN_CARD.height + FAN[0][1]
    left, top = area.x + (area.width - width) // 2, area.y + max(1, (area.height - height - len(lines) - 2) // 2)
    laid = [FAN_CARD._replace(x=left + place * STEP, y=top + lower) for place, (_, lower) in enumerate(FAN)]
    for card_area, (card, _) in zip(laid, FAN, strict=True):
        draw_card(canvas, card_area, CARDS[card], CardLook(edge=True))
    canvas.shade(laid)
    for y, line in enumerate(lines, top + height + 2):
        if y < area.bottom - 1:
            text = clip(line, area.width - 4)
            canvas.put(area.x + (area.width - width_of(text)) // 2, y, text, Style("text", "panel"))


def _draw_table(canvas: Canvas, area: Rect, scene: Scene) -> None:
    """Draw the bout or the trick, as far as there is room."""
    pairs = next((block.pairs for block in scene.middle if isinstance(block, Pairs)), ())
    played = [card for player in scene.players for card in player.played]
    laid: list[tuple[int, int, Card]] = []
    for place, (attack, beating) in enumerate(pairs):
        laid.append((place * PAIR_STEP, 0, attack))
        if beating is not None:
            laid.append((place * PAIR_STEP + BEATING_SHIFT, BEATING_SHIFT, beating))
    laid += [(place * STEP, 0, card) for place, card in enumerate(played)]
    drawn = [CARD._replace(x=area.x + x, y=area.y + y) for x, y, _ in laid]
    for card_area, (_, _, card) in zip(drawn, laid, strict=True):
        if card_area.right <= area.right and card_area.bottom <= area.bottom:
            draw_card(canvas, card_area, card, CardLook(edge=True))
    canvas.shade([each for each in drawn if each.right < area.right and each.bottom < area.bottom])
