"""All matches that were played: in an SQLite file, which ordinary tools can read, or in PostgreSQL for many machines.

    with Store.open() as store:
        match = store.create(header)
        with store.hold(match) as held:
            held.append(JournalPosition(), 0, "deal 6S KH ...", (0, 0))  # on the disk when it returns
        for line in store.export(match):
            print(line)

What is promised:

- An action is on the disk when :meth:`MatchLock.append` returns, and stays there through a kill or a power cut.
- Two processes never go on with the same match at one place; one that is gone holds nothing. A match is played at one
  terminal (``match_lock``), or at several, whose actions follow each other (``table_session``, ``places``).
- What a database did not confirm because it went away is there whole or not at all, and is not written twice.
- A damaged file is kept as it is, and what can be read of it takes its place: matches whole, or up to the first action
  that is not what was written. The file has its good name at every moment, whatever interrupts this. Files of up to
  256 KiB are checked whenever they are opened, larger ones after a process that was killed, and whatever is read of a
  match by checksums that one flipped bit breaks.
- Who only reads changes nothing, and can read a store that must not be written.
- Nobody but the owner can read the files.

``matches``, ``journal``, ``match_lock``, ``people``, ``import_export`` and ``stats`` say what is kept, in the SQL that
databases share (``database``), and ``serialization`` how values stand in its columns; ``store`` makes each question one
transaction; ``sqlite`` and ``postgres`` are the databases, and ``address`` says which of them is meant.
``stored_journal`` writes to a journal exactly once, for ``match_lock`` and ``table_session``; ``process`` knows whether
a process that holds a match still runs; ``errors`` are for callers to catch; ``log`` is the file of failures that stop
nobody.
"""

from cardgames.store.errors import Failure, JoinRefused, MatchHeld, StoreBusy, StoreDamaged, StoreError, UnknownMatch
from cardgames.store.journal import Undone
from cardgames.store.match_lock import MatchLock
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, Counts, Summary
from cardgames.store.process import Holder
from cardgames.store.store import Store

__all__ = [
    "DEAL_OVER",
    "GIVEN_UP",
    "Counts",
    "Failure",
    "Holder",
    "JoinRefused",
    "MatchHeld",
    "MatchLock",
    "Store",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "Summary",
    "Undone",
    "UnknownMatch",
]
