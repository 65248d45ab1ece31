"""Exercises at a terminal: those of the packs, and each person's own errors."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.bots.exercises import DIFFICULTIES, Exercise, judge_natural, pack, ratings_of
from cardgames.bots.repetition import Tries, due_indices
from cardgames.bots.review import JudgedChoice, ReviewedChoice
from cardgames.engine.game import Value
from cardgames.engine.record import Header
from cardgames.layout.scene import Message
from cardgames.ui.messages import Words
from cardgames.ui.review.judging import MatchOnRecord, Review, match_in
from cardgames.ui.review.review import KEYS, Trial
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.store import Store


class Wanted(NamedTuple):
    """The exercises to be set: of one theme and difficulty, or all."""

    theme: str | None = None
    difficulty: str | None = None
    is_own: bool = False


class Task(NamedTuple):
    """An exercise, with a function that returns its match and the wrong choice."""

    name: str
    game: str
    theme: str
    made: "Callable[[], tuple[MatchOnRecord, JudgedChoice]]"
    match: int | None = None
    """The number of the match in which it was the person's own error."""


class Practice:
    """One person's exercises and results. Methods raise :class:`StoreError`."""

    def __init__(self, store: "Store", player: str, today: date) -> None:
        self.player = player
        self._store = store
        self._today = today
        self._tries: dict[str, list[tuple[str, bool]]] = {}
        for name, value in store.memos("exercise ").items():
            _, exercise, whose = name.split(" ", 2)
            if whose == player:
                self._tries[exercise] = [(day, solved) for day, solved in value["tries"]]

    def tasks(self, game: str | None, wanted: Wanted) -> list[Task]:
        """The unsolved exercises of a pack, the least tried first; or those of the player's own errors that are due."""
        if wanted.is_own:
            every = sorted(own_errors(self._store, self.player), key=lambda task: game not in (None, task.game))
            today = [every[place] for place in due_indices([self.tries(task.name) for task in every], self._today)]
            return [task for task in today if game in (None, task.game)]
        assert game
        found = [
            exercise
            for exercise in pack(game)
            if wanted.theme in (None, exercise.theme) and wanted.difficulty in (None, exercise.difficulty)
        ]
        Random(game).shuffle(found)
        left = [exercise for exercise in found if not any(solved for _, solved in self.tries(exercise.name))]
        left.sort(key=lambda exercise: len(self.tries(exercise.name)))
        return [Task(exercise.name, game, exercise.theme, partial(_posed_exercise, exercise)) for exercise in left]

    def tries(self, exercise: str) -> Tries:
        """The results of the tries at an exercise."""
        return self._tries.get(exercise, ())

    def note(self, task: Task, solved: bool) -> None:
        """Store the result of a try."""
        tries = self._tries.setdefault(task.name, [])
        tries.append((self._today.isoformat(), solved))
        value = {"game": task.game, "theme": task.theme, "tries": tries}
        self._store.write_memo(f"exercise {task.name} {self.player}", value)


# Own errors


def own_errors(store: "Store", player: str) -> Iterator[Task]:
    """The exercises from a person's errors, earlier matches first. Raises :class:`StoreError`."""
    found = []
    for name, value in store.memos("error ").items():
        if value["player"] == player:
            match, ply = map(int, name.removeprefix("error ").split("/"))
            made = partial(_posed_error, store, match, ply, value)
            found.append(Task(f"{match}/{ply}", value["game"], "own", made, match))
    yield from sorted(found, key=lambda task: [*map(int, task.name.split("/"))])


def _posed_error(store: "Store", match: int, ply: int, value: Mapping[str, Any]) -> tuple[MatchOnRecord, JudgedChoice]:
    """The match of an error, and the error. Raises :class:`UnknownMatch` and :class:`StoreError`."""
    played = match_in(store, match)
    before, made = played.plies[ply - 1 : ply + 1]
    assert made.by
    assert made.action
    choice = ReviewedChoice(ply, made.by, made.action, played.game.observation(before.state, made.by))
    cost, low, high = value["cost"]
    return played, JudgedChoice(
        choice, ratings_of(played.game, value["exact"], value["ratings"]), cost, cost, low, high, value["exact"]
    )


def _posed_exercise(exercise: Exercise) -> tuple[MatchOnRecord, JudgedChoice]:
    """The match of an exercise up to its position, and its natural but wrong move, judged."""
    game, plies = exercise.replay()
    header = Header(game.NAME, game.seats, game.rules.values(), game.dealer, None)
    return MatchOnRecord(header, game, plies), judge_natural(exercise, game, plies)


# At a terminal


class ExercisePages(ReviewPages):
    """The text of an exercise."""

    def __init__(self, played: MatchOnRecord, error: JudgedChoice, settings: Settings) -> None:
        super().__init__(Review(played, (error.choice.by,), (error,)), settings)
        self.title = self.words.text("practise.title", title=self.words.text("title"))

    def better(self, judged: JudgedChoice) -> str:
        """The better action and by how much it beats the natural move; see :class:`ReviewPages`."""
        best, natural = self.named(judged, judged.best.action), self.named(judged, judged.choice.action)
        key = "practise.better_exact" if judged.exact else "practise.better"
        return self.words.text(key, text=best, value=self.amount(judged.cost), other=natural)


def set_exercises(practice: Practice, game: str | None, wanted: Wanted | None, settings: Settings) -> bool:
    """Set exercises until somebody leaves, those ``wanted`` or after asking which; return whether there were any.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    if wanted and not practice.tasks(game, wanted):
        return False
    words = Words(settings.language, game) if game else Words(settings.language)
    with open_screen(words, settings, keys=KEYS) as screen:
        if wanted:
            _set(screen, practice, game, wanted, settings)
            return True
        at: Wanted | None = Wanted()
        while (at := _ask(screen, practice, game, words, settings, at)) is not None:
            _set(screen, practice, game, at, settings)
    return True


def _ask(
    screen: Screen, practice: Practice, game: str | None, words: Words, settings: Settings, at: Wanted | None
) -> Wanted | None:
    """Ask which exercises are wanted; ``None`` to leave."""
    assert game
    text = words.text
    offers = []
    themes = [Wanted(theme=theme) for theme in dict.fromkeys([exercise.theme for exercise in pack(game)])]
    levels = [Wanted(difficulty=difficulty) for difficulty in DIFFICULTIES]
    for wanted in (Wanted(), *levels, *themes, Wanted(is_own=True)):
        count = len(practice.tasks(game, wanted))
        key = "practise.own" if wanted.is_own else f"practise.{wanted.difficulty or 'mixed'}"
        said = text("practise.theme", text=text(f"theme.{wanted.theme}"), count=count) if wanted.theme else ""
        refused = None if count else text("practise.nothing_own" if wanted.is_own else "practise.nothing_left")
        offers.append(Offer(wanted, said or text(key, count=count), refused=refused))
    offers.append(Offer(None, text("review.leave")))
    page = titled_page(settings, text("practise.heading", title=text("title")), [text("practise.about")])
    found: Wanted | None = screen.choose(page, text("practise.ask"), offers, BACK, text("menu.main_keys"), at=at)
    return found


def _set(screen: Screen, practice: Practice, game: str | None, wanted: Wanted, settings: Settings) -> None:
    """Set the remaining exercises until somebody leaves."""
    from cardgames.store import UnknownMatch

    tasks = practice.tasks(game, wanted)
    for left, task in zip(range(len(tasks), 0, -1), tasks, strict=True):
        with suppress(UnknownMatch):  # deleted meanwhile
            played, error = task.made()
            pages = ExercisePages(played, error, settings)
            look, decided = _look(task, pages, error, left), partial(practice.note, task)
            if not Trial(screen, pages, settings, error, look, left > 1, decided).go():
                return


def _look(task: Task, pages: ReviewPages, error: JudgedChoice, left: int) -> Message:
    """The question of an exercise, with the number left."""
    args: dict[str, Value] = {"text": pages.named(error, error.choice.action), "seat": error.choice.by, "count": left}
    if task.match is not None:
        return Message("practise.look_own", {**args, "number": task.match})
    return Message("practise.look_exact" if error.exact else "practise.look", args)
