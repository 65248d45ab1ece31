"""How many rows each part of the table has: by the size of the window and the game alone, never by what lies there."""

from typing import NamedTuple

from cardgames.layout import Frame

LEAST_LOG = 3
"""How many rows of what happened come before ornament."""
MOST_LOG = 6
"""How many rows of what happened are enough."""
TALL = 5
"""How many rows a card has where there is much room."""
LOW = 3
"""How many rows a card has elsewhere."""


class PartHeights(NamedTuple):
    """How many rows each part of a picture has; the parts stand under each other in this order."""

    rule: int
    """The line under the head, with what the marks mean."""
    players: int
    middle: int
    log: int
    hand: int
    gaps: tuple[int, int, int]
    """Blank rows above the middle, above the log, and above the hand."""
    boxes: bool
    """Whether what lies in the middle is drawn as boxes."""
    paired: bool
    """Whether the players stand two in a row."""


def part_heights(rows: int, frame: Frame, seats: int, beside: bool) -> PartHeights:
    """Divide so many rows among the parts, by what matters most; with a panel ``beside`` the log stands there."""
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
