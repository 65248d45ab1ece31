"""``verify`` checks a record's shuffles against the commitment shown before its first card."""

import re
from typing import Annotated

import typer

from cardgames.cli.context import BAD_RECORD, FAILED, USAGE, Refused, say, tell
from cardgames.cli.open_store import open_store
from cardgames.cli.parameters import RecordArgument
from cardgames.cli.records import match_number, open_record, record_name
from cardgames.engine.record import read


def verify(
    record: Annotated[str, RecordArgument],
    hash_shown: Annotated[list[str] | None, typer.Argument(metavar="HASH", show_default=False)] = None,
) -> None:
    """Check the shuffles of a record against the commitment that was shown before its first card."""
    from cardgames.match import commitment, first_deviation, joint_hash, mixed_secret

    hash_given = "".join(hash_shown or ()).casefold()  # the hash is shown in two halves
    if hash_shown and not re.fullmatch("[0-9a-f]{64}", hash_given):
        raise Refused(USAGE, "no_hash", value=" ".join(hash_shown))
    if (match := match_number(record)) is not None:
        with open_store(write=False) as store:
            if store.match(match).outcome is None:
                raise Refused(USAGE, "secret_later", number=match)
    path = record_name(record)
    with open_record(record, yes=True) as lines:
        header, game, plies = read(lines)
        all_plies = tuple(plies)
    if header.secret is None:
        raise Refused(BAD_RECORD, "no_secret", path=path)
    secret_hash = commitment(header.secret, header)
    contributions = header.contributions
    counts = range(1, len(contributions) + 1)
    hashes = [secret_hash, *[joint_hash(secret_hash, contributions[:count]) for count in counts]]
    if hash_shown and hash_given not in hashes:
        raise Refused(FAILED, "other_hash", path=path, text=secret_hash)
    if ply := first_deviation(game, all_plies, mixed_secret(header.secret, contributions)):
        raise Refused(FAILED, "not_drawn", path=path, line=ply + 1)
    for seat, contribution in contributions:
        tell(say("contributed", number=seat, value=contribution))
    tell(say("verified" if hash_shown else "verified_alone", path=path, text=secret_hash))
