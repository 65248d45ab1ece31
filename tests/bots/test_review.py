"""The review of a match: what a choice cost is told from what the seat knew, and adds up to how the match went."""

from math import inf
from pathlib import Path
from random import Random

import pytest

from cardgames.bots import module_of, reasons
from cardgames.bots.review import (
    GRADES,
    LEAST_COSTS,
    choices,
    course,
    errors,
    judge,
    missed_lines,
    open_line,
    reasons_against,
)
from cardgames.engine.durak import DurakObservation
from cardgames.engine.game import OFFERED, AnyGame, cards_named, game_class
from cardgames.engine.kakeya import KakeyaObservation
from cardgames.engine.record import Ply, read
from cardgames.simulation import Chunk, Simulation, play_chunk
from cardgames.texts import LANGUAGES, template

RECORDS = Path(__file__).parents[1] / "records"
LITTLE = 0.1
"""The share of the usual work with which these tests make do."""


def match(name: str) -> tuple[AnyGame, tuple[Ply, ...]]:
    _, game, plies = read((RECORDS / f"{name}.jsonl").read_bytes().splitlines())
    return game, tuple(plies)


def at_random(name: str, seed: int) -> tuple[AnyGame, tuple[Ply, ...]]:
    kind = game_class(name)
    simulation = Simulation(name, kind.SEATS[0], kind.RULES().values(), ("random",), seed)
    (text,) = play_chunk(simulation, Chunk(0, 0, 1, recorded=True)).records
    _, game, plies = read(text.encode().splitlines())
    return game, tuple(plies)


@pytest.mark.parametrize("name", OFFERED)
def test_a_choice_is_judged_by_what_the_seat_could_know(name: str) -> None:
    """The cards that it cannot see may lie elsewhere, and nothing changes."""
    game, plies = at_random(name, 3)
    for choice in choices(game, plies)[3:30:9]:
        elsewhere = game.resample(choice.observation, Random(1))
        same = choice._replace(observation=game.observation(elsewhere, choice.by))
        assert judge(game, choice, LITTLE).as_object() == judge(game, same, LITTLE).as_object()


@pytest.mark.parametrize("name", OFFERED)
def test_best_move_costs_nothing(name: str) -> None:
    game, plies = at_random(name, 5)
    for choice in choices(game, plies)[2:40:7]:
        judged = judge(game, choice, LITTLE)
        assert {rating.action for rating in judged.ratings} == set(choice.observation.legal)
        assert 0 <= judged.low <= judged.cost <= judged.high
        again = judge(game, choice._replace(action=judged.best.action), LITTLE)
        assert (again.cost, again.low) == (0, 0)
        assert judged.is_right(judged.best.action)


def test_what_is_solved_is_exact() -> None:
    """In endings of Durak a move that gives a won match away costs the whole of it, without doubt."""
    exact = []
    for seed in range(5):
        game, plies = at_random("durak", seed)
        for choice in choices(game, plies):
            assert isinstance(choice.observation, DurakObservation)
            if not choice.observation.stock:
                exact.append(judge(game, choice))
    thrown = [one for one in exact if one.exact and one.cost == 1]
    assert sum(one.exact for one in exact) > 0.4 * len(exact) > 20
    assert len(thrown) >= 3
    for one in thrown:
        assert (one.low, one.high, one.grade) == (1, 1, "blunder")
        assert not one.is_right(one.choice.action)
        for rating in one.ratings:
            assert one.is_right(rating.action) == (rating.value == 1)


def test_only_what_is_beyond_doubt_is_named() -> None:
    game, plies = at_random("truc", 1)
    judged = judge(game, choices(game, plies)[0], LITTLE)
    for unit, least in LEAST_COSTS.items():
        for name, cost in zip(GRADES, least, strict=True):
            assert judged._replace(unit=unit, loss=cost, low=0.001).grade == name
            assert judged._replace(unit=unit, loss=cost, low=0.0).grade == ""
        assert judged._replace(unit=unit, loss=0.99 * least[0], low=0.9 * least[0]).grade == ""


def test_an_end_of_which_nothing_is_known_is_no_number() -> None:
    game, plies = at_random("truc", 1)
    judged = judge(game, choices(game, plies)[0], LITTLE)
    assert judged._replace(high=inf).as_object()["interval"][1] is None
    assert set(judged.as_object()) == {"ply", "by", "act", "best", "cost", "interval", "unit", "exact"}


@pytest.mark.parametrize("name", ["durak-throw-in", "zetema-three-players", "fipsen-three-players"])
def test_the_course_adds_up_and_ends_where_the_match_did(name: str) -> None:
    game, plies = match(name)
    judged = [judge(game, choice, LITTLE) for choice in choices(game, plies)]
    outcome = game.outcome(plies[-1].state)
    assert outcome
    courses = {seat: course(game, plies, judged, seat) for seat in range(1, game.seats + 1)}
    for seat, found in courses.items():
        parts = found.own + found.others + found.small + found.luck
        assert parts == pytest.approx(found.points[-1][1] - found.points[0][1])
        assert found.own == pytest.approx(-sum(one.cost for one in errors(judged, (seat,))))
        assert [ply for ply, _ in found.points] == sorted(ply for ply, _ in found.points)
        if module_of(game).UNIT == "win":
            assert found.points[0][1] == pytest.approx(1 / game.seats)
            assert found.points[-1][1] == (seat in outcome.winners)
    if module_of(game).UNIT == "points":
        assert sum(found.points[-1][1] for found in courses.values()) == pytest.approx(0)
    if game.seats == 2:
        assert courses[1].own == pytest.approx(-courses[2].others)
        assert courses[1].small == pytest.approx(-courses[2].small)
        assert courses[1].luck == pytest.approx(-courses[2].luck)


def test_of_an_auction_each_seat_is_charged_its_last_word_alone() -> None:
    game, plies = match("fipsen-hold-kieker-sevens")
    words = [choice for choice in choices(game, plies) if choice.observation.phase == game.AUCTION]
    superseded = [choice for choice in words if choice.is_superseded]
    assert superseded
    for choice in superseded:
        again = next(later for later in words if later.by == choice.by and later.ply > choice.ply)
        assert not any(ply.by == 0 for ply in plies[choice.ply : again.ply])
        judged = judge(game, choice, LITTLE)
        assert (judged.cost, judged.loss, judged.grade) == (0, 0, "")


def test_stand_ins_errors_are_not_the_persons() -> None:
    """What a computer did in somebody's place is none of their errors."""
    game, plies = match("durak-throw-in")
    choice = next(choice for choice in choices(game, plies) if choice.by == 1)
    judged = judge(game, choice._replace(by_stand_in=True), LITTLE)._replace(loss=0.4, low=0.3)
    assert errors([judged], (1, 2)) == []
    one, other = [course(game, plies, [judged], seat) for seat in (1, 2)]
    assert (one.own, one.others, other.others) == (0, -0.4, 0.4)


def test_what_speaks_against_a_move_does_not_tell_the_better_one() -> None:
    game, plies = match("durak-throw-in")
    said = {}
    for choice in choices(game, plies):
        if choice.ply in (28, 47):
            judged = judge(game, choice)
            said[choice.ply] = [why.key for why in reasons(game, choice.observation, judged.ratings)]
            against = [why.key for why in reasons_against(game, judged, choice.action)]
            assert against == said[choice.ply]
    assert said == {28: ["hint.can_follow"], 47: ["hint.cheapest"]}


@pytest.mark.parametrize("name", OFFERED)
def test_reasons_against_never_name_the_best_card(name: str) -> None:
    """There is always a reason against a move and none names the best card."""
    game, plies = at_random(name, 3)
    for choice in choices(game, plies)[:24:2]:
        judged = judge(game, choice, LITTLE)
        for rating in judged.ratings[1:]:
            first = reasons_against(game, judged, rating.action)[0]
            for language in LANGUAGES:
                text = template(language, name, first.key)
                assert text, first
                assert first.args.get("attack_card") != "", "everybody sees the card to beat"
                shown = {arg: value for arg, value in first.args.items() if "{" + arg in text and arg != "attack_card"}
                assert not {*judged.best.action.cards} & {*cards_named(shown)}, first


def test_what_is_too_small_to_name_is_not_luck() -> None:
    game, plies = match("durak-throw-in")
    choice = next(choice for choice in choices(game, plies) if choice.by == 1)
    judged = judge(game, choice, LITTLE)._replace(loss=0.04, low=0.0)
    without, own, other = [course(game, plies, every, seat) for every, seat in (([], 1), ([judged], 1), ([judged], 2))]
    assert (own.own, own.others, other.others) == (0, 0, 0)
    assert (own.small, other.small) == (-0.04, 0.04)
    assert own.luck == pytest.approx(without.luck + 0.04)


def test_partners_share_what_one_of_them_loses() -> None:
    game, plies = match("kakeya-seventeen")
    choice = next(choice for choice in choices(game, plies) if choice.observation.phase == "play")
    judged = judge(game, choice, LITTLE)._replace(loss=1.5, low=1.0)
    observation = choice.observation
    assert isinstance(observation, KakeyaObservation)
    for seat in range(1, game.seats + 1):
        away = seat == choice.by or seat in observation.resting
        expected = 0 if away else -1.5 if seat == observation.partner else 1.5
        assert course(game, plies, [judged], seat).others == pytest.approx(expected)


@pytest.mark.parametrize("name", OFFERED)
def test_hindsight_is_a_better_playable_line(name: str) -> None:
    """It leaves what was played at a choice of that seat, and everybody else goes on from there."""
    found = []
    for seed in range(1 if name in ("kakeya", "zetema") else 4):
        game, plies = at_random(name, seed)
        for seat in (1, 2):
            found += [(game, plies, seat, line) for line in missed_lines(game, plies, seat)[:2]]
    assert len(found) >= 3
    for game, plies, seat, line in found:
        state = plies[line.ply - 1].state
        assert line.moves[0][0] == line.played[0][0] == seat
        assert line.moves[0] != line.played[0]
        for by, action in line.moves:
            assert game.actor(state, action) == by
            state = game.apply(state, action)
        assert game.deal_over(state)
        outcome = game.outcome(state)
        if line.wins:
            assert outcome
            assert seat in outcome.winners
        assert [action for _, action in line.played] == [
            ply.action for ply in plies[line.ply : line.ply + len(line.played)]
        ]


def test_of_a_deal_that_did_not_end_hindsight_says_nothing() -> None:
    game, plies = match("durak-throw-in")
    assert open_line(game, plies, 2, 1) is not None
    assert open_line(game, plies[:40], 2, 1) is None
    assert missed_lines(game, plies[:40], 1) == []
