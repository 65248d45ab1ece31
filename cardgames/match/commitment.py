"""A commitment to chance: a hash shown to all before the first card, and its secret shown after the last.

    secret = new_secret()
    print(commitment(secret, header))  # before the first card, to all
    match = Match(game, journal, committed(secret))
    ...
    assert first_not_drawn(game, plies, secret) is None  # after the last, by anybody

The hash binds the secret to one match, and the secret decides all chance. So whoever keeps the hash can check that no
shuffle was changed after it was shown.

The maker of the secret could have chosen it for its shuffles. So every terminal adds a random number after the hash is
shown, and players may add words once all numbers are known: chance follows from :func:`mixed`. Those who add a word are
shown the :func:`joint_hash`, which binds all that was added before.
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
    """The public facts of a commitment."""

    hash: str
    secret: bytes | None
    """``None`` while the match goes on."""
    contributions: tuple[Contribution, ...] = ()
    """The contributions to the secret; public because nothing follows from them alone."""


def new_secret() -> bytes:
    """A random secret from the operating system."""
    return os.urandom(SECRET_BYTES)


def commitment(secret: bytes, header: Header) -> str:
    """The hash that commits to a secret for a match: the SHA-256 of :func:`committed_text`, in hex."""
    return sha256(committed_text(secret, header).encode()).hexdigest()


def committed_text(secret: bytes, header: Header) -> str:
    """The text of a commitment, in three lines without a final line end: its kind, the secret, and the match as JSON.

    Default options are left out, so that options added later change nothing. The kinds of players are left out too,
    since a computer may stand in."""
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
    """The secret behind chance: the HMAC-SHA-256 of the contributions, or ``secret`` if there are none."""
    return hmac.digest(secret, _added_text(contributions).encode(), "sha256") if contributions else secret


def joint_hash(hash: str, contributions: Sequence[Contribution]) -> str:
    """The SHA-256, in hex, of a commitment's ``hash``, a line end, and the contributions as :func:`mixed` has them."""
    return sha256(f"{hash}\n{_added_text(contributions)}".encode()).hexdigest()


def _added_text(contributions: Sequence[Contribution]) -> str:
    """Contributions as text: a line with the kind, and JSON."""
    return f"cardgames contributions 1\n{json.dumps(contributions, separators=(',', ':'))}"


def new_contribution() -> str:
    """A random contribution from the operating system: 32 hexadecimal digits."""
    return os.urandom(16).hex()


def first_not_drawn(game: AnyGame, plies: Iterable[Ply], secret: bytes) -> int | None:
    """The first ply at which chance did not follow from a :func:`mixed` secret, or ``None``.

    The action of the clock is not drawn."""
    draw = committed(secret)
    before = None
    for ply in plies:
        if before and ply.by == CHANCE and ply.action != game.time_up(before.state):
            chance = game.chance(before.state)
            if chance is None or ply.action is None or draw(chance, before.number).text != ply.action.text:
                return ply.number
        before = ply
    return None
