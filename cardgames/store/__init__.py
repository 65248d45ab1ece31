"""What was played: one SQLite file in the user's data folder, which ordinary SQLite tools can read.

    with Store.open() as store:
        match = store.create(header)
        with store.hold(match) as held:
            held.append(1, 0, "deal 6S KH ...", (0, 0))  # on the disk when it returns
        for line in store.export(match):
            print(line)

What is promised:

- An action is on the disk when :meth:`MatchLock.append` returns, and stays there through a kill or a power cut.
- Two processes never go on with the same match; one that is gone holds nothing.
- A damaged file is renamed, never written to, and what can be read of it is put in a new one: matches whole, or up to
  the first action that is not what was written. Files of up to 256 KiB are checked whenever they are opened, larger
  ones after a process that was killed, and every match by its checksums when it is read.
- Nobody but the owner can read the files.
"""

from cardgames.store.errors import Failure, MatchHeld, StoreError, UnknownMatch
from cardgames.store.store import Holder, MatchLock, Store, Summary, Undone

__all__ = ["Failure", "Holder", "MatchHeld", "MatchLock", "Store", "StoreError", "Summary", "Undone", "UnknownMatch"]
