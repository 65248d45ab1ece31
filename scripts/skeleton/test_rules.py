"""Skeleton, clause by clause, from stacked packs."""

from cardgames.engine.skeleton import PACK, Skeleton, SkeletonRules, SkeletonState

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.game import Action, Event

GAME = Skeleton(2, SkeletonRules(), dealer=2)


def dealt(cards: str) -> SkeletonState:
    """The state after a deal with these cards on top of the pack."""
    top = [CARDS[name] for name in cards.split()]
    others = [card for card in PACK if card not in top]
    return GAME.apply(GAME.start(), GAME.parse(" ".join(["deal", *[NAMES[card] for card in (*top, *others)]])))


def play(state: SkeletonState, cards: str) -> tuple[SkeletonState, list[Event]]:
    """Play cards in turn; return the state after them and their events."""
    events: list[Event] = []
    for name in cards.split():
        state = GAME.apply(state, Action("play", name, (CARDS[name],)), events.append)
    return state, events


def names(hand: tuple[int, ...]) -> str:
    return " ".join([NAMES[card] for card in hand])


TOP = "AS KS QS JH JD TC TD QC TH QD"


def test_s2_cards_are_dealt_one_at_a_time_to_the_player_after_the_dealer_first() -> None:
    state = dealt(TOP)
    assert [names(hand) for hand in state.hands] == ["QS AS TH TD JD", "KS JH QD TC QC"]
    assert state.to_act == 1


def test_s3_the_highest_card_takes_the_trick_and_its_player_leads() -> None:
    state, events = play(dealt(TOP), "QS KS")
    assert state.won == (0, 1)
    assert state.to_act == 2
    assert events[-1] == Event("trick_won", {"seat": 2, "card": CARDS["KS"]})


def test_s3_of_equal_cards_the_first_is_higher() -> None:
    state, _ = play(dealt(TOP), "JD JH")
    assert state.won == (1, 0)


def test_s4_whoever_has_taken_most_tricks_wins() -> None:
    state, _ = play(dealt(TOP), "AS KS QS JH TH TC JD QC QD TD")
    assert state.won == (3, 2)
    outcome = GAME.outcome(state)
    assert outcome
    assert outcome.winners == (1,)
    assert outcome.scores == (3, 2)
    assert GAME.next_dealer(state) == 1
