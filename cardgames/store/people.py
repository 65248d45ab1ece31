"""The people who come from other machines: their names and how they are recognized.

A person is recognized by a key, or by a code shown to them once and kept as a salted hash. A name and all names that
look like it belong to one person for good."""

import hashlib
import hmac
from os import urandom  # as ``secrets``, whose import would slow down every start
from random import SystemRandom
from typing import NamedTuple

from cardgames.engine.player_names import name_key
from cardgames.store.database import Transaction, insert
from cardgames.store.serialization import text

CODE_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of codes, without look-alikes."""
GROUPS, GROUP_LENGTH = 3, 4
"""The number of groups in a code, and of characters in a group. There are 787,000,000,000,000,000 codes."""

_NAMED = "(look = ? OR name = ?)"
"""The SQL condition for a person with the key of a name, or with the name; some older names have other keys."""


class Person(NamedTuple):
    """A person from another machine."""

    id: str
    """The identity that owns the person's seats. It never changes and is never given to another person."""
    name: str


def person_with_key(db: Transaction, fingerprint: str) -> Person | None:
    """The person whose key has this fingerprint, or ``None``."""
    row = db.execute("SELECT id, name FROM person WHERE key = ?", (fingerprint,)).fetchone()
    return row and Person(text(row[0]), text(row[1]))


def person_with_code(db: Transaction, name: str, code: str) -> Person | None:
    """The person with this name and code, or ``None``. Case and separators of the code are ignored."""
    query = f"SELECT id, name, salt, code FROM person WHERE {_NAMED} AND code IS NOT NULL"
    for person, own_name, salt, hashed in db.execute(query, (name_key(name), name)):
        if hmac.compare_digest(_hash(text(salt), code), text(hashed)):
            return Person(text(person), text(own_name))
    return None


def has_key(db: Transaction, name: str) -> bool:
    """Whether a key is registered for this name or for a name that looks like it."""
    query = f"SELECT 1 FROM person WHERE {_NAMED} AND key IS NOT NULL"
    return db.execute(query, (name_key(name), name)).fetchone() is not None


def is_taken(db: Transaction, name: str) -> bool:
    """Whether somebody has this name, or one that looks like it."""
    return db.execute(f"SELECT 1 FROM person WHERE {_NAMED}", (name_key(name), name)).fetchone() is not None


def register(db: Transaction, name: str, key: str | None, code: str | None, at: str) -> Person | None:
    """Register a new person with a key or code. Return ``None`` if another person's name is the same or looks alike.

    Return the person with the key if there is one already: it came from another terminal at the same moment."""
    if key and (known := person_with_key(db, key)):
        return known
    if is_taken(db, name):
        return None
    person, salt = Person(urandom(8).hex(), name), urandom(16).hex()
    hashed = code and _hash(salt, code)
    insert(db, "person", id=person.id, name=name, look=name_key(name), key=key, salt=salt, code=hashed, created=at)
    return person


class Avoided(NamedTuple):
    """A person whom somebody does not want to hear, and perhaps not at their tables."""

    other: str
    """The key of the avoided person; see :func:`avoiding_key`."""
    name: str
    """The name that the avoided person had."""
    blocked: bool
    """Whether the person may not sit down at tables that the other one has opened."""


def avoiding_key(person: str | None, name: str | None) -> str:
    """The key by which people avoid each other: the identity, or a name of this machine."""
    return person or f"name {name}"


def avoid(db: Transaction, by: str, avoided: Avoided) -> None:
    """Store whom the person with the key ``by`` avoids. It replaces what was stored about the same other person."""
    stop_avoiding(db, by, avoided.other)
    insert(db, "avoided", by=by, other=avoided.other, name=avoided.name, blocked=int(avoided.blocked))


def stop_avoiding(db: Transaction, by: str, other: str) -> None:
    """Forget that the person with the key ``by`` avoids the one with the key ``other``."""
    db.execute("DELETE FROM avoided WHERE by = ? AND other = ?", (by, other))


def avoided_by(db: Transaction, by: str) -> list[Avoided]:
    """The people whom the person with the key ``by`` avoids, by name."""
    rows = db.execute("SELECT other, name, blocked FROM avoided WHERE by = ? ORDER BY name, other", (by,))
    return [Avoided(text(other), text(name), bool(blocked)) for other, name, blocked in rows]


def new_code() -> str:
    """A random code that cannot be guessed."""
    return "-".join("".join(SystemRandom().choices(CODE_CHARACTERS, k=GROUP_LENGTH)) for _ in range(GROUPS))


def _hash(salt: str, code: str) -> str:
    """The salted hash of a code. Case and separators are ignored."""
    plain = "".join(char for char in code.casefold() if char.isalnum())
    return hashlib.scrypt(plain.encode(), salt=bytes.fromhex(salt), n=1 << 12, r=8, p=1).hex()
