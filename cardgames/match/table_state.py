"""A match at several terminals: the seats, the open request and the chat.

All of it is public. None of it is part of the match itself, which is what stands in its journal.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from cardgames.engine.player_names import look_alike
from cardgames.match.journal import JournalPosition
from cardgames.match.time_control import Timing


class SeatStatus(NamedTuple):
    """A seat and its player."""

    seat: int
    name: str | None
    """``None``: nobody has come yet."""
    person: str | None = None
    """Who that is, for those who come from elsewhere; ``None``: whoever bears that name at this machine."""
    level: str | None = None
    """The level of the computer that plays here, in its own right or for somebody who has gone; ``None``: none does."""
    terminal: str | None = None
    """The terminal at which they sit; ``None``: they are away."""
    since: datetime | None = None
    """Since when they have been there, or away; aware."""
    held: str | None = None
    """The name for which the host holds the seat."""


class RequestKind(StrEnum):
    """The requests that the other players have to grant."""

    UNDO = "undo"
    """To take back one's own last choice."""
    AGAIN = "again"
    """To play another match."""
    BREAK_OFF = "break_off"
    """To end the match as it stands, won by nobody."""
    STAND_IN = "stand_in"
    """To let a computer play for somebody who is away."""


class Request(NamedTuple):
    """A request that is neither granted nor withdrawn."""

    id: int
    wanted: RequestKind
    by: int
    """The seat whose wish it is."""
    about: int
    """For ``UNDO`` how many actions it takes back, for ``STAND_IN`` the seat; else 0."""
    at: JournalPosition
    """Where the match stood when it was uttered."""
    answers: Mapping[int, bool]
    """Who has agreed and who has not, by seat."""


class ChatMessage(NamedTuple):
    """A line said to the table."""

    id: int
    by: int
    """The seat that said it, or 0: a spectator did."""
    phrase: str | None
    """A phrase that is ready-made in every language, by its key; ``None``: it was written freely."""
    text: str
    at: datetime | None = None
    """When it was said; aware."""
    name: str = ""
    """The name of the spectator."""


class TableState(NamedTuple):
    """The state of a table beside its match."""

    places: tuple[SeatStatus, ...]
    """Every seat, in their order."""
    request: Request | None
    words: Sequence[ChatMessage]
    """Those that had not been read, in order."""
    journal_position: JournalPosition
    """How far the journal of the match goes."""
    is_over: bool
    """Whether nothing more is played: the match is finished, or has been broken off."""
    rematch: int | None
    """The number of the match that follows this one, if there is one."""
    timing: Timing | None = None
    """How the clocks stand, if people play by some and the first card has been dealt."""
    contributions: str = ""
    """The contributions to the shuffles so far, as the JSON that the store keeps."""
    code: str = ""
    """The code of a private table, else empty."""

    @property
    def host(self) -> SeatStatus | None:
        """The person who has sat at the table for longest, before the match begins."""
        people = [place for place in self.places if place.name is not None and place.level is None and place.since]
        return min(people, key=lambda place: (place.since, place.seat), default=None)

    def for_anybody(self, name: str) -> list[SeatStatus]:
        """The free seats that somebody of this ``name`` may take."""
        free = [place for place in self.places if place.name is None]
        return [place for place in free if place.held is None or look_alike(place.held, name)]

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken, so that the match can begin."""
        return all(place.name is not None for place in self.places)

    def has_gone_on(self, request: Request) -> bool:
        """Whether the match has gone on since a wish to take something back, which is void then."""
        return request.wanted is RequestKind.UNDO and request.at != self.journal_position

    def asked(self, request: Request) -> set[int]:
        """The seats whose people have to agree to a wish.

        To let a computer play for somebody takes those who are there. Everything else takes all the others, there or
        away, so that nobody comes back to what they never agreed to. A computer agrees to an undo for the person whose
        seat it plays; whether the match ends, or another one begins, that person is asked.
        """
        there = {place.seat for place in self.places if place.terminal is not None}
        people = {place.seat for place in self.places if place.level is None and place.name is not None}
        if request.wanted is RequestKind.STAND_IN:
            people = there - {request.about}
        elif request.wanted is not RequestKind.UNDO:
            people |= there
        return people - {request.by}

    def granted(self, request: Request) -> bool | None:
        """Whether all who are asked have agreed; ``None`` while some have not answered and none has refused."""
        if False in request.answers.values():
            return False
        return True if self.asked(request) <= request.answers.keys() else None
