"""The tally of a sitting: what each has won in the matches that have been played to their end."""

from collections import Counter

from cardgames.layout import Columns, Message
from cardgames.store import Store
from cardgames.ui.messages import Words


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


def matches_won(store: Store, match: int, words: Words) -> str:
    """How often each has won in this sitting, from the second match on."""
    played = store.sitting(match)
    if len(played) < 2:
        return ""
    won = Counter(seat for one in played if one.outcome for seat in one.outcome.winners)
    return words.text("comma").join(f"{words.name(seat)} {won[seat]}" for seat in range(1, played[0].seats + 1))


def _points(store: Store, match: int) -> tuple[int, ...]:
    """The points of each seat in a match; scores alone would not do, as some games begin them anew within one."""
    header, moves = store.load(match)
    game = header.new_game()
    state = game.start()
    for _, act in moves:
        state = game.apply(state, game.parse(act))
    return game.payoff(state)
