"""Pictures of a canvas as SVG."""

from html import escape
from itertools import groupby

from cardgames.ui.render.canvas import Canvas, width_of
from cardgames.ui.render.themes import Style, colours_of

CELL, ROW, SIZE, BASELINE = 10, 20, 16.6, 15
"""The width and height of a cell, the size of letters, and their baseline, in pixels."""
HALVES = {
    "▀": (0, 0, 2, 1),
    "▄": (0, 1, 2, 1),
    "▌": (0, 0, 1, 2),
    "█": (0, 0, 2, 2),
    "▖": (0, 1, 1, 1),
    "▘": (0, 0, 1, 1),
    "▝": (1, 0, 1, 1),
}
"""The part of a cell that a character fills: column and row of its beginning, columns and rows, in halves."""


def svg(canvas: Canvas) -> str:
    """A picture of a canvas."""
    width, height = canvas.columns * CELL, len(canvas) * ROW
    felt = colours_of(Style(), canvas.medium)[1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, Noto Sans Mono CJK JP, Noto Sans CJK JP, monospace" font-size="{SIZE}" '
        'shape-rendering="crispEdges" xml:space="preserve">',
        f'<rect width="{width}" height="{height}" fill="{felt}"/>',
    ]
    for y, row in enumerate(canvas.rows):
        x = 0
        for ground, cells in groupby(row, key=lambda cell: colours_of(cell[1], canvas.medium)[1]):
            count = len([*cells])
            if ground != colours_of(Style(), canvas.medium)[1]:
                parts.append(
                    f'<rect x="{x * CELL}" y="{y * ROW}" width="{count * CELL}" height="{ROW}" fill="{ground}"/>'
                )
            x += count
        x = 0
        for (style, is_half), run in groupby(row, key=lambda cell: (cell[1], cell[0] in HALVES)):
            characters = [character for character, _ in run]
            colour = colours_of(style, canvas.medium)[0]
            if is_half:
                for place, character in enumerate(characters, x):
                    parts.append(_half(character, place * CELL, y * ROW, colour))
            elif text := "".join(characters).rstrip():
                start = x + len(text) - len(text.lstrip())
                text = text.lstrip()
                looks = ' font-weight="bold"' * style.bold + ' text-decoration="underline"' * style.underline
                parts.append(
                    f'<text x="{start * CELL}" y="{y * ROW + BASELINE}" textLength="{CELL * width_of(text)}" '
                    f'lengthAdjust="spacingAndGlyphs" fill="{colour}"{looks}>{escape(text)}</text>'
                )
            x += len(characters)
    return "\n".join([*parts, "</svg>", ""])


def _half(character: str, x: int, y: int, colour: str) -> str:
    """A part of a cell that is filled."""
    column, row, columns, rows = HALVES[character]
    half_cell, half_row = CELL // 2, ROW // 2
    return (
        f'<rect x="{x + column * half_cell}" y="{y + row * half_row}" width="{columns * half_cell}" '
        f'height="{rows * half_row}" fill="{colour}"/>'
    )
