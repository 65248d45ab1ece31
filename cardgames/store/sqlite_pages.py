"""The rows that stand in a file, whether or not SQLite still finds its way to them.

SQLite reaches a row from the first page down. Where a page on the way is damaged or cut off, everything below is out of
its reach, though it is there. So this goes through the pages one by one, as https://sqlite.org/fileformat2.html
describes them, and takes every row that can be made out. Whether it is what was written is for others to find out.
"""

from collections.abc import Iterator
from struct import unpack
from typing import NamedTuple, TypeAlias

from cardgames.store.schema import PAGE

Value: TypeAlias = int | str | None

LEAF = 13
"""The kind of page that holds rows of a table."""

INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The bytes of each kind of integer."""

LOG_HEADER, FRAME_HEADER = 32, 24


class Row(NamedTuple):
    """A row: its number, and its values; the first is ``None`` if the number stands for it."""

    number: int
    values: tuple[Value, ...]


class _Unreadable(Exception):
    """What is there cannot be a row."""


def rows(main: bytes, log: bytes) -> Iterator[Row]:
    """The rows of a file and of the log beside it, which is empty if there is none.

    Some may be there twice, and some may have been deleted since.
    """
    pages = {number: main[start : start + PAGE] for number, start in enumerate(range(0, len(main), PAGE), 1)}
    pages.update(_logged(log))
    for number, page in pages.items():
        if number > 1:  # the first page says what tables there are
            yield from _rows(pages, page.ljust(PAGE, b"\0"))


def _logged(log: bytes) -> dict[int, bytes]:
    """The pages that the log holds, up to the last transaction that is whole."""
    whole: dict[int, bytes] = {}
    pages: dict[int, bytes] = {}
    if len(log) < LOG_HEADER:
        return whole
    order = ">" if log[3] & 1 else "<"
    sums = _sums(order, log[:24], (0, 0))
    if sums != unpack(">2I", log[24:32]):
        return whole
    for start in range(LOG_HEADER, len(log) - FRAME_HEADER - PAGE + 1, FRAME_HEADER + PAGE):
        number, size, *salts, first, second = unpack(">6I", log[start : start + FRAME_HEADER])
        page = log[start + FRAME_HEADER : start + FRAME_HEADER + PAGE]
        sums = _sums(order, page, _sums(order, log[start : start + 8], sums))
        if sums != (first, second) or tuple(salts) != unpack(">2I", log[16:24]):
            break
        pages[number] = page
        if size:
            whole.update(pages)
            pages.clear()
    return whole


def _sums(order: str, data: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """The two checksums of the log, going on from those ``before``."""
    first, second = before
    words = iter(unpack(f"{order}{len(data) // 4}I", data))
    for one, two in zip(words, words, strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + two + first) & 0xFFFFFFFF
    return first, second


def _rows(pages: dict[int, bytes], page: bytes) -> Iterator[Row]:
    """The rows of one page."""
    if page[0] != LEAF:
        return
    count = min(int.from_bytes(page[3:5], "big"), (PAGE - 8) // 2)
    for at in unpack(f">{count}H", page[8 : 8 + 2 * count]):
        try:
            yield _row(pages, page, at)
        except (_Unreadable, IndexError):
            continue


def _row(pages: dict[int, bytes], page: bytes, at: int) -> Row:
    """The row that begins at ``at``."""
    length, at = _number(page, at)
    number, at = _number(page, at)
    if number >= 1 << 63:
        raise _Unreadable
    return Row(number, _values(_payload(pages, page, at, length)))


def _payload(pages: dict[int, bytes], page: bytes, at: int, length: int) -> bytes:
    """The bytes of a row, the greater part of a long one being on pages of its own."""
    most = PAGE - 35
    if length <= most:
        return page[at : at + length]
    least = (PAGE - 12) * 32 // 255 - 23
    here = least + (length - least) % (PAGE - 4)
    if here > most:
        here = least
    found = bytearray(page[at : at + here])
    following = int.from_bytes(page[at + here : at + here + 4], "big")
    while len(found) < length:
        more = pages.get(following)
        if more is None or len(found) > len(pages) * PAGE:
            raise _Unreadable
        found += more[4 : 4 + length - len(found)]
        following = int.from_bytes(more[:4], "big")
    return bytes(found)


def _values(data: bytes) -> tuple[Value, ...]:
    """The values of a row: first the kind of each, then each."""
    end, at = _number(data, 0)
    kinds = []
    while at < end:
        kind, at = _number(data, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        size = INTEGERS.get(kind, 0) if kind < 12 else (kind - 12) // 2
        part = data[at : at + size]
        at += size
        if kind in INTEGERS:
            values.append(int.from_bytes(part, "big", signed=True))
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind == 0:
            values.append(None)
        elif kind >= 13 and kind % 2:
            # Whether it is what was written is not for this to tell, even where it is no text.
            values.append(part.decode(errors="replace"))
        else:
            raise _Unreadable  # there are no fractions and no bytes in the store
    if at != len(data) or not values:
        raise _Unreadable
    return tuple(values)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each but the last, and where it ends."""
    found = 0
    for place in range(at, at + 8):
        found = found << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return found, place + 1
    return found << 8 | data[at + 8], at + 9
