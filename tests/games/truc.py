"""What the tests know of Truc."""

from tests.games import Expected, Record

GAME = Expected(
    clauses=("T", 13),
    fields=(
        "seat phase to_act legal scores outcome hand laid_aside counts dealer stock exchanges tricks "
        "credited last_hand stake proposal proposer stake_if_accepted doubled remainder rounds goal "
        "rounds_goal"
    ),
    phases=frozenset({"exchange", "answer_exchange", "turn", "answer_double", "answer_remainder", "play"}),
    screens={
        "truc": Record(
            "truc-three-rounds",
            {
                "first-turn": ("turn", 1),
                "mid-game": ("turn", 33),
                "hand-over": ("hand_over", 31),
                "trick-over": ("pause", 30),
            },
        )
    },
)
