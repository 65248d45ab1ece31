"""Whole matches of Fipsen in a pseudo-terminal, with real keys. The last seat deals first, so that Ann speaks first."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE
from cardgames.texts import template
from tests.ui.secrets import cards_on, names
from tests.ui.terminal import DOWN, ENTER, ESCAPE, SPACE, Terminal, beside_the_record, play_to_the_end

PEOPLE = ("Ann", "Ben", "Cleo", "Dora")


def sitting(seats: int, *more: str) -> tuple[str, ...]:
    """The arguments for a match between so many."""
    named = [word for name in PEOPLE[:seats] for word in ("--name", name)]
    return ("play", "fipsen", *named, "--dealer", str(seats), "--fast", *more)


class Played(NamedTuple):
    """A match to be played by random keys."""

    language: str
    columns: int
    rows: int
    seats: int
    deals: int
    seed: int


MATCHES = [
    Played("en", 80, 24, 4, 2, 1),
    Played("en", 120, 40, 3, 2, 2),
    Played("ja", 60, 20, 3, 2, 3),
    Played("ja", 80, 24, 4, 2, 4),
]


@pytest.mark.parametrize("played", MATCHES, ids=lambda played: "-".join(map(str, played)))
def test_whole_match_shows_no_hidden_card(tmp_path: Path, played: Played) -> None:
    """Each screen is compared with the record: the current player sees their hand and the trick, and no more."""
    screens: list[tuple[str, bool]] = []
    tick = template(played.language, None, "tick").strip("()（）").split(",")[0].split("、")[0]

    sure = template(played.language, None, "confirm").partition("{")[0]

    def look(screen: str, handed_over: bool) -> None:
        if "Esc" in screen.splitlines()[-1] or sure in screen:
            return  # the second step of a bid, or what is asked once more
        if not (ticks(screen) and screens and ticks(screens[-1][0])):  # once for all ticks of a question
            screens.append((screen, handed_over))

    def ticks(screen: str) -> bool:
        """Whether cards are ticked; a refusal may stand in place of the question."""
        return tick in screen or re.search(r"Enter .*   Space ", screen) is not None

    arguments = sitting(played.seats, "--seed", str(played.seed), "--deals", str(played.deals))
    with Terminal(
        tmp_path, "--language", played.language, *arguments, columns=played.columns, rows=played.rows
    ) as terminal:
        play_to_the_end(
            terminal,
            seed=played.seed,
            hand_over=template(played.language, None, "hand_over").removeprefix("{seat}"),
            tick=tick,
            again=template(played.language, None, "again"),
            look=look,
        )
        terminal.press_and_wait(DOWN)
        terminal.press(ENTER)
        assert terminal.ended() == 0
    for screen, handed_over, seen, was_looking, plies in beside_the_record(tmp_path, screens):
        lying = {NAMES[card] for _, card in seen.trick}
        shown = {NAMES[ply.action.cards[0]] for ply in plies if ply.action and ply.action.kind == "play"}
        own = names((*seen.hand, *seen.own_taken, *seen.own_laid, *seen.shown))
        if handed_over:
            assert not was_looking or plies[-1].by == CHANCE  # all look up at a deal
            assert lying <= cards_on(screen) <= shown
        else:
            assert lying | names(seen.hand) <= cards_on(screen) <= shown | own


def choose(terminal: Terminal, typed: str) -> str:
    """Find an offer by typing it, and take it."""
    terminal.press(typed.upper())
    terminal.wait(lambda screen: f"{typed.upper()}▏" in screen, f"what was typed: {typed}")
    view = terminal.press_and_wait(ENTER)
    return terminal.press_and_wait(ENTER) if "Enter again" in view else view


def one_line(view: str) -> str:
    """The middle of a screen as one line, so that a sentence that was wrapped is whole."""
    return " ".join(" ".join(line[20:60] for line in view.splitlines()).split())


def test_the_auction_is_a_dialogue(tmp_path: Path) -> None:
    with Terminal(tmp_path, *sitting(4, "--seed", "5")) as terminal:
        terminal.wait_for("Ann, it is your turn", "No bid yet")
        view = terminal.press_and_wait(ENTER)
        assert "bid 2 tricks …" in view
        assert terminal.pointed == "pass"
        view = terminal.press_and_wait("w")  # three tricks
        assert "Ann, 3 tricks: with which extras?" in view
        assert "▶ Enter 3 tricks: +3 if made, -6 if not" in view
        view = choose(terminal, "3 hand")
        assert "Ben, it is your turn" in view
        assert "Ann's 3 hand is highest: +6 if made, -12 if not" in one_line(view)
        assert "Ann bid 3 hand" in view
        assert not cards_on(view)
        assert "Ben, bid more, or pass" in terminal.press_and_wait(ENTER)
        assert "bid 2 tricks" not in terminal.text  # it is not stronger
        terminal.press_and_wait("w")  # three tricks
        view = choose(terminal, "3 hand ruten")
        assert "Ben's 3 hand ruten is highest: +12 if made, -24 if not" in one_line(view)
        assert "hold: +12 if made, -24 if not" in terminal.press_and_wait(ENTER)
        view = choose(terminal, "hold")
        assert "Ann holds 3 hand ruten" in view
        terminal.press_and_wait(ENTER)
        for name in ("Ben", "Cleo", "Dora"):
            view = choose(terminal, "pass")
            assert f"{name} passed" in view
            terminal.press_and_wait(ENTER)
        assert "Ann, name the extras of your bid" in terminal.text
        view = choose(terminal, "name hand durch")
        assert "Ann plays 3 hand durch alone: +12 if made, -24 if not" in one_line(view)
        assert "♦ trumps, adding ruten" in view
        terminal.move(DOWN * 2)
        assert "▶ Enter ♦ trumps, adding ruten: +24 if made, -48 if not" in terminal.text
        view = choose(terminal, "S")
        assert "trumps ♠" in view
        assert "Ann, lead a card" in view
        terminal.press("?")
        assert "F9" in terminal.wait_for("Enter back").splitlines()[0]
        terminal.press_and_wait(ENTER)
        terminal.press("s")
        terminal.wait_for("Deal", "Ann", "Ben", "Cleo", "Dora", "Value", "Total")


def test_the_skat_and_the_discards_are_seen_by_declarer_alone(tmp_path: Path) -> None:
    with Terminal(tmp_path, *sitting(3, "--seed", "5")) as terminal:
        terminal.wait_for("Ann, it is your turn")
        hand = cards_on(terminal.press_and_wait(ENTER))
        choose(terminal, "2")  # a whole bid: without extras
        for _ in range(2):
            terminal.press_and_wait(ENTER)
            view = choose(terminal, "pass")
            assert not cards_on(view)
        terminal.press_and_wait(ENTER)
        view = choose(terminal, "take")
        skat = cards_on(view) - hand
        assert len(skat) == 2
        assert len(re.findall(r"\+ ?(?:10|8)♥", view)) == 2  # marked as new
        terminal.press_and_wait(ENTER)
        assert "2 cards have to be laid away" in terminal.text
        terminal.press(SPACE + DOWN + SPACE)
        terminal.wait_for("2 of 2")
        view = terminal.press_and_wait(ENTER)
        assert "you laid away" in view
        assert cards_on(view) == hand | skat
        choose(terminal, "S")
        view = terminal.press_and_wait(ENTER)
        assert "Ben, it is your turn" in view
        led = cards_on(view)
        assert len(led) == 1
        view = terminal.press_and_wait(ENTER)
        assert cards_on(view) & (hand | skat) == led
        assert "laid away 2" in view


@pytest.mark.parametrize(("seats", "seed"), [(3, 940), (4, 862)])
def test_kieker_and_four_sevens_are_shown(tmp_path: Path, seats: int, seed: int) -> None:
    """A kieker is shown to the left neighbour, and four sevens are shown beside the discards."""
    with Terminal(tmp_path, *sitting(seats, "--seed", str(seed), "--deals", "1")) as terminal:
        terminal.wait_for("Ann, it is your turn")
        hand = cards_on(terminal.press_and_wait(ENTER))
        view = terminal.press_and_wait("k")
        assert "Enter again" in view
        view = terminal.press_and_wait(ENTER)
        assert "Ann's kieker is h" in view
        assert "no KQJ" in view
        for _ in range(seats - 1):
            terminal.press_and_wait(ENTER)
            view = choose(terminal, "pass")
            assert not cards_on(view)
        view = terminal.press_and_wait(ENTER)
        assert "Ann, four sevens and an ace: say so?" in view
        ten = cards_on(view)
        terminal.press_and_wait(ENTER)
        assert "Ann, lay 5 cards away" in terminal.text
        terminal.press(ESCAPE)
        terminal.wait_for("say so?")
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait((SPACE + DOWN) * 5)
        terminal.press_and_wait(ENTER)
        assert "Ann, which suit is trumps?" in terminal.text
        view = choose(terminal, "D")
        assert "Ann plays kieker ruten alone: +20 if made, -40 if not" in one_line(view)
        view = terminal.press_and_wait(ENTER)
        led = cards_on(view)
        assert "Ben, it is your turn" in view
        assert len(led) == 1
        view = terminal.press_and_wait(ENTER)
        assert "Ann showed you" in view
        assert cards_on(view) & (hand | ten) == hand | led
        view = terminal.press_and_wait(ENTER)
        assert "Cleo, it is your turn" in view
        view = terminal.press_and_wait(ENTER)
        assert cards_on(view) & (hand | ten) <= led
        assert "Ann showed you" not in view


def test_four_sevens_and_an_ace_end_the_deal(tmp_path: Path) -> None:
    with Terminal(tmp_path, *sitting(4, "--seed", "862", "--deals", "1")) as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.press_and_wait("k")
        terminal.press_and_wait(ENTER)
        for _ in range(3):
            terminal.press_and_wait(ENTER)
            choose(terminal, "pass")
        terminal.press_and_wait(ENTER)
        view = choose(terminal, "four")
        assert "Ann had four sevens and an ace: 30 points" in view, view
        assert not cards_on(view)
        assert "Yes: Ann deals" in view
