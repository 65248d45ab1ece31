"""Completion in the shell."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import CompletionItem, ShellComplete

from cardgames.cli import completion
from cardgames.cli.app import COMPLETION_VARIABLE, CommandTree
from cardgames.cli.completion import SHELLS
from cardgames.cli.parameters import all_matches
from cardgames.engine.game import GAMES, game_class
from cardgames.engine.record import Header
from cardgames.store import Store
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def offered(*words: str) -> list[CompletionItem]:
    """The completions that click offers for the last word of a command."""
    *before, last = words
    return ShellComplete(CommandTree(), {}, "cardgames", COMPLETION_VARIABLE).get_completions(before, last)


def completed(*words: str) -> list[str]:
    """The offered words, or kinds of files."""
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in offered(*words)]


@pytest.fixture
def matches(home: Path) -> Path:
    """A home with a finished match, number 1, and an unfinished match, number 2."""
    with Store.open(home) as store:
        store.import_record((ROOT / "tests/records/durak-throw-in.jsonl").read_bytes().splitlines(keepends=True))
        store.create(Header("truc", 2, game_class("truc").RULES().values(), 2, ("Ann", "Ben")))
    return home


def test_tab_completes_commands_and_games(home: Path) -> None:
    assert {"play", "resume", "matches", "replay", "config"} <= set(completed(""))
    assert completed("re") == ["resume", "replay", "review"]
    for command in ("play", "simulate", "rules", "learn", "stats"):
        assert completed(command, "") == list(GAMES)
    assert completed("play", "d") == ["durak"]


def test_options_and_their_words(home: Path) -> None:
    assert completed("play", "durak", "--t") == ["--time-up", "--throw-in", "--turn-over"]
    assert completed("play", "durak", "--turn-over", "") == ["opening", "any", "off"]
    assert completed("play", "durak", "--turn-over", "o") == ["opening", "off"]
    assert "--claims" in completed("play", "kakeya", "--")
    assert "--claims" not in completed("play", "truc", "--")
    assert completed("--language", "") == ["en", "ja"]
    assert completed("--sort", "r") == ["rank"]
    assert {"--plain", "--ascii", "--width"} <= set(completed("--"))
    assert [item.help for item in offered("play", "durak", "--help")] == ["Show this page."]


def test_settings_and_their_values(home: Path) -> None:
    assert completed("config", "f") == ["fast", "forced", "four_colours"]
    assert completed("config", "fast", "") == ["on", "off"]
    assert completed("config", "language", "") == ["en", "ja"]
    assert completed("completion", "") == list(SHELLS)


def test_tab_completes_matches_and_files(matches: Path) -> None:
    assert completed("resume", "") == ["2"]
    assert completed("export", "") == ["2", "1"]
    assert completed("replay", "1") == ["1"]
    assert completed("replay", "eve") == ["<file>"]
    assert completed("import", "") == ["<file>"]
    assert completed("export", "1", "") == ["<file>"]
    assert completed("simulate", "truc", "--records", "fol") == ["<dir>"]


def test_nothing_is_made_for_the_sake_of_completing(home: Path) -> None:
    assert completed("resume", "") == []
    assert list(home.iterdir()) == []
    (home / "matches.sqlite").write_text("not a store at all, but something else of some length")
    assert completed("resume", "") in ([], ["<file>"])


def test_no_name_reaches_the_shell_that_it_could_obey(home: Path) -> None:
    with Store.open(home) as store:
        store.create(Header("truc", 2, game_class("truc").RULES().values(), 2, ("a\n$(x)\u202e", "x" * 900)))
    ((number, about),) = all_matches()
    assert number == "1"
    assert about.isprintable()
    assert len(about) < 80


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_this_program(run: Run, monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    said = run("completion", shell)
    assert said.code == 0
    assert f"{COMPLETION_VARIABLE}={shell}_complete" in said.out
    assert "commands[" not in said.out  # so scripts/play is completed too, which is on no PATH
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert run("completion") == said


def test_tab_completes_in_a_shell(matches: Path, tmp_path: Path) -> None:
    """bash asks as it does when somebody presses the Tab key."""
    (tmp_path / "cardgames").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardgames "$@"\n')
    (tmp_path / "cardgames").chmod(0o700)
    script = """
        eval "$(cardgames completion bash)"
        COMP_WORDS=(cardgames resume '') COMP_CWORD=2
        _cardgames_completion cardgames
        echo "${COMPREPLY[@]}"
        COMP_WORDS=(cardgames --ascii play durak --tu) COMP_CWORD=4 COMPREPLY=()
        _cardgames_completion cardgames
        echo "${COMPREPLY[@]}"
        complete -p cardgames
        complete() { case "$*" in *nosort*) return 2 ;; esac; builtin complete "$@"; } # as bash 3.2 does
        compopt() { echo compopt >&2; return 127; }
        eval "$(cardgames completion bash)"
        COMP_WORDS=(cardgames import x) COMP_CWORD=2 COMPREPLY=()
        _cardgames_completion cardgames
        builtin complete -p cardgames
    """
    done = subprocess.run(
        ["bash", "-c", script],
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "CARDGAMES_HOME": str(matches),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
        },
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[:2] == ["2", "--turn-over"]
    registered = [f"complete -o {option} -F _cardgames_completion cardgames" for option in ("nosort", "default")]
    assert done.stdout.splitlines()[2:] == registered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_runs_no_program_of_the_present_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setattr(completion, "PROGRAM", "scripts/play")
    said = run("completion", shell).out
    path = os.path.abspath("scripts/play")
    assert f"{COMPLETION_VARIABLE}={shell}_complete {path})" in said or f"(commandline -t) {path})" in said
    assert said.count("scripts/play") - said.count(path) == {"bash": 2, "zsh": 1, "fish": 0}[shell]


def test_the_shell_obeys_nothing_in_the_path_of_the_program(matches: Path, tmp_path: Path) -> None:
    place = tmp_path / "$(touch obeyed) `touch obeyed` it's; touch obeyed"
    place.mkdir()
    program = place / "play"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardgames "$@"\n')
    program.chmod(0o700)
    script = """
        eval "$("$CARDGAMES_PROGRAM" completion bash)"
        ask=$(declare -F | sed -n 's/.* \\(.*_completion\\)$/\\1/p')
        COMP_WORDS=(play resume '') COMP_CWORD=2
        $ask "$CARDGAMES_PROGRAM"
        echo "${COMPREPLY[@]}"
    """
    env = {"PATH": os.environ["PATH"], "CARDGAMES_HOME": str(matches), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    env["CARDGAMES_PROGRAM"] = str(program)
    done = subprocess.run(["bash", "-c", script], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2\n", "")
    assert not (tmp_path / "obeyed").exists()
