"""Checks of players' names: which are printable, and which look alike."""

import unicodedata
from itertools import groupby

LONGEST_NAME = 32
"""The most characters in a name."""

MOST_MARKS = 5
"""The most combining marks, such as accents, on a letter. Burmese needs five; more only slow down drawing."""

UNSHOWN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that are not printable."""

IGNORABLE = frozenset(
    map(
        chr,
        (
            *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0),
            *range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
            *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B),
            *range(0xE0000, 0xE1000),
        ),
    )
)  # fmt: skip
"""Characters that nobody sees: Unicode's default-ignorable code points, and the blank braille pattern."""

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
    replaced = ("�" if unicodedata.category(char) in UNSHOWN else char for char in name)
    printable = "".join(char for char in replaced if char not in IGNORABLE)
    return " ".join(printable.split())


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
    visible = "".join(char for char in unicodedata.normalize("NFKC", name) if char not in IGNORABLE)
    return " ".join(visible.translate(LOOK_ALIKES).casefold().translate(SAME).split())
