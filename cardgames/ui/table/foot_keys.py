"""The keys at the foot that answer no question: for pages, and to leave. None of the pages shows a hand."""

from collections.abc import Callable, Sequence

from cardgames.engine.game import CHANCE
from cardgames.match import PlayerLeft
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import ESCAPE, Draw, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import View

STAND_IN = "fair"
"""The level of stand-ins."""


class MatchPages:
    """The pages about a match: rules, score sheet and last events."""

    def __init__(self, screen: Screen, view: View, eyes: int, book: MatchNotes | None = None) -> None:
        """``eyes`` is the seat of a person who plays alone here; with 0 the pages show what is public.

        ``book`` has the notes for the score sheet."""
        self._screen = screen
        self._view = view
        self._match = view.match
        self._eyes = eyes
        self._book = book

    def open(self, key: Key) -> None:
        """Show the page of a key, if it has one."""
        if key is Key.RULES:
            from cardgames.ui.render.spoken import rules

            page = rules(self._view.game.NAME, self._view.settings)
            promised = [self._view.words.say(message) for message in self._book.promised()] if self._book else []
            above = titled_page(
                self._view.settings, self._view.title, [*promised, self._view.words.text("promise_word"), ""]
            )
            tells_more = any(message.key == "promise_line" for message in self._view.said)
            self._show(
                (lambda width, rows: above(width, rows) + page(width, rows)) if promised else page,
                "" if tells_more else self._view.layout.scene(self._match.observation(CHANCE)).clause,
            )
        elif key is Key.SHEET:
            notes = (self._book.tally(), self._book.notes()) if self._book else ()
            self._show(lambda width, rows: self._view.sheet(width, *notes))
        elif key is Key.LAST:
            self._last()

    def _last(self) -> None:
        """Show the last events, and on request the table after each action as this terminal saw it."""
        from cardgames.ui.screens.stepper import Pictures

        steps = tuple(self._match.steps)
        text = self._view.words.text
        keys = text("page_keys_last" if steps else "page_keys")
        if not self._screen.show(lambda width, rows: self._view.last(width), keys, latest=bool(steps)):
            return

        def draw(place: int) -> Draw:
            title = text("step_title", title=self._view.title, number=place + 1, count=len(steps))
            return self._view.resting(steps[place], self._eyes, title)

        deals = [place for place, step in enumerate(steps) if self._match.game.deal_over(step.after)]
        whose = self._eyes or self._match.to_act
        last = len(steps) - 1
        acted = next((place for place in range(last, -1, -1) if steps[place].by == whose), last)
        self._screen.step(Pictures(draw, last, deals, min(acted + 1, last)), text("step_keys_last"))

    def _show(self, draw: Draw, clause: str = "") -> None:
        self._screen.show(draw, self._view.words.text("page_keys"), clause)


class SettingsWanted(Exception):
    """Somebody wants to change settings and then continue."""


class SeatHanded(Exception):
    """Somebody hands their seat to a computer, or takes it back."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


def ask_to_leave(
    screen: Screen,
    words: Words,
    draw: Draw,
    about: str = "leave",
    handing: Callable[[], Sequence[Offer]] = tuple,
) -> None:
    """Ask under a picture whether to leave, with the message ``about``. Raises :class:`PlayerLeft` if so.

    Raises :class:`SettingsWanted` if the settings are offered and chosen, and the :class:`SeatHanded` that is the
    value of a chosen offer of ``handing``."""
    offers = [Offer(True, words.text(f"{about}_yes")), Offer(False, words.text(f"{about}_no"))]
    if words.knows(f"{about}_settings"):
        offers.append(Offer(SettingsWanted, words.text(f"{about}_settings")))
    offers += handing()
    keys = {"q": True, ESCAPE: False}
    answer = screen.choose(draw, words.text(f"{about}_ask"), offers, keys, words.text("leave_keys"))
    if answer is True:
        raise PlayerLeft
    if answer is SettingsWanted:
        raise SettingsWanted
    if isinstance(answer, SeatHanded):
        raise answer
