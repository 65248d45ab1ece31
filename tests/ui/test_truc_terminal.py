"""Whole matches of Truc in a pseudo-terminal, with real keys."""

from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.engine.cards import NAMES
from cardgames.texts import template
from tests.ui.secrets import cards_on, names
from tests.ui.terminal import DOWN, ENTER, Terminal, beside_the_record, play_to_the_end

TABLE = ("play", "truc", "--name", "Ann", "--name", "Ben", "--dealer", "2", "--fast")


class Played(NamedTuple):
    """A match to be played by random keys."""

    language: str
    columns: int
    rows: int
    options: tuple[str, ...]
    seed: int


MATCHES = [
    Played("en", 80, 24, ("--points", "6", "--rounds", "1"), 1),
    Played("en", 120, 40, ("--points", "3"), 2),
    Played("ja", 60, 20, ("--points", "6", "--rounds", "1"), 3),
    Played("ja", 80, 24, ("--points", "1", "--rounds", "3"), 4),
]


@pytest.mark.parametrize("played", MATCHES, ids=lambda played: f"{played.language}-{played.columns}x{played.rows}")
def test_whole_match_shows_no_hidden_card(tmp_path: Path, played: Played) -> None:
    """Each screen is compared with the record: the current player sees their hand and the tricks, and no more."""
    screens: list[tuple[str, bool]] = []
    arguments = ("--language", played.language, *TABLE, "--seed", str(played.seed), *played.options)
    with Terminal(tmp_path, *arguments, columns=played.columns, rows=played.rows) as terminal:
        asked = play_to_the_end(
            terminal,
            seed=played.seed,
            hand_over=template(played.language, None, "hand_over").removeprefix("{seat}"),
            again=template(played.language, None, "again"),
            look=lambda screen, handed_over: screens.append((screen, handed_over)),
        )
        assert asked == len(screens) > 8
        terminal.press_and_wait(DOWN)
        terminal.press(ENTER)
        assert terminal.ended() == 0
    for screen, handed_over, seen, was_looking, _ in beside_the_record(tmp_path, screens):
        laid = {NAMES[card] for trick in seen.tricks for card in trick.cards}
        before = {NAMES[card] for trick in seen.last_hand for card in trick.cards}
        if handed_over:
            assert not was_looking or seen.phase == "exchange"  # after a deal everybody has been looking
            assert laid <= cards_on(screen) <= laid | before
        else:
            assert laid | names(seen.hand) <= cards_on(screen) <= laid | before | names((*seen.hand, *seen.laid_aside))
        if seen.proposal:
            assert template(played.language, None, "becomes") in screen


def test_bluffs_show_words_and_no_cards(tmp_path: Path) -> None:
    """A bluff is announced in words, and its cards stay hidden."""
    with Terminal(tmp_path, *TABLE, "--seed", "5", "--points", "2", "--rounds", "1") as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.choose("play with")
        view = terminal.choose("double")
        assert "Ben, it is your turn" in view
        assert "Ann proposed to double the stake to 2" in view
        assert "● 1" in view
        assert "if accepted" in view
        assert "●● 2" in view
        assert not cards_on(view)
        view = terminal.press_and_wait(ENTER)
        assert "refuse: Ann takes 1 and has 1 of 2" in view
        assert len(cards_on(view)) == 3
        view = terminal.choose("accept")
        assert "Ann, it is your turn" in view
        assert "Ben accepted: the stake rose to 2" in view
        assert not cards_on(view)
        terminal.press_and_wait(ENTER)
        view = terminal.press_and_wait(ENTER)
        assert "Ben, it is your turn" in view
        led = cards_on(view)
        assert len(led) == 1
        view = terminal.press_and_wait(ENTER)
        view = terminal.choose("remainder")
        assert "Ben proposed the remainder" in view
        assert "the round itself" in view
        assert cards_on(view) == led
        view = terminal.press_and_wait(ENTER)
        assert "refuse: Ben takes 2" in view
        assert len(cards_on(view)) == 3
        view = terminal.choose("refuse")
        assert "Yes: Ann deals" in view
        assert cards_on(view) <= led
        view = terminal.press_and_wait(ENTER)
        assert "Ben, it is your turn" in view
        assert "Ann dealt 3 cards to each" in view


def test_exchanges_can_be_refused_or_drawn(tmp_path: Path) -> None:
    """A player may refuse an exchange, and is told the drawn cards."""
    with Terminal(tmp_path, *TABLE, "--seed", "5") as terminal:
        terminal.wait_for("Ann, it is your turn")
        first = cards_on(terminal.press_and_wait(ENTER))
        view = terminal.choose("ask")
        assert "Ann asked for an exchange" in view
        terminal.press_and_wait(ENTER)
        view = terminal.choose("agree")
        assert "Ben agreed to the exchange" in view
        assert not cards_on(view)
        view = terminal.press_and_wait(ENTER)
        assert "you laid aside" in view
        drawn = cards_on(view) - first
        assert len(drawn) == 3
        terminal.choose("ask")
        view = terminal.press_and_wait(ENTER)
        assert "Ben drew" in view
        assert not cards_on(view) & (first | drawn)
        view = terminal.choose("refuse")
        assert "Ben refused the exchange" in view
        assert "lead a card, or propose first" in terminal.press_and_wait(ENTER)


def test_the_rules_open_at_what_is_asked(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TABLE, "--seed", "5") as terminal:
        terminal.wait_for("Ann, it is your turn")
        table = terminal.press_and_wait(ENTER)
        terminal.press("?")
        assert "T3" in terminal.wait_for("Enter back").splitlines()[0]
        assert terminal.press_and_wait(ENTER) == table
        terminal.choose("play with")
        table = terminal.choose("double")
        terminal.press("?")
        assert "T8" in terminal.wait_for("Enter back").splitlines()[0]
        assert terminal.press_and_wait(ENTER) == table
        terminal.press("s")
        terminal.wait_for("Points", "Rounds", "12 points win a round, 2 rounds win the match.")
        assert terminal.press_and_wait(ENTER) == table
