"""What the tests know of Fipsen."""

from tests.games import Expected, Record

GAME = Expected(
    clauses=("F", 15),
    fields=(
        "seat phase to_act legal scores outcome dealer deals history hand counts auction waiting "
        "standing bid bidder held courtless declarer contract trump skat unused laid own_taken own_laid "
        "shown trick tricks won last_trick lacks"
    ),
    phases=frozenset({"bid", "name", "skat", "discard", "trump", "play", "stop"}),
    screens={
        "fipsen": Record(
            "fipsen-evening",
            {
                "first-turn": ("turn", 1),
                "mid-game": ("turn", 16),
                "hand-over": ("hand_over", 40),
                "trick-over": ("pause", 17),
            },
        )
    },
)
