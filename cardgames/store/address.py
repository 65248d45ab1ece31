"""Where a store is: in this machine's SQLite file, or in a PostgreSQL database that a URL names."""

import os
import re

SQLITE = "sqlite"
"""The word for the file in this machine's data folder."""

_URL = (
    r"(?P<scheme>postgres(?:ql)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<hosts>[\w.,:%\[\]-]*)"
    r"(?P<database>/[^@:/?#]*)?"
    r"(?:\?[^#]*)?"
)


def named() -> str:
    """The store that ``CARDGAMES_STORE`` names, by default the file."""
    return os.environ.get("CARDGAMES_STORE") or SQLITE


def possible(store: str) -> bool:
    """Whether a text can name a store."""
    return store == SQLITE or store.startswith(("postgresql://", "postgres://"))


def shown(store: str) -> str:
    """A store as people are told, without the password and whatever else may hold one."""
    if store == SQLITE:
        return store
    parts = re.fullmatch(_URL, store)
    if parts is None:
        return "postgresql://…" if possible(store) else "…"
    user = f"{parts['user']}@" if parts["user"] else ""
    return f"{parts['scheme']}://{user}{parts['hosts']}{parts['database'] or ''}"
