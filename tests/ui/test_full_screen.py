"""The questions of the screen, one by one: keys in through a pipe, frames out onto a screen of pyte."""

import gc
import os
import pty
import re
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from io import StringIO
from itertools import count, cycle
from typing import Any, TextIO

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.engine.cards import CARDS
from cardgames.ui.messages import Words
from cardgames.ui.render.asked import Asked, Painted, Target
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.themes import Style
from cardgames.ui.screens.full_screen import FullScreen
from cardgames.ui.screens.key_decoder import CHANGE_QUIET, REPEAT_GAP
from cardgames.ui.screens.key_guard import KeyGuard
from cardgames.ui.screens.offers import (
    BACK,
    ESCAPE,
    KEYS,
    NEWS,
    SHARED_KEYS,
    FormState,
    Key,
    Offer,
    Page,
    Picture,
    Ticks,
)
from cardgames.ui.screens.signals import ENDING_SIGNALS
from cardgames.ui.screens.typed_text import plain_key
from cardgames.ui.settings import Settings
from tests.ui.test_key_decoder import REPLIES

DOWN, UP, PAGE_DOWN, PAGE_UP, ENTER, BACKSPACE = "\x1b[B", "\x1b[A", "\x1b[6~", "\x1b[5~", "\r", "\x7f"
LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"
SPACE, CTRL_C, CTRL_L, CTRL_U, CTRL_UNDERSCORE = " ", "\x03", "\x0c", "\x15", "\x1f"
PATIENCE = 90.0

Step = tuple[str, str | Callable[[str], bool]]
"""Keys, and what is on the screen after them."""


class Window(StringIO):
    """Where the frames go."""

    encoding = "utf-8"

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.screen = pyte.Screen(size.columns, size.rows)
        self._stream = pyte.Stream(self.screen)

    def write(self, data: str) -> int:
        self._stream.feed(data)
        return len(data)

    @property
    def whole(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def text(self) -> str:
        """The text on the screen, without the keys before the lines of a list."""
        return re.sub(r"(?m)^(   [▶ ] (?:[○●] )?)(?:[1-9a-z]  |   )(?=\S)", r"\1", self.whole)


class Table:
    """A screen with somebody before it who presses keys and looks."""

    def __init__(self, screen: FullScreen, window: Window, pipe: PipeInput) -> None:
        self.screen = screen
        self.window = window
        self._pipe = pipe
        self._pressed = 0.0

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.window.size = Size(rows=rows, columns=columns)
        self.window.screen.resize(rows, columns)
        os.kill(os.getpid(), signal.SIGWINCH)

    def press(self, keys: str) -> None:
        """Press keys as fast as a person, and wait until they have been taken."""
        time.sleep(max(0.0, self._pressed + REPEAT_GAP + 0.03 - time.monotonic()) if keys else 0.0)
        self._pipe.send_text(keys)
        end = time.monotonic() + PATIENCE
        while select.select([self._pipe.fileno()], [], [], 0)[0] and time.monotonic() < end:
            time.sleep(0.005)
        self._pressed = time.monotonic()
        time.sleep(0.02)

    def answer(self, ask: Callable[[FullScreen], Any], *steps: Step) -> Any:
        """The answer of ``ask`` to these keys, each pressed once the screen shows the text before it."""
        wrong: list[str] = []

        def play() -> None:
            for keys, seen in (("", lambda text: bool(text.strip())), *steps):
                self.press(keys)
                ready = (lambda text, seen=seen: seen in text) if isinstance(seen, str) else seen
                end = time.monotonic() + PATIENCE
                while not ready(self.window.text):
                    if time.monotonic() > end or answered.is_set():
                        if keys or not answered.is_set():  # news may have ended the question before anybody looked
                            wrong.append(f"pressed {keys!r} for {seen!r}; the screen was\n{self.window.text}")
                        if not answered.is_set():
                            self.press(CTRL_C)
                        return
                    time.sleep(0.005)
            if not answered.wait(PATIENCE):
                wrong.append(f"no answer; the screen was\n{self.window.text}")
                self.press(CTRL_C)

        answered = threading.Event()
        player = threading.Thread(target=play)
        player.start()
        try:
            return ask(self.screen)
        finally:
            answered.set()
            player.join()
            assert not wrong, wrong[0]


@pytest.fixture
def table() -> Iterator[Table]:
    yield from at_a_table(Size(rows=24, columns=80))


def stdin_of(pipe: PipeInput) -> TextIO:
    """The end of a pipe from which a screen reads keys."""
    assert isinstance(pipe, Vt100Input)
    return pipe.stdin


def at_a_table(size: Size, settings: Settings = Settings()) -> Iterator[Table]:  # noqa: B008
    window = Window(size)
    with (
        create_pipe_input() as pipe,
        FullScreen(Words("en"), settings, stdin=stdin_of(pipe), output=window, size=lambda: window.size) as screen,
    ):
        yield Table(screen, window, pipe)


def paint(canvas: Canvas, asked: Asked) -> Painted:
    """Write the table, what is asked and what is said."""
    lines = ["the table", "", asked.question]
    for place, choice in enumerate(asked.choices):
        lines.append(
            f"   {'▶' if place == asked.pointed else ' '} {'●' if place in asked.ticked else '○'} {choice.text}"
        )
    for y, text in enumerate((*lines, asked.status, asked.notice, asked.foot)):
        canvas.put(0, y, text, Style("text"))
    return Painted([Target(Rect(0, 3 + place, canvas.columns, 1), place) for place in range(len(asked.choices))])


picture = Page("the table")
TABLE = Picture(lambda only_new: ["the table"], paint)
COLOURS = [Offer(colour, f"take {colour}", (colour[:2].upper(),)) for colour in ("red", "green", "blue")]
SOME = [
    Offer("6S", "play 6♠", ("6S", "S6", "6♠", "♠6")),
    Offer("TC", "play 10♣", ("TC", "10C", "CT", "C10", "10♣", "♣10")),
    Offer("KH", "play K♥", ("KH", "HK", "K♥", "♥K"), refused="you must follow ♠"),
    Offer("pass", "end"),
]


HELD = ("7S", "TH")
HAND = (("7H", "b"), ("7C", "e"), ("KH", "c"))


def choose(
    offers: Sequence[Offer] = SOME,
    keys: dict[str, Any] | None = None,
    foot: str | None = None,
    state: FormState | None = None,
) -> Any:
    return lambda screen: screen.choose(picture, "What now?", offers, KEYS if keys is None else keys, foot, state=state)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (ENTER, "6S"),
        (DOWN + ENTER, "TC"),
        (DOWN + DOWN + ENTER, "pass"),
        (UP + ENTER, "6S"),
        (RIGHT + RIGHT + LEFT + ENTER, "TC"),
        (END + ENTER, "pass"),
        (END + HOME + ENTER, "6S"),
        (DOWN + SPACE, "TC"),
        ("\u3000", "6S"),
        (DOWN * 3 + ENTER, "pass"),
        (PAGE_DOWN + ENTER, "pass"),
        (PAGE_DOWN + PAGE_UP + ENTER, "6S"),
    ],
)
def test_pointer_stays_among_the_choices(table: Table, keys: str, value: str) -> None:
    """Keys move the pointer among offers that can be chosen, and not past the ends of the list."""
    assert table.answer(choose(), (keys, "")) == value


@pytest.mark.parametrize("typed", ["10C", "TC", "C10", "♣10", "１０Ｃ", "ＴＣ", "10♣", "PLAY 10"])
def test_typing_finds_a_card_however_it_is_written(table: Table, typed: str) -> None:
    def found(text: str) -> bool:
        return "▶ play 10♣" in text and "6♠" not in text and f"{plain_key(typed)}▏" in text

    assert table.answer(choose(), (typed, found), (ENTER, "")) == "TC"


def test_backspace_and_escape_take_back_what_was_typed(table: Table) -> None:
    def everything(text: str) -> bool:
        return all(shown in text for shown in ("6♠", "10♣", "K♥", "end")) and "▏" not in text

    steps: list[Step] = [("10", "10▏"), (BACKSPACE, "1▏"), (BACKSPACE, everything)]
    steps += [("EN", "▶ end"), ("\x1b", everything)]
    assert table.answer(choose(), *steps, (ENTER, "")) == "6S"


def test_typed_cards_win_over_words(table: Table) -> None:
    """Typed text that names a card does not match words of other offers."""
    offers = [Offer(1, "beat 10♣ with J♣", ("JC>TC", "JC")), Offer(2, "play 10♥", ("TH", "10H"))]
    assert table.answer(choose(offers), ("10", "▶ play 10♥"), (ENTER, "")) == 2


def test_what_can_mean_several_things_is_not_taken(table: Table) -> None:
    hand = [Offer(card, f"play {card}", (card,), letter) for card, letter in (("7S", "a"), ("7H", "b"), ("KH", "c"))]
    said = "7 fits several choices"
    assert table.answer(choose(hand), ("7", "7▏"), (ENTER, said), ("H", "▶ play 7H"), (ENTER, "")) == "7H"
    assert table.answer(choose(hand), ("7", "7▏"), (DOWN, "▶ play 7H"), (ENTER, "")) == "7H"
    assert table.answer(choose(hand), ("K", "▶ play KH"), (ENTER, "")) == "KH"


def test_one_capital_begins_a_card_and_no_word_of_a_move(table: Table) -> None:
    """``T`` and Enter do not take the cards, even if the hand has no ten or Caps Lock is on."""
    moves = [Offer("7S", "play 7♠", ("7S",), "a"), Offer("take", "take the cards", ("take",), "k")]
    none = "Nothing matches T"
    assert table.answer(choose(moves), ("T", none), (ENTER, none), ("\x1b", "▶ play"), (ENTER, "")) == "7S"
    assert table.answer(choose(moves, {**SHARED_KEYS}), ("T", "Caps Lock? The key is a small t"), ("t", "")) is Key.TALK
    assert table.answer(choose(moves), ("K", "small k"), ("k", "")) == "take"
    assert table.answer(choose(moves), ("TAKE", "▶ take"), (ENTER, "")) == "take"


def test_a_refused_choice_says_why_and_is_not_taken(table: Table) -> None:
    why = "KH: you must follow ♠"
    seen: list[str] = []

    def kept(text: str) -> bool:
        seen.append(text)
        return why in text

    assert table.answer(choose(), ("KH", why), (ENTER, kept), (DOWN, "▶ play 10♣"), (ENTER, "")) == "TC"
    assert "-  play K♥ (you must follow ♠)" in seen[0]


def test_what_fits_nothing_does_not_lock_the_other_keys(table: Table) -> None:
    said = "Nothing matches X"
    assert table.answer(choose(), ("X", said), ("?", "")) is Key.RULES
    assert table.answer(choose(), ("X", said), ("10C", "▶ play 10♣"), (ENTER, "")) == "TC"
    assert table.answer(choose(), ("X", said), ("b", "")) == "TC"


def test_a_card_that_is_not_in_the_hand_is_told_so_and_caps_lock_only_of_a_first_capital(table: Table) -> None:
    offers = [Offer(name, f"play {name}", (name, "10H"[: 3 * (name == "TH")]), cards=(CARDS[name],)) for name in HELD]
    ask = partial(
        FullScreen.choose, draw=TABLE._replace(hand=tuple(CARDS[name] for name in HELD)), question="?", offers=offers
    )
    missing = [("4", "Nothing matches 4"), ("H", "4H is not in your hand"), ("Q", "small q"), ("Q", "no card QQ")]
    steps: list[Step] = [*missing, ("10", "▶ ○ play TH"), ("S", "10S is not in your hand"), ("7S", "▶ ○ play 7S")]
    assert table.answer(partial(ask, keys=KEYS), *steps, ("h", "")) is Key.HINT
    assert (
        table.answer(ask, ("x", "x is not a key here (type cards in capitals)"), ("TH", "▶ ○ play TH"), (ENTER, ""))
        == "TH"
    )


def test_a_key_of_the_foot_is_one_whatever_has_been_typed(table: Table) -> None:
    state = FormState()
    assert table.answer(choose(state=state), ("10", "10▏"), ("s", "")) is Key.SHEET
    assert table.answer(choose(state=state), ("", "10▏"), (ENTER, "")) == "TC"


def test_a_small_letter_that_means_nothing_here_says_so(table: Table) -> None:
    assert (
        table.answer(
            choose(keys=dict(BACK)),
            ("h", lambda text: "h is not a key here" in text and "capitals" not in text),
            (ENTER, ""),
        )
        == "6S"
    )
    assert table.answer(choose(), ("z", "z is not a key here"), ("\x1b", "▶ play 6♠"), (ENTER, "")) == "6S"
    assert table.answer(choose(), ("10", "10▏"), ("a", "a is not a key here"), (ENTER, "")) == "TC"


def test_a_word_of_wrong_letters_chooses_nothing_and_says_so(table: Table) -> None:
    """After one wrong letter Enter counts; after two in a row it says what the next Enter chooses."""
    steps: list[Step] = [("zw", "w is not a key here"), (ENTER, "Enter again: play 6♠"), (ENTER, "")]
    assert table.answer(choose(), *steps) == "6S"
    assert table.answer(choose(), ("z", "z is not a key"), (DOWN, "▶ play 10♣"), ("z", "z is no"), (ENTER, "")) == "TC"
    assert table.answer(tick(), ("zw", "w is not a key"), (ENTER, "Enter again: 0 ticked"), (ENTER, "")) == []


def test_a_small_suit_letter_completes_a_card(table: Table) -> None:
    """After a rank, even if it is a key of the foot elsewhere; if there is no such card the foot wins."""
    hand = [Offer(card, f"play {card}", (card,), letter, cards=(place,)) for place, (card, letter) in enumerate(HAND)]
    assert table.answer(choose(hand), ("7", "7▏"), ("h", "▶ play 7H"), (ENTER, "")) == "7H"
    assert table.answer(choose(hand), ("7", "7▏"), ("c", "▶ play 7C"), (ENTER, "")) == "7C"
    steps = [("7", "7▏"), ("d", "Nothing matches 7D"), (ENTER, "matches 7D"), ("h", "")]
    assert table.answer(choose(hand), *steps) is Key.HINT
    assert table.answer(choose(hand), ("7", "7▏"), ("s", "")) is Key.SHEET


def test_letters_of_another_alphabet_are_told_so(table: Table) -> None:
    for letter in "йσאあ":
        said = f"{letter} is not a Latin letter"
        assert table.answer(choose(), (letter, said), ("\x1b", "▶ play 6♠"), (ENTER, "")) == "6S"
        shown = table.answer(lambda screen: screen.show(picture), (letter, said), (DOWN, "Enter back"), ("q", ""))
        assert shown is False
        step = partial(FullScreen.step, draw=lambda place: TABLE, last=3, stops=())
        assert table.answer(step, (letter, said), ("q", "")) is None
    news = threading.Event()
    table.screen.has_news, table.screen.news_every = news.is_set, 0.01

    def ends(text: str) -> bool:
        news.set()
        return "й is not a Latin letter" in text

    assert table.answer(lambda screen: screen.wait(TABLE, "waiting", None, SHARED_KEYS), ("й", ends)) is Key.NEWS


def test_the_letter_of_a_line_found_by_its_text_chooses_it(table: Table) -> None:
    """Unless the text may be the beginning of a card, whose suit is a letter."""
    offers = [Offer(1, "Yes: Ann deals", (), "a"), Offer(2, "Review the match: could it have gone better?", (), "c")]
    assert table.answer(choose(offers), ("REV", "▶ Review"), ("c", "")) == 2
    assert table.answer(choose(offers), ("REV", "▶ Review"), ("a", "a is not a key here"), (ENTER, "")) == 2
    cards = [offer._replace(cards=(place,)) for place, offer in enumerate(offers)]
    assert table.answer(choose(cards), ("REV", "▶ Review"), ("c", "c is not a key here"), (ENTER, "")) == 2


def test_letter_of_an_ambiguous_card_shows_its_uses(table: Table) -> None:
    offers = [Offer(1, "beat 9♥ with 6♠", ("6S",), "a"), Offer(2, "beat 7♦ with 6♠", ("6S",), "a")]
    offers.append(Offer(3, "stop", ("pass",), "p"))
    steps = [("a", "6S▏"), (ENTER, "6S fits several choices"), (DOWN, "▶ beat 7♦"), (ENTER, "")]
    assert table.answer(choose(offers), *steps) == 2
    assert table.answer(choose(offers), ("p", "")) == 3


def test_the_letter_of_what_is_refused_says_why(table: Table) -> None:
    offers = [Offer(1, "play 6♠", ("6S",), "a"), Offer(2, "play K♥ 9♥", ("KH", "9H"), "bc", "follow ♠")]
    assert table.answer(choose(offers), ("c", "Not allowed: play K♥ 9♥ (follow ♠)"), ("a", "")) == 1


def test_one_key_chooses_a_line(table: Table) -> None:
    """Offers get letters in alphabetical order, without the letters of foot keys."""
    shown: list[str] = []

    def look(text: str) -> bool:
        shown.append(table.window.whole)
        return "end" in text

    assert table.answer(choose(), ("", look), ("b", "")) == "TC"
    assert "▶ a  play 6♠" in shown[-1]
    assert "d  end" in shown[-1]


def test_what_is_unlisted_is_found_by_typing_alone(table: Table) -> None:
    offers = [Offer("two", "bid two …"), Offer("pass", "pass"), Offer("2 hand", "two with hand", unlisted=True)]
    assert table.answer(choose(offers), ("", "pass"), (DOWN * 3 + ENTER, "")) == "pass"
    assert "with hand" not in table.window.text
    assert table.answer(choose(offers), ("TWO W", "▶ "), (ENTER, "")) == "2 hand"
    assert table.answer(choose(offers), ("TWO W" + BACKSPACE * 5, "bid two"), (DOWN + ENTER, "")) == "pass"


def test_what_costs_much_is_asked_once_more(table: Table) -> None:
    offers = [Offer(1, "pass"), Offer(5, "bid 5", confirm="Enter again to bid five")]
    steps = [(DOWN, "▶ bid 5"), (ENTER, "Enter again"), (UP, "▶ pass"), (DOWN, "▶ bid 5"), (ENTER, "Enter again")]
    assert table.answer(choose(offers), *steps, (ENTER, "")) == 5


@pytest.mark.parametrize("wrong", ["\t", CTRL_L, "\x1b[5;5~", "\x1b[15~", "\x01", "\x16", "\x1b[200~6s\r\x1b[201~"])
def test_a_wrong_key_never_acts(table: Table, wrong: str) -> None:
    """Tab, F5 and a paste answer no question."""
    steps = [(wrong, "▶ play 6♠"), (DOWN, "▶ play 10♣")]
    assert table.answer(choose(), *steps, (ENTER, "")) == "TC"


@pytest.mark.parametrize("key", ["?", "s", "l", "h", "u", "q", "？", "ｓ", "Ｑ".lower()])
def test_the_keys_at_the_foot(table: Table, key: str) -> None:
    assert table.answer(choose(COLOURS), (key, "")) is Key(plain_key(key))


def test_escape_leads_back_where_it_may(table: Table) -> None:
    assert table.answer(choose(keys={**KEYS, ESCAPE: "back"}), ("\x1b", "")) == "back"
    typed = [("EN", "▶ end"), ("\x1b", "▶ play 6♠")]
    assert table.answer(choose(keys={**KEYS, ESCAPE: "back"}), *typed, ("\x1b", "")) == "back"
    assert table.answer(choose(keys=dict(BACK), foot="Esc back"), ("", "Esc back"), ("q", "")) is None


def test_what_screens_have_shown_is_forgotten() -> None:
    gc.collect()
    frozen: list[int] = []
    for _ in range(3):
        for table in at_a_table(Size(rows=24, columns=80)):
            table.screen.has_news = lambda: True
            for _ in range(2):
                assert choose(keys={NEWS: Key.NEWS})(table.screen) is Key.NEWS
            frozen.append(gc.get_freeze_count())
    assert max(frozen) == frozen[0]


def test_questions_leave_little_garbage(table: Table) -> None:
    """Uncollected cycles of old questions and frames would take several MB in each guest's process."""
    threshold = gc.get_threshold()
    table.screen.has_news = lambda: True
    choose(keys={NEWS: Key.NEWS})(table.screen)
    gc.collect()
    gc.set_threshold(500_000)  # nothing is collected before it is counted
    try:
        before = len(gc.get_objects())
        for _ in range(100):
            choose(keys={NEWS: Key.NEWS})(table.screen)
        assert len(gc.get_objects()) - before < 8_000
    finally:
        gc.set_threshold(*threshold)


def test_ctrl_c(table: Table) -> None:
    with pytest.raises(KeyboardInterrupt):
        table.answer(choose(), (CTRL_C, ""))


def test_pointer_is_kept_when_a_question_returns(table: Table) -> None:
    state = FormState()
    assert table.answer(choose(COLOURS, state=state), (DOWN, "▶ take green"), ("s", "")) is Key.SHEET
    assert table.answer(choose(SOME), ("", "▶ play 6♠"), ("q", "")) is Key.LEAVE
    assert table.answer(choose(COLOURS, state=state), ("", "▶ take green"), (ENTER, "")) == "green"
    assert table.answer(choose(COLOURS, state=state), ("", "▶ take red"), (DOWN + "l", "")) is Key.LAST
    assert table.answer(choose(COLOURS), ("", "▶ take red"), (ENTER, "")) == "red", "without it, it is a new question"


def pointing_at(value: str | None, screen: FullScreen) -> Any:
    """Ask for a colour with the pointer at this one at first."""
    return screen.choose(picture, "?", COLOURS, at=value)


def test_letters_stay_when_a_list_changes(table: Table) -> None:
    """A letter typed while a line appears or disappears does not choose the line that moved there."""
    one, two, three = [Offer(name, f"table {name}") for name in ("one", "two", "three")]
    came = iter([True])
    table.screen.has_news = lambda: next(came, False)
    state = FormState()
    assert choose([one, two], {NEWS: Key.NEWS}, state=state)(table.screen) is Key.NEWS
    time.sleep(CHANGE_QUIET)
    steps = [("", "▶ table three"), ("a", "a is not a key here"), ("b", "")]
    assert table.answer(choose([three, two], state=state), *steps) == "two"
    assert table.answer(choose([three, two], {**BACK}), ("q", "")) is None
    time.sleep(CHANGE_QUIET)
    assert table.answer(choose([three, two]), ("a", "")) == "three", "a question asked anew has its letters by position"


def test_what_is_pointed_at_first(table: Table) -> None:
    for at, value in (("blue", "blue"), ("yellow", "red"), (None, "red")):
        assert table.answer(partial(pointing_at, at), (ENTER, "")) == value


def test_keys_typed_ahead_answer_for_nobody_else(table: Table) -> None:
    assert table.answer(choose(), (ENTER + DOWN + ENTER, "")) == "6S"
    table.screen.discard_typed()
    time.sleep(CHANGE_QUIET)
    assert table.answer(choose(), ("", "▶ play 6♠"), (DOWN + ENTER, "")) == "TC"


def test_ctrl_c_typed_ahead_is_not_lost(table: Table) -> None:
    assert table.answer(choose(), (ENTER + DOWN + CTRL_C, "")) == "6S"
    with pytest.raises(KeyboardInterrupt):
        table.screen.discard_typed()


def test_markup_and_control_characters_are_text(table: Table) -> None:
    offers = [Offer(1, "play [bold]x[/]"), Offer(2, "play <b>y</b>")]
    assert table.answer(choose(offers), ("", "▶ play [bold]x[/]"), (DOWN, "▶ play <b>y</b>"), (ENTER, "")) == 2


MANY = [Offer(number, f"line {number}", refused="no" if number % 5 == 0 else None) for number in range(1, 61)]


def test_a_long_list_scrolls_and_keeps_question_and_foot(table: Table) -> None:
    def whole(line: str) -> Callable[[str], bool]:
        def ready(text: str) -> bool:
            lines = text.splitlines()
            return (
                f"▶ {line}" in text
                and "What now?" in text
                and lines[0].strip() == "the table"
                and "? rules" in lines[-1]
            )

        return ready

    steps = [("", whole("line 1")), (DOWN * 20, whole("line 26")), (UP * 30, whole("line 1"))]
    steps += [(PAGE_UP, whole("line 1")), (PAGE_DOWN * 9, whole("line 59"))]
    assert table.answer(choose(MANY), *steps, (ENTER, "")) == 59


def test_a_reason_is_never_cut(table: Table) -> None:
    offers = [Offer(1, "one"), Offer(2, "play two " * 20, refused="not play two")]
    assert table.answer(choose(offers), ("", "… (not play two)"), (ENTER, "")) == 1


def test_a_tall_picture_leaves_room_for_the_list(table: Table) -> None:
    page = Page("tall", body=lambda width, rows: [f"picture {row}" for row in range(rows)])

    def seen(text: str) -> bool:
        return "picture 0" in text and "▶ line 1" in text and "line 4" in text and "? rules" in text

    assert table.answer(lambda screen: screen.choose(page, "Now?", MANY), ("", seen), (ENTER, "")) == 1


# Several


def tick(
    check: Callable[[list[Any]], str | None] = lambda values: None,
    ticked: list[Any] | None = None,
    state: FormState | None = None,
) -> Any:
    kept = [] if ticked is None else ticked

    def status(values: list[Any]) -> str:
        return f"{len(values)} ticked"

    return lambda screen: screen.choose(
        TABLE, "Which?", SOME, {**KEYS, ESCAPE: None}, ticks=Ticks(check, status, kept), state=state
    )


def test_ticking(table: Table) -> None:
    steps = [("", "0 ticked"), (" ", "1 ticked"), (DOWN + " ", "2 ticked"), (DOWN + " ", "3 ticked")]
    steps += [(UP + " ", "2 ticked")]
    assert table.answer(tick(), *steps, (ENTER, "")) == ["6S", "pass"]


def test_cards_of_a_hint_are_advised_where_they_are_ticked(table: Table) -> None:
    advised: set[tuple[int, ...]] = set()

    def on_canvas(canvas: Canvas, asked: Asked) -> Painted:
        advised.update(asked.choices[index].cards for index in asked.advised)
        canvas.put(0, 0, "painted", Style("text"))
        return Painted()

    offers = [Offer(card, f"card {card}", cards=(card,)) for card in (3, 1, 2)]
    draw = Picture(lambda only_new: (), on_canvas, advised=Offer(0, "both", cards=(1, 2)))
    ticks = Ticks(lambda values: None, lambda values: "", [])
    ask = partial(FullScreen.choose, draw=draw, question="Which?", offers=offers, ticks=ticks)
    assert table.answer(ask, ("", "painted"), (" ", "painted"), (ENTER, "")) == [3]
    assert advised == {(1,), (2,)}


def test_ticking_what_was_typed(table: Table) -> None:
    """Enter ticks the offer found by typing, and without typed text ends the question."""
    steps = [("10", "▶ ○ play 10♣"), (ENTER, "1 ticked"), ("KH", "KH: you must follow ♠"), (ENTER, "must follow")]
    assert table.answer(tick(), *steps, ("\x1b", "1 ticked"), (ENTER, "")) == ["TC"]


def test_what_is_ticked_is_checked(table: Table) -> None:
    def check(values: list[Any]) -> str | None:
        return None if len(values) == 2 else "two of them, please"

    steps = [(ENTER, "two of them, please"), (DOWN, "0 ticked"), (" ", "1 ticked"), (ENTER, "two of them, please")]
    assert table.answer(tick(check), *steps, (DOWN + " ", "2 ticked"), (ENTER, "")) == ["TC", "pass"]


def test_ticks_outlast_a_look_at_the_rules(table: Table) -> None:
    ticked: list[Any] = []
    state = FormState()
    assert table.answer(tick(ticked=ticked, state=state), (DOWN + " ", "1 ticked"), ("?", "")) is Key.RULES
    assert ticked == ["TC"]
    steps = [("", "▶ ● play 10♣"), (UP + " ", "2 ticked"), (ENTER, "")]
    assert table.answer(tick(ticked=ticked, state=state), *steps) == ["6S", "TC"]
    assert table.answer(tick(ticked=ticked), ("\x1b", "")) is None


def test_letters_are_letters_where_several_are_ticked(table: Table) -> None:
    """questionary's ``a`` ticks all offers and its ``i`` the others; here ``a`` is only the first offer's letter."""
    steps = (("a", "1 ticked"), ("i", "i is not a key"), ("\x1b", "1 ticked"), ("a", "0 ticked"), (ENTER, ""))
    assert table.answer(tick(), *steps) == []


# Fields


def ask(default: str = "") -> Any:
    def check(text: str) -> str | None:
        return None if text and text != "Ann" else "not that one"

    return lambda screen: screen.ask(picture, "Name:", default, check)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("", "Ben"),
        ("Cleo", "Cleo"),
        (BACKSPACE + "Dan", "Dan"),
        (LEFT + "n", "Benn"[:2] + "n" + "n"),
        ("山田", "山田"),
        ("  Eve ", "Eve"),
        ("\x1b[200~Finn\x1b[201~", "Finn"),
        ("q", "q"),
        ("?s", "?s"),
    ],
)
def test_a_field_begins_with_what_is_likely_and_typing_replaces_it(table: Table, keys: str, text: str) -> None:
    steps = [("", "▶ Name: Ben"), (keys, text.split()[0])]
    assert table.answer(ask("Ben"), *steps, (ENTER, "")) == text


def test_a_field_says_why_a_text_cannot_be(table: Table) -> None:
    steps = [(ENTER, "not that one"), ("Ann", "Name: Ann"), (ENTER, "not that one"), ("a", "Name: Anna")]
    assert table.answer(ask(), *steps, (ENTER, "")) == "Anna"


def test_a_line_feed_ends_a_field_as_enter_does(table: Table) -> None:
    """Some terminals send it for Enter."""
    assert table.answer(ask("Ben"), ("\n", "")) == "Ben"


def test_a_paste_into_a_field_is_undone_by_itself(table: Table) -> None:
    steps: list[Step] = [("\x1b[200~Finn\x1b[201~", "Name: Finn")]
    steps += [(CTRL_UNDERSCORE, "Name: Ben"), ("Cleo", "Name: BenCleo")]
    steps += [("\x1b[200~Finn\x1b[201~", "CleoFinn"), (CTRL_UNDERSCORE, lambda text: "Finn" not in text)]
    assert table.answer(ask("Ben"), *steps, (ENTER, "")) == "BenCleo"


def test_a_field_is_left(table: Table) -> None:
    assert table.answer(ask("Ben"), ("\x1b", "")) is None
    with pytest.raises(KeyboardInterrupt):
        table.answer(ask("Ben"), (CTRL_C, ""))


# Bytes that are no keys

NOISE = st.lists(st.sampled_from(REPLIES) | st.binary(max_size=6).map(lambda data: data.decode("latin-1")), max_size=8)


@settings(max_examples=60, deadline=None)
@given(noise=NOISE)
def test_nothing_ends_by_noise(noise: list[str]) -> None:
    """Whatever bytes come, a question, a field and a page end with an answer of theirs or with Ctrl-C."""
    data = "".join(noise).encode("latin-1").replace(b"\x1a", b"")
    with (
        create_pipe_input() as pipe,
        FullScreen(Words("en"), Settings(), stdin=stdin_of(pipe), output=Window(Size(24, 80))) as screen,
    ):
        for asks in (choose(), tick(), ask("Ben"), lambda screen: screen.show(PAGE)):
            pipe.send_bytes(data)
            hanging_up = threading.Timer(0.05, pipe.send_bytes, [b"\x1b[201~\x18\x18\x18\x03"])
            hanging_up.start()
            with suppress(KeyboardInterrupt):
                asks(screen)
            hanging_up.join()
            with suppress(KeyboardInterrupt):
                screen.discard_typed()


@pytest.mark.parametrize("reply", REPLIES)
def test_replies_of_a_terminal_play_no_card(table: Table, reply: str) -> None:
    assert table.answer(choose(COLOURS), (reply + DOWN, "▶ take green"), (reply + ENTER, "")) == "green"
    assert table.answer(ask(), (f"An{reply}na{reply}", "Name: Anna"), (ENTER, "")) == "Anna"


def test_alt_keys_move_by_words_in_a_field_and_play_no_card(table: Table) -> None:
    assert table.answer(choose(COLOURS), ("\x1bb\x1bq\x1b\r" + DOWN, "▶ take green"), (ENTER, "")) == "green"
    steps = [("one two", "one two"), ("\x1bbA", "one Atwo"), ("\x1bd", "one A\n"), ("\x1b\x7fB", "one B\n")]
    assert table.answer(ask(), *steps, (ENTER, "")) == "one B"


# The mouse


def click(row: int, button: int = 0) -> str:
    return f"\x1b[<{button};6;{row + 1}M\x1b[<{button};6;{row + 1}m"


def test_a_click_points_and_a_click_on_the_pointed_line_chooses() -> None:
    """The felt does nothing, the wheel moves the pointer, and no click opens a hand-over or ends a pause."""
    for table in at_a_table(Size(rows=24, columns=80), Settings(mouse=True)):
        steps = [(click(5), "▶ play 10♣"), (click(12), "▶ play 10♣"), (click(6), "you must follow")]
        steps.append((click(5) + click(4), ""))  # the second click meant the picture that is answered
        assert table.answer(choose(), *steps) == "TC"
        assert table.answer(choose(), (click(4), "")) == "6S"
        steps = [(click(9, 65), "▶ play 10♣"), (click(9, 64) + DOWN, "▶ play 10♣"), (ENTER, "")]
        assert table.answer(choose(), *steps) == "TC"
        steps = [(click(4), "0 ticked"), (click(4), "1 ticked"), (ENTER, "")]
        assert table.answer(tick(), *steps) == ["TC"]

        def opens(screen: FullScreen) -> Any:
            return screen.choose(picture, "your turn", [Offer(True, "Show my hand")], quiet=0.5)

        time.sleep(0.6)
        shut: list[Step] = [("", "▶ Show"), ("", quiet), (click(4), quiet), (click(4), quiet), ("q", "")]
        assert table.answer(opens, *shut) is Key.LEAVE
        rests: list[Step] = [("", "any key"), ("", quiet), (click(4), "any key"), ("q", "")]
        assert table.answer(partial(resting, 60.0), *rests) is Key.LEAVE


def test_without_the_setting_the_mouse_does_nothing(table: Table) -> None:
    assert table.answer(choose(), (click(5) * 2 + DOWN, "▶ play 10♣"), (ENTER, "")) == "TC"


# Pages and rests


LINES = [f"{'D7' if line == 40 else 'line'} {line}" for line in range(100)]
PAGE = Page("", body=lambda width, rows: LINES)


def first(line: str) -> Callable[[str], bool]:
    return lambda text: text.splitlines()[2].strip() == line and "Enter back" in text.splitlines()[-1]


@pytest.mark.parametrize("leave", [ENTER, "\x1b", "q", "?"])
def test_a_page_scrolls_and_is_left(table: Table, leave: str) -> None:
    def show(screen: FullScreen) -> None:
        screen.show(PAGE)

    steps = [("", first("line 0")), (DOWN, first("line 1")), (UP * 3, first("line 0")), (PAGE_DOWN, first("line 19"))]
    steps += [(" ", first("line 38")), (PAGE_UP, first("line 19")), (PAGE_DOWN * 9, first("line 80"))]
    table.answer(show, *steps, (leave, ""))


def test_a_page_opens_where_it_matters(table: Table) -> None:
    def show(start: str) -> Callable[[FullScreen], object]:
        return lambda screen: screen.show(PAGE, start)

    table.answer(show("D7"), ("", first("D7 40")), (ENTER, ""))
    table.answer(show("D99"), ("", first("line 0")), (ENTER, ""))


def quiet(text: str) -> bool:
    """So long after a change that nobody caused keys do nothing."""
    time.sleep(CHANGE_QUIET)
    return True


def test_messages_while_waiting_stay_until_a_key(table: Table) -> None:
    news = threading.Event()
    table.screen.has_news, table.screen.news_every = news.is_set, 0.01

    def wait(screen: FullScreen) -> Any:
        return screen.wait(TABLE, "waiting for Ben", None, SHARED_KEYS)

    table.screen.say("Ben does not agree.")
    ringing = threading.Timer(0.1, news.set)
    ringing.start()
    assert table.answer(wait, ("", "Ben does not agree.")) is Key.NEWS
    ringing.join()
    news.clear()
    assert table.answer(wait, ("", "Ben does not agree."), ("", quiet), ("s", "")) is Key.SHEET
    assert table.answer(wait, ("", lambda text: "Ben does not" not in text), ("", quiet), ("s", "")) is Key.SHEET


def test_a_window_may_become_too_small_while_it_is_drawn() -> None:
    """The size may change at any query of it, during a question or a wait."""
    drawn = Picture(lambda only_new: (), lambda canvas, asked: Painted())
    for late in range(1, 24):
        asked, news = count(), cycle([False, True])
        with (
            create_pipe_input() as pipe,
            FullScreen(
                Words("en"),
                Settings(),
                stdin=stdin_of(pipe),
                output=Window(Size(rows=24, columns=80)),
                size=lambda asked=asked, late=late: Size(24, 80) if next(asked) < late else Size(5, 20),  # type: ignore[misc]
            ) as screen,
        ):
            screen.has_news, screen.news_every = partial(next, news), 0.0
            assert screen.wait(drawn, "waiting for Ben", None, SHARED_KEYS) is Key.NEWS
            assert screen.choose(drawn, "What now?", SOME, SHARED_KEYS) is Key.NEWS


def test_a_question_takes_keys_while_a_hint_is_thought_of(table: Table) -> None:
    """The finished hint ends the question with its key, and the pointer stays where it was."""

    def ask(screen: FullScreen) -> Any:
        return screen.choose(picture, "Which?", COLOURS, state=state, hint=hint)

    def comes(text: str) -> bool:
        hint.set_result(None)
        return True

    hint: Future[None] = Future()
    state = FormState()
    assert table.answer(ask, (DOWN, "▶ take green"), ("", comes)) is Key.HINT
    assert table.answer(ask, ("", "▶ take green")) is Key.HINT
    hint = Future()
    assert table.answer(ask, ("", quiet), (ENTER, "")) == "green"


def test_late_hints_do_not_move_the_pointer(table: Table) -> None:
    """The pointer returns to its place when the typed text is erased."""
    hint: Future[None] = Future()

    def comes(text: str) -> bool:
        if "matches X" in text and not hint.done():
            hint.set_result(None)
        return hint.done()

    def ask(screen: FullScreen) -> Any:
        return screen.choose(picture, "What now?", SOME, state=state, hint=None if hint.done() else hint)

    state = FormState()

    assert table.answer(ask, (DOWN, "▶ play 10♣"), ("X", comes)) is Key.HINT
    assert table.answer(ask, ("", "matches X"), ("", quiet), ("\x1b", "▶ play 10♣"), (ENTER, "")) == "TC"


def test_it_is_asked_for_news_on_every_page(table: Table) -> None:
    """Polling also shows that the terminal is alive. A terminal without polls counts as gone."""
    asked = threading.Event()

    def news() -> bool:
        asked.set()
        return True

    table.screen.has_news = news
    for show in (lambda screen: screen.show(picture), partial(resting, 60.0)):
        asked.clear()
        table.answer(show, ("", lambda text: asked.wait(PATIENCE)), ("", quiet), ("q", ""))


def resting(seconds: float, screen: FullScreen) -> Key | None:
    """Rest for so long, or until a key; the key at the foot that it was."""
    return screen.pause(TABLE, "any key", seconds)  # type: ignore[no-any-return]


def test_a_rest_ends_by_itself_or_with_a_key(table: Table) -> None:
    for keys, seconds, answer in (("x", 60.0, None), (ENTER, 60.0, None), ("q", 60.0, Key.LEAVE), ("", 0.1, None)):
        begun = time.monotonic()
        assert table.answer(partial(resting, seconds), ("", "any key"), ("", quiet), (keys, "")) is answer
        assert time.monotonic() - begun < 30


# Between two questions


def test_what_is_typed_between_two_questions_appears_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    leader, follower = pty.openpty()
    with open(follower, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        before = termios.tcgetattr(terminal)
        size = Size(rows=24, columns=80)
        with FullScreen(Words("en", "durak", ()), Settings(), output=Window(size), size=lambda: size):
            os.write(leader, b"typed ahead")
            assert not select.select([leader], [], [], 0.1)[0], os.read(leader, 1 << 10)
        assert termios.tcgetattr(terminal) == before
    os.close(leader)


# News


def test_pointer_stays_when_the_list_changes(table: Table) -> None:
    keys = {NEWS: Key.NEWS}
    told: list[bool] = []
    table.screen.has_news = lambda: bool(told) and told.pop()

    def ask(screen: FullScreen) -> Any:
        state = FormState()
        assert choose(COLOURS, keys, state=state)(screen) is Key.NEWS
        return choose([Offer("black", "take black"), *COLOURS], keys, state=state)(screen)

    def change(text: str) -> bool:
        told.append(True)
        return True

    def changed(text: str) -> bool:
        return "take black" in text and "▶ take green" in text

    steps: list[Step] = [("TAKE", "▶ take red"), (DOWN, change), ("", changed), ("", quiet), (ENTER, "")]
    assert table.answer(ask, *steps) == "green"


def test_typing_across_a_change_is_dropped() -> None:
    """Keys typed during a change of the picture are not taken for answers to the new one."""
    now = 100.0
    guard = KeyGuard(lambda: now)
    guard.picture_changed(restarts=True)
    for key in "brawn":  # no key of the foot
        now += 0.9 * CHANGE_QUIET
        assert guard.admit([KeyPress(key)]) == []
    now += 1.1 * CHANGE_QUIET
    assert guard.admit([KeyPress("r")]) == [KeyPress("r")]
    now += 0.1
    assert guard.admit([KeyPress("u")]) == [KeyPress("u")]


@pytest.mark.parametrize(
    ("every", "opens_at"), [(0.36, 2), (0.31, 2), (0.2, None), (0.6, 1), (0.29, None), (0.04, None)]
)
def test_a_hand_over_cannot_be_hammered_shut(every: float, opens_at: int | None) -> None:
    """Enter opens it half a second after its appearing, unless it follows another key too soon."""
    now, ignored = 100.0, []
    guard = KeyGuard(lambda: now)
    guard.on_ignore = lambda: ignored.append(now)
    guard.new_question(quiet=0.5)
    opened = None
    for press in range(1, 12):
        now += every
        if guard.admit([KeyPress(Keys.ControlM, "\r")]):
            opened = press
            break
        now += REPEAT_GAP
        if guard.release():
            opened = press
            break
        now -= REPEAT_GAP
    assert opened == opens_at
    assert len(ignored) == (opens_at or 12) - 1


def test_a_hand_over_says_that_it_is_shut_until_it_is_not(table: Table) -> None:
    def ask(screen: FullScreen) -> Any:
        return screen.choose(picture, "Ben, it is your turn", [Offer(True, "Show my hand")], quiet=0.5)

    steps: list[Step] = [(ENTER, "a moment …"), ("", lambda text: "a moment" not in text), (ENTER, "")]
    assert table.answer(ask, *steps) is True


def test_a_key_of_the_foot_that_comes_too_early_waits() -> None:
    now = 100.0
    guard = KeyGuard(lambda: now)
    guard.new_question(quiet=0.5)
    now += 0.2
    assert guard.admit([KeyPress("h"), KeyPress("h"), KeyPress("a"), KeyPress("ｌ"), KeyPress(Keys.Enter)]) == []
    now += guard.seconds_until_due() - 0.1
    assert guard.release() == []
    guard.picture_changed()
    now += guard.seconds_until_due()
    assert guard.release() == [KeyPress("h"), KeyPress("ｌ")]
    assert guard.release() == []


def test_early_foot_keys_act_later(table: Table) -> None:
    """A foot key pressed too early takes effect once the picture could be seen."""
    table.screen.discard_typed()  # from now on keys come too early
    assert table.answer(choose(), ("h" + ENTER, "")) is Key.HINT
    table._pipe.send_text("h" + ENTER + "h")
    table.screen.discard_typed()
    assert table.answer(choose()) is Key.HINT


@pytest.mark.parametrize("key", [ENTER, "a"])
def test_a_doubled_key_answers_one_question(table: Table, key: str) -> None:
    """A key pressed twice and read once, as over a slow line, leaves the next question open."""
    offers = [Offer(colour, f"take {colour}", (), colour[0]) for colour in ("amber", "blue")]
    assert table.answer(choose(offers), (key * 2, "")) == "amber"
    assert table.answer(choose(offers), ("", "▶ take amber"), ("b", "")) == "blue"
    assert table.answer(choose(offers), (ENTER + DOWN + ENTER, "")) == "amber"
    assert table.answer(choose(offers)) == "blue", "other keys typed ahead count"


@pytest.mark.parametrize("key", [Keys.Backspace, Keys.ControlU])
def test_wrong_letters_on_a_hand_over_vanish(key: Keys) -> None:
    now = 100.0
    guard = KeyGuard(lambda: now)
    guard.new_question(quiet=0.5)
    now += 2
    assert guard.admit([KeyPress("x")]) == [KeyPress("x")]
    now += 0.1
    assert guard.admit([KeyPress(key)]) == [KeyPress(key)]
    assert guard.admit([KeyPress(Keys.Enter)]) == []


def test_whoever_presses_no_key_for_long_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a minute, of which a thousandth passes here."""
    watch, asked, left = FullScreen._watch_for_absence, list[float](), list[str]()

    def watch_shortly(screen: FullScreen, seconds: float) -> None:
        asked.append(seconds)
        watch(screen, seconds / 1000)

    monkeypatch.setattr(FullScreen, "_watch_for_absence", watch_shortly)
    for table in at_a_table(Size(rows=24, columns=80), Settings(hide_after=1)):
        table.screen.on_away = lambda: left.append("away")
        assert choose()(table.screen) is Key.AWAY
    assert (left, asked) == (["away"], [60.0])


# The window


@pytest.mark.parametrize("key", [Keys.ControlC, Keys.ControlZ])
def test_hiding_a_hand_needs_no_wait(key: Keys) -> None:
    guard = KeyGuard(lambda: 100.0)
    guard.new_question(quiet=0.5)
    press = KeyPress(key)
    assert guard.admit([KeyPress("a"), press, KeyPress(Keys.Enter), press]) == [press, press]


def test_small_windows_drop_held_keys(table: Table) -> None:
    """The key that answered the question before would count a moment later, when the window is large again."""

    def becomes(columns: int, rows: int) -> Callable[[str], bool]:
        def resize(text: str) -> bool:
            table.resize(columns, rows)
            return True

        return resize

    def some_time(text: str) -> bool:
        time.sleep(3 * REPEAT_GAP)
        return True

    def ask(screen: FullScreen) -> tuple[Any, Any]:
        return choose()(screen), choose()(screen)

    steps: list[Step] = [(ENTER, becomes(20, 5)), (ENTER, becomes(80, 24)), ("", some_time), (DOWN + ENTER, "")]
    assert table.answer(ask, *steps) == ("6S", "TC")


def test_a_small_window_ignores_keys_until_it_is_larger(table: Table) -> None:
    """No key has an effect on a question that cannot be seen, except Ctrl-C."""

    def smaller(text: str) -> bool:
        return "40×10" in text and "60×20" in text and " table " in text.replace("\n", " ")

    def grow(text: str) -> bool:
        table.resize(80, 24)
        return True

    for ask_, value in ((choose(), "6S"), (tick(), []), (ask("Ben"), "Ben")):
        table.resize(40, 10)
        steps: list[Step] = [("", smaller), (DOWN + ENTER + "qx " + ENTER, smaller), ("", grow), (ENTER, "")]
        assert table.answer(ask_, *steps) == value
    table.resize(40, 10)
    with pytest.raises(KeyboardInterrupt):
        table.answer(choose(), (CTRL_C, ""))


def test_nothing_is_left_when_the_screen_is_left() -> None:
    for table in at_a_table(Size(rows=24, columns=80)):
        table.answer(choose(), (ENTER, ""))
        window = table.window
    assert "play" not in window.text


# Signals


class Dying:
    """Something whose end comes together with a signal; what is raised there Python throws away."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


def dying_body(width: int, rows: int) -> list[str]:
    Dying()
    return []


def sit(*acts: Callable[[Table], Any]) -> None:
    """Do one thing after the other at a table."""
    with contextmanager(at_a_table)(Size(rows=24, columns=80)) as table:
        for act in acts:
            act(table)


def test_a_signal_in_a_finalizer_ends_it() -> None:
    with pytest.raises(SystemExit, match="143"):
        sit(lambda table: table.screen.choose(Page("the table", body=dying_body), "What now?", SOME))


@pytest.mark.parametrize(
    ("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit), (signal.SIGHUP, SystemExit)]
)
def test_a_signal_between_two_questions_ends_the_next(number: signal.Signals, error: type[BaseException]) -> None:
    asked: list[Table] = []
    with pytest.raises(error):
        sit(lambda table: signal.raise_signal(number), asked.append, lambda table: choose()(table.screen))
    assert asked


def test_a_signal_after_the_last_question_is_not_lost() -> None:
    with pytest.raises(SystemExit, match="143"):
        sit(lambda table: table.answer(choose(), (ENTER, "")), lambda table: signal.raise_signal(signal.SIGTERM))


def test_every_signal_is_what_it_was_after_the_screen() -> None:
    before = [signal.getsignal(number) for number in (*ENDING_SIGNALS, signal.SIGTSTP)]
    with contextmanager(at_a_table)(Size(rows=24, columns=80)) as table:
        table.answer(choose(), (ENTER, ""))
        assert [signal.getsignal(number) for number in (*ENDING_SIGNALS, signal.SIGTSTP)] != before
    assert [signal.getsignal(number) for number in (*ENDING_SIGNALS, signal.SIGTSTP)] == before


@pytest.mark.parametrize("offers", [SOME, [Offer(True, "yes"), Offer(False, "no")]], ids=["cards", "words"])
def test_the_cursor_stands_in_the_line_where_one_types(table: Table, offers: list[Offer]) -> None:
    """An input method composes at the cursor, even on an empty line of a question without cards, where it is hidden."""

    def stands(x: int, is_hidden: bool) -> Callable[[str], bool]:
        cursor = table.window.screen.cursor
        return lambda text: "What now?" in text and (cursor.x, cursor.y, cursor.hidden) == (x, 22, is_hidden)

    typing = [("1", stands(4, False)), (BACKSPACE, stands(3, True))] if offers is SOME else []
    table.answer(
        lambda screen: screen.choose(picture, "What now?", offers), ("", stands(3, True)), *typing, (ENTER, "")
    )


def test_a_terminal_that_goes_before_the_first_screen_is_the_end_of_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not an error of the program: a guest's line can drop at any moment."""
    master, slave = pty.openpty()
    before = [signal.getsignal(number) for number in ENDING_SIGNALS]
    with os.fdopen(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        screen = FullScreen(Words("en"), Settings(), output=StringIO(), size=lambda: Size(rows=24, columns=80))
        os.close(master)
        with pytest.raises(EOFError), screen:
            pass
    assert [signal.getsignal(number) for number in ENDING_SIGNALS] == before
