"""The people at one terminal: whose hand is in view, and which keys it takes."""

from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, GAMES, game_class
from cardgames.match import play
from cardgames.store import Store
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.stills import Match, Seen, Still
from tests.ui.terminal import ENTER, Terminal

HAND_OVER = "Enter when nobody else is looking"


def same_again(match: Match) -> list[int]:
    """The plies after which whoever acts ends a deal and is the first to act in the next."""
    by = [seat for seat, _ in match.moves(len(match.actions))]
    return [ply for ply in range(len(by) - 2) if by[ply + 1] == CHANCE and by[ply] == by[ply + 2] != CHANCE]


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("record", ["fipsen-evening", "fipsen-three-players", "truc-source-hand", "truc-remainder"])
def test_after_a_deal_whoever_looked_is_called_again(record: str, fast: bool) -> None:
    """Everybody looks on while the cards are dealt, and the hand that comes is another one."""
    match = Match.read(record)
    plies = same_again(match)
    assert plies
    for ply in plies:
        shown = shown_from(match, ply, Settings(fast=fast))
        assert shown == ["hand-over", "question", *([] if fast else ["rest"]), "hand-over", "question"]


def shown_from(match: Match, ply: int, settings: Settings) -> list[str]:
    """The kinds of screens from there to the second question, when the first is answered as it was then."""
    shown: list[str] = []

    def answer(still: Still) -> Any:
        if not still.offers:
            shown.append("rest")
            return True
        shown.append("hand-over" if still.offers[0].value is True else "question")
        if shown[-1] == "hand-over":
            return True
        if shown.count("question") == 2:
            raise Seen
        return match.actions[ply]

    words = Words("en", match.header.game, match.header.names or ())
    with Still(words, settings, 80, 24, answer) as still:
        played, table = match.table(still, ply, settings)
        with pytest.raises(Seen):
            play(played, dict.fromkeys(range(1, match.game.seats + 1), table))
    return shown


def called(screen: str) -> str:
    """Who is to look next."""
    return next(line for line in screen.splitlines() if line.endswith(", it is your turn"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("keys", [ENTER * 5, ENTER * 40, ("1" + ENTER) * 5], ids=["some", "held", "plain"])
def test_keys_typed_ahead_open_no_other_hand(tmp_path: Path, game: str, keys: str) -> None:
    """Enter held down, or hit too often: it opens one hand and plays from it, and the next player is called."""
    plain = ["--plain"] if keys[0] == "1" else []
    people = ("--players", str(game_class(game).SEATS[0]))
    with Terminal(tmp_path, *plain, "play", game, *people, "--seed", "3", "--fast", rows=80) as terminal:
        first = called(terminal.wait_for(HAND_OVER))
        terminal.press(keys)
        terminal.wait(lambda screen: HAND_OVER in screen and called(screen) != first, "another hand-over")
        terminal.settle()
        with Store.open(tmp_path) as store:
            _, moves = store.load(1)
            lines = [line.encode() for line in store.export(1)]
        acted = {seat for seat, _ in moves if seat != CHANCE}
        assert len(acted) == 1, "keys that were meant for one seat have acted for another"
        assert not cards_on(terminal.text) & set().union(*secrets_of(lines).hidden)
