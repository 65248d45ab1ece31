"""What the tests know of Zetema."""

from tests.games import Expected, Record

GAME = Expected(
    clauses=("Z", 11),
    fields=(
        "seat phase to_act legal scores outcome hand hand_size counts known piles out stock "
        "spade_marriages sides side_scores target dealer last"
    ),
    seldom=frozenset({"reason.no_second_on_table", "reason.no_flush_of_spades"}),
    cards_left=True,
    sides=(
        (4, ("teams",), ((1, 3), (2, 4))),
        (6, ("teams",), ((1, 3, 5), (2, 4, 6))),
        (6, ("teams", "three_sides"), ((1, 4), (2, 5), (3, 6))),
    ),
    phases=frozenset({"turn"}),
    screens={
        "zetema": Record(
            "zetema-four-alone",
            {
                "first-turn": ("turn", 1),
                "mid-game": ("turn", 23),
                "hand-over": ("hand_over", 45),
                "trick-over": ("pause", 45),
            },
        )
    },
)
