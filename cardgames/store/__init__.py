"""The store of all matches: an SQLite file, which ordinary tools can read, or PostgreSQL for many machines.

    with Store.open() as store:
        match = store.create(header)
        with store.hold(match) as held:
            held.append(JournalPosition(), 0, "deal 6S KH ...", (0, 0))
            held.append(JournalPosition(1), 2, "6S", (0, 0))  # both are on the disk when it returns
        for line in store.export(match):
            print(line)

The store guarantees:

- An action is on the disk when :meth:`MatchLock.append` returns, and survives a kill or a power cut. Only the deal with
  which a match at one terminal begins waits for the action after it.
- Two processes never continue one match independently. A match is played at one terminal, whose :class:`MatchLock` ends
  with its process, or at several, whose actions form one sequence (``table_session``, ``places``).
- A change that a lost database did not confirm is stored as a whole or not at all, and never twice.
- A damaged file is kept, and replaced by a store with all matches that are intact there or in a backup. Files of up to
  256 KiB are checked at each opening, larger ones after a killed process; checksums detect any flipped bit in a match
  that is read.
- Reading changes nothing and needs no write permission.
- Only the owner can read the files.

``store`` makes each operation one transaction. ``matches``, ``journal``, ``places``, ``people``, ``import_export`` and
``stats`` have the operations, in the SQL that databases share (``database``); ``serialization`` has the format of
columns; ``sqlite`` and ``postgres`` are the databases, and ``address`` chooses one. ``process`` tells whether
the holder of a match still runs; ``errors`` are for callers to catch; ``log`` is the log file.
"""

from cardgames.store.errors import Failure, JoinRefused, MatchHeld, StoreBusy, StoreDamaged, StoreError, UnknownMatch
from cardgames.store.journal import MatchLock, StoredUndo
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, Counts, Summary
from cardgames.store.process import Holder
from cardgames.store.store import Store

__all__ = [
    "DEAL_OVER", "GIVEN_UP", "Counts", "Failure", "Holder", "JoinRefused", "MatchHeld", "MatchLock", "Store",
    "StoreBusy", "StoreDamaged", "StoreError", "StoredUndo", "Summary", "UnknownMatch",
]  # fmt: skip
