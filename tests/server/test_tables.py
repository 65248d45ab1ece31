"""Tables of guests: whole matches over SSH, the bytes that each guest receives, and coming back."""

import random
import re
import signal
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from cardgames.engine.cards import NAMES
from cardgames.engine.game import GAMES, game_class
from cardgames.engine.record import Header, read
from cardgames.store import Store
from cardgames.store.places import Party, TableOptions
from tests.server.guest_server import ASK, Guest, GuestServer, new_key, visiting
from tests.ui.secrets import Secrets, cards_on, secrets_of
from tests.ui.terminal import DOWN, ENTER, ESCAPE, POINTER, Terminal

STAY = re.compile("Stay$", re.MULTILINE)
"""The offer of the lobby to a guest who presses the key to leave there."""
SECONDS = 180


def _says(wanted: re.Pattern[str], screen: str) -> bool:
    return bool(wanted.search(screen))


def open_table(guest: Terminal, game: str, **numbers: int) -> None:
    """Open a table with the fewest seats and the options in ``numbers``, and wait for players."""
    guest.wait_for(ASK)
    guest.press_until("NEW TABLE" + ENTER, "Which game?")
    guest.press(game.upper() + ENTER)
    asked = guest.wait(lambda screen: "How many of you" in screen or "How do you want" in screen, "how to play")
    if "How many of you" in asked:
        guest.press(ENTER)
    guest.wait_for("How do you want to play?")
    for option, number in numbers.items():
        guest.press_until(option.upper() + ENTER, "Esc back", f"{option}")
        guest.press("\x7f" * 3 + str(number) + ENTER)
        changed = re.compile(rf"How do you want to play\?.* {option} .*: {number}\n", re.DOTALL)
        guest.wait(partial(_says, changed), f"{option}: {number}")
    guest.press_until(ENTER, "Others join with", "ssh -p")


def sit_down(guest: Terminal, line: str = "sit down") -> None:
    """Join the table whose line begins with ``line``, once the lobby shows it."""
    guest.wait(lambda screen: line in screen.lower(), line)
    guest.press(line.upper() + ENTER)


def come_back(guest: Terminal) -> None:
    """Continue at the guest's own table."""
    lines = ("go on with", "your turn:")
    screen = guest.wait(lambda screen: any(line in screen.lower() for line in lines), "their table").lower()
    guest.press(next(line for line in lines if line in screen).upper() + ENTER)


def begin(*guests: Terminal) -> None:
    """Let the first deal pass until all guests see their hands, or in Kakeya Trump the page before these."""
    end = time.monotonic() + SECONDS
    for guest in guests:
        while "dealt" not in guest.text and "rensho" not in guest.text:
            assert time.monotonic() < end, guest.text
            guest.read(0.5)
            guest.settle()


def seat_together(game: str, host: Guest, *others: Guest) -> None:
    """Let ``host`` open a table, the others sit down at it, and the match begin."""
    open_table(host, game)
    for guest in others:
        sit_down(guest)
    begin(host, *others)


def opened(home: Path | str) -> Store:
    """The store in a folder, or at a URL."""
    return Store.open(home, write=False) if isinstance(home, Path) else Store.open(where=home, write=False)


def secrets(home: Path | str, match: int = 1) -> Secrets:
    """The secrets of a match in its present state."""
    with opened(home) as store:
        return secrets_of([line.encode() for line in store.export(match)])


def every_hand(home: Path | str, match: int) -> list[set[str]]:
    """The cards that each seat has held in any deal of a match so far."""
    with opened(home) as store:
        _, game, plies = read([line.encode() for line in store.export(match)])
        hands = [game.hands(ply.state) for ply in plies]
    return [{NAMES[card] for hand in of_seat for card in hand} for of_seat in zip(*hands, strict=True)]


def check_bytes(home: Path | str, guests: tuple[Guest, ...], match: int = 1) -> None:
    """Check that neither the bytes sent to a guest nor any of their screens showed a card hidden from them.

    Guests sit in seat order."""
    hidden, held = secrets(home, match).hidden, every_hand(home, match)
    for seat, guest in enumerate(guests):
        for other, cards in enumerate(hidden):
            if other != seat:
                shown = (guest.seen | cards_on(guest.output)) & cards - held[seat]
                assert not shown, f"{shown} of seat {other + 1} were sent to seat {seat + 1}:\n{guest.text}"


def leave(guest: Guest) -> None:
    """Leave the table for the lobby, whatever the prompt, and forget what was sent and seen."""
    end = time.monotonic() + SECONDS
    while ASK not in guest.text:
        assert time.monotonic() < end, guest.text
        before = guest.text
        if not re.search("leave|continue", before, re.IGNORECASE):  # a key too many would leave the lobby
            guest.read(0.1)
            continue
        guest.press(ESCAPE if STAY.search(before) else "q")  # a pause may take one key, so one too many may follow
        patience = time.monotonic() + 10
        while guest.text == before and time.monotonic() < patience:
            guest.read(0.1)
        guest.settle()
    guest.output, guest.seen = "", set()


def play_on(home: Path | str, guests: tuple[Guest, ...], seed: int, questions: int = 10_000, match: int = 1) -> int:
    """Let guests press random keys until the end or ``questions`` answers; return the number of answers."""
    rng = random.Random(seed)
    asked, end = 0, time.monotonic() + SECONDS
    while asked < questions:
        assert time.monotonic() < end, "the match did not end:\n" + "\n".join(guest.text for guest in guests)
        for guest in guests:
            guest.settle()
            if "No, leave the table" in guest.text:
                return asked
            if "Any key continues" in guest.text:
                guest.press(ENTER)
                guest.read(0.1)
            elif POINTER in guest.text:
                asked += 1
                if asked % 5 == 0:
                    check_bytes(home, guests, match)
                guest.move(DOWN * rng.randrange(3))
                guest.press(ENTER)
                guest.read(0.1)
    return asked


def test_guests_see_their_own_hands_alone_at_tables_of_every_game(server: GuestServer, tmp_path: Path) -> None:
    """A match of one hand, to its end, and the beginning of the others."""
    names = ("ann", "ben", "cleo", "dora")
    ann, *others = (Guest(server, name, new_key(tmp_path, name)) for name in names)
    with ExitStack() as stack:
        for guest in (ann, *others):
            stack.enter_context(guest)
        for match, game in enumerate(("truc", *sorted({*GAMES} - {"truc"})), 1):
            open_table(ann, game, **({"points": 1, "rounds": 1} if game == "truc" else {}))
            seats = game_class(game).SEATS[0]
            for guest in others[: seats - 1]:
                sit_down(guest)
            company = (ann, *others[: seats - 1])
            begin(*company)
            assert play_on(server.home, company, match, 6 if match > 1 else 1000, match) > 1
            check_bytes(server.home, company, match)
            for guest in company:
                leave(guest)
        ann.press_until("MY MATCHES" + ENTER, "Truc: won by")
    with Store.open(server.home, write=False) as store:
        assert [bool(store.match(match).outcome) for match in range(1, 6)] == [True, False, False, False, False]
        read([line.encode() for line in store.export(1)])
    assert not cards_on(server.text)


def test_who_lost_the_line_comes_back_to_their_seat(server: GuestServer, tmp_path: Path) -> None:
    key = new_key(tmp_path, "b")
    ann, ben = Guest(server, "ann", new_key(tmp_path, "a")), Guest(server, "ben", key)
    with ann, ben:
        seat_together("truc", ann, ben)
        hand = secrets(server.home).hands[1]
        ben.child.kill(signal.SIGKILL)
        ann.wait_for("away")
        server.wait_for("ben has left")
        with Guest(server, "ben", key) as back:
            come_back(back)
            begin(back)
            assert hand <= cards_on(back.text)
            ann.wait(lambda screen: "away" not in screen, "that ben is back")


def test_who_still_sits_elsewhere_takes_the_seat_along(server: GuestServer, tmp_path: Path) -> None:
    key = new_key(tmp_path, "a")
    ann, ben = Guest(server, "ann", key), Guest(server, "ben", new_key(tmp_path, "b"))
    with ann, ben:
        seat_together("durak", ann, ben)
        with Guest(server, "ann", key) as again:
            come_back(again)
            begin(again)
            ann.wait_for(ASK)


def test_a_server_that_is_killed_takes_no_table_with_it(home: Path, tmp_path: Path) -> None:
    keys = new_key(tmp_path, "a"), new_key(tmp_path, "b")
    with GuestServer(home) as server:
        ann, ben = (Guest(server, user, key) for user, key in zip(("ann", "ben"), keys, strict=True))
        with ann, ben:
            seat_together("durak", ann, ben)
            play_on(home, (ann, ben), seed=2, questions=8)
            server.process.kill()
            server.process.wait()
            assert {guest.ended() for guest in (ann, ben)} == {255}
    with Store.open(home, write=False) as store:
        plies = store.match(1).plies
        assert plies >= 4
        read([line.encode() for line in store.export(1)])
    with GuestServer(home) as server:
        ann, ben = (Guest(server, user, key) for user, key in zip(("ann", "ben"), keys, strict=True))
        with ann, ben:
            for guest in (ann, ben):
                come_back(guest)
                guest.wait_for("t talk")  # that cards were dealt may be above the rows in view
            play_on(home, (ann, ben), seed=3, questions=4)
    with Store.open(home, write=False) as store:
        assert store.match(1).plies > plies


def test_nobody_sits_at_more_than_five_tables(server: GuestServer, tmp_path: Path) -> None:
    with Guest(server, "ann", new_key(tmp_path, "a")) as ann:
        for _ in range(5):
            open_table(ann, "durak")
            ann.press("LEAVE" + ENTER)
        ann.wait_for(ASK)
        ann.press_until("NEW TABLE" + ENTER, "You already sit at 5 tables")


def test_waiting_tables_are_listed_first(server: GuestServer) -> None:
    header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
    with Store.open(server.home) as store, store.join(store.open_table(header), Party(["Ann"])):
        store.join(store.open_table(header), Party(["Ben"])).release()
        with Guest(server, "cleo") as guest:
            screen = guest.wait_for(ASK, "Durak 1 · Ann", "Durak 2 · Ben")
            assert screen.index("Durak 1 · Ann") < screen.index("Durak 2 · Ben")


def test_same_names_at_a_table_are_told_apart(server: GuestServer, tmp_path: Path) -> None:
    """Their own is theirs for good by their key, so they cannot come under another."""
    key = new_key(tmp_path, "ann")
    header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
    with Store.open(server.home) as store, store.join(store.open_table(header), Party(["Ann"])):
        with Guest(server, "ann", key) as guest:
            sit_down(guest)
            guest.wait_for("is called ann")
            guest.press_until("ANN" + ENTER, "Somebody else here is called ANN.")
            guest.press_until("\x15Bert" + ENTER, "waiting for Ann to add to the shuffles")
        with Guest(server, "ann", key) as guest:
            guest.wait_for("Go on with Durak 1: Ann, Bert")


def test_private_tables_are_reached_by_code_only(server: GuestServer, tmp_path: Path) -> None:
    header = Header("durak", 3, game_class("durak").RULES().values(), 3, None)
    private = TableOptions(private=True)
    with Store.open(server.home) as store, store.join(store.open_table(header, private), Party(["Ann"])):
        (table,) = store.tables()
        with visiting(server, "ben", new_key(tmp_path, "b")) as ben:
            assert "Ann" not in ben.text
            for code, answer in (("acorn acorn acorn", "No table has this code."), (table.code, "Ann is here")):
                ben.press_until("JOIN A" + ENTER, "The code of the table:")
                ben.press_until(code + ENTER, answer)


def test_a_table_held_for_somebody_else_is_not_offered(server: GuestServer, tmp_path: Path) -> None:
    header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
    with Store.open(server.home) as store, store.join(store.open_table(header), Party(["Ann"])) as ann:
        store.reserve_seat(ann.match, 2, "cleo")
        for name, offered in (("ben", False), ("cleo", True)):
            with Guest(server, name, new_key(tmp_path, name)) as guest:
                assert ("Sit down" in guest.wait_for(ASK)) is offered


def test_a_guest_changes_their_own_settings_and_not_the_servers(server: GuestServer, tmp_path: Path) -> None:
    with visiting(server, "ann", new_key(tmp_path, "a")) as ann:
        ann.press_until("SETTINGS" + ENTER, "These settings are yours alone")
        ann.press_until("LANGUAGE" + ENTER, "What should “language” be?")
        ann.press_until("JA" + ENTER, "どの設定を変えますか")
        ann.press_until("q", "何をしますか")
    assert not (server.home / "config.toml").exists()
