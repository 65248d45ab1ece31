"""Kakeya Trump on the table: what each sees at telling points, and that nobody sees more. Pair 2·4, or 3·6, deals."""

from collections import Counter
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from cardgames.engine import record
from cardgames.engine.cards import CARDS
from cardgames.engine.game import CHANCE, Action, Event, Message
from cardgames.engine.kakeya import PICTURES, Kakeya, KakeyaObservation, KakeyaRules, KakeyaState
from cardgames.engine.tricks import winning_index
from cardgames.layout import kakeya as table
from cardgames.layout.scene import MarkCount, Scene, Side, Sides, TakenCards
from cardgames.ui.messages import Words
from tests.bots.test_players import positions as turns
from tests.engine.positions import cards
from tests.layout.positions import do, seen

NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")
RECORDS = Path(__file__).parents[1] / "records"

STORY = (
    "KS 8S 6S 3S AH 7H QD 9D 4D KC 8C 5C 2C",
    "AS JS 5S 9H 6H 4H 3H JD TD 8D 2D TC 6C",
    "QS TS 4S KH JH TH 8H AD 6D 3D AC QC JC",
    "9S 7S 2S QH 5H 2H KD 7D 5D 9C 7C 4C 3C",
)
"""The hands of the rules page, in turn order."""
FIRST_TRICKS = "AH 3H 8H 2H  7H 4H KH 5H  JH QH 3S 6H  KC 6C JC 3C  2C TC QC 4C  AD 5D 4D 2D  3D KD 9D 8D"
TOLD = f"{FIRST_TRICKS}  7C 5C AS AC  QS 2S 6S 5S  TS 7S KS JS"


def deck(*hands: str) -> str:
    """The pack that deals these hands, in turn order."""
    return "deal " + " ".join(card for four in zip(*[hand.split() for hand in hands], strict=True) for card in four)


def kakeya(seats: int = 4, claims: bool = True, games: int = 1) -> Kakeya:
    return Kakeya(seats, KakeyaRules(claims, games), dealer=seats)


def sides(scene: Scene) -> dict[tuple[int, ...], Side]:
    """The line of each pair."""
    (block,) = (block for block in scene.middle if isinstance(block, Sides))
    return {side.label.args["seats"]: side for side in block.sides}  # type: ignore[misc]


def marks(scene: Scene) -> dict[int, tuple[str, ...]]:
    """The marks of each player, in English."""
    words = Words("en", "kakeya", NAMES)
    return {
        player.seat: tuple(words.say(mark) for mark in player.marks if not isinstance(mark, MarkCount))
        for player in scene.players
    }


def said(message: Message, language: str = "en") -> str:
    return Words(language, "kakeya", NAMES).say(message)


# Before the cards.


def test_the_present_trumps_are_offered_first_and_rensho_changes_with_them() -> None:
    game = kakeya()
    state = do(game, game.start(), "trump D", deck(*STORY), "lead")
    scene = seen(game, state, 1)
    assert scene.boss == CARDS["AS"]
    assert scene.hand[:3] == cards("QD 9D 4D")
    state = do(game, kakeya(claims=False).start(), "trump D", deck(*STORY), "lead")
    while game.observation(state, CHANCE).phase == "play":
        state = do(game, state, game.legal_actions(state)[0].text)
    observation = game.observation(state, game.to_act(state) or 0)
    question = table.question(observation)
    assert [action.args[0] for action in question.actions] == ["D", "S", "H", "C"]


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


# The trick.


@pytest.mark.parametrize("setup", [(4, False, 2), (4, True, 1), (6, True, 2)], ids=str)
def test_only_a_deals_end_clears_the_pictures(setup: tuple[int, bool, int]) -> None:
    """What ends a deal clears the pictures away and nothing else does."""
    rng = Random(5)
    game = kakeya(*setup)
    state = game.start()
    ends = 0
    while game.to_act(state) is not None:
        chance = game.chance(state)
        action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
        before, events = game.observation(state, CHANCE), list[Event]()
        state = game.apply(state, action, events.append)
        after = game.observation(state, CHANCE)
        cleared = [block for event in events for block in table.removed_blocks(event)]
        if len(after.deals) == len(before.deals) or before.phase not in ("lead", "play"):
            assert not cleared
            continue
        ends += 1
        (block,) = cleared
        deal = after.deals[-1]
        assert isinstance(block, TakenCards)
        assert {row[0]: row[1] for row in block.columns.rows} == {
            Message("pair", {"seats": deal.winners}): deal.pictures[0],
            Message("pair", {"seats": deal.losers}): deal.pictures[1],
        }
    assert ends > 1


# Claims.


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


# Six, debts, and series.


def test_the_dealing_pair_sits_out_and_comes_in() -> None:
    game = kakeya(6)
    state = do(game, game.start(), "trump S", deck(*STORY))
    scene = seen(game, state, CHANCE)
    assert [player.seat for player in scene.players] == [1, 2, 3, 4, 5, 6]
    assert [player.cards for player in scene.players] == [13, 13, 0, 13, 13, 0]
    assert [player.resting for player in scene.players] == [False, False, True, False, False, True]
    assert marks(scene)[1] == ("with Dora",)
    assert marks(scene)[3] == marks(scene)[6] == ("resting",)
    assert list(sides(scene)) == [(1, 4), (2, 5), (3, 6)]
    assert sides(scene)[3, 6].marks == (Message("dealers"), Message("resting"))
    state = do(game, state, "lead", *TOLD.split(), "claim")
    observation = game.observation(state, CHANCE)
    scene = table.scene(observation)
    assert observation.dealers == (2, 5)
    assert not any(player.resting for player in scene.players)
    assert sides(scene)[2, 5].marks == (Message("dealers"),)
    scene = seen(game, do(game, state, "trump S", deck(*STORY), "lead"), CHANCE)
    assert [player.seat for player in scene.players if player.resting] == [2, 5]
    assert list(sides(scene)) == [(1, 4), (2, 5), (3, 6)]


def of_record(name: str) -> tuple[Kakeya, list[KakeyaState]]:
    with (RECORDS / name).open("rb") as lines:
        _, game, plies = record.read(lines)
        assert isinstance(game, Kakeya)
        return game, [ply.state for ply in plies]


def test_in_a_series_players_keep_their_names_and_change_partners() -> None:
    game = kakeya(games=3)
    rng = Random(3)
    state = game.start()
    while game.observation(state, CHANCE).phase != "seats":
        chance = game.chance(state)
        state = game.apply(state, chance.sample(rng) if chance else rng.choice(game.legal_actions(state)))
    before = game.observation(state, CHANCE)
    assert [player.score for player in table.scene(before).players] == [
        Message("points", {"points": points}) for points in before.points
    ]
    state = do(game, state, "seats 3 1 2 4")
    observation = game.observation(state, 3)
    scene = table.scene(observation)
    assert [player.seat for player in scene.players] == [1, 2, 3, 4]
    assert marks(scene) == {3: ("with Ben",), 1: ("with Dora",), 2: ("your partner",), 4: ("with Ann",)}
    assert list(sides(scene)) == [(3, 2), (1, 4)]
    assert scene.facts[0] == Message("game_number", {"number": 2})
    sheet = table.sheet(observation)
    assert sheet.columns.rows[0] == (
        Message("name", {"seat": 1}),
        Message("name", {"seat": 4}),
        5,
        before.points[0],
        before.games[0][0],
    )


def test_the_sheet_tells_how_each_deal_was_settled() -> None:
    game = kakeya()
    assert table.sheet(game.observation(game.start(), CHANCE)).notes == (Message("no_deals"),)
    game, states = of_record("kakeya-rensho.jsonl")
    observation = game.observation(states[-1], CHANCE)
    notes = [said(note) for note in table.sheet(observation).notes if isinstance(note, Message)]
    assert len(notes) == len(observation.deals)
    assert all(note.startswith(f"Deal {number}") for number, note in enumerate(notes, 1))


def test_the_end_shows_ranks_which_equal_totals_share() -> None:
    game = kakeya(6)
    state = do(game, game.start(), "trump S", deck(*STORY), "lead", *TOLD.split(), "claim")
    assert all(player.score is None for player in seen(game, state, CHANCE).players)
    state = do(game, state, "time")
    observation = game.observation(state, CHANCE)
    score = {player.seat: player.score for player in table.scene(observation).players}
    assert {seat: said(message) for seat, message in score.items() if message} == {
        1: "rank 1: 7 pts",
        2: "rank 5: 3 pts",
        3: "rank 3: 5 pts",
        4: "rank 1: 7 pts",
        5: "rank 5: 3 pts",
        6: "rank 3: 5 pts",
    }
    assert said(Message("ranked", {"number": 3, "points": -1}), "ja") == "3位（-1点）"
    columns = table.sheet(observation).columns
    assert columns.head[0] == Message("head.rank")
    assert [row[:2] for row in columns.rows] == [
        (rank, Message("name", {"seat": seat})) for rank, seat in ((1, 1), (1, 4), (3, 3), (3, 6), (5, 2), (5, 5))
    ]


def test_a_pair_is_said_as_two_and_not_as_a_list() -> None:
    assert said(Message("event.paid", {"seats": (1, 3), "chips": 1})) == "Ann and Cid paid 1 chip"
    assert said(Message("event.paid", {"seats": (1, 3), "chips": 1}), "ja") == "AnnとCidはチップを1枚払いました"
    assert said(Message("event.seated", {"seats": (3, 1, 2, 4)}), "ja").count("、") == 4
