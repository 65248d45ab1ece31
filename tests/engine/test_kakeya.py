"""Kakeya Trump: each clause of its rules, K1 to K14, and the checks that go with them.

Moves are written ``chair action``. In a first game chairs are seats; with four players and the dealer 2, seats 1 and 3
lead first. ``deal`` stacks a deck from the hands of the four who play, in turn order from the lowest chair.
"""

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Self

import pytest

from cardgames.engine.cards import CARDS, NAMES, SUITS, card_set, cards_in, names
from cardgames.engine.game import CHANCE, Action, Event, Message, Outcome, Value
from cardgames.engine.kakeya import (
    ACES,
    PACK,
    PAYMENTS,
    PICTURES,
    Kakeya,
    KakeyaRules,
    Settlement,
    is_certain,
    loses,
    payment_ground,
)
from cardgames.engine.tricks import Trick
from tests.engine.positions import Position, cards

SPADES, HEARTS, DIAMONDS, CLUBS = (" ".join(rank + suit for rank in "AKQJT98765432") for suit in SUITS)
EVEN = (SPADES, HEARTS, CLUBS, DIAMONDS)
"""Spades being trumps, positions 0 and 2 take every trick, however it is played."""
ODD = (DIAMONDS, SPADES, HEARTS, CLUBS)
"""Spades being trumps, positions 1 and 3 take every trick."""

ONE = ("AS AH QD 6C 2C", "KS KH AD KC 7C", "QS QH JD AC 5C", "JS JH KD 4C QC")
"""Played as below, positions 0 and 2 have ten pictures against five and win one chip."""
ONE_PLAYED = "1 AS 2 KS 3 QS 4 JS 1 AH 2 KH 3 QH 4 JH 1 QD 2 AD 3 JD 4 KD 2 KC 3 AC 4 4C 1 6C 3 5C 4 QC 1 2C 2 7C"

TWO = ("AS AH AD AC 2C", "KS KH KD KC", "QS QH QD 3C", "JS JH JD 4C")
"""Played as below, positions 0 and 2 have twelve pictures against one that is no ace and win two chips."""
TWO_PLAYED = "1 AS 2 KS 3 QS 4 JS 1 AH 2 KH 3 QH 4 JH 1 AD 2 KD 3 QD 4 JD 1 2C 2 KC 3 3C 4 4C"

HELD = ("AH AD JS 4C", "KH KD AS KC 9C 9S", "QH QD QS 2C 7S AC", "JH JD KS 3C")
"""Played as below, positions 0 and 2 have eight pictures and rensho in hand, the others five with the trump ace."""
HELD_PLAYED = "1 AH 2 KH 3 QH 4 JH 1 AD 2 KD 3 QD 4 JD 1 JS 2 AS 3 QS 4 KS 2 KC 3 2C 4 3C 1 4C"

FOUR_ACES = "AS AH AD AC"


def deal(*hands: str) -> Action:
    """The deal that gives these hands, filled up with what is left of the pack, low cards first."""
    held = [list(cards(hand)) for hand in hands]
    given = [card for hand in held for card in hand]
    rest = sorted([card for card in PACK if card not in given], key=lambda card: -(card % 13))
    for hand in held:
        while len(hand) < 13:
            hand.append(rest.pop())
    pack = tuple(held[place % 4][place // 4] for place in range(52))
    return Action("deal", f"deal {names(pack)}", pack)


class Table(Position):
    """A match on its way. Every method gives a table of its own, and leaves this one as it is."""

    def moves(self, moves: str) -> Self:
        """The table after some moves."""
        words, table = moves.split(), self
        chairs = self.sees().chairs
        for chair, text in zip(words[::2], words[1::2], strict=True):
            assert table.to_act == chairs[int(chair) - 1], f"{chair} {text}"
            table = table.after(text)
        return table

    def dealt(self, hands: tuple[str, ...], trump: str = "S") -> Self:
        """The trump choice and the deal."""
        return self.after(f"trump {trump}").apply(deal(*hands))

    def played(self, hands: tuple[str, ...], moves: str = "", trump: str = "S") -> Self:
        """The first deal of a match, seat 1 leading, and some moves."""
        return self.dealt(hands, trump).moves(f"1 lead {moves}")

    def finished(self, rng: Random | None = None) -> Self:
        """The deal played to its last trick, without a claim."""
        rng, table = rng or Random(1), self
        while table.sees().phase in ("lead", "play"):
            table = table.apply(rng.choice([one for one in table.actions if one.text != "claim"]))
        return table

    def four_chips(self, hands: tuple[str, ...] = EVEN) -> Self:
        """A deal that one pair wins with all sixteen pictures."""
        return self.dealt(hands).finished()

    def one_chip(self) -> Self:
        """A deal that chairs 1 and 3, who lead, win for one chip."""
        return self.dealt(ONE).moves(f"1 lead {ONE_PLAYED} 4 claim")

    def two_chips(self) -> Self:
        """A deal that chairs 1 and 3, who lead, win for two chips."""
        return self.dealt(TWO).moves(f"1 lead {TWO_PLAYED} 2 claim")

    @property
    def time_up(self) -> Action | None:
        return self.game.time_up(self.state)

    @property
    def chips(self) -> tuple[int, ...]:
        chips: tuple[int, ...] = self.sees().chips
        return chips


def kakeya(seats: int = 4, dealer: int = 2, claims: bool = True, games: int = 1) -> Table:
    return Table(Kakeya(seats, KakeyaRules(claims, games), dealer))


def cost(taken: str, trump: str = "S") -> int:
    """The payment of the pair that lost with these pictures."""
    pictures = card_set(cards(taken))
    assert loses(pictures, SUITS.index(trump))
    assert not loses(PICTURES ^ pictures, SUITS.index(trump))
    return PAYMENTS[payment_ground(pictures, SUITS.index(trump))]


def payment(pairs: tuple[frozenset[str], frozenset[str]], trump: str) -> tuple[int, int]:
    """K9 in the words of the sheet: which pair pays, 0 or 1, and how much."""
    rensho = "AC" if trump == "S" else "AS"
    counts = len(pairs[0]), len(pairs[1])
    if counts == (8, 8):
        payer = 0 if rensho in pairs[0] else 1
        if set(FOUR_ACES.split()) <= pairs[payer]:
            return payer, 4
        return payer, 2 if f"A{trump}" in pairs[payer] else 1
    payer = counts.index(min(counts))
    if counts[payer] == 0 or set(FOUR_ACES.split()) <= pairs[payer]:
        return payer, 4
    if counts[payer] <= 4 or {rensho, f"A{trump}"} <= pairs[payer]:
        return payer, 2
    return payer, 1


# The clauses.


def test_k1_pack() -> None:
    assert tuple(range(52)) == PACK
    assert {NAMES[card] for card in cards_in(PICTURES)} == {rank + suit for rank in "AKQJ" for suit in SUITS}


@pytest.mark.parametrize(("seats", "pairs"), [(4, 2), (6, 3)])
def test_k2_five_chips_a_pair(seats: int, pairs: int) -> None:
    game = kakeya(seats)
    assert game.chips == (5,) * pairs
    assert game.scores == (5,) * seats


def test_k3_with_four_all_play() -> None:
    seen = kakeya().dealt(EVEN).sees()
    assert seen.pairs == ((1, 3), (2, 4))
    assert seen.resting == ()
    assert seen.counts == (13, 13, 13, 13)


@pytest.mark.parametrize(("dealer", "pair"), [(1, (1, 4)), (5, (2, 5)), (6, (3, 6))])
def test_k3_with_six_the_dealing_pair_sits_out(dealer: int, pair: tuple[int, int]) -> None:
    table = kakeya(6, dealer).dealt(EVEN)
    seen = table.sees()
    assert seen.pairs == ((1, 4), (2, 5), (3, 6))
    assert seen.dealers == seen.resting == pair
    assert seen.counts == tuple(0 if seat in pair else 13 for seat in range(1, 7))
    assert [table.sees(seat).partner for seat in range(7)] == [None, 4, 5, 6, 1, 2, 3]
    table = table.after("lead")
    for _ in range(51):
        seat = table.to_act
        assert seat not in pair
        table = table.apply(table.actions[0])


@pytest.mark.parametrize(("seats", "dealer", "says"), [(4, 1, 1), (4, 4, 2), (6, 4, 1), (6, 2, 2), (6, 6, 3)])
def test_k4_the_lower_seat_of_the_first_dealers_says_trumps(seats: int, dealer: int, says: int) -> None:
    table = kakeya(seats, dealer)
    assert table.sees().trump == SUITS.index("S")
    assert table.to_act == says
    assert table.offered == "trump S trump H trump D trump C"
    assert table.events_of("trump S") == [Event("trump_kept", {"seat": says, "suit": "S"})]
    assert table.events_of("trump C") == [Event("trump_changed", {"seat": says, "suit": "C"})]
    table = table.after("trump C")
    assert (table.sees().trump, table.to_act) == (SUITS.index("C"), CHANCE)


def test_k4_losing_pair_chooses_the_later_trumps() -> None:
    """K4: afterwards the pair that lost says and the present suit stays."""
    table = kakeya(6, dealer=3).dealt(EVEN, trump="H").finished()
    assert table.sees().deals[-1].losers == (1, 4)
    assert table.to_act == 1, "although it sits out"
    assert table.sees().resting == (1, 4)
    assert table.sees().trump == SUITS.index("H")
    assert table.events_of("trump H") == [Event("trump_kept", {"seat": 1, "suit": "H"})]


def test_k4_every_new_game_starts_at_spades() -> None:
    table = kakeya(games=2).dealt(EVEN, trump="D").finished()
    assert table.after("time").sees().trump == SUITS.index("D")
    assert table.after("time", "seats 1 2 3 4").sees().trump == SUITS.index("S")


@pytest.mark.parametrize(("trump", "rensho"), [("S", "AC"), ("H", "AS"), ("D", "AS"), ("C", "AS")])
def test_k5_rensho(trump: str, rensho: str) -> None:
    assert NAMES[kakeya().after(f"trump {trump}").sees().rensho] == rensho


def test_k5_rensho_wins_whatever_trick_it_is_in() -> None:
    table = kakeya().played((SPADES, HEARTS, CLUBS, DIAMONDS), "1 2S 2 2H 3 AC 4 2D")
    assert table.to_act == 3
    table = kakeya().played((HEARTS, DIAMONDS, SPADES, CLUBS), "1 AH 2 2D 3 AS 4 2C", trump="H")
    assert table.to_act == 3


@pytest.mark.parametrize(
    ("seats", "dealer", "places"), [(4, 1, "1234"), (6, 1, "2356"), (6, 2, "1346"), (6, 3, "1245")]
)
def test_k6_one_card_at_a_time_to_those_who_play(seats: int, dealer: int, places: str) -> None:
    table = kakeya(seats, dealer).after("trump S")
    assert table.chance == ("deal", PACK, 52)
    last_pile = [Event("last_pile", {"seats": table.sees().dealers})] if seats == 4 else []
    assert table.events_of(f"deal {names(PACK)}") == [
        Event("dealt", {"seats": table.sees().dealers, "count": 13}),
        *last_pile,
    ]
    table = table.after(f"deal {names(PACK)}")
    for position, seat in enumerate(places):
        assert table.hands[int(seat) - 1] == PACK[position::4]


@pytest.mark.parametrize(
    ("seats", "dealer", "leader", "partner"),
    [(4, 1, 2, 4), (4, 2, 1, 3), (4, 3, 2, 4), (6, 1, 2, 5), (6, 5, 3, 6), (6, 3, 1, 4)],
)
def test_k7_opening_lead(seats: int, dealer: int, leader: int, partner: int) -> None:
    table = kakeya(seats, dealer).dealt(EVEN)
    assert table.to_act == leader
    assert table.offered == "lead partner"
    assert table.events_of("lead") == [Event("leads", {"seat": leader})]
    assert table.events_of("partner") == [Event("partner_leads", {"seat": leader, "to": partner})]
    for text, seat in (("lead", leader), ("partner", partner)):
        after = table.after(text)
        assert after.to_act == seat
        assert tuple(action.cards[0] for action in after.actions) == after.hands[seat - 1]


def test_k7_afterwards_the_pair_that_won_leads() -> None:
    table = kakeya().four_chips(ODD)
    assert table.sees().leaders == (2, 4)
    assert table.dealt(EVEN).to_act == 2
    table = kakeya(6, dealer=1).four_chips(ODD)
    assert table.sees().leaders == (3, 6)
    assert table.dealt(EVEN).to_act == 3


def test_k8_follow_suit_if_able() -> None:
    table = kakeya().played(("7H", f"8H 9H {SPADES[6:-3]}", "2S", "AS KS"), "1 7H")
    assert table.offered == "8H 9H"
    assert table.refusal("3S") == ("must_follow", {"suit": "H"})
    assert table.refused["3S"] == ("must_follow", {"suit": "H"})
    table = kakeya().played((HEARTS, SPADES, CLUBS, DIAMONDS), "1 7H")
    assert len(table.actions) == 13


def test_k8_the_winner_leads_and_the_pair_takes_the_pictures() -> None:
    table = kakeya().played(("7H", "KH", "AH", "JH"), "1 7H 2 KH 3 AH")
    assert table.sees().trick == Trick((1, 2, 3), cards("7H KH AH"), 3)
    assert table.events_of("JH") == [
        Event("played", {"seat": 4, "card": CARDS["JH"]}),
        Event(
            "pictures_won",
            {"seat": 3, "cards": cards("JH KH AH"), "seats": (1, 2, 3, 4), "trick_cards": cards("7H KH AH JH")},
        ),
    ]
    table = table.after("JH")
    assert table.to_act == 3
    seen = table.sees()
    assert seen.pictures == (cards("JH KH AH"), ())
    assert seen.trick is None
    assert seen.last_trick == Trick((1, 2, 3, 4), cards("7H KH AH JH"), 3)


def test_k8_a_trick_without_pictures() -> None:
    table = kakeya().played(("7H", "8H", "9H", "TH"), "1 7H 2 8H 3 9H")
    trick = {"seats": (1, 2, 3, 4), "trick_cards": cards("7H 8H 9H TH")}
    assert table.events_of("TH")[1:] == [Event("trick_won", {"seat": 4, **trick})]
    assert table.after("TH").sees().pictures == ((), ())


@pytest.mark.parametrize(
    ("taken", "trump", "pays"),
    [
        ("", "S", 4),
        ("JS", "S", 2),
        ("AC AS", "S", 2),
        (f"{FOUR_ACES}", "S", 4),
        (f"{FOUR_ACES} JH", "D", 4),
        ("KD KS QS JS KH", "S", 1),
        ("AS AH AD QS JS", "S", 1),
        ("AS AC QS JS KH", "C", 2),
        ("AS AC QS JS KH", "H", 1),
        ("AS AH QS JS KH", "H", 2),
        ("AC KS QS JS KH QH JH KD", "S", 1),
        ("AC AS AH JS KH QH JH KD", "S", 2),
        (f"{FOUR_ACES} KH QH JH KD", "S", 4),
    ],
)
def test_k9_payment(taken: str, trump: str, pays: int) -> None:
    assert cost(taken, trump) == pays


@pytest.mark.parametrize("trump", SUITS)
def test_k9_every_deal_is_settled_as_the_sheet_says(trump: str) -> None:
    game = kakeya(claims=False)
    rng = Random(5)
    for _ in range(30):
        table = game.after(f"trump {trump}")
        table = table.apply(deal(*[names(rng.sample(cards(hand), 8)) for hand in EVEN]))
        taken: tuple[set[str], set[str]] = (set(), set())
        while table.sees().phase != "trump":
            table = table.apply(rng.choice(table.actions))
            last = table.sees().last_trick
            if last and table.sees().trick is None:
                taken[(last.winner - 1) % 2].update(NAMES[card] for card in last.cards if PICTURES >> card & 1)
        payer, due = payment((frozenset(taken[0]), frozenset(taken[1])), trump)
        assert table.chips == ((5 - due, 5 + due) if payer == 0 else (5 + due, 5 - due))
        settled = table.sees().deals[-1]
        assert (settled.losers, settled.winners) == (((1, 3), (2, 4)) if payer == 0 else ((2, 4), (1, 3)))
        assert settled.pictures == (len(taken[1 - payer]), len(taken[payer]))
        assert (settled.chips, settled.claimed, settled.shown) == (due, None, None)


def test_k9_what_is_told_of_a_payment() -> None:
    table = kakeya().played(ONE, ONE_PLAYED)
    ours, theirs = table.sees().pictures
    assert (len(ours), len(theirs)) == (10, 5)
    won: dict[str, Value] = {
        "seats": (1, 3),
        "count": 10,
        "others": 5,
        "cards": ours,
        "other_seats": (2, 4),
        "other_cards": theirs,
    }
    assert table.events_of("claim")[1:] == [
        Event("deal_won", {**won, "claimed": 1, "card": CARDS["AC"]}),
        Event("paid", {"seats": (2, 4), "chips": 1}),
    ]
    table = kakeya().played(TWO, TWO_PLAYED)
    ours, theirs = table.sees().pictures
    won = {"seats": (1, 3), "count": 12, "others": 1, "cards": ours, "other_seats": (2, 4), "other_cards": theirs}
    assert table.events_of("claim")[1:] == [
        Event("deal_won", {**won, "claimed": 1, "card": CARDS["AC"]}),
        Event("paid_few_pictures", {"seats": (2, 4), "chips": 2}),
    ]


def test_k10_losers_deal_and_the_resting_pair_joins() -> None:
    table = kakeya(6, dealer=3).four_chips()
    seen = table.sees()
    assert (seen.dealers, seen.resting, seen.leaders) == ((2, 5), (2, 5), (1, 4))
    assert table.dealt(EVEN).sees().counts == (13, 0, 13, 13, 0, 13)


@pytest.mark.parametrize(("seats", "pair"), [(4, (2, 4)), (6, (3, 6))])
def test_k6_kirijimai_goes_to_the_pair_that_lost_or_sat_out(seats: int, pair: tuple[int, ...]) -> None:
    table = kakeya(seats, dealer=seats).four_chips().after("trump S")
    assert Event("last_pile", {"seats": pair}) in table.events_of(f"deal {names(PACK)}")


def test_k11_a_game_ends_when_a_pair_has_no_chips_left() -> None:
    table = kakeya().one_chip().four_chips()
    assert table.to_act is None
    assert table.offered == ""
    assert table.scores == (10, 0, 10, 0)
    assert table.outcome == Outcome((10, 0, 10, 0), (1, 3), Message("no_chips", {"seats": (2, 4)}))
    assert table.hands == ((), (), (), ())


def test_k11_the_end_is_told() -> None:
    table = kakeya().one_chip().dealt(EVEN)
    while table.to_act is not None:
        table = table.apply(table.actions[0])
    assert [event.key for event in table.events] == [
        "played",
        "pictures_won",
        "deal_won",
        "paid_no_pictures",
        "out_of_chips",
    ]


def splits(ours: frozenset[str], theirs: frozenset[str], trump: str) -> set[tuple[int, int]]:
    """Who may come to pay how much, or the first two such. Of pictures that are no aces only the number counts."""
    left = {NAMES[card] for card in cards_in(PICTURES)} - ours - theirs
    aces = sorted(left & set(FOUR_ACES.split()))
    others = sorted(left.difference(aces))
    found: set[tuple[int, int]] = set()
    for size in range(len(aces) + 1):
        for some in combinations(aces, size):
            for number in range(len(others) + 1):
                mine = ours.union(some, others[:number])
                found.add(payment((mine, theirs | left - mine), trump))
                if len(found) > 1:
                    return found
    return found


@pytest.mark.parametrize("trump", ["S", "H"])
def test_k12_a_claim_holds_exactly_if_every_split_pays_the_same(trump: str) -> None:
    others = [NAMES[card] for card in cards_in(PICTURES & ~ACES)]
    for owners in product(range(3), repeat=4):
        aces = [{ace for ace, owner in zip(FOUR_ACES.split(), owners, strict=True) if owner == one} for one in range(2)]
        for number in range(13):
            for more in range(13 - number):
                ours = frozenset(aces[0].union(others[:number]))
                theirs = frozenset(aces[1].union(others[number : number + more]))
                one, two = (card_set(CARDS[name] for name in taken) for taken in (ours, theirs))
                same = len(splits(ours, theirs, trump)) == 1
                assert is_certain(one, two, SUITS.index(trump)) == is_certain(two, one, SUITS.index(trump)) == same


def test_k12_any_player_in_turn_may_claim_whichever_pair_would_pay() -> None:
    table = kakeya().played(ONE, ONE_PLAYED)
    for claimer in (4, 1, 2, 3):
        assert table.to_act == claimer
        assert table.offered.endswith(" claim")
        after = table.after("claim")
        assert after.chips == (6, 4)
        assert after.hands == ((), (), (), ())
        (settled,) = after.sees().deals
        assert settled == Settlement((1, 3), (2, 4), (10, 5), 1, "fewer_pictures", claimer, None)
        table = table.apply(table.actions[0])


def test_k12_pictures_on_the_table_are_not_yet_taken() -> None:
    table = kakeya().played(TWO, TWO_PLAYED.removesuffix(" 4 4C"))
    assert table.sees().trick == Trick((1, 2, 3), cards("2C KC 3C"), 2)
    assert table.refusal("claim") == ("claim_undecided", {})
    assert table.after("4C").offered.endswith(" claim")


@pytest.mark.parametrize("dealer", [1, 2])
def test_k12_rensho_in_hand_is_shown_and_counted(dealer: int) -> None:
    """The same, one seat on, if seat 1 deals."""
    game = kakeya(dealer=dealer)
    one, two, three, four = (1, 2, 3, 4) if dealer == 2 else (2, 3, 4, 1)
    hands = HELD if dealer == 2 else (HELD[3], *HELD[:3])
    moves = [str((one, two, three, four)[int(word) - 1]) if word.isdigit() else word for word in HELD_PLAYED.split()]
    table = game.dealt(hands).moves(f"{one} lead {' '.join(moves)}")
    assert table.to_act == two
    assert table.refusal("claim") == ("claim_undecided", {})
    for lead, playable in (("9C", True), ("9S", False)):
        led = table.after(lead)
        assert led.to_act == three
        assert led.offered.endswith(" claim"), "rensho is shown, not played"
        assert ("AC" in led.offered) == playable
    table = table.after("9C")
    claimed, won, paid = table.events_of("claim")
    assert claimed == Event("claimed_with_rensho", {"seat": three, "card": CARDS["AC"]})
    assert (won.key, won.args["seats"]) == ("deal_won", tuple(sorted((one, three))))
    assert (won.args["count"], won.args["others"]) == (9, 5)
    assert won.args["cards"] == tuple(sorted((*table.sees().pictures[(one - 1) % 2], CARDS["AC"])))
    assert paid == Event("paid", {"seats": tuple(sorted((two, four))), "chips": 1})
    settled = table.after("claim").sees().deals[-1]
    assert (settled.claimed, settled.shown) == (three, CARDS["AC"])
    for action in table.actions[:-1]:
        assert "claim" not in table.apply(action).offered, "nobody else holds it"


def test_k12_not_without_the_option() -> None:
    table = kakeya(claims=False).played(ONE, ONE_PLAYED)
    assert "claim" not in table.offered
    assert table.refusal("claim") == ("claims_are_off", {})
    assert not table.refused


def test_k13_the_clock() -> None:
    table = kakeya()
    assert table.time_up is None
    assert table.refusal("time") == ("time_between_deals", {})
    table = table.dealt(ONE)
    assert table.time_up is None
    table = table.moves(f"1 lead {ONE_PLAYED}")
    assert table.refusal("time") == ("time_between_deals", {})
    table = table.after("claim")
    time = table.game.parse("time")
    assert table.time_up == time
    assert table.game.actor(table.state, time) == CHANCE
    assert table.to_act == 2
    assert time not in table.actions
    assert table.after("trump S").refusal("time") == ("time_between_deals", {})
    assert table.events_of("time") == [Event("time_called")]
    table = table.after("time")
    assert table.outcome == Outcome((6, 4, 6, 4), (1, 3), Message("time_up"))


def test_k13_every_pair_with_most_chips_wins() -> None:
    game = kakeya(6, dealer=3)
    table = game.four_chips(ODD).four_chips(ODD).after("time")
    assert table.outcome == Outcome((1, 5, 9, 1, 5, 9), (3, 6), Message("time_up"))
    rng = Random(1)
    table = game
    while (top := sorted(table.chips))[1] != top[2] or top[0] == top[1]:
        hands = [names(hand) for hand in zip(*[iter(rng.sample(PACK, 52))] * 13, strict=True)]
        table = (table if table.time_up else game).dealt(tuple(hands)).finished(rng)
    best = tuple(seat for seat, points in enumerate(table.scores, 1) if points == top[2])
    assert len(best) == 4
    assert table.after("time").outcome == Outcome(table.scores, best, Message("time_up"))


def test_k13_at_equal_chips_nobody_has_won() -> None:
    table = kakeya().four_chips().four_chips(ODD).after("time")
    assert table.outcome == Outcome((5, 5, 5, 5), (), Message("time_up_even"))
    assert table.sees().ranks == (1, 1, 1, 1)


def test_k13_in_a_series_that_game_only() -> None:
    table = kakeya(games=2).one_chip().after("time")
    assert table.to_act == CHANCE
    assert table.chance == ("seats", (1, 2, 3, 4), 4)
    assert table.outcome is None


def test_k14_seating() -> None:
    table = kakeya(games=2).one_chip().after("time")
    assert table.scores == (6, 4, 6, 4)
    assert table.events_of("seats 3 1 4 2") == [Event("seated", {"seats": (3, 1, 4, 2)})]
    table = table.after("seats 3 1 4 2")
    seen = table.sees(3)
    assert seen.chairs == (3, 1, 4, 2)
    assert seen.pairs == ((3, 4), (1, 2))
    assert seen.partner == 4
    assert seen.dealers == (1, 2)
    assert (seen.game, seen.deal, seen.chips, seen.points) == (2, 1, (5, 5), (6, 4, 6, 4))
    assert table.scores == (11, 9, 11, 9)
    assert table.to_act == 1, "the lower chair of the pair in chair 2"
    table = table.dealt(ONE)
    assert set(cards(ONE[0])) < set(table.hands[3 - 1])
    assert set(cards(ONE[1])) < set(table.hands[1 - 1])
    assert table.to_act == 3
    table = table.moves(f"1 lead {ONE_PLAYED}")
    assert table.sees().trick is None
    assert table.sees().last_trick == Trick((4, 2, 3, 1), cards("5C QC 2C 7C"), 2)
    table = table.after("claim")
    assert table.scores == (6 + 4, 4 + 4, 6 + 6, 4 + 6)


def series(seats: str) -> Table:
    """Two games of one deal, in which the chairs 1 and 3 win a chip; the seating for the second."""
    return kakeya(games=2).one_chip().after("time", seats).one_chip().after("time")


def test_k14_points_add_up() -> None:
    table = series("seats 1 2 4 3")
    assert table.sees().games == ((6, 4, 6, 4), (6, 4, 4, 6))
    assert table.outcome == Outcome((12, 8, 10, 10), (1,), Message("most_points", {"seat": 1}))


def test_k14_those_who_tie_draw_until_one_is_highest() -> None:
    table = series("seats 1 2 3 4")
    assert table.chance == ("draw", PACK, 2)
    assert table.scores == (12, 8, 12, 8)
    assert table.events_of("draw KS 5H") == [
        Event("drew", {"seat": 1, "card": CARDS["KS"]}),
        Event("drew", {"seat": 3, "card": CARDS["5H"]}),
    ]
    assert table.after("draw KS 5H").outcome == Outcome((12, 8, 12, 8), (1,), Message("won_draw", {"seat": 1}))
    again = table.after("draw KS KH")
    assert again.chance == ("draw", PACK, 2)
    end = again.after("draw KS AH").outcome
    assert end is not None
    assert end.winners == (3,)


def test_k14_only_those_equal_at_the_top_draw_again() -> None:
    table = series("seats 2 1 4 3")
    assert table.scores == (10, 10, 10, 10)
    table = table.after("draw 3S KH KD QC")
    assert table.chance == ("draw", PACK, 2)
    table = table.after("draw 2S 3S")
    assert table.sees().draws == (
        ((1, CARDS["3S"]), (2, CARDS["KH"]), (3, CARDS["KD"]), (4, CARDS["QC"])),
        ((2, CARDS["2S"]), (3, CARDS["3S"])),
    )
    assert table.outcome == Outcome((10, 10, 10, 10), (3,), Message("won_draw", {"seat": 3}))


def test_k14_wrong_seatings_and_draws_are_refused() -> None:
    table = kakeya(games=2).one_chip().after("time")
    for wrong in ("seats 1 2 3", "seats 1 2 3 3", "seats 1 2 3 5", "seats 1 2 3 4 5 6"):
        assert table.refusal(wrong) == ("not_the_seating", {"count": 4})
    table = series("seats 1 2 3 4")
    for wrong in ("draw KS", "draw KS KS", "draw KS QS JS"):
        assert table.refusal(wrong) == ("not_the_draw", {"seats": (1, 3), "count": 2})


@pytest.mark.parametrize("seats", [4, 6])
def test_in_a_rematch_the_pair_that_lost_the_last_deal_deals(seats: int) -> None:
    next_dealers = set()
    for dealer in range(1, seats + 1):
        table, rng = kakeya(seats, dealer), Random(dealer)
        while table.to_act is not None:
            table = table.at_random(rng)
        losers = table.sees().deals[-1].losers
        assert table.next_dealer == losers[0]
        assert kakeya(seats, losers[0]).sees().dealers == losers
        next_dealers.add(losers[0])
    assert len(next_dealers) > 1


# The checks.


def test_check_3_rensho_follows_suit_and_beats_a_ruff() -> None:
    table = kakeya().played(("2C", f"AC {HEARTS[:-3]}", f"AS {DIAMONDS[:-3]}", "3C"), "1 2C")
    assert table.offered == "AC"
    table = table.moves("2 AC 3 AS 4 3C")
    assert table.to_act == 2


def test_check_4_rensho_does_not_follow_another_suit() -> None:
    table = kakeya().played(("2H", f"7H AC {DIAMONDS[:-6]}", "", ""), "1 2H")
    assert table.offered == "7H"
    assert table.refusal("AC") == ("must_follow", {"suit": "H"})


def test_check_5_clubs_trumps() -> None:
    table = kakeya().played(("AC", f"AS {DIAMONDS[:-3]}", "2C", "3C"), "1 AC 2 AS 3 2C 4 3C", trump="C")
    assert table.to_act == 2


def test_check_7_eight_each_and_the_other_pair_leads_next() -> None:
    hands = ("AH JS JD QC", "KH AS AD KC", "QH QS KD AC", "JH KS QD JC")
    tricks = "1 AH 2 KH 3 QH 4 JH 1 JS 2 AS 3 QS 4 KS 2 AD 3 KD 4 QD 1 JD 2 KC 3 AC 4 JC 1 QC"
    table = kakeya().played(hands, tricks)
    even, paid = table.events_of("claim")[1:]
    assert (even.key, even.args["seats"], even.args["other_seats"]) == ("deal_even", (1, 3), (2, 4))
    assert (even.args["card"], even.args["cards"], even.args["other_cards"]) == (
        CARDS["AC"],
        *table.sees().pictures,
    )
    assert paid == Event("paid", {"seats": (1, 3), "chips": 1})
    table = table.after("claim")
    assert table.chips == (4, 6)
    assert table.to_act == 1
    assert table.dealt(EVEN).to_act == 2


def test_check_8_seventeen() -> None:
    table = kakeya(6, dealer=3)
    for after in ((9, 1, 5), (13, 1, 1), (17, -3, 1)):
        table = table.four_chips()
        assert table.chips == after
    assert table.scores == (17, -3, 1, 17, -3, 1)
    assert table.outcome == Outcome((17, -3, 1, 17, -3, 1), (1, 4), Message("no_chips", {"seats": (2, 5)}))


def test_check_9_into_debt() -> None:
    table = kakeya().one_chip().two_chips()
    assert table.chips == (8, 2)
    table = table.four_chips()
    assert table.scores == (12, -2, 12, -2)


# What a seat knows.


def test_everybody_sees_counts_and_which_suits_are_lacked() -> None:
    table = kakeya().played((SPADES, HEARTS, CLUBS, DIAMONDS), "1 AS 2 2H 3 AC 4 KD 3 2C 4 2D")
    seen = table.sees()
    assert seen.counts == (12, 12, 11, 11)
    assert seen.lacks == ((), (0,), (0,), (0, 3))
    assert seen.played == card_set(cards("AS 2H AC KD 2C 2D"))
    assert seen.trick == Trick((3, 4), cards("2C 2D"), 3)
    assert seen.last_trick == Trick((1, 2, 3, 4), cards("AS 2H AC KD"), 3)
    assert seen.pictures == (cards("AS KD AC"), ())
    assert (seen.game, seen.deal, seen.leaders, seen.dealers) == (1, 1, (1, 3), (2, 4))


def test_who_wins_the_trick_so_far_is_seen() -> None:
    table = kakeya().played(("7H", f"AH {CLUBS[:-30]}", f"2S {DIAMONDS[:-9]}", "TH"), "1 7H")
    for card, winner in (("AH", 2), ("2S", 3), ("TH", 3)):
        assert table.sees().trick == table.sees(4).trick
        table = table.after(card)
        trick = table.sees().trick or table.sees().last_trick
        assert trick is not None
        assert trick.winner == winner


def test_ranks_are_shared_by_equal_totals() -> None:
    table = kakeya(6, dealer=3).four_chips().after("time")
    assert table.sees().ranks == (1, 5, 3, 1, 5, 3)
    table = series("seats 2 1 4 3")
    assert table.sees().ranks == ()
    table = table.after("draw KS AH 2D QC")
    assert table.sees().scores == (10, 10, 10, 10)
    assert table.sees().ranks == (2, 1, 2, 2)


def test_end_events_carry_the_cards_on_the_table() -> None:
    """What ends a trick or a deal is told with what lay there."""
    rng = Random(9)
    for claims in (False, True):
        table = kakeya(6, dealer=2, claims=claims)
        while table.to_act is not None:
            table = table.at_random(rng)
            seen = table.sees()
            for event in table.events:
                if event.key in ("trick_won", "pictures_won"):
                    trick = Trick(event.args["seats"], event.args["trick_cards"], event.args["seat"])  # type: ignore[arg-type]
                    assert trick == seen.last_trick
                    pictures = card_set(trick.cards) & PICTURES
                    assert event.args.get("cards", ()) == cards_in(pictures)
                if event.key in ("deal_won", "deal_even"):
                    deal = seen.deals[-1]
                    sides = {event.args["seats"]: event.args["cards"]}
                    sides |= {event.args["other_seats"]: event.args["other_cards"]}
                    assert (len(sides[deal.winners]), len(sides[deal.losers])) == deal.pictures  # type: ignore[arg-type]


# Guesses.


def test_a_guess_is_even_among_all_that_fit() -> None:
    """Two cards each are left and two players have shown voids: every deal that fits comes up as often as any other."""
    game = kakeya(claims=False)
    rng = Random(6)
    table = game.played((SPADES, HEARTS, CLUBS, DIAMONDS))
    while not 5 <= len(fits(table)) <= 12:
        table = game.after("trump S")
        table = table.apply(Action("deal", "", tuple(rng.sample(PACK, 52)))).after("lead")
        while table.sees().counts != (2, 2, 2, 2):
            table = table.apply(rng.choice(table.actions))
    every = fits(table)
    seen = table.sees(1)
    draw = game.game.sampler(seen)
    found = Counter(game.game.hands(draw(rng)) for _ in range(100 * len(every)))
    assert set(found) == every
    assert all(60 < often < 140 for often in found.values())


def fits(table: Table) -> set[tuple[tuple[int, ...], ...]]:
    """The hands of two cards that fit what seat 1 knows, if somebody else has shown to lack a suit."""
    seen = table.sees(1)
    unseen = [card for card in PACK if not seen.played >> card & 1 and card not in seen.hand]
    if len(unseen) != 6 or not any(seen.lacks[1:]):
        return set()
    found: set[tuple[tuple[int, ...], ...]] = set()
    for two in combinations(unseen, 2):
        left = [card for card in unseen if card not in two]
        for three in combinations(left, 2):
            four = tuple(card for card in left if card not in three)
            hands = (seen.hand, two, three, four)
            if not any(card // 13 in lacks for hand, lacks in zip(hands, seen.lacks, strict=True) for card in hand):
                found.add(hands)
    return found


# Notation and refusals.


def test_refusals() -> None:
    table = kakeya(games=2)
    refused = [(table, "AS", "choose_trump"), (table, f"deal {names(PACK)}", "choose_trump")]
    table = table.after("trump S")
    refused += [(table, "trump S", "deal_first"), (table, "draw AS", "deal_first")]
    table = table.apply(deal(*ONE))
    refused += [(table, "AS", "choose_leader"), (table, "claim", "choose_leader")]
    table = table.after("lead")
    refused += [(table, "lead", "not_now"), (table, "trump S", "not_now"), (table, "KS", "not_in_hand")]
    refused += [(table, "claim", "claim_undecided"), (table, "seats 1 2 3 4", "not_now")]
    table = table.moves(ONE_PLAYED).after("claim", "time")
    refused += [(table, "trump S", "seats_first"), (table, "time", "time_between_deals")]
    table = table.after("seats 1 2 3 4").one_chip().after("time")
    refused += [(table, "trump S", "draw_first"), (table, "seats 1 2 3 4", "draw_first")]
    table = table.after("draw AS KS")
    refused += [(table, text, "match_over") for text in ("AS", "time", "claim", f"deal {names(PACK)}", "draw AS KS")]
    for before, text, key in refused:
        assert before.refusal(text).key == key
