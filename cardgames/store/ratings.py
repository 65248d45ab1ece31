"""The ratings of people and computers by game, in Weng and Lin's model from the library ``openskill``.

Ratings depend only on the rated matches, in the order in which they ended. A match counts if it was played to its end
or lost by the clock. It does not if it was given up or imported, had an undo or its record opened, or had a person in
two seats. Each side is rated by whether it won, as games have no common measure of points.

Nobody can win a rating from an identity of their own. A loss by the clock, or by staying away, of a newcomer who has
made only a few actions does not count. Of two people who play each other more often than all others together, each
further match counts less. So does each match against people with provisional ratings for somebody who has played more
of these than matches against computers and people whose ratings are known. Three identities of one owner look like
three friends, and only matches with others tell how good they are.

Computers keep the fixed ratings of their levels. A person for whom a computer stood in can lose by the match but not
gain."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias, cast

from cardgames.engine.game import InvalidRules
from cardgames.engine.record import PERSON
from cardgames.store.database import Transaction
from cardgames.store.matches import LEFT, PLAYED, TIME_UP, Summary, summaries
from cardgames.store.serialization import number, text

MEAN, DEVIATION = 1500.0, 250.0
"""The mean and the standard deviation of a newcomer's rating."""
Z_95 = 1.96
"""Standard deviations from the mean to the ends of the 95 % interval."""
PROVISIONAL = 110.0
"""The standard deviation above which a person's rating is provisional."""
FEW_ACTIONS = 10
"""The fewest actions of a player with a provisional rating for which a loss by the clock counts."""

PlayerKey: TypeAlias = tuple[str, str]
"""A key of ratings: ``PERSON`` and a name of this machine, ``"guest"`` and an identity, or ``"level"`` and a level."""
GUEST, LEVEL = "guest", "level"

LevelRatings: TypeAlias = Mapping[str, Mapping[str, tuple[float, float]]]
"""The mean and deviation of each level of the computers, by game."""


class PlayerRating(NamedTuple):
    """A player's estimated skill at a game."""

    name: str
    """The player's name, or the level of a computer."""
    mean: float = MEAN
    deviation: float = DEVIATION
    matches: int = 0
    """The number of matches behind the rating."""
    is_computer: bool = False

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval around the mean."""
        return Z_95 * self.deviation

    @property
    def certain(self) -> float:
        """The lower end of the 95 % interval, by which ratings are sorted."""
        return self.mean - self.margin

    @property
    def provisional(self) -> bool:
        """Whether too little is known for a person's rating. Those of computers are given."""
        return self.deviation > PROVISIONAL and not self.is_computer


Ratings: TypeAlias = Mapping[PlayerKey, PlayerRating]


@cache
def _model() -> Any:
    """The rating model, scaled like Elo: a player rated 200 points higher wins three matches in four."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=DEVIATION / 2, tau=DEVIATION / 100)


def ratings_after(sides: Sequence[Sequence[PlayerRating]], won: Sequence[bool]) -> list[list[PlayerRating]]:
    """The new ratings of each side's players after a match; ``won`` tells for each side whether it won."""
    model = _model()
    model_sides = [[model.rating(mu=each.mean, sigma=each.deviation) for each in side] for side in sides]
    rated = model.rate(model_sides, ranks=[0 if side_won else 1 for side_won in won])
    found = []
    for side, rated_side in zip(sides, rated, strict=True):
        pairs = zip(side, rated_side, strict=True)
        found.append([old._replace(mean=new.mu, deviation=new.sigma, matches=old.matches + 1) for old, new in pairs])
    return found


class RatingList:
    """The ratings of all players at one game. An update reads only new matches."""

    def __init__(self, game: str, levels: LevelRatings) -> None:
        self._game = game
        self._levels = levels.get(game, {})
        self._forget()

    def _forget(self) -> None:
        """Reset all ratings: each level of the computers gets its given rating, and nobody else has a rating."""
        self._ratings: dict[PlayerKey, PlayerRating] = {
            (LEVEL, level): PlayerRating(level, *rating, is_computer=True) for level, rating in self._levels.items()
        }
        self._counted = self._revision = 0
        self._played: Counter[PlayerKey] = Counter()
        """The number of matches of each person against other people."""
        self._met: Counter[frozenset[PlayerKey]] = Counter()
        """The number of matches of each two people against each other."""
        self._against: Counter[tuple[PlayerKey, bool]] = Counter()
        """The number of matches of each person by whether the rating of an opponent was known."""

    def update(self, db: Transaction) -> Ratings:
        """Rate the matches since the last update, and return all ratings. Raises :class:`Damaged`."""
        query = f"SELECT COUNT(*), coalesce(MAX(revision), 0) FROM match WHERE {_COUNTS}"
        count, revision = db.execute(query, (self._game,)).fetchone()
        where = f"{_COUNTS} AND revision > ? ORDER BY revision, id"
        new_matches = summaries(db, where, self._game, self._revision)
        if self._counted + len(new_matches) != count:  # some were deleted, or were stored late
            self._forget()
            new_matches = summaries(db, where, self._game, self._revision)
        for match in new_matches:
            self._rate_match(db, match)
        self._counted, self._revision = number(count), number(revision)
        return self._ratings

    def _rate_match(self, db: Transaction, match: Summary) -> None:
        """Update the ratings by the result of a match, unless a person had two seats or a level is unknown.

        A level's rating stays as it was given. A player who had a stand-in can only lose rating by the match."""
        assert match.outcome
        players = _players(db, match)
        keys = [key for key, _ in players.values()]
        people = [key for key in keys if key[0] != LEVEL]
        has_unknown_level = any(key[0] == LEVEL and key not in self._ratings for key in keys)
        if not people or len({*people}) < len(people) or has_unknown_level:
            return
        try:
            sides = match.header.new_game().sides
        except InvalidRules:  # the rules have changed since
            return
        query = "SELECT DISTINCT seat FROM substitute WHERE match = ? AND level <> ? AND ply < ?"
        had_stand_in = {seat for (seat,) in db.execute(query, (match.id, PERSON, match.plies))}
        before = [[self._ratings.get(players[seat][0], PlayerRating("")) for seat in side] for side in sides]
        if match.outcome.why.key in (TIME_UP, LEFT):
            loser = cast(int, match.outcome.why.args["seat"])
            query = "SELECT COUNT(*) FROM action WHERE match = ? AND by = ?"
            (actions,) = db.execute(query, (match.id, loser)).fetchone()
            if actions < FEW_ACTIONS and self._ratings.get(players[loser][0], PlayerRating("")).provisional:
                return
        won = [side[0] in match.outcome.winners for side in sides]
        pair_weight = self._weight([[players[seat][0] for seat in side] for side in sides])
        for side, old, new in zip(sides, before, ratings_after(before, won), strict=True):
            is_known = any(not rating.provisional for other in before if other is not old for rating in other)
            for seat, old_rating, full in zip(side, old, new, strict=True):
                weight = min(pair_weight, self._weight_by_opponents(players[seat][0], is_known))
                mean = old_rating.mean + weight * (full.mean - old_rating.mean)
                deviation = old_rating.deviation + weight * (full.deviation - old_rating.deviation)
                new_rating = full._replace(mean=mean, deviation=deviation)
                key, name = players[seat]
                if key[0] == LEVEL:
                    self._ratings[key] = self._ratings[key]._replace(matches=new_rating.matches)
                elif seat not in had_stand_in or new_rating.mean < old_rating.mean:
                    self._ratings[key] = new_rating._replace(name=name)

    def _weight_by_opponents(self, key: PlayerKey, is_known: bool) -> float:
        """The weight of a match for a player, at most 1; count this match. ``is_known``: the rating of an opponent is.

        The weight is 1 while the player has met unknown opponents alone no more often than known ones. After that the
        ``n``-th further match has about one ``n``-th of the weight."""
        weight = 1.0 if is_known else min(1.0, (1 + self._against[key, True]) / (1 + self._against[key, False]))
        self._against[key, is_known] += 1
        return weight

    def _weight(self, sides: Sequence[Sequence[PlayerKey]]) -> float:
        """The weight of a match, at most 1, by how often its people have met before; count this match.

        The weight is 1 while two opponents have met no more often than each has played without the other. After that
        the ``n``-th further match has about one ``n``-th of the weight."""
        people = [[key for key in side if key[0] != LEVEL] for side in sides]
        pairs = [(a, b) for one, other in combinations(people, 2) for a in one for b in other]
        weight = 1.0
        for a, b in pairs:
            met = self._met[frozenset((a, b))]
            others = min(self._played[a], self._played[b]) - met
            if met > others:
                weight = min(weight, (1 + others) / (1 + met))
        self._met.update(frozenset(pair) for pair in pairs)
        self._played.update({key for pair in pairs for key in pair})
        return weight


_UNTOUCHED = f"""finished IS NOT NULL AND imported = 0 AND game = ? AND {PLAYED}
    AND id NOT IN (SELECT match FROM undo) AND id NOT IN (SELECT match FROM opened)"""
_COUNTS = f"rated = 1 AND {_UNTOUCHED}"
"""The condition for matches that may count, in SQL."""


class OwnRating(NamedTuple):
    """A person's rating at a game, estimated from the matches against computers."""

    game: str
    rating: int
    margin: int
    """Half the width of the rating's 95 % interval."""
    matches: int
    course: tuple[int, ...]
    """The ratings after each match, the latest last."""


def own_rating(db: Transaction, game: str, name: str, levels: LevelRatings) -> OwnRating | None:
    """The rating of the person ``name`` of this machine by matches without hints or other people, if there are any."""
    ratings, course = RatingList(game, levels), list[PlayerRating]()
    where = f"{_UNTOUCHED} AND id NOT IN (SELECT match FROM hint) AND id IN (SELECT match FROM player WHERE name = ?)"
    for match in summaries(db, f"{where} ORDER BY revision, id", game, name):
        if len(match.header.computers) == match.seats - 1:
            ratings._rate_match(db, match)
            course += [rating] if (rating := ratings._ratings.get((PERSON, name))) else []
    means = tuple([round(rating.mean) for rating in course])
    return OwnRating(game, means[-1], round(course[-1].margin), course[-1].matches, means) if course else None


def _players(db: Transaction, match: Summary) -> dict[int, tuple[PlayerKey, str]]:
    """The rating key and the name of each player in a match, by seat."""
    query = """
        SELECT seat, person, seat.name, person.name FROM seat LEFT JOIN person ON person.id = person WHERE match = ?
    """
    levels, found = match.header.computers, {}
    at_one_terminal = [(seat, None, name, None) for seat, name in enumerate(match.names or (), 1)]
    for seat, person, name, guest_name in db.execute(query, (match.id,)).fetchall() or at_one_terminal:
        level = levels.get(seat)
        found[number(seat)] = player_key(text(name), person, level), level or text(guest_name or name)
    return found


def player_key(name: str, person: str | None, level: str | None) -> PlayerKey:
    """The rating key of a computer if ``level`` is given, else of ``person`` if given, else of the local ``name``."""
    if level:
        return LEVEL, level
    return (GUEST, person) if person else (PERSON, name)
