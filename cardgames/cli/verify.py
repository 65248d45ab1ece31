"""``verify`` checks a record's shuffles against the commitment shown before its first card."""

import re
from typing import Annotated

import typer

from cardgames.cli.context import BAD_RECORD, FAILED, USAGE, Refused, say, tell
from cardgames.cli.opened_store import opened_store
from cardgames.cli.parameters import RecordArgument
from cardgames.cli.records import called, numbered, reading
from cardgames.engine.record import read


def verify(
    record: Annotated[str, RecordArgument],
    hash_shown: Annotated[list[str] | None, typer.Argument(metavar="HASH", show_default=False)] = None,
) -> None:
    """Check a record against the commitment to chance that was shown before its first card."""
    from cardgames.match import commitment, first_deviation, joint_hash, mixed_secret

    shown = "".join(hash_shown or ()).casefold()  # the hash is shown in two halves
    if hash_shown and not re.fullmatch("[0-9a-f]{64}", shown):
        raise Refused(USAGE, "no_hash", value=" ".join(hash_shown))
    if (match := numbered(record)) is not None:
        with opened_store(write=False) as store:
            if store.match(match).outcome is None:
                raise Refused(USAGE, "secret_later", number=match)
    path = called(record)
    with reading(record, yes=True) as lines:
        header, game, plies = read(lines)
        every = tuple(plies)
    if header.secret is None:
        raise Refused(BAD_RECORD, "no_secret", path=path)
    made = commitment(header.secret, header)
    added = header.contributions
    hashes = [made, *[joint_hash(made, added[:count]) for count in range(1, len(added) + 1)]]
    if hash_shown and shown not in hashes:
        raise Refused(FAILED, "other_hash", path=path, text=made)
    if ply := first_deviation(game, every, mixed_secret(header.secret, added)):
        raise Refused(FAILED, "not_drawn", path=path, line=ply + 1)
    for seat, said in added:
        tell(say("contributed", number=seat, value=said))
    tell(say("verified" if hash_shown else "verified_alone", path=path, text=made))
