"""Several machines that share their tables through PostgreSQL."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cardgames.engine.record import read
from cardgames.store import Store
from tests.postgres import Server
from tests.server.guest_server import Guest, GuestServer, new_key, visit
from tests.server.test_control import order
from tests.server.test_tables import begin, play_on, seat_together, secrets, sit_down
from tests.ui.secrets import cards_on


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.new_store()


@pytest.fixture
def servers(tmp_path: Path, url: str) -> Iterator[tuple[GuestServer, GuestServer]]:
    """Servers on two machines. Without root, the second machine has the first one's name."""
    with ExitStack() as stack:
        found = []
        for name in ("here", "elsewhere"):
            machine = name if not os.geteuid() else ""
            found.append(stack.enter_context(GuestServer(tmp_path / name, machine=machine, CARDGAMES_STORE=url)))
        yield found[0], found[1]


def test_guests_of_two_machines_play(tmp_path: Path, servers: tuple[GuestServer, GuestServer], url: str) -> None:
    """Each sees what the other does, and nothing that only the other knows."""
    keys = [new_key(tmp_path, name) for name in ("ann", "ben")]
    ann, ben = Guest(servers[0], "ann", keys[0]), Guest(servers[1], "ben", keys[1])
    with ann, ben:
        seat_together("durak", ann, ben)
        assert play_on(url, (ann, ben), 1, 12) > 5
    with Store.open(where=url) as store:
        assert store.match(1).names == ("ann", "ben")
        assert {by for by, _ in store.load(1)[1]} == {0, 1, 2}
        read(line.encode() for line in store.export(1))
    for name in ("here", "elsewhere"):
        assert not list((tmp_path / name).glob("matches.*")), "there is no file beside it"


def test_guests_know_both_machines_by_one_key(servers: tuple[GuestServer, GuestServer]) -> None:
    here, elsewhere = (server.wait_for(r"SHA256:\S+")[0] for server in servers)
    assert here == elsewhere


def test_the_owner_hears_once_that_the_database_is_away_and_back(postgres: Server, tmp_path: Path, key: Path) -> None:
    """A guest who comes meanwhile does not make it an error of the program."""
    url, home = postgres.new_store(), tmp_path / "home"
    home.mkdir()
    with GuestServer(home, CARDGAMES_STORE=url) as server:
        assert order(server, "--health").returncode == 0
        with postgres.away():
            away = order(server, "--health")
            assert (away.returncode, away.stdout) == (73, "")
            assert away.stderr.startswith("The matches cannot be reached: ")
            with Guest(server, "ann", key) as ann:
                assert ann.ended() == os.EX_CANTCREAT
                assert "The matches cannot be reached at the moment" in " ".join(ann.text.split())
            assert not json.loads(order(server, "--json").stdout)["store"]["answers"]
        server.wait_for("INFO The matches can be reached again.")
        assert order(server, "--health").returncode == 0
        visit(server, "ann", key)
        assert server.text.count("ERROR The matches cannot be reached: ") == 1
        assert server.text.count("can be reached again") == 1
        assert "wrong with the program" not in server.text


def test_a_machine_that_dies_keeps_no_table(tmp_path: Path, servers: tuple[GuestServer, GuestServer], url: str) -> None:
    """Who was connected to it goes on at the other one, in the same seat, with the same hand."""
    keys = [new_key(tmp_path, name) for name in ("ann", "ben")]
    ann, ben = Guest(servers[0], "ann", keys[0]), Guest(servers[1], "ben", keys[1])
    with ann:
        with ben:
            seat_together("durak", ann, ben)
            hand = secrets(url).hands[1]
            servers[1].end(signal.SIGKILL)
        ben = Guest(servers[0], "ben", keys[1])
        with ben:
            sit_down(ben, "go on with")
            begin(ben)
            assert hand <= cards_on(ben.text)
            assert play_on(url, (ann, ben), 2, 4) == 4
    with Store.open(where=url) as store:
        assert len(store.load(1)[1]) > 2
