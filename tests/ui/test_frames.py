"""A key brings one frame, and a frame is one write: nothing half drawn is ever on the screen."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from cardgames.engine.game import OFFERED
from cardgames.match import PlayerLeft, play
from cardgames.ui.messages import Words
from cardgames.ui.screens.alternate_screen import FRAME_BEGINS, FRAME_ENDS
from cardgames.ui.screens.full_screen import FullScreen
from cardgames.ui.screens.key_guard import KeyGuard
from cardgames.ui.settings import Settings
from tests.games import expected
from tests.ui.stills import Match
from tests.ui.terminal import ENTER, POINTER
from tests.ui.test_full_screen import stdin_of
from tests.ui.without_guard import admit_all

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

KEYS = (ENTER, "X", "l", ENTER, "q")
"""To see one's hand, type what fits nothing, look at the last trick and come back, and be asked about leaving."""

BEGINS, ENDS = FRAME_BEGINS.encode(), FRAME_ENDS.encode()


class Terminal(io.RawIOBase):
    """A terminal to write to, at which somebody presses one key after each write."""

    def __init__(self, size: Size, pipe: PipeInput) -> None:
        self.keys: Iterator[str] = iter(())
        self.views: list[list[str]] = []
        """The screen after each write since there are keys to press."""
        self.whole = True
        """Whether every write says where its frame begins and ends."""
        self._pipe = pipe
        self._screen = pyte.Screen(size.columns, size.rows)
        self._stream = pyte.ByteStream(self._screen)

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        self.whole = self.whole and bytes(data).startswith(BEGINS) and bytes(data).endswith(ENDS)
        self._stream.feed(bytes(data))
        if (key := next(self.keys, None)) is not None:
            self.views.append([line.rstrip() for line in self._screen.display])
            self._pipe.send_text(key)
        return memoryview(data).nbytes


@contextmanager
def somebody_at(game: str, size: Size) -> Iterator[tuple[Terminal, Callable[[], object]]]:
    """The terminal at which a match of the records is played on, and what lets it go on."""
    record = expected(game).screens[game]
    match = Match.read(record.name)
    choices = [len(match.game.legal_actions(state)) for state in match.states]
    turn = next(ply for ply in range(record.moments["mid-game"][1], len(choices)) if choices[ply] > 1)
    words = Words("en", game, match.header.names or ())
    with create_pipe_input() as pipe:
        terminal = Terminal(size, pipe)
        output = io.TextIOWrapper(io.BufferedWriter(terminal), encoding="utf-8")
        with FullScreen(words, Settings(), stdin=stdin_of(pipe), output=output, size=lambda: size) as screen:
            table = match.table(screen, turn, Settings())
            yield terminal, lambda: play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))


@pytest.mark.parametrize("size", [Size(rows=24, columns=80), Size(rows=50, columns=150)], ids=str)
@pytest.mark.parametrize("game", OFFERED)
def test_a_frame_is_one_write(game: str, size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KeyGuard, "admit", admit_all)
    with somebody_at(game, size) as (terminal, go_on):
        terminal.keys = iter((*KEYS, "q", "q"))
        with pytest.raises(PlayerLeft):
            go_on()
        assert terminal.whole
        hand_over, turn, typed, last, back, *_, leave = terminal.views
        for view in terminal.views:
            assert "match 1" in view[0]
            assert view[-1]
        for view in (hand_over, turn, typed, back, leave):
            assert sum(POINTER in line for line in view) == 1
        assert any("nobody else is looking" in line for line in hand_over)
        assert "what just happened" in last[0]
        assert typed == back != turn
        assert any("Save and leave?" in line for line in leave)
