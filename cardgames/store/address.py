"""The address of a store: this machine's SQLite file, or the URL of a PostgreSQL database."""

import re

SQLITE = "sqlite"
"""The address of the SQLite file in this machine's data folder."""

_URL = (
    r"(?P<scheme>postgres(?:ql)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::[^@/?#]*)?@)?"
    r"(?P<hosts>[\w.,:%\[\]-]*)"
    r"(?P<database>/[^@:/?#]*)?"
    r"(?:\?[^#]*)?"
)


def is_address(text: str) -> bool:
    """Whether a text has the form of a store's address."""
    return text == SQLITE or text.startswith(("postgresql://", "postgres://"))


def without_password(address: str) -> str:
    """A store's address for display, without the password or any other secret."""
    if address == SQLITE:
        return address
    parts = re.fullmatch(_URL, address)
    if parts is None:
        return "postgresql://…" if is_address(address) else "…"
    user = f"{parts['user']}@" if parts["user"] else ""
    return f"{parts['scheme']}://{user}{parts['hosts']}{parts['database'] or ''}"
