"""A match of Durak in a pseudo-terminal, with real keys: its menus, its foot, what is typed, and what follows it."""

from pathlib import Path

from tests.ui.terminal import END, ENTER, Terminal, play_to_the_end


def test_what_does_not_go_together_is_greyed_with_the_reason(tmp_path: Path) -> None:
    """Numbers of players that exclude options of the command, and options that exclude numbers of players."""
    with Terminal(tmp_path, "play", "durak", "--sides") as terminal:
        asked = terminal.wait_for("How many of you are playing?")
        for seats in (2, 3, 5):
            assert f"- {seats} players (the option two sides is for 4 or 6 players, not {seats})" in asked
        assert terminal.pointed == "4 players"
    with Terminal(tmp_path, "play", "durak", "--pack", "24") as terminal:
        asked = terminal.wait_for("How many of you are playing?")
        assert [f"- {seats} players (24 cards are for 2 or 3" in asked for seats in range(2, 7)] == [False] * 2 + [
            True
        ] * 3
        terminal.press_until("b", "Name of player 1")
        for _ in range(3):
            terminal.press_and_wait(ENTER)
        terminal.wait_for("How do you want to play?")
        terminal.press_and_wait(END)
        assert "- two sides: off (the option two sides is for 4 or 6 players, not 3)" in terminal.text


def test_a_rematch_is_dealt_by_the_fool_and_counted(tmp_path: Path) -> None:
    arguments = ("play", "durak", "--pack", "24", "--name", "Ann", "--name", "Ben", "--seed", "3", "--fast")
    with Terminal(tmp_path, *arguments) as terminal:
        play_to_the_end(terminal, seed=1)
        fool = "Ann" if "Ann is the fool" in terminal.text else "Ben"
        assert f"Yes: {fool} deals" in terminal.text
        terminal.press_until(ENTER, "match 2", "when nobody else is looking")
        assert f"{fool} dealt 6 cards" in terminal.text
        sheet = terminal.press_until("s", "In this session 1 match has been finished", "Points won")
        assert [line.split()[-3:] for line in sheet.splitlines() if line.split()[-1:] in (["1"], ["-1"])] == [
            [name, *(("0", "-1") if name == fool else ("1", "1"))] for name in ("Ann", "Ben")
        ]


def test_it_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "durak", "--players", "2", "--seed", "3", "--fast") as terminal:
        terminal.wait_for("it is your turn")
        hand = terminal.press_and_wait(ENTER)
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait("q")
        assert terminal.leave(ENTER) == 0
        assert "Match 1 is saved" in terminal.text
        assert "cardgames resume 1" in terminal.text
    with Terminal(tmp_path, "resume", "--fast") as terminal:
        terminal.wait_for("match 1", "attacked with", "Player 2, it is your turn")
        played = next(line for line in hand.splitlines() if "▶" in line).split()[-1]
        assert f"attacked with {played}" in terminal.text
