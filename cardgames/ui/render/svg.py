"""Pictures of a canvas as SVG."""

from html import escape
from itertools import groupby

from cardgames.ui.render.canvas import Canvas, width_of
from cardgames.ui.render.themes import colours_of

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
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, Noto Sans Mono CJK JP, Noto Sans CJK JP, monospace" font-size="{SIZE}" '
        'shape-rendering="crispEdges" xml:space="preserve">'
    ]
    for y, row in enumerate(canvas.rows):
        x = 0
        for style, cells in groupby(row, key=lambda cell: cell[1]):
            run = list(cells)
            text, ground = colours_of(style, canvas.medium)
            parts.append(
                f'<rect x="{x * CELL}" y="{y * ROW}" width="{len(run) * CELL}" height="{ROW}" fill="{ground}"/>'
            )
            for place, (character, _) in enumerate(run, x):
                parts += _character(character, place * CELL, y * ROW, text, style.bold, style.underline)
            x += len(run)
    return "\n".join([*parts, "</svg>", ""])


def _character(character: str, x: int, y: int, colour: str, bold: bool, underline: bool) -> list[str]:
    if character in HALVES:
        column, row, columns, rows = HALVES[character]
        half = CELL // 2, ROW // 2
        return [
            f'<rect x="{x + column * half[0]}" y="{y + row * half[1]}" width="{columns * half[0]}" '
            f'height="{rows * half[1]}" fill="{colour}"/>'
        ]
    looks = ' font-weight="bold"' if bold else ""
    looks += ' text-decoration="underline"' if underline else ""
    if not character.strip():
        return []
    length = (
        f' textLength="{CELL * width_of(character)}" lengthAdjust="spacingAndGlyphs"'
        if character in "░─│━┃╭╮╰╯┏┓┗┛"
        else ""
    )
    return [f'<text x="{x}" y="{y + BASELINE}" fill="{colour}"{looks}{length}>{escape(character)}</text>']
