"""Import and export of matches as records."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations
from typing import NamedTuple

from cardgames.engine.game import Action, Message, Outcome
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.engine.record import Header, RecordError, action_line, header_line, outcome_line, read
from cardgames.match.chance import commitment
from cardgames.match.journal import Move
from cardgames.store.database import Transaction
from cardgames.store.errors import Damaged
from cardgames.store.journal import load, read_commitment
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, LEFT, TIME_UP, Facts, summary, write_match, write_outcome
from cardgames.store.serialization import dump


class Record(NamedTuple):
    """A match parsed from its record."""

    header: Header
    moves: list[Move]
    scores: tuple[int, ...]
    outcome: Outcome | None


def parse(lines: Iterable[bytes]) -> Record:
    """Parse a whole record. Raises :class:`RecordError`, also if a name is not allowed or two names look alike."""
    header, game, plies = read(lines)
    names = header.names or ()
    for name in names:
        if not is_allowed_name(name):
            raise RecordError(1, Message("bad_name", {"value": name, "number": LONGEST_NAME}))
    for name, other in combinations(names, 2):
        if look_alike(name, other):
            raise RecordError(1, Message("same_names", {"values": (name, other)}))
    moves: list[Move] = []
    state = None
    for ply in plies:
        state = ply.state
        if ply.action is not None and ply.by is not None:
            moves.append((ply.by, ply.action.text))
    return Record(header, moves, game.scores(state), game.outcome(state))


def store_record(db: Transaction, record: Record, at: str) -> int:
    """Store a record as a match created at the time ``at``; return the match's number."""
    secret = record.header.secret if record.outcome else None  # players who continue the match must not know what comes
    seed = int.from_bytes(secret, "big") if secret else None
    commitment_hash = commitment(secret, record.header) if secret else None
    facts = Facts(at, seed, imported=True, commitment=commitment_hash)
    if secret and record.header.contributions:
        facts = facts._replace(contributions=dump([*record.header.contributions, None]))  # ``None``: closed
    match = write_match(db, record.header, facts, record.moves, record.scores)
    if record.outcome:
        write_outcome(db, match, record.outcome, at)
    return match


def export(db: Transaction, match: int) -> Iterator[str]:
    """The lines of a match's record. Raises :class:`UnknownMatch` and :class:`Damaged`."""
    header, moves = load(db, match)
    stored_commitment = read_commitment(db, match)
    if stored_commitment and stored_commitment.secret:
        header = header._replace(secret=stored_commitment.secret, contributions=stored_commitment.contributions)
    lines = [header_line(header), *[action_line(by, Action("", act)) for by, act in moves]]
    stored = summary(db, match).outcome
    if stored and (stored.why in (GIVEN_UP, DEAL_OVER) or stored.why.key in (TIME_UP, LEFT)):
        stored = None  # a record has only outcomes that follow from its actions
    outcome = _checked_outcome(lines, stored)
    return chain(lines, [outcome_line(outcome)] if outcome else [])


def _checked_outcome(lines: Sequence[str], stored: Outcome | None) -> Outcome | None:
    """The outcome to which a record's actions lead. Raises :class:`Damaged` if ``stored`` has other scores or winners.

    If the present rules no longer allow the actions, ``stored`` is returned unchecked."""
    state, played = None, -1  # ``read`` begins with the state before the first action
    with suppress(RecordError):  # ``read`` also complains about the missing outcome
        _, game, plies = read(line.encode() for line in lines)
        for ply in plies:
            state, played = ply.state, played + 1
    if played < len(lines) - 1:  # the header is no action
        return stored
    outcome = game.outcome(state)
    result, stored_result = [each and (each.scores, each.winners) for each in (outcome, stored)]
    if result != stored_result:
        raise Damaged("outcome")
    return outcome
