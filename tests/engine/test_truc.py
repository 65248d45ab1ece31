"""Truc: each clause and each check of its sheet; C is the non-dealer, seat 1, and D the dealer, seat 2."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from random import Random
from typing import Any

import pytest

from cardgames.engine.cards import CARDS, NAMES, names
from cardgames.engine.game import Action, Event, Message, Outcome
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import PACK, Round, Truc, TrucRules, TrucState
from tests.engine.positions import cards, reason, refused

ANY = ("7S 8D KC", "7H 8C KH")
WEAK, STRONG = "9S 9D KC", "7H 8C KH"


def deck(*hands: str) -> Action:
    """The pack that deals these hands, the non-dealer's first, and then by twos what exchanges bring."""
    pairs = [zip(cards(one), cards(two), strict=True) for one, two in zip(hands[::2], hands[1::2], strict=True)]
    top = tuple(chain(*chain(*pairs)))
    pack = (*top, *[card for card in PACK if card not in top])
    return Action("deal", f"deal {names(pack)}", pack)


def do(game: Truc, state: TrucState, *moves: str) -> TrucState:
    """The state after some moves, each written ``C 7S``."""
    for move in moves:
        seat, text = move.split()
        assert game.to_act(state) == " CD".index(seat), move
        state = game.apply(state, game.parse(text))
    return state


def told(game: Truc, state: TrucState, *moves: str) -> list[Event]:
    """The events of the last of some moves."""
    state = do(game, state, *moves[:-1])
    events: list[Event] = []
    game.apply(state, game.parse(moves[-1].split()[1]), events.append)
    return events


def args(events: Iterable[Event], key: str) -> Mapping[str, Any]:
    """The arguments of the one event of this key."""
    (found,) = [event.args for event in events if event.key == key]
    return found


def texts(actions: Iterable[Action]) -> str:
    return " ".join(action.text for action in actions)


def legal(game: Truc, state: TrucState) -> str:
    return texts(game.legal_actions(state))


def truc(points: int = 12, rounds: int = 2, dealer: int = 2, **rules: Any) -> Truc:
    return Truc(2, TrucRules(points, rounds, **rules), dealer)


def dealt(game: Truc, *hands: str) -> TrucState:
    return game.apply(game.start(), deck(*hands))


def gain(game: Truc, state: TrucState, seat: int) -> TrucState:
    """A hand that ``seat`` wins with one point, the other refusing whatever it proposes."""
    state = game.apply(state, deck(*ANY))
    state = game.apply(state, game.parse("play"))
    if game.to_act(state) != seat:
        state = game.apply(state, game.legal_actions(state)[0])
    state = game.apply(state, game.legal_actions(state)[-1])
    return game.apply(state, game.parse("refuse"))


def position(
    c: str, d: str, points: tuple[int, int] = (0, 0), goal: int = 12, rounds: int = 2
) -> tuple[Truc, TrucState]:
    """C to lead, with these points, and D dealing."""
    game = truc(goal, rounds)
    return game, do(game, game.apply(game.start()._replace(points=points), deck(c, d)), "C play")


# The clauses.


def test_t1_pack() -> None:
    assert len(PACK) == 32
    assert {NAMES[card][0] for card in PACK} == set("789TJQKA")
    order = ["7S", "8S", "AS", "KS", "QS", "JS", "TS", "9S"]
    for place, stronger in enumerate(order):
        for weaker in order[place + 1 :]:
            game = truc()
            rest = [name for name in order if name not in (stronger, weaker)]
            state = dealt(game, f"{stronger} {rest[0]} {rest[1]}", f"{weaker} {rest[2]} {rest[3]}")
            events = told(game, state, "C play", f"C {stronger}", f"D {weaker}")
            lay = {"cards": cards(f"{stronger} {weaker}"), "seats": (1, 2)}
            assert events[1] == ("trick_won", {"seat": 1, "card": CARDS[stronger], **lay}, None)


def test_t1_suits_do_not_matter() -> None:
    game, state = position("9S AS KC", "TH 8C KH")
    assert game.to_act(do(game, state, "C 9S", "D TH")) == 2
    assert game.to_act(do(game, state, "C KC", "D KH")) == 1


def test_t2_deal_one_at_a_time_the_non_dealer_first() -> None:
    for dealer in (1, 2):
        game = truc(dealer=dealer)
        state = game.start()
        assert game.to_act(state) == 0
        assert game.chance(state) == ("deal", PACK, 32)
        top = "7S 8S 7H 8H 7D 8D"
        below = names(card for card in PACK if card not in cards(top))
        state = game.apply(state, game.parse(f"deal {top} {below}"))
        hands = dict(zip((3 - dealer, dealer), ("7S 7H 7D", "8S 8H 8D"), strict=True))
        assert game.hands(state) == tuple(tuple(sorted(cards(hands[seat]))) for seat in (1, 2))
        assert game.to_act(state) == 3 - dealer
        assert game.chance(state) is None
        seen = game.observation(state, 0)
        assert (seen.stake, seen.stock, seen.counts, seen.dealer) == (1, 26, (3, 3), dealer)


def test_t3_after_play_the_hand_begins() -> None:
    game = truc()
    state = dealt(game, "9S KD 7C", "JS 8S AC")
    assert legal(game, state) == "exchange play"
    state = do(game, state, "C play")
    assert game.to_act(state) == 1
    assert legal(game, state) == "7C KD 9S double"


def test_t3_after_refuse_the_hand_begins_with_the_cards_held() -> None:
    game = truc()
    state = do(game, dealt(game, *ANY), "C exchange")
    assert legal(game, state) == "agree refuse"
    after = do(game, state, "D refuse")
    assert game.to_act(after) == 1
    assert game.hands(after) == game.hands(state)
    assert legal(game, after) == "7S 8D KC double"


def test_t3_exchange_again_and_again() -> None:
    game = truc()
    hands = ("7S 8S 9S", "7H 8H 9H", "7D 8D 9D", "7C 8C 9C", "TS JS QS", "TH JH QH")
    state = dealt(game, *hands)
    for turn in (1, 2):
        state = do(game, state, "C exchange", "D agree")
        assert game.hands(state) == tuple(tuple(sorted(cards(hand))) for hand in hands[2 * turn : 2 * turn + 2])
        assert legal(game, state) == "exchange play"
        seen = game.observation(state, 1)
        assert (seen.stock, seen.exchanges) == (26 - 6 * turn, turn)
    assert game.observation(state, 1).laid_aside == cards("7S 7D 8S 8D 9S 9D")
    assert game.observation(state, 2).laid_aside == cards("7H 7C 8H 8C 9H 9C")
    assert game.observation(state, 0).laid_aside == ()


def test_t4_the_fifth_agreement_swaps_and_deals_anew() -> None:
    game = truc()
    state = dealt(game, *ANY)
    for _ in range(4):
        state = do(game, state, "C exchange", "D agree")
    assert game.observation(state, 1).stock == 2
    state = do(game, state, "C exchange", "D agree")
    assert game.to_act(state) == 0
    assert game.hands(state) == ((), ())
    assert game.observation(state, 1).dealer == 1
    state = game.apply(state, deck(*ANY))
    assert game.to_act(state) == 2
    assert game.hands(state)[1] == tuple(sorted(cards(ANY[0])))
    seen = game.observation(state, 2)
    assert (seen.stock, seen.exchanges, seen.laid_aside) == (26, 0, ())


def test_t4_the_swap_stays() -> None:
    game = truc()
    state = dealt(game, *ANY)
    for _ in range(5):
        state = do(game, state, "C exchange", "D agree")
    state = do(game, game.apply(state, deck(*ANY)), "D exchange", "C refuse", "D double", "C refuse")
    assert game.scores(state) == (0, 1)
    assert game.observation(state, 1).dealer == 2


def test_t5_any_card_and_the_winner_leads() -> None:
    game, state = position("TD 7C 9H", "JS 8S AC")
    state = do(game, state, "C TD")
    assert legal(game, state) == "8S AC JS double"
    state = do(game, state, "D JS")
    assert game.to_act(state) == 2
    assert game.to_act(do(game, state, "D 8S", "C 7C")) == 1


def test_t6_a_spoiled_trick_belongs_to_the_first_to_win_one() -> None:
    game, state = position("7S 8D KC", "7H KD 9C")
    state = do(game, state, "C 7S", "D 7H")
    seen = game.observation(state, 2)
    assert seen.tricks == (Trick((1, 2), cards("7S 7H"), 0),)
    assert seen.credited == (0, 0)
    state = do(game, state, "C 8D", "D KD")
    assert game.scores(state) == (1, 0)


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
    game, state = position(*hands)
    assert game.scores(do(game, state, *moves)) == scores


def test_t6_credited_before_and_after() -> None:
    game, state = position("7S 9D KC", "8S TD KH")
    assert game.observation(do(game, state, "C 7S", "D 8S", "C 9D", "D TD"), 0).credited == (1, 1)
    state = do(game, state, "C KC", "D KH", "C 9D")
    assert game.observation(state, 0).credited == (0, 0)
    assert game.scores(do(game, state, "D TD")) == (0, 1)


def test_t6_the_leader_of_a_spoiled_trick_leads_again() -> None:
    game, state = position("AS 7D KC", "AH 7C KH")
    assert game.to_act(do(game, state, "C AS", "D AH")) == 1
    assert game.to_act(do(game, state, "C AS", "D AH", "C KC", "D KH")) == 1


def test_t7_two_tricks_end_the_hand_at_once() -> None:
    game, state = position("7S 7D KC", "8S 8C KH")
    state = do(game, state, "C 7S", "D 8S", "C 7D", "D 8C")
    assert game.scores(state) == (1, 0)
    assert game.to_act(state) == 0
    assert game.hands(state) == ((), ())


def test_t7_nobody_scores_and_the_remainder_lapses() -> None:
    game, state = position("7S 8D KC", "7H 8C KH", (11, 0))
    state = do(game, state, "C remainder", "D accept", "C 7S", "D 7H", "C 8D", "D 8C", "C KC")
    events = told(game, state, "D KH")
    assert args(events, "trick_spoiled") == {"cards": cards("KC KH"), "seats": (1, 2)}
    lay = {"cards": cards("7S 7H 8D 8C KC KH"), "seats": (1, 2, 1, 2, 1, 2)}
    assert events[-1] == ("nobody_won", lay, None)
    state = do(game, state, "D KH")
    assert game.scores(state) == (11, 0)
    seen = game.observation(state, 0)
    assert (seen.remainder, seen.rounds, seen.stake) == (None, (0, 0), 1)
    state = do(game, game.apply(state, deck(*ANY)), "D play")
    assert legal(game, state).endswith(" double")


def test_t8_double_accepted() -> None:
    game, state = position(*ANY)
    state = do(game, state, "C double")
    assert legal(game, state) == "accept refuse"
    seen = game.observation(state, 0)
    assert (seen.stake, seen.stake_if_accepted, seen.proposal, seen.proposer) == (1, 2, "double", 1)
    state = do(game, state, "D accept")
    assert legal(game, state) == "7S 8D KC"
    seen = game.observation(state, 0)
    assert (seen.stake, seen.stake_if_accepted, seen.proposal, seen.proposer) == (2, None, None, None)
    assert seen.doubled == (1,)


def test_t8_double_refused_gives_the_stake_as_it_was() -> None:
    game, state = position(*ANY)
    refused = do(game, state, "C 7S", "D double", "C refuse")
    assert game.scores(refused) == (0, 1)
    assert game.to_act(refused) == 0
    assert game.scores(do(game, state, "C double", "D accept", "C 8D", "D double", "C refuse")) == (0, 2)


def test_t8_once_in_each_turn_so_three_times_a_hand() -> None:
    game, state = position("7S 9D KC", "8H TC KH", goal=1000)
    turns = (("C", "7S"), ("D", "8H"), ("C", "9D"), ("D", "TC"), ("D", "KH"), ("C", "KC"))
    for place, (seat, card) in enumerate(turns):
        state = do(game, state, f"{seat} double", f"{'D' if seat == 'C' else 'C'} accept")
        assert reason(game, state, "double") == ("proposed_this_turn", {})
        assert game.observation(state, 0).stake == 2 << place
        state = do(game, state, f"{seat} {card}")
    assert game.scores(state) == (64, 0)


def test_t9_exactly_one_of_the_two_is_legal() -> None:
    for points in range(12):
        game, state = position(*ANY, (points, 11))
        assert legal(game, state).split()[-1] == ("double" if points <= 10 else "remainder"), "by one's own points"


def test_t9_nothing_more_can_be_proposed() -> None:
    game, state = position("7S 8D KC", "9H 7C KH", (11, 3))
    state = do(game, state, "C remainder")
    seen = game.observation(state, 2)
    assert (seen.proposal, seen.proposer, seen.stake_if_accepted) == ("remainder", 1, None)
    state = do(game, state, "D accept")
    assert game.observation(state, 0).remainder == 1
    assert legal(game, state) == "7S 8D KC"
    state = do(game, state, "C 7S")
    assert legal(game, state) == "7C KH 9H"
    for text in ("double", "remainder"):
        assert reason(game, state, text) == ("remainder_in_force", {"seat": 1})


def test_t9_remainder_refused() -> None:
    game, state = position(*ANY, (11, 4), goal=13)
    assert legal(game, state).endswith(" double")
    state = do(game, state, "C double", "D accept", "C 8D", "D double", "C accept", "D KH", "C remainder", "D refuse")
    assert game.observation(state, 0).past_rounds == (Round(1, (15, 4)),)
    assert game.scores(state) == (0, 0)


def test_t8_t9_what_a_refusal_would_bring_is_what_it_brings() -> None:
    rng = Random(8)
    seen = Counter[str]()
    for number in range(60):
        game = Truc(2, TrucRules(points=4 + number % 3, rounds=1 + number % 2))
        state = game.start()
        while game.to_act(state) is not None:
            chance, o = game.chance(state), game.observation(state, 0)
            refuse = next((action for action in game.legal_actions(state) if action.text == "refuse"), None)
            if not o.proposer or not refuse:
                assert (o.points_if_refused, o.won_if_refused) == (0, "nothing")
            else:
                after = game.observation(game.apply(state, refuse), 0)
                over = len(after.past_rounds) > len(o.past_rounds)
                points = after.past_rounds[-1].points if over else after.scores
                assert o.points_if_refused == points[o.proposer - 1]
                assert o.won_if_refused == ("match" if after.outcome else "round" if over else "nothing")
                seen[o.won_if_refused] += 1
            state = game.apply(state, chance.sample(rng) if chance else rng.choice(game.legal_actions(state)))
    assert min(seen[won] for won in ("nothing", "round", "match")) > 5


def test_t10_points_are_not_capped_and_chips_go_back_at_once() -> None:
    game, state = position(*ANY, (0, 2), goal=3)
    state = do(game, state, "C double", "D accept", "C KC")
    events = told(game, state, "D 7H", "D 8C", "C 8D")
    lay = {"cards": cards("KC 7H 8C 8D"), "seats": (1, 2, 2, 1)}
    assert args(events, "took_stake") == {"seat": 2, "stake": 2, "points": 4, **lay}
    assert args(events, "round_won") == {"seat": 2, "rounds": (0, 1), "points": 4, "other_points": 0}
    state = do(game, state, "D 7H", "D 8C", "C 8D")
    assert game.scores(state) == (0, 0)
    assert game.observation(state, 1).rounds == (0, 1)


def test_t11_the_deal_swaps_after_every_hand_and_across_rounds() -> None:
    game = truc(points=1, rounds=3)
    state = game.start()
    for place, winner in enumerate((1, 2, 1, 2)):
        assert game.observation(state, 0).dealer == 2 - place % 2
        state = gain(game, state, winner)
    assert game.observation(state, 0).rounds == (2, 2)


def test_t11_match() -> None:
    game = truc(points=1, rounds=2, dealer=1)
    state = game.start()
    for winner in (1, 2, 2):
        assert game.outcome(state) is None
        state = gain(game, state, winner)
    assert game.to_act(state) is None
    assert game.legal_actions(state) == ()
    assert game.chance(state) is None
    assert game.hands(state) == ((), ())
    assert game.scores(state) == (0, 0)
    assert game.outcome(state) == Outcome((1, 2), (2,), Message("won_on_points", {"seat": 2}))
    assert game.next_dealer(state) == 1
    assert reason(game, state, "play") == ("match_over", {})
    assert reason(game, state, "deal " + names(PACK)) == ("match_over", {})


def test_t11_match_won_by_an_accepted_remainder() -> None:
    game, state = position(WEAK, STRONG, (11, 0), rounds=1)
    state = do(game, state, "C remainder", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert game.outcome(state) == Outcome((0, 1), (2,), Message("won_by_remainder", {"seat": 2}))
    assert game.next_dealer(state) == 1


def test_t8_who_accepts_may_not_raise_back_before_their_own_turn() -> None:
    game, state = position(*ANY)
    state = do(game, state, "C double", "D accept")
    assert game.to_act(state) == 1
    assert legal(game, state) == "7S 8D KC"
    assert legal(game, do(game, state, "C KC")) == "7H 8C KH double"


def test_t10_scores_at_a_rounds_end_are_kept() -> None:
    game, state = position(WEAK, STRONG, (11, 4))
    state = do(game, state, "C remainder", "D accept", "C 9S", "D 7H", "D 8C")
    assert args(told(game, state, "C 9D"), "round_won") == {
        "seat": 2, "rounds": (0, 1), "points": 4, "other_points": 11
    }  # fmt: skip
    state = do(game, state, "C 9D")
    assert game.observation(state, 0).past_rounds == (Round(2, (11, 4)),)
    for _ in range(12):
        state = gain(game, state, 1)
    assert game.observation(state, 0).past_rounds == (Round(2, (11, 4)), Round(1, (12, 0)))


@pytest.mark.parametrize("dealer", [1, 2])
def test_t12_after_one_exchange_play_begins(dealer: int) -> None:
    game = truc(dealer=dealer, one_exchange=True)
    state = dealt(game, "AC KC QC", "7D 8D 9D", "TS JS QS", "7H 8H 9H")
    state = game.apply(state, game.parse("exchange"))
    events: list[Event] = []
    state = game.apply(state, game.parse("agree"), events.append)
    assert [event.key for event in events] == ["agreed", "drew", "drew_hidden", "drew", "drew_hidden"]
    assert game.to_act(state) == 3 - dealer
    assert legal(game, state) == "QS JS TS double"
    assert reason(game, state, "exchange") == ("hand_has_begun", {})
    seen = game.observation(state, 3 - dealer)
    assert (seen.exchanges, seen.stock, seen.laid_aside) == (1, 20, cards("AC KC QC"))


def test_t12_each_hand_has_its_own_exchange() -> None:
    """T12: each hand has its exchange and a refusal is as ever."""
    game = truc(one_exchange=True)
    state = do(game, dealt(game, *ANY), "C exchange", "D refuse")
    assert legal(game, state) == "7S 8D KC double"
    state = game.apply(do(game, state, "C double", "D refuse"), deck(*ANY))
    assert legal(game, state) == "exchange play"


def test_t13_seven_ace() -> None:
    order = ["7S", "AS", "KS", "QS", "JS", "TS", "9S", "8S"]
    for place, stronger in enumerate(order):
        for weaker in order[place + 1 :]:
            game = truc(order="seven_ace")
            rest = [name for name in order if name not in (stronger, weaker)]
            state = dealt(game, f"{stronger} {rest[0]} {rest[1]}", f"{weaker} {rest[2]} {rest[3]}")
            state = do(game, state, "C play")
            assert legal(game, state).split()[:3] == [name for name in order if CARDS[name] in game.hands(state)[0]]
            assert args(told(game, state, f"C {stronger}", f"D {weaker}"), "trick_won")["seat"] == 1
    assert game.observation(state, 1).order == "seven_ace"


# Why not, and what is offered greyed.


def test_reasons_while_a_word_is_asked_for() -> None:
    game = truc()
    state = dealt(game, *ANY)
    for text in ("7S", "9S", "double", "agree", "refuse", "accept"):
        assert reason(game, state, text) == ("say_exchange_or_play", {})
    assert reason(game, state, "deal " + names(PACK)) == ("not_now", {})
    state = do(game, state, "C exchange")
    for text in ("7H", "exchange", "play", "accept"):
        assert reason(game, state, text) == ("say_agree_or_refuse", {})
    state = do(game, state, "D refuse", "C double")
    for text in ("7H", "double", "remainder", "agree", "play"):
        assert reason(game, state, text) == ("say_accept_or_refuse", {})
    assert refused(game, state) == ()


def test_reasons_on_a_turn() -> None:
    game, state = position(*ANY, (3, 0))
    args = {"stake": 2, "points": 3, "goal": 12}
    assert reason(game, state, "7H") == ("not_in_hand", {"card": CARDS["7H"]})
    assert reason(game, state, "remainder") == ("double_still_fits", args)
    assert refused(game, state) == ((game.parse("remainder"), Message("double_still_fits", args)),)
    for text in ("exchange", "play"):
        assert reason(game, state, text) == ("hand_has_begun", {})
    for text in ("agree", "refuse", "accept"):
        assert reason(game, state, text) == ("nothing_to_answer", {})
    game, state = position(*ANY, (11, 0))
    too_high = Message("double_too_high", {"stake": 2, "points": 11, "goal": 12})
    assert refused(game, state) == ((game.parse("double"), too_high),)
    state = do(game, state, "C remainder", "D accept")
    assert [(action.text, why.key) for action, why in refused(game, state)] == [
        ("double", "remainder_in_force"),
        ("remainder", "remainder_in_force"),
    ]


# Who knows what.


def test_secrecy_cards_left_in_hand_stay_hidden() -> None:
    seen = []
    for c, d in (("7S 7D KC", "8S 8C KH"), ("7S 7D 9C", "8S 8C 9H")):
        game, state = position(c, d)
        state = do(game, state, "C 7S", "D 8S", "C 7D", "D 8C")
        seen.append([game.observation(state, seat) for seat in (0, 1, 2)])
    assert seen[0] == seen[1]
    tricks = (Trick((1, 2), cards("7S 8S"), 1), Trick((1, 2), cards("7D 8C"), 1))
    assert seen[0][2].last_hand == tricks
    assert seen[0][2].tricks == ()


def test_table_shows_the_trick_and_the_last_hand() -> None:
    game, state = position("7S 8D KC", "9H 7C KH")
    state = do(game, state, "C 7S", "D 9H", "C KC")
    tricks = (Trick((1, 2), cards("7S 9H"), 1), Trick((1,), cards("KC"), 0))
    assert game.observation(state, 2).tricks == tricks
    assert game.observation(state, 2).counts == (1, 2)
    state = game.apply(do(game, state, "D double", "C refuse"), deck(*ANY))
    seen = game.observation(state, 2)
    assert (seen.last_hand, seen.last_credited) == (tricks, (1, 0))


# Thinking ahead.


def test_a_key_leaves_out_how_the_position_came_about() -> None:
    """Cards that have been played, and cards of a hand before."""
    keys = []
    for c, d in (("7S 8D KC", "AH 9C QD"), ("8S 8D KC", "JH 9C QD")):
        game, state = position(c, d)
        keys.append(game.key(do(game, state, f"C {c[:2]}", f"D {d[:2]}")))
    assert keys[0] == keys[1]
    assert hash(keys[0]) == hash(keys[1])


def test_key_ignores_led_suits_and_the_used_stock() -> None:
    """A key leaves out the suit of a card to be answered and the stock after the exchange."""
    keys = []
    for lead in ("7S", "7C"):
        game, state = position(f"{lead} 8D KC", "AH 9C QD")
        keys.append(game.key(do(game, state, f"C {lead}")))
    assert keys[0] == keys[1]


def test_key_ignores_chips_of_a_deciding_hand() -> None:
    keys = []
    for doubled in ((), ("C double", "D accept")):
        game, state = position("8D 7S KC", "9H 7C KH", (10, 11))
        state = do(game, state, *doubled, "C 8D", "D remainder", "C accept", "D 9H")
        assert game.observation(state, 0).stake == 1 + bool(doubled)
        keys.append(game.key(state))
    assert keys[0] == keys[1]


def test_the_points_of_a_round_that_was_won_do_not_vanish() -> None:
    """At 11:4 the round is worth the points it takes, and the other's are lost."""
    game, state = position(*ANY, (11, 4))
    assert game.payoff(state) == (11, 4)
    won = do(game, state, "C remainder", "D refuse")
    assert game.scores(won) == (0, 0)
    assert game.payoff(won) == (12, 0)
    game, state = position(WEAK, STRONG, (11, 4))
    lost = do(game, state, "C remainder", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert game.payoff(lost) == (0, 12)
    assert game.payoff(gain(game, lost, 1)) == (1, 12)


def test_points_beyond_the_goal_are_worth_no_more_than_the_round() -> None:
    game, state = position(WEAK, STRONG, (0, 11))
    state = do(game, state, "C double", "D accept", "C 9S", "D 7H", "D 8C", "C 9D")
    assert game.payoff(state) == (0, 12)
