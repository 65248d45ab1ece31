"""Cards, backs, chips and large words, drawn on a canvas."""

from itertools import product
from typing import NamedTuple

from cardgames.engine.cards import Card
from cardgames.ui.render.canvas import HEAVY, Canvas, Rect, width_of
from cardgames.ui.render.charset import SYMBOLS, rank_and_suit
from cardgames.ui.render.themes import PAGE, Depth, Style

LARGE_LETTERS = (
    "069996 126227 2E124F 3E161E 499F11 5F8E1E 668E96 7F1244 869696 969716 "
    "A69F99 BE9E9E C78887 DE999E EF8E8F FF8E88 G78B97 H99F99 I72227 J11196 K9ACA9 L8888F MHRLHH "
    "N9DB99 O69996 PE9E88 Q699B7 RE9EA9 S7861E TV4444 U99996 VHHHA4 WHHLLA X99699 YHA444 ZF168F"
)
LETTERS = {word[0]: tuple([int(row, 32) for row in word[1:]]) for word in LARGE_LETTERS.split()}
"""Large letters, five rows of points: the bits of each row."""
PIPS = dict(
    zip([*"A23456789", "10"], [200, 20002, 20202, 50005, 50205, 50505, 50525, 52525, 55255, 57075], strict=True)
)
"""The pips of each rank: five digits for five rows, the lowest first, with the bits of three places."""
TALL_FACE_ROWS, WIDE_FACE_CELLS = 7, 9
"""The size from which a card shows pips or a large letter."""


class CardLook(NamedTuple):
    """What is shown of a card besides its face."""

    dim: bool = False
    """Whether the card lies on darker paper, as it cannot be played."""
    sign: str = ""
    """The sign of trumps or of the card that beats all others, in the upper right corner."""
    mark: str = ""
    """A mark in the lower left corner: recommended, ticked or new."""
    edge: bool = False
    """Whether a line at the left separates the card from the one below it."""
    covered: bool = False
    """Whether other cards lie on the lower right corner."""
    stacked: bool = False
    """Whether the suit stands below the rank, as little of the card is in view."""
    pointed: bool = False


def draw_card(canvas: Canvas, area: Rect, card: Card, look: CardLook) -> Rect:
    """Draw the face of a card, as text if the area has one row, and return the area that it takes."""
    if area.height == 1:
        return area._replace(width=draw_card_text(canvas, area.x, area.y, card, look) - area.x)
    medium = canvas.medium
    rank, suit = rank_and_suit(card)
    symbol = suit if medium.ascii else SYMBOLS[suit]
    canvas.raised.append(area)
    if medium.outlined:
        _draw_outlined(canvas, area, rank, symbol, look)
        return area
    ground = "dimpaper" if look.dim else "paper"
    ink = ink_of(suit, look.dim, medium.four_colours)
    if look.dim and medium.depth is Depth.SIXTEEN:
        ground, ink = "felt", "felred" if suit in "HD" else "text"
        canvas.fill(area, ground)
        canvas.frame(area, Style("text"))
    else:
        canvas.fill(area, ground)
        edge = ("▏" if medium.blocks else "|", Style("dimink" if look.dim else "edge"))
        canvas.put_lines(area.x, area.y, [edge] * area.height * look.edge)
    style = Style(ink, ground, bold=True)
    has_middle = area.width >= WIDE_FACE_CELLS and area.height >= TALL_FACE_ROWS
    _draw_corners(canvas, area, rank, symbol, look, style, look.stacked or (area.height > 4 and not has_middle))
    if has_middle and not look.stacked:
        _draw_middle(canvas, area, rank, symbol, style)
    return area


def _draw_corners(
    canvas: Canvas, area: Rect, rank: str, symbol: str, look: CardLook, style: Style, is_stacked: bool
) -> None:
    x, y, right = area.x + (area.width >= 5), area.y, area.right
    face_end = canvas.put(x, y, rank + ("" if is_stacked else symbol), style)
    if is_stacked:
        canvas.put(x, y + 1, symbol, style)
    if not look.covered and area.height > 2:
        canvas.put(right - 1 - width_of(rank + symbol), area.bottom - 1, rank + symbol, style)
    if look.sign:
        if look.stacked or look.covered or face_end > right - 2:
            canvas.put(x, y + 1 + is_stacked, look.sign, style)
        else:
            canvas.put(right - 2, y, look.sign, style)
    if look.mark:
        canvas.put(area.x + 1, area.bottom - 1, look.mark, style)


def _draw_middle(canvas: Canvas, area: Rect, rank: str, symbol: str, style: Style) -> None:
    """Draw pips, or a large letter for a court card."""
    middle = area.x + area.width // 2
    if rank in "JQK":
        if canvas.medium.blocks:
            draw_word(canvas, middle - 1 - (rank == "Q"), area.y + area.height // 2 - 1, rank, style)
        else:
            canvas.put(middle, area.y + area.height // 2, rank, style)
        return
    for column, row in product(range(3), range(5)):
        if PIPS[rank] // 10**row % 10 >> column & 1:
            canvas.put(middle + 2 * (column - 1), area.y + (area.height - 5) // 2 + row, symbol, style)


def _draw_outlined(canvas: Canvas, area: Rect, rank: str, symbol: str, look: CardLook) -> None:
    """Draw a card where there is no paper: an outline, a heavy reversed one if pointed, none if unplayable."""
    red = "felred" if symbol in "♥♦HD" else "text"
    style = Style(red, bold=not look.dim, reverse=look.pointed)
    frame = Style("text", reverse=look.pointed)
    canvas.put_lines(area.x, area.y, [(" " * area.width, frame)] * area.height)
    if look.pointed:
        canvas.frame(area, frame, HEAVY)
    elif not look.dim:
        canvas.frame(area, frame)
    face = [(rank, style), (symbol, style)] if look.stacked else [(rank + symbol, style)]
    canvas.put_lines(area.x + 1, area.y + (area.height > 2), face)
    if look.sign:
        canvas.put(area.x + 1 if look.stacked else area.right - 2, area.y, look.sign, frame)
    if look.mark:
        canvas.put(area.x + 1, area.bottom - 1, look.mark, frame._replace(bold=True))


def ink_of(suit: str, dim: bool, four_colours: bool) -> str:
    """The colour of a suit, a letter of ``SHDC``, on a card."""
    if four_colours and suit in "DC" and not dim:
        return {"D": "blue", "C": "green"}[suit]
    return ("dim" if dim else "") + ("red" if suit in "HD" else "ink")


def draw_card_text(canvas: Canvas, x: int, y: int, card: Card, look: CardLook) -> int:
    """Draw a card as text on paper, in one row, and return the column after it."""
    rank, suit = rank_and_suit(card)
    medium = canvas.medium
    text = rank + (suit if medium.ascii else SYMBOLS[suit]) + look.sign
    if medium.outlined or (look.dim and medium.depth is Depth.SIXTEEN):
        left, right = ("[", "]") if look.pointed else ("(", ")") if look.dim else (" ", " ")
        style = Style("text", bold=not look.dim, reverse=look.pointed)
        return canvas.put(x, y, (look.mark or left) + text + right, style)
    ground = "gold" if look.pointed else "dimpaper" if look.dim else "paper"
    ink = "rim" if look.pointed else ink_of(suit, look.dim, medium.four_colours)
    margin = "" if look.covered else " "
    return canvas.put(x, y, (look.mark or " ") + text + margin, Style(ink, ground, bold=True), see_through=False)


def draw_back(canvas: Canvas, area: Rect) -> None:
    """Draw the back of a card."""
    canvas.raised.append(area)
    pattern = _pattern(canvas) * (area.width - 2)
    if canvas.medium.outlined:
        canvas.fill(area, canvas.rows[max(0, area.y)][max(0, area.x)][1].ground)
        canvas.frame(area, Style("text"))
        canvas.put_lines(area.x + 1, area.y + 1, [(pattern, PAGE)] * (area.height - 2))
        return
    canvas.fill(area, "back")
    canvas.put_lines(area.x + 1, area.y, [(pattern, Style("backline"))] * area.height)


def draw_backs(canvas: Canvas, x: int, y: int, count: int, step: int, rows: int) -> Rect:
    """Draw the backs of a hand in a fan, each a slice of ``step`` cells with a light edge, and return their area."""
    area, blocks = Rect(x, y, count * step, rows), canvas.medium.blocks
    if canvas.medium.outlined:
        for start in range(x, area.right, step):
            canvas.put_lines(start, y, [(("▌" if blocks else "|") + _pattern(canvas) * (step > 1), PAGE)] * rows)
        return area
    canvas.fill(area, "back")
    for start in range(x, area.right, step):
        canvas.put_lines(start + 1, y, [(_pattern(canvas) * (step - 1), Style("backline"))] * rows)
        canvas.put_lines(start, y, [("▎" if blocks else "|", Style("edge"))] * rows)
    return area


def _pattern(canvas: Canvas) -> str:
    return "░" if canvas.medium.blocks else ":"


def word_cells(word: str) -> int | None:
    """The width of a word in large letters; ``None`` if there is no large letter for one of its characters."""
    if not word.replace(" ", "") or any(letter not in LETTERS for letter in word if letter != " "):
        return None
    return sum([3 if letter == " " else 1 + _letter_cells(letter) for letter in word]) - 1


def _letter_cells(letter: str) -> int:
    return max(LETTERS[letter]).bit_length()


def draw_word(canvas: Canvas, x: int, y: int, word: str, style: Style) -> int:
    """Draw a word in large letters in three rows, two points a cell, and return the column after it."""
    for letter in word:
        if letter == " ":
            x += 3
            continue
        points, cells = (*LETTERS[letter], 0), _letter_cells(letter)
        for column, row in product(range(cells), range(3)):
            upper, lower = [points[2 * row + half] >> (cells - 1 - column) & 1 for half in (0, 1)]
            if part := " ▄▀█"[2 * upper + lower].strip():
                canvas.put(x + column, y + row, part, style)
        x += cells + 1
    return x - 1


def draw_large(canvas: Canvas, area: Rect, text: str, style: Style) -> None:
    """Draw a text in the middle of an area of three rows: in large letters if they fit, else bold and spaced."""
    cells = word_cells(text.upper()) if canvas.medium.blocks else None
    if cells is not None and cells <= area.width:
        draw_word(canvas, area.x + (area.width - cells) // 2, area.y, text.upper(), style)
        return
    spaced = " ".join(text) if text.isalnum() and text.isascii() and 2 * len(text) <= area.width else text
    canvas.put_centred(area, area.y + 1, spaced, style._replace(bold=True))
