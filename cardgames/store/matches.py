"""The rows of matches: writing, listing, and sealing with checksums that detect any flipped bit.

The seal of a match covers its winners and its row except the names, which people may edit. The checksum of an action
covers the header and the actions up to that action."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zlib import crc32

from cardgames.engine.game import Message, Outcome, RuleValues
from cardgames.engine.record import Header
from cardgames.match.journal import Move
from cardgames.store import serialization
from cardgames.store.database import Transaction, insert
from cardgames.store.errors import Damaged, UnknownMatch
from cardgames.store.process import Holder, holder
from cardgames.store.serialization import dump, number, parse_json, text, time

SEALED_VERSION_3 = " || '|' || ".join([
    *("id", "game", "seats", "rules", "dealer", "checksum", "seed", "imported", "created", "changed", "revision"),
    *("plies", "head", "scores", "coalesce(CAST(follows AS TEXT), '')", "coalesce(CAST(minutes AS TEXT), '')"),
    "coalesce(players, '')",
    *("coalesce(finished, '')", "coalesce(why, '')"),
    "(SELECT coalesce(SUM((coalesce(won, 2) + 1) << CAST(2 * seat AS INTEGER)), 0)"
    " FROM player WHERE player.match = match.id)",
])  # fmt: skip
"""The text that a match's seal covers in version 3, in SQL: the row without names, and who won in two bits per seat."""

SEALED = SEALED_VERSION_3 + "".join([
    f" || coalesce('|' || {column}, '')" for column in ("commitment", "contributions", "code", "CAST(rated AS TEXT)")
])  # fmt: skip
"""The text that a match's seal covers, in SQL.

Columns of later versions are added only if they have a value, so that older seals remain valid."""

NEXT_REVISION = "coalesce((SELECT MAX(revision) FROM match), 0) + 1"
"""The number of the next change, in SQL. Such numbers order matches because clocks can be wrong.

Two processes that change two matches at the same moment may use the same number."""

NEXT_MATCH = "coalesce((SELECT MAX(id) FROM match), 0) + 1"

GIVEN_UP, DELETED, DEAL_OVER = Message("given_up"), Message("deleted"), Message("deal_over")
"""The reasons why a match ended early. A deleted match keeps its number and required columns: the number is not used
again, and a repair does not report the match as lost."""

TIME_UP, LEFT = "out_of_time", "left"
"""The message keys of losses without a last action: on time, and by staying away from a rated match. The record of such
a match has no outcome line."""

NOT_DELETED = """coalesce(why, '') NOT LIKE '["deleted"%'"""
"""The condition that a match is not deleted, in SQL."""

NO_SINGLE_DEAL = "NOT EXISTS (SELECT 1 FROM memo WHERE memo.name IN ('daily ' || match.id, 'board ' || match.id))"
"""The condition that a match is neither a deal of the day nor a deal of a duplicate tournament, in SQL."""

PLAYED = f"""{NOT_DELETED} AND {NO_SINGLE_DEAL} AND coalesce(why, '') NOT LIKE '["given_up"%'"""
"""The condition that a match counts in statistics, in SQL: neither deleted, nor given up, nor a single deal."""

NO_LIMIT = 1 << 62
"""A limit above any number of matches."""


class Facts(NamedTuple):
    """Data stored with a new match in addition to its header and actions; the rest is as in :class:`Summary`."""

    created: str
    """The time at which the match is created, as ISO 8601 text."""
    seed: int | None = None
    """The seed of the shuffles; ``None`` for a random seed."""
    follows: int | None = None
    imported: bool = False
    minutes: int | None = None
    commitment: str | None = None
    """The hash that commits to the seed; ``None`` without a commitment."""
    contributions: str | None = None
    """The seats' contributions to the seed, as JSON."""
    code: str | None = None
    """The code of a private table; ``None`` for a public table."""
    rated: bool = False


class Summary(NamedTuple):
    """The public facts of a match, finished or not, without hidden cards."""

    id: int
    game: str
    seats: int
    names: tuple[str, ...] | None
    """The name of each seat; ``None`` if the seats have only numbers."""
    players: tuple[str, ...] | None
    """``PERSON`` or a computer's level for each seat; ``None`` if people play all seats."""
    rules: RuleValues
    dealer: int
    follows: int | None
    """The number of the match of which this is a rematch."""
    imported: bool
    minutes: int | None
    """The time limit in minutes of each game; ``None`` if there is none."""
    created: datetime
    changed: datetime
    """The time of the last action or undo; timezone-aware, as all times."""
    plies: int
    scores: tuple[int, ...]
    """The present scores, one per seat."""
    outcome: Outcome | None
    """The outcome; ``None`` while the match is unfinished."""
    holder: Holder | None
    """The process that is playing the match, or ``None``."""
    opened: tuple[int, ...]
    """The plies after which somebody opened the record of the unfinished match."""
    rated: bool
    """Whether the match counts for ratings."""

    @property
    def header(self) -> Header:
        """The header of the match's record."""
        return Header(self.game, self.seats, self.rules, self.dealer, self.names, self.players)


class Counts(NamedTuple):
    """The numbers of matches, of unfinished matches, and of actions in all matches."""

    matches: int
    unfinished: int
    actions: int


# Seals


def seal(db: Transaction, match: int) -> None:
    """Store the checksum of a match's row. Call it last, once the row is final."""
    (row_text,) = db.execute(f"SELECT {SEALED} FROM match WHERE id = ?", (match,)).fetchone()
    db.execute("UPDATE match SET seal = ? WHERE id = ?", (crc32(text(row_text).encode()), match))


def update_row(db: Transaction, match: int, **columns: object) -> None:
    """Set some columns of a match's row, and seal it. With a new time in ``changed``, the row's revision is new too."""
    values = "".join([f"{column} = ?, " for column in columns])
    revision = NEXT_REVISION if "changed" in columns else "revision"
    db.execute(f"UPDATE match SET {values}revision = {revision} WHERE id = ?", (*columns.values(), match))
    seal(db, match)


def read_columns(db: Transaction, match: int, *columns: str) -> list[Any]:
    """The values of some columns of a match's row. Raises :class:`Damaged` if the seal does not fit the row."""
    row = db.execute(f"SELECT {', '.join(columns)}, seal, {SEALED} FROM match WHERE id = ?", (match,)).fetchone()
    if row is None:
        raise Damaged("match")
    values: list[Any]
    *values, seal, row_text = row
    _check_seal(seal, row_text)
    return values


def check_seals(db: Transaction) -> None:
    """Raise :class:`Damaged` unless the seals of all matches fit."""
    for seal, row_text in db.execute(f"SELECT seal, {SEALED} FROM match"):
        _check_seal(seal, row_text)


def _check_seal(seal: object, row_text: object) -> None:
    """Raise :class:`Damaged` unless ``seal`` is the checksum of the row's text."""
    if seal != crc32(text(row_text).encode()):
        raise Damaged("seal")


# Writing rows


def write_match(
    db: Transaction, header: Header, facts: Facts, actions: Iterable[Move] = (), scores: Sequence[int] | None = None
) -> int:
    """Write an unfinished match, and return its number. Scores default to 0."""
    if header.names is not None:
        header = header._replace(names=tuple([serialization.printable(name) for name in header.names]))
    head = checksum = serialization.first_checksum(header)
    rows = []
    for ply, (by, act) in enumerate(actions, 1):
        head = serialization.next_checksum(head, ply, by, act)
        rows.append((ply, by, act, head))
    columns = {
        **facts._asdict(),
        "seed": str(serialization.new_seed() if facts.seed is None else facts.seed),
        "imported": int(facts.imported),
        "rated": 1 if facts.rated else None,
        "changed": facts.created,
        "game": header.game,
        "seats": header.seats,
        "rules": dump(header.rules),
        "dealer": header.dealer,
        "names": header.names and dump(header.names),
        "players": header.players and dump(header.players),
        "checksum": checksum,
        "plies": len(rows),
        "head": head,
        "scores": dump(scores or [0] * header.seats),
        "seal": 0,  # sealed below
    }
    values = f"{NEXT_MATCH}, {NEXT_REVISION}, {', '.join('?' * len(columns))}"
    query = f"INSERT INTO match (id, revision, {', '.join(columns)}) VALUES ({values}) RETURNING id"
    match = number(db.execute(query, (*columns.values(),)).fetchone()[0])
    for seat, name in enumerate(header.names or (None,) * header.seats, 1):
        insert(db, "player", match=match, seat=seat, name=name)
    query = "INSERT INTO action (match, ply, by, act, checksum) VALUES (?, ?, ?, ?, ?)"
    db.executemany(query, [(match, *row) for row in rows])
    seal(db, match)
    return match


def write_outcome(db: Transaction, match: int, outcome: Outcome, at: str) -> None:
    """Write the outcome of a match that ends at the time ``at``."""
    query = "UPDATE player SET won = ? WHERE match = ? AND seat = ?"
    seats = range(1, len(outcome.scores) + 1)
    db.executemany(query, [(int(seat in outcome.winners), match, seat) for seat in seats])
    why = dump([outcome.why.key, dict(outcome.why.args)])
    update_row(db, match, finished=at, scores=dump(outcome.scores), why=why, changed=at)


# Reading rows


def check_exists(db: Transaction, match: int) -> None:
    """Raise :class:`UnknownMatch` unless the match exists."""
    query = f"SELECT 1 FROM match WHERE id = ? AND {NOT_DELETED}"
    is_possible = 0 < match < 1 << 63  # a column cannot have higher numbers
    if not is_possible or db.execute(query, (match,)).fetchone() is None:
        raise UnknownMatch(match)


def count(db: Transaction) -> Counts:
    """Count the matches in the store and their actions, without deleted matches."""
    query = f"SELECT COUNT(*), COUNT(finished), coalesce(SUM(plies), 0) FROM match WHERE {NOT_DELETED}"
    matches, finished, actions = db.execute(query).fetchone()
    return Counts(matches, matches - finished, int(actions))


def list_matches(db: Transaction, limit: int | None = None) -> list[Summary]:
    """At most ``limit`` matches: unfinished ones, then finished ones; in both groups, the last changed one first."""
    wanted = NO_LIMIT if limit is None else limit
    order = "ORDER BY revision DESC, id DESC LIMIT ?"
    found = summaries(db, f"finished IS NULL {order}", wanted)
    return found + summaries(db, f"finished IS NOT NULL AND {NOT_DELETED} {order}", wanted - len(found))


_COLUMNS = (
    "id", "game", "seats", "rules", "dealer", "names", "players", "follows", "imported", "minutes", "created",
    "changed", "finished", "plies", "scores", "why", "rated",
)  # fmt: skip
"""The columns that a summary needs."""


def summaries(db: Transaction, where: str, *args: object) -> list[Summary]:
    """The matches selected by the SQL ``where``: a condition and an optional order. Raises :class:`Damaged`."""
    query = f"SELECT {', '.join(_COLUMNS)}, seal, {SEALED} FROM match WHERE {where}"
    rows = []
    for *values, stored_seal, row_text in db.execute(query, args):
        _check_seal(stored_seal, row_text)
        rows.append(dict(zip(_COLUMNS, values, strict=True)))
    condition = f"match IN (SELECT id FROM match WHERE {where})"
    winners, opened = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for match, seat in db.execute(f"SELECT match, seat FROM player WHERE won = 1 AND {condition} ORDER BY seat", args):
        winners[match].append(seat)
    for match, ply in db.execute(f"SELECT match, ply FROM opened WHERE {condition} ORDER BY id", args):
        opened[match].append(number(ply))
    return [_summary(db, row, winners[number(row["id"])], opened[number(row["id"])]) for row in rows]


def _summary(db: Transaction, row: dict[str, object], winners: Sequence[int], opened: Sequence[int]) -> Summary:
    """The summary of a match from the columns in ``row``. Raises :class:`Damaged`."""
    seats, scores = number(row["seats"]), tuple([number(score) for score in parse_json(row["scores"], list)])
    if len(scores) != seats:
        raise Damaged("scores")
    return Summary(
        id=number(row["id"]),
        game=text(row["game"]),
        seats=seats,
        names=serialization.texts(row["names"], seats),
        players=serialization.texts(row["players"], seats),
        rules=parse_json(row["rules"], dict),
        dealer=number(row["dealer"]),
        follows=None if row["follows"] is None else number(row["follows"]),
        imported=bool(row["imported"]),
        minutes=None if row["minutes"] is None else number(row["minutes"]),
        created=time(row["created"]),
        changed=time(row["changed"]),
        plies=number(row["plies"]),
        scores=scores,
        outcome=None if row["finished"] is None else Outcome(scores, tuple(winners), serialization.reason(row["why"])),
        holder=None if row["finished"] is not None else holder(db, number(row["id"])),
        opened=tuple(opened),
        rated=bool(row["rated"]),
    )


def summary(db: Transaction, match: int) -> Summary:
    """The summary of a match. Raises :class:`UnknownMatch` and :class:`Damaged`."""
    check_exists(db, match)
    return summaries(db, "id = ?", match)[0]


def last_changed(db: Transaction, is_finished: bool) -> int | None:
    """The number of the finished or unfinished match that was changed last, or ``None``."""
    condition = "finished IS NOT NULL" if is_finished else "finished IS NULL"
    row = db.execute(f"SELECT id FROM match WHERE {condition} ORDER BY revision DESC, id DESC LIMIT 1").fetchone()
    return row and number(row[0])


def matches_of_person(db: Transaction, person: str, limit: int) -> list[Summary]:
    """At most ``limit`` matches with a seat of ``person``, an identity from another machine, last changed first."""
    where = f"id IN (SELECT match FROM seat WHERE person = ?) AND {NOT_DELETED} ORDER BY revision DESC LIMIT ?"
    return summaries(db, where, person, limit)


def rematch_chain(db: Transaction, match: int) -> list[Summary]:
    """The chain of rematches that ends with ``match``, the oldest match first."""
    check_exists(db, match)
    where = f"""
        id IN (
            WITH RECURSIVE chain (id) AS (
                SELECT CAST(? AS BIGINT)
                UNION SELECT follows FROM match JOIN chain ON match.id = chain.id WHERE follows IS NOT NULL
            ) SELECT id FROM chain
        ) AND {NOT_DELETED} ORDER BY id
    """
    return summaries(db, where, match)


def names_last_used(db: Transaction, game: str, seats: int | None = None) -> tuple[str, ...] | None:
    """The names in a game's newest match with names, and with ``seats`` seats if given; imported ones are skipped."""
    newest = _newest_match(db, game, "names IS NOT NULL AND seats = coalesce(?, seats)", seats)
    return newest.names if newest else None


def rules_last_used(db: Transaction, game: str) -> dict[str, Any] | None:
    """The options of a game's newest match, perhaps of an older version, or ``None``; imported ones are skipped."""
    newest = _newest_match(db, game)
    return newest.rules if newest else None


def _newest_match(db: Transaction, game: str, condition: str = "1 = 1", *args: object) -> Summary | None:
    """The newest match of ``game`` that fulfils the SQL ``condition``, or ``None``. Imported matches are skipped."""
    where = f"game = ? AND imported = 0 AND {NO_SINGLE_DEAL} AND {NOT_DELETED} AND {condition} ORDER BY id DESC LIMIT 1"
    return next(iter(summaries(db, where, game, *args)), None)


# Memos


def is_single_deal(db: Transaction, match: int) -> bool:
    """Whether a match is a deal of the day or of a duplicate tournament."""
    return db.execute(f"SELECT 1 FROM match WHERE id = ? AND {NO_SINGLE_DEAL}", (match,)).fetchone() is None


def write_memo(db: Transaction, name: str, value: Mapping[str, Any]) -> None:
    """Store a JSON object as the memo ``name``. It replaces an earlier memo of that name."""
    query = "INSERT INTO memo VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.execute(query, (name, dump(value)))


def read_memos(db: Transaction, prefix: str) -> dict[str, dict[str, Any]]:
    """The memos whose names begin with ``prefix``, by name."""
    query = "SELECT name, value FROM memo WHERE substr(name, 1, ?) = ? ORDER BY name"
    return {text(name): parse_json(value, dict) for name, value in db.execute(query, (len(prefix), prefix))}
