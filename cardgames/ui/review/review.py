"""The review of a match at a terminal, in which a person may try errors again before the best move is shown."""

from collections.abc import Callable

from cardgames.bots import reasons
from cardgames.bots.review import JudgedChoice, is_right, loss_of, open_line, reasons_against
from cardgames.engine.game import Action, Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.messages import Words
from cardgames.ui.review.review_pages import PersonPages, ReviewPages
from cardgames.ui.screens.offers import BACK, Key, Offer
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import MatchPages
from cardgames.ui.table.question import MovePrompt
from cardgames.ui.table.view import View

PRACTISE = "practise"
"""The answer that asks for exercises."""
KEYS = "keys_trial"
"""The key of the text that lists the keys: without undo, and with the answer in place of a hint."""


def show_review(pages: ReviewPages, settings: Settings) -> None:
    """Show the review of a match and let the person try errors again, until they leave.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    text, errors = pages.words.text, pages.review.errors
    others: list[Offer] = [Offer(key, text(f"review.{key}")) for key in ("course", "hindsight")]
    others.append(Offer(None, text("review.leave")))
    question = text("review.ask" if errors else "review.ask_nothing")
    at: JudgedChoice | str | None = None
    with open_screen(pages.words, settings, keys=KEYS) as screen:
        while True:
            offers = [*[Offer(error, pages.error_line(error)) for error in errors], *others]  # some are found by now
            at = screen.choose(pages.overview, question, offers, BACK, text("menu.main_keys"), at=at)
            if at is None:
                return
            if isinstance(at, JudgedChoice):
                at = _try_errors(screen, pages, settings, at)
            else:
                lines = pages.hindsight() if at == "hindsight" else pages.course()
                screen.show(pages.page(lines))


def review_person(person: PersonPages, settings: Settings) -> bool:
    """Let a person try the errors in all their matches again; return whether they want exercises next.

    Raises the same exceptions as :func:`show_review`."""
    words = Words(settings.language)
    others: list[Offer] = [Offer(PRACTISE, words.text("review.practise"))] if person.errors else []
    others.append(Offer(None, words.text("review.leave")))
    question = words.text("review.ask" if person.errors else "review.ask_nothing")
    at: int | str | None = None
    with open_screen(words, settings, keys=KEYS) as screen:
        while True:
            offers = [*[Offer(index, person.error_line(*pair)) for index, pair in enumerate(person.errors)], *others]
            at = screen.choose(person.overview, question, offers, BACK, words.text("menu.main_keys"), at=at)
            if at in (None, PRACTISE):
                return at == PRACTISE
            pages, error = person.errors[int(at)]
            _try_errors(screen, pages, settings, error)


def _try_errors(screen: Screen, pages: ReviewPages, settings: Settings, first: JudgedChoice) -> JudgedChoice:
    """Let the person try the error ``first`` again, then the following errors; return the last error tried."""
    last, errors = first, pages.review.errors
    while Trial(screen, pages, settings, last, has_next=len(errors) > 1).run():
        last = errors[(errors.index(last) + 1) % len(errors)]
    return last


class Trial:
    """An error or an exercise, for which a person looks for the best move."""

    def __init__(
        self,
        screen: Screen,
        pages: ReviewPages,
        settings: Settings,
        error: JudgedChoice,
        exercise: Message | None = None,
        has_next: bool = True,
        on_first_answer: Callable[[bool], None] = lambda is_right: None,
    ) -> None:
        """``exercise``: the question of an exercise, ``None`` in a review. ``has_next``: whether another error follows.

        ``on_first_answer``: called with whether the first answer is right. Asking for the best move is a wrong
        answer."""
        played, choice = pages.review.match, error.choice
        # up to the choice, without it: the first of the plies is ply 0, the start
        moves = [(ply.by or 0, ply.action.text) for ply in played.plies[: choice.ply] if ply.action is not None]
        match = Match(played.game, MemoryJournal(moves), seeded(0))  # no action of chance follows
        self._view = View(match, played.header.names or (), settings, pages.title, played.header.computers)
        self._screen = screen
        self._pages = pages
        self._error = error
        self._key_prefix = "practise" if exercise else "review"
        played_move = self._move_text(error.choice.action)
        self._question = exercise or Message("review.look", {"text": played_move, "seat": choice.by})
        self._has_next = has_next
        self._on_first_answer = on_first_answer
        self._match_pages = MatchPages(screen, self._view, choice.by)
        self._prompt = MovePrompt(screen, self._view, choice.observation)
        self._table = self._view.question_picture(choice.observation, match.events(choice.by))

    def run(self) -> bool:
        """Ask until the person finds the best move, asks for it, or leaves. Except after leaving, show the best move.

        Return whether the person goes on to the next error or exercise."""
        error, game = self._error, self._pages.review.match.game
        why: list[Message] = []
        table = self._table.whole()  # nobody has heard how it came about
        while True:
            answer = self._prompt.ask(table.above(self._view.note([self._question, *why])))
            table = self._table
            if answer is Key.LEAVE:
                return False
            if answer is Key.HINT:
                self._report_answer(is_right=False)
                return self._show_solution(Message("review.told"))
            if answer is Key.SUSPEND:
                self._screen.suspend()
            elif answer is Key.UNDO:
                self._screen.say(self._view.words.text("review.nothing_done"))
            elif isinstance(answer, Key):
                self._match_pages.open(answer)
            elif is_right(game, error, answer):
                self._report_answer(is_right=True)
                self._pages.found.add(error.choice.ply)
                key = "right_best" if answer == error.best.action and self._key_prefix == "review" else "right"
                return self._show_solution(Message(f"{self._key_prefix}.{key}", {"text": self._move_text(answer)}))
            else:
                self._report_answer(is_right=False)
                pages = self._pages
                loss, cost = pages.amount(loss_of(error, answer)), pages.amount(error.cost)
                args = {"text": self._move_text(answer), "value": loss, "lost": cost}
                self._screen.say(self._view.words.text(f"{self._key_prefix}.wrong", **args))
                against = reasons_against(game, error, answer)[0]
                why = [Message("review.why", {"text": self._view.words.say(against)})]

    def _report_answer(self, is_right: bool) -> None:
        """Call ``on_first_answer`` at the first answer, and do nothing at later ones."""
        self._on_first_answer(is_right)
        self._on_first_answer = lambda is_right: None

    def _show_solution(self, heading: Message) -> bool:
        """Show the best move below ``heading``, with reasons and a better line of play.

        Return whether the person goes on to the next error or exercise."""
        error, pages = self._error, self._pages
        played = pages.review.match
        why = reasons(played.game, error.choice.observation, error.ratings)[:2]
        messages = [heading, Message("line", {"text": pages.better_move(error)})]
        messages += [Message("hint." + reason.key.removeprefix("hint."), reason.args) for reason in why]
        line = open_line(played.game, played.plies, error.choice.ply, error.choice.by)
        if line:
            gain, moves = pages.gain_text(line), pages.moves_text(line.moves)
            messages.append(Message("review.open_line", {"number": line.ply, "text": gain, "moves": moves}))
        elif not error.exact and len(played.plies) > error.choice.ply:  # nothing follows in an exercise
            messages.append(Message("review.open_nothing"))
        text = self._view.words.text
        offers = [Offer(True, text(f"{self._key_prefix}.next"))] if self._has_next else []
        offers.append(Offer(None, text(f"{self._key_prefix}.back")))
        best, played_cards = error.best.action.cards, error.choice.action.cards
        draw = self._table.above(self._view.note(messages), best, played_cards)
        return bool(self._screen.choose(draw, text("review.go_on"), offers, BACK, text("dialogue_keys")))

    def _move_text(self, action: Action) -> str:
        """The text of a legal action, worded as in the list of offers."""
        return self._pages.move_text(self._error, action)
