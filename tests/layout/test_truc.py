"""Truc on the table: what each sees at telling points, and that nobody sees more. Seat 2 deals the first hand."""

import re
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest
from prompt_toolkit.data_structures import Size
from rich.cells import cell_len

from cardgames.engine.cards import CARDS, RANKS, Card, names
from cardgames.engine.game import CHANCE, Action, Event, Reason
from cardgames.engine.truc import PACK, Truc, TrucObservation, TrucRules, TrucState
from cardgames.layout import truc as table
from cardgames.layout.scene import Chips, Columns, Grid, GridRow, Line, Message, Row, Scene
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.render.card_faces import SYMBOLS
from cardgames.ui.render.cards import Look
from cardgames.ui.render.drawing import Painter
from cardgames.ui.screens.window import table_rows
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView
from tests.layout.positions import cards, do, seen

ANSI = re.compile(r"\x1b\[[0-9;]*m")
FACE = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
LETTERS = {symbol: letter for letter, symbol in SYMBOLS.items()}
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


def drawn(scene: Scene, language: str = "en", width: int = 120, rows: int = 60) -> str:
    """The scene as people see it."""
    painter = Painter(Words(language, "truc", NAMES), Look())
    return ANSI.sub("", painter.scene(scene, width, rows, "Truc · 3"))


def faces(text: str) -> set[Card]:
    """Every card that is to be seen in a text."""
    return {CARDS[("T" if rank == "10" else rank) + LETTERS[suit]] for rank, suit in FACE.findall(text)}


def name(seat: int) -> Message:
    return Message("name", {"seat": seat})


DEALT = deck("TD 7C 9H", "JS 8S AC")
DOUBLED = ("play", "TD", "double", "accept", "JS", "double")
"""The hand of the source, to the dealer's second double."""


# What is there.


def test_the_first_turn() -> None:
    game = truc()
    state = do(game, game.start(), DEALT)
    scene = seen(game, state, 1)
    assert scene.facts == (Message("goal", {"points": 12}), Message("stock", {"count": 26}))
    assert [(player.seat, player.cards, player.chips) for player in scene.players] == [(1, 3, 0), (2, 3, 0)]
    assert [player.marks for player in scene.players] == [(), (Message("dealer"),)]
    assert [player.tally and player.tally[1:] for player in scene.players] == [(0, 2), (0, 2)]
    assert scene.middle == (Chips(Message("stake"), 1),)
    assert scene.hand == cards("7C TD 9H")
    question = table.question(game.observation(state, 1))
    assert [action.text for action in question.actions] == ["exchange", "play"]
    assert Words("en", "truc", NAMES).say(question.message) == "Ann, do you want other cards?"


def test_the_players_keep_their_places_whoever_looks() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, "exchange")
    assert [player.seat for player in seen(game, state, 2).players] == [1, 2]
    assert [player.seat for player in seen(game, state, CHANCE).players] == [1, 2]


def test_cards_come_before_the_proposal() -> None:
    """Cards are offered in the order of the hand and then the proposal."""
    game = truc()
    state = do(game, game.start(), DEALT, "play")
    observation = game.observation(state, 1)
    assert [action.text for action in table.question(observation).actions] == ["7C", "TD", "9H", "double"]
    assert seen(game, state, 1).playable == frozenset(cards("7C TD 9H"))


def test_answering_a_double_reveals_no_other_hand() -> None:
    """Who answers a double sees all that it takes and not the other hand."""
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED)
    scene = seen(game, state, 1)
    assert scene.hand == cards("7C 9H")
    assert [player.chips for player in scene.players] == [0, 0]
    stake, tricks = scene.middle
    assert stake == Chips(Message("stake"), 2, becomes=4)
    assert refusal(game, state, 1) == Message("refuse_proposal", {"seat": 2, "stake": 2, "points": 2, "goal": 12})
    assert tricks == Grid(
        heads=(Message("trick_number", {"number": 1}),),
        rows=(
            GridRow(name(1), cards("TD"), Message("tricks_won", {"count": 0})),
            GridRow(name(2), cards("JS"), Message("tricks_won", {"count": 1})),
        ),
        marked=cards("JS"),
        led=cards("TD"),
    )
    assert faces(drawn(scene)) == set(cards("7C 9H TD JS"))
    question = table.question(game.observation(state, 1))
    assert [action.text for action in question.actions] == ["accept", "refuse"]
    assert question.message.args["by"] == 2
    assert (question.message.args["stake"], question.message.args["doubled"]) == (2, 4)


def test_the_hand_over_shows_the_proposal_and_no_hand() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED)
    scene = seen(game, state, CHANCE)
    assert scene.middle[0] == Chips(Message("stake"), 2, becomes=4)
    assert faces(drawn(scene)) == set(cards("TD JS"))


def test_who_answers_a_remainder_sees_that_the_round_is_at_stake() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED, "accept", "8S", "double", "accept", "7C", "remainder")
    scene = seen(game, state, 2)
    assert scene.middle[0] == Chips(Message("stake"), 8, becomes=Message("the_round"))
    assert refusal(game, state, 2) == Message("refuse_proposal", {"seat": 1, "stake": 8, "points": 8, "goal": 12})
    assert faces(drawn(scene)) == set(cards("AC TD JS 8S 7C"))
    state = do(game, state, "accept")
    assert seen(game, state, 1).middle[0] == Line(Message("remainder_decides", {"seat": 1}))


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


def test_the_card_to_be_answered_lies_there_and_is_named() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, "play", "TD")
    scene = seen(game, state, 2)
    (grid,) = (block for block in scene.middle if isinstance(block, Grid))
    assert [row.cards for row in grid.rows] == [cards("TD"), (None,)]
    question = table.question(game.observation(state, 2))
    assert Words("en", "truc", NAMES).say(question.message) == "Ben, answer 10♦, or propose first"
    state = do(game, state, "double", "accept")
    question = table.question(game.observation(state, 2))
    assert Words("en", "truc", NAMES).say(question.message) == "Ben, answer 10♦"


def test_cards_that_stayed_hidden_stay_hidden() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED, "refuse")
    for seat in (CHANCE, 1, 2):
        observation = game.observation(state, seat)
        scene = table.scene(observation)
        assert scene.hand == ()
        assert scene.middle[0] == Line(Message("last_hand"))
        assert faces(drawn(scene)) == set(cards("TD JS"))
        assert [player.chips for player in scene.players] == [0, 2]
    state = do(game, state, deck("KC KD KH", "QC QD QH"))
    blocks = table.look_back(game.observation(state, 1))
    painter = Painter(Words("en", "truc", NAMES), Look())
    assert faces(painter.blocks(blocks, 80)) == set(cards("TD JS"))


def test_who_laid_cards_aside_sees_them_and_nobody_else_does() -> None:
    game = truc()
    state = do(game, game.start(), deck("TD 7C 9H", "JS 8S AC", "KC KD KH", "QC QD QH"), "exchange", "agree")
    aside = Row(Message("laid_aside"), cards("7C TD 9H"))
    assert aside in seen(game, state, 1).middle
    assert faces(drawn(seen(game, state, 1))) == set(cards("TD 7C 9H KC KD KH"))
    assert faces(drawn(seen(game, state, 2))) == set(cards("JS 8S AC QC QD QH"))
    assert faces(drawn(seen(game, state, CHANCE))) == set()


def test_the_cards_laid_aside_have_room_beside_a_spoiled_trick() -> None:
    game = truc()
    state = do(game, game.start(), deck("TD 7C 9H", "JS 8S AC", "KC KD KH", "KS QD QH"), "exchange", "agree", "play")
    state = do(game, state, "KC", "KS")
    for columns, rows in ((60, 20), (80, 24)):
        text = drawn(seen(game, state, 1), width=columns, rows=table_rows(Size(rows=rows, columns=columns)))
        assert "spoiled" in text
        assert faces(text) == set(cards("TD 7C 9H KC KS KD KH"))


def test_the_last_hand() -> None:
    game = truc()
    state = do(game, game.start(), DEALT)
    assert table.look_back(game.observation(state, CHANCE)) == (Line(Message("first_hand")),)
    state = do(game, state, "play", "double", "refuse", deck("KC KD KH", "QC QD QH"))
    assert table.look_back(game.observation(state, CHANCE)) == (Line(Message("last_unplayed")),)


def test_the_sheet() -> None:
    game = truc()
    state = do(game, game.start(), DEALT, *DOUBLED, "refuse", deck("KC KD KH", "QC QD QH"))
    sheet = table.sheet(game.observation(state, CHANCE))
    assert sheet.columns.rows == ((name(1), 0, 0), (name(2), 2, 0))
    assert sheet.notes == (Message("needed", {"points": 12, "rounds": 2}), Message("at_stake", {"stake": 1}))


def test_the_sheet_shows_with_how_many_points_each_round_ended() -> None:
    game = truc(points=2)
    state = do(game, game.start(), DEALT, "play", "double", "accept", "7C", "8S", "TD", "JS", "AC", "9H")
    head = (Message("head.round"), name(1), name(2), Message("head.won_by"))
    first = (1, 0, 2, name(2))
    assert table.sheet(game.observation(state, CHANCE)).notes[-1] == Columns(head, (first,))
    state = do(game, state, DEALT, "play", "double", "refuse", deck("7S 8D KC", "9H 9C KH"), "play")
    state = do(game, state, "7S", "remainder", "accept", "9H", "8D", "9C")
    sheet = table.sheet(game.observation(state, CHANCE))
    assert sheet.columns.rows == ((name(1), 0, 1), (name(2), 1, 1)), "as they stand on the table"
    assert sheet.notes[-1] == Columns(head, (first, (2, 0, 1, Message("by_remainder", {"seat": 1}))))
    text = ANSI.sub("", Painter(Words("en", "truc", NAMES), Look()).sheet(sheet, 60))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "1 0 2 Ben" in lines
    assert "2 0 1 Ann, by the remainder" in lines


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


def test_played_cards_stay_until_the_next_deal() -> None:
    """So nothing that has ended need be shown from its event."""
    game = truc()
    events: list[Event] = []
    state = do(game, game.start(), DEALT, "play", "7C", "8S", "9H", "AC", "JS")
    state = game.apply(state, game.parse("TD"), events.append)
    assert {"trick_won", "took_stake"} < {event.key for event in events}
    assert [table.removed_blocks(event) for event in events] == [()] * len(events)
    assert faces(drawn(seen(game, state, CHANCE))) == set(cards("7C 8S 9H AC JS TD"))


def test_the_end() -> None:
    game = truc(points=1, rounds=1)
    state = do(game, game.start(), DEALT, "play", "7C", "8S", "9H", "AC", "JS", "TD")
    scene = seen(game, state, CHANCE)
    assert [player.tally and player.tally[1:] for player in scene.players] == [(0, 1), (1, 1)]
    assert faces(drawn(scene)) == set(cards("7C 8S 9H AC TD JS"))


# Whole matches.


RULES = ((12, 2), (5, 2), (1, 1), (30, 1))


def match(points: int, rounds: int) -> Iterator[tuple[Truc, TrucState, list[Event], set[Card]]]:
    """Every state of a random match, what was told on the way to it, and the cards played in this hand or the last."""
    rng = Random(points)
    game = truc(points, rounds)
    state = game.start()
    open_cards: set[Card] = set()
    before: set[Card] = set()
    yield game, state, [], set()
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        if chance:
            before, open_cards = open_cards, set()
            action = chance.sample(rng)
        else:
            action = rng.choice(game.legal_actions(state))
            open_cards |= set(action.cards)
        events: list[Event] = []
        state = game.apply(state, action, events.append)
        assert seat in (0, 1, 2)
        yield game, state, events, open_cards | before


@pytest.mark.parametrize(("points", "rounds"), RULES)
def test_nobody_sees_a_card_that_is_hidden_from_them(points: int, rounds: int) -> None:
    for game, state, _, open_cards in match(points, rounds):
        for seat in (CHANCE, 1, 2):
            observation = game.observation(state, seat)
            own = {*observation.hand, *observation.laid_aside}
            assert faces(drawn(table.scene(observation))) <= open_cards | own
            assert seat or not own


@pytest.mark.parametrize(("points", "rounds"), RULES)
def test_the_offers_are_the_legal_actions(points: int, rounds: int) -> None:
    for game, state, _, _ in match(points, rounds):
        seat = game.to_act(state)
        if seat:
            observation = game.observation(state, seat)
            question = table.question(observation)
            assert not question.picks
            assert len(set(question.actions)) == len(question.actions)
            assert set(question.actions) == set(game.legal_actions(state))
            assert table.scene(observation).clause


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("points", "rounds"), RULES)
def test_everything_can_be_said(points: int, rounds: int, language: str) -> None:
    words = Words(language, "truc", NAMES)
    painter = Painter(words, Look())
    keys = set()
    for game, state, events, _ in match(points, rounds):
        said = [Reason("event." + event.key, event.args) for event in events]
        for seat in (CHANCE, 1, 2):
            observation = game.observation(state, seat)
            said += [table.words(action) for action in observation.legal]
            for action, reason in observation.refused:
                said += [table.words(action), Reason("reason." + reason.key, reason.args)]
            if observation.legal:
                said.append(table.question(observation).message)
            assert painter.sheet(table.sheet(observation), 60)
            assert painter.blocks(table.look_back(observation), 60)
        outcome = game.outcome(state)
        if outcome:
            said.append(Reason("why." + outcome.why.key, outcome.why.args))
        for message in said:
            assert words.say(message)
            keys.add(message.key)
    assert {key for key in keys if key.startswith("action.")} >= {"action.card", "action.remainder", "action.refuse"}


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


def needed(observation: TrucObservation, words: Words) -> list[str]:
    """The parts of the scene that must be in view to choose a move."""
    decides = observation.remainder is not None and observation.proposer is None
    stake = words.text("remainder_decides", seat=observation.remainder) if decides else words.text("stake")
    return [stake, *[words.faces.card(card).text for card in observation.hand], *NAMES]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (160, 50)])
def test_everything_that_a_move_takes_is_in_view(width: int, height: int, language: str) -> None:
    """In the rows that the table always has; nothing is cut off or wrapped."""
    words = Words(language, "truc", NAMES)
    for game, state, _, open_cards in match(12, 2):
        seat = game.to_act(state)
        if not seat:
            continue
        observation = game.observation(state, seat)
        question = table.question(observation)
        rows = table_rows(Size(rows=height, columns=width))
        text = drawn(table.scene(observation), language, width, rows)
        lines = text.splitlines()
        assert len(lines) <= rows
        assert all(cell_len(line.rstrip()) <= width for line in lines)
        assert "…" not in text
        assert [what for what in needed(observation, words) if what not in text] == []
        laid = {card for trick in observation.tricks for card in trick.cards}
        assert laid | set(observation.hand) <= faces(text) <= open_cards | {*observation.hand, *observation.laid_aside}
        assert cell_len(words.say(question.message)) <= width - 3
