"""A journal that asks the players whether to retry while another program writes to the store."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from cardgames.engine.game import Message, Outcome
from cardgames.match import Journal, JournalPosition, News
from cardgames.store import StoreBusy
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings

T = TypeVar("T")


def store_error_text(words: Words, settings: Settings, reason: Message) -> str:
    """A store error as text. Guests do not see the store's address."""
    if not settings.store:
        return words.text("store_out_of_reach")
    return words.say(Message("reason." + reason.key, reason.args))


class PatientJournal:
    """A :class:`Journal` that asks the players whether to retry while the store is busy.

    Its methods raise :class:`StoreBusy` if the players decline, or if another question is open."""

    def __init__(self, journal: Journal, screen: Screen, words: Words, settings: Settings) -> None:
        self._journal = journal
        self._screen = screen
        self._words = words
        self._settings = settings

    def read(self, after: JournalPosition) -> News:
        return self.persist(lambda: self._journal.read(after))

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        self.persist(lambda: self._journal.append(after, by, act, scores, outcome))

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        self.persist(lambda: self._journal.undo(after, to_ply, by, scores))

    def persist(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the store and return its value; retry while the store is busy and the players agree."""
        while True:
            try:
                return work()
            except StoreBusy as error:
                if self._screen.busy or not self._wants_retry(error.reason):  # busy: no question can be asked
                    raise

    def _wants_retry(self, reason: Message) -> bool:
        """Show the error on a page without cards; ask whether to retry, and return the answer."""
        why = store_error_text(self._words, self._settings, reason)
        text = self._words.text
        draw = titled_page(self._settings, text("title"), [text("busy", text=why)])
        offers = [Offer(True, text("busy_again")), Offer(False, text("busy_leave"))]
        self._screen.discard_typed()
        return bool(self._screen.choose(draw, text("busy_ask"), offers, {}, text("busy_keys")))
