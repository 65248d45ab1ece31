"""The table line by line, for speech and braille: no redrawing, no boxes, no cursor movement.

A turn says the news and the choices; ``w`` asks for the whole table. A hand-over erases row by row, and so does a
picture that would push a hand into the terminal's history. The history before the match is left alone. Where a
terminal cannot erase, the players are warned before the first card."""

import os
import re
import sys
import termios
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from select import select
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Self

from rich.cells import cell_len

from cardgames.ui.messages import Words, folded
from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.key_guard import CHANGE_QUIET, REPEAT_GAP
from cardgames.ui.screens.multiplexer import inside_tmux_or_screen
from cardgames.ui.screens.offers import (
    ALL_ROWS,
    ESCAPE,
    KEYS,
    NEWS,
    ONLY_NEW,
    Check,
    Draw,
    Key,
    Offer,
    Picture,
    Prompt,
    Ticks,
    fits,
    refusal,
)
from cardgames.ui.screens.screen import NEWS_EVERY, Screen
from cardgames.ui.screens.signals import can_stop, catch, ignore, in_background, stop_here, wakeup_pipe
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.ui.screens.stepper import Pictures

ENTER_ALTERNATE, LEAVE_ALTERNATE = "\x1b[?1049h", "\x1b[?1049l"
STYLES = re.compile("\x1b\\[[0-9;]*m")
"""The codes of styles, which are removed here."""
HEADING = re.compile("\x1b\\[[0-9;]+m([^\x1b]+)\x1b\\[0m *")
"""The heading of a rules page: a line in one style."""
ESCAPES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|O.)?")
"""The codes of arrows and other special keys."""
ZERO = "0"
"""The choice that leads back from a numbered list."""
TABLE = "w"
"""The command that says the whole table."""
AT_ONCE = 0.3
"""Seconds to wait for a hint before the wait is announced."""
PAGE_FOOT = 2
"""Rows under a page, for the instruction and the typed line."""
DASH = "-"
"""The input that leads back from a text field, where 0 may be a number."""


class _Event(Exception):
    """Something other than a line ended a question: a stop, news, or no input for so long that somebody else may be
    looking."""

    def __init__(self, key: Key) -> None:
        super().__init__(key)
        self.key = key


class _Answered(Exception):
    """The typed line is a key that has an answer."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class _TooEarly(Exception):
    """Input came before the question could be heard, and was discarded."""


class _Question:
    """A question with its lines."""

    def __init__(self, prompt: Prompt, picture: str, asked: Sequence[str]) -> None:
        """``picture``, which may be empty, is the text about the table that comes before the lines ``asked``."""
        self.draw = prompt.draw
        self.offers = prompt.offers
        self.keys = prompt.keys
        self.picture = picture
        self.listed = [offer for offer in prompt.offers if not (offer.refused or offer.unlisted)]
        """The offers that are numbered."""
        self.asked = [*asked, *[_numbered(offer, self.listed) for offer in self.listed]]
        """The lines of the question and its choices."""
        self.whole = [picture, *self.asked] if picture else [*self.asked]
        """The lines of picture, question and choices, as said first."""

    def found(self, wanted: str) -> list[Offer]:
        """The offers that an input may mean: by number, full text or beginning."""
        if not wanted:  # an offer without a second word would match an empty input
            return []
        possible = [offer for offer in self.offers if not offer.refused]
        numbered = [offer for number, offer in enumerate(self.listed, 1) if wanted == str(number)]
        called = [offer for offer in possible if wanted in map(folded, (offer.text, *offer.typed))]
        return numbered or called or [offer for offer in possible if fits(offer, wanted)]


class LineScreen(Screen):
    """The screen that writes line by line."""

    def __init__(self, words: Words, settings: Settings, keys: str = "keys", secret: bool = True) -> None:
        """``secret``: hands are shown, and have to be cleared, or the players warned where that is impossible."""
        super().__init__(words, settings, keys)
        self._secret = secret
        self._clears = os.environ.get("TERM") not in (None, "", "dumb", "unknown")
        self._hide_after = 60.0 * settings.hide_after or None
        """Seconds without a line after which the screen is hidden."""
        self._at_table = False
        """Whether the table has been asked about: from then on pictures say what is new."""
        self._keys_said = False
        self._warned = not (secret and self._clears and inside_tmux_or_screen())
        """Whether the warning that a smaller window might keep a hand was said or is needless."""
        self._out_of_view = True
        """Whether the question has gone out of view."""
        self._offered: list[Offer] | None = None
        """The offers of the last question, if news ended it."""
        self._said_picture = ""
        """The picture that was said with the last question, as long as it is in view."""
        self._rows_used = 0
        """The number of rows written since the screen was erased."""
        self._page_stands = False
        """Whether somebody may be reading a page that stands there: no line was typed after it."""
        self._dropped = False
        """Whether a line was thrown away that nobody has been told about."""
        self._rung = self._reading = False

    def __enter__(self) -> Self:
        kept_screen.leave()
        self._restore_signals = catch(self._on_end, self._on_stop, self._on_continue, self._ring)
        if self._secret and self._clears:
            self._write(ENTER_ALTERNATE)
            self._clear()
        elif self._secret:
            self._say(self._text("plain_warning"))
        return self

    def _close(self, in_order: bool) -> None:
        ignore()
        try:
            self._leave()
        finally:
            self._restore_signals()

    def _interrupt(self, how: BaseException | Key) -> None:
        if self._reading:
            raise _Event(Key.SUSPEND) if isinstance(how, Key) else how

    def _ring(self) -> None:
        self._rung = True

    @property
    def busy(self) -> bool:
        return self._reading

    def suspend(self) -> None:
        if not (can_stop() or self._continued):
            self._stopping = False
            return
        if not self._continued:
            with in_background():
                self._leave()
            stop_here()
            if self._secret and self._clears:
                self._write(ENTER_ALTERNATE)
        self._stopping = self._continued = False
        self._clear()
        self.on_away()

    def _leave(self) -> None:
        """Clear the alternate screen and return to the main one."""
        self.turn_notice.take_back()
        self._clear()
        if self._secret and self._clears:
            self._write(LEAVE_ALTERNATE)

    def discard_typed(self) -> None:
        self._clear()
        self._discard_input()

    def say(self, notice: str) -> None:
        self._say(notice)

    # Questions

    def _choose(self, prompt: Prompt, hint: "Future[Any] | None") -> Any:
        if hint is not None:
            return self._wait_for_hint(hint)
        self._at_table |= Key.RULES.value in prompt.keys
        before, self._offered = self._offered, None
        if changed := before not in (None, [*prompt.offers]):  # the typed line was meant for the offers before
            self._discard_input()
            prompt = prompt._replace(quiet=max(prompt.quiet, CHANGE_QUIET))
        return self._answer(prompt.keys, lambda: self._ask_anew(prompt, changed))

    def _answer(self, keys: Mapping[str, Any], ask: Callable[[], Any]) -> Any:
        """The answer that ``ask`` returns, or that of a key or event that interrupts it. If ``keys`` has none for an
        event, ask again."""
        while True:
            try:
                return ask()
            except _Answered as answered:
                return answered.value
            except _Event as event:
                if event.key is Key.AWAY:
                    self._clear()
                    self.on_away()
                if event.key.value in keys:
                    return keys[event.key.value]
                if event.key is Key.SUSPEND:
                    self.suspend()

    def _ask_anew(self, prompt: Prompt, changed: bool) -> Any:
        """Say a question and read its answer; ``changed`` if news have changed its offers."""
        # The picture is drawn now, after the hand-over, when only its owner listens.
        picture = "" if prompt.quiet and not changed else self._picture(prompt.draw)
        question = self._question(prompt, picture)
        if not self._warned:
            question.whole.insert(0, self._text("plain_smaller"))
            self._warned = True
        self._after_page(self._new_lines(question), prompt.keys)
        self._report_dropped_input()
        self._say_first(question)
        return self._read_ticks(question, prompt.ticks) if prompt.ticks else self._read_choice(question, prompt.quiet)

    def _question(self, prompt: Prompt, picture: str) -> _Question:
        """The question with its lines. The first one at a table explains the table's keys."""
        question = _Question(prompt, picture, [prompt.question, *([self._text("plain_tick")] if prompt.ticks else [])])
        if ESCAPE in prompt.keys:
            for lines in (question.asked, question.whole):
                lines.append(f"{ZERO}. {self._text('back')}")
        if not self._at_table:
            question.whole += self._refused(prompt.offers)
        elif not self._keys_said and Key.RULES.value in prompt.keys:
            question.whole.append(self._text("plain_" + self._keys))
            self._keys_said = True
        return question

    def _read_choice(self, question: _Question, quiet: float) -> Any:
        """Read lines until one chooses an offer. Return its value."""
        sure: Offer | None = None
        """The offer that has been chosen once and is to be confirmed."""
        while True:
            text = self._next_line(question, quiet)
            wanted = folded(text).strip()
            if not wanted and (sure or len(question.listed) == 1):
                return (sure or question.listed[0]).value
            found = question.found(wanted)
            if len(found) == 1 and (not found[0].confirm or found[0] is sure):
                return found[0].value
            sure = found[0] if len(found) == 1 else None
            if wanted:
                self._say_together(self._reply(text, found, question))
            else:
                self._say_again(question)

    def _read_ticks(self, question: _Question, ticks: Ticks) -> list[Any]:
        """Read lines until one names offers, separated by blanks, that are valid together. Return their values."""
        while True:
            values: list[Any] = []
            for word in folded(self._next_line(question)).split():
                found = question.found(word)
                if len(found) != 1:
                    self._say(self._why_not(word, word, question.offers))
                    break
                values += [found[0].value] if found[0].value not in values else []
            else:
                if not (why := ticks.check(values)):
                    return values
                self._say(why)

    def _next_line(self, question: _Question, quiet: float = 0.0) -> str:
        """The next line that is neither a key, which is raised, nor a command, which is carried out."""
        while True:
            if self._out_of_view:
                self._after_page(question.whole, question.keys)
                self._say_whole(question.whole)
            try:
                text = self._read(quiet, NEWS in question.keys)
                self._take_key(text, question.keys, question.draw)
                if not self._asks_for_the_table(text, question.draw, question.offers, question.asked):
                    return text
            except _Event as event:
                self._offered = [*question.offers] if event.key is Key.NEWS else None
                raise
            except _TooEarly:
                if self._clears:  # the number of typed rows is unknown
                    self._clear()
                self._report_dropped_input()
                self._out_of_view = True

    def _take_key(self, text: str, keys: Mapping[str, Any], draw: Draw | None = None) -> None:
        """Raise :class:`_Answered` if a typed line is a key, or the number that leads back."""
        key = unicodedata.normalize("NFKC", text).strip()
        key = ESCAPE if key == ZERO else key if len(key) == 1 else ""
        if key in keys:
            if keys[key] is Key.HINT and self._said_picture and isinstance(draw, Picture):
                self._said_picture = self._picture(Picture(draw.paint, draw.panel))  # the hint is to be said again
            raise _Answered(keys[key])

    def _reply(self, text: str, found: Sequence[Offer], question: _Question) -> list[str]:
        """The lines said after an input that chooses nothing: a request to confirm, the offers it may mean, or the
        reason why it fails."""
        if len(found) == 1:
            return [found[0].confirm or ""]
        if found:
            return ["\n".join(_numbered(offer, question.listed) for offer in found)]
        more = [self._text("plain_choices")] if len(question.listed) > 1 else []
        return [self._why_not(text, folded(text).strip(), question.offers), *more]

    def _why_not(self, text: str, wanted: str, offers: Sequence[Offer]) -> str:
        """The reply to an input that matches nothing that can be chosen."""
        if refused := next((offer for offer in offers if offer.refused and fits(offer, wanted)), None):
            return f"{refused.text}: {refused.refused}"
        typed = "".join(filter(str.isprintable, ESCAPES.sub("", text)))
        return self._text("plain_nothing", typed=typed) if typed else self._text("plain_expected")

    def _say_again(self, question: _Question) -> None:
        """Say the question and how to answer again, with the picture if that has to be erased."""
        expected = [self._text("plain_expected")]
        expected += [self._text("plain_" + self._keys)] if Key.RULES.value in question.keys else []
        message = question.asked
        if self._overflows("\n".join([*message, *expected])):
            self._erase()
            message = question.whole
        self._say_whole([*message, *expected])

    def _say_first(self, question: _Question) -> None:
        """Say a new question without the part of its picture that was said before and is still in view."""
        lines, picture = self._new_lines(question), question.picture
        if lines != question.whole and self._overflows("\n".join(lines)):
            self._erase()  # which also removes the part said before
            lines = question.whole
        heard = self._said_picture if self._at_table and f"\n{self._said_picture}".endswith(f"\n{picture}") else picture
        self._say_whole(lines)
        self._said_picture = heard

    def _new_lines(self, question: _Question) -> Sequence[str]:
        """The lines of a question without the part of its picture that was said before and is still in view."""
        heard, picture = self._said_picture if self._at_table else "", question.picture
        if picture and f"\n{heard}".endswith(f"\n{picture}"):
            return question.whole[1:]
        if heard and picture.startswith(f"{heard}\n"):
            return [picture[len(heard) + 1 :], *question.whole[1:]]
        return question.whole

    def _report_dropped_input(self) -> None:
        if self._dropped:
            self._dropped = False
            self._say(self._text("plain_too_early"))

    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        """Ask for a text and return it. An empty line means ``default``; a lone ``-`` goes back, with ``None``."""

        def read() -> str | None:
            if picture := self._picture(draw):
                self._say(picture)
            while True:
                self._say(self._text("plain_default" if default else "plain_field", text=question, value=default))
                text = self._read().strip() or default
                if text == DASH:
                    return None
                if not (why := check(text)):
                    return text
                self._say(why)

        answer: str | None = self._answer({}, read)
        return answer

    # Pages

    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        """Show a text: the clause ``start`` and on request the whole, or the whole at once.

        ``latest`` has no effect, as events are said when they happen."""
        lines = draw(self._columns(), ALL_ROWS).splitlines() or [""]
        if clause := _clause(lines, start):
            self._say("\n".join(clause))
            whole = Offer(True, self._text("plain_whole"))
            if not self.choose(lambda width, rows: "", self._text("plain_more"), [whole], {ESCAPE: False}):
                return False
        self._answer({}, lambda: self._say_page(lines))
        return False

    def _say_page(self, lines: Sequence[str]) -> None:
        """Say a long text page by page. Raises the exceptions of :meth:`_read`."""
        if self._overflows("\n".join(lines), PAGE_FOOT):
            self._erase()
        for line in lines:
            if self._overflows(line, PAGE_FOOT):
                self._say(self._text("plain_go_on"))
                if folded(self._read()).strip() in (ZERO, Key.LEAVE.value):
                    return
                self._erase()
            self._say(line)
        self._page_stands = True

    def _after_page(self, lines: Sequence[str], keys: Mapping[str, Any]) -> None:
        """Keep a page on screen until it has been read, if there is no room for ``lines`` below it."""
        if self._page_stands and self._overflows("\n".join(lines)):
            self._say(self._text("plain_page_read"))
            self._take_key(self._read(), {key: answer for key, answer in keys.items() if key != ESCAPE})

    def step(self, pictures: "Pictures", foot: str) -> None:
        """Show ``pictures`` one at a time: an empty line leads to the next, a number to that picture."""
        place = pictures.first

        def read() -> None:
            nonlocal place
            while True:
                picture = pictures.draw(place)(self._columns(), ALL_ROWS).strip("\n")
                self._say(f"{picture}\n{self._text('plain_step_keys')}")  # a later call might clear the picture
                word = folded(self._read()).strip()
                if word == "q":
                    return
                place = pictures.near(int(word) if word.isdecimal() else place - 1 if word == "b" else place + 1)

        self._answer({}, read)

    # Waiting

    def pause(self, draw: Draw, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Do nothing: this screen has no pause, and events are said with the next question."""

    def wait(self, draw: Draw, message: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Wait silently without keys; at a shared table say news, and take keys as lines."""
        listens = self.news is not None and NEWS in keys
        return self._answer(
            keys, lambda: self._wait_for_news(draw, message, done, keys) if listens else self._wait_for(done)
        )

    def _wait_for(self, done: "Future[Any] | None") -> None:
        self._reading = True
        try:
            self._raise_pending()
            while done is not None and not done.done():
                sleep(NEWS_EVERY)  # a lock would break when two signals come at once
        finally:
            self._reading = False

    def _wait_for_news(self, draw: Draw, message: str, done: "Future[Any] | None", keys: Mapping[str, Any]) -> None:
        """Say the picture and wait for ``done`` or news; a typed line may be a key or ask for the table."""
        self._at_table = True
        new = [line for line in (self._picture(draw), message) if line]
        self._after_page(new, keys)
        self._say_together(new)
        while True:
            try:
                text = self._read(listens=True, done=done)
            except _Event as event:
                if event.key is Key.NEWS and done is not None and done.done():
                    return
                raise
            self._take_key(text, keys)
            if not self._asks_for_the_table(text, draw):
                self._say_together([message, self._text("plain_" + self._keys)])

    def _wait_for_hint(self, hint: "Future[Any]") -> Key:
        """Wait for a hint, and announce the wait if it takes time. Lines typed meanwhile answer the next question."""
        soon = monotonic() + AT_ONCE
        while not hint.done() and monotonic() < soon:
            sleep(NEWS_EVERY)
        if not hint.done():
            self._say(self._text("hint_thinking"))
        self._answer({}, lambda: self._wait_for(hint))
        return Key.HINT

    # The table in words

    def _picture(self, draw: Draw) -> str:
        return draw(self._columns(), ONLY_NEW if self._at_table else ALL_ROWS).strip("\n")

    def _asks_for_the_table(
        self, text: str, draw: Draw, offers: Sequence[Offer] = (), asked: Sequence[str] = ()
    ) -> bool:
        """Answer the command for the whole table; return whether ``text`` is that command.

        The table is followed by the lines ``asked`` and the refused offers with their reasons."""
        if not self._at_table or folded(text).strip() != TABLE:
            return False
        table, refused = draw(self._columns(), ALL_ROWS).strip("\n"), self._refused(offers)
        if self._overflows("\n".join([table, *asked, *refused]), whole=True):
            self._say_page([*table.split("\n"), *refused])
            self._out_of_view = True
        else:
            self._say_whole([table, *asked, *refused])
        return True

    def _refused(self, offers: Sequence[Offer]) -> list[str]:
        return [
            self._text("plain_refused", text=refusal(self._words, offer.text, offer.refused))
            for offer in offers
            if offer.refused
        ]

    # Reading

    def _columns(self) -> int:
        with suppress(OSError):
            return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
        return 80

    def _rows(self) -> int:
        with suppress(OSError):
            return max(5, os.get_terminal_size(sys.stdout.fileno()).lines)
        return 24

    def _read(self, quiet: float = 0.0, listens: bool = False, done: "Future[Any] | None" = None) -> str:
        """The next typed line. With ``quiet`` it counts only after that many seconds without input, and only if it is
        alone.

        Raises the exception of a signal that ends this process, :class:`_Event`, and with ``quiet``
        :class:`_TooEarly`. Only if it ``listens`` the event may be news, also when ``done`` is."""
        self._write(self._text("plain_prompt"))
        self._reading = True
        try:
            with wakeup_pipe() as signal:
                self._raise_pending()
                while True:
                    while quiet and self._await_input(signal, quiet):
                        self._discard_input()
                    if quiet and self._dropped:
                        raise _TooEarly
                    if self.news:
                        self._await_line(signal, self.news, done, listens)
                    elif not self._await_input(signal, self._hide_after):
                        raise _Event(Key.AWAY)
                    line = sys.stdin.readline()
                    if not (quiet and line and self._await_input(signal, REPEAT_GAP)):
                        break
                    self._discard_input()
        except OSError:
            line = ""
        finally:
            self._reading = False
        if not line:
            raise EOFError
        self._rows_used += 1
        self._page_stands = False
        return line.rstrip("\n")

    def _raise_pending(self) -> None:
        """Raise the exception of a signal, or of a stop, that came between two questions."""
        if self._ending:
            raise self._ending
        if self._stopping or self._continued:
            raise _Event(Key.SUSPEND)

    def _await_line(self, signal: int, news: Callable[[], bool], done: "Future[Any] | None", listens: bool) -> None:
        """Wait for a line. Raises :class:`_Event` after ``hide_after`` minutes, and for news if it ``listens``."""
        end = None if self._hide_after is None else monotonic() + self._hide_after
        while not self._await_input(signal, self.news_every, rung=True):
            came = news()
            if (came and listens) or (done is not None and done.done()):
                raise _Event(Key.NEWS)
            if came and self.background_news and (message := self.background_news()):
                self._say(message)
                self._write(self._text("plain_prompt"))
            if end is not None and monotonic() > end:
                raise _Event(Key.AWAY)

    def _await_input(self, signal: int, seconds: float | None = None, rung: bool = False) -> bool:
        """Wait at most ``seconds`` for input, handling signals; return whether any came.

        With ``rung`` a notification from another process ends the wait."""
        end = None if seconds is None else monotonic() + seconds
        while True:
            left = None if end is None else max(0.0, end - monotonic())
            ready, _, _ = select([sys.stdin, signal], [], [], left)
            if sys.stdin in ready:
                return True
            if rung and self._rung:
                self._rung = False
                return False
            if signal in ready:
                os.read(signal, 1)
            elif not ready:
                return False

    def _discard_input(self) -> None:
        """Discard typed input, to be reported with the next question."""
        with suppress(OSError, termios.error):
            waiting, _, _ = select([sys.stdin], [], [], 0)
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
            self._dropped |= bool(waiting)

    # Writing

    def _clear(self) -> None:
        """Clear the screen without pushing it into the history, if the terminal can do so."""
        self._said_picture = ""
        self._page_stands = False
        if not self._secret:
            return
        rows = self._rows()
        if self._clears:
            self._write("".join(f"\x1b[{row};1H\x1b[2K" for row in range(1, rows + 1)) + "\x1b[H")
        else:
            self._write("\n" * 2 * max(rows, 30))
        self._rows_used = 0

    def _say(self, text: str) -> None:
        """Write a text, after erasing the screen if the text and an input line do not fit below."""
        shown = self._shown(text)
        if self._overflows(shown):
            self._erase()
        self._rows_used += self._rows_of(shown)
        self._write(shown + "\n")

    def _say_whole(self, question: Sequence[str]) -> None:
        """Say the lines of a question, which is in view then."""
        self._say_together(question)
        self._out_of_view = False

    def _say_together(self, lines: Sequence[str]) -> None:
        """Say lines together, so that all stay in view if there is room."""
        whole = "\n".join(lines)
        for piece in [whole] if self._rows_of(whole) + 1 < self._rows() else lines:
            self._say(piece)

    def _shown(self, text: str) -> str:
        return STYLES.sub("", text).translate(self._glyphs)

    def _overflows(self, text: str, foot: int = 1, whole: bool = False) -> bool:
        """Whether a text and ``foot`` rows of input do not fit below the last line.

        With ``whole``: whether they do not fit on an empty screen."""
        used = 0 if whole else self._rows_used
        if not (self._secret and self._clears and (used or whole)):
            return False
        return used + self._rows_of(self._shown(text)) + foot >= self._rows()

    def _erase(self) -> None:
        """Erase the screen; the question is said again when needed."""
        self._clear()
        self._out_of_view = True

    def _rows_of(self, text: str) -> int:
        columns = self._columns()
        return sum([1 + max(0, cell_len(line) - 1) // columns for line in text.split("\n")])

    def _write_codes(self, codes: str) -> None:
        self._write(codes.translate(self._glyphs))

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):  # whoever reads from a closed terminal gets the error
            sys.stdout.write(text)
            sys.stdout.flush()


def _numbered(offer: Offer, listed: Sequence[Offer]) -> str:
    return f"{listed.index(offer) + 1}. {offer.text}" if offer in listed else offer.text


def _clause(lines: Sequence[str], name: str) -> Sequence[str]:
    """The lines of a page from the heading that begins with ``name`` to the next heading; may be empty."""
    heads = [(place, found[1].split()) for place, line in enumerate(lines) if (found := HEADING.fullmatch(line))]
    ends = [*[place for place, _ in heads[1:]], len(lines)]
    for (start, words), end in zip(heads, ends, strict=False):  # a page without headings has one end more
        if words[:1] == [name]:
            return [line for line in lines[start:end] if STYLES.sub("", line).strip()]
    return ()
