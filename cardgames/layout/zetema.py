"""The layout of Zetema."""

from collections.abc import Sequence
from functools import partial
from typing import cast

from cardgames.engine import zetema as rules
from cardgames.engine.cards import CARDS, RANKS, Card, rank_of, suit_of
from cardgames.engine.game import Action, Event, Message
from cardgames.engine.zetema import ZetemaObservation, from_table, marriage_column, points_of, single_pairs
from cardgames.layout.question import Pick, Question, in_hand_order
from cardgames.layout.scene import Block, Columns, Pile, Piles, Row, Scene, SeatView, Sheet, by_suit

LOOSE_CARDS = 2
"""The most cards of a suit that make no start of a flush."""

COMBINATION_EVENTS = ("showed_sequence", "showed_flush", "showed_flush_sequence")
MARRIAGE_EVENTS = ("married", "married_imperial", "married_both")
PAUSES = frozenset({"completed_trick", *COMBINATION_EVENTS, "assembled", *MARRIAGE_EVENTS, "deal_over"})
ENDS = frozenset({"won"})
CLAUSES = {"deal": "Z2", "turn": "Z3", "over": "Z9"}
LETTERS = {
    "assembly": "v",
    "marriage": "m",
    "declare_marriages": "m",
    **{f"show.{kind}": "w" for kind in rules.COMBINATIONS},
    **dict(zip(rules.PAIR_BY_TEXT, "gijknrvwxyzm", strict=True)),
}

SIDES = (Message("side_one"), Message("side_two"), Message("side_three"))


def sort_sequence(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Sort the cards of a sequence, with an ace first or last."""
    ranks = {RANKS[rank_of(card)] for card in cards}
    is_ace_low = "A" in ranks and "2" in ranks
    place = rules.SEQUENCE.index if is_ace_low else rules.SEQUENCE.rindex  # which has an ace at both ends
    return tuple(sorted(cards, key=lambda card: place(RANKS[rank_of(card)])))


HAND_ORDER = "rank"
CARD_ORDERS = {**dict.fromkeys(COMBINATION_EVENTS, sort_sequence), "showed_flush": by_suit, "drew": by_suit}


def scene(observation: ZetemaObservation) -> Scene:
    """The table: the thirteen piles, the score of each side, known cards, and the viewer's hand."""
    last = observation.last.action if observation.last else None
    piles = Piles(tuple([_pile(observation, rank) for rank in rules.SEQUENCE[:-1]]))  # aces are first and last
    return Scene(
        facts=_facts(observation),
        players=tuple(_seat_view(observation, seat) for seat in range(1, len(observation.counts) + 1)),
        middle=() if observation.phase == "deal" else (piles,),
        hand=by_suit(observation.hand),
        viewer=observation.seat,
        playable=frozenset(action.cards[0] for action in observation.legal if action.kind == "play") or None,
        last=last.cards[0] if last and last.kind in ("play", *rules.COMBINATIONS) else None,
        clause=CLAUSES.get(observation.phase, ""),
        fresh=frozenset(observation.drawn),
    )


def _has_partners(observation: ZetemaObservation) -> bool:
    return len(observation.sides) < len(observation.counts)


def _facts(observation: ZetemaObservation) -> tuple[Message, ...]:
    key, args = "target", {"target": observation.target}
    if _has_partners(observation):
        key = "both_scores" if len(observation.sides) == 2 else "three_scores"
        args |= zip(("one", "two", "three"), observation.side_scores, strict=False)
    facts = [Message(key, args)]
    if observation.phase != "deal":
        facts.append(Message("stock", {"count": observation.stock}) if observation.stock else Message("stock_out"))
    if observation.spade_marriages == 1:
        facts.append(Message("imperial_next", {"suit": "S"}))
    return tuple(facts)


def _seat_view(observation: ZetemaObservation, seat: int) -> SeatView:
    """A player with the cards that everybody knows. A score that partners share is left out; the head line shows it."""
    has_partners = _has_partners(observation)
    sides = zip(SIDES, observation.sides, strict=False) if has_partners else ()
    marks = [name for name, side in sides if seat in side]
    if seat == observation.dealer:
        marks.append(Message("dealer"))
    score = None if has_partners else Message("points", {"points": observation.scores[seat - 1]})
    shown = by_suit(observation.known[seat - 1])
    return SeatView(seat, observation.counts[seat - 1], tuple(marks), score=score, shown=shown)


def _pile(observation: ZetemaObservation, rank: str) -> Pile:
    cards = [piles[RANKS.index(rank)] for piles in (observation.piles, observation.lacking, observation.gone)]
    return Pile("10" if rank == "T" else rank, *cards)


def words(action: Action) -> Message:
    if action.kind == "assembly":
        return Message("action.assembly", {"rank": action.args[0]})
    if action.kind == "marriage":
        table_cards = from_table(rules.PAIR_BY_TEXT[str(text)] for text in action.args)
        key = "action.marriage_with_table" if table_cards else "action.marriage"
        return Message(key, {"cards": action.cards, "table_cards": table_cards, "count": len(action.args)})
    return Message("action." + action.kind, {"card": action.cards[0]})


def question(observation: ZetemaObservation) -> Question:
    """The question for one action: declarations with their points, then cards.

    A combination leads to a further question for the card to lay. If several marriages are possible, a further question
    asks for the pairs."""
    cards = in_hand_order(observation.legal, by_suit(observation.hand))
    plays = [action for action in cards if action.kind == "play"]
    combinations = [action for action in cards if action.kind in rules.COMBINATIONS]
    assemblies = [action for action in observation.legal if action.kind == "assembly"]
    marriages = [action for action in observation.legal if action.kind == "marriage"]
    further_questions = []
    if combinations:
        kind = combinations[0].kind
        label = Message("show." + kind, {"points": rules.COMBINATION_POINTS[kind]})
        further_questions.append((label, _lay_question(observation, combinations)))
    if len(marriages) > 1:
        best = max(points_of(observation, action) for action in marriages)
        further_questions.append((Message("declare_marriages", {"points": best}), _pairs_question(observation, best)))
        marriages = []
    ask = "ask.turn_declaring" if len(observation.legal) > len(plays) else "ask.turn"
    actions = (*assemblies, *marriages, *plays)
    labels = {action: _label_with_points(observation, action) for action in actions}
    for action, _ in observation.refused:  # a combination is named without its cards
        labels[action] = Message("thought." + action.kind) if action.kind in rules.COMBINATIONS else words(action)
    preselected = min((*assemblies, *combinations, *plays), key=partial(_cost, observation), default=None)
    message, further = Message(ask, {"seat": observation.seat}), tuple(further_questions)
    return Question(message, actions, further=further, labels=labels, preselected=preselected)


def _cost(observation: ZetemaObservation, action: Action) -> tuple[int, int, bool, int, int]:
    """The sort key of actions that are no marriage: the pointer starts at the first.

    That is one that scores most, or else a card that gives no points away: no fourth whose fifth somebody else may lay,
    and no king or queen that may still marry, if there is another; then one of no long suit, for the smallest pile."""
    card = action.cards[0] if action.cards else 0  # an assembly has points
    rank, suit = rank_of(card), suit_of(card)
    pile, held = len(observation.piles[rank]), [rank_of(each) for each in observation.hand].count(rank)
    gives_trick = pile == 3 and held == 1 and len(observation.lacking[rank]) > 1
    partner = 13 * suit + (rules.QUEEN if rank == rules.KING else rules.KING)
    may_marry = rank in (rules.KING, rules.QUEEN) and observation.out.count(partner) < (1 if suit else 2)
    suited = [suit_of(each) for each in observation.hand].count(suit) if suit else 0
    group = suited if suited > LOOSE_CARDS else 0  # of a flush
    return -points_of(observation, action), rules.TRICK_POINTS[rank] * gives_trick, may_marry, group, pile


def _label_with_points(observation: ZetemaObservation, action: Action) -> Message:
    label, points = words(action), points_of(observation, action)
    worth = Message("worth." + label.key.removeprefix("action."), {**label.args, "points": points})
    return worth if points else label


def _lay_question(observation: ZetemaObservation, combinations: Sequence[Action]) -> Question:
    """The question for the card to lay after a combination, which tells whether its points win the match (Z9)."""
    declared = rules.COMBINATION_POINTS[combinations[0].kind]
    labels = {}
    for action in combinations:
        args = {"card": action.cards[0], "points": points_of(observation, action) - declared}
        labels[action] = Message("lay_and_score" if args["points"] else "action.play", args)
    ask = Message("ask.lay_none" if observation.wins_with(declared) else "ask.lay", {"points": declared})
    return Question(ask, tuple(combinations), labels=labels)


def _pairs_question(observation: ZetemaObservation, best: int) -> Question:
    """The question for the pairs to declare together. ``best``: the most points that a choice of pairs scores."""

    def combine(texts: Sequence[str]) -> Action | Message:
        return observation.marriage(texts) if texts else Message("nothing_chosen")

    def status(texts: Sequence[str]) -> Message:
        """The points of the ticked pairs, or the reason why they make no declaration."""
        if not texts:
            return Message("marry_none", {"points": best})
        made = combine(texts)
        if isinstance(made, Message):
            return Message("reason." + made.key, made.args)
        keys = {"plain": "marry", "imperial": "marry_imperial", "both": "marry_both"}
        key = keys[marriage_column(made, observation.spade_marriages)]
        return Message(key, {"count": len(texts), "points": points_of(observation, made)})

    picks = tuple(map(_pick_of, single_pairs(observation)))
    return Question(Message("ask.marriages"), picks=picks, combine=combine, status=status)


def _pick_of(text: str) -> Pick:
    """The pair with the notation ``text``. Its label tells which card of the pair, if any, lies on the table."""
    cards, table_cards = tuple(CARDS[name.strip("()")] for name in text.split("+")), rules.PAIR_BY_TEXT[text].table
    if table_cards:
        return Pick(text, Message("pair_with_table", {"cards": cards, "card": table_cards[0]}), cards)
    return Pick(text, Message("pair", {"cards": cards}), cards)


def sheet(observation: ZetemaObservation) -> Sheet:
    """The points of each side, and the points that it still needs to win, in columns."""
    heads = (Message("head.points"), Message("head.lacking"))
    notes = (Message("needed", {"target": observation.target}),)
    numbers = [(score, max(0, observation.target - score)) for score in observation.side_scores]
    if _has_partners(observation):
        members = [Message("players", {"seats": seats}) for seats in observation.sides]
        rows = [(side, *scored, seats) for side, scored, seats in zip(SIDES, numbers, members, strict=False)]
        return Sheet(Columns((Message("head.side"), *heads, Message("head.players")), tuple(rows)), notes)
    names = [Message("name", {"seat": seats[0]}) for seats in observation.sides]
    alone = [(name, *scored) for name, scored in zip(names, numbers, strict=True)]
    return Sheet(Columns((Message("head.player"), *heads), tuple(alone)), notes)


def removed_blocks(event: Event) -> tuple[Block, ...]:
    if event.key != "completed_trick":
        return ()
    return (Row(Message("trick_of", {"rank": event.args["rank"]}), cast(tuple[Card, ...], event.args["cards"])),)


def look_back(observation: ZetemaObservation) -> tuple[Block, ...]:
    turn = observation.last
    args = {"seat": turn.seat, "points": turn.points} if turn else {}
    return (Message("last_turn" if turn else "first_turn", args),)
