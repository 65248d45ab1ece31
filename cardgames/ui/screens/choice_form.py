"""The form for a question: a picture, a list of offers to choose by key or by typing, and the keys at the foot."""

import re
from typing import Any, cast

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from questionary.prompts.common import Choice, InquirerControl
from rich.cells import cell_len

from cardgames.engine.cards import RANKS, SUITS
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.asked import INDENT, Asked, Target
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.themes import BOLD, FAINT, GOLD, PAGE, Style
from cardgames.ui.screens import forms, typed_text
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.key_decoder import MOUSE
from cardgames.ui.screens.offers import ESCAPE, FOOT_KEYS, Key, Offer, Picture, Prompt, Ticks

WORD_SLIPS = 2
"""The number of wrong letters in a row that may be a word."""
LETTER_CELLS = 3
MENU_CELLS = 40
"""The fewest cells of a line with its note."""
MOST_BESIDE_ROWS = 20
LEAST_BESIDE, MOST_BESIDE = 30, 60
"""The fewest columns for a drawing beside a list, and the most that it gets."""
CAP = Style("rim", "gold", bold=True)
"""The style of the letter of the pointed line."""
LEAST_ROWS = 3
LEAST_TEXT = 8


class OfferLine(Choice):
    """An offer as a choice in the list, with its shortcut letters."""

    def __init__(self, offer: Offer, letters: str) -> None:
        super().__init__(offer.text, offer, offer.refused)
        self.offer = offer
        self.letters = letters


class ChoiceForm(forms.Form):
    """The form for one question: a list to choose from or to tick, with shortcut letters and a search by typing."""

    def __init__(self, words: Words, prompt: Prompt) -> None:
        before = prompt.state.interrupted if prompt.state else None
        self._words = words
        self._prompt = prompt
        self._ticks = prompt.ticks
        self._offers = prompt.offers
        self._hand = prompt.draw.hand if isinstance(prompt.draw, Picture) else ()
        """The hand that is the menu; empty if a list is."""
        self._last_card: tuple[int, ...] = ()
        """The card of the hand at which the pointer was last."""
        self._typed = ""
        self._can_take_pointed = True
        """Whether Enter takes the pointed line: false if typing matched several offers, until the pointer is moved."""
        self._columns = forms.SMALLEST.columns
        self.notice = ""
        """The notice in the status line, until a key is pressed."""
        self._shown: list[OfferLine] = []
        """The lines that targets of the mouse stand for."""
        self.targets: list[Target] = []
        """The targets of the mouse in the last frame. A click before the first frame meant another picture."""
        self._held: Target | None = None
        """The target at which a button of the mouse is held down."""
        self._slips = 0
        """The number of the last keys, in a row, that meant nothing here."""
        self._awaits_confirmation: Offer | None = None
        """The offer that has been chosen once and needs a second Enter."""
        self._pointed_before_typing: Any = None
        """The value at which the pointer was when typing began."""
        self._rows = LEAST_ROWS
        """The rows of the list in the last frame, or more if the list is shorter."""
        self._line_cells = self._note_cells = 0
        """The cells of each line of a list, and of the notes in a column beside the lines; 0 without one."""
        self._lines_above = 0
        kept_letters = [(line.offer, line.letters) for line in before._lines] if before else []
        letters = typed_text.shortcuts(self._offers, kept_letters)
        self._lines: list[OfferLine] = [*map(OfferLine, self._offers, letters)]
        self._listed = [line for line in self._lines if not line.offer.unlisted]
        self._list = InquirerControl(self._lines)
        self._list.choices = [*self._listed]
        self._point(before.pointed if before else prompt.at)
        if before:
            self._type(before._typed)
            self._point(before.pointed, before._lines_above)  # again, since typing moves the pointer
            self._can_take_pointed = before._can_take_pointed

    def _foot(self) -> str:
        """The line of keys at the foot. The key that sorts the hand is left out where the line has no room for it."""
        foot = f" {self._prompt.foot}"
        return foot if cell_len(foot) <= self._columns else foot.removesuffix(self._words.text("foot.o"))

    def paint(self, canvas: Canvas) -> Place:
        """Paint the question, and return the place where typed text appears."""
        page = self._prompt.draw
        if isinstance(page, Picture):
            self._columns = canvas.columns
            painted = page.on_canvas(canvas, self._asked(page))
            self.targets = [*painted.targets]
            return Place(painted.line.x + cell_len(self._typed), painted.line.y, bool(self._typed))
        size = forms.size_of(canvas)
        margin, self._columns = forms.divide(size)
        self._set_titles()
        lines = forms.lines_above(page, size)
        question = wrap_text(self._prompt.question, self._columns - len(INDENT))
        text_rows = forms.PAGE_HEAD + len(lines)
        self._rows = max(LEAST_ROWS, size.rows - text_rows - len(question) - 3)  # a gap, status line and foot
        shown = min(len(self._listed), self._rows)
        text_rows = min(text_rows, max(forms.PAGE_HEAD, size.rows - len(question) - shown - 3))
        forms.paint_page(canvas, page.title, lines[: text_rows - forms.PAGE_HEAD])
        canvas.put_lines(margin, text_rows + 1, [(INDENT + line, BOLD) for line in question])
        first, y = self._scroll_to_pointer(), text_rows + 1 + len(question)
        begins = [line.offer.begins_group for line in self._matching]
        has_gaps = len(begins) + sum(begins[1:]) <= self._rows
        self._shown, self.targets = self._matching, []
        for place, line in enumerate(self._shown[first : first + shown], first):
            y += has_gaps and place > 0 and begins[place]
            self._paint_line(canvas, margin, y, line)
            self.targets.append(Target(Rect(margin, y, self._columns, 1), place))
            y += 1
        right = margin + 1 + self._line_cells
        if page.beside and margin + self._columns - right > LEAST_BESIDE:
            area = Rect(right + 2, 2, margin + self._columns - right - 4, min(size.rows - 4, MOST_BESIDE_ROWS))
            page.beside(canvas, area._replace(width=min(area.width, MOST_BESIDE)))
        cursor = self._paint_status(canvas, margin, size.rows - 2)
        forms.paint_foot(canvas, self._foot())
        return Place(cursor, size.rows - 2, bool(self._typed))

    def _asked(self, picture: Picture) -> Asked:
        """What the picture of a table shows of this question."""
        shown = self._shown = [*self._listed, *[line for line in self._matching if line.offer.unlisted]]
        ticked = self._ticks.values if self._ticks else []
        return picture.asked._replace(
            question=self._prompt.question + (f" {self._words.text('tick')}" if self._ticks else ""),
            choices=[line.offer._replace(letters=line.letters) for line in shown],
            pointed=shown.index(self._pointed_line),
            has_ticks=self._ticks is not None,
            ticked=frozenset([place for place, line in enumerate(shown) if line.offer.value in ticked]),
            advised=frozenset([place for place, line in enumerate(shown) if self._is_advised(line.offer, picture)]),
            typed=self._typed,
            matching=frozenset(map(shown.index, self._matching)) if self._typed else None,
            notice=self.notice,
            status=self._ticks.status(self._ticks.values) if self._ticks else "",
            hint=picture.hint(self.pointed) if picture.hint else (),
            foot=self._foot(),
        )

    def _is_advised(self, offer: Offer, picture: Picture) -> bool:
        """Whether a hint recommends the offer or, if offers are ticked, all cards of the offer."""
        if self._ticks:
            return bool(offer.cards) and {*offer.cards} <= {*getattr(picture.advised, "cards", ())}
        return picture.advised is not None and offer.value == picture.advised

    def _paint_line(self, canvas: Canvas, x: int, y: int, line: OfferLine) -> None:
        """Paint a line of the list: pointer, sign of a refused line, and text."""
        letter, style, is_pointed = line.letters[:1], PAGE, line is self._pointed_line
        if is_pointed:
            style = GOLD if canvas.medium.has_grounds else forms.POINTED
            canvas.fill(Rect(x + 2, y, self._line_cells - 1, 1), "panel")
            canvas.put(x, y, forms.POINTER, GOLD)
        notes_x, x = x + self._line_cells - self._note_cells, x + len(forms.POINTER)
        if line.disabled:  # with a sign in place of a letter
            canvas.put(x, y, "-".ljust(LETTER_CELLS) + str(line.title), FAINT)
            return
        if style is GOLD and letter:
            canvas.put(x - 1, y, f" {letter} ", CAP, see_through=False)
        else:
            canvas.put(x, y, letter.ljust(LETTER_CELLS), GOLD if style is PAGE else style)
        canvas.put(x + LETTER_CELLS, y, str(line.title), style)
        if self._note_cells:
            canvas.put(notes_x, y, line.offer.note, style if is_pointed else FAINT)

    def _paint_status(self, canvas: Canvas, x: int, y: int) -> int:
        """Paint a notice, or what is typed and how many lines are out of view. Return the column of the cursor."""
        x += len(INDENT)
        if self.notice:
            canvas.put(x, y, clip(self.notice, max(LEAST_TEXT, self._columns - 3)), BOLD)
            return x
        cursor = end = canvas.put(x, y, self._typed, BOLD)
        if self._typed:
            end = canvas.put(cursor, y, "▏", BOLD)
            key = self._typed.lower()
            if key in self._prompt.keys and key != self._typed:
                end = canvas.put(end, y, f"   {self._words.text('capital', letter=key)}")
        above = self._scroll_to_pointer()
        below = max(0, len(self._matching) - above - self._rows)
        if above or below:
            counts = {"above": above, "below": below}
            more = "   ".join([self._words.text(f"more_{way}", **counts) for way, count in counts.items() if count])
            end = canvas.put(end, y, f" {more}") + len(INDENT)
        if not (self._note_cells or self._typed):
            canvas.put(end, y, self._pointed_line.offer.note, FAINT)
        return cursor

    def _set_titles(self) -> None:
        """Set the text of each line, cut to the width except for reasons, and the cells of lines and notes."""
        room = self._columns - len(forms.POINTER) - LETTER_CELLS
        for line in self._lines:
            reason = self._words.refusal("", line.offer.refused) if line.offer.refused else ""
            line.title = clip(line.offer.text, max(LEAST_TEXT, room - cell_len(reason))) + reason
        text_cells = max(cell_len(str(line.title)) + LETTER_CELLS * (not line.disabled) for line in self._listed)
        text_cells += len(forms.POINTER) + 2
        note_cells = max(cell_len(line.offer.note) for line in self._listed)
        self._note_cells = note_cells if text_cells + note_cells < self._columns else 0
        self._line_cells = min(self._columns - 1, max(MENU_CELLS, text_cells + self._note_cells))

    def _scroll_to_pointer(self) -> int:
        """Scroll to the pointer and refused lines at the end. Return the number of lines above the view."""
        lines, pointed = self._matching, self._list.pointed_at
        last = len(lines) - 1 if all(line.disabled for line in lines[pointed + 1 :]) else pointed
        lines_above = min(self._lines_above, len(lines) - self._rows)  # no blank lines after the last line
        self._lines_above = min(max(lines_above, last - self._rows + 1, 0), pointed)
        return self._lines_above

    def press(self, press: KeyPress) -> None:
        slips = self._slips
        self._handle(press)
        self._slips = self._slips if self._slips > slips else 0

    def _handle(self, press: KeyPress) -> None:
        steps = forms.steps(self._rows - 1)
        match press.key:
            case key if key in steps:
                self._move(steps[key])
            case Keys.Left | Keys.Right:
                self._move_to_card(1 if press.key == Keys.Right else -1)
            case Keys.ControlM:
                self._handle_enter()
            case Keys.Backspace:
                self._type(self._typed[:-1])
            case Keys.ControlU:
                self._type("")
            case Keys.Escape:
                back = ESCAPE if ESCAPE in self._prompt.keys else Key.LEAVE.value
                if self._typed or self.notice or back not in self._prompt.keys:
                    self._type("")
                else:
                    self.end(self._prompt.keys[back])
            case Keys.BracketedPaste:
                pass
            case Keys.Vt100MouseEvent:
                self._handle_mouse(press.data)
            case _:
                self._handle_character(typed_text.plain_key(press.data))

    def _handle_character(self, data: str) -> None:
        """Handle a character: a blank is like Enter, keys and shortcuts act at once, all others extend the search."""
        if not data or not data.isprintable():
            return
        if data == " " and (self._ticks or not self._typed):
            self._handle_enter(is_blank=True)
        elif self.completes_card(data):
            self._type(self._typed + data.upper())
        elif data in self._prompt.keys:
            self.end(self._prompt.keys[data])
        elif data in FOOT_KEYS or (data.isascii() and data.islower()):
            self._choose_by_letter(data)
        else:
            typed = self._typed
            if self.notice and not (typed_text.continues_card(typed, data) or self._meant(typed + data)):
                typed = ""  # text without a match must not block the next key
            self._type(typed + data)

    def _handle_mouse(self, data: str) -> None:
        """Handle the mouse: a press points and, where it points already, chooses; buttons and keys act on release.

        The wheel moves along a list. No press opens a hand-over."""
        found = re.fullmatch(MOUSE, data)
        if found is None or self._prompt.quiet:
            return
        button, x, y = [int(number) for number in found.groups()[:3]]
        is_press, held = found[4] == "M", self._held
        if button in forms.WHEEL and is_press and not self._hand:
            self._move(forms.WHEEL[button])
        target = next((target for target in self.targets if target.area.holds(x - 1, y - 1)), None)
        if button or target is None:
            return
        self._held = target if is_press else None
        if target.acts != is_press and (is_press or held == target):
            self._press_target(target)

    def _press_target(self, target: Target) -> None:
        if target.choice is None:
            if len(target.key) == 1:
                self._handle_character(target.key)
            return
        line = self._shown[target.choice]
        if line not in self._matching:
            self._type("")  # the search hides it
        is_pointed = line is self._pointed_line
        if line.disabled and not self._hand:
            self.notice = self._words.not_allowed(line.offer.text, line.offer.refused or "")
            return
        if not is_pointed:
            self._move(0)  # clears the notice
            self._pointed_line = line
        if is_pointed or target.acts:
            self._handle_enter(is_blank=True)

    def completes_card(self, letter: str) -> bool:
        """Whether a small letter is the suit of a card whose rank is typed; a key of the foot only of a real card."""
        if letter.upper() not in SUITS or letter.isupper() or self._typed.upper() not in (*RANKS, "10"):
            return False
        card = self._typed + letter.upper()
        is_known = any(card in map(str.upper, offer.typed) for offer in self._offers)
        return is_known or (letter not in FOOT_KEYS and any(offer.cards for offer in self._offers))

    def _choose_by_letter(self, letter: str) -> None:
        """Choose the offer with this shortcut. If several have it, list them; if none can be chosen, show why."""
        matching = [line for line in self._lines if letter in line.letters]
        allowed = [line for line in matching if not line.disabled]
        is_hidden = not any(line in self._matching for line in matching)  # by the search
        is_about_cards = any(offer.cards for offer in self._offers)
        if not matching or (self._typed_matches_choice and (is_hidden or is_about_cards)):
            self.notice = self._words.text("no_key_but_cards" if is_about_cards else "no_key", letter=letter)
            self._slips += 1
        elif not allowed:
            offer = matching[0].offer
            self.notice = self._words.not_allowed(offer.text, offer.refused or "")
            self._slips += WORD_SLIPS  # Enter after it might be meant for this offer
        elif len(allowed) > 1:
            # a search by card lists them; texts that begin with a small letter are words, not cards
            self._type(next(card for card in allowed[0].offer.typed if not card[:1].islower()))
        else:
            self._type("")
            self._pointed_line = allowed[0]
            self._slips = 0
            self._handle_enter(is_blank=True)

    def _meant(self, typed: str) -> list[Offer]:
        return typed_text.matching_offers(self._offers, typed)

    @property
    def _typed_matches_choice(self) -> bool:
        """Whether the typed text matches an offer that can be chosen."""
        return bool(self._typed) and any(not offer.refused for offer in self._meant(self._typed))

    def _type(self, typed: str) -> None:
        """Set the search text, and list the matching offers. If none can be chosen, show why and keep the list."""
        typed = typed[: typed_text.LONGEST]
        earlier, self._typed = self._typed, typed
        self.notice, self._awaits_confirmation = "", None
        if typed and not earlier:
            self._pointed_before_typing = self.pointed
        found = {*map(id, self._meant(typed))}
        matching = [line for line in self._lines if id(line.offer) in found] if typed else self._listed
        allowed = [line for line in matching if not line.disabled]
        self._can_take_pointed = True
        if allowed:
            if typed:
                meant = typed_text.unambiguous_offer([line.offer for line in allowed], typed)
                self._can_take_pointed = meant is not None
                pointed = next((line for line in allowed if line.offer is meant), allowed[0])
            else:
                pointed = allowed[0] if earlier else self._pointed_line  # the first, unless restored below
            self._list.choices = [*matching]
            self._pointed_line = pointed
            if earlier and not typed:
                self._point(self._pointed_before_typing)
        elif matching:
            self.notice = f"{typed}: {matching[0].offer.refused}"
        else:
            self.notice = self._words.text(self._why_nothing(typed), letter=typed.lower(), typed=typed)

    def _why_nothing(self, typed: str) -> str:
        """The key of the message that says why a typed text matches no offer."""
        key = typed.lower()
        if typed_text.is_foreign(typed):
            return "other_layout"
        shortcuts = {*self._prompt.keys, *[letter for line in self._lines for letter in line.letters]}
        if typed != key and key in shortcuts:
            return "capital"
        if not (self._hand and typed_text.continues_card(typed[:-1], typed[-1:])) or typed == "10":
            return "nothing_found"
        card = typed_text.typed_card(typed)
        return "no_such_card" if card is None else "nothing_found" if card in self._hand else "not_in_your_hand"

    @property
    def _matching(self) -> list[OfferLine]:
        """The lines of the list: all that are listed, or those that match what is typed."""
        return cast(list[OfferLine], self._list.choices)

    @property
    def _pointed_line(self) -> OfferLine:
        return self._matching[self._list.pointed_at]

    @_pointed_line.setter
    def _pointed_line(self, line: OfferLine) -> None:
        self._list.pointed_at = self._matching.index(line)

    @property
    def pointed(self) -> Any:
        return self._pointed_line.offer.value

    def _point(self, value: Any, above: int = 0) -> None:
        """Point at the offer with this value if it can be chosen; scroll the first ``above`` lines out of view."""
        self._lines_above = above
        values = [None if line.disabled else line.offer.value for line in self._matching]
        if value is not None and value in values:
            self._list.pointed_at = values.index(value)

    def _move(self, step: int) -> None:
        """Clear the notice, and move the pointer by ``step`` lines that can be chosen: down, or if negative up.

        Where the hand is the menu, the lines are the uses of the pointed card, and the buttons."""
        if self.notice:
            keeps_search = not self._can_take_pointed  # the pointer moves among the lines that it matches
            self._type(self._typed if keeps_search else "")  # typing clears the notice
        self._can_take_pointed = True
        here = self._pointed_line  # perhaps a refused card
        self._last_card = self._card_of(here) or self._last_card
        lines = [line for line in self._matching if not line.disabled]
        if here.disabled:
            lines.append(here)
        if self._ticks is None:  # where several cards are meant, each line is one of them
            lines = [line for line in lines if self._card_of(line) in ((), self._last_card)]
            if not self._typed and self._hand:  # the uses of a card stand before the buttons
                lines.sort(key=lambda line: not self._card_of(line))
        self._pointed_line = lines[max(0, min(lines.index(here) + step, len(lines) - 1))]

    def _move_to_card(self, step: int) -> None:
        """Point at the next card of the hand that is a choice, also a refused one; from a button, at the last card.

        In a list move by one line. ``step``: 1 to the right or down, -1 to the left or up."""
        self._move(0)  # clears the notice, and lets Enter take the pointed line
        cards = {card for line in self._matching if (card := self._card_of(line))}
        if not cards:
            self._move(step)
            return
        choices = sorted(cards, key=lambda card: self._hand.index(card[0]))
        pointed = self._card_of(self._pointed_line)
        start = pointed or self._last_card
        place = choices.index(start) if start in cards else 0
        self._last_card = choices[max(0, min(place + step * bool(pointed), len(choices) - 1))]
        if self._last_card != pointed:
            uses = [line for line in self._matching if self._card_of(line) == self._last_card]
            self._pointed_line = next((line for line in uses if not line.disabled), uses[0])

    def _card_of(self, line: OfferLine) -> tuple[int, ...]:
        """The card of the hand with which a choice is made, as a tuple; empty if the hand is not the menu."""
        offer = line.offer
        return offer.cards[:1] if offer.cards and offer.cards[0] in self._hand and not offer.is_button else ()

    def _toggle_tick(self, ticks: Ticks) -> None:
        """Tick the pointed line, or remove its tick if it has one, and clear the search."""
        line = self._pointed_line
        ticks.values[:] = [each.value for each in self._offers if (each.value in ticks.values) != (each is line.offer)]
        self._type("")
        self._pointed_line = line

    def _handle_enter(self, is_blank: bool = False) -> None:
        """Choose the pointed offer, unless typing is ambiguous or fits nothing, or a second Enter is needed.

        After several wrong letters, which may be a word, the first Enter only says what the next one chooses."""
        if self._ticks:
            self._handle_enter_with_ticks(is_blank, self._ticks)
            return
        offer = self._pointed_line.offer
        is_confirmed = self._awaits_confirmation is offer
        if offer.refused:
            self.notice = self._words.not_allowed(offer.text, offer.refused)
        elif not self._can_take_pointed:
            self.notice = self._words.text("ambiguous", typed=self._typed)
        elif self.notice and self._typed and not (is_confirmed or self._typed_matches_choice):
            pass  # the notice says why the typed text chooses nothing
        elif self._slips >= WORD_SLIPS:
            self.notice = self._words.text("enter_again", text=offer.text)
        elif offer.confirm and not is_confirmed:
            self._awaits_confirmation, self.notice = offer, offer.confirm
        else:
            self.end(offer.value)

    def _handle_enter_with_ticks(self, is_blank: bool, ticks: Ticks) -> None:
        """Take the ticked values with Enter; toggle the pointed line with a blank, or with Enter after typing."""
        if is_blank or self._typed:
            if not self._can_take_pointed:
                self.notice = self._words.text("ambiguous", typed=self._typed)
            elif not (self.notice and self._typed):  # a notice about the search says that nothing matches
                self._toggle_tick(ticks)
        elif self._slips >= WORD_SLIPS:
            self.notice = self._words.text("enter_again", text=ticks.status(ticks.values))
        elif why := ticks.check(ticks.values):
            self.notice = why
        else:
            self.end(ticks.values)
