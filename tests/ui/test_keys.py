"""Keys that are safe: whatever the game, the language, the hand and the text typed before, a key means the same."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import fragment_list_to_text, to_formatted_text
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl
from questionary.prompts.common import InquirerControl

from cardgames.engine.cards import Card
from cardgames.engine.game import CHANCE, GAMES, game_class, new_game
from cardgames.layout import Question, layout_of
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, FOOT, FREE, KEYS, SHARED_KEYS, Key, Offer, shortcuts
from cardgames.ui.settings import Settings
from cardgames.ui.table.card_letters import card_letters
from cardgames.ui.table.question import Asking
from cardgames.ui.table.view import View
from tests.ui.stills import Still

TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]
NOT_YET = "not yet"
"""The answer of a question that none of the keys has answered."""
BEFORE = (Keys.Up, Keys.Down, Keys.Left, Keys.Right, Keys.End, Keys.Backspace, *"AKQJT19787SHDCXÄあ♠♥♦♣♧ＱＴ７")


def match_at(game: str, seats: int, seed: int, turns: int, each: Callable[[Match], object] = id) -> Match | None:
    """A match of random moves in which so many turns have been taken; ``None`` if it is over before."""
    rng = Random(seed)
    played = new_game(game, seats, {"turn_over": "any", "throw_in": True} if game == "durak" else {})
    match = Match(played, MemoryJournal(), seeded(seed))
    for _ in range(turns):
        match.settle()
        if match.outcome:
            return None
        each(match)
        match.act(match.to_act or CHANCE, rng.choice(match.observation(match.to_act or CHANCE).legal))
    match.settle()
    return None if match.outcome else match


def pressed(application: Application[Any], *keys: str) -> Any:
    """The answer that these keys give, one after another; ``NOT_YET`` if they give none."""

    def press() -> None:
        for key in keys:
            if not application.is_done:
                application.key_processor.feed(KeyPress(key, key if len(key) == 1 else ""))
                application.key_processor.process_keys()
        if not application.is_done:
            application.exit(result=NOT_YET)

    with create_pipe_input() as pipe:
        application.input = pipe
        return application.run(pre_run=press, set_exception_handler=False, handle_sigint=False)


def pointed(application: Application[Any]) -> Any:
    (control,) = [each for each in application.layout.find_all_controls() if isinstance(each, InquirerControl)]
    return control.get_pointed_at().value


def said(application: Application[Any]) -> str:
    """The texts on the screen, but for the list."""
    controls = [window.content for window in application.layout.find_all_windows()]
    texts = [to_formatted_text(control.text) for control in controls if isinstance(control, FormattedTextControl)]
    return "\n".join(map(fragment_list_to_text, texts))


@settings(max_examples=300)
@given(st.data())
def test_no_key_of_the_foot_plays_or_moves_the_pointer_or_is_swallowed(data: st.DataObject) -> None:
    game, seats = data.draw(st.sampled_from(TABLES))
    match = match_at(game, seats, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 60)))
    language = data.draw(st.sampled_from(LANGUAGES))
    keys = data.draw(st.sampled_from([KEYS, SHARED_KEYS]))
    before = data.draw(st.lists(st.sampled_from(BEFORE), max_size=5))
    key = data.draw(st.sampled_from(sorted(FOOT)))
    if match is None:
        return
    deeper = data.draw(st.integers(0, 6))
    seen: list[Any] = []

    def answer(still: Still) -> Any:
        further = [offer.value for offer in still.offers if isinstance(offer.value, Question)]
        if not seen and further and deeper:
            seen.append("a further question")
            return further[deeper % len(further)]
        assert pressed(still.application, *before) is NOT_YET
        there = pointed(still.application)
        result = pressed(still.application, key)
        assert pointed(still.application) == there
        if key in keys:
            assert result is keys[key]
        else:
            assert result is NOT_YET
            assert words.text("no_key", letter=key) in said(still.application)
        return Key.LEAVE

    words = Words(language, game)
    with Still(words, Settings(language=language), 80, 24, answer) as still:
        view = View(match, (), Settings(language=language))
        observation = match.observation(match.to_act or CHANCE)
        assert Asking(still, view, observation, keys).ask(view.asking(observation, ())) is Key.LEAVE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(FOOT))
def test_a_key_of_the_foot_takes_no_line_of_a_menu(key: str, language: str) -> None:
    words = Words(language)
    offers = [Offer(place, f"{first}ome line") for place, first in enumerate("hlsutqHLSUTQ?")]

    def answer(still: Still) -> Any:
        there = pointed(still.application)
        result = pressed(still.application, key)
        assert pointed(still.application) == there
        assert result is BACK[key] if key in BACK else words.text("no_key", letter=key) in said(still.application)
        return result

    with Still(words, Settings(language=language), 80, 24, answer) as still:
        still.choose(lambda columns, rows: "", "?", offers, BACK)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_card_keeps_its_letter_as_long_as_it_is_held(game: str, seats: int) -> None:
    layout = layout_of(game)
    others = {*layout.LETTERS.values(), "p", *FOOT}
    before: dict[int, dict[Card, str]] = {}
    deals: list[int] = []

    def look(match: Match) -> None:
        seat = match.to_act or CHANCE
        hand = match.game.hands(match.state)[seat - 1]
        letters = card_letters(match, seat, layout)
        deal = max(
            [step.ply for step in match.steps if step.by == CHANCE and match.game.deal_over(step.before)], default=0
        )
        if deal not in deals:
            deals.append(deal)
            before.clear()
        assert not others & {*letters.values()}
        assert len({*letters.values()}) == len(letters) == min(len({*hand}), len({*FREE} - others))
        old = before.get(seat, {})
        assert {card: letter for card, letter in letters.items() if card in old} == {
            card: letter for card, letter in old.items() if card in hand
        }
        before[seat] = letters

    for seed in range(3):
        before.clear()
        deals.clear()
        match_at(game, seats, seed, 150, look)
    assert deals


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_line_has_a_letter_and_the_same_in_both_languages(game: str, seats: int) -> None:
    """But where a card can do several things they share its own."""
    for turns in range(0, 60, 3):
        if match := match_at(game, seats, turns, turns):
            assert lettered(match, LANGUAGES[0]) == lettered(match, LANGUAGES[1])


def lettered(match: Match, language: str) -> list[tuple[Any, str]]:
    """What can be chosen in a question about a match, with the letters."""
    found: list[tuple[Any, str]] = []

    def answer(still: Still) -> Any:
        letters = shortcuts(still.offers)
        listed = [(o, own) for o, own in zip(still.offers, letters, strict=True) if not (o.refused or o.unlisted)]
        for offer, letter in listed:
            assert letter, offer
            alike = [other.cards[:1] for other, same in listed if same == letter]
            assert len(alike) == 1 or (len({*alike}) == 1 and alike[0]), listed
            found.append(("further" if isinstance(offer.value, Question) else offer.value, letter))
        return Key.LEAVE

    with Still(Words(language, match.game.NAME), Settings(language=language), 80, 24, answer) as still:
        view = View(match, (), Settings(language=language))
        observation = match.observation(match.to_act or CHANCE)
        Asking(still, view, observation).ask(view.asking(observation, ()))
    return found
