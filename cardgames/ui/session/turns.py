"""The current players of shared tables, for people who are away from the tables."""

from cardgames.store import Store
from cardgames.store.places import OpenTable


def people_to_act(store: Store, table: OpenTable, person: str | None) -> tuple[str, ...]:
    """The names under which ``person`` has to act at a table, so that play can continue.

    If a computer or chance is next and nobody is at the table, every person has to act. Raises :class:`StoreError`."""
    if table.has_free_seat:
        return ()
    header, moves = store.load(table.match.id)
    game = header.new_game()
    state = game.start()
    for _, act in moves:
        state = game.apply(state, game.parse(act))
    to_act = game.to_act(state)
    current = table.places[to_act - 1] if to_act else None
    waited_for = [current] if current and current.level is None else table.places
    if len(waited_for) > 1 and any(place.terminal for place in table.places):
        return ()
    computers = header.computers
    return tuple([place.name or "" for place in waited_for if place.person == person and place.seat not in computers])
