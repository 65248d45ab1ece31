"""A match that stays on the table while another program is writing into the store."""

from collections.abc import Callable, Sequence

from cardgames.engine.game import Outcome, Reason
from cardgames.store import MatchLock, StoreBusy
from cardgames.ui.messages import Words
from cardgames.ui.new_match import headed
from cardgames.ui.screens.full_screen import Offer, Screen
from cardgames.ui.screens.line_screen import PlainScreen
from cardgames.ui.settings import Settings


class PatientJournal:
    """The journal of a match, as its lock writes it; asks whether to try again where another program is in the way."""

    def __init__(self, lock: MatchLock, screen: Screen | PlainScreen, words: Words, settings: Settings) -> None:
        self._lock = lock
        self._screen = screen
        self._words = words
        self._settings = settings

    def append(self, ply: int, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None) -> None:
        """Keep one action; raises :class:`StoreBusy` if somebody does not want to try again."""
        self._write(lambda: self._lock.append(ply, by, act, scores, outcome))

    def undo(self, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Take the actions after ``to_ply`` out of the record; raises :class:`StoreBusy` as :meth:`append` does."""
        self._write(lambda: self._lock.undo(to_ply, by, scores))

    def _write(self, write: Callable[[], object]) -> None:
        while True:
            try:
                write()
            except StoreBusy as error:
                if not self._try_again(error.reason):
                    raise
            else:
                return

    def _try_again(self, reason: Reason) -> bool:
        """Say why nothing could be written, with no card in view, and ask whether to try again."""
        why = self._words.say(Reason("reason." + reason.key, reason.args))
        draw = headed(self._settings, self._words.text("title"), [self._words.text("busy", text=why)])
        offers = [Offer(True, self._words.text("busy_again")), Offer(False, self._words.text("busy_leave"))]
        self._screen.forget_typed()
        foot = self._words.text("busy_keys")
        return bool(self._screen.choose(draw, self._words.text("busy_ask"), offers, {}, foot))
