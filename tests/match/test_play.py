"""The driver and the players: whoever is asked, what they are given, and how a wish to take back is granted."""

from collections.abc import Sequence
from random import Random

import pytest

from cardgames.bots import choose_evenly
from cardgames.engine.game import CHANCE, Action, Event, IllegalAction, Observation, new_game
from cardgames.match import Answer, Match, MemoryJournal, PlayerLeft, TakeBack, play, seeded
from tests.players import Computer, Scripted


def match_of(name: str = "fipsen", seats: int = 3, seed: int = 1) -> Match:
    """A match whose last seat deals first, so that seat 1 begins."""
    return Match(new_game(name, seats, dealer=seats), MemoryJournal(), seeded(seed))


def script(match: Match, *answers: str | TakeBack | None, consent: bool = True) -> Scripted:
    """A player who answers this, and then leaves."""
    return Scripted([match.game.parse(one) if isinstance(one, str) else one for one in answers], consent)


def acts(match: Match) -> list[str]:
    """The actions after the first deal."""
    return [step.action.text for step in match.steps[1:]]


class Asked:
    """A player who remembers what it was given, and chooses as another does."""

    def __init__(self, player: Scripted | Computer) -> None:
        self._player = player
        self.given: list[tuple[Observation, Sequence[Event]]] = []
        self.asked_for: list[tuple[int, int]] = []

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        self.given.append((observation, events))
        return self._player.choose(observation, events)

    def consents(self, seat: int, count: int) -> bool:
        self.asked_for.append((seat, count))
        return self._player.consents(seat, count)


def test_each_seat_is_asked_in_its_turn_with_what_it_knows() -> None:
    match = match_of()
    players = {seat: Asked(Computer(choose_evenly, Random(seat))) for seat in (1, 2, 3)}
    outcome = play(match, players)
    assert outcome == match.outcome
    for seat, player in players.items():
        own = [step for step in match.steps if step.by == seat]
        assert [observation for observation, _ in player.given] == [
            match.game.observation(step.before, seat) for step in own
        ]
        for (observation, told), step in zip(player.given, own, strict=True):
            assert step.action in observation.legal
            assert all(event.audience is None or seat in event.audience for event in told)


def test_whoever_leaves_ends_it_and_it_goes_on_from_there() -> None:
    match = match_of()
    with pytest.raises(PlayerLeft):
        play(match, dict.fromkeys((1, 2, 3), script(match, "bid 2", "pass")))
    assert acts(match) == ["bid 2", "pass"]
    with pytest.raises(PlayerLeft):
        play(match, dict.fromkeys((1, 2, 3), script(match, "pass")))
    assert acts(match) == ["bid 2", "pass", "pass"]


def test_an_answer_that_is_not_legal_does_not_enter() -> None:
    match = match_of()
    with pytest.raises(IllegalAction):
        play(match, dict.fromkeys((1, 2, 3), script(match, "bid 3", "bid 2")))
    assert acts(match) == ["bid 3"]


@pytest.mark.parametrize("late", [None, "bid 3"])
def test_an_answer_that_comes_second_is_dropped(late: str | None) -> None:
    """A terminal answers nothing when it has seen another move, or too late when it has not."""
    journal = MemoryJournal()
    game = new_game("fipsen", 3, dealer=3)
    here, there = Match(game, journal, seeded(1)), Match(game, journal, seeded(1))

    class Slow(Scripted):
        def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
            there.catch_up()
            there.act(1, game.parse("bid 2"))
            if late:
                return game.parse(late)
            assert here.catch_up()
            return None

    with pytest.raises(PlayerLeft):
        play(here, {1: Slow(()), 2: script(here, "pass"), 3: script(here)})
    assert acts(here) == ["bid 2", "pass"]


# Taking back


def test_all_others_are_asked_once_each_and_agree() -> None:
    match = match_of()
    ann, ben = Asked(script(match, "bid 2", "pass")), Asked(script(match, "pass"))
    cem = Asked(script(match, TakeBack(1)))
    with pytest.raises(PlayerLeft):
        play(match, {1: ann, 2: ben, 3: cem})
    assert (ann.asked_for, ben.asked_for, cem.asked_for) == ([], [(1, 2)], [(1, 2)])
    assert acts(match) == ["pass"]


def test_people_at_one_terminal_are_asked_together() -> None:
    match = match_of()
    terminal, other = Asked(script(match, "bid 2", TakeBack(1))), Asked(script(match, "pass"))
    with pytest.raises(PlayerLeft):
        play(match, {1: terminal, 2: other, 3: terminal})
    assert (terminal.asked_for, other.asked_for) == ([(1, 2)], [(1, 2)])
    assert acts(match) == []


def test_one_who_does_not_agree_is_enough() -> None:
    match = match_of()
    ann, cem = script(match, "bid 2"), script(match, TakeBack(1), "pass")
    with pytest.raises(PlayerLeft):
        play(match, {1: ann, 2: script(match, "pass", consent=False), 3: cem})
    assert acts(match) == ["bid 2", "pass", "pass"]


def test_alone_among_computers_nobody_is_asked_at_the_own_terminal() -> None:
    match = match_of("truc", 2)
    ann = Asked(script(match, "play", TakeBack(1), "exchange"))
    with pytest.raises(PlayerLeft):
        play(match, {1: ann, 2: Scripted([match.game.parse("refuse"), TakeBack(1)])})
    assert ann.asked_for == []
    assert acts(match)[0] == "exchange"


@pytest.mark.parametrize("seat", [CHANCE, 3, 1])
def test_impossible_undo_asks_nobody(seat: int) -> None:
    match = match_of()
    game = match.game
    actions: list[Action | TakeBack | None] = [game.parse(text) for text in ("bid 2", "pass", "pass")]
    with pytest.raises(PlayerLeft):
        play(match, dict.fromkeys((1, 2, 3), Scripted(actions)))
    skat = next(action for action in game.legal_actions(match.state) if action.kind != "hand")
    match.act(1, skat)  # a card is seen
    if seat == 3:
        match = match_of()
    other, actions_before = Asked(script(match)), acts(match)
    with pytest.raises(PlayerLeft):
        play(match, {1: Scripted([TakeBack(seat)]), 2: other, 3: other})
    assert other.asked_for == []
    assert acts(match) == actions_before
