"""What the tests know of Kakeya Trump."""

from tests.games import Expected, Record

GAME = Expected(
    clauses=("K", 14),
    fields=(
        "seat phase to_act legal scores outcome chairs pairs partner dealers resting leaders game deal "
        "trump rensho hand counts trick last_trick pictures played lacks chips points deals games draws"
    ),
    seldom=frozenset({"why.time_up_even"}),
    sides=((4, (), ((1, 3), (2, 4))), (6, (), ((1, 4), (2, 5), (3, 6)))),
    phases=frozenset({"trump", "lead", "play"}),
    screens={
        "kakeya": Record(
            "kakeya-rensho",
            {
                "first-turn": ("turn", 0),
                "mid-game": ("turn", 25),
                "hand-over": ("hand_over", 9),
                "trick-over": ("pause", 7),
            },
        )
    },
)
