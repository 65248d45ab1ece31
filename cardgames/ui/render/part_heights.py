"""The height of each part of the table. It depends on window and game alone, so that nothing moves during play."""

from typing import NamedTuple

from cardgames.layout.scene import RequiredSpace

LEAST_LOG = 3
"""The rows that the log gets before any row goes to boxes of cards or stays blank."""
MOST_LOG = 6
"""The most rows of the log."""
TALL_CARD_ROWS = 5
"""The rows of a card of the hand in a tall window."""
LOW_CARD_ROWS = 3
"""The rows of a card of the hand in a lower window."""


class PartHeights(NamedTuple):
    """The rows of each part of a picture, from top to bottom."""

    rule: int
    """The line under the head line, with the legend of marks."""
    players: int
    middle: int
    log: int
    hand: int
    gaps: tuple[int, int, int]
    """The blank rows above the middle, the log and the hand."""
    boxes: bool
    """Whether the cards in the middle are drawn as boxes."""
    paired: bool
    """Whether two players share a row."""


def part_heights(rows: int, space: RequiredSpace, seats: int, beside: bool) -> PartHeights:
    """Divide ``rows`` among the parts in order of importance. With a panel ``beside`` there is no log."""
    spare = rows - 1 - LOW_CARD_ROWS
    rows_left = spare - seats - space.text
    paired = seats > 3 and rows_left < (LEAST_LOG if seats > 4 else 1)
    players = min(spare, -(-seats // 2) if paired else seats)
    spare -= players
    middle = min(spare, space.text)
    spare -= middle
    log = rule = 0
    gaps, hand = [0, 0, 0], LOW_CARD_ROWS

    def take(limit: int) -> int:
        nonlocal spare
        taken = max(0, min(spare, limit))
        spare -= taken
        return taken

    if not beside:
        log += take(2)
    rule += take(1)
    if not beside:
        log += take(LEAST_LOG - log)
    boxes = spare >= space.boxes - middle
    if boxes:
        middle += take(space.boxes - middle)
    for gap in (2, 0) if beside else (2, 0, 1):
        gaps[gap] = take(1)
    if spare >= TALL_CARD_ROWS - LOW_CARD_ROWS:
        hand += take(TALL_CARD_ROWS - LOW_CARD_ROWS)
    if not beside:
        log += take(MOST_LOG - log)
    middle += spare
    return PartHeights(rule, players, middle, log, hand, (gaps[0], gaps[1], gaps[2]), boxes, paired)
