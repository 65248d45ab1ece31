"""The rows that stand in a file, whether or not SQLite still finds its way to them.

SQLite reaches a row from the first page down. Where a page on the way is damaged or cut off, everything below is out of
its reach, though it is there. So this goes through the pages one by one, as https://sqlite.org/fileformat2.html
describes them, and takes every row that can be made out. Whether it is what was written is for others to find out.
"""

from collections.abc import Iterator
from struct import unpack
from typing import NamedTuple, TypeAlias

from cardgames.store.sqlite.schema import PAGE

StoredValue: TypeAlias = int | str | None

LEAF = 13
"""The kind of page that holds rows of a table."""

INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""The bytes of each kind of integer."""

FIRST_TEXT = 13
"""The kind of an empty text; one with a byte more is two further."""

LOG_HEADER, FRAME_HEADER = 32, 24


class StoredRow(NamedTuple):
    """A row: its number, and its values; the first is ``None`` if the number stands for it."""

    number: int
    values: tuple[StoredValue, ...]


class _Unreadable(Exception):
    """The bytes of a page form no row."""


class Pages:
    """The pages of a file and of the log beside it, which is empty if there is none."""

    def __init__(self, main: bytes, log: bytes) -> None:
        self._main = main
        self._logged, self.count = _logged(log, -(-len(main) // PAGE))

    def page(self, number: int) -> bytes:
        """A page by its number, from 1; bytes that are cut off are zero. Raises ``IndexError`` if there is none."""
        if not 0 < number <= self.count:
            raise IndexError(number)
        start = (number - 1) * PAGE
        return self._logged.get(number) or self._main[start : start + PAGE].ljust(PAGE, b"\0")

    def rows(self, number: int) -> Iterator[StoredRow]:
        """The rows on a page. Some may be on other pages too, and some may have been deleted since."""
        page = self.page(number)
        if number == 1 or page[0] != LEAF:  # the first page says what tables there are
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
            if len(found) > self.count * PAGE:
                raise _Unreadable
            more = self.page(following)
            found += more[4 : 4 + length - len(found)]
            following = int.from_bytes(more[:4], "big")
        return bytes(found)


def in_one_file(main: bytes, log: bytes) -> bytes:
    """A file as it is with the log beside it brought in, and without need of one."""
    pages = Pages(main, log)
    whole = bytearray().join(pages.page(number) for number in range(1, pages.count + 1))
    whole[18:20] = b"\1\1"
    return bytes(whole)


def _logged(log: bytes, count: int) -> tuple[dict[int, bytes], int]:
    """The pages that the log holds, up to the last transaction that is whole, and how many there are then in all.

    ``count`` is how many there were before it.
    """
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
    """The two checksums of the log, going on from those ``before``."""
    first, second = before
    words = iter(unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _values(data: bytes) -> tuple[StoredValue, ...]:
    """The values of a row: first the kind of each, then each."""
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
            # Whether it is what was written is not for this to tell, even where it is no text.
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
            raise _Unreadable  # there are no fractions and no bytes in the store
    if at != len(data) or not values:
        raise _Unreadable
    return tuple(values)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each but the last, and where it ends."""
    first = data[at]
    if first < 0x80:
        return first, at + 1
    found = 0
    for place in range(at, at + 8):
        found = found << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return found, place + 1
    return found << 8 | data[at + 8], at + 9
