"""Programs in seats: the protocol page holds, and whatever a program does the match goes on or says why not."""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from cardgames.adapters.program import GUARD, SECONDS, Program, ProgramFailed, log_of
from cardgames.engine.game import GAMES, AnyGame, Observation, game_class, new_game
from cardgames.engine.observation_json import to_json

PAGE = Path(__file__).parents[2] / ".github" / "docs" / "programs.md"
SESSION = "A whole session"


def block(language: str) -> str:
    """The code on the page in a language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def python_player(tmp_path: Path) -> str:
    """The command of the page's program in Python."""
    script = tmp_path / "player.py"
    script.write_text(block("python"), encoding="utf-8")
    return shlex.join([sys.executable, str(script)])


@pytest.fixture
def shell_player(tmp_path: Path) -> str:
    """The command of the page's program in the shell."""
    script = tmp_path / "player.sh"
    script.write_text(block("sh"), encoding="utf-8")
    return f"sh {script}"


def python(code: str) -> str:
    """The command that runs some Python, in which ``ask()`` reads a line."""
    return shlex.join([sys.executable, "-uc", f"import os, sys, time; ask = sys.stdin.readline\n{code}"])


def dealt(name: str = "durak") -> tuple[AnyGame, Any]:
    """A game and a state in which there is a choice."""
    game, rng = new_game(name, 2), Random(3)
    state = game.start()
    while len(game.legal_actions(state)) < 2:
        chance = game.chance(state)
        state = game.apply(state, chance.sample(rng) if chance else game.legal_actions(state)[0])
    return game, state


def asked(command: str) -> tuple[Program, Observation]:
    """A program, and an observation of its seat, in which there is a choice."""
    game, state = dealt()
    seat = game.to_act(state) or 0
    return Program(command, game, seat), game.observation(state, seat)


def ask(command: str, seconds: float = 10.0) -> str:
    """The answer of a program to one question."""
    program, observation = asked(command)
    try:
        return program(observation, seconds=seconds).text
    finally:
        program.end()


def play(game: AnyGame, command: str, seed: int) -> tuple[Any, int]:
    """Play a match in which a program has seat 1 and the others choose evenly; its end, and how often it was asked."""
    program, rng, often = Program(command, game, 1), Random(seed), 0
    state = game.start()
    while (seat := game.to_act(state)) is not None:
        legal = game.legal_actions(state)
        chance = game.chance(state)
        if seat == 1 and len(legal) > 1:
            action, often = program(game.observation(state, seat)), often + 1
        else:
            action = chance.sample(rng) if chance else rng.choice(legal)
        state = game.apply(state, action)
    program.end(game.payoff(state))
    return state, often


@pytest.mark.parametrize("name", GAMES)
def test_the_programs_of_the_page_play_every_game(name: str, python_player: str, shell_player: str) -> None:
    for command in (python_player, shell_player):
        game = new_game(name, max(game_class(name).SEATS))
        end, often = play(game, command, 5)
        assert game.outcome(end)
        assert often


def test_the_session_of_the_page_is_what_happens(tmp_path: Path, python_player: str) -> None:
    """``CARDGAMES_SESSION=write`` writes it anew."""
    tee = tmp_path / "tee.py"
    log = tmp_path / "session"
    tee.write_text(
        "import subprocess, sys\n"
        "log = open(sys.argv[1], 'w')\n"
        "player = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "for line in sys.stdin:\n"
        "    print('<', line, end='', file=log, flush=True)\n"
        "    player.stdin.write(line); player.stdin.flush()\n"
        "    if '\"legal\"' in line:\n"
        "        answer = player.stdout.readline()\n"
        "        print('>', answer, end='', file=log, flush=True)\n"
        "        print(answer, end='', flush=True)\n"
    )
    game = new_game("truc", 2, {"points": 3, "rounds": 1})
    play(game, shlex.join([sys.executable, str(tee), str(log)]) + " " + python_player, 4)
    text = PAGE.read_text(encoding="utf-8")
    introduction, _, shown = text.partition(f"{SESSION}\n\n")
    explained, _, lines = shown.partition("\n\n")
    found = "".join(f"    {line}\n" for line in log.read_text(encoding="utf-8").splitlines())
    if os.environ.get("CARDGAMES_SESSION") == "write":
        PAGE.write_text(f"{introduction}{SESSION}\n\n{explained}\n\n{found}", encoding="utf-8")
        lines = found
    assert found == lines
    assert json.loads(found.splitlines()[-1].partition("< ")[2]).keys() == {"returns"}


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("", "ended"),
        ("ask(); ask(); print('hello'); time.sleep(60)", "no_answer"),
        ("ask(); ask(); print('{}'); time.sleep(60)", "no_answer"),
        ("ask(); ask(); print('[' * 60_000); time.sleep(60)", "no_answer"),
        ("ask(); ask(); os.write(1, b'\\xff\\n'); time.sleep(60)", "no_answer"),
        ("ask(); ask(); sys.stdout.write('x' * 10_000_000); time.sleep(60)", "too_long"),
        ("ask(); ask(); time.sleep(60)", "too_slow"),
        ("time.sleep(60)", "too_slow"),
        ('while ask(): print(\'{"action": "AA"}\')', "no_answer, illegal or unasked"),
        ('ask()\nwhile ask(): print(\'{"action": "2C"}\')', "illegal"),
        ('ask()\nwhile ask(): print(\'{"action": "\' + "x" * 60_000 + \'"}\')', "illegal"),
        ('ask()\nwhile ask(): print(\'{"action": "\\\\ud800"}\')', "illegal"),
    ],
)
def test_a_program_that_fails_is_ended_and_says_how(code: str, how: str) -> None:
    begun = monotonic()
    with pytest.raises(ProgramFailed) as failed:
        ask(python(code), seconds=1.5 if how == "too_slow" else 30.0)
    assert failed.value.kind in how
    assert len(failed.value.line.encode()) < 1_000
    assert monotonic() - begun < 30, "it was waited for"


def test_a_program_that_speaks_unasked_is_ended() -> None:
    program, observation = asked(python("print('{}'); ask(); time.sleep(60)"))
    while not program._has_output():
        sleep(0.01)
    with pytest.raises(ProgramFailed) as failed:
        program(observation)
    assert failed.value.kind == "unasked"


@pytest.mark.parametrize("command", ["/nowhere/mybot", "", "sh -c '", "/"])
def test_a_program_that_cannot_be_started(command: str) -> None:
    with pytest.raises(ProgramFailed) as failed:
        ask(command)
    assert failed.value.kind == "not_started"


@pytest.mark.parametrize(("code", "is_kept"), [("", False), ("sys.stderr.write('here')", True)])
def test_only_what_a_program_has_said_is_kept(code: str, is_kept: bool) -> None:
    """A match that is left before its end leaves no empty file."""
    command = python(f"{code}\nos.close(2); print(); time.sleep(60)")
    program, _ = asked(command)
    while not program._has_output():
        sleep(0.01)
    program.end()
    assert log_of(command).exists() == is_kept


def test_an_illegal_answer_is_refused_once_with_the_reason() -> None:
    code = """ask(); ask(); print('{"action": "2C"}')
again = ask()
sys.stderr.write(again)
import json
assert json.loads(again)["refused"] == {"action": "2C", "reason": "not_an_action", "text": "2C"}, again
print(json.dumps({"action": json.loads(again)["legal"][-1]}))"""
    game, state = dealt()
    assert ask(python(code)) == game.legal_actions(state)[-1].text


def children(pid: int) -> Iterator[int]:
    """The processes in the process group of a process that are no zombies."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = path.read_text(encoding="ascii", errors="replace").rpartition(")")
        except OSError:  # it has ended meanwhile
            continue
        state, _, group, *_ = rest.split()
        if int(group) == pid and state != "Z":
            yield int(path.parts[2])


@pytest.mark.parametrize("ends_its_guard", [False, True])
def test_the_program_and_its_children_are_gone_afterwards(ends_its_guard: bool) -> None:
    code = "import subprocess; subprocess.Popen(['sleep', '600']); ask(); ask()"
    code += "; os.kill(os.getpgrp(), 9)" * ends_its_guard
    program, observation = asked(python(f"{code}; print('ready'); time.sleep(600)"))
    group = program._group
    with pytest.raises(ProgramFailed):
        program(observation)
    while list(children(group)):
        sleep(0.01)


def daemon(noted: Path, environment: str = "{}") -> str:
    """The code that starts a process in a session of its own, whose parent ends at once, and notes its number."""
    start = f"child = subprocess.Popen(['/bin/sleep', '600'], start_new_session=True, env={environment})"
    note = f"open({str(noted)!r}, 'w').write(str(child.pid))"
    return f"import subprocess; subprocess.run([{sys.executable!r}, '-c', {f'import subprocess; {start}; {note}'!r}])"


@pytest.mark.parametrize("is_adopting", [True, False])
def test_a_child_of_another_session_is_gone(is_adopting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the guard cannot adopt orphans it knows them by their environment."""
    if not is_adopting:
        other = tmp_path / "guard.py"
        other.write_text(GUARD.read_text().replace("ADOPT_ORPHANS = 36", "ADOPT_ORPHANS = 0"))
        monkeypatch.setattr("cardgames.adapters.program.GUARD", other)
    noted = tmp_path / "child"
    start = daemon(noted, "{}" if is_adopting else "None")
    program, observation = asked(python(f"{start}; ask(); ask(); print('ready'); time.sleep(600)"))
    with pytest.raises(ProgramFailed):
        program(observation)
    while list(children(int(noted.read_text()))):
        sleep(0.01)


def test_nobody_is_left_when_the_process_that_plays_is_killed(tmp_path: Path) -> None:
    started, noted = tmp_path / "group", tmp_path / "child"
    pid = os.fork()
    if not pid:
        program, _ = asked(python(f"{daemon(noted)}; time.sleep(600)"))
        while not noted.exists() or not noted.read_text():
            sleep(0.01)
        started.write_text(str(program._group))
        os.kill(os.getpid(), 9)
    os.waitpid(pid, 0)
    for group in (started, noted):
        while list(children(int(group.read_text()))):
            sleep(0.01)


@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name in GAMES for seats in game_class(name).SEATS])
def test_no_byte_of_a_match_depends_on_what_the_seat_does_not_know(name: str, seats: int, tmp_path: Path) -> None:
    """Each line that a program reads in a match would be the same with all hidden cards dealt anew."""
    game, rng, expected, others = new_game(name, seats), Random(name), list[dict[str, Any]](), 0
    state = game.start()
    heard = tmp_path / "heard"
    code = f"import json; out = open({str(heard)!r}, 'w')\nwhile line := ask():\n    out.write(line); out.flush()\n"
    code += "    if 'legal' in line: print(json.dumps({'action': 'nothing' if 'refused' not in line else 'again'}))"
    program = Program(python(code), game, 1)
    while (seat := game.to_act(state)) is not None and len(expected) < 12:
        legal, chance = game.legal_actions(state), game.chance(state)
        if seat == 1 and len(legal) > 1:
            guess = game.resample(game.observation(state, 1), rng)
            others += guess != state
            seen = to_json(game.observation(guess, 1))
            question = {"observation": seen, "legal": seen["legal"], "seconds": SECONDS}
            refused = {"action": "nothing", "reason": "not_an_action", "text": "nothing"}
            expected += [question, {**question, "refused": refused}]
            with pytest.raises(ProgramFailed, match="illegal"):
                program(game.observation(state, 1))
        state = game.apply(state, chance.sample(rng) if chance else rng.choice(legal))
    program.end()
    assert heard.read_text().splitlines()[1:] == [json.dumps(message) for message in expected]
    assert others
