"""Lessons: as suggested, at random, line by line, in the smallest window, in both languages."""

import json
import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path
from string import Formatter

import pytest

from cardgames.bots import module_of
from cardgames.engine import record
from cardgames.engine.game import CHANCE, OFFERED, Action, Event, Observation, game_class
from cardgames.engine.record import Header
from cardgames.layout.question import Question
from cardgames.store import Store
from cardgames.texts import LANGUAGES, lesson, messages, template
from cardgames.ui.messages import TERMS
from cardgames.ui.screens.forms import SMALLEST
from cardgames.ui.screens.offers import Drawing, Page, Picture
from cardgames.ui.session.lesson import LEARNER, Lesson, Script, load_script
from cardgames.ui.settings import Settings
from tests.ui.pictures import painted
from tests.ui.terminal import DOWN, ENTER, Terminal

SUGGESTED = {language: template(language, None, "lesson.suggested").removesuffix("{text}") for language in LANGUAGES}
NOTE = "▎ "
"""What stands before each line of an explanation in a terminal."""


def common(language: str, key: str) -> str:
    return template(language, None, key)


SKIPPING = ("durak",)
"""The games in whose lessons the program plays some bouts for the learner."""


# The scripts and the texts


@pytest.mark.parametrize("game", OFFERED)
def test_lessons_comment_on_every_choice(game: str) -> None:
    """Every script replays and says something of each choice of the learner."""
    lines = lesson(game).encode().splitlines()
    header, _, plies = record.read(lines)
    number = len(list(plies))
    assert header.game == game
    assert [key for key in json.loads(lines[0]) if key == "names"] == []
    steps = load_script(game).lines
    assert len(steps) == number - 1
    assert [step.act for step in steps if step.say and step.by != LEARNER] == []
    own = [step for step in steps if step.by == LEARNER]
    assert len({step.say for step in steps}) > len(own) * (0.5 if game in SKIPPING else 0.7)
    changes = [bool(one.say) != bool(other.say) for one, other in pairwise(own)]
    assert sum(changes) == (2 if game in SKIPPING else 0), "what is not explained is one piece in the middle"


def explanations(language: str, game: str) -> dict[str, str]:
    """The texts of a lesson by the names that its record has for them."""
    found = messages(language, game).items()
    return {key.removeprefix("learn."): text for key, text in found if key.startswith("learn.")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OFFERED)
def test_every_text_is_there_and_is_said(game: str, language: str) -> None:
    found = explanations(language, game)
    said = {step.say for step in load_script(game).lines if step.say}
    assert said <= set(found)
    rest = set(found) - said
    assert {"intro.aim", "intro.cards", "outro"} <= rest
    assert {key for key in rest if not key.startswith("ask.")} == {"intro.aim", "intro.cards", "outro"}
    asked = set(messages(language, game)) | set(messages(language, "common"))
    phases = {step.phase for step in load_script(game).lines if step.by == LEARNER}
    explained = {key.removesuffix(".trumps") for key in rest if key.startswith("ask.")}
    assert explained <= asked | {f"ask.{phase}" for phase in phases}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OFFERED)
def test_a_text_names_only_cards_that_are_there(game: str, language: str) -> None:
    """The text of a step names cards and suits, and nothing that the question would have to know."""
    for key, text in explanations(language, game).items():
        names = {name for _, name, _, _ in Formatter().parse(text) if name}
        if not key.startswith("ask."):
            assert names <= set(TERMS), key


@pytest.mark.parametrize("game", OFFERED)
def test_the_languages_name_the_same_cards(game: str) -> None:
    """A card named in one language is named in the other, or at least lies in sight: nothing is named wrongly."""
    in_hand: dict[str, set[str]] = {}
    taught = load_script(game)
    state = taught.game.start()
    seen: set[int] = set()
    for step in taught.lines:
        view = taught.game.observation(state, LEARNER)
        seen |= set(getattr(view, "hand", ()))
        if step.say:
            in_hand[step.say] = {name for name, card in TERMS.items() if card in seen}
        action = taught.game.parse(step.act)
        if step.by != CHANCE:
            seen |= set(action.cards)
        state = taught.game.apply(state, action)
    for language in LANGUAGES:
        for key, text in explanations(language, game).items():
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


class Pupil:
    """A learner who chooses as they are told, and looks at every picture in the smallest window."""

    def __init__(self, lesson: Lesson, choose: Callable[[Observation, Question, str], Action]) -> None:
        self._lesson = lesson
        self._choose = choose
        self.pictures: list[str] = []

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action:
        question = self._lesson.question(observation)
        return self._choose(observation, question, self.look(self._lesson.question_picture(observation)))

    def consents(self, seat: int, count: int) -> bool:
        raise AssertionError("nobody takes anything back")

    def look(self, draw: Drawing) -> str:
        """What stands under the table, all of it in sight."""
        text = "\n".join([draw.title, *draw.lines] if isinstance(draw, Page) else draw.asked.note)
        if isinstance(draw, Picture):
            canvas = painted(draw, SMALLEST.columns, SMALLEST.rows, draw.asked)
            shown = "".join([cell for row in canvas.rows for cell, _ in row])
            assert {*"".join(text.split())} <= {*shown}, shown
        self.pictures.append(text)
        return text


def at_random(seed: int) -> Callable[[Observation, Question, str], Action]:
    """Chooses among what is offered, as if by random keys."""
    rng = random.Random(seed)

    def choose(observation: Observation, question: Question, picture: str) -> Action:
        while True:
            if question.picks:
                made = question.combine([pick.value for pick in question.picks if rng.random() < 0.4])
                if isinstance(made, Action):
                    return made
            else:
                offered: list[Action | Question] = [*question.actions]
                chosen = rng.choice(offered + [further for _, further in question.further])
                if isinstance(chosen, Action):
                    return chosen
                question = chosen

    return choose


def first(observation: Observation, question: Question, picture: str) -> Action:
    return observation.legal[0]


SEEDS = 4
"""How many ways to depart from each script are tried."""


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for game in OFFERED for seed in range(SEEDS)])
def test_whoever_departs_from_the_script_is_told_of_each_question(game: str, seed: int) -> None:
    language = LANGUAGES[seed % 2]
    lesson = Lesson(load_script(game), Settings(language=language))
    pupil = Pupil(lesson, at_random(seed))
    pupil.look(lesson.welcome())
    lesson.teach(pupil)
    pupil.look(lesson.summary())
    assert all(pupil.pictures)
    own_way = [common(language, "lesson.own_way") in picture for picture in pupil.pictures]
    assert any(own_way) or SUGGESTED[language] in pupil.pictures[-2]
    dealt = [step.action.text for step in lesson.match.steps if step.by == CHANCE]
    assert dealt == [line.act for line in load_script(game).lines if line.by == CHANCE]


@pytest.mark.parametrize("game", OFFERED)
def test_the_others_choose_from_what_their_seats_know(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Observation] = []

    taught = load_script(game)
    by_rule = module_of(taught.game).by_rule

    def look(observation: Observation, rng: random.Random) -> Action:
        asked.append(observation)
        assert observation.to_act == observation.seat != LEARNER
        chosen: Action = by_rule(observation, rng)
        return chosen

    monkeypatch.setattr(module_of(taught.game), "by_rule", look)
    lesson = Lesson(taught, Settings())
    lesson.teach(Pupil(lesson, first))
    assert asked


ANSWERS = {"6S": "7S>6S", "9D": "TD>9D", "JH": "AH>JH"}
"""How Ben answers attacks that the lesson does not suggest: with the lowest card that will do."""


def test_the_other_does_not_give_up_after_one_departure() -> None:
    """In Durak every low card is beaten that can be beaten cheaply, however the learner attacks."""
    taught = load_script("durak")
    deal = (taught.lines[0].by, taught.lines[0].act)
    for attack, answer in ANSWERS.items():
        lesson = Lesson(taught, Settings(), [deal, (LEARNER, attack)])
        assert lesson.match.to_act == 2
        assert lesson.program_action() == lesson.match.game.parse(answer)


@pytest.mark.parametrize("game", OFFERED)
def test_the_pointer_stays_at_the_suggestion_when_the_hand_is_sorted(game: str) -> None:
    taught = load_script(game)
    place, line = next((place, line) for place, line in enumerate(taught.lines) if line.say)
    lesson = Lesson(taught, Settings(), [(line.by, line.act) for line in taught.lines[:place]])
    lesson.set_up(Settings(sort="rank"))
    question = lesson.question(lesson.match.observation(LEARNER))
    suggested = lesson.match.game.parse(line.act)
    firsts = [question.preselected, *[further.preselected for _, further in question.further]]
    assert suggested in firsts


def test_a_choice_taken_back_leads_back_to_the_script() -> None:
    taught: Script = load_script("durak")
    deal = (taught.lines[0].by, taught.lines[0].act)
    strayed = Lesson(taught, Settings(), [deal, (LEARNER, "9D")])
    assert strayed.next_line is None
    again = Lesson(taught, Settings(), [deal])
    assert again.next_line == taught.lines[1]


def test_lesson_moves_cause_no_pause() -> None:
    """The table does not rest where the program plays for the learner."""
    taught = load_script("durak")
    lesson = Lesson(taught, Settings(), [(line.by, line.act) for line in taught.lines])
    plies = [ply for ply, line in enumerate(taught.lines, 1) if line.by == LEARNER and not line.say]
    first, last = plies[0], plies[-1]
    rests = [step.ply for step in lesson.match.steps if lesson.pauses_after(step)]
    assert not [ply for ply in rests if first - 1 <= ply <= last]
    assert [ply for ply in rests if ply < first - 1]
    assert [ply for ply in rests if ply > last]


# In a terminal


def suggested(screen: str) -> str:
    """The move that the explanation suggests in its last lines."""
    bars = "\n".join(line.removeprefix(NOTE) for line in screen.splitlines() if line.startswith(NOTE))
    return next(bars.rpartition("\n" + said)[2] for said in SUGGESTED.values() if "\n" + said in bars)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def find(terminal: Terminal, typed: str) -> None:
    terminal.press(typed)
    terminal.wait(lambda screen: "▏" in screen, f"what was typed: {typed}")


def is_pointed_at(terminal: Terminal, act: str, language: str) -> bool:
    """Whether the pointer is on what is suggested, or on what leads to it."""
    said, wanted = squeezed(terminal.pointed), squeezed(suggested(terminal.text))
    if act.startswith("sequence"):
        wanted = squeezed(template(language, "zetema", "show.sequence").partition("{")[0])
        return said.startswith(wanted)
    if act.startswith("bid"):  # asked in two steps, of which the first is for the number of tricks
        return re.findall(r"\d", said)[:1] == re.findall(r"\d", wanted)[:1]
    return said == wanted or (said.endswith("…") and wanted.startswith(said.removesuffix("…")))


AGAIN = tuple(common(language, "confirm").partition("{")[0] for language in LANGUAGES)
"""How a screen begins to ask once more."""


def follow(terminal: Terminal, act: str) -> None:
    """Do what is suggested."""
    word, _, rest = act.partition(" ")
    if word == "sequence":  # shown first, and then the card is asked for
        terminal.press_and_wait(ENTER)
        find(terminal, rest)
        terminal.press_and_wait(ENTER)
    else:
        screen = terminal.press_and_wait(ENTER)  # the pointer is there already
        if word == "bid" or any(again in screen for again in AGAIN):
            terminal.press_and_wait(ENTER)


@pytest.mark.parametrize(("game", "language"), [*zip(OFFERED, cycle(LANGUAGES), strict=False)])
def test_a_lesson_as_suggested_in_the_smallest_window(tmp_path: Path, game: str, language: str) -> None:
    """The explanation, the question and answers are all in sight, to the end, which says how to go on."""
    arguments = ("--language", language, "learn", game, "--fast")
    with Terminal(tmp_path, *arguments, columns=60, rows=20) as terminal:
        terminal.wait_for(common(language, "lesson.ask_begin"), common(language, "lesson.players").split()[0])
        terminal.press_and_wait(ENTER)
        for step in load_script(game).lines:
            if not step.say:
                continue
            lines = terminal.text.splitlines()
            bars = [place for place, line in enumerate(lines) if line.startswith(NOTE)]
            assert squeezed(explanations(language, game)[step.say][:8].split("{")[0]) in squeezed(
                "".join(lines[place].removeprefix(NOTE) for place in bars)
            )
            assert lines[0].startswith(" ")
            assert lines[bars[-1] + 1 : bars[-1] + 3] != ["", ""]
            assert lines[-1].lstrip().startswith("?")
            if step.act.startswith("discard"):  # ticked already
                ticked = template(language, game, "ticked").format(number=2, count=2)
                assert squeezed(ticked) in squeezed(terminal.text), terminal.text
            else:
                assert is_pointed_at(terminal, step.act, language), terminal.text
            follow(terminal, step.act)
        terminal.wait_for(common(language, "lesson.ask_next"))
        assert squeezed(terminal.pointed) == squeezed(common(language, "lesson.play"))
        terminal.move(DOWN * 2)
        assert terminal.leave(ENTER) == 0
        said = squeezed(terminal.text)  # lines wrap again after the table
        assert f"cardgamesplay{game}" in said
        assert f"cardgamesrules{game}" in said
    assert list(tmp_path.iterdir()) == []


def test_a_match_against_an_easy_computer_follows_the_lesson_at_once(tmp_path: Path) -> None:
    """Under the name that was given in the last match, whatever was played then."""
    with Store.open(tmp_path) as store:
        store.create(Header("truc", 2, game_class("truc").RULES().values(), 2, ("Zoë", "Ada"), ("person", "fair")))
    with Terminal(tmp_path, "learn", "zetema", "--fast") as terminal:
        terminal.wait_for(common("en", "lesson.begin"))
        terminal.press_and_wait(ENTER)
        for step in load_script("zetema").lines:
            if step.say:
                follow(terminal, step.act)
        assert terminal.pointed == common("en", "lesson.play")
        terminal.press_and_wait(ENTER)
        terminal.wait_for("easy computer", "Zoë", "o order")
        with Store.open(tmp_path, write=False) as store:  # an unplayed match is forgotten later
            assert (store.match(2).game, store.match(2).names) == ("zetema", ("Zoë", "Ada"))
            assert store.match(2).players == ("person", "easy")


def _asked_anew(terminal: Terminal, prompt: str, before: int, screen: str) -> bool:
    """Whether there have been more questions than ``before``."""
    return terminal.output.count(prompt) > before


@pytest.mark.parametrize(("game", "language"), [("fipsen", "en"), ("zetema", "ja")])
def test_line_by_line(tmp_path: Path, game: str, language: str) -> None:
    """Nothing moves the cursor, and what is suggested can be typed."""
    prompt = "> "
    arguments = ("--language", language, "--plain", "learn", game)
    with Terminal(tmp_path, *arguments, columns=100, rows=200) as terminal:
        terminal.wait_for(common(language, "lesson.begin"), prompt.strip())
        for step in [None, *[step for step in load_script(game).lines if step.say]]:
            answers = [""] if step is None else [step.act]
            if step and step.act.startswith(("sequence", "discard")):
                word, _, cards = step.act.partition(" ")
                answers = ["1", cards] if word == "sequence" else [cards]
            while answers:
                answer = answers.pop(0)
                asked = terminal.output.count(prompt)
                terminal.press(answer + ENTER)
                terminal.wait(partial(_asked_anew, terminal, prompt, asked), f"a question after {answer}")
                if any(again in terminal.output.split(prompt)[-2] for again in AGAIN):
                    answers.insert(0, "")  # what costs much is asked for once more
        assert common(language, "lesson.ask_next") in terminal.text
        assert "\x1b" not in terminal.output  # nobody else is there, so nothing is cleared
        assert "┃" not in terminal.output
        assert terminal.leave("3" + ENTER) == 0


def test_a_choice_can_be_undone_after_cards_were_drawn(tmp_path: Path) -> None:
    """The learner is led back to the suggestion, as often as they like."""
    with Terminal(tmp_path, "learn", "durak", "--fast", columns=60, rows=20) as terminal:
        terminal.wait_for(common("en", "lesson.begin"))
        terminal.press_and_wait(ENTER)
        own = [line for line in load_script("durak").lines if line.say]
        first = suggested(terminal.text)
        for line in own[:2]:
            follow(terminal, line.act)
        for _ in range(2):
            terminal.press_and_wait("u")
        terminal.wait(lambda screen: suggested(screen) == first, "the first suggestion")
        terminal.press_and_wait("u")
        terminal.wait_for(common("en", "no_undo"))
