"""``join`` and ``watch``: questions and refusals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.engine.game import game_class
from cardgames.engine.record import Header
from cardgames.store import Store
from cardgames.store.places import Party, TableOptions
from cardgames.texts import messages, template
from tests.cli.test_menu import choose
from tests.ui.terminal import CTRL_C, ENTER, ESCAPE, Terminal

WAITING = "Waiting for the others"


def open_table(store: Store, game: str = "durak", seats: int = 2) -> int:
    return store.open_table(Header(game, seats, game_class(game).RULES().values(), seats, None))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as found:
        yield found


def refused(home: Path, *arguments: str) -> tuple[int, str]:
    """The exit code and the message of a command that opens no screen."""
    with Terminal(home, *arguments, columns=160) as terminal:
        code = terminal.ended()
        assert "\x1b[?1049h" not in terminal.output
        return code, terminal.text.strip()


def test_who_cannot_sit_down_is_told_why(tmp_path: Path, store: Store) -> None:
    texts = messages("en", "common")
    alone = store.create(Header("durak", 2, game_class("durak").RULES().values(), 2, ("Ann", "Ben")))
    table = open_table(store)
    full = open_table(store)
    with store.join(table, Party(["Ann"])), store.join(full, Party(["Ann"])), store.join(full, Party(["Ben"])):
        for arguments, code, key, args in (
            (("join", "99", "--name", "Ben"), 2, "match_unknown", {"match": 99}),
            (("watch", "99"), 2, "match_unknown", {"match": 99}),
            (("join", str(alone), "--name", "Ben"), 2, "join_closed", {"match": alone}),
            (("watch", str(alone)), 2, "join_closed", {"match": alone}),
            (("join", str(full), "--name", "Cleo"), 2, "join_full", {"match": full}),
            (("join", str(table), "--name", "Ann"), 75, "seat_held", {"match": table, "name": "Ann"}),
            (("join", str(table), "--name", "ANN"), 2, "join_taken", {"match": table, "name": "ANN"}),
        ):
            expected = texts["reason." + key].format(**args, program="cardgames")
            found = refused(tmp_path, *arguments)
            assert found[0] == code, found
            assert found[1].lower().startswith(expected[:60].lower()), found
    with store.join(full, Party(["Ann"])) as ann:
        ann.end_early()
    assert refused(tmp_path, "join", str(full), "--name", "Ann")[0] == 2


def test_who_sits_down_without_a_name_is_asked_for_one(tmp_path: Path, store: Store) -> None:
    table = open_table(store, "kakeya", 4)
    with store.join(table, Party(["Ann"])), Terminal(tmp_path, "join") as ben:
        ben.wait_for("Your name:", "Kakeya Trump 1 · Ann")
        ben.press_until("Ann" + ENTER, "somebody already has that name")
        ben.press_until("\x15Ben" + ENTER, WAITING, "Ben is here")
        ben.press_until("q", "Leave?")
        assert ben.leave("q") == 0
        assert [place.name for place in store.seat_statuses(table)] == ["Ann", None, None, None]


def test_who_opens_a_table_without_a_name_is_asked_for_one(tmp_path: Path, store: Store) -> None:
    taken = template("en", None, "computer_names").split()[0]
    for keys in (ESCAPE, f"{taken.lower()}{ENTER}\x15Ann{ENTER}"):
        with Terminal(tmp_path, "play", "fipsen", "--open", "--computer", "easy", "--fast") as ann:
            ann.wait_for("Your name:", "Bid for tricks")
            ann.press(keys)
            if keys != ESCAPE:
                ann.wait_for(WAITING, "Ann is here")
                ann.press_until("q", "Leave?")
                ann.press("q")
            assert ann.ended() == 0
    (table,) = store.tables()
    assert [place.name for place in table.places] == ["Ann", None, taken]


def test_a_private_table_is_found_by_its_code_alone(tmp_path: Path, store: Store) -> None:
    arguments = ("play", "durak", "--players", "4", "--private", "--hold", "Ben", "--name", "Ann", "--fast")
    with Terminal(tmp_path, *arguments) as ann:
        screen = ann.wait_for("Private table. Its code: ", "Player 4: kept for Ben", "Take seat 2")
        code = screen.partition("Its code: ")[2].split()[0]
        assert f"join {code}" in screen
        assert refused(tmp_path, "join")[1].startswith("No table is waiting for players.")
        assert "private" in refused(tmp_path, "join", "1", "--name", "Ben")[1]
        assert "neither the number nor the code" in refused(tmp_path, "join", "no-such-code", "--name", "Ben")[1]
        assert refused(tmp_path, "watch")[1].startswith("Nobody is playing")
        ann.press_until("TAKE SEAT 3" + ENTER, "Player 1: nobody yet", "Take seat 1")
        ann.press_until("KEEP A" + ENTER, "For whom:")
        ann.press_until("Cleo" + ENTER, "Player 2: kept for Cleo")
        with Terminal(tmp_path, "join", code, "--name", "Ben", "--fast") as ben:
            ben.wait_for("Ann is here", "Ben is here")
        assert [place.name for place in store.seat_statuses(1)] == [None, None, "Ann", None]


def test_a_table_is_said_to_be_rated_before_anybody_sits_down(tmp_path: Path, store: Store) -> None:
    header = Header("durak", 2, game_class("durak").RULES().values(), 2, None)
    table = store.open_table(header, TableOptions(rated=True))
    with store.join(table, Party(["Ann"])) as ann:
        with Terminal(tmp_path, "join", "--fast", columns=60, rows=20) as ben:
            ben.wait_for("Your name:", "Durak, rated 1 · Ann 1500±490 (provisional)")
            ben.press_until("Ben" + ENTER, "This match is rated", "Do you want to play a rated match?")
            assert store.seat_statuses(table)[1].name is None
            ben.press(ENTER)
            store.commit(table)
            ben.wait(lambda screen: store.seat_statuses(table)[1].name == "Ben", "a seat")
            ann.contribute()
            screen = ben.wait_for("t talk")
            assert "hint" not in screen
            assert "undo" not in screen
        assert refused(tmp_path, "play", "durak", "--rated", "--program", "x")[0] == 2
    assert store.match(table).rated


def test_of_several_tables_one_is_chosen_in_the_menu(tmp_path: Path, store: Store) -> None:
    first, second = open_table(store), open_table(store, "truc")
    with store.join(first, Party(["Ann"])), store.join(second, Party(["Cleo"])), Terminal(tmp_path, "--fast") as ben:
        ben.wait_for("What would you like to do?")
        choose(ben, "Tables waiting", "Which table?", "Durak 1 · Ann · 1 seat free", "Truc 2 · Cleo · 1 seat free")
        ben.press_until("DURAK" + ENTER, "Your name:")
        ben.press_until("Ben" + ENTER, "Durak", "waiting for Ann to add to the shuffles")
        assert ben.leave(CTRL_C) == 130
        assert "cardgames resume" in ben.text


def test_returning_players_say_who_they_are(tmp_path: Path, store: Store) -> None:
    """Who comes back is asked who they are if several are away."""
    table = open_table(store)
    with store.join(table, Party(["Ann"])), store.join(table, Party(["Ben"])):
        pass
    with Terminal(tmp_path, "resume", "--fast") as back:
        back.wait_for("Who are you?", "Ann", "Ben")
        assert back.leave("q") == 0
    with Terminal(tmp_path, "resume", "--fast") as back:
        back.wait_for("Who are you?")
        back.press_until("BEN" + ENTER, "Ann is away", "Ben is here")  # the first deal waits until both are present


def test_two_who_left_a_terminal_together_come_back_together(tmp_path: Path, store: Store) -> None:
    table = open_table(store)
    with store.join(table, Party(["Ann", "Ben"])):
        pass
    with Terminal(tmp_path, "resume", "--fast") as back:
        back.wait_for("Who are you?", "Ann, Ben, at this terminal together")
        back.press_until(ENTER, "Shuffles fixed")
        assert all(place.terminal for place in store.seat_statuses(table))


def test_occupied_tables_are_listed_as_being_played(tmp_path: Path, store: Store) -> None:
    table = open_table(store)
    with store.join(table, Party(["Ann"])):
        holder = store.match(table).holder
        assert holder
        assert "being played" in refused(tmp_path, "matches")[1]
    assert store.match(table).holder is None
    assert "being played" not in refused(tmp_path, "matches")[1]
