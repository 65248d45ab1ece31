"""The address of a store: this machine's SQLite file, or the URL of a PostgreSQL database."""

import os
import re

SQLITE = "sqlite"
"""The name of the file in this machine's data folder."""

_URL = (
    r"(?P<scheme>postgres(?:ql)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<hosts>[\w.,:%\[\]-]*)"
    r"(?P<database>/[^@:/?#]*)?"
    r"(?:\?[^#]*)?"
)


def named() -> str:
    """The address in ``CARDGAMES_STORE``; the file by default."""
    return os.environ.get("CARDGAMES_STORE") or SQLITE


def possible(store: str) -> bool:
    """Whether a text can be the address of a store."""
    return store == SQLITE or store.startswith(("postgresql://", "postgres://"))


def without_password(store: str) -> str:
    """A store's address for display, without the password or any other secret."""
    if store == SQLITE:
        return store
    parts = re.fullmatch(_URL, store)
    if parts is None:
        return "postgresql://…" if possible(store) else "…"
    user = f"{parts['user']}@" if parts["user"] else ""
    return f"{parts['scheme']}://{user}{parts['hosts']}{parts['database'] or ''}"
