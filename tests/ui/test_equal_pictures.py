"""States that are equal for a seat give it equal pictures, whatever the others hold: nothing leaks by what is drawn."""

from collections.abc import Iterator
from random import Random

import pytest

from cardgames.engine.game import CHANCE, GAMES, Action, Message, game_class, new_game
from cardgames.engine.record import Header, Ply
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.review.replay import record_svg
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.pictures import painted

SIZES = [(60, 20), (80, 24), (140, 45)]
PLIES = 25
HEADER = Header("", 0, {}, 1, None)
"""A header without names."""


def other_deal(match: Match, deal: Action, seat: int, rng: Random) -> Action | None:
    """Another order of the pack of which ``seat`` knows the same, if one is found soon."""
    game, state = match.game, match.state
    known = game.observation(game.apply(state, deal), seat)
    word, *cards = deal.text.split()
    for _ in range(400):
        order = cards[:]
        for _ in range(rng.randrange(1, 4)):
            one, two = rng.sample(range(len(order)), 2)
            order[one], order[two] = order[two], order[one]
        found = game.parse(" ".join([word, *order]))
        after = game.apply(state, found)
        if game.observation(after, seat) == known and game.hands(after) != game.hands(game.apply(state, deal)):
            return found
    return None


def pictures(match: Match, seat: int, columns: int, rows: int) -> list[object]:
    """All that a terminal of this size at which ``seat`` alone sits can be shown of a match."""
    names = tuple(f"Player {number}" for number in range(1, match.game.seats + 1))
    view = View(match, names, Settings(), "Title")
    view.marks = {2: Message("away")}
    view.add_chat([Message("said", {"by": 2, "text": "hello"})])
    observation = match.observation(seat)
    drawn = [view.table_picture(observation, match.since(seat))]
    if match.to_act == seat:
        drawn.append(view.question_picture(observation))
    drawn += [view.pause_picture(step, seat) for step in match.steps[-2:] if view.pauses_after(step)]
    drawn.append(view.table_picture(match.observation(CHANCE), match.since(CHANCE), door=seat))
    found = [painted(picture, columns, rows).rows for picture in drawn]
    return [*found, view.sheet().drawn(80), view.last_page().drawn(80)]


def equal_matches(game: str, rng: Random, seat: int, seats: int) -> Iterator[tuple[Match, Match]]:
    """Two matches with different hands, of which ``seat`` has seen the same so far, after each action."""
    one, other = (Match(new_game(game, seats, dealer=seats), MemoryJournal(), seeded(0)) for _ in range(2))
    differed = False
    for _ in range(PLIES):
        if one.to_act == CHANCE:
            chance = one.game.chance(one.state)
            assert chance
            deal = chance.sample(rng)
            changed = None if differed else other_deal(one, deal, seat, rng)
            differed |= changed is not None
            assert one.act(CHANCE, deal)
            assert other.act(CHANCE, changed or deal)
        elif one.to_act:
            by = one.to_act
            both = {*one.observation(by).legal} & {*other.observation(by).legal} if other.to_act == by else set()
            if not both:
                break
            action = rng.choice(sorted(both, key=lambda action: action.text))
            assert one.act(by, action)
            assert other.act(by, action)
        else:
            break
        if one.observation(seat) != other.observation(seat) or one.events(seat) != other.events(seat):
            break
        if differed:
            yield one, other


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_equal_observations_give_equal_pictures(game: str, seed: int) -> None:
    rng = Random(seed)
    seats = rng.choice(sorted(game_class(game).SEATS))
    compared = 0
    seat = rng.randrange(1, seats + 1)
    for number, (one, other) in enumerate(equal_matches(game, rng, seat, seats)):
        compared += one.game.hands(one.state) != other.game.hands(other.state)
        size = SIZES[number % len(SIZES)]
        assert pictures(one, seat, *size) == pictures(other, seat, *size)
    assert compared


@pytest.mark.parametrize("game", GAMES)
def test_the_svg_of_an_unfinished_match_has_no_hidden_card(game: str) -> None:
    """Matches that differ in hidden cards alone give the same bytes."""
    seats = min(game_class(game).SEATS)
    compared = 0
    for number, (one, other) in enumerate(equal_matches(game, Random(1), CHANCE, seats)):
        compared += one.game.hands(one.state) != other.game.hands(other.state)
        if number % 5:
            continue
        ply = None if number % 2 else len(one.steps)
        drawn = [record_svg(match.game, HEADER, plies_of(match), Settings(), ply) for match in (one, other)]
        assert drawn[0] == drawn[1]
    assert compared > 3


def plies_of(match: Match) -> list[Ply]:
    return [
        Ply(0, None, None, match.game.start()),
        *[Ply(step.ply, step.by, step.action, step.after) for step in match.steps],
    ]
