"""Pictures of a canvas as SVG."""

from collections.abc import Sequence
from html import escape
from itertools import accumulate, groupby

from cardgames.ui.render.canvas import Canvas, width_of
from cardgames.ui.render.themes import PAGE, colours_of

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


def svg(canvases: Sequence[Canvas], seconds: Sequence[float] = (1,)) -> str:
    """A picture of a canvas, or of several of one size, shown for some ``seconds`` each, again and again.

    The first stays where nothing moves. Parts that stay from one picture to the next are drawn once."""
    shown: tuple[dict[str, list[int]], ...] = ({}, {})
    for number, canvas in enumerate(canvases):
        for places, layer in zip(shown, _layers(canvas), strict=True):
            for part in layer:
                places.setdefault(part, []).append(number)
    starts = [0.0, *accumulate(seconds)]
    names: dict[tuple[int, ...], str] = {}
    groups = []
    for places in shown:
        parts: dict[tuple[int, ...], list[str]] = {}
        for part, numbers in places.items():
            parts.setdefault(tuple(numbers), []).append(part)
        for when, together in parts.items():
            if len(when) == len(canvases):
                groups += together
            else:
                groups += [f'<g class="{names.setdefault(when, f"f{len(names)}")}">', *together, "</g>"]
    rules = [_keyframes(name, when, starts) for when, name in names.items()]
    motion = f"g{{animation:{starts[-1]:g}s step-end infinite;visibility:hidden}}"
    still = [f".{name}{{visibility:visible}}" for when, name in names.items() if when[0] == 0]
    style = ["<style>", motion, *still, *rules, "</style>"] if rules else []
    return "\n".join([*_head(canvases[0]), *style, *groups, "</svg>", ""])


def _keyframes(name: str, numbers: Sequence[int], starts: Sequence[float]) -> str:
    """The rule by which parts are in view in the pictures with these ``numbers``."""
    held = {*numbers}
    changes = [number for number in range(len(starts) - 1) if (number in held) != (number - 1 in held) or not number]
    steps = [
        f"{100 * starts[number] / starts[-1]:.4g}%{{visibility:{'visible' if number in held else 'hidden'}}}"
        for number in changes
    ]
    return f".{name}{{animation-name:{name}}}@keyframes {name}{{{''.join(steps)}}}"


def _head(canvas: Canvas) -> list[str]:
    """The beginning of a picture, with the ground of the table."""
    width, height = canvas.columns * CELL, len(canvas) * ROW
    felt = colours_of(PAGE, canvas.medium)[1]
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="DejaVu Sans Mono, Noto Sans Mono CJK JP, Noto Sans CJK JP, monospace" font-size="{SIZE}" '
        'shape-rendering="crispEdges" xml:space="preserve">',
        f'<rect width="{width}" height="{height}" fill="{felt}"/>',
    ]


def _rect(x: int, y: int, width: int, height: int, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'


def _layers(canvas: Canvas) -> tuple[list[str], list[str]]:
    """The grounds of cells, and what stands on them."""
    felt = colours_of(PAGE, canvas.medium)[1]
    grounds, parts = [], []
    for y, row in enumerate(canvas.rows):
        x = 0
        for ground, cells in groupby(row, key=lambda cell: colours_of(cell[1], canvas.medium)[1]):
            count = len([*cells])
            if ground != felt:
                grounds.append(_rect(x * CELL, y * ROW, count * CELL, ROW, ground))
            x += count
        x = 0
        for (style, is_half), run in groupby(row, key=lambda cell: (cell[1], cell[0] in HALVES)):
            characters = [character for character, _ in run]
            colour = colours_of(style, canvas.medium)[0]
            if is_half:
                for place, character in enumerate(characters, x):
                    column, row_half, columns, rows = HALVES[character]
                    left, top = place * CELL + column * (CELL // 2), y * ROW + row_half * (ROW // 2)
                    parts.append(_rect(left, top, columns * (CELL // 2), rows * (ROW // 2), colour))
            elif text := "".join(characters).rstrip():
                start = x + len(text) - len(text.lstrip())
                text = text.lstrip()
                looks = ' font-weight="bold"' * style.bold + ' text-decoration="underline"' * style.underline
                parts.append(
                    f'<text x="{start * CELL}" y="{y * ROW + BASELINE}" textLength="{CELL * width_of(text)}" '
                    f'lengthAdjust="spacingAndGlyphs" fill="{colour}"{looks}>{escape(text)}</text>'
                )
            x += len(characters)
    return grounds, parts
