"""Lessons: as suggested, at random, line by line, in the smallest window, in both languages."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from rich.text import Text

from cardgames.bots import choose_by_trying
from cardgames.engine import record
from cardgames.engine.game import CHANCE, GAMES, Action, Observation
from cardgames.texts import LANGUAGES, lesson, messages, template
from cardgames.ui import lesson as lessons
from cardgames.ui.lesson import LEARNER, TERMS, Lesson, Script, TakenBack, script
from cardgames.ui.screens.choice_form import picture_rows
from cardgames.ui.screens.question import Draw, Offer
from cardgames.ui.settings import Settings
from tests.ui.terminal import DOWN, ENTER, POINTER, SPACE, Terminal, play_to_the_end

BAR = " ┃ "
SUGGESTED = {language: template(language, None, "lesson.suggested").removesuffix("{text}") for language in LANGUAGES}
KEPT_ROWS = 3
"""How many lines of answers there are room for at least."""


def common(language: str, key: str) -> str:
    return template(language, None, key)


# The scripts and the texts


@pytest.mark.parametrize("game", GAMES)
def test_every_script_replays_and_says_something_of_each_choice_of_the_learner(game: str) -> None:
    lines = lesson(game).encode().splitlines()
    header, _, plies = record.read(lines)
    number = len(list(plies))
    assert header.game == game
    assert [key for key in json.loads(lines[0]) if key == "names"] == []
    steps = script(game).steps
    assert len(steps) == number - 1
    assert [step.act for step in steps if (step.by == LEARNER) != bool(step.say)] == []
    assert len({step.say for step in steps}) > len([step for step in steps if step.by == LEARNER]) * 0.7


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_text_is_there_and_is_said(game: str, language: str) -> None:
    found = messages(language, f"learn_{game}")
    said = {step.say for step in script(game).steps if step.say}
    assert said <= set(found)
    rest = set(found) - said
    assert {"intro.aim", "intro.cards", "outro"} <= rest
    assert {key for key in rest if not key.startswith("ask.")} == {"intro.aim", "intro.cards", "outro"}
    asked = set(messages(language, game))
    phases = {step.phase for step in script(game).steps if step.by == LEARNER}
    assert {key for key in rest if key.startswith("ask.")} <= asked | {f"ask.{phase}" for phase in phases}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_text_names_only_cards_that_are_there(game: str, language: str) -> None:
    """What explains a step of the script names cards and suits, and nothing that the question would have to know."""
    for key, text in messages(language, f"learn_{game}").items():
        names = {name for _, name, _, _ in Formatter().parse(text) if name}
        if not key.startswith("ask."):
            assert names <= set(TERMS), key


@pytest.mark.parametrize("game", GAMES)
def test_the_languages_name_the_same_cards(game: str) -> None:
    """A card named in one language is named in the other, or at least lies in sight: nothing is named wrongly."""
    in_hand: dict[str, set[str]] = {}
    taught = script(game)
    state = taught.game.start()
    seen: set[int] = set()
    for step in taught.steps:
        view = taught.game.observation(state, LEARNER)
        seen |= set(getattr(view, "hand", ()))
        if step.say:
            in_hand[step.say] = {name for name, card in TERMS.items() if card in seen}
        action = taught.game.parse(step.act)
        if step.by != CHANCE:
            seen |= set(action.cards)
        state = taught.game.apply(state, action)
    for language in LANGUAGES:
        for key, text in messages(language, f"learn_{game}").items():
            if key in in_hand:
                named = {name for _, name, _, _ in Formatter().parse(text) if name and name.endswith("_card")}
                unseen = named - in_hand[key]
                assert unseen <= ALLOWED_UNSEEN.get((game, key), set()), (key, unseen)


ALLOWED_UNSEEN = {
    ("kakeya", "trump"): {"CA_card", "SA_card"},
    ("fipsen", "draw_trumps"): {"HJ_card", "H8_card"},
    ("fipsen", "third"): {"H8_card"},
    ("fipsen", "go_on"): {"H8_card"},
    ("fipsen", "last_trump"): {"H8_card"},
}
"""Cards that are named although the learner has not seen them: because nobody has."""


# Whole lessons without a terminal


class Sat:
    """A screen on which somebody chooses as they are told, and which looks at every picture."""

    def __init__(self, choose: Callable[[Sequence[Offer], str], Any], columns: int = 60, rows: int = 20) -> None:
        self._chosen = choose
        self._size = Size(rows, columns)
        self.asked: list[tuple[str, str]] = []
        """Each question with the picture above it."""

    def forget_typed(self) -> None:
        """Nothing has been typed."""

    def rest(self, draw: Draw, foot: str, seconds: float) -> None:
        self._look(draw, 1)

    def show(self, draw: Draw, foot: str, start: str = "") -> None:
        draw(self._size.columns, 1 << 16)

    def choose(self, draw: Draw, question: str, offers: Sequence[Offer], *more: object) -> Any:
        picture = self._look(draw, len(offers))
        self.asked.append((question, picture))
        return self._chosen([offer for offer in offers if not offer.refused], picture)

    def tick(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        check: Callable[[list[Any]], str | None],
        *more: object,
    ) -> Any:
        picture = self._look(draw, len(offers))
        self.asked.append((question, picture))
        rng = random.Random(len(self.asked))
        while True:
            ticked = [offer.value for offer in offers if rng.random() < 0.4]
            if check(ticked) is None:
                return ticked

    def _look(self, draw: Draw, answers: int) -> str:
        """The picture, which fits and leaves room for some answers."""
        picture = Text.from_ansi(draw(self._size.columns, picture_rows(self._size, answers, 1))).plain
        lines = picture.splitlines()
        assert len(lines) <= self._size.rows - 4 - min(answers, KEPT_ROWS), picture
        assert max(Text(line).cell_len for line in lines) <= self._size.columns, picture
        return picture


def at_random(seed: int) -> Callable[[Sequence[Offer], str], Any]:
    rng = random.Random(seed)
    return lambda offers, picture: rng.choice(offers).value


SEEDS = {"durak": 8, "truc": 20, "kakeya": 2, "fipsen": 10, "zetema": 4}


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game in GAMES for seed in range(SEEDS[game])])
def test_whoever_departs_from_the_script_is_told_of_each_question(game: str, seed: int) -> None:
    language = LANGUAGES[seed % 2]
    screen = Sat(at_random(seed))
    given: Any = Lesson(screen, script(game), Settings(language=language, fast=True))  # type: ignore[arg-type]
    given.welcome()
    given.teach()
    given.once_more()
    explained = [picture for _, picture in screen.asked]
    assert all(BAR in picture for picture in explained)
    own_way = [common(language, "lesson.own_way") in picture for picture in explained]
    assert any(own_way) or SUGGESTED[language] in explained[-2]
    dealt = [step.act for step, _ in given._past if step.by == CHANCE]
    assert dealt == [step.act for step in script(game).steps if step.by == CHANCE]


@pytest.mark.parametrize("game", GAMES)
def test_the_others_choose_from_what_their_seats_know(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Observation] = []

    def look(played: Any, observation: Observation, rng: random.Random) -> Action:
        asked.append(observation)
        assert observation.to_act == observation.seat != LEARNER
        return choose_by_trying(played, observation, rng, 10)

    monkeypatch.setattr(lessons, "choose_by_trying", look)
    screen: Any = Sat(lambda offers, picture: offers[0].value)
    given = Lesson(screen, script(game), Settings(fast=True))
    given.teach()
    assert asked


@pytest.mark.parametrize("game", GAMES)
def test_one_who_guesses_chooses_alike_whatever_is_hidden(game: str) -> None:
    taught = script(game)
    state = taught.game.start()
    for step in taught.steps:
        if step.by > LEARNER:
            seen = taught.game.observation(state, step.by)
            other = taught.game.resample(seen, random.Random(1))
            chosen = [
                choose_by_trying(taught.game, taught.game.observation(each, step.by), random.Random(2), 5)
                for each in (state, other)
            ]
            assert chosen[0] == chosen[1]
        state = taught.game.apply(state, taught.game.parse(step.act))


def test_a_choice_is_taken_back_to_the_script() -> None:
    taught: Script = script("durak")
    screen: Any = Sat(lambda offers, picture: next(offer.value for offer in offers if "9♦" in offer.text))
    with pytest.raises(StopIteration):
        Lesson(screen, taught, Settings(fast=True)).teach()
    played = [taught.game.parse(step.act) for step in taught.steps[:1]]
    given = Lesson(screen, taught, Settings(fast=True), [*played, taught.game.parse("9D")])
    assert given._step() is None
    with pytest.raises(TakenBack) as back:
        given._undo(LEARNER)
    assert back.value.actions == played
    assert Lesson(screen, taught, Settings(fast=True), back.value.actions)._step() == taught.steps[1]


# In a terminal


def suggested(screen: str) -> str:
    """What the explanation suggests, in its last lines."""
    bars = "\n".join(line.removeprefix(BAR) for line in screen.splitlines() if line.startswith(BAR))
    return next(bars.rpartition("\n" + said)[2] for said in SUGGESTED.values() if "\n" + said in bars)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def point_at(terminal: Terminal, wanted: str) -> bool:
    """Move the pointer to the answer that says this; whether there is one."""
    for _ in range(50):
        pointed = next(line for line in terminal.text.splitlines() if line.startswith(f" {POINTER} "))
        said = squeezed(pointed.removeprefix(f" {POINTER} "))
        if said == squeezed(wanted) or (said.endswith("…") and squeezed(wanted).startswith(said.removesuffix("…"))):
            return True  # in the smallest window a long line is cut
        terminal.press_and_wait(DOWN)
    return False


def find(terminal: Terminal, typed: str) -> None:
    terminal.press(typed)
    terminal.wait(lambda screen: "▏" in screen, f"what was typed: {typed}")


def follow(terminal: Terminal, act: str) -> None:
    """Do what is suggested."""
    wanted = suggested(terminal.text)
    word, _, rest = act.partition(" ")
    if word == "discard":
        for card in rest.split():
            find(terminal, card)
            terminal.press_and_wait(SPACE)
        terminal.press_and_wait(ENTER)
    elif word == "sequence":  # shown first, and then the card is asked for
        terminal.press_and_wait(ENTER)
        find(terminal, rest)
        terminal.press_and_wait(ENTER)
    else:
        assert point_at(terminal, wanted), f"{wanted} is not offered\n{terminal.text}"
        terminal.press_and_wait(ENTER)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_as_suggested_in_the_smallest_window(tmp_path: Path, game: str, language: str) -> None:
    """The explanation, the question and answers are all in sight, to the end, which says how to go on."""
    arguments = ("--language", language, "learn", game, "--fast")
    with Terminal(tmp_path, *arguments, columns=60, rows=20) as terminal:
        terminal.wait_for(common(language, "lesson.ask_begin"), common(language, "lesson.player_1"))
        terminal.press_and_wait(ENTER)
        for step in script(game).steps:
            if step.by != LEARNER:
                continue
            lines = terminal.text.splitlines()
            bars = [place for place, line in enumerate(lines) if line.startswith(BAR)]
            assert step.say
            assert squeezed(messages(language, f"learn_{game}")[step.say][:8].split("{")[0]) in squeezed(
                "".join(lines[place].removeprefix(BAR) for place in bars)
            )
            assert lines[0].startswith(" ")
            assert lines[bars[-1] + 1 : bars[-1] + 3] != ["", ""]
            assert lines[-1].startswith(" ?")
            assert any(line.startswith(f" {POINTER} ") for line in lines)
            follow(terminal, step.act)
        terminal.wait_for(common(language, "lesson.ask_again"))
        assert f"cardgamesplay{game}" in squeezed(terminal.text).replace("┃", "")
        terminal.press(ENTER)
        assert terminal.ended() == 0
        said = squeezed(terminal.text)  # lines wrap again after the table
        assert f"cardgamesplay{game}" in said
        assert f"cardgamesrules{game}" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_at_random(tmp_path: Path, game: str) -> None:
    with Terminal(tmp_path, "learn", game, "--fast") as terminal:
        assert play_to_the_end(terminal, seed=len(game), again=common("en", "lesson.ask_again")) > 2
        terminal.press_and_wait(DOWN)
        terminal.press_and_wait(ENTER)
        terminal.wait_for(common("en", "lesson.ask_begin"))
    assert list(tmp_path.iterdir()) == []


def test_the_table_rests_at_the_end_of_a_trick_until_a_key(tmp_path: Path) -> None:
    with Terminal(tmp_path, "learn", "truc") as terminal:
        terminal.wait_for(common("en", "lesson.begin"))
        terminal.press_and_wait(ENTER)
        steps = [step.act for step in script("truc").steps if step.by == LEARNER]
        for act in steps[:2]:
            follow(terminal, act)
        assert point_at(terminal, suggested(terminal.text))
        terminal.press(ENTER)
        rested = terminal.wait_for("Ann won the trick with 8♦", common("en", "any_key"))
        assert POINTER not in rested
        assert "K♠" in rested
        terminal.press_and_wait(" ")
        terminal.wait_for("propose to double")


def test_the_keys_at_the_foot(tmp_path: Path) -> None:
    with Terminal(tmp_path, "learn", "durak", "--fast") as terminal:
        terminal.wait_for(common("en", "lesson.begin"))
        table = terminal.press_and_wait(ENTER)
        terminal.press("?")
        assert "D3" in terminal.wait_for("Enter back")
        assert terminal.press_and_wait(ENTER) == table
        for key, said in (("s", "Cards"), ("l", "was turned up"), ("u", "no choice that can still be taken back")):
            terminal.press(key)
            terminal.wait_for(said, "Enter back")
            assert terminal.press_and_wait(ENTER) == table
        find(terminal, "9d")
        terminal.press_and_wait(ENTER)
        assert common("en", "lesson.own_way") in terminal.text
        assert "Try:" not in terminal.text
        assert terminal.press_and_wait("u") == table
        terminal.press("q")
        assert terminal.ended() == 0
        assert "Nothing of this was kept" in terminal.text
    assert list(tmp_path.iterdir()) == []


def test_q_may_be_the_first_letter_of_a_queen(tmp_path: Path) -> None:
    with Terminal(tmp_path, "learn", "zetema", "--fast") as terminal:
        terminal.wait_for(common("en", "lesson.begin"))
        terminal.press_and_wait(ENTER)
        terminal.press("q")
        terminal.wait_for(common("en", "lesson.leave_ask"))
        terminal.press_and_wait("s")
        assert f"{POINTER} play Q♠" in terminal.text
        terminal.press_and_wait("\x1b")
        terminal.press("q")
        terminal.wait_for(common("en", "lesson.leave_ask"))
        terminal.press("q")
        assert terminal.ended() == 0


@pytest.mark.parametrize(("game", "language"), [*zip(GAMES, ("en", "ja", "ja", "en", "en"), strict=True)])
def test_line_by_line(tmp_path: Path, game: str, language: str) -> None:
    """Nothing moves the cursor, and what is suggested can be typed."""
    prompt = common(language, "plain_prompt")
    arguments = ("--language", language, "--plain", "learn", game)
    with Terminal(tmp_path, *arguments, columns=100, rows=200) as terminal:
        terminal.wait_for(common(language, "lesson.begin"), prompt.strip())
        for step in [None, *[step for step in script(game).steps if step.by == LEARNER]]:
            answers = [""] if step is None else [step.act]
            if step and step.act.startswith(("sequence", "discard")):
                word, _, cards = step.act.partition(" ")
                answers = ["1", cards] if word == "sequence" else [cards]
            for answer in answers:
                asked = terminal.output.count(prompt)
                terminal.press(answer + ENTER)
                terminal.wait(lambda screen, asked=asked: terminal.output.count(prompt) > asked, f"after {answer}")
        assert common(language, "lesson.ask_again") in terminal.text
        assert "\x1b" not in terminal.output  # nobody else is there, so nothing is cleared
        assert "┃" not in terminal.output
        terminal.press("1" + ENTER)
        assert terminal.ended() == 0


def test_the_menu_offers_lessons(tmp_path: Path) -> None:
    with Terminal(tmp_path) as terminal:
        terminal.wait_for("Learn a game")
        assert point_at(terminal, "Learn a game")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("Durak")
        terminal.press(ENTER)
        terminal.wait_for("You are Ann")
        terminal.press("q")
        terminal.wait_for("Learn a game", "Leave")


@pytest.mark.parametrize("argument", ["chess", "durak"])
def test_what_cannot_be_given_is_refused(tmp_path: Path, argument: str) -> None:
    """A game that there is not, and a lesson without a terminal."""
    run = subprocess.run(
        [sys.executable, "-m", "cardgames", "learn", argument],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "CARDGAMES_HOME": str(tmp_path), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert "chess" in run.stderr if argument == "chess" else "terminal" in run.stderr
