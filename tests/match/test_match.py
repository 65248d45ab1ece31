"""A match as it stands in its journal: what enters is checked, what happened is told, and several may share it."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgames.bots import choose_evenly
from cardgames.engine import record
from cardgames.engine.cards import CARDS
from cardgames.engine.game import CHANCE, GAMES, Action, AnyGame, Event, IllegalAction, game_class, new_game
from cardgames.match import JournalConflict, JournalPosition, Match, MemoryJournal, UndoneSteps, play, seeded
from cardgames.match.match import MatchChange, Step
from tests.players import Computer

RECORDS = sorted((Path(__file__).parents[1] / "records").glob("*.jsonl"))
TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]


def computers(game: AnyGame, seed: int = 0) -> dict[int, Computer]:
    """Players who choose by chance."""
    return {seat: Computer(choose_evenly, Random(f"{seed}/{seat}")) for seat in range(1, game.seats + 1)}


def first(match: Match) -> Action:
    """The first action that is legal now."""
    action: Action = match.game.legal_actions(match.state)[0]
    return action


def act(match: Match, *acts: str) -> None:
    """Let whoever is to act do this, one after the other."""
    for text in acts:
        match.settle()
        assert match.act(match.to_act or 0, match.game.parse(text))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.stem))
def test_a_record_is_a_match(path: Path) -> None:
    with path.open("rb") as lines:
        _, game, plies = record.read(lines)
        every = list(plies)
    moves = [(ply.by or 0, ply.action.text) for ply in every if ply.action]
    match = Match(game, MemoryJournal(moves), seeded(0))
    assert match.state == every[-1].state
    assert [(step.ply, step.by, step.action) for step in match.steps] == [
        (ply.number, ply.by, ply.action) for ply in every[1:]
    ]
    assert [(step.before, step.after) for step in match.steps] == [
        (before.state, after.state) for before, after in pairwise(every)
    ]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_that_is_left_anywhere_stands_where_it_was(name: str, seats: int) -> None:
    game = new_game(name, seats)
    whole = Match(game, MemoryJournal(), seeded(3))
    play(whole, computers(game))
    moves = [(step.by, step.action.text) for step in whole.steps]
    for ply in range(0, whole.ply, 23):
        again = Match(game, MemoryJournal(moves[:ply]), seeded(3))
        assert again.state == whole.steps[ply].before
        for seat in range(seats + 1):
            assert again.events(seat) == _told(whole.steps[:ply], seat)
        if whole.steps[ply].by == CHANCE:
            again.settle()
            assert again.steps[ply] == whole.steps[ply], "chance does not depend on who draws"


def _told(steps: list[Step], seat: int) -> list[Event]:
    """The events that a seat heard of since it last acted, counted from the start on."""
    found: list[Event] = []
    for one in steps:
        if one.by == seat:
            found.clear()
        found += [event for event in one.events if event.audience is None or seat in event.audience]
    return found


def test_a_seat_is_told_only_what_it_may_hear() -> None:
    game = new_game("durak", 2)
    match = Match(game, MemoryJournal(), seeded(3))
    play(match, computers(game))
    drew = [event for one in match.steps for event in one.events if event.key == "drew"]
    assert {event.audience for event in drew} == {(1,), (2,)}
    for ply in range(match.ply):
        moves = [(step.by, step.action.text) for step in match.steps[:ply]]
        stood = Match(game, MemoryJournal(moves), seeded(3))
        for seat in (0, 1, 2):
            assert not {event for event in stood.events(seat) if event.audience and seat not in event.audience}


# Chance


def test_chance_follows_from_seed_and_action_number() -> None:
    """Matches that were begun with earlier versions go on with the same cards."""
    match = Match(new_game("durak", 2), MemoryJournal(), seeded(7))
    match.settle()
    assert match.steps[0].action.text.split()[1:7] == ["TD", "9S", "KS", "7H", "QD", "AS"]
    truc = Match(new_game("truc", 2), MemoryJournal(), seeded(7))
    play(truc, computers(truc.game))
    for dealt in [step for step in truc.steps if step.by == CHANCE]:
        chance = truc.game.chance(dealt.before)
        assert chance
        assert dealt.action == chance.sample(Random(f"7/{dealt.ply - 1}"))


# What enters is checked


def _illegal(match: Match) -> Iterator[tuple[int, Action, str]]:
    """Actions that must not enter, and the reason."""
    yield 2, first(match), "out_of_turn"
    yield CHANCE, match.steps[0].action, "out_of_turn"
    yield 1, match.game.parse("TC"), "not_in_hand"
    yield 1, match.game.parse("pass"), "must_attack"


def test_what_is_not_legal_does_not_enter() -> None:
    journal = MemoryJournal()
    match = Match(new_game("durak", 2, dealer=2), journal, seeded(7))
    match.settle()
    assert match.to_act == 1
    assert CARDS["TC"] not in match.game.hands(match.state)[0]
    stood, kept = match.state, list(journal.moves)
    heard: list[MatchChange] = []
    match.watch(heard.append)
    for by, action, why in _illegal(match):
        with pytest.raises(IllegalAction) as error:
            match.act(by, action)
        assert error.value.reason.key == why
    assert (match.state, journal.moves, heard, match.ply) == (stood, kept, [], 1)


def test_nothing_is_done_in_a_match_that_is_over() -> None:
    game = new_game("durak", 2)
    match = Match(game, MemoryJournal(), seeded(7))
    last = play(match, computers(game)) and match.steps[-1]
    with pytest.raises(IllegalAction) as error:
        match.act(last.by, last.action)
    assert error.value.reason.key == "match_over"
    assert match.to_act is None


@pytest.mark.parametrize("wrong", [(2, "6C"), (1, "TC"), (1, "take")])
def test_a_journal_that_does_not_hold_is_refused(wrong: tuple[int, str]) -> None:
    game = new_game("durak", 2, dealer=2)
    match = Match(game, MemoryJournal(), seeded(7))
    match.settle()
    moves = [(step.by, step.action.text) for step in match.steps]
    with pytest.raises(IllegalAction):
        Match(game, MemoryJournal([*moves, wrong]), seeded(7))


def test_what_cannot_be_kept_has_not_happened() -> None:
    class Full(MemoryJournal):
        def append(self, *action: Any) -> None:
            raise OSError("no room")

    match = Match(new_game("durak", 2), Full(), seeded(7))
    heard: list[MatchChange] = []
    match.watch(heard.append)
    with pytest.raises(OSError, match="no room"):
        match.settle()
    assert (match.ply, match.log, heard) == (0, [], [])


def test_who_watches_is_told_when_it_is_safe() -> None:
    journal = MemoryJournal()
    match = Match(new_game("truc", 2), journal, seeded(7))
    lengths: list[tuple[int, int]] = []
    match.watch(lambda happening: lengths.append((match.ply, len(journal.moves))))
    match.settle()
    act(match, "exchange")
    assert match.undo(2 if match.steps[-1].by == 2 else 1)
    assert lengths == [(1, 1), (2, 2), (1, 1)]


# Several at one journal


def two(journal: MemoryJournal | None = None) -> tuple[Match, Match]:
    """One match in two processes."""
    journal = journal or MemoryJournal()
    game = new_game("fipsen", 3, dealer=3)
    one, other = Match(game, journal, seeded(1)), Match(game, journal, seeded(1))
    one.settle()
    assert other.catch_up()
    assert not other.catch_up()
    return one, other


def test_what_one_does_the_other_reads_on() -> None:
    one, other = two()
    act(one, "bid 2", "pass")
    seen: list[MatchChange] = []
    other.watch(seen.append)
    assert other.catch_up()
    assert (other.state, other.steps, seen) == (one.state, one.steps, one.steps[1:])
    assert other.events(3) == one.events(3)


def test_second_writer_goes_on_from_the_first() -> None:
    one, other = two()
    act(one, "bid 2")
    assert not other.act(1, other.game.parse("pass"))
    assert other.state == one.state
    assert other.act(2, other.game.parse("pass"))
    one.catch_up()
    assert [step.action.text for step in one.steps[1:]] == ["bid 2", "pass"]


def test_what_was_taken_back_elsewhere_is_taken_back_here_and_told() -> None:
    one, other = two()
    act(one, "bid 2", "pass")
    other.catch_up()
    assert one.undo(1)
    act(one, "pass", "bid 3")
    assert other.catch_up()
    assert (other.state, other.steps) == (one.state, one.steps)
    assert [(item.by, len(item.steps)) for item in other.log if isinstance(item, UndoneSteps)] == [(1, 2)]
    assert Event("undone", {"seat": 1, "count": 2}) in other.events(3)


def test_what_was_taken_back_before_anybody_read_it_is_not_told() -> None:
    journal = MemoryJournal()
    one, other = two(journal)
    act(one, "bid 2", "pass")
    assert one.undo(1)
    act(one, "pass")
    late = Match(one.game, journal, seeded(1))
    other.catch_up()
    assert late.steps == other.steps == one.steps
    assert not [item for item in (*late.log, *other.log) if isinstance(item, UndoneSteps)]


def test_as_many_actions_as_before_are_not_the_same_actions() -> None:
    """After an undo elsewhere there may stand as many actions as one knows, and others."""
    one, other = two()
    act(one, "bid 2")
    other.catch_up()
    assert one.undo(1)
    act(one, "pass")
    assert not other.act(2, other.game.parse("bid 3"))
    assert (other.state, other.ply) == (one.state, 2)


def test_an_undo_that_comes_second_takes_nothing_back() -> None:
    one, other = two()
    act(one, "bid 2")
    other.catch_up()
    act(one, "pass")
    assert not other.undo(1)
    assert [step.action.text for step in other.steps[1:]] == ["bid 2", "pass"]


def test_first_process_to_notice_draws_chance() -> None:
    journal = MemoryJournal()
    game = new_game("durak", 2)
    one, other = Match(game, journal, seeded(1)), Match(game, journal, seeded(2))
    one.settle()
    other.settle()
    assert len(journal.moves) == 1
    assert other.steps == one.steps


def test_refusing_journal_is_not_retried_forever() -> None:
    class Closed(MemoryJournal):
        def append(self, after: JournalPosition, *action: Any) -> None:
            raise JournalConflict

    with pytest.raises(JournalConflict):
        Match(new_game("durak", 2), Closed(), seeded(1)).settle()


# The time limit


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def play_until(match: Match, ready: Callable[[], bool]) -> None:
    """Let chance choose until it is ``ready``."""
    rng = Random(4)
    while not ready():
        match.settle()
        if ready():
            return
        match.act(match.to_act or 0, rng.choice(match.game.legal_actions(match.state)))


def test_time_ends_a_game_between_deals() -> None:
    """Time is called between deals when it is up and runs anew for the next game."""
    watch = Watch()
    match = Match(new_game("kakeya", 4, {"games": 2}), MemoryJournal(), seeded(4), 1, watch)
    watch.seconds += 60
    match.settle()
    assert not [step for step in match.steps if step.action.text == "time"], "nothing has been dealt yet"
    play_until(match, lambda: match.game.time_up(match.state) is not None)
    match.settle()
    assert match.steps[-1].action.text != "time", "60 seconds are not over"
    watch.seconds += 1
    match.settle()
    assert [step.action.kind for step in match.steps[-2:]] == ["time", "seats"]
    assert match.steps[-2].by == match.steps[-1].by == CHANCE
    play_until(match, lambda: match.game.time_up(match.state) is not None)
    match.settle()
    assert match.steps[-1].action.text != "time", "the second game has time of its own"
    watch.seconds += 61
    match.settle()
    assert "time" in [step.action.text for step in match.steps[-2:]]
