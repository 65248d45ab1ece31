"""Durak for three to six, and with other packs: clauses D16–D27 and each check of their sheet, from stacked decks.

A B C D E F are seats 1 to 6; the last of them deals, A leads the first bout; hearts are trumps.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.durak import PACKS
from cardgames.engine.game import (
    CHANCE,
    Event,
    IllegalAction,
    InvalidAction,
    Message,
    Outcome,
    new_game,
)
from tests.engine.durak_tables import cards, ending, stacked
from tests.engine.positions import cards as numbers

A, B, C, D, E, F = range(1, 7)


FOUR = ("TC JD KS 9S 8D KD", "JC QD 7S", "9C 9D 8S", "TD JS QS")
"""The hands of A, B, C and D begin so: A attacks with TC, which B beats with JC."""


@pytest.mark.parametrize(("pack", "seats"), [(24, 2), (24, 3), (36, 2), (36, 6), (52, 2), (52, 6)])
def test_d16_packs(pack: int, seats: int) -> None:
    table = stacked(seats=seats, pack=pack, turn_up="AH")
    ranks = "23456789TJQKA"[13 - pack // 4 :]
    assert {NAMES[card] for card in table.game.pack} == {rank + suit for rank in ranks for suit in "SHDC"}
    assert table.sees().counts == (6,) * seats
    assert table.sees().stock == pack - 6 * seats
    short = new_game("durak", seats, {"pack": pack})
    with pytest.raises(IllegalAction) as refused:
        short.apply(short.start(), short.parse("deal AS KS"))
    assert refused.value.reason == Message("not_the_pack", {"count": pack})


def test_d17_cards_are_dealt_singly_from_the_left() -> None:
    game = new_game("durak", 4, {}, dealer=2)
    pack = [NAMES[card] for card in PACKS[36]]
    state = game.apply(game.start(), game.parse("deal " + " ".join(pack)))
    hands = [{NAMES[card] for card in hand} for hand in game.hands(state)]
    assert hands == [set(pack[start:24:4]) for start in (2, 3, 0, 1)]
    assert game.observation(state, CHANCE).turn_up == CARDS[pack[24]]
    assert game.to_act(state) == 3


def test_d17_check_7_six_players_and_36_cards() -> None:
    table = stacked("", "", "", "", "", "6S 7S 8S 9S TS 7H", seats=6)
    assert table.events[1] == Event("kept", {"seat": F, "card": CARDS["7H"]})
    for seat in range(7):
        seen = table.sees(seat)
        assert (seen.stock, seen.turn_up) == (0, CARDS["7H"])
        assert seen.known[F - 1] == (CARDS["7H"],)
    assert "7H" in table.hand(F)
    guess = table.game.resample(table.sees(A), Random(1))
    assert CARDS["7H"] in table.game.hands(guess)[F - 1]


def test_d17_d15_the_card_that_is_shown_counts_as_the_dealers() -> None:
    lowest = stacked("7H", "", "", "", "", "7S 8S 9S TS JS 6H", seats=6, lowest_trump_begins=True)
    assert lowest.to_act == F
    higher = stacked("6H", "", "", "", "", "7S 8S 9S TS JS 7H", seats=6, lowest_trump_begins=True)
    assert higher.to_act == A


def test_d18_the_dealers_left_leads_and_the_next_defends() -> None:
    table = stacked(seats=5, dealer=3)
    assert table.to_act == D
    assert table.roles() == (D, E)
    assert table.do(min(table.legal)).to_act == E


def test_d18_the_lowest_trump_leads_with_more_than_two() -> None:
    table = stacked("9H", "", "7H", "8H", lowest_trump_begins=True)
    assert table.roles() == (C, D)
    assert table.told("begins") == [Event("begins", {"seat": C})]


def test_d18_who_is_out_is_passed_over() -> None:
    assert ending("6S 7S", "", "8S 9S", "TS JS", out=(B,)).roles() == (A, C)


def test_d19_check_1_all_are_asked_in_turn_and_again() -> None:
    table = stacked(*FOUR)
    assert table.asked("TC", "JC>TC") == [B, A]
    assert table.choices == cards("JD pass")
    assert table.asked("pass", "pass") == [C, D]
    assert table.sees().passed == (A, C)
    assert table.sees().may_add == (D,)
    assert table.asked("JS") == [B]
    table = stacked("TC KS", "JC QD", "9C 8S", "JD QS").do("TC", "JC>TC", "pass", "pass", "JD")
    assert table.to_act == B
    assert table.asked("QD>JD") == [A]
    assert table.sees().passed == ()
    assert table.asked("pass", "pass", "pass") == [C, D, B]
    assert table.told("held")


def test_d19_check_2_neighbours_and_lead() -> None:
    table = stacked(*FOUR, attackers="neighbours")
    assert table.asked("TC", "JC>TC", "pass", "pass") == [B, A, C, B]
    table = stacked(*FOUR, attackers="lead")
    assert table.asked("TC", "JC>TC", "pass") == [B, A, B]


def test_d19_nobody_without_cards_is_asked_and_everybody_with_cards_is() -> None:
    table = ending("6S", "7S 7D 8D", "9S", "7C")
    assert table.asked("6S", "7S>6S") == [B, C]
    assert table.choices == {"pass"}
    assert table.asked("pass", "7C") == [D, B]


def test_d19_the_bout_ends_without_asking_at_the_limit() -> None:
    table = ending("6S 7D", "7S", "6D 9S", "7C 8C").do("6S")
    table.do("7S>6S")
    assert table.told("held"), "the defender's hand is empty"
    assert ending("6S", "7S 7D", "", out=(C,)).do("6S", "7S>6S").told("held"), "nobody holds a card to add"


def test_d20_adding_after_take_goes_once_around() -> None:
    table = stacked("TC TD 6S", "7S", "TS TH 6D", "JD", throw_in=True).do("TC")
    assert table.asked("take", "TD", "pass") == [A, A, C]
    assert table.choices == cards("TS TH pass")
    assert table.asked("TS", "pass") == [C, D]
    assert table.asked("pass") == [C]
    assert table.told("took")
    assert table.hand(B) >= cards("7S TC TD TS")


def test_d20_earlier_passes_do_not_count() -> None:
    table = stacked("TC JD", "JC 6S", "TD", "JS", throw_in=True).do("TC", "JC>TC", "pass", "TD")
    assert table.asked("take") == [A]
    assert table.sees().passed == ()


def test_d20_no_room_no_question() -> None:
    table = ending("6S 6D", "8D", "6C 9S", throw_in=True).do("6S", "take")
    assert table.told("took")


def test_d21_check_3_who_leads_next() -> None:
    table = stacked(*FOUR).do("TC", "JC>TC", "pass", "pass", "pass")
    assert table.roles() == (B, C)
    table = stacked(*FOUR).do("TC", "take")
    assert table.roles() == (C, D)


def test_d21_if_the_defender_is_out_the_next_player_leads() -> None:
    table = ending("6S 9S", "7S", "8S TS", "JS").do("6S", "7S>6S")
    assert table.told("out") == [Event("out", {"seat": B, "number": 1})]
    assert table.roles() == (C, D)


def test_d21_the_next_leader_is_reckoned_after_the_refill() -> None:
    """C has added the last card, which B takes: D leads."""
    table = ending("6S 9S", "8D 9D TD", "6D", "JS QS", throw_in=True)
    table.do("6S", "take", "pass", "6D")
    assert table.to_act == D
    assert table.do("pass").roles() == (D, A)


def test_d22_check_4_the_defender_draws_last() -> None:
    hands = ("TC KS", "JC QD AD KH", "TD KD", "JS QS")
    table = stacked(*hands).do("TC", "JC>TC", "pass", "TD", "QD>TD", "pass", "pass", "JS")
    table.do("KH>JS", "pass", "pass", "pass")
    assert table.drawers() == [A, C, D, B]
    assert stacked(*hands, stock="KC AC").do("TC", "take").drawers() == [A]


def test_d22_what_the_stock_lacks_the_defender_goes_without() -> None:
    table = stacked("TC KS", "JC QD AD KH", "TD KD", "JS QS")
    stock = tuple(table.state.stock[-3:])
    table.state = table.state._replace(stock=stock)
    table.do("TC", "JC>TC", "pass", "TD", "QD>TD", "pass", "pass", "JS", "KH>JS", "pass", "pass", "pass")
    assert table.drawers() == [A, C, D]
    assert table.sees().counts == (6, 3, 6, 6)


def test_d22_with_turning_over_the_last_defender_draws_last() -> None:
    table = stacked("6S", "6D", "7S 7D", "8C", turn_over="any").do("6S", "turn 6D", "7S>6S", "7D>6D")
    assert table.asked("pass") == [D]
    table.do("pass", "pass")
    assert table.drawers() == [A, B, C]
    back = stacked("6S 7D", "6D", turn_over="any", seats=3)
    back.state = back.state._replace(bout=back.state.bout._replace(opener=A))
    assert back.game._refill_order(back.state.bout._replace(leader=C, defender=A)) == [A, B, C]  # type: ignore[attr-defined]


def test_d23_check_6_idle_third_player_is_the_fool() -> None:
    """D23: check 6: both out and the third is the fool without having played."""
    table = ending("6S", "7S", "8S").do("6S", "7S>6S")
    assert table.outcome == Outcome((1, 1, -2), (A, B), Message("fool_last", {"seat": C, "seats": (A, B)}))
    assert [event.args for event in table.told("out")] == [{"seat": A, "number": 1}, {"seat": B, "number": 2}]
    assert table.told("fool") == [Event("fool", {"seat": C})]
    assert table.hand(C) == {"8S"}
    assert table.next_dealer == C


def test_d23_last_cards_beaten_leave_no_fool() -> None:
    table = ending("6S", "7S", "", out=(C,)).do("6S", "7S>6S")
    assert table.outcome == Outcome((0, 0, 0), (), Message("all_out", {"seats": (C, A, B)}))
    assert table.told("nobody_lost")
    assert table.next_dealer == A


def test_d23_nobody_goes_out_in_mid_bout() -> None:
    """C has no card left, and is still the next player: nothing can be turned over to C (D24)."""
    table = ending("6S 9S", "7S 7D 8D", "6D", "7C 8C", turn_over="any").do("6S", "7S>6S", "pass", "6D")
    assert table.sees().counts == (1, 2, 0, 2)
    assert table.sees().out == ()
    assert table.sees().next_defender == C
    table = ending("6S 9S", "7S 7D 8D", "6D", "7C 8C", turn_over="any").do("6S", "7S>6S", "pass", "6D", "7D>6D")
    assert table.to_act == A
    assert table.asked("pass", "7C") == [D, B]
    assert table.refusal("turn 8D").key == "more_than_hand"


def test_d24_check_5_passing_on() -> None:
    table = stacked("6S", "6D", "6C", "", turn_over="any").do("6S", "turn 6D")
    assert (table.to_act, table.roles()) == (C, (B, C))
    assert table.choices >= {"turn 6C", "take"}
    assert table.do("turn 6C").to_act == D
    assert len(table.sees().unbeaten) == 3
    short = ending("6S 7S 8S", "6D 7D 8D", "6C 7C 8C", "8H 9H", turn_over="any").do("6S", "turn 6D")
    assert short.refusal("turn 6C").key == "more_than_hand"
    assert ending("6S 7S", "6D 7D", "6C 7C", "8H 9H TH", turn_over="any").do("6S", "turn 6D", "turn 6C").to_act == D


def test_d24_it_passes_on_around_the_table_and_back() -> None:
    table = stacked("6S", "6D", "6C", turn_over="any", turn_up="6H").do("6S", "turn 6D", "turn 6C")
    assert table.to_act == A
    assert table.roles() == (C, A)
    assert table.sees().lead == A
    table.do("take")
    assert table.roles() == (B, C)


def test_d24_the_new_leader_is_asked_first() -> None:
    table = stacked("6S 7D", "6D", "7S 8D", "6C", turn_over="any").do("6S", "turn 6D", "7S>6S", "8D>6D")
    assert table.to_act == B
    assert table.asked("pass", "pass") == [D, A]


def test_d24_a_card_that_another_added_may_be_turned_over() -> None:
    hands = ("TC 9S", "JC JH QD", "9C", "JD QS")
    table = stacked(*hands, turn_over="any").do("TC", "JC>TC", "pass", "pass", "JD")
    assert "turn JH" in table.legal
    assert stacked(*hands, turn_over="opening").do("TC", "JC>TC", "pass", "pass", "JD").refusal("turn JH").key == (
        "turn_only_opening"
    )


@pytest.mark.parametrize(("seats", "sides"), [(4, ((1, 3), (2, 4))), (6, ((1, 3, 5), (2, 4, 6)))])
def test_d25_sides(seats: int, sides: tuple[tuple[int, ...], ...]) -> None:
    table = stacked(seats=seats, sides=True)
    assert table.game.sides == table.sees().sides == sides


def test_d25_check_8_only_opponents_of_the_defender_add() -> None:
    table = stacked(*FOUR, sides=True)
    assert table.asked("TC", "JC>TC", "pass", "pass") == [B, A, C, B]
    assert ending("6S 7S", "", "8S 9S", "TS JS", out=(B,), sides=True).roles() == (A, D)


def test_d25_turning_over_passes_over_partners() -> None:
    table = ending("6S 7S", "6D 7D", "", "8S 9S", "TS JS", "QS KS", out=(C,), sides=True, turn_over="any")
    assert table.do("6S", "turn 6D").roles() == (B, E)


@pytest.mark.parametrize(
    ("hands", "out", "actions", "leader"),
    [
        (("6S 9S", "7S", "8S TS", "9D TD"), (), ("6S", "7S>6S"), D),
        (("6S 9S", "7D 8D", "", "9D TD"), (C,), ("6S", "take"), A),
        (("6S 9S", "7D 8D", "9C TC", "9D TD"), (), ("6S", "take"), C),
    ],
    ids=["held and out", "taken and the next is out", "taken"],
)
def test_d25_the_next_leader_is_of_the_side_it_would_be(
    hands: Sequence[str], out: Sequence[int], actions: Sequence[str], leader: int
) -> None:
    assert ending(*hands, out=out, sides=True).do(*actions).roles()[0] == leader


def test_d25_a_side_wins_when_all_its_players_are_out() -> None:
    table = ending("6S", "7D 8D", "", "9D TD JD", out=(C,), sides=True).do("6S", "take")
    assert table.outcome == Outcome((1, -1, 1, -1), (A, C), Message("side_lost", {"seats": (B, D)}))
    assert table.told("side_lost") == [Event("side_lost", {"seats": (B, D)})]
    assert table.hand(D) == cards("9D TD JD"), "the losers keep their cards"
    assert table.next_dealer == B, "three cards each: the lower seat"
    table = ending("6S", "7D", "", "9D TD JD", out=(C,), sides=True).do("6S", "take")
    assert table.next_dealer == D, "who was left with most cards"


def test_d25_both_sides_out_in_one_bout_is_a_draw() -> None:
    table = ending("6S", "7S", "", "", out=(C, D), sides=True).do("6S", "7S>6S")
    assert table.outcome == Outcome((0, 0, 0, 0), (), Message("all_out", {"seats": (C, D, A, B)}))


def test_d26_several_at_once() -> None:
    table = stacked("6S 6D 6C 9S", "7S 7D 6H 8S", seats=3, several=True, turn_up="TH")
    assert table.choices >= cards("6S 6D 6C 9S") | {"play 6S 6D", "play 6S 6C", "play 6D 6C", "play 6S 6D 6C"}
    table.do("play 6S 6D")
    assert table.events == [Event("attacked_with", {"seat": A, "cards": numbers("6S 6D")})]
    assert table.sees().unbeaten == numbers("6S 6D")
    assert table.choices >= cards("7S>6S 7D>6D 6H>6S 6H>6D take")
    table.do("7D>6D", "7S>6S")
    with pytest.raises(InvalidAction):
        table.game.parse("play 6C 9S")
    assert table.refusal("play 6S 6D").key == "not_in_hand"
    assert table.choices >= cards("6C pass")


def test_d26_later_cards_come_one_by_one() -> None:
    """D26: one by one later in the bout and without the option."""
    table = stacked("6S 7C 7H", "7S", several=True, seats=3, turn_up="TH").do("6S", "7S>6S")
    assert table.refusal("play 7H 7C").key == "several_begin_only"
    assert stacked("6S 6D", seats=3, turn_up="TH").refusal("play 6S 6D").key == "several_is_off"


def test_d26_no_more_than_the_defender_holds() -> None:
    table = ending("6S 6D 6C 9S", "7S 7D", "8S 9D", several=True)
    assert table.choices >= {"play 6S 6D", "play 6D 6C"}
    assert table.refusal("play 6S 6D 6C").key == "more_than_hand"
    greyed = {action.text: reason for action, reason in table.sees(A).refused}
    assert greyed == {"play 6S 6D 6C": Message("more_than_hand", {"count": 2})}


def test_d26_turned_over_while_none_is_beaten() -> None:
    rules: dict[str, Any] = {"several": True, "turn_over": "any", "turn_up": "TH"}
    table = stacked("6S 6D", "6C 7S 7D", "8S 8D 8C", **rules).do("play 6S 6D")
    assert table.refusal("turn 7S").key == "turn_other_rank"
    assert table.do("turn 6C").roles() == (B, C)
    assert len(table.sees().unbeaten) == 3
    table = stacked("6S 6D", "6C 7S 7D", "8S 8D 8C", **rules).do("play 6S 6D", "7S>6S")
    assert table.refusal("turn 6C").key == "turn_after_beat"


@pytest.mark.parametrize("stock", ["", "AD AC 7H 8H 6H"])
def test_d27_the_third_time_is_a_draw(stock: str) -> None:
    """Each of three takes what is led, and gives it on: the same cards go round the table, and nobody has to draw."""
    kept = ("8D 9D TD JD QD KD", "8C 9C TC JC QC KC", "9S TS JS QS KS AS")
    table = ending(*[f"{mine} {more}" for mine, more in zip(kept, ("6S 7S", "6D 8S", "6C 7D"), strict=True)])
    table.state = table.state._replace(stock=numbers(stock))
    seen = []
    for _ in range(40):
        seat = table.to_act or 0
        table.do("7S" if "7S" in table.hand(seat) else min(table.hand(seat)), "take")
        if table.outcome:
            break
        seen.append((table.game.hands(table.state), table.to_act))
    assert table.outcome == Outcome((0, 0, 0), (), Message("repetition"))
    assert table.game.hands(table.state) == ((), (), ()), "all hands are gathered"
    assert table.state.stock == numbers(stock)
    assert max(map(seen.count, seen)) == 2


def test_d27_positions_from_before_a_draw_cannot_recur() -> None:
    table = stacked(seats=3)
    assert len(table.state.past) == 1, "the first bout counts"
    table.do(min(table.legal), "take")
    assert len(table.state.past) == 1, "the leader has drawn a card"


def test_d27_positions_show_no_card_that_nobody_has_seen() -> None:
    table = stacked(seats=6)
    for seat in range(1, 7):
        position = table.sees(seat).past[0]
        assert sum([hand.bit_count() for hand in (*position[:2], *position.others)]) == 1, "the one that was shown"
    table.do(min(table.legal), "take")
    for seat in range(1, 7):
        known = table.sees(seat)
        assert table.game.observation(table.game.resample(known, Random(1)), seat) == known
        assert sum([hand.bit_count() for hand in (*known.past[0][:2], *known.past[0].others)]) == 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_scores_the_fool_loses_a_point_to_each(seats: int) -> None:
    hands = ["6S", "7S", "8S", *[""] * (seats - 3)]
    table = ending(*hands, out=range(4, seats + 1)).do("6S", "7S>6S")
    assert table.outcome
    assert table.outcome.scores == (1, 1, 1 - seats, *[1] * (seats - 3))
    assert table.outcome.winners == tuple(seat for seat in range(1, seats + 1) if seat != C)
