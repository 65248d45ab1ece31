"""The painter of a table: everybody's seat, the middle, the log, the hand, and what the hand's owner is asked."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rich.cells import set_cell_size

from cardgames.engine.cards import Card
from cardgames.layout import scene as parts
from cardgames.layout.scene import SeatView
from cardgames.texts import clause_of, rules_page
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.asked import Log, Painted, Target
from cardgames.ui.render.canvas import HEAVY, Rect, width_of
from cardgames.ui.render.card_art import CardLook, draw_back, draw_backs, draw_card, draw_card_text, draw_large
from cardgames.ui.render.foot import paint_foot
from cardgames.ui.render.line_breaking import join_japanese_lines, wrap_text
from cardgames.ui.render.table.middle import MiddlePainter
from cardgames.ui.render.themes import BOLD, FAINT, GOLD, PAGE, Style

if TYPE_CHECKING:
    from cardgames.ui.screens.offers import Offer

SEAT_NAME = 12
"""The most cells of a name where several players sit in a row."""
LEAST_STEP = 3
"""The fewest cells in view of a card that the next one covers."""
STACKED_BELOW = 5
"""The cells in view below which the suit stands under the rank."""
LONGEST_FAN = 19
"""The most cards of a hand in one row; a second fan lies above it."""
GAPS = re.compile(r"\s{2,}")
"""The blanks between two keys at the foot."""
SENTENCE = r".*(?:[.:]\)?(?= |$)|。)"
"""The beginning of a line, up to the end of the last sentence in it."""
DOOR_BACKS = 13
"""The most backs beside a door, one cell each."""
CAP_GAP = 3
LEAST_LABEL = 8
"""The fewest cells to which the label of a button is shortened."""


class TablePainter(MiddlePainter):
    """Paints one picture of a table."""

    def paint(self) -> Painted:
        """Draw everything, and return the places that can be pressed and where typed text appears."""
        self.canvas.fill(Rect(0, 0, self.canvas.columns, len(self.canvas)), "felt")
        self._draw_head()
        self._draw_side()
        self._draw_table()
        self._draw_question()
        self._draw_foot()
        return Painted(self.targets, self.places.typed)

    def _draw_table(self) -> None:
        """Draw what lies between the first row and what is asked, without the side column."""
        if self.places.panel:
            self.canvas.fill(self.places.panel, "panel")
        for player, place in zip(self.others, self.places.seats, strict=True):
            self._draw_seat(player, place)
        self.draw_middle()
        self._draw_log(self.places.log)
        self._draw_note()
        self._draw_you()
        self._draw_hand()
        self._draw_open_hands()
        self.canvas.shade()
        if self.door:
            self._draw_door()
        self._draw_result()

    # First and last row

    def _draw_head(self) -> None:
        """The game, where we are, and facts at the right."""
        canvas, area = self.canvas, self.places.head
        canvas.fill(area, "rim")
        game, _, where = self.title.partition(" · ")
        facts: list[tuple[int, list[tuple[str, Style]]]] = []
        for fact in filter(None, (*self.scene.facts, self.scene.legend)):
            pieces = [(text, BOLD if stands_out else FAINT) for stands_out, text in self.words.fragments(fact)]
            if self.scene.boss is not None and self.scene.boss == fact.args.get("card"):
                pieces.append((self.sign_of(self.scene.boss), BOLD))
            facts.append((sum([width_of(text) for text, _ in pieces]), pieces))
        room = area.width - 4 - width_of(self.title)
        if self.scene.legend and sum([cells + 3 for cells, _ in facts]) > room:
            facts.pop()
        x = area.right - 2
        for cells, pieces in reversed(facts):
            if x - cells >= width_of(game) + 4:
                end = x - cells
                for text, style in pieces:
                    end = canvas.put(end, 0, text, style)
                x -= cells + 3
        end = canvas.put(2, 0, game, GOLD)
        if where and x - end > width_of(where) + 3:
            canvas.put(end, 0, f" · {where}", FAINT)

    def _draw_foot(self) -> None:
        width = self.canvas.columns
        text = GAPS.sub(" " * (3 if width >= 80 else 2), self.asked.foot.strip())
        fits = width_of(text) + 2 <= width
        self.targets += paint_foot(self.canvas, 1 + fits, text if fits else GAPS.sub(" ", text))

    def _draw_side(self) -> None:
        """The side column: the events of the deal, the scores, the rule that matters."""
        area = self.places.side
        if area is None:
            return
        self.canvas.fill(area, "panel")
        inside = Rect(area.x + 2, area.y + 1, area.width - 4, area.height - 2)
        rules = rules_page(self.words.language, self.words.game or "")
        clause = whole_sentences(wrap_lines(clause_of(rules, self.scene.clause), inside.width), inside.height // 3)
        scores = [*self.scores(inside.width), ""][: inside.height // 3]
        rows = inside.height - len(clause) - len(scores) - 3
        lines = log_lines(self.log._replace(counted=False), self.words, inside.width, rows - 1)
        deal = [(self.words.text("side.deal"), GOLD), *[line for line in lines if line[0]]]
        self.canvas.put_lines(inside.x, inside.y, deal)
        below = [*zip(scores, [GOLD, *[PAGE] * len(scores)], strict=False), ("", FAINT)]
        below += zip(clause, [GOLD, *[FAINT] * len(clause)], strict=False)
        self.canvas.put_lines(inside.x, inside.y + rows + 1, below)

    # Seats

    def _draw_seat(self, player: SeatView, area: Rect) -> None:
        if self.places.is_text:
            self._draw_text_seat(player, area)
            return
        is_wide = not self.places.panel and len(self.others) == 1
        room, hand_x = area.width, area.x
        if is_wide:  # the only other: the hand in the middle
            room, hand_x = 24, area.x + max(27, (area.width - 18) // 2)
        below = area.height - 1 if is_wide else int(area.height > 2)
        end = self._put_name(player, area, area.width)
        sign = 0 if player.seat == self.to_act else 2  # its room is kept
        beside, lines = self._seat_lines(player, area.x + room - end - 1 - sign, room, below)
        self.canvas.put(end + 1, area.y, beside, self._role_style(player))
        self.canvas.put_lines(area.x, area.y + 1, [(line, self._role_style(player)) for line in lines])
        hand_y = area.y + (0 if is_wide else 1 + below)
        rows = 2 if is_wide else max(1, min(3, area.bottom - hand_y - (1 if area.height > 3 else 0)))
        if self.places.panel:
            rows = min(rows, 1 if self.places.sizes.card[1] == 4 else 2)
        self._draw_held(player, area._replace(x=hand_x, width=area.right - hand_x), hand_y, rows)

    def _draw_held(self, player: SeatView, seat: Rect, y: int, rows: int) -> None:
        """The hand of another player: the cards that all have seen, and the backs of the others with their number."""
        shown = () if self._is_listed(player) else player.shown
        hidden = max(0, player.cards - len(shown))
        if player.resting or not player.cards:
            return
        x, room = seat.x, seat.width
        step = max(2, min(4, (room - 4) // max(1, len(shown))))
        for card in shown:
            draw_card_text(self.canvas, x, y, card, CardLook(edge=True, covered=step < 4))
            x += step + (step < 4)
        room -= x - seat.x
        step = max(1, min(3, (room - 4) // max(1, hidden)))
        drawn = max(0, min(hidden, (room - 4) // step))
        area = draw_backs(self.canvas, x, y, drawn, step, rows)
        if not self.places.panel or area.bottom < seat.bottom:  # else its shadow would fall on a name
            self.canvas.raised.append(area)
        self.canvas.put(area.right + 1, y + rows // 2, str(player.cards), Style("text"))
        if player.target and area.bottom < self.places.middle.y + (not self.places.panel):
            self.canvas.underline(area.x, area.bottom, area.width + 3)

    def _is_listed(self, player: SeatView) -> bool:
        """Whether a hand lies open and is listed under the table of a record, as it has no room at its seat."""
        if self.asked.choices or self.asked.question or not (self.places.is_text or len(self.others) > 1):
            return False
        return bool(player.shown) and len(player.shown) >= player.cards and not player.resting

    def _draw_open_hands(self) -> None:
        """The hands that are listed under the table."""
        x, y = 3, self.places.hand.bottom + (not self.places.is_text)
        for player in self.others:
            if not self._is_listed(player):
                continue
            name = self.words.with_short_names(SEAT_NAME).name(player.seat)
            cards = "".join([f" {self.words.faces.card(card)}" for card in player.shown])
            if x > 3 and x + width_of(name + cards) > self.canvas.columns:
                x, y = 3, y + 1
            if y >= self.places.foot.y:
                return
            x = self.canvas.put(x, y, name, BOLD)
            x = self.canvas.put(x, y, cards, PAGE) + 3

    def _draw_text_seat(self, player: SeatView, area: Rect) -> None:
        """A seat of text: name, roles, in a second row if there is one, and the hand if there is room."""
        end = self._put_name(player, area, min(14, area.width // 2))
        number = "" if player.resting or not player.cards else str(player.cards)
        backs = min(player.cards, 13) if area.width > 40 and number else 0
        room = area.right - end - 2 - len(number) - (backs + 3 if backs else 0)
        text, lines = self._seat_lines(player, room, area.width, int(area.height > 1))
        self.canvas.put_lines(area.x, area.y + 1, [(line, self._role_style(player)) for line in lines])
        self.canvas.put(end + 2 if area.width > 40 else end + 1, area.y, text, self._role_style(player))
        if backs:
            held = draw_backs(self.canvas, area.right - 3 - backs, area.y, backs, 1, 1)
            self.canvas.put(held.right + 1, area.y, number, Style("text"))
        elif number:
            self.canvas.put_right(area.right, area.y, number, Style("text"))

    def _seat_lines(self, player: SeatView, beside: int, room: int, rows: int) -> tuple[str, list[str]]:
        """What is said of a player in so many cells beside the name, and in ``rows`` of ``room`` cells below it.

        Beside the name stands the clock, the score or a computer's level, if it fits there."""
        texts = self.seat_texts(player)
        if not rows:
            return self._fitted(texts, beside, 1)[0], []
        for first in [each for kind in ("clock", "score", "computer") for each in texts if each.kind == kind][:1]:
            for text in (first.text, first.brief):
                if width_of(text) <= beside:
                    return text, self._fitted([each for each in texts if each is not first], room, rows)
        return "", self._fitted(texts, room, rows)

    def _put_name(self, player: SeatView, area: Rect, cells: int) -> int:
        sign = f"{self.glyph('▸', '>')} " if player.seat == self.to_act else ""
        cells = cells - width_of(sign) if self.places.panel else min(cells, 24 if len(self.others) < 4 else SEAT_NAME)
        style = Style("gold" if sign else "faint" if player.resting else "text", bold=True)
        name = self.words.with_short_names(max(4, cells)).name(player.seat)
        return self.canvas.put(area.x, area.y, sign + name, style)

    def _role_style(self, player: SeatView) -> Style:
        return Style("gold" if player.seat == self.to_act or player.target else "faint")

    # The door

    def _draw_door(self) -> None:
        """The hand-over, over the hand that nobody sees yet: the next name large, and the role."""
        hand = self.places.hand
        if self.places.is_text:
            return  # the line above says it
        width = min(hand.width - DOOR_BACKS - 2, 46)
        area = Rect(hand.x + DOOR_BACKS + 2, hand.y, width, hand.height)
        self.canvas.fill(area, "panel")
        self.canvas.frame(area, Style("gold"), HEAVY)
        draw_large(self.canvas, Rect(area.x + 1, area.y + 1, width - 2, 3), self.words.name(self.door), Style("gold"))
        if area.height > 5 and self.you:  # else it stands beside the backs alone
            role = clip(self._join([each.text for each in self.seat_texts(self.you)]), width - 4)
            self.canvas.put_centred(area, area.y + 4, role, BOLD)

    # The end of a deal

    def _draw_result(self) -> None:
        """How a deal ended, over the places of hands that have been played."""
        lines = [line for text in self.result for line in wrap_text(self.words.say(text), self.places.hand.width - 4)]
        if self.places.is_text or not lines or any(self._cards):
            return
        hand = self.places.hand
        area = hand._replace(y=hand.y + (hand.height - 5) // 2, height=5)
        self.canvas.fill(area, "panel")
        self.canvas.frame(area, Style("gold"), HEAVY)
        top = area.y + 1 + (len(lines) < 3)
        for y, text in enumerate(lines[-3:], top):
            self.canvas.put_centred(area, y, text, Style("gold" if y == top else "text", bold=True))

    # The log

    def _draw_log(self, area: Rect) -> None:
        if self.asked.hint:
            return
        area = self._draw_shown_hand(area._replace(height=area.height - (self._fans > 1)))
        self.canvas.put_lines(area.x, area.y, log_lines(self.log, self.words, area.width, area.height))

    def _draw_shown_hand(self, area: Rect) -> Rect:
        """A hand that was shown to the viewer, above the log while a trick lies on its place; the rest of ``area``."""
        if self.places.panel is None or not self.scene.trick.cards:
            return area
        for block in self.scene.middle:
            if isinstance(block, parts.Row) and block not in self.beside:
                x = self.canvas.put(area.x, area.y, self.words.say(block.label), FAINT) + 2
                self.put_cards(x, area.y, block.cards)
                return Rect(area.x, area.y + 1, area.width, area.height - 1)
        return area

    @cached_property
    def _note_lines(self) -> list[tuple[str, Style]]:
        """The hint, whose first sentence stands out, or else an explanation of the table."""
        width = self.places.log.width
        if not self.asked.hint:
            return [(line, PAGE) for text in self.asked.note for line in wrap_text(text, width)]
        first, *others = self.asked.hint
        lines = [(line, GOLD) for line in wrap_text(first, width)]
        return [*lines, *[(line, PAGE) for line in wrap_text(" · ".join(others), width)]]

    @cached_property
    def _note_place(self) -> Rect:
        """Where these lines stand, in place of the log. What is long covers the lower rows of the middle."""
        area, lines = self.places.log, self._note_lines
        bottom = area.bottom - (self._fans > 1)
        rows = max(bottom - area.y, min(len(lines), bottom - self.places.middle.y)) if lines else 0
        return Rect(area.x - 2, bottom - rows, area.width + 4, rows)

    def _draw_note(self) -> None:
        """Write the hint or explanation after a bar. The last row says whether there is more."""
        area, lines = self._note_place, self._note_lines
        self.canvas.fill(area, "panel")
        for y, (text, style) in enumerate(lines[: area.height], area.y):
            is_cut = y == area.bottom - 1 and len(lines) > area.height
            self.canvas.put(area.x, y, self.glyph("▎", "|"), Style("gold"))
            self.canvas.put(area.x + 2, y, clip(text + "…", area.width - 4) if is_cut else text, style)

    # The viewer

    def _draw_you(self) -> None:
        player, area = self.you, self.places.you
        if player is None:
            return
        end = self._put_name(player, area, area.width)
        texts = self.seat_texts(player)
        if self.places.is_text:
            text = self._fitted(texts, area.right - end - 2, 1)[0]
            self.canvas.put(end + 1, area.y, text, self._role_style(player))
            return
        info, width = [each.text for each in texts], area.width - 1
        if player.aside and len(info) > area.height - 1 and area.right - end > width_of(info[-1]) + 1:
            *info, aside = info
            self.canvas.put(end + 1, area.y, aside, self._role_style(player))
        style = self._role_style(player)
        lines = [(clip(line, width), style) for text in info for line in wrap_text(text, width)[:2]]
        if player.cards > 9 and not player.resting:
            lines.append((clip(self.words.text("cards_held", count=player.cards).strip(), width), FAINT))
        self.canvas.put_lines(area.x, area.y + 1, lines[: area.height - 1])

    @property
    def _cards(self) -> tuple[Card | None, ...]:
        """The hand as it lies: ``None`` for a back."""
        if self.scene.hand or not self.you:
            return self.scene.hand
        hidden = 0 if self.you.resting and not self.you.shown else self.you.cards - len(self.you.shown)
        return (*self.you.shown, *[None] * hidden)

    @property
    def _fans(self) -> int:
        return 2 if not self.places.is_text and len(self._cards) > LONGEST_FAN else 1

    def _card_areas(self) -> list[Rect]:
        """The place of each card of the hand, none of them risen."""
        count, area = len(self._cards), self.places.hand
        width, height = self.places.sizes.hand_card
        if self.places.is_text:
            per_row = (area.width + 1) // LEAST_STEP
            step = max(LEAST_STEP, min(6, area.width // max(1, min(count, per_row))))
            spots = [divmod(place, per_row) for place in range(count)]
            return [Rect(area.x + place * step, area.y - row, min(step, 5), 1) for row, place in spots]
        if count <= 6 and self.places.sizes.columns == 120:
            width += 1
        upper = max(0, count - LONGEST_FAN) if self._fans > 1 else 0
        areas = []
        for start, end, y in ((0, upper, area.y - 1), (upper, count, area.y + 1)):
            step = max(LEAST_STEP, min(width + 1, (area.width - width) // max(1, end - start - 1)))
            areas += [Rect(area.x + (place - start) * step, y, width, height) for place in range(start, end)]
        return areas

    def _draw_hand(self) -> None:
        """The hand: what can be played on paper, the rest on darker paper, the pointed card risen."""
        cards, areas = self._cards, self._card_areas()
        if self.door and not self.places.is_text:
            hand = self.places.hand
            backs = min(len(cards), DOOR_BACKS)
            self.canvas.raised.append(draw_backs(self.canvas, hand.x, hand.y + 1, backs, 1, hand.height - 1))
            return
        step = areas[1].x - areas[0].x if len(areas) > 1 and areas[1].y == areas[0].y else 99
        ticked = {card for index in self.asked.ticked for card in self.asked.choices[index].cards}
        advised = {card for index in self.asked.advised for card in self.asked.choices[index].cards}
        best = {*self.asked.best} & {*self.scene.hand}
        signs = [  # the later ones say more
            ("+", self.scene.fresh),
            (self.glyph("★", "*"), advised | {*self.asked.best}),
            (self.glyph("✓", "x"), ticked),
            (self.glyph("▼", "v"), {*self.asked.played} - best),
        ]
        pointed, uses = self._place_of(self.pointed_choice), self._uses()
        for place, (card, area) in enumerate(zip(cards, areas, strict=True)):
            width = area.width
            is_last = place == len(cards) - 1 or areas[place + 1].y != area.y
            is_pointed = place == pointed or card in best
            if card is None:
                self._draw_hidden(area)
                continue
            look = CardLook(
                dim=self.scene.playable is not None and card not in self.scene.playable,
                sign=self.sign_of(card),
                mark=next((sign for sign, on in reversed(signs) if card in on), ""),
                edge=step <= width,
                covered=step < 5 if self.places.is_text else step < width and not is_last,
                stacked=step < STACKED_BELOW <= width and not is_pointed,  # all of a risen card's first row is in view
                pointed=is_pointed,
            )
            is_risen = not self.places.is_text and (is_pointed or card in ticked)
            drawn = draw_card(self.canvas, area._replace(y=area.y - is_risen), card, look)
            if is_pointed and is_risen:
                self.canvas.underline(drawn.x, drawn.bottom, drawn.width)
            if place in uses:
                seen = area._replace(width=width if is_last else min(step, width), y=area.y - (area.height > 1))
                self.targets.append(Target(seen._replace(height=area.height + 1), uses[place]))
                letter = self.asked.choices[uses[place]].letters[:1]
                if not self.asked.choices[uses[place]].refused and (self._fans == 1 or area.y == areas[-1].y):
                    x = area.x + (1 if len(areas) > 1 and abs(areas[1].x - areas[0].x) < width else width // 2)
                    style = Style("gold" if place == pointed else "text", bold=True)
                    self.canvas.put(x, self.places.letters.y, letter, style)

    def _draw_hidden(self, area: Rect) -> None:
        if self.places.is_text:
            draw_backs(self.canvas, area.x, area.y, 1, 2, 1)
            return
        draw_back(self.canvas, area)
        if area.x > self.places.hand.x and not self.canvas.medium.outlined:
            self.canvas.put_lines(area.x, area.y, [(self.glyph("▎", "|"), Style("edge"))] * area.height)

    def _uses(self) -> dict[int, int]:
        """Maps the place of a card in the hand to the index of its choice: the pointed or first allowed one."""
        uses: dict[int, int] = {}
        choices = enumerate(self.asked.choices)
        for index, choice in sorted(choices, key=lambda each: (each[0] != self.asked.pointed, bool(each[1].refused))):
            if (place := self._place_of(choice)) is not None:
                uses.setdefault(place, index)
        return uses

    def _place_of(self, choice: "Offer | None") -> int | None:
        """The place in the hand of a choice's card; ``None`` for a choice that stands on a button."""
        if choice and choice.cards and choice.cards[0] in self.scene.hand and not choice.is_button:
            return self.scene.hand.index(choice.cards[0])
        return None

    # What is asked

    def _draw_question(self) -> None:
        """What Enter does, buttons or a list, and what is typed or said."""
        buttons = [
            index
            for index, choice in enumerate(self.asked.choices)
            if self._place_of(choice) is None and not (choice.refused and choice.cards)
        ]
        self._draw_enter()
        if len(self.asked.choices) == len(buttons) == 1:
            buttons = []  # the line about Enter says it
        are_in_row = bool(buttons) and self._draw_buttons(buttons)
        if buttons and not are_in_row:
            self._draw_list(buttons)
        self._draw_typed(not are_in_row)

    def _draw_enter(self) -> None:
        area, choice = self.places.enter, self.pointed_choice
        if not choice:
            self.canvas.put(area.x, area.y, clip(self.asked.notice, area.width), Style("text"))
            return
        text = self.asked.status if self.asked.has_ticks else choice.text
        if choice.refused and not self.asked.has_ticks:
            line = "" if self.asked.notice else self.words.not_allowed(text, choice.refused)  # the notice says it then
            self.canvas.put(area.x + 2, area.y, clip(line, area.width - 2), Style("bad"))
            return
        x = self.canvas.put(area.x, area.y, self.glyph("▶", ">"), GOLD)
        x = self.canvas.put(x + 1, area.y, "Enter ", FAINT)
        x = self.canvas.put(x, area.y, clip(text, area.right - x), GOLD)
        if self.asked.has_ticks:  # what a blank ticks
            x = self.canvas.put(x + 3, area.y, "Space ", FAINT)
            self.canvas.put(x, area.y, clip(choice.text, max(1, area.right - x)), Style("text"))

    def _draw_buttons(self, indices: Sequence[int]) -> bool:
        """Draw choices as buttons in one row; return whether they fit. Labels are shortened until all do."""
        area = self.places.buttons
        labels = [self.asked.choices[index].text for index in indices]
        caps = "".join(map(self._cap, indices))
        room = area.width - width_of(caps) - (CAP_GAP + 1) * len(indices) + CAP_GAP - 2
        for place in sorted(range(len(labels)), key=lambda place: -width_of(labels[place])):
            if len(labels) == 2 and sum(map(width_of, labels)) > room:  # more of them have a list
                labels[place] = self.asked.choices[indices[place]].brief or labels[place]
        widths = [*map(width_of, labels)]
        widest = max(widths)
        while (too_wide := sum([min(cells, widest) for cells in widths]) > room) and widest > LEAST_LABEL:
            widest -= 1
        if too_wide or (len(indices) > 2 and widest < max(widths)):
            return False
        x = area.x + 2
        for index, label in zip(indices, labels, strict=True):
            x = self._draw_button(x, area.y, index, clip(label, widest)) + CAP_GAP
        return True

    def _cap(self, index: int) -> str:
        tick = (self.glyph("✓", "x") if index in self.asked.ticked else " ") if self.asked.has_ticks else ""
        return f" {self.asked.choices[index].letters[:1] or self.glyph('·', '-')} {tick}"

    def _draw_button(self, x: int, y: int, index: int, label: str) -> int:
        """Draw one button and return the column after it."""
        choice, is_pointed = self.asked.choices[index], index == self.asked.pointed
        start, cap = x, self._cap(index)
        if choice.refused is None:
            x = self.canvas.put(x, y, cap, Style("rim", "gold" if is_pointed else "faint", True), see_through=False)
        else:  # its key says why
            x = self.canvas.put(x, y, f" {choice.letters[:1]} ".ljust(len(cap)), FAINT)
        style = Style("gold" if is_pointed else "faint" if choice.refused else "text", bold=is_pointed)
        x = self.canvas.put(x + 1, y, label, style)
        if index in self.asked.advised:
            x = self.canvas.put(x + 1, y, self.glyph("★", "*"), GOLD)
        self.targets.append(Target(Rect(start, y, x - start, 1), index, acts=choice.refused is None))
        return x

    def _draw_list(self, indices: Sequence[int]) -> None:
        """Draw choices as a list in the middle, scrolled so that the pointed one is in view.

        Texts above it in the middle, such as a bid, stay if they fit whole. So do refused choices, else their keys."""
        place = self.places.lists
        room = max(min(2, place.height // 4), place.height - len(indices) - 2) if self.places.panel else 0
        kept = max([end - place.y for end in self.text_ends if end - place.y <= room], default=min(room, 2))
        overlap = max(0, place.bottom - self._note_place.y) if self._note_place.height else 0
        place = place._replace(y=place.y + kept, height=max(3, place.height - kept - overlap))
        refused, all_indices = "", indices
        if len(indices) + 2 > place.height:
            indices = [index for index in indices if self.asked.choices[index].refused is None] or indices
        if hidden := [self.asked.choices[index].letters[:1] for index in all_indices if index not in indices]:
            refused = clip(f" {self.words.text('refused_hidden', keys=' '.join(hidden))} ", place.width - 4)
        height = min(place.height, len(indices) + 2)
        choices = [self.asked.choices[index] for index in indices]
        room = place.width - 9
        lines = [self.words.refusal(each.text, each.refused) if each.refused else each.text for each in choices]
        # the key of the choice tells a reason that does not fit
        texts = [line if width_of(line) <= room else each.text for line, each in zip(lines, choices, strict=True)]
        width = min(place.width, max([*map(width_of, texts), width_of(refused) - 6]) + 9)
        area = Rect(place.x + (place.width - width) // 2, place.bottom - height, width, height)
        if self.places.panel:
            self.canvas.fill(place, "panel")
        self.canvas.fill(area, "panel")
        self.canvas.frame(area, Style("line"))
        shown = height - 2
        pointed = indices.index(self.asked.pointed) if self.asked.pointed in indices else 0
        first = max(0, min(pointed - shown // 2, len(indices) - shown))
        for row in range(first, first + shown):
            self._draw_button(area.x + 2, area.y + 1 + row - first, indices[row], clip(texts[row], area.width - 8))
        below = len(indices) - first - shown
        for count, y, key in ((first, area.y, "more_above"), (below, area.bottom - 1, "more_below")):
            if count > 0:
                text = self.words.text(key, above=count, below=count).strip()
                self.canvas.put_right(area.right - 2, y, f" {text} ", FAINT)
        y = area.bottom - 1 if first + shown == len(indices) else area.y
        self.canvas.put(area.x + 2, y, refused, FAINT)

    def _draw_typed(self, is_free: bool) -> None:
        """A typed card with what it may mean, a notice or refusal, or the question. ``is_free``: no button is above."""
        area, asked = self.places.typed, self.asked
        x = area.x
        if asked.typed:
            x = self.canvas.put(x, area.y, asked.typed, BOLD)
            x = self.canvas.put(x, area.y, self.glyph("▏", "_"), Style("text")) + 2
        if asked.notice and asked.choices:
            style = Style("bad" if asked.typed else "text", bold=True)
            x = self.canvas.put(x, area.y, clip(asked.notice, area.right - x), style) + 3
            if width_of(asked.question) <= area.right - x:
                self.canvas.put(x, area.y, asked.question, FAINT)
            elif is_free:
                above = self.places.buttons
                self.canvas.put(above.x, above.y, clip(asked.question, above.width), FAINT)
        elif asked.typed:
            meant = [asked.choices[index].text for index in sorted(asked.matching or ())]
            self.canvas.put(x, area.y, clip(" · ".join(meant), area.right - x), FAINT)
        elif asked.question:
            self.canvas.put(x, area.y, clip(asked.question, area.right - x), FAINT)


def log_lines(log: Log, words: Words, width: int, rows: int) -> list[tuple[str, Style]]:
    """The last lines of the log that fit, the newest last: new ones bright, older ones faint.

    Where the new ones do not fit, those before the newest share lines. The pinned message stays in view with the newest
    one, if there are two rows or more; of the others there are as many as fit."""
    new = [(words.say(message), 1) for message in log.new]
    pinned = len(new) - 1 if log.pinned is None else log.pinned
    if log.counted and rows > 1 and sum([len(wrap_text(text, width)) for text, _ in new]) > rows:
        joined = _joined(new[:pinned], width)
        new, pinned = [*joined, *new[pinned:]], len(joined)
    said = [*[(words.say(message), 0) for message in log.older], *new]
    newest, first_new, room = len(said) - 1, len(said) - len(new), rows
    kept = (first_new + pinned, newest) if rows > 1 else (newest,)
    shown: dict[int, list[str]] = {}
    for place in dict.fromkeys((*kept, *reversed(range(newest)))) if said else ():
        pieces = wrap_text(said[place][0], width)
        if place in kept:
            pieces = pieces[: room - (place != newest)]
        if len(pieces) > room:
            break
        shown[place], room = pieces, room - len(pieces)
    lines = [(piece, PAGE if place >= first_new else FAINT) for place in sorted(shown) for piece in shown[place]]
    hidden = len(log.new) - sum([said[place][1] for place in shown])
    if log.counted and hidden > 0 and lines:
        more = words.text("log_more", count=hidden).strip()
        text, style = lines[0]
        if width_of(text) + width_of(more) + 2 <= width:
            lines[0] = (set_cell_size(text, width - width_of(more)) + more, style)
    return [*[("", PAGE)] * (rows - len(lines)), *lines]


def _joined(said: Sequence[tuple[str, int]], width: int) -> list[tuple[str, int]]:
    """Texts with the counts of their messages, as many to a line as fit, the last lines the fullest."""
    lines: list[tuple[str, int]] = []
    for text, count in reversed(said):
        if lines and width_of(text) + width_of(lines[0][0]) + 3 <= width:
            lines[0] = f"{text} · {lines[0][0]}", lines[0][1] + count
        else:
            lines.insert(0, (text, count))
    return lines


def whole_sentences(lines: list[str], rows: int) -> list[str]:
    """As many of the lines as fit into the rows, ending with a sentence if one ends there."""
    if len(lines) <= rows:
        return lines
    for row in range(rows - 1, 0, -1):
        if end := re.match(SENTENCE, lines[row]):
            return [*lines[:row], end[0]]
    return lines[:rows]


def wrap_lines(page: str, width: int) -> list[str]:
    """The heading and the first paragraphs of a clause of the rules, broken into lines without marks of emphasis."""
    lines: list[str] = []
    for paragraph in join_japanese_lines(page).split("\n\n"):
        text = " ".join(paragraph.replace("*", "").replace("`", "").lstrip("# ").split())
        lines += wrap_text(text, width) if text else []
    return lines
