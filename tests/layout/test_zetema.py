"""Zetema on the table: what each sees at telling points, what is offered, and that nobody sees more."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from random import Random

import pytest

from cardgames.engine.cards import CARDS, NAMES, RANKS, Card, names, rank_of
from cardgames.engine.game import CHANCE, Action, Event, Message
from cardgames.engine.zetema import PACK, Zetema, ZetemaObservation, ZetemaRules, ZetemaState, points_of
from cardgames.layout import zetema as table
from cardgames.layout.question import Question
from cardgames.layout.scene import Columns, Pile, Piles, Row, Scene
from cardgames.ui.messages import Words
from tests.bots.test_players import positions
from tests.engine.positions import cards
from tests.layout.positions import asked, do, seen

PEOPLE = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")


def deck(*hands: str, stock: str = "") -> Action:
    """The pack that deals these hands, that of the dealer's left first, and then brings the stock."""
    top = (*chain(*zip(*map(cards, hands), strict=True)), *cards(stock))
    rest = Counter(PACK) - Counter(top)
    pack = (*top, *rest.elements())
    return Action("deal", f"deal {names(pack)}", pack)


def zetema(seats: int = 2, teams: bool = True) -> Zetema:
    """The last seat deals, so that seat 1 begins."""
    return Zetema(seats, ZetemaRules(teams), dealer=seats)


def said(game: Zetema, question: Question, language: str = "en") -> list[str]:
    """The lines that are offered, in their order."""
    words = Words(language, "zetema", PEOPLE[: game.seats])
    offers = [message for message, _ in question.further]
    offers += [question.labels.get(action) or table.words(action) for action in question.actions]
    offers += [pick.message for pick in question.picks]
    return [words.say(message) for message in offers]


def pile(scene: Scene, label: str) -> Pile:
    (piles,) = scene.middle
    assert isinstance(piles, Piles)
    return next(pile for pile in piles.piles if pile.label == label)


STORY = deck("9S 5S 6H QD 7D 8C", "2S KH 3H KD 9D JC", stock="4H QH TC QS 3D")
"""The deal of the rules page."""


ROYAL = deck("KS QS KH QH KD QD", "KS QS 2D 5S 9C JD", stock="KC QC 3C 4C")


# What is there.


def test_the_story_of_the_rules_page() -> None:
    game = zetema()
    state = do(game, game.start(), STORY, "play QD")
    assert said(game, asked(game, state))[0] == "declare the marriage K♦ Q♦ (Q♦ from table): 10 points"
    state = do(game, state, "marriage KD+(QD)")
    assert said(game, asked(game, state))[0] == "show the sequence: 20 points …"
    state = do(game, state, "sequence 4H")
    assert said(game, asked(game, state))[0] == "declare the marriage K♥ Q♥: 10 points"
    state = do(game, state, "play 2S", "sequence TC")
    assert game.scores(state) == (40, 10)


@pytest.mark.parametrize(("seats", "teams"), [(2, True), (6, False)])
def test_only_a_fifth_card_clears_a_pile(seats: int, teams: bool) -> None:
    """The fifth card of a pile clears it away and nothing else does."""
    steps = match(seats, teams)
    tricks = 0
    for (game, before, _, _), (_, after, told, _) in pairwise(steps):
        cleared = [block for event in told for block in table.removed_blocks(event)]
        last = game.observation(after, CHANCE).last
        lays = last is not None and bool(game.to_act(before)) and last.action.kind not in ("assembly", "marriage")
        if not last or not lays:
            assert not cleared
            continue
        (card,) = last.action.cards
        lay, left = [game.observation(state, CHANCE).piles[rank_of(card)] for state in (before, after)]
        if len(lay) < 4 or lay == left:  # the match may end before the card is laid
            assert not cleared
            continue
        rank = Message("trick_of", {"rank": RANKS[rank_of(card)]})
        assert cleared == [Row(rank, tuple(sorted([*lay, card])))]
        tricks += 1
    assert tricks


@pytest.mark.parametrize("seats", [4, 6])
def test_a_side_has_one_score(seats: int) -> None:
    game = zetema(seats)
    hands = ["KH QH 2D 3D 4D 6D", "5S 7S 9S 2C 4C 6C", "5H 7H 9H 2H 4H 6H", "5D 7D 9D JD 8D TD", "5C 7C 9C", "3C 8C"]
    size = 5 if seats == 6 else 6
    rest = iter(cards("AS AS AH AD AC KS KS KC QS QS QC JS JS"))
    dealt = [" ".join([*hand.split(), *[NAMES[next(rest)] for _ in range(6 - len(hand.split()))]]) for hand in hands]
    state = do(game, game.start(), deck(*[" ".join(hand.split()[:size]) for hand in dealt[:seats]]), "marriage KH+QH")
    scene = seen(game, state, CHANCE)
    assert scene.facts[0] == Message("both_scores", {"one": 10, "two": 0, "target": 200})
    assert [player.marks[0] for player in scene.players] == [Message("side_one"), Message("side_two")] * (seats // 2)
    assert all(player.score is None for player in scene.players)
    sheet = table.sheet(game.observation(state, CHANCE))
    assert [row[1:3] for row in sheet.columns.rows] == [(10, 190), (0, 200)]
    assert sheet.columns.rows[0][3] == Message("players", {"seats": tuple(range(1, seats + 1, 2))})


def test_the_sheet_has_the_score_tables() -> None:
    game = zetema()
    state = do(game, game.start(), STORY, "play QD", "marriage KD+(QD)")
    sheet = table.sheet(game.observation(state, CHANCE))
    assert sheet.columns.rows == ((Message("name", {"seat": 1}), 0, 300), (Message("name", {"seat": 2}), 10, 290))
    tricks, combinations_, marriages = [note for note in sheet.notes if isinstance(note, Columns)]
    assert [row[1:] for row in tricks.rows] == [(50, 20, 15, 5), (130, 120, 110, 100)]
    assert [row[1:] for row in combinations_.rows] == [(20, 30, 50)]
    assert [row[1:] for row in marriages.rows] == [
        (10, 30, 60, 100, None),
        (20, 40, 70, 110, None),
        (None, 50, 80, 120, 150),
    ]


# What is offered.


def test_combinations_ask_for_the_card_afterwards() -> None:
    """A combination first says what it scores and then which card is played."""
    game = zetema()
    deal = deck("JD JC 9H TH QH 5H", "JS JS 2C 3D 4C 6C", stock="JH 2D AH 8D 3H 4D")
    state = do(game, game.start(), deal, "play JD", "play JS", "play JC", "play JS", "play 5H", "play 2C")
    question = asked(game, state)
    assert said(game, question) == [
        "show the flush: 30 points …",
        *("play A♥", "play Q♥", "play J♥: the fifth, 20 points", "play 10♥", "play 9♥", "play 3♥"),
    ]
    ((_, further),) = question.further
    assert Words("en", "zetema").say(further.message) == "30 points. Which of the cards do you play then?"
    assert said(game, further) == [
        *("play A♥", "play Q♥", "play J♥: the fifth, 20 more points", "play 10♥", "play 9♥", "play 3♥")
    ]
    assert [action.text for action in further.actions] == [
        f"flush {NAMES[card]}" for card in cards("AH QH JH TH 9H 3H")
    ]
    assert not further.further


def test_marriages_are_ticked_and_their_score_is_seen() -> None:
    game = zetema()
    state = do(game, game.start(), ROYAL)
    question = asked(game, state)
    assert said(game, question)[0] == "declare marriages: up to 60 points …"
    ((_, further),) = question.further
    assert said(game, further) == ["K♠ Q♠ from your hand", "K♥ Q♥ from your hand", "K♦ Q♦ from your hand"]
    words = Words("en", "zetema")

    def status(*texts: str) -> str:
        message = further.status(texts)
        assert message is not None
        return words.say(message)

    assert status() == "up to 60 points"
    assert status("KH+QH") == "1 pair: 10 points"
    assert status("KH+QH", "KD+QD") == "2 pairs: 30 points"
    assert status("KS+QS", "KH+QH", "KD+QD") == "3 pairs: 60 points"
    assert further.combine(()) == Message("nothing_chosen")
    made = further.combine(("KD+QD", "KH+QH"))
    assert isinstance(made, Action)
    assert made.text == "marriage KH+QH KD+QD"


def test_pairs_with_the_table_are_offered_both_ways() -> None:
    """A pair in the hand and with the table is offered both ways."""
    game = zetema()
    deal = deck("KS QS KS QS KH QH", "QC 2D 5S 9C JD 8C", stock="3C 4C 6C")
    state = do(game, game.start(), deal, "play QS", "play 2D")
    ((_, further),) = asked(game, state).further
    assert said(game, further) == [
        "K♠ Q♠, Q♠ from the table",
        "K♠ Q♠ from your hand",
        "K♥ Q♥ from your hand",
    ]
    words = Words("en", "zetema")
    both = further.status(("KS+(QS)", "KS+QS"))
    assert both is not None
    assert words.say(both) == "2 pairs, both of spades: 50 points"
    state = do(game, state, "play KS", "play 5S")
    ((_, further),) = asked(game, state).further
    assert said(game, further) == [
        "K♠ Q♠, K♠ from the table",
        "K♠ Q♠, Q♠ from the table",
        "K♠ Q♠ from your hand",
        "K♥ Q♥ from your hand",
    ]
    conflict = further.combine(("KS+(QS)", "KS+QS"))
    assert conflict == Message("no_second_in_hand", {"card": CARDS["KS"]})
    told = further.status(("KS+(QS)", "KS+QS"))
    assert told is not None
    assert words.say(told) == "you hold only one K♠"
    made = further.combine(("KS+(QS)", "(KS)+QS"))
    assert isinstance(made, Action)
    assert made.text == "marriage (KS)+QS KS+(QS)"


# Whole matches.

EVERY = [(2, True), (6, False)]
PLIES = 130


@cache
def match(seats: int, teams: bool) -> tuple[tuple[Zetema, ZetemaState, tuple[Event, ...], frozenset[Card]], ...]:
    """The states of a match in which people mostly take what scores: what was told on the way to each, and every card
    that was shown to all since the deal."""
    return tuple(_match(seats, teams))


def _match(seats: int, teams: bool) -> Iterator[tuple[Zetema, ZetemaState, tuple[Event, ...], frozenset[Card]]]:
    rng = Random(seats)
    game = zetema(seats, teams)
    state = game.start()
    shown: set[Card] = set()
    yield game, state, (), frozenset()
    for _ in range(PLIES):
        seat = game.to_act(state)
        if seat is None:
            return
        chance = game.chance(state)
        if chance:
            action = chance.sample(rng)
            shown = set()
        else:
            seen_by = game.observation(state, seat)
            action = max(seen_by.legal, key=lambda move: (points_of(seen_by, move) * rng.random(), rng.random()))
        events: list[Event] = []
        state = game.apply(state, action, events.append)
        for event in events:
            if event.audience is None:
                shown |= {card for name in ("card", "cards") for card in _as_cards(event.args.get(name, ()))}
        yield game, state, tuple(events), frozenset(shown)


def _as_cards(value: object) -> tuple[Card, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize(("seats", "teams"), EVERY)
def test_what_an_offer_scores_is_what_it_scores(seats: int, teams: bool) -> None:
    for game, state, _, _ in match(seats, teams)[::5]:
        seat = game.to_act(state)
        if not seat:
            continue
        question = asked(game, state)
        for action in question.actions:
            scored = game.scores(game.apply(state, action))[seat - 1] - game.scores(state)[seat - 1]
            assert question.labels[action].args.get("points", 0) == scored


def test_the_pointer_starts_at_a_move_that_gives_nothing_away() -> None:
    """At one that scores most, or else at no fourth card and no king or queen, if there is another."""
    started = Counter[str]()
    game = zetema()
    for _, o in positions(game, 3):
        assert isinstance(o, ZetemaObservation)
        action = table.question(o).preselected
        assert isinstance(action, Action)
        others = [each for each in o.legal if each.kind != "marriage"]
        points = [points_of(o, each) for each in others]
        if max(points):
            started["scores"] += 1
            assert points_of(o, action) == max(points)
            continue
        held = Counter(map(rank_of, o.hand))
        safe = [each for each in others if len(o.piles[rank_of(each.cards[0])]) < 3 or held[rank_of(each.cards[0])] > 1]
        calm = [each for each in safe if RANKS[rank_of(each.cards[0])] not in "QK"]
        if safe:
            started["safe"] += 1
            assert action in safe
        if calm:
            started["calm"] += 1
            assert action in calm
    assert min(started["scores"], started["safe"], started["calm"]) > 5
