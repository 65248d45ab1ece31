"""The ratings of the levels at each game: mean and standard deviation, on the scale of `store.ratings`.

`scripts/rate_levels.py --matches 30 --seed 1` has written this file: 30 matches for each pair of levels.
"""

LEVEL_RATINGS = {
    "durak": {"easy": (1343, 117), "fair": (1500, 108), "strong": (1625, 113)},
    "truc": {"easy": (1259, 121), "fair": (1500, 110), "strong": (1628, 116)},
    "kakeya": {"easy": (1399, 147), "fair": (1500, 135), "strong": (1521, 136)},
    "fipsen": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
    "zetema": {"easy": (1350, 100), "fair": (1500, 100), "strong": (1600, 100)},
}
"""Pairs of mean and standard deviation by game and level, for the smallest number of players."""
