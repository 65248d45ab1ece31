"""The current players of shared tables, for people who do not sit at them now."""

from cardgames.store import Store
from cardgames.store.places import OpenTable


def people_to_act(store: Store, table: OpenTable, person: str | None) -> tuple[str, ...]:
    """The names under which this ``person`` is to act at a table, as :meth:`Store.join` has it.

    While nobody sits there chance and computers wait too, for anybody who comes. Raises :class:`StoreError`.
    """
    if table.waits:
        return ()
    header, moves = store.load(table.match.id)
    game = header.new_game()
    state = game.start()
    for _, act in moves:
        state = game.apply(state, game.parse(act))
    to_act = game.to_act(state)
    acts = table.places[to_act - 1] if to_act else None
    waits = [acts] if acts and acts.level is None else table.places
    if len(waits) > 1 and any(place.terminal for place in table.places):
        return ()
    computers = header.computers
    return tuple([place.name or "" for place in waits if place.person == person and place.seat not in computers])
