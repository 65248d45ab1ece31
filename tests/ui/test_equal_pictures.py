"""States that are equal for a seat give it equal pictures, whatever the others hold: nothing leaks by what is drawn."""

from random import Random

import pytest

from cardgames.engine.game import CHANCE, GAMES, Action, Message, game_class, new_game
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.pictures import painted

SIZES = [(60, 20), (80, 24), (140, 45)]
PLIES = 40


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


def pictures(match: Match, seat: int, columns: int, rows: int) -> list[str]:
    """All that a terminal of this size at which ``seat`` alone sits can be shown of a match."""
    names = tuple(f"Player {number}" for number in range(1, match.game.seats + 1))
    view = View(match, names, Settings(), "Title")
    view.marks = {2: Message("away")}
    view.add_chat([Message("said", {"by": 2, "text": "hello"})])
    observation, told = match.observation(seat), match.events(seat)
    drawn = [view.table_picture(observation, told)]
    if match.to_act == seat:
        drawn.append(view.question_picture(observation, told))
    drawn += [view.pause_picture(step, seat) for step in match.steps[-2:] if view.pauses_after(step)]
    drawn.append(view.table_picture(match.observation(CHANCE), match.events(CHANCE), door=seat))
    found = [painted(picture, columns, rows).ansi() for picture in drawn]
    return [*found, view.sheet(80), view.last_page(80)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", GAMES)
def test_equal_observations_give_equal_pictures(game: str, seed: int) -> None:
    """A seat is shown the same picture of states with equal observations."""
    rng = Random(seed)
    seats = rng.choice(sorted(game_class(game).SEATS))
    seat = rng.randrange(1, seats + 1)
    one, other = (Match(new_game(game, seats, dealer=seats), MemoryJournal(), seeded(seed)) for _ in range(2))
    compared = 0
    differed = False
    for ply in range(PLIES):
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
            compared += one.game.hands(one.state) != other.game.hands(other.state)
            size = SIZES[ply % len(SIZES)]
            assert pictures(one, seat, *size) == pictures(other, seat, *size)
    assert compared
