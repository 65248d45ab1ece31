"""Exercises: positions for one seat in which one move is clearly best, and not the natural one.

Each game has a pack, ``NAME_exercises.jsonl``, made by ``scripts/mine-exercises``. An exercise has a seed, the
players' actions, and the ratings of the legal actions, so that answers are judged at once."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from math import inf
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.review import JudgedChoice, MatchOnRecord, ReviewedChoice
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, new_game
from cardgames.engine.hidden import shuffled
from cardgames.engine.record import Header, Ply

DIFFICULTIES = ("easy", "medium", "hard")


class Exercise(NamedTuple):
    """A position with the ratings of its legal actions."""

    game: str
    seed: int
    """The seed of the shuffles. It also identifies the exercise in its pack."""
    seats: int
    dealer: int
    acts: Sequence[str]
    """The players' actions before the question, in order."""
    natural: str
    """The action that seems natural but is wrong."""
    ratings: Sequence[Sequence[Any]]
    """The result of :func:`rating_entries`, the best first."""
    theme: str
    exact: bool
    solved: Mapping[str, float]
    """The share of right answers by solver: each level, ``search`` without inference, and ``blind`` guesses."""
    difficulty: str = ""
    """One of the ``DIFFICULTIES``, a third of the pack each; see :func:`pack`."""

    @property
    def name(self) -> str:
        """The unique name of the exercise."""
        return f"{self.game}-{self.seed}"

    @property
    def share(self) -> float:
        """The mean share of right answers, over the levels and other computers in ``solved``."""
        return sum(self.solved.values()) / len(self.solved)

    def load(self) -> tuple[MatchOnRecord, JudgedChoice]:
        """The match up to the question, and the natural but wrong action, judged by the stored ratings."""
        game = new_game(self.game, self.seats, {}, self.dealer)
        plies = self._replay(game)
        state = plies[-1].state
        seat = game.to_act(state) or CHANCE
        choice = ReviewedChoice(len(plies), seat, game.parse(self.natural), game.observation(state, seat))
        ratings = ratings_of(game, self.exact, self.ratings)
        best, natural = ratings[0], next(rating for rating in ratings if rating.action == choice.action)
        cost, doubt = best.value - natural.value, best._replace(leads={}).lead(natural).doubt
        low, high = max(1e-6, cost - doubt), cost + doubt  # more than 0, so that it counts as an error
        header = Header(game.NAME, game.seats, game.rules.values(), game.dealer, None)
        match = MatchOnRecord(header, game, plies)
        return match, JudgedChoice(choice, match.unit, ratings, cost, low, high, self.exact)

    def _replay(self, game: AnyGame) -> tuple[Ply, ...]:
        plies, acts = [ply := Ply(0, None, None, game.start())], iter(self.acts)
        while True:
            if chance := game.chance(ply.state):
                action = chance_action(chance, ply.number, self.seed)
            elif (text := next(acts, None)) is None:
                return tuple(plies)
            else:
                action = game.parse(text)
            by = game.actor(ply.state, action)
            plies.append(ply := Ply(ply.number + 1, by, action, game.apply(ply.state, action)))


def ratings_of(game: AnyGame, exact: bool, entries: Sequence[Sequence[Any]]) -> tuple[Rating, ...]:
    """Return the ratings from which :func:`rating_entries` made ``entries``; ``exact`` applies to all of them."""

    def rating(text: str, value: float, error: float | None = 0.0, behind: int = 0) -> Rating:
        return Rating(game.parse(text), value, inf if error is None else error, exact)

    best, *others = [rating(*entry) for entry in entries]
    behind = [other for other, entry in zip(others, entries[1:], strict=True) if len(entry) > 3]
    leads = {other.action: Lead(best.value - other.value, 0.0) for other in behind}
    return best._replace(leads=leads), *others


def rating_entries(ratings: Sequence[Rating]) -> list[list[Any]]:
    """Ratings for storage: action, value, error (``None``: infinite), 1 if certainly worse; no zeros at the end."""
    best, entries = ratings[0], []
    for rating in ratings:
        error = None if rating.error == inf else round(rating.error, 4)
        behind = best.beats(rating) and not best._replace(leads={}).beats(rating)
        entry = [rating.action.text, round(rating.value, 3), error, int(behind)]
        while len(entry) > 2 and entry[-1] == 0:
            entry.pop()
        entries.append(entry)
    return entries


def chance_action(chance: Chance, ply: int, seed: int) -> Action:
    """Return the action of chance after ply number ``ply``. It depends only on these arguments."""
    return chance.action(shuffled(chance.items, Random(f"{seed}/{ply}"))[: chance.number])


@lru_cache
def pack(game: str) -> tuple[Exercise, ...]:
    """Return the exercises of a game, in the order of the file. Their difficulty is relative to the pack."""
    text = files("cardgames.bots").joinpath(f"{game}_exercises.jsonl").read_text("utf-8")
    result = [Exercise(game, **json.loads(line)) for line in text.splitlines()]
    shares = sorted([exercise.share for exercise in result], reverse=True)
    # 0 for the exercises that most solve
    thirds = [shares.index(exercise.share) * len(DIFFICULTIES) // len(shares) for exercise in result]
    return tuple([each._replace(difficulty=DIFFICULTIES[third]) for each, third in zip(result, thirds, strict=True)])


def selections(game: str, tries: Mapping[str, Sequence[bool]]) -> dict[str, list[Exercise]]:
    """The unsolved exercises of a game, the least tried first, by the message of each selection: difficulty or theme.

    ``tries``: whether a person has solved an exercise, at each try, by the exercise's name."""
    exercises = pack(game)
    selected = {"practise.mixed": [*exercises]}
    for difficulty in DIFFICULTIES:
        selected[f"practise.{difficulty}"] = [each for each in exercises if each.difficulty == difficulty]
    for exercise in exercises:
        selected.setdefault(f"theme.{exercise.theme}", []).append(exercise)
    for key, found in selected.items():
        Random(game).shuffle(found)  # in the same order each time
        unsolved = [each for each in found if not any(tries.get(each.name, ()))]
        selected[key] = sorted(unsolved, key=lambda each: len(tries.get(each.name, ())))
    return selected
