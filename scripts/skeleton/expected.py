"""The properties of Skeleton that the tests of all games check."""

from tests.games import Expected

GAME = Expected(
    clauses=("S", 4),
    fields="seat phase to_act legal scores outcome hand counts dealer trick last_trick won played",
    # seldom=frozenset({"event.rare"}): messages of rare events, which tests of the game's own see said
    # cards_left=True: a match may end with cards in hand
)
