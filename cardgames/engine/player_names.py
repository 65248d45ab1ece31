"""Checks of players' names: which are printable, and which look alike."""

import re
import unicodedata
from itertools import groupby

LONGEST_NAME = 32
"""The most characters in a name."""

MOST_MARKS = 5
"""The most combining marks, such as accents, on a letter. Burmese needs five; more only slow down drawing."""

UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not printable."""

IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""A character that nobody sees: one of Unicode's default-ignorable code points, and the blank braille pattern."""

LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТХҮаеорсухѕіјһԁԛԝкгѵӏӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαικνρυγωօսոհցɑɡıɩᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ",
    "ABESIJKMHOPCTXYaeopcyxsijhdqwkrvllABEZHIKMNOPTYXoaikvpuywounhgagiiABCDEGHJKLMPRSTVWYZ",
)
"""A translation table from letters of other scripts to Latin letters that look like them."""

SAME = str.maketrans("i1|0", "lllo")
"""A translation table that makes characters equal that look alike in many fonts, such as ``l`` and a capital ``i``."""

ALPHABETS = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
"""The alphabets with letters that look alike. No name has letters of two of them."""


def clean_name(name: str) -> str:
    """Return ``name`` with unprintable characters replaced, invisible ones removed and white space normalized."""
    replaced = "".join("�" if unicodedata.category(char) in UNSHOWN else char for char in name)
    return " ".join(IGNORABLE.sub("", replaced).split())


def is_allowed_name(name: str) -> bool:
    """Whether ``name`` is an allowed name: visible, legible, of one alphabet, not too long and clean."""
    is_visible = not all(map(_is_mark, name))
    mark_counts = [len([*group]) for is_mark, group in groupby(name, _is_mark) if is_mark]
    is_legible = max(mark_counts, default=0) <= MOST_MARKS
    scripts = {unicodedata.name(char, "").split(" ")[0] for char in unicodedata.normalize("NFKC", name)}
    is_of_one_alphabet = len(scripts & ALPHABETS) <= 1
    return is_visible and is_legible and is_of_one_alphabet and len(name) <= LONGEST_NAME and clean_name(name) == name


def _is_mark(char: str) -> bool:
    """Whether ``char`` is a combining mark on the letter before it."""
    return unicodedata.category(char).startswith("M")


def look_alike(name: str, other_name: str) -> bool:
    """Whether two names look alike (see :func:`name_key`)."""
    return name_key(name) == name_key(other_name)


def name_key(name: str) -> str:
    """A normalized name, equal for names that look alike or differ only in case."""
    visible = IGNORABLE.sub("", unicodedata.normalize("NFKC", name))
    return " ".join(visible.translate(LOOK_ALIKES).casefold().translate(SAME).split())
