"""A journal that retries while another program is writing to the store."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from cardgames.engine.game import Outcome, Reason
from cardgames.match import Journal, JournalPosition, News
from cardgames.store import StoreBusy
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings
from cardgames.ui.titled_page import titled_page

T = TypeVar("T")


def store_error_text(words: Words, settings: Settings, reason: Reason) -> str:
    """Why the store cannot be used, as a text; guests are not told where it is."""
    if not settings.store:
        return words.text("store_out_of_reach")
    return words.say(Reason("reason." + reason.key, reason.args))


class PatientJournal:
    """A journal in the store whose people are asked whether to try again where another program is in the way.

    It raises :class:`StoreBusy` only if somebody does not want to, or where something is asked already.
    """

    def __init__(self, journal: Journal, screen: Screen, words: Words, settings: Settings) -> None:
        self._journal = journal
        self._screen = screen
        self._words = words
        self._settings = settings

    def read(self, after: JournalPosition) -> News:
        """See :class:`Journal`."""
        return self.persist(lambda: self._journal.read(after))

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        """See :class:`Journal`."""
        self.persist(lambda: self._journal.append(after, by, act, scores, outcome))

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """See :class:`Journal`."""
        self.persist(lambda: self._journal.undo(after, to_ply, by, scores))

    def persist(self, work: Callable[[], T]) -> T:
        """Do what reads or writes the store, as often as people want it tried again."""
        while True:
            try:
                return work()
            except StoreBusy as error:
                if self._screen.busy or not self._try_again(error.reason):
                    raise

    def _try_again(self, reason: Reason) -> bool:
        """Say what is in the way, with no card in view, and ask whether to try again."""
        why = store_error_text(self._words, self._settings, reason)
        draw = titled_page(self._settings, self._words.text("title"), [self._words.text("busy", text=why)])
        offers = [Offer(True, self._words.text("busy_again")), Offer(False, self._words.text("busy_leave"))]
        self._screen.forget_typed()
        foot = self._words.text("busy_keys")
        return bool(self._screen.choose(draw, self._words.text("busy_ask"), offers, {}, foot))
