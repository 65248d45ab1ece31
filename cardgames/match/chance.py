"""The sources of chance: a seed, or a secret with a commitment.

Everybody sees the hash of a commitment before the first card, and its secret after the last card:

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
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, game_class
from cardgames.engine.record import SECRET_BYTES, Contribution, Header, Ply

DrawChance: TypeAlias = Callable[[Chance, int], Action]
"""A function that draws chance's action, given the number of earlier actions of the match."""


def seeded(seed: int) -> DrawChance:
    """Return a source of chance that depends only on a seed and the number of earlier actions."""
    return lambda chance, ply: chance.sample(Random(f"{seed}/{ply}"))


def committed_chance(secret: bytes) -> DrawChance:
    """Return a source of chance that depends only on a secret and the number of earlier actions.

    The algorithm is public, for other programs. It starts from the items in ascending order (cards as ``engine.cards``
    numbers them). For each place to be drawn, from the first on, it takes a random number modulo ``n``, the number of
    items from this place on. The result is the index, among these ``n`` items, of the item to swap into this place.

    The random numbers are the 32-bit big-endian integers in the bytes of HMAC-SHA-256, under the secret, of the texts
    ``chance PLY 0``, ``chance PLY 1`` …; ``PLY`` is the number of earlier actions. A random number is skipped unless it
    is below the greatest multiple of ``n`` up to 2 ** 32."""

    def draw(chance: Chance, ply: int) -> Action:
        numbers = _numbers(secret, ply)
        items = sorted(chance.items)
        for place in range(chance.number):
            bound = len(items) - place
            limit = (1 << 32) // bound * bound  # numbers from here on would cause a bias
            other = place + next(number for number in numbers if number < limit) % bound
            items[place], items[other] = items[other], items[place]
        return chance.action(items[: chance.number])

    return draw


def _numbers(secret: bytes, ply: int) -> Iterator[int]:
    """Yield pseudo-random 32-bit numbers for chance after ``ply`` actions, as :func:`committed_chance` says."""
    for block in count():
        digest = hmac.digest(secret, f"chance {ply} {block}".encode(), "sha256")
        for (number,) in struct.iter_unpack(">I", digest):
            yield number


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
