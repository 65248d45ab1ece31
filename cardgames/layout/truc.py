"""The layout of Truc."""

from cardgames.engine.game import Action, Event, Message
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import ORDERS, TrucObservation
from cardgames.layout import scene as parts
from cardgames.layout.question import Question, words_by_kind
from cardgames.layout.scene import Block, Chips, Columns, Row, Scene, SeatView, Sheet, Tricks, by_suit

PAUSES = frozenset({"trick_won", "trick_spoiled", "took_stake", "nobody_won", "remainder_won", "stock_short"})
ENDS = frozenset({"remainder_won", "round_won", "match_won"})
HAND_ORDER = "suit"
CARD_ORDERS = dict.fromkeys(("drew", "trick_spoiled"), by_suit)
CLAUSES = {
    "exchange": "T3",
    "answer_exchange": "T3",
    "turn": "T5",
    "play": "T5",
    "answer_double": "T8",
    "answer_remainder": "T9",
    "over": "T11",
}
LETTERS = {"exchange": "x", "play": "k", "agree": "y", "accept": "y", "refuse": "n", "double": "d", "remainder": "r"}

CONSEQUENCES = {
    ("turn", "double"): "propose_double",
    ("turn", "remainder"): "propose_remainder",
    ("answer_exchange", "refuse"): "refuse_exchange",
    ("answer_double", "accept"): "accept_double",
    ("answer_remainder", "accept"): "accept_remainder",
}
"""The labels of actions that name their consequences, by phase and kind of action."""
REFUSALS = {"nothing": "refuse_proposal", "round": "refuse_round", "match": "refuse_match"}

PHASES_BETWEEN_HANDS = ("deal", "over")
"""The phases in which the last hand is shown."""

words = words_by_kind


def scene(observation: TrucObservation) -> Scene:
    facts: tuple[Message, ...] = (Message("goal", {"points": observation.goal}),)
    if observation.phase in PHASES_BETWEEN_HANDS:
        middle = _last_hand(observation)
    else:
        facts += (Message("stock", {"count": observation.stock}),)
        middle = (_stake(observation), *_tricks(observation.tricks, observation.credited))
        middle += (Row(Message("laid_aside"), observation.laid_aside),) if observation.laid_aside else ()
    return Scene(
        facts=facts,
        players=tuple(_seat_view(observation, seat) for seat in (1, 2)),
        middle=middle,
        hand=observation.hand,
        viewer=observation.seat,
        playable=frozenset(action.cards[0] for action in observation.legal if action.cards) or None,
        legend=Message("line", {"text": ">".join(ORDERS[observation.order]).replace("T", "10")}),
        ranks=ORDERS[observation.order],
        kind=parts.TableKind(pairs=3),
        clause=CLAUSES.get(observation.phase, ""),
    )


def _seat_view(observation: TrucObservation, seat: int) -> SeatView:
    """A player with points, drawn as chips, and rounds won."""
    is_dealer = observation.dealer == seat and observation.phase not in PHASES_BETWEEN_HANDS
    marks = (Message("dealer"),) if is_dealer else ()
    tally = parts.MarkCount(Message("rounds"), observation.rounds[seat - 1], observation.rounds_goal)
    return SeatView(seat, observation.counts[seat - 1], marks, chips=_points(observation)[seat - 1], tally=tally)


def _points(observation: TrucObservation) -> tuple[int, ...]:
    """The points of each seat in this round. Between two rounds, the final points of the last round."""
    past, is_new = observation.past_rounds, observation.scores == (0, 0)
    return past[-1].points if past and is_new and observation.phase in PHASES_BETWEEN_HANDS else observation.scores


def _stake(observation: TrucObservation) -> Block:
    """The stake, with a proposed stake if any. After a remainder, a line which says that the hand decides the round."""
    if observation.remainder and observation.proposer is None:
        return Message("remainder_decides", {"seat": observation.remainder})
    becomes = None if observation.proposer is None else observation.stake_if_accepted or Message("the_round")
    return Chips(Message("stake"), observation.stake, becomes)


def _tricks(tricks: tuple[Trick, ...], won: tuple[int, int]) -> tuple[Block, ...]:
    if not tricks:
        return ()
    labels = [
        Message("spoiled")
        if len(trick.cards) == 2 and not trick.winner
        else Message("trick_number", {"number": number})
        for number, trick in enumerate(tricks, 1)
    ]
    counts = [Message("tricks_won", {"count": count}) for count in won]
    return (Tricks(tuple(zip(labels, tricks, strict=True)), tuple(counts)),)


def _last_hand(observation: TrucObservation) -> tuple[Block, ...]:
    tricks = _tricks(observation.last_hand, observation.last_credited)
    return (Message("last_hand"), *tricks) if tricks else ()


def question(observation: TrucObservation) -> Question:
    """The question for one action: cards in the order of the hand, then a proposal."""
    seat, stake, phase = observation.seat, observation.stake, observation.phase
    args = {"seat": seat, "by": 3 - seat, "stake": stake, "doubled": 2 * stake}
    key = "ask." + phase
    if phase in ("turn", "play") and observation.tricks and len(observation.tricks[-1].cards) == 1:
        args["card"] = observation.tricks[-1].cards[0]
        key += "_follow"
    labels = {}
    for action in observation.legal:
        if action.kind == "refuse" and observation.proposer is not None:  # the label names the proposer's gain
            gain = {"points": observation.points_if_refused, "goal": observation.goal}
            refused = {"seat": observation.proposer, "stake": stake, **gain}
            labels[action] = Message(REFUSALS[observation.won_if_refused], refused)
        elif (phase, action.kind) in CONSEQUENCES:
            labels[action] = Message(CONSEQUENCES[phase, action.kind], args)
    return Question(Message(key, args), observation.legal, labels=labels, preselected=_preselected_action(observation))


def _preselected_action(observation: TrucObservation) -> Action | None:
    """The action at which the pointer starts: the weakest card, an exchange, or the safer answer to a proposal."""
    # what a refusal would win for the proposer: the round, the match, or nothing but points
    answer = "refuse" if observation.won_if_refused == "nothing" else "accept"
    kinds = {"exchange": "exchange", "answer_exchange": "refuse", "answer_double": answer, "answer_remainder": answer}
    kind = kinds.get(observation.phase, "card")
    # cards are in the order of the hand, the weakest last
    return next((action for action in reversed(observation.legal) if action.kind == kind), None)


def sheet(observation: TrucObservation) -> Sheet:
    head = (Message("head.player"), Message("head.points"), Message("head.rounds"))
    players = enumerate(zip(_points(observation), observation.rounds, strict=True), 1)
    rows = tuple([(Message("name", {"seat": seat}), *numbers) for seat, numbers in players])
    needed = Message("needed", {"points": observation.goal, "rounds": observation.rounds_goal})
    stake = () if observation.phase in PHASES_BETWEEN_HANDS else (Message("at_stake", {"stake": observation.stake}),)
    return Sheet(Columns(head, rows), (needed, *stake, *_past_rounds(observation)))


def _past_rounds(observation: TrucObservation) -> tuple[Columns, ...]:
    """A table of the finished rounds, with the points of both seats and the winner, if any is finished."""
    names = tuple(Message("name", {"seat": seat}) for seat in (1, 2))
    rows = []
    for number, past in enumerate(observation.past_rounds, 1):
        key = "name" if past.points[past.winner - 1] >= observation.goal else "by_remainder"
        rows.append((number, *past.points, Message(key, {"seat": past.winner})))
    return (Columns((Message("head.round"), *names, Message("head.won_by")), tuple(rows)),) if rows else ()


def removed_blocks(event: Event) -> tuple[Block, ...]:
    return ()  # the tricks of a hand stay on the table until the next deal


def look_back(observation: TrucObservation) -> tuple[Block, ...]:
    is_first = observation.scores == observation.rounds == (0, 0)
    return _last_hand(observation) or (Message("first_hand" if is_first else "last_unplayed"),)
