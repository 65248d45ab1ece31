"""Zetema on the table: which pairs can be ticked, what offers score, and where the pointer starts."""

from collections import Counter

import pytest

from cardgames.engine.cards import CARDS, RANKS, rank_of
from cardgames.engine.game import Action, Message, new_game
from cardgames.engine.zetema import ZetemaObservation, points_of
from cardgames.layout import zetema as table
from tests.bots.test_players import positions
from tests.engine.test_zetema import dealt
from tests.layout.positions import asked
from tests.ui.stills import Match

RECORDS = ("zetema-five-marriages", "zetema-four-alone", "zetema-six-in-two-sides", "zetema-three-players")


def test_pairs_with_the_table_are_offered_both_ways() -> None:
    """Each pair by itself; two that want the same card are refused as they are ticked."""
    hands = "KS QS KS QS KH QH", "QC 2D 5S 9C JD 8C"
    at = dealt(*hands, stock="3C 4C 6C").do("play QS", "play 2D")
    ((_, further),) = asked(at.game, at.state).further
    assert [pick.value for pick in further.picks] == ["KS+(QS)", "KS+QS", "KH+QH"]
    both = further.status(("KS+(QS)", "KS+QS"))
    assert both
    assert both.args["points"] == 50
    at.do("play KS", "play 5S")
    ((_, further),) = asked(at.game, at.state).further
    assert [pick.value for pick in further.picks] == ["(KS)+QS", "KS+(QS)", "KS+QS", "KH+QH"]
    why = {"card": CARDS["KS"]}
    assert further.combine(("KS+(QS)", "KS+QS")) == ("no_second_in_hand", why)
    assert further.status(("KS+(QS)", "KS+QS")) == ("reason.no_second_in_hand", why)
    assert further.combine(()) == Message("nothing_chosen")
    assert further.combine(("KS+(QS)", "(KS)+QS")) == at.game.parse("marriage (KS)+QS KS+(QS)")


@pytest.mark.parametrize("record", RECORDS)
def test_what_an_offer_scores_is_what_it_scores(record: str) -> None:
    match = Match.read(record)
    game = match.game
    for state in match.states:
        if seat := game.to_act(state):
            question = asked(game, state)
            for action in question.actions:
                scored = game.scores(game.apply(state, action))[seat - 1] - game.scores(state)[seat - 1]
                assert question.labels[action].args.get("points", 0) == scored


def test_the_pointer_starts_at_a_move_that_gives_nothing_away() -> None:
    """At one that scores most, or else at no fourth card and no king or queen, if there is another."""
    started = Counter[str]()
    game = new_game("zetema", 2)
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
