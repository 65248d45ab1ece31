"""Zetema: each clause of its rules page, and what the rules come to in examples; seat 1 begins, unless it is told
otherwise."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from random import Random

import pytest

from cardgames.engine.cards import CARDS, NAMES, RANKS
from cardgames.engine.game import Action, Event, InvalidAction, Message, Outcome, new_game
from cardgames.engine.zetema import (
    PACK,
    Zetema,
    ZetemaObservation,
    ZetemaRules,
    ZetemaState,
    marriage,
    points_of,
    single_pairs,
)
from tests.engine.positions import cards, reason, refused

DULL = "2H 4H 6D 8D TC QC"
"""A hand that makes nothing, and with five cards neither."""


def zetema(seats: int = 2, teams: bool = True, dealer: int | None = None) -> Zetema:
    return Zetema(seats, ZetemaRules(teams), dealer or seats)


def deck(*hands: str, stock: str = "") -> Action:
    """The pack that deals these hands, that of the dealer's left first, and brings these cards next."""
    top = [*chain(*zip(*[hand.split() for hand in hands], strict=True)), *stock.split()]
    rest = Counter(NAMES[card] for card in PACK)
    rest.subtract(top)
    return zetema().parse(" ".join(["deal", *top, *rest.elements()]))


def dealt(*hands: str, stock: str = "", teams: bool = True) -> tuple[Zetema, ZetemaState]:
    game = zetema(len(hands), teams)
    return game, game.apply(game.start(), deck(*hands, stock=stock))


def do(game: Zetema, state: ZetemaState, *moves: str) -> ZetemaState:
    """The state after some moves, each written ``1 play 7S``."""
    for move in moves:
        seat, text = move.split(" ", 1)
        assert game.to_act(state) == int(seat), move
        state = game.apply(state, game.parse(text))
    return state


def told(game: Zetema, state: ZetemaState, move: str) -> list[Event]:
    """The events of a move."""
    events: list[Event] = []
    game.apply(state, game.parse(move.split(" ", 1)[1]), events.append)
    return events


def legal(game: Zetema, state: ZetemaState, kind: str = "") -> list[str]:
    return [action.text for action in game.legal_actions(state) if action.text.startswith(kind)]


def hand(game: Zetema, state: ZetemaState, seat: int) -> str:
    return text(game.hands(state)[seat - 1])


def pile(game: Zetema, state: ZetemaState, rank: str) -> str:
    return text(game.observation(state, 0).piles[RANKS.index(rank)])


def text(found: Iterable[int]) -> str:
    return " ".join([NAMES[card] for card in found])


def position(
    held: str, table: str = "", scores: tuple[int, ...] = (0, 0), spades: int = 0, seats: int = 2, teams: bool = True
) -> tuple[Zetema, ZetemaState]:
    """Seat 1, which holds these cards, to act; these lie on the piles, and the sides have these scores."""
    game = zetema(seats, teams)
    seen = game.observation(game.apply(game.start(), deck(stock=text(PACK))), 1)
    counts = (len(held.split()), *seen.counts[1:])
    seen = replace(
        seen,
        hand=tuple(sorted(cards(held))),
        counts=counts,
        piles=tuple([tuple(sorted(card for card in cards(table) if NAMES[card][0] == rank)) for rank in RANKS]),
        stock=65 - sum(counts) - len(table.split()),
        side_scores=scores,
        spade_marriages=spades,
    )
    return game, game.resample(seen, Random(1))


def score(game: Zetema, state: ZetemaState, action: str) -> int:
    """The points of an action for the seat to act, which the observation has told before."""
    seat: int | None = game.to_act(state)
    assert seat
    after = game.apply(state, game.parse(action))
    scored = game.scores(after)[seat - 1] - game.scores(state)[seat - 1]
    assert points_of(game.observation(state, seat), game.parse(action)) == scored
    seen = game.observation(after, 0).last
    assert seen == (seat, game.parse(action), scored)
    return scored


# The clauses.


def test_z1_pack() -> None:
    held = Counter(NAMES[card] for card in PACK)
    assert len(PACK) == 65
    assert all(held[rank + suit] == (2 if suit == "S" else 1) for rank in RANKS for suit in "SHDC")
    game = zetema()
    assert game.to_act(game.start()) == 0
    assert game.chance(game.start()) == ("deal", PACK, 65)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_z2_deal_one_at_a_time_from_the_dealers_left(seats: int) -> None:
    pack = [NAMES[card] for card in PACK]
    Random(seats).shuffle(pack)
    size = 5 if seats == 6 else 6
    for dealer in range(1, seats + 1):
        game = zetema(seats, dealer=dealer)
        state = game.apply(game.start(), game.parse(" ".join(["deal", *pack])))
        for place in range(seats):
            seat = (dealer + place) % seats + 1
            assert game.hands(state)[seat - 1] == tuple(sorted(cards(" ".join(pack[place : seats * size : seats]))))
        assert game.to_act(state) == dealer % seats + 1
        assert game.chance(state) is None
        seen = game.observation(state, 0)
        assert (seen.dealer, seen.counts, seen.hand_size) == (dealer, (size,) * seats, size)
        assert seen.stock == 65 - seats * size
        first = dealer % seats + 1
        drawn = told(game, state, f"{first} {legal(game, state)[0]}")[-2]
        assert drawn == ("drew", {"seat": first, "cards": cards(pack[seats * size])}, (first,))


def test_z3_turn_refills_and_passes_left() -> None:
    game, state = dealt(DULL, "2D 3D 6H 8H TD JC", "2C 4C 6C 8C TH JD", stock="AH AD AC 5H")
    state = do(game, state, "1 play 2H", "2 play 2D", "3 play 2C")
    assert [hand(game, state, seat) for seat in (1, 2, 3)] == [
        "4H AH 6D 8D TC QC", "6H 8H 3D TD AD JC", "TH JD 4C 6C 8C AC",
    ]  # fmt: skip
    assert game.to_act(state) == 1
    assert game.observation(state, 0).stock == 65 - 18 - 3


TRICKS = {"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15} | dict.fromkeys("2346789T", 5)


@pytest.mark.parametrize("rank", RANKS)
def test_z4_the_fifth_card_of_a_rank_scores_a_trick(rank: str) -> None:
    others = [other for other in RANKS if other != rank]
    mine = " ".join([rank + "S", rank + "H", rank + "C", *[name + "D" for name in others[:3]]])
    theirs = " ".join([rank + "S", rank + "D", *[name + "C" for name in others[3:7]]])
    game, state = dealt(mine, theirs)
    state = do(game, state, f"1 play {rank}S", f"2 play {rank}S", f"1 play {rank}H", f"2 play {rank}D")
    assert game.scores(state) == (0, 0)
    assert len(pile(game, state, rank).split()) == 4
    assert score(game, state, f"play {rank}C") == TRICKS[rank]
    events = told(game, state, f"1 play {rank}C")
    lay_there = {"card": CARDS[f"{rank}C"], "cards": cards(" ".join(rank + suit for suit in "SSHDC"))}
    assert events[1] == ("completed_trick", {"seat": 1, "rank": rank, "points": TRICKS[rank], **lay_there}, None)
    state = do(game, state, f"1 play {rank}C")
    seen = game.observation(state, 2)
    assert pile(game, state, rank) == ""
    assert text(seen.out) == " ".join(rank + suit for suit in "SSHDC")
    assert (seen.counts, seen.stock) == ((6, 6), 65 - 12 - 5)


@pytest.mark.parametrize(
    ("held", "kind", "scores"),
    [
        ("2S 3H 4D 5C 6S 7H", "sequence", 20),
        ("2H 4H 6H 8H TH QH", "flush", 30),
        ("2C 3C 4C 5C 6C 7C", "flush-sequence", 50),
        ("TD JD QD KD AD 9D", "flush-sequence", 50),
    ],
)
def test_z5_full_hand_scores_then_lays_a_card(held: str, kind: str, scores: int) -> None:
    game, state = dealt(held, DULL.replace("2H", "JC").replace("4H", "JS").replace("6D", "JS").replace("8D", "2S"))
    laid = held.split()[0]
    assert score(game, state, f"{kind} {laid}") == scores
    assert legal(game, state, kind) == [f"{kind} {play[5:]}" for play in legal(game, state, "play")]
    shown, played, *_ = told(game, state, f"1 {kind} {laid}")
    key = "showed_" + kind.replace("-", "_")
    assert shown == (key, {"seat": 1, "cards": tuple(sorted(cards(held))), "points": scores}, None)
    assert played == ("played", {"seat": 1, "card": CARDS[laid]}, None)
    after = do(game, state, f"1 {kind} {laid}")
    assert pile(game, after, laid[0]) == laid
    assert game.observation(after, 0).counts == (6, 6)


def test_z5_of_the_three_only_the_best_name_is_legal() -> None:
    game, state = position("2C 3C 4C 5C 6C 7C")
    assert not legal(game, state, "sequence ") + legal(game, state, "flush ")
    assert reason(game, state, "sequence 2C") == ("is_flush_sequence", {})
    assert reason(game, state, "flush 2C") == ("is_flush_sequence", {})
    assert len(legal(game, state)) == 12
    game, state = position("KH QH 2H 4H 6H 8H")
    assert legal(game, state, "flush ")
    assert legal(game, state, "marriage") == ["marriage KH+QH"]
    assert legal(game, state, "play KH")


def test_z5_six_consecutive_spades_are_a_sequence() -> None:
    game, state = position("4S 5S 6S 7S 8S 9S")
    assert score(game, state, "sequence 4S") == 20
    assert reason(game, state, "flush-sequence 4S") == ("no_flush_of_spades", {})


def test_z5_reasons() -> None:
    game, state = position("4S 5H 6D 7C 8S TH")
    assert reason(game, state, "sequence 4S") == ("not_consecutive", {"count": 6})
    assert reason(game, state, "flush 4S") == ("not_one_suit", {"count": 6})
    assert reason(game, state, "flush-sequence 4S") == ("not_one_suit", {"count": 6})
    assert reason(game, state, "sequence 9S") == ("not_in_hand", {"card": CARDS["9S"]})
    game, state = position("2H 4H 6H 8H TH QH")
    assert reason(game, state, "sequence 2H") == ("not_consecutive", {"count": 6})
    assert reason(game, state, "flush-sequence 2H") == ("not_consecutive", {"count": 6})
    game, state = position("4S 4S 6S 7S 8S TS")
    assert reason(game, state, "flush 4S") == ("no_flush_of_spades", {})
    game, state = position("4S 5S 6S 7S 8S")
    assert reason(game, state, "sequence 4S") == ("needs_full_hand", {"count": 6})


ASSEMBLIES = {"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110} | dict.fromkeys("2346789T", 100)


@pytest.mark.parametrize("rank", RANKS)
def test_z6_five_of_a_rank_in_hand_are_an_assembly(rank: str) -> None:
    other = "3C" if rank != "3" else "4C"
    five = " ".join(rank + suit for suit in "SSHDC")
    game, state = dealt(f"{five} {other}", "2D 2C 7H 8H TD JC" if rank not in "278TJ" else "3D 4D 6H 9H QD KC")
    assert legal(game, state, "assembly") == [f"assembly {rank}"]
    assert score(game, state, f"assembly {rank}") == ASSEMBLIES[rank]
    events = told(game, state, f"1 assembly {rank}")
    shown = {"seat": 1, "rank": rank, "cards": cards(five), "points": ASSEMBLIES[rank]}
    assert events[0] == ("assembled", shown, None)
    state = do(game, state, f"1 assembly {rank}")
    seen = game.observation(state, 0)
    assert text(seen.out) == five
    assert (seen.counts, seen.stock, pile(game, state, rank)) == ((6, 6), 48, "")
    for seats, held in ((2, five), (6, five)):
        game, state = position(held, seats=seats)
        assert legal(game, state, "assembly") == [f"assembly {rank}"]


def test_z6_four_are_none() -> None:
    game, state = position("TS TS TH TD 9C 8C", "TC")
    assert reason(game, state, "assembly T") == ("assembly_needs_five", {"rank": "T", "count": 4})
    assert reason(game, state, "assembly 2") == ("assembly_needs_five", {"rank": "2", "count": 0})


def test_z7_no_card_serves_two_pairs() -> None:
    assert legal(*position("KH 2D 3D 4D 6D 8D", "QH KD QD"), "marriage") == ["marriage KH+(QH)"]
    assert legal(*position("QH 2D 3D 4D 6D 8D", "KH KD QD"), "marriage") == ["marriage (KH)+QH"]
    assert legal(*position("KH QD 2D 3D 4D 6D"), "marriage") == []
    game, state = position("KS QS QS 2D 3D 4D")
    assert legal(game, state, "marriage") == ["marriage KS+QS"]
    assert reason(game, state, "marriage KS+QS KS+QS") == ("no_second_in_hand", {"card": CARDS["KS"]})
    assert reason(game, state, "marriage KH+QH") == ("not_in_hand", {"card": CARDS["KH"]})
    assert reason(game, state, "marriage KS+(QS)") == ("not_on_table", {"card": CARDS["QS"]})
    game, state = position("KS KS 2D 3D 4D 6D", "QS")
    assert reason(game, state, "marriage KS+(QS) KS+(QS)") == ("no_second_on_table", {"card": CARDS["QS"]})


def test_z7_the_player_chooses_between_hand_and_table() -> None:
    game, state = position("KS QS 2D 3D 4D 6D", "KS QS")
    left = {
        "(KS)+QS": (["KS"], "QS", ""),
        "KS+(QS)": (["QS"], "", "KS"),
        "KS+QS": ([], "QS", "KS"),
        "(KS)+QS KS+(QS)": ([], "", ""),
    }
    assert legal(game, state, "marriage") == [f"marriage {way}" for way in left]
    for way, (held, queens, kings) in left.items():
        after = do(game, state, f"1 marriage {way}")
        assert [name for name in hand(game, after, 1).split() if name in ("KS", "QS")] == held
        assert (pile(game, after, "Q"), pile(game, after, "K")) == (queens, kings)
        assert game.observation(after, 0).counts == (6, 6)
        assert text(game.observation(after, 0).out) == ("QS QS KS KS" if " " in way else "QS KS")


def test_z7_pairs_may_be_left_undeclared() -> None:
    game, state = position("KH QH KD 2D KC QC", "QD")
    pairs = ["KH+QH", "KD+(QD)", "KC+QC"]
    assert legal(game, state, "marriage") == [
        f"marriage {way}"
        for way in (
            "KC+QC", "KD+(QD)", "KH+QH", "KD+(QD) KC+QC", "KH+QH KC+QC", "KH+QH KD+(QD)", "KH+QH KD+(QD) KC+QC",
        )
    ]  # fmt: skip
    after = do(game, state, f"1 marriage {pairs[0]}")
    assert set(cards("KD KC QC")) <= set(game.hands(after)[0])
    assert pile(game, after, "Q") == "QD"


ROYAL = "KS KS KH KD KC QS", "QS QH QD QC"
SPADES = {0: "", 1: "KS+QS", 2: "KS+(QS) KS+QS"}


@pytest.mark.parametrize(
    ("before", "spades", "scores"),
    [
        (0, 0, {1: 10, 2: 30, 3: 60}),
        (0, 1, {1: 10, 2: 30, 3: 60, 4: 100}),
        (1, 0, {1: 10, 2: 30, 3: 60}),
        (1, 1, {1: 20, 2: 40, 3: 70, 4: 110}),
        (0, 2, {2: 50, 3: 80, 4: 120, 5: 150}),
    ],
)
def test_z7_the_table_of_scores(before: int, spades: int, scores: dict[int, int]) -> None:
    held, table = (ROYAL[0].replace("KS KS", "KS"), ROYAL[1].replace("QS ", "")) if before else ROYAL
    game, state = position(held, table, spades=before)
    for count, expected in scores.items():
        pairs = [*SPADES[spades].split(), "KH+(QH)", "KD+(QD)", "KC+(QC)"][:count]
        assert score(game, state, " ".join(["marriage", *pairs])) == expected
        key = "married_both" if spades == 2 else "married_imperial" if spades and before else "married"
        assert told(game, state, " ".join(["1 marriage", *pairs]))[0].key == key
        after = do(game, state, " ".join(["1 marriage", *pairs]))
        assert game.observation(after, 0).spade_marriages == before + spades


def test_z7_what_is_told() -> None:
    game, state = position("KH QH KD 2D 4D 6D", "QD")
    args = {"seat": 1, "cards": cards("KH QH KD QD"), "table_cards": cards("QD"), "count": 2, "points": 30}
    assert told(game, state, "1 marriage KH+QH KD+(QD)")[0] == ("married", args, None)


def run_down(game: Zetema, state: ZetemaState, stock: int, keep: str, seat: int) -> ZetemaState:
    """The state when ``seat`` is to act and the stock has run down to so many cards, nobody having played ``keep``."""
    while game.observation(state, 0).stock > stock or game.to_act(state) != seat:
        able = [action for action in game.legal_actions(state) if action.kind == "play"]
        state = game.apply(state, next(action for action in able if action.cards[0] not in cards(keep)))
    return state


def test_z8_players_without_cards_are_passed_over() -> None:
    game, state = dealt(DULL, "KH QH KD QD 2C 4C", "3C 5C 7C 9C JC AC")
    state = run_down(game, state, 0, "KH QH KD QD", 2)
    assert game.observation(state, 0).counts == (5, 6, 5)
    state = do(game, state, "2 marriage KH+QH KD+QD")
    assert game.observation(state, 0).counts[1] == 2
    seats = []
    keys = []
    while game.to_act(state):
        seats.append(game.to_act(state))
        events: list[Event] = []
        state = game.apply(state, game.legal_actions(state)[0], events.append)
        keys += [event for event in events if event.key in ("out_of_cards", "deal_over", "drew")]
    assert seats[:6] == [3, 1, 2, 3, 1, 2]
    assert set(seats[6:]) == {1, 3}
    assert keys[0] == ("out_of_cards", {"seat": 2}, None)
    assert keys[-1] == ("deal_over", {"seat": 1}, None)
    assert [event.key for event in keys] == ["out_of_cards"] * 3 + ["deal_over"]


def test_z8_who_alone_has_cards_plays_them_out() -> None:
    game, state = dealt("KH QH KD QD 2C 4C", DULL)
    state = run_down(game, state, 0, "KH QH KD QD", 1)
    state = do(game, state, "1 marriage KH+QH KD+QD")
    left = game.observation(state, 0).counts
    seats = []
    while game.to_act(state):
        seats.append(game.to_act(state))
        state = game.apply(state, game.legal_actions(state)[0])
    assert left[0] < left[1]
    assert seats[-(left[1] - left[0]) :] == [2] * (left[1] - left[0])
    assert len(seats) == sum(left)


def test_z8_the_deal_moves_to_the_left_and_points_stand() -> None:
    game, state = dealt("KS QS 2H 4H 6D 8D", "2D 4D 6H 8H TD JC", "2C 4C 6C 8C TH JD")
    state = do(game, state, "1 marriage KS+QS")
    while game.to_act(state):
        state = game.apply(state, game.legal_actions(state)[0])
    assert game.to_act(state) == 0
    assert game.hands(state) == ((), (), ())
    scores = game.scores(state)
    assert scores[0] >= 10
    seen = game.observation(state, 1)
    assert (seen.dealer, seen.spade_marriages, seen.stock, seen.out, seen.phase) == (1, 0, 0, (), "deal")
    assert not any(seen.piles)
    state = game.apply(state, deck("KS QS 2H 4H 6D 8D", "2D 4D 6H 8H TD JC", "2C 4C 6C 8C TH JD"))
    assert game.to_act(state) == 2
    assert hand(game, state, 2) == "QS KS 2H 4H 6D 8D"
    assert game.scores(state) == scores
    assert score(game, state, "marriage KS+QS") == 10


@pytest.mark.parametrize(("seats", "target"), [(2, 300), (3, 300), (4, 200), (6, 200)])
def test_z9_target(seats: int, target: int) -> None:
    for teams in (False, True):
        assert zetema(seats, teams).observation(zetema(seats, teams).start(), 0).target == target


def test_z9_a_declaration_that_wins_leaves_everything_where_it_is() -> None:
    for held, table, action, known in (
        ("9H TH JH QH KH AH", "JS JS JD JC", "flush-sequence JH", "9H TH JH QH KH AH"),
        ("JS JS JH JD JC 4C", "", "assembly J", "JS JS JH JD JC"),
        ("KS KS QS 4C 6C 8C", "QS KH", "marriage KS+(QS) KS+QS", "QS KS KS"),
    ):
        game, state = position(held, table, (250, 0))
        before = game.observation(state, 2)
        after = do(game, state, f"1 {action}")
        seen = game.observation(after, 2)
        assert game.to_act(after) is None
        assert game.legal_actions(after) == ()
        assert game.hands(after) == game.hands(state)
        assert (seen.piles, seen.stock, seen.out) == (before.piles, before.stock, ())
        assert set(seen.known[0]) == set(cards(known))
        assert len(seen.known[0]) == len(known.split())
        assert told(game, state, f"1 {action}")[-1].key == "won"
        why = Message("reached_target", {"seats": (1,), "points": game.scores(after)[0], "target": 300})
        assert seen.outcome == Outcome(game.scores(after), (1,), why)
        assert reason(game, after, "play 4C") == ("match_over", {})


def test_z9_a_card_that_completes_a_winning_trick_has_been_laid() -> None:
    game, state = position("JH 2C 4C 6C 8C TC", "JS JS JD JC", (280, 0))
    after = do(game, state, "1 play JH")
    why = Message("reached_target", {"seats": (1,), "points": 300, "target": 300})
    assert game.outcome(after) == Outcome((300, 0), (1,), why)
    assert hand(game, after, 1) == "2C 4C 6C 8C TC"
    assert pile(game, after, "J") == "JS JS JH JD JC"
    assert game.observation(after, 0).out == ()
    assert [event.key for event in told(game, state, "1 play JH")] == ["played", "completed_trick", "won"]


def test_z9_the_combination_first_and_then_the_trick() -> None:
    held, table = "9H TH JH QH KH AH", "JS JS JD JC"
    game, state = position(held, table, (230, 0))
    assert score(game, state, "flush-sequence JH") == 70
    after = do(game, state, "1 flush-sequence JH")
    assert game.to_act(after) is None
    assert hand(game, after, 1) == "9H TH QH KH AH"
    assert game.observation(after, 2).known[0] == game.hands(after)[0]
    assert score(*position(held, table, (250, 0)), "flush-sequence JH") == 50


@pytest.mark.parametrize(
    ("seats", "teams", "winners"),
    [(2, True, (1,)), (3, True, (1,)), (4, True, (1, 3)), (4, False, (1,)), (6, True, (1, 3, 5)), (6, False, (1,))],
)
def test_z9_a_side_wins_together(seats: int, teams: bool, winners: tuple[int, ...]) -> None:
    sides = 2 if len(winners) > 1 else seats
    target = 300 if seats < 4 else 200
    game, state = position("KH QH 2D 4D 6D", "", (target - 10, *[3] * (sides - 1)), seats=seats, teams=teams)
    assert game.observation(state, 0).sides == tuple(tuple(range(s + 1, seats + 1, sides)) for s in range(sides))
    after = do(game, state, "1 marriage KH+QH")
    assert game.outcome(after) == Outcome(
        tuple(target if seat in winners else 3 for seat in range(1, seats + 1)),
        winners,
        Message("reached_target", {"seats": winners, "points": target, "target": target}),
    )
    assert told(game, state, "1 marriage KH+QH")[-1] == (
        "won", {"seats": winners, "points": target, "target": target}, None,
    )  # fmt: skip


def test_z10_six_players_make_combinations_of_five() -> None:
    for held, kind, scores in (
        ("2S 3H 4D 5C 6S", "sequence", 20),
        ("TS JS QS KS AS", "sequence", 20),
        ("2H 4H 6H 8H TH", "flush", 30),
        ("AC 2C 3C 4C 5C", "flush-sequence", 50),
    ):
        assert score(*position(held, seats=6), f"{kind} {held[:2]}") == scores
    game, state = position("QS KS AS 2S 3S", seats=6)
    assert reason(game, state, "sequence QS") == ("not_consecutive", {"count": 5})
    game, state = position("2S 3H 4D 5C", seats=6)
    assert reason(game, state, "sequence 2S") == ("needs_full_hand", {"count": 5})
    game, state = position("2S 3H 4D 5C 6S", seats=4)
    assert reason(game, state, "sequence 2S") == ("needs_full_hand", {"count": 6})


def test_z11_a_declared_hand_is_known_until_it_is_played() -> None:
    game, state = dealt("4S 5H 6D 7C 8S 9H", "2D 2C 3H 3D JC JD", stock="4S KD TC KC")
    state = do(game, state, "1 sequence 9H")
    for seat in (0, 1, 2):
        assert text(game.observation(state, seat).known[0]) == "4S 8S 5H 6D 7C"
    state = do(game, state, "2 play 2D")
    assert hand(game, state, 1) == "4S 4S 8S 5H 6D 7C"
    state = do(game, state, "1 play 4S")
    assert [text(known) for known in game.observation(state, 2).known] == ["8S 5H 6D 7C", ""]
    assert hand(game, state, 1) == "4S 8S 5H 6D 7C TC"
    state = do(game, state, "2 play 2C", "1 play TC", "2 play 3H", "1 play 8S")
    assert text(game.observation(state, 2).known[0]) == "5H 6D 7C"


def test_z11_cards_shown_in_sets_are_forgotten() -> None:
    """Z11: cards of a marriage and an assembly are no longer known."""
    game, state = dealt("9H TH JH QH KH AH", "2D 2C 3H 3D JC JD", stock="KS KD TC KC")
    state = do(game, state, "1 flush-sequence 9H", "2 play 2D")
    assert text(game.observation(state, 0).known[0]) == "TH JH QH KH AH"
    state = do(game, state, "1 marriage KH+QH")
    assert text(game.observation(state, 0).known[0]) == "TH JH AH"
    state = do(game, state, "2 play 2C", "1 play TH", "2 play 3H", "1 play JH", "2 play 3D", "1 play AH")
    assert game.observation(state, 0).known == ((), ())


# The checks.


def test_check_7_what_is_a_sequence() -> None:
    for held, kinds in (
        ("4S 5S 6S 7S 8S 9S", ["sequence"]),
        ("4S 5S 6S 7S 8S TS", []),
        ("4S 4S 5S 6S 7S 8S", []),
        ("2H 4H 6H 8H TH QH", ["flush"]),
        ("JC QH KD AS 2H 3D", []),
        ("JH QH KH AH 2H 3H", ["flush"]),
        ("AS 2H 3D 4C 5H 6S", ["sequence"]),
        ("9S TH JD QC KC AS", ["sequence"]),
    ):
        game, state = position(held)
        kinds_found = {action.kind for action in game.legal_actions(state)} - {"play", "marriage"}
        assert sorted(kinds_found) == kinds


def test_check_8_the_last_two_cards_of_the_stock() -> None:
    game, state = dealt("2D 4D 6H 8H TD JC", "KD QD KC QC 2H 4H")
    state = run_down(game, state, 2, "KD QD KC QC", 2)
    held = set(game.hands(state)[1]) - set(cards("KD QD KC QC"))
    state = do(game, state, "2 marriage KD+QD KC+QC")
    assert held < set(game.hands(state)[1])
    assert game.observation(state, 0).counts == (6, 4)
    assert game.observation(state, 0).stock == 0


def test_check_10_a_married_king_is_out_of_play() -> None:
    game, state = dealt("KH QH 2D 4D 6H 8C", "KS KS KD KC TD JC")
    state = do(game, state, "1 marriage KH+QH", "2 play KS", "1 play 2D", "2 play KS", "1 play 4D", "2 play KD")
    state = do(game, state, "1 play 6H")
    assert score(game, state, "play KC") == 0
    assert pile(game, do(game, state, "2 play KC"), "K") == "KS KS KD KC"


# What is known, and what is not.


@cache
def matches() -> list[tuple[Zetema, list[ZetemaState]]]:
    """A match of every number of seats, with and without teams, in which every second legal declaration is made."""
    found = []
    for seed, (seats, teams) in enumerate(((2, True), (3, True), (4, True), (4, False), (6, True), (6, False))):
        rng = Random(seed)
        game = zetema(seats, teams)
        states = [game.start()]
        while game.to_act(states[-1]) is not None:
            chance = game.chance(states[-1])
            able = [*game.legal_actions(states[-1])]
            able = [action for action in able if action.kind != "play" and rng.random() < 0.5] or able
            states.append(game.apply(states[-1], chance.sample(rng) if chance else rng.choice(able)))
        found.append((game, states))
    return found


def last_cards(game: Zetema, counts: tuple[int, int], stock: int, known: str, unseen: str) -> ZetemaObservation:
    """The observation of seat 1 near the end of a deal, with these cards unseen and some of Ben's hand known."""
    seen = game.observation(game.apply(game.start(), deck(stock=text(PACK))), 1)
    held = cards("TH JH")[: counts[0]]
    out = Counter(PACK) - Counter(cards(f"{known} {unseen}")) - Counter(held)
    return replace(
        seen, hand=held, counts=counts, stock=stock, known=((), cards(known)), out=tuple(sorted(out.elements()))
    )


def test_guesses_are_even_and_twins_are_two_cards() -> None:
    """Of three unseen cards Ben holds one, and two are the stock: each of the three ways comes as often."""
    game = zetema()
    guess = game.sampler(last_cards(game, (2, 1), 2, "", "2S 2S 3H"))
    rng = Random(1)
    found = Counter(game.key(guess(rng)) for _ in range(3000))
    assert len(found) == 3
    assert all(900 < times < 1100 for times in found.values())
    guess = game.sampler(last_cards(game, (2, 2), 1, "2S", "2S 3H"))
    assert Counter(hand(game, guess(rng), 2) for _ in range(1000)).keys() == {"2S 2S", "2S 3H"}


def drawn(game: Zetema, state: ZetemaState) -> list[str]:
    """The draw as each seat hears of it, those who watch first."""
    return [text(game.observation(state, seat).drawn) for seat in range(game.seats + 1)]


def test_owner_sees_the_drawn_card_for_a_turn() -> None:
    game, state = dealt("KH QH KD QD 2C 4C", "2D 4D 6H 8H TD JC", "2H 4H 6C 8C TH JD", stock="5S 7S 9S AH 2S 2S")
    assert drawn(game, state) == ["", "", "", ""]
    state = do(game, state, "1 marriage KH+QH KD+QD")
    assert drawn(game, state) == ["", "5S 7S 9S AH", "", ""]
    state = do(game, state, "2 play 2D", "3 play 2H")
    assert drawn(game, state) == ["", "5S 7S 9S AH", "2S", "2S"]
    state = do(game, state, "1 play 2C")
    assert len(game.observation(state, 1).drawn) == 1
    assert drawn(game, state)[2:] == ["2S", "2S"]
    state = do(game, state, "2 play 2S")
    assert "2S" not in drawn(game, state)[2]


def test_what_was_drawn_is_in_the_hand() -> None:
    for game, states in matches():
        for before, state in pairwise(states):
            for seat in range(1, game.seats + 1):
                seen, old = game.observation(state, seat), game.observation(before, seat)
                assert not Counter(seen.drawn) - Counter(seen.hand)
                if seen.phase == "deal" or old.phase == "deal":
                    assert seen.drawn == ()
                elif seat != old.to_act:
                    assert seen.drawn == old.drawn
                elif seen.phase == "turn":
                    assert len(seen.drawn) == old.stock - seen.stock
                else:
                    assert seen.drawn == ()


def test_what_a_pile_lacks_and_what_will_never_come_to_it() -> None:
    game, state = dealt("KS QS 2D 4D 6D 8D", "KS QS KH QH 2C 4C", stock="3D 5D 7D 9D JD")
    state = do(game, state, "1 marriage KS+QS", "2 play KH", "1 play 2D")
    seen = game.observation(state, 0)
    king = RANKS.index("K")
    assert [text(cards[king]) for cards in (seen.piles, seen.lacking, seen.gone)] == ["KH", "KS KD KC", "KS"]
    for game, states in matches():
        for state in states[::5]:
            seen = game.observation(state, 0)
            for rank in range(13):
                five = Counter(card for card in PACK if card % 13 == rank)
                assert Counter(chain(seen.piles[rank], seen.lacking[rank], seen.gone[rank])) == five
            assert Counter(chain(*seen.gone)) == Counter(seen.out)


# What those who think ahead ask.


def two_ways() -> tuple[Zetema, ZetemaState, ZetemaState]:
    """Ann plays two cards the one way round and the other: the same position, but for what was done last."""
    game, state = dealt("3S 3H 5H 8H TC QC", "2H 4H 6D 8D TD JC", stock="5S 5D 5C 7H")
    one = do(game, state, "1 play 3S", "2 play 2H", "1 play QC")
    other = do(game, state, "1 play QC", "2 play 2H", "1 play 3S")
    return game, one, other


def test_positions_that_were_reached_in_different_ways_have_the_same_key() -> None:
    game, one, other = two_ways()
    assert one != other
    assert game.key(one) == game.key(other)
    assert hash(game.key(one)) == hash(game.key(other))
    assert game.key(one) == game.key(one._replace(known=((), one.hands[1])))


# What the prompt offers.


def test_what_might_be_thought_of_is_refused_with_its_reason() -> None:
    game, state = position("TS TS TH KH 8C QD", "KD", scores=(0, 0))
    found = {action.text: why for action, why in refused(game, state)}
    assert found == {
        "sequence TS": ("not_consecutive", {"count": 6}),
        "flush TS": ("not_one_suit", {"count": 6}),
        "flush-sequence TS": ("not_one_suit", {"count": 6}),
        "assembly T": ("assembly_needs_five", {"rank": "T", "count": 3}),
    }
    for game, states in matches():
        for state in states[::5]:
            able = game.legal_actions(state)
            for action, why in refused(game, state):
                assert action not in able
                assert reason(game, state, action.text) == why


def test_pairs_are_declared_together_or_the_reason_is_told() -> None:
    game, state = position("KS QS KH QD KD 2C", "QS QH")
    seen = game.observation(state, 1)
    assert seen.marriage(["KD+QD", "KS+QS"]) == game.parse("marriage KS+QS KD+QD")
    assert seen.marriage(["KS+QS", "KS+(QS)"]) == Message("no_second_in_hand", {"card": CARDS["KS"]})
    game, state = position("KS KS 2D 3D 4D 6D", "QS")
    seen = game.observation(state, 1)
    assert seen.marriage(["KS+(QS)", "KS+(QS)"]) == Message("no_second_on_table", {"card": CARDS["QS"]})


def test_single_pairs_and_their_marriages() -> None:
    game, state = position("KS QS KH QD KD 2C", "KS QS QH")
    seen = game.observation(state, 1)
    assert single_pairs(seen) == ("(KS)+QS", "KS+(QS)", "KS+QS", "KH+(QH)", "KD+QD")
    chosen = marriage(["KD+QD", "KS+(QS)", "(KS)+QS"])
    assert chosen == game.parse("marriage (KS)+QS KS+(QS) KD+QD")
    assert points_of(seen, chosen) == 80
    assert chosen in seen.legal
    assert marriage(["KS+QS", "KS+(QS)"]) not in seen.legal
    game, state = position("KS KS QS QS 2D 4D")
    assert single_pairs(game.observation(state, 1)) == ("KS+QS", "KS+QS")
    assert marriage(["KS+QS", "KS+QS"]).text == "marriage KS+QS KS+QS"
    assert single_pairs(game.observation(state, 2)) == ()
    for wrong in ([], ["KH+QH", "KH+QH"], ["KS+QS"] * 3, ["KH"], ["QH+KH"]):
        with pytest.raises(InvalidAction):
            marriage(wrong)


def test_points_are_what_is_scored() -> None:
    for game, states in matches():
        for state in states[::9]:
            for action in game.legal_actions(state)[::2]:
                score(game, state, action.text)


def test_three_sides_of_six_players() -> None:
    three = {"teams": True, "three_sides": True}
    assert new_game("zetema", 6, three).sides == ((1, 4), (2, 5), (3, 6))


def test_a_side_of_two_wins_together() -> None:
    game = Zetema(6, ZetemaRules(teams=True, three_sides=True), dealer=6)
    state = game.start()._replace(scores=(190, 3, 3))
    hands = "KH QH 2D 4D 6D", "2S 4S 6S 8S TS", "2H 4H 6H 8H TH", "2C 4C 6C 8C TC", "3S 5S 7S 9S JS", "3H 5H 7H 9H JH"
    state = game.apply(state, deck(*hands))
    state = do(game, state, "1 marriage KH+QH")
    assert game.scores(state) == (200, 3, 3, 200, 3, 3)
    why = Message("reached_target", {"seats": (1, 4), "points": 200, "target": 200})
    assert game.outcome(state) == Outcome(game.scores(state), (1, 4), why)


def test_the_deal_of_a_rematch_passes_on_from_the_last_deal() -> None:
    dealers = set()
    for game, states in matches():
        last = game.observation(states[-1], 0).dealer
        assert game.next_dealer(states[-1]) == last % game.seats + 1
        dealers.add(last)
    assert len(dealers) > 1
    game, state = position("JS JS JH JD JC 4C", scores=(250, 0))
    assert game.observation(state, 0).dealer == 2
    assert game.next_dealer(do(game, state, "1 assembly J")) == 1
