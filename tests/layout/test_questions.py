"""How each game asks: every legal action can be chosen, nothing else can, and all of it is put into words."""

from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from cardgames.engine.game import OFFERED, Action, Message
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from tests.conformance.matches import Position, positions
from tests.layout.positions import asked

PEOPLE = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Finn")


def turns(game: str) -> Iterator[Position]:
    """The positions of a game in which somebody is to act: every situation is among them."""
    yield from (here for here in positions(game) if here.game.to_act(here.state))


def ends(question: Question) -> Iterator[Action]:
    """The actions in which a question, and those it leads to, can end."""
    yield from question.actions
    values = [pick.value for pick in question.picks]
    for ticked in chain.from_iterable(
        combinations(values, number) for number in range(len(values) + 1 if values else 0)
    ):
        if isinstance(made := question.combine(ticked), Action):
            yield made
    for _, further in question.further:
        yield from ends(further)


def spoken(question: Question) -> Iterator[Message]:
    """The messages of a question and of those it leads to."""
    values = [pick.value for pick in question.picks]
    yield from (question.message, *question.labels.values(), *[pick.message for pick in question.picks])
    yield from filter(None, (question.status(values[:number]) for number in range(len(values) + 1)))
    for message, further in question.further:
        yield message
        yield from spoken(further)


@pytest.mark.parametrize("game", OFFERED)
def test_the_offers_are_the_legal_actions(game: str) -> None:
    for here in turns(game):
        offered = [*ends(asked(here.game, here.state))]
        assert {*offered} == {*here.game.legal_actions(here.state)}, here.where
        seat = here.game.to_act(here.state) or 0
        assert layout_of(game).scene(here.game.observation(here.state, seat)).clause, here.where


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OFFERED)
def test_every_question_can_be_said(game: str, language: str) -> None:
    for here in turns(game):
        words = Words(language, game, PEOPLE[: here.game.seats])
        assert all(words.say(message) for message in spoken(asked(here.game, here.state))), here.where
