"""The end of a match or of a single deal: who has won, the cards that are left, the course, and how all stand."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from typing import NamedTuple

from cardgames.engine.cards import Card
from cardgames.engine.game import Message
from cardgames.layout import scene as parts
from cardgames.layout.scene import SeatView
from cardgames.ui.messages import clip
from cardgames.ui.render.canvas import Rect, width_of
from cardgames.ui.render.card_art import CardLook, draw_large, draw_word, word_cells
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.table.middle import seats_of
from cardgames.ui.render.table.painter import CAP_GAP, LEAST_STEP, STACKED_BELOW, TablePainter, log_lines
from cardgames.ui.render.themes import BOLD, FAINT, GOLD, PAGE, Style

LEAST_PANEL, MOST_PANEL = 7, 16
"""The fewest and the most rows of the course and of the standings beside it, where cards are no text."""
LEAST_STANDINGS = 28
"""The fewest cells beside the course."""
GROUP_GAP = 3
HIDDEN_MARKS = ("computer.", "with", "partner", "dealer", "takes", "defends", "attacks", "leads")
"""The beginnings of the keys of roles that are over."""


class Course(NamedTuple):
    """The course of a match for one seat."""

    heading: str
    curve: Callable[[int, int], Sequence[str]]
    """Draws the curve in at most so many columns and rows, as lines of text."""
    costly: Sequence[tuple[str, str]]
    """The costly moves of the seat, the worst first, each with its cost."""


class Ending(NamedTuple):
    """The end of a match, or of a single deal that is played alone."""

    headline: Message
    """Who has won, or how the deal ended."""
    reasons: Sequence[Message] = ()
    """What is said below the headline."""
    more: Sequence[Message] = ()
    """What else is said where there is room: the progress of the people here, the ranking of a tournament."""
    winners: Collection[int] = ()
    wins: Mapping[int, int] = {}
    """The matches that each seat has won in this session; empty during the first match."""
    hands: Sequence[tuple[int, tuple[Card, ...]]] = ()
    course: Callable[[], Course | None] = lambda: None
    """Returns the course of the match once it has been computed."""
    tally: Sequence[Message] = ()
    """The matches won in this session in words, for reading aloud."""

    @property
    def messages(self) -> list[Message]:
        """All that is read aloud, the headline last."""
        return [*self.tally, *self.more, *self.reasons, self.headline]


class _Group(NamedTuple):
    """Cards that lie together under a label."""

    label: str
    cards: tuple[Card, ...]
    is_underlined: bool = False


@dataclass(eq=False)
class EndPainter(TablePainter):
    """Paints the end over the whole table, whose seats are empty."""

    ending: Ending = Ending(Message("drawn_match"))  # noqa: RUF009 — a tuple

    def _draw_table(self) -> None:
        places = self.places
        typed = places.enter._replace(y=places.enter.y - 1)
        whole = Rect(places.log.x, 1, places.log.width, typed.y - 1)
        lists = Rect(whole.x, typed.y - 6, whole.width, 6)
        self.places = places._replace(buttons=places.buttons._replace(height=2), typed=typed, middle=lists, panel=None)
        self._draw_end(whole)
        self.canvas.shade()

    # From top to bottom

    def _draw_end(self, whole: Rect) -> None:
        """The headline, the reasons, the cards, and at the bottom the course and the standings side by side."""
        reasons = [line for text in self.ending.reasons for line in wrap_text(self.words.say(text), whole.width)]
        groups = self._groups()
        large = 1 if self.places.is_text else 3
        cards = self.places.sizes.card[1] + 1 + any(group.label for group in groups) if groups else 0
        least = 4 if self.places.is_text else LEAST_PANEL
        reasons = reasons[: max(1, whole.height - large - cards - least)]
        spare = max(0, whole.height - large - len(reasons) - cards - least)
        panel_rows = least + max(0, min(MOST_PANEL - LEAST_PANEL, (spare - 2) * 2 // 3))
        free = whole.height - large - len(reasons) - cards - panel_rows
        gap, lower_gap = min(2, (free + 1) // 2), min(2, free // 2)
        y = whole.y + gap
        self._draw_headline(Rect(whole.x, y, whole.width, large))
        y += large
        for line in reasons:
            self.canvas.put_centred(whole, y, line, BOLD)
            y += 1
        if groups:
            self._draw_groups(groups, whole._replace(y=y + lower_gap))
        free = max(0, whole.bottom - panel_rows - y - (lower_gap + cards if groups else 0))
        panel = whole._replace(y=whole.bottom - panel_rows - free // 2, height=panel_rows)
        left = panel._replace(width=min(panel.width * 5 // 8, panel.width - LEAST_STANDINGS))
        self._draw_course(left)
        typed, asked = self.places.typed, self.asked
        last = self.words.say(self.ending.more[-1]) if self.ending.more and self.ending.course() else ""
        if width_of(asked.question) + width_of(last) + 3 <= typed.width and not (asked.notice or asked.typed):
            self.canvas.put_right(typed.right, typed.y, last, FAINT)  # the curve stands in its place
        self._draw_standings(Rect(left.right + 2, panel.y, panel.right - left.right - 2, panel.height))

    def _draw_headline(self, area: Rect) -> None:
        text, style = self.words.say(self.ending.headline), GOLD
        if area.height == 1 or width_of(text) > area.width:
            lines = wrap_text(text, area.width)[: area.height]
            for y, line in enumerate(lines, area.y + (area.height - len(lines)) // 2):
                self.canvas.put_centred(area, y, line, style)
            return
        text = text.rstrip("!！。.")
        name, rest = text[: len(text) - len(text.lstrip(ascii_letters))], text.lstrip(ascii_letters)
        cells = width_of(rest) + (word_cells(name.upper()) or 0)
        if name and not rest.isascii() and not {*rest} & {*ascii_letters} and self.canvas.medium.blocks:
            x = area.x + (area.width - cells - 1) // 2
            x = draw_word(self.canvas, x, area.y, name.upper(), style)
            self.canvas.put(x + 1, area.y + 1, rest, style)
            return
        draw_large(self.canvas, area, text, style)

    # Cards

    def _groups(self) -> list[_Group]:
        """The hands that are left, or else the cards that were played last."""
        if self.ending.hands:
            has_labels = len(self.ending.hands) > 1  # the reason names an only loser
            return [_Group(self.words.name(seat) if has_labels else "", cards) for seat, cards in self.ending.hands]
        trick = self.scene.trick
        groups = [
            _Group(self.words.name(player.seat), (card,), player.seat == trick.winner)
            for player in self.scene.players
            if (card := trick.card_of(player.seat)) is not None
        ]
        for block in self.scene.middle:
            if isinstance(block, parts.Pairs):
                groups += [_Group("", (card,) if beater is None else (card, beater)) for card, beater in block.pairs]
            elif isinstance(block, parts.Row):
                groups.append(_Group(self.words.say(block.label), block.cards))
            elif isinstance(block, parts.Tricks):
                for label, trick in block.tricks:  # each with the winning card on top
                    cards = sorted(trick.cards, key=lambda card: card == trick.winning_card)
                    groups.append(_Group(self.words.say(label), tuple(cards), trick.winner > 0))
        return groups

    def _draw_groups(self, groups: Sequence[_Group], area: Rect) -> None:
        """Groups of cards side by side, in the middle of ``area``, each under its label."""
        width, height = self.places.sizes.card
        has_labels = any(group.label for group in groups)
        count = sum([len(group.cards) for group in groups])
        room = area.width - GROUP_GAP * (len(groups) - 1) - width * len(groups)
        step = max(LEAST_STEP, min(width + (len(groups) == 1), room // max(1, count - len(groups))))
        widths = [max(width + step * (len(group.cards) - 1), min(width_of(group.label), 12)) for group in groups]
        while sum(widths) + GROUP_GAP * (len(widths) - 1) > area.width and len(widths) > 1:
            widths.pop()
        x = area.x + max(0, area.width - sum(widths) - GROUP_GAP * (len(widths) - 1)) // 2
        for group, cells in zip(groups, widths, strict=False):
            if has_labels:
                self.canvas.put(x, area.y, clip(group.label, cells + GROUP_GAP - 1), FAINT)
            for place, card in enumerate(group.cards):
                is_last = place == len(group.cards) - 1
                look = CardLook(edge=place > 0, covered=step < width and not is_last)
                look = look._replace(stacked=step < STACKED_BELOW and not is_last)
                drawn = self.put_card(x + place * step, area.y + has_labels, card, look)
                if is_last and group.is_underlined and height > 1:
                    self.canvas.underline(drawn.x, drawn.bottom, width)
            x += cells + GROUP_GAP

    # What follows

    def _draw_buttons(self, indices: Sequence[int]) -> bool:
        """Draw choices as buttons in one row or, if they do not fit, in columns of two rows."""
        if super()._draw_buttons(indices):
            return True
        area, per_row = self.places.buttons, (len(indices) + 1) // 2
        texts = [self.asked.choices[index].text for index in indices]
        widths = [width_of(self._cap(index) + text) for index, text in zip(indices, texts, strict=True)]
        cells = min(max(widths) + CAP_GAP + 1, (area.width - 2) // per_row)
        for place, (index, text) in enumerate(zip(indices, texts, strict=True)):
            x, y = area.x + 2 + place % per_row * cells, area.y + place // per_row
            self._draw_button(x, y, index, clip(text, max(1, cells - width_of(self._cap(index)) - 2)))
        return True

    # Side by side

    def _draw_course(self, area: Rect) -> None:
        """The curve of the match, or words until it is there."""
        inside = Rect(area.x + 1, area.y, area.width - 2, area.height)
        course = self.ending.course()
        if course is None:
            self._draw_words(area, inside)
            return
        self.canvas.fill(area, "panel")
        self.canvas.put(inside.x, inside.y, clip(course.heading, inside.width), GOLD)
        sign = f"{self.glyph('▼', 'v')} {self.words.text('end.costly_moves')}"
        if course.costly and width_of(course.heading) + width_of(sign) < inside.width:
            self.canvas.put_right(inside.right, inside.y, sign, Style("bad"))
        for y, line in enumerate(course.curve(inside.width, inside.height - 1), inside.y + 1):
            scale, bar, curve = line.partition(" |")
            x = self.canvas.put(inside.x, y, f"{scale}  " if bar else scale, FAINT)
            for character in curve:
                x = self.canvas.put(x, y, character, Style("bad" if character in "▼v" else "text"))

    def _draw_words(self, area: Rect, inside: Rect) -> None:
        """What else is said, and the last events if no side column has them."""
        lines = [(piece, PAGE) for text in self.ending.more for piece in wrap_text(self.words.say(text), inside.width)]
        lines = lines[: inside.height]
        if self.places.side is None:
            lines += log_lines(self.log, self.words, inside.width, inside.height - len(lines))
        if any(text for text, _ in lines):
            self.canvas.fill(area, "panel")
        self.canvas.put_lines(inside.x, inside.y, lines)

    def _draw_standings(self, area: Rect) -> None:
        """How everybody stands, the winners first and marked, and the costly moves below."""
        self.canvas.put(area.x, area.y, self.words.text("end.session" if self.ending.wins else "end.standing"), GOLD)
        players = sorted(self.scene.players, key=lambda player: player.seat not in self.ending.winners)
        names = self.words.with_short_names(max(6, area.width // 2 - 2))
        cells = max([width_of(names.name(player.seat)) for player in players], default=0)
        for y, player in enumerate(players[: area.height - 1], area.y + 1):
            won = player.seat in self.ending.winners
            self.canvas.put(area.x, y, self.glyph("★", "*") if won else " ", GOLD)
            self.canvas.put(area.x + 2, y, names.name(player.seat), Style("gold" if won else "text", bold=won))
            end, right = area.x + 4 + cells, area.right
            if wins := self.ending.wins.get(player.seat, 0):
                right = self.canvas.put_right(right, y, self.chips(wins), Style("gold")) - 1
            text = self._standing_of(player)
            self.canvas.put(end, y, clip(text, max(1, right - end)) if right > end else "", Style("text"))
        y = area.y + 1 + len(players)
        course = self.ending.course()
        if course and course.costly and area.bottom - y >= 3:
            self.canvas.put(area.x, y + 1, self.words.text("end.costly_moves"), GOLD)
            for row, (move, cost) in zip(range(y + 2, area.bottom), course.costly, strict=False):
                x = self.canvas.put_right(area.right, row, cost, Style("bad"))
                self.canvas.put(area.x, row, clip(move, x - area.x - 1), Style("text"))

    def _standing_of(self, player: SeatView) -> str:
        """What is said of a player at the end: score, chips or rounds, or else what the player's side has."""
        shown = [
            each for each in player.marks if not isinstance(each, Message) or not each.key.startswith(HIDDEN_MARKS)
        ]
        texts = [each.text for each in self.seat_texts(player._replace(marks=tuple(shown), aside=None))]
        if player.score is None and player.chips is None:
            sides = [side for block in self.scene.middle if isinstance(block, parts.Sides) for side in block.sides]
            texts += [self.chips(side.chips) for side in sides if player.seat in seats_of(side)]
        return self._join(texts)
