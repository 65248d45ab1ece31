"""A terminal's input as keys: the one place where bytes become keys.

Escape and a character in one read is an Alt key. A complete control sequence is a key, the mouse, a paste or, if it
means nothing here, nothing: a terminal's reply to a question of another program must not play a card."""

import re
import sys
from collections.abc import Callable
from time import monotonic

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

ESCAPE = "\x1b"
SEQUENCE = (
    "\x1b+(?:"
    "\\[\\[[@-~]"  # a function key of the Linux console
    "|\\[M[^\0-\x1f]{3}"  # the mouse in its oldest form
    "|\\[(?![M[])[0-?]*[ -/]*[@-~]"  # CSI
    "|O[0-?]*[@-~]"  # SS3
    "|[]PX^_][^\0-\x1f\x7f-\x9f]*(?:\x1b\\\\|\a|\x9c)"  # OSC, DCS, SOS, PM, APC, each with its terminator
    ")"
)
"""A complete control sequence; with two Escapes the Alt key was held."""
INCOMPLETE = "\x1b+(?:\\[(?:\\[|M[^\0-\x1f]{0,2}|(?![M[])[0-?]*[ -/]*)|O[0-?]*|[]PX^_][^\0-\x1f\x7f-\x9f]*\x1b?)?"
"""The beginning of a control sequence."""
PASTE, PASTE_END = "\x1b[200~", "\x1b[201~"
MOUSE = "\x1b\\[<(\\d{1,4});(\\d{1,4});(\\d{1,4})([Mm])"
"""The mouse: button, column, row, and ``M`` for a press or ``m`` for a release."""
KEY_CODE = "\x1b\\[(\\d+)(?::(\\d*))?[\\d:]*(?:;(\\d*)(?::(\\d+))?(?:;([\\d:]+))?)?u"
"""A key of the kitty protocol: code, code with Shift, modifiers, kind of event, and text."""
OTHER_KEY = "\x1b\\[27;(\\d+);(\\d+)~"
"""A key of the modifyOtherKeys protocol: modifiers and code."""
MODIFIED = "\x1b\\[(\\d+)?(?:;(\\d+)(?::(\\d+))?)([~A-HP-S])"
"""A special key with modifiers and, of the kitty protocol, the kind of event."""
SHIFT, ALT, CTRL, CAPS_LOCK, NUM_LOCK = 1, 2, 4, 64, 128
"""The bits of modifiers."""
RELEASED = "3"
KEYPAD = dict(zip(range(57399, 57417), map(ord, "0123456789./*-+\r=,"), strict=True))
"""The keys of the number pad in the kitty protocol, as characters."""
PAD_KEYS = dict(zip(range(57417, 57427), ["[D", "[C", "[A", "[B", "[5~", "[6~", "[H", "[F", "[2~", "[3~"], strict=True))
"""The same keys without Num Lock, as sequences after Escape."""
ALT_KEYS: dict[str, Keys] = {
    **dict.fromkeys(("b", "B", Keys.Left), Keys.ControlLeft),
    **dict.fromkeys(("f", "F", Keys.Right), Keys.ControlRight),
    **dict.fromkeys(("d", "D", Keys.Delete), Keys.ControlDelete),
    **dict.fromkeys(("\x7f", "\b"), Keys.ControlW),
}
"""The keys that move by words or delete words in a text field, by the keys that do so with Alt. Others do nothing."""
KEY_GAP = 0.3
"""Seconds without a key press before a key opens a hand-over, which has been shut for some time from its appearing."""
CHANGE_QUIET = 0.25
"""Seconds for which keys are ignored after the picture has changed without a key."""
REPEAT_GAP = 0.12
"""The most seconds between two automatic repeats of a key."""
ESCAPE_DELAY = 0.05
"""Seconds after which an Escape counts as the Escape key and not as the beginning of a longer code."""
READ_GAP = 1.0
"""Seconds without input after which an unfinished paste or sequence is discarded."""
LONGEST_SEQUENCE = 1 << 12
"""The most characters that are kept of an unfinished sequence or paste."""


class KeyDecoder:
    """Turns the text that is read into key presses. A sequence may be split over several reads."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._read_time = 0.0
        self._unread = ""
        """The beginning of a sequence or paste."""

    def feed(self, text: str, continues: bool = False) -> list[KeyPress]:
        """Return the keys that are complete with ``text``. If it ``continues`` the text before, no Escape is alone."""
        gap, self._read_time = self._clock() - self._read_time, self._clock()
        keys = self.flush() if gap > ESCAPE_DELAY and not continues else []
        unread = (self._unread if gap <= READ_GAP else "") + text
        while unread:
            if unread.startswith(PASTE):
                pasted, end, rest = unread.removeprefix(PASTE).partition(PASTE_END)
                if not end:
                    unread = PASTE + pasted[:LONGEST_SEQUENCE] + pasted[LONGEST_SEQUENCE:][1 - len(PASTE_END) :]
                    break
                keys.append(KeyPress(Keys.BracketedPaste, pasted))
                unread = rest
            elif found := re.match(SEQUENCE, unread):
                is_paste = found[0].endswith(PASTE)
                keys += [] if is_paste else keys_of_sequence(found[0])
                unread = unread[found.end() - is_paste * len(PASTE) :]
            elif found := re.match(INCOMPLETE, unread):
                if found.end() == len(unread):
                    break
                is_alt = set(found[0]) == {ESCAPE}  # with the character after it
                is_cut_off = not is_alt and found[0].endswith(ESCAPE)  # by the next sequence
                unread = unread[found.end() - is_cut_off :]
                if is_alt and unread[0] not in "\x03\x1a":  # Ctrl-C and Ctrl-Z always count
                    keys += _alt(unread[0])
                    unread = unread[1:]
            else:
                keys += key_of_character(unread[0])
                unread = unread[1:]
        if len(unread) > LONGEST_SEQUENCE and not unread.startswith(PASTE):  # its meaning is lost, but not its end
            unread = unread[:3] + ESCAPE * unread.endswith(ESCAPE)
        self._unread = unread
        return keys

    @property
    def is_in_sequence(self) -> bool:
        return bool(self._unread) and not self._unread.startswith(PASTE)

    def flush(self) -> list[KeyPress]:
        """Return the Escape key if only Escape was read. Another unfinished pair of characters was an Alt key."""
        unread = self._unread
        is_escape = set(unread) == {ESCAPE}
        if is_escape or len(unread) == 2:
            self._unread = ""
        return [KeyPress(Keys.Escape, ESCAPE) for _ in unread if is_escape]


def typed_text(line: str) -> str:
    """The printable text that the keys of a line have typed or pasted."""
    return "".join(press.data for press in KeyDecoder().feed(line) if press.data.isprintable())


def key_of_character(character: str) -> list[KeyPress]:
    """The key that types a character; none for a control character of eight bits, or a byte that is no character."""
    if "\x7f" < character < "\xa0" or "\ud800" <= character <= "\udfff":
        return []
    key = ANSI_SEQUENCES.get(character, character)
    return [] if isinstance(key, tuple) else [KeyPress(key, character)]


def keys_of_sequence(sequence: str) -> list[KeyPress]:
    """The key that a complete control sequence stands for, if any."""
    if sequence.startswith(ESCAPE * 2):
        return [alt for press in keys_of_sequence(ESCAPE + sequence.lstrip(ESCAPE)) for alt in _alt(press.key)]
    if re.fullmatch(MOUSE, sequence):
        return [KeyPress(Keys.Vt100MouseEvent, sequence)]
    if found := re.fullmatch(KEY_CODE, sequence):
        code, shifted, modifiers, kind, text = found.groups()
        return [] if kind == RELEASED else _coded_key(int(code), int(modifiers or 1) - 1, shifted, text)
    if found := re.fullmatch(OTHER_KEY, sequence):
        return _coded_key(int(found[2]), int(found[1]) - 1)
    if found := re.fullmatch(MODIFIED, sequence):
        number, modifiers, kind, final = found.groups("")
        if kind == RELEASED:
            return []
        held = (int(modifiers or 1) - 1) % CAPS_LOCK  # without the locks
        number = "" if number == "1" and not held and final != "~" else number
        sequence = f"{ESCAPE}[{number}{f';{held + 1}' if held else ''}{final}"
    key = ANSI_SEQUENCES.get(sequence, Keys.Ignore)
    if isinstance(key, tuple):
        return _alt(key[-1]) if key[0] is Keys.Escape else []
    return [] if key in (Keys.Ignore, Keys.BracketedPaste) else [KeyPress(key, sequence)]


def _alt(key: str) -> list[KeyPress]:
    """The key that does in a text field what Alt with this key does, if any."""
    return [KeyPress(ALT_KEYS[key], "")] if key in ALT_KEYS else []


def _coded_key(code: int, modifiers: int, shifted: str | None = None, text: str | None = None) -> list[KeyPress]:
    """The key with a character's code and modifiers. ``shifted``, ``text``: codes with Shift, and of the text."""
    held = modifiers & ~(CAPS_LOCK | NUM_LOCK | SHIFT)
    character = _character(KEYPAD.get(code, code))
    if code in PAD_KEYS:
        return [] if held or modifiers & SHIFT else keys_of_sequence(ESCAPE + PAD_KEYS[code])
    if held == ALT:
        return _alt(character)
    if held == CTRL:
        control = character.upper() or "?"
        return key_of_character(chr(ord(control) - 64)) if "@" <= control <= "_" else []
    if held or not character:
        return []
    if text:
        character = _character(int(text.partition(":")[0]))
    elif modifiers & (SHIFT | CAPS_LOCK):
        character = _character(int(shifted)) if shifted and modifiers & SHIFT else character.upper()[:1]
    return key_of_character(character) if character else []


def _character(code: int) -> str:
    """The character with a code; empty if it is no text, as the kitty protocol has further keys there."""
    return chr(code) if code < 128 or (code <= sys.maxunicode and chr(code).isprintable()) else ""
