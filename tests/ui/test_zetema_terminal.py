"""Whole matches of Zetema in a pseudo-terminal, with real keys, for every number of players."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from cardgames.engine import record
from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import Action, Event
from cardgames.engine.zetema import PACK, Zetema, ZetemaObservation, ZetemaRules, ZetemaState, points_of
from cardgames.layout import zetema as table
from cardgames.layout.question import Question
from cardgames.texts import template
from cardgames.ui.messages import Words
from tests.ui.secrets import cards_on
from tests.ui.terminal import DOWN, ENTER, ESCAPE, POINTER, SPACE, Terminal, kept

RECORDS = Path(__file__).parents[1] / "records"
PEOPLE = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")


class Match(NamedTuple):
    """A match to be played: who sits where, the cards as they are dealt, and every move."""

    header: Mapping[str, Any]
    deal: str
    moves: tuple[str, ...]

    @property
    def game(self) -> Zetema:
        header = self.header
        return Zetema(header["seats"], ZetemaRules(**header["rules"]), header["dealer"])

    def begin(self, home: Path) -> None:
        """Keep it as it is when the cards have been dealt."""
        path = home / "begun.jsonl"
        path.write_text(json.dumps(self.header) + "\n" + json.dumps({"by": 0, "act": self.deal}) + "\n")
        with Terminal(home, "import", str(path)) as terminal:
            assert terminal.ended() == 0


def recorded(name: str) -> Match:
    """A match of one deal that is on record."""
    header, deal, *moves = map(json.loads, (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:-1])
    return Match(header, deal["act"], tuple(move["act"] for move in moves))


def stacked(teams: bool, *hands: str, stock: str) -> Match:
    """A match whose last seat deals these hands, that of seat 1 first; everybody takes whatever scores most."""
    seats = len(hands)
    rules, names = {"teams": teams}, PEOPLE[:seats]
    header = {
        "record": record.VERSION,
        "game": "zetema",
        "seats": seats,
        "rules": rules,
        "dealer": seats,
        "names": names,
    }
    top = (*chain(*zip(*map(str.split, hands), strict=True)), *stock.split())
    rest = Counter(NAMES[card] for card in PACK) - Counter(top)
    begun = Match(header, " ".join(("deal", *top, *rest.elements())), ())
    game = begun.game
    state = game.apply(game.start(), game.parse(begun.deal))
    moves = []
    while seat := game.to_act(state):
        seen = game.observation(state, seat)
        move = max(seen.legal, key=lambda move: points_of(seen, move))
        state = game.apply(state, move)
        moves.append(move.text)
    return begun._replace(moves=tuple(moves))


FOUR = ("JS JS JH JD JC 4C", "2S 3S 5S 6C 8H 9D", "KH QH KC QC 6H 8D", "3D 5D 7D 7S 9C AC")
SIX = ("JS JS JH JD JC", "2S 3S 5S 6C 8H", "KH QH 4D 9H 7C", "3D 5D 7D 7S 9C", "4H 5H 6S 7H 8S", "KD QD 2D 8C 9S")
MATCHES = {
    "two": recorded("zetema-five-marriages"),
    "three": recorded("zetema-three-players"),
    "four-in-teams": stacked(True, *FOUR, stock="KS KS QS 2H 3H 4S QS 4D 6D 8C"),
    "four-alone": stacked(False, *FOUR, stock="TS TS TH TD TC"),
    "six-in-teams": stacked(True, *SIX, stock="KS QS KS QS 3C"),
    "six-alone": stacked(False, *SIX, stock="TS TS TH TD TC"),
}


# The keys.


def choose(terminal: Terminal, line: str) -> str:
    """Point at an offer, and press Enter there; the screen that comes of it."""
    terminal.point(line)
    return terminal.press_and_wait(ENTER)


def act(terminal: Terminal, words: Words, question: Question, action: Action) -> str:
    """Choose an action by the keys that it takes; the screen that comes of it."""
    if action in question.actions:
        return choose(terminal, words.say(question.labels.get(action) or table.words(action)))
    if question.picks:
        wanted = Counter(action.args)
        for pick in question.picks:
            if wanted[pick.value]:
                wanted[pick.value] -= 1
                terminal.press_and_wait(SPACE)
            terminal.move(DOWN)
        status = question.status(action.args)
        assert status
        assert words.say(status) in terminal.text
        return terminal.press_and_wait(ENTER)
    for message, further in question.further:
        if action in further.actions or (further.picks and action.kind == "marriage"):
            choose(terminal, words.say(message))
            return act(terminal, words, further, action)
    raise AssertionError(action.text)


# What is seen.


def screens(terminal: Terminal, words: Words, match: Match) -> Iterator[tuple[str, bool, ZetemaObservation, set[str]]]:
    """Play the match; each screen that waits, whether it is a hand-over, what its player knows, and the cards that were
    shown to all."""
    game = match.game
    state: ZetemaState = game.apply(game.start(), game.parse(match.deal))
    shown: set[str] = set()
    screen = terminal.wait_for(POINTER)
    for text in match.moves:
        seat = game.to_act(state)
        assert seat
        seen = game.observation(state, seat)
        assert words.text("hand_over", seat=seat) in screen
        yield screen, True, seen, shown
        yield terminal.press_and_wait(ENTER), False, seen, shown
        question, action = table.question(seen), game.parse(text)
        screen = act(terminal, words, question, action)
        events: list[Event] = []
        state = game.apply(state, action, events.append)
        for event in events:
            if event.audience is None:
                cards = cast(tuple[Card, ...], event.args.get("cards", ()))
                card = cast(tuple[Card, ...], (event.args["card"],) if "card" in event.args else ())
                shown |= {NAMES[one] for one in (*cards, *card)}
    assert game.outcome(state)


@pytest.mark.parametrize(("language", "columns", "rows"), [("en", 80, 24), ("ja", 60, 20)])
@pytest.mark.parametrize("name", MATCHES)
def test_whole_match_shows_no_hidden_card(tmp_path: Path, name: str, language: str, columns: int, rows: int) -> None:
    """A match is played to the end, and nobody sees a hidden card."""
    match = MATCHES[name]
    match.begin(tmp_path)
    words = Words(language, "zetema", tuple(match.header["names"]))
    with Terminal(tmp_path, "--language", language, "resume", "--fast", columns=columns, rows=rows) as terminal:
        for screen, handed_over, seen, shown in screens(terminal, words, match):
            hand = set() if handed_over else {NAMES[card] for card in seen.hand}
            assert hand <= cards_on(screen) <= hand | shown
            lines = screen.splitlines()
            assert len(lines) == rows
            assert lines[-1].startswith("  ?")
        assert template(language, None, "again") in terminal.text
        terminal.press_and_wait(DOWN)
        terminal.press(ENTER)
        assert terminal.ended() == 0
    _, plies = kept(tmp_path)
    assert [ply.action.text for ply in plies if ply.action] == [match.deal, *match.moves]
    outcome = match.game.outcome(plies[-1].state)
    assert outcome


def test_escape_leads_back_and_ticks_outlast_a_look_at_the_scores(tmp_path: Path) -> None:
    match = stacked(True, "KS QS KH QH KD QD", "KS QS JS JS JH JD", stock="JC 2C 3C 4C AS AS AH AD AC 5S 5S 5H 5D 5C")
    match.begin(tmp_path)
    with Terminal(tmp_path, "resume", "--fast") as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        terminal.point("declare marriages: up to 60 points …")
        first = terminal.text
        view = terminal.press_and_wait(ENTER)
        assert "Which marriages?" in view
        assert "Esc back" in view
        terminal.press_and_wait(SPACE)
        terminal.press_and_wait(DOWN)
        view = terminal.press_and_wait(SPACE)
        assert "2 pairs: 30 points" in view
        ticks = view.count("✓")
        assert ticks >= 2
        terminal.press("s")
        terminal.wait_for("Marriages at once", "Enter back")
        view = terminal.press_and_wait(ENTER)
        assert "2 pairs: 30 points" in view
        assert view.count("✓") == ticks
        assert terminal.press_and_wait(ESCAPE) == first
        view = terminal.press_and_wait(ENTER)
        assert "up to 60 points" in view
        assert "✓" not in view
        view = terminal.press_and_wait(ENTER)
        assert "nothing has been chosen yet" in view


def test_pairs_that_want_the_same_card_are_refused(tmp_path: Path) -> None:
    match = stacked(True, "KS QS KH QH QS JD", "KS JS JS JH JC 2D", stock="2C 3C")
    match.begin(tmp_path)
    with Terminal(tmp_path, "resume", "--fast") as terminal:
        terminal.wait_for("Ann, it is your turn")
        terminal.press_and_wait(ENTER)
        choose(terminal, "play Q♠")
        terminal.press_and_wait(ENTER)
        choose(terminal, "play 2♦")
        terminal.press_and_wait(ENTER)
        choose(terminal, "declare marriages: up to 30 points …")
        terminal.wait_for("Space K♠ Q♠, Q♠ from the table")
        terminal.press_and_wait(SPACE)
        terminal.press_and_wait(DOWN)
        terminal.wait_for("Space K♠ Q♠ from your hand")
        assert "you hold only one K♠" in terminal.press_and_wait(SPACE)
        assert "you hold only one K♠" in terminal.press_and_wait(ENTER)
        assert "1 pair: 10 points" in terminal.press_and_wait(SPACE)


def test_the_rules_open_at_what_is_asked(tmp_path: Path) -> None:
    MATCHES["two"].begin(tmp_path)
    with Terminal(tmp_path, "resume", "--fast") as terminal:
        terminal.wait_for("it is your turn")
        view = terminal.press_and_wait(ENTER)
        terminal.press("?")
        assert "Z3" in terminal.wait_for("Enter back").splitlines()[0]
        assert terminal.press_and_wait(ENTER) == view
        terminal.press("l")
        terminal.wait_for("Nobody has taken a turn yet.")
        assert terminal.press_and_wait(ENTER) == view


@pytest.mark.parametrize(("players", "cards"), [(2, 6), (3, 6), (4, 6), (6, 5)])
def test_it_is_dealt_for_every_number_of_players(tmp_path: Path, players: int, cards: int) -> None:
    arguments = ("play", "zetema", "--players", str(players), "--dealer", str(players), "--seed", "1", "--fast")
    with Terminal(tmp_path, *arguments) as terminal:
        view = terminal.wait_for("Player 1, it is your turn")
        assert not cards_on(view)
        assert f"dealt {cards} cards" in view
        assert f"first to {300 if players < 4 else 200}" in view
        assert "side A" not in view
        assert len(cards_on(terminal.press_and_wait(ENTER))) <= cards


def test_five_cannot_play(tmp_path: Path) -> None:
    with Terminal(tmp_path, "play", "zetema", "--players", "5") as terminal:
        assert terminal.ended() == 2
        assert "This game is for 2, 3, 4 or 6 players, not 5" in " ".join(terminal.text.split())
