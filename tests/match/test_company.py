"""A match at several terminals: seats that are played elsewhere, and who has to agree to what."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

import pytest

from cardgames.bots import choose_evenly
from cardgames.engine.game import GAMES, game_class, new_game
from cardgames.match import JournalPosition, Match, MemoryJournal, Player, PlayerLeft, TakeBack, play, seeded
from cardgames.match.table_state import ABSENT_AFTER, Request, RequestKind, SeatStatus, TableState
from cardgames.match.time_control import TimeControl, TimeUp, Timing
from tests.players import Computer, Scripted


class Terminal:
    """Another terminal at the same journal, which plays a seat whenever it is waited for."""

    def __init__(self, here: Match, there: Match, seat: int, consent: bool = True) -> None:
        self._here = here
        self._there = there
        self._rule = Computer(choose_evenly, Random(seat))
        self._consent = consent
        self.asked_for: list[tuple[int, int]] = []
        self.waited: list[int] = []
        self.wishes: list[TakeBack] = []

    def wait(self, seat: int) -> TakeBack | None:
        self.waited.append(seat)
        if self.wishes:
            return self.wishes.pop()
        self._there.catch_up()
        self._there.settle()
        assert self._there.act(seat, self._rule.choose(self._there.observation(seat), ()))
        self._here.catch_up()
        return None

    def consents(self, seat: int, count: int) -> bool:
        self.asked_for.append((seat, count))
        return self._consent


def two_of(game: str, seats: int = 2) -> tuple[MemoryJournal, Match, Match]:
    """A journal, and the match at two terminals."""
    journal = MemoryJournal()
    one, other = (Match(new_game(game, seats, dealer=seats), journal, seeded(5)) for _ in range(2))
    return journal, one, other


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_at_two_terminals_as_at_one(game: str) -> None:
    seats = min(game_class(game).SEATS)
    journal, here, there = two_of(game, seats)
    own = {1: Computer(choose_evenly, Random(1))}
    elsewhere = Terminal(here, there, 2)
    outcome = play(here, own, elsewhere)
    assert {*elsewhere.waited} == {*range(2, seats + 1)}
    alone = Match(new_game(game, seats, dealer=seats), MemoryJournal(journal.moves), seeded(5))
    there.catch_up()
    assert alone.outcome == there.outcome == outcome
    assert alone.state == there.state == here.state


@pytest.mark.parametrize("consent", [True, False])
def test_those_elsewhere_are_asked_about_an_undo(consent: bool) -> None:
    journal, here, there = two_of("durak")
    elsewhere = Terminal(here, there, 2, consent)
    here.settle()
    attack = here.observation(1).legal[0]
    elsewhere.wishes = [TakeBack(1)]
    with pytest.raises(PlayerLeft):
        play(here, {1: Scripted([attack])}, elsewhere)
    assert elsewhere.asked_for == [(1, 1)]
    there.catch_up()
    assert bool(journal.undos) is consent
    assert there.journal_position == here.journal_position


def test_nobody_is_asked_about_what_cannot_be_taken_back() -> None:
    _, here, there = two_of("durak")
    elsewhere = Terminal(here, there, 2)
    here.settle()
    attack = here.observation(1).legal[0]
    elsewhere.wishes = [TakeBack(2)]
    with pytest.raises(PlayerLeft):
        play(here, {1: Scripted([attack])}, elsewhere)
    assert elsewhere.asked_for == []


def test_a_seat_is_played_by_whoever_has_it_by_then() -> None:
    """Who plays what may change while somebody is waited for: they go, and a computer plays for them."""
    _, here, there = two_of("durak")
    computer = Computer(choose_evenly, Random(2))
    players: dict[int, Player] = {1: Computer(choose_evenly, Random(1))}

    class Leaving(Terminal):
        """Somebody who goes as soon as they are waited for."""

        def wait(self, seat: int) -> None:
            self.waited.append(seat)
            players[2] = computer

    elsewhere = Leaving(here, there, 2)
    assert play(here, players, elsewhere) == here.outcome
    assert elsewhere.waited == [2]


# Who has to agree


def table_state(*places: SeatStatus) -> TableState:
    return TableState(places, (), (), JournalPosition(), False, None)


ANN, BEN = SeatStatus(1, "Ann", terminal="x"), SeatStatus(2, "Ben", terminal="y")
CLEO, ADA, NOBODY = SeatStatus(3, "Cleo"), SeatStatus(4, "Ada", level="fair"), SeatStatus(4, None)


def request(kind: RequestKind, by: int = 1, about: int = 0, answers: Sequence[tuple[int, bool]] = ()) -> Request:
    return Request(1, kind, by, about, JournalPosition(), dict(answers))


def test_a_match_begins_when_every_seat_is_taken() -> None:
    assert table_state(ANN, BEN, CLEO, ADA).is_full
    assert not table_state(ANN, BEN, CLEO, NOBODY).is_full


def test_undo_request_is_void_after_a_move() -> None:
    """A wish to take back is void once the match has gone on."""
    asked = (request(RequestKind.UNDO), request(RequestKind.BREAK_OFF))
    table = table_state(ANN, BEN)._replace(requests=asked)
    later = table._replace(journal_position=JournalPosition(1))
    assert table.open_requests == [*asked]
    assert later.open_requests == [asked[1]]
    assert not table._replace(is_over=True).open_requests


@pytest.mark.parametrize("kind", [RequestKind.UNDO, RequestKind.AGAIN, RequestKind.BREAK_OFF])
def test_all_others_are_asked_there_or_away(kind: RequestKind) -> None:
    table = table_state(ANN, BEN, CLEO, ADA)
    assert table.seats_to_ask(request(kind)) == {2, 3}
    assert table.is_granted(request(kind)) is None
    assert table.is_granted(request(kind, answers=[(2, True)])) is None
    assert table.is_granted(request(kind, answers=[(2, False)])) is False
    assert table.is_granted(request(kind, answers=[(2, True), (3, True)])) is True
    handed_over = table_state(ANN, BEN._replace(level="fair"))
    assert handed_over.is_granted(request(kind)) is (True if kind is RequestKind.UNDO else None)
    gone = table_state(ANN, BEN._replace(level="fair", terminal=None))
    assert gone.is_granted(request(kind)) is True


def test_absent_players_are_not_asked_to_break_off() -> None:
    """Whoever has just left may come back, and a clock decides about whoever plays by one."""
    now = datetime.now(UTC)
    table = table_state(ANN, BEN, CLEO._replace(status_since=now - ABSENT_AFTER))
    recent = table_state(ANN, BEN, CLEO._replace(status_since=now))
    timed = table._replace(timing=Timing(TimeControl(60, 0, 0, TimeUp.LOST), (), 1, now, now))
    assert table.seats_to_ask(request(RequestKind.BREAK_OFF)) == {2}
    assert table.seats_to_ask(request(RequestKind.AGAIN)) == {2, 3}
    assert recent.seats_to_ask(request(RequestKind.BREAK_OFF)) == {2, 3}
    assert timed.seats_to_ask(request(RequestKind.BREAK_OFF)) == {2, 3}


def test_those_who_are_there_are_asked_about_a_stand_in() -> None:
    table = table_state(ANN, BEN, CLEO, ADA)
    assert table.seats_to_ask(request(RequestKind.STAND_IN, about=3)) == {2}
    assert table.seats_to_ask(request(RequestKind.STAND_IN, by=2, about=1)) == set()
