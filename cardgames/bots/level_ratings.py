"""The ratings of the levels at each game: mean and standard deviation, on the scale of `store.ratings`.

`scripts/rate_levels.py` writes this file; with `--matches 30 --seed 1` each pair has played so many matches.
"""

LEVEL_RATINGS = {
    "durak": {"easy": (1343, 117), "fair": (1500, 108), "strong": (1625, 113)},
    "truc": {"easy": (1259, 121), "fair": (1500, 110), "strong": (1628, 116)},
    "kakeya": {"easy": (1399, 147), "fair": (1500, 135), "strong": (1521, 136)},
    "fipsen": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
    "zetema": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
}
"""By game and level, for as many players as the game has least."""
