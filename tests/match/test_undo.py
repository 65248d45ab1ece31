"""A choice can be taken back until somebody has seen a card that was hidden from them when it was made."""

from collections import Counter
from itertools import chain
from random import Random

import pytest

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.game import CHANCE, GAMES, AnyGame, Event, Value, game_class, new_game
from cardgames.engine.zetema import PACK
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.match.undo_limits import UndoLimits

FULL = [NAMES[card] for card in PACK]


def begun(game: AnyGame, deal: str = "", seed: int = 1) -> Match:
    """A match in which this has been dealt, else what follows from the seed."""
    match = Match(game, MemoryJournal([(CHANCE, deal)] if deal else ()), seeded(seed))
    match.settle()
    return match


def act(match: Match, *acts: str) -> None:
    """Let whoever is to act do this, one after the other."""
    for text in acts:
        assert match.act(match.to_act or 0, match.game.parse(text))


def counts(match: Match) -> list[int]:
    """How many actions each seat could take back."""
    return [len(match.undoable(seat)) for seat in range(1, match.game.seats + 1)]


def why(match: Match, seat: int) -> str:
    assert not match.undoable(seat)
    return match.why_not_undoable(seat).key


DURAK = "6D TD 6S 7S 9D 8H JH 8S KD KS TC AH 7C AC JD 9H QH 6H TS 9S QS AS 8D JS KC TH 8C QD KH 9C QC 7D 6C JC 7H AD"
"""The deal of the lesson: Ann attacks and has 6D 6S, Ben TD 7S."""


def durak(throw_in: bool = False) -> Match:
    match = begun(new_game("durak", 2, {"throw_in": throw_in}, dealer=2), "deal " + DURAK)
    assert match.to_act == 1
    return match


# A card just played


def test_a_card_just_played_is_no_obstacle_to_whoever_played_it() -> None:
    match = durak()
    assert counts(match) == [0, 0]
    assert why(match, 1) == "no_undo"
    before = match.state
    act(match, "6D")
    assert counts(match) == [1, 0]
    assert match.undo(1)
    assert match.state == before
    assert match.log[-1].events == (Event("undone", {"seat": 1, "count": 1}),)
    assert counts(match) == [0, 0]


def test_the_card_of_another_is_an_obstacle() -> None:
    match = durak()
    act(match, "6D", "TD>6D")
    assert counts(match) == [0, 1]
    assert why(match, 1) == "undo_seen"


def test_seen_cards_stay_seen_after_an_undo() -> None:
    match = durak()
    act(match, "6D", "TD>6D")
    assert match.undo(2)
    assert counts(match) == [0, 0]
    assert why(match, 1) == "undo_seen"
    assert why(match, 2) == "no_undo"


def test_what_is_chosen_after_an_undo_can_be_taken_back_again() -> None:
    match = durak()
    act(match, "6D", "TD>6D", "6S", "7S>6S")
    assert match.undo(2)
    act(match, "7S>6S")
    assert counts(match) == [0, 1]
    assert match.undo(2)
    assert why(match, 1) == "undo_seen"


def test_choices_without_cards_can_be_undone_until_a_draw() -> None:
    match = durak(throw_in=True)
    act(match, "6D", "take")
    assert counts(match) == [2, 1]
    act(match, "pass")
    assert counts(match) == [0, 0]
    assert why(match, 1) == why(match, 2) == "undo_seen"


def test_a_card_that_all_know_is_no_obstacle_to_anybody() -> None:
    """Ben took the nine up before all; when he beats with it Ann sees nothing new."""
    match = durak()
    act(match, "9D", "take", "6D", "9D>6D")
    assert counts(match) == [2, 1]


def test_new_choice_counts_after_an_undo() -> None:
    """Ann leads, takes that back and the proposal before it, and leads the same card; then Ben follows."""
    match = begun(new_game("truc", 2, dealer=2))
    act(match, "play", "double", "accept")
    led = NAMES[match.game.hands(match.state)[0][0]]
    act(match, led)
    assert match.undo(1)
    assert match.undo(1)
    act(match, led)
    followed = match.game.legal_actions(match.state)[0]
    match.act(2, followed)
    assert [step.action for step in match.undoable(2)] == [followed]


@pytest.mark.parametrize("shown", [{"card": CARDS["AS"]}, {"cards": (CARDS["AS"],)}, {"rank": "A"}])
def test_turned_up_card_prevents_every_undo(shown: dict[str, Value]) -> None:
    match = durak()
    act(match, "6D")
    made = match.steps[-1]
    for events, final in (((), 0), ((Event("turned_up", shown),), 5)):
        finality = UndoLimits(match.game)
        finality.note(5, 1, made.before, made.after, events)
        assert [finality.last_final_plies[seat] for seat in (1, 2)] == [final, final]


# Cards that only some see


def test_cards_drawn_and_cards_shown_to_one_are_obstacles_to_all() -> None:
    match = begun(new_game("truc", 2, dealer=2))
    act(match, "exchange")
    assert counts(match) == [1, 0]
    act(match, "agree")
    assert counts(match) == [0, 0]


def test_bids_are_no_obstacles() -> None:
    match = begun(new_game("fipsen", 3, dealer=3))
    act(match, "bid 2", "pass", "bid 3")
    assert counts(match) == [3, 2, 1]
    assert match.undo(1)
    assert match.ply == 1


def test_cards_laid_away_unseen_are_no_obstacle_and_the_skat_is() -> None:
    match = begun(new_game("fipsen", 3, dealer=3))
    act(match, "bid 2", "pass", "pass")
    first = match.to_act
    assert first == 1
    phases = []
    while match.observation(0).phase != "play":
        phases.append(match.observation(0).phase)
        action = next(action for action in match.game.legal_actions(match.state) if action.kind != "hand")
        if "discard" in action.text:
            match.act(1, action)
            assert match.undoable(1)[0].action == action
        else:
            match.act(1, action)
            if any(event.key == "took_up" for event in match.steps[-1].events):
                assert counts(match) == [0, 0, 0]
    assert "discard" in phases


def test_what_chance_has_decided_stays() -> None:
    """Whoever chose again would know which seats come: in a series of Kakeya Trump nobody sees a card there."""
    game = new_game("kakeya", 4, {"games": 2})
    match = begun(game, seed=4)
    rng = Random(4)
    while not any(step.action.kind == "seats" for step in match.steps):
        match.act(match.to_act or 0, rng.choice(game.legal_actions(match.state)))
        match.settle()
    assert match.steps[-1].action.kind == "seats"
    assert counts(match) == [0, 0, 0, 0]
    assert {why(match, seat) for seat in (1, 2, 3, 4)} == {"undo_seen"}
    assert why(match, CHANCE) == "no_undo"


def test_what_cannot_be_taken_back_is_not() -> None:
    match = durak()
    with pytest.raises(ValueError, match="seat 1"):
        match.undo(1)
    act(match, "6D", "TD>6D")
    with pytest.raises(ValueError, match="seat 1"):
        match.undo(1)
    assert match.ply == 3


# Cards that are in the pack twice


def zetema(first: str, second: str, top: str) -> Match:
    """Two players with these hands, and these cards on top of the stock."""
    named = [*chain(*zip(first.split(), second.split(), strict=True)), *top.split()]
    rest = (Counter(FULL) - Counter(named)).elements()
    return begun(new_game("zetema", 2, dealer=2), "deal " + " ".join([*named, *rest]))


def test_drawn_twin_of_a_seen_card_is_hidden() -> None:
    """Ann has a king of spades and draws the other: that she has seen one does not let her choose again."""
    match = zetema("KS 2H 3H 4D 5C 7C", "2D 3D 6C 8C 9C TC", "KS 4H")
    act(match, "play 2H")
    assert any(event.key == "drew" and CARDS["KS"] in _cards(event) for event in match.steps[-1].events)
    assert counts(match) == [0, 0]
    assert why(match, 1) == "undo_seen"


def _cards(event: Event) -> tuple[int, ...]:
    return event.args["cards"]  # type: ignore[return-value]


def test_laid_twin_can_be_undone_by_its_owner_only() -> None:
    """All have seen one king of spades; which of the two lies there now nobody can tell, so it counts as hidden."""
    game = new_game("zetema", 2, dealer=2)
    found = 0
    for seed in range(20):
        match = begun(game, seed=seed)
        rng = Random(seed)
        while match.to_act:
            legal = game.legal_actions(match.state)
            choice = rng.choice([action for action in legal if action.kind == "play"])
            seat, other = match.to_act, 3 - match.to_act
            laid = {step.action.cards[0] for step in match.steps if step.by != CHANCE}
            open_ = match.undoable(other)
            match.act(seat, choice)
            if open_ and choice.cards[0] in laid:
                assert [step.action for step in match.undoable(seat)] == [choice]
                assert why(match, other) == "undo_seen"
                found += 1
    assert found > 5


# Compared with what is seen, over whole matches


def _public(step_events: tuple[Event, ...]) -> set[int]:
    return {card for event in step_events if event.audience is None for card in _named(event)}


def _named(event: Event) -> set[int]:
    found: set[int] = set()
    for name, value in event.args.items():
        if name.endswith("card"):
            found.add(value)  # type: ignore[arg-type]
        elif name.endswith("cards"):
            found.update(value)  # type: ignore[arg-type]
    return found


def _expected(match: Match, seat: int) -> int:
    """How many actions ``seat`` can take back, by what everybody had seen before its last choice and has seen now."""
    place = next((place for place in reversed(range(match.ply)) if match.steps[place].by == seat), None)
    if place is None or any(step.by == CHANCE for step in match.steps[place:]):
        return 0
    own: set[int] = set()
    """The cards that the seat itself has laid open since."""
    for step in match.steps[place:]:
        if step.by == seat:
            own |= _public(step.events) & set(match.game.hands(step.before)[seat - 1])
    for viewer in range(1, match.game.seats + 1):
        if _seen(match, viewer, match.ply) - _seen(match, viewer, place) - own:
            return 0
    return match.ply - place


def _seen(match: Match, viewer: int, number: int) -> set[int]:
    """The cards that a seat has seen in the first so many steps, since they were last dealt."""
    found: set[int] = set()
    for step in match.steps[:number]:
        if step.by == CHANCE:
            found.clear()
        for event in step.events:
            if event.audience is None or viewer in event.audience:
                found |= _named(event)
        found.update(match.game.hands(step.after)[viewer - 1])
    return found


WITHOUT_TWINS = [kind for kind in map(game_class, GAMES) if len(set(kind.PACK)) == len(kind.PACK)]
TABLES = [(kind.NAME, seats) for kind in WITHOUT_TWINS for seats in kind.SEATS]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_whole_matches(name: str, seats: int) -> None:
    game = new_game(name, seats)
    open_ = 0
    for seed in range(3):
        match = begun(game, seed=seed)
        rng = Random(seed)
        for _ in range(60):
            match.settle()
            if not match.to_act:
                break
            match.act(match.to_act, rng.choice(game.legal_actions(match.state)))
            for seat in range(1, seats + 1):
                assert len(match.undoable(seat)) == _expected(match, seat), f"seat {seat} after ply {match.ply}"
            open_ += any(counts(match))
    assert open_ > 20
