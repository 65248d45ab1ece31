"""The public state of a match at several terminals, no part of the journal: seats, the open request and the chat."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import NamedTuple

from cardgames.engine.game import Message
from cardgames.engine.player_names import look_alike
from cardgames.match.journal import JournalPosition
from cardgames.match.time_control import Timing

ABSENT_AFTER = timedelta(minutes=5)
"""The absence after which others may abort the match or let a computer play, at a table without a time control."""
PAUSE_AFTER_REFUSAL = timedelta(seconds=30)
"""The time for which a seat cannot repeat a refused request; after the second refusal four times as long, then nine."""
REMATCH_REQUESTS = 3
"""The most requests for a rematch that a seat can make."""


class SeatStatus(NamedTuple):
    """A seat and its player."""

    seat: int
    name: str | None
    """The name of the player; ``None`` if the seat is free."""
    person: str | None = None
    """The identity of a person from another machine; ``None`` for people of this machine, who have only a name."""
    level: str | None = None
    """The level of the computer or stand-in that plays the seat; ``None`` if a person plays."""
    terminal: str | None = None
    """The terminal of the player; ``None`` for a player who is away."""
    status_since: datetime | None = None
    """The time since which the player has been at the table or away; timezone-aware."""
    held: str | None = None
    """The name for which the host reserves the seat."""
    joined: datetime | None = None
    """The time at which the player came first; timezone-aware. ``None`` for computers, and in older stores."""

    def is_free_for(self, name: str) -> bool:
        """Whether a person called ``name`` may take the seat: it is free and not reserved for another name."""
        return self.name is None and (self.held is None or look_alike(self.held, name))


class RequestKind(StrEnum):
    """The requests that other players have to grant."""

    UNDO = "undo"
    """To undo one's own last choice."""
    AGAIN = "again"
    """To play a rematch."""
    BREAK_OFF = "break_off"
    """To end the match without a winner."""
    STAND_IN = "stand_in"
    """To let a computer stand in for an absent player."""


class Request(NamedTuple):
    """A request that others have to grant."""

    id: int
    wanted: RequestKind
    by: int
    about: int
    """``UNDO``: the number of actions. ``STAND_IN``: the seat. ``AGAIN``: 1 for the same cards. Otherwise 0."""
    at: JournalPosition
    """The position of the journal at which the request was made."""
    answers: Mapping[int, bool]
    """Whether each seat that has answered agrees."""
    is_open: bool = True
    """Whether the request is neither carried out nor withdrawn."""
    made: datetime | None = None
    """The time at which the request was made; timezone-aware. ``None`` in a request of an older version."""

    @property
    def is_for_same_cards(self) -> bool:
        return self.wanted is RequestKind.AGAIN and self.about == 1

    @property
    def refusers(self) -> tuple[int, ...]:
        """The seats that have refused the request, in order."""
        return tuple([seat for seat, agrees in sorted(self.answers.items()) if not agrees])


class ChatMessage(NamedTuple):
    """A line said to the table."""

    id: int
    by: int
    """The seat of the author; 0 for a spectator."""
    phrase: str | None
    """The key of a ready-made phrase; ``None`` for free text."""
    text: str
    at: datetime | None = None
    """The time of the message; timezone-aware."""
    name: str = ""
    """The name of the spectator; empty for a player."""


class TableState(NamedTuple):
    """The state of a table, without the match itself."""

    places: tuple[SeatStatus, ...]
    requests: tuple[Request, ...]
    messages: Sequence[ChatMessage]
    """The unread chat messages, in order."""
    journal_position: JournalPosition
    """The position at the end of the match's journal."""
    is_over: bool
    """Whether the match is finished or broken off."""
    rematch: int | None
    """The number of the match that follows this one; ``None`` if none does yet."""
    timing: Timing | None = None
    """The clocks; ``None`` without a time control and before the match has begun."""
    contributions: str = ""
    """The contributions to the secret of the shuffles, as stored JSON."""
    code: str = ""
    """The code of a private table; empty for a public table."""
    rated: bool = False

    @property
    def open_requests(self) -> list[Request]:
        """The requests that still can be granted, in order, without one for a rematch."""
        in_match = [request for request in self.requests if request.wanted is not RequestKind.AGAIN]
        return [request for request in in_match if request.is_open and not self._is_void(request)]

    @property
    def rematch_request(self) -> Request | None:
        """The open request for a rematch; ``None`` without one."""
        return next((each for each in self.requests if each.is_open and each.wanted is RequestKind.AGAIN), None)

    @property
    def free_seats(self) -> list[SeatStatus]:
        """The seats without a player. Some may be reserved."""
        return [status for status in self.places if status.name is None]

    @property
    def is_full(self) -> bool:
        return not self.free_seats

    @property
    def is_ready(self) -> bool:
        """Whether the match has begun, or can begin, as all seats are taken and all people are present."""
        has_begun = bool(self.journal_position.ply or self.journal_position.undos)
        return has_begun or (self.is_full and all(status.level or status.terminal for status in self.places))

    def _is_void(self, request: Request) -> bool:
        """Whether the match is over, an undo is asked for what is no longer the last, or an absent player is back."""
        if self.is_over:
            return True
        if request.wanted is RequestKind.STAND_IN:
            return not self.may_be_replaced(self.places[request.about - 1])
        return request.wanted is RequestKind.UNDO and request.at != self.journal_position

    def why_not_request(self, kind: RequestKind, by: int, at: JournalPosition, now: datetime) -> Message | None:
        """Why the seat ``by`` cannot make a request of this kind at the position ``at``; ``None`` if it can.

        Only one request of a kind can be made at a position. After a refusal the seat has to wait, longer every time.
        A rematch can be asked for ``REMATCH_REQUESTS`` times."""
        earlier = [each for each in self.requests if each.by == by and each.wanted is kind]
        if kind is RequestKind.AGAIN:
            return Message("request_enough") if len(earlier) >= REMATCH_REQUESTS else None
        if any(each.at == at for each in earlier):
            return Message("request_once")
        refused = [each.made for each in earlier if each.made and each.refusers]
        if refused and now < (end := refused[-1] + len(refused) ** 2 * PAUSE_AFTER_REFUSAL):
            return Message("request_pause", {"number": ceil((end - now).total_seconds())})
        return None

    def leavers(self, sides: Sequence[Sequence[int]]) -> list[int]:
        """The seats of one side that lose a rated match if it is broken off now, because they have been away for long.

        Empty if nobody loses: in unrated matches, before the first deal, and if players of several ``sides`` are away.
        Otherwise people could leave whenever they were about to lose."""
        if not (self.rated and self.journal_position.ply):
            return []
        absent = {status.seat for status in self.places if status.level is None and self._is_absent(status)}
        leavers = [[seat for seat in side if seat in absent] for side in sides]
        sides_away = [seats for seats in leavers if seats]
        return sides_away[0] if len(sides_away) == 1 else []

    def may_be_replaced(self, status: SeatStatus) -> bool:
        """Whether others may ask for a computer: after a long absence, without a clock, in an unrated match."""
        return not self.rated and status.level is None and self._is_absent(status)

    def seats_to_ask(self, request: Request) -> set[int]:
        """The seats whose players must agree to a request, without the seat that made the request.

        Undo: all people for whom no stand-in plays. Rematch: also people at the table for whom a stand-in plays.
        Abort: as for a rematch, but without people who have been away for long (:meth:`_is_absent`). Stand-in: all
        people at the table."""
        present = {status.seat for status in self.places if status.terminal is not None}
        people = {status.seat for status in self.places if status.level is None and status.name is not None}
        if request.wanted is RequestKind.STAND_IN:
            people = present - {request.about}
        elif request.wanted is not RequestKind.UNDO:
            people |= present
        if request.wanted is RequestKind.BREAK_OFF:
            people -= {status.seat for status in self.places if self._is_absent(status)}
        return people - {request.by}

    def wants_same_cards(self, people: Collection[int]) -> bool:
        """Whether a rematch with the same cards is granted, and all seats ``people`` have requested it or agreed."""
        request = self.rematch_request
        if request is None or not (request.is_for_same_cards and self.is_granted(request)):
            return False
        return {*people} <= {request.by, *request.answers}

    def _is_absent(self, status: SeatStatus) -> bool:
        """Whether a seat's player has been away for ``ABSENT_AFTER``, at a table without a time control."""
        if status.terminal is not None or status.status_since is None or self.timing is not None:
            return False
        return datetime.now(UTC) - status.status_since >= ABSENT_AFTER

    def is_granted(self, request: Request) -> bool | None:
        """Whether a request is granted: true if all agree, false if one refuses, ``None`` while answers are missing."""
        if request.refusers:
            return False
        return None if self.missing_answers(request) else True

    def missing_answers(self, request: Request) -> set[int]:
        """The seats whose players must still answer a request."""
        return self.seats_to_ask(request) - request.answers.keys()


def first_to_come(seats: Collection[SeatStatus]) -> SeatStatus | None:
    """The person who came to a table first of those in ``seats``: of all, the host. ``None`` if there is nobody."""
    people = [(status.joined or status.status_since, status) for status in seats if status.name and not status.level]
    arrivals = [(came, status.seat, status) for came, status in people if came]
    return min(arrivals)[2] if arrivals else None
