"""Exercises at a terminal, from the packs and from a person's own errors."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.exercises import DIFFICULTIES, Exercise, judge_natural, pack, ratings_of
from cardgames.bots.review import JudgedChoice, ReviewedChoice
from cardgames.engine.game import Message, Value
from cardgames.engine.record import Header
from cardgames.store import Store, UnknownMatch
from cardgames.store.progress import StoredTries, Tries, due_indices
from cardgames.ui.messages import Words
from cardgames.ui.review.judging import MatchOnRecord, Review, stored_match
from cardgames.ui.review.review import Trial
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings

OWN = "practise.own"
"""The message of the selection of a person's own errors."""


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

    def __init__(self, store: Store, player: str, today: date) -> None:
        self.player = player
        self._store = store
        self._today = today
        self._stored = store.tries(player)

    def selections(self, game: str) -> dict[str, list[ExerciseEntry]]:
        """Exercises of a game, by the message of each selection: by difficulty, by theme, and the player's own errors.

        Those of the pack are unsolved ones, the least tried first; own errors are due today."""
        exercises = pack(game)
        selected = {"practise.mixed": [*exercises]}
        for difficulty in DIFFICULTIES:
            selected[f"practise.{difficulty}"] = [each for each in exercises if each.difficulty == difficulty]
        for exercise in exercises:
            selected.setdefault(f"theme.{exercise.theme}", []).append(exercise)
        unsolved = {key: self._unsolved(game, exercises) for key, exercises in selected.items()}
        return {**unsolved, OWN: self.due_errors(game)}

    def _unsolved(self, game: str, exercises: list[Exercise]) -> list[ExerciseEntry]:
        Random(game).shuffle(exercises)  # in the same order each time
        unsolved = [each for each in exercises if not any(solved for _, solved in self.tries(each.name))]
        unsolved.sort(key=lambda each: len(self.tries(each.name)))
        return [ExerciseEntry(each.name, game, each.theme, partial(_load_exercise, each)) for each in unsolved]

    def due_errors(self, game: str | None) -> list[ExerciseEntry]:
        """Own errors due today, in any game if ``game`` is ``None``; the day's limit is filled with ``game`` first."""
        errors = sorted(own_errors(self._store, self.player), key=lambda entry: game not in (None, entry.game))
        due = [errors[index] for index in due_indices([self.tries(entry.name) for entry in errors], self._today)]
        return [entry for entry in due if game in (None, entry.game)]

    def tries(self, exercise: str) -> Tries:
        """The dates and results of the player's tries at an exercise."""
        return self._stored[exercise].tries if exercise in self._stored else ()

    def save_try(self, entry: ExerciseEntry, solved: bool) -> None:
        tries = [*self.tries(entry.name), (self._today.isoformat(), solved)]
        self._stored[entry.name] = stored = StoredTries(entry.game, entry.theme, tries)
        self._store.write_memo(f"exercise {entry.name} {self.player}", stored._asdict())


def own_errors(store: Store, player: str) -> list[ExerciseEntry]:
    """The exercises from a player's own errors, in the order of matches and plies. Raises :class:`StoreError`."""
    entries = []
    for name, memo in store.memos("error ").items():
        if memo["player"] == player:
            match, ply = map(int, name.removeprefix("error ").split("/"))
            load = partial(_load_own, store, match, ply, memo)
            entries.append(ExerciseEntry(f"{match}/{ply}", memo["game"], "own", load, match))
    return sorted(entries, key=lambda entry: [*map(int, entry.name.split("/"))])


def _load_own(store: Store, match: int, ply: int, memo: Mapping[str, Any]) -> tuple[MatchOnRecord, JudgedChoice]:
    """Load the match of an error, and the choice in ``memo``. Raises :class:`UnknownMatch`, :class:`StoreError`."""
    played = stored_match(store, match)
    before, after = played.plies[ply - 1 : ply + 1]  # index 0 is the start
    assert after.by
    assert after.action
    choice = ReviewedChoice(ply, after.by, after.action, played.game.observation(before.state, after.by))
    ratings, (cost, low, high) = ratings_of(played.game, memo["exact"], memo["ratings"]), memo["cost"]
    return played, JudgedChoice(choice, ratings, cost, loss=cost, low=low, high=high, exact=memo["exact"])


def _load_exercise(exercise: Exercise) -> tuple[MatchOnRecord, JudgedChoice]:
    game, plies = exercise.replay()
    header = Header(game.NAME, game.seats, game.rules.values(), game.dealer, None)
    return MatchOnRecord(header, game, plies), judge_natural(exercise, game, plies)


# At a terminal


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


def set_exercises(practice: Practice, game: str, settings: Settings) -> None:
    """Give a person the exercises that they select, until they leave.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    words = Words(settings.language, game)
    text, at = words.text, "practise.mixed"
    page = titled_page(settings, text("practise.heading", title=text("title")), [text("practise.about")])
    with open_screen(words, settings) as screen:
        while at:
            selections = practice.selections(game)
            offers = []
            for key, entries in selections.items():
                count, is_theme = len(entries), key.startswith("theme.")
                label = text("practise.theme", text=text(key), count=count) if is_theme else text(key, count=count)
                why_empty = text("practise.nothing_own" if key == OWN else "practise.nothing_left")
                offers.append(Offer(key, label, refused=None if entries else why_empty))
            offers.append(Offer(None, text("menu.leave")))
            at = screen.choose(page, text("practise.ask"), offers, BACK, text("menu.main_keys"), at=at)
            if at:
                _set_in_turn(screen, practice, selections[at], settings)


def set_due_errors(practice: Practice, game: str | None, settings: Settings) -> bool:
    """Give a person their own errors due today, as :func:`set_exercises` does. Return whether there were any."""
    if entries := practice.due_errors(game):
        with open_screen(Words(settings.language, game), settings) as screen:
            _set_in_turn(screen, practice, entries, settings)
    return bool(entries)


def _set_in_turn(screen: Screen, practice: Practice, entries: Sequence[ExerciseEntry], settings: Settings) -> None:
    for count_left, entry in zip(range(len(entries), 0, -1), entries, strict=True):
        with suppress(UnknownMatch):  # the match has been deleted meanwhile
            played, error = entry.load()
            pages = ExercisePages(played, error, settings)
            move, has_next = pages.move_text(error, error.choice.action), count_left > 1
            key = "practise.look_own" if entry.match else "practise.look"
            args: dict[str, Value] = {"text": move, "seat": error.choice.by, "count": count_left}
            args |= {"number": entry.match or 0, "exact": error.exact}
            trial = Trial(screen, pages, settings, error, has_next)
            trial.question, trial.on_first_answer = Message(key, args), partial(practice.save_try, entry)
            if not trial.run():
                return
