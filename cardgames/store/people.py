"""The people who come from other machines: who has which name, and how each of them is known again.

Whoever comes with a key is known by it; whoever has none by a code that they were shown once, of which only a salted
hash is kept. A name is one person's for good, and so is any that could be taken for it.
"""

import hashlib
import hmac
from os import urandom  # as ``secrets`` does, whose import every start would pay for
from random import SystemRandom
from typing import NamedTuple

from cardgames.engine.player_names import look
from cardgames.store.database import Transaction
from cardgames.store.serialization import text

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of codes: none that could be taken for another."""
GROUPS, GROUP = 3, 4
"""A code has so many groups of so many letters: one of 787,000,000,000,000,000."""


class Person(NamedTuple):
    """Somebody who comes from another machine."""

    id: str
    """Who it is, wherever a seat is theirs; it is nobody else's, whatever becomes of the name."""
    name: str


def with_key(db: Transaction, key: str) -> Person | None:
    """The person with the key of this fingerprint."""
    return _person(db, "key = ?", key)


def with_code(db: Transaction, name: str, code: str) -> Person | None:
    """The person of this name, if the code is theirs. Case and separators in the code do not matter."""
    row = db.execute("SELECT salt, code FROM person WHERE look = ? AND code IS NOT NULL", (look(name),)).fetchone()
    if row is None or not hmac.compare_digest(_hash(text(row[0]), code), text(row[1])):
        return None
    return _person(db, "look = ?", look(name))


def has_key(db: Transaction, name: str) -> bool:
    """Whether somebody of that name, or one like it, comes with a key."""
    return db.execute("SELECT 1 FROM person WHERE look = ? AND key IS NOT NULL", (look(name),)).fetchone() is not None


def register(db: Transaction, name: str, key: str | None, code: str | None, at: str) -> Person | None:
    """Note somebody who is new, with their key or code; ``None`` if the name, or one like it, is somebody else's."""
    if _person(db, "look = ?", look(name)):
        return None
    person, salt = Person(urandom(8).hex(), name), urandom(16).hex()
    db.execute(
        "INSERT INTO person (id, name, look, key, salt, code, created) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (person.id, name, look(name), key, salt, code and _hash(salt, code), at),
    )
    return person


def new_code() -> str:
    """A code that nobody can guess."""
    return "-".join("".join(SystemRandom().choices(LETTERS, k=GROUP)) for _ in range(GROUPS))


def _person(db: Transaction, where: str, value: str) -> Person | None:
    """The person for whom ``where`` holds, if there is one."""
    row = db.execute(f"SELECT id, name FROM person WHERE {where}", (value,)).fetchone()
    return row and Person(text(row[0]), text(row[1]))


def _hash(salt: str, code: str) -> str:
    """The salted hash of a code. Case and separators do not matter."""
    plain = "".join(char for char in code.casefold() if char.isalnum())
    return hashlib.scrypt(plain.encode(), salt=bytes.fromhex(salt), n=1 << 12, r=8, p=1).hex()
