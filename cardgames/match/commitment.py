"""A commitment to chance: everybody sees its hash before the first card and its secret after the last card.

    secret = new_secret()
    print(commitment(secret, header))  # before the first card, to all
    match = Match(game, journal, committed_chance(secret))
    ...
    assert first_deviation(game, plies, secret) is None  # after the last, by anybody

The hash binds the secret to one match, and the secret decides all chance. With the hash, anybody can check that no
shuffle was changed later.

The maker of the secret could have chosen a secret with favourable shuffles. To prevent this, every terminal contributes
a random number after the hash is shown, and chance follows from the :func:`mixed_secret`. In records of older versions
players have added words as well.
"""

import hmac
import json
import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from cardgames.engine.game import CHANCE, AnyGame, game_class
from cardgames.engine.record import SECRET_BYTES, Contribution, Header, Ply
from cardgames.match.chance import committed_chance


class Commitment(NamedTuple):
    """The public facts of a commitment."""

    hash: str
    secret: bytes | None
    """The secret; ``None`` until the match is over."""
    contributions: tuple[Contribution, ...] = ()
    """The contributions to the secret, in order. They are public: without the secret they reveal no card."""


def new_secret() -> bytes:
    """Return a random secret from the operating system."""
    return os.urandom(SECRET_BYTES)


def commitment(secret: bytes, header: Header) -> str:
    """The hash that commits to a secret for a match: the SHA-256 of :func:`commitment_text`, in hex."""
    return sha256(commitment_text(secret, header).encode()).hexdigest()


def commitment_text(secret: bytes, header: Header) -> str:
    """The text that a commitment hashes: three lines with the format, the secret, and the match as JSON.

    The last line has no line end. Options with default values are left out, so that later versions with more options
    give the same text. The kinds of players are left out too, because a computer may stand in for a person."""
    defaults = game_class(header.game).RULES().values()
    rules = {name: value for name, value in header.rules.items() if value != defaults.get(name)}
    match = {"game": header.game, "seats": header.seats, "rules": rules, "dealer": header.dealer, "names": header.names}
    return f"cardgames commitment 1\n{secret.hex()}\n{json.dumps(match, sort_keys=True, separators=(',', ':'))}"


def mixed_secret(secret: bytes, contributions: Sequence[Contribution]) -> bytes:
    """The HMAC-SHA-256 of ``contributions`` under ``secret``, which decides chance; without any, the secret itself."""
    return hmac.digest(secret, _contributions_text(contributions).encode(), "sha256") if contributions else secret


def joint_hash(hash: str, contributions: Sequence[Contribution]) -> str:
    """The second hash that older versions showed before players added words: it binds the contributions so far.

    It is the SHA-256, in hex, of a commitment's ``hash``, a line end, and the text of the contributions."""
    return sha256(f"{hash}\n{_contributions_text(contributions)}".encode()).hexdigest()


def _contributions_text(contributions: Sequence[Contribution]) -> str:
    """The text that is hashed for contributions: a line with the format, then a line with the contributions as JSON."""
    return f"cardgames contributions 1\n{json.dumps(contributions, separators=(',', ':'))}"


def new_contribution() -> str:
    """Return a random contribution from the operating system: 32 hexadecimal digits."""
    return os.urandom(16).hex()


def first_deviation(game: AnyGame, plies: Iterable[Ply], secret: bytes) -> int | None:
    """The first ply at which chance did not follow from the mixed ``secret``; ``None`` if there is no such ply.

    An end of the game by time is not checked, because chance does not draw it."""
    draw = committed_chance(secret)
    before = None
    for ply in plies:
        if before and ply.by == CHANCE and ply.action != game.time_up(before.state):
            chance = game.chance(before.state)
            if chance is None or ply.action is None or draw(chance, before.number).text != ply.action.text:
                return ply.number
        before = ply
    return None
