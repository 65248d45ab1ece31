"""Exercises at a terminal, from the packs and from a person's own errors."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from cardgames.bots.exercises import Exercise, ratings_of, selections
from cardgames.bots.review import JudgedChoice, MatchOnRecord, Review, choices
from cardgames.engine.game import Message, Value
from cardgames.store import Store, UnknownMatch
from cardgames.store.progress import StoredError
from cardgames.ui.messages import Words
from cardgames.ui.review.judging import stored_match
from cardgames.ui.review.review import Trial
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, Offer, Page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings

OWN = "practise.own"
"""The message of the selection of a person's own errors."""


class ExercisePages(ReviewPages):
    """The texts of an exercise, which is treated as a review with a single error."""

    key_prefix = "practise"

    def __init__(self, played: MatchOnRecord, error: JudgedChoice, settings: Settings) -> None:
        super().__init__(Review(played, (error.choice.by,), (error,)), settings)
        self.title = self.words.text("practise.title", title=self.words.text("title"))

    def better_move(self, judged: JudgedChoice) -> str:
        """A text about the best move, and how much better it is than the natural move."""
        best, natural = self.move_text(judged, judged.best.action), self.move_text(judged, judged.choice.action)
        args = {"value": self.amount(judged.cost), "exact": judged.exact}
        return self.words.text("practise.better", text=best, other=natural, **args)


def set_exercises(store: Store, player: str, game: str, settings: Settings) -> None:
    """Give a person the exercises that they select, until they leave.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    words = Words(settings.language, game)
    text, at = words.text, "practise.mixed"
    page = Page(text("practise.heading", title=text("title")), [text("practise.about")])
    with open_screen(words, settings) as screen:
        while at:
            tries = {name: [solved for _, solved in each.tries] for name, each in store.tries(player).items()}
            due = store.due_errors(player, date.today(), game)
            selected: dict[str, Sequence[Exercise | StoredError]] = {**selections(game, tries), OWN: due}
            offers = []
            for key, entries in selected.items():
                count, is_theme = len(entries), key.startswith("theme.")
                label = text("practise.theme", text=text(key), count=count) if is_theme else text(key, count=count)
                why_empty = text("practise.nothing_own" if key == OWN else "practise.nothing_left")
                offers.append(Offer(key, label, refused=None if entries else why_empty))
            offers.append(Offer(None, text("menu.leave")))
            at = screen.choose(page, text("practise.ask"), offers, BACK, text("menu.main_keys"), at=at)
            if at:
                _set_in_turn(screen, store, player, selected[at], settings)


def set_due_errors(store: Store, player: str, game: str | None, settings: Settings) -> bool:
    """Give a person their own errors due today, as :func:`set_exercises` does. Return whether there were any."""
    if errors := store.due_errors(player, date.today(), game):
        with open_screen(Words(settings.language, game), settings) as screen:
            _set_in_turn(screen, store, player, errors, settings)
    return bool(errors)


def _set_in_turn(
    screen: Screen, store: Store, player: str, entries: Sequence[Exercise | StoredError], settings: Settings
) -> None:
    for count_left, entry in zip(range(len(entries), 0, -1), entries, strict=True):
        with suppress(UnknownMatch):  # the match has been deleted meanwhile
            if isinstance(entry, Exercise):
                (played, error), theme, key = entry.load(), entry.theme, "practise.look"
            else:
                (played, error), theme, key = _load_own(store, entry), "own", "practise.look_own"
            pages = ExercisePages(played, error, settings)
            trial = Trial(screen, pages, settings, error, has_next=count_left > 1)
            args: dict[str, Value] = {"text": pages.move_text(error, error.choice.action), "seat": error.choice.by}
            args |= {"count": count_left, "number": played.number or 0, "exact": error.exact}
            trial.question = Message(key, args)
            trial.on_first_answer = partial(store.save_try, player, entry.name, entry.game, theme, date.today())
            if not trial.run():
                return


def _load_own(store: Store, error: StoredError) -> tuple[MatchOnRecord, JudgedChoice]:
    """The match of an error, and the wrong choice in it. Raises :class:`UnknownMatch` and :class:`StoreError`."""
    played = stored_match(store, error.match)
    choice = next(choice for choice in choices(played.game, played.plies) if choice.ply == error.ply)
    ratings = ratings_of(played.game, error.exact, error.ratings)
    return played, JudgedChoice(choice, played.unit, ratings, *error.cost, error.exact)
