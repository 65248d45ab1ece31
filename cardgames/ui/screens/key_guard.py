"""Protection against accidental keys: pressed twice, held down, or typed before the picture that they would answer.

The guard stands between the terminal's input and the current question. It drops keys that cannot have been meant for
the current picture and delays the keys of the foot. Ctrl-C and Ctrl-Z always pass."""

from collections.abc import Callable
from time import monotonic

from prompt_toolkit.input import Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.ui.screens.offers import FOOT, plain_key

CHANGE_QUIET = 0.25
"""Seconds for which keys are ignored after the picture has changed without a key."""
REPEAT_DELAY = 1.2
"""Seconds after a key within which the next one may be its first automatic repeat."""
REPEAT_GAP = 0.12
"""The most seconds between two automatic repeats of a key."""
CLOCKS_DIFFER = 0.005
"""Seconds by which a timer may run out early by the clock."""
PASTE_GAP = 1.0
"""Seconds without input after which an unfinished paste is given up."""

ALWAYS = (Keys.ControlC, Keys.ControlZ, Keys.CPRResponse)
"""Keys that always pass: those that end or stop the program, and reports of the terminal."""
TAKING_BACK = (Keys.Backspace, Keys.ControlU)
"""Keys that only erase typed text, and so are meant for the current question."""


class KeyGuard:
    """The filter that decides which keys are meant for the current picture. Times are seconds of ``clock``."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._pressed_at = float("-inf")
        """The time of the last key, whether it counted or not."""
        self._pressed: KeyPress | None = None
        """The last key that counted."""
        self._answer: KeyPress | None = None
        """The key that answered the last question, until another one is pressed."""
        self._shown_at = float("-inf")
        self._still = 0.0
        self._quiet = 0.0
        self._unseen = False
        """Whether the present run of keys without a pause began before the present picture was shown."""
        self._held_back: list[KeyPress] = []
        self.held_back: Callable[[], object] = lambda: None
        """Called when a key is held back; :meth:`confirmed` is to be asked ``REPEAT_GAP`` seconds later."""
        self._waiting: list[KeyPress] = []
        self.waits: Callable[[], object] = lambda: None
        """Called when a key begins to wait; :meth:`released` is to be asked after :meth:`due` seconds."""

    def picture_changed(self, still: float = CHANGE_QUIET, unseen: bool = False) -> None:
        """Ignore keys for ``still`` seconds because the picture has changed without a key.

        With ``unseen`` each ignored key starts the time anew: the person typing has not looked up yet."""
        self._shown_at, self._still, self._unseen = self._clock(), still, unseen

    def new_question(self, quiet: float = 0.0) -> None:
        """Start a question. With ``quiet`` a key counts only after that many seconds without a key press."""
        self._answer, self._quiet = self._pressed, quiet
        held, self._held_back = self._held_back, []
        if quiet:
            self.picture_changed(quiet)
        for press in held:
            self.wait(press)

    def now(self) -> float:
        """The time of the guard's clock."""
        return self._clock()

    def idle(self, since: float) -> float:
        """Seconds since the last key, or since ``since`` if that is later."""
        return self._clock() - max(self._pressed_at, since)

    def admit(self, presses: list[KeyPress]) -> list[KeyPress]:
        """The keys that count now. A key that may be a repeat is held back for :meth:`confirmed`."""
        admitted = []
        for press in presses:
            if press.key in ALWAYS:
                admitted.append(press)
                continue
            now = self._clock()
            gap, self._pressed_at = now - self._pressed_at, now
            if self._held_back:  # the next key came too soon: both are repeats
                held, self._held_back = self._held_back, []
                if held[0].data != press.data:
                    for other in (*held, press):
                        self.wait(other)
                continue
            if now - self._shown_at < self._still or gap < self._quiet:
                self._shown_at = now if self._unseen else self._shown_at
                admitted.extend([press] if press.key in TAKING_BACK else [])
                self.wait(press)
                continue
            admitted += self.released()
            if gap >= REPEAT_DELAY or not (self._quiet or self._answers_again(press)):
                admitted.append(self._count(press))
            elif gap >= REPEAT_GAP:
                self._held_back.append(press)
                self.held_back()
        return admitted

    def _answers_again(self, press: KeyPress) -> bool:
        """Whether a key repeats the one that answered the last question."""
        return self._answer is not None and (press.key, press.data) == (self._answer.key, self._answer.data)

    def _count(self, press: KeyPress) -> KeyPress:
        self._pressed, self._answer = press, None
        return press

    def wait(self, press: KeyPress) -> None:
        """Keep a key of the foot, once, until keys count again; drop any other."""
        if plain_key(press.data) in FOOT and press.data not in [other.data for other in self._waiting]:
            self._waiting.append(press)
            self.waits()

    def due(self) -> float:
        """Seconds until waiting keys may count; 0 if they may now."""
        shown, pressed = self._shown_at + self._still, self._pressed_at + self._quiet
        return max(0.0, max(shown, pressed) - self._clock())

    def released(self) -> list[KeyPress]:
        """The waiting keys, if they may count now."""
        if not self._waiting or self.due() > CLOCKS_DIFFER:
            return []
        found, self._waiting = [self._count(press) for press in self._waiting], []
        return found

    @property
    def has_waiting(self) -> bool:
        """Whether any key waits."""
        return bool(self._waiting)

    def confirmed(self) -> list[KeyPress]:
        """The held-back key, if no other followed within ``REPEAT_GAP`` seconds."""
        if not self._held_back or self._clock() - self._pressed_at < REPEAT_GAP - CLOCKS_DIFFER:
            return []
        found, self._held_back = [self._count(press) for press in self._held_back], []
        return found


def guarded(source: Input, guard: KeyGuard) -> Input:
    """Make an input pass on only the keys that a guard admits; return it."""
    read, flush, parser = source.read_keys, source.flush_keys, getattr(source, "vt100_parser", None)
    read_at = 0.0

    def read_keys() -> list[KeyPress]:
        """The new keys that count. A paste that never ended is given up when further input comes."""
        nonlocal read_at
        now = monotonic()
        if getattr(parser, "_in_bracketed_paste", False) and now - read_at > PASTE_GAP:
            parser.reset()  # type: ignore[union-attr]  # only a parser can be in a paste
        read_at = now
        return guard.admit(read())

    source.read_keys = read_keys  # type: ignore[method-assign]
    source.flush_keys = lambda: guard.admit(flush())  # type: ignore[method-assign]
    return source
