"""Truc on the table: what each sees at telling points, and that nobody sees more. Seat 2 deals the first hand."""

from itertools import chain

from cardgames.engine.cards import RANKS, names
from cardgames.engine.game import CHANCE, Action, Message
from cardgames.engine.truc import PACK, Truc, TrucRules, TrucState
from cardgames.layout import truc as table
from cardgames.layout.scene import Grid
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView
from tests.engine.positions import cards
from tests.layout.positions import do, seen

NAMES = ("Ann", "Ben")


def deck(*hands: str) -> Action:
    """The pack that deals these hands, the non-dealer's first, and then by twos what exchanges bring."""
    pairs = [zip(cards(one), cards(two), strict=True) for one, two in zip(hands[::2], hands[1::2], strict=True)]
    top = tuple(chain(*chain(*pairs)))
    pack = (*top, *[card for card in PACK if card not in top])
    return Action("deal", f"deal {names(pack)}", pack)


def truc(points: int = 12, rounds: int = 2) -> Truc:
    return Truc(2, TrucRules(points, rounds), dealer=2)


def refusal(game: Truc, state: TrucState, seat: int) -> Message:
    """The words for refusing the proposal that ``seat`` has to answer."""
    (said,) = [said for action, said in table.question(game.observation(state, seat)).labels.items()
               if action.kind == "refuse"]  # fmt: skip
    return said


def name(seat: int) -> Message:
    return Message("name", {"seat": seat})


DEALT = deck("TD 7C 9H", "JS 8S AC")
DOUBLED = ("play", "TD", "double", "accept", "JS", "double")
"""The hand of the source, to the dealer's second double."""


# What is there.


def test_cards_come_before_the_proposal() -> None:
    """Cards are offered in the order of the hand and then the proposal."""
    game = truc()
    state = do(game, game.start(), DEALT, "play")
    observation = game.observation(state, 1)
    assert [action.text for action in table.question(observation).actions] == ["7C", "TD", "9H", "double"]
    assert seen(game, state, 1).playable == frozenset(cards("7C TD 9H"))


def test_costly_refusals_say_their_cost() -> None:
    """A refusal that would cost the round or the match says so."""
    game = truc(points=1)
    state = do(game, game.start(), DEALT, "play", "remainder")
    assert refusal(game, state, 2).key == "refuse_round"
    game = truc(points=1, rounds=1)
    state = do(game, game.start(), DEALT, "play", "remainder")
    assert refusal(game, state, 2).key == "refuse_match"


def test_a_spoiled_trick_is_named_and_credited() -> None:
    game = truc()
    state = do(game, game.start(), deck("7S KD 9C", "7H 8C TS"), "play", "7S", "7H")
    (grid,) = (block for block in seen(game, state, 1).middle if isinstance(block, Grid))
    assert grid.heads == (Message("spoiled"),)
    assert grid.marked == ()
    assert [row.end for row in grid.rows] == [Message("tricks_won", {"count": 0})] * 2
    state = do(game, state, "KD", "8C")
    scene = seen(game, state, CHANCE)
    (grid,) = (block for block in scene.middle if isinstance(block, Grid))
    assert [row.end for row in grid.rows] == [Message("tricks_won", {"count": won}) for won in (0, 2)]
    assert grid.marked == cards("8C")


def test_the_sheet() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED, "refuse", deck("KC KD KH", "QC QD QH"))
    sheet = table.sheet(game.observation(state, CHANCE))
    assert sheet.columns.rows == ((name(1), 0, 0), (name(2), 2, 0))
    assert sheet.notes == (Message("needed", {"points": 12, "rounds": 2}), Message("at_stake", {"stake": 1}))


def test_the_order_that_is_played_is_shown() -> None:
    words = Words("en", "truc", NAMES)
    for rules, strength, ranks in (
        (TrucRules(), "7>8>A>K>Q>J>10>9", "78AKQJT9"),
        (TrucRules(order="seven_ace"), "7>A>K>Q>J>10>9>8", "7AKQJT98"),
    ):
        game = Truc(2, rules, dealer=2)
        scene = seen(game, do(game, game.start(), deck("8C 7D AH", "JS 8S AC")), 1)
        assert scene.legend
        assert words.say(scene.legend) == strength
        assert scene.ranks == ranks
        by_rank = GameView(game, NAMES, Settings(sort="rank"))
        assert (
            by_rank.scene(game.observation(do(game, game.start(), deck("8C 7D AH", "JS 8S AC")), 1)).hand == scene.hand
        )
        assert scene.hand == tuple(sorted(scene.hand, key=lambda card: ranks.index(RANKS[card % 13])))


def test_an_answer_is_offered_with_what_comes_of_it() -> None:
    game = truc()
    words = Words("en", "truc", NAMES)

    def offered(state: TrucState, act: str) -> str:
        seat = game.to_act(state)
        assert seat
        question = table.question(game.observation(state, seat))
        action = game.parse(act)
        return words.say(question.labels.get(action) or table.words(action))

    state = do(game, game.start(), deck("7C TD 9H", "8S AC JS"))
    asked = do(game, state, "exchange")
    assert offered(asked, "refuse") == "refuse: all cards stay as they are"
    state = do(game, state, "play", "TD")
    assert offered(state, "double") == "propose to double the stake to 2"
    state = do(game, state, "double")
    assert offered(state, "accept") == "accept: 2 chips are at stake"
    assert offered(state, "refuse") == "refuse: Ben takes 1 and has 1 of 12"
    state = do(game, state, "accept", "JS", "double", "accept", "8S", "double", "accept", "7C")
    assert offered(state, "remainder") == "propose the remainder: this hand for the round"
    state = do(game, state, "remainder")
    assert offered(state, "accept") == "accept: this hand decides the round"
    assert offered(state, "refuse") == "refuse: Ann takes 8 and has 8 of 12"
