"""The height of each part of the table, by the window and the game alone, so that nothing moves during play."""

from typing import NamedTuple

from cardgames.layout.scene import Frame

LEAST_LOG = 3
"""The rows that the log gets before any ornament does."""
MOST_LOG = 6
"""The most rows of the log."""
TALL = 5
"""Rows of a card in a tall window."""
LOW = 3
"""Rows of a card in a lower window."""


class PartHeights(NamedTuple):
    """The rows of each part of a picture, from top to bottom."""

    rule: int
    """The line under the head, with the legend of marks."""
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


def part_heights(rows: int, frame: Frame, seats: int, beside: bool) -> PartHeights:
    """Divide ``rows`` among the parts in order of importance; with a panel ``beside`` the log stands there."""
    spare = rows - 1 - LOW
    left = spare - seats - frame.text
    paired = seats > 3 and left < (LEAST_LOG if seats > 4 else 1)
    players = min(spare, -(-seats // 2) if paired else seats)
    spare -= players
    middle = min(spare, frame.text)
    spare -= middle
    log = rule = 0
    gaps, hand = [0, 0, 0], LOW

    def take(most: int) -> int:
        nonlocal spare
        taken = max(0, min(spare, most))
        spare -= taken
        return taken

    if not beside:
        log += take(2)
    rule += take(1)
    if not beside:
        log += take(LEAST_LOG - log)
    boxes = spare >= frame.boxes - middle
    if boxes:
        middle += take(frame.boxes - middle)
    for gap in (2, 0) if beside else (2, 0, 1):
        gaps[gap] = take(1)
    if spare >= TALL - LOW:
        hand += take(TALL - LOW)
    if not beside:
        log += take(MOST_LOG - log)
    middle += spare
    return PartHeights(rule, players, middle, log, hand, (gaps[0], gaps[1], gaps[2]), boxes, paired)
