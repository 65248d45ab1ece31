"""The line screen, which writes text line by line for speech and braille: no redrawing, no boxes, no cursor movement.

Only the news is printed before a question; the command ``w`` prints the whole table. The screen is erased row by row
at a hand-over, and before text that would push a hand into the terminal's history. The history before the match stays.
If a terminal cannot erase, the players are warned before the first card."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import takewhile
from time import monotonic, sleep
from typing import Any, NamedTuple, Self

from rich.cells import cell_len

from cardgames.system import LINES
from cardgames.ui.messages import Words, fold_case
from cardgames.ui.render.canvas import Line, plain_text
from cardgames.ui.screens import signals, terminal
from cardgames.ui.screens.key_decoder import CHANGE_QUIET, KEY_GAP, REPEAT_GAP, typed_text
from cardgames.ui.screens.offers import AWAY, ESCAPE, KEYS, NEWS, Check, Drawing, Key, Offer, Page, Picture, Prompt
from cardgames.ui.screens.screen import NEWS_EVERY, Screen
from cardgames.ui.screens.typed_text import matches_offer, plain_key, why_unread
from cardgames.ui.settings import Settings, has_control_codes

BACK_NUMBER = "0"
"""The number to type to go back from a numbered list."""
TABLE_COMMAND = "w"
"""The command that prints the whole table."""
HINT_PATIENCE = 0.3
"""Seconds to wait for a hint before a notice says that it is being computed."""
PAGE_FOOT = 2
"""The number of rows under a page, for the instruction and the typed line."""
BACK_SIGN = "-"
"""The text to type to go back from a text field, in which 0 may be a valid number."""


class _Interruption(Exception):
    """An exception that ends a question without a choice. ``key``: a typed key, ``NEWS`` or ``AWAY``."""

    def __init__(self, key: str) -> None:
        self.key = key


class _EarlyInput(Exception):
    """An exception for input that came before anybody could have heard the question. The input has been discarded."""


class _PrintedQuestion(NamedTuple):
    """A question with the lines that are printed for it."""

    prompt: Prompt
    numbered: Sequence[Offer]
    picture: str
    """The text about the table, printed before ``question_lines``; may be empty."""
    question_lines: Sequence[str]
    all_lines: list[str]

    def matches(self, wanted: str) -> list[Offer]:
        """The offers that an input may mean: by number, else by full text, else by the beginning of a text."""
        is_missing_key = wanted in KEYS and Key.RULES.value in self.prompt.keys  # of other tables, such as for a hint
        if not wanted or is_missing_key:  # every offer begins with an empty text
            return []
        possible = [offer for offer in self.prompt.offers if not offer.refused]
        by_number = [offer for number, offer in enumerate(self.numbered, 1) if wanted == str(number)]
        by_text = [offer for offer in possible if wanted in map(fold_case, (offer.text, *offer.typed))]
        return by_number or by_text or [offer for offer in possible if matches_offer(offer, wanted)]


class LineScreen(Screen):
    """The screen that writes line by line."""

    def __init__(self, words: Words, settings: Settings, secret: bool = True) -> None:
        """``secret``: whether hands will be shown. If the terminal cannot erase them, the players are warned."""
        super().__init__(words, settings)
        self._secret = secret
        self._can_erase = has_control_codes()
        self._hide_after = 60.0 * settings.hide_after if settings.hide_after else None
        """Seconds without a line after which the screen is hidden; ``None``: never."""
        self._at_table = False
        """Whether a question about a match has been asked. From then on pictures are reduced to the news."""
        self._keys_explained = False
        self._warned = not (secret and self._can_erase and terminal.inside_tmux_or_screen())
        """Whether the warning about hands in the history of a smaller window has been printed or is needless."""
        self._out_of_view = True
        """Whether the question has been erased or was never printed."""
        self._interrupted_offers: list[Offer] | None = None
        """The offers of the last question if news interrupted it."""
        self._picture_in_view = ""
        """The picture that was printed last, with a question or a wait; empty once it has been erased."""
        self._said_picture = self._said_message = ""
        """The picture and message of the last wait at a table; empty after a choice, a hand-over and an absence."""
        self._has_prompt = False
        """Whether the prompt of an input line has been written, and nothing after it."""
        self._rows_used = 0
        """The number of rows written since the screen was last erased."""
        self._has_unread_page = False
        """Whether somebody may still be reading a page, as no line has been typed after it."""
        self._has_dropped_input = False
        """Whether input has been discarded without a notice."""
        self._is_notified = self._is_waiting = False
        """Whether another process has signalled news; whether a question or wait is open."""

    def __enter__(self) -> Self:
        """Catch signals. For hands, enter an alternate screen or, if hands cannot be erased, warn the players."""
        terminal.leave_screen()
        self._restore_signals = signals.catch(self.on_end, self.on_stop, self.on_continue, self._on_news)
        signals.stop_until_foreground()
        if self._secret and self._can_erase:
            self._write(terminal.ENTER)
            self._clear()
        elif self._secret:
            self.say(self._text("plain_warning"))
        return self

    def _close(self, has_failed: bool) -> None:
        signals.ignore()
        try:
            self._leave()
        finally:
            self._restore_signals()

    def _interrupt(self, result: BaseException | Key) -> None:
        """Raise ``result``, or for a key :class:`_Interruption`, in an open question. Signal handlers call this."""
        if self._is_waiting:
            raise _Interruption(AWAY) if isinstance(result, Key) else result

    def _on_news(self) -> None:
        self._is_notified = True

    @property
    def busy(self) -> bool:
        return self._is_waiting

    def _stop(self, has_stopped: bool) -> None:
        if not has_stopped:
            with signals.allow_terminal_changes():
                self._leave()
            signals.stop_here()
            signals.stop_until_foreground()
            if self._secret and self._can_erase:
                self._write(terminal.ENTER)

    def _leave(self) -> None:
        self.turn_notice.withdraw()
        self._clear()
        if self._secret and self._can_erase:
            self._write(terminal.LEAVE)

    def discard_typed(self) -> None:
        """Clear the screen, and discard input typed ahead."""
        self._hide()
        self._discard_input()

    # Questions

    def _choose(self, prompt: Prompt, hint: Future[Any] | None) -> Any:
        """Ask a question, or wait for a ``hint``. Discard input meant for offers that news has changed."""
        if hint is not None:
            self._answer({}, lambda: self._wait_for(hint, self._text("hint_thinking", first=False)))
            return Key.HINT
        self._at_table |= Key.RULES.value in prompt.keys
        earlier_offers, self._interrupted_offers = self._interrupted_offers, None
        has_changed = earlier_offers not in (None, [*prompt.offers])
        if has_changed:  # the typed line was meant for the offers before
            self._discard_input()
            prompt = prompt._replace(quiet=max(prompt.quiet, CHANGE_QUIET))
        return self._answer(prompt.keys, lambda: self._ask_once(prompt, has_changed))

    def _answer(self, keys: Mapping[str, Any], ask: Callable[[], Any]) -> Any:
        """Call ``ask`` until it returns, or until an interruption for which ``keys`` has an answer."""
        while True:
            try:
                return ask()
            except _Interruption as interruption:
                stays = interruption.key == AWAY and not self._handle_absence()
                if interruption.key in keys and not stays:
                    return keys[interruption.key]

    def _ask_once(self, prompt: Prompt, has_changed: bool) -> Any:
        # A hand-over, the only question with a ``quiet`` of its own, gets no picture.
        # The picture is drawn after it, when only the hand's owner listens.
        picture = "" if prompt.quiet and not has_changed else self._picture(prompt.draw)
        question = self._printed_question(prompt, picture)
        if not self._warned:
            question.all_lines.insert(0, self._text("plain_smaller"))
            self._warned = True
        self._wait_for_page_reader(self._unseen_lines(question), prompt.keys)
        self._report_dropped_input()
        self._say_new_question(question)
        answer = self._read_ticks(question, prompt.ticks.check) if prompt.ticks else self._read_choice(question)
        if Key.RULES.value in prompt.keys:
            self._said_picture = self._said_message = ""  # the same events again would be new ones
        return answer

    def _printed_question(self, prompt: Prompt, picture: str) -> _PrintedQuestion:
        """The question with the lines to print. The lines of the first question about a match also explain the keys."""
        lines = [prompt.question, self._text("plain_tick")] if prompt.ticks else [prompt.question]
        if Key.RULES.value in prompt.keys and (clocks := self.clocks()):
            times = tuple([self._text("plain_time_of", seat=seat, text=left) for seat, left in clocks.items()])
            lines.insert(0, self._text("plain_time", values=times))
        numbered = [offer for offer in prompt.offers if not (offer.refused or offer.unlisted)]
        lines += [_numbered(offer, numbered) for offer in numbered]
        lines += [f"{BACK_NUMBER}. {self._text('back')}"] if ESCAPE in prompt.keys else []
        all_lines = [picture, *lines] if picture else [*lines]
        if not self._at_table:
            all_lines += self._refused_lines(prompt.offers)
        elif not self._keys_explained and Key.RULES.value in prompt.keys:
            all_lines.append(self._keys_line(prompt.keys))
            self._keys_explained = True
        return _PrintedQuestion(prompt, numbered, picture, lines, all_lines)

    def _read_choice(self, question: _PrintedQuestion) -> Any:
        """Read lines until one chooses an offer, and return its value."""
        to_confirm: Offer | None = None  # the offer that has been chosen once
        while True:
            text = self._next_line(question, question.prompt.quiet)
            wanted = fold_case(text).strip()
            if not wanted and (to_confirm or len(question.numbered) == 1):
                return (to_confirm or question.numbered[0]).value
            matching = question.matches(wanted)
            if len(matching) == 1 and (not matching[0].confirm or matching[0] is to_confirm):
                return matching[0].value
            to_confirm = matching[0] if len(matching) == 1 else None
            if not wanted:
                self._say_again(question)
            elif to_confirm:
                self.say(to_confirm.confirm or "")
            elif matching:
                self.say("\n".join(_numbered(offer, question.numbered) for offer in matching))
            else:
                more = [self._text("plain_choices")] if len(question.numbered) > 1 else []
                self._say_lines([self._why_not(text, question.prompt.offers), *more])

    def _read_ticks(self, question: _PrintedQuestion, check: Callable[[list[Any]], str | None]) -> list[Any]:
        """Read lines until one names offers that may be ticked together, and return their values."""
        while True:
            words = fold_case(self._next_line(question)).split()
            found = {word: question.matches(word) for word in words}
            values = [*dict.fromkeys(offer.value for offers in found.values() for offer in offers)]
            unclear = next((word for word, offers in found.items() if len(offers) != 1), None)
            reason = check(values) if unclear is None else self._why_not(unclear, question.prompt.offers)
            if not reason:
                return values
            self.say(reason)

    def _next_line(self, question: _PrintedQuestion, quiet: float = 0.0) -> str:
        """Print the question if it is out of view, and read the next line that is not the table command."""
        prompt = question.prompt
        is_shut = bool(quiet)
        while True:
            if self._out_of_view:
                self._wait_for_page_reader(question.all_lines, prompt.keys)
                self._say_question(question.all_lines)
            try:
                text = self._read(quiet, NEWS in prompt.keys, is_shut=is_shut)
                self._interrupt_for_key(text, prompt.keys, prompt.draw)
                if not self._answer_table_command(text, prompt.draw, prompt.offers, question.question_lines):
                    return text
            except _Interruption as interruption:
                self._interrupted_offers = [*prompt.offers] if interruption.key == NEWS else None
                if interruption.key == NEWS and Key.RULES.value in prompt.keys:
                    self._said_picture = question.picture or self._said_picture
                raise
            except _EarlyInput:
                if self._can_erase:  # the number of typed rows is unknown
                    self._clear()
                self._report_dropped_input()
                self._out_of_view, is_shut = True, False

    def _interrupt_for_key(self, text: str, keys: Mapping[str, Any], draw: Drawing | None = None) -> None:
        """Raise :class:`_Interruption` if a typed line is one of the ``keys``. ``BACK_NUMBER`` counts as Escape."""
        key = plain_key(text).strip()
        if key == BACK_NUMBER:
            key = ESCAPE
        elif len(key) != 1:
            return
        if key in keys:
            if keys[key] is Key.HINT and self._picture_in_view and isinstance(draw, Picture):
                without_hint = draw._replace(hint=None)  # which may be printed again
                self._picture_in_view = self._picture(without_hint)
            raise _Interruption(key)

    def _why_not(self, text: str, offers: Sequence[Offer]) -> str:
        """The reason why an input chooses nothing: a refused offer, no match, or an empty input."""
        wanted = fold_case(text).strip()
        if refused := next((offer for offer in offers if offer.refused and matches_offer(offer, wanted)), None):
            return f"{refused.text}: {refused.refused}"
        return why_unread(self._words, text) or self._text("plain_nothing" if text else "plain_expected", typed=text)

    def _say_again(self, question: _PrintedQuestion) -> None:
        """Repeat the question and say how to answer. If the screen has to be erased first, print the picture, too."""
        expected = [self._text("plain_expected")]
        expected += [self._keys_line(question.prompt.keys)] if Key.RULES.value in question.prompt.keys else []
        lines = question.question_lines
        if self._overflows("\n".join([*lines, *expected])):
            self._clear()
            lines = question.all_lines
        self._say_question([*lines, *expected])

    def _say_new_question(self, question: _PrintedQuestion) -> None:
        """Print a new question without the part of its picture that is still in view."""
        lines, picture = self._unseen_lines(question), question.picture
        if lines != question.all_lines and self._overflows("\n".join(lines)):
            self._clear()  # which also removes the part of the picture in view
            lines = question.all_lines
            if self._said_picture and picture:  # a wait has said the rest
                lines = ["\n".join(_new_lines(self._said_picture, picture) or picture.split("\n")[-1:]), *lines[1:]]
        before = self._picture_in_view
        is_in_view = self._at_table and _ends_with_lines(before, picture)
        self._say_question(lines)
        self._picture_in_view = before if is_in_view else picture  # ``before`` may be longer

    def _unseen_lines(self, question: _PrintedQuestion) -> Sequence[str]:
        """The lines of a question without the part of its picture that is still in view, or that a wait has said."""
        picture = question.picture
        in_view = (self._said_picture or self._picture_in_view) if self._at_table else ""
        if picture and _ends_with_lines(in_view, picture):
            return question.all_lines[1:]  # all but the picture
        if in_view and picture:
            return ["\n".join(_new_lines(in_view, picture)), *question.all_lines[1:]]
        return question.all_lines

    def _report_dropped_input(self) -> None:
        if self._has_dropped_input:
            self._has_dropped_input = False
            self.say(self._text("plain_too_early"))

    def ask(self, draw: Drawing, question: str, default: str, check: Check, while_typing: bool = False) -> str | None:
        """Ask for a text and return it. An empty line means ``default``; a lone ``-`` returns ``None`` to go back."""

        def read() -> str | None:
            if picture := self._picture(draw):
                self.say(picture)
            while True:
                self.say(self._text("plain_default" if default else "plain_field", text=question, value=default))
                text = self._read().strip() or default
                if text == BACK_SIGN:
                    return None
                if not (why := check(text)):
                    return text
                self.say(why)

        answer: str | None = self._answer({}, read)
        return answer

    def _keys_line(self, keys: Mapping[str, Any]) -> str:
        rules, *others = self._named({key: answer for key, answer in keys.items() if key != ESCAPE})
        return self._text("comma").join([rules, self._text("plain_w"), *others])

    # Pages

    def show(self, page: Page, start: str = "", latest: bool = False, keys: str = "page_keys") -> bool:
        """Print the clause under the heading ``start``, and the whole page on request, or if there is no ``start``."""
        lines = page.said(self._size().columns)
        if clause := _clause(lines, start):
            self.say("\n".join(clause))
            whole = Offer(True, self._text("plain_whole"))
            if not self.choose(Page(""), self._text("plain_more"), [whole], {ESCAPE: False}):
                return False
        self._answer({}, lambda: self._say_page([*map(plain_text, lines)]))
        return False

    def _say_page(self, lines: Sequence[str]) -> None:
        """Print lines page by page, and read a line after each page: ``0`` or ``q`` ends, any other goes on."""
        if self._overflows("\n".join(lines), PAGE_FOOT):
            self._clear()
        for line in lines:
            if self._overflows(line, PAGE_FOOT):
                self.say(self._text("plain_go_on"))
                if self._read_word() in (BACK_NUMBER, Key.LEAVE.value):
                    return
                self._clear()
            self.say(line)
        self._has_unread_page = True

    def _wait_for_page_reader(self, lines: Sequence[str], keys: Mapping[str, Any]) -> None:
        """Let an unread page be read before printing ``lines``. A key except Escape is an :class:`_Interruption`."""
        if self._has_unread_page and self._overflows("\n".join(lines)):
            self.say(self._text("plain_page_read"))
            self._interrupt_for_key(self._read(), {key: answer for key, answer in keys.items() if key != ESCAPE})

    def step(
        self, draw: Callable[[int], Picture], last: int, stops: Sequence[int], first: int = 0, keys: str = "step_keys"
    ) -> None:
        """Print one picture at a time: the next, with ``b`` the previous one, or that of a number; ``q`` ends."""
        place = first

        def read() -> None:
            nonlocal place
            while True:
                picture = self._picture(draw(place), whole=True)
                self.say(f"{picture}\n{self._text('plain_step_keys')}")  # a later call might clear the picture
                word = self._read_word()
                if word == "q":
                    return
                wanted = int(word) if word.isdecimal() else place - 1 if word == "b" else place + 1
                place = max(0, min(wanted, last))

        self._answer({}, read)

    # Waiting

    def pause(self, draw: Picture, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Do nothing: this screen has no pauses, as events are printed with the next question."""

    def wait(self, draw: Picture, message: str, done: Future[Any] | None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Wait as :meth:`Screen.wait` says, but print the picture, and read lines as keys, only at a shared table."""
        if self.has_news is not None and NEWS in keys:
            return self._answer(keys, lambda: self._wait_at_table(draw, message, done, keys))
        return self._answer(keys, lambda: self._wait_for(done))

    def _wait_for(self, done: Future[Any] | None, notice: str = "") -> None:
        """Wait until ``done``, if any, is complete, without reading input. Say the ``notice`` if this takes time."""
        self._is_waiting, notice_time = True, monotonic() + HINT_PATIENCE
        try:
            self._raise_pending()
            while done is not None and not done.done():
                sleep(NEWS_EVERY)  # a lock would break when two signals come at once
                self._raise_pending()
                if notice and monotonic() > notice_time:
                    self.say(notice)
                    notice = ""
        finally:
            self._is_waiting = False

    def _wait_at_table(self, draw: Picture, message: str, done: Future[Any] | None, keys: Mapping[str, Any]) -> None:
        """Print picture and message, and wait until ``done`` is complete. Typed lines may be keys or ``w``."""
        self._at_table = True
        picture = self._picture(draw)
        said = self._said_picture.split("\n")
        first_lines = [line for line in _new_lines(self._said_picture, picture) if line and line != said[-1]]
        first_lines += [message] if message != self._said_message else []
        self._wait_for_page_reader(first_lines, keys)
        self._said_picture, self._said_message, self._picture_in_view = picture, message, picture
        if first_lines:
            self._say_lines(["\n".join(first_lines)])
        while True:
            try:
                text = self._read(listens=True, done=done)
            except _Interruption as interruption:
                if interruption.key == NEWS and done is not None and done.done():
                    return
                raise
            self._interrupt_for_key(text, keys)
            if not self._answer_table_command(text, draw):
                self._say_lines([*filter(None, [why_unread(self._words, text)]), message, self._keys_line(keys)])

    # The table in words

    def _picture(self, draw: Drawing, whole: bool = False) -> str:
        """A picture as text. Once a question about a match has been asked, a picture of the table has only the news."""
        return draw.text(self._size().columns, only_new=self._at_table and not whole).strip("\n")

    def _answer_table_command(
        self, text: str, draw: Drawing, offers: Sequence[Offer] = (), question_lines: Sequence[str] = ()
    ) -> bool:
        """Print the table, question and refused offers if ``text`` is the table command. Return whether it is."""
        if not self._at_table or fold_case(text).strip() != TABLE_COMMAND:
            return False
        table, refused = self._picture(draw, whole=True), self._refused_lines(offers)
        if self._overflows("\n".join([table, *question_lines, *refused]), empty=True):
            self._say_page([*table.split("\n"), *refused])
            self._out_of_view = True
        else:
            self._say_question([table, *question_lines, *refused])
        return True

    def _refused_lines(self, offers: Sequence[Offer]) -> list[str]:
        return [f"- {self._words.refusal(offer.text, offer.refused)}" for offer in offers if offer.refused]

    # Reading

    @staticmethod
    def _size() -> os.terminal_size:
        """The window's size, but at least 40 columns and 5 rows; 80 columns and 24 rows if there is no window."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(sys.stdout.fileno())
            return os.terminal_size((max(40, columns), max(5, rows)))
        return os.terminal_size((80, 24))

    def _read(
        self, quiet: float = 0.0, listens: bool = False, done: Future[Any] | None = None, is_shut: bool = False
    ) -> str:
        """Read the next line. If ``quiet`` is not 0, a line counts only if no further line follows at once.

        If ``is_shut``, input in the first ``quiet`` seconds, and until ``KEY_GAP`` seconds without any, is discarded
        and causes :class:`_EarlyInput`. Raises ``EOFError``, and :class:`_Interruption` if the process was stopped,
        the player is away, ``done`` is complete or, with ``listens``, there is news."""
        if not self._has_prompt:
            self._write_prompt()
        self._is_waiting = True
        try:
            with signals.wakeup_pipe() as signal:
                self._raise_pending()
                end = monotonic() + quiet
                while is_shut and self._await_input(signal, max(min(quiet, KEY_GAP), end - monotonic())):
                    self._discard_input()
                if is_shut and self._has_dropped_input:
                    raise _EarlyInput
                line = self._next_line_of_input(signal, listens, done)
                while quiet and line and self._await_input(signal, REPEAT_GAP):
                    self._discard_input()
                    line = self._next_line_of_input(signal, listens, done)
        except OSError:
            line = ""
        finally:
            self._is_waiting = False
        if not line:
            raise EOFError
        self._rows_used += 1
        self._has_unread_page = self._has_prompt = False
        return typed_text(line)

    def _read_word(self) -> str:
        while why := why_unread(self._words, text := self._read().strip()):
            self.say(why)
        return fold_case(text)

    def _raise_pending(self) -> None:
        """Raise an exception for a signal. Python discards those that its handler raised in a finalizer."""
        if self._ending:
            raise self._ending
        if self._stopping or self._continued:
            raise _Interruption(AWAY)

    def _next_line_of_input(self, signal: int, listens: bool, done: Future[Any] | None) -> str:
        """Wait for a line and return it, and print background news meanwhile. Raises as :meth:`_read`."""
        end = None if self._hide_after is None else monotonic() + self._hide_after
        every = self.news_every if self.has_news else self._hide_after
        while not self._await_input(signal, every, until_notified=self.has_news is not None):
            is_news = bool(self.has_news and self.has_news())
            if (is_news and listens) or (done is not None and done.done()):
                raise _Interruption(NEWS)
            if is_news and self.background_news and (message := self.background_news()):
                self.say(message)
                self._write_prompt()
            if end is not None and monotonic() >= end:
                raise _Interruption(AWAY)
        return LINES.read()

    def _await_input(self, signal: int, seconds: float | None = None, until_notified: bool = False) -> bool:
        """Wait at most ``seconds`` for input or, if ``until_notified``, news; return whether there is input."""
        end = None if seconds is None else monotonic() + seconds
        while True:
            seconds_left = None if end is None else max(0.0, end - monotonic())
            found = LINES.wait(signal, seconds_left)
            if found == "line":
                return True
            if until_notified and self._is_notified:
                self._is_notified = False
                return False
            if found is None:
                return False
            self._raise_pending()

    def _discard_input(self) -> None:
        """Discard typed input. If there was any, the next question reports the loss."""
        self._has_dropped_input |= LINES.discard()

    # Writing

    def _hide(self) -> None:
        self._clear()
        self._said_picture = self._said_message = ""

    def _clear(self) -> None:
        """Erase a screen with hands, row by row so that no hand enters the history. If it cannot be erased, scroll."""
        self._picture_in_view = ""
        self._has_unread_page = self._has_prompt = False
        if not self._secret:
            return
        rows = self._size().lines
        if self._can_erase:
            self._write(terminal.erasing(rows))
        else:
            self._write("\n" * 2 * max(rows, 30))  # the size may be a guess
        self._rows_used = 0
        self._out_of_view = True

    def say(self, notice: str) -> None:
        """Write a text. First erase the screen if there is no room for the text and an input line."""
        if self._overflows(notice):
            self._clear()
        self._rows_used += self._rows_of(notice)
        self._write(notice + "\n")
        self._has_prompt = False

    def _say_question(self, lines: Sequence[str]) -> None:
        self._say_lines(lines)
        self._out_of_view = False

    def _say_lines(self, lines: Sequence[str]) -> None:
        """Write lines: together if the window has room for all, so that none is erased for another; else singly."""
        text = "\n".join(lines)
        for piece in [text] if self._rows_of(text) + 1 < self._size().lines else lines:  # 1: the input line
            self.say(piece)

    def _overflows(self, text: str, foot: int = 1, empty: bool = False) -> bool:
        """Whether a text and ``foot`` rows of input need more rows than are left or, if ``empty``, than there are."""
        used = 0 if empty else self._rows_used
        if not (self._secret and self._can_erase and (used or empty)):
            return False
        return used + self._rows_of(text) + foot >= self._size().lines

    def _rows_of(self, text: str) -> int:
        columns = self._size().columns
        return sum([1 + max(0, cell_len(line) - 1) // columns for line in text.translate(self._glyphs).split("\n")])

    def _write_prompt(self) -> None:
        self._write("> ")
        self._has_prompt = True

    def _write(self, text: str) -> None:
        with suppress(OSError):  # whoever reads from a closed terminal gets the error
            sys.stdout.write(text.translate(self._glyphs))
            sys.stdout.flush()


def _numbered(offer: Offer, choices: Sequence[Offer]) -> str:
    note = f" ({offer.note})" if offer.note else ""
    return f"{choices.index(offer) + 1}. {offer.text}{note}" if offer in choices else offer.text


def _ends_with_lines(text: str, lines: str) -> bool:
    return f"\n{text}".endswith(f"\n{lines}")


def _new_lines(before: str, now: str) -> list[str]:
    """The lines of the picture ``now`` after those that an earlier picture had, too.

    If the earlier picture has more lines than these and a hand, it is about something else: all lines are new."""
    earlier, lines = before.split("\n"), now.split("\n")
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(earlier, lines, strict=False))])
    return lines[same:] if len(earlier) - same <= 1 else lines


def _clause(lines: Sequence[Line], name: str) -> Sequence[str]:
    """The lines of a page under the heading that begins with the word ``name``; empty without such a heading.

    Of a page for speech, only headings have a style."""
    heads = [(place, plain_text(line).split()) for place, line in enumerate(lines) if not isinstance(line, str)]
    ends = [*[place for place, _ in heads[1:]], len(lines)]
    for (start, words), end in zip(heads, ends, strict=False):  # a page without headings has one end more
        if words[:1] == [name]:
            return [text for line in lines[start:end] if (text := plain_text(line)).strip()]
    return ()
