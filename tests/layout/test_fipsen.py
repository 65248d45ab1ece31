"""Fipsen on the table: what each sees at telling points, and that nobody sees more.

The last seat deals the first deal, so that seat 1 speaks first, and is declarer in most tests.
"""

import pytest

from cardgames.engine.cards import names
from cardgames.engine.fipsen import PACK, Fipsen, FipsenRules, FipsenState
from cardgames.engine.fipsen_bids import BIDS
from cardgames.engine.game import CHANCE, Action, Message
from cardgames.layout import fipsen as table
from cardgames.layout.question import Question
from cardgames.layout.scene import Line, MarkCount, Scene
from cardgames.ui.messages import Words
from tests.engine.positions import cards
from tests.layout.positions import asked, do, seen

PEOPLE = ("Ann", "Ben", "Cleo", "Dora")

FIRST_DEAL = ("AS KS JS 9H 8C", "AH KH QH KC 9C", "QS 8S JH TH QC", "7S 8H 7H TC 7C", "TS AC")
"""The first deal of the rules page: four hands and the skat."""

KIEKER = ("AS 9S 8S TH 7D", "AC KC QC JC TC", "AH KH QH JH 9H", "9C 8C 7C 8H 7H", "KS QS")
"""Seat 1 has no K, Q or J."""


SEVENS = ("7C 7S 7H AS KH", "AC KC QC JC TC", "AH QH JH TH 9H", "8C QS JS TS 8H", "7D 9C")
"""Seat 1 finds the fourth seven in the skat."""


def each(text: str) -> list[str]:
    return text.split()


def deck(*hands_and_skat: str) -> Action:
    """The pack that deals these hands, from seat 1 on, and this skat."""
    *hands, skat = [cards(text) for text in hands_and_skat]
    pack = [card for hand in hands for card in hand[:3]] + [*skat] + [card for hand in hands for card in hand[3:]]
    pack += [card for card in PACK if card not in pack]
    return Action("deal", f"deal {names(pack)}", tuple(pack))


def fipsen(seats: int = 4, deals: int = 12) -> Fipsen:
    return Fipsen(seats, FipsenRules(deals), dealer=seats)


def dealt(hands: tuple[str, ...], *moves: str, deals: int = 12) -> tuple[Fipsen, FipsenState]:
    game = fipsen(len(hands) - 1, deals)
    return game, do(game, game.start(), deck(*hands), *moves)


def words(language: str = "en") -> Words:
    return Words(language, "fipsen", PEOPLE)


def said(message: Message, language: str = "en") -> str:
    return words(language).say(message)


def offers(question: Question, language: str = "en") -> list[str]:
    """The words of each action of a question."""
    return [said(question.labels.get(action) or table.words(action), language) for action in question.actions]


def lines(scene: Scene, language: str = "en") -> list[str]:
    """The lines of text in the middle."""
    return [said(block.message, language) for block in scene.middle if isinstance(block, Line)]


def marks(scene: Scene) -> dict[int, list[str]]:
    return {
        player.seat: [mark.key for mark in player.marks if not isinstance(mark, MarkCount)] for player in scene.players
    }


# The auction.


def test_bids_are_sorted_and_priced() -> None:
    """The bids come by tricks and extras each with what it wins and loses."""
    game, state = dealt(FIRST_DEAL)
    question = asked(game, state)
    assert offers(question) == ["pass"]
    assert [said(offer) for offer, _ in question.further] == [f"bid {count} tricks …" for count in (2, 3, 4, 5)]
    two, three, _, five = [further for _, further in question.further]
    assert said(two.message) == "Ann, 2 tricks: with which extras?"
    assert offers(two) == [
        "2 tricks: +2 or -4",
        "2 hand: +4 or -8",
        "2 ruten: +4 or -8",
        "2 durch: +4 or -8",
        "2 hand ruten: +8 or -16",
        "2 hand durch: +8 or -16",
        "2 ruten durch: +8 or -16",
        "2 hand ruten durch: +16 or -32",
    ]
    assert offers(three)[0] == "3 tricks: +3 or -6"
    assert offers(five) == [
        "5 tricks: +10 or -20",
        "5 hand: +20 or -40",
        "5 ruten: +20 or -40",
        "5 hand ruten: +40 or -80",
    ]
    assert sum(len(further.actions) for _, further in question.further) == len(BIDS) - 2
    assert five.costly == {*five.actions}
    assert not two.costly
    assert question.preselected == game.parse("pass")
    assert offers(two, "ja")[1] == "2トリック・ハンド（+4か-8）"


def test_the_pointer_starts_at_the_longest_suit_and_no_skat() -> None:
    game, state = dealt(FIRST_DEAL, "bid 2", "pass", "pass", "pass")
    assert asked(game, state).preselected == game.parse("hand")
    assert asked(game, do(game, state, "hand")).preselected == game.parse("trump S")


@pytest.mark.parametrize(
    ("moves", "start"),
    [
        ("", "KS"),  # only the own ace of trumps beats it
        ("AS", "9C"),  # nothing beats it, so the cheapest
        ("AS 9C 8S 7S 9H", "QH"),  # the cheapest that no card still out beats
        ("AS 9C 8S 7S 9H QH", "TH"),  # another defender is winning
        ("AS 9C 8S 7S 9H QH TH 7H KH JH 8H", "JS"),  # the last player's cheapest trump
    ],
)
def test_the_pointer_starts_at_a_sure_card_or_the_cheapest(moves: str, start: str) -> None:
    game, state = dealt(FIRST_DEAL, "bid 3", "pass", "pass", "pass", "hand", "trump S", *each(moves))
    assert asked(game, state).preselected == game.parse(start)


def test_a_kieker_marks_its_bidder() -> None:
    game, state = dealt(KIEKER, "bid kieker", "bid 5")
    assert marks(seen(game, state, CHANCE))[1] == ["stands", "courtless"]
    state = do(game, state, "pass", "pass", "pass")
    assert marks(seen(game, state, CHANCE)) == {1: ["courtless"], 2: ["declarer"], 3: [], 4: ["dealer"]}


# Four sevens and an ace.

DEALT_SEVENS = ("7C 7S 7H 7D AS", "AC KC QC JC TC", "AH QH JH TH 9H", "8C QS JS TS 8H", "KH 9C")
"""Seat 1 has been dealt four sevens and an ace."""

REMINDER = "Four sevens and an ace: 30 points if you say so"


def test_only_the_holder_learns_of_four_sevens() -> None:
    """Who holds four sevens and an ace is told so on each turn and nobody else is."""
    game, state = dealt(DEALT_SEVENS)
    for move in each("bid_2 bid_2_hand hold pass pass pass name_ruten skat discard_9C_KH"):
        for seat in range(5):
            told_so = REMINDER in lines(seen(game, state, seat))
            assert told_so == (seat == game.to_act(state) == 1)
        state = do(game, state, move.replace("_", " "))
    assert game.observation(state, 1).phase == "play"
    assert REMINDER in lines(seen(game, state, 1))
    assert "4枚の7とAがそろっています。宣言すれば30点です" in lines(seen(game, state, 1), "ja")
    state = do(game, state, "AS")
    assert not [seat for seat in range(5) if REMINDER in lines(seen(game, state, seat))]


def test_giving_up_four_sevens_asks_again() -> None:
    """A pass that gives up four sevens is asked for once more."""
    game, state = dealt(DEALT_SEVENS)
    question = asked(game, state)
    assert said(question.message) == "Ann, open with a bid, or pass"
    assert "pass" not in offers(question)
    assert offers(question)[0] == "four sevens and an ace: 30 points, and no play"
    (offer, sure), *bids = question.further
    assert len(bids) == 4
    assert said(offer) == "pass, and give up four sevens and an ace"
    assert said(sure.message) == "Ann, pass, and give up four sevens and an ace?"
    assert offers(sure) == ["four sevens and an ace: 30 points, and no play", "pass"]
    assert all(Message("to_pass") != offer for offer, _ in asked(game, do(game, state, "bid 2")).further)
    answered = asked(game, do(game, state, "bid 2", "bid 3"))
    assert offers(answered)[:2] == ["hold: +3 or -6", "four sevens and an ace: 30 points, and no play"]
    assert [offer.key for offer, _ in answered.further] == ["to_pass", "to_bid", "to_bid", "to_bid"]


def test_four_sevens_are_offered_before_the_discards() -> None:
    game, state = dealt(SEVENS, "bid 2", "pass", "pass", "pass", "skat")
    question = asked(game, state)
    assert said(question.message) == "Ann, four sevens and an ace: say so?"
    assert offers(question) == ["four sevens and an ace: 30 points, and no play"]
    ((offer, further),) = question.further
    assert said(offer) == "go on: lay 2 cards away and play"
    assert len(further.picks) == 7
    assert further.status(cards("9C KH")) == Message("ticked", {"number": 2, "count": 2})
    giving_up = further.status(cards("7C KH"))
    assert giving_up
    assert said(giving_up) == "2 of 2, giving up four sevens and an ace"
    assert further.combine(cards("7C KH")) == game.parse("discard 7C KH")


# The play.


def test_a_trump_wins_over_the_suit_led() -> None:
    game, state = dealt(FIRST_DEAL, "bid 2 hand", "pass", "pass", "pass", "trump D", "9H", "AH", "JH", "7H")
    ben = seen(game, state, 1).players[1]
    assert (ben.played, ben.winning, ben.because) == (cards("AH"), True, Message("won.led", {"suit": "H"}))
    game, state = dealt(FIRST_DEAL, "bid 2 hand", "pass", "pass", "pass", "trump C", "AS", "9C", "8S", "7S")
    players = seen(game, state, CHANCE).players
    assert [player.played for player in players] == [cards("AS"), cards("9C"), cards("8S"), cards("7S")]
    assert [player.because for player in players] == [None, Message("won.trump", {"suit": "C"}), None, None]
    game, state = dealt(FIRST_DEAL, "bid 2 hand", "pass", "pass", "pass", "trump C", "AS", "9C")
    ben = seen(game, state, CHANCE).players[1]
    assert (ben.winning, ben.because) == (True, Message("wins.trump", {"suit": "C"}))
    cleo = asked(game, state)
    assert said(cleo.message) == "Cleo, follow ♠"
    assert said(asked(game, do(game, state, "8S")).message) == "Dora, follow ♠"


def first_deal(*then: str) -> tuple[Fipsen, FipsenState]:
    """The first deal of the rules page, to the end of the third trick, and what follows."""
    tricks = each("AS 9C 8S 7S KS QH QS 7H JS KH TH 8H")
    auction = ("bid 2", "bid 3", "hold", "pass", "pass", "pass", "skat", "discard 8C 9H", "trump S")
    return dealt(FIRST_DEAL, *auction, *tricks, *then, deals=1)


def test_stop_or_go_on() -> None:
    game, state = first_deal()
    assert said(asked(game, state).message) == "Ann, your bid is made: stop, or go on?"
    assert offers(asked(game, state)) == ["stop: +3", "go on for all five: +6 or -12"]
    assert [player.played for player in seen(game, state, 1).players] == [cards(card) for card in each("JS KH TH 8H")]
    state = do(game, state, "continue")
    scene = seen(game, state, CHANCE)
    assert scene.players[0].marks == (MarkCount(Message("declarer"), 3, 5),)
    assert lines(scene) == [
        "Ann plays 3 durch alone: +6 if made, -12 if not",
        "the others together: 0 of 1 trick needed to beat it",
    ]


def test_score_sheet_has_player_and_value_columns() -> None:
    """The sheet has a column a player and one for the value."""
    game, state = dealt(SEVENS, "bid 2", "pass", "pass", "pass", "skat", "sevens")
    state = do(game, state, deck(*FIRST_DEAL))  # to seat 2 first
    auction = ("bid 2 hand", "pass", "pass", "pass", "trump S")
    state = do(game, state, *auction, *each("AS 9C 8S 7S KS KC QS 7H"), "stop")
    sheet = table.sheet(game.observation(state, CHANCE))
    four_sevens, bid = Message("sheet_sevens"), Message("bid_alone", {"bid": "2 hand"})
    assert game.scores(state) == (30, 4, 0, 0)
    assert sheet.columns.rows == (
        (1, 30, None, None, None, 30, four_sevens),
        (2, None, 4, None, None, 4, bid),
        (Message("total"), 30, 4, 0, 0, None, None),
    )
    assert sheet.columns.head[1:5] == tuple(Message("name", {"seat": seat}) for seat in (1, 2, 3, 4))
