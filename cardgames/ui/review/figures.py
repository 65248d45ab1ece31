"""Figures as text: amounts, bars and curves."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from rich.cells import cell_len

from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings

BRAILLE_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of the dots in a pattern of Braille, by column and row."""


def bar(share: float, settings: Settings) -> str:
    """A share as text: a bar and a percentage, or in plain mode only the percentage."""
    full, empty = ("#", ".") if settings.ascii else ("█", "░")
    cells = round(share * 10)
    return f"{share:.0%}" if settings.plain else f"{full * cells}{empty * (10 - cells)} {share:4.0%}"


def amount(words: Words, unit: str, value: float, signed: bool = False, kind: str = "amount", digits: int = 0) -> str:
    """A cost as text in ``unit``. If ``signed``, a positive number gets a plus sign.

    ``kind``: ``level`` for one of many values, in per cent where an amount is in points of per cent; ``digits``: the
    decimals of a percentage, one less than those of points."""
    number = f"{100 * value:+.{digits}f}" if unit == "win" else f"{value:+.{digits + 1}f}"
    if not float(number):  # 0 has no sign
        number = number[1:]
    elif not signed:
        number = number.removeprefix("+")
    return words.text(f"review.{kind if unit == 'win' else 'amount'}.{unit}", value=number)


def chart(
    points: Sequence[tuple[int, float]],
    bounds: tuple[float, float],
    columns: int,
    rows: int,
    label: Callable[[float], str],
    end: str,
    *,
    ascii: bool,
    marked: Collection[int] = (),
) -> list[str]:
    """A curve through ``points`` (pairs of ply and value), in ``rows`` lines of text.

    ``bounds``: the lowest and the highest value, whose labels ``label`` returns; ``columns``: the most columns of a
    line; ``end``: the label of the last ply; ``marked``: plies with a mark at the curve."""
    low, high = bounds
    span = (high - low) or 1.0  # all values may be equal
    heads = [label(high), label(low)]
    margin = max(map(cell_len, heads))
    last = max(1, points[-1][0])
    width = max(8, columns - margin - len(" |"))  # 8 columns still show a course
    across, down = (1, 1) if ascii else (2, 4)
    dots, bottom = across * width, (rows - 1) * down - 1  # the last row is for the plies
    heights = [round((high - _value_at(points, last * x / (dots - 1))) / span * bottom) for x in range(dots)]
    cells = [[0] * width for _ in range(rows - 1)]
    for x, (before, now) in enumerate(pairwise([heights[0], *heights])):  # dots lead from one column to the next
        for y in range(before + 1, now + 1) if before < now else range(now, max(now + 1, before)):
            cells[y // down][x // across] |= BRAILLE_DOTS[x % across][y % down]
    lines = [[("*" if ascii else chr(0x2800 + bits)) if bits else " " for bits in row] for row in cells]
    for ply in marked:
        column = round(ply / last * (width - 1))
        lines[max(0, heights[across * column] // down - 1)][column] = "v" if ascii else "▼"
    labels = [heads[0], *[""] * (rows - 3), heads[1]]  # one for each of ``lines``
    drawn = [
        " " * (margin - cell_len(label)) + f"{label} |{''.join(line).rstrip()}"
        for label, line in zip(labels, lines, strict=True)
    ]
    return [*drawn, " " * margin + " 0" + " " * (width - cell_len(end)) + end]


def _value_at(points: Sequence[tuple[int, float]], ply: float) -> float:
    """The value of a curve at a place between its points."""
    for (start, before), (stop, after) in pairwise(points):
        if ply <= stop:
            return before + (after - before) * max(0.0, ply - start) / max(1, stop - start)
    return points[-1][1]
