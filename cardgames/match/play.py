"""The loop that asks the players for actions until a match is over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cardgames.engine.game import Outcome
from cardgames.match.match import Match
from cardgames.match.players import Player, RemotePlayers, TakeBack


def play(match: Match, players: Mapping[int, Player], remote_players: RemotePlayers | None = None) -> Outcome:
    """Play a match to its end. ``players`` are by seat; people who share a terminal are one player.

    ``remote_players`` play the other seats. Raises :class:`PlayerLeft` when somebody leaves, and the errors of players
    and the journal. The journal keeps all actions so far."""
    play_until(match, players, remote_players, match.game.outcome)
    outcome = match.outcome
    assert outcome
    return outcome


def play_until(
    match: Match, players: Mapping[int, Player], remote_players: RemotePlayers | None, is_end: Callable[[Any], object]
) -> None:
    """Play a match as :func:`play` does, up to the first state for which ``is_end`` is true."""
    while not is_end(match.state):
        match.settle()
        if match.outcome:
            return
        seat = match.to_act
        assert seat
        player: Player | RemotePlayers
        if seat in players:
            player = players[seat]
            answer = player.choose(match.observation(seat), match.events(seat))
        else:
            assert remote_players is not None, f"nobody plays seat {seat}"
            player = remote_players
            answer = remote_players.wait(seat)
        if isinstance(answer, TakeBack):
            _ask_to_undo(match, player, _others(players, remote_players, answer.seat), answer.seat)
        elif answer is not None:
            match.act(seat, answer)


def _ask_to_undo(
    match: Match, player: Player | RemotePlayers, others: Sequence[Player | RemotePlayers], seat: int
) -> None:
    """Undo the last choice of ``seat`` at the request of ``player``, if it can be undone and ``others`` agree."""
    undone = match.undoable(seat)
    if not undone:
        player.refused(match.why_not_undoable(seat))
    elif all(other.consents(seat, len(undone)) for other in others) and match.undoable(seat) == undone:
        match.undo(seat)


def _others(
    players: Mapping[int, Player], remote_players: RemotePlayers | None, seat: int
) -> list[Player | RemotePlayers]:
    """The players of all seats except ``seat``, each player once."""
    others: list[Player | RemotePlayers] = []
    for other_seat, player in players.items():
        if other_seat != seat and not any(player is other for other in others):
            others.append(player)
    return [*others, remote_players] if remote_players else others
