"""What the tests know of Durak."""

from tests.games import Expected, Record

GAME = Expected(
    clauses=("D", 27),
    fields=("seat phase to_act legal scores outcome hand counts known attacker lead bout turn_up stock shown past"),
    seldom=frozenset({"reason.enough_attacks", "reason.turn_only_opening", "why.all_out", "why.both_out"}),
    cards_left=True,
    phases=frozenset({"attack", "defend", "more"}),
    screens={
        "durak": Record(
            "durak-throw-in",
            {
                "first-turn": ("turn", 1),
                "mid-game": ("turn", 24),
                "hand-over": ("hand_over", 12),
                "bout-over": ("pause", 27),
            },
        ),
        "durak-six": Record(
            "durak-six-players",
            {
                "first-turn": ("turn", 1),
                "adding": ("turn", 30),
                "defending": ("turn", 63),
                "hand-over": ("hand_over", 30),
                "bout-over": ("pause", 74),
            },
        ),
    },
)
