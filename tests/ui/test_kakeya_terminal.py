"""Kakeya Trump in a pseudo-terminal, with real keys. The last seat deals first: pair 2·4, or 3·6."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from cardgames.engine import record
from cardgames.engine.cards import NAMES, cards_in
from cardgames.engine.game import CHANCE, Action, AnyGame
from cardgames.engine.kakeya import KakeyaObservation
from cardgames.texts import template
from tests.ui.secrets import cards_on as every_card_on
from tests.ui.secrets import names
from tests.ui.terminal import DOWN, END, ENTER, HOME, LEFT, RIGHT, Terminal, beside_the_record

PEOPLE = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")
HAND_OVER = {language: template(language, "kakeya", "hand_over").rpartition("}")[2] for language in ("en", "ja")}
AGAIN = {language: template(language, "kakeya", "again") for language in ("en", "ja")}
CLAIM = {"en": ", or claim", "ja": "クレームしてください"}


def cards_on(screen: str) -> set[str]:
    """The cards below the head line, which names rensho whoever holds it."""
    return every_card_on("\n".join(screen.splitlines()[1:]))


def named(seats: int) -> list[str]:
    return [word for name in PEOPLE[:seats] for word in ("--name", name)]


class Played(NamedTuple):
    """A match to be played by random keys; its seed is one of those with which it is soon over."""

    language: str
    columns: int
    rows: int
    seats: int
    seed: int


MATCHES = [Played("en", 80, 24, 4, 3760), Played("ja", 80, 24, 6, 5251)]


def play_on(terminal: Terminal, language: str, seed: int, look: Callable[[str, bool], None]) -> int:
    """Play one of the first cards offered, and claim as soon as possible, to the end; the number of screens.

    ``look`` is shown every screen that waits for an answer, and whether it is a hand-over.
    """
    rng = Random(seed)
    terminal.wait_for("▶")
    for asked in range(2000):
        screen = terminal.text
        if AGAIN[language] in screen:
            return asked
        handing = HAND_OVER[language] in screen
        look(screen, handing)
        if handing:
            terminal.press_and_wait(ENTER)
        elif CLAIM[language] in screen:
            terminal.press_and_wait(END + ENTER + ENTER)
        else:
            terminal.press_and_wait(HOME + DOWN * rng.randrange(3) + ENTER)
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("played", MATCHES, ids=lambda played: "-".join(map(str, played)))
def test_whole_match_shows_no_hidden_card(tmp_path: Path, played: Played) -> None:
    """Each screen is compared with the record: the current player sees their hand and the trick, and no more."""
    screens: list[tuple[str, bool]] = []
    arguments = ("--language", played.language, "play", "kakeya", *named(played.seats), "--seed", str(played.seed))
    options = ("--fast", "--no-forced")  # every action has its screen
    with Terminal(tmp_path, *options, *arguments, columns=played.columns, rows=played.rows) as terminal:
        asked = play_on(
            terminal, played.language, played.seed, lambda screen, handing: screens.append((screen, handing))
        )
        assert asked == len(screens) > 100
        terminal.press_and_wait(DOWN)
        terminal.press(ENTER)
        assert terminal.ended() == 0
    before: set[str] = set()
    seen: KakeyaObservation
    for screen, handing, seen, was_looking, _ in beside_the_record(tmp_path, screens):
        played_now = names(cards_in(seen.played))
        if seen.phase == "trump":
            before = {*NAMES}  # no hand can be seen, and what is told is of the deal just over
        allowed = played_now if len(played_now) >= 8 else played_now | before
        trick = names(seen.trick.cards) if seen.trick else set()
        if handing:
            assert not was_looking
            assert PEOPLE[seen.seat - 1] in next(
                line for line in screen.splitlines() if HAND_OVER[played.language] in line
            )
            assert trick <= cards_on(screen) <= allowed
        else:
            assert trick | names(seen.hand) <= cards_on(screen) <= allowed | names(seen.hand)
        if seen.phase == "play":
            before = before & names(range(52)) if len(played_now) < 8 else played_now


def test_trumps_and_the_lead_are_a_short_exchange(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "kakeya", *named(6), "--seed", "5", "--fast") as terminal:
        view = terminal.wait_for("Cid, it is your turn")
        assert re.search("Cid and Fay ●+ 5", view)
        assert "dealers" in view
        view = terminal.press_and_wait(ENTER)
        assert "Cid, which suit is trumps? No card has been dealt yet." in view
        assert terminal.pointed == "keep ♠ (rensho is A♣)"
        assert not cards_on(view) - {"AC", "AS"}
        view = terminal.choose("change to ♦")
        assert "Ann, it is your turn" in view
        assert "Cid made ♦ trumps" in view
        assert "rensho A♠★" in view
        assert "resting" in view
        assert not cards_on(view)
        view = terminal.press_and_wait(ENTER)
        assert "Ann, who leads first: you or Dora?" in view
        assert len(cards_on(view)) == 13
        view = terminal.choose("“you")
        assert "Dora, it is your turn" in view
        assert "Ann said to Dora: “you lead”" in view
        assert not cards_on(view)
        view = terminal.press_and_wait(ENTER)
        assert "Dora, lead any card" in view
        assert len(cards_on(view)) == 13
        view = terminal.press_and_wait(ENTER)
        assert "Eve, it is your turn" in view
        assert len(cards_on(view)) == 1
        assert "Dora played" in view


def test_the_keys_at_the_foot_show_nothing_hidden_and_lead_back(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "kakeya", *named(4), "--seed", "5", "--fast") as terminal:
        terminal.wait_for("Ben, it is your turn")
        for clause in ("K4", "K7", "K8"):
            table = terminal.press_and_wait(ENTER)
            terminal.press("?")
            assert clause in terminal.wait_for("Enter back").splitlines()[0]
            assert terminal.press_and_wait(ENTER) == table
            if clause != "K8":
                terminal.press_and_wait(ENTER)
        terminal.press_and_wait(ENTER)
        table = terminal.press_and_wait(ENTER)
        terminal.press("s")
        view = terminal.wait_for("Player", "Partner", "Chips", "No deal of this game is over yet.")
        assert not cards_on(view)
        assert terminal.press_and_wait(ENTER) == table
        terminal.press("l")
        view = terminal.wait_for("No trick has been played in this deal.", "Enter back")
        assert len(cards_on(view)) == 2
        assert terminal.press_and_wait(ENTER) == table


def test_typed_revokes_are_refused_with_reason(tmp_path: Path) -> None:
    """A card is found by typing its name, and a revoke is refused with the reason."""
    with Terminal(tmp_path, "play", "kakeya", *named(4), "--seed", "5", "--fast") as terminal:
        terminal.wait_for("Ben, it is your turn")
        for _ in range(6):
            view = terminal.press_and_wait(ENTER)
        assert ", follow " in view
        terminal.move(RIGHT * 13)
        terminal.move(LEFT)
        while "(follow " not in terminal.text:
            terminal.move(LEFT)
        refused = next(line for line in terminal.text.splitlines() if "(follow " in line).split()[1]
        typed = refused.replace("♠", "S").replace("♥", "H").replace("♦", "D").replace("♣", "C")
        terminal.press(typed)
        terminal.wait_for(f"{typed}: follow ")
        terminal.press(ENTER)
        terminal.settle()
        assert "(follow " in terminal.text  # and it is still asked


def begun(path: Path, seats: int, games: int, seed: int, ready: Callable[[AnyGame, Any, Action], bool]) -> bool:
    """Write the record of a random match as it stands before the first action that is ``ready``, if there is one."""
    header = record.Header("kakeya", seats, {"claims": True, "games": games}, seats, PEOPLE[:seats])
    game = header.new_game()
    rng = Random(seed)
    state = game.start()
    lines = [record.header_line(header)]
    while (by := game.to_act(state)) is not None:
        chance = game.chance(state)
        legal = game.legal_actions(state)
        action = chance.sample(rng) if chance else legal[-1] if legal[-1].kind == "claim" else rng.choice(legal)
        if ready(game, state, action):
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            return True
        lines.append(record.action_line(by, action))
        state = game.apply(state, action)
    return False


def ends_a_game(number: int) -> Callable[[AnyGame, Any, Action], bool]:
    """Whether an action ends this game of a series."""
    return lambda game, state, action: len(game.observation(game.apply(state, action), CHANCE).games) == number


def resumed(home: Path, path: Path, *more: str) -> Terminal:
    """The match of a record, taken in and gone on with."""
    with Terminal(home, "import", str(path)) as terminal:
        assert terminal.ended() == 0
    return Terminal(home, "resume", "1", "--fast", "--no-forced", *more)


def end_the_deal(terminal: Terminal) -> str:
    """Look at the hand and claim, or play the only card."""
    terminal.wait_for("it is your turn")
    view = terminal.press_and_wait(ENTER)
    return terminal.press_and_wait(END + ENTER + ENTER if CLAIM["en"] in view else ENTER)


def test_a_series_goes_on_with_partners_drawn_anew(tmp_path: Path) -> None:
    path = tmp_path / "begun.jsonl"
    begun(path, 6, 2, 1, ends_a_game(1))
    with resumed(tmp_path, path) as terminal:
        view = end_the_deal(terminal)
        assert "game 2   deal 1" in view
        terminal.press("l")
        told = " ".join(terminal.wait_for("in turn order: ").split())
        order = re.split(", | · ", told.split("in turn order: ")[1])[:6]
        order[-1] = order[-1].split()[0]
        assert terminal.press_and_wait(ENTER) == view
        assert sorted(order) == sorted(PEOPLE)
        for chair, player in enumerate(order[:3]):
            partner = order[chair + 3]
            assert f"{player} and {partner}" in view
            assert f"with {partner}" in view
        assert f"{order[2]}, it is your turn" in view
        terminal.press("s")
        assert "Game 1" in terminal.wait_for("Partner", "Points", "Enter back")


def test_a_tie_in_a_series_is_drawn_for(tmp_path: Path) -> None:
    path = tmp_path / "begun.jsonl"

    def ties(game: AnyGame, state: Any, action: Action) -> bool:
        return bool(game.observation(game.apply(state, action), CHANCE).phase == "draw")

    assert any(begun(path, 4, 2, seed, ties) for seed in range(200))
    with resumed(tmp_path, path) as terminal:
        view = end_the_deal(terminal)
        assert "Play again?" in view
        (winner,) = [name for name in PEOPLE if f"{name} tied" in view]
        assert winner


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_screen_fits_the_window(tmp_path: Path, columns: int, rows: int, language: str) -> None:
    arguments = ("--language", language, "play", "kakeya", "--players", "6", "--seed", "5", "--fast")
    with Terminal(tmp_path, *arguments, columns=columns, rows=rows) as terminal:
        terminal.wait_for("▶")
        for _ in range(14):
            lines = terminal.text.splitlines()
            assert lines[-1].startswith("  ?")
            assert len(lines) == rows
            terminal.press_and_wait(ENTER)
