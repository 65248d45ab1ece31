"""Kakeya Trump on the table: where the pointer starts, and what a claim is said to pay."""

from collections import Counter
from itertools import chain
from random import Random

from cardgames.engine.game import CHANCE, Action, Message
from cardgames.engine.kakeya import PICTURES, Kakeya, KakeyaObservation, KakeyaRules
from cardgames.engine.tricks import winning_index
from cardgames.layout import kakeya as table
from cardgames.ui.messages import Words
from tests.bots.test_players import positions as turns

NAMES = ("Ann", "Ben", "Cid", "Dora")


def kakeya(seats: int = 4) -> Kakeya:
    return Kakeya(seats, KakeyaRules(), dealer=seats)


def said(message: Message, language: str = "en") -> str:
    return Words(language, "kakeya", NAMES).say(message)


def test_the_pointer_starts_at_a_card_that_gives_no_picture_away() -> None:
    """No picture goes to the opponents if another card can be played, and one goes to the partner's sure trick."""
    started = Counter[str]()
    for _, o in chain(turns(kakeya(), 2, matches=3), turns(kakeya(6), 2, matches=2)):
        if not isinstance(o, KakeyaObservation) or o.phase != "play" or not o.trick:
            continue
        start = table.question(o).preselected
        assert isinstance(start, Action)
        cards = [action.cards[0] for action in o.legal if action.kind == "play" and action.cards != (o.rensho,)]
        takers = [
            card for card in cards if winning_index((*o.trick.cards, card), o.trump, o.rensho) == len(o.trick.cards)
        ]
        others = [card for card in cards if not PICTURES >> card & 1]
        gifts = [card for card in cards if card not in others and card not in takers]
        if o.trick.winner == o.partner:
            if len(o.trick.cards) == 3 and gifts:
                started["given to the partner"] += 1
                assert start.cards[0] in gifts
        elif others and start.cards[0] not in takers:
            started["kept"] += 1
            assert start.cards[0] in others
        elif start.cards[0] in takers:
            started["taken"] += 1
    assert min(started.values()) > 5
    assert len(started) == 3


def test_the_payment_that_is_offered_is_the_payment_that_is_made() -> None:
    rng = Random(7)
    claims = 0
    for seats in (4, 6):
        for _ in range(30):
            game = kakeya(seats)
            state = game.start()
            while (seat := game.to_act(state)) is not None:
                chance = game.chance(state)
                action = chance.sample(rng) if chance else game.legal_actions(state)[-1]
                if action.kind == "claim":
                    claims += 1
                    message = table.question(game.observation(state, seat)).labels[action]
                    after = game.observation(game.apply(state, action), CHANCE)
                    number = len(game.observation(state, CHANCE).deals)
                    deals = [*after.deals][number:]
                    assert [(deal.losers, deal.chips) for deal in deals] == [
                        (message.args["seats"], message.args["chips"])
                    ]
                elif not chance:
                    action = rng.choice(game.legal_actions(state))
                state = game.apply(state, action)
    assert claims > 50


def test_a_pair_is_said_as_two_and_not_as_a_list() -> None:
    assert said(Message("event.paid", {"seats": (1, 3), "chips": 1})) == "Ann and Cid paid 1 chip"
    assert said(Message("event.paid", {"seats": (1, 3), "chips": 1}), "ja") == "AnnとCidはチップを1枚払いました"
    assert said(Message("event.seated", {"seats": (3, 1, 2, 4)}), "ja").count("、") == 4
