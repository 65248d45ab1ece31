"""The properties of Skeleton that the tests of all games check."""

from tests.games import Expected

GAME = Expected(
    clauses=("S", 4),
    fields="seat phase to_act legal scores outcome hand counts dealer trick last_trick won played",
)
