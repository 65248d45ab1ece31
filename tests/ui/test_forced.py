"""A choice that everybody can see to be the only one: it is played by itself, and nobody is called for it."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, Action
from cardgames.match import Match as Progress
from cardgames.match import MemoryJournal, play
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View
from tests.ui.stills import Match, Seen, Still
from tests.ui.terminal import Terminal, play_to_the_end

RECORDS = ("durak-throw-in", "truc-three-rounds", "fipsen-evening", "zetema-four-alone")


def asked(match: Match, forced: bool) -> tuple[list[int], list[int]]:
    """After how many actions somebody is asked for a move, and after how many called, as the record goes."""
    questions, calls = list[int](), list[int]()
    chances = [action for state, action in zip(match.states, match.actions, strict=False)
               if match.game.to_act(state) == CHANCE]  # fmt: skip

    def answer(still: Still) -> Any:
        ply = progress.ply
        if still.offers and still.offers[0].value is True:
            calls.append(ply)
            return True
        if not still.offers:
            return None
        questions.append(ply)
        if isinstance(still.offers[0].value, int):  # to be ticked
            return [offer.value for offer in still.offers if {*offer.cards} <= {*match.actions[ply].cards}]
        return match.actions[ply]

    words = Words("en", match.header.game, match.header.names or ())
    with Still(words, Settings(), 80, 24, answer) as still:
        progress = Progress(match.game, MemoryJournal(), lambda chance, ply: chances.pop(0))
        view = View(progress, match.header.names or (), Settings(fast=True, forced=forced))
        seats = range(1, match.game.seats + 1)
        play(progress, dict.fromkeys(seats, Table(still, view, seats)))
    return questions, calls


@pytest.mark.parametrize("record", RECORDS)
def test_nobody_is_asked_or_called_for_what_is_forced(record: str) -> None:
    match = Match.read(record)
    plies = [ply for ply, state in enumerate(match.states) if match.game.to_act(state) not in (CHANCE, None)]
    forced = [ply for ply in plies if match.game.observation(match.states[ply], CHANCE).forced]
    assert forced
    questions, calls = asked(match, True)
    assert questions == [ply for ply in plies if ply not in forced]
    assert not {*calls} & {*forced}


def test_without_the_setting_everybody_is_asked_and_called_for_everything() -> None:
    match = Match.read("truc-three-rounds")
    plies = [ply for ply, state in enumerate(match.states) if match.game.to_act(state) not in (CHANCE, None)]
    questions, calls = asked(match, False)
    assert questions == plies
    assert any(match.game.observation(match.states[ply], CHANCE).forced for ply in calls)


def test_whoever_takes_a_forced_choice_back_is_asked_then() -> None:
    """The choice before can be taken back as well, as the forced one is not played again at once."""
    match = Match.read("fipsen-evening")
    game = match.game
    ply = next(ply for ply, state in enumerate(match.states) if game.observation(state, CHANCE).forced)
    seat = game.to_act(match.states[ply])
    assert seat
    names = match.header.names or ()
    kinds: list[str] = []

    def answer(still: Still) -> Any:
        kinds.append("call" if still.offers and still.offers[0].value is True else "ask" if still.offers else "wait")
        if kinds[-1] == "ask":
            raise Seen
        return True if still.offers else None

    words = Words("en", game.NAME, names)
    with Still(words, Settings(), 80, 24, answer) as still, suppress(Seen):
        progress = Progress(game, MemoryJournal(match.moves(ply)), lambda chance, ply: match.actions[ply])
        table = Table(still, View(progress, names, Settings(fast=True)), range(1, game.seats + 1))
        observation = progress.observation(seat)
        action = table.choose(observation, ())
        assert isinstance(action, Action)
        progress.act(seat, action)
        progress.undo(seat)
        kinds.clear()
        while True:
            table.choose(observation, ())
    assert kinds == ["call", "ask"]


def test_it_is_said_at_a_terminal_that_there_is_no_choice(tmp_path: Path) -> None:
    arguments = ("--moment", "short", "--pause", "off", "play", "durak", "--players", "2", "--seed", "3")
    with Terminal(tmp_path, *arguments) as terminal:

        def look(screen: str, handed_over: bool) -> None:
            if "has only one choice …" in terminal.output:
                raise Seen

        with pytest.raises(Seen):
            play_to_the_end(terminal, 1, look=look)
