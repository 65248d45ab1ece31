"""A duplicate tournament at the terminals of two tables, and in the lobby."""

import json
from pathlib import Path

from cardgames.store import Store

from .terminal import ENTER, Terminal, play_to_the_end
from .test_lobby import PROGRAM as GUEST
from .test_sitting_together import WAITING, deal, joined, play_together

TABLE = ("play", "truc", "--duplicate", "Tuesday", "--fast")


def test_two_tables_play_the_same_deals_and_are_compared(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TABLE, "--boards", "2", "--name", "Cleo", "--computer", "easy", columns=120) as cleo:
        play_to_the_end(cleo, seed=1, again="Play the next one?")
        cleo.wait_for("1. Cleo: nothing to compare yet (results ", "Truc · Tuesday · deal 1 of 2")
    with Terminal(tmp_path, *TABLE, "--name", "Ann", columns=120) as ann:
        ann.wait_for(WAITING)
        with joined(tmp_path, "Ben") as ben:
            deal(ann, ben)
            assert "h hint" not in ann.text
            assert "u undo" not in ben.text
            play_together([ann, ben], 2, again="Play the next one?")
            for terminal in (ann, ben):
                terminal.wait_for("% (results ", "Cleo: ")
            ann.press_until(ENTER, "Waiting for Ben")
            ben.wait_for("Ann would like to play")
            ben.press(ENTER)
            deal(ann, ben)
            ann.wait_for("Truc · Tuesday · deal 2 of 2")
            play_together([ann, ben], 3, again="That was the last deal.")
            assert "deal 3" not in ben.text
    with Store.open(tmp_path) as store:
        decks = {match: store.load(match)[1][0] for match in (1, 2, 3)}
        assert decks[1] == decks[2] != decks[3]
    with Terminal(tmp_path, *TABLE, "--name", "Cleo", "--computer", "easy", columns=120) as refused:
        assert refused.ended() == 2
        assert "Cleo plays this tournament at another table (match 1)" in refused.text
    with Terminal(tmp_path, "stats", "--duplicate", "Tuesday") as told:
        assert told.ended() == 0
        assert "Cleo: " in told.text
        assert "(2 deals)" in told.text
        assert "results" not in told.text, "who has not played yet would learn of the cards"
    with Terminal(tmp_path, "stats", "--duplicate", "Tuesday", "--json", columns=400) as told:
        assert told.ended() == 0
        deals = {tuple(entrant["names"]): entrant["deals"] for entrant in json.loads(told.text)}
        assert deals == {("Ann",): 2, ("Ben",): 2, ("Cleo",): 1}


def test_a_guest_begins_a_tournament_and_another_plays_it_too(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--fast", command=[*GUEST, "Ann"], columns=120) as ann:
        ann.wait_for("Hello!")
        for typed, asked in (
            ("DUPLICATE", "Which tournament?"),
            ("A NEW", "Which game?"),
            ("TRUC", "How do you want to play"),
            ("", "How many deals?"),
            ("4", "The name of the tournament"),
        ):
            ann.press_until(typed + ENTER, asked)
        assert "rated" not in ann.text
        ann.press_until("Friday" + ENTER, "Waiting for the others", "Truc · Friday · deal 1 of 4")
        with Terminal(tmp_path, "--fast", command=[*GUEST, "Ben"]) as ben:
            ben.wait_for("Hello!", "duplicate Friday, deal 1 of 4")
            ben.press_until("DUPLICATE TOURNAMENTS" + ENTER, "Friday · Truc · 4 deals · 1 table")
            assert "2. " not in ben.press_until(ENTER, "1. Ann: nothing to compare yet (0 deals)")
            ben.press_until(ENTER, "Waiting for the others")
    with Store.open(tmp_path) as store:
        assert [(board.number, board.table) for board in store.boards().values()] == [(1, 1), (1, 2)]
        assert store.seed(1) == store.seed(2)
