"""Checks of players' names: which are printable, and which look alike."""

import unicodedata
from itertools import groupby

LONGEST_NAME = 32
"""The most characters in a name."""

MOST_MARKS = 5
"""The most combining marks, such as accents, on a letter. Burmese needs five; more only slow down drawing."""

UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not printable."""

BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that look blank, though their category is that of letters or symbols."""

LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTXYaeopcyxsijhdqwABEZHIKMNOPTYXo",
)
"""A translation table from letters of other scripts to Latin letters that look like them."""


def clean_name(name: str) -> str:
    """Return ``name`` with unprintable characters replaced and white space normalized."""
    printable = "".join("�" if unicodedata.category(char) in UNSHOWN else char for char in name)
    return " ".join(printable.split())


def is_allowed_name(name: str) -> bool:
    """Whether ``name`` is an allowed name: visible, legible, not too long and clean."""
    is_visible = any(char not in BLANK and not _is_mark(char) for char in name)
    mark_counts = [len([*group]) for is_mark, group in groupby(name, _is_mark) if is_mark]
    is_legible = max(mark_counts, default=0) <= MOST_MARKS
    return is_visible and is_legible and len(name) <= LONGEST_NAME and clean_name(name) == name


def _is_mark(char: str) -> bool:
    """Whether ``char`` is a combining mark on the letter before it."""
    return unicodedata.category(char).startswith("M")


def look_alike(name: str, other_name: str) -> bool:
    """Whether two names look alike (see :func:`name_key`)."""
    return name_key(name) == name_key(other_name)


def name_key(name: str) -> str:
    """A normalized name, equal for names that look alike or differ only in case."""
    visible = "".join(char for char in unicodedata.normalize("NFKC", name) if char not in BLANK)
    return " ".join(visible.translate(LOOK_ALIKES).split()).casefold()
