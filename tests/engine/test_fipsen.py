"""Fipsen: each clause of its rules page, and what follows from them, from stacked decks in the notation of records.

Seat 4 deals first unless a test says otherwise, so that seat 1 speaks first, and is declarer in most tests.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from cardgames.engine.cards import CARDS, NAMES, SUITS
from cardgames.engine.fipsen import PACK, FipsenObservation, Result
from cardgames.engine.fipsen_bids import BIDS, EXTRAS, Bid, bid_of, namings, worth
from cardgames.engine.game import CHANCE, Event, InvalidAction, Message, Outcome, new_game
from tests.engine.positions import Position
from tests.engine.positions import cards as in_turn

FOUR = {
    1: "AS KS QS JS 7C",
    2: "AC KC QC JC TC",
    3: "AH KH QH JH TH",
    4: "9C 8C 9H 8H 7H",
    "skat": "TS 9S",
    "unused": "8S 7S 7D",
}
"""Seat 1 wins with spades when they are trumps or nobody trumps, and loses with 7C; then seat 2 goes on with clubs."""

SAFE = {
    1: "AS 9S 8S TH 7D",
    2: "AC KC QC JC TC",
    3: "AH KH QH JH 9H",
    4: "9C 8C 7C 8H 7H",
    "skat": "KS QS",
    "unused": "JS TS 7S",
}
"""Seat 1 may bid kieker, and finds every spade in skat and rest."""

SEVENS = {
    1: "7C 7S 7H AS KH",
    2: "AC KC QC JC TC",
    3: "AH QH JH TH 9H",
    4: "8C QS JS TS 8H",
    "skat": "7D 9C",
    "unused": "KS 9S 8S",
}
"""Seat 1 finds the fourth seven in the skat."""


class Table(Position):
    """A match of Fipsen on its way."""

    def __init__(self, seats: int = 4, deals: int = 12, dealer: int | None = None) -> None:
        super().__init__(new_game("fipsen", seats, {"deals": deals}, dealer or seats))

    def deal(self, places: dict[Any, str]) -> "Table":
        """Deal these cards to seats, ``skat`` and ``unused``, and the others of the pack wherever a card lacks."""
        spare = [NAMES[card] for card in PACK if NAMES[card] not in " ".join(places.values()).split()]

        def cards(place: int | str, count: int) -> list[str]:
            found = places.get(place, "").split()
            while len(found) < count:
                found.append(spare.pop())
            return found

        seats = self.game.seats
        dealer = self.sees(0).dealer
        order = [(dealer + step) % seats + 1 for step in range(seats)]
        hands = [cards(seat, 5) for seat in order]
        pack = [card for hand in hands for card in hand[:3]]
        pack += cards("skat", 2)
        pack += [card for hand in hands for card in hand[3:]]
        return self.do("deal " + " ".join([*pack, *cards("unused", 25 - 5 * seats - 2)]))

    def auction(self, *words: str) -> "Table":
        """Words written ``1 bid 3``, whose seats must be those whose turn it is."""
        for word in words:
            seat, text = word.split(" ", 1)
            assert self.to_act == int(seat), word
            self.do(text)
        return self

    def declare(self, bid: str, *then: str) -> "Table":
        """Seat 1 wins the auction with ``bid``, then says the rest."""
        self.auction(f"1 bid {bid}", *[f"{seat} pass" for seat in range(2, self.game.seats + 1)])
        return self.do(*then)

    def lead(self, cards: str) -> "Table":
        """Declarer plays these cards, the others the first card that they may, to the end of the trick."""
        declarer = self.sees(0).declarer
        for card in cards.split():
            while self.to_act != declarer:
                self.follow()
            self.do(card)
            while self.sees(0).trick:
                self.follow()
        return self

    def follow(self) -> None:
        self.do(self.game.legal_actions(self.state)[0].text)

    @property
    def phase(self) -> str:
        return str(self.sees(0).phase)

    def contract(self) -> str:
        contract = self.sees(0).contract
        return contract.text if contract else ""

    def result(self) -> tuple[int, str, int]:
        """The last line of the score sheet."""
        seat, bid, points = self.sees(0).history[-1]
        return seat, bid.text if bid else "sevens", points

    def told(self) -> dict[str, Event]:
        return {event.key: event for event in self.events}

    def won_by(self) -> tuple[Any, str]:
        """Who has just won a trick, and with which card."""
        args: Any = self.told()["trick_won"].args
        return args["seat"], NAMES[args["card"]]


def table(places: dict[Any, str] = FOUR, *, seats: int = 4, deals: int = 12, dealer: int | None = None) -> Table:
    return Table(seats, deals, dealer).deal(places)


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(in_turn(text)))


def kept(taken: str, *, keep: str) -> str:
    """The discard that keeps these of the cards taken up."""
    return " ".join(["discard", *sorted(set(taken.split()) - set(keep.split()))])


# --- the clauses ---


def test_f1_pack() -> None:
    assert {NAMES[card] for card in PACK} == {"7D", *[rank + suit for suit in "CSH" for rank in "AKQJT987"]}
    assert len(PACK) == 25
    chance = Table().game.chance(Table().state)
    assert chance is not None
    assert (chance.kind, chance.items, chance.number) == ("deal", PACK, 25)
    short = Table()
    assert short.refusal("deal 7D") == Message("not_the_pack", {"count": 25})
    assert short.refusal("deal " + " ".join(["AS"] * 25)) == Message("not_the_pack", {"count": 25})


def test_f2_deal() -> None:
    pack = [NAMES[card] for card in PACK]
    four = Table(dealer=2).do("deal " + " ".join(pack))
    assert four.to_act == 3
    assert four.hand(3) == {*pack[0:3], *pack[14:16]}
    assert four.hand(2) == {*pack[9:12], *pack[20:22]}
    assert (four.sees(0).skat, four.sees(0).unused) == (2, 3)
    four.auction("3 bid 2", "4 pass", "1 pass", "2 pass").do("skat")
    assert four.hand(3) == {*pack[0:3], *pack[14:16], *pack[12:14]}


def test_f2_the_deal_moves_on_after_a_deal_that_counts() -> None:
    played = table(dealer=4).declare("2 hand", "trump S").lead("AS KS").do("stop")
    assert played.to_act == CHANCE
    assert played.sees(0).dealer == 1
    assert played.deal(SEVENS | {2: SEVENS[1], 1: SEVENS[2]}).to_act == 2
    played.auction("2 bid 2", "3 pass", "4 pass", "1 pass").do("skat", "sevens")
    assert played.sees(0).dealer == 2


def test_f3_bids() -> None:
    bids = [text for text in table(SAFE).legal if text.startswith("bid ")]
    assert len(bids) == 30
    assert "bid 3 hand durch" in bids
    assert {"bid 5", "bid 5 hand", "bid 5 ruten", "bid 5 hand ruten", "bid kieker", "bid kieker ruten"} < set(bids)
    for text in ("bid 5 durch", "bid 3 durch hand", "bid 1", "bid 6", "bid kieker hand", "bid kieker durch", "bid"):
        with pytest.raises(InvalidAction):
            Table().game.parse(text)
    assert bid_of(Table().game.parse("bid 5 hand")) == Bid(5, ("hand", "durch"))


def test_f3_kieker_only_without_court_cards() -> None:
    assert not [text for text in table(FOUR).legal if "kieker" in text]
    assert table(FOUR).refusal("bid kieker") == Message("court_in_hand", {"cards": cards("JS QS KS")})


def test_f4_strength() -> None:
    order = [bid.text for bid in BIDS]
    assert order[:8] == ["2", "2 hand", "2 ruten", "2 durch", "2 hand ruten", "2 hand durch", "2 ruten durch",
                         "2 hand ruten durch"]  # fmt: skip
    assert order[24:] == ["kieker", "kieker ruten", "5", "5 hand", "5 ruten", "5 hand ruten"]
    assert len({bid.strength for bid in BIDS}) == 4 * 3 + 2 + 3
    assert Bid(2, ("hand",)).strength == Bid(2, ("durch",)).strength
    assert Bid(4, EXTRAS).strength < Bid(5, (), True).strength < Bid(5, ("durch",)).strength
    over = table(SAFE).auction("1 bid kieker ruten")
    assert over.legal == ["pass", "bid 5", "bid 5 hand", "bid 5 ruten", "bid 5 hand ruten"]
    assert table(SAFE).auction("1 bid 5 hand ruten").legal == ["pass"]


def test_f5_each_in_turn_passes_or_opens() -> None:
    opening = table()
    assert opening.legal[0] == "pass"
    assert "hold" not in opening.legal
    opening.auction("1 pass", "2 pass", "3 pass", "4 bid 2")
    assert (opening.phase, opening.to_act, opening.sees(0).declarer) == ("skat", 4, 4)


def test_f5_all_pass_and_the_same_dealer_deals_again() -> None:
    passed = table(dealer=2).auction("3 pass", "4 pass", "1 pass", "2 pass")
    assert passed.told()["all_passed"].args == {"seat": 2}
    assert (passed.to_act, passed.sees(0).dealer, passed.sees(0).history) == (CHANCE, 2, ())
    assert passed.deal(FOUR).to_act == 3


def test_f5_a_duel_goes_on_until_one_passes() -> None:
    duel = table().auction("1 pass", "2 bid 2", "3 bid 2 hand", "2 hold")
    assert "hold" not in duel.legal
    assert duel.refusal("hold") == Message("only_standing_holds", {"seat": 2})
    duel.auction("3 bid 3", "2 bid 3 hand", "3 bid 4", "2 hold", "3 pass")
    assert duel.sees(0).waiting == ()
    duel.auction("4 bid 4 ruten", "2 pass")
    assert (duel.sees(0).declarer, duel.contract()) == (4, "4 ruten")


def test_f5_a_challenger_who_wins_through_may_hold() -> None:
    won = table().auction("1 bid 2", "2 bid 3", "1 pass")
    assert won.sees(0).standing == 2
    won.auction("3 bid 3 hand")
    assert "hold" in won.legal
    won.auction("2 hold", "3 pass", "4 pass")
    assert (won.sees(0).declarer, won.phase) == (2, "name")


def test_f5_whose_only_word_is_pass_is_asked() -> None:
    highest = table().auction("1 bid 5 hand ruten")
    assert (highest.to_act, highest.legal) == (2, ["pass"])
    highest.auction("2 pass", "3 pass", "4 pass")
    assert highest.phase == "play"


def test_f5_hold_on_a_kieker() -> None:
    both = SAFE | {2: "AC TC 9C 8C 7C", 4: "KC QC JC 8H 7H"}
    held = table(both).auction("1 bid 4", "2 bid kieker ruten", "1 hold", "2 pass", "3 pass", "4 pass")
    assert (held.sees(0).declarer, held.contract(), held.phase) == (1, "kieker ruten", "discard")
    court = table(both | {1: both[3], 3: both[1]}).auction("1 bid 4", "2 bid kieker")
    assert "hold" not in court.legal
    assert court.refusal("hold") == Message("court_in_hand", {"cards": cards("AH KH QH JH")[:3]})
    assert set(court.legal) == {"pass", "bid 5", "bid 5 hand", "bid 5 ruten", "bid 5 hand ruten"}


def test_f6_naming() -> None:
    assert namings(Bid(3, ("hand",))) == (("hand",), ("ruten",), ("durch",))
    assert namings(Bid(4, ("hand", "ruten"))) == (("hand", "ruten"), ("hand", "durch"), ("ruten", "durch"))
    assert namings(Bid(5, ("hand", "durch"))) == (("hand", "durch"), ("ruten", "durch"))
    assert namings(Bid(5, ("durch",))) == (("durch",),)
    assert namings(Bid(5, ("ruten",), True)) == (("ruten",),)
    named = table().auction("1 bid 4", "2 bid 5 ruten", "1 hold", "2 pass", "3 pass", "4 pass")
    assert named.legal == ["name hand durch", "name ruten durch"]
    assert named.sees(2).contract is None
    assert named.do("name hand durch").phase == "trump"
    assert named.contract() == "5 hand"


def test_f6_nobody_is_asked_where_one_naming_is_possible() -> None:
    five = table().auction("1 bid 4", "2 bid 5", "1 hold", "2 pass", "3 pass", "4 pass")
    assert (five.phase, five.contract()) == ("skat", "5")
    assert five.told()["named"].args == {"seat": 1, "extras": ("durch",)}
    every = table().auction("1 bid 2", "2 bid 2 hand ruten durch", "1 hold", "2 pass", "3 pass", "4 pass")
    assert (every.phase, every.contract()) == ("play", "2 hand ruten durch")
    plain = table().auction("1 bid 2", "2 bid 3", "1 hold", "2 pass", "3 pass", "4 pass")
    assert (plain.phase, plain.contract()) == ("skat", "3")
    again = table().auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 bid 3 ruten", "1 bid 3 hand ruten", "2 pass",
                            "3 pass", "4 pass")  # fmt: skip
    assert (again.phase, again.contract()) == ("play", "3 hand ruten")


def test_f7_hand_or_skat() -> None:
    asked = table().declare("3")
    assert asked.legal == ["hand", "skat"]
    asked.do("hand")
    assert (asked.phase, asked.contract(), asked.sees(0).skat) == ("trump", "3 hand", 2)
    taken = table().declare("3", "skat")
    assert (len(taken.legal), len(taken.hand(1)), taken.sees(0).skat) == (21, 7, 0)
    assert taken.legal[0] == "discard 7C 9S"
    taken.do("discard 9S TS")
    assert taken.hand(1) == set(FOUR[1].split())
    assert (taken.sees(0).laid, taken.sees(1).own_laid) == (2, cards("9S TS"))


def test_f8_trumps() -> None:
    free = table().declare("3 hand")
    assert sorted(free.legal) == ["trump C", "trump D", "trump H", "trump S"]
    free.do("trump D")
    assert (free.contract(), free.sees(2).trump) == ("3 hand ruten", SUITS.index("D"))
    assert set(free.told()) == {"trumps_are", "ruten_added"}
    known = table().declare("3 ruten", "skat", "discard 9S TS")
    assert (known.phase, known.contract()) == ("play", "3 ruten")
    assert known.told()["trumps_are"].args == {"seat": 1, "suit": "D"}


def test_f9_following() -> None:
    led = table().declare("3 hand", "trump S").do("7C")
    assert sorted(led.legal) == ["AC", "JC", "KC", "QC", "TC"]
    led.do("JC")
    assert len(led.legal) == 5
    led.do("AH")
    assert sorted(led.legal) == ["8C", "9C"]
    assert led.refusal("9H") == Message("must_follow", {"suit": "C"})
    led.do("8C")
    assert led.told()["trick_won"].args == {
        "seat": 2, "card": CARDS["JC"], "seats": (1, 2, 3, 4), "cards": in_turn("7C JC AH 8C"), "suit": "S"
    }  # fmt: skip
    assert led.to_act == 2
    assert led.sees(3).lacks == ((), (), (SUITS.index("C"),), ())


def test_f9_the_highest_trump_wins() -> None:
    ruffed = table(FOUR | {1: "AS KS QS JS 9C", 4: "7D 8C 9H 8H 7C", "unused": "8S 7S 7H"})
    ruffed.declare("2 ruten", "skat", "discard 9S TS").do("AS", "AC", "AH", "7D")
    assert ruffed.won_by() == (4, "7D")
    overruffed = table().declare("2 hand", "trump C").do("AS", "TC", "AH", "9C")
    assert overruffed.won_by() == (2, "TC")


def test_f10_stops_when_the_bid_cannot_be_reached() -> None:
    beaten = table().declare("4 hand", "trump D").lead("AS 7C")
    assert beaten.phase == "play"
    beaten.lead("KS")
    assert beaten.result() == (1, "4 hand ruten", -32)


def test_f10_what_ends_a_deal_tells_of_its_last_trick() -> None:
    beaten = table().declare("4 hand", "trump D").lead("AS 7C KS")
    lay_there = {"by": 2, "card": CARDS["QC"], "seats": (2, 3, 4, 1), "cards": in_turn("QC QH 9C KS"), "suit": "D"}
    assert beaten.told()["failed"].args == {"seat": 1, "bid": "4 hand ruten", "points": -32, **lay_there}
    made = table().declare("2 hand", "trump S").lead("AS KS").do("stop")
    lay_there = {"by": 1, "card": CARDS["KS"], "seats": (1, 2, 3, 4), "cards": in_turn("KS JC JH 8H"), "suit": "S"}
    assert made.told()["made"].args == {"seat": 1, "bid": "2 hand", "points": 4, **lay_there}


def test_f10_the_trick_as_it_lies_says_who_wins_it() -> None:
    lying = table().declare("2 hand", "trump C")
    assert lying.sees(0).winning is None
    for card, winner in (("AS", 1), ("TC", 2), ("AH", 2), ("9C", None)):
        assert lying.do(card).sees(3).winning == winner


def test_f10_durch_ends_with_the_first_trick_lost() -> None:
    assert table().declare("2 durch", "hand", "trump S").lead("7C").result() == (1, "2 hand durch", -16)


def test_f10_stop_or_continue() -> None:
    reached = table().declare("2 hand", "trump S").lead("AS KS")
    assert (reached.to_act, reached.legal) == (1, ["stop", "continue"])
    reached.do("continue")
    assert (reached.to_act, reached.contract(), reached.phase) == (1, "2 hand durch", "play")
    reached.lead("QS 7C")
    assert reached.result() == (1, "2 hand durch", -16)


def test_f11_worth() -> None:
    assert worth(Bid(3)) == (3, -6)
    assert worth(Bid(2, EXTRAS)) == (16, -32)
    assert worth(Bid(5, EXTRAS)) == (40, -80)
    assert worth(Bid(5, (), True)) == (10, -20)
    assert worth(Bid(5, ("ruten",), True)) == (20, -40)
    scored = table().declare("3 hand", "trump S").lead("AS KS QS").do("stop")
    assert scored.scores == (6, 0, 0, 0)
    assert scored.result() == (1, "3 hand", 6)


def test_f12_kieker_of_four() -> None:
    shown = table(SAFE).declare("kieker")
    hand, taken = cards(SAFE[1]), cards("KS QS JS TS 7S")
    assert shown.events[2:6] == [
        Event("showed", {"seat": 1, "to": 2, "cards": hand}, (1, 2)),
        Event("showed_hidden", {"seat": 1, "to": 2}, (0, 3, 4)),
        Event("took_up", {"seat": 1, "cards": taken}, (1,)),
        Event("took_up_hidden", {"seat": 1, "count": 5}, (0, 2, 3, 4)),
    ]
    assert [shown.sees(seat).shown for seat in range(5)] == [(), hand, hand, (), ()]
    assert (len(shown.legal), shown.hand(1)) == (252, {NAMES[card] for card in (*hand, *taken)})
    assert (shown.sees(3).skat, shown.sees(3).unused, shown.sees(3).counts) == (0, 0, (10, 5, 5, 5))
    shown.do(kept(SAFE[1] + " KS QS JS TS 7S", keep="AS KS QS JS TS"), "trump S").lead("AS KS QS JS TS")
    assert shown.result() == (1, "kieker", 10)


def test_f12_kieker_of_three() -> None:
    hand = "AS 9S 8S TH 7D"
    unused = "JS TS 7S 7C 8C 9C 7H 8H"
    shown = table({1: hand, "skat": "KS QS", "unused": unused}, seats=3).declare("kieker")
    assert shown.hand(1) == {"KS", "QS", *unused.split()}
    assert shown.told()["laid_hand_away"].args == {"seat": 1}
    assert (shown.sees(1).own_laid, shown.sees(2).shown, shown.sees(3).shown) == (cards(hand), cards(hand), ())
    assert len(shown.legal) == 252
    shown.do("discard 7C 7H 8C 8H 9C", "trump S")
    assert (shown.sees(2).laid, shown.sees(1).own_laid) == (10, cards(hand + " 7C 7H 8C 8H 9C"))
    assert shown.lead("KS QS JS TS 7S").result() == (1, "kieker", 10)


@pytest.mark.parametrize("seats", [3, 4])
def test_f12_the_hand_is_shown_to_the_left_neighbour_alone(seats: int) -> None:
    """From the end of the auction to the end of the deal nobody else is shown or told of one of its cards."""
    hand = set(cards(SAFE[1]))
    hands = {seat: SAFE[seat] for seat in range(1, seats + 1)}
    deal = table({**hands, "skat": SAFE["skat"]}, seats=seats).declare("kieker")
    while deal.to_act:
        played = {card for plays in (deal.sees(0).trick, *[t.plays for t in deal.sees(0).tricks]) for _, card in plays}
        for seat in range(seats + 1):
            assert set(deal.sees(seat).shown) == (hand if seat in (1, 2) else set())
        for event in deal.events:
            named: Any = event.args.get("cards", ())
            assert event.audience in ((1,), (1, 2)) or not hand & set(named) - played
        deal.follow()
    assert deal.result()[1].startswith("kieker")


def test_f12_ends_like_durch() -> None:
    discard = kept(SAFE[1] + " KS QS JS TS 7S", keep="AS KS QS JS TH")
    lost = table(SAFE).declare("kieker", discard, "trump S").lead("AS TH")
    assert lost.result() == (1, "kieker", -20)
    lost = table(SAFE).declare("kieker", discard, "trump D").lead("AS TH")
    assert lost.result() == (1, "kieker ruten", -40)
    won = table(SAFE).declare("kieker ruten", kept(SAFE[1] + " KS QS JS TS 7S", keep="AS KS QS JS TS"))
    assert (won.phase, won.sees(0).trump) == ("play", SUITS.index("D"))
    assert won.lead("AS KS QS JS TS").result() == (1, "kieker ruten", 20)


def test_f13_sevens_on_any_turn_in_the_auction() -> None:
    dealt = SEVENS | {1: "7C 7S 7H 7D AS", "skat": "KH 9C"}
    said = table(dealt).do("sevens")
    assert (said.result(), said.to_act) == ((1, "sevens", 30), CHANCE)
    assert said.sees(0).history == (Result(1, None, 30),)
    assert said.told()["said_sevens"].args == {"seat": 1, "points": 30}
    assert table(dealt).auction("1 pass").legal[-1] != "sevens"
    later = table(dealt).auction("1 bid 2", "2 bid 3")
    assert later.legal[-1] == "sevens"
    later.auction("1 hold", "2 bid 5 hand ruten", "1 hold", "2 pass")
    assert table(dealt | {1: dealt[2], 2: dealt[1]}).auction("1 bid 5 hand ruten").legal == ["pass", "sevens"]
    assert table(SEVENS).refusal("sevens") == Message("no_sevens_and_ace")


def test_f13_sevens_on_every_turn_before_the_first_lead() -> None:
    dealt = SEVENS | {1: "7C 7S 7H 7D AS", "skat": "KH 9C"}
    turn = table(dealt).auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 pass", "3 pass", "4 pass")
    for phase, action in (
        ("name", "name ruten"), ("skat", "skat"), ("discard", "discard 9C KH"), ("play", "AS")
    ):  # fmt: skip
        assert (turn.phase, turn.legal[-1]) == (phase, "sevens")
        turn.do(action)
    turn = table(dealt).declare("2 hand")
    assert (turn.phase, turn.legal[-1]) == ("trump", "sevens")
    turn.do("trump C").lead("AS")
    assert turn.refusal("sevens") == Message("sevens_too_late")


def test_f13_four_sevens_need_an_ace() -> None:
    """In the auction and after it; an ace found in the skat is enough, and three sevens never are."""
    aceless = SEVENS | {1: "7C 7S 7H 7D KH", "skat": "AS 9C"}
    for lacking in (aceless, SEVENS | {1: "7C 7S 7H AS AH", 3: "KH QH JH TH 9H"}):
        turn = table(lacking).auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 pass", "3 pass", "4 pass")
        assert turn.refusal("sevens") == Message("no_sevens_and_ace")
        assert "sevens" not in table(lacking).legal
        for action in ("name ruten", "hand", "7C"):
            assert "sevens" not in turn.legal
            turn.do(action)
    turn = table(aceless).auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 pass", "3 pass", "4 pass")
    assert turn.do("name durch", "skat").legal[-1] == "sevens"
    assert "sevens" not in turn.do("discard 9C AS").legal


def test_f13_nobody_else_may_say_it() -> None:
    """Out of turn, after a pass, or to the first trick: whoever holds them in vain has no turn for it."""
    dealt = SEVENS | {1: SEVENS[2], 2: "7C 7S 7H 7D AS", "skat": "KH 9C"}
    held = table(dealt)
    assert held.sees(2).refusal(held.game.parse("sevens")) == Message("not_now")
    held.auction("1 bid 2", "2 pass", "3 pass", "4 pass").do("hand", "trump C", "AC")
    assert held.to_act == 2
    assert held.refusal("sevens") == Message("sevens_too_late")


def test_f13_what_gives_them_up() -> None:
    """A pass, the first card, and a discard of a seven or the last ace; no other word."""

    def giving_up(turn: Table) -> set[str]:
        seen = turn.sees(turn.to_act or 0)
        return {action.text for action in seen.legal if seen.gives_up_sevens(action)}

    dealt = SEVENS | {1: "7C 7S 7H 7D AS", "skat": "KH 9C"}
    turn = table(dealt)
    assert giving_up(turn) == {"pass"}
    turn.auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 pass", "3 pass", "4 pass")
    assert giving_up(turn) == set()
    assert giving_up(turn.do("name durch")) == set()
    turn.do("skat")
    assert giving_up(turn) == {text for text in turn.legal if text.startswith("discard") and text != "discard 9C KH"}
    assert giving_up(turn.do("discard 9C KH")) == set()
    assert giving_up(turn.do("trump S")) == {"7C", "7S", "7H", "7D", "AS"}
    assert giving_up(table()) == giving_up(table().declare("3", "skat")) == set()
    assert not turn.sees(2).gives_up_sevens(turn.game.parse("pass"))


def test_f13_cards_laid_away_do_not_count() -> None:
    away = table(SEVENS).declare("2", "skat")
    assert "sevens" in away.legal
    assert "sevens" not in away.do("discard 7D KH").legal
    three = table({1: "7C 7S 7H TS AS", "skat": "7D AH", "unused": "9C"}, seats=3).declare("kieker")
    assert "sevens" not in three.legal
    found = table({1: "TC 9S 8S 8H 8C", "skat": "7D AH", "unused": "7C 7S 7H"}, seats=3).declare("kieker")
    assert found.do("sevens").result() == (1, "sevens", 30)


def test_f14_end() -> None:
    match = Table(deals=2)
    match.deal(FOUR).declare("3 hand", "trump S").lead("AS KS QS").do("stop")
    assert match.phase == "deal"
    match.deal({1: FOUR[4], 2: FOUR[1], 3: FOUR[2], 4: FOUR[3], "skat": "TS 9S"})
    match.auction("2 bid 3 hand", "3 pass", "4 pass", "1 pass").do("trump S").lead("AS KS QS").do("stop")
    assert match.to_act is None
    assert match.outcome == Outcome((6, 6, 0, 0), (1, 2), Message("deals_played", {"count": 2}))
    assert match.told()["match_ended"].args == {"seats": (1, 2), "points": 6}
    assert match.legal == []
    assert match.refusal("pass") == match.refusal("deal 7D") == Message("match_over")


@pytest.mark.parametrize(("seats", "deals", "dealer", "follows"), [(4, 2, 4, 2), (4, 4, 3, 3), (3, 1, 3, 1)])
def test_f14_a_rematch_goes_on_from_the_last_deal(seats: int, deals: int, dealer: int, follows: int) -> None:
    match = Table(seats, deals, dealer)
    for number in range(deals):
        declarer = (dealer + number) % seats + 1
        assert match.sees(0).dealer == (dealer - 1 + number) % seats + 1
        match.deal({declarer: "7C 7S 7H 7D AS"}).do("sevens")
    assert match.next_dealer == follows


def test_f14_passed_deal_keeps_the_rematch_dealer() -> None:
    match = Table(deals=1, dealer=2).deal({}).auction("3 pass", "4 pass", "1 pass", "2 pass")
    match.deal({3: "7C 7S 7H 7D AS"}).do("sevens")
    assert match.next_dealer == 3


def test_f15_three_players() -> None:
    three = table({1: FOUR[1], 2: FOUR[2], 3: FOUR[3], "skat": "TS 9S"}, seats=3)
    assert (three.sees(0).unused, three.sees(0).counts) == (8, (5, 5, 5))
    three.declare("3", "skat", "discard 9S TS", "trump S").lead("AS 7C KS QS")
    assert three.result() == (1, "3", 3)
    assert three.sees(0).dealer == 1


# --- the checks ---


def scored(bid: str, then: Iterable[str], leads: str, stop: tuple[str, ...] = ()) -> int:
    """The points for a deal of FOUR that seat 1 plays so."""
    return table().declare(bid, *then).lead(leads).do(*stop).result()[2]


SKAT = ("skat", "discard 9S TS")
BETTER = ("skat", "discard 7C 9S")
FIVE = FOUR | {1: "AS KS QS JS TS", "skat": "7C 9S"}
"""Seat 1 wins every trick, whatever trumps are."""


def test_check_1_scores() -> None:
    assert scored("3", (*SKAT, "trump S"), "AS KS QS", ("stop",)) == 3
    assert scored("3", (*SKAT, "trump C"), "AS 7C KS") == -6
    assert scored("2 hand", ("trump S",), "AS KS", ("stop",)) == 4
    assert scored("2 hand", ("trump C",), "AS 7C KS QS") == -8
    assert table(FIVE).declare("2 hand ruten durch").lead("AS KS QS JS TS").result() == (1, "2 hand ruten durch", 16)
    assert scored("2 hand ruten durch", (), "AS KS QS JS 7C") == -32


def test_check_3_five() -> None:
    for bid, then, made in (
        ("5", ("skat", "discard 7C 9S", "trump S"), 10), ("5 hand", ("trump S",), 20), ("5 hand ruten", (), 40)
    ):  # fmt: skip
        assert table(FIVE).declare(bid, *then).lead("AS KS QS JS TS").result()[2] == made
    assert scored("5", (*SKAT, "trump S"), "7C") == -20
    assert scored("5 hand", ("trump S",), "AS 7C") == -40
    assert scored("5 hand ruten", (), "AS KS QS JS 7C") == -80


def test_check_4_continuing() -> None:
    two = table().declare("2", *BETTER, "trump S").lead("AS KS").do("continue").lead("QS JS TS")
    assert two.result() == (1, "2 durch", 4)
    lost = table().declare("2", *SKAT, "trump S").lead("AS KS").do("continue").lead("QS 7C")
    assert lost.result() == (1, "2 durch", -8)
    three = table(FIVE).declare("3 hand", "trump S").lead("AS KS QS").do("continue").lead("JS TS")
    assert three.result() == (1, "3 hand durch", 12)
    failed = table().declare("3 hand", "trump S").lead("AS KS QS").do("continue").lead("JS 7C")
    assert failed.result() == (1, "3 hand durch", -24)


def test_check_5_no_question_after_a_trick_lost() -> None:
    assert scored("3", (*SKAT, "trump S"), "AS 7C KS QS") == 3


def test_check_8_third_must_exceed_what_was_held() -> None:
    held = table().auction("1 bid 2", "2 bid 2 hand", "1 hold", "2 pass")
    assert held.to_act == 3
    assert "bid 2 durch" not in held.legal
    assert {"bid 2 hand durch", "bid 3"} < set(held.legal)
    assert held.refusal("bid 2 durch") == Message("not_stronger", {"bid": "2 hand"})


# --- refusals ---


REFUSALS: tuple[tuple[Callable[[], Table], str, Message], ...] = (
    (Table, "pass", Message("deal_first")),
    (table, "deal 7D", Message("not_now")),
    (table, "hold", Message("nothing_to_hold")),
    (table, "skat", Message("bid_or_pass")),
    (table, "AS", Message("bid_or_pass")),
    (lambda: table().auction("1 bid 3 hand"), "bid 3 durch", Message("not_stronger", {"bid": "3 hand"})),
    (lambda: table().auction("1 bid 3"), "hold", Message("only_standing_holds", {"seat": 1})),
    (lambda: table().declare("3"), "trump S", Message("hand_or_skat")),
    (lambda: table().declare("3", "skat"), "discard 7C 7D", Message("not_in_hand", {"card": CARDS["7D"]})),
    (lambda: table().declare("3", "skat"), "discard 7C 9S AS KS QS", Message("discard_count", {"count": 2})),
    (lambda: table().declare("3", "skat"), "7D", Message("discard_count", {"count": 2})),
    (lambda: table(SAFE).declare("kieker"), "discard 7D 9S", Message("discard_count", {"count": 5})),
    (lambda: table().declare("3 hand"), "AS", Message("choose_trump")),
    (lambda: table().declare("3 hand ruten"), "7D", Message("not_in_hand", {"card": CARDS["7D"]})),
    (lambda: table().declare("3 hand ruten"), "discard 7C 9S", Message("play_a_card")),
    (lambda: table().declare("3 hand ruten"), "stop", Message("play_a_card")),
    (lambda: table().declare("3 hand ruten"), "sevens", Message("no_sevens_and_ace")),
    (lambda: table().declare("2 hand ruten").lead("AS KS"), "QS", Message("stop_or_continue")),
    (lambda: table().declare("2 hand ruten").lead("AS KS"), "sevens", Message("sevens_too_late")),
    (lambda: held_five(), "name hand ruten", Message("durch_at_five")),
    (lambda: held_five(), "name durch", Message("name_extras", {"count": 2})),
    (lambda: held_five(), "hand", Message("name_extras", {"count": 2})),
)  # fmt: skip


def held_five() -> Table:
    return table().auction("1 bid 4", "2 bid 5 ruten", "1 hold", "2 pass", "3 pass", "4 pass")


@pytest.mark.parametrize(("position", "text", "reason"), REFUSALS)
def test_refusal(position: Callable[[], Table], text: str, reason: Message) -> None:
    assert position().refusal(text) == reason


def test_refused_is_what_one_might_think_of() -> None:
    assert set(table(SAFE).refused) == set()
    assert set(table().refused) == {"bid kieker", "bid kieker ruten"}
    over = table().auction("1 bid 3 hand").refused
    assert set(over) == {
        "hold", "bid 3", "bid 3 hand", "bid 3 ruten", "bid 3 durch", "bid kieker", "bid kieker ruten"
    }  # fmt: skip
    assert over["bid 3"] == Message("not_stronger", {"bid": "3 hand"})
    assert held_five().refused == {"name hand ruten": Message("durch_at_five")}
    followed = table().declare("3 hand", "trump S").do("7C", "AC", "AH")
    assert followed.refused == {card: Message("must_follow", {"suit": "C"}) for card in ("7H", "8H", "9H")}
    assert followed.sees(4).refused
    assert not followed.sees(3).refused


# --- what a seat knows ---


def test_auction_on_the_table() -> None:
    seen = table().auction("1 bid 2", "2 bid 2 hand").sees(3)
    assert [(seat, action.text) for seat, action in seen.auction] == [(1, "bid 2"), (2, "bid 2 hand")]
    assert (seen.standing, seen.bidder, seen.bid, seen.held) == (1, 2, Bid(2, ("hand",)), False)
    assert (seen.to_act, seen.waiting, seen.legal, seen.declarer, seen.contract) == (1, (3, 4), (), None, None)
    seen = table().auction("1 bid 2", "2 bid 2 hand", "1 hold").sees(2)
    assert (seen.standing, seen.bidder, seen.held, seen.to_act) == (1, 1, True, 2)
    assert len(seen.legal) == 1 + 4 + 16 + 4


# --- guessing ---


def every_guess(seen: FipsenObservation) -> Iterator[dict[str, frozenset[int]]]:
    """Each way in which the cards can lie for all that is known: the hands, and what declarer has taken and laid away.

    Tried out one by one; what is left in the skat and beside it is not told apart.
    """
    seats = range(1, len(seen.counts) + 1)
    plays = [play for trick in (*[trick.plays for trick in seen.tricks], seen.trick) for play in trick]
    unknown = set(PACK) - {*seen.hand, *seen.own_laid, *[card for _, card in plays]}
    hidden = seen.declarer if seen.laid and seen.declarer != seen.seat else None
    rooms = [(f"hand {seat}", seen.counts[seat - 1]) for seat in seats if seat != seen.seat]
    rooms += [("laid", seen.laid)] if hidden else []
    court = {card for card in PACK if NAMES[card][0] in "KQJ"}
    for lie in shared(frozenset(unknown), rooms):
        if any(card // 13 in seen.lacks[seat - 1] for seat in seats for card in lie.get(f"hand {seat}", ())):
            continue
        if any(lie[f"hand {seat}"] & court for seat in seen.courtless if seat not in (seen.seat, hidden)):
            continue
        if not hidden:
            yield lie
            continue
        kept = lie[f"hand {hidden}"] | {card for seat, card in plays if seat == hidden}
        for dealt in map(frozenset, combinations(sorted(kept | lie["laid"]), 5)):
            if seen.shown and dealt != set(seen.shown):
                continue
            if hidden in seen.courtless and dealt & court:
                continue
            if seen.contract and seen.contract.kieker and len(seats) == 3 and not dealt <= lie["laid"]:
                continue
            yield {**lie, "taken": (kept | lie["laid"]) - dealt}


def shared(cards: frozenset[int], rooms: list[tuple[str, int]]) -> Iterator[dict[str, frozenset[int]]]:
    """Each way to share cards among places with so much room; the rest is left over."""
    if not rooms:
        yield {}
        return
    (place, room), *others = rooms
    for some in map(frozenset, combinations(sorted(cards), room)):
        for rest in shared(cards - some, others):
            yield {place: some, **rest}


def five(*then: str) -> Table:
    """Seat 1 has shown a hand without K, Q and J, is outbid, and plays five with the skat, in which it finds two."""
    words = ("1 bid kieker", "2 bid 5", "1 bid 5 ruten", "2 pass", "3 pass", "4 pass")
    return table(SAFE).auction(*words).do("skat", "discard 7D TH").lead("AS KS QS 9S").do(*then)


def kieker(seats: int) -> Table:
    taken = "KS QS JS TS 7S" if seats == 4 else "KS QS JS TS 7S 7C 8C 9C 7H 8H"
    hands = {seat: SAFE[seat] for seat in range(1, seats + 1)}
    deal = table({**hands, "skat": SAFE["skat"]}, seats=seats).declare("kieker")
    hand = (SAFE[1] + " " + taken) if seats == 4 else taken
    return deal.do(kept(hand, keep="KS QS JS TS 7S"), "trump S").lead("KS QS JS TS")


HIDDEN: dict[str, tuple[Callable[[], Table], int]] = {
    "declarer who plays hand": (
        lambda: table().declare("3 hand", "trump S").lead("AS KS QS").do("continue").lead("JS"),
        1,
    ),
    "against hand": (lambda: table().declare("3 hand", "trump S").lead("AS KS QS").do("continue").lead("JS"), 3),
    "against a discard": (
        lambda: table().declare("3", "skat", "discard 7C 9S", "trump S").lead("AS KS QS").do("continue").lead("JS"),
        2,
    ),
    "against a discard of the courtless": (five, 3),
    "against a kieker that was shown": (lambda: kieker(4), 2),
    "against a kieker that was not": (lambda: kieker(4), 3),
    "three, against a kieker that was shown": (lambda: kieker(3), 2),
    "three, against a kieker that was not": (lambda: kieker(3), 3),
}


@pytest.mark.parametrize("position", HIDDEN)
def test_every_way_in_which_the_cards_can_lie_is_equally_likely(position: str) -> None:
    """Wherever a card can lie it is guessed as often as there are ways in which it lies there."""
    make, seat = HIDDEN[position]
    found = make()
    seen = found.sees(seat)
    lies = list(every_guess(seen))
    assert len(lies) >= 12
    expected = Counter((place, card) for lie in lies for place, some in lie.items() for card in some)
    times = 4000
    rng = Random(position)
    draw = found.game.sampler(seen)
    guessed: Counter[tuple[str, int]] = Counter()
    possible = {frozenset(lie.items()) for lie in lies}
    for _ in range(times):
        state = draw(rng)
        assert found.game.observation(state, seat) == seen
        hands = dict(enumerate(found.game.hands(state), 1))
        lie = {place: frozenset(hands[int(place[-1])]) for place in lies[0] if place.startswith("hand")}
        if "taken" in lies[0]:
            declarer = found.game.observation(state, seen.declarer or 0)
            lie |= {"laid": frozenset(declarer.own_laid), "taken": frozenset(declarer.own_taken)}
        assert frozenset(lie.items()) in possible
        guessed.update((place, card) for place, some in lie.items() for card in some)
    for spot in {*expected, *guessed}:
        chance = expected[spot] / len(lies)
        assert abs(guessed[spot] - times * chance) <= 5 * (times * chance * (1 - chance)) ** 0.5, spot


def test_a_sampler_draws_as_its_source_has_it() -> None:
    exchanged = table().declare("3", "skat", "discard 7C 9S", "trump S").do("AS")
    draw = exchanged.game.sampler(exchanged.sees(3))
    drawn = [draw(Random(seed)) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]
    between = Table()
    assert between.game.sampler(between.sees(1))(Random(1)) == between.state
