"""Protection against accidental keys: pressed twice, held down, or typed before the current picture appeared.

The guard stands between the terminal's input and the current question. It drops keys that cannot have been meant for
the current picture, and defers the keys of the foot. Ctrl-C and Ctrl-Z always pass."""

from collections.abc import Callable
from itertools import dropwhile
from select import select
from time import monotonic
from typing import TextIO

from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.ui.screens.key_decoder import CHANGE_QUIET, KEY_GAP, READ_GAP, REPEAT_GAP, KeyDecoder
from cardgames.ui.screens.offers import FOOT_KEYS
from cardgames.ui.screens.typed_text import plain_key

REPEAT_DELAY = 1.2
"""Seconds within which the same key may be the first automatic repeat of a key that is held down."""
TIMER_TOLERANCE = 0.005
"""Seconds by which a timer may run out early, compared with the clock."""

LONG_READ = 32
"""The bytes of input at once, from which on they are no single key."""
MAX_READS = 64
"""The most further reads for the end of a sequence: terminals' answers are long, and a stream may never end."""

ALWAYS_ADMITTED = (Keys.ControlC, Keys.ControlZ)
"""Keys that always pass: the keys that end or stop the program."""
ERASING_KEYS = (Keys.Backspace, Keys.ControlU)
"""Keys that erase typed text. They pass even when other keys are ignored, as they can do no harm."""


class KeyGuard:
    """A filter that admits, drops, defers or holds back each key. All times are in seconds on ``clock``."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last_press_time = float("-inf")
        self._last_admitted: KeyPress | None = None
        self._last_answer: KeyPress | None = None
        """The key that answered the last question, until another key is admitted."""
        self._last_read: list[KeyPress] = []
        """The keys that were admitted together most recently."""
        self._quiet_end = float("-inf")  # until then keys are ignored, as the picture has changed without one
        self._restarted_quiet = 0.0  # the seconds for which keys are ignored after each ignored key
        self._gap = 0.0  # the seconds without a key before this question admits one
        self._held: KeyPress | None = None
        """A key that may be an automatic repeat, and is held back until the next one is due."""
        self._deferred: list[KeyPress] = []
        self.on_wait: Callable[[float], object] = lambda seconds: None
        """Called when a key is held back or deferred, with the seconds until :meth:`release` may return it."""
        self.on_ignore: Callable[[], object] = lambda: None
        """Called when a key is ignored at a hand-over, which is still shut."""

    def picture_changed(self, quiet: float = CHANGE_QUIET, restarts: bool = False) -> None:
        """Ignore keys for the next ``quiet`` seconds, as the picture has changed without a key press.

        If ``restarts``, each ignored key restarts the time, as somebody who keeps typing has not seen the change."""
        self._quiet_end, self._restarted_quiet = self._clock() + quiet, quiet if restarts else 0.0

    def new_question(self, quiet: float = 0.0) -> None:
        """Start a question. For ``quiet`` seconds no key is admitted, and then none without a pause before it."""
        self._last_answer, self._gap = self._last_admitted, min(quiet, KEY_GAP)
        if quiet:
            self.picture_changed(quiet)
        held, self._held = self._held, None
        if held:
            self.defer(held)

    def idle(self, start: float) -> float:
        """Seconds since the last key press, or since the time ``start`` if no key was pressed after it."""
        return self._clock() - max(self._last_press_time, start)

    def admit(self, presses: list[KeyPress]) -> list[KeyPress]:
        """Return the deferred keys and those of ``presses`` that are admitted now."""
        admitted = []
        for press in presses:
            if press.key in ALWAYS_ADMITTED:
                admitted.append(press)
                continue
            now = self._clock()
            gap, self._last_press_time = now - self._last_press_time, now
            if held := self._held:  # the next key came too soon: both are repeats
                self._held = None
                if held.data != press.data:
                    self.defer(held)
                    self.defer(press)
                continue
            if now < self._quiet_end or gap < self._gap:
                self._quiet_end = max(self._quiet_end, now + self._restarted_quiet)
                if press.key in ERASING_KEYS:
                    admitted.append(press)
                elif self._gap:
                    self.on_ignore()
                self.defer(press)
                continue
            admitted += self.release()
            may_be_repeat = gap < REPEAT_DELAY and bool(self._gap or press == self._last_answer)
            if not may_be_repeat:
                admitted.append(self._note_admitted(press))
            elif gap >= REPEAT_GAP:  # a key that comes sooner is a repeat, and is dropped
                self._held = press
                self.on_wait(REPEAT_GAP)
        if admitted:
            self._last_read = admitted
        return admitted

    def without_repeats(self, typed: list[KeyPress]) -> list[KeyPress]:
        """The keys ``typed`` after an answer, without repeats of its key that were read together with it."""
        if not 0 < len(typed) < len(self._last_read):
            return typed
        answer = self._last_read[-len(typed) - 1]  # the key just before ``typed``
        return [*dropwhile(lambda press: press == answer, typed)]

    def _note_admitted(self, press: KeyPress) -> KeyPress:
        """Note a key as admitted, and return it."""
        self._last_admitted, self._last_answer = press, None
        return press

    def defer(self, press: KeyPress) -> None:
        """Keep a key of the foot until keys are admitted again. Drop other and repeated keys."""
        if plain_key(press.data) in FOOT_KEYS and press.data not in [other.data for other in self._deferred]:
            self._deferred.append(press)
            self.on_wait(self.seconds_until_due())

    def seconds_until_due(self) -> float:
        """Seconds until deferred keys may be admitted, at least 0."""
        return max(0.0, max(self._quiet_end, self._last_press_time + self._gap) - self._clock())

    def release(self) -> list[KeyPress]:
        """Admit a held-back key after ``REPEAT_GAP`` seconds without another, and deferred keys if they are due.

        Return and forget them."""
        released: list[KeyPress] = []
        if self._held and self._clock() - self._last_press_time >= REPEAT_GAP - TIMER_TOLERANCE:
            released, self._held = [self._held], None
        if self.seconds_until_due() <= TIMER_TOLERANCE:
            released, self._deferred = [*released, *self._deferred], []
        return [self._note_admitted(press) for press in released]


class GuardedInput(Vt100Input):
    """A terminal's input, which gives only the keys that a guard admits to ``take``, and none to prompt_toolkit."""

    def __init__(self, stdin: TextIO, guard: KeyGuard, take: Callable[[list[KeyPress]], object]) -> None:
        super().__init__(stdin)
        self._guard = guard
        self._take = take
        self._decoder = KeyDecoder()

    def read(self) -> list[KeyPress]:
        """Return the new keys that the guard admits. The rest of a sequence in a long read is read at once."""
        text = self.stdin_reader.read()
        keys, reads = self._decoder.feed(text), 0
        if len(text) > LONG_READ:
            while self._decoder.is_in_sequence and reads < MAX_READS and select([self.fileno()], [], [], READ_GAP)[0]:
                keys += self._decoder.feed(self.stdin_reader.read(LONG_READ), continues=True)
                reads += 1
        return self._guard.admit(keys)

    def read_keys(self) -> list[KeyPress]:
        self._take(self.read())
        return []

    def flush_keys(self) -> list[KeyPress]:
        """Take the keys that were complete only because no input followed."""
        self._take(self._guard.admit(self._decoder.flush()))
        return []
