"""Kakeya Trump: each clause of its rules, K1 to K14, and the checks that go with them.

Moves are written ``chair action``. In a first game chairs are seats; with four players and the dealer 2, seats 1 and 3
lead first. ``deal`` stacks a deck from the hands of the four who play, in turn order from the lowest chair.
"""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from cardgames.engine.cards import CARDS, NAMES, SUITS, card_set, cards_in, names
from cardgames.engine.game import CHANCE, Action, Event, Message, Outcome, Value
from cardgames.engine.kakeya import (
    ACES,
    PACK,
    PAYMENTS,
    PICTURES,
    Kakeya,
    KakeyaObservation,
    KakeyaRules,
    KakeyaState,
    Settlement,
    is_certain,
    loses,
    payment_ground,
)
from cardgames.engine.tricks import Trick
from tests.engine.positions import cards, reason, refused

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


def kakeya(seats: int = 4, dealer: int = 2, claims: bool = True, games: int = 1) -> Kakeya:
    return Kakeya(seats, KakeyaRules(claims, games), dealer)


def see(game: Kakeya, state: KakeyaState, seat: int = CHANCE) -> KakeyaObservation:
    return game.observation(state, seat)


def act(game: Kakeya, state: KakeyaState, *texts: str) -> KakeyaState:
    for text in texts:
        state = game.apply(state, game.parse(text))
    return state


def do(game: Kakeya, state: KakeyaState, moves: str) -> KakeyaState:
    """The state after some moves."""
    words = moves.split()
    chairs = see(game, state).chairs
    for chair, text in zip(words[::2], words[1::2], strict=True):
        assert game.to_act(state) == chairs[int(chair) - 1], f"{chair} {text}"
        state = act(game, state, text)
    return state


def dealt(game: Kakeya, state: KakeyaState, hands: tuple[str, ...], trump: str = "S") -> KakeyaState:
    """The trump choice and the deal."""
    return game.apply(act(game, state, f"trump {trump}"), deal(*hands))


def played(game: Kakeya, hands: tuple[str, ...], moves: str = "", trump: str = "S") -> KakeyaState:
    """The first deal of a match, seat 1 leading, and some moves."""
    return do(game, dealt(game, game.start(), hands, trump), f"1 lead {moves}")


def finish(game: Kakeya, state: KakeyaState, rng: Random | None = None) -> KakeyaState:
    """Play the deal to its last trick, without a claim."""
    rng = rng or Random(1)
    while see(game, state).phase in ("lead", "play"):
        state = game.apply(state, rng.choice([one for one in game.legal_actions(state) if one.text != "claim"]))
    return state


def four_chips(game: Kakeya, state: KakeyaState, hands: tuple[str, ...] = EVEN) -> KakeyaState:
    """A deal that one pair wins with all sixteen pictures."""
    return finish(game, dealt(game, state, hands))


def one_chip(game: Kakeya, state: KakeyaState) -> KakeyaState:
    """A deal that chairs 1 and 3, who lead, win for one chip."""
    return do(game, dealt(game, state, ONE), f"1 lead {ONE_PLAYED} 4 claim")


def two_chips(game: Kakeya, state: KakeyaState) -> KakeyaState:
    """A deal that chairs 1 and 3, who lead, win for two chips."""
    return do(game, dealt(game, state, TWO), f"1 lead {TWO_PLAYED} 2 claim")


def told(game: Kakeya, state: KakeyaState, text: str) -> list[Event]:
    """The events of an action."""
    events: list[Event] = []
    game.apply(state, game.parse(text), events.append)
    return events


def legal(game: Kakeya, state: KakeyaState) -> str:
    return " ".join(action.text for action in game.legal_actions(state))


def chips(game: Kakeya, state: KakeyaState) -> tuple[int, ...]:
    return see(game, state).chips


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
    assert chips(game, game.start()) == (5,) * pairs
    assert game.scores(game.start()) == (5,) * seats


def test_k3_with_four_all_play() -> None:
    game = kakeya()
    seen = see(game, dealt(game, game.start(), EVEN))
    assert seen.pairs == ((1, 3), (2, 4))
    assert seen.resting == ()
    assert seen.counts == (13, 13, 13, 13)


@pytest.mark.parametrize(("dealer", "pair"), [(1, (1, 4)), (5, (2, 5)), (6, (3, 6))])
def test_k3_with_six_the_dealing_pair_sits_out(dealer: int, pair: tuple[int, int]) -> None:
    game = kakeya(6, dealer)
    state = dealt(game, game.start(), EVEN)
    seen = see(game, state)
    assert seen.pairs == ((1, 4), (2, 5), (3, 6))
    assert seen.dealers == seen.resting == pair
    assert seen.counts == tuple(0 if seat in pair else 13 for seat in range(1, 7))
    assert [see(game, state, seat).partner for seat in range(7)] == [None, 4, 5, 6, 1, 2, 3]
    state = act(game, state, "lead")
    for _ in range(51):
        seat = game.to_act(state)
        assert seat not in pair
        state = game.apply(state, game.legal_actions(state)[0])


@pytest.mark.parametrize(("seats", "dealer", "says"), [(4, 1, 1), (4, 4, 2), (6, 4, 1), (6, 2, 2), (6, 6, 3)])
def test_k4_the_lower_seat_of_the_first_dealers_says_trumps(seats: int, dealer: int, says: int) -> None:
    game = kakeya(seats, dealer)
    state = game.start()
    assert see(game, state).trump == SUITS.index("S")
    assert game.to_act(state) == says
    assert legal(game, state) == "trump S trump H trump D trump C"
    assert told(game, state, "trump S") == [Event("trump_kept", {"seat": says, "suit": "S"})]
    assert told(game, state, "trump C") == [Event("trump_changed", {"seat": says, "suit": "C"})]
    state = act(game, state, "trump C")
    assert (see(game, state).trump, game.to_act(state)) == (SUITS.index("C"), CHANCE)


def test_k4_losing_pair_chooses_the_later_trumps() -> None:
    """K4: afterwards the pair that lost says and the present suit stays."""
    game = kakeya(6, dealer=3)
    state = finish(game, dealt(game, game.start(), EVEN, trump="H"))
    assert see(game, state).deals[-1].losers == (1, 4)
    assert game.to_act(state) == 1, "although it sits out"
    assert see(game, state).resting == (1, 4)
    assert see(game, state).trump == SUITS.index("H")
    assert told(game, state, "trump H") == [Event("trump_kept", {"seat": 1, "suit": "H"})]


def test_k4_every_new_game_starts_at_spades() -> None:
    game = kakeya(games=2)
    state = finish(game, dealt(game, game.start(), EVEN, trump="D"))
    assert see(game, act(game, state, "time")).trump == SUITS.index("D")
    assert see(game, act(game, state, "time", "seats 1 2 3 4")).trump == SUITS.index("S")


@pytest.mark.parametrize(("trump", "rensho"), [("S", "AC"), ("H", "AS"), ("D", "AS"), ("C", "AS")])
def test_k5_rensho(trump: str, rensho: str) -> None:
    game = kakeya()
    assert NAMES[see(game, act(game, game.start(), f"trump {trump}")).rensho] == rensho


def test_k5_rensho_wins_whatever_trick_it_is_in() -> None:
    game = kakeya()
    state = played(game, (SPADES, HEARTS, CLUBS, DIAMONDS), "1 2S 2 2H 3 AC 4 2D")
    assert game.to_act(state) == 3
    state = played(game, (HEARTS, DIAMONDS, SPADES, CLUBS), "1 AH 2 2D 3 AS 4 2C", trump="H")
    assert game.to_act(state) == 3


@pytest.mark.parametrize(
    ("seats", "dealer", "places"), [(4, 1, "1234"), (6, 1, "2356"), (6, 2, "1346"), (6, 3, "1245")]
)
def test_k6_one_card_at_a_time_to_those_who_play(seats: int, dealer: int, places: str) -> None:
    game = kakeya(seats, dealer)
    state = act(game, game.start(), "trump S")
    assert game.chance(state) == ("deal", PACK, 52)
    last_pile = [Event("last_pile", {"seats": see(game, state).dealers})] if seats == 4 else []
    assert told(game, state, f"deal {names(PACK)}") == [
        Event("dealt", {"seats": see(game, state).dealers, "count": 13}),
        *last_pile,
    ]
    state = act(game, state, f"deal {names(PACK)}")
    for position, seat in enumerate(places):
        assert game.hands(state)[int(seat) - 1] == PACK[position::4]


@pytest.mark.parametrize(
    ("seats", "dealer", "leader", "partner"),
    [(4, 1, 2, 4), (4, 2, 1, 3), (4, 3, 2, 4), (6, 1, 2, 5), (6, 5, 3, 6), (6, 3, 1, 4)],
)
def test_k7_opening_lead(seats: int, dealer: int, leader: int, partner: int) -> None:
    game = kakeya(seats, dealer)
    state = dealt(game, game.start(), EVEN)
    assert game.to_act(state) == leader
    assert legal(game, state) == "lead partner"
    assert told(game, state, "lead") == [Event("leads", {"seat": leader})]
    assert told(game, state, "partner") == [Event("partner_leads", {"seat": leader, "to": partner})]
    for text, seat in (("lead", leader), ("partner", partner)):
        after = act(game, state, text)
        assert game.to_act(after) == seat
        assert tuple(action.cards[0] for action in game.legal_actions(after)) == game.hands(after)[seat - 1]


def test_k7_afterwards_the_pair_that_won_leads() -> None:
    game = kakeya()
    state = four_chips(game, game.start(), ODD)
    assert see(game, state).leaders == (2, 4)
    assert game.to_act(dealt(game, state, EVEN)) == 2
    game = kakeya(6, dealer=1)
    state = four_chips(game, game.start(), ODD)
    assert see(game, state).leaders == (3, 6)
    assert game.to_act(dealt(game, state, EVEN)) == 3


def test_k8_follow_suit_if_able() -> None:
    game = kakeya()
    state = played(game, ("7H", f"8H 9H {SPADES[6:-3]}", "2S", "AS KS"), "1 7H")
    assert legal(game, state) == "8H 9H"
    assert reason(game, state, "3S") == ("must_follow", {"suit": "H"})
    assert dict(refused(game, state))[game.parse("3S")] == ("must_follow", {"suit": "H"})
    state = played(game, (HEARTS, SPADES, CLUBS, DIAMONDS), "1 7H")
    assert len(game.legal_actions(state)) == 13


def test_k8_the_winner_leads_and_the_pair_takes_the_pictures() -> None:
    game = kakeya()
    state = played(game, ("7H", "KH", "AH", "JH"), "1 7H 2 KH 3 AH")
    assert see(game, state).trick == Trick((1, 2, 3), cards("7H KH AH"), 3)
    assert told(game, state, "JH") == [
        Event("played", {"seat": 4, "card": CARDS["JH"]}),
        Event(
            "pictures_won",
            {"seat": 3, "cards": cards("JH KH AH"), "seats": (1, 2, 3, 4), "trick_cards": cards("7H KH AH JH")},
        ),
    ]
    state = act(game, state, "JH")
    assert game.to_act(state) == 3
    seen = see(game, state)
    assert seen.pictures == (cards("JH KH AH"), ())
    assert seen.trick is None
    assert seen.last_trick == Trick((1, 2, 3, 4), cards("7H KH AH JH"), 3)


def test_k8_a_trick_without_pictures() -> None:
    game = kakeya()
    state = played(game, ("7H", "8H", "9H", "TH"), "1 7H 2 8H 3 9H")
    trick = {"seats": (1, 2, 3, 4), "trick_cards": cards("7H 8H 9H TH")}
    assert told(game, state, "TH")[1:] == [Event("trick_won", {"seat": 4, **trick})]
    assert see(game, act(game, state, "TH")).pictures == ((), ())


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
        state = act(game, game.start(), f"trump {trump}")
        state = game.apply(state, deal(*[names(rng.sample(cards(hand), 8)) for hand in EVEN]))
        taken: tuple[set[str], set[str]] = (set(), set())
        while see(game, state).phase != "trump":
            state = game.apply(state, rng.choice(game.legal_actions(state)))
            last = see(game, state).last_trick
            if last and see(game, state).trick is None:
                taken[(last.winner - 1) % 2].update(NAMES[card] for card in last.cards if PICTURES >> card & 1)
        payer, due = payment((frozenset(taken[0]), frozenset(taken[1])), trump)
        assert chips(game, state) == ((5 - due, 5 + due) if payer == 0 else (5 + due, 5 - due))
        settled = see(game, state).deals[-1]
        assert (settled.losers, settled.winners) == (((1, 3), (2, 4)) if payer == 0 else ((2, 4), (1, 3)))
        assert settled.pictures == (len(taken[1 - payer]), len(taken[payer]))
        assert (settled.chips, settled.claimed, settled.shown) == (due, None, None)


def test_k9_what_is_told_of_a_payment() -> None:
    game = kakeya()
    state = played(game, ONE, ONE_PLAYED)
    ours, theirs = see(game, state).pictures
    assert (len(ours), len(theirs)) == (10, 5)
    won: dict[str, Value] = {
        "seats": (1, 3),
        "count": 10,
        "others": 5,
        "cards": ours,
        "other_seats": (2, 4),
        "other_cards": theirs,
    }
    assert told(game, state, "claim")[1:] == [
        Event("deal_won", {**won, "claimed": 1, "card": CARDS["AC"]}),
        Event("paid", {"seats": (2, 4), "chips": 1}),
    ]
    state = played(game, TWO, TWO_PLAYED)
    ours, theirs = see(game, state).pictures
    won = {"seats": (1, 3), "count": 12, "others": 1, "cards": ours, "other_seats": (2, 4), "other_cards": theirs}
    assert told(game, state, "claim")[1:] == [
        Event("deal_won", {**won, "claimed": 1, "card": CARDS["AC"]}),
        Event("paid_few_pictures", {"seats": (2, 4), "chips": 2}),
    ]


def test_k10_losers_deal_and_the_resting_pair_joins() -> None:
    game = kakeya(6, dealer=3)
    state = four_chips(game, game.start())
    seen = see(game, state)
    assert (seen.dealers, seen.resting, seen.leaders) == ((2, 5), (2, 5), (1, 4))
    assert see(game, dealt(game, state, EVEN)).counts == (13, 0, 13, 13, 0, 13)


@pytest.mark.parametrize(("seats", "pair"), [(4, (2, 4)), (6, (3, 6))])
def test_k6_kirijimai_goes_to_the_pair_that_lost_or_sat_out(seats: int, pair: tuple[int, ...]) -> None:
    game = kakeya(seats, dealer=seats)
    state = act(game, four_chips(game, game.start()), "trump S")
    assert Event("last_pile", {"seats": pair}) in told(game, state, f"deal {names(PACK)}")


def test_k11_a_game_ends_when_a_pair_has_no_chips_left() -> None:
    game = kakeya()
    state = four_chips(game, one_chip(game, game.start()))
    assert game.to_act(state) is None
    assert legal(game, state) == ""
    assert game.scores(state) == (10, 0, 10, 0)
    assert game.outcome(state) == Outcome((10, 0, 10, 0), (1, 3), Message("no_chips", {"seats": (2, 4)}))
    assert game.hands(state) == ((), (), (), ())


def test_k11_the_end_is_told() -> None:
    game = kakeya()
    state = dealt(game, one_chip(game, game.start()), EVEN)
    while game.to_act(state) is not None:
        events: list[Event] = []
        state = game.apply(state, game.legal_actions(state)[0], events.append)
    assert [event.key for event in events] == ["played", "pictures_won", "deal_won", "paid_no_pictures", "out_of_chips"]


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
    game = kakeya()
    state = played(game, ONE, ONE_PLAYED)
    for claimer in (4, 1, 2, 3):
        assert game.to_act(state) == claimer
        assert legal(game, state).endswith(" claim")
        after = act(game, state, "claim")
        assert chips(game, after) == (6, 4)
        assert game.hands(after) == ((), (), (), ())
        (settled,) = see(game, after).deals
        assert settled == Settlement((1, 3), (2, 4), (10, 5), 1, "fewer_pictures", claimer, None)
        state = game.apply(state, game.legal_actions(state)[0])


def test_k12_pictures_on_the_table_are_not_yet_taken() -> None:
    game = kakeya()
    state = played(game, TWO, TWO_PLAYED.removesuffix(" 4 4C"))
    assert see(game, state).trick == Trick((1, 2, 3), cards("2C KC 3C"), 2)
    assert reason(game, state, "claim") == ("claim_undecided", {})
    assert legal(game, act(game, state, "4C")).endswith(" claim")


@pytest.mark.parametrize("dealer", [1, 2])
def test_k12_rensho_in_hand_is_shown_and_counted(dealer: int) -> None:
    """The same, one seat on, if seat 1 deals."""
    game = kakeya(dealer=dealer)
    one, two, three, four = (1, 2, 3, 4) if dealer == 2 else (2, 3, 4, 1)
    hands = HELD if dealer == 2 else (HELD[3], *HELD[:3])
    moves = [str((one, two, three, four)[int(word) - 1]) if word.isdigit() else word for word in HELD_PLAYED.split()]
    state = do(game, dealt(game, game.start(), hands), f"{one} lead {' '.join(moves)}")
    assert game.to_act(state) == two
    assert reason(game, state, "claim") == ("claim_undecided", {})
    for lead, playable in (("9C", True), ("9S", False)):
        led = act(game, state, lead)
        assert game.to_act(led) == three
        assert legal(game, led).endswith(" claim"), "rensho is shown, not played"
        assert ("AC" in legal(game, led)) == playable
    state = act(game, state, "9C")
    claimed, won, paid = told(game, state, "claim")
    assert claimed == Event("claimed_with_rensho", {"seat": three, "card": CARDS["AC"]})
    assert (won.key, won.args["seats"]) == ("deal_won", tuple(sorted((one, three))))
    assert (won.args["count"], won.args["others"]) == (9, 5)
    assert won.args["cards"] == tuple(sorted((*see(game, state).pictures[(one - 1) % 2], CARDS["AC"])))
    assert paid == Event("paid", {"seats": tuple(sorted((two, four))), "chips": 1})
    settled = see(game, act(game, state, "claim")).deals[-1]
    assert (settled.claimed, settled.shown) == (three, CARDS["AC"])
    for action in game.legal_actions(state)[:-1]:
        assert "claim" not in legal(game, game.apply(state, action)), "nobody else holds it"


def test_k12_not_without_the_option() -> None:
    game = kakeya(claims=False)
    state = played(game, ONE, ONE_PLAYED)
    assert "claim" not in legal(game, state)
    assert reason(game, state, "claim") == ("claims_are_off", {})
    assert not refused(game, state)


def test_k13_the_clock() -> None:
    game = kakeya()
    state = game.start()
    assert game.time_up(state) is None
    assert reason(game, state, "time") == ("time_between_deals", {})
    state = dealt(game, state, ONE)
    assert game.time_up(state) is None
    state = do(game, state, f"1 lead {ONE_PLAYED}")
    assert reason(game, state, "time") == ("time_between_deals", {})
    state = act(game, state, "claim")
    time = game.parse("time")
    assert game.time_up(state) == time
    assert game.actor(state, time) == CHANCE
    assert game.to_act(state) == 2
    assert time not in game.legal_actions(state)
    assert reason(game, act(game, state, "trump S"), "time") == ("time_between_deals", {})
    assert told(game, state, "time") == [Event("time_called")]
    state = act(game, state, "time")
    assert game.outcome(state) == Outcome((6, 4, 6, 4), (1, 3), Message("time_up"))


def test_k13_every_pair_with_most_chips_wins() -> None:
    game = kakeya(6, dealer=3)
    state = act(game, four_chips(game, four_chips(game, game.start(), ODD), ODD), "time")
    assert game.outcome(state) == Outcome((1, 5, 9, 1, 5, 9), (3, 6), Message("time_up"))
    rng = Random(1)
    state = game.start()
    while (top := sorted(chips(game, state)))[1] != top[2] or top[0] == top[1]:
        hands = [names(hand) for hand in zip(*[iter(rng.sample(PACK, 52))] * 13, strict=True)]
        state = finish(game, dealt(game, state if game.time_up(state) else game.start(), tuple(hands)), rng)
    best = tuple(seat for seat, points in enumerate(game.scores(state), 1) if points == top[2])
    assert len(best) == 4
    assert game.outcome(act(game, state, "time")) == Outcome(game.scores(state), best, Message("time_up"))


def test_k13_at_equal_chips_nobody_has_won() -> None:
    game = kakeya()
    state = act(game, four_chips(game, four_chips(game, game.start()), ODD), "time")
    assert game.outcome(state) == Outcome((5, 5, 5, 5), (), Message("time_up_even"))
    assert see(game, state).ranks == (1, 1, 1, 1)


def test_k13_in_a_series_that_game_only() -> None:
    game = kakeya(games=2)
    state = act(game, one_chip(game, game.start()), "time")
    assert game.to_act(state) == CHANCE
    assert game.chance(state) == ("seats", (1, 2, 3, 4), 4)
    assert game.outcome(state) is None


def test_k14_seating() -> None:
    game = kakeya(games=2)
    state = act(game, one_chip(game, game.start()), "time")
    assert game.scores(state) == (6, 4, 6, 4)
    assert told(game, state, "seats 3 1 4 2") == [Event("seated", {"seats": (3, 1, 4, 2)})]
    state = act(game, state, "seats 3 1 4 2")
    seen = see(game, state, 3)
    assert seen.chairs == (3, 1, 4, 2)
    assert seen.pairs == ((3, 4), (1, 2))
    assert seen.partner == 4
    assert seen.dealers == (1, 2)
    assert (seen.game, seen.deal, seen.chips, seen.points) == (2, 1, (5, 5), (6, 4, 6, 4))
    assert game.scores(state) == (11, 9, 11, 9)
    assert game.to_act(state) == 1, "the lower chair of the pair in chair 2"
    state = dealt(game, state, ONE)
    assert set(cards(ONE[0])) < set(game.hands(state)[3 - 1])
    assert set(cards(ONE[1])) < set(game.hands(state)[1 - 1])
    assert game.to_act(state) == 3
    state = do(game, state, f"1 lead {ONE_PLAYED}")
    assert see(game, state).trick is None
    assert see(game, state).last_trick == Trick((4, 2, 3, 1), cards("5C QC 2C 7C"), 2)
    state = act(game, state, "claim")
    assert game.scores(state) == (6 + 4, 4 + 4, 6 + 6, 4 + 6)


def series(seats: str) -> tuple[Kakeya, KakeyaState]:
    """Two games of one deal, in which the chairs 1 and 3 win a chip; the seating for the second."""
    game = kakeya(games=2)
    state = act(game, one_chip(game, game.start()), "time", seats)
    return game, act(game, one_chip(game, state), "time")


def test_k14_points_add_up() -> None:
    game, state = series("seats 1 2 4 3")
    assert see(game, state).games == ((6, 4, 6, 4), (6, 4, 4, 6))
    assert game.outcome(state) == Outcome((12, 8, 10, 10), (1,), Message("most_points", {"seat": 1}))


def test_k14_those_who_tie_draw_until_one_is_highest() -> None:
    game, state = series("seats 1 2 3 4")
    assert game.chance(state) == ("draw", PACK, 2)
    assert game.scores(state) == (12, 8, 12, 8)
    assert told(game, state, "draw KS 5H") == [
        Event("drew", {"seat": 1, "card": CARDS["KS"]}),
        Event("drew", {"seat": 3, "card": CARDS["5H"]}),
    ]
    assert game.outcome(act(game, state, "draw KS 5H")) == Outcome(
        (12, 8, 12, 8), (1,), Message("won_draw", {"seat": 1})
    )
    again = act(game, state, "draw KS KH")
    assert game.chance(again) == ("draw", PACK, 2)
    end = game.outcome(act(game, again, "draw KS AH"))
    assert end is not None
    assert end.winners == (3,)


def test_k14_only_those_equal_at_the_top_draw_again() -> None:
    game, state = series("seats 2 1 4 3")
    assert game.scores(state) == (10, 10, 10, 10)
    state = act(game, state, "draw 3S KH KD QC")
    assert game.chance(state) == ("draw", PACK, 2)
    state = act(game, state, "draw 2S 3S")
    assert see(game, state).draws == (
        ((1, CARDS["3S"]), (2, CARDS["KH"]), (3, CARDS["KD"]), (4, CARDS["QC"])),
        ((2, CARDS["2S"]), (3, CARDS["3S"])),
    )
    assert game.outcome(state) == Outcome((10, 10, 10, 10), (3,), Message("won_draw", {"seat": 3}))


def test_k14_wrong_seatings_and_draws_are_refused() -> None:
    game = kakeya(games=2)
    state = act(game, one_chip(game, game.start()), "time")
    for wrong in ("seats 1 2 3", "seats 1 2 3 3", "seats 1 2 3 5", "seats 1 2 3 4 5 6"):
        assert reason(game, state, wrong) == ("not_the_seating", {"count": 4})
    game, state = series("seats 1 2 3 4")
    for wrong in ("draw KS", "draw KS KS", "draw KS QS JS"):
        assert reason(game, state, wrong) == ("not_the_draw", {"seats": (1, 3), "count": 2})


@pytest.mark.parametrize("seats", [4, 6])
def test_in_a_rematch_the_pair_that_lost_the_last_deal_deals(seats: int) -> None:
    next_dealers = set()
    for dealer in range(1, seats + 1):
        game = kakeya(seats, dealer)
        state, rng = game.start(), Random(dealer)
        while game.to_act(state) is not None:
            chance = game.chance(state)
            action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
            state = game.apply(state, action)
        losers = see(game, state).deals[-1].losers
        assert game.next_dealer(state) == losers[0]
        assert see(kakeya(seats, losers[0]), kakeya(seats, losers[0]).start()).dealers == losers
        next_dealers.add(losers[0])
    assert len(next_dealers) > 1


# The checks.


def test_check_3_rensho_follows_suit_and_beats_a_ruff() -> None:
    game = kakeya()
    state = played(game, ("2C", f"AC {HEARTS[:-3]}", f"AS {DIAMONDS[:-3]}", "3C"), "1 2C")
    assert legal(game, state) == "AC"
    state = do(game, state, "2 AC 3 AS 4 3C")
    assert game.to_act(state) == 2


def test_check_4_rensho_does_not_follow_another_suit() -> None:
    game = kakeya()
    state = played(game, ("2H", f"7H AC {DIAMONDS[:-6]}", "", ""), "1 2H")
    assert legal(game, state) == "7H"
    assert reason(game, state, "AC") == ("must_follow", {"suit": "H"})


def test_check_5_clubs_trumps() -> None:
    game = kakeya()
    state = played(game, ("AC", f"AS {DIAMONDS[:-3]}", "2C", "3C"), "1 AC 2 AS 3 2C 4 3C", trump="C")
    assert game.to_act(state) == 2


def test_check_7_eight_each_and_the_other_pair_leads_next() -> None:
    game = kakeya()
    hands = ("AH JS JD QC", "KH AS AD KC", "QH QS KD AC", "JH KS QD JC")
    tricks = "1 AH 2 KH 3 QH 4 JH 1 JS 2 AS 3 QS 4 KS 2 AD 3 KD 4 QD 1 JD 2 KC 3 AC 4 JC 1 QC"
    state = played(game, hands, tricks)
    even, paid = told(game, state, "claim")[1:]
    assert (even.key, even.args["seats"], even.args["other_seats"]) == ("deal_even", (1, 3), (2, 4))
    assert (even.args["card"], even.args["cards"], even.args["other_cards"]) == (
        CARDS["AC"],
        *see(game, state).pictures,
    )
    assert paid == Event("paid", {"seats": (1, 3), "chips": 1})
    state = act(game, state, "claim")
    assert chips(game, state) == (4, 6)
    assert game.to_act(state) == 1
    assert game.to_act(dealt(game, state, EVEN)) == 2


def test_check_8_seventeen() -> None:
    game = kakeya(6, dealer=3)
    state = game.start()
    for after in ((9, 1, 5), (13, 1, 1), (17, -3, 1)):
        state = four_chips(game, state)
        assert chips(game, state) == after
    assert game.scores(state) == (17, -3, 1, 17, -3, 1)
    assert game.outcome(state) == Outcome((17, -3, 1, 17, -3, 1), (1, 4), Message("no_chips", {"seats": (2, 5)}))


def test_check_9_into_debt() -> None:
    game = kakeya()
    state = two_chips(game, one_chip(game, game.start()))
    assert chips(game, state) == (8, 2)
    state = four_chips(game, state)
    assert game.scores(state) == (12, -2, 12, -2)


# What a seat knows.


def test_everybody_sees_counts_and_which_suits_are_lacked() -> None:
    game = kakeya()
    state = played(game, (SPADES, HEARTS, CLUBS, DIAMONDS), "1 AS 2 2H 3 AC 4 KD 3 2C 4 2D")
    seen = see(game, state)
    assert seen.counts == (12, 12, 11, 11)
    assert seen.lacks == ((), (0,), (0,), (0, 3))
    assert seen.played == card_set(cards("AS 2H AC KD 2C 2D"))
    assert seen.trick == Trick((3, 4), cards("2C 2D"), 3)
    assert seen.last_trick == Trick((1, 2, 3, 4), cards("AS 2H AC KD"), 3)
    assert seen.pictures == (cards("AS KD AC"), ())
    assert (seen.game, seen.deal, seen.leaders, seen.dealers) == (1, 1, (1, 3), (2, 4))


def test_who_wins_the_trick_so_far_is_seen() -> None:
    game = kakeya()
    state = played(game, ("7H", f"AH {CLUBS[:-30]}", f"2S {DIAMONDS[:-9]}", "TH"), "1 7H")
    for card, winner in (("AH", 2), ("2S", 3), ("TH", 3)):
        assert see(game, state).trick == see(game, state, 4).trick
        state = act(game, state, card)
        trick = see(game, state).trick or see(game, state).last_trick
        assert trick is not None
        assert trick.winner == winner


def test_ranks_are_shared_by_equal_totals() -> None:
    game = kakeya(6, dealer=3)
    state = act(game, four_chips(game, game.start()), "time")
    assert see(game, state).ranks == (1, 5, 3, 1, 5, 3)
    game, state = series("seats 2 1 4 3")
    assert see(game, state).ranks == ()
    state = act(game, state, "draw KS AH 2D QC")
    assert see(game, state).scores == (10, 10, 10, 10)
    assert see(game, state).ranks == (2, 1, 2, 2)


def test_end_events_carry_the_cards_on_the_table() -> None:
    """What ends a trick or a deal is told with what lay there."""
    rng = Random(9)
    for claims in (False, True):
        game = kakeya(6, dealer=2, claims=claims)
        state = game.start()
        while game.to_act(state) is not None:
            chance = game.chance(state)
            action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
            events: list[Event] = []
            state = game.apply(state, action, events.append)
            seen = see(game, state)
            for event in events:
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


# Thinking ahead.


def test_equal_positions_have_equal_keys_however_they_came_about() -> None:
    game = kakeya()
    one = played(game, EVEN, "1 AS 2 AH 3 2C 4 2D 1 KS 2 2H 3 KC 4 3D")
    other = played(game, EVEN, "1 KS 2 2H 3 2C 4 3D 1 AS 2 AH 3 KC 4 2D")
    assert one != other
    assert game.key(one) == game.key(other)


def test_between_two_deals_only_the_chips_and_who_deals_matter() -> None:
    game = kakeya()
    one = finish(game, dealt(game, game.start(), EVEN), Random(1))
    other = finish(game, dealt(game, game.start(), EVEN), Random(2))
    assert one != other, "they end with another trick"
    assert game.key(one) == game.key(other)
    assert game.key(act(game, one, "trump H")) == game.key(act(game, other, "trump H"))


# Guesses.


def test_a_guess_is_even_among_all_that_fit() -> None:
    """Two cards each are left and two players have shown voids: every deal that fits comes up as often as any other."""
    game = kakeya(claims=False)
    rng = Random(6)
    state = played(game, (SPADES, HEARTS, CLUBS, DIAMONDS))
    while not 5 <= len(fits(game, state)) <= 12:
        state = act(game, game.start(), "trump S")
        state = act(game, game.apply(state, Action("deal", "", tuple(rng.sample(PACK, 52)))), "lead")
        while see(game, state).counts != (2, 2, 2, 2):
            state = game.apply(state, rng.choice(game.legal_actions(state)))
    every = fits(game, state)
    seen = see(game, state, 1)
    draw = game.sampler(seen)
    found = Counter(game.hands(draw(rng)) for _ in range(100 * len(every)))
    assert set(found) == every
    assert all(60 < often < 140 for often in found.values())


def fits(game: Kakeya, state: KakeyaState) -> set[tuple[tuple[int, ...], ...]]:
    """The hands of two cards that fit what seat 1 knows, if somebody else has shown to lack a suit."""
    seen = see(game, state, 1)
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
    game = kakeya(games=2)
    state = game.start()
    refused = [(state, "AS", "choose_trump"), (state, f"deal {names(PACK)}", "choose_trump")]
    state = act(game, state, "trump S")
    refused += [(state, "trump S", "deal_first"), (state, "draw AS", "deal_first")]
    state = game.apply(state, deal(*ONE))
    refused += [(state, "AS", "choose_leader"), (state, "claim", "choose_leader")]
    state = act(game, state, "lead")
    refused += [(state, "lead", "not_now"), (state, "trump S", "not_now"), (state, "KS", "not_in_hand")]
    refused += [(state, "claim", "claim_undecided"), (state, "seats 1 2 3 4", "not_now")]
    state = act(game, do(game, state, ONE_PLAYED), "claim", "time")
    refused += [(state, "trump S", "seats_first"), (state, "time", "time_between_deals")]
    state = act(game, one_chip(game, act(game, state, "seats 1 2 3 4")), "time")
    refused += [(state, "trump S", "draw_first"), (state, "seats 1 2 3 4", "draw_first")]
    state = act(game, state, "draw AS KS")
    refused += [(state, text, "match_over") for text in ("AS", "time", "claim", f"deal {names(PACK)}", "draw AS KS")]
    for before, text, key in refused:
        assert reason(game, before, text).key == key
