"""The values of columns: converted for writing, and checked when they are read back.

A file can be damaged without the database noticing. A value that this program cannot have written raises
:class:`Damaged`."""

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from cardgames.engine.game import Message
from cardgames.engine.record import SECRET_BYTES, Header, header_line
from cardgames.store.errors import Damaged


def text(value: object) -> str:
    """Return ``value`` if it is a text. Raises :class:`Damaged` if it is not."""
    if not isinstance(value, str):
        raise Damaged("text")
    return value


def number(value: object) -> int:
    """Return ``value`` if it is an integer. Raises :class:`Damaged` if it is not."""
    if not isinstance(value, int):
        raise Damaged("number")
    return value


def time(value: object) -> datetime:
    """Parse a time from its ISO 8601 text with offset. Raises :class:`Damaged`."""
    try:
        found = datetime.fromisoformat(text(value))
    except ValueError:
        raise Damaged("time") from None
    if found.tzinfo is None:
        raise Damaged("time")
    return found


def iso(moment: datetime) -> str:
    """The ISO 8601 text of a timezone-aware time, in UTC with milliseconds."""
    with suppress(OverflowError):  # near the first or last possible day
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds")


CODE_WORDS = (
    "acorn amber anchor apple arrow autumn badge bamboo banjo barley basil beach beacon berry birch bison blossom boat "
    "bottle branch bread breeze bridge brook bucket butter cabin camel candle canoe canyon carrot castle cedar cello "
    "cherry chess cider clover cloud coast cobalt comet copper coral cotton crane cricket crystal daisy delta desert "
    "dolphin dragon drum eagle ember fable falcon feather fern field fiddle flame flute forest fox garden garlic "
    "ginger glacier grape hammer harbor hazel heron honey iris island ivory jade jasmine kettle kite lagoon lantern "
    "lemon lilac linen lotus maple marble meadow melon mint mirror moon nectar oak oasis olive orbit orchid otter "
    "panda paper pebble pepper piano pine plum prairie quartz rabbit raven ribbon river robin rocket"
)
"""The words in codes of private tables."""


def new_seed() -> int:
    """A random seed of 128 bits."""
    return int.from_bytes(os.urandom(16), "big")


def new_code() -> str:
    """A random code for a private table: three words. There are 1.7 million codes."""
    words = CODE_WORDS.split()
    return "-".join([words[new_seed() % len(words)] for _ in range(3)])


def seed(value: object) -> int:
    """Parse a seed from its text. Raises :class:`Damaged`."""
    try:
        return int(text(value))
    except ValueError:
        raise Damaged("seed") from None


def secret(value: object) -> bytes:
    """Parse the committed secret of a match, which is stored in the form of a seed. Raises :class:`Damaged`."""
    try:
        return seed(value).to_bytes(SECRET_BYTES, "big")
    except OverflowError:
        raise Damaged("secret") from None


def parse_json(value: object, kind: type) -> Any:
    """Parse JSON whose value must have the type ``kind``. Raises :class:`Damaged`."""
    try:
        found = json.loads(text(value))
    except (ValueError, RecursionError):
        raise Damaged("json") from None
    if type(found) is not kind:
        raise Damaged("json")
    return found


def texts(value: object, seats: int) -> tuple[str, ...] | None:
    """Parse a JSON list with one text per seat, such as names; ``None`` stays ``None``. Raises :class:`Damaged`."""
    if value is None:
        return None
    found = parse_json(value, list)
    if len(found) != seats:
        raise Damaged("texts")
    return tuple([printable(text(item)) for item in found])


def dump(value: object) -> str:
    """The compact JSON of a value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def reason(value: object) -> Message:
    """Parse a :class:`Message` from its JSON. Raises :class:`Damaged`."""
    found = parse_json(value, list)
    if len(found) != 2 or not isinstance(found[1], dict):
        raise Damaged("reason")
    args = {key: tuple(arg) if isinstance(arg, list) else arg for key, arg in found[1].items()}
    return Message(text(found[0]), args)


def printable(name: str) -> str:
    """A name with ``?`` in place of null characters and of bytes that are not UTF-8."""
    return name.encode(errors="replace").decode().replace("\0", "?")  # PostgreSQL's texts end at a null


def first_checksum(header: Header) -> int:
    """The checksum of a match without actions. Names are excluded because people may edit them."""
    return crc32(header_line(header._replace(names=None, secret=None, contributions=())).encode(errors="replace"))


def next_checksum(before: int, ply: int, by: object, act: object) -> int:
    """The checksum of a match after the action ``act`` of seat ``by``, from the checksum ``before`` that action."""
    return crc32(f"{ply} {by} {act}\n".encode(), before)
