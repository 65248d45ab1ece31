"""The review of a match at a terminal; errors can be tried again before the better move is told."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from cardgames.bots import reasons
from cardgames.bots.review import JudgedChoice, is_right, loss_of, open_line, reasons_against
from cardgames.engine.game import Action
from cardgames.layout.scene import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.messages import Words
from cardgames.ui.review.person_pages import PersonPages
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, Key, Offer
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import MatchPages
from cardgames.ui.table.question import MovePrompt
from cardgames.ui.table.view import View

TOGETHER = 14
"""The rows that table and note share in a small window."""

PRACTISE = "practise"
KEYS = "keys_trial"
"""The text of the keys under a question: nothing can be undone, and a hint is the answer."""

Todo: TypeAlias = JudgedChoice | str | None
"""An answer in the menu of a review: an error to try again, the name of a page, or to leave."""


def show_review(pages: ReviewPages, settings: Settings) -> None:
    """Show the review of a match, and let its errors be tried again, until somebody leaves.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    with open_screen(pages.words, settings, keys=KEYS) as screen:
        at: Todo = None
        while (todo := _choose(screen, pages, at)) is not None:
            at = todo
            if isinstance(todo, JudgedChoice):
                at = _try_from(screen, pages, settings, todo)
            else:
                lines = pages.hindsight() if todo == "hindsight" else pages.course()
                screen.show(pages.shown(lines), pages.words.text("page_keys"))


def review_person(person: PersonPages, settings: Settings) -> bool:
    """Let the errors in all matches of a person be tried again; return whether to continue with exercises.

    Raises as :func:`show_review`."""
    words = Words(settings.language)
    offers: list[Offer] = [Offer(place, person.listed(*pair)) for place, pair in enumerate(person.errors)]
    if person.errors:
        offers.append(Offer(PRACTISE, words.text("review.practise")))
    offers.append(Offer(None, words.text("review.leave")))
    question = words.text("review.ask" if person.errors else "review.ask_nothing")
    at: int | str | None = None
    with open_screen(words, settings, keys=KEYS) as screen:
        while True:
            at = screen.choose(person.overview, question, offers, BACK, words.text("menu.main_keys"), at=at)
            if at in (None, PRACTISE):
                return at == PRACTISE
            pages, error = person.errors[int(at)]
            _try_from(screen, pages, settings, error)


def _choose(screen: Screen, pages: ReviewPages, at: Todo) -> Todo:
    text = pages.words.text
    found = pages.review.errors
    offers = [Offer(error, pages.listed(error)) for error in found]
    offers += [Offer("course", text("review.course")), Offer("hindsight", text("review.hindsight"))]
    offers.append(Offer(None, text("review.leave")))
    question = text("review.ask" if found else "review.ask_nothing")
    chosen: Todo = screen.choose(pages.overview, question, offers, BACK, text("menu.main_keys"), at=at)
    return chosen


def _try_from(screen: Screen, pages: ReviewPages, settings: Settings, first: JudgedChoice) -> JudgedChoice:
    """Let an error be tried again, and on request the following ones; return the last one tried."""
    last, found = first, pages.review.errors
    while Trial(screen, pages, settings, last, goes_on=len(found) > 1).go():
        last = found[(found.index(last) + 1) % len(found)]
    return last


class Trial:
    """A search for the better move in a position with an error."""

    def __init__(
        self,
        screen: Screen,
        pages: ReviewPages,
        settings: Settings,
        error: JudgedChoice,
        look: Message | None = None,
        goes_on: bool = True,
        decided: Callable[[bool], None] = lambda is_right: None,
    ) -> None:
        """``look`` is the question of an exercise, or in a review the action played.

        ``goes_on``: whether another error follows. ``decided`` is called with whether the first answer is right,
        unless the person asks for the answer."""
        played, choice = pages.review.match, error.choice
        moves = [(ply.by or 0, ply.action.text) for ply in played.plies[: choice.ply] if ply.action is not None]
        match = Match(played.game, MemoryJournal(moves), seeded(0))  # no action of chance follows
        self._view = View(match, played.header.names or (), settings, pages.title, played.header.computers)
        self._screen = screen
        self._pages = pages
        self._error = error
        self._about = "practise" if look else "review"
        asked = Message("review.look", {"text": self._named(error.choice.action), "seat": choice.by})
        self._look = look or asked
        self._goes_on = goes_on
        self._decided = decided
        self._match_pages = MatchPages(screen, self._view, choice.by)
        self._asking = MovePrompt(screen, self._view, choice.observation)
        self._table = self._view.question_picture(choice.observation, match.events(choice.by))

    def go(self) -> bool:
        """Ask until a good move is found or the answer is wanted, and show it; return whether to continue."""
        error, game = self._error, self._pages.review.match.game
        why: list[Message] = []
        while True:
            answer = self._asking.ask(self._table.above(partial(self._view.note, [self._look, *why]), TOGETHER))
            if answer is Key.LEAVE:
                return False
            if answer is Key.HINT:
                self._decide(False)
                return self._tell(Message("review.told"))
            if answer is Key.SUSPEND:
                self._screen.suspend()
            elif answer is Key.UNDO:
                self._screen.say(self._view.words.text("review.nothing_done"))
            elif isinstance(answer, Key):
                self._match_pages.open(answer)
            elif is_right(game, error, answer):
                self._decide(True)
                return self._tell(Message(f"{self._about}.right", {"text": self._named(answer)}))
            else:
                self._decide(False)
                pages = self._pages
                value, lost = pages.amount(loss_of(error, answer)), pages.amount(error.cost)
                args = {"text": self._named(answer), "value": value, "lost": lost}
                self._screen.say(self._view.words.text(f"{self._about}.wrong", **args))
                against = reasons_against(game, error, answer)[0]
                why = [Message("review.why", {"text": self._view.words.say(against)})]

    def _decide(self, is_right: bool) -> None:
        self._decided(is_right)
        self._decided = lambda is_right: None

    def _tell(self, first: Message) -> bool:
        """Show the best move and the reasons, and separately what only hindsight knows; return whether to continue."""
        error, pages = self._error, self._pages
        played = pages.review.match
        why = reasons(played.game, error.choice.observation, error.ratings)[:2]
        told = [first, Message("line", {"text": pages.better(error)})]
        told += [Message("hint." + reason.key.removeprefix("hint."), reason.args) for reason in why]
        line = open_line(played.game, played.plies, error.choice.ply, error.choice.by)
        if line:
            brings, moves = pages.gain(line), pages.moves(line.moves)
            told.append(Message("review.open_line", {"number": line.ply, "text": brings, "moves": moves}))
        elif not error.exact and len(played.plies) > error.choice.ply:  # nothing follows in an exercise
            told.append(Message("review.open_nothing"))
        text = self._view.words.text
        offers = [Offer(True, text(f"{self._about}.next"))] if self._goes_on else []
        offers.append(Offer(None, text(f"{self._about}.back")))
        draw = self._table.above(partial(self._view.note, told), TOGETHER)
        return bool(self._screen.choose(draw, text("review.go_on"), offers, BACK, text("dialogue_keys")))

    def _named(self, action: Action) -> str:
        return self._pages.named(self._error, action)
