"""The ratings of people and computers at each game, by Weng and Lin's model as the library ``openskill`` has it.

They follow from the rated matches in the order in which those ended, and from nothing else. A match counts once, when
it was played to its end or lost by the clock; not if it was broken off, came from a record, had something taken back,
had its record opened before the end, or had the same person in two seats. Everybody on a side is rated by its result,
which is to have won or not: points are no measure that games share.

Computers keep the ratings of their levels, which are the fixed points of the scale: they play no better for having won.
Whoever had a computer play for them for a while can lose by the match, and not gain.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import InvalidRules
from cardgames.engine.record import PERSON
from cardgames.store.database import Transaction
from cardgames.store.matches import PLAYED, Summary, summaries
from cardgames.store.serialization import number, text

MEAN, DEVIATION = 1500.0, 250.0
"""The rating of a newcomer."""
SURE = 1.96
"""The standard deviations on either side of a mean between which 95 of 100 lie."""

Who: TypeAlias = tuple[str, str]
"""Who is rated: ``PERSON`` and a name of this machine, ``"guest"`` and an identity, or ``"level"`` and a level."""
GUEST, LEVEL = "guest", "level"


class PlayerRating(NamedTuple):
    """The skill of somebody at a game, as far as it is known."""

    name: str
    """By which they are known, or the level of a computer."""
    mean: float = MEAN
    deviation: float = DEVIATION
    matches: int = 0
    """How many it rests on."""

    @property
    def margin(self) -> float:
        """Half the 95 % interval about the mean."""
        return SURE * self.deviation


Ratings: TypeAlias = Mapping[Who, PlayerRating]


@cache
def _model() -> Any:
    """The model, on a scale like that of Elo: 200 points more win three matches of four."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=DEVIATION / 2, tau=DEVIATION / 100)


def after(sides: Sequence[Sequence[PlayerRating]], won: Sequence[bool]) -> list[list[PlayerRating]]:
    """The ratings of everybody on each side after a match, of which some sides ``won``."""
    model = _model()
    teams = [[model.rating(mu=each.mean, sigma=each.deviation) for each in side] for side in sides]
    rated = model.rate(teams, ranks=[0 if side else 1 for side in won])
    return [
        [
            before._replace(mean=new.mu, deviation=new.sigma, matches=before.matches + 1)
            for before, new in zip(*pair, strict=True)
        ]
        for pair in zip(sides, rated, strict=True)
    ]


class RatingList:
    """The ratings at one game, which reads only the matches that are new since it was brought up to date."""

    def __init__(self, game: str, levels: Mapping[str, tuple[float, float]]) -> None:
        """``levels`` are the means and deviations of the computers."""
        self._game = game
        self._levels = levels
        self._forget()

    def _forget(self) -> None:
        self._ratings: dict[Who, PlayerRating] = {
            (LEVEL, level): PlayerRating(level, *rating) for level, rating in self._levels.items()
        }
        self._counted = self._revision = 0

    def update(self, db: Transaction) -> Ratings:
        """Read on, and return the ratings of all who have any; raises :class:`Damaged`."""
        query = f"SELECT COUNT(*), coalesce(MAX(revision), 0) FROM match WHERE {_COUNTS}"
        count, revision = db.execute(query, (self._game,)).fetchone()
        where = f"{_COUNTS} AND revision > ?"
        ((new,),) = db.execute(f"SELECT COUNT(*) FROM match WHERE {where}", (self._game, self._revision))
        if self._counted + new != count:  # some were deleted, or came into view late
            self._forget()
        if self._counted != count:
            for match in summaries(db, f"{where} ORDER BY revision, id", self._game, self._revision):
                self._count(db, match)
        self._counted, self._revision = number(count), number(revision)
        return self._ratings

    def _count(self, db: Transaction, match: Summary) -> None:
        """Let a match count."""
        assert match.outcome
        players, handed = _players(db, match), _handed(db, match)
        people = [who for who, _ in players.values() if who[0] != LEVEL]
        known = all(who in self._ratings for who, _ in players.values() if who[0] == LEVEL)
        try:
            sides = match.header.new_game().sides
        except InvalidRules:  # they have changed since
            return
        if not known or len({*people}) < max(1, len(people)):
            return
        before = [[self._ratings.get(players[seat][0], PlayerRating("")) for seat in side] for side in sides]
        won = [side[0] in match.outcome.winners for side in sides]
        for side, old, new in zip(sides, before, after(before, won), strict=True):
            for seat, was, rating in zip(side, old, new, strict=True):
                who, name = players[seat]
                if who[0] == LEVEL:
                    self._ratings[who] = self._ratings[who]._replace(matches=rating.matches)
                elif seat not in handed or rating.mean < was.mean:
                    self._ratings[who] = rating._replace(name=name)


_COUNTS = f"""rated = 1 AND finished IS NOT NULL AND imported = 0 AND game = ? AND {PLAYED}
    AND id NOT IN (SELECT match FROM undo) AND id NOT IN (SELECT match FROM opened)"""
"""The matches that may count, in SQL."""


def _players(db: Transaction, match: Summary) -> dict[int, tuple[Who, str]]:
    """Who played each seat, and the name by which they are known."""
    query = """
        SELECT seat, person, place.name, person.name FROM place LEFT JOIN person ON person.id = person WHERE match = ?
    """
    levels, found = match.header.computers, {}
    for seat, person, name, known in db.execute(query, (match.id,)):
        level = levels.get(seat)
        found[number(seat)] = who_is(text(name), person, level), level or text(known or name)
    return found


def who_is(name: str, person: str | None, level: str | None) -> Who:
    """Who somebody of that ``name`` is: a computer of a ``level``, a ``person`` from elsewhere, or of this machine."""
    return (LEVEL, level) if level else (GUEST, person) if person else (PERSON, name)


def _handed(db: Transaction, match: Summary) -> set[int]:
    """The seats of people for whom a computer has played for a while."""
    query = "SELECT DISTINCT seat FROM substitute WHERE match = ? AND level <> ? AND ply < ?"
    return {number(seat) for (seat,) in db.execute(query, (match.id, PERSON, match.plies))}
