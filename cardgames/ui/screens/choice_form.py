"""The form for a question: a picture, a list of offers to choose by key or by typing, and the keys at the foot."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Dimension, FormattedTextControl, HSplit
from prompt_toolkit.layout.containers import Container, Window
from prompt_toolkit.output.vt100 import Vt100_Output
from questionary.prompts.common import Choice, InquirerControl
from rich.cells import cell_len

from cardgames.ui.messages import Words, clip
from cardgames.ui.screens.offers import (
    ESCAPE,
    FOOT_KEYS,
    LONGEST,
    Highlight,
    Key,
    Offer,
    Picture,
    Prompt,
    Ticks,
    matching_offers,
    plain_key,
    refusal,
    shortcuts,
    unambiguous_offer,
)
from cardgames.ui.screens.window import (
    INDENT,
    bind_ending,
    canvas,
    draw_picture,
    gap_rows,
    picture_window,
    question_lines,
    question_window,
    to_fragments,
    too_small,
)


class ChoiceForm:
    """The form for one question: a list to choose from or to tick, with shortcut letters and a search by typing."""

    def __init__(self, words: Words, prompt: Prompt, before: Sequence[tuple[Offer, str]] = ()) -> None:
        """``before``: the :attr:`letters` of the earlier form for this question, if news ended that form."""
        self._words = words
        self._prompt = prompt
        self.question = prompt.question
        self.keys = prompt.keys
        self._ticks = ticks = prompt.ticks
        self._offers = offers = prompt.offers
        self._typed = ""
        self.is_unambiguous = True
        """Whether Enter may take the pointed line. False while the typed text matches several offers."""
        self._columns = 0
        self._notice = ""
        self._advised: object = None
        """The value of the offer that a hint recommends."""
        self._awaits_confirmation: Offer | None = None
        """The offer that has been chosen once and needs a second Enter."""
        self._pointed_before_typing: Any = None
        """The value at which the pointer was when typing began."""
        self._rows = 3
        self.lines_above = 0
        """The number of lines of the list that are scrolled out above the view."""
        self._choices = [_choice(offer, ticks is not None and offer.value in ticks.values) for offer in offers]
        self._listed = [choice for choice in self._choices if not _offer(choice).unlisted]
        # questionary's prompts would add two lines for which the full screen has no room; only its list is used
        self._list = InquirerControl(self._choices, pointer="»", use_indicator=ticks is not None)
        self._list.choices = list(self._listed)
        self.window = Window(
            self._list, get_vertical_scroll=lambda window: self._first_visible(), dont_extend_height=True
        )
        typing = FormattedTextControl(self._status_line, focusable=True, show_cursor=True)
        self.line = Window(typing, height=1, dont_extend_height=True)
        """The status line under the list. It holds the cursor, at which an input method composes text."""
        letters = shortcuts(offers, before)
        self.letters = [*zip(offers, letters, strict=True)]
        """Each offer with its shortcut letters."""
        self._shortcuts = dict(zip(map(id, self._choices), letters, strict=True))
        self._finger_hint = words.text("fingers") if any(offer.letters for offer in offers) else ""

    def _foot_for(self, columns: int) -> str:
        """The line of keys at the foot. The key that sorts the hand is added if it works here and the line has room."""
        foot = f" {self._prompt.foot}"
        long = f"{foot}  {self._words.text('keys_order')}"
        return long if Key.ORDER.value in self.keys and cell_len(long) <= columns else foot

    def body(self, output: Vt100_Output) -> Container:
        """The layout from top to bottom: picture, question, list, status line and foot."""
        draw, rows = self._prompt.draw, len(self._listed)
        self._advised = draw.advised if isinstance(draw, Picture) else None

        def columns() -> int:
            return canvas(output.get_size(), isinstance(draw, Picture)).columns

        def question() -> list[str]:
            text = f"{self.question} {self._words.text('tick')}" if self._ticks else self.question
            return question_lines(text, output.get_size(), draw)

        def room() -> int:
            """The number of rows that the list and the hint share."""
            size = output.get_size()
            drawn = draw_picture(draw, size, self.highlight).count("\n") + 1
            return size.rows - drawn - 2 - gap_rows(size, draw) - len(question())

        def hint() -> str:
            """The hint under the list, in the rows that the list leaves free or in half of all, whichever are more."""
            draw_hint = draw.hint if isinstance(draw, Picture) else None
            limit = max(room() - rows, (room() + 1) // 2)
            return draw_hint(columns(), limit, self.pointed) if draw_hint else ""

        def height() -> Dimension:
            self._set_titles(columns())
            self._rows = max(3, room()) if not hint() else max(0, room() - hint().count("\n"))
            self._merge_refused(columns())
            return Dimension(preferred=rows, max=min(rows, self._rows))

        def gap() -> int:
            return gap_rows(output.get_size(), draw)

        self.window.height = height
        return HSplit(
            [
                picture_window(draw, lambda: self.highlight),
                Window(height=gap),
                question_window(question),
                self.window,
                Window(),
                Window(FormattedTextControl(lambda: to_fragments(hint())), height=lambda: hint().count("\n")),
                self.line,
                Window(FormattedTextControl(lambda: [("class:keys", self._foot_for(columns()))]), height=1),
            ]
        )

    def _status_line(self) -> StyleAndTextTuples:
        """The status line: a notice, or else the typed text or the ticks, with the number of lines out of view."""
        above = self._first_visible()
        below = max(0, len(self._list.choices) - above - self._rows)
        more: StyleAndTextTuples = []
        if above or below:
            key = "more_both" if above and below else "more_above" if above else "more_below"
            more = [("class:keys", f" {self._words.text(key, above=above, below=below)}")]
        place = self._advised_place()
        if place is not None and not above <= place < above + self._rows:
            mark = f"  {self._words.text('advised')}"
            title = str(self._list.choices[place].title).removesuffix(mark)
            room = self._columns - cell_len(mark) - sum([cell_len(text) for _, text, *_ in more]) - 6
            more.append(("class:question", f"   {clip(title, max(8, room))}{mark}"))
        cursor = ("[SetCursorPosition]", "")
        if self._notice:
            return [("", "  "), cursor, ("class:warning", clip(self._notice, max(8, self._columns - 3)))]
        if self._typed:
            key = self._typed.lower()
            is_key = key in FOOT_KEYS and key != self._typed
            note = f"   {self._words.text('capital', letter=key)}" if is_key else ""
            return [("class:typed", f"  {self._typed}"), cursor, ("class:typed", "▏"), ("class:keys", note), *more]
        if self._ticks:
            return [("", "  "), cursor, ("class:typed", self._ticks.status(self._values())), *more]
        # a cursor behind the last character of a line would go to the top left
        return [("", "  "), cursor, *(more or [("class:keys", self._finger_hint or " ")])]

    def _set_titles(self, columns: int) -> None:
        """Set the text of each line: shortcut letter and offer, cut to the width. A reason for a refusal is not cut."""
        self._columns = columns
        for choice in self._choices:
            offer, key = _offer(choice), self._shortcuts[id(choice)][:1]
            if offer.refused:
                choice.title = self._short_refusal(offer.text, offer.refused, columns - len(INDENT) - 3)
            else:
                head = f"{key} " if key else "  "
                mark = f"  {self._words.text('advised')}" if self._advised and offer.value == self._advised else ""
                room = columns - len(INDENT) - 3 - len(head) - cell_len(mark)
                choice.title = head + clip(offer.text, max(8, room)) + mark

    def _refusal(self, text: str, why: str) -> str:
        return refusal(self._words, text, why)

    def _short_refusal(self, text: str, why: str, room: int) -> str:
        """A refused offer with the reason, in ``room`` cells. Only the text of the offer is cut."""
        return self._refusal(clip(text, max(8, room - cell_len(self._refusal("", why)))), why)

    def _refusals_line(self, refused: Sequence[tuple[str, str]], room: int) -> str:
        """One line of ``refused`` offers (text, reason): as many as fit into ``room`` cells, but at least one."""
        texts = [self._refusal(text, why) for text, why in refused]
        for shown in range(len(texts), 0, -1):
            line = "  ".join([*texts[:shown], *(["…"] if shown < len(texts) else [])])
            if cell_len(line) <= room:
                return line
        return self._short_refusal(*refused[0], room)

    def _merge_refused(self, columns: int) -> None:
        """If the list is too long, replace the refused offers that do not fit at its end by one line."""
        if self._typed:
            return
        refused = [choice for choice in self._listed if choice.disabled]
        merges = len(refused) > 1 and len(self._listed) > self._rows and self._listed[-len(refused) :] == refused
        self._list.choices = list(self._listed)
        if merges:
            kept = max(0, self._rows - 1 - (len(self._listed) - len(refused)))  # these keep their own lines
            groups = groupby(map(_offer, refused[kept:]), key=lambda offer: offer.refused or "")
            merged = [(" · ".join(offer.text for offer in offers), why) for why, offers in groups]
            last = _choice(_offer(refused[kept]))
            last.title = self._refusals_line(merged, columns - len(INDENT) - 5)
            self._list.choices[kept - len(refused) :] = [last]

    def _first_visible(self) -> int:
        """Scroll so that the pointer is in view, and if possible also the offer that a hint recommends, or greyed lines
        at the end. Return the number of lines above the view."""
        choices, pointed = self._list.choices, self._list.pointed_at
        first, last = pointed, pointed
        place = self._advised_place()
        if place is not None and abs(place - pointed) < self._rows:
            first, last = min(place, pointed), max(place, pointed)
        elif not any(not choice.disabled for choice in choices[pointed + 1 :]):
            last = len(choices) - 1
        self.lines_above = min(first, max(last - self._rows + 1, min(self.lines_above, len(choices) - self._rows), 0))
        return self.lines_above

    def _advised_place(self) -> int | None:
        """The index in the list of the offer that a hint recommends; ``None`` if there is none."""
        if self._advised is None:
            return None
        places = [place for place, choice in enumerate(self._list.choices) if _offer(choice).value == self._advised]
        return next(iter(places), None)

    def _ticked(self) -> list[Offer]:
        return [offer for offer in map(_offer, self._choices) if offer in self._list.selected_options]

    def _values(self) -> list[Any]:
        return [offer.value for offer in self._ticked()]

    def bindings(self, output: Vt100_Output) -> KeyBindings:
        """The key bindings that move the pointer, choose, tick and search."""
        bindings = KeyBindings()

        def on(key: Keys | str, handler: Callable[[KeyPressEvent], object]) -> None:
            """Bind a key that does nothing while the window is too small to show the question."""

            def handle(event: KeyPressEvent) -> None:
                if not too_small(output.get_size()):
                    handler(event)

            bindings.add(key, eager=True)(handle)

        on(Keys.Any, self._handle_character)
        for key, step in {Keys.Up: -1, Keys.ControlP: -1, Keys.Down: 1, Keys.ControlN: 1}.items():
            on(key, lambda event, step=step: self._move(step))  # type: ignore[misc]
        on(Keys.Left, lambda event: self._move_to_card(-1))
        on(Keys.Right, lambda event: self._move_to_card(1))
        on(Keys.PageUp, lambda event: self._move(1 - self._rows))
        on(Keys.PageDown, lambda event: self._move(self._rows - 1))
        on(Keys.Home, lambda event: self._move(-len(self._choices)))
        on(Keys.End, lambda event: self._move(len(self._choices)))
        on(Keys.ControlM, self._handle_enter)
        on(Keys.Backspace, lambda event: self.type(self._typed[:-1]))
        on(Keys.ControlU, lambda event: self.type(""))
        on(Keys.Escape, self._handle_escape)
        on(Keys.BracketedPaste, lambda event: None)
        bind_ending(bindings)
        return bindings

    def _handle_character(self, event: KeyPressEvent) -> None:
        """Handle a character: a blank acts like Enter, a small letter is a shortcut, all others extend the search."""
        data = plain_key(event.data)
        if not data or not data.isprintable():
            return
        if data == " " and (self._ticks or not self._typed):
            self._handle_enter(event)
        elif data in self.keys:
            event.app.exit(result=self.keys[data])
        elif data in FOOT_KEYS or (data.isascii() and data.islower()):
            self._choose_by_letter(event, data)
        else:
            typed = self._typed
            if self._notice and not matching_offers(self._offers, typed + data):
                typed = ""  # text without a match must not block the next key
            self.type(typed + data)

    def _choose_by_letter(self, event: KeyPressEvent, letter: str) -> None:
        """Choose the offer with this shortcut, or show why it is refused. If a card has several actions, list them."""
        matching = [choice for choice in self._choices if letter in self._shortcuts[id(choice)]]
        allowed = [choice for choice in matching if not choice.disabled]
        in_view = [choice for choice in matching if choice in self._list.choices]
        continues_text = not in_view or any(_offer(choice).cards for choice in self._choices)
        if not matching or (self._typed_matches_choice and continues_text):
            self._notice = self._words.text("no_key", letter=letter)
        elif not allowed:
            self._notice = self._refusal(_offer(matching[0]).text, _offer(matching[0]).refused or "")
        elif len(allowed) > 1:
            self.type(next(card for card in _offer(allowed[0]).typed if not card[:1].islower()))
        else:
            self.type("")
            self._list.pointed_at = self._list.choices.index(allowed[0])
            self._handle_enter(event)

    @property
    def _typed_matches_choice(self) -> bool:
        """Whether the typed text matches an offer that can be chosen."""
        return bool(self._typed) and any(not offer.refused for offer in matching_offers(self._offers, self._typed))

    def _handle_escape(self, event: KeyPressEvent) -> None:
        """Clear the search or notice. If there is neither, give the question's answer for Escape, or else for ``q``."""
        back = ESCAPE if ESCAPE in self.keys else Key.LEAVE.value
        if self._typed or self._notice or back not in self.keys:
            self.type("")
        else:
            event.app.exit(result=self.keys[back])

    def type(self, typed: str) -> None:
        """Set the search text, and list the matching offers. If none can be chosen, show why and keep the list."""
        typed = typed[:LONGEST]
        earlier, self._typed, self._notice, self._awaits_confirmation = self._typed, typed, "", None
        if typed and not earlier:
            self._pointed_before_typing = self.pointed
        ids = set(map(id, matching_offers(self._offers, typed))) if typed else set()
        matching = [choice for choice in self._choices if id(_offer(choice)) in ids] if typed else list(self._listed)
        allowed = [choice for choice in matching if not choice.disabled]
        self.is_unambiguous = True
        if allowed:
            pointed = self._list.get_pointed_at()
            meant = unambiguous_offer([_offer(choice) for choice in allowed], typed) if typed else None
            self.is_unambiguous = not typed or meant is not None
            self._list.choices = matching
            best = next((choice for choice in allowed if _offer(choice) is meant), allowed[0])
            self._list.pointed_at = matching.index(best if typed or earlier else pointed)
            if earlier and not typed:
                self.point(self._pointed_before_typing)
        elif matching:
            self._notice = f"{typed}: {_offer(matching[0]).refused}"
        else:
            key = typed.lower()
            is_key = key != typed and (key in FOOT_KEYS or any(key in letters for letters in self._shortcuts.values()))
            self._notice = self._words.text("capital" if is_key else "nothing_found", letter=key, typed=typed)

    @property
    def typed(self) -> str:
        """The search text."""
        return self._typed

    @property
    def pointed(self) -> Any:
        """The value of the pointed offer."""
        return _offer(self._list.get_pointed_at()).value

    @property
    def highlight(self) -> Highlight:
        """The cards that stand out: of the pointed offer, of ticked offers, and of the advised offer."""
        ticked = [card for offer in self._ticked() for card in offer.cards] if self._ticks else []
        draw = self._prompt.draw
        advised = draw.advised_cards if isinstance(draw, Picture) else ()
        return Highlight(_offer(self._list.get_pointed_at()).cards, tuple(ticked), advised)

    def say(self, notice: str) -> None:
        """Show a notice under the list until a key is pressed."""
        self._notice = notice

    def point(self, value: Any, above: int = 0) -> None:
        """Scroll ``above`` lines out of view, and point at the offer with this value if it can be chosen."""
        self.lines_above = above
        values = [None if choice.disabled else _offer(choice).value for choice in self._list.choices]
        if value is not None and value in values:
            self._list.pointed_at = values.index(value)

    def _move(self, step: int) -> None:
        """Move the pointer by ``step`` lines that can be chosen, but not beyond the first and last one."""
        if self._notice:
            self.type("" if self.is_unambiguous else self._typed)
        self.is_unambiguous = True
        choices = self._list.choices
        allowed = [place for place, choice in enumerate(choices) if not choice.disabled]
        here = allowed.index(self._list.pointed_at) + step
        self._list.pointed_at = allowed[max(0, min(here, len(allowed) - 1))]

    def _move_to_card(self, step: int) -> None:
        """Point at the next card of the hand in the direction of ``step``, 1 or -1.

        From a line without a card go to the nearest card. In a list without cards go by one line."""
        self._move(0)
        cards = [() if choice.disabled else _offer(choice).cards[:1] for choice in self._list.choices]
        pointed = self._list.pointed_at
        places = [place for place, card in enumerate(cards) if card and card != cards[pointed]]
        if not any(cards):
            self._move(step)
            return
        ahead = [place for place in places if (place - pointed) * step > 0]
        if ahead or (not cards[pointed] and places):
            nearest = min(ahead or places, key=lambda place: abs(place - pointed))
            self._list.pointed_at = cards.index(cards[nearest])

    def _toggle(self, ticks: Ticks) -> None:
        choice = self._list.get_pointed_at()
        offer = _offer(choice)
        ticked = self._list.selected_options
        (ticked.remove if offer in ticked else ticked.append)(offer)
        ticks.values[:] = self._values()
        self.type("")
        self._list.pointed_at = self._list.choices.index(choice)

    def _handle_enter(self, event: KeyPressEvent) -> None:
        """Choose the pointed offer, unless the typed text is ambiguous, a notice is new, or a second Enter needed."""
        if self._ticks:
            self._handle_enter_with_ticks(event, self._ticks)
            return
        offer = _offer(self._list.get_pointed_at())
        if not self.is_unambiguous:
            self._notice = self._words.text("ambiguous", typed=self._typed)
            return
        if self._notice and self._awaits_confirmation is not offer:
            if self._typed_matches_choice or not self._typed:
                self._notice = ""  # it has been read
            return
        if offer.confirm and self._awaits_confirmation is not offer:
            self._awaits_confirmation, self._notice = offer, offer.confirm
            return
        event.app.exit(result=offer.value)

    def _handle_enter_with_ticks(self, event: KeyPressEvent, ticks: Ticks) -> None:
        """Handle Enter or a blank in a list with ticks.

        A blank, or Enter after typing, toggles the pointed line. Enter alone answers with the ticked values."""
        if event.key_sequence[-1].key != Keys.ControlM or self._typed:
            if not self.is_unambiguous:
                self._notice = self._words.text("ambiguous", typed=self._typed)
            elif not (self._notice and self._typed):
                self._toggle(ticks)
        elif why := ticks.check(self._values()):
            self._notice = why
        else:
            event.app.exit(result=self._values())


def _choice(offer: Offer, ticked: bool = False) -> Choice:
    choice = Choice(offer.text, offer, checked=ticked)
    choice.disabled = bool(offer.refused)  # type: ignore[assignment]  # the reason itself would be added to the line
    return choice


def _offer(choice: Choice) -> Offer:
    assert isinstance(choice.value, Offer)
    return choice.value
