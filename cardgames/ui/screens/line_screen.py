"""The table line by line: no redrawing, no boxes, no cursor movement, so that it can be heard or felt.

A turn says what is new and what can be chosen; the whole table is said when somebody asks for it with ``w``.
What a hand-over hides is erased row by row, and before a picture would push a hand out of view into the terminal's
history; the history itself, which is the player's own, is left alone. Where a terminal cannot erase, the players are
told so before the first card.
"""

import os
import re
import sys
import termios
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from select import select
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from rich.cells import cell_len

from cardgames.ui.messages import folded
from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.key_guard import CHANGE_QUIET, REPEAT_GAP
from cardgames.ui.screens.multiplexer import inside_tmux_or_screen
from cardgames.ui.screens.notice import Notice
from cardgames.ui.screens.offers import (
    ESCAPE,
    KEYS,
    NEWS,
    ONLY_NEW,
    SUSPEND,
    Check,
    Draw,
    Key,
    Labels,
    Offer,
    Picture,
    Ticks,
    fits,
)
from cardgames.ui.screens.screen import NEWS_EVERY, Screen
from cardgames.ui.screens.signals import can_stop, catch, ignore, in_background, stop_here, wakeup_pipe
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.ui.screens.stepper import Pictures

ENTER_ALTERNATE, LEAVE_ALTERNATE = "\x1b[?1049h", "\x1b[?1049l"
STYLES = re.compile("\x1b\\[[0-9;]*m")
"""The codes that colour a picture, which is only read here."""
HEADING = re.compile("\x1b\\[[0-9;]+m([^\x1b]+)\x1b\\[0m *")
"""A line of a rules page that is one piece in one style."""
ESCAPES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|O.)?")
"""The codes of keys that are no letters, such as the arrows."""
ZERO = "0"
"""Leads back from a list, whose lines are numbered from 1."""
TABLE = "w"
"""Asks for the whole table, at a table."""
AT_ONCE = 0.3
"""Seconds within which a hint comes at once: of a wait so short nothing is said."""
PAGE_FOOT = 2
"""Rows under a page: to say how to go on, and to type that."""
WHOLE = 1 << 16
"""Rows for a whole picture: a line more costs nothing here."""
DASH = "-"
"""Leads back from a field, where a 0 is a number."""


class _Stop(Exception):
    """Ctrl-Z while somebody is asked."""


class _News(Exception):
    """Something has happened elsewhere."""


class _Away(Exception):
    """Nothing was typed for so long that somebody else may be looking."""


class _TooEarly(Exception):
    """Something was typed before anybody could have heard the question, and has been thrown away."""


class _Answer(NamedTuple):
    """The answer to a question that no typed line gave, or a line that is a key."""

    value: Any


class _Question(NamedTuple):
    """A question as it is asked here, and everything that is needed to say it once more."""

    draw: Draw
    picture: str
    """The text about the table that comes first; empty where nothing is."""
    asked: Sequence[str]
    """The question and what can be chosen, line by line."""
    whole: Sequence[str]
    """The same under its picture, as it is said at first."""
    offers: Sequence[Offer]
    keys: Mapping[str, Any]
    again: Callable[[], Any]
    """Asks the same anew, after this process was stopped or the screen was hidden."""

    @property
    def listed(self) -> list[Offer]:
        """The offers that have a number."""
        return [offer for offer in self.offers if not (offer.refused or offer.unlisted)]

    def found(self, wanted: str) -> list[Offer]:
        """The offers that somebody may mean by a number or by the beginning of a line or of a card."""
        if not wanted:  # some have no second word to be found by, and an empty line would mean them
            return []
        possible = [offer for offer in self.offers if not offer.refused]
        numbered = [offer for number, offer in enumerate(self.listed, 1) if wanted == str(number)]
        called = [offer for offer in possible if wanted in map(folded, (offer.text, *offer.typed))]
        return numbered or called or [offer for offer in possible if fits(offer, wanted)]


class LineScreen(Screen):
    """The screen that is written to line by line."""

    def __init__(self, labels: Labels, words: "PlainWords", settings: Settings, secret: bool = True) -> None:
        """``secret`` if what is shown has to be cleared, and if it has to be said where that cannot be."""
        super().__init__()
        self._labels = labels
        self._secret = secret
        self._words = words
        self._glyphs = glyphs(settings)
        self.turn = Notice(settings, lambda codes: self._write(codes.translate(self._glyphs)))
        self._clears = os.environ.get("TERM") not in (None, "", "dumb", "unknown")
        self._hide_after = 60.0 * settings.hide_after or None
        """Seconds without a line after which the screen is hidden."""
        self._at_table = False
        """Whether the table has been asked about: from then on pictures say what is new."""
        self._keys_said = False
        self._warned = not (secret and self._clears and inside_tmux_or_screen())
        """Whether it has been said, where that is so, that a smaller window might keep a hand."""
        self._lost = True
        """Whether what was asked has gone out of view."""
        self._offered: list[Offer] | None = None
        """The offers of the last question, if news ended it."""
        self._heard = ""
        """The picture that was said with the last question, as long as it is in view."""
        self._rows_used = 0
        """How many rows have been written since the screen was erased."""
        self._page_stands = False
        """Whether somebody may be reading a page that stands there: no line was typed after it."""
        self._restore_signals: Callable[[], None]
        self._dropped = False
        """Whether a line was thrown away that nobody has been told about."""
        self._rung = False
        self._reading = self._stopping = self._continued = False
        self._ending: BaseException | None = None

    def __enter__(self) -> Self:
        kept_screen.leave()
        self._restore_signals = catch(self._end, self._stop, self._go_on, self._ring)
        if self._secret and self._clears:
            self._write(ENTER_ALTERNATE)
            self._clear()
        elif self._secret:
            self._say(self._words.warning)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        ignore()
        try:
            self._leave()
        finally:
            self._restore_signals()
        if self._ending and isinstance(error, EOFError | None):
            raise self._ending

    def _end(self, ending: BaseException) -> None:
        """Somebody outside wants this process to end: whoever is asked hears of it at once, or when asked next."""
        self._ending = ending
        if self._reading:
            raise ending

    def _stop(self) -> None:
        """Ctrl-Z: nothing may stay on display, so whoever is asked gives up the screen first."""
        self._stopping = True
        if self._reading:
            raise _Stop

    def _go_on(self) -> None:
        """This process goes on after something stopped it that cannot be caught: somebody else may be looking."""
        self._continued = True
        if self._reading:
            raise _Stop

    def _ring(self) -> None:
        self._rung = True

    @property
    def busy(self) -> bool:
        return self._reading

    def suspend(self) -> None:
        """Clear the screen and stop this process until it is continued; nothing happens where nobody could do that."""
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
        self.stopped()

    def _leave(self) -> None:
        """Leave nothing in view, on the main screen either."""
        self.turn.take_back()
        self._clear()
        if self._secret and self._clears:
            self._write(LEAVE_ALTERNATE)

    def forget_typed(self) -> None:
        """Clear what stands there, since somebody else is to look, and throw away what was typed ahead."""
        self._clear()
        self._forget()

    def say(self, notice: str) -> None:
        self._say(notice)

    def choose(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        *,
        at: Any = None,
        quiet: float = 0.0,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        """Ask for one of ``offers`` by its number or its text."""
        if hint is not None:
            return self._when_there(hint)
        self._at_table |= Key.RULES.value in keys
        if changed := self._have_changed(offers):  # what has been typed was meant for other lines
            self._forget()
            quiet = max(quiet, CHANGE_QUIET)
        # Whoever is called hears what is new when nobody else is listening.
        picture = "" if quiet and not changed else self._picture(draw)
        again = partial(self.choose, draw, question, offers, keys, quiet=quiet)
        asked = self._question(draw, picture, question, offers, keys, again)
        if not self._warned:
            asked, self._warned = asked._replace(whole=[self._words.smaller, *asked.whole]), True
        if instead := self._after_page(self._unheard(asked), keys, again):
            return instead.value
        self._report_dropped_input()
        self._begin(asked)
        return self._chosen(asked, quiet)

    def tick(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        ticks: Ticks,
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        *,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        """Ask for some of ``offers`` by their numbers or cards, separated by blanks."""
        if hint is not None:
            return self._when_there(hint)
        self._at_table |= Key.RULES.value in keys
        picture = self._picture(draw)
        again = partial(self.tick, draw, question, offers, ticks, keys)
        asked = self._question(draw, picture, f"{question}\n{self._words.tick}", offers, keys, again)
        if instead := self._after_page(self._unheard(asked), keys, again):
            return instead.value
        self._begin(asked)
        return self._ticked(asked, ticks)

    def _chosen(self, question: _Question, quiet: float) -> Any:
        """Read lines until one chooses an offer or is a key; the value of the offer, or the answer of the key."""
        sure: Offer | None = None
        """The offer that has been chosen once and is to be confirmed."""
        while True:
            text = self._next_line(question, quiet)
            if isinstance(text, _Answer):
                return text.value
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

    def _reply(self, text: str, found: Sequence[Offer], question: _Question) -> list[str]:
        """The lines said to a text that chooses nothing yet: what it may mean, or why it cannot be."""
        if len(found) == 1:
            return [found[0].confirm or ""]
        if found:
            return ["\n".join(_numbered(offer, question.listed) for offer in found)]
        more = [self._words.choices] if len(question.listed) > 1 else []
        return [self._why_not(text, folded(text).strip(), question.offers), *more]

    def _say_again(self, question: _Question) -> None:
        """Say what is asked once more, and how to answer; under its picture if that has to go out of view for it."""
        said, expected = question.asked, self._expected(question.keys)
        if self._overflows("\n".join([*said, *expected])):
            self._erase()
            said = question.whole
        self._say_together([*said, *expected])
        self._lost = False

    def _ticked(self, question: _Question, ticks: Ticks) -> Any:
        """Read lines until one names offers that can be taken together, or is a key; their values, or its answer."""
        while True:
            text = self._next_line(question)
            if isinstance(text, _Answer):
                return text.value
            values: list[Any] = []
            for word in folded(text).split():
                found = question.found(word)
                if len(found) != 1:
                    self._say(self._why_not(word, word, question.offers))
                    break
                values += [found[0].value] if found[0].value not in values else []
            else:
                if not (why := ticks.check(values)):
                    return values
                self._say(why)

    def _when_there(self, hint: "Future[Any]") -> Key:
        """Wait for a hint; what is typed meanwhile answers the question that stands there with it.

        Unless it is there at once, it is said that it is thought of.
        """
        soon = monotonic() + AT_ONCE
        while not hint.done() and monotonic() < soon:
            sleep(NEWS_EVERY)
        if not hint.done():
            self._say(self._words.thinking)
        while self.wait(lambda columns, rows: "", "", hint, {}) is not None:
            pass
        return Key.HINT

    def _unhear_hint(self, draw: Draw) -> None:
        """Let the hint of this picture be said again, in view or not: somebody asks for it once more."""
        if self._heard and isinstance(draw, Picture):
            self._heard = self._picture(Picture(draw.paint, draw.panel))

    def _have_changed(self, offers: Sequence[Offer]) -> bool:
        """Whether news ended the last question, and these are other offers than it had."""
        before, self._offered = self._offered, None
        return before not in (None, [*offers])

    def _next_line(self, question: _Question, quiet: float = 0.0) -> "str | _Answer":
        """The next line that is neither a key nor asks for the table, or the answer where something else gives one."""
        keys = question.keys
        while True:
            if self._lost and (instead := self._after_page(question.whole, keys, question.again)):
                return instead
            self._in_view(question.whole)
            try:
                text = self._read(quiet, NEWS in keys)
                if (answer := self._key(text, keys)) is not _NO_KEY:
                    if answer is Key.HINT:
                        self._unhear_hint(question.draw)
                    return _Answer(answer)
                if not self._asks_for_the_table(text, question.draw, question.offers, question.asked):
                    return text
            except _News:
                self._offered = [*question.offers]
                return _Answer(keys[NEWS])
            except _Stop:
                return _Answer(self._stopped(keys, question.again))
            except _Away:
                return _Answer(self._away(keys, question.again))
            except _TooEarly:
                if self._clears:  # nobody knows how many rows were typed
                    self._clear()
                self._report_dropped_input()
                self._lost = True

    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        """Ask for a text; an empty line means ``default``, a lone ``-`` leads back."""
        if picture := self._picture(draw):
            self._say(picture)
        while True:
            self._say(self._words.field(question, default))
            try:
                text = self._read().strip() or default
            except _Stop:
                self.suspend()
                continue
            except _Away:
                continue
            if text == DASH:
                return None
            if not (why := check(text)):
                return text
            self._say(why)

    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        """Show a text: the clause ``start``, and the whole if that is wanted, or at once if none is named.

        Nothing leads on from what is ``latest``, as whatever happens is said.
        """
        lines = draw(self._columns(), WHOLE).splitlines() or [""]
        if clause := _clause(lines, start):
            self._say("\n".join(clause))
            whole = Offer(True, self._words.whole)
            if not self.choose(lambda width, rows: "", self._words.more, [whole], {ESCAPE: False}):
                return False
        try:
            self._say_page(lines)
        except _Stop:
            self.suspend()
        except _Away:
            self._clear()
            self.stopped()
        return False

    def _say_page(self, lines: Sequence[str]) -> None:
        """Say what somebody wants to read, as much of it at a time as fits in view; raises what :meth:`_read` does."""
        if self._overflows("\n".join(lines), PAGE_FOOT):
            self._erase()
        for line in lines:
            if self._overflows(line, PAGE_FOOT):
                if not self._goes_on():
                    return
                self._erase()
            self._say(line)
        self._page_stands = True

    def _goes_on(self) -> bool:
        """Wait for Enter after a page; whether the next page is wanted."""
        self._say(self._words.go_on)
        return folded(self._read()).strip() not in (ZERO, Key.LEAVE.value)

    def _after_page(self, lines: Sequence[str], keys: Mapping[str, Any], again: Callable[[], Any]) -> "_Answer | None":
        """Keep a page on screen until it is read, then print ``lines``. Returns the answer if one cuts that short."""
        if not (self._page_stands and self._overflows("\n".join(lines))):
            return None
        try:
            self._say(self._words.page_read)
            answer = self._key(self._read(), {key: answer for key, answer in keys.items() if key != ESCAPE})
        except _Stop:
            return _Answer(self._stopped(keys, again))
        except _Away:
            return _Answer(self._away(keys, again))
        return None if answer is _NO_KEY else _Answer(answer)

    def step(self, pictures: "Pictures", foot: str) -> None:
        """Show ``pictures`` one at a time; an empty line leads to the next, a number to the picture of that number."""
        place = pictures.first
        while True:
            picture = pictures.draw(place)(self._columns(), 1 << 16).strip("\n")
            self._say(f"{picture}\n{self._words.step}")  # at once: what comes later may clear what is above
            try:
                word = folded(self._read()).strip()
            except _Stop:
                self.suspend()
                continue
            if word == "q":
                return
            place = pictures.near(int(word) if word.isdecimal() else place - 1 if word == "b" else place + 1)

    def rest(self, draw: Draw, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Do nothing: line by line there is no pause, and events are told with the next question."""

    def wait(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Wait in silence and without keys; where there can be news it is said, and a key is a line of its own."""
        if self.news is not None and NEWS in keys:
            return self._wait_for_news(draw, said, done, keys)
        self._reading = True
        try:
            if self._ending:
                raise self._ending
            if self._stopping or self._continued:
                raise _Stop
            while done is not None and not done.done():
                sleep(NEWS_EVERY)  # a lock waited for would be broken by two signals at once
        except _Stop:
            return self._stopped(keys, lambda: self.wait(draw, said, done, keys))
        finally:
            self._reading = False
        return None

    def _wait_for_news(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any]) -> Any:
        """Say what is new, and wait as :meth:`wait` does, for news as well; a line is a key, or asks for the table."""
        self._at_table = True
        new = [line for line in (self._picture(draw), said) if line]

        def again() -> Any:
            return self.wait(draw, said, done, keys)

        if instead := self._after_page(new, keys, again):
            return instead.value
        self._say_together(new)
        while True:
            try:
                text = self._read(listens=True, done=done)
                if (answer := self._key(text, keys)) is not _NO_KEY:
                    return answer
                if not self._asks_for_the_table(text, draw):
                    self._say_together([said, self._words.keys])
            except _News:
                return None if done is not None and done.done() else keys[NEWS]
            except _Stop:
                return self._stopped(keys, again)
            except _Away:
                return self._away(keys, again)

    def _picture(self, draw: Draw) -> str:
        return draw(self._columns(), ONLY_NEW if self._at_table else WHOLE).strip("\n")

    def _asks_for_the_table(
        self, text: str, draw: Draw, offers: Sequence[Offer] = (), asked: Sequence[str] = ()
    ) -> bool:
        """Whether this asks for the table; if so it is said, then what is ``asked``, and what is refused, and why."""
        if not self._at_table or folded(text).strip() != TABLE:
            return False
        table, refused = draw(self._columns(), WHOLE).strip("\n"), self._refused(offers)
        if self._overflows("\n".join([table, *asked, *refused]), whole=True):
            self._say_page([*table.split("\n"), *refused])
            self._lost = True
        else:
            self._say_together([table, *asked, *refused])
            self._lost = False
        return True

    def _refused(self, offers: Sequence[Offer]) -> list[str]:
        """A line for each offer that cannot be chosen, with the reason."""
        return [self._words.refused(offer.text, offer.refused) for offer in offers if offer.refused]

    def _expected(self, keys: Mapping[str, Any]) -> list[str]:
        """The lines that say how to answer."""
        return [self._words.expected, *([self._words.keys] if Key.RULES.value in keys else [])]

    def _report_dropped_input(self) -> None:
        """Say that a line was thrown away, if one was."""
        if self._dropped:
            self._dropped = False
            self._say(self._words.too_early)

    def _question(
        self,
        draw: Draw,
        picture: str,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any],
        again: Callable[[], Any],
    ) -> _Question:
        """A question with what can be chosen, under its picture; the first time with the keys of the table."""
        listed = [offer for offer in offers if not offer.refused and not offer.unlisted]
        back = [f"{ZERO}. {self._words.back}"] if ESCAPE in keys else []
        asked = [question, *[_numbered(offer, listed) for offer in listed], *back]
        whole = [picture, *asked] if picture else [*asked]
        if not self._at_table:
            whole += self._refused(offers)
        elif not self._keys_said and Key.RULES.value in keys:
            whole.append(self._words.keys)
            self._keys_said = True
        return _Question(draw, picture, asked, whole, offers, keys, again)

    def _begin(self, question: _Question) -> None:
        """Say a question for the first time, without what has just been said of its picture and is in view."""
        lines, picture = self._unheard(question), question.picture
        if lines != question.whole and self._overflows("\n".join(lines)):
            self._erase()  # and what has been said goes out of view with that
            lines = question.whole
        heard = self._heard if self._at_table and f"\n{self._heard}".endswith(f"\n{picture}") else picture
        self._lost = True
        self._in_view(lines)
        self._heard = heard

    def _unheard(self, question: _Question) -> Sequence[str]:
        """The lines of a question without what has just been said of its picture and is in view."""
        heard, picture = self._heard if self._at_table else "", question.picture
        if picture and f"\n{heard}".endswith(f"\n{picture}"):
            return question.whole[1:]
        if heard and picture.startswith(f"{heard}\n"):
            return [picture[len(heard) + 1 :], *question.whole[1:]]
        return question.whole

    def _in_view(self, question: Sequence[str]) -> None:
        """Say a question unless it is in view still."""
        if self._lost:
            self._say_together(question)
            self._lost = False

    def _say_together(self, lines: Sequence[str]) -> None:
        """Say lines, and keep them together in view where there is room for all of them."""
        whole = "\n".join(lines)
        for piece in [whole] if self._rows_of(whole) + 1 < self._rows() else lines:
            self._say(piece)

    def _key(self, text: str, keys: Mapping[str, Any]) -> Any:
        """The answer of a key, if that was typed, else ``_NO_KEY``."""
        text = unicodedata.normalize("NFKC", text).strip()
        if text == ZERO and ESCAPE in keys:
            return keys[ESCAPE]
        return keys[text] if text in keys and len(text) == 1 else _NO_KEY

    def _stopped(self, keys: Mapping[str, Any], again: Callable[[], Any]) -> Any:
        """The answer of Ctrl-Z; where it has none, the process stops here, and the question is asked anew."""
        if SUSPEND in keys:
            return keys[SUSPEND]
        self.suspend()
        return again()

    def _away(self, keys: Mapping[str, Any], again: Callable[[], Any]) -> Any:
        """Hide what is shown; what that answers, or what is answered when the question is asked anew."""
        self._clear()
        self.stopped()
        return keys[Key.AWAY.value] if Key.AWAY.value in keys else again()

    def _why_not(self, text: str, wanted: str, offers: Sequence[Offer]) -> str:
        """The reply where nothing was found."""
        refused = next((offer for offer in offers if offer.refused and fits(offer, wanted)), None)
        typed = "".join(filter(str.isprintable, ESCAPES.sub("", text)))
        nothing = self._words.nothing_found(typed) if typed else self._words.expected
        return f"{refused.text}: {refused.refused}" if refused else nothing

    def _columns(self) -> int:
        with suppress(OSError):
            return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
        return 80

    def _rows(self) -> int:
        with suppress(OSError):
            return max(5, os.get_terminal_size(sys.stdout.fileno()).lines)
        return 24

    def _read(self, quiet: float = 0.0, listens: bool = False, done: "Future[Any] | None" = None) -> str:
        """A line that was typed; with ``quiet`` after so many seconds without any, and not one of several at once.

        Raises what has come meanwhile: a signal that ends this process, :class:`_Stop`, :class:`_Away`, with ``quiet``
        :class:`_TooEarly`, or if it ``listens`` :class:`_News`, also as soon as something is ``done``.
        """
        self._write(self._words.prompt)
        self._reading = True
        try:
            with wakeup_pipe() as signal:
                if self._ending:
                    raise self._ending
                if self._stopping or self._continued:
                    raise _Stop
                while True:
                    while quiet and self._comes(signal, quiet):
                        self._forget()
                    if quiet and self._dropped:
                        raise _TooEarly
                    if self.news:
                        self._await_line(signal, self.news, done, listens)
                    elif not self._comes(signal, self._hide_after):
                        raise _Away
                    line = sys.stdin.readline()
                    if not (quiet and line and self._comes(signal, REPEAT_GAP)):
                        break
                    self._forget()
        except OSError:
            line = ""
        finally:
            self._reading = False
        if not line:
            raise EOFError
        self._rows_used += 1
        self._page_stands = False
        return line.rstrip("\n")

    def _await_line(self, signal: int, news: Callable[[], bool], done: "Future[Any] | None", listens: bool) -> None:
        """Wait for a line; raises :class:`_Away`, or :class:`_News` if it ``listens``, if that comes first."""
        end = None if self._hide_after is None else monotonic() + self._hide_after
        while not self._comes(signal, self.news_every, rung=True):
            came = news()
            if (came and listens) or (done is not None and done.done()):
                raise _News
            if came and self.meanwhile and (said := self.meanwhile()):
                self._say(said)
                self._write(self._words.prompt)
            if end is not None and monotonic() > end:
                raise _Away

    def _comes(self, signal: int, seconds: float | None = None, rung: bool = False) -> bool:
        """Wait for input, at most this many seconds; whether any has come. Signals are handled meanwhile.

        With ``rung`` it is waited no longer when another process rings for this one.
        """
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

    def _forget(self) -> None:
        """Discard typed input, and say so with the next question."""
        with suppress(OSError, termios.error):
            waiting, _, _ = select([sys.stdin], [], [], 0)
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
            self._dropped |= bool(waiting)

    def _clear(self) -> None:
        """Take everything out of view without pushing it into the history, as far as the terminal can."""
        self._heard = ""
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
        """Write a text; what is above is erased first unless it, and a line that is typed after it, fit below."""
        shown = self._shown(text)
        if self._overflows(shown):
            self._erase()
        self._rows_used += self._rows_of(shown)
        self._write(shown + "\n")

    def _shown(self, text: str) -> str:
        return STYLES.sub("", text).translate(self._glyphs)

    def _overflows(self, text: str, foot: int = 1, whole: bool = False) -> bool:
        """Whether a text has no room below what stands there, with so many rows for what is typed after it.

        With ``whole`` whether it has none on an empty screen.
        """
        used = 0 if whole else self._rows_used
        if not (self._secret and self._clears and (used or whole)):
            return False
        return used + self._rows_of(self._shown(text)) + foot >= self._rows()

    def _erase(self) -> None:
        """Erase the last question and its picture."""
        self._clear()
        self._lost = True

    def _rows_of(self, text: str) -> int:
        """How many rows a text without styles takes up."""
        columns = self._columns()
        return sum([1 + max(0, cell_len(line) - 1) // columns for line in text.split("\n")])

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):  # that the terminal has gone is told to whoever reads from it
            sys.stdout.write(text)
            sys.stdout.flush()


_NO_KEY = object()


def _numbered(offer: Offer, listed: Sequence[Offer]) -> str:
    """A line that can be chosen, with its number if it is in the list."""
    return f"{listed.index(offer) + 1}. {offer.text}" if offer in listed else offer.text


def _clause(lines: Sequence[str], name: str) -> Sequence[str]:
    """The lines of a page from the heading that begins with ``name`` to the next; none if there is no such heading."""
    heads = [(place, found[1].split()) for place, line in enumerate(lines) if (found := HEADING.fullmatch(line))]
    ends = [*[place for place, _ in heads[1:]], len(lines)]
    for (start, words), end in zip(heads, ends, strict=False):  # a page without headings ends all the same
        if words[:1] == [name]:
            return [line for line in lines[start:end] if STYLES.sub("", line).strip()]
    return ()


class PlainWords:
    """The few words that only the line-by-line table needs."""

    def __init__(self, say: Callable[..., str], keys: str = "keys") -> None:
        self._say = say
        self.warning = say("plain_warning")
        self.smaller = say("plain_smaller")
        self.tick = say("plain_tick")
        self.prompt = say("plain_prompt")
        self.keys = say("plain_" + keys)
        self.back = say("plain_back")
        self.more = say("plain_more")
        self.whole = say("plain_whole")
        self.go_on = say("plain_go_on")
        self.page_read = say("plain_page_read")
        self.expected = say("plain_expected")
        self.choices = say("plain_choices")
        self.too_early = say("plain_too_early")
        self.step = say("plain_step_keys")
        self.thinking = say("hint_thinking")

    def refused(self, offer: str, why: str) -> str:
        """An offer that cannot be chosen, with the reason."""
        return self._say("plain_refused", text=self._say("refused", text=offer, why=why))

    def field(self, question: str, default: str) -> str:
        """A question for a text, with what may be typed besides one."""
        return self._say("plain_default" if default else "plain_field", text=question, value=default)

    def nothing_found(self, typed: str) -> str:
        """The reply when nothing matches the typed text."""
        return self._say("plain_nothing", typed=typed)
