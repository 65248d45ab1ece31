"""A choice taken back: asked for, agreed to or not, told to all, kept in the journal and out of the record."""

from pathlib import Path

from cardgames.store import Store

from .terminal import DOWN, ENTER, TRUC, Terminal, acts

LOOK = "when nobody else is looking"
ASKED = "May {} take back the last choice?"
TOLD = "{} took back the last choice"


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
        assert "Ann, do you want new cards?" in terminal.press_and_wait(ENTER)
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
