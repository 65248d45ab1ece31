"""The review of a match at a terminal, in which a person may try errors again before the best move is shown."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from cardgames.bots import reasons
from cardgames.bots.review import JudgedChoice, open_line, reasons_against
from cardgames.engine.game import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.render.asked import Asked
from cardgames.ui.review.review_pages import PersonPages, ReviewPages
from cardgames.ui.screens.offers import BACK, UNAIDED_KEYS, Key, Offer, Page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import open_page
from cardgames.ui.table.question import MovePrompt
from cardgames.ui.table.view import View

KEYS: Mapping[str, Key] = {**UNAIDED_KEYS, Key.HINT.value: Key.ANSWER}
"""The keys: without undo, and with the answer in place of a hint."""


def show_review(pages: ReviewPages | PersonPages, settings: Settings) -> str | None:
    """Show a review and let the person try errors again, until they leave or choose a key without a page; return it.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    text = pages.words.text
    at: Any = None
    others = [*[Offer(key, text(f"review.{key}")) for key in pages.others], Offer(None, text("menu.leave"))]
    question, keys = text("review.ask" if pages.errors else "review.ask_nothing"), text("menu.main_keys")
    with open_screen(pages.words, settings) as screen:
        while True:
            errors = [Offer(index, pages.error_line(*pair)) for index, pair in enumerate(pages.errors)]  # or found now
            at = screen.choose(pages.overview(), question, [*errors, *others], BACK, keys, at=at)
            if isinstance(at, int):
                match, error = pages.errors[at]
                at = pages.errors.index((match, _try_errors(screen, match, settings, error)))
            elif at is not None and (lines := pages.others[at]):
                screen.show(Page(pages.title, [line or " " for line in lines()]))
            else:
                return None if at is None else str(at)


def _try_errors(screen: Screen, pages: ReviewPages, settings: Settings, first: JudgedChoice) -> JudgedChoice:
    """Let the person try the error ``first`` again, then the following errors; return the last error tried."""
    last, errors = first, pages.review.errors
    while Trial(screen, pages, settings, last, has_next=len(errors) > 1).run():
        last = errors[(errors.index(last) + 1) % len(errors)]
    return last


class Trial:
    """An error or an exercise, for which a person looks for the best move."""

    def __init__(
        self, screen: Screen, pages: ReviewPages, settings: Settings, error: JudgedChoice, has_next: bool = True
    ) -> None:
        played, choice = pages.review.match, error.choice
        # up to the choice, without it: the first of the plies is ply 0, the start
        moves = [(ply.by or 0, ply.action.text) for ply in played.plies[: choice.ply] if ply.action is not None]
        match = Match(played.game, MemoryJournal(moves), seeded(0))  # no action of chance follows
        self._view = View(match, played.header.names or (), settings, pages.title, played.header.computers)
        self._screen = screen
        self._pages = pages
        self._error = error
        self._move_text = partial(pages.move_text, error)
        self.question = Message("review.look", {"text": self._move_text(choice.action), "seat": choice.by})
        self._has_next = has_next
        self.on_first_answer: Callable[[bool], None] = lambda is_right: None
        """Called with whether the first answer is right."""
        self._prompt = MovePrompt(screen, self._view, choice.observation, KEYS)
        self._table = self._view.question_picture(choice.observation)

    def run(self) -> bool:
        """Ask until the person finds the best move, asks for it, or leaves; return whether they want another."""
        error, pages, prefix = self._error, self._pages, self._pages.key_prefix
        why: list[Message] = []
        table = self._table._replace(said=lambda only_new: self._table.said(False))  # nobody heard how it came about
        while True:
            answer = self._prompt.ask(table._replace(asked=Asked(note=self._view.note([self.question, *why]))))
            table = self._table
            if answer is Key.LEAVE:
                return False
            if isinstance(answer, Key) and answer is not Key.ANSWER:
                open_page(answer, self._screen, self._view, error.choice.by)
                continue
            is_right = answer is not Key.ANSWER and error.is_right(answer)
            self.on_first_answer(is_right)
            self.on_first_answer = lambda is_right: None
            if answer is Key.ANSWER:
                return self._show_solution(Message("review.told"))
            if is_right:
                pages.found.add(error.choice.ply)
                key = "right_best" if answer == error.best.action and prefix == "review" else "right"
                return self._show_solution(Message(f"{prefix}.{key}", {"text": self._move_text(answer)}))
            loss, cost = pages.amount(error.loss_of(answer)), pages.amount(error.cost)
            args = {"text": self._move_text(answer), "value": loss, "lost": cost}
            self._screen.say(self._view.words.text(f"{prefix}.wrong", **args))
            against = reasons_against(pages.review.match.game, error, answer)[0]
            why = [Message("review.why", {"text": self._view.words.say(against)})]

    def _show_solution(self, heading: Message) -> bool:
        """Show the best move with reasons and a better line of play; return whether the person goes on."""
        error, pages = self._error, self._pages
        played = pages.review.match
        messages = [heading, Message("line", {"text": pages.better_move(error)})]
        messages += reasons(played.game, error.choice.observation, error.ratings)[:2]
        if line := open_line(played.game, played.plies, error.choice.ply, error.choice.by):
            gain, moves = pages.gain_text(line), pages.moves_text(line.moves)
            messages.append(Message("review.open_line", {"number": line.ply, "text": gain, "moves": moves}))
        elif not error.exact and len(played.plies) > error.choice.ply:  # nothing follows in an exercise
            messages.append(Message("review.open_nothing"))
        text = self._view.words.text
        offers = [Offer(True, text(f"{self._pages.key_prefix}.next"))] if self._has_next else []
        offers.append(Offer(None, text(f"{self._pages.key_prefix}.back")))
        asked = Asked(note=self._view.note(messages), best=error.best.action.cards, played=error.choice.action.cards)
        return bool(self._screen.choose(self._table._replace(asked=asked), text("review.go_on"), offers, BACK))
