"""The places of everything on the table, for a window's size. They depend on nothing that happens in a match."""

from functools import lru_cache
from typing import NamedTuple

from cardgames.ui.render.canvas import Rect


class Sizes(NamedTuple):
    """The sizes of cards and parts for windows from a given size on."""

    columns: int
    rows: int
    card: tuple[int, int]
    """The columns and rows of a card on the table; of one row where cards are text."""
    hand_card: tuple[int, int]
    seats: int
    """The rows of the others' seats, above the middle."""
    middle: int
    log: int
    side: int
    panel: int
    """The columns of the panel on which tricks lie."""
    wide_panel: int
    """The columns of a panel between small hands, which has room for lists."""


SIZES = (
    Sizes(200, 50, (9, 7), (9, 8), 5, 13, 5, 56, 47, 66),
    Sizes(120, 36, (7, 5), (7, 6), 4, 9, 4, 34, 35, 48),
    Sizes(80, 24, (6, 4), (6, 4), 3, 7, 3, 0, 36, 42),
    Sizes(60, 20, (4, 1), (4, 1), 3, 5, 3, 0, 24, 32),
)
"""The sizes, the largest first. Both columns and rows must be there."""
SIDE_FROM = 116
"""The columns from which a lower window has a side column, too."""
YOU_CELLS = 14


class Places(NamedTuple):
    """The places of a table, which share no cell."""

    sizes: Sizes
    head: Rect
    seats: tuple[Rect, ...]
    """The places of the others, in playing order from the viewer's left."""
    played: tuple[Rect, ...]
    """The places for the cards that players lay to a trick: the viewer's, then the others'; empty without tricks."""
    panel: Rect | None
    """The ground under a trick."""
    piles: tuple[Rect, Rect] | None
    """Beside the panel, under the seats: places for what sides share."""
    middle: Rect
    log: Rect
    you: Rect
    hand: Rect
    """The place of the hand with a row for the risen card above."""
    letters: Rect
    enter: Rect
    buttons: Rect
    typed: Rect
    foot: Rect
    side: Rect | None

    @property
    def is_text(self) -> bool:
        """Whether cards are text in one row."""
        return self.sizes.card[1] == 1

    @property
    def lists(self) -> Rect:
        """The place for a list of choices without cards."""
        return self.panel or self.middle


@lru_cache(64)
def places_for(columns: int, rows: int, others: int, tricks: bool, wide: bool = False) -> Places:
    """The places in a window for a table with so many others. ``tricks``: whether cards lie before their players;
    ``wide``: whether hands are so small that a wide panel fits between them."""
    sizes = next((each for each in SIZES if columns >= each.columns and rows >= each.rows), SIZES[-1])
    side = sizes.side or (34 if columns >= SIDE_FROM else 0)
    width = columns - side
    card_rows, hand_rows = sizes.card[1], sizes.hand_card[1]
    base = sizes.columns - sizes.side
    x0 = max(0, (width - max(base, min(width, base + 24))) // 2)
    inner = width - 2 * x0
    fixed = 1 + sizes.seats + sizes.middle + sizes.log + 1 + hand_rows + 5  # 5: letters, enter, buttons, typed, foot
    spare = max(0, rows - fixed)
    gaps = [spare // 6 + (place < spare % 6) for place in range(6)]  # the first get one more
    y = 1 + gaps[1]
    middle_top = y + sizes.seats + gaps[0]
    log_top = middle_top + sizes.middle + gaps[2]
    log_rows = sizes.log + gaps[3]
    hand_top = log_top + log_rows
    enter_row = hand_top + hand_rows + 2 + gaps[4]
    button_row = enter_row + 1 + gaps[5]
    left = x0 + (2 if card_rows == 1 else 3)
    middle = Rect(left, middle_top, inner - 6, sizes.middle)
    panel = piles = None
    played: tuple[Rect, ...] = ()
    if tricks:
        panel_width = sizes.wide_panel if wide else sizes.panel
        middle = panel = Rect(x0 + (inner - panel_width) // 2, y, panel_width, middle.bottom - y)
        seats, piles = _seats_beside(panel, left, x0 + inner - 2, others, card_rows)
        played = _places_around(panel, others, sizes.card)
    else:  # side by side; as text one below the other, in two columns if there are more than three
        across = max(1, others) if card_rows > 1 else 1 + (others > 3)
        step, seat_rows = (inner - 4) // across, sizes.seats if card_rows > 1 else 1
        spots = [divmod(place, across) for place in range(others)]
        seats = tuple([Rect(left + column * step, y + row, step - (across > 1), seat_rows) for row, column in spots])
    if card_rows == 1:
        you = Rect(left, hand_top, inner - 4, 1)
        hand = Rect(left, hand_top + 1, inner - 4, 1)
    else:
        you = Rect(left, hand_top + 1, YOU_CELLS, hand_rows)
        hand = Rect(left + YOU_CELLS, hand_top, inner - YOU_CELLS - 4, 1 + hand_rows)
    head, foot = [Rect(0, row, columns, 1) for row in (0, rows - 1)]
    log = Rect(left, log_top, inner - 5, log_rows)
    letters = Rect(hand.x, hand_top + 1 + hand_rows, hand.width, 1)
    enter, buttons, typed = [log._replace(y=row, height=1) for row in (enter_row, button_row, button_row + 1)]
    column = Rect(width, 1, side, rows - 2) if side else None
    return Places(
        sizes, head, seats, played, panel, piles, middle, log, you, hand, letters, enter, buttons, typed, foot, column
    )


def _seats_beside(
    panel: Rect, left: int, right: int, others: int, card_rows: int
) -> tuple[tuple[Rect, ...], tuple[Rect, Rect]]:
    """The seats at both sides of a panel, and the places for what sides share below them."""
    at_left = others // 2 if others > 1 else 0
    piles_rows = card_rows if card_rows >= 5 else 3
    found: dict[int, Rect] = {}
    columns = ((left, panel.x - 1), (panel.right + 2, right))
    bottom = panel.bottom - piles_rows - (card_rows > 1)
    for (start, end), indices in zip(columns, (range(at_left)[::-1], range(at_left, others)), strict=True):
        each = (bottom - panel.y) // max(2, len(indices))
        top = panel.y + (each if len(indices) == 1 and others > 1 else 0)
        for place, index in enumerate(indices):
            found[index] = Rect(start, top + place * each, end - start, each)
    first, second = [Rect(start, bottom, end - start, piles_rows) for start, end in columns]
    return tuple([found[index] for index in range(others)]), (first, second)


def _places_around(panel: Rect, others: int, card: tuple[int, int]) -> tuple[Rect, ...]:
    """The places of cards on the panel: the viewer's at the bottom, the others' from the left around."""
    width, height = card
    top = panel.y + (panel.height > 2 * height + 4)
    bottom = panel.bottom - height - (panel.height > 2 * height + 2) - (height == 1)
    between = panel.y + (panel.height - height) // 2
    inner = others - 2 if others > 2 else others % 2  # at the top, side by side
    xs = [panel.x + round((place + 1) * panel.width / (inner + 1) - width / 2) for place in range(inner)]
    low = between if inner <= 1 else min(bottom, between + 1 + height // 2)
    ends = [Rect(x, low, width, height) for x in (panel.x + 2, panel.right - 2 - width)] if others > 1 else []
    own = Rect(panel.x + (panel.width - width) // 2, bottom, width, height)
    return (own, *ends[:1], *[Rect(x, top, width, height) for x in xs], *ends[1:])
