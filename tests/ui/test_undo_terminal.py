"""A choice taken back: asked for, agreed to or not, told to all, kept in the journal and out of the record."""

from pathlib import Path

from cardgames.store import Store

from .terminal import DOWN, ENTER, ESCAPE, Terminal

LOOK = "when nobody else is looking"
ASKED = "May {} take back the last choice?"
TOLD = "{} took back the last choice"
TRUC = ("play", "truc", "--name", "Ann", "--name", "Ben", "--seed", "3", "--fast")
FIPSEN = ("play", "fipsen", "--name", "Ann", "--name", "Ben", "--name", "Cem", "--seed", "1", "--fast")


def acts(home: Path) -> list[str]:
    """The actions in the record of match 1 after the first deal."""
    with Store.open(home) as store:
        return [act for _, act in store.load(1)[1]][1:]


def undone(home: Path) -> list[tuple[int, int, list[tuple[int, str]]]]:
    """The actions taken back in match 1: to which ply, by whom, and which."""
    with Store.open(home) as store:
        return [(one.to_ply, one.by, list(one.actions)) for one in store.undos(1)]


def test_a_choice_is_taken_back_if_the_others_agree(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TRUC) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait(DOWN + ENTER)  # play with these cards
        assert acts(tmp_path) == ["play"]
        asked = terminal.press_and_wait("u")
        assert ASKED.format("Ann") in asked
        assert "o order" not in asked
        assert terminal.pointed == "No, it stays"
        handed = terminal.press_and_wait(ENTER)
        assert LOOK in handed  # somebody else has been looking
        assert "o order" not in handed
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait("u")
        handed = terminal.press_and_wait(DOWN + ENTER)
        assert TOLD.format("Ann") in handed
        assert LOOK in handed  # somebody else has been looking
        assert (acts(tmp_path), undone(tmp_path)) == ([], [(1, 1, [(1, "play")])])
        assert "Ann, do you want other cards?" in terminal.press_and_wait(ENTER)
        told = terminal.press_and_wait(ENTER)  # an exchange
        assert TOLD.format("Ann") in told
        assert "Ben, it is your turn" in told
    assert acts(tmp_path) == ["exchange"]
    with Store.open(tmp_path) as store:
        assert not any('"play"' in line for line in store.export(1))


def test_a_choice_stands_if_the_others_do_not_agree(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TRUC) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        handed = terminal.press_and_wait(ENTER)  # an exchange
        assert "Ben, it is your turn" in handed
        assert ASKED.format("Ann") in terminal.press_and_wait("u")
        assert terminal.press_and_wait(ENTER) == handed
        assert ASKED.format("Ann") in terminal.press_and_wait("u")
        assert LOOK in terminal.press_and_wait(DOWN + ENTER)  # as a hand-over, Ann may be asked for too
    assert (acts(tmp_path), undone(tmp_path)) == ([], [(1, 1, [(1, "exchange")])])


def test_choices_before_a_seen_card_stay(tmp_path: Path) -> None:
    """A choice cannot be taken back if a card has been seen since."""
    with Terminal(tmp_path, *TRUC) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait(DOWN + ENTER)
        while "Ann, it is your turn" not in terminal.text:
            terminal.press_and_wait(ENTER)
        terminal.press_and_wait(ENTER)  # it is Ann who has to choose, and Ben who has played since
        before = acts(tmp_path)
        table = terminal.text
        terminal.press("u")
        terminal.wait_for("Too late: a card has been seen since")
        terminal.press_and_wait(ESCAPE)
        assert terminal.text == table
    assert len(before) == 3
    assert (acts(tmp_path), undone(tmp_path)) == (before, [])


def test_undo_includes_later_choices_of_others(tmp_path: Path) -> None:
    """Later choices of others are taken back too, and all players are told."""
    with Terminal(tmp_path, *FIPSEN) as terminal:
        terminal.wait_for("Ann, it is your turn")
        for seat, bid in enumerate("vpw", 1):
            assert LOOK not in terminal.press_and_wait(ENTER)
            terminal.press_and_wait(bid)
            if bid != "p":  # how many tricks, and then without extras
                terminal.press_and_wait(ENTER)
            assert len(acts(tmp_path)) == seat
        terminal.press_and_wait(ENTER)
        assert "May Ann take back their last choice and all that came after it?" in terminal.press_and_wait("u")
        terminal.press_and_wait(DOWN + ENTER)
        assert acts(tmp_path) == []
        for name, bid in (("Ann", "v"), ("Ben", "p"), ("Cem", "p")):
            told = terminal.text
            assert f"{name}, it is your turn" in told
            assert "Ann took back their last choice and all that came after it" in told
            terminal.press_and_wait(ENTER)
            terminal.press_and_wait(bid)
            if bid != "p":  # how many tricks, and then without extras
                terminal.press_and_wait(ENTER)
    assert undone(tmp_path) == [(1, 1, [(1, "bid 2"), (2, "pass"), (3, "bid 3")])]
    assert acts(tmp_path) == ["bid 2", "pass", "pass"]
