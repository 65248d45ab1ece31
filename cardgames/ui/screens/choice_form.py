"""The form for a question: a picture, a list of offers to choose by key or by typing, and the keys at the foot."""

from collections.abc import Sequence
from typing import Any

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from questionary.prompts.common import Choice, InquirerControl
from rich.cells import cell_len

from cardgames.engine.cards import RANKS, SUITS
from cardgames.ui.messages import Words, clip
from cardgames.ui.render import asked
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.themes import PAGE, Style
from cardgames.ui.screens import window
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.key_decoder import MOUSE
from cardgames.ui.screens.offers import (
    ESCAPE,
    FOOT_KEYS,
    LONGEST,
    FormState,
    Key,
    Offer,
    PageBeside,
    Picture,
    Prompt,
    Ticks,
)
from cardgames.ui.screens.typed_text import is_foreign, matching_offers, plain_key, shortcuts, unambiguous_offer

LINE_START = 5
"""The cells before a line: the margin and the pointer."""
REFUSED = "- "
"""The sign before a refused line."""
WHEEL = {64: -1, 65: 1}
"""The lines by which each direction of the mouse's wheel moves."""
WORD_SLIPS = 2
"""The number of wrong letters in a row that may be a word."""
LETTER_CELLS = 3
MENU_CELLS = 40
"""The fewest cells of a line with its note."""
MOST_BESIDE_ROWS = 20
LEAST_BESIDE, MOST_BESIDE = 30, 60
"""The fewest columns for a drawing beside a list, and the most that it gets."""
GOLD = Style("gold", bold=True)
CAP = Style("rim", "gold", bold=True)
"""The style of the letter of the pointed line."""
LEAST_ROWS = 3
LEAST_TEXT = 8


class ChoiceForm(window.Form):
    """The form for one question: a list to choose from or to tick, with shortcut letters and a search by typing."""

    def __init__(self, words: Words, prompt: Prompt) -> None:
        state = prompt.state if prompt.state and prompt.state.is_interrupted else FormState(pointed=prompt.at)
        self._words = words
        self._prompt = prompt
        self._ticks = ticks = prompt.ticks
        self._offers = offers = prompt.offers
        self._picture = prompt.draw if isinstance(prompt.draw, Picture) else None
        self._hand = self._picture.hand if self._picture else ()
        """The hand that is the menu; empty if a list is."""
        self._last_card: tuple[int, ...] = ()
        """The card of the hand at which the pointer was last."""
        self._typed = ""
        self._can_take_pointed = True
        """Whether Enter takes the pointed line: false if typing matched several offers, until the pointer is moved."""
        self._columns = window.SMALLEST.columns
        self.notice = ""
        """The notice in the status line, until a key is pressed."""
        self._shown: list[Choice] = []
        """The choices that targets of the mouse stand for."""
        self.targets: Sequence[asked.Target] = ()
        """The targets of the mouse in the last frame. A click before the first frame meant another picture."""
        self._held: asked.Target | None = None
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
        self._choices = [_choice(offer, ticks is not None and offer.value in ticks.values) for offer in offers]
        self._listed = [choice for choice in self._choices if not _offer(choice).unlisted]
        self._list = InquirerControl(self._choices)
        self._list.choices = list(self._listed)
        letters = shortcuts(offers, state.letters)
        self._shortcuts = dict(zip(map(id, self._choices), letters, strict=True))
        self._point(state.pointed, state.lines_above)  # repeated below, since typing moves the pointer
        self._type(state.typed)
        self._point(state.pointed, state.lines_above)
        self._can_take_pointed = state.can_take_pointed

    def interrupt(self, with_letters: bool) -> None:
        """Keep the state of the form for the question's next form; the shortcut letters only ``with_letters``."""
        letters = [(_offer(choice), self._shortcuts[id(choice)]) for choice in self._choices] if with_letters else ()
        if state := self._prompt.state:
            state.is_interrupted, state.letters = True, letters
            state.pointed, state.lines_above = self.pointed, self._lines_above
            state.typed, state.can_take_pointed = self._typed, self._can_take_pointed

    def _foot(self) -> str:
        """The line of keys at the foot. The key that sorts the hand is added if it works here and the line has room."""
        foot = f" {self._prompt.foot}"
        long = f"{foot}  {self._words.text('keys_order')}"
        return long if Key.ORDER.value in self._prompt.keys and cell_len(long) <= self._columns else foot

    def paint(self, canvas: Canvas) -> Place:
        """Paint the question, and return the place where typed text appears."""
        if self._picture:
            self._columns = canvas.columns
            painted = self._picture.on_canvas(canvas, self._asked(self._picture))
            self.targets = painted.targets
            return Place(painted.line.x + cell_len(self._typed), painted.line.y, bool(self._typed))
        size = window.size_of(canvas)
        margin, self._columns = window.divide(size)
        self._set_titles()
        text = window.draw_page(self._prompt.draw, size)
        rows_above = text.count("\n") + 2 + len(window.question_lines(self._prompt.question, size))
        self._rows = max(LEAST_ROWS, size.rows - rows_above - 2)  # status line and foot
        shown = min(len(self._listed), self._rows)
        top = window.paint_question(canvas, text, self._prompt.question, shown + 2)
        first = self._scroll_to_pointer()
        begins = [_offer(choice).begins_group for choice in self._list.choices]
        has_gaps = len(begins) + sum(begins[1:]) <= self._rows
        self._shown = self._list.choices
        self.targets = targets = []
        for place, choice in enumerate(self._shown[first : first + shown], first):
            y = top + place - first + (sum(begins[1 : place + 1]) if has_gaps else 0)
            self._paint_line(canvas, margin, y, place, choice)
            targets.append(asked.Target(Rect(margin, y, self._columns, 1), place))
        right = margin + 1 + self._line_cells
        if isinstance(self._prompt.draw, PageBeside) and margin + self._columns - right > LEAST_BESIDE:
            area = Rect(right + 2, 2, margin + self._columns - right - 4, min(size.rows - 4, MOST_BESIDE_ROWS))
            self._prompt.draw.beside(canvas, area._replace(width=min(area.width, MOST_BESIDE)))
        pieces, cursor = self._status_line()
        x = margin
        for style, piece in pieces:
            x = canvas.put(x, size.rows - 2, piece, style)
        window.paint_foot(canvas, margin, self._foot())
        return Place(margin + cursor, size.rows - 2, bool(self._typed))

    def _asked(self, picture: Picture) -> asked.Asked:
        """What the picture of a table shows of this question."""
        shown = [*self._listed, *[choice for choice in self._list.choices if _offer(choice).unlisted]]
        self._shown = shown
        places = {id(choice): place for place, choice in enumerate(shown)}
        ticked = self._ticked_offers() if self._ticks else []
        choices = [
            asked.Choice(
                offer.text,
                offer.cards,
                self._shortcuts[id(choice)][:1],
                offer.refused,
                offer in ticked,
                _is_advised(offer, picture, self._ticks is not None),
                offer.is_button,
            )
            for choice, offer in [(choice, _offer(choice)) for choice in shown]
        ]
        return asked.Asked(
            self._prompt.question + (f" {self._words.text('tick')}" if self._ticks else ""),
            choices,
            places[id(self._list.get_pointed_at())],
            self._ticks is not None,
            self._typed,
            frozenset([places[id(choice)] for choice in self._list.choices]) if self._typed else None,
            self.notice,
            self._ticks.status(self._ticked_values()) if self._ticks else "",
            picture.hint(self.pointed) if picture.hint else (),
            foot=self._foot(),
        )

    def _paint_line(self, canvas: Canvas, x: int, y: int, place: int, choice: Choice) -> None:
        """Paint a line of the list: pointer, sign of a refused line, and text."""
        offer, title, style = _offer(choice), str(choice.title), PAGE
        is_pointed = place == self._list.pointed_at
        if is_pointed:
            style = GOLD if window.has_grounds(canvas) else window.POINTED
            canvas.fill(Rect(x + 2, y, self._line_cells - 1, 1), "panel")
        start, x = x, canvas.put(x, y, "   ▶ " if is_pointed else "     ", GOLD)
        if choice.disabled:
            canvas.put(x, y, REFUSED + title, window.DIM)
            return
        if style is PAGE:
            x, title = canvas.put(x, y, title[:LETTER_CELLS], GOLD), title[LETTER_CELLS:]
        elif style is GOLD and title[:1].strip():
            canvas.put(x - 1, y, f" {title[:1]} ", CAP, see_through=False)
            x, title = x + LETTER_CELLS, title[LETTER_CELLS:]
        canvas.put(x, y, title, style)
        if self._note_cells:
            canvas.put(start + self._line_cells - self._note_cells, y, offer.note, style if is_pointed else window.DIM)

    def _status_line(self) -> tuple[Sequence[tuple[Style, str]], int]:
        """The status line in pieces, and the column of the cursor, which is shown once text is typed."""
        above, more = self._scroll_to_pointer(), []
        below = max(0, len(self._list.choices) - above - self._rows)
        if above or below:
            key = "more_both" if above and below else "more_above" if above else "more_below"
            more = [(PAGE, f" {self._words.text(key, above=above, below=below)}")]
        start = len(window.INDENT)
        if self.notice:
            return [(window.BOLD, window.INDENT + clip(self.notice, max(LEAST_TEXT, self._columns - 3)))], start
        if self._typed:
            key = self._typed.lower()
            is_capital_key = key in self._prompt.keys and key != self._typed
            note = f"   {self._words.text('capital', letter=key)}" if is_capital_key else ""
            return [(window.BOLD, f"{window.INDENT}{self._typed}▏"), (PAGE, note), *more], start + cell_len(self._typed)
        note = "" if self._note_cells else _offer(self._list.get_pointed_at()).note
        more = [*more, (PAGE, window.INDENT * bool(more)), (window.DIM, note)] if note else more
        return [(PAGE, window.INDENT), *more], start

    def _set_titles(self) -> None:
        """Set the text of each line, cut to the width except for reasons, and the cells of lines and notes."""
        room = self._columns - LINE_START
        for choice in self._choices:
            offer, key = _offer(choice), self._shortcuts[id(choice)][:1]
            if offer.refused:
                reason_cells = cell_len(self._words.refusal("", offer.refused))
                text = clip(offer.text, max(LEAST_TEXT, room - len(REFUSED) - reason_cells))
                choice.title = self._words.refusal(text, offer.refused)
            else:
                head = key.ljust(LETTER_CELLS)
                choice.title = head + clip(offer.text, max(LEAST_TEXT, room - len(head)))
        text_cells = LINE_START + max(cell_len(f"{choice.title}  ") for choice in self._listed)
        note_cells = max(cell_len(_offer(choice).note) for choice in self._listed)
        self._note_cells = note_cells if text_cells + note_cells < self._columns else 0
        self._line_cells = min(self._columns - 1, max(MENU_CELLS, text_cells + self._note_cells))

    def _scroll_to_pointer(self) -> int:
        """Scroll to the pointer and refused lines at the end. Return the number of lines above the view."""
        choices, pointed = self._list.choices, self._list.pointed_at
        ends = all(choice.disabled for choice in choices[pointed + 1 :])
        last = len(choices) - 1 if ends else pointed
        lines_above = min(self._lines_above, len(choices) - self._rows)  # no blank lines after the last choice
        self._lines_above = min(max(lines_above, last - self._rows + 1, 0), pointed)
        return self._lines_above

    def _ticked_offers(self) -> list[Offer]:
        return [offer for offer in map(_offer, self._choices) if offer in self._list.selected_options]

    def _ticked_values(self) -> list[Any]:
        return [offer.value for offer in self._ticked_offers()]

    def press(self, press: KeyPress) -> None:
        slips = self._slips
        self._handle(press)
        self._slips = self._slips if self._slips > slips else 0

    def _handle(self, press: KeyPress) -> None:
        match press.key:
            case Keys.Up | Keys.ControlP:
                self._move(-1)
            case Keys.Down | Keys.ControlN:
                self._move(1)
            case Keys.Left:
                self._move_to_card(-1)
            case Keys.Right:
                self._move_to_card(1)
            case Keys.PageUp:
                self._move(1 - self._rows)
            case Keys.PageDown:
                self._move(self._rows - 1)
            case Keys.Home:
                self._move(-len(self._choices))
            case Keys.End:
                self._move(len(self._choices))
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
                self._handle_character(plain_key(press.data))

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
            if self.notice and not matching_offers(self._offers, typed + data):
                typed = ""  # text without a match must not block the next key
            self._type(typed + data)

    def _handle_mouse(self, data: str) -> None:
        """Handle the mouse: a press points and, where it points already, chooses; buttons and keys act on release.

        The wheel moves along a list. No press opens a hand-over."""
        found = MOUSE.fullmatch(data)
        if found is None or self._prompt.quiet:
            return
        button, x, y = [int(number) for number in found.groups()[:3]]
        is_press, held = found[4] == "M", self._held
        if button in WHEEL and is_press and not self._hand:
            self._move(WHEEL[button])
        target = next((target for target in self.targets if target.area.holds(x - 1, y - 1)), None)
        if button or target is None:
            return
        self._held = target if is_press else None
        if target.acts != is_press and (is_press or held == target):
            self._press_target(target)

    def _press_target(self, target: asked.Target) -> None:
        if target.choice is None:
            if len(target.key) == 1:
                self._handle_character(target.key)
            return
        choice = self._shown[target.choice]
        if choice not in self._list.choices:
            self._type("")  # the search hides it
        is_pointed = choice is self._list.get_pointed_at()
        if choice.disabled and not self._hand:
            self.notice = self._words.refusal(_offer(choice).text, _offer(choice).refused or "")
            return
        if not is_pointed:
            self._move(0)  # clears the notice
            self._list.pointed_at = self._list.choices.index(choice)
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
        matching = [choice for choice in self._choices if letter in self._shortcuts[id(choice)]]
        allowed = [choice for choice in matching if not choice.disabled]
        is_hidden = not any(choice in self._list.choices for choice in matching)  # by the search
        is_about_cards = any(offer.cards for offer in self._offers)
        if not matching or (self._typed_matches_choice and (is_hidden or is_about_cards)):
            self.notice = self._words.text("no_key", letter=letter)
            self._slips += 1
        elif not allowed:
            offer = _offer(matching[0])
            self.notice = self._words.refusal(offer.text, offer.refused or "")
            self._slips += WORD_SLIPS  # Enter after it might be meant for this offer
        elif len(allowed) > 1:
            # a search by card lists them; texts that begin with a small letter are words, not cards
            self._type(next(card for card in _offer(allowed[0]).typed if not card[:1].islower()))
        else:
            self._type("")
            self._list.pointed_at = self._list.choices.index(allowed[0])
            self._slips = 0
            self._handle_enter(is_blank=True)

    @property
    def _typed_matches_choice(self) -> bool:
        """Whether the typed text matches an offer that can be chosen."""
        return bool(self._typed) and any(not offer.refused for offer in matching_offers(self._offers, self._typed))

    def _type(self, typed: str) -> None:
        """Set the search text, and list the matching offers. If none can be chosen, show why and keep the list."""
        typed = typed[:LONGEST]
        earlier, self._typed = self._typed, typed
        self.notice, self._awaits_confirmation = "", None
        if typed and not earlier:
            self._pointed_before_typing = self.pointed
        ids = {*map(id, matching_offers(self._offers, typed))}
        matching = [choice for choice in self._choices if id(_offer(choice)) in ids] if typed else list(self._listed)
        allowed = [choice for choice in matching if not choice.disabled]
        self._can_take_pointed = True
        if allowed:
            if typed:
                meant = unambiguous_offer([_offer(choice) for choice in allowed], typed)
                self._can_take_pointed = meant is not None
                pointed = next((choice for choice in allowed if _offer(choice) is meant), allowed[0])
            else:
                pointed = allowed[0] if earlier else self._list.get_pointed_at()  # the first, unless restored below
            self._list.choices = matching
            self._list.pointed_at = matching.index(pointed)
            if earlier and not typed:
                self._point(self._pointed_before_typing)
        elif matching:
            self.notice = f"{typed}: {_offer(matching[0]).refused}"
        else:
            key = typed.lower()
            is_key = key in self._prompt.keys or any(key in letters for letters in self._shortcuts.values())
            message = "capital" if is_key and key != typed else "nothing_found"
            if is_foreign(typed):
                message = "other_layout"
            self.notice = self._words.text(message, letter=key, typed=typed)

    @property
    def pointed(self) -> Any:
        return _offer(self._list.get_pointed_at()).value

    def _point(self, value: Any, above: int = 0) -> None:
        """Point at the offer with this value if it can be chosen; scroll the first ``above`` lines out of view."""
        self._lines_above = above
        values = [None if choice.disabled else _offer(choice).value for choice in self._list.choices]
        if value is not None and value in values:
            self._list.pointed_at = values.index(value)

    def _move(self, step: int) -> None:
        """Clear the notice, and move the pointer by ``step`` lines that can be chosen: down, or if negative up.

        Where the hand is the menu, the lines are the uses of the pointed card, and the buttons."""
        if self.notice:
            keeps_search = not self._can_take_pointed  # the pointer moves among the lines that it matches
            self._type(self._typed if keeps_search else "")  # typing clears the notice
        self._can_take_pointed = True
        choices = self._list.choices
        card = self._card_of(self._list.get_pointed_at()) or self._last_card
        walks_list = self._ticks is not None  # several cards are meant, so each line is one of them
        allowed = [
            place
            for place, choice in enumerate(choices)
            if not choice.disabled and (walks_list or self._card_of(choice) in ((), card))
        ]
        if self._list.pointed_at not in allowed:  # a refused card
            allowed.append(self._list.pointed_at)
        self._last_card = card
        if not self._typed and self._hand and not walks_list:  # the uses of a card stand before the buttons
            allowed.sort(key=lambda place: not self._card_of(choices[place]))
        target = allowed.index(self._list.pointed_at) + step
        self._list.pointed_at = allowed[max(0, min(target, len(allowed) - 1))]

    def _move_to_card(self, step: int) -> None:
        """Point at the next card of the hand that is a choice, also a refused one; from a button, at the last card.

        In a list move by one line. ``step``: 1 to the right or down, -1 to the left or up."""
        self._move(0)  # clears the notice, and lets Enter take the pointed line
        cards = [self._card_of(choice) for choice in self._list.choices]
        if not any(cards):
            self._move(step)
            return
        places = sorted({self._hand.index(card[0]) for card in cards if card})
        pointed = cards[self._list.pointed_at]
        if pointed:
            here = self._hand.index(pointed[0])
            ahead = [place for place in places if (place - here) * step > 0] or [here]
            target = min(ahead, key=lambda place: abs(place - here))
        else:
            target = self._hand.index(self._last_card[0]) if self._last_card and self._last_card in cards else places[0]
        self._last_card = (self._hand[target],)
        if self._last_card != pointed:
            uses = [place for place, card in enumerate(cards) if card == self._last_card]
            allowed = [place for place in uses if not self._list.choices[place].disabled]
            self._list.pointed_at = (allowed or uses)[0]

    def _card_of(self, choice: Choice) -> tuple[int, ...]:
        """The card of the hand with which a choice is made, as a tuple; empty if the hand is not the menu."""
        offer = _offer(choice)
        return offer.cards[:1] if offer.cards and offer.cards[0] in self._hand and not offer.is_button else ()

    def _toggle_tick(self, ticks: Ticks) -> None:
        """Tick the pointed line, or remove its tick if it has one. Update ``ticks.values``, and clear the search."""
        choice = self._list.get_pointed_at()
        offer = _offer(choice)
        ticked = self._list.selected_options
        if offer in ticked:
            ticked.remove(offer)
        else:
            ticked.append(offer)
        ticks.values[:] = self._ticked_values()
        self._type("")
        self._list.pointed_at = self._list.choices.index(choice)

    def _handle_enter(self, is_blank: bool = False) -> None:
        """Choose the pointed offer, unless typing is ambiguous or fits nothing, or a second Enter is needed.

        After several wrong letters, which may be a word, the first Enter only says what the next one chooses."""
        if self._ticks:
            self._handle_enter_with_ticks(is_blank, self._ticks)
            return
        offer = _offer(self._list.get_pointed_at())
        is_confirmed = self._awaits_confirmation is offer
        if offer.refused:
            self.notice = self._words.refusal(offer.text, offer.refused)
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
            self.notice = self._words.text("enter_again", text=ticks.status(self._ticked_values()))
        elif why := ticks.check(self._ticked_values()):
            self.notice = why
        else:
            self.end(self._ticked_values())


def _is_advised(offer: Offer, picture: Picture, has_ticks: bool) -> bool:
    """Whether a hint recommends the offer or, if offers are ticked, all cards of the offer."""
    if has_ticks:
        return bool(offer.cards) and {*offer.cards} <= {*picture.advised_cards}
    return picture.advised is not None and offer.value == picture.advised


def _choice(offer: Offer, ticked: bool) -> Choice:
    choice = Choice(offer.text, offer, checked=ticked)
    choice.disabled = bool(offer.refused)  # type: ignore[assignment]  # the reason itself would be added to the line
    return choice


def _offer(choice: Choice) -> Offer:
    assert isinstance(choice.value, Offer)
    return choice.value
