"""Matches at several terminals in the store: seats, presence, requests and chat."""

import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardgames.engine.game import Message
from cardgames.engine.record import Header
from cardgames.match import JournalConflict, JournalPosition
from cardgames.match.table_state import ABSENT_AFTER, RequestKind, SeatStatus, first_to_come
from cardgames.store import GIVEN_UP, JoinRefused, MatchHeld, Store, UnknownMatch, table_session
from cardgames.store.people import Avoided
from cardgames.store.places import Party, TableOptions, find_by_code, find_waiting_table
from cardgames.store.table_session import KEPT_MESSAGES, TableSession

from .other_processes import beside, child, end
from .played_matches import played

HEADER = Header("kakeya", 4, {}, 4, None)
PLAY = played(1)


def opened(store: Store, seats: int = 2) -> int:
    """The number of a new match whose table waits for players."""
    return store.open_table(PLAY.header._replace(names=None) if seats == 2 else HEADER)


def names(store: Store, match: int) -> list[str | None]:
    return [place.name for place in store.seat_statuses(match)]


def there(store: Store, match: int) -> list[bool]:
    return [place.terminal is not None for place in store.seat_statuses(match)]


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises((JoinRefused, MatchHeld)) as caught:
        work()
    return caught.value.reason.key


def test_spectators_are_heard_by_players_only_at_the_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spectators are heard by each other and by players when the match is over."""
    monkeypatch.setattr(table_session, "CHAT_LIMIT", 1000)
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])):
        eve, fay = store.watch(match), store.watch(match)
        for number in range(KEPT_MESSAGES + 5):
            eve.say(0, None, f"aside {number}", "Eve")
        ann.say(1, None, "to all")
        heard = fay.read_state().messages
        assert [(word.by, word.name, word.text) for word in heard[-2:]] == [
            (0, "Eve", f"aside {KEPT_MESSAGES + 4}"),
            (1, "", "to all"),
        ]
        assert len(heard) == KEPT_MESSAGES + 1
        assert [word.text for word in ann.read_state().messages] == ["to all"]
        assert [word.text for word in store.chat_messages(match)] == ["to all"]
        ann.end_early()
        assert len(store.chat_messages(match)) == KEPT_MESSAGES + 1


def test_spectators_of_open_hands_read_nothing_before_its_time(database: str) -> None:
    """An undo is news only when it is old enough too, and hides what came before it until then."""
    today = [datetime(2026, 3, 1, tzinfo=UTC)]

    def wait(seconds: float) -> None:
        today[0] += timedelta(seconds=seconds)

    with Store.open(now=lambda: today[0]) as store:
        match = store.open_table(PLAY.header._replace(names=None), TableOptions(open_hands=60))
        assert [table.open_hands for table in store.tables()] == [store.open_hands(match)] == [60]
        with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
            eve = store.watch(match)
            for ply, step in enumerate(PLAY.steps[:4]):
                (ben if step.by == 2 else ann).append(JournalPosition(ply), *step)
                wait(10)  # the last is 10 seconds old then
            moves = [step[:2] for step in PLAY.steps[:4]]
            wait(19.9)
            assert eve.read(JournalPosition()) == ([], [])
            assert eve.read_state().journal_position == JournalPosition()
            for seen in range(1, 4):
                wait(0.1 if seen == 1 else 10)
                assert eve.read_state().journal_position == JournalPosition(seen)
                assert eve.read(JournalPosition()) == ([], moves[:seen])
                assert eve.read(JournalPosition(seen)).moves == []
            ann.undo(JournalPosition(4), 2, 1, (0, 0))
            wait(59.9)
            assert eve.read(JournalPosition(3)) == ((), ())
            assert eve.read_state().journal_position == JournalPosition(3)
            wait(0.1)
            assert [undo.to_ply for undo in eve.read(JournalPosition(3)).undos] == [2]
            assert eve.read_state().journal_position == JournalPosition(2, 1)
            ann.end_early()
            assert eve.read_state().is_over
            assert store.open_hands(ann.create_rematch(PLAY.header)) == 60
        wait(40 * 86400)
        store.clean_up(30, delete=True)
        assert store.open_hands(match) == 0


def test_a_private_table_has_a_code_that_its_rematch_keeps(store: Store) -> None:
    match = store.open_table(PLAY.header._replace(names=None), TableOptions(private=True))
    (table,) = store.tables()
    assert table.code.count("-") == 2
    assert find_by_code(store.tables(), table.code.upper().replace("-", "  ")) == table
    assert find_by_code(store.tables(), "") is None
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])):
        assert ann.read_state().code == table.code
        store.make_private(match)
        assert ann.read_state().code == table.code
        header, _ = store.load(match)
        again = ann.create_rematch(header)
    assert {found.match.id: found.code for found in store.tables()}[again] == table.code


def test_held_seats_are_not_offered_to_others(store: Store) -> None:
    match = store.open_table(HEADER, TableOptions(held=["Ben", "Cleo"]))
    assert [place.held for place in store.seat_statuses(match)] == [None, None, "Ben", "Cleo"]
    with store.join(match, Party(["Ann"])) as ann:
        ann.move(1, 2)
        assert ann.own_seats(store.seat_statuses(match)) == (2,)
        ann.move(2, 1)
        assert names(store, match) == ["Ann", None, None, None]
        host = first_to_come(ann.read_state().places)
        assert host
        assert host.name == "Ann"
        with store.join(match, Party(["ben"])) as ben:
            assert ben.own_seats(store.seat_statuses(match)) == (3,)
            ben.move(3, 1)
            assert names(store, match) == ["Ann", None, "ben", None]
            with store.join(match, Party(["Dora"])):
                assert names(store, match) == ["Ann", "Dora", "ben", None]
                assert store.match(match).names == ("Ann", "Dora", "ben", "")
                assert refusal(lambda: store.join(match, Party(["Eve"]))) == "join_held"
                store.reserve_seat(match, 4, None)
                with store.join(match, Party(["Eve"])):
                    ann.move(1, 4)
                    assert names(store, match) == ["Ann", "Dora", "ben", "Eve"]


def test_who_plays_now_comes_to_no_table_with_a_name_like_theirs(store: Store) -> None:
    match = store.open_table(HEADER)
    with store.join(match, Party(["Ann"])), store.join(match, Party(["Ben"])):
        found = find_waiting_table(store.tables(), HEADER.game, "Cleo")
        assert found
        assert found.match.id == match
        assert find_waiting_table(store.tables(), HEADER.game, "ben") is None


# Sitting down


def test_header_names_people_as_they_sit_down(store: Store) -> None:
    match = opened(store)
    assert names(store, match) == [None, None]
    with store.join(match, Party(["Ann"])) as ann:
        assert ann.own_seats(store.seat_statuses(match)) == (1,)
        assert not ann.read_state().is_full
        with store.join(match, Party(["Ben"])) as ben:
            assert ben.own_seats(store.seat_statuses(match)) == (2,)
            table_state = ann.read_state()
            assert table_state.is_full
            assert [place.name for place in table_state.places] == ["Ann", "Ben"]
            assert store.match(match).names == ("Ann", "Ben")
            assert store.match(match).players is None
            assert store.match(match).holder is not None
            assert [table.match.id for table in store.tables()] == [match]


@pytest.mark.sqlite
def test_local_terminals_are_woken_by_changes(home: Path) -> None:
    with Store.open() as store:
        matches = [opened(store), opened(store)]
        program = (
            "import signal; from cardgames.store import Store; from cardgames.store.places import Party\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGURG})\n"
            f"with Store.open() as store, store.join({matches[0]}, Party(['Ann'])):\n"
            "    print('here', flush=True)\n"
            "    while signal.sigtimedwait({signal.SIGURG}, 10):\n"
            "        print('rung', flush=True)\n"
        )
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as ann:
            assert ann.stdout
            assert ann.stdout.readline() == "here\n"
            with store.join(matches[1], Party(["Cleo"])), store.join(matches[0], Party(["Ben"])):
                assert ann.stdout.readline() == "rung\n"
                assert not select.select([ann.stdout], [], [], 0.2)[0], "rung for another match"
            ann.kill()


def test_who_cannot_sit_down_is_told_why(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])):
        assert refusal(lambda: store.join(match, Party(["Ann"]))) == "seat_held"
        for alike in ("Аnn", "Ann\u3164"):
            assert refusal(lambda alike=alike: store.join(match, Party([alike]))) == "join_taken"  # type: ignore[misc]
        assert refusal(lambda: store.join(match, Party(["Ann"], "somebody"))) == "join_taken"
        assert refusal(lambda: store.join(match, Party(["Ben", "Cleo"]))) == "join_full"
        assert names(store, match) == ["Ann", None]  # nobody has sat down by half
        with store.join(match, Party(["Ben"])):
            assert refusal(lambda: store.join(match, Party(["Cleo"]))) == "join_full"
    alone = store.create(PLAY.header)
    assert refusal(lambda: store.join(alone, Party(["Ann"]))) == "join_closed"
    assert refusal(lambda: store.watch(alone)) == "join_closed"
    with pytest.raises(UnknownMatch):
        store.join(99, Party(["Ann"]))
    with pytest.raises(UnknownMatch):
        store.watch(99)


def test_leaving_before_the_start_frees_the_seat(store: Store) -> None:
    """A seat is free again before the match begins unless nobody else is there."""
    match = opened(store, 4)
    with store.join(match, Party(["Ann"])):
        with store.join(match, Party(["Ben"])):
            assert names(store, match)[:2] == ["Ann", "Ben"]
        assert names(store, match)[:2] == ["Ann", None]
    assert names(store, match)[:2] == ["Ann", None]
    assert there(store, match) == [False] * 4
    with store.join(match, Party(["Ann"])) as ann:
        assert ann.own_seats(store.seat_statuses(match)) == (1,)


def test_a_person_gets_their_own_seat_back_and_nobody_elses(store: Store) -> None:
    match = opened(store)
    ann, ben = store.join(match, Party(["Ann"], "key of Ann")), store.join(match, Party(["Ben"]))
    play(ann, 3)
    ann.release()
    assert refusal(lambda: store.join(match, Party(["Ann"]))) == "join_taken"
    assert refusal(lambda: store.join(match, Party(["Ann"], "key of Eve"))) == "join_taken"
    assert refusal(lambda: store.join(match, Party([], "key of Eve"))) == "join_full"
    (table,) = store.tables()
    assert (table.absent_names(None), table.absent_names("key of Ann"), table.has_free_seat) == ([], ["Ann"], False)
    again = store.join(match, Party([], "key of Ann"))
    assert again.own_seats(store.seat_statuses(match)) == (1,)
    later = store.join(match, Party(["Ann"], "key of Ann", take_over=True))
    assert later.own_seats(store.seat_statuses(match)) == (1,)
    assert again.own_seats(store.seat_statuses(match)) == ()
    assert refusal(lambda: again.append(JournalPosition(3), *PLAY.steps[3])) == "seat_taken"
    ben.release()
    later.release()


def test_computers_take_seats_and_the_header_says_so(store: Store) -> None:
    match = opened(store, 4)
    with store.join(match, Party(["Ann"])) as ann:
        ann.seat_computer(2, "easy", "Ada")
        ann.seat_computer(1, "easy", "Blaise")  # somebody sits there
        header = store.match(match).header
        assert header.names == ("Ann", "Ada", "", "")
        assert header.players == ("person", "easy", "person", "person")
        with store.join(match, Party(["Ben"])) as ben:
            assert ben.own_seats(store.seat_statuses(match)) == (3,)
        assert refusal(lambda: store.join(match, Party(["Ada"]))) == "join_taken"


# The journal


def play(seated: TableSession, plies: int, start: int = 0) -> None:
    """Append actions for both seats from one terminal."""
    with seated._database.transaction() as db:
        db.execute("UPDATE seat SET level = 'random' WHERE match = ?", (seated.match,))
    for ply, step in enumerate(PLAY.steps[start : start + plies], start):
        seated.append(JournalPosition(ply), *step)
    with seated._database.transaction() as db:
        db.execute("UPDATE seat SET level = NULL WHERE match = ?", (seated.match,))


def test_nobody_acts_for_another_terminal(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
        ann.append(JournalPosition(), *PLAY.steps[0])
        step = PLAY.steps[1]
        wrong, right = (ben, ann) if step.by == 1 else (ann, ben)
        with pytest.raises(MatchHeld):
            wrong.append(JournalPosition(1), *step)
        with pytest.raises(MatchHeld):
            wrong.undo(JournalPosition(1), 0, step.by, (0, 0))
        right.append(JournalPosition(1), *step)
        store.stand_in(match, step.by, "easy")
        wrong.undo(JournalPosition(2), 1, step.by, (0, 0))  # any terminal plays for a computer
        with store.watch(match) as eve, pytest.raises(MatchHeld):
            eve.append(JournalPosition(1, 1), PLAY.steps[1].by % 2 + 1, step.act, (0, 0))


def test_two_processes_append_at_once_and_each_action_is_there_once(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann:

        def race(tell: Callable[[object], None]) -> None:
            with Store.open() as own, own.join(match, Party(["Ben"])) as ben:
                tell("there")
                tell(append_all(ben))

        pid, told = child(race)
        told.readline()
        with store.database.transaction() as db:
            db.execute("UPDATE seat SET level = 'random' WHERE match = ?", (match,))
        mine = append_all(ann)
        his = int(told.readline())
        end(pid, told)
    assert mine + his == len(PLAY.steps)
    assert store.load(match)[1] == PLAY.moves
    assert store.match(match).outcome


def append_all(seated: TableSession) -> int:
    """Append actions until the match has ended, and return how many of them this session appended first."""
    first = 0
    while (ply := seated.read_state().journal_position.ply) < len(PLAY.steps):
        try:
            seated.append(JournalPosition(ply), *PLAY.steps[ply])
            first += 1
        except JournalConflict:
            pass
        except MatchHeld:  # the seats are not those of computers yet
            time.sleep(0.001)
    return first


# Presence and news


def test_who_is_killed_is_seen_to_be_away(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann:

        def sit() -> object:
            own = Store.open()
            return own, own.join(match, Party(["Ben"]))

        with beside(sit):
            play(ann, 2)
            assert there(store, match) == [True, True]
        place = ann.read_state().places[1]
        assert place.terminal is None
        assert place.status_since is not None
        assert place.name == "Ben"
        assert names(store, match) == ["Ann", "Ben"]  # the match has begun: the seat is kept
        with store.join(match, Party(["Ben"])):
            assert there(store, match) == [True, True]


def test_what_others_write_is_noticed_soon(store: Store) -> None:
    match = opened(store)
    with Store.open() as other, store.join(match, Party(["Ann"])), other.join(match, Party(["Ben"])) as ben:
        before = time.process_time()
        for _ in range(1000):
            store.has_changed()
        assert time.process_time() - before < 1.0  # at most a millisecond each
        ben.say(2, "hello", "")
        end = time.monotonic() + 5
        while not store.has_changed():
            assert time.monotonic() < end
            time.sleep(0.01)


def test_nothing_is_noticed_where_nobody_else_has_written(store: Store) -> None:
    match = opened(store)
    with Store.open() as other, store.join(match, Party(["Ann"])), other.join(match, Party(["Ben"])):
        store.has_changed()
        for _ in range(3):
            assert not store.has_changed()
        store.count()
        assert not store.has_changed()


# Requests and chat


def test_a_request_is_granted_when_all_who_are_asked_agree(store: Store) -> None:
    match = opened(store, 4)
    with store.join(match, Party(["Ann", "Ben"])) as one, store.join(match, Party(["Cleo"])) as two:
        one.seat_computer(4, "easy", "Ada")
        one.request(RequestKind.BREAK_OFF, 1, 0, JournalPosition(5))
        (request,) = two.read_state().open_requests
        assert (request.wanted, request.by, request.at) == (RequestKind.BREAK_OFF, 1, JournalPosition(5))
        assert two.read_state().seats_to_ask(request) == {2, 3}

        def granted() -> bool | None:
            state = one.read_state()
            return state.is_granted(state.open_requests[0])

        assert granted() is None
        two.answer(request, [3], True)
        assert granted() is None
        one.answer(request, [2], False)
        assert granted() is False
        one.answer(request, [2], True)
        assert granted() is True
        one.close_request(request)
        assert two.read_state().open_requests == []


def test_two_requests_for_a_rematch_at_once_are_one(store: Store) -> None:
    """Both terminals ask before they see the other's request; one for other cards is a new one."""
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
        for seat, session in enumerate((ann, ben), 1):
            session.request(RequestKind.AGAIN, seat, 0, JournalPosition())
            request = session.read_state().rematch_request
            assert request
            session.answer(request, [seat], agrees=True)
        state = ann.read_state()
        assert state.rematch_request
        assert (state.rematch_request.by, state.rematch_request.answers) == (1, {1: True, 2: True})
        assert state.is_granted(state.rematch_request)
        for about in (1, 0, 1, 0):
            ben.request(RequestKind.AGAIN, 2, about, JournalPosition())
        other = ann.read_state().rematch_request
        assert other
        assert (other.by, other.is_for_same_cards, other.answers) == (2, True, {}), "the fourth was one too many"


def test_requests_of_a_kind_are_made_once_a_move_and_pause_after_a_refusal(database: str) -> None:
    """Each seat has one open request, which goes with its player."""
    now = [datetime(2026, 3, 1, 20, tzinfo=UTC)]
    with Store.open(now=lambda: now[0]) as store:
        match = opened(store)
        with store.join(match, Party(["Ann"])) as ann:
            with store.join(match, Party(["Ben"])) as ben:
                play(ann, 2)

                def ask(ply: int) -> Message | None:
                    return ben.request(RequestKind.BREAK_OFF, 2, 0, JournalPosition(ply))

                ann.request(RequestKind.BREAK_OFF, 1, 0, JournalPosition(2))
                for ply, pause in ((2, 30), (3, 120), (4, 270)):
                    assert ask(ply) is None
                    assert ask(ply) == Message("request_once")
                    _, request = ann.read_state().open_requests
                    ann.answer(request, [1], agrees=False)
                    ben.close_request(request)
                    assert ask(ply + 1) == Message("request_pause", {"number": pause})
                    now[0] += timedelta(seconds=pause - 1)
                    assert ask(ply + 1) == Message("request_pause", {"number": 1})
                    now[0] += timedelta(seconds=1)
                assert ask(5) is None
                assert [each.by for each in ann.read_state().open_requests] == [1, 2]
            assert [each.by for each in ann.read_state().open_requests] == [1]


@pytest.mark.parametrize("rated", [False, True])
def test_a_seat_is_given_to_a_computer_after_long_absence_only(database: str, rated: bool) -> None:
    """Never in a rated match, and never after the player has come back."""
    ago = [timedelta()]
    with Store.open(now=lambda: datetime.now(UTC) - ago[0]) as store:
        match = store.open_table(played(1).header._replace(names=None), TableOptions(rated=rated))
        with store.join(match, Party(["Ann"])) as ann:

            def let_ben_leave(time_ago: timedelta) -> None:
                ago[0] = time_ago
                store.join(match, Party(["Ben"])).release()

            def ask(ply: int) -> Message | None:
                return ann.request(RequestKind.STAND_IN, 1, 2, JournalPosition(ply))

            let_ben_leave(timedelta())
            play(ann, 2)
            let_ben_leave(ABSENT_AFTER - timedelta(minutes=1))
            assert ask(2) == Message("request_void")
            let_ben_leave(ABSENT_AFTER)
            if rated:
                assert ask(2) == Message("request_void")
                return
            assert ask(2) is None
            (request,) = ann.read_state().open_requests
            with store.join(match, Party(["Ben"])):
                assert ann.read_state().open_requests == []
                ann.carry_out(request, "fair")
                assert ann.read_state().places[1].level is None
            assert ask(3) is None
            (request,) = ann.read_state().open_requests
            ann.carry_out(request, "fair")
            assert ann.read_state().places[1].level == "fair"
            with store.join(match, Party(["Ben"])):
                assert ann.read_state().places[1].level is None
                assert store.substitutes(match) == [(2, 2, "person")]


@pytest.mark.parametrize(("rated", "why", "winners"), [(True, "left", (1,)), (False, "given_up", ())])
def test_who_stays_away_from_a_rated_match_loses_it(database: str, rated: bool, why: str, winners: tuple[int]) -> None:
    """Otherwise people could leave whenever they were about to lose. The record has no outcome."""
    ago = [ABSENT_AFTER]
    with Store.open(now=lambda: datetime.now(UTC) - ago[0]) as store:
        match = store.open_table(played(1).header._replace(names=None), TableOptions(rated=rated))
        with store.join(match, Party(["Ann"])) as ann:
            with store.join(match, Party(["Ben"])):
                play(ann, 2)
            ann.request(RequestKind.BREAK_OFF, 1, 0, JournalPosition(2))
            (request,) = ann.read_state().open_requests
            ann.carry_out(request, "fair")
        outcome = store.match(match).outcome
        assert outcome
        assert (outcome.why.key, outcome.winners) == (why, winners)
        assert "winners" not in "".join(store.export(match))


def test_chat_has_a_limit_a_player(database: str) -> None:
    now = [datetime(2026, 3, 1, 20, tzinfo=UTC)]
    with Store.open(now=lambda: now[0]) as store:
        match = opened(store)
        with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
            too_soon = Message("word_too_soon")
            assert [ann.say(1, None, str(number)) for number in range(7)] == [None] * 5 + [too_soon] * 2
            assert not ben.say(2, "hello", "")
            with store.watch(match) as eve:
                said = [eve.say(0, None, "x", name) for name in ["Eve"] * 6 + ["Dan"]]
                assert said == [None] * 5 + [too_soon, None]
            now[0] += timedelta(seconds=31)
            assert not ann.say(1, None, "7")
            assert [chat.text for chat in ben.read_state().messages] == ["0", "1", "2", "3", "4", "", "7"]


def test_avoided_people_are_kept_until_they_are_forgiven(store: Store) -> None:
    for blocked in (False, True):
        store.avoid("ann", Avoided("ben", "Ben", blocked))
        assert store.avoided_by("ann") == [("ben", "Ben", blocked)]
    assert store.avoided_by("ben") == []
    store.stop_avoiding("ann", "ben")
    assert store.avoided_by("ann") == []


def test_chat_is_read_once_in_order_and_the_oldest_is_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_session, "CHAT_LIMIT", 1000)
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
        ann.say(1, "hello", "")
        ann.say(1, None, "あ [bold]")
        assert [(word.by, word.phrase, word.text) for word in ben.read_state().messages] == [
            (1, "hello", ""),
            (1, None, "あ [bold]"),
        ]
        assert ben.read_state().messages == []
        for number in range(KEPT_MESSAGES + 5):
            ann.say(1, None, str(number))
        with store.watch(match) as eve:
            assert [word.text for word in eve.read_state().messages] == [
                str(number) for number in range(5, KEPT_MESSAGES + 5)
            ]


def test_a_match_that_is_broken_off_is_won_by_nobody(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])) as ben:
        play(ann, 4)
        ben.end_early()
        ann.end_early()
        assert ann.read_state().is_over
        outcome = store.match(match).outcome
        assert outcome
        assert (outcome.why, outcome.winners) == (GIVEN_UP, ())
    assert refusal(lambda: store.join(match, Party(["Ann"]))) == "join_over"
    assert store.tables() == []


def test_one_rematch_is_made_whoever_is_first(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"], "key")) as ann, store.join(match, Party(["Ben"])):
        play(ann, len(PLAY.steps))
        header = store.match(match).header._replace(dealer=2)
        made: list[int] = []

        def make() -> None:
            with Store.open() as other, other.watch(match) as anybody:
                made.append(anybody.create_rematch(header))

        threads = [threading.Thread(target=make) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({*made}) == 1
        (again,) = {*made}
        assert store.match(again).follows == match
        assert ann.read_state().rematch == again
        seats = [status._replace(joined=None) for status in store.seat_statuses(again)]
        assert seats == [SeatStatus(1, "Ann", "key"), SeatStatus(2, "Ben")]


def test_what_is_deleted_is_gone_with_all_that_was_said(store: Store) -> None:
    match = opened(store)
    with store.join(match, Party(["Ann"])) as ann, store.join(match, Party(["Ben"])):
        play(ann, 2)
        ann.say(1, None, "secret")
        ann.request(RequestKind.AGAIN, 1, 0, JournalPosition(2))
        with pytest.raises(MatchHeld):
            store.hold(match)
    with store.hold(match) as lock:
        lock.delete()
    with store.database.transaction(write=False) as db:
        for table in ("seat", "request", "answer", "chat_message", "terminal"):
            assert db.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)
