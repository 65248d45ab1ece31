"""The tally of a sitting: what each has won in the matches that have been played to their end."""

from cardgames.layout import Columns, Message
from cardgames.store import Store


def tally(store: Store, match: int) -> tuple[Message | Columns, ...]:
    """The matches and points that each has won in the sitting of this match; nothing before one is over.

    Raises what :meth:`Store.load` does.
    """
    over = [one for one in store.sitting(match) if one.outcome]
    if not over:
        return ()
    seats = range(1, over[0].seats + 1)
    won = dict.fromkeys(seats, 0)
    points = dict.fromkeys(seats, 0)
    for one in over:
        assert one.outcome
        for seat, earned in zip(seats, _points(store, one.id), strict=True):
            won[seat] += seat in one.outcome.winners
            points[seat] += earned
    rows = tuple((Message("name", {"seat": seat}), won[seat], points[seat]) for seat in seats)
    head = (Message("head.player"), Message("head.matches_won"), Message("head.points_won"))
    return Message("sitting", {"count": len(over)}), Columns(head, rows)


def _points(store: Store, match: int) -> tuple[int, ...]:
    """What each seat has won in a match; scores alone would not do, as some games begin them anew within one."""
    header, moves = store.load(match)
    game = header.new_game()
    state = game.start()
    for _, act in moves:
        state = game.apply(state, game.parse(act))
    return game.payoff(state)
