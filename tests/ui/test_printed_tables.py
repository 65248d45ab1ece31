"""Tables on standard output."""

from io import StringIO

import pytest
from rich.console import Console

from cardgames.store.ratings import Z_95, PlayerRating
from cardgames.store.stats import Statistics
from cardgames.ui.review.printed_tables import print_statistics
from cardgames.ui.settings import Settings


@pytest.mark.parametrize("columns", [20, 30, 50])
def test_plain_rows_break_between_words(columns: int) -> None:
    ratings = [
        ("durak", PlayerRating("Bartholomew", 1512, 88 / Z_95, 31)),
        ("durak", PlayerRating("fair", 1500, 80, 9, is_computer=True)),
    ]
    out = StringIO()
    console = Console(file=out, width=columns, force_terminal=True, color_system=None, highlight=False)
    print_statistics(Statistics(2, 0, 0, (), (), (), (), (), None), ratings, Settings(plain=True), console)
    printed = out.getvalue()
    assert "Rating 1512±88, Matches 31" in " ".join(printed.split())
    assert all(len(line.rstrip()) <= columns for line in printed.splitlines())
