"""The state of a match at several terminals: seats, the open request and the chat.

All of it is public, and none of it is part of the journal."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from cardgames.engine.player_names import look_alike
from cardgames.match.journal import JournalPosition
from cardgames.match.time_control import Timing

ABSENT_AFTER = timedelta(minutes=5)
"""The time away after which a match without a time control can be broken off without a player's consent."""


class SeatStatus(NamedTuple):
    """A seat and its player."""

    seat: int
    name: str | None
    """``None`` if the seat is free."""
    person: str | None = None
    """The identity of a person from another machine; ``None`` for somebody of this machine with that name."""
    level: str | None = None
    """The level of the computer that plays here, for itself or as a stand-in; ``None`` if there is none."""
    terminal: str | None = None
    """The terminal of its player; ``None`` if they are away."""
    since: datetime | None = None
    """The time since which they are there, or away; timezone-aware."""
    held: str | None = None
    """The name for which the host reserves the seat."""


class RequestKind(StrEnum):
    """The requests that other players have to grant."""

    UNDO = "undo"
    """To undo one's own last choice."""
    AGAIN = "again"
    """To play another match."""
    BREAK_OFF = "break_off"
    """To end the match without a winner."""
    STAND_IN = "stand_in"
    """To let a computer stand in for an absent player."""


class Request(NamedTuple):
    """A request that is neither granted nor withdrawn."""

    id: int
    wanted: RequestKind
    by: int
    """The seat that made it."""
    about: int
    """For ``UNDO`` the number of actions, for ``STAND_IN`` the seat, for ``AGAIN`` 1 if with the same cards; else 0."""
    at: JournalPosition
    """The journal's position at which it was made."""
    answers: Mapping[int, bool]
    """The answers so far, by seat."""

    @property
    def is_same(self) -> bool:
        """Whether it asks for another match with the same cards."""
        return self.wanted is RequestKind.AGAIN and self.about == 1


class ChatMessage(NamedTuple):
    """A line said to the table."""

    id: int
    by: int
    """The seat that said it, or 0 for a spectator."""
    phrase: str | None
    """The key of a ready-made phrase; ``None`` for free text."""
    text: str
    at: datetime | None = None
    """Its time; timezone-aware."""
    name: str = ""
    """The name of the spectator."""


class TableState(NamedTuple):
    """The state of a table beside its match."""

    places: tuple[SeatStatus, ...]
    """All seats, in order."""
    request: Request | None
    words: Sequence[ChatMessage]
    """The unread chat messages, in order."""
    journal_position: JournalPosition
    """The position at the end of the match's journal."""
    is_over: bool
    """Whether the match is finished or broken off."""
    rematch: int | None
    """The number of the match that follows this one, if any."""
    timing: Timing | None = None
    """The clocks, if there is a time control and the match has begun."""
    contributions: str = ""
    """The contributions to the shuffles, as stored JSON."""
    code: str = ""
    """The code of a private table, else empty."""

    @property
    def host(self) -> SeatStatus | None:
        """The person who has been at the table longest, before the match begins."""
        people = [place for place in self.places if place.name is not None and place.level is None and place.since]
        return min(people, key=lambda place: (place.since, place.seat), default=None)

    def for_anybody(self, name: str) -> list[SeatStatus]:
        """The free seats that somebody with this ``name`` may take."""
        free = [place for place in self.places if place.name is None]
        return [place for place in free if place.held is None or look_alike(place.held, name)]

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken, so that the match can begin."""
        return all(place.name is not None for place in self.places)

    def has_gone_on(self, request: Request) -> bool:
        """Whether play has gone on since an undo request, which is then void."""
        return request.wanted is RequestKind.UNDO and request.at != self.journal_position

    def asked(self, request: Request) -> set[int]:
        """The seats whose players have to agree to a request.

        A stand-in needs only those who are present, and a match can be broken off without players who are absent. All
        other requests need all other players. A computer that stands in agrees to an undo for its person; to the end
        of the match, or another one, the person has to agree."""
        there = {place.seat for place in self.places if place.terminal is not None}
        people = {place.seat for place in self.places if place.level is None and place.name is not None}
        if request.wanted is RequestKind.STAND_IN:
            people = there - {request.about}
        elif request.wanted is not RequestKind.UNDO:
            people |= there
        if request.wanted is RequestKind.BREAK_OFF:
            people -= {place.seat for place in self.places if self._is_absent(place)}
        return people - {request.by}

    def wants_same_cards(self, people: Collection[int]) -> bool:
        """Whether all ``people`` have agreed to another match with the same cards, whose end they have seen then."""
        request = self.request
        if request is None or not (request.is_same and self.granted(request)):
            return False
        return {*people} <= {request.by, *request.answers}

    def _is_absent(self, place: SeatStatus) -> bool:
        """Whether a player has been away for long, and no clock decides about that."""
        if place.terminal is not None or place.since is None or self.timing is not None:
            return False
        return datetime.now(UTC) - place.since >= ABSENT_AFTER

    def granted(self, request: Request) -> bool | None:
        """Whether all have agreed; ``None`` while answers are missing and none has refused."""
        if False in request.answers.values():
            return False
        return True if self.asked(request) <= request.answers.keys() else None
