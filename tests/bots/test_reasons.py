"""The reasons said for a move are true: compared with the engine, whatever the seat cannot know."""

from collections import Counter
from functools import cache
from math import inf
from random import Random
from typing import Any

import pytest

from cardgames.bots import rate, reasons, reasons_over
from cardgames.bots.thinking import Rating
from cardgames.engine.cards import rank_of
from cardgames.engine.fipsen_bids import worth
from cardgames.engine.game import OFFERED, AnyGame, Observation, Reason, game_class, new_game
from cardgames.engine.tricks import winning_index
from cardgames.engine.zetema import QUEEN, TRICK_POINTS

from .test_players import new, positions

Told = tuple[AnyGame, Any, Observation, Rating, Reason]


@cache
def told(name: str) -> list[Told]:
    """Everything that is said for any move of some matches at random, each as if it were rated first."""
    game = new(name, game_class(name).SEATS[0])
    found = []
    for state, observation in positions(game, 7, matches={"kakeya": 2, "zetema": 1}.get(name, 25)):
        for action in observation.legal:
            first = Rating(action, 1.0, 0.1)
            rest = [Rating(other, 0.0, 0.1) for other in observation.legal if other != action]
            found += [(game, state, observation, first, r) for r in reasons(game, observation, (first, *rest))]
    return found


@pytest.mark.parametrize("name", OFFERED)
def test_every_game_says_something(name: str) -> None:
    assert len(Counter(reason.key for *_, reason in told(name))) >= 2


def test_every_reason_at_durak_is_true() -> None:
    keys = Counter[str]()
    for game, _, observation, rating, reason in told("durak"):
        keys[reason.key] += 1
        if reason.key == "hint.unbeatable":
            for number in range(5):
                after = game.apply(game.resample(observation, Random(number)), rating.action)
                assert all(action.kind != "beat" for action in game.legal_actions(after))
        elif reason.key == "hint.keeps_trumps":
            assert reason.args["count"] == vars(observation)["stock"] > 0
        elif reason.key == "hint.beating_costs":
            costs, attack_card = reason.args["card"], reason.args["attack_card"]
            assert (costs, attack_card) in [action.cards for action in observation.legal if action.kind == "beat"]
        elif reason.key == "hint.can_follow":
            after = game.apply(game.resample(observation, Random(1)), rating.action)
            beats = [action for action in game.legal_actions(after) if action.kind == "beat"]
            for after in [game.apply(after, beat) for beat in beats]:
                follow = {action.cards[0] for action in game.legal_actions(after) if action.kind == "play"}
                assert follow >= set(reason.args["cards"])  # type: ignore[arg-type]
        elif reason.key == "hint.taking_costs":
            assert any(action.kind == "take" for action in observation.legal)
            lying = {card for action in vars(observation)["bout"] for card in action.cards}
            assert reason.args["count"] == len(lying) > 0
        elif reason.key == "hint.no_new_rank":
            lying = {card for action in vars(observation)["bout"] for card in action.cards}
            assert rank_of(rating.action.cards[0]) in map(rank_of, lying)
        elif reason.key == "hint.one_more":
            assert rating.action.kind == "play"
            assert reason.args["seat"] == vars(observation)["defender"] != observation.seat
        elif reason.key == "hint.holds_back":
            assert reason.args["card"] in [action.cards[0] for action in observation.legal if action.cards]
    assert keys["hint.unbeatable"] > 10
    assert keys["hint.keeps_trumps"] > 10
    assert keys["hint.beating_costs"] > 10
    assert keys["hint.can_follow"] > 10


def test_durak_says_what_is_worked_out() -> None:
    game = new_game("durak", 2)
    for _, observation in positions(game, 7):
        for value, key in ((1.0, "hint.wins"), (0.5, "hint.draws"), (0.0, "hint.loses")):
            first, *_ = reasons(game, observation, (Rating(observation.legal[0], value, 0.0, True),))
            assert first.key == key
        return
    pytest.fail("nobody could choose")


def test_every_reason_at_kakeya_is_true() -> None:
    keys = Counter[str]()
    for game, state, before, rating, reason in told("kakeya"):
        after = game.apply(state, rating.action)
        later: Any = game.observation(after, before.seat)
        old: Any = before
        if reason.key == "hint.highest_left":
            suit = rating.action.cards[0] // 13
            follow = {card for hand in game.hands(state) for card in hand if card // 13 == suit} - set(old.hand)
            assert follow  # else it says nothing
        if reason.key in ("hint.takes_pictures", "hint.partner_wins", "hint.lowest_to_win") and later.phase == "play":
            keys[reason.key] += 1
            pair = next(place for place, pair in enumerate(old.pairs) if before.seat in pair)
            gained = set(later.pictures[pair]) - set(old.pictures[pair])
            if reason.key == "hint.takes_pictures":
                assert len(gained) == reason.args["count"]
            elif reason.key == "hint.lowest_to_win":
                assert not gained
                assert later.last_trick.winner == before.seat
            else:
                assert rating.action.cards[0] in gained
                assert later.last_trick.winner == old.partner == reason.args["seat"]
        elif later.trick:
            keys[reason.key] += 1
            if reason.key == "hint.partner_ahead":
                assert later.trick.winner == old.partner == reason.args["seat"]
            elif reason.key == "hint.no_picture_lost":
                assert later.trick.winner == old.trick.winner == reason.args["seat"] != old.partner
            elif reason.key == "hint.nothing_to_add":
                assert later.trick.winner == old.partner == reason.args["seat"]
                assert all(action.cards[0] % 13 < 9 for action in before.legal if action.kind == "play")
            elif reason.key == "hint.cannot_win":
                assert old.trick.winner != old.partner
                for action in before.legal:
                    tried: Any = game.observation(game.apply(state, action), before.seat)
                    assert action.kind == "claim" or tried.trick.winner == old.trick.winner
            elif reason.key == "hint.highest_left" and old.trick:
                assert later.trick.winner == before.seat
    assert keys["hint.takes_pictures"] > 5
    assert keys["hint.partner_wins"] > 2
    assert keys["hint.partner_ahead"] > 2
    assert keys["hint.no_picture_lost"] > 2
    assert keys["hint.cannot_win"] > 2
    assert keys["hint.nothing_to_add"] > 2
    assert keys["hint.highest_left"] > 2
    assert keys["hint.lowest_to_win"] > 2


def test_every_count_in_a_reason_at_kakeya_is_true() -> None:
    keys = Counter[str]()
    for game, state, before, rating, reason in told("kakeya"):
        o: Any = before
        args: Any = reason.args
        key, cards = reason.key.removeprefix("hint."), [*rating.action.cards]
        lying: tuple[int, ...] = o.trick.cards if o.trick else ()
        out = {card for hand in game.hands(state) for card in hand} - set(o.hand)
        pictures = [card for card in o.hand if card % 13 >= 9]
        may = [action.cards[0] for action in o.legal if action.cards]
        keys[key] += 1

        def beats(other: int, card: int) -> bool:
            return winning_index((card, other), o.trump, o.rensho) == 1  # noqa: B023 (called in this turn of the loop)

        higher = {card for card in out if cards and card // 13 == cards[0] // 13 and beats(card, cards[0])}
        if key in ("few_beat", "overtrumps", "risks_no_picture"):
            assert len(higher) == args["count"] > 0
            assert key != "overtrumps" or (cards[0] // 13 == o.trump != lying[0] // 13)
        elif key == "draws_trumps":
            assert sum(card // 13 == o.trump for card in out) == args["count"]
        elif key == "nobody_follows":
            assert not any(card // 13 == cards[0] // 13 for card in out)
        elif key == "unbeatable":
            assert not any(beats(card, cards[0]) for card in out)
        elif key == "last_of_suit":
            assert sum(card // 13 == cards[0] // 13 for card in o.hand) == 1
            assert any(card // 13 == o.trump for card in o.hand)
        elif key == "partner_may_lose":
            assert (o.trick.winner, o.trick.winning_card) == (o.partner, args["card"])
            assert any(beats(card, o.trick.winning_card) for card in out)
        elif key == "keeps_pictures":
            assert o.trick.winner == o.partner
            assert any(card % 13 >= 9 > cards[0] % 13 for card in may)
        elif key in ("no_picture_there", "only_pictures", "partner_to_play"):
            assert o.trick.winner != o.partner
            assert key != "no_picture_there" or all(card % 13 < 9 for card in lying)
            assert key != "only_pictures" or all(card % 13 >= 9 for card in may)
            assert key != "partner_to_play" or len(lying) == 1
        elif key == "for_pictures":
            assert sum(card % 13 >= 9 for card in lying) == args["count"] > 0
        elif key == "leads_next":
            assert len(lying) == 3
            assert game.to_act(game.apply(state, rating.action)) == o.seat
        elif key in ("own_pictures", "sure_cards", "no_sure_card"):
            sure = {
                card for card in pictures if not any(beats(other, card) for other in out if card // 13 == other // 13)
            }
            assert key != "own_pictures" or len(pictures) == args["count"]
            assert (set(args.get("cards", ())) or sure) == sure
            assert (key == "no_sure_card") <= (not sure)
    for key in ("few_beat", "draws_trumps", "risks_no_picture", "partner_may_lose", "partner_to_play", "for_pictures"):
        assert keys[key] > 5, key
    assert len(keys) > 20


def test_kakeya_says_why_in_95_of_100_hints() -> None:
    """In which the moves differ by more than their doubt."""
    game, said = new_game("kakeya", 4), Counter[bool]()
    for number, (_, o) in enumerate(positions(game, 19, matches=9)):
        if o.phase in ("lead", "play"):
            ratings = rate(game, o, Random(number))
            if ratings[0].better_than_some(ratings[1:]):
                said[bool(reasons(game, o, ratings))] += 1
    assert said.total() > 100
    assert said[True] >= 0.95 * said.total()


def test_every_reason_at_zetema_is_true() -> None:
    keys = Counter[str]()
    for game, state, before, rating, reason in told("zetema"):
        keys[reason.key] += 1
        old: Any = before
        new: Any = game.observation(game.apply(state, rating.action), before.seat)
        card = rating.action.cards[0]
        rank, gained = card % 13, new.side_scores[before.seat - 1] - old.side_scores[before.seat - 1]
        if reason.key in ("hint.scores", "hint.scores_most", "hint.wins_match"):
            assert gained == reason.args["points"]
            assert (new.outcome is not None) == (reason.key == "hint.wins_match")
        if reason.key == "hint.scores_most":
            rest = [game.apply(state, other) for other in before.legal if other != rating.action]
            assert all(game.scores(other)[before.seat - 1] < new.scores[before.seat - 1] for other in rest)
        elif reason.key == "hint.no_fourth":
            assert len(new.piles[rank]) < 4
            assert any(len(old.piles[held % 13]) == 3 for held in old.hand)
        elif reason.key == "hint.cheap_fourth":
            assert (len(new.piles[rank]), len(new.lacking[rank])) == (4, 1)
            assert new.lacking[rank][0] not in new.hand or new.lacking[rank][0] in new.drawn
            assert reason.args["points"] < max(
                TRICK_POINTS[held % 13] for held in old.hand if len(old.piles[held % 13]) == 3
            )
        elif reason.key == "hint.own_fifth":
            fifth = reason.args["card"]
            assert fifth in new.hand
            assert (len(new.piles[rank]), new.lacking[rank]) == (4, (fifth,))
        elif reason.key == "hint.waits":
            cards: Any = reason.args["cards"]
            married = [other for other in before.legal if other.kind == "marriage" and other.cards == cards]
            after = [game.apply(state, other) for other in married]
            assert reason.args["points"] in [
                game.scores(one)[before.seat - 1] - old.side_scores[before.seat - 1] for one in after
            ]
            assert not Counter(cards) - Counter(new.hand + sum(new.piles, ()))
    for key in ("no_fourth", "cheap_fourth", "own_fifth", "scores", "scores_most", "keeps_royals", "waits"):
        assert keys["hint." + key] > 5, key


def test_zetema_keeps_what_can_still_be_made() -> None:
    kinds = Counter[str]()
    for _, _, before, rating, reason in told("zetema"):
        if not reason.key.startswith("hint.keeps"):
            continue
        kinds[reason.key] += 1
        old: Any = before
        hand = list(old.hand)
        hand.remove(rating.action.cards[0])
        others = Counter(card for cards in old.lacking for card in cards) - Counter(old.hand)
        if reason.key == "hint.keeps_suit":
            suit = "SHDC".index(str(reason.args["suit"]))
            count = sum(card // 13 == suit for card in hand)
            assert count == reason.args["count"]
            assert sum(number for card, number in others.items() if card // 13 == suit) >= 6 - count
            assert old.stock
            continue
        cards: Any = reason.args["cards"]
        assert not Counter(cards) - Counter(hand)
        if reason.key == "hint.keeps_row":
            ranks = [card % 13 for card in cards]
            rows = [[(start + step) % 13 for step in range(6)] for start in (12, *range(8))]
            found = [row for row in rows if set(ranks) <= set(row)]
            assert len(ranks) == len(set(ranks)) >= 3
            assert any(all(rank in ranks or any(card % 13 == rank for card in others) for rank in row) for row in found)
            assert old.stock
        else:
            for card in cards:
                partner = card + (1 if card % 13 == QUEEN else -1)
                assert old.out.count(partner) < (1 if card // 13 else 2)
    assert min(kinds.values()) > 10
    assert len(kinds) == 3


def test_every_reason_at_truc_is_true() -> None:
    keys = Counter[str]()
    for game, state, before, rating, reason in told("truc"):
        keys[reason.key] += 1
        if reason.key in ("hint.enough", "hint.cannot_win"):
            after: Any = game.observation(game.apply(state, rating.action), before.seat)
            trick = (after.tricks or after.last_hand)[-1]
            assert (trick.winner == before.seat) == (reason.key == "hint.enough")
        elif reason.key == "hint.spoils":
            later: Any = game.observation(game.apply(state, rating.action), before.seat)
            assert (later.tricks or later.last_hand)[-1].winner == 0
        elif reason.key == "hint.no_raise":
            assert {"double", "remainder"} & {action.kind for action in before.legal}
            assert int(str(reason.args["percent"])) < 50
        elif reason.key == "hint.keeps":
            kept: Any = game.observation(game.apply(state, rating.action), before.seat)
            assert reason.args["card"] in kept.hand
        elif reason.key == "hint.odds" and rating.action.kind in ("play", "double", "remainder"):
            assert int(str(reason.args["percent"])) >= 50
        elif reason.key == "hint.poor":
            assert rating.action.kind in ("exchange", "agree", "refuse")
            assert int(str(reason.args["percent"])) < 50
        elif reason.key == "hint.bluff":
            assert rating.action.kind in ("double", "remainder")
            assert int(str(reason.args["percent"])) <= 30
        elif reason.key == "hint.no_exchange":
            assert vars(before)["phase"] in ("exchange", "answer_exchange")
            assert rating.action.kind in ("play", "refuse")
    assert keys["hint.bluff"] > 5
    assert keys["hint.spoils"] > 5
    assert keys["hint.no_raise"] > 5
    assert keys["hint.no_exchange"] > 5
    assert keys["hint.enough"] > 5
    assert keys["hint.cannot_win"] > 5


def test_truc_says_that_to_refuse_loses_the_round_as_well() -> None:
    seen = Counter[bool]()
    for game, state, before, rating, reason in told("truc"):
        if rating.action.kind == "accept":
            refused = game.observation(game.apply(state, game.parse("refuse")), before.seat)
            over = refused.outcome is not None or vars(refused)["rounds"] != vars(before)["rounds"]
            assert (reason.key == "hint.nothing_lost") == over
            seen[over] += 1
    assert min(seen[True], seen[False]) > 5


def test_truc_says_of_the_last_card_only_that_it_is_too_weak_for_a_raise() -> None:
    for _, _, before, rating, reason in told("truc"):
        several = len(vars(before)["hand"]) > 1 or not rating.action.cards
        assert several or reason.key == "hint.no_raise", reason


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("durak", {"hint.keeps_trumps", "hint.holds_back", "hint.taking_costs"}),
        ("truc", {"hint.keeps"}),
        ("zetema", {"hint.keeps_suit", "hint.keeps_row", "hint.keeps_royals", "hint.no_fourth"}),
    ],
)
def test_keeping_cards_is_no_reason_among_equal_moves(name: str, keys: set[str]) -> None:
    """What a move keeps is no reason where those that do not are as good."""
    game = new(name, game_class(name).SEATS[0])
    apart, alike = set[str](), set[str]()
    for _, observation in positions(game, 7, matches=1 if name == "zetema" else 25):
        for action in observation.legal:
            others = [other for other in observation.legal if other != action]
            for value, found in ((0.0, apart), (0.9, alike)):
                ratings = (Rating(action, 1.0, 0.1), *[Rating(other, value, 0.1) for other in others])
                found |= {reason.key for reason in reasons(game, observation, ratings)}
    assert keys <= apart
    assert not keys & alike


def test_every_reason_at_fipsen_is_true() -> None:
    keys = Counter[str]()
    for game, state, before, rating, reason in told("fipsen"):
        keys[reason.key] += 1
        if reason.key in ("hint.cannot_win", "hint.lowest_to_win", "hint.mate_ahead"):
            after: Any = game.observation(game.apply(state, rating.action), before.seat)
            if after.phase != "play":
                continue
            winner = after.winning if after.trick else after.tricks[-1].winner
            assert (winner == before.seat) == (reason.key == "hint.lowest_to_win")
            if reason.key == "hint.mate_ahead":
                assert vars(before)["winning"] == reason.args["seat"] != after.declarer
    assert keys["hint.cannot_win"] > 10
    assert keys["hint.lowest_to_win"] > 10
    assert keys["hint.mate_ahead"] > 10
    assert keys["hint.highest_left"] > 10


def test_fipsen_says_how_far_the_likeliest_bid_is_from_paying() -> None:
    game = new_game("fipsen", 3)
    for _, observation in positions(game, 8):
        first, *others = observation.legal
        if observation.phase == "bid":
            doubtful = [Rating(other, -1.0, 0.4) for other in others if other.args == (2,)]
            ratings = [Rating(first, 0.0, 0.0), *doubtful, *[Rating(other, 9.0, inf) for other in others[1:]]]
            pays = Reason("hint.bid_costs", {"pays": 67})  # 2 to win, 4 to lose
            assert reasons(game, observation, tuple(ratings)) == (Reason("hint.no_bid", {"percent": 50}), pays)
            nearly = (ratings[0], Rating(doubtful[0].action, 0.1, 0.4), *ratings[2:])
            assert reasons(game, observation, nearly) == (pays,)
            assert reasons_over(game, observation, nearly, ratings[2]) == (pays,)
            return
    pytest.fail("nobody could bid")


def test_fipsen_says_what_a_card_changes_where_no_rule_tells() -> None:
    keys = Counter[str]()
    game = new("fipsen", 4)
    for _, observation in positions(game, 7, matches=25):
        o: Any = observation
        if o.phase == "stop":
            stop, go_on = o.legal
            ratings = (Rating(stop, 4.0, 0.0), Rating(go_on, -16.0 * (2 ** len(o.contract.extras)), 0.1))
            (reason,) = reasons(game, o, ratings)
            assert (reason.key, reason.args["pays"]) == ("hint.stop", 84)
        elif o.phase == "play":
            won, lost = worth(o.contract)
            first, *others = [action for action in o.legal if action.cards]
            if others:
                own = o.seat == o.declarer
                often, seldom = (won, (won + lost) / 2) if own else (-lost / 3, -(won + lost) / 6)
                rest = [Rating(other, seldom, 0.01) for other in others]
                for reason in reasons(game, o, (Rating(first, often, 0.01), *rest)):
                    keys[reason.key] += 1
                    if reason.key in ("hint.makes", "hint.beats"):
                        assert reason.key == ("hint.makes" if own else "hint.beats")
                        cards = {"card": first.cards[0], "other_card": others[0].cards[0]}
                        assert reason.args == {**cards, "percent": 100, "less": 50}
    assert keys["hint.makes"] > 5
    assert keys["hint.beats"] > 5


def test_fipsen_says_how_often_a_bid_is_made() -> None:
    game = new_game("fipsen", 3)
    for _, observation in positions(game, 8):
        for action in observation.legal:
            if action.kind == "bid" and observation.phase == "bid":
                for reason in reasons(game, observation, (Rating(action, 0.0, 0.1),)):
                    assert reason == Reason("hint.odds", {"percent": 67})
                return
    pytest.fail("nobody could bid")


@pytest.mark.parametrize("name", OFFERED)
def test_a_reason_over_another_move_does_not_hold_for_that_one(name: str) -> None:
    """Cards aside, nothing that would be said of the other move, if it were the best, is said against it."""
    game, said = new(name, game_class(name).SEATS[0]), Counter[str]()
    for _, observation in list(positions(game, 3))[:60]:
        first, *others = observation.legal
        ratings = (Rating(first, 1.0, 0.1), *[Rating(other, 0.0, 0.1) for other in others])
        for other in ratings[1:]:
            shared = reasons(game, observation, (other, ratings[0]))
            for why in reasons_over(game, observation, ratings, other):
                said[why.key] += 1
                assert why not in shared
                assert why.key in [each.key for each in reasons(game, observation, (ratings[0], other))]
    assert said
