"""Import and export of matches as records."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations
from typing import NamedTuple

from cardgames.engine.game import Action, Outcome, Reason
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.engine.record import Header, RecordError, action_line, header_line, outcome_line, read
from cardgames.match.commitment import commitment
from cardgames.match.journal import Move
from cardgames.store.database import Transaction
from cardgames.store.errors import Damaged
from cardgames.store.journal import committed_to, load
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, TIME_UP, Facts, summary, write_match, write_outcome
from cardgames.store.serialization import dump


class Record(NamedTuple):
    """A parsed record."""

    header: Header
    moves: list[Move]
    scores: tuple[int, ...]
    outcome: Outcome | None


def parse(lines: Iterable[bytes]) -> Record:
    """Parse a whole record. Raises :class:`RecordError`."""
    header, game, plies = read(lines)
    _check_names(header.names or ())
    moves: list[Move] = []
    state = None
    for ply in plies:
        state = ply.state
        if ply.action is not None and ply.by is not None:
            moves.append((ply.by, ply.action.text))
    return Record(header, moves, game.scores(state), game.outcome(state))


def _check_names(names: tuple[str, ...]) -> None:
    """Raise :class:`RecordError` if a name is not allowed at tables."""
    for name in names:
        if not is_allowed_name(name):
            raise RecordError(1, Reason("record_bad_name", {"value": name, "number": LONGEST_NAME}))
    for name, other in combinations(names, 2):
        if look_alike(name, other):
            raise RecordError(1, Reason("record_same_names", {"values": (name, other)}))


def store(db: Transaction, record: Record, at: str) -> int:
    """Store the match of a record with the time ``at``, and return its number."""
    secret = record.header.secret if record.outcome else None  # players who continue the match must not know what comes
    seed = int.from_bytes(secret, "big") if secret else None
    bound = commitment(secret, record.header) if secret else None
    facts = Facts(at, seed, imported=True, commitment=bound)
    if secret and record.header.contributions:
        facts = facts._replace(contributions=dump([*record.header.contributions, None]))
    match = write_match(db, record.header, facts, record.moves, record.scores)
    if record.outcome:
        write_outcome(db, match, record.outcome, at)
    return match


def export(db: Transaction, match: int) -> Iterator[str]:
    """The lines of a match's record. Raises :class:`UnknownMatch` and :class:`Damaged`."""
    header, moves = load(db, match)
    bound = committed_to(db, match)
    if bound and bound.secret:
        header = header._replace(secret=bound.secret, contributions=bound.contributions)
    lines = [header_line(header), *[action_line(by, Action("", act)) for by, act in moves]]
    written = summary(db, match).outcome
    outcome = _ended(
        lines, None if written and (written.why in (GIVEN_UP, DEAL_OVER) or written.why.key == TIME_UP) else written
    )
    return chain(lines, [outcome_line(outcome)] if outcome else [])


def _ended(lines: Sequence[str], written: Outcome | None) -> Outcome | None:
    """The outcome to which a record's actions lead. Raises :class:`Damaged` if another is ``written``.

    The ``written`` outcome is trusted only if the present rules do not allow the actions."""
    state, played = None, -1
    with suppress(RecordError):  # which also complains about the missing outcome
        _, game, plies = read(line.encode() for line in lines)
        for ply in plies:
            state, played = ply.state, played + 1
    if played < len(lines) - 1:
        return written
    outcome = game.outcome(state)
    if (outcome and outcome[:2]) != (written and written[:2]):
        raise Damaged("outcome")
    return outcome
