"""The names of players: printable, and different from one another at a table."""

import unicodedata
from itertools import groupby

LONGEST_NAME = 32
"""The most characters of a name."""

MOST_MARKS = 5
"""The most marks, such as accents, on a letter, as many as in Burmese; each takes time to draw."""

UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""The categories of characters without a look of their own, or with the wrong one."""

BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that look blank, though their category is letters or signs."""

LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTXYaeopcyxsijhdqwABEZHIKMNOPTYXo",
)
"""Letters of other scripts that look like Latin ones."""


def clean_name(name: str) -> str:
    """A printable name, with control characters, lone surrogates and the like replaced."""
    shown = "".join("�" if unicodedata.category(char) in UNSHOWN else char for char in name)
    return " ".join(shown.split())


def may_be_name(name: str) -> bool:
    """Whether a name is allowed."""
    seen = any(char not in BLANK and not _is_mark(char) for char in name)
    legible = max((len([*group]) for marks, group in groupby(name, _is_mark) if marks), default=0) <= MOST_MARKS
    return seen and legible and len(name) <= LONGEST_NAME and clean_name(name) == name


def _is_mark(char: str) -> bool:
    """Whether a character is a mark on the letter before it."""
    return unicodedata.category(char).startswith("M")


def look_alike(name: str, other: str) -> bool:
    """Whether two names could be confused."""
    return look(name) == look(other)


def look(name: str) -> str:
    """A normalized name, equal for names that look alike or differ only in case."""
    shown = "".join(char for char in unicodedata.normalize("NFKC", name) if char not in BLANK)
    return " ".join(shown.translate(LOOK_ALIKES).split()).casefold()
