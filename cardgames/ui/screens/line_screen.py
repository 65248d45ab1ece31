"""The table line by line: no redrawing, no boxes, no cursor movement, so that it can be heard or felt.

What a hand-over hides is cleared where the terminal can be cleared, its history included; where it cannot, the players
are told so before the first card.
"""

import os
import re
import sys
import termios
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from select import select
from types import TracebackType
from typing import Any, Self

from cardgames.ui.messages import folded
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.full_screen import ESCAPE, KEYS, SUSPEND, Draw, Labels, Offer, fits
from cardgames.ui.screens.signals import catch, ignore, stop_here, told
from cardgames.ui.settings import Settings

CLEAR = "\x1b[H\x1b[2J\x1b[3J"
STYLES = re.compile("\x1b\\[[0-9;]*m")
"""What colours a picture, which is only read here."""
HEADING = re.compile("\x1b\\[[0-9;]+m([^\x1b]+)\x1b\\[0m *")
"""A line of a rules page that is one piece in one style."""
ZERO = "0"
"""What leads back from a list, whose lines are numbered from 1."""
DASH = "-"
"""What leads back from a field, where a 0 is a number."""


class _Stop(Exception):
    """Ctrl-Z while somebody is asked."""


class PlainScreen:
    """The terminal while people sit at the table, written to line by line; a context manager."""

    def __init__(self, labels: Labels, words: "PlainWords", settings: Settings, secret: bool = True) -> None:
        """``secret`` if what is shown has to be cleared, and if it has to be said where that cannot be."""
        self._labels = labels
        self._secret = secret
        self._words = words
        self._glyphs = glyphs(settings)
        self._clears = os.environ.get("TERM") not in (None, "", "dumb", "unknown")
        self._restore_signals: Callable[[], None]
        self._reading = self._stopping = False
        self._ending: BaseException | None = None
        self.stopped: Callable[[], object] = lambda: None
        """What is to be done when this process has been stopped and goes on."""

    def __enter__(self) -> Self:
        self._restore_signals = catch(self._end, self._stop)
        if self._secret and not self._clears:
            self._say(self._words.warning)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        ignore()
        try:
            self._clear()
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

    def suspend(self) -> None:
        """Clear the screen and stop this process until it is continued."""
        self._clear()
        self._stopping = False
        stop_here()
        self.stopped()

    def forget_typed(self) -> None:
        """Clear what stands there, since somebody else is to look, and throw away what was typed ahead."""
        self._clear()
        with suppress(OSError, termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def choose(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        typed: str = "",
        at: Any = None,
    ) -> Any:
        """Ask for one of ``offers`` by its number or its text; as :meth:`Screen.choose`."""
        self._picture(draw)
        self._say(question)
        open_ = self._list(offers, keys)
        while True:
            try:
                text = typed or self._read()
            except _Stop:
                return self._stopped(keys, lambda: self.choose(draw, question, offers, keys, foot))
            typed = ""
            if (answer := self._key(text, keys)) is not _NO_KEY:
                return answer
            wanted = folded(text).strip()
            if not wanted and len(open_) == 1:
                return open_[0].value
            found = self._found(wanted, open_)
            if len(found) == 1:
                return found[0].value
            if found:
                self._say("  ".join(f"{open_.index(offer) + 1}. {offer.text}" for offer in found))
            elif wanted:
                self._say(self._why_not(text, wanted, offers))

    def tick(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        check: Callable[[list[Any]], str | None],
        status: Callable[[list[Any]], str],
        ticked: list[Any],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        typed: str = "",
    ) -> Any:
        """Ask for some of ``offers`` by their numbers or cards, separated by blanks; as :meth:`Screen.tick`."""
        self._picture(draw)
        self._say(f"{question} {self._words.tick}")
        open_ = self._list(offers, keys)
        while True:
            try:
                text = self._read()
            except _Stop:
                return self._stopped(keys, lambda: self.tick(draw, question, offers, check, status, ticked, keys, foot))
            if (answer := self._key(text, keys)) is not _NO_KEY:
                return answer
            values: list[Any] = []
            for word in folded(text).split():
                found = self._found(word, open_)
                if len(found) != 1:
                    self._say(self._why_not(word, word, offers))
                    break
                values += [found[0].value] if found[0].value not in values else []
            else:
                if not (why := check(values)):
                    return values
                self._say(why)

    def ask(self, draw: Draw, question: str, default: str, check: Callable[[str], str | None], foot: str) -> str | None:
        """Ask for a text; an empty line means ``default``, a lone ``-`` leads back; as :meth:`Screen.ask`."""
        self._picture(draw)
        while True:
            self._say(self._words.field(question, default))
            try:
                text = self._read().strip() or default
            except _Stop:
                self.suspend()
                continue
            if text == DASH:
                return None
            if not (why := check(text)):
                return text
            self._say(why)

    def show(self, draw: Draw, foot: str, start: str = "") -> None:
        """Show a text: the clause ``start``, and the whole if that is wanted, or at once if none is named."""
        lines = draw(self._columns(), 1 << 16).splitlines()
        if clause := _clause(lines, start):
            self._say("\n".join(clause))
            whole = Offer(True, self._words.whole)
            if not self.choose(lambda width, rows: "", self._words.more, [whole], {ESCAPE: False}):
                return
        self._say("\n".join(lines))

    def rest(self, draw: Draw, foot: str, seconds: float) -> None:
        """Nothing rests: what happened is told when somebody looks."""

    def _picture(self, draw: Draw) -> None:
        if picture := draw(self._columns(), 1 << 16).strip("\n"):
            self._say(picture)

    def _list(self, offers: Sequence[Offer], keys: Mapping[str, Any]) -> list[Offer]:
        """Name what can be chosen and what cannot, and the keys; what can be chosen, in order."""
        open_ = [offer for offer in offers if not offer.refused]
        for number, offer in enumerate(open_, 1):
            self._say(f"{number}. {offer.text}")
        if ESCAPE in keys:
            self._say(f"{ZERO}. {self._words.back}")
        for offer in offers:
            if offer.refused:
                self._say(f"- {offer.text} ({offer.refused})")
        if "?" in keys:
            self._say(self._words.keys)
        return open_

    def _key(self, text: str, keys: Mapping[str, Any]) -> Any:
        """What a key answers, if a key was typed."""
        text = unicodedata.normalize("NFKC", text).strip()
        if text == ZERO and ESCAPE in keys:
            return keys[ESCAPE]
        return keys[text] if text in keys and text not in (SUSPEND, ESCAPE) else _NO_KEY

    def _stopped(self, keys: Mapping[str, Any], again: Callable[[], Any]) -> Any:
        """What Ctrl-Z answers; where it answers nothing, the process stops here, and the question is asked anew."""
        if SUSPEND in keys:
            return keys[SUSPEND]
        self.suspend()
        return again()

    @staticmethod
    def _found(wanted: str, open_: Sequence[Offer]) -> list[Offer]:
        """What somebody may mean by a number or by the beginning of a line or of a card."""
        numbered = [offer for number, offer in enumerate(open_, 1) if wanted == str(number)]
        if not wanted:  # some have no second word to be found by, and an empty line would mean them
            return []
        called = [offer for offer in open_ if wanted in map(folded, (offer.text, *offer.typed))]
        return numbered or called or [offer for offer in open_ if fits(offer, wanted)]

    def _why_not(self, text: str, wanted: str, offers: Sequence[Offer]) -> str:
        """What to say where nothing was found."""
        refused = next((offer for offer in offers if offer.refused and fits(offer, wanted)), None)
        return f"{refused.text}: {refused.refused}" if refused else self._words.nothing_found(text)

    def _columns(self) -> int:
        with suppress(OSError):
            return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
        return 80

    def _read(self) -> str:
        self._say(self._words.prompt, end="")
        self._reading = True
        try:
            with told() as signal:
                if self._ending:
                    raise self._ending
                if self._stopping:
                    raise _Stop
                while sys.stdin not in select([sys.stdin, signal], [], [])[0]:
                    os.read(signal, 1)
                line = sys.stdin.readline()
        except OSError:
            line = ""
        finally:
            self._reading = False
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def _clear(self) -> None:
        if self._secret:
            self._write(CLEAR if self._clears else "\n" * 60)

    def _say(self, text: str, end: str = "\n") -> None:
        self._write(STYLES.sub("", text).translate(self._glyphs) + end)

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):  # that the terminal has gone is told to whoever reads from it
            sys.stdout.write(text)
            sys.stdout.flush()


_NO_KEY = object()


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

    def __init__(self, say: Callable[..., str]) -> None:
        self._say = say
        self.warning = say("plain_warning")
        self.tick = say("plain_tick")
        self.prompt = say("plain_prompt")
        self.keys = say("plain_keys")
        self.back = say("plain_back")
        self.more = say("plain_more")
        self.whole = say("plain_whole")

    def field(self, question: str, default: str) -> str:
        """A question for a text, with what may be typed besides one."""
        return self._say("plain_default" if default else "plain_field", text=question, value=default)

    def nothing_found(self, typed: str) -> str:
        """What to say when nothing fits what was typed."""
        return self._say("plain_nothing", typed=typed)
