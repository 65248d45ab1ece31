"""Several terminals at one table: each shows what its own seat knows, and what happens at the others."""

import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from cardgames.engine.game import game_class, new_game
from cardgames.engine.record import Header, new_header, read
from cardgames.match import Match, commitment, first_deviation, mixed_secret
from cardgames.match.table_state import RequestKind
from cardgames.store import JoinRefused, Store
from cardgames.store.places import Party, TableOptions
from cardgames.ui.session.shared_table import LONGEST_MESSAGE
from cardgames.ui.table.foot_keys import STAND_IN

from .secrets import Secrets, cards_on, names, secrets_of
from .terminal import DOWN, ENTER, ESCAPE, PATIENCE, POINTER, SPACE, Terminal
from .test_busy_store import writer

WAITING = "Waiting for the others"
AGAIN = "Play again?"
KEYS = re.compile("t (talk|発言)")


def opened(home: Path, game: str = "durak", *more: str) -> Terminal:
    """The terminal of Ann, who opens a table."""
    return Terminal(home, "play", game, "--name", "Ann", "--open", "--fast", *more)


def joined(home: Path, name: str, *more: str) -> Terminal:
    """The terminal of somebody who sits down at the table that waits."""
    return Terminal(home, "join", "--name", name, "--fast", *more)


def deal(*terminals: Terminal) -> None:
    """Wait until everybody is at the table."""
    for terminal in terminals:
        terminal.wait(lambda screen: KEYS.search(screen) is not None, "the table")


def talk(terminal: Terminal) -> None:
    """Press the key to talk, and see the requests and phrases."""
    terminal.press_until("t", "Say (Enter: more):")
    terminal.press_until(ENTER, "Say something, or ask")


def answer(terminal: Terminal, question: str, keys: str) -> None:
    """Open the question of a request whose line is in view, and answer it by ``keys``."""
    terminal.press_until("t", "Say (Enter: more):")
    terminal.press_until(ENTER, question, "Answer later")
    terminal.press(keys + ENTER)


class Guest:
    """Somebody at a terminal of their own who plays without a screen."""

    def __init__(self, store: Store, name: str, match: int = 1) -> None:
        self.store = store
        self.seated = store.join(match, Party([name]))
        places = store.seat_statuses(match)
        (self.seat,) = self.seated.own_seats(places)
        if all(place.name for place in places) and not store.match(match).plies:
            store.commit(match)
            self.seated.contribute()
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """The match as it stands now."""
        if self._match is None:
            header, _ = self.store.load(self.seated.match)
            if not self.seated.read_state().journal_position.ply:
                self.store.commit(self.seated.match)
                while self.seated.contribute():
                    time.sleep(0.01)
            self._match = Match(header.new_game(), self.seated, self.store.chance(self.seated.match))
        self._match.catch_up()
        self._match.settle()
        return self._match

    def wait(self, ready: Callable[[], bool], what: str, *terminals: Terminal) -> None:
        """Wait until something holds, while terminals write what they have to."""
        end = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < end, f"waited for {what}\n" + "\n".join(one.text for one in terminals)
            for terminal in terminals:
                terminal.read(0.02)

    def act(self, nth: int = 0) -> str:
        """Do one of the legal actions; its notation."""
        match = self.match
        action = match.observation(self.seat).legal[nth]
        assert match.act(self.seat, action)
        return action.text


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as found:
        yield found


def play_together(
    terminals: Sequence[Terminal], seed: int, look: Callable[[], None] = lambda: None, again: str = AGAIN
) -> int:
    """Play at several terminals with random keys until the match is over; the number of keys that answered."""
    rng = random.Random(seed)
    end = time.monotonic() + 10 * PATIENCE
    for answered in range(10_000):
        while not (ready := [one for one in terminals if POINTER in one.text and again not in one.text]):
            for terminal in terminals:
                terminal.read(0.01)
            if all(again in one.text for one in terminals):
                return answered
            assert time.monotonic() < end, "\n".join(one.text for one in terminals)
        for terminal in ready:
            terminal.settle()
        look()
        terminal = ready[0]
        if "Space ticks" in terminal.text:
            terminal.move("".join(SPACE + DOWN if rng.random() < 0.5 else DOWN for _ in range(5)))
        else:
            terminal.move(DOWN * rng.randrange(3))
        before = terminal.text
        terminal.press(ENTER)
        for _ in range(100):
            if terminal.text != before:
                break
            terminal.read(0.02)
        for one in terminals:
            one.settle()
    raise AssertionError("the match did not end")


def keeps(screen: str, seat: int, secrets: Secrets) -> bool:
    """Whether the screen of a seat shows none of the cards that only another one knows."""
    told = "\n".join(line for line in screen.splitlines() if line.startswith("   · "))
    seen = cards_on(screen.replace(told, "")) | (cards_on(told) - secrets.before)
    others = [cards for other, cards in enumerate(secrets.hidden) if other != seat]
    return not seen & set[str]().union(*others) - secrets.hands[seat]


def check_screens(home: Path, terminals: Sequence[Terminal]) -> None:
    """Check that nobody sees what only another one knows. A screen may lag behind the record by a few actions."""
    with Store.open(home) as store:
        lines = [(line + "\n").encode() for line in store.export(1)]
    drawn = cache(lambda back: secrets_of(lines[: len(lines) - back]))
    for seat, terminal in enumerate(terminals):
        backs = range(min(5, len(lines) - 1))
        assert any(keeps(terminal.text, seat, drawn(back)) for back in backs), terminal.text


@contextmanager
def together(home: Path, *table: str) -> Iterator[tuple[Terminal, Terminal]]:
    """The terminals of Ann, who has opened a table, and Ben, who has sat down at it."""
    with opened(home, *table) as ann:
        ann.wait_for(WAITING)
        with joined(home, "Ben") as ben:
            deal(ann, ben)
            yield ann, ben


@contextmanager
def beside_guest(home: Path, store: Store, *table: str) -> Iterator[tuple[Terminal, Guest]]:
    """The terminal of Ann, who has opened a table, and Ben, who plays at it without a screen."""
    with opened(home, *table) as ann:
        ann.wait_for(WAITING)
        ben = Guest(store, "Ben")
        deal(ann)
        yield ann, ben


def test_two_terminals_play_a_whole_match_and_another(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for judged, cost in ((8, 0.02), (9, 0.04)):
            kept = {"name": "Ann", "game": "truc", "unit": "win", "costs": [[2, cost]], "errors": []}
            store.write_memo(f"judged {judged} 1", kept)
    with opened(tmp_path, "truc", "--points", "3", "--rounds", "1") as ann:
        ann.wait_for(WAITING, "Ann is here", "join 1")
        with joined(tmp_path, "Ben") as ben:
            deal(ann, ben)
            for terminal in (ann, ben):
                terminal.wait(lambda screen: WAITING not in screen and "dealt" in screen, "the first hand")
            assert play_together([ann, ben], 1, lambda: check_screens(tmp_path, [ann, ben])) > 10
            with Store.open(tmp_path) as store:
                assert store.match(1).outcome
            ben.wait_for("Review the match", "The same cards")
            assert "Ann, error per move" not in ben.text
            ann.wait_for("Ann, error per move in the last 2 reviewed", "matches: 3.0% ▅█")
            ann.press_until("c", "Review · Truc", "Esc leave")
            ann.press_until("q", "Play again?")
            ben.press_until(ENTER, "Waiting for Ann")
            ann.wait_for("Ben would like to play again")
            ann.press(ENTER)
            deal(ann, ben)
            for terminal in (ann, ben):
                terminal.wait_for("match 2", "dealt")
            with Store.open(tmp_path) as store:
                assert store.match(2).follows == 1
                assert store.match(2).names == ("Ann", "Ben")
                assert store.count()[:2] == (2, 1)


def test_who_is_killed_comes_back_to_the_same_hand(tmp_path: Path) -> None:
    with opened(tmp_path) as ann:
        ann.wait_for(WAITING)
        with joined(tmp_path, "Ben") as ben:
            deal(ann, ben)
            hand = ben.wait_for("dealt", "waiting for Ann")
            pid = ben.child.pid
            os.kill(pid, signal.SIGKILL)
            ben.ended()
        ann.wait(lambda screen: "away" in screen, "that Ben is away")
        ann.press(ENTER)
        ann.wait(
            lambda screen: re.search(r"waiting for Ben, away since \d\d:\d\d \(t, Enter: ", screen) is not None, "Ben"
        )
        with Terminal(tmp_path, "resume", "--fast") as ben:
            again = ben.wait_for("Ben, beat the attack")
            assert cards_on("\n".join(hand.splitlines()[14:20])) <= cards_on(again)
            ann.wait(lambda screen: "away" not in screen, "that Ben is back")
            ben.press(ENTER)
            ann.wait_for("Ann, ")


def test_match_is_broken_off_without_a_player_who_stays_away(tmp_path: Path) -> None:
    """A notice says that the player may come back for some minutes."""
    minutes = [0]
    with (
        Store.open(tmp_path, lambda: datetime.now(UTC) - timedelta(minutes=minutes[0])) as store,
        opened(tmp_path) as ann,
    ):
        ann.wait_for(WAITING)
        ben = Guest(store, "Ben")
        deal(ann)
        for minutes[0], line in ((0, "possible from"), (10, "Enter again")):
            ben.seated.release()
            ann.wait(lambda screen: "away" in screen, "that Ben is away")
            talk(ann)
            ann.press_until("ABORT" + ENTER, line)
            if not minutes[0]:
                for _ in range(2):  # the search, then the list
                    ann.move(ESCAPE)
                ann.wait_for("t talk")
                ben = Guest(store, "Ben")
                ann.wait(lambda screen: "away" not in screen, "that Ben is back")
        ann.press_until(ENTER, "The match has been aborted")


def test_words_are_read_in_the_language_of_each(tmp_path: Path) -> None:
    with opened(tmp_path) as ann:
        ann.wait_for(WAITING)
        with joined(tmp_path, "Ben", "--language", "ja") as ben:
            deal(ann, ben)
            ann.wait_for("Ann, attack", "Shuffles fixed: hash ")
            ben.wait_for("Annさんを待っています", "シャッフル決定済み")
            ben.press_until("t", "発言（Enter")
            ben.press_until(ENTER, "何を伝えますか")
            ben.press("よろ")
            ben.press(ENTER)
            ann.wait_for("Ben: Good luck!")
            ben.wait_for("Ben「よろしくお願いします」")
            for written in ("hi [bold]\u202eBen", "hello"):
                ann.press("t" + written)  # letters are written, and choose no phrase
                ann.wait_for(f"Say (Enter: more): {written[:5]}")
                ann.press(ENTER)
                ben.wait_for(f"Ann「{written[:5]}")
            assert "\u202e" not in ben.output
            talk(ann)
            ann.press_until("q", "Ann, attack")
            talk(ann)
            ann.press("HELLO" + ENTER)
            assert "さようなら" not in ben.wait_for("Ann「こんにちは"), "who went back has not said goodbye"
            for _ in range(2):
                ann.press("tx" + ENTER)
                ann.settle()
            assert ben.wait_for("Ann「x").count("Ann「x") == 2
            ann.press_until("tx" + ENTER, "Not sent")


def test_anybody_can_mute_somebody(tmp_path: Path, store: Store) -> None:
    with beside_guest(tmp_path, store) as (ann, ben):
        for mute, line in ((True, "Mute Ben"), (False, "Unmute Ben")):
            talk(ann)
            ann.press_until("MUTE" + ENTER, "Whose messages?", line)
            ann.press_until(ENTER, "Ann, attack")
            assert [avoided.other for avoided in store.avoided_by("name Ann")] == ["name Ben"] * mute
            ben.seated.say(2, None, f"muted {mute}")
        ann.wait_for("Ben: muted False")
        assert "muted True" not in ann.output


def test_returning_players_can_read_the_missed_chat(tmp_path: Path, store: Store) -> None:
    table = store.open_table(Header("durak", 2, new_game("durak", 2).rules.values(), 2, ("", "")))
    ann = Guest(store, "Ann", table)
    with joined(tmp_path, "Ben") as ben:
        ann.wait(lambda: len(ann.seated.read_state().places) == 2 and ann.seated.read_state().is_full, "Ben", ben)
        ann.act()
        ann.seated.say(1, None, "before")
        ben.wait_for("Ann: before", "Ben, ")
        ben.press_until("q", "Save and leave?")
        assert ben.leave(ENTER) == 0
    for word in ("one", "two", "three"):
        ann.seated.say(1, None, word)
    assert ann.match.undo(1)
    ann.act(1)
    with Terminal(tmp_path, "resume", "--fast") as ben:
        told = ("Since you left at", "4 messages or undos", "Ann took back the last choice")
        screen = ben.wait_for(*told, "Ann attacked with")
        assert "before" not in screen
        talk(ben)
        page = ben.press_until("THE CHAT SO" + ENTER, "chat and undos")
        order = [page.index(said) for said in ("before", "one", "two", "three", "took back")]
        assert order == sorted(order)


def test_chat_hides_neither_the_newest_event_nor_how_a_match_ended(tmp_path: Path, store: Store) -> None:
    """Chat after the end is shown, where there is a single row instead of the outcome; requests are not possible."""
    with together(tmp_path, "truc", "--clock", "15s", "--time-up", "lost") as (ann, ben):
        ann.press("x")
        ben.wait_for("Ann asked for")
        for word in ("one", "two", "three", "four"):
            store.watch(1).say(1, None, word)
        ben.wait_for("Ann asked for", "Ann: four")
        ben.resize(60, 20)
        ben.wait_for("Ann wins!", "Ben ran out of time")
        talk(ann)
        assert "abort the" not in ann.text
        ann.press_until("GOOD G" + ENTER, "Ann: Good game!", "Ben ran out of time", "Play again?")
        ben.wait_for("Ann: Good game!", "Ann asked for", "Ben ran out of time")
        ben.resize(80, 24)
        ben.wait_for("Ben ran out of time", "Ann: Good game!")


@pytest.mark.parametrize(
    ("time_up", "told"),
    [("computer-moves", "a computer moved for me"), ("computer-takes-over", "a computer plays on for me")],
)
def test_a_computer_says_that_it_plays_for_somebody_out_of_time(tmp_path: Path, time_up: str, told: str) -> None:
    with together(tmp_path, "durak", "--each", "4s", "--time-up", time_up) as (ann, ben):
        ben.wait_for(f"Out of time: {told}")


def test_unsent_chat_is_reported(tmp_path: Path, store: Store) -> None:
    """A notice says that a chat message that cannot be stored has reached nobody."""
    with beside_guest(tmp_path, store) as (ann, ben):
        ann.wait_for("Ann, attack")
        with writer(tmp_path):
            talk(ann)
            ann.press_until("GOOD LUCK" + ENTER, "The others have not been told", f"{POINTER} Enter play")
        talk(ann)
        ann.press_until("GOOD LUCK" + ENTER, "Ann: Good luck!", "Ann, attack")
        assert [word.phrase for word in ben.seated.read_state().messages] == ["good_luck"]


def test_who_does_not_want_words_gets_none(tmp_path: Path, store: Store) -> None:
    with beside_guest(tmp_path, store, "durak", "--no-talk") as (ann, ben):
        ann.wait_for("Ann, attack")
        ben.seated.say(2, "hello", "")
        ben.seated.say(2, None, "look here")
        ben.seated.request(RequestKind.BREAK_OFF, 2, 0, ben.seated.read_state().journal_position)
        ann.wait_for("Ben would like to abort the match")
        assert "Hello" not in ann.text
        assert "look here" not in ann.text


def test_a_request_covers_no_choice_whose_clock_runs(tmp_path: Path, store: Store) -> None:
    """A line beside the choice tells of it. The player moves on without an answer, and can answer later."""
    with beside_guest(tmp_path, store, "durak", "--clock", "20m", "--time-up", "lost") as (ann, ben):
        ann.wait_for("Ann, attack")
        for _ in range(2):
            ben.seated.request(RequestKind.BREAK_OFF, 2, 0, ben.seated.read_state().journal_position)
        ann.wait_for("Ben would like to abort the match (t, Enter: answer)", "Ann, attack", POINTER)
        ann.press_until(ENTER, "waiting for Ben", "Ben would like to abort the match")
        answer(ann, "Ben would like to abort the match. Nobody wins it then.", DOWN * 2)  # later
        ann.wait_for("waiting for Ben", "Ben would like to abort the match")
        answer(ann, "Ben would like to abort the match. Nobody wins it then.", "")
        ann.wait(lambda screen: "would like to abort" not in screen, "the answer")
        (request,) = [each for each in ben.seated.read_state().requests if each.wanted is RequestKind.BREAK_OFF]
        assert request.answers == {1: False}


def test_a_request_can_be_withdrawn(tmp_path: Path) -> None:
    with together(tmp_path) as (ann, ben):
        ann.wait_for("Ann, attack")
        ann.press_until(ENTER, "waiting for Ben")
        ann.press("u")
        ben.wait_for("Ann asks to take back")
        ann.wait_for("is waiting for an answer from Ben (t, Enter: withdraw it)")
        talk(ann)
        ann.press("WITHDRAW" + ENTER)
        ben.wait(lambda screen: "asks" not in screen, "that the request is withdrawn")
        ann.wait_for("waiting for Ben")


def test_who_reads_on_while_somebody_comes_back_keeps_their_own_seat(tmp_path: Path, store: Store) -> None:
    """The stand-in has been thinking meanwhile, and may no longer act."""
    with Terminal(tmp_path, "play", "durak", "--name", "Ann", "--open") as ann:
        ann.wait_for(WAITING)
        ben = Guest(store, "Ben")
        deal(ann)
        ann.press_until(ENTER, "waiting for Ben")
        ben.seated.release()
        store.stand_in(ben.seated.match, 2, STAND_IN)
        ann.wait_for("Ben is thinking")
        ann.press_until("s", "scores")
        with Guest(store, "Ben").seated:
            ann.read(2)
            ann.press_until(ENTER, "waiting for Ben")


def test_the_pointer_stays_at_an_offer_when_somebody_comes(tmp_path: Path, store: Store) -> None:
    with opened(tmp_path, "durak", "--players", "3") as ann:
        ann.wait_for(WAITING)
        while "Take seat 3" not in ann.pointed:
            ann.move(DOWN)
        Guest(store, "Ben")
        ann.wait_for("Ben is here")
        assert "Take seat 3" in ann.pointed


def test_who_writes_a_word_is_asked_afterwards_what_was_wished_meanwhile(tmp_path: Path, store: Store) -> None:
    with beside_guest(tmp_path, store) as (ann, ben):
        ann.press_until("t", "Say (Enter: more):")
        ben.seated.request(RequestKind.BREAK_OFF, 2, 0, ben.seated.read_state().journal_position)
        ann.press_until("hello" + ENTER, "Ben would like to abort the match")


@pytest.mark.parametrize("plain", [False, True])
def test_news_reach_the_table_behind_other_pages(tmp_path: Path, store: Store, plain: bool) -> None:
    """News reaches the table while a text field, a page or a dialogue covers it."""
    with opened(tmp_path, "durak", *["--plain"] * plain) as ann:
        ann.wait_for("the others" if plain else WAITING)
        ben = Guest(store, "Ben")

        def meanwhile(*shown: str) -> None:
            """Let Ben move until it is Ann's turn again, and Ann go on from where she is."""
            ben.wait(lambda: ben.match.to_act == 2, "Ann to move", ann)
            while ben.match.to_act == 2:
                ben.act()
            ann.wait_for("Ann, it is your turn", *shown)

        ann.wait_for("Ann, attack")
        ann.read(0.5)
        ann.press_until(("1" if plain else "") + ENTER, "waiting for Ben")
        ann.press_until("t" + ENTER * plain, "Say (Enter: more):")
        if not plain:
            ann.press_until("x" * (LONGEST_MESSAGE + 1), f"{LONGEST_MESSAGE} characters at most")
            ann.move("\x01")
            ann.press_until("\x0bhel", "Say (Enter: more): hel")
        meanwhile("Say (Enter: more):")
        ann.press("lo" + ENTER)
        ben.wait(
            lambda: any(word.text == "lo" if plain else "hello" for word in ben.seated.read_state().messages),
            "hello",
            ann,
        )
        if plain:
            return
        ann.wait_for("Ann, ")
        for key, covers in (("s", "scores"), ("q", "Save and leave?")):
            while ben.match.to_act == 1:
                ann.press(ENTER)
                ann.read(0.3)
                ann.settle()
            ann.press_until(key, covers)
            meanwhile()
            ann.press_until(ESCAPE, "Ann, ", POINTER)


def told_events(output: str) -> list[str]:
    """The lines about what Ann, Ben and Cleo have done, in output of a terminal that prints line by line."""
    plain = re.sub(r"\x1b\].*?\x1b\\|\x1b\[[0-9;]*[A-Za-z]|\x07", "", output)
    return [line for line in (line.strip("> ") for line in plain.splitlines()) if re.match("(Ann|Ben|Cleo) ", line)]


def test_line_by_line_each_event_is_said_once(tmp_path: Path, store: Store) -> None:
    """And whoever is asked hears how much time is left, and what comes meanwhile without the rest."""
    with opened(tmp_path, "durak", "--players", "3", "--each", "90s", "--plain", "--no-forced") as ann:
        ann.wait_for("the others")
        others = [Guest(store, name) for name in ("Ben", "Cleo")]
        assert others[0].match
        asked, most = 0, 0
        while most < 4:
            ann.wait(lambda screen: "Ann, " in ann.output[asked:], "Ann's turn")  # noqa: B023
            assert re.search(r"Time left: Ann 1:[23]0\r\n", ann.output[asked:])
            asked, word = len(ann.output), f"hurry {asked}"
            if not others[0].seated.say(others[0].seat, None, word):  # not too often
                ann.wait(lambda screen: "Ann, " in ann.output[asked:].partition(word)[2], "the question")  # noqa: B023
                assert not told_events(ann.output[asked:])
            while others[0].match.to_act == 1:  # a line that comes too soon after the question does not count
                ann.read(0.5)
                told = len(ann.output)
                ann.press("1" + ENTER)
                ann.settle()
            asked, done = len(ann.output), 0
            while (seat := others[0].match.to_act) not in (1, None):
                next(guest for guest in others if guest.seat == seat).act()
                done += 1
                ann.settle()
            if seat is None:  # the cards let the match end before the others had four actions in a row
                break
            ann.wait(lambda screen: "Ann, " in ann.output[asked:], "Ann's turn")  # noqa: B023
            events = told_events(ann.output[told:])
            assert len(events) >= done, ann.output[told:]
            played = [event for event in events if re.search("[♠♥♦♣]", event)]  # somebody may well draw twice
            assert len(played) == len({*played}) > 0, ann.output[told:]
            most = max(most, done)
        assert most > 1


def test_empty_seats_are_given_to_computers(tmp_path: Path) -> None:
    with opened(tmp_path, "kakeya", "--players", "4") as ann:
        ann.wait_for(WAITING, "Player 4: nobody yet")
        with joined(tmp_path, "Ben") as ben:
            ann.wait_for("Ben is here")
            assert "to a computer" not in ben.wait_for(WAITING, "Player 3: nobody yet")
            for _ in range(2):
                ann.press("b")
                ann.settle()
            deal(ann, ben)
            for terminal in (ann, ben):
                terminal.wait(lambda screen: screen.count(" easy") == 2 and WAITING not in screen, "the table")
    with Store.open(tmp_path) as store:
        assert store.match(1).players == ("person", "person", "easy", "easy")


def test_the_first_deal_waits_until_all_are_present(tmp_path: Path, store: Store) -> None:
    table = store.open_table(Header("durak", 2, new_game("durak", 2).rules.values(), 2, ("", "")))
    with store.join(table, Party(["Ann"])), store.join(table, Party(["Ben"])):
        pass
    with Terminal(tmp_path, "join", "1", "--name", "Ben", "--fast") as ben:
        ben.wait_for(WAITING, "Ann is away", "Ben is here")
        assert not store.match(1).plies
        with joined(tmp_path, "Ann") as ann:
            deal(ann, ben)
            ann.wait_for("Ann", "dealt")


def test_the_host_sends_away_and_blocks(tmp_path: Path, store: Store) -> None:
    """Somebody who is blocked finds no seat at any table of the host's, also while the host is away."""
    with opened(tmp_path, "kakeya", "--players", "4") as ann:
        ann.wait_for(WAITING)
        for choice in ("SEND BEN", "BLOCK BEN"):
            with joined(tmp_path, "Ben") as ben:
                ann.wait_for("Ben is here")
                assert "Send somebody" not in ben.wait_for(WAITING, "Ben is here")
                ann.press_until("SEND" + ENTER, "Whom?", "Send Ben away", "Block Ben")
                ann.press_until(choice + ENTER, "Player 2: nobody yet")
                assert ben.ended() == 75
                assert "the host has sent you away" in " ".join(ben.text.split())
    again = store.open_table(store.match(1).header._replace(names=("",) * 4))
    store.join(again, Party(["Ann"])).release()
    for match in (1, again):
        with pytest.raises(JoinRefused, match="join_blocked"):
            store.join(match, Party(["Ben"]))
    with store.join(again, Party(["Cleo"])):
        pass


def test_who_opened_a_table_can_close_it(tmp_path: Path, store: Store) -> None:
    with opened(tmp_path, "kakeya", "--players", "4") as ann:
        ann.wait_for(WAITING)
        with joined(tmp_path, "Ben") as ben:
            assert "Close the table" not in ben.wait_for(WAITING, "Ben is here")
            ann.wait_for("Ben is here")
            ann.press_until("CLOSE" + ENTER, "Enter again")
            ann.press(ENTER)
            ben.wait_for("has been aborted")
            assert ann.ended() == 0
            assert not store.tables()


def test_who_is_asked_something_else_learns_that_the_table_was_closed(tmp_path: Path, store: Store) -> None:
    number = store.open_table(new_header("kakeya", ("",) * 4))
    with store.join(number, Party(["Ann"])) as ann, joined(tmp_path, "Ben") as ben:
        ben.wait_for(WAITING)
        ben.press_until("q", "Leave?")
        ann.end_early()
        ann.release()
        time.sleep(1)  # until the question has been asked for news
        ben.press_until(DOWN + ENTER, "has been aborted")


def test_who_sits_down_elsewhere_waits_there_alone(tmp_path: Path, store: Store) -> None:
    with opened(tmp_path) as ann:
        ann.wait_for(WAITING)
        with store.join(1, Party(["Ann"], take_over=True)):
            assert ann.ended() == 75
            assert "You no longer sit at match 1 here" in ann.text


def test_two_people_share_a_terminal_of_the_table(tmp_path: Path) -> None:
    with Terminal(
        tmp_path, "play", "kakeya", "--players", "4", "--name", "Ann", "--name", "Cleo", "--open", "--fast"
    ) as one:
        one.wait_for(WAITING)
        with joined(tmp_path, "Ben", "--name", "Dora") as two:
            for terminal in (one, two):
                terminal.wait(lambda screen: WAITING not in screen, "the table")
            deal(one, two)
            with Store.open(tmp_path) as store:
                assert store.match(1).names == ("Ann", "Cleo", "Ben", "Dora")
            for terminal in (one, two):
                view = terminal.wait(lambda screen: POINTER in screen or "waiting for" in screen, "who is to act")
                assert "o order" not in view  # of two only one may look


def test_somebody_looks_on(tmp_path: Path, store: Store) -> None:
    with opened(tmp_path) as ann:
        ann.wait_for(WAITING)
        with Terminal(tmp_path, "watch", "--name", "Eve") as eve:
            eve.wait_for(WAITING, "Ann is here")
            ben = Guest(store, "Ben")
            with ben.seated:
                deal(ann)
                hand = "\n".join(ann.wait_for("Ann, attack").splitlines()[14:20])
                eve.wait_for("waiting for Ann", "Ben ")
                (card,) = cards_on(ann.pointed)
                ann.press(ENTER)
                eve.wait_for("waiting for Ben")
                assert card in cards_on(eve.text)
                assert ben.act(-1) == "take"
                eve.wait_for("any key")  # and without one, as the match goes on
                eve.wait_for("waiting for Ann")
                shown = secrets_of((line + "\n").encode() for line in store.export(1))
                assert not cards_on(eve.text) & (shown.hidden[0] | shown.hidden[1])
                assert "o order" not in eve.text
                assert cards_on(hand)
                eve.press_until("t", "To spectators (Enter: more):")
                eve.press_until(ENTER, "Write to the other spectators?")
                eve.press_until("WELL" + ENTER, "Eve (watching): Well played!")
                assert "Well played" not in ann.text
                assert not ben.seated.read_state().messages
                eve.press_until("q", "Leave?", "Stay")
                assert eve.leave("q") == 0


@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_whoever_looks_on_at_open_hands_sees_them_late(tmp_path: Path, plain: tuple[str, ...]) -> None:
    """The bytes sent to spectators contain earlier hands, but no card that was in the stock at that time."""
    ago = [3600]
    header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
    with Store.open(tmp_path, lambda: datetime.now(UTC) - timedelta(seconds=ago[0])) as store:
        store.open_table(header, TableOptions(open_hands=1800))
        ann = Guest(store, "Ann")
        ben = Guest(store, "Ben")
        states = []
        for _ in range(2):
            for nth in range(6):
                (ann if ann.match.to_act == ann.seat else ben).act(-(nth % 2))
            states.append(ann.match.state)
            ago[0] = 0
        then, now = [set[int]().union(*ann.match.game.hands(state)) for state in states]
        drawn = names(now - then - {states[0].turn_up})
        assert drawn
        with Terminal(tmp_path, "watch", *plain) as eve:
            eve.wait_for("All hands, as they were 30 minutes ago.")
            if plain:  # there the whole table is said if that is wanted
                eve.press("w" + ENTER)
                eve.wait_for("Ben", "(")
                eve.settle()
            sent = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", eve.output)
            assert names(then) <= cards_on(sent)
            assert not drawn & cards_on(sent)
        for one in (ann, ben):
            one.seated.release()


def test_everybody_is_told_before_the_match_that_hands_are_shown(tmp_path: Path) -> None:
    told = "At this table spectators see all hands, 1 minute late."
    with opened(tmp_path, "durak", "--open-hands", "60s") as ann:
        ann.wait_for(WAITING, told)
        with joined(tmp_path, "Ben") as ben:
            ben.wait_for(told, "Do you want to play at this table?")
            assert "Ben" not in ann.text
            ben.press(ENTER)
            for one in (ann, ben):
                one.wait_for(told, "t talk")


def test_the_same_cards_are_dealt_once_more_if_all_agree(tmp_path: Path) -> None:
    """A player may ask for new cards instead and is answered. The records of both matches can be verified."""
    with together(tmp_path, "durak", "--pack", "24") as (ann, ben):
        assert play_together([ann, ben], 4) > 5
        ben.press("THE SAME CARDS" + ENTER)
        ann.wait_for("Ben would like to play the same cards again. And you?", "New cards: ")
        ann.press("NEW CARDS" + ENTER)
        ben.wait_for("Ann would like to play again. And you?", "The same cards: Ben deals")
        ben.press("THE SAME CARDS" + ENTER)
        ann.wait_for("Ben would like to play the same cards again. And you?")
        ann.press(ENTER)
        for one in (ann, ben):
            one.wait_for("match 2", "The cards of match 1 again. Its record shows every hand.", "Shuffles fixed: hash")
        ann.press_until("?", "The cards of match 1 again", "Ben has added to the secret")
        ann.press(ESCAPE)
        deal(ann)
        assert play_together([ann, ben], 5) > 5
    with Store.open(tmp_path) as store:
        records = [read(line.encode() for line in store.export(number)) for number in (1, 2)]
    shuffles = []
    for header, game, lines in records:
        plies = tuple(lines)
        assert header.secret
        assert header.contributions == records[0][0].contributions
        assert commitment(header.secret, header) == commitment(header.secret, records[0][0])
        assert first_deviation(game, plies, mixed_secret(header.secret, header.contributions)) is None
        shuffles.append(plies[1].action)
    assert shuffles[0] == shuffles[1]
