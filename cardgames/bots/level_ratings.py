"""The ratings of the levels at each game: mean and standard deviation, on the scale of `store.ratings`.

`scripts/rate_levels.py` writes this file; with `--matches 30 --seed 1` each pair has played so many matches.
"""

LEVEL_RATINGS = {
    "durak": {"easy": (1246, 108), "fair": (1500, 100), "strong": (1707, 106)},
    "truc": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
    "kakeya": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
    "fipsen": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
    "zetema": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
}
"""By game and level, for as many players as the game has least."""
