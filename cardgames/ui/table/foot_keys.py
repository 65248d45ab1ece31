"""The pages that keys at the foot open, which show no hand, and the question whether to leave the match."""

from collections.abc import Callable, Sequence

from cardgames.engine.game import CHANCE
from cardgames.match import PlayerLeft
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import ESCAPE, Draw, Key, Offer, Picture, Pictures, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import View

STAND_IN = "fair"
"""The level of the computer that plays for an absent player."""


class MatchPages:
    """The pages about a match: rules, score sheet and last events."""

    def __init__(self, screen: Screen, view: View, viewer: int, match_notes: MatchNotes | None = None) -> None:
        """``viewer``: the seat of the only person here, or 0 to show public information only.

        ``match_notes``: the notes for the rules page and the score sheet, if the match is stored."""
        self._screen = screen
        self._view = view
        self._match = view.match
        self._viewer = viewer
        self._match_notes = match_notes

    def open(self, key: Key) -> None:
        """Show the page of a key: rules, score sheet or last events. Other keys do nothing."""
        if key is Key.RULES:
            self._show_rules()
        elif key is Key.SHEET:
            notes = (self._match_notes.tally(), self._match_notes.notes()) if self._match_notes else ()
            self._screen.show(lambda width, rows: self._view.sheet(width, *notes))
        elif key is Key.LAST:
            self._show_last()

    def _show_rules(self) -> None:
        """Show the rules page, opened at the clause about the present state. The commitment, if any, stands above.

        While a notice about the commitment is in view, the page opens at its start instead."""
        from cardgames.ui.render.spoken import rules

        page, words = rules(self._view.game.NAME, self._view.settings), self._view.words
        explains_commitment = any(message.key == "promise_line" for _, message in self._view.notices)
        clause = "" if explains_commitment else self._view.scene(self._match.observation(CHANCE)).clause
        commitment = [*map(words.say, self._match_notes.commitment_messages())] if self._match_notes else []
        above = titled_page(self._view.settings, self._view.title, [*commitment, ""]) if commitment else lambda *_: ""
        self._screen.show(lambda width, rows: above(width, rows) + page(width, rows), clause)

    def _show_last(self) -> None:
        """Show the last events and, after a further key, the table after each action as this terminal saw it."""
        steps = tuple(self._match.steps)
        text = self._view.words.text
        keys = "page_keys_last" if steps else "page_keys"
        if not self._screen.show(lambda width, rows: self._view.last_page(width), latest=bool(steps), keys=keys):
            return

        def draw(index: int) -> Picture:
            title = text("step_title", title=self._view.title, number=index + 1, count=len(steps))
            return self._view.pause_picture(steps[index], self._viewer, title)

        deals = [index for index, step in enumerate(steps) if self._match.game.deal_over(step.after)]
        seat = self._viewer or self._match.to_act  # 0: several people, so the seat to act
        last = len(steps) - 1
        last_own_step = next((index for index in range(last, -1, -1) if steps[index].by == seat), last)
        # Begin with the first action after the last own one.
        self._screen.step(Pictures(draw, last, deals, min(last_own_step + 1, last)), keys="step_keys_last")


class OpenSettings(Exception):
    """Raised to change settings and then continue the match."""


class SwitchSeat(Exception):
    """Raised when a person hands their ``seat`` to a stand-in, or takes the seat back."""

    def __init__(self, seat: int) -> None:
        self.seat = seat


def ask_to_leave(
    screen: Screen, words: Words, draw: Draw, prefix: str = "leave", switches: Callable[[], Sequence[Offer]] = tuple
) -> None:
    """Ask under a picture whether to leave. The keys of the messages begin with ``prefix``.

    Raises :class:`PlayerLeft` to leave, and :class:`OpenSettings` to change settings. ``switches`` returns further
    offers, whose values are :class:`SwitchSeat` errors to raise."""
    offers = [Offer(True, words.text(f"{prefix}_yes")), Offer(False, words.text(f"{prefix}_no"))]
    if words.knows(f"{prefix}_settings"):
        offers.append(Offer(OpenSettings, words.text(f"{prefix}_settings")))
    offers += switches()
    keys = {"q": True, ESCAPE: False}
    answer = screen.choose(draw, words.text(f"{prefix}_ask"), offers, keys, words.text("leave_keys"))
    if answer is True:
        raise PlayerLeft
    if answer is OpenSettings or isinstance(answer, SwitchSeat):
        raise answer
