"""The layout of Zetema."""

from collections.abc import Sequence
from typing import cast

from cardgames.engine.cards import CARDS, RANKS, Card, rank_of
from cardgames.engine.game import Action, Event, Reason
from cardgames.engine.zetema import (
    ASSEMBLY_POINTS,
    COMBINATION_POINTS,
    COMBINATIONS,
    MARRIAGE_POINTS,
    PAIR_BY_TEXT,
    SEQUENCE,
    TRICK_POINTS,
    ZetemaObservation,
    from_table,
    marriage_column,
    points_of,
    single_pairs,
)
from cardgames.layout.question import Pick, Question, in_hand_order
from cardgames.layout.scene import (
    Block,
    Cell,
    Columns,
    Line,
    Message,
    Pile,
    Piles,
    RequiredSpace,
    Row,
    Scene,
    SeatView,
    Sheet,
    by_suit,
)

COMBINATION_EVENTS = ("showed_sequence", "showed_flush", "showed_flush_sequence")
MARRIAGE_EVENTS = ("married", "married_imperial", "married_both")
PAUSES = frozenset({"completed_trick", *COMBINATION_EVENTS, "assembled", *MARRIAGE_EVENTS, "deal_over"})
ENDS = frozenset({"won"})
CLAUSES = {"deal": "Z2", "turn": "Z3", "over": "Z9"}
LETTERS = {
    "assembly": "v",
    "marriage": "m",
    "declare_marriages": "m",
    **{f"show.{kind}": "w" for kind in COMBINATIONS},
    **dict(zip(PAIR_BY_TEXT, "gijknrvwxyzm", strict=True)),
}

SIDES = (Message("side_one"), Message("side_two"), Message("side_three"))

SPACE = RequiredSpace(text=3, boxes=7, marks=("new", "last"), score=Message("points", {"points": 100}))


def sort_sequence(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Sort the cards of a sequence, with an ace first or last."""
    ranks = {RANKS[rank_of(card)] for card in cards}
    is_ace_low = "A" in ranks and "2" in ranks
    place = SEQUENCE.index if is_ace_low else SEQUENCE.rindex
    return tuple(sorted(cards, key=lambda card: place(RANKS[rank_of(card)])))


CARD_ORDERS = {**dict.fromkeys(COMBINATION_EVENTS, sort_sequence), "showed_flush": by_suit, "drew": by_suit}


def scene(observation: ZetemaObservation) -> Scene:
    """The table: the thirteen piles, the score of each side, known cards, and the viewer's hand."""
    o = observation
    return Scene(
        facts=_facts(o),
        players=tuple(_seat_view(o, seat) for seat in range(1, len(o.counts) + 1)),
        middle=() if o.phase == "deal" else (Piles(tuple([_pile(o, rank) for rank in SEQUENCE[:-1]])),),
        hand=by_suit(o.hand),
        playable=frozenset(action.cards[0] for action in o.legal if action.kind == "play") or None,
        last=_last_card(o),
        clause=CLAUSES.get(o.phase, ""),
        fresh=frozenset(o.drawn),
        space=SPACE._replace(score=None) if _in_teams(o) else SPACE,
    )


def _last_card(o: ZetemaObservation) -> Card | None:
    action = o.last.action if o.last else None
    return action.cards[0] if action and action.kind in ("play", *COMBINATIONS) else None


def _in_teams(o: ZetemaObservation) -> bool:
    return len(o.sides) < len(o.counts)


def _facts(o: ZetemaObservation) -> tuple[Message, ...]:
    if _in_teams(o):
        key = "both_scores" if len(o.sides) == 2 else "three_scores"
        facts = [Message(key, {**dict(zip(("one", "two", "three"), o.side_scores, strict=False)), "target": o.target})]
    else:
        facts = [Message("target", {"target": o.target})]
    if o.phase != "deal":
        facts.append(Message("stock", {"count": o.stock}) if o.stock else Message("stock_out"))
    if o.spade_marriages == 1:
        facts.append(Message("imperial_next", {"suit": "S"}))
    return tuple(facts)


def _seat_view(o: ZetemaObservation, seat: int) -> SeatView:
    marks = [name for name, side in zip(SIDES, o.sides, strict=False) if seat in side] if _in_teams(o) else []
    if seat == o.dealer:
        marks.append(Message("dealer"))
    return SeatView(
        seat,
        o.counts[seat - 1],
        tuple(marks),
        score=None if _in_teams(o) else Message("points", {"points": o.scores[seat - 1]}),
        shown=by_suit(o.known[seat - 1]),
    )


def _pile(o: ZetemaObservation, rank: str) -> Pile:
    place = RANKS.index(rank)
    return Pile("10" if rank == "T" else rank, o.piles[place], o.lacking[place], o.gone[place])


def words(action: Action) -> Message:
    """An action in the words of a player."""
    if action.kind == "assembly":
        return Message("action.assembly", {"rank": action.args[0]})
    if action.kind == "marriage":
        table_cards = from_table(PAIR_BY_TEXT[str(text)] for text in action.args)
        key = "action.marriage_with_table" if table_cards else "action.marriage"
        return Message(key, {"cards": action.cards, "table_cards": table_cards, "count": len(action.args)})
    return Message("action." + action.kind, {"card": action.cards[0]})


def question(observation: ZetemaObservation) -> Question:
    """The question for one action: declarations with their points, then cards.

    A combination leads to a further question for the card to be laid, several marriages to one for pairs."""
    o = observation
    cards = in_hand_order(o.legal, by_suit(o.hand))
    plays = [action for action in cards if action.kind == "play"]
    shows = [action for action in cards if action.kind in COMBINATIONS]
    assemblies = [action for action in o.legal if action.kind == "assembly"]
    marriages = [action for action in o.legal if action.kind == "marriage"]
    more = []
    if shows:
        kind = shows[0].kind
        more.append((Message("show." + kind, {"points": COMBINATION_POINTS[kind]}), _lay_question(o, shows)))
    if len(marriages) > 1:
        best = max(points_of(o, action) for action in marriages)
        more.append((Message("declare_marriages", {"points": best}), _pairs_question(o, best)))
        marriages = []
    ask = "ask.turn_declaring" if len(o.legal) > len(plays) else "ask.turn"
    actions = (*assemblies, *marriages, *plays)
    labels = {action: _label_with_points(o, action) for action in actions} | {
        action: _refused_label(action) for action, _ in o.refused
    }
    first = min(plays, key=lambda action: len(o.piles[rank_of(action.cards[0])]), default=None)
    return Question(Message(ask, {"seat": o.seat}), actions, more=tuple(more), labels=labels, first=first)


def _label_with_points(o: ZetemaObservation, action: Action) -> Message:
    label, points = words(action), points_of(o, action)
    return Message("worth." + label.key.removeprefix("action."), {**label.args, "points": points}) if points else label


def _refused_label(action: Action) -> Message:
    """The label of a refused action. A combination is named without its cards."""
    return Message("thought." + action.kind) if action.kind in COMBINATIONS else words(action)


def _lay_question(o: ZetemaObservation, shows: Sequence[Action]) -> Question:
    """The question which card of a combination to lay. None is laid if its points win the match (Z9)."""
    declared = COMBINATION_POINTS[shows[0].kind]
    labels = {}
    for action in shows:
        args = {"card": action.cards[0], "points": points_of(o, action) - declared}
        labels[action] = Message("lay_and_score" if args["points"] else "lay", args)
    return Question(
        Message("ask.lay_none" if o.wins_with(declared) else "ask.lay", {"points": declared}),
        tuple(shows),
        labels=labels,
    )


def _pairs_question(o: ZetemaObservation, best: int) -> Question:
    """The question for the pairs to declare together. ``best``: the most points that they can score."""

    def combine(texts: Sequence[str]) -> Action | Reason:
        return o.marriage(texts) if texts else Reason("nothing_chosen")

    def status(texts: Sequence[str]) -> Message:
        if not texts:
            return Message("marry_none", {"points": best})
        made = combine(texts)
        if isinstance(made, Reason):
            return Message("reason." + made.key, made.args)
        keys = {"plain": "marry", "imperial": "marry_imperial", "both": "marry_both"}
        key = keys[marriage_column(made, o.spade_marriages)]
        return Message(key, {"count": len(texts), "points": points_of(o, made)})

    picks = tuple(Pick(text, _pair_label(text), _pair_cards(text)) for text in single_pairs(o))
    return Question(Message("ask.marriages"), picks=picks, combine=combine, status=status)


def _pair_cards(text: str) -> tuple[Card, ...]:
    return tuple(CARDS[name.strip("()")] for name in text.split("+"))


def _pair_label(text: str) -> Message:
    table_cards = PAIR_BY_TEXT[text].table
    if table_cards:
        return Message("pair_with_table", {"cards": _pair_cards(text), "card": table_cards[0]})
    return Message("pair", {"cards": _pair_cards(text)})


def sheet(observation: ZetemaObservation) -> Sheet:
    """The score sheet: the points of each side, and the points of tricks and declarations as tables."""
    return Sheet(_score_columns(observation), (Message("needed", {"target": observation.target}), *_point_tables()))


def _score_columns(o: ZetemaObservation) -> Columns:
    heads = (Message("head.points"), Message("head.lacking"))
    numbers = [(score, max(0, o.target - score)) for score in o.side_scores]
    if _in_teams(o):
        members = [Message("players", {"seats": seats}) for seats in o.sides]
        teams = [(side, *scored, seats) for side, scored, seats in zip(SIDES, numbers, members, strict=False)]
        return Columns((Message("head.side"), *heads, Message("head.players")), tuple(teams))
    names = [Message("name", {"seat": seats[0]}) for seats in o.sides]
    alone = [(name, *scored) for name, scored in zip(names, numbers, strict=True)]
    return Columns((Message("head.player"), *heads), tuple(alone))


def _point_tables() -> tuple[Message | Columns, ...]:
    ranks = ("K", "J", "A", "2")
    five = (Message("head.five"), *[Message("head.rank_" + rank) for rank in ranks])
    tables = {"trick": TRICK_POINTS, "assembly": ASSEMBLY_POINTS}
    fives: list[tuple[Cell, ...]] = [
        (Message("worth_of." + name), *[table[RANKS.index(rank)] for rank in ranks]) for name, table in tables.items()
    ]
    combination: tuple[Message, ...] = (
        Message("head.combination"),
        *[Message("head." + kind) for kind in COMBINATION_POINTS],
    )
    most = max(map(len, MARRIAGE_POINTS.values()))
    pairs: tuple[Message | str, ...] = (Message("head.pairs"), *[str(number) for number in range(1, most)])
    marriages = [
        (Message("worth_of." + name), *[worth or None for worth in table[1:]], *[None] * (most - len(table)))
        for name, table in MARRIAGE_POINTS.items()
    ]
    return (
        Columns(five, tuple(fives)),
        Columns(combination, ((Message("worth_of.combination"), *COMBINATION_POINTS.values()),)),
        Columns(pairs, tuple(marriages)),
    )


def removed_blocks(event: Event) -> tuple[Block, ...]:
    """The five cards of a trick that the event completes; empty for other events."""
    if event.key != "completed_trick":
        return ()
    return (Row(Message("trick_of", {"rank": event.args["rank"]}), cast(tuple[Card, ...], event.args["cards"])),)


def look_back(observation: ZetemaObservation) -> tuple[Block, ...]:
    """A line with the seat and the points of the last turn."""
    if turn := observation.last:
        return (Line(Message("last_turn", {"seat": turn.seat, "points": turn.points})),)
    return (Line(Message("first_turn")),)
