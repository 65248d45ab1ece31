"""The admission of guests: everybody, those with the owner's code, or those with listed keys."""

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import asyncssh

from cardgames.server.limits import LIMITS, Limits


class Admission(NamedTuple):
    """The conditions of admission, and the limits. Without a code and keys everybody is admitted."""

    code: str | None = None
    """The owner's code for guests; a guest with a listed key need not type it."""
    keys: Path | None = None
    """The file of listed keys, in the format of OpenSSH's ``authorized_keys``."""
    limits: Limits = LIMITS

    @property
    def needs_listed_key(self) -> bool:
        """Whether only guests with listed keys are admitted."""
        return self.keys is not None and self.code is None

    def is_listed(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether the file of listed keys has this key, for this address. Each call reads the file anew."""
        if self.keys is not None:
            with suppress(OSError, ValueError):
                return asyncssh.read_authorized_keys(self.keys).validate(key, address, address) is not None
        return False
