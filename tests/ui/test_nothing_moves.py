"""Nothing on the table moves in a whole match: every part of the picture keeps its rows, whatever is shown or asked."""

import re
from contextlib import suppress
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from rich.cells import cell_len

from cardgames.engine.game import CHANCE
from cardgames.match import play
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Key
from cardgames.ui.screens.window import draw_picture
from cardgames.ui.settings import Settings
from cardgames.ui.table import hint
from cardgames.ui.table.view import View
from tests.ui.stills import Match, Seen, Still, text_of
from tests.ui.terminal import POINTER

ADVISED = re.compile(r"([╰┗┻┴├┕┖╰])↑(.)")
"""The mark of a recommended card in its lower border."""
SIZES = ((60, 20), (80, 24), (120, 40))
RECORDS = (
    "durak-throw-in",
    "truc-three-rounds",
    "kakeya-seventeen",
    "fipsen-hold-kieker-sevens",
    "zetema-four-alone",
)
EVERY = {(60, 20): 24, (80, 24): 11, (120, 40): 17}
"""Of so many actions, from the first of a match to its last, the screens around two are drawn."""


def screens(match: Match, columns: int, rows: int) -> list[tuple[str, list[str], str]]:
    """The kind of every screen of a match, what it shows and what it asks, as the record goes."""
    found: list[tuple[str, list[str], str]] = []
    left = list(match.actions)
    shown = {"ply": 0}

    def answer(still: Still) -> Any:
        handed = bool(still.offers) and still.offers[0].value is True
        kind = "hand-over" if handed else "question" if still.offers else "rest"
        if shown["ply"] % EVERY[columns, rows] < 2:
            lines = text_of(still.draw()).splitlines()
            found.append((kind, lines, still.question))
        if kind == "question":
            acted = [made.action for made in table.match.steps]
            shown["ply"] = len(acted)
            if match.game.actor(match.states[len(acted)], left[len(acted)]) == CHANCE:
                raise Seen  # the clock has ended that match
            action = left[len(acted)]
            if isinstance(still.offers[0].value, int):  # to be ticked
                return [offer.value for offer in still.offers if {*offer.cards} <= {*action.cards}]
            return action
        return True

    words = Words("en", match.header.game, match.header.names or ())
    with Still(words, Settings(), columns, rows, answer) as still:
        table = match.table(still, 0, Settings())
        with suppress(Seen):
            play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    return found


def stands(name: str, line: str, columns: int) -> bool:
    """Whether a line begins with the name of a player, or its second half does."""
    return any(line[at : at + 3].strip(" ▶") == "" and line[at + 3 :].startswith(name) for at in (0, columns // 2))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("record", RECORDS)
def test_every_part_keeps_its_rows(record: str, columns: int, rows: int) -> None:
    match = Match.read(record)
    names = match.header.names
    assert names
    seen: dict[str, set[int]] = {}

    def note(part: str, row: int) -> None:
        seen.setdefault(part, set()).add(row)

    shown = screens(match, columns, rows)
    assert {kind for kind, _, _ in shown} >= {"hand-over", "question"}
    for kind, lines, question in shown:
        for name in names:
            note(name, next(row for row, line in enumerate(lines) if stands(name, line, columns)))
        half = columns // 2 if record.startswith("kakeya") and columns == 80 else columns  # six people, two in a row
        for line in lines if columns > 60 else ():
            for place, character in enumerate(line):
                if character == "▮" and line[place - 1] != "▮":
                    note("backs", place % half)
        told = [row for row, line in enumerate(lines) if line.startswith("   · ")]
        if told and columns < 110:
            note("log", told[-1])
        hand = [row for row, line in enumerate(lines) if line.startswith(" Your hand")]
        if kind == "question" and hand:
            note("hand", hand[0])
        assert kind == "question" or not hand
        if question:
            note("question", next(row for row, line in enumerate(lines) if line.startswith("  " + question[:20])))
        note("foot", len(lines))
    moved = {part: places for part, places in seen.items() if len(places) > 1}
    assert not moved
    assert {"question", "hand"} <= seen.keys()
    assert "backs" in seen or not record.startswith(("truc", "kakeya")) or columns <= 80


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize(("record", "ply"), [("durak-throw-in", 1), ("fipsen-evening", 1), ("zetema-four-alone", 23)])
def test_a_hint_moves_nothing(record: str, ply: int, columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves while the hint is computed or shown, and the pointed offer stays in view.

    Of the hand only the mark of the recommended card is new, which bids have not."""
    monkeypatch.setattr(hint, "SECONDS", 0.02)
    seen: list[list[str]] = []

    def answer(still: Still) -> Any:
        if still.offers and still.offers[0].value is True:
            return True  # the hand-over
        seen.append(text_of(still.draw()).splitlines())
        if len(seen) == 3:
            raise Seen
        if still.hint:
            still.hint.result()
        return Key.HINT

    match = Match.read(record)
    words = Words("en", match.header.game, match.header.names or ())
    with Still(words, Settings(), columns, rows, answer) as still, suppress(Seen):
        table = match.table(still, ply, Settings())
        play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    before, thinking, hinted = seen
    asked = next(row for row, line in enumerate(before) if line.startswith(("  Ann, ", "  Dora, ")))
    unmarked = [ADVISED.sub(r"\1\2\2", line) for line in hinted[: asked + 1]]
    assert before[: asked + 1] == thinking[: asked + 1] == unmarked
    assert (unmarked != hinted[: asked + 1]) == (match.header.game != "fipsen"), "the card in the hand is marked"
    (pointed,) = [line for line in before if line.startswith(f" {POINTER} ")]
    assert pointed in thinking
    assert any(line.replace("← hint", "      ").rstrip() == pointed.rstrip() for line in hinted)
    assert any("thinking of a hint" in line for line in thinking)
    assert [line for line in hinted if line.startswith(" ┃ Hint: ")]
    assert [line for line in hinted if "← hint" in line], "the recommended move is in view"
    assert hinted[-1] == before[-1]


@pytest.mark.parametrize(("columns", "rows"), SIZES[1:])
def test_the_backs_stay_while_somebody_holds_the_skat_too(columns: int, rows: int) -> None:
    match = Match.read("fipsen-evening")
    taken = next(ply for ply, action in enumerate(match.actions) if action.text == "skat") + 1
    for ply in (taken - 1, taken, taken + 1):
        seen: list[str] = []

        def answer(still: Still, seen: list[str] = seen) -> Any:
            seen.append(text_of(still.draw()))
            raise Seen

        words = Words("en", match.header.game, match.header.names or ())
        with Still(words, Settings(), columns, rows, answer) as still, suppress(Seen):
            table = match.table(still, ply, Settings())
            play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
        (shown,) = seen
        assert shown.count("▮") == 5 * match.game.seats + 2 * (ply == taken)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("record", ["fipsen-evening", "truc-three-rounds", "durak-throw-in", "kakeya-rensho"])
def test_the_numbers_of_cards_stay_where_they_are_among_computers(record: str, language: str) -> None:
    match, size = Match.read(record), Size(rows=24, columns=80)
    names = match.header.names or ()
    levels = {seat: "fair" if seat == 2 else "easy" for seat in range(2, match.game.seats + 1)}
    places: set[int] = set()
    for ply in range(1, min(len(match.actions), 90), 3):
        view = View(match.played(ply), names, Settings(language=language), "", levels)
        lines = draw_picture(view.table_picture(view.match.observation(CHANCE), ()), size)
        shown = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in lines.splitlines()[2 : 2 + match.game.seats]]
        places |= {
            cell_len(line[: found.start()]) for line in shown if (found := re.search(r"▮|\d+(?=枚| cards?)", line))
        }
    assert len(places) == 1
