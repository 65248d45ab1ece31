"""Settings that are changed at the table during a match."""

from pathlib import Path

from cardgames.store import Store
from tests.cli.test_menu import choose
from tests.ui.terminal import DOWN, END, ENTER, ESCAPE, Terminal


def test_new_settings_apply_with_no_hand_in_view(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "truc", "--name", "Ann", "--name", "Ben", "--seed", "2") as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        choose(terminal, "ask for an exchange", "Ben, it is your turn")
        terminal.press_and_wait("q")
        terminal.wait_for("Save and leave?")
        choose(terminal, "Change the settings", "Which setting?")
        choose(terminal, "language")
        choose(terminal, "ja", "どの設定を変えますか")
        terminal.press_and_wait(ESCAPE)
        terminal.wait_for("トリュック · 対戦1", "Benさんの番です")
        with Store.open(tmp_path) as store:
            match = store.match(1)
            assert match.holder is not None
            assert match.plies == 2
    assert (tmp_path / "config.toml").read_text() == 'language = "ja"\n'


def test_who_looks_into_the_settings_alone_goes_on_too(tmp_path: Path) -> None:
    with Terminal(
        tmp_path, "--plain", "play", "durak", "--players", "2", "--seed", "1", rows=60, guarded=True
    ) as terminal:
        for asked, answer in (
            ("it is your turn", "1"),
            ("attack with any card", "q"),
            ("Save and leave?", "Change"),
            ("Which setting?", "0"),
            ("it is your turn", "q"),
        ):
            terminal.wait_for(asked, "\n>")
            terminal.press(answer + ENTER)
            terminal.settle()
        terminal.wait_for("Save and leave?")
        assert terminal.leave("1" + ENTER) == 0


def test_every_setting_is_explained_whole(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--language", "ja", environment={"CARDGAMES_WIDTH": ""}) as terminal:
        terminal.wait(lambda screen: "▶" in screen, "the menu")
        terminal.move(END)
        terminal.move("\x1b[A")
        screen = terminal.press_and_wait(ENTER)
        for _ in range(12):
            assert "…" not in screen
            screen = terminal.press_and_wait(DOWN)
        assert "hide_after" in screen
