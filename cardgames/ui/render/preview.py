"""Small pictures beside a menu: a match as it was left, with what everybody may see, or a hand of cards."""

from collections.abc import Sequence

from cardgames.engine.cards import CARDS, Card
from cardgames.layout.scene import Pairs, Scene
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.card_art import CardLook, draw_backs, draw_card
from cardgames.ui.render.themes import Style

CARD = Rect(0, 0, 5, 4)
STEP = 6
"""The columns from one card of a trick to the next."""
PAIR_STEP, BEATING_SHIFT = 8, 2
"""The columns from one attack card to the next, and the cells by which a beating card covers its attack card."""
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
    for y, player in enumerate(scene.players, inside.y + 2):
        canvas.put(inside.x, y, clip(words.name(player.seat), inside.width // 2), Style("text", "panel"))
        count = min(player.cards, inside.width // 2 - 4)
        backs = draw_backs(canvas, inside.x + inside.width // 2, y, count, 1, 1)
        canvas.put(backs.right + 1, y, str(player.cards), Style("faint", "panel"))
    y = inside.y + len(scene.players) + 3
    _draw_table(canvas, Rect(inside.x, y, inside.width, inside.bottom - y), scene)


def draw_welcome(canvas: Canvas, area: Rect, lines: Sequence[str]) -> None:
    """Draw a hand of cards with ``lines`` below it, in the middle of the area."""
    canvas.fill(area, "panel")
    width, height = STEP * (len(FAN) - 1) + FAN_CARD.width, FAN_CARD.height + FAN[0][1]
    left, top = area.x + (area.width - width) // 2, area.y + max(1, (area.height - height - len(lines) - 2) // 2)
    laid = [FAN_CARD._replace(x=left + place * STEP, y=top + lower) for place, (_, lower) in enumerate(FAN)]
    for card_area, (card, _) in zip(laid, FAN, strict=True):
        draw_card(canvas, card_area, CARDS[card], CardLook(edge=True))
    canvas.shade()
    for y, line in zip(range(top + height + 2, area.bottom - 1), lines, strict=False):
        canvas.put_centred(area, y, clip(line, area.width - 4), Style("text", "panel"))


def _draw_table(canvas: Canvas, area: Rect, scene: Scene) -> None:
    """Draw the bout or the trick, as far as there is room."""
    pairs = next((block.pairs for block in scene.middle if isinstance(block, Pairs)), ())
    laid: list[tuple[Rect, Card]] = []
    for place, (attack, beating) in enumerate(pairs):
        drawn = CARD._replace(x=area.x + place * PAIR_STEP, y=area.y)
        laid.append((drawn, attack))
        if beating is not None:
            laid.append((drawn._replace(x=drawn.x + BEATING_SHIFT, y=drawn.y + BEATING_SHIFT), beating))
    laid += [(CARD._replace(x=area.x + place * STEP, y=area.y), card) for place, card in enumerate(scene.trick.cards)]
    for drawn, card in laid:
        if drawn.right <= area.right and drawn.bottom <= area.bottom:
            draw_card(canvas, drawn, card, CardLook(edge=True))
    canvas.shade()
