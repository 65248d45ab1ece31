"""The layout of Durak."""

from typing import Any

from cardgames.engine.cards import SUITS, suit_of
from cardgames.engine.durak import PASS, DurakObservation, attack_pairs
from cardgames.engine.game import Action, Event, Message
from cardgames.layout.question import Question, cheapest, in_hand_order, words_by_kind
from cardgames.layout.scene import Block, Columns, Pairs, Scene, SeatView, Sheet, Stock, TableKind, by_suit

PAUSES = frozenset({"held", "took"})
ENDS = frozenset({"fool", "nobody_lost", "side_lost"})
HAND_ORDER = "suit"
CARD_ORDERS = dict.fromkeys(("drew",), by_suit)
CLAUSES = {"attack": "D3", "defend": "D4", "more": "D5", "throw": "D11", "over": "D9"}
CLAUSES_AMONG_MANY = CLAUSES | {"more": "D19", "throw": "D20", "over": "D23"}
ADDING_PHASES = ("more", "throw")
PHASES_WITHOUT_BOUT = ("deal", "over")
LETTERS = {"pass": "p", "take": "k", "standing": "r", "agreed": "n"}


def scene(observation: DurakObservation) -> Scene:
    """The table: the players, the bout, the stock and trumps, and the viewer's hand."""
    trump, turn_up, stock = _trump(observation), observation.turn_up, None
    facts: tuple[Message, ...] = ()
    if turn_up is not None and observation.stock:
        stock = Stock(observation.stock, turn_up)
        facts = (Message("trump_card", {"card": turn_up}), Message("stock", {"count": observation.stock}))
    elif turn_up is not None:
        facts = (Message("trump", {"suit": SUITS[suit_of(turn_up)]}), Message("stock_out"))
    playable = frozenset([action.cards[0] for action in observation.legal if action.cards])
    return Scene(
        facts=facts,
        players=tuple([_seat_view(observation, seat) for seat in range(1, len(observation.counts) + 1)]),
        middle=(Pairs(attack_pairs(observation.bout)),),
        stock=stock,
        hand=by_suit(observation.hand, trump),
        viewer=observation.seat,
        playable=playable if observation.legal else None,
        trump=trump,
        clause=(CLAUSES_AMONG_MANY if _are_many(observation) else CLAUSES).get(observation.phase, ""),
        kind=TableKind(pairs=6),
    )


def _are_many(observation: DurakObservation) -> bool:
    return len(observation.counts) > 2


def _trump(observation: DurakObservation) -> int | None:
    """The suit of trumps; ``None`` before the deal."""
    return None if observation.turn_up is None else suit_of(observation.turn_up)


def _seat_view(observation: DurakObservation, seat: int) -> SeatView:
    """A player with side and role. With more than two players, the defender is highlighted."""
    many, is_defender = _are_many(observation), seat == observation.defender
    numbers = [number for number, side in enumerate(observation.sides, 1) if seat in side]
    side = (Message("side", {"number": numbers[0]}),) if _has_sides(observation) else ()  # D25
    marks = (*side, *_marks(observation, seat))
    is_target = many and is_defender and observation.phase not in PHASES_WITHOUT_BOUT
    is_out = many and seat in observation.out
    return SeatView(seat, observation.counts[seat - 1], marks, target=is_target, resting=is_out)


def _marks(observation: DurakObservation, seat: int) -> tuple[Message, ...]:
    """The role of a player in the bout (D3, D18–D20), or the place of a player who is out (D23)."""
    many, outcome = _are_many(observation), observation.outcome
    if many and seat in observation.out:
        return (Message("out_place", {"number": observation.out.index(seat) + 1}),)
    if observation.phase in PHASES_WITHOUT_BOUT:
        is_fool = many and outcome and outcome.winners and not _has_sides(observation)  # the only one not out
        return (Message("fool"),) if is_fool else ()
    if seat == observation.defender:
        return (Message("takes" if many and observation.phase == "throw" else "defends"),)
    if not many:
        return (Message("attacks"),)
    passed = (Message("passed"),) if seat in observation.passed else ()
    if seat == observation.attacker:
        return (Message("leads"), *passed)
    return passed or ((Message("may_add"),) if seat in observation.may_add else ())


def _has_sides(observation: DurakObservation) -> bool:
    return len(observation.sides) < len(observation.counts)


def words(action: Action) -> Message:
    if action.kind == "several":
        return Message("action.several", {"cards": action.cards})
    if action.kind == "beat":
        return Message("action.beat", {"card": action.cards[0], "attack_card": action.cards[1]})
    return words_by_kind(action)


def question(observation: DurakObservation) -> Question:
    """The question for one action. Actions are in the order of their cards in the hand.

    If a card can beat several attack cards, its beats are in the order in which the attack cards were laid."""
    place = {card: number for number, (card, _) in enumerate(attack_pairs(observation.bout), 1)}
    in_laid_order = sorted(observation.legal, key=lambda action: place[action.cards[1]] if action.kind == "beat" else 0)
    turns = [action for action in observation.legal if action.kind == "turn" and _are_many(observation)]
    to = observation.next_defender
    stop = PASS if observation.phase in ADDING_PHASES else None
    return Question(
        Message("ask." + observation.phase, {"seat": observation.seat}),
        in_hand_order(in_laid_order, by_suit(observation.hand, _trump(observation))),
        labels={turn: Message("action.turn_to", {"card": turn.cards[0], "to": to}) for turn in turns},
        preselected=_preselected_action(observation),
        unseen=stop,
        standing=stop if _are_many(observation) else None,  # D19, D20: perhaps they are asked again
        others=observation.may_add,
    )


def _preselected_action(observation: DurakObservation) -> Action | None:
    """The action with the lowest card, plain cards before trumps, or a pass if only trumps could be added."""
    trump = _trump(observation)
    action = cheapest(observation.legal, trump)
    if action and observation.phase in ADDING_PHASES and suit_of(action.cards[0]) == trump:
        return next(action for action in observation.legal if not action.cards)
    return action


def sheet(observation: DurakObservation) -> Sheet:
    head = (Message("head.player"), Message("head.cards"), Message("head.score"))
    players = enumerate(zip(observation.counts, observation.scores, strict=True), 1)
    return Sheet(Columns(head, tuple([(Message("name", {"seat": seat}), *numbers) for seat, numbers in players])))


def look_back(observation: DurakObservation) -> tuple[Block, ...]:
    """A line that explains that past bouts are secret (*ruling* on D7)."""
    return (Message("no_bout"),)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """If the event ends a bout, the attack cards of the bout with the cards that beat them."""
    if event.key not in PAUSES:
        return ()
    args: Any = event.args
    beaten = dict(zip(args["beaten_cards"], args["beating_cards"], strict=True))
    return (Pairs(tuple([(card, beaten.get(card)) for card in args["attack_cards"]])),)
