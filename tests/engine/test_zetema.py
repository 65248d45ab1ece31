"""Zetema: each clause of its rules page, and what the rules come to in examples; seat 1 begins, unless it is told
otherwise."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from random import Random
from typing import Self

import pytest

from cardgames.engine.cards import CARDS, NAMES, RANKS
from cardgames.engine.game import Event, Message, Outcome, new_game
from cardgames.engine.zetema import (
    PACK,
    Zetema,
    ZetemaObservation,
    ZetemaRules,
    points_of,
    single_pairs,
)
from tests.engine.positions import Position, cards

DULL = "2H 4H 6D 8D TC QC"
"""A hand that makes nothing, and with five cards neither."""


def deck(*hands: str, stock: str = "") -> str:
    """The deal of these hands, that of the dealer's left first, and of these cards next."""
    top = [*chain(*zip(*[hand.split() for hand in hands], strict=True)), *stock.split()]
    rest = Counter(NAMES[card] for card in PACK)
    rest.subtract(top)
    return " ".join(["deal", *top, *rest.elements()])


class Table(Position):
    """A match on its way. Every method gives a table of its own, and leaves this one as it is."""

    def told(self, move: str) -> list[Event]:
        """The events of a move."""
        return self.after(move.split(" ", 1)[1]).events

    def offers(self, kind: str = "") -> list[str]:
        return [text for text in self.legal if text.startswith(kind)]

    def held(self, seat: int) -> str:
        return text(self.hands[seat - 1])

    def pile(self, rank: str) -> str:
        return text(self.sees().piles[RANKS.index(rank)])

    def score(self, action: str) -> int:
        """The points of an action for the seat to act, which the observation has told before."""
        seat, after = self.to_act, self.after(action)
        assert seat
        scored = after.scores[seat - 1] - self.scores[seat - 1]
        assert points_of(self.sees(seat), self.game.parse(action)) == scored
        assert after.sees().last == (seat, self.game.parse(action), scored)
        return scored

    @property
    def drawn(self) -> list[str]:
        """The draw as each seat hears of it, those who watch first."""
        return [text(self.sees(seat).drawn) for seat in range(self.game.seats + 1)]

    def run_down(self, stock: int, keep: str, seat: int) -> Self:
        """The table when ``seat`` is to act and so many cards are in the stock, nobody having played ``keep``."""
        table = self
        while table.sees().stock > stock or table.to_act != seat:
            able = [action for action in table.actions if action.kind == "play"]
            table = table.apply(next(action for action in able if action.cards[0] not in cards(keep)))
        return table


def zetema(seats: int = 2, teams: bool = True, dealer: int | None = None) -> Table:
    return Table(Zetema(seats, ZetemaRules(teams), dealer or seats))


def dealt(*hands: str, stock: str = "", teams: bool = True) -> Table:
    return zetema(len(hands), teams).after(deck(*hands, stock=stock))


def text(found: Iterable[int]) -> str:
    return " ".join([NAMES[card] for card in found])


def position(
    held: str, table: str = "", scores: tuple[int, ...] = (0, 0), spades: int = 0, seats: int = 2, teams: bool = True
) -> Table:
    """Seat 1, which holds these cards, to act; these lie on the piles, and the sides have these scores."""
    found = zetema(seats, teams).after(deck(stock=text(PACK)))
    seen = found.sees(1)
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
    found.state = found.game.resample(seen, Random(1))
    return found


# The clauses.


def test_z1_pack() -> None:
    held = Counter(NAMES[card] for card in PACK)
    assert len(PACK) == 65
    assert all(held[rank + suit] == (2 if suit == "S" else 1) for rank in RANKS for suit in "SHDC")
    game = zetema()
    assert game.to_act == 0
    assert game.chance == ("deal", PACK, 65)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_z2_deal_one_at_a_time_from_the_dealers_left(seats: int) -> None:
    pack = [NAMES[card] for card in PACK]
    Random(seats).shuffle(pack)
    size = 5 if seats == 6 else 6
    for dealer in range(1, seats + 1):
        game = zetema(seats, dealer=dealer)
        game = game.after(" ".join(["deal", *pack]))
        for place in range(seats):
            seat = (dealer + place) % seats + 1
            assert game.hands[seat - 1] == tuple(sorted(cards(" ".join(pack[place : seats * size : seats]))))
        assert game.to_act == dealer % seats + 1
        assert game.chance is None
        seen = game.sees(0)
        assert (seen.dealer, seen.counts, seen.hand_size) == (dealer, (size,) * seats, size)
        assert seen.stock == 65 - seats * size
        first = dealer % seats + 1
        drawn = game.told(f"{first} {game.offers()[0]}")[-2]
        assert drawn == ("drew", {"seat": first, "cards": cards(pack[seats * size])}, (first,))


def test_z3_turn_refills_and_passes_left() -> None:
    game = dealt(DULL, "2D 3D 6H 8H TD JC", "2C 4C 6C 8C TH JD", stock="AH AD AC 5H")
    game = game.turns("1 play 2H", "2 play 2D", "3 play 2C")
    assert [game.held(seat) for seat in (1, 2, 3)] == [
        "4H AH 6D 8D TC QC", "6H 8H 3D TD AD JC", "TH JD 4C 6C 8C AC",
    ]  # fmt: skip
    assert game.to_act == 1
    assert game.sees(0).stock == 65 - 18 - 3


TRICKS = {"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15} | dict.fromkeys("2346789T", 5)


@pytest.mark.parametrize("rank", RANKS)
def test_z4_the_fifth_card_of_a_rank_scores_a_trick(rank: str) -> None:
    others = [other for other in RANKS if other != rank]
    mine = " ".join([rank + "S", rank + "H", rank + "C", *[name + "D" for name in others[:3]]])
    theirs = " ".join([rank + "S", rank + "D", *[name + "C" for name in others[3:7]]])
    game = dealt(mine, theirs)
    game = game.turns(f"1 play {rank}S", f"2 play {rank}S", f"1 play {rank}H", f"2 play {rank}D")
    assert game.scores == (0, 0)
    assert len(game.pile(rank).split()) == 4
    assert game.score(f"play {rank}C") == TRICKS[rank]
    events = game.told(f"1 play {rank}C")
    lay_there = {"card": CARDS[f"{rank}C"], "cards": cards(" ".join(rank + suit for suit in "SSHDC"))}
    assert events[1] == ("completed_trick", {"seat": 1, "rank": rank, "points": TRICKS[rank], **lay_there}, None)
    game = game.turns(f"1 play {rank}C")
    seen = game.sees(2)
    assert game.pile(rank) == ""
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
    game = dealt(held, DULL.replace("2H", "JC").replace("4H", "JS").replace("6D", "JS").replace("8D", "2S"))
    laid = held.split()[0]
    assert game.score(f"{kind} {laid}") == scores
    assert game.offers(kind) == [f"{kind} {play[5:]}" for play in game.offers("play")]
    shown, played, *_ = game.told(f"1 {kind} {laid}")
    key = "showed_" + kind.replace("-", "_")
    assert shown == (key, {"seat": 1, "cards": tuple(sorted(cards(held))), "points": scores}, None)
    assert played == ("played", {"seat": 1, "card": CARDS[laid]}, None)
    after = game.turns(f"1 {kind} {laid}")
    assert after.pile(laid[0]) == laid
    assert after.sees(0).counts == (6, 6)


def test_z5_of_the_three_only_the_best_name_is_legal() -> None:
    game = position("2C 3C 4C 5C 6C 7C")
    assert not game.offers("sequence ") + game.offers("flush ")
    assert game.refusal("sequence 2C") == ("is_flush_sequence", {})
    assert game.refusal("flush 2C") == ("is_flush_sequence", {})
    assert len(game.offers()) == 12
    game = position("KH QH 2H 4H 6H 8H")
    assert game.offers("flush ")
    assert game.offers("marriage") == ["marriage KH+QH"]
    assert game.offers("play KH")


def test_z5_six_consecutive_spades_are_a_sequence() -> None:
    game = position("4S 5S 6S 7S 8S 9S")
    assert game.score("sequence 4S") == 20
    assert game.refusal("flush-sequence 4S") == ("no_flush_of_spades", {})


def test_z5_reasons() -> None:
    game = position("4S 5H 6D 7C 8S TH")
    assert game.refusal("sequence 4S") == ("not_consecutive", {"count": 6})
    assert game.refusal("flush 4S") == ("not_one_suit", {"count": 6})
    assert game.refusal("flush-sequence 4S") == ("not_one_suit", {"count": 6})
    assert game.refusal("sequence 9S") == ("not_in_hand", {"card": CARDS["9S"]})
    game = position("2H 4H 6H 8H TH QH")
    assert game.refusal("sequence 2H") == ("not_consecutive", {"count": 6})
    assert game.refusal("flush-sequence 2H") == ("not_consecutive", {"count": 6})
    game = position("4S 4S 6S 7S 8S TS")
    assert game.refusal("flush 4S") == ("no_flush_of_spades", {})
    game = position("4S 5S 6S 7S 8S")
    assert game.refusal("sequence 4S") == ("needs_full_hand", {"count": 6})


ASSEMBLIES = {"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110} | dict.fromkeys("2346789T", 100)


@pytest.mark.parametrize("rank", RANKS)
def test_z6_five_of_a_rank_in_hand_are_an_assembly(rank: str) -> None:
    other = "3C" if rank != "3" else "4C"
    five = " ".join(rank + suit for suit in "SSHDC")
    game = dealt(f"{five} {other}", "2D 2C 7H 8H TD JC" if rank not in "278TJ" else "3D 4D 6H 9H QD KC")
    assert game.offers("assembly") == [f"assembly {rank}"]
    assert game.score(f"assembly {rank}") == ASSEMBLIES[rank]
    events = game.told(f"1 assembly {rank}")
    shown = {"seat": 1, "rank": rank, "cards": cards(five), "points": ASSEMBLIES[rank]}
    assert events[0] == ("assembled", shown, None)
    game = game.turns(f"1 assembly {rank}")
    seen = game.sees(0)
    assert text(seen.out) == five
    assert (seen.counts, seen.stock, game.pile(rank)) == ((6, 6), 48, "")
    for seats, held in ((2, five), (6, five)):
        game = position(held, seats=seats)
        assert game.offers("assembly") == [f"assembly {rank}"]


def test_z6_four_are_none() -> None:
    game = position("TS TS TH TD 9C 8C", "TC")
    assert game.refusal("assembly T") == ("assembly_needs_five", {"rank": "T", "count": 4})
    assert game.refusal("assembly 2") == ("assembly_needs_five", {"rank": "2", "count": 0})


def test_z7_no_card_serves_two_pairs() -> None:
    assert position("KH 2D 3D 4D 6D 8D", "QH KD QD").offers("marriage") == ["marriage KH+(QH)"]
    assert position("QH 2D 3D 4D 6D 8D", "KH KD QD").offers("marriage") == ["marriage (KH)+QH"]
    assert position("KH QH").offers("marriage") == ["marriage KH+QH"]
    assert position("KH QD 2D 3D 4D 6D").offers("marriage") == []
    game = position("KS QS QS 2D 3D 4D")
    assert game.offers("marriage") == ["marriage KS+QS"]
    assert game.refusal("marriage KS+QS KS+QS") == ("no_second_in_hand", {"card": CARDS["KS"]})
    assert game.refusal("marriage KH+QH") == ("not_in_hand", {"card": CARDS["KH"]})
    assert game.refusal("marriage KS+(QS)") == ("not_on_table", {"card": CARDS["QS"]})
    game = position("KS KS 2D 3D 4D 6D", "QS")
    assert game.refusal("marriage KS+(QS) KS+(QS)") == ("no_second_on_table", {"card": CARDS["QS"]})


def test_z7_the_player_chooses_between_hand_and_table() -> None:
    game = position("KS QS 2D 3D 4D 6D", "KS QS")
    left = {
        "(KS)+QS": (["KS"], "QS", ""),
        "KS+(QS)": (["QS"], "", "KS"),
        "KS+QS": ([], "QS", "KS"),
        "(KS)+QS KS+(QS)": ([], "", ""),
    }
    assert game.offers("marriage") == [f"marriage {way}" for way in left]
    for way, (held, queens, kings) in left.items():
        after = game.turns(f"1 marriage {way}")
        assert [name for name in after.held(1).split() if name in ("KS", "QS")] == held
        assert (after.pile("Q"), after.pile("K")) == (queens, kings)
        assert after.sees(0).counts == (6, 6)
        assert text(after.sees(0).out) == ("QS QS KS KS" if " " in way else "QS KS")


def test_z7_pairs_may_be_left_undeclared() -> None:
    game = position("KH QH KD 2D KC QC", "QD")
    pairs = ["KH+QH", "KD+(QD)", "KC+QC"]
    assert game.offers("marriage") == [
        f"marriage {way}"
        for way in (
            "KC+QC", "KD+(QD)", "KH+QH", "KD+(QD) KC+QC", "KH+QH KC+QC", "KH+QH KD+(QD)", "KH+QH KD+(QD) KC+QC",
        )
    ]  # fmt: skip
    after = game.turns(f"1 marriage {pairs[0]}")
    assert set(cards("KD KC QC")) <= set(after.hands[0])
    assert after.pile("Q") == "QD"


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
    game = position(held, table, spades=before)
    for count, expected in scores.items():
        pairs = [*SPADES[spades].split(), "KH+(QH)", "KD+(QD)", "KC+(QC)"][:count]
        assert game.score(" ".join(["marriage", *pairs])) == expected
        key = "married_both" if spades == 2 else "married_imperial" if spades and before else "married"
        assert game.told(" ".join(["1 marriage", *pairs]))[0].key == key
        after = game.turns(" ".join(["1 marriage", *pairs]))
        assert after.sees(0).spade_marriages == before + spades


def test_z7_what_is_told() -> None:
    game = position("KH QH KD 2D 4D 6D", "QD")
    args = {"seat": 1, "cards": cards("KH QH KD QD"), "table_cards": cards("QD"), "count": 2, "points": 30}
    assert game.told("1 marriage KH+QH KD+(QD)")[0] == ("married", args, None)


def test_z8_players_without_cards_are_passed_over() -> None:
    game = dealt(DULL, "KH QH KD QD 2C 4C", "3C 5C 7C 9C JC AC")
    game = game.run_down(0, "KH QH KD QD", 2)
    assert game.sees(0).counts == (5, 6, 5)
    game = game.turns("2 marriage KH+QH KD+QD")
    assert game.sees(0).counts[1] == 2
    seats = []
    keys = []
    while game.to_act:
        seats.append(game.to_act)
        game = game.apply(game.actions[0])
        keys += [event for event in game.events if event.key in ("out_of_cards", "deal_over", "drew")]
    assert seats[:6] == [3, 1, 2, 3, 1, 2]
    assert set(seats[6:]) == {1, 3}
    assert keys[0] == ("out_of_cards", {"seat": 2}, None)
    assert keys[-1] == ("deal_over", {"seat": 1}, None)
    assert [event.key for event in keys] == ["out_of_cards"] * 3 + ["deal_over"]


def test_z8_who_alone_has_cards_plays_them_out() -> None:
    game = dealt("KH QH KD QD 2C 4C", DULL)
    game = game.run_down(0, "KH QH KD QD", 1)
    game = game.turns("1 marriage KH+QH KD+QD")
    left = game.sees(0).counts
    seats = []
    while game.to_act:
        seats.append(game.to_act)
        game = game.apply(game.actions[0])
    assert left[0] < left[1]
    assert seats[-(left[1] - left[0]) :] == [2] * (left[1] - left[0])
    assert len(seats) == sum(left)


def test_z8_the_deal_moves_to_the_left_and_points_stand() -> None:
    game = dealt("KS QS 2H 4H 6D 8D", "2D 4D 6H 8H TD JC", "2C 4C 6C 8C TH JD")
    game = game.turns("1 marriage KS+QS")
    while game.to_act:
        game = game.apply(game.actions[0])
    assert game.to_act == 0
    assert game.hands == ((), (), ())
    scores = game.scores
    assert scores[0] >= 10
    seen = game.sees(1)
    assert (seen.dealer, seen.spade_marriages, seen.stock, seen.out, seen.phase) == (1, 0, 0, (), "deal")
    assert not any(seen.piles)
    game = game.after(deck("KS QS 2H 4H 6D 8D", "2D 4D 6H 8H TD JC", "2C 4C 6C 8C TH JD"))
    assert game.to_act == 2
    assert game.held(2) == "QS KS 2H 4H 6D 8D"
    assert game.scores == scores
    assert game.score("marriage KS+QS") == 10


@pytest.mark.parametrize(("seats", "target"), [(2, 300), (3, 300), (4, 200), (6, 200)])
def test_z9_target(seats: int, target: int) -> None:
    for teams in (False, True):
        assert zetema(seats, teams).sees().target == target


def test_z9_a_declaration_that_wins_leaves_everything_where_it_is() -> None:
    for held, table, action, known in (
        ("9H TH JH QH KH AH", "JS JS JD JC", "flush-sequence JH", "9H TH JH QH KH AH"),
        ("JS JS JH JD JC 4C", "", "assembly J", "JS JS JH JD JC"),
        ("KS KS QS 4C 6C 8C", "QS KH", "marriage KS+(QS) KS+QS", "QS KS KS"),
    ):
        game = position(held, table, (250, 0))
        before = game.sees(2)
        after = game.turns(f"1 {action}")
        seen = after.sees(2)
        assert after.to_act is None
        assert after.actions == ()
        assert after.hands == game.hands
        assert (seen.piles, seen.stock, seen.out) == (before.piles, before.stock, ())
        assert set(seen.known[0]) == set(cards(known))
        assert len(seen.known[0]) == len(known.split())
        assert game.told(f"1 {action}")[-1].key == "won"
        why = Message("reached_target", {"seats": (1,), "points": after.scores[0], "target": 300})
        assert seen.outcome == Outcome(after.scores, (1,), why)
        assert after.refusal("play 4C") == ("match_over", {})


def test_z9_a_card_that_completes_a_winning_trick_has_been_laid() -> None:
    game = position("JH 2C 4C 6C 8C TC", "JS JS JD JC", (280, 0))
    after = game.turns("1 play JH")
    why = Message("reached_target", {"seats": (1,), "points": 300, "target": 300})
    assert after.outcome == Outcome((300, 0), (1,), why)
    assert after.held(1) == "2C 4C 6C 8C TC"
    assert after.pile("J") == "JS JS JH JD JC"
    assert after.sees(0).out == ()
    assert [event.key for event in game.told("1 play JH")] == ["played", "completed_trick", "won"]


def test_z9_the_combination_first_and_then_the_trick() -> None:
    held, table = "9H TH JH QH KH AH", "JS JS JD JC"
    game = position(held, table, (230, 0))
    assert game.score("flush-sequence JH") == 70
    after = game.turns("1 flush-sequence JH")
    assert after.to_act is None
    assert after.held(1) == "9H TH QH KH AH"
    assert after.sees(2).known[0] == after.hands[0]
    assert position(held, table, (250, 0)).score("flush-sequence JH") == 50


@pytest.mark.parametrize(
    ("seats", "teams", "winners"),
    [(2, True, (1,)), (3, True, (1,)), (4, True, (1, 3)), (4, False, (1,)), (6, True, (1, 3, 5)), (6, False, (1,))],
)
def test_z9_a_side_wins_together(seats: int, teams: bool, winners: tuple[int, ...]) -> None:
    sides = 2 if len(winners) > 1 else seats
    target = 300 if seats < 4 else 200
    game = position("KH QH 2D 4D 6D", "", (target - 10, *[3] * (sides - 1)), seats=seats, teams=teams)
    assert game.sees(0).sides == tuple(tuple(range(s + 1, seats + 1, sides)) for s in range(sides))
    after = game.turns("1 marriage KH+QH")
    assert after.outcome == Outcome(
        tuple(target if seat in winners else 3 for seat in range(1, seats + 1)),
        winners,
        Message("reached_target", {"seats": winners, "points": target, "target": target}),
    )
    assert game.told("1 marriage KH+QH")[-1] == (
        "won", {"seats": winners, "points": target, "target": target}, None,
    )  # fmt: skip


def test_z10_six_players_make_combinations_of_five() -> None:
    for held, kind, scores in (
        ("2S 3H 4D 5C 6S", "sequence", 20),
        ("TS JS QS KS AS", "sequence", 20),
        ("2H 4H 6H 8H TH", "flush", 30),
        ("AC 2C 3C 4C 5C", "flush-sequence", 50),
    ):
        assert position(held, seats=6).score(f"{kind} {held[:2]}") == scores
    game = position("QS KS AS 2S 3S", seats=6)
    assert game.refusal("sequence QS") == ("not_consecutive", {"count": 5})
    game = position("2S 3H 4D 5C", seats=6)
    assert game.refusal("sequence 2S") == ("needs_full_hand", {"count": 5})
    game = position("2S 3H 4D 5C 6S", seats=4)
    assert game.refusal("sequence 2S") == ("needs_full_hand", {"count": 6})


def test_z11_a_declared_hand_is_known_until_it_is_played() -> None:
    game = dealt("4S 5H 6D 7C 8S 9H", "2D 2C 3H 3D JC JD", stock="4S KD TC KC")
    game = game.turns("1 sequence 9H")
    for seat in (0, 1, 2):
        assert text(game.sees(seat).known[0]) == "4S 8S 5H 6D 7C"
    game = game.turns("2 play 2D")
    assert game.held(1) == "4S 4S 8S 5H 6D 7C"
    game = game.turns("1 play 4S")
    assert [text(known) for known in game.sees(2).known] == ["8S 5H 6D 7C", ""]
    assert game.held(1) == "4S 8S 5H 6D 7C TC"
    game = game.turns("2 play 2C", "1 play TC", "2 play 3H", "1 play 8S")
    assert text(game.sees(2).known[0]) == "5H 6D 7C"


def test_z11_cards_shown_in_sets_are_forgotten() -> None:
    """Z11: cards of a marriage and an assembly are no longer known."""
    game = dealt("9H TH JH QH KH AH", "2D 2C 3H 3D JC JD", stock="KS KD TC KC")
    game = game.turns("1 flush-sequence 9H", "2 play 2D")
    assert text(game.sees(0).known[0]) == "TH JH QH KH AH"
    game = game.turns("1 marriage KH+QH")
    assert text(game.sees(0).known[0]) == "TH JH AH"
    game = game.turns("2 play 2C", "1 play TH", "2 play 3H", "1 play JH", "2 play 3D", "1 play AH")
    assert game.sees(0).known == ((), ())


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
        game = position(held)
        kinds_found = {action.kind for action in game.actions} - {"play", "marriage"}
        assert sorted(kinds_found) == kinds


def test_check_8_the_last_two_cards_of_the_stock() -> None:
    game = dealt("2D 4D 6H 8H TD JC", "KD QD KC QC 2H 4H")
    game = game.run_down(2, "KD QD KC QC", 2)
    held = set(game.hands[1]) - set(cards("KD QD KC QC"))
    game = game.turns("2 marriage KD+QD KC+QC")
    assert held < set(game.hands[1])
    assert game.sees(0).counts == (6, 4)
    assert game.sees(0).stock == 0


def test_check_10_a_married_king_is_out_of_play() -> None:
    game = dealt("KH QH 2D 4D 6H 8C", "KS KS KD KC TD JC")
    game = game.turns("1 marriage KH+QH", "2 play KS", "1 play 2D", "2 play KS", "1 play 4D", "2 play KD")
    game = game.turns("1 play 6H")
    assert game.score("play KC") == 0
    assert game.turns("2 play KC").pile("K") == "KS KS KD KC"


# What is known, and what is not.


@cache
def matches() -> list[list[Table]]:
    """A match of every number of seats, with and without teams, in which every second legal declaration is made."""
    found = []
    for seed, (seats, teams) in enumerate(((2, True), (3, True), (4, True), (4, False), (6, True), (6, False))):
        rng = Random(seed)
        states = [game := zetema(seats, teams)]
        while game.to_act is not None:
            able = [action for action in game.actions if action.kind != "play" and rng.random() < 0.5]
            states.append(game := game.apply(rng.choice(able)) if able else game.at_random(rng))
        found.append(states)
    return found


def last_cards(counts: tuple[int, int], stock: int, known: str, unseen: str) -> ZetemaObservation:
    """The observation of seat 1 near the end of a deal, with these cards unseen and some of Ben's hand known."""
    seen: ZetemaObservation = zetema().after(deck(stock=text(PACK))).sees(1)
    held = cards("TH JH")[: counts[0]]
    out = Counter(PACK) - Counter(cards(f"{known} {unseen}")) - Counter(held)
    return replace(
        seen, hand=held, counts=counts, stock=stock, known=((), cards(known)), out=tuple(sorted(out.elements()))
    )


def test_guesses_are_even_and_twins_are_two_cards() -> None:
    """Of three unseen cards Ben holds one, and two are the stock: each of the three ways comes as often."""
    game, rng = zetema().game, Random(1)
    guess = game.sampler(last_cards((2, 1), 2, "", "2S 2S 3H"))
    found = Counter(guess(rng) for _ in range(3000))
    assert len(found) == 3
    assert all(900 < times < 1100 for times in found.values())
    guess = game.sampler(last_cards((2, 2), 1, "2S", "2S 3H"))
    assert {text(game.hands(guess(rng))[1]) for _ in range(1000)} == {"2S 2S", "2S 3H"}


def test_owner_sees_the_drawn_card_for_a_turn() -> None:
    game = dealt("KH QH KD QD 2C 4C", "2D 4D 6H 8H TD JC", "2H 4H 6C 8C TH JD", stock="5S 7S 9S AH 2S 2S")
    assert game.drawn == ["", "", "", ""]
    game = game.turns("1 marriage KH+QH KD+QD")
    assert game.drawn == ["", "5S 7S 9S AH", "", ""]
    game = game.turns("2 play 2D", "3 play 2H")
    assert game.drawn == ["", "5S 7S 9S AH", "2S", "2S"]
    game = game.turns("1 play 2C")
    assert len(game.sees(1).drawn) == 1
    assert game.drawn[2:] == ["2S", "2S"]
    game = game.turns("2 play 2S")
    assert "2S" not in game.drawn[2]


def test_what_was_drawn_is_in_the_hand() -> None:
    for states in matches():
        for before, game in pairwise(states):
            for seat in range(1, game.game.seats + 1):
                seen, old = game.sees(seat), before.sees(seat)
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
    game = dealt("KS QS 2D 4D 6D 8D", "KS QS KH QH 2C 4C", stock="3D 5D 7D 9D JD")
    game = game.turns("1 marriage KS+QS", "2 play KH", "1 play 2D")
    seen = game.sees(0)
    king = RANKS.index("K")
    assert [text(cards[king]) for cards in (seen.piles, seen.lacking, seen.gone)] == ["KH", "KS KD KC", "KS"]
    for states in matches():
        for game in states[::5]:
            seen = game.sees(0)
            for rank in range(13):
                five = Counter(card for card in PACK if card % 13 == rank)
                assert Counter(chain(seen.piles[rank], seen.lacking[rank], seen.gone[rank])) == five
            assert Counter(chain(*seen.gone)) == Counter(seen.out)


# What the prompt offers.


def test_what_might_be_thought_of_is_refused_with_its_reason() -> None:
    game = position("TS TS TH KH 8C QD", "KD", scores=(0, 0))
    assert game.refused == {
        "sequence TS": ("not_consecutive", {"count": 6}),
        "flush TS": ("not_one_suit", {"count": 6}),
        "flush-sequence TS": ("not_one_suit", {"count": 6}),
        "assembly T": ("assembly_needs_five", {"rank": "T", "count": 3}),
    }
    for states in matches():
        for game in states[::5]:
            for action, why in game.refused.items():
                assert action not in game.legal
                assert game.refusal(action) == why


def test_pairs_are_declared_together_or_the_reason_is_told() -> None:
    game = position("KS QS KH QD KD 2C", "QS QH")
    seen = game.sees(1)
    assert seen.marriage(["KD+QD", "KS+QS"]) == game.game.parse("marriage KS+QS KD+QD")
    assert seen.marriage(["KS+QS", "KS+(QS)"]) == Message("no_second_in_hand", {"card": CARDS["KS"]})
    game = position("KS KS 2D 3D 4D 6D", "QS")
    seen = game.sees(1)
    assert seen.marriage(["KS+(QS)", "KS+(QS)"]) == Message("no_second_on_table", {"card": CARDS["QS"]})


def test_single_pairs_and_their_marriages() -> None:
    game = position("KS QS KH QD KD 2C", "KS QS QH")
    seen = game.sees(1)
    assert single_pairs(seen) == ("(KS)+QS", "KS+(QS)", "KS+QS", "KH+(QH)", "KD+QD")
    chosen = seen.marriage(["KD+QD", "KS+(QS)", "(KS)+QS"])
    assert chosen == game.game.parse("marriage (KS)+QS KS+(QS) KD+QD")
    assert points_of(seen, chosen) == 80
    assert chosen in seen.legal
    game = position("KS KS QS QS 2D 4D")
    assert single_pairs(game.sees(1)) == ("KS+QS", "KS+QS")
    assert game.sees(1).marriage(["KS+QS", "KS+QS"]) == game.game.parse("marriage KS+QS KS+QS")
    assert single_pairs(game.sees(2)) == ()


def test_points_are_what_is_scored() -> None:
    for states in matches():
        for game in states[::9]:
            for action in game.actions[::2]:
                game.score(action.text)


def test_three_sides_of_six_players() -> None:
    three = {"teams": True, "three_sides": True}
    assert new_game("zetema", 6, three).sides == ((1, 4), (2, 5), (3, 6))


def test_a_side_of_two_wins_together() -> None:
    game = Table(Zetema(6, ZetemaRules(teams=True, three_sides=True), dealer=6))
    game.state = game.state._replace(scores=(190, 3, 3))
    hands = "KH QH 2D 4D 6D", "2S 4S 6S 8S TS", "2H 4H 6H 8H TH", "2C 4C 6C 8C TC", "3S 5S 7S 9S JS", "3H 5H 7H 9H JH"
    game = game.after(deck(*hands)).turns("1 marriage KH+QH")
    assert game.scores == (200, 3, 3, 200, 3, 3)
    why = Message("reached_target", {"seats": (1, 4), "points": 200, "target": 200})
    assert game.outcome == Outcome(game.scores, (1, 4), why)


def test_the_deal_of_a_rematch_passes_on_from_the_last_deal() -> None:
    dealers = set()
    for states in matches():
        last = states[-1].sees(0).dealer
        assert states[-1].next_dealer == last % states[-1].game.seats + 1
        dealers.add(last)
    assert len(dealers) > 1
    game = position("JS JS JH JD JC 4C", scores=(250, 0))
    assert game.sees(0).dealer == 2
    assert game.turns("1 assembly J").next_dealer == 1
