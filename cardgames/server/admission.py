"""Who is let in: everybody, those who type the owner's code, or those whose keys are listed in a file."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import asyncssh

from cardgames.server.limits import USUAL, Limits


class Admission(NamedTuple):
    """Who is let in, and how much a guest may take. Without a code and a file of keys everybody is let in."""

    code: str | None = None
    """The code that the owner gives to guests; whose key is listed need not type it."""
    keys: Path | None = None
    """The file that lists keys, in the form of OpenSSH's ``authorized_keys``."""
    limits: Limits = USUAL

    @property
    def needs_listed_key(self) -> bool:
        """Whether only those are let in whose keys are listed."""
        return self.keys is not None and self.code is None

    def lists(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether a key that comes from this address is listed. The file is read anew, as the owner may change it."""
        if self.keys is not None:
            with suppress(OSError, ValueError):
                return asyncssh.read_authorized_keys(self.keys).validate(key, address, address) is not None
        return False
