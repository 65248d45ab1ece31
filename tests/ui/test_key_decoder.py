"""Bytes as keys: key presses are told from what else a terminal sends, however the bytes are split."""

import os
import tty
from itertools import count
from select import select

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.ui.screens.key_decoder import ESCAPE_DELAY, KeyDecoder, typed_text
from cardgames.ui.screens.key_guard import GuardedInput, KeyGuard

REPLIES = (
    "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",  # the colour of the background
    "\x1b]10;rgb:0000/0000/0000\a",
    "\x1b[?62;22c",  # the kind of terminal
    "\x1b[>1;10;0c",
    "\x1b[24;80R",  # the place of the cursor
    "\x1b[8;24;80t",  # the size of the window
    "\x1b[?2026;2$y",  # a mode
    "\x1bP1$r0m\x1b\\",  # a setting
    "\x1bP>|XTerm(379)\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",  # kitty's graphics
    "\x1b[?0u",  # kitty's keyboard
    "\x1b[I",  # focus
    "\x1b[O",
    "\x1b[31m",
    "\x1b[M !!",  # the mouse as other programs want it
    "\x1b[0;35;12M",
    "\x1b[57358u",  # Caps Lock
    "\x1b[97;1:3u",  # a key that was released
    "\x1b[1;1:3B",
    "\x1b[97;9u",  # with Super
    "\x1bOq\x1bOz",
)
"""Sequences that are no key presses."""

CODED = {
    "\x1b[99;5u": Keys.ControlC,
    "\x1b[99;133u": Keys.ControlC,  # with Num Lock
    "\x1b[27;5;99~": Keys.ControlC,
    "\x1b[122;5u": Keys.ControlZ,
    "\x1b[27u": Keys.Escape,
    "\x1b[13u": Keys.ControlM,
    "\x1b[13;2u": Keys.ControlM,
    "\x1b[57414u": Keys.ControlM,
    "\x1b[127u": Keys.Backspace,
    "\x1b[97u": "a",
    "\x1b[97;2u": "A",
    "\x1b[97;65u": "A",
    "\x1b[55:47;2u": "/",
    "\x1b[107;2;75u": "K",
    "\x1b[27;2;75~": "K",
    "\x1b[57406u": "7",
    "\x1b[57420u": Keys.Down,
    "\x1b[1;1:1A": Keys.Up,
    "\x1b[1;129C": Keys.Right,
    "\x1b[5;1:2~": Keys.PageUp,
    "\x1b[A": Keys.Up,
    "\x1bOA": Keys.Up,
    "\x1b[[A": Keys.F1,
    "\r": Keys.ControlM,
    "é": "é",
    "日": "日",
}
ALT = {
    "\x1bb": Keys.ControlLeft,
    "\x1b[1;3D": Keys.ControlLeft,
    "\x1b\x1b[C": Keys.ControlRight,
    "\x1b\x7f": Keys.ControlW,
}


def keys(*reads: str, flushed: bool = True) -> list[str]:
    """The keys of texts that are read one after another, and of the rest if nothing follows."""
    decoder = KeyDecoder(lambda: 0.0)
    presses = [press for text in reads for press in decoder.feed(text)]
    return [press.key for press in [*presses, *(decoder.flush() if flushed else ())]]


@pytest.mark.parametrize("reply", REPLIES)
def test_replies_of_a_terminal_are_no_keys(reply: str) -> None:
    for split in range(len(reply)):
        assert keys(reply[:split], reply[split:], "x") == ["x"]


@pytest.mark.parametrize(("sequence", "key"), CODED.items())
def test_codes_mean_the_keys_they_name(sequence: str, key: str) -> None:
    for split in range(len(sequence)):
        assert keys(sequence[:split], sequence[split:]) == [key]


def test_escape_and_a_character_in_one_read_is_an_alt_key() -> None:
    for letter in "aceghijklmnopqrstuvwxyz?1\r ":
        assert keys(f"\x1b{letter}é") == ["é"]
    for sequence, key in ALT.items():
        assert keys(sequence) == [key]
    assert keys("\x1b[3;3~") == keys("\x1bd") == [Keys.ControlDelete]
    assert keys("\x1bO") == keys("\x1b[") == keys("\x1b\x1b[A") == []
    assert keys("\x1b") == [Keys.Escape]
    assert keys("\x1b\x03") == [Keys.ControlC]


def test_escape_alone_is_the_escape_key() -> None:
    decoder = KeyDecoder(lambda: 0.0)
    assert not decoder.feed("\x1b")
    assert [press.key for press in decoder.flush()] == [Keys.Escape]
    assert [press.key for press in decoder.feed("b")] == ["b"]


def test_keys_that_are_read_slowly_stay_whole() -> None:
    """A read of 1,024 bytes ends within the Escape of an arrow key, and long after it the keys of the next one come."""
    leader, follower = os.openpty()
    tty.setraw(follower)
    with open(leader, "wb", buffering=0) as typed, open(follower, encoding="utf-8") as terminal:
        typed.write(b"\x1b[B" * 1000)
        read: list[KeyPress] = []
        found = GuardedInput(terminal, KeyGuard(), read.extend)
        found._decoder = KeyDecoder(count(step=10 * ESCAPE_DELAY).__next__)
        while select([terminal], [], [], 0)[0]:
            found._guard = KeyGuard(count().__next__)  # that held none of the others back
            found.read_keys()
        assert {press.key for press in read} == {Keys.Down}


def test_a_paste_is_one_press_and_an_unfinished_one_is_forgotten() -> None:
    now = 0.0
    decoder = KeyDecoder(lambda: now)
    assert not decoder.feed("\x1b\x1b[200~q\x1b[31mq" + "q" * 9999)
    (press,) = decoder.feed("\r\x1b[201~")
    assert press.key == Keys.BracketedPaste
    assert press.data.startswith("q\x1b[31mq")
    assert not decoder.feed("\x1b[200~q")
    now = 0.9
    assert not decoder.feed("q")
    now = 2.0
    assert [press.key for press in decoder.feed("q")] == ["q"]
    assert not decoder.feed("\x1b]1" + "1" * 9999)
    assert not decoder.feed("1\x1b")
    assert [press.key for press in decoder.feed("\\q")] == ["q"]


PIECES = st.sampled_from(
    [*REPLIES, *CODED, *ALT, "\x1b", "[", "]", "P", "\a", "\x1b[200~", "\x1b[201~", "\x1b[<0;1;1M"]
)


@given(
    st.lists(PIECES | st.text(max_size=4) | st.binary(max_size=4).map(lambda data: data.decode("latin-1"))), st.data()
)
def test_reads_may_end_anywhere(pieces: list[str], data: st.DataObject) -> None:
    """Any text becomes keys that prompt_toolkit knows, the same however it is split."""
    text = "".join(pieces)
    at = data.draw(st.integers(0, len(text)))
    assert keys(text[:at], text[at:], flushed=False) == keys(text, flushed=False)
    assert keys(*text, flushed=False) == keys(text, flushed=False)
    assert typed_text(text).isprintable()
