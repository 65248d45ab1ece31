"""The table line by line: what is found by typing, and the rules at the place that matters."""

import os
from collections.abc import Iterator
from typing import TextIO

import pytest

from cardgames.engine.game import GAMES
from cardgames.layout import table
from cardgames.texts import LANGUAGES, rules_page
from cardgames.ui.messages import Words, folded
from cardgames.ui.question import ways_to_type
from cardgames.ui.render.drawing import markdown
from cardgames.ui.screens.full_screen import ESCAPE, Offer
from cardgames.ui.screens.line_screen import PlainScreen, PlainWords
from cardgames.ui.screens.opening import labels
from cardgames.ui.settings import Settings
from tests.ui.stills import Match


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Where to type whole lines."""
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as lines, open(writing, "w", encoding="utf-8", buffering=1) as keys:
        monkeypatch.setattr("sys.stdin", lines)
        yield keys


def screen(language: str = "en") -> PlainScreen:
    words = Words(language)
    return PlainScreen(labels(words), PlainWords(words.text), Settings(language=language, plain=True))


@pytest.mark.parametrize("wanted", ["2 hand", "2 Hand", "２ hand", "bid 2 hand", "2 hand ruten"])
def test_a_notation_typed_in_full_wins_over_longer_ones_that_begin_with_it(wanted: str, typed: TextIO) -> None:
    match = Match.read("fipsen-evening")
    layout, words = table("fipsen"), Words("en", "fipsen", ("Ann", "Ben", "Cleo", "Dora"))
    seat = match.game.to_act(match.states[1])
    assert seat
    question = layout.question(match.game.observation(match.states[1], seat))
    offers = [
        Offer(bid, words.say(question.said.get(bid) or layout.words(bid)), ways_to_type(bid))
        for bid in question.actions
    ]
    meant = folded(wanted).removeprefix("bid ")
    assert sum(offer.text.startswith(meant) for offer in offers) > 1
    typed.write(f"{wanted}\n")
    typed.close()
    assert screen().choose(lambda width, rows: "", "Bid", offers).text == f"bid {meant}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_that_matter_are_read_out_with_their_text_and_no_others(
    game: str, language: str, typed: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    page = rules_page(language, game)
    for clause in table(game).CLAUSES.values():
        typed.write("0\n")
        screen(language).show(lambda width, rows: markdown(page, width), "", clause)
        head, *lines = capsys.readouterr().out.splitlines()
        assert head.split()[0] == clause
        text = lines[: lines.index(Words(language).text("plain_more"))]
        section = page.partition(f"### {clause} ")[2].partition("\n")[2].partition("\n#")[0]
        assert _letters(" ".join(text)) == _letters(section)


@pytest.mark.parametrize("page", ["one line", "\x1b[1mA title\x1b[0m\nand a line", ""])
def test_a_page_without_clauses_is_read_out_whole(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    screen().show(lambda width, rows: page, "")
    assert capsys.readouterr().out == page.replace("\x1b[1m", "").replace("\x1b[0m", "") + "\n"


def _letters(text: str) -> str:
    """A text without what only lays it out."""
    return "".join(letter for letter in text if letter.isalnum())


def test_a_list_leads_back(typed: TextIO) -> None:
    typed.write("0\n")
    typed.close()
    assert screen().choose(lambda width, rows: "", "Which?", [Offer(1, "one")], {ESCAPE: None}) is None
