"""The equilibrium of Truc: its table is whole, next to nothing can be won against it, and ``strong`` plays by it."""

from collections import Counter
from functools import cache, partial
from importlib.resources import files
from itertools import chain, combinations, product
from math import inf
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest

from cardgames.bots import player, rate
from cardgames.bots.review import ReviewedChoice, judge
from cardgames.bots.thinking import CERTAINTY, Budget
from cardgames.bots.truc import thinker
from cardgames.bots.truc_equilibrium_player import BestResponse
from cardgames.bots.truc_equilibrium_table import (
    FILE,
    GOAL,
    GOES_ON,
    MAX_DOUBLINGS,
    NO_SEAT,
    STEPS,
    Cards,
    StrategyPart,
    Turns,
    about,
    actor,
    doublings_after,
    group_of,
    nodes,
    shape,
    winner,
)
from cardgames.bots.truc_odds import (
    EXACT_POINTS,
    ROUND,
    STAKES,
    STRENGTH,
    Strengths,
    deal_counts,
    descending,
    hands,
    plain_odds,
    win_probability,
    without,
)
from cardgames.engine.cards import CARDS, names
from cardgames.engine.game import Action, new_game
from cardgames.engine.truc import PACK, Truc, TrucRules, TrucState, is_open

from .test_players import of_every_phase

CHIPS = (1, 2, 4, 8, 12)


def packed() -> ZipFile:
    return ZipFile(str(files("cardgames.bots") / FILE))


class ForChips(StrategyPart):
    """A hand that counts chips, as at the beginning of a round."""

    def __init__(self) -> None:
        super().__init__((0, 0))

    def round_probability(self, seat: int, doublings: int, won_by: int) -> float:
        return 0.0 if won_by == NO_SEAT else CHIPS[doublings] if won_by == seat else -CHIPS[doublings]


class Refusing(ForChips):
    """Accepts nothing."""

    def acceptance(self, path: Turns, laid: Cards, hand: Strengths) -> float:
        return 0.0


@cache
def others_of(hand: Strengths) -> dict[Strengths, float]:
    """How likely each hand is against this one."""
    found = dict(zip(hands(3), deal_counts(3, hand), strict=True))
    return {other: number / sum(found.values()) for other, number in found.items() if number}


def played(part: StrategyPart, path: Turns, laid: Cards, held: tuple[Strengths, Strengths]) -> float:
    """The average gain of seat 0 from here on, if both play by the table."""
    group = group_of(laid)
    doublings = part.doublings(path, group)
    if (won_by := winner(laid)) != GOES_ON:
        return part.round_probability(0, doublings, won_by)
    mover = actor(len(laid) + 1, group)

    def cards(path: Turns, shares: tuple[float, ...]) -> float:
        found = 0.0
        for card, share in zip(held[mover], shares, strict=True):
            if share:
                rest = without(held[mover], card)
                found += share * played(part, path, (*laid, card), (held[0], rest) if mover else (rest, held[1]))
        return found

    *shares, proposes = part.proposes(path, laid, held[mover])
    total = cards(path, tuple(shares))
    if proposes:
        accepts = part.acceptance(path, laid, held[1 - mover])
        total += proposes * (1 - accepts) * part.round_probability(0, doublings, mover)
        if accepts:
            raised = (*path, len(laid) + 1)
            total += proposes * accepts * cards(raised, part.plays(raised, laid, held[mover]))
    return total


def gain(part: StrategyPart, seat: int, hand: Strengths) -> float:
    """The gain of the best response over the table with a hand that was dealt to a seat, worked out exactly."""
    others = others_of(hand)
    each = [played(part, (), (), (other, hand) if seat else (hand, other)) for other in others]
    mean = sum(likely * (-won if seat else won) for likely, won in zip(others.values(), each, strict=True))
    return BestResponse(part, seat, 0.0).turn((), (), hand, others) - mean


def test_the_table_has_every_part_whole() -> None:
    with packed() as file:
        lengths = {info.filename: info.file_size for info in file.infolist()}
        assert lengths.pop("about.json")
        for one, two in {(one, two) for row in about().parts for one, two in row}:
            sizes = map(shape, nodes((one, two)))
            expected = sum((actions - 1) * orders * number for actions, orders, number in sizes)
            assert lengths.pop(f"{one}-{two}") == expected
        assert not lengths
        assert max(file.read("0-0")) == STEPS


def test_a_part_serves_points_at_which_the_same_can_be_proposed() -> None:
    """Or where it knows of nothing more to propose as whoever wins so high a stake wins the round."""
    for (one, row), doublings in product(enumerate(about().parts), range(MAX_DOUBLINGS)):
        for two, name in enumerate(row):
            for own, named in zip((one, two), name, strict=True):
                after, known = doublings_after(doublings, own), doublings_after(doublings, named)
                assert known == after or (known == MAX_DOUBLINGS and min(one, two) + 2**after >= GOAL)


@pytest.mark.parametrize(
    ("level", "times", "points"),
    [
        *[("strong", 3, points) for points in ((8, 9), (4, 4), (11, 8))],
        *[(level, 50, points) for level in ("easy", "fair") for points in ((11, 11), (11, 4), (4, 11), (8, 10))],
    ],
)
def test_who_would_lose_the_round_by_refusing_accepts(level: str, times: int, points: tuple[int, int]) -> None:
    """Also if it is all one to accept, and the table knows nothing of such a proposal."""
    game = new_game("truc", 2)
    rng = Random(sum(points))
    choose = player(level, game)
    lost = 0
    while lost < times:
        state = game.start()._replace(points=points)
        state = game.apply(state, game.chance(state).sample(rng))  # type: ignore[union-attr]
        while not game.deal_over(state):
            observation: Any = game.observation(state, game.to_act(state) or 0)
            if observation.won_if_refused != "nothing":
                assert choose(observation, rng).kind == "accept"
                assert level != "strong" or rate(game, observation, rng)[0].action.kind == "accept"
                lost += 1
            elif lost and level == "strong":
                assert choose(observation, rng) in observation.legal
            raises = [one for one in observation.legal if one.kind in ("double", "remainder", "accept")]
            state = game.apply(state, raises[0] if raises else rng.choice(observation.legal))


def test_next_to_nothing_can_be_won_against_the_table() -> None:
    """``scripts/solve_truc.py --judge`` says how much with all hands; some of them here, worked out another way."""
    for seat, hand in [(0, (7, 6, 3)), (1, (6, 4, 1))]:
        assert 0 < gain(ForChips(), seat, hand) < 0.03  # it is close to an equilibrium, and none
        assert gain(Refusing(), seat, hand) > 0.1, "who plays otherwise loses by it"


def test_what_is_mixed_is_worth_the_same_and_no_error() -> None:
    """Whatever ``strong`` plays now and then is rated like what it plays first, and no review names it."""
    game = new_game("truc", 2)
    mixed = 0
    for number, (_, observation) in enumerate(of_every_phase(game, 9, 6)):
        choose = player("strong", game)
        chosen = {choose(observation, Random(seed)) for seed in range(12)}
        ratings = rate(game, observation, Random(number))
        assert ratings[0].action in chosen
        values = {rating.action: rating.value for rating in ratings}
        assert {values[action] for action in chosen} == {ratings[0].value}
        for action in chosen:
            assert not judge(game, ReviewedChoice(number, observation.seat, action, observation), 0.1).grade
        mixed += len(chosen) > 1
    assert mixed > 3


def test_of_an_exchange_little_is_known() -> None:
    """It is worse for who has good cards; for others that depends on who else exchanges, and with which cards."""
    game = new_game("truc", 2)
    known = 0
    for number, (_, observation) in enumerate(of_every_phase(game, 10, 6)):
        if observation.phase in ("exchange", "answer_exchange"):
            kept, exchanged = rate(game, observation, Random(number))
            assert kept.action.kind in ("play", "refuse")
            assert (exchanged.error == inf) == (exchanged.value == kept.value)
            assert exchanged.value <= kept.value
            known += exchanged.error < inf
    assert 2 < known < 10


def test_more_points_than_the_table_knows_of_are_played_for_too() -> None:
    game = new_game("truc", 2, {"points": 20})
    for number, (_, observation) in enumerate(of_every_phase(game, 11, 2)):
        assert rate(game, observation, Random(number))[0].action in observation.legal


@pytest.mark.parametrize("rules", [{"points": 300}, {"rounds": 1000}, {"points": 10**400, "rounds": 10**400}])
def test_a_match_without_end_in_sight_is_thought_about_too(rules: dict[str, int]) -> None:
    """Counting down so many points or rounds one by one, it ran into Python's limit, and a hint ended the table."""
    game = new_game("truc", 2, rules)
    state = game.apply(game.start(), game.parse(f"deal {names(PACK)}"))
    ratings = rate(game, game.observation(state, 2), Random(1))
    assert all(0.3 < rating.value < 0.7 for rating in ratings)


def test_the_chance_from_afar_follows_on_that_counted_down() -> None:
    for chance in (partial(win_probability, stakes=stakes) for stakes in (STAKES, ROUND)):
        for mine, theirs in ((0, 0), (0, 10), (40, 10), (10, 90), (90, 10)):
            far = (mine + theirs + EXACT_POINTS) // 2 + 1
            assert chance(mine, theirs, far) == pytest.approx(chance(mine, theirs, far - 1), abs=0.01)


def test_unusual_opponents_win_no_free_tricks() -> None:
    """After an eight that wins the first trick without a proposal, the table has hardly ever seen a weak card led."""
    game = new_game("truc", 2)
    hands_dealt = [CARDS[name] for name in ("7D", "8C", "AC", "QC", "TC", "JS")]
    pack = (*hands_dealt, *[card for card in PACK if card not in hands_dealt])
    state = game.apply(game.start(), game.parse(f"deal {names(pack)}"))
    for text in ("play", "AC", "8C", "QC"):
        state = game.apply(state, game.parse(text))
    observation = game.observation(state, game.to_act(state) or 0)
    assert [action.text for action in observation.legal] == ["7D", "TC", "double"]
    chosen = {player("strong", game)(observation, Random(seed)).text for seed in range(40)}
    assert "TC" not in chosen
    assert rate(game, observation, Random(1))[-1].action.text == "TC"


def simply(game: Truc, state: TrucState) -> Action:
    """The move of somebody who raises nothing, exchanges nothing, accepts everything and plays simply."""
    strength, legal = STRENGTH[game.rules.order], game.legal_actions(state)
    cards = [action for action in legal if action.cards]
    if not cards:
        return next(action for action in legal if action.text in ("play", "accept", "refuse"))
    weakest, *_, strongest = sorted(cards * 2, key=lambda action: strength(action.cards[0]))
    if not is_open(state.tricks):
        return strongest
    wins = [action for action in cards if strength(action.cards[0]) > strength(state.tricks[-1].cards[0])]
    return min(wins, key=lambda action: strength(action.cards[0]), default=weakest)


def played_out(game: Truc, state: TrucState, seat: int) -> tuple[float, float]:
    """The share of hands won, and the same with half of those that nobody wins, over all that the other may hold.

    The engine plays each of them; of equally strong ones it plays one, which counts for all.
    """
    o, strength = game.observation(state, seat), STRENGTH[game.rules.order]
    seen = {*o.hand, *o.laid_aside, *chain(*[trick.cards for trick in o.tricks])}
    hidden = combinations([card for card in PACK if card not in seen], o.counts[2 - seat])
    alike = {descending(map(strength, cards)): cards for cards in hidden}
    hidden = combinations([card for card in PACK if card not in seen], o.counts[2 - seat])
    often = Counter([descending(map(strength, cards)) for cards in hidden])
    won = even = 0
    for kind, cards in alike.items():
        now = state._replace(points=(0, 0), rounds=(), hands=(o.hand, cards) if seat == 1 else (cards, o.hand))
        while not game.deal_over(now):
            now = game.apply(now, simply(game, now))
        gains = game.payoff(now)
        won += often[kind] * (gains[seat - 1] > gains[2 - seat])
        even += often[kind] * (gains[0] == gains[1])
    return won / often.total(), (won + even / 2) / often.total()


@pytest.mark.parametrize("order", ["seven_eight", "seven_ace"])
def test_odds_count_every_possible_hand(order: Any) -> None:
    """Cards seen in tricks and those laid aside are not among them, and an empty hand has odds too."""
    game = Truc(2, TrucRules(order=order))
    empty = 0
    for state, observation in of_every_phase(game, 12, 14):
        o: Any = observation
        assert plain_odds(o) == pytest.approx(played_out(game, state, o.seat))
        empty += not o.hand
    assert empty


def test_two_eights_after_a_seven_on_a_ten_win_67_times() -> None:
    game = Truc(2, TrucRules(), 1)
    top = [CARDS[name] for name in ("7H", "TS", "9S", "8H", "9H", "8C")]
    state = game.apply(game.start(), game.parse(f"deal {names([*top, *[card for card in PACK if card not in top]])}"))
    for text in ("play", "7H", "TS"):
        state = game.apply(state, game.parse(text))
    assert round(100 * plain_odds(game.observation(state, 1)).won) == 67


def test_values_hold_at_four_times_the_thinking() -> None:
    """Nine of ten first values, and of all, lie within the error that is said."""
    game = Truc(2, TrucRules())
    rater: Any = thinker("strong", game)
    held = [list[bool](), list[bool]()]
    for number, (_, observation) in enumerate(of_every_phase(game, 72, 6)):
        once, more = [rater.rate(observation, Random(number), Budget(work)) for work in (10_000, 40_000)]
        later = {rating.action: rating.value for rating in more}
        for place, rating in enumerate(once):
            if rating.error < inf and not rating.same_as:
                holds = abs(rating.value - later[rating.action]) <= CERTAINTY * rating.error + 1e-9
                held[place > 0].append(holds)
    assert all(sum(each) >= 0.9 * len(each) > 20 for each in held)
