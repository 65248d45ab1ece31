"""Durak: each clause of its rules and each check, from stacked decks and in the notation of records; and what the
contract asks of it for those who think ahead.

A is seat 1 and attacks first, D is seat 2 and defends; hearts are trumps unless a test says otherwise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.durak import PACKS
from cardgames.engine.game import CHANCE, Event, Message, Outcome
from tests.engine.durak_tables import Table, cards, ending, stacked
from tests.engine.positions import cards as numbers

A, D = 1, 2
ALL = [NAMES[card] for card in PACKS[36]]


def no(key: str, **args: str | int) -> Message:
    """A reason; cards are given by their names."""
    return Message(key, {name: CARDS[value] if isinstance(value, str) else value for name, value in args.items()})


def dealt(a: str, d: str, stock: str = "", turn_up: str = "6H", **rules: Any) -> Table:
    """After a deal: six cards each, the next cards of the stock, and the card turned up under it."""
    return stacked(a, d, stock=stock, turn_up=turn_up, **rules)


def names(hand: Sequence[int]) -> list[str]:
    return [NAMES[card] for card in hand]


def guessed_hands(table: Table, seat: int, number: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The hands in so many states that fit what ``seat`` knows."""
    sample, rng = table.game.sampler(table.sees(seat)), Random(1)
    for _ in range(number):
        state = sample(rng)
        assert table.game.observation(state, seat) == table.sees(seat)
        yield table.game.hands(state)


def check_even(often: Counter[Any], fitting: set[Any]) -> None:
    """All that fit have come, nothing else has, and each about as often as any other."""
    assert set(often) == fitting
    mean = often.total() / len(fitting)
    assert all(abs(number - mean) < 5 * mean**0.5 for number in often.values())


# A deal for whoever needs no more than a first bout: nobody is at the end of their cards or of the stock.
A_HAND = "TC TD 9S QD KD AS"
D_HAND = "JC 6S 7S 8D 7H AH"
STOCK = "KS QS 9C 8C"


def opening(**rules: Any) -> Table:
    return dealt(A_HAND, D_HAND, STOCK, **rules)


def test_d1_pack() -> None:
    chance = Table().game.chance(Table().state)
    assert chance
    assert [NAMES[card] for card in sorted(chance.items)] == sorted(ALL, key=CARDS.__getitem__)
    assert cards(" ".join(ALL)) == {rank + suit for rank in "AKQJT9876" for suit in "SHDC"}
    assert chance.number == 36
    strong_to_weak = "AKQJT9876"
    for place, rank in enumerate(strong_to_weak):
        others = [f"{other}C" for other in strong_to_weak if other != rank]
        for six in (others[:6], others[2:]):
            table = dealt(f"{rank}C 6S 7S 8S 9S TS", " ".join(six)).do(f"{rank}C")
            assert table.choices == {f"{card}>{rank}C" for card in six if card[0] in strong_to_weak[:place]} | {"take"}


@pytest.mark.parametrize("dealer", [A, D])
def test_d2_deal(dealer: int) -> None:
    pack = [*ALL[20:], *ALL[:20]]
    table = Table(dealer=dealer).do("deal " + " ".join(pack))
    opponent = 3 - dealer
    assert table.hand(opponent) == set(pack[0:12:2])
    assert table.hand(dealer) == set(pack[1:12:2])
    for seat in (CHANCE, A, D):
        seen = table.sees(seat)
        assert seen.turn_up == CARDS[pack[12]]
        assert seen.stock == 24
        assert seen.counts == (6, 6)
    assert table.events == [Event("dealt", {"seat": dealer, "count": 6}), Event("turned_up", {"card": CARDS[pack[12]]})]


def test_d2_turn_up_is_drawn_last() -> None:
    drawn = "KC AC QH AH"
    table = ending("6S 7S 8S 9S TS JS", "6D 7D 8D 9D TD KH", stock=drawn)
    table.do("6S", "take")
    assert table.hand(A) == cards("7S 8S 9S TS JS KC")
    table.do("7S", "take")
    assert table.hand(A) == cards("8S 9S TS JS KC AC")
    table.do("8S", "take")
    assert table.hand(A) == cards("9S TS JS KC AC QH")
    assert table.sees(D).stock == 1
    table.do("9S", "take")
    assert table.hand(A) == cards("TS JS KC AC QH AH")
    assert table.sees(D).stock == 0


def test_d2_trumps_are_of_the_suit_turned_up() -> None:
    table = dealt("TC TD 9S QD KD AS", "9C 8S 7S 8D 7H AH", turn_up="6S").do("TC")
    assert table.choices == cards("8S>TC 7S>TC take")


@pytest.mark.parametrize(
    ("pack", "reason"),
    [
        (ALL[:-1], no("not_the_pack", count=36)),
        ([*ALL, "6S"], no("not_the_pack", count=36)),
        ([*ALL[:-1], ALL[0]], no("not_the_pack", count=36)),
        ([*ALL[:-1], "2S"], no("not_the_pack", count=36)),
    ],
)
def test_d2_another_pack_is_refused(pack: list[str], reason: Message) -> None:
    table = Table()
    assert table.refusal("deal " + " ".join(pack)) == reason


def test_d2_nothing_comes_before_the_deal_and_no_second_after_it() -> None:
    table = Table()
    assert table.to_act == CHANCE
    assert table.choices == set()
    assert table.refusal("TC") == no("deal_first")
    assert table.refusal("pass") == no("deal_first")
    table.deal(ALL)
    assert table.refusal("deal " + " ".join(ALL)) == no("not_now")


@pytest.mark.parametrize("dealer", [A, D])
def test_d3_the_dealer_defends_first_and_any_card_may_attack(dealer: int) -> None:
    table = Table(dealer=dealer).deal(ALL)
    attacker = 3 - dealer
    assert table.to_act == attacker
    assert table.sees(CHANCE).attacker == attacker
    assert table.choices == table.hand(attacker)
    assert table.refusal("pass") == no("must_attack")
    assert table.refusal("take") == no("you_attack")
    stranger = min(table.hand(dealer))
    assert table.refusal(stranger) == no("not_in_hand", card=stranger)
    card = min(table.hand(attacker))
    table.do(card)
    assert table.to_act == dealer
    assert table.events == [Event("attacked", {"seat": attacker, "card": CARDS[card]})]


def test_d4_a_higher_card_of_the_suit_or_any_trump_beats() -> None:
    table = dealt("TC TD 9S QD KD AS", "JC 9C AC 8D 7H AH").do("TC")
    assert table.choices == cards("JC>TC AC>TC 7H>TC AH>TC take")
    assert table.refusal("9C>TC") == no("does_not_beat", card="9C", attack_card="TC")
    assert table.refusal("8D>TC") == no("does_not_beat", card="8D", attack_card="TC")
    assert table.refusal("KC>TC") == no("not_in_hand", card="KC")
    assert table.refusal("JC>TD") == no("not_to_beat", card="TD")
    assert table.refusal("JC") == no("you_defend")
    assert table.refusal("pass") == no("you_defend")
    assert table.refused == {
        "9C>TC": no("does_not_beat", card="9C", attack_card="TC"),
        "8D>TC": no("does_not_beat", card="8D", attack_card="TC"),
    }
    table.do("7H>TC")
    assert table.events == [Event("beat", {"seat": D, "card": CARDS["7H"], "attack_card": CARDS["TC"]})]


def test_d4_only_a_higher_trump_beats_a_trump() -> None:
    table = dealt("8H TD 9S QD KD AS", "JC 9C AC 8D 7H AH").do("8H")
    assert table.choices == cards("AH>8H take")
    assert table.refusal("7H>8H") == no("does_not_beat", card="7H", attack_card="8H")
    assert table.refusal("AC>8H") == no("does_not_beat", card="AC", attack_card="8H")


def test_d5_further_cards_are_of_ranks_on_either_side() -> None:
    table = dealt("TC TD 9S QD JD JH", "JC QC 7S 8D 7H AH").do("TC", "JC>TC")
    assert table.to_act == A
    assert table.choices == cards("TD JD JH pass")
    assert table.refused == {"9S": no("rank_not_on_table", card="9S"), "QD": no("rank_not_on_table", card="QD")}
    assert table.refusal("TC") == no("not_in_hand", card="TC")
    assert table.refusal("take") == no("you_attack")
    table.do("TD")
    assert table.events == [Event("attacked_again", {"seat": A, "card": CARDS["TD"]})]
    assert table.to_act == D, "one at a time"
    table.do("7H>TD")
    assert table.choices == cards("JD JH pass"), "no seven in hand, but both beaten cards and beating ones count"


def test_d5_pass_stops() -> None:
    table = opening().do("TC", "JC>TC", "pass")
    assert Event("passed", {"seat": A}) in table.events
    assert table.to_act == D


EIGHT, SEVEN = "7S 7D 8C 9C 9S 9D TC QC", "AS 6S 6D 6C 7C 8S 8D"
"""A has eight cards, of which five beat what D, who leads and has seven, attacks with."""


def six_attacks(**rules: Any) -> Table:
    """D attacks with six; five are beaten, and the sixth lies there."""
    table = ending(EIGHT, SEVEN, stock="KD AC JH", leader=D, **rules)
    return table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "8C>6C", "7C", "9C>7C", "8S", "9S>8S", "8D")


def test_d6_at_most_six_attack_cards() -> None:
    table = six_attacks()
    assert table.to_act == A
    table.do("9D>8D")
    assert table.told("held"), "nobody is asked for a seventh"
    assert table.to_act == A
    assert "AS" in table.hand(D)
    assert {"TC", "QC"} <= table.hand(A)


def test_d6_no_more_than_the_defender_had() -> None:
    table = ending("6C 6D 7S AS KD", "7C 8D 9S").do("6C", "7C>6C", "6D", "8D>6D", "7S", "9S>7S")
    assert table.told("held"), "D had three"


def test_d7_pass_means_that_the_defence_has_held() -> None:
    table = opening().do("TC", "JC>TC", "pass")
    laid = {"attack_cards": numbers("TC"), "beaten_cards": numbers("TC"), "beating_cards": numbers("JC")}
    assert table.told("held") == [Event("held", {"seat": D, "cards": numbers("TC JC"), **laid})]
    assert not {"TC", "JC"} & (table.hand(A) | table.hand(D))
    assert table.sees(CHANCE).attacker == D
    assert table.sees(CHANCE).bout == ()


def test_d7_the_attacker_without_cards_ends_the_bout() -> None:
    table = ending("6S 6C", "7S 7C 8H 9H").do("6S", "7S>6S", "6C", "7C>6C")
    assert table.told("held")
    assert table.outcome == Outcome((1, -1), (A,), Message("fool", {"seat": D}))


def test_d7_take_picks_everything_up_and_the_roles_stay() -> None:
    table = opening().do("TC", "JC>TC", "TD", "take")
    assert table.told("takes") == [Event("takes", {"seat": D})]
    laid = {"attack_cards": numbers("TC TD"), "beaten_cards": numbers("TC"), "beating_cards": numbers("JC")}
    assert table.told("took") == [Event("took", {"seat": D, "cards": numbers("TD TC JC"), **laid})]
    assert table.hand(D) == cards(D_HAND) | {"TC", "TD"}
    assert table.sees(CHANCE).attacker == A
    assert table.to_act == A


def test_d8_the_first_attacker_draws_first_then_the_other() -> None:
    table = opening().do("TC", "JC>TC", "TD", "7H>TD", "pass")
    assert table.hand(A) == cards("9S QD KD AS KS QS")
    assert table.hand(D) == cards("6S 7S 8D AH 9C 8C")
    assert table.told("drew") == [
        Event("drew", {"seat": A, "cards": tuple(sorted([CARDS["KS"], CARDS["QS"]]))}, (A,)),
        Event("drew", {"seat": D, "cards": tuple(sorted([CARDS["9C"], CARDS["8C"]]))}, (D,)),
    ]
    assert table.told("drew_hidden") == [
        Event("drew_hidden", {"seat": A, "count": 2}, (CHANCE, D)),
        Event("drew_hidden", {"seat": D, "count": 2}, (CHANCE, A)),
    ]


def test_d8_who_has_six_or_more_draws_none() -> None:
    table = opening().do("TC", "take")
    assert len(table.hand(D)) == 7
    assert table.hand(A) == cards("TD 9S QD KD AS KS")
    assert [event.args["seat"] for event in table.told("drew")] == [A]
    table.do("9S", "take")
    assert len(table.hand(D)) == 8
    assert len(table.hand(A)) == 6


def test_d8_what_the_stock_lacks_is_not_drawn() -> None:
    table = ending("6S 6D 6C 9S 9D 9C", "7S 7D 7C TS TD TH", stock="KC KH")
    table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "7C>6C", "pass")
    assert table.hand(A) == cards("9S 9D 9C KC KH"), "both that are left"
    assert table.hand(D) == cards("TS TD TH")
    assert table.told("drew") == [Event("drew", {"seat": A, "cards": tuple(sorted([CARDS["KC"], CARDS["KH"]]))}, (A,))]
    assert table.outcome is None


def test_d9_who_still_holds_cards_is_the_fool() -> None:
    table = ending("6S", "8S KD KC").do("6S", "take")
    assert table.to_act is None
    assert table.told("fool") == [Event("fool", {"seat": D})]
    assert table.outcome == Outcome((1, -1), (A,), Message("fool", {"seat": D}))
    assert table.game.scores(table.state) == (1, -1)
    assert table.choices == set()
    assert table.refusal("8S") == no("match_over")
    assert table.hand(D) == cards("6S 8S KD KC"), "the fool keeps them"


def test_d9_last_card_beaten_by_last_card_draws() -> None:
    table = ending("6S", "8S").do("6S", "8S>6S")
    assert table.to_act is None
    assert table.told("nobody_lost") == [Event("nobody_lost")]
    assert table.outcome == Outcome((0, 0), (), Message("both_out"))


def test_d9_empty_hand_wins_as_the_stock_ends() -> None:
    """*Ruling*: A draws the last four, D has none and there are none to draw."""
    table = ending("6S 6D 6C 7C 8S 8D", "7S 7D 8C 9C 9S 9D", stock="KC QC TC KH")
    table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "8C>6C", "7C", "9C>7C", "8S", "9S>8S", "8D", "9D>8D")
    assert table.hand(A) == cards("KC QC TC KH")
    assert table.outcome == Outcome((-1, 1), (D,), Message("fool", {"seat": A}))


def test_d9_an_empty_hand_is_filled_while_there_is_stock() -> None:
    table = dealt("6S 6D 6C 7C 8S 8D", "7S 7D 8C 9C 9S 9D")
    table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "8C>6C", "7C", "9C>7C", "8S", "9S>8S", "8D", "9D>8D")
    assert table.outcome is None
    assert (len(table.hand(A)), len(table.hand(D))) == (6, 6)
    assert table.to_act == D


def test_d10_a_player_is_asked_even_if_only_pass_is_legal() -> None:
    table = dealt("TC 9D 9S QD KD AS", D_HAND).do("TC", "JC>TC")
    assert table.to_act == A
    assert table.choices == {"pass"}
    other = dealt(A_HAND, D_HAND).do("TC", "JC>TC")
    assert other.choices == {"TD", "pass"}
    assert table.sees(D) == other.sees(D), "D cannot tell"
    assert table.sees(CHANCE) == other.sees(CHANCE)


def test_d10_a_player_is_asked_even_if_only_take_is_legal() -> None:
    table = dealt("AS TD 9S QD KD TC", "JC 6S 7S 8D 7C 9C").do("AS")
    assert table.to_act == D
    assert table.choices == {"take"}
    other = dealt("AS TD 9S QD KD TC", "JC 6S 7S 8D 7C TH").do("AS")
    assert other.choices == {"TH>AS", "take"}
    assert table.sees(A) == other.sees(A), "A cannot tell"


def test_d10_a_thrower_is_asked_even_if_only_pass_is_legal() -> None:
    table = dealt("TC 9D 9S QD KD AS", D_HAND, throw_in=True).do("TC", "take")
    assert table.to_act == A
    assert table.choices == {"pass"}


def test_d10_nobody_sees_what_the_other_holds_or_draws() -> None:
    table = opening()
    other = dealt(A_HAND, "JC 6D 7D 9D 8H KH", "QC " + " ".join(STOCK.split()[1:]))
    assert table.sees(A) == other.sees(A)
    assert table.sees(CHANCE) == other.sees(CHANCE)
    assert table.sees(D) != other.sees(D)
    assert {NAMES[card] for card in table.sees(A).hand} == cards(A_HAND)
    assert table.sees(CHANCE).hand == ()
    for one in (table, other):
        one.do("TC", "JC>TC", "pass")
    assert table.sees(D).counts == (6, 6)
    assert table.hand(A) != other.hand(A)
    assert table.sees(CHANCE) == other.sees(CHANCE)
    for seat in (A, D):
        for _ in range(20):
            guess = table.game.resample(table.sees(seat), Random(1))
            assert table.game.observation(guess, seat) == table.sees(seat)


def test_d10_cards_taken_from_the_table_are_known_for_good() -> None:
    table = opening().do("TC", "JC>TC", "TD", "take", "9S", "take")
    assert {NAMES[card] for card in table.sees(A).known[D - 1]} == cards("TC JC TD 9S")
    assert table.sees(A).known == table.sees(D).known == table.sees(CHANCE).known
    rng = Random(1)
    guesses = [table.game.hands(table.game.resample(table.sees(A), rng))[D - 1] for _ in range(200)]
    held = [{NAMES[card] for card in hand} for hand in guesses]
    assert all(cards("TC JC TD 9S") <= hand for hand in held)
    assert all(len(hand) == 9 and "6H" not in hand for hand in held), "the turn-up lies there for all to see"
    assert cards("6S 7H KH AC") <= set().union(*held)
    left = table.hand(A)
    table.do(max(left))
    assert all(not left & hand for hand in held)


def test_d10_a_turn_up_once_drawn_is_known_to_be_held() -> None:
    table = ending("6S 7S 8S 9S TS JS", "6D 7D 8D 9D TD KH", stock="KC AH").do("6S", "take", "7S", "take")
    assert "AH" in table.hand(A)
    assert CARDS["AH"] in table.sees(D).known[A - 1]


def test_d11_throw_in() -> None:
    table = dealt("TC TD JD TS JS TH", D_HAND, STOCK, throw_in=True).do("TC", "JC>TC", "TD", "take")
    assert table.told("takes")
    assert not table.told("took")
    assert table.to_act == A
    assert table.choices == cards("JD TS JS TH pass")
    assert table.refusal("take") == no("you_attack")
    table.do("JD")
    assert table.events == [Event("threw_in", {"seat": A, "card": CARDS["JD"]})]
    assert table.to_act == A
    table.do("pass")
    assert table.hand(D) == cards(D_HAND) | cards("TC TD JD")
    assert table.to_act == A


def test_d11_only_ranks_on_the_table_are_thrown_in() -> None:
    table = opening(throw_in=True).do("TC", "take")
    assert table.choices == cards("TD pass")
    assert table.refusal("9S") == no("rank_not_on_table", card="9S")
    assert table.refused == {card: no("rank_not_on_table", card=card) for card in ("9S", "QD", "KD", "AS")}


def test_d11_what_is_thrown_in_makes_no_new_rank() -> None:
    table = dealt("TC TD JD TS JS TH", D_HAND, throw_in=True).do("TC", "take", "TD")
    assert table.choices == cards("TS TH pass")


def test_d11_no_more_than_the_defender_holds() -> None:
    table = ending("6S 6D 6C 6H KD", "8D 8C KS", throw_in=True).do("6S", "take")
    assert table.choices == cards("6D 6C 6H pass")
    table.do("6D")
    assert table.to_act == A
    table.do("6C")
    assert table.told("took"), "three against a hand of three, and A is not asked again"
    assert table.hand(D) == cards("8D 8C KS 6S 6D 6C")
    assert table.hand(A) == cards("6H KD")


def test_d11_no_more_than_six_attack_cards() -> None:
    table = dealt("TC TD JD TS JS TH", "JC 6S 7S 8D 7H AH", throw_in=True)
    table.do("TC", "take", "TD", "TS")
    assert table.to_act == A
    many = ending(EIGHT, SEVEN, stock="KD AC JH", leader=D, throw_in=True)
    many.do("6S", "7S>6S", "6D", "7D>6D", "6C", "8C>6C", "7C", "take", "8S")
    assert many.choices == cards("8D pass")
    assert many.do("8D").told("took")
    assert many.to_act == D, "and D, who threw in, attacks again"
    assert "AS" in many.hand(D)


def test_d11_an_attacker_without_cards_is_not_asked() -> None:
    table = ending("6S 6D", "8D 8C KS KD", throw_in=True).do("6S", "take", "6D")
    assert table.told("took")
    assert table.outcome == Outcome((1, -1), (A,), Message("fool", {"seat": D}))


def test_d11_after_a_turn_over_the_current_attacker_throws_in() -> None:
    table = dealt("6S 7S 8D 9D TD JD", "6D 6C 9C TC JC QC", throw_in=True, turn_over="any")
    table.do("6S", "turn 6D", "take")
    assert table.to_act == D
    assert table.choices == cards("6C pass")
    table.do("6C")
    assert table.to_act == D
    assert table.choices == {"pass"}
    table.do("pass")
    assert table.hand(A) >= cards("6S 6D 6C")
    assert table.to_act == D


def turned(**rules: Any) -> Table:
    """A has attacked with 6S and D may turn it over."""
    rules = {"turn_over": "any", **rules}
    return dealt("6S 7S 8D 6C 9D 9C", "6D 6H 9S TC JC QC", "KS AS KC AC", turn_up="TH", **rules).do("6S")


def test_d12_turn_over() -> None:
    table = turned()
    assert table.choices == {"turn 6D", "turn 6H", "9S>6S", "6H>6S", "take"}
    table.do("turn 6D")
    assert table.events == [Event("turned", {"seat": D, "card": CARDS["6D"]})]
    assert table.to_act == A
    assert table.sees(CHANCE).attacker == D
    assert table.sees(CHANCE).lead == A
    assert table.choices == {"turn 6C", "7S>6S", "8D>6D", "9D>6D", "take"}
    assert table.refusal("7S>6D") == no("does_not_beat", card="7S", attack_card="6D")


def test_d12_not_without_the_option() -> None:
    table = turned(turn_over="off")
    assert table.choices == cards("9S>6S 6H>6S take")
    assert table.refusal("turn 6D") == no("turn_is_off")


def test_d12_only_a_card_of_the_same_rank_in_hand() -> None:
    table = turned()
    assert table.refusal("turn 9S") == no("turn_other_rank", card="6S")
    assert table.refusal("turn 6C") == no("not_in_hand", card="6C")
    table.do("6H>6S")
    assert table.refusal("turn 9D") == no("you_attack")


def test_d12_a_trump_of_the_rank_may_beat_or_turn() -> None:
    beaten, over = turned().do("6H>6S"), turned().do("turn 6H")
    assert beaten.to_act == over.to_act == A
    assert (beaten.sees(CHANCE).attacker, over.sees(CHANCE).attacker) == (A, D)
    assert "pass" in beaten.legal
    assert "turn 6C" in over.legal


def test_d12_all_cards_are_beaten_before_more_come() -> None:
    for first, second in (("7S>6S", "8D>6D"), ("8D>6D", "7S>6S")):
        table = turned().do("turn 6D", first)
        assert table.to_act == A
        assert second in table.legal
        table.do(second)
        assert table.to_act == D
        assert table.choices == {"6H", "pass"}


def test_d12_or_everything_is_taken_and_the_roles_stay() -> None:
    table = turned().do("turn 6D", "7S>6S", "take")
    assert table.hand(A) >= cards("6S 6D 7S")
    assert table.to_act == D


def test_d12_turned_over_again() -> None:
    table = turned().do("turn 6D", "turn 6C")
    assert table.to_act == D
    assert table.sees(CHANCE).attacker == A
    assert table.sees(CHANCE).lead == A
    assert {"turn 6H", "9S>6S", "6H>6S", "6H>6D", "6H>6C", "TC>6C", "JC>6C", "QC>6C", "take"} == table.choices


def test_d12_not_after_one_of_them_is_beaten() -> None:
    table = turned().do("turn 6D", "7S>6S")
    assert "turn 6C" not in table.legal
    assert table.refusal("turn 6C") == no("turn_after_beat")
    assert table.refused["turn 6C"] == no("turn_after_beat")


def test_d12_any_differs_from_opening() -> None:
    """D12: any allows it after all are beaten and opening does not."""
    for turn_over in ("any", "opening"):
        table = dealt("6S 9D 7S 8D QD KD", "9S 9C 6D TC JC QC", turn_over=turn_over).do("6S")
        assert table.choices == {"turn 6D", "9S>6S", "take"}
        table.do("9S>6S", "9D")
        if turn_over == "any":
            assert table.choices == {"turn 9C", "take"}
            table.do("turn 9C")
            assert table.to_act == A
            assert {"QD>9D", "KD>9D", "take"} == table.choices, "what is beaten stays so"
        else:
            assert table.choices == {"take"}
            assert table.refusal("turn 9C") == no("turn_only_opening")


def test_d12_at_most_six_attack_cards() -> None:
    table = ending(EIGHT.replace("9D", "8H"), SEVEN, stock="KD AC JH", leader=D, turn_over="any")
    table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "TC>6C", "7C", "8C>7C", "8S")
    assert "turn 8H" in table.legal, "the sixth"
    table.do("9S>8S", "8D")
    assert table.choices == {"8H>8D", "take"}
    assert table.refusal("turn 8H") == no("enough_attacks", count=6)
    assert table.refused["turn 8H"] == no("enough_attacks", count=6)


def test_d12_the_first_attacker_draws_first_whoever_attacks_in_the_end() -> None:
    table = turned().do("turn 6D", "take")
    assert [event.args["seat"] for event in table.told("drew")] == [D], "A, who took, has seven"
    table = turned().do("turn 6D", "turn 6C", "take")
    assert [event.args["seat"] for event in table.told("drew")] == [A]
    table = turned().do("turn 6D", "7S>6S", "8D>6D", "pass")
    assert [event.args["seat"] for event in table.told("drew")] == [A, D]


CYCLE = ("7S", "turn 7C", "take", "7D", "turn 7C", "take")
"""A gives and takes back, and so does D: nothing leaves the game."""


def repeated(**rules: Any) -> Table:
    return ending("6S 6D 7S 9S", "6C 7C 7D 9D", turn_over="any", **rules)


def test_d13_the_third_time_is_a_draw() -> None:
    table = repeated()
    first = table.state
    assert table.do(*CYCLE).outcome is None
    assert (table.hand(A), table.hand(D)) == (cards("6S 6D 7S 9S"), cards("6C 7C 7D 9D"))
    assert table.state != first, "it has stood twice"
    assert table.do(*CYCLE[:-1]).outcome is None
    assert table.do(CYCLE[-1]).to_act is None
    assert table.told("nobody_lost")
    assert table.outcome == Outcome((0, 0), (), Message("repetition"))
    assert table.game.scores(table.state) == (0, 0)
    assert table.refusal("7S") == no("match_over")


def test_d13_another_attacker_is_another_position() -> None:
    """After three actions of the cycle D attacks; that has stood but twice when A's third time comes."""
    table = repeated().do(*CYCLE[:3])
    assert table.to_act == D
    table.do(*CYCLE[3:], *CYCLE[:3])
    assert table.outcome is None
    assert table.do(*CYCLE[3:]).outcome


def test_d13_not_while_there_is_stock() -> None:
    table = ending("6S 6D 7S 9S TS JS", "6C 7C 7D 9D TD JD", stock="KC KH", turn_over="any")
    for _ in range(2):
        table.do("7S", "turn 7C", "take", "7D", "turn 7C", "take")
        assert table.outcome is None


def test_d13_positions_count_each_for_itself() -> None:
    table = repeated().do(*CYCLE, "6S", "take", "6D", "take", "7S")
    assert table.outcome is None
    assert table.to_act == D


FIVE = ("6S", "7S>6S", "6D", "7D>6D", "6C", "8C>6C", "7C", "9C>7C", "8S")
"""Four attack cards beaten, and the fifth."""


def test_d14_the_first_bout_has_five_attack_cards() -> None:
    hands = ("6S 6D 6C 7C 8S 8D", "7S 7D 8C 9C 9S 9D")
    table = dealt(*hands, first_bout_five=True).do(*FIVE)
    assert not table.told("held")
    assert table.sees(CHANCE).most_attacks == 5
    assert table.do("9S>8S").told("held"), "nobody is asked for a sixth"
    assert table.sees(CHANCE).most_attacks == 6
    assert dealt(*hands).do(*FIVE, "9S>8S").choices == cards("8D pass")


def test_d14_later_bouts_have_six() -> None:
    table = six_attacks(first_bout_five=True)
    assert table.to_act == A
    assert table.do("9D>8D").told("held")


def test_d14_five_with_what_is_thrown_in() -> None:
    bout = ("TC", "JC>TC", "TD", "take", "JD", "TS")
    table = dealt("TC TD JD TS JS TH", D_HAND, throw_in=True, first_bout_five=True).do(*bout)
    assert table.choices == cards("JS TH pass")
    assert table.do("JS").told("took")
    assert not dealt("TC TD JD TS JS TH", D_HAND, throw_in=True).do(*bout, "JS").told("took")


def test_d14_five_with_what_turns_over() -> None:
    hands = ("6S 6D 6C 7C 8S 8D", "7S 7D 8C 9C 8H 9D")
    table = dealt(*hands, turn_over="any", first_bout_five=True).do(*FIVE)
    assert table.choices == cards("8H>8S take")
    assert table.refusal("turn 8H") == no("enough_attacks", count=5)
    assert dealt(*hands, turn_over="any").do(*FIVE).refusal("turn 8H") == no("more_than_hand", count=1)


@pytest.mark.parametrize(
    ("a", "d", "begins"),
    [
        ("7H 8S 9S TS JS QS", "8H 8D 9D TD JD QD", A),
        ("8H 8S 9S TS JS QS", "7H 8D 9D TD JD QD", D),
        ("KS 8S 9S TS JS QS", "AH 8D 9D TD JD QD", D),
        ("AH 8S 9S TS JS QS", "KS 8D 9D TD JD QD", A),
        ("KS 8S 9S TS JS QS", "KD 8D 9D TD JD QD", A),
    ],
)
def test_d15_the_lowest_trump_begins(a: str, d: str, begins: int) -> None:
    """The six of hearts is turned up and in no hand; where nobody holds a trump it is the dealer's opponent."""
    table = dealt(a, d, lowest_trump_begins=True)
    assert (table.hand(A), table.hand(D)) == (cards(a), cards(d)), "the cards are dealt as ever"
    assert table.to_act == begins
    assert table.choices == table.hand(begins)
    assert (table.sees(CHANCE).attacker, table.sees(CHANCE).lead) == (begins, begins)
    assert table.events == [
        Event("dealt", {"seat": D, "count": 6}),
        Event("turned_up", {"card": CARDS["6H"]}),
        Event("begins", {"seat": begins}),
    ]
    assert dealt(a, d).to_act == A


def test_d15_nobody_is_shown_which_trump_it_is() -> None:
    one, other = (
        dealt("9H 8S 9S TS JS QS", f"{lowest} 8D 9D TD JD QD", lowest_trump_begins=True) for lowest in ("7H", "8H")
    )
    for seat in (A, CHANCE):
        assert one.sees(seat) == other.sees(seat)
    assert one.events == other.events


def test_d15_guesses_keep_in_mind_who_began() -> None:
    """Until the first refill: A, with the nine, knows that D holds the seven or the eight; D that A holds neither."""
    table = dealt("9H 7S 7D 9C TS AD", "8H 6S 6D 6C 9S 9D", lowest_trump_begins=True)
    table.do("6S", "7S>6S", "6D", "7D>6D", "6C", "9C>6C", "9S", "TS>9S")
    assert table.hand(D) == cards("8H 9D")
    unseen = set(ALL) - table.hand(A) - cards("6S 7S 6D 7D 6C 9C 9S TS 6H")
    fitting = {frozenset(pair) for pair in combinations(unseen, 2) if cards("7H 8H") & set(pair)}
    check_even(Counter(frozenset(names(hands[D - 1])) for hands in guessed_hands(table, A, 60 * len(fitting))), fitting)
    often = Counter(card for hands in guessed_hands(table, D, 600) for card in names(hands[A - 1]))
    assert not often["7H"]
    assert often["9H"]
    table.do("pass")
    often = Counter(card for hands in guessed_hands(table, D, 600) for card in names(hands[A - 1]))
    assert often["7H"], "A may have drawn it"


@pytest.mark.parametrize(
    ("position", "actions", "dealer"),
    [(("6S", "8S KD KC"), ("6S", "take"), D), (("JD 6C 7C", "8H"), ("JD", "8H>JD"), A)],
)
def test_rematch_the_fool_deals(position: tuple[str, str], actions: tuple[str, ...], dealer: int) -> None:
    table = ending(*position).do(*actions)
    assert table.next_dealer == dealer


def test_rematch_after_a_draw_the_deal_passes_on() -> None:
    table = ending("6S", "8S").do("6S", "8S>6S")
    assert table.next_dealer == 3 - table.game.dealer


def test_check_6() -> None:
    table = ending("JD 6C 7C", "8H").do("JD", "8H>JD")
    assert table.outcome == Outcome((-1, 1), (D,), Message("fool", {"seat": A}))


def test_check_9() -> None:
    table = ending("6S 6C 9C", "6D 7D 8D", turn_over="any").do("6S", "turn 6D")
    assert len(table.hand(D)) == 2
    assert "turn 6C" not in table.legal
    assert table.refusal("turn 6C") == no("more_than_hand", count=2)
    table = ending("6S 9C", "6D 7D", turn_over="any").do("6S")
    assert table.choices == {"take"}
    assert table.refusal("turn 6D") == no("more_than_hand", count=1)
