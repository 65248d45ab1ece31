"""The table line by line: what is found by typing, and the rules at the place that matters."""

import io
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from select import select
from typing import Any, TextIO

import pytest

from cardgames.engine.game import GAMES, Action, Observation
from cardgames.layout import layout_of
from cardgames.layout.scene import Columns, Pile, Piles, Scene
from cardgames.texts import LANGUAGES, rules_page
from cardgames.ui.messages import Words, fold_case
from cardgames.ui.render.asked import Painted
from cardgames.ui.render.canvas import plain_text
from cardgames.ui.render.spoken import SpokenPainter, spoken_markdown
from cardgames.ui.screens.key_decoder import CHANGE_QUIET
from cardgames.ui.screens.line_screen import LineScreen
from cardgames.ui.screens.offers import AWAY, ESCAPE, KEYS, NEWS, UNAIDED_KEYS, Key, Offer, Page, Picture
from cardgames.ui.settings import Settings
from cardgames.ui.table.question import MovePrompt, typed_forms
from cardgames.ui.table.view import View
from tests.ui.stills import Match
from tests.ui.test_full_screen import Dying
from tests.ui.test_keys import asked_for_equal_marriages


def spoken(text: str) -> Picture:
    """A picture that is only said."""
    return Picture(lambda only_new: text.splitlines(), lambda canvas, asked: Painted())


class Lines:
    """Standard input that gives out a line at a time, as a terminal does."""

    def __init__(self, descriptor: int) -> None:
        self._file = io.FileIO(descriptor)
        self.fileno = self._file.fileno
        self.close = self._file.close

    def readline(self) -> str:
        return self._file.readline().decode()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Where to type whole lines."""
    reading, writing = os.pipe()
    with closing(Lines(reading)) as lines, open(writing, "w", encoding="utf-8", buffering=1) as keys:
        monkeypatch.setattr("sys.stdin", lines)
        yield keys


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """Where to type at a pseudo-terminal, in which what was typed too early can be told."""
    ours, theirs = os.openpty()
    with closing(Lines(theirs)) as lines, open(ours, "w", encoding="utf-8", buffering=1) as keys:
        monkeypatch.setattr("sys.stdin", lines)
        yield keys


@contextmanager
def typing(keys: TextIO, line: str, pause: float) -> Iterator[None]:
    """Somebody who types a line again and again, each after a pause in seconds: one of them is late enough."""
    answered = threading.Event()

    def keep_typing() -> None:
        while not answered.wait(pause):
            keys.write(line)

    someone = threading.Thread(target=keep_typing)
    someone.start()
    try:
        yield
    finally:
        answered.set()
        someone.join()


TWO = [Offer(1, "one"), Offer(2, "two")]


def screen(language: str = "en") -> LineScreen:
    words = Words(language)
    return LineScreen(words, Settings(language=language, plain=True))


@pytest.mark.parametrize(
    ("lines", "chosen"),
    [("2,", 2), ("2,2", 2), ("five,five", 2), ("2,1", 1), ("2,nothing,,1", 1), ("2,?,1", "rules"), ("1", 1)],
)
def test_what_costs_much_is_asked_once_more(
    lines: str, chosen: object, typed: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    offers = [Offer(1, "pass"), Offer(2, "five", confirm="Sure? Enter again: five")]
    typed.write(lines.replace(",", "\n") + "\n")
    typed.close()
    keys = {**KEYS, "?": "rules"}
    assert screen().choose(Page(""), "Bid", offers, keys) == chosen
    assert capsys.readouterr().out.count("Sure?") == (0 if lines == "1" else 1)


@pytest.mark.parametrize("wanted", ["2 hand", "2 Hand", "２ hand", "bid 2 hand", "2 hand ruten"])
def test_full_notations_win_over_longer_ones(wanted: str, typed: TextIO) -> None:
    match = Match.read("fipsen-evening")
    layout, words = layout_of("fipsen"), Words("en", "fipsen", ("Ann", "Ben", "Cleo", "Dora"))
    seat = match.game.to_act(match.states[1])
    assert seat
    first = layout.question(match.game.observation(match.states[1], seat))
    offers = [
        Offer(bid, words.say(question.labels.get(bid) or layout.words(bid)), typed_forms(bid))
        for question in (first, *[further for _, further in first.further])
        for bid in question.actions
    ]
    meant = fold_case(wanted).removeprefix("bid ")
    assert sum(offer.text.startswith(meant) for offer in offers) > 1
    typed.write(f"{wanted}\n")
    typed.close()
    assert screen().choose(Page(""), "Bid", offers).text == f"bid {meant}"


@pytest.mark.parametrize(("game", "language"), [("durak", "en"), ("zetema", "ja")])
def test_relevant_rules_are_read(game: str, language: str, typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows of tables are left out here, as another test checks how they are read with their heads."""
    rules = rules_page(language, game)
    for clause in re.findall(r"(?m)^### (\w+) ", rules):
        section = rules.partition(f"### {clause} ")[2].partition("\n")[2].partition("\n#")[0]
        if "\n|" in section:
            continue
        typed.write("0\n")
        screen(language).show(Page("", body=lambda width, rows: spoken_markdown(rules, Words(language))), clause)
        head, *lines = capsys.readouterr().out.splitlines()
        assert head.split()[0] == clause
        text = lines[: lines.index(Words(language).text("plain_more"))]
        assert _letters(" ".join(text)) == _letters(section)


@pytest.mark.parametrize("page", [Page("A title"), Page("A title", ["and a line"], ["and more"]), Page("")])
def test_a_page_without_clauses_is_read_out_whole(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    screen().show(page)
    assert capsys.readouterr().out.splitlines() == [page.title, *page.lines, *page.more]


def _letters(text: str) -> str:
    """A text without what only lays it out."""
    return "".join(letter for letter in text if letter.isalnum())


def test_a_key_for_hints_chooses_nothing_where_there_are_none(typed: TextIO) -> None:
    typed.write("h\np\n")
    offers = [Offer("hold", "hold: +2 or -4"), Offer("pass", "pass")]
    assert screen().choose(spoken("The table"), "What do you say?", offers, UNAIDED_KEYS) == "pass"


def test_a_list_leads_back(typed: TextIO) -> None:
    typed.write("0\n")
    typed.close()
    assert screen().choose(Page(""), "Which?", [Offer(1, "one")], {ESCAPE: None}) is None


def test_equal_pairs_have_numbers_of_their_own(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    view, question = asked_for_equal_marriages(Settings(plain=True))
    seat = view.match.to_act
    assert seat
    prompt = MovePrompt(screen(), view, view.match.observation(seat))
    typed.write("1\n1 2\n")  # the list of marriages, and both equal ones
    typed.close()
    action = prompt.ask(spoken(""))
    assert isinstance(action, Action)
    assert action.args == ("KS+QS", "KS+QS")
    label = view.words.say(question.picks[0].message)
    assert {f"1. {label}", f"2. {label}"} < {*capsys.readouterr().out.splitlines()}


# What is said of a turn


def turn(stem: str, ply: int) -> tuple[View, Observation]:
    """The seat that is asked at a ply of a record, and how it sees the table."""
    match = Match.read(stem)
    seat = match.game.to_act(match.states[ply])
    assert seat
    view = View(match.played(ply), ("Ann", "Ben", "Cleo", "Dora")[: match.game.seats], Settings(plain=True))
    return view, view.match.observation(seat)


KEYS_SAID = "? rules, w whole table, s scores, l last, h hint, u undo, q leave"


def said_by(screen: str) -> str:
    """A message that only the line screen has."""
    return Words("en").text("plain_" + screen)


def test_turns_tell_news_and_the_table_on_request(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    view, seen = turn("durak-throw-in", 3)
    typed.write("w\n1\n")
    offers = [Offer(1, "one"), Offer(2, "two", refused="too late")]
    screen().choose(view.question_picture(seen), "What now?", offers, KEYS)
    said = capsys.readouterr().out.splitlines()
    asked = said.index("What now?")
    assert said[:asked] == ["Ann attacked with 6♠", "Ben beat 6♠ with 7♠", said[asked - 1]]
    assert said[asked - 1].startswith("Your hand: ")
    assert said[asked + 1 : asked + 3] == ["1. one", KEYS_SAID]
    table = "\n".join(said[asked + 3 :])
    for there in ("stock", "Ann: ", "Ben: ", "Your hand: ", "- two (too late)"):
        assert there in table, table


def test_what_has_just_been_said_is_not_said_again(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    """A further question repeats the news only if the news has changed or is out of view."""
    table = screen()

    def ask(news: str) -> None:
        typed.write("1\n")
        table.choose(spoken(news), "What now?", TWO, KEYS)

    for news in ("Ann bid 2", "Ann bid 2", "Ben passed", "Ann bid 2"):
        ask(news)
    said = capsys.readouterr().out
    assert re.findall("Ann bid 2|Ben passed", said) == ["Ann bid 2", "Ben passed", "Ann bid 2"]
    assert said.count("What now?") == 4
    table.discard_typed()
    ask("Ann bid 2")
    assert "Ann bid 2" in capsys.readouterr().out


def test_numbers_of_changed_lines_are_refused(keys: TextIO) -> None:
    """A line typed during a change of the list was meant for the earlier list."""
    table, offers = screen(), [Offer("rules", "read the rules"), Offer("leave", "leave")]
    table.has_news = lambda: True
    assert table.choose(Page(""), "Which?", offers, {NEWS: Key.NEWS}) is Key.NEWS
    table.has_news = lambda: False
    keys.write("1\n")
    offers.insert(0, Offer("table", "sit down"))
    with typing(keys, "3\n", 2 * CHANGE_QUIET):
        assert table.choose(Page(""), "Which?", offers, {NEWS: Key.NEWS}) == "leave"


def test_whoever_typed_too_early_is_asked_once_more(keys: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    keys.write("1\n")
    with typing(keys, "2\n", 0.4):
        chosen = screen().choose(Page(""), "Ben, it is your turn", TWO, quiet=0.1)
    assert chosen == 2
    first, *more = capsys.readouterr().out.split(said_by("too_early"))
    assert more, "nothing was said"
    assert [said.count("Ben, it is your turn\n1. one\n2. two\n") for said in (first, *more)] == [1] * (1 + len(more))


def test_what_was_thrown_away_is_told_with_the_question(keys: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    table, too_early = screen(), said_by("too_early")
    for typed_ahead in ("1\n", ""):
        keys.write(typed_ahead)
        if typed_ahead:
            select([sys.stdin], [], [])
        table.discard_typed()
        keys.write("2\n")
        table.choose(Page(""), "Which?", TWO)
        before, _, _ = capsys.readouterr().out.partition("Which?")
        assert before.endswith(f"{too_early}\n") is bool(typed_ahead)


def test_the_keys_are_named_once_and_after_an_empty_line(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    table = screen()
    asked = "Which?\n1. one\n2. two\n"
    for keys_too in (f"{KEYS_SAID}\n", ""):
        typed.write("\n2\n")
        table.choose(Page(""), "Which?", TWO, KEYS)
        after = f"{asked}{said_by('expected')}\n{KEYS_SAID}\n"
        assert capsys.readouterr().out == f"{asked}{keys_too}> {after}> "


def test_the_question_is_asked_again_after_the_table(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    typed.write("w\n2\n")
    offers = [Offer(1, "one"), Offer(2, "two"), Offer(3, "three", refused="too many")]
    table = Picture(lambda only_new: [] if only_new else ["all"], lambda canvas, asked: Painted())
    screen().choose(table, "Which?", offers, KEYS)
    assert "> all\nWhich?\n1. one\n2. two\n- three (too many)\n> " in capsys.readouterr().out


@pytest.mark.parametrize(("key", "rows", "typed_below"), [("s", 10, 1), ("s", 60, 3), ("w", 60, 3)])
def test_pages_stay_until_the_reader_goes_on(
    key: str,
    rows: int,
    typed_below: int,
    typed: TextIO,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text that is in view together fits into the window, and ends with a prompt."""
    monkeypatch.setenv("TERM", "xterm")
    table = screen()
    page = [f"line {number}" for number in range(rows)]
    news = [f"news {number}" for number in range(9)]
    offers = [Offer(1, "one"), Offer(2, "two"), Offer(3, "three")]
    typed.write(f"{key}\n" + "\n" * typed_below + "2\n")
    typed.close()

    def asked() -> object:
        draw = Picture(lambda only_new: news if only_new else page, lambda canvas, asked: Painted())
        return table.choose(draw, "Which?", offers, KEYS)

    while (answer := asked()) is Key.SHEET:
        table.show(Page(page[0], page[1:]))
    assert answer == 2
    views = re.split("(?:\x1b[^H]*H\x1b\\[2K)+\x1b\\[H", capsys.readouterr().out)
    assert all(view.count("\n") + view.count("> ") <= 24 for view in views)
    *pages, last = read = [view for view in views if "line" in view]
    assert all(view.endswith(said_by("go_on") + "\n> ") for view in pages)
    assert last.endswith(said_by("page_read") + "\n> ")
    assert re.findall(r"line \d+", "".join(read)) == page
    assert "news 8\nWhich?" in views[-1]


def test_table_stays_in_place_of_the_question(
    typed: TextIO, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the table leaves no room for the question, the table stays in view."""
    monkeypatch.setenv("TERM", "xterm")
    page, news = "table\n" * 12, "news\n" * 9
    typed.write("w\n1\n")
    draw = Picture(lambda only_new: [news if only_new else page], lambda canvas, asked: Painted())
    assert screen().choose(draw, "Which?", TWO, KEYS) == 1
    assert capsys.readouterr().out.endswith(f"\x1b[H{page}Which?\n1. one\n2. two\n> ")


def test_a_question_ends_with_the_input(typed: TextIO) -> None:
    typed.close()
    with pytest.raises(EOFError):
        screen().choose(Page(""), "Which?", TWO)


def test_keys_that_are_no_letters_are_not_said_back(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    typed.write("\x1b[B\n1\n")
    screen().choose(Page(""), "Which?", TWO, KEYS)
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "[B" not in said


def test_what_comes_to_a_picture_is_said_alone(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    table = screen()
    for picture in ("Ann bid 2\nYour hand: A♠", "Your hand: A♠", "Ann bid 2\nYour hand: A♠\nHint: pass"):
        typed.write("1\n")
        table.choose(spoken(picture), "What now?", TWO, KEYS)
    said = re.findall("Ann bid 2|Your hand|Hint: pass", capsys.readouterr().out)
    assert said == ["Ann bid 2", "Your hand", "Hint: pass"]


def test_who_is_called_hears_what_is_new_only_when_they_look(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    view, seen = turn("durak-throw-in", 2)
    with typing(typed, "\n", 0.3):
        draw, offers = view.table_picture(seen, view.match.since(2)), [Offer(True, "Show")]
        assert screen().choose(draw, "Ben, it is your turn", offers, quiet=0.1) is True
    assert "attacked" not in capsys.readouterr().out


def test_piles_that_are_finished_are_named_together() -> None:
    piles = Piles((Pile("7", (), (), (1,)), Pile("8", (3,), (4,)), Pile("9", (), (5,), (6,)), Pile("K", (), (), (2,))))
    view, _ = turn("durak-throw-in", 2)
    said = view.scene_picture(Scene((), (), (piles,)), (), "").said(False)
    assert said == ["8: 5♠, to come 6♠", "9: to come 7♠, gone 8♠", "finished: 7, K"]


def test_the_cards_of_the_last_trick_are_told_once() -> None:
    """By the events or, where those of the trick are no longer told, before them."""
    for stem, ply, line in (
        ("kakeya-rensho", 24, "Chie played 5♥"),
        ("fipsen-three-players", 22, "Ben A♣, Cleo Q♥, Ann Q♣, won: highest ♣"),
    ):
        match = Match.read(stem)
        page = View(match.played(ply), match.header.names or (), Settings(plain=True)).last_page()
        assert line in page.lines
        assert "".join(page.lines).count("5♥") == line.count("5♥")


def test_a_figure_after_a_figure_is_told_apart_from_it() -> None:
    columns = Columns(("", "K Q", "A 5"), (("trick", "50", "15"),))
    assert SpokenPainter(Words("en")).part_lines(columns) == ["trick: K Q: 50, A 5: 15"]


def test_the_strongest_card_is_called_by_its_name() -> None:
    scene = Scene((), (), hand=(12, 51), boss=51)
    said = SpokenPainter(Words("en", "kakeya")).scene(scene, only_new=False)
    assert said == ["Your hand: A♠ A♣ (rensho)"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_said_without_anything_drawn(game: str, language: str) -> None:
    said = [*map(plain_text, spoken_markdown(rules_page(language, game), Words(language)))]
    assert not set("─│┃▌•|*`") & set("".join(said))
    assert said == [*map(str.strip, said)]


def test_wide_rows_are_read_with_their_heads() -> None:
    """A row of more than two cells is read with the heads of its columns."""
    said = spoken_markdown(rules_page("en", "zetema"), Words("en"))
    assert {"K, Q: 50; J: 20; A, 5: 15; any other: 5", "to draw up: 補充する"} <= {*map(plain_text, said)}
    payment = spoken_markdown(rules_page("en", "kakeya"), Words("en"))
    assert any(plain_text(line).endswith(": rensho and the trump ace: 2; all four aces: 4") for line in payment)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("there", [True, False])
def test_thinking_about_a_hint_is_announced(there: bool, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A notice says that a hint is being computed, unless the hint is ready."""
    hint: Future[None] = Future()
    thinking = Words(language).text("hint_thinking", first=False)

    class Terminal(io.StringIO):
        """Lets the hint come as soon as it has been said that it is thought of."""

        def write(self, text: str) -> int:
            if thinking in text:
                hint.set_result(None)
            return super().write(text)

    if there:
        hint.set_result(None)
    written = Terminal()
    monkeypatch.setattr("sys.stdout", written)
    late = threading.Timer(5.0, hint.set_result, [None])
    late.start()
    answer = screen(language).choose(Page(""), "Which card?", [Offer(1, "6♠")], hint=hint)
    late.cancel()
    assert answer is Key.HINT
    assert written.getvalue() == ("" if there else f"{thinking}\n")


def test_a_hint_that_is_asked_for_once_more_is_said_again(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    table = Picture(lambda only_new: ["Ann played 6♠"], lambda canvas, asked: Painted())
    told = table._replace(hint=lambda pointed: ["Hint: 7♠"])
    offers = [Offer(1, "play 7♠"), Offer(2, "take")]
    plain = screen()
    typed.write("h\nh\n1\n")
    said = []
    for draw, answer in ((table, Key.HINT), (told, Key.HINT), (told, 1)):
        assert plain.choose(draw, "Beat it?", offers) == answer
        said.append(capsys.readouterr().out.splitlines()[:3])
    assert said[0][0] == "Ann played 6♠"
    assert said[1] == said[2] == ["Hint: 7♠", "Beat it?", "1. play 7♠"]


def test_whoever_types_nothing_for_long_is_away(keys: TextIO) -> None:
    table, left = screen(), list[str]()
    assert table._hide_after == 60 * Settings().hide_after
    table._hide_after = 0.01
    table.on_away = lambda: left.append("away")
    assert table.choose(Page(""), "Which?", TWO, {**KEYS, AWAY: Key.AWAY}) is Key.AWAY
    assert left == ["away"]


def test_pictures_stay_when_nobody_has_typed_for_long(keys: TextIO) -> None:
    table, shown, left = screen(), 0, []
    table._hide_after = 0.01
    table.on_away = lambda: left.append("away")

    def draw(place: int) -> Picture:
        nonlocal shown
        shown += 1
        if len(left) == 1:
            keys.write("q\n")
        return spoken("a picture")

    table.step(draw, 3, ())
    assert left == ["away"]
    assert shown == 2


def test_a_foreign_letter_turns_no_page(typed: TextIO, capsys: pytest.CaptureFixture[str]) -> None:
    typed.write("й\nq\n" * 2)
    typed.close()
    table = screen()
    table.show(Page("line", ["line"] * 39))
    table.step(lambda place: spoken(f"picture {place}"), 3, ())
    said = capsys.readouterr().out
    assert said.count("й is not a Latin letter") == 2
    assert said.count("line\n") < 40
    assert "picture 1" not in said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("at_table", [False, True])
def test_a_signal_in_a_finalizer_ends_it(at_table: bool, typed: TextIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finalizer may run at any time, such as when garbage is collected."""

    def select_while_dying(*args: Any) -> Any:
        Dying()
        return select(*args)

    monkeypatch.setattr("cardgames.system.select", select_while_dying)
    table = screen()
    table.has_news = (lambda: False) if at_table else None
    with pytest.raises(SystemExit, match="143"), table:
        table.choose(Page(""), "What now?", TWO)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_in_a_finalizer_ends_a_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgames.ui.screens.line_screen.sleep", lambda seconds: Dying())
    with pytest.raises(SystemExit, match="143"), screen() as table:
        table.wait(spoken(""), "", Future())


def test_two_signals_at_once_end_a_wait_in_order() -> None:
    """Ctrl-C may be held down, or the connection may drop as somebody presses it."""

    def end() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(os.getpid(), number)

    def sit() -> None:
        with screen() as table:
            someone = threading.Timer(0.05, end)
            someone.start()
            try:
                table.wait(spoken(""), "", Future())
            finally:
                someone.join()  # a signal that came later would end the tests

    for _ in range(5):
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            sit()
