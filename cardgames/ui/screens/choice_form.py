"""A question under a picture: questionary's list, found by keys and by typing, with the keys at the foot."""

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
    FOOT,
    LONGEST,
    Chosen,
    Key,
    Offer,
    Picture,
    Prompt,
    Ticks,
    found,
    only,
    plain_key,
    refusal,
    shortcuts,
)
from cardgames.ui.screens.window import (
    INDENT,
    bind_ending,
    canvas,
    formatted,
    gap_rows,
    painted,
    picture_window,
    question_lines,
    question_window,
    too_small,
)


class ChoiceForm:
    """One question: a list to choose from or to tick, searched by typing, with shortcut keys."""

    def __init__(self, words: Words, prompt: Prompt) -> None:
        self._words = words
        self._prompt = prompt
        self.question = prompt.question
        self.keys = prompt.keys
        self._ticks = ticks = prompt.ticks
        self._offers = offers = prompt.offers
        self._typed = ""
        self.picked = True
        """Whether the pointer stands where somebody moved it, and not where typing that has several meanings led it."""
        self._columns = 0
        self._notice = ""
        self._advised: object = None
        """The value that a hint recommends."""
        self._asked_again: Offer | None = None
        """The value that has been chosen once and needs a second Enter."""
        self._at_first: Any = None
        """The value that was pointed at when typing began."""
        self._rows = 3
        self.above = 0
        """The number of lines of the list above those in view."""
        self._all = [_choice(offer, ticks is not None and offer.value in ticks.values) for offer in offers]
        self._listed = [choice for choice in self._all if not _offer(choice).unlisted]
        # questionary's prompts would add two lines for which the full screen has no room; only its list is used
        self._list = InquirerControl(self._all, pointer="»", use_indicator=ticks is not None)
        self._list.choices = list(self._listed)
        self.window = Window(
            self._list, get_vertical_scroll=lambda window: self._first_visible(), dont_extend_height=True
        )
        typing = FormattedTextControl(self._status_line, focusable=True, show_cursor=True)
        self.line = Window(typing, height=1, dont_extend_height=True)
        """The line under the list, in which the cursor stands: an input method composes there."""
        self._shortcuts = dict(zip(map(id, self._all), shortcuts(offers), strict=True))
        self._fingers = words.text("fingers") if any(offer.letters for offer in offers) else ""

    def _foot_in(self, columns: int) -> str:
        """The line of keys at the foot, with the key that sorts the hand if it has a use and fits."""
        foot = f" {self._prompt.foot}"
        whole = f"{foot}  {self._words.text('keys_order')}"
        return whole if Key.ORDER.value in self.keys and cell_len(whole) <= columns else foot

    def body(self, output: Vt100_Output) -> Container:
        """The layout from top to bottom: picture, question, list, status line and foot."""
        draw, rows = self._prompt.draw, len(self._listed)
        self._advised = draw.advised if isinstance(draw, Picture) else None

        def columns() -> int:
            return canvas(output.get_size(), isinstance(draw, Picture)).columns

        def asked() -> list[str]:
            asked = f"{self.question} {self._words.text('tick')}" if self._ticks else self.question
            return question_lines(asked, output.get_size(), draw)

        def room() -> int:
            """The number of rows that the list and the hint share."""
            size = output.get_size()
            drawn = painted(draw, size, self.chosen).count("\n") + 1
            return size.rows - drawn - 2 - gap_rows(size, draw) - len(asked())

        def hint() -> str:
            """The hint under the list, in the rows that the list leaves or in half of all."""
            beneath = draw.hint if isinstance(draw, Picture) else None
            most = max(room() - rows, (room() + 1) // 2)
            return beneath(columns(), most, self.pointed) if beneath else ""

        def height() -> Dimension:
            self._set_titles(columns())
            self._rows = max(3, room()) if not hint() else max(0, room() - hint().count("\n"))
            self._fold_refused(columns())
            return Dimension(preferred=rows, max=min(rows, self._rows))

        def gap() -> int:
            return gap_rows(output.get_size(), draw)

        self.window.height = height
        return HSplit(
            [
                picture_window(draw, lambda: self.chosen),
                Window(height=gap),
                question_window(asked),
                self.window,
                Window(),
                Window(FormattedTextControl(lambda: formatted(hint())), height=lambda: hint().count("\n")),
                self.line,
                Window(FormattedTextControl(lambda: [("class:keys", self._foot_in(columns()))]), height=1),
            ]
        )

    def _status_line(self) -> StyleAndTextTuples:
        """A notice, or the typed text or status of the picks, then the number of lines out of view."""
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
            caps = f"   {self._words.text('capital', letter=key)}" if key in FOOT and key != self._typed else ""
            return [("class:typed", f"  {self._typed}"), cursor, ("class:typed", "▏"), ("class:keys", caps), *more]
        if self._ticks:
            return [("", "  "), cursor, ("class:typed", self._ticks.status(self._values())), *more]
        # a cursor behind the last character of a line would go to the top left
        return [("", "  "), cursor, *(more or [("class:keys", self._fingers or " ")])]

    def _set_titles(self, columns: int) -> None:
        """Set the title of each line: its key, then the text cut to the window's width. Reasons of refused offers
        stay whole."""
        self._columns = columns
        for choice in self._all:
            offer, key = _offer(choice), self._shortcuts[id(choice)][:1]
            if offer.refused:
                choice.title = self._refusal(offer.text, offer.refused, columns - len(INDENT) - 3)
            else:
                head = f"{key} " if key else "  "
                mark = f"  {self._words.text('advised')}" if self._advised and offer.value == self._advised else ""
                room = columns - len(INDENT) - 3 - len(head) - cell_len(mark)
                choice.title = head + clip(offer.text, max(8, room)) + mark

    def _refused(self, text: str, why: str) -> str:
        return refusal(self._words, text, why)

    def _refusal(self, text: str, why: str, room: int) -> str:
        """A refused offer with the reason; the offer's text is cut if both do not fit."""
        return self._refused(clip(text, max(8, room - cell_len(self._refused("", why)))), why)

    def _refusals_line(self, refused: Sequence[tuple[str, str]], room: int) -> str:
        """One line with as many of the ``refused`` offers and their reasons as fit, and at least one."""
        every = [self._refused(text, why) for text, why in refused]
        for shown in range(len(every), 0, -1):
            line = "  ".join([*every[:shown], *(["…"] if shown < len(every) else [])])
            if cell_len(line) <= room:
                return line
        return self._refusal(*refused[0], room)

    def _fold_refused(self, columns: int) -> None:
        """Join the refused offers at the end of the list in its last row if they do not all fit."""
        if self._typed:
            return
        refused = [choice for choice in self._listed if choice.disabled]
        folds = len(refused) > 1 and len(self._listed) > self._rows and self._listed[-len(refused) :] == refused
        self._list.choices = list(self._listed)
        if folds:
            own = max(0, self._rows - 1 - (len(self._listed) - len(refused)))
            alike = groupby(map(_offer, refused[own:]), key=lambda offer: offer.refused or "")
            whys = [(" · ".join(offer.text for offer in offers), why) for why, offers in alike]
            last = _choice(_offer(refused[own]))
            last.title = self._refusals_line(whys, columns - len(INDENT) - 5)
            self._list.choices[own - len(refused) :] = [last]

    def _first_visible(self) -> int:
        """Scroll to the pointer, and with it to the offer that a hint recommends or to greyed lines at the end; return
        the number of lines above the view."""
        choices, pointed = self._list.choices, self._list.pointed_at
        first, last = pointed, pointed
        place = self._advised_place()
        if place is not None and abs(place - pointed) < self._rows:
            first, last = min(place, pointed), max(place, pointed)
        elif not any(not choice.disabled for choice in choices[pointed + 1 :]):
            last = len(choices) - 1
        self.above = min(first, max(last - self._rows + 1, min(self.above, len(choices) - self._rows), 0))
        return self.above

    def _advised_place(self) -> int | None:
        """The place in the list of the offer that a hint recommends."""
        if self._advised is None:
            return None
        places = [place for place, choice in enumerate(self._list.choices) if _offer(choice).value == self._advised]
        return next(iter(places), None)

    def _ticked(self) -> list[Offer]:
        return [offer for offer in map(_offer, self._all) if offer in self._list.selected_options]

    def _values(self) -> list[Any]:
        return [offer.value for offer in self._ticked()]

    def bindings(self, output: Vt100_Output) -> KeyBindings:
        """The key bindings that choose and search."""
        bindings = KeyBindings()

        def on(key: Keys | str, handler: Callable[[KeyPressEvent], object]) -> None:
            """Bind a key that does nothing while the window is too small to show the question."""

            def handle(event: KeyPressEvent) -> None:
                if not too_small(output.get_size()):
                    handler(event)

            bindings.add(key, eager=True)(handle)

        on(Keys.Any, self._character)
        for key, step in {Keys.Up: -1, Keys.ControlP: -1, Keys.Down: 1, Keys.ControlN: 1}.items():
            on(key, lambda event, step=step: self._move(step))  # type: ignore[misc]
        on(Keys.Left, lambda event: self._move_to_card(-1))
        on(Keys.Right, lambda event: self._move_to_card(1))
        on(Keys.PageUp, lambda event: self._move(1 - self._rows))
        on(Keys.PageDown, lambda event: self._move(self._rows - 1))
        on(Keys.Home, lambda event: self._move(-len(self._all)))
        on(Keys.End, lambda event: self._move(len(self._all)))
        on(Keys.ControlM, self._enter)
        on(Keys.Backspace, lambda event: self.type(self._typed[:-1]))
        on(Keys.ControlU, lambda event: self.type(""))
        on(Keys.Escape, self._escape)
        on(Keys.BracketedPaste, lambda event: None)
        bind_ending(bindings)
        return bindings

    def _character(self, event: KeyPressEvent) -> None:
        """Handle a typed character: a blank takes the pointed line, a small letter may be a shortcut, the rest
        searches."""
        data = plain_key(event.data)
        if not data or not data.isprintable():
            return
        if data == " " and (self._ticks or not self._typed):
            self._enter(event)
        elif data in self.keys:
            event.app.exit(result=self.keys[data])
        elif data in FOOT or (data.isascii() and data.islower()):
            self._take_letter(event, data)
        else:
            typed = self._typed
            if self._notice and not found(self._offers, typed + data):
                typed = ""  # text without a match must not block the next key
            self.type(typed + data)

    def _take_letter(self, event: KeyPressEvent, letter: str) -> None:
        """Take the offer with this shortcut, or say why it is refused. If a card allows several actions, list them."""
        meant = [choice for choice in self._all if letter in self._shortcuts[id(choice)]]
        allowed = [choice for choice in meant if not choice.disabled]
        if self._leads_to_choice or not meant:
            self._notice = self._words.text("no_key", letter=letter)
        elif not allowed:
            self._notice = self._refused(_offer(meant[0]).text, _offer(meant[0]).refused or "")
        elif len(allowed) > 1:
            self.type(next(way for way in _offer(allowed[0]).typed if not way[:1].islower()))
        else:
            self.type("")
            self._list.pointed_at = self._list.choices.index(allowed[0])
            self._enter(event)

    @property
    def _leads_to_choice(self) -> bool:
        """Whether the typed text matches an offer that can be chosen."""
        return bool(self._typed) and any(not offer.refused for offer in found(self._offers, self._typed))

    def _escape(self, event: KeyPressEvent) -> None:
        """Clear the search; if it is empty go back, as ``q`` does unless the question defines Escape itself."""
        back = ESCAPE if ESCAPE in self.keys else Key.LEAVE.value
        if self._typed or self._notice or back not in self.keys:
            self.type("")
        else:
            event.app.exit(result=self.keys[back])

    def type(self, typed: str) -> None:
        """Show the lines that match the search, or say why none can be chosen."""
        typed = typed[:LONGEST]
        before, self._typed, self._notice, self._asked_again = self._typed, typed, "", None
        if typed and not before:
            self._at_first = self.pointed
        fitting = set(map(id, found(self._offers, typed))) if typed else set()
        fit = [choice for choice in self._all if id(_offer(choice)) in fitting] if typed else list(self._listed)
        allowed = [choice for choice in fit if not choice.disabled]
        self.picked = True
        if allowed:
            pointed = self._list.get_pointed_at()
            sure = only([_offer(choice) for choice in allowed], typed) if typed else None
            self.picked = not typed or sure is not None
            self._list.choices = fit
            best = next((choice for choice in allowed if _offer(choice) is sure), allowed[0])
            self._list.pointed_at = fit.index(best if typed or before else pointed)
            if before and not typed:
                self.point(self._at_first)
        elif fit:
            self._notice = f"{typed}: {_offer(fit[0]).refused}"
        else:
            key = typed.lower()
            caps = key != typed and (key in FOOT or any(key in letters for letters in self._shortcuts.values()))
            self._notice = self._words.text("capital" if caps else "nothing_found", letter=key, typed=typed)

    @property
    def typed(self) -> str:
        """The search text."""
        return self._typed

    @property
    def pointed(self) -> Any:
        """The value of the pointed offer."""
        return _offer(self._list.get_pointed_at()).value

    @property
    def chosen(self) -> Chosen:
        """The cards of the pointed and of the ticked offers."""
        ticked = [card for offer in self._ticked() for card in offer.cards] if self._ticks else []
        draw = self._prompt.draw
        advised = draw.advised_cards if isinstance(draw, Picture) else ()
        return Chosen(_offer(self._list.get_pointed_at()).cards, tuple(ticked), advised)

    def say(self, notice: str) -> None:
        """Show a notice under the list until a key is pressed."""
        self._notice = notice

    def point(self, value: Any, above: int = 0) -> None:
        """Point at the offer with this value, if it can be chosen, with ``above`` lines scrolled out of view."""
        self.above = above
        values = [None if choice.disabled else _offer(choice).value for choice in self._list.choices]
        if value is not None and value in values:
            self._list.pointed_at = values.index(value)

    def _move(self, step: int) -> None:
        """Move the pointer by ``step`` selectable lines, stopping at the first and the last."""
        if self._notice:
            self.type("" if self.picked else self._typed)
        self.picked = True
        choices = self._list.choices
        allowed = [place for place, choice in enumerate(choices) if not choice.disabled]
        here = allowed.index(self._list.pointed_at) + step
        self._list.pointed_at = allowed[max(0, min(here, len(allowed) - 1))]

    def _move_to_card(self, step: int) -> None:
        """Point at the next card of the hand in this direction. From a line without a card go to the nearest card;
        in a list without cards move by one line."""
        self._move(0)
        cards = [() if choice.disabled else _offer(choice).cards[:1] for choice in self._list.choices]
        here = self._list.pointed_at
        places = [place for place, card in enumerate(cards) if card and card != cards[here]]
        if not any(cards):
            self._move(step)
            return
        beyond = [place for place in places if (place - here) * step > 0]
        if beyond or (not cards[here] and places):
            nearest = min(beyond or places, key=lambda place: abs(place - here))
            self._list.pointed_at = cards.index(cards[nearest])

    def _toggle(self, ticks: Ticks) -> None:
        choice = self._list.get_pointed_at()
        offer = _offer(choice)
        ticked = self._list.selected_options
        (ticked.remove if offer in ticked else ticked.append)(offer)
        ticks.values[:] = self._values()
        self.type("")
        self._list.pointed_at = self._list.choices.index(choice)

    def _enter(self, event: KeyPressEvent) -> None:
        """Take the pointed line. In a list of ticks a blank, or Enter after typing, ticks it, and Enter alone takes
        the ticks."""
        if self._ticks:
            self._enter_ticks(event, self._ticks)
            return
        offer = _offer(self._list.get_pointed_at())
        if not self.picked:
            self._notice = self._words.text("ambiguous", typed=self._typed)
            return
        if self._notice and self._asked_again is not offer:
            if self._leads_to_choice or not self._typed:
                self._notice = ""  # it has been read
            return
        if offer.confirm and self._asked_again is not offer:
            self._asked_again, self._notice = offer, offer.confirm
            return
        event.app.exit(result=offer.value)

    def _enter_ticks(self, event: KeyPressEvent, ticks: Ticks) -> None:
        """Tick the pointed line after a blank or typing; else take the ticked lines if they are valid together."""
        if event.key_sequence[-1].key != Keys.ControlM or self._typed:
            if not self.picked:
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
