"""Truc: each clause and each check of its sheet; C is the non-dealer, seat 1, and D the dealer, seat 2."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from random import Random
from typing import Any, Self

import pytest

from cardgames.engine.cards import CARDS, NAMES, names
from cardgames.engine.game import Action, Event, Message, Outcome
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import PACK, Round, Truc, TrucRules
from tests.engine.positions import Position, cards

ANY = ("7S 8D KC", "7H 8C KH")
WEAK, STRONG = "9S 9D KC", "7H 8C KH"


def deck(*hands: str) -> Action:
    """The pack that deals these hands, the non-dealer's first, and then by twos what exchanges bring."""
    pairs = [zip(cards(one), cards(two), strict=True) for one, two in zip(hands[::2], hands[1::2], strict=True)]
    top = tuple(chain(*chain(*pairs)))
    pack = (*top, *[card for card in PACK if card not in top])
    return Action("deal", f"deal {names(pack)}", pack)


class Table(Position):
    """A match on its way. Every method gives a table of its own, and leaves this one as it is."""

    SEATS = "-CD"

    def told(self, *moves: str) -> list[Event]:
        """The events of the last of some moves."""
        return self.turns(*moves).events

    def deal(self, *hands: str) -> Self:
        return self.apply(deck(*hands))

    def gain(self, seat: int) -> Self:
        """A hand that ``seat`` wins with one point, the other refusing whatever it proposes."""
        table = self.deal(*ANY).after("play")
        if table.to_act != seat:
            table = table.apply(table.actions[0])
        return table.apply(table.actions[-1]).after("refuse")


def args(events: Iterable[Event], key: str) -> Mapping[str, Any]:
    """The arguments of the one event of this key."""
    (found,) = [event for event in events if event.key == key]
    return found.args


def truc(points: int = 12, rounds: int = 2, dealer: int = 2, **rules: Any) -> Table:
    return Table(Truc(2, TrucRules(points, rounds, **rules), dealer))


def position(c: str, d: str, points: tuple[int, int] = (0, 0), goal: int = 12, rounds: int = 2) -> Table:
    """C to lead, with these points, and D dealing."""
    table = truc(goal, rounds)
    table.state = table.state._replace(points=points)
    return table.deal(c, d).turns("C play")


# The clauses.


def test_t1_pack() -> None:
    assert len(PACK) == 32
    assert {NAMES[card][0] for card in PACK} == set("789TJQKA")
    order = ["7S", "8S", "AS", "KS", "QS", "JS", "TS", "9S"]
    for place, stronger in enumerate(order):
        for weaker in order[place + 1 :]:
            rest = [name for name in order if name not in (stronger, weaker)]
            table = truc().deal(f"{stronger} {rest[0]} {rest[1]}", f"{weaker} {rest[2]} {rest[3]}")
            events = table.told("C play", f"C {stronger}", f"D {weaker}")
            lay = {"cards": cards(f"{stronger} {weaker}"), "seats": (1, 2)}
            assert events[1] == ("trick_won", {"seat": 1, "card": CARDS[stronger], **lay}, None)


def test_t1_suits_do_not_matter() -> None:
    table = position("9S AS KC", "TH 8C KH")
    assert table.turns("C 9S", "D TH").to_act == 2
    assert table.turns("C KC", "D KH").to_act == 1


def test_t2_deal_one_at_a_time_the_non_dealer_first() -> None:
    for dealer in (1, 2):
        table = truc(dealer=dealer)
        assert table.to_act == 0
        assert table.chance == ("deal", PACK, 32)
        top = "7S 8S 7H 8H 7D 8D"
        below = names(card for card in PACK if card not in cards(top))
        table = table.after(f"deal {top} {below}")
        hands = dict(zip((3 - dealer, dealer), ("7S 7H 7D", "8S 8H 8D"), strict=True))
        assert table.hands == tuple(tuple(sorted(cards(hands[seat]))) for seat in (1, 2))
        assert table.to_act == 3 - dealer
        assert table.chance is None
        seen = table.sees(0)
        assert (seen.stake, seen.stock, seen.counts, seen.dealer) == (1, 26, (3, 3), dealer)


def test_t3_after_play_the_hand_begins() -> None:
    table = truc().deal("9S KD 7C", "JS 8S AC")
    assert table.offered == "exchange play"
    table = table.turns("C play")
    assert table.to_act == 1
    assert table.offered == "7C KD 9S double"


def test_t3_after_refuse_the_hand_begins_with_the_cards_held() -> None:
    table = truc().deal(*ANY).turns("C exchange")
    assert table.offered == "agree refuse"
    after = table.turns("D refuse")
    assert after.to_act == 1
    assert after.hands == table.hands
    assert after.offered == "7S 8D KC double"


def test_t3_exchange_again_and_again() -> None:
    hands = ("7S 8S 9S", "7H 8H 9H", "7D 8D 9D", "7C 8C 9C", "TS JS QS", "TH JH QH")
    table = truc().deal(*hands)
    for turn in (1, 2):
        table = table.turns("C exchange", "D agree")
        assert table.hands == tuple(tuple(sorted(cards(hand))) for hand in hands[2 * turn : 2 * turn + 2])
        assert table.offered == "exchange play"
        seen = table.sees(1)
        assert (seen.stock, seen.exchanges) == (26 - 6 * turn, turn)
    assert table.sees(1).laid_aside == cards("7S 7D 8S 8D 9S 9D")
    assert table.sees(2).laid_aside == cards("7H 7C 8H 8C 9H 9C")
    assert table.sees(0).laid_aside == ()


def test_t4_the_fifth_agreement_swaps_and_deals_anew() -> None:
    table = truc().deal(*ANY)
    for _ in range(4):
        table = table.turns("C exchange", "D agree")
    assert table.sees(1).stock == 2
    table = table.turns("C exchange", "D agree")
    assert table.to_act == 0
    assert table.hands == ((), ())
    assert table.sees(1).dealer == 1
    table = table.deal(*ANY)
    assert table.to_act == 2
    assert table.hands[1] == tuple(sorted(cards(ANY[0])))
    seen = table.sees(2)
    assert (seen.stock, seen.exchanges, seen.laid_aside) == (26, 0, ())


def test_t4_the_swap_stays() -> None:
    table = truc().deal(*ANY)
    for _ in range(5):
        table = table.turns("C exchange", "D agree")
    table = table.deal(*ANY).turns("D exchange", "C refuse", "D double", "C refuse")
    assert table.scores == (0, 1)
    assert table.sees(1).dealer == 2


def test_t5_any_card_and_the_winner_leads() -> None:
    table = position("TD 7C 9H", "JS 8S AC")
    table = table.turns("C TD")
    assert table.offered == "8S AC JS double"
    table = table.turns("D JS")
    assert table.to_act == 2
    assert table.turns("D 8S", "C 7C").to_act == 1


def test_t6_a_spoiled_trick_belongs_to_the_first_to_win_one() -> None:
    table = position("7S 8D KC", "7H KD 9C")
    table = table.turns("C 7S", "D 7H")
    seen = table.sees(2)
    assert seen.tricks == (Trick((1, 2), cards("7S 7H"), 0),)
    assert seen.credited == (0, 0)
    table = table.turns("C 8D", "D KD")
    assert table.scores == (1, 0)


@pytest.mark.parametrize(
    ("hands", "moves", "scores"),
    [
        (("KD AC 9C", "9S AH 8C"), ("C KD", "D 9S", "C AC", "D AH"), (1, 0)),
        (("7S 9D KC", "9S 8C KH"), ("C 7S", "D 9S", "C 9D", "D 8C", "D KH", "C KC"), (1, 0)),
        (("7S 8D KC", "7H 8C AH"), ("C 7S", "D 7H", "C 8D", "D 8C", "C KC", "D AH"), (0, 1)),
    ],
    ids=["after a win", "after one each", "two before a win"],
)
def test_t6_spoiled_tricks(hands: tuple[str, str], moves: tuple[str, ...], scores: tuple[int, int]) -> None:
    table = position(*hands)
    assert table.turns(*moves).scores == scores


def test_t6_credited_before_and_after() -> None:
    table = position("7S 9D KC", "8S TD KH")
    assert table.turns("C 7S", "D 8S", "C 9D", "D TD").sees(0).credited == (1, 1)
    table = table.turns("C KC", "D KH", "C 9D")
    assert table.sees(0).credited == (0, 0)
    assert table.turns("D TD").scores == (0, 1)


def test_t6_the_leader_of_a_spoiled_trick_leads_again() -> None:
    table = position("AS 7D KC", "AH 7C KH")
    assert table.turns("C AS", "D AH").to_act == 1
    assert table.turns("C AS", "D AH", "C KC", "D KH").to_act == 1


def test_t7_two_tricks_end_the_hand_at_once() -> None:
    table = position("7S 7D KC", "8S 8C KH")
    table = table.turns("C 7S", "D 8S", "C 7D", "D 8C")
    assert table.scores == (1, 0)
    assert table.to_act == 0
    assert table.hands == ((), ())


def test_t7_nobody_scores_and_the_remainder_lapses() -> None:
    table = position("7S 8D KC", "7H 8C KH", (11, 0))
    table = table.turns("C remainder", "D accept", "C 7S", "D 7H", "C 8D", "D 8C", "C KC")
    events = table.told("D KH")
    assert args(events, "trick_spoiled") == {"cards": cards("KC KH"), "seats": (1, 2)}
    lay = {"cards": cards("7S 7H 8D 8C KC KH"), "seats": (1, 2, 1, 2, 1, 2)}
    assert events[-1] == ("nobody_won", lay, None)
    table = table.turns("D KH")
    assert table.scores == (11, 0)
    seen = table.sees(0)
    assert (seen.remainder, seen.rounds, seen.stake) == (None, (0, 0), 1)
    table = table.deal(*ANY).turns("D play")
    assert table.offered.endswith(" double")


def test_t8_double_accepted() -> None:
    table = position(*ANY)
    table = table.turns("C double")
    assert table.offered == "accept refuse"
    seen = table.sees(0)
    assert (seen.stake, seen.stake_if_accepted, seen.proposal, seen.proposer) == (1, 2, "double", 1)
    table = table.turns("D accept")
    assert table.offered == "7S 8D KC"
    seen = table.sees(0)
    assert (seen.stake, seen.stake_if_accepted, seen.proposal, seen.proposer) == (2, None, None, None)
    assert seen.doubled == (1,)


def test_t8_double_refused_gives_the_stake_as_it_was() -> None:
    table = position(*ANY)
    refused = table.turns("C 7S", "D double", "C refuse")
    assert refused.scores == (0, 1)
    assert refused.to_act == 0
    assert table.turns("C double", "D accept", "C 8D", "D double", "C refuse").scores == (0, 2)


def test_t8_once_in_each_turn_so_three_times_a_hand() -> None:
    table = position("7S 9D KC", "8H TC KH", goal=1000)
    turns = (("C", "7S"), ("D", "8H"), ("C", "9D"), ("D", "TC"), ("D", "KH"), ("C", "KC"))
    for place, (seat, card) in enumerate(turns):
        table = table.turns(f"{seat} double", f"{'D' if seat == 'C' else 'C'} accept")
        assert table.refusal("double") == ("proposed_this_turn", {})
        assert table.sees(0).stake == 2 << place
        table = table.turns(f"{seat} {card}")
    assert table.scores == (64, 0)


def test_t9_exactly_one_of_the_two_is_legal() -> None:
    for points in range(12):
        table = position(*ANY, (points, 11))
        assert table.offered.split()[-1] == ("double" if points <= 10 else "remainder"), "by one's own points"


def test_t9_nothing_more_can_be_proposed() -> None:
    table = position("7S 8D KC", "9H 7C KH", (11, 3))
    table = table.turns("C remainder")
    seen = table.sees(2)
    assert (seen.proposal, seen.proposer, seen.stake_if_accepted) == ("remainder", 1, None)
    table = table.turns("D accept")
    assert table.sees(0).remainder == 1
    assert table.offered == "7S 8D KC"
    table = table.turns("C 7S")
    assert table.offered == "7C KH 9H"
    for text in ("double", "remainder"):
        assert table.refusal(text) == ("remainder_in_force", {"seat": 1})


def test_t9_remainder_refused() -> None:
    table = position(*ANY, (11, 4), goal=13)
    assert table.offered.endswith(" double")
    table = table.turns("C double", "D accept", "C 8D", "D double", "C accept", "D KH", "C remainder", "D refuse")
    assert table.sees(0).past_rounds == (Round(1, (15, 4)),)
    assert table.scores == (0, 0)


def test_t8_t9_what_a_refusal_would_bring_is_what_it_brings() -> None:
    rng = Random(8)
    seen = Counter[str]()
    for number in range(60):
        table = truc(points=4 + number % 3, rounds=1 + number % 2)
        while table.to_act is not None:
            o = table.sees(0)
            refuse = next((action for action in table.actions if action.text == "refuse"), None)
            if not o.proposer or not refuse:
                assert (o.points_if_refused, o.won_if_refused) == (0, "nothing")
            else:
                after = table.apply(refuse).sees(0)
                over = len(after.past_rounds) > len(o.past_rounds)
                points = after.past_rounds[-1].points if over else after.scores
                assert o.points_if_refused == points[o.proposer - 1]
                assert o.won_if_refused == ("match" if after.outcome else "round" if over else "nothing")
                seen[o.won_if_refused] += 1
            table = table.at_random(rng)
    assert min(seen[won] for won in ("nothing", "round", "match")) > 5


def test_t10_points_are_not_capped_and_chips_go_back_at_once() -> None:
    table = position(*ANY, (0, 2), goal=3)
    table = table.turns("C double", "D accept", "C KC")
    events = table.told("D 7H", "D 8C", "C 8D")
    lay = {"cards": cards("KC 7H 8C 8D"), "seats": (1, 2, 2, 1)}
    assert args(events, "took_stake") == {"seat": 2, "stake": 2, "points": 4, **lay}
    assert args(events, "round_won") == {"seat": 2, "rounds": (0, 1), "points": 4, "other_points": 0}
    table = table.turns("D 7H", "D 8C", "C 8D")
    assert table.scores == (0, 0)
    assert table.sees(1).rounds == (0, 1)


def test_t11_the_deal_swaps_after_every_hand_and_across_rounds() -> None:
    table = truc(points=1, rounds=3)
    for place, winner in enumerate((1, 2, 1, 2)):
        assert table.sees(0).dealer == 2 - place % 2
        table = table.gain(winner)
    assert table.sees(0).rounds == (2, 2)


def test_t11_match() -> None:
    table = truc(points=1, rounds=2, dealer=1)
    for winner in (1, 2, 2):
        assert table.outcome is None
        table = table.gain(winner)
    assert table.to_act is None
    assert table.actions == ()
    assert table.chance is None
    assert table.hands == ((), ())
    assert table.scores == (0, 0)
    assert table.outcome == Outcome((1, 2), (2,), Message("won_on_points", {"seat": 2}))
    assert table.next_dealer == 1
    assert table.refusal("play") == ("match_over", {})
    assert table.refusal("deal " + names(PACK)) == ("match_over", {})


def test_t11_match_won_by_an_accepted_remainder() -> None:
    table = position(WEAK, STRONG, (11, 0), rounds=1)
    table = table.turns("C remainder", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert table.outcome == Outcome((0, 1), (2,), Message("won_by_remainder", {"seat": 2}))
    assert table.next_dealer == 1


def test_t8_who_accepts_may_not_raise_back_before_their_own_turn() -> None:
    table = position(*ANY)
    table = table.turns("C double", "D accept")
    assert table.to_act == 1
    assert table.offered == "7S 8D KC"
    assert table.turns("C KC").offered == "7H 8C KH double"


def test_t10_scores_at_a_rounds_end_are_kept() -> None:
    table = position(WEAK, STRONG, (11, 4))
    table = table.turns("C remainder", "D accept", "C 9S", "D 7H", "D 8C")
    assert args(table.told("C 9D"), "round_won") == {
        "seat": 2, "rounds": (0, 1), "points": 4, "other_points": 11
    }  # fmt: skip
    table = table.turns("C 9D")
    assert table.sees(0).past_rounds == (Round(2, (11, 4)),)
    for _ in range(12):
        table = table.gain(1)
    assert table.sees(0).past_rounds == (Round(2, (11, 4)), Round(1, (12, 0)))


@pytest.mark.parametrize("dealer", [1, 2])
def test_t12_after_one_exchange_play_begins(dealer: int) -> None:
    table = truc(dealer=dealer, one_exchange=True).deal("AC KC QC", "7D 8D 9D", "TS JS QS", "7H 8H 9H")
    table = table.after("exchange", "agree")
    assert [event.key for event in table.events] == ["agreed", "drew", "drew_hidden", "drew", "drew_hidden"]
    assert table.to_act == 3 - dealer
    assert table.offered == "QS JS TS double"
    assert table.refusal("exchange") == ("hand_has_begun", {})
    seen = table.sees(3 - dealer)
    assert (seen.exchanges, seen.stock, seen.laid_aside) == (1, 20, cards("AC KC QC"))


def test_t12_each_hand_has_its_own_exchange() -> None:
    """T12: each hand has its exchange and a refusal is as ever."""
    table = truc(one_exchange=True).deal(*ANY).turns("C exchange", "D refuse")
    assert table.offered == "7S 8D KC double"
    table = table.turns("C double", "D refuse").deal(*ANY)
    assert table.offered == "exchange play"


def test_t13_seven_ace() -> None:
    order = ["7S", "AS", "KS", "QS", "JS", "TS", "9S", "8S"]
    for place, stronger in enumerate(order):
        for weaker in order[place + 1 :]:
            rest = [name for name in order if name not in (stronger, weaker)]
            hands = f"{stronger} {rest[0]} {rest[1]}", f"{weaker} {rest[2]} {rest[3]}"
            table = truc(order="seven_ace").deal(*hands).turns("C play")
            assert table.offered.split()[:3] == [name for name in order if CARDS[name] in table.hands[0]]
            assert args(table.told(f"C {stronger}", f"D {weaker}"), "trick_won")["seat"] == 1
    assert table.sees(1).order == "seven_ace"


# Why not, and what is offered greyed.


def test_reasons_while_a_word_is_asked_for() -> None:
    table = truc().deal(*ANY)
    for text in ("7S", "9S", "double", "agree", "refuse", "accept"):
        assert table.refusal(text) == ("say_exchange_or_play", {})
    assert table.refusal("deal " + names(PACK)) == ("not_now", {})
    table = table.turns("C exchange")
    for text in ("7H", "exchange", "play", "accept"):
        assert table.refusal(text) == ("say_agree_or_refuse", {})
    table = table.turns("D refuse", "C double")
    for text in ("7H", "double", "remainder", "agree", "play"):
        assert table.refusal(text) == ("say_accept_or_refuse", {})
    assert not table.refused


def test_reasons_on_a_turn() -> None:
    table = position(*ANY, (3, 0))
    args = {"stake": 2, "points": 3, "goal": 12}
    assert table.refusal("7H") == ("not_in_hand", {"card": CARDS["7H"]})
    assert table.refusal("remainder") == ("double_still_fits", args)
    assert table.refused == {"remainder": Message("double_still_fits", args)}
    for text in ("exchange", "play"):
        assert table.refusal(text) == ("hand_has_begun", {})
    for text in ("agree", "refuse", "accept"):
        assert table.refusal(text) == ("nothing_to_answer", {})
    table = position(*ANY, (11, 0))
    too_high = Message("double_too_high", {"stake": 2, "points": 11, "goal": 12})
    assert table.refused == {"double": too_high}
    table = table.turns("C remainder", "D accept")
    assert [why.key for why in table.refused.values()] == ["remainder_in_force"] * 2


# Who knows what.


def test_secrecy_cards_left_in_hand_stay_hidden() -> None:
    seen = []
    for c, d in (("7S 7D KC", "8S 8C KH"), ("7S 7D 9C", "8S 8C 9H")):
        table = position(c, d)
        table = table.turns("C 7S", "D 8S", "C 7D", "D 8C")
        seen.append([table.sees(seat) for seat in (0, 1, 2)])
    assert seen[0] == seen[1]
    tricks = (Trick((1, 2), cards("7S 8S"), 1), Trick((1, 2), cards("7D 8C"), 1))
    assert seen[0][2].last_hand == tricks
    assert seen[0][2].tricks == ()


def test_table_shows_the_trick_and_the_last_hand() -> None:
    table = position("7S 8D KC", "9H 7C KH")
    table = table.turns("C 7S", "D 9H", "C KC")
    tricks = (Trick((1, 2), cards("7S 9H"), 1), Trick((1,), cards("KC"), 0))
    assert table.sees(2).tricks == tricks
    assert table.sees(2).counts == (1, 2)
    table = table.turns("D double", "C refuse").deal(*ANY)
    seen = table.sees(2)
    assert (seen.last_hand, seen.last_credited) == (tricks, (1, 0))


def test_the_points_of_a_round_that_was_won_do_not_vanish() -> None:
    """At 11:4 the round is worth the points it takes, and the other's are lost."""
    table = position(*ANY, (11, 4))
    assert table.payoff == (11, 4)
    won = table.turns("C remainder", "D refuse")
    assert won.scores == (0, 0)
    assert won.payoff == (12, 0)
    table = position(WEAK, STRONG, (11, 4))
    lost = table.turns("C remainder", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert lost.payoff == (0, 12)
    assert lost.gain(1).payoff == (1, 12)


def test_points_beyond_the_goal_are_worth_no_more_than_the_round() -> None:
    table = position(WEAK, STRONG, (0, 11))
    table = table.turns("C double", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert table.payoff == (0, 12)
