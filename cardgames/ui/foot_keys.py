"""The keys at the foot that are no answer: pages to read, and leaving. Nothing of it shows a hand."""

from collections.abc import Callable, Sequence

from cardgames.engine.game import CHANCE
from cardgames.match import Match, PlayerLeft
from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.pages import markdown
from cardgames.ui.screens.offers import ESCAPE, Draw, Key, Offer
from cardgames.ui.screens.opening import AnyScreen
from cardgames.ui.view import View

SUITS_TYPED = "shdc♠♥♦♣"
"""The characters that show that a ``q`` before them was the first letter of a queen."""


class MatchPages:
    """The pages about a match: its rules, its score sheet, what happened last."""

    def __init__(self, screen: AnyScreen, view: View, match: Match) -> None:
        self._screen = screen
        self._view = view
        self._match = match

    def open(self, key: Key) -> None:
        """Show the page of a key, if it is the key of a page."""
        if key is Key.RULES:
            page = rules_page(self._view.words.language, self._match.game.NAME)
            phase = self._match.observation(CHANCE).phase
            self._show(lambda width, rows: markdown(page, width), self._view.layout.CLAUSES.get(phase, ""))
        elif key is Key.SHEET:
            self._show(lambda width, rows: self._view.sheet(self._match, width))
        elif key is Key.LAST:
            self._show(lambda width, rows: self._view.last(self._match, width))

    def _show(self, draw: Draw, clause: str = "") -> None:
        self._screen.show(draw, self._view.words.text("page_keys"), clause)


class SettingsWanted(Exception):
    """Somebody at the table wants to change the settings, and then to go on."""


class SeatHanded(Exception):
    """Somebody hands their seat to a computer for a while, or takes it back."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


def ask_to_leave(
    screen: AnyScreen,
    words: Words,
    draw: Draw,
    about: str = "leave",
    handing: Callable[[], Sequence[Offer]] = tuple,
) -> str:
    """Ask under this picture whether to leave, in the words ``about`` it, and raise :class:`PlayerLeft` if so.

    Where there are words for it the settings are offered too, and :class:`SettingsWanted` is raised; and the offers of
    ``handing``, whose values are :class:`SeatHanded` to be raised. A suit after the ``q`` means that a queen was being
    typed: what was typed is returned, else nothing.
    """
    offers = [Offer(True, words.text(f"{about}_yes")), Offer(False, words.text(f"{about}_no"))]
    if words.knows(f"{about}_settings"):
        offers.append(Offer(SettingsWanted, words.text(f"{about}_settings")))
    offers += handing()
    keys = {"q": True, ESCAPE: False, **{suit: "q" + suit for suit in SUITS_TYPED}}
    answer = screen.choose(draw, words.text(f"{about}_ask"), offers, keys, words.text("leave_keys"))
    if answer is True:
        raise PlayerLeft
    if answer is SettingsWanted:
        raise SettingsWanted
    if isinstance(answer, SeatHanded):
        raise answer
    return answer or ""
