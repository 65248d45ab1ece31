"""The rows of a file, read from its pages without SQLite.

SQLite finds a row from the first page down, so a damaged page hides all below it. This reads each page, as
https://sqlite.org/fileformat2.html describes them, and returns every row that it can decode. The caller checks
whether the rows are intact."""

from collections.abc import Iterator
from struct import unpack
from typing import NamedTuple, TypeAlias

from cardgames.store.sqlite.schema import PAGE

StoredValue: TypeAlias = int | str | None

LEAF = 13
"""The type of pages with the rows of a table."""

INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The number of bytes of each integer type."""

FIRST_TEXT = 13
"""The type of an empty text; each byte of a text adds two."""

LOG_HEADER, FRAME_HEADER = 32, 24


class StoredRow(NamedTuple):
    """A row: its number and values. The first value is ``None`` if it is the row's number."""

    number: int
    values: tuple[StoredValue, ...]


class _Unreadable(Exception):
    """The bytes of a page form no row."""


class Pages:
    """The pages of a file and its log, which may be empty."""

    def __init__(self, main: bytes, log: bytes) -> None:
        self._main = main
        self._logged, self.count = _logged(log, -(-len(main) // PAGE))

    def page(self, number: int) -> bytes:
        """A page by its number, from 1; bytes cut off are zero. Raises ``IndexError`` if there is none."""
        if not 0 < number <= self.count:
            raise IndexError(number)
        start = (number - 1) * PAGE
        return self._logged.get(number) or self._main[start : start + PAGE].ljust(PAGE, b"\0")

    def rows(self, number: int) -> Iterator[StoredRow]:
        """The rows of a page, possibly stale: copies of rows on other pages, or deleted rows."""
        page = self.page(number)
        if number == 1 or page[0] != LEAF:  # the first page only describes the tables
            return
        count = min(int.from_bytes(page[3:5], "big"), (PAGE - 8) // 2)
        for at in unpack(f">{count}H", page[8 : 8 + 2 * count]):
            try:
                yield self._row(page, at)
            except (_Unreadable, IndexError):
                continue

    def _row(self, page: bytes, at: int) -> StoredRow:
        """The row that begins at ``at``."""
        length, at = _number(page, at)
        number, at = _number(page, at)
        if number >= 1 << 63:
            raise _Unreadable
        return StoredRow(number, _values(self._payload(page, at, length)))

    def _payload(self, page: bytes, at: int, length: int) -> bytes:
        """The bytes of a row; most of a long one is on further pages."""
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
            if len(found) > self.count * PAGE:
                raise _Unreadable
            more = self.page(following)
            found += more[4 : 4 + length - len(found)]
            following = int.from_bytes(more[:4], "big")
        return bytes(found)


def in_one_file(main: bytes, log: bytes) -> bytes:
    """The bytes of a file with its log merged, marked as needing no log."""
    pages = Pages(main, log)
    whole = bytearray().join(pages.page(number) for number in range(1, pages.count + 1))
    whole[18:20] = b"\1\1"
    return bytes(whole)


def _logged(log: bytes, count: int) -> tuple[dict[int, bytes], int]:
    """The pages in the log up to its last complete transaction, and the total number of pages after that.

    ``count`` is the total before."""
    whole: dict[int, bytes] = {}
    pages: dict[int, bytes] = {}
    if len(log) < LOG_HEADER:
        return whole, count
    order = ">" if log[3] & 1 else "<"
    sums = _sums(order, log[:24], (0, 0))
    if sums != unpack(">2I", log[24:32]):
        return whole, count
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
            count = max(size, count)
    return whole, count


def _sums(order: str, data: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """The two checksums of the log, continued from ``before``."""
    first, second = before
    words = iter(unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _values(data: bytes) -> tuple[StoredValue, ...]:
    """The values of a row: first the type of each, then each."""
    end, at = _number(data, 0)
    kinds = list(data[at:end])
    if kinds and max(kinds) >= 0x80:
        kinds.clear()
        while at < end:
            kind, at = _number(data, at)
            kinds.append(kind)
    at = end
    values: list[StoredValue] = []
    for kind in kinds:
        if kind >= FIRST_TEXT and kind % 2:
            size = (kind - FIRST_TEXT) // 2
            # The row's seal decides whether the text is intact, even if it is invalid.
            values.append(data[at : at + size].decode(errors="replace"))
            at += size
        elif kind in INTEGERS:
            size = INTEGERS[kind]
            values.append(int.from_bytes(data[at : at + size], "big", signed=True))
            at += size
        elif kind in (8, 9):
            values.append(kind - 8)
        elif kind == 0:
            values.append(None)
        else:
            raise _Unreadable  # the store holds no fractions or bytes
    if at != len(data) or not values:
        raise _Unreadable
    return tuple(values)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An integer of one to nine bytes, seven bits in each but the last, and the position after it."""
    first = data[at]
    if first < 0x80:
        return first, at + 1
    found = 0
    for place in range(at, at + 8):
        found = found << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return found, place + 1
    return found << 8 | data[at + 8], at + 9
