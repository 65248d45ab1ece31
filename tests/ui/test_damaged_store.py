"""A store that is found damaged: the table is left first, then what can be is saved, and that is seen to go on."""

from datetime import date
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.texts import LANGUAGES, template
from scripts.trial.program import left_behind, run, seen
from tests.store.played_matches import keep, played
from tests.store.repairs import no_backup, tamper

from .secrets import cards_on
from .terminal import ENTER, TRUC, Terminal

LEFT = "\x1b[?1049l"
"""Sent to the terminal when the whole screen is left."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_the_table_the_hand_is_hidden_before_anything_is_saved(tmp_path: Path, language: str) -> None:
    home = tmp_path / "home"
    hand_over = template(language, None, "show_hand")
    with Terminal(home, "--language", language, *TRUC) as terminal:
        terminal.wait_for(hand_over)
        terminal.press(ENTER)
        terminal.wait(lambda screen: bool(cards_on(screen)), "the hand")
        tamper(home, "UPDATE match SET scores = '[5,0]'")
        terminal.press(ENTER)
        assert terminal.ended() == 73
        before, _, after = [seen(part.encode()) for part in terminal.output.rpartition(LEFT)]
        bar = {"en": "Recovering the matches", "ja": "壊れたファイルから"}[language]
        assert bar in after
        assert bar not in before
        assert {"en": "1 is lost", "ja": "1件を失いました"}[language] in after  # nothing had been backed up
        assert not cards_on(left_behind(terminal.output.encode()))
    with Store.open(home) as store:
        assert not store.matches()


def test_a_command_says_what_was_saved_and_the_next_goes_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Store.open(home) as store:
        keep(store, played(1))
        keep(store, played(2), 7)
    tamper(home, "UPDATE player SET won = 1 - won WHERE match = 1")
    done = run(home, "matches")
    assert (done.code, done.out) == (73, "")
    aside = home / "matches.damaged-1.sqlite"
    assert done.err == (
        f"The file with the matches was damaged and is kept as {aside}; 1 match was saved from it, 1 restored from a "
        f"backup as of {date.today()}, 0 lost: start again to go on.\n"
    )
    done = run(home, "matches")
    assert (done.code, done.err) == (0, "")
    assert "won by" in done.out
    no_backup(home)
    tamper(home, "UPDATE action SET act = 'pass' WHERE match = 2 AND ply = 5")
    done = run(home, "replay", "2", "--yes")
    aside = home / "matches.damaged-2.sqlite"
    assert (done.code, done.out) == (73, "")
    assert done.err == (
        f"The file with the matches was damaged and is kept as {aside}; 1 match was saved from it, 1 lost: "
        "start again to go on.\n"
    )


def test_the_menu_and_the_shell_meet_a_damaged_store(tmp_path: Path) -> None:
    """Shell completion repairs nothing, as a repair takes too long for a key press."""
    home = tmp_path / "home"
    with Store.open(home) as store:
        keep(store, played(1), 5)
    data = (home / "matches.sqlite").read_bytes()
    (home / "matches.sqlite").write_bytes(b"x" + data[1:])
    more = {"_CARDGAMES_COMPLETE": "bash_complete", "COMP_WORDS": "cardgames resume ", "COMP_CWORD": "2"}
    done = run(home, more=more)
    assert (done.code, done.err) == (0, "")
    assert {path.name for path in home.iterdir()} == {"matches.sqlite", f"matches.backup-{date.today()}.sqlite"}
    with Terminal(home) as terminal:
        assert terminal.ended() == 73
        assert "from a backup" in " ".join(terminal.text.split())
    with Terminal(home) as terminal:
        terminal.wait_for("What would you like to do?")
