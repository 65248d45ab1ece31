"""Every way to leave the table, at every prompt: saved, the terminal restored, nothing left in view or history."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from cardgames.engine.game import CHANCE, Event
from cardgames.layout import layout_of
from cardgames.texts import template
from cardgames.ui.screens.key_decoder import CHANGE_QUIET
from tests.ui.secrets import cards_on

from .kills import LONGEST_LIFE, RESUME, begun_at, play_and_kill, record, scripts
from .player import Script
from .program import CTRL_C, CTRL_Z, DOWN, ENTER, HOME, POINTER, SPACE, Program, playable, seen

HAND_OVER = template("en", None, "hand_over").removeprefix("{seat}")

ENDS: dict[str, tuple[set[int], Callable[[Program], object]]] = {
    "SIGTERM": ({143}, lambda program: program.kill(signal.SIGTERM)),
    "SIGHUP": ({129}, lambda program: program.kill(signal.SIGHUP)),
    "SIGQUIT": ({131}, lambda program: program.kill(signal.SIGQUIT)),
    "SIGINT": ({130}, lambda program: program.kill(signal.SIGINT)),
    "Ctrl-C": ({130}, lambda program: program.send(CTRL_C)),
    "closed terminal": ({129, 0}, lambda program: program.hang_up()),
}
"""The ways that end the program, with the exit codes; at a closed terminal the end of input may come first."""

STAYS = ("Ctrl-Z", "SIGTSTP", "20×5")
"""The ways after which it goes on."""

WAYS = (*ENDS, *STAYS)


class Prompt(NamedTuple):
    """A prompt and how to get there from the hand-over."""

    name: str
    keys: str
    texts: tuple[str, ...]
    """The lines that stand there then, last the foot."""
    secret: bool
    """Whether a hand is in view, so that it is handed over anew after a stop."""
    acted: bool = False
    """Whether the player has acted."""


class Leaving(NamedTuple):
    """The figures of the trial."""

    left: int
    prompts: int
    games: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.prompts} prompts ({', '.join(self.games)}) left in {len(WAYS)} ways, {self.left} times: saved, "
            f"terminal restored, no card in view or history ({self.seconds:.0f} s)"
        )


def trial(plies: int, ways: int = len(WAYS), seed: int = 1, games: Sequence[str] = ()) -> Leaving:
    """Leave at the prompts of ``plies`` turns of a match of each game, and at those of one turn line by line.

    ``ways``: how many ways of leaving are tried at each prompt, by turns; ``games``: all if empty. Raises
    ``AssertionError``.
    """
    begun = time.monotonic()
    left = prompts = 0
    games = games or playable()
    for game in games:
        script = next(scripts(game, seed, 20))
        turns = [ply for ply in range(len(script.actions)) if script.to_act(ply)]
        step = len(turns) / plies
        turns = [turns[min(len(turns) - 1, round((number + 0.5) * step))] for number in range(plies)]
        for asked in (False, True):
            prompts += 1
            for way in islice((way for way in _cycle_from(prompts * ways) if way != "20×5"), ways):
                leave_plain(script, turns[0], asked, way)
                left += 1
        for ply in turns:
            for prompt in prompts_at(script, ply):
                prompts += 1
                chosen = list(islice(_cycle_from(prompts * ways), ways))
                for way in chosen:
                    leave(script, ply, prompt, way)
                    left += 1
    return Leaving(left, prompts, tuple(games), time.monotonic() - begun)


class Moments(NamedTuple):
    """The figures of leaving at random moments, between prompts too."""

    signals: int
    """On the whole screen, and as many line by line."""
    games: tuple[str, ...]
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.signals} signals at random moments on the whole screen and {self.signals} line by line "
            f"({', '.join(self.games)}): each ended it with its code, no confirmed action lost, terminal restored, no "
            f"card in view or history ({self.seconds:.0f} s)"
        )


def at_any_moment(number: int, tail: int = 40, seed: int = 1) -> Moments:
    """Send so many signals at random moments on the whole screen, and as many line by line.

    Of each match the last ``tail`` actions are played. Raises ``AssertionError``.
    """
    begun = time.monotonic()
    rng = Random(seed)
    games = playable()

    def end(program: Program) -> None:
        signalled(program, rng, "a random moment")

    for place, game in enumerate(games):
        share = number * (place + 1) // len(games) - number * place // len(games)
        plain = share
        for script in scripts(game, seed, 5):
            for _ in range(plain):
                leave_plain_at_any_moment(script, tail, rng)
            plain = 0
            if share < 1:
                break
            share -= play_and_kill(script, share, rng, script.last(tail), end)[0]
    return Moments(number, games, time.monotonic() - begun)


SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)


def signalled(program: Program, rng: Random, where: str) -> None:
    """Send a signal; what must be so after it is looked at."""
    number = rng.choice(SIGNALS)
    program.kill(number)
    assert program.ended(where) == 128 + number, f"{where}: {program.code} after {number.name}\n{program.said}"
    _check_left(program, f"{where}, {number.name}", "")


def leave_plain_at_any_moment(script: Script, tail: int, rng: Random) -> None:
    """Play line by line whatever comes first, until a signal comes."""
    start = script.last(tail)
    with begun_at(script, start) as home:
        with Program(home, *RESUME, "--plain") as program:
            deadline = time.monotonic() + rng.random() * LONGEST_LIFE
            answered = 0
            while program.wait(lambda: program.raw.count(b"> ") > answered, "a question", deadline):  # noqa: B023
                answered = program.raw.count(b"> ")
                program.send("1\n")
            signalled(program, rng, f"{script.arguments} --plain")
        assert record(home)[: start + 1] == script.lines[: start + 1]


def _cycle_from(start: int) -> Iterator[str]:
    while True:
        yield WAYS[start % len(WAYS)]
        start += 1


FOOT = "u undo"
"""A key at the foot of the table, and of nothing else."""


def prompts_at(script: Script, ply: int) -> Iterator[Prompt]:
    """Every prompt that can be reached after ``ply`` actions."""
    state = script.states[ply]
    seat = script.game.to_act(state)
    assert seat
    layout = layout_of(script.game.NAME)
    question = layout.question(script.game.observation(state, seat))
    page, leave, rest = (template("en", None, key) for key in ("page_keys", "leave_keys", "any_key"))
    keys, back = FOOT, "Esc back"
    yield Prompt("hand-over", "", (HAND_OVER, keys), False)
    yield Prompt("question", ENTER, (POINTER, keys), True)
    if question.picks:
        yield Prompt("ticks", ENTER + SPACE, (POINTER, keys), True)
    if question.further:
        yield Prompt("further question", ENTER + HOME + ENTER, (POINTER, back), True)
    for key, name in (("?", "rules"), ("s", "scores"), ("l", "last")):
        yield Prompt(name, ENTER + key, (page.split("   ")[-1],), False)  # how one comes back; from some one goes on
    yield Prompt("undo", ENTER + "u", (), False)
    yield Prompt("leave", ENTER + "q", (leave,), False)
    events: list[Event] = []
    script.game.apply(state, script.actions[ply], events.append)
    follows = script.to_act(ply + 1)
    if any(event.key in layout.PAUSES for event in events) and follows is not None:
        called = follows != CHANCE  # then the hand-over is the pause
        yield Prompt("pause", ENTER + "".join(script.keys(ply)), (HAND_OVER, keys) if called else (rest,), False, True)
    if follows is None:
        yield Prompt(
            "play again", ENTER + "".join(script.keys(ply)), (template("en", None, "again"), keys), False, True
        )


def _press(program: Program, key: str, expected: int, where: str) -> None:
    """Press a key, and wait until so many prompts have been seen."""
    program.send(key)
    program.wait(lambda: program.prompts >= expected, f"{where}: prompt {expected}")


def leave(script: Script, ply: int, prompt: Prompt, way: str) -> None:
    """Go to a prompt and leave there; what must be so is looked at."""
    where = f"{script.arguments} after {ply} actions, {prompt.name}, {way}"
    after = ply + prompt.acted
    while prompt.acted and script.to_act(after) == CHANCE:
        after += 1
    with begun_at(script, ply) as home:
        arguments = [word for word in RESUME if word != "--fast" or prompt.name != "pause"]
        with Program(home, *arguments) as program:
            expected = 1
            program.wait(lambda: HAND_OVER in program.view, f"{where}: the hand-over")
            for key in _presses(prompt.keys):
                expected += key not in (SPACE, DOWN, HOME)
                _press(program, key, expected, where)
            program.wait(lambda: all(text in program.view for text in prompt.texts), f"{where}: {prompt.texts}")
            program.settle()
            if prompt.secret:
                assert cards_on(program.view), f"{where}: no hand is in view"
            if way in ENDS:
                codes, end = ENDS[way]
                end(program)
                assert program.ended(where) in codes, f"{where}: {program.code}"
                if way != "closed terminal":
                    _check_left(program, where, "resume 1" if script.to_act(after) is not None else "")
            else:
                _stay(program, prompt, way, where)
                program.send(CTRL_C)
                assert program.ended(where) == 130, where
                _check_left(program, where, "")
        kept = record(home)
        sure = 1 + ply + prompt.acted  # what chance did since may be there or not
        most = len(script.lines) if script.to_act(after) is None else 1 + after
        assert kept[:sure] == script.lines[:sure], f"{where}: {len(kept)} lines are kept"
        assert sure <= len(kept) <= most, f"{where}: {len(kept)} lines are kept"


def leave_plain(script: Script, ply: int, asked: bool, way: str) -> None:
    """The same line by line, where a card must be wiped from the main screen and its history."""
    where = f"{script.arguments} --plain after {ply} actions, {'question' if asked else 'hand-over'}, {way}"
    with begun_at(script, ply) as home, Program(home, *RESUME, "--plain") as program:
        looking = HAND_OVER.split(": ")[-1].encode()

        def handed() -> bool:
            return looking in program.raw and program.raw.endswith(b"> ")

        program.wait(handed, f"{where}: the hand-over")
        if asked:
            at = len(program.raw)
            program.send("\n")
            program.wait(lambda: program.raw[at:].endswith(b"> "), f"{where}: the question")
            assert cards_on(seen(bytes(program.raw[at:]))), f"{where}: no hand is in view"
        if way in ENDS:
            codes, end = ENDS[way]
            end(program)
            assert program.ended(where) in codes, f"{where}: {program.code}"
        else:
            program.send(CTRL_Z) if way == "Ctrl-Z" else program.kill(signal.SIGTSTP)
            program.wait(lambda: program.stopped, f"{where}: the stop")
            program.settle()
            _check_left(program, where, "")
            at = len(program.raw)
            program.go_on()
            program.wait(lambda: looking in program.raw[at:] and handed(), f"{where}: the hand-over after the stop")
            program.send(CTRL_C)
            assert program.ended(where) == 130, where
        if way != "closed terminal":
            _check_left(program, where, "resume 1")
        assert record(home) == script.lines[: ply + 1], where


def _presses(keys: str) -> list[str]:
    """The single keys of several."""
    found = []
    while keys:
        length = 3 if keys.startswith("\x1b[") else 1
        found.append(keys[:length])
        keys = keys[length:]
    return found


def _check_left(program: Program, where: str, said: str) -> None:
    """The terminal is as it was, and nothing is to be seen on it."""
    assert program.modes_now == program.modes, f"{where}: the terminal's modes"
    assert program.raw.count(b"\x1b[?1049h") == program.raw.count(b"\x1b[?1049l"), f"{where}: the alternate screen"
    left = program.left
    assert not cards_on(left), f"{where}: in view or history\n{left}"
    assert said in left, f"{where}: not said how to go on\n{left}"


def _stay(program: Program, prompt: Prompt, way: str, where: str) -> None:
    """Stop and go on, or make the window too small and large again."""
    if way == "20×5":
        before = cards_on(program.view)
        start = len(program.raw)
        for columns in (20, 21, 22):  # what is typed in between has been read by the time the last is drawn
            at = len(program.raw)
            program.resize(columns, 5)
            program.wait(lambda: f"{columns}×" in seen(bytes(program.raw[at:])), f"{where}: a word on the size")  # noqa: B023
            if columns == 20 and prompt.name not in ("rules", "scores", "last", "undo", "pause"):
                program.send(ENTER)
        small = seen(bytes(program.raw[start:]))
        assert not cards_on(small), f"{where}: the small window shows\n{small}"
        program.resize(80, 24)
        if prompt.name not in ("rules", "scores", "last", "undo", "pause"):

            def again() -> bool:
                return POINTER in program.view and cards_on(program.view) >= before

            program.wait(again, f"{where}: the table again, with {sorted(before)}")
        return
    prompts = program.prompts
    if way == "Ctrl-Z":
        program.send(CTRL_Z)
    else:
        program.kill(signal.SIGTSTP)
    program.wait(lambda: program.stopped, f"{where}: the stop")
    program.settle()
    _check_left(program, where, "")
    program.go_on()
    program.wait(lambda: program.prompts > prompts, f"{where}: a prompt after the stop")
    if prompt.secret:
        program.wait(lambda: HAND_OVER in program.view, f"{where}: the hand-over after the stop")
    else:
        program.wait(lambda: all(text in program.view for text in prompt.texts), f"{where}: {prompt.texts} after it")
        if prompt.name in ("rules", "scores", "last"):  # what lies under the page is the hand
            prompts = program.prompts
            time.sleep(CHANGE_QUIET)
            program.send(ENTER)
            program.wait(lambda: program.prompts > prompts and FOOT in program.view, f"{where}: what is under the page")
            assert HAND_OVER in program.view, f"{where}: a hand is in view though it was not handed over"
