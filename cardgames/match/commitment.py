"""A commitment to chance: before the first card all are shown a hash, and after the last the secret it was made from.

    secret = new_secret()
    print(commitment(secret, header))  # before the first card, to all
    match = Match(game, journal, committed(secret))
    ...
    assert first_not_drawn(game, plies, secret) is None  # after the last, by anybody

The hash binds the secret to one match, and the secret decides all that is left to chance: so whoever keeps the hash
can find out that no shuffle was changed after it was shown.

Whoever made the secret could have made many, and have chosen one for its shuffles. So every terminal adds a number
after the hash is out, and players may add words once all numbers are known: chance follows from :func:`mixed`. Those
who add a word are shown the :func:`joint_hash`, which fixes all that was there before it.
"""

import hmac
import json
import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from cardgames.engine.game import CHANCE, AnyGame, game_class
from cardgames.engine.record import SECRET_BYTES, Contribution, Header, Ply
from cardgames.match.chance import committed


class Commitment(NamedTuple):
    """Everything that is known of a commitment."""

    hash: str
    secret: bytes | None
    """``None`` while the match goes on."""
    contributions: tuple[Contribution, ...] = ()
    """What was added to the secret; public, as nothing follows from it alone."""


def new_secret() -> bytes:
    """A secret that nobody knows, from the operating system."""
    return os.urandom(SECRET_BYTES)


def commitment(secret: bytes, header: Header) -> str:
    """The hash that commits to a secret for the match of a header: the SHA-256 of :func:`committed_text`, in hex."""
    return sha256(committed_text(secret, header).encode()).hexdigest()


def committed_text(secret: bytes, header: Header) -> str:
    """The text of a commitment, in three lines without an end: what it is, the secret, and the match as JSON.

    Options that are as usual are left out, so that those which the game may get later change nothing. So is who plays
    a seat: a computer may take it over.
    """
    usual = game_class(header.game).RULES().values()
    rules = {name: value for name, value in header.rules.items() if value != usual.get(name)}
    match = {
        "game": header.game,
        "seats": header.seats,
        "rules": rules,
        "dealer": header.dealer,
        "names": header.names,
    }
    return f"cardgames commitment 1\n{secret.hex()}\n{json.dumps(match, sort_keys=True, separators=(',', ':'))}"


def mixed(secret: bytes, contributions: Sequence[Contribution]) -> bytes:
    """The secret from which chance follows: the HMAC-SHA-256 of the contributions, or ``secret`` without any."""
    return hmac.digest(secret, _added_text(contributions).encode(), "sha256") if contributions else secret


def joint_hash(hash: str, contributions: Sequence[Contribution]) -> str:
    """The SHA-256, in hex, of a commitment's ``hash``, a line end, and the contributions as :func:`mixed` has them."""
    return sha256(f"{hash}\n{_added_text(contributions)}".encode()).hexdigest()


def _added_text(contributions: Sequence[Contribution]) -> str:
    """Contributions as one text: a line that says what it is, and JSON."""
    return f"cardgames contributions 1\n{json.dumps(contributions, separators=(',', ':'))}"


def new_contribution() -> str:
    """A number that nobody knows, from the operating system: 32 hexadecimal digits."""
    return os.urandom(16).hex()


def first_not_drawn(game: AnyGame, plies: Iterable[Ply], secret: bytes) -> int | None:
    """The number of the first ply at which chance did not do what follows from a :func:`mixed` secret, if there is one.

    The clock's action is the table's, and follows from nothing.
    """
    draw = committed(secret)
    before = None
    for ply in plies:
        if before and ply.by == CHANCE and ply.action != game.time_up(before.state):
            chance = game.chance(before.state)
            if chance is None or ply.action is None or draw(chance, before.number).text != ply.action.text:
                return ply.number
        before = ply
    return None
