"""The interface of players, who get only the facts that their seats know, and the loop that asks them for actions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Action, Event, Observation, Outcome
from cardgames.match.match import Match


class TakeBack(NamedTuple):
    """A request to undo the last choice of ``seat``, without effect if it cannot be undone."""

    seat: int


Answer: TypeAlias = Action | TakeBack | None
"""A player's reply. ``None``: the match has changed, and the current player has to be asked again."""


class PlayerLeft(Exception):
    """A player has left the table; the match can be continued."""


class Player(Protocol):
    """The player of one or more seats: the people at a terminal, a computer or a script."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """Choose an action for a seat. ``events``: those from its last action on. Raises :class:`PlayerLeft`."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether this player, or all people at this terminal, let the player of ``seat`` undo ``count`` actions."""


class RemotePlayers(Protocol):
    """The players at the other terminals of a match."""

    def wait(self, seat: int) -> TakeBack | None:
        """Wait until there is news, such as an action of ``seat``, and return ``None``.

        If a player at this terminal asks for an undo before that, return the request."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether all of them let the player of ``seat`` undo the last ``count`` actions."""


def play(match: Match, players: Mapping[int, Player], remote_players: RemotePlayers | None = None) -> Outcome:
    """Play a match to its end and return the outcome.

    ``players`` maps seats to players; people who share a terminal are one player. ``remote_players`` play the other
    seats. Raises :class:`PlayerLeft` when somebody leaves, and passes on the errors of players and of the journal. The
    journal keeps all actions made before an error."""
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
        assert seat  # after chance has settled, a player is to act
        if seat in players:
            answer = players[seat].choose(match.observation(seat), match.events(seat))
        else:
            assert remote_players is not None, f"nobody plays seat {seat}"
            answer = remote_players.wait(seat)
        if isinstance(answer, TakeBack):
            here = {id(player): player for other, player in players.items() if other != answer.seat}  # each once
            _ask_to_undo(match, [*here.values(), *([remote_players] if remote_players else [])], answer.seat)
        elif answer is not None:
            match.act(seat, answer)


def _ask_to_undo(match: Match, others: Sequence[Player | RemotePlayers], seat: int) -> None:
    """Undo the last choice of ``seat``, if it can be undone and ``others`` agree."""
    undone = match.undoable(seat)
    if undone and all(other.consents(seat, len(undone)) for other in others) and match.undoable(seat) == undone:
        match.undo(seat)
