"""Exercises at a terminal, from the packs and from a person's own errors."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.bots.exercises import DIFFICULTIES, Exercise, judge_natural, pack, ratings_of
from cardgames.bots.review import JudgedChoice, ReviewedChoice
from cardgames.engine.game import Message, Value
from cardgames.engine.record import Header
from cardgames.ui.messages import Words
from cardgames.ui.review.judging import MatchOnRecord, Review, stored_match
from cardgames.ui.review.repetition import Tries, due_indices
from cardgames.ui.review.review import KEYS, Trial
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store


class ExerciseFilter(NamedTuple):
    """A selection of exercises: by theme and difficulty, or the person's own errors; by default a whole pack."""

    theme: str | None = None
    difficulty: str | None = None
    is_own: bool = False


class ExerciseEntry(NamedTuple):
    """An exercise that can be set."""

    name: str
    game: str
    theme: str
    load: Callable[[], tuple[MatchOnRecord, JudgedChoice]]
    """Loads the match and the wrong choice in it."""
    match: int | None = None
    """The number of the match in which the person made the error; ``None`` for an exercise of a pack."""


class Practice:
    """One person's exercises and their results. The methods raise :class:`StoreError`."""

    def __init__(self, store: "Store", player: str, today: date) -> None:
        self.player = player
        self._store = store
        self._today = today
        self._tries: dict[str, list[tuple[str, bool]]] = {}
        for name, value in store.memos("exercise ").items():
            _, exercise, owner = name.split(" ", 2)  # the owner's name may contain blanks
            if owner == player:
                self._tries[exercise] = [(day, solved) for day, solved in value["tries"]]

    def entries(self, game: str | None, wanted: ExerciseFilter) -> list[ExerciseEntry]:
        """The ``wanted`` exercises at ``game``: unsolved ones of a pack, the least tried first, or own errors due
        today.

        For own errors ``game`` may be ``None``, which means any game. The limit for a day is filled with errors at
        ``game`` before other errors."""
        if wanted.is_own:
            errors = sorted(own_errors(self._store, self.player), key=lambda entry: game not in (None, entry.game))
            due = [errors[index] for index in due_indices([self.tries(entry.name) for entry in errors], self._today)]
            return [entry for entry in due if game in (None, entry.game)]
        assert game
        exercises = [
            exercise
            for exercise in pack(game)
            if wanted.theme in (None, exercise.theme) and wanted.difficulty in (None, exercise.difficulty)
        ]
        Random(game).shuffle(exercises)  # in the same order each time
        unsolved = [exercise for exercise in exercises if not any(solved for _, solved in self.tries(exercise.name))]
        unsolved.sort(key=lambda exercise: len(self.tries(exercise.name)))
        return [ExerciseEntry(each.name, game, each.theme, partial(_load_exercise, each)) for each in unsolved]

    def tries(self, exercise: str) -> Tries:
        """The dates and results of the player's tries at an exercise."""
        return self._tries.get(exercise, ())

    def save_try(self, entry: ExerciseEntry, solved: bool) -> None:
        """Store the result of a try at an exercise."""
        tries = self._tries.setdefault(entry.name, [])
        tries.append((self._today.isoformat(), solved))
        value = {"game": entry.game, "theme": entry.theme, "tries": tries}
        self._store.write_memo(f"exercise {entry.name} {self.player}", value)


# Own errors


def own_errors(store: "Store", player: str) -> list[ExerciseEntry]:
    """The exercises from a player's own errors, in the order of matches and plies. Raises :class:`StoreError`."""
    entries = []
    for name, memo in store.memos("error ").items():
        if memo["player"] == player:
            match, ply = map(int, name.removeprefix("error ").split("/"))
            load = partial(_load_own, store, match, ply, memo)
            entries.append(ExerciseEntry(f"{match}/{ply}", memo["game"], "own", load, match))
    return sorted(entries, key=lambda entry: [*map(int, entry.name.split("/"))])


def _load_own(store: "Store", match: int, ply: int, memo: Mapping[str, Any]) -> tuple[MatchOnRecord, JudgedChoice]:
    """Load the whole match in which an error was made, and the judged choice that ``memo`` describes.

    Raises :class:`UnknownMatch` and :class:`StoreError`."""
    played = stored_match(store, match)
    before, after = played.plies[ply - 1 : ply + 1]  # index 0 is the start
    assert after.by
    assert after.action
    choice = ReviewedChoice(ply, after.by, after.action, played.game.observation(before.state, after.by))
    ratings, (cost, low, high) = ratings_of(played.game, memo["exact"], memo["ratings"]), memo["cost"]
    return played, JudgedChoice(choice, ratings, cost, loss=cost, low=low, high=high, exact=memo["exact"])


def _load_exercise(exercise: Exercise) -> tuple[MatchOnRecord, JudgedChoice]:
    """Load the match of an exercise up to its position, and judge the natural but wrong action."""
    game, plies = exercise.replay()
    header = Header(game.NAME, game.seats, game.rules.values(), game.dealer, None)
    return MatchOnRecord(header, game, plies), judge_natural(exercise, game, plies)


# At a terminal


class ExercisePages(ReviewPages):
    """The texts of an exercise, which is treated as a review with a single error."""

    def __init__(self, played: MatchOnRecord, error: JudgedChoice, settings: Settings) -> None:
        super().__init__(Review(played, (error.choice.by,), (error,)), settings)
        self.title = self.words.text("practise.title", title=self.words.text("title"))

    def better_move(self, judged: JudgedChoice) -> str:
        """A text about the best move, and how much better it is than the natural move."""
        best, natural = self.move_text(judged, judged.best.action), self.move_text(judged, judged.choice.action)
        key = "practise.better_exact" if judged.exact else "practise.better"
        return self.words.text(key, text=best, value=self.amount(judged.cost), other=natural)


def set_exercises(practice: Practice, game: str | None, wanted: ExerciseFilter | None, settings: Settings) -> bool:
    """Give a person the ``wanted`` exercises, or with ``None`` the exercises they select, until they leave.

    Return ``False`` if there are no ``wanted`` exercises, else ``True``.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    if wanted and not practice.entries(game, wanted):
        return False
    words = Words(settings.language, game) if game else Words(settings.language)
    with open_screen(words, settings, keys=KEYS) as screen:
        if wanted:
            _set_in_turn(screen, practice, game, wanted, settings)
            return True
        at: ExerciseFilter | None = ExerciseFilter()
        while (at := _ask_for_selection(screen, practice, game, words, settings, at)) is not None:
            _set_in_turn(screen, practice, game, at, settings)
    return True


def _ask_for_selection(
    screen: Screen, practice: Practice, game: str | None, words: Words, settings: Settings, at: ExerciseFilter | None
) -> ExerciseFilter | None:
    """Ask which exercises of a game the person wants, and return the selection, or ``None`` to leave.

    ``at``: the selection at which the pointer starts."""
    assert game
    text = words.text
    offers = []
    themes = [ExerciseFilter(theme=theme) for theme in dict.fromkeys([exercise.theme for exercise in pack(game)])]
    levels = [ExerciseFilter(difficulty=difficulty) for difficulty in DIFFICULTIES]
    for wanted in (ExerciseFilter(), *levels, *themes, ExerciseFilter(is_own=True)):
        count = len(practice.entries(game, wanted))
        if wanted.theme:
            label = text("practise.theme", text=text(f"theme.{wanted.theme}"), count=count)
        elif wanted.is_own:
            label = text("practise.own", count=count)
        else:
            label = text(f"practise.{wanted.difficulty or 'mixed'}", count=count)
        why_empty = text("practise.nothing_own" if wanted.is_own else "practise.nothing_left")
        offers.append(Offer(wanted, label, refused=None if count else why_empty))
    offers.append(Offer(None, text("review.leave")))
    page = titled_page(settings, text("practise.heading", title=text("title")), [text("practise.about")])
    keys = text("menu.main_keys")
    chosen: ExerciseFilter | None = screen.choose(page, text("practise.ask"), offers, BACK, keys, at=at)
    return chosen


def _set_in_turn(
    screen: Screen, practice: Practice, game: str | None, wanted: ExerciseFilter, settings: Settings
) -> None:
    """Give the person the ``wanted`` exercises one after the other, until they leave."""
    from cardgames.store import UnknownMatch

    entries = practice.entries(game, wanted)  # ``game`` is ``None`` only for own errors
    for count_left, entry in zip(range(len(entries), 0, -1), entries, strict=True):
        with suppress(UnknownMatch):  # the match has been deleted meanwhile
            played, error = entry.load()
            pages = ExercisePages(played, error, settings)
            question, has_next = _exercise_question(entry, pages, error, count_left), count_left > 1
            if not Trial(screen, pages, settings, error, question, has_next, partial(practice.save_try, entry)).run():
                return


def _exercise_question(entry: ExerciseEntry, pages: ReviewPages, error: JudgedChoice, count_left: int) -> Message:
    """The question of an exercise, with the number of exercises left."""
    move = pages.move_text(error, error.choice.action)
    args: dict[str, Value] = {"text": move, "seat": error.choice.by, "count": count_left}
    if entry.match is not None:
        return Message("practise.look_own", {**args, "number": entry.match})
    return Message("practise.look_exact" if error.exact else "practise.look", args)
