"""The names of players: those that can be shown, and told from one another at one table."""

import unicodedata
from itertools import groupby

LONGEST_NAME = 32
"""How many characters a name may have."""

MOST_MARKS = 5
"""How many marks, such as accents, a letter may bear: as many as in Burmese. Each takes its time to be drawn."""

UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that have no look of their own, or the wrong one."""

BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are letters or signs by their category, and look like nothing at all."""

LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTXYaeopcyxsijhdqwABEZHIKMNOPTYXo",
)
"""Letters of other scripts that look like Latin ones."""


def clean_name(name: str) -> str:
    """A name as it can be shown: control characters, lone surrogates and the like are replaced, the rest is text."""
    shown = "".join("�" if unicodedata.category(char) in UNSHOWN else char for char in name)
    return " ".join(shown.split())


def may_be_name(name: str) -> bool:
    """Whether somebody may be called that."""
    seen = any(char not in BLANK and not _is_mark(char) for char in name)
    legible = max((len([*group]) for marks, group in groupby(name, _is_mark) if marks), default=0) <= MOST_MARKS
    return seen and legible and len(name) <= LONGEST_NAME and clean_name(name) == name


def _is_mark(char: str) -> bool:
    """Whether a character is a mark on the letter before it."""
    return unicodedata.category(char).startswith("M")


def look_alike(name: str, other: str) -> bool:
    """Whether people could take one name for the other."""
    return look(name) == look(other)


def look(name: str) -> str:
    """A name as it is remembered, the same for all names that look like it or differ only in case."""
    shown = "".join(char for char in unicodedata.normalize("NFKC", name) if char not in BLANK)
    return " ".join(shown.translate(LOOK_ALIKES).split()).casefold()
