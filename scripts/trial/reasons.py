"""The facts that each reason for a move states, checked against the whole state: cards that the seat cannot see too."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import reasons
from cardgames.bots.fipsen import _contract_after, contract_probability
from cardgames.bots.thinking import Rating
from cardgames.bots.truc import card_to_play
from cardgames.bots.truc_odds import strength_of
from cardgames.engine.cards import NAMES, RANKS, SUITS, cards_in, rank_of, suit_of
from cardgames.engine.fipsen_bids import worth
from cardgames.engine.game import Action, AnyGame
from cardgames.engine.tricks import winning_index
from cardgames.engine.zetema import MARRIAGE_POINTS, QUEEN, SEQUENCE_RANKS, TRICK_POINTS, marriage_column
from tests.bots.test_players import new, positions

TABLES: Mapping[str, list[tuple[int, Mapping[str, Any], int]]] = {
    "durak": [
        (2, {"throw_in": True, "turn_over": "any"}, 20),
        (3, {"several": True}, 8),
        (4, {"sides": True, "throw_in": True, "turn_over": "any", "pack": 52}, 12),
        (6, {"sides": True, "turn_over": "any", "several": True}, 10),
    ],
    "truc": [(2, {}, 20), (2, {"order": "seven_ace", "one_exchange": True}, 10)],
    "kakeya": [(4, {}, 4), (6, {}, 3)],
    "fipsen": [(3, {}, 60), (4, {}, 60)],
    "zetema": [(2, {}, 1), (4, {"teams": True}, 1), (6, {}, 1)],
}
"""The numbers of players and the options with which reasons are checked, and of the suite's matches at random."""

SAMPLES = 100
"""The most deals that fit what the seat knows, in which a possibility is looked for."""

SELDOM = {"partner_could_go_out", "sevens", "stop"}
"""The reasons that matches at random do not bring about. They have tests of their own."""


class Truth(NamedTuple):
    """The figures of the trial."""

    game: str
    checked: Counter[str]
    """How often each reason was given."""

    def __str__(self) -> str:
        return f"{self.game}: {self.checked.total()} sentences of {len(self.checked)} kinds are true"


class Said(NamedTuple):
    """A reason that was given for an action, with everything that it can be checked by."""

    game: AnyGame
    state: Any
    o: Any
    action: Action
    ratings: tuple[Rating, ...]
    args: Any

    @property
    def after(self) -> Any:
        return self.game.apply(self.state, self.action)

    def seen_after(self) -> Any:
        return self.game.observation(self.after, self.o.seat)

    @property
    def others_cards(self) -> list[int]:
        """The cards in all other hands."""
        hands = enumerate(self.game.hands(self.state), 1)
        return [card for seat, hand in hands if seat != self.o.seat for card in hand]

    def plays(self, *kinds: str) -> list[Action]:
        return [action for action in self.o.legal if action.kind in kinds]

    def can(self, happens: Callable[[Any], bool]) -> bool:
        """Whether something happens in any of some states that fit what the seat knows."""
        return any(happens(self.game.resample(self.o, Random(number))) for number in range(SAMPLES))

    def goes_on(self, state: Any, until: Callable[[Any], bool], rng: Random, kinds: tuple[str, ...] = ()) -> Any:
        """A state after random choices, of ``kinds`` if any are named, for which ``until`` holds."""
        while not until(state):
            legal = self.game.legal_actions(state)
            state = self.game.apply(state, rng.choice([each for each in legal if each.kind in kinds] or legal))
        return state


Check = Callable[[Said], object]

# Durak


def _cost(s: Said, card: int) -> tuple[bool, int]:
    return suit_of(card) == suit_of(s.o.turn_up), rank_of(card)


def _own(action: Action) -> tuple[int, ...]:
    return action.cards[:1] if action.kind == "beat" else action.cards


def _beaten_by(s: Said, card: int) -> list[int]:
    """The cards in other hands and in the stock that beat a card (D4)."""
    out, trump = [*s.others_cards, *s.state.stock], suit_of(s.o.turn_up)
    return [each for each in out if _beats(each, card, trump)]


def _beats(one: int, card: int, trump: int) -> bool:
    return one > card if suit_of(one) == suit_of(card) else suit_of(one) == trump


def _follow(s: Said) -> Iterator[bool]:
    """Once all is beaten, these cards can be laid one after the other, if each is beaten."""
    laid, seats = len(s.action.cards), s.o.counts
    yield seats[s.o.defender - 1] - laid >= len(s.args["cards"])
    for beat in [action for action in s.game.legal_actions(s.after) if action.kind == "beat"]:
        beaten = s.game.apply(s.after, beat)
        while (more := [each for each in s.game.legal_actions(beaten) if each.kind == "beat"]) and laid > 1:
            beaten = s.game.apply(beaten, more[0])
        if not beaten.bout.unbeaten and s.game.to_act(beaten) == s.o.seat:
            yield {*s.args["cards"]} <= {card for each in s.game.legal_actions(beaten) for card in each.cards}


def _next_to_defend(s: Said) -> Iterator[bool]:
    taken = s.game.apply(s.state, s.game.parse("take"))
    for number in range(8):
        settled = s.goes_on(taken, lambda state: state.phase in ("attack", "over"), Random(number))
        yield settled.bout.defender == s.args["seat"] and s.args["seat"] != s.o.seat


def _goes_out(s: Said) -> bool:
    """The partner is asked after passes, lays the last card that may be added, and has none left."""
    asked = s.goes_on(s.after, lambda state: state.to_act == s.args["seat"], Random(1), ("pass",))
    added = [each for each in s.game.legal_actions(asked) if each.cards]
    after = s.game.apply(asked, added[0])
    return not after.hands[s.args["seat"] - 1] and not after.stock


def _grows_by_taking(s: Said) -> int:
    """The number of cards in the hand after taking, minus those in it now."""
    taken = s.game.apply(s.state, s.game.parse("take"))
    settled = s.goes_on(taken, lambda state: state.phase != "throw", Random(1), ("pass",))
    return len(s.game.hands(settled)[s.o.seat - 1]) - len(s.o.hand)


DURAK: dict[str, Check] = {
    "weakest": lambda s: (
        s.action.cards == (s.args["card"],) and _cost(s, s.args["card"]) == min(_cost(s, card) for card in s.o.hand)
    ),
    "cheapest": lambda s: (
        s.action.cards == (s.args["card"], s.args["attack_card"])
        and all(
            _cost(s, beat.cards[0]) >= _cost(s, s.args["card"])
            for beat in s.plays("beat")
            if beat.cards[1] == s.args["attack_card"]
        )
    ),
    "beating_costs": lambda s: (
        len(s.o.unbeaten) == 1
        and {s.args["attack_card"]} == {beat.cards[1] for beat in s.plays("beat")}
        and s.args["card"] == min((beat.cards[0] for beat in s.plays("beat")), key=lambda card: _cost(s, card))
    ),
    "unbeatable": lambda s: s.action.cards == (s.args["card"],) and not _beaten_by(s, s.args["card"]),
    "keeps_trumps": lambda s: (
        s.args["count"] == len(s.state.stock) > 0
        and suit_of(s.o.turn_up) in map(suit_of, s.o.hand)
        and suit_of(s.o.turn_up) not in map(suit_of, _own(s.action))
    ),
    "can_follow": lambda s: all(_follow(s)),
    "turns": lambda s: (
        s.after.bout.defender == s.after.to_act == s.args["seat"] != s.o.seat
        and s.after.bout.unbeaten == s.state.bout.unbeaten | 1 << s.action.cards[0]
    ),
    "taking_costs": lambda s: s.plays("take") and _grows_by_taking(s) >= s.args["count"] > 0,
    "no_new_rank": lambda s: (
        s.action.cards[0] == s.args["card"]
        and rank_of(s.args["card"]) in {rank_of(card) for action in s.o.bout for card in action.cards}
    ),
    "one_more": lambda s: (
        s.action.cards == (s.args["card"],)
        and s.o.phase == "more"
        and s.after.to_act == s.args["seat"] == s.o.defender
        and s.after.bout.unbeaten >> s.args["card"] & 1
    ),
    "thrown_in": lambda s: (
        s.action.cards == (s.args["card"],)
        and s.o.phase == "throw"
        and s.args["seat"] == s.o.defender
        and s.args["card"]
        in s.game.hands(s.goes_on(s.after, lambda state: state.phase != "throw", Random(1)))[s.args["seat"] - 1]
    ),
    "holds_back": lambda s: (
        s.action.kind == "pass"
        and s.args["card"] == min((each.cards[0] for each in s.o.legal if each.cards), key=lambda card: _cost(s, card))
    ),
    "partner_would_defend": lambda s: all(_next_to_defend(s)),
    "partner_could_go_out": lambda s: s.action.kind == "pass" and _goes_out(s),
}
"""``wins``, ``draws`` and ``loses`` are compared with a plain minimax, in ``test_reasons``."""

# Kakeya Trump


def _partner_side(s: Said) -> set[int]:
    return {s.o.seat, s.o.partner}


def _takes(s: Said, one: int, card: int) -> bool:
    """Whether a card played later beats ``card`` (K5, K8)."""
    return winning_index((card, one), s.o.trump, s.o.rensho) == 1


def _beaters(s: Said, card: int) -> list[int]:
    return [each for each in s.others_cards if _takes(s, each, card)]


def _of_suit(cards: list[int], card: int) -> list[int]:
    return [each for each in cards if suit_of(each) == suit_of(card)]


def _is_picture(card: int) -> bool:
    return rank_of(card) >= 9


def _may(s: Said) -> list[int]:
    return [action.cards[0] for action in s.plays("play")]


def _leads_trick(s: Said) -> bool:
    """Whether the action takes the lead in the trick, or wins it."""
    cards, players = (*s.o.trick.cards, *s.action.cards), (*s.o.trick.players, s.o.seat)
    return bool(players[winning_index(cards, s.o.trump, s.o.rensho)] == s.o.seat)


def _can_be_beaten(s: Said) -> bool:
    """Whether somebody who has still to play may beat the card that is winning."""
    to_play = {*s.state.players} - {*s.o.trick.players, s.o.seat}

    def beats(state: Any) -> bool:
        hands = s.game.hands(state)
        led = suit_of(s.o.trick.cards[0])
        for seat in to_play:
            follow = [card for card in hands[seat - 1] if suit_of(card) == led] or hands[seat - 1]
            if any(_takes(s, card, s.o.trick.winning_card) for card in follow):
                return True
        return False

    return s.can(beats)


def _sure(s: Said) -> set[int]:
    pictures = filter(_is_picture, s.o.hand)
    return {card for card in pictures if not _of_suit(_beaters(s, card), card)}


def _same_payment(s: Said) -> bool:
    ends = [s.goes_on(s.state, s.game.deal_over, Random(number), ("play",)) for number in range(4)]
    return len({s.game.payoff(end) for end in (*ends, s.game.apply(s.state, s.game.parse("claim")))}) == 1


def _partner_wins(s: Said) -> bool:
    return s.o.trick.winner == s.o.partner == s.args["seat"] and not _leads_trick(s)


KAKEYA: dict[str, Check] = {
    "settled": _same_payment,
    "not_dealt": lambda s: not any(s.game.hands(s.state)),
    "own_pictures": lambda s: s.args["count"] == sum(map(_is_picture, s.o.hand)),
    "sure_cards": lambda s: {*s.args["cards"]} == _sure(s) != set(),
    "no_sure_card": lambda s: not _sure(s) and s.o.rensho not in s.o.hand,
    "highest_left": lambda s: (
        s.action.cards == (s.args["card"],) and not _of_suit(_beaters(s, s.args["card"]), s.args["card"])
    ),
    "unbeatable": lambda s: s.action.cards == (s.args["card"],) and not _beaters(s, s.args["card"]),
    "nobody_follows": lambda s: (
        not _of_suit(s.others_cards, s.action.cards[0])
        and s.args["suit"] == SUITS[suit_of(s.action.cards[0])]
        and {suit_of(card) for card in _beaters(s, s.action.cards[0])} == {s.o.trump}
    ),
    "rensho_or_trump": lambda s: (
        not _of_suit(s.others_cards, s.action.cards[0])
        and s.args["suit"] == SUITS[suit_of(s.action.cards[0])]
        and s.o.rensho in _beaters(s, s.action.cards[0])
        and {suit_of(card) for card in _beaters(s, s.action.cards[0]) if card != s.o.rensho} <= {s.o.trump}
    ),
    "draws_trumps": lambda s: (
        suit_of(s.action.cards[0]) == s.o.trump
        and not s.o.trick
        and s.args["count"] == sum(suit_of(card) == s.o.trump for card in s.others_cards) > 0
    ),
    "few_beat": lambda s: (
        s.args["count"] == len(_of_suit(_beaters(s, s.args["card"]), s.args["card"])) > 0
        and (not s.o.trick or _leads_trick(s))
    ),
    "overtrumps": lambda s: (
        s.args["count"] == len(_beaters(s, s.args["card"])) > 0
        and _leads_trick(s)
        and suit_of(s.args["card"]) == s.o.trump != suit_of(s.o.trick.cards[0])
    ),
    "last_of_suit": lambda s: (
        SUITS.index(s.args["suit"]) == suit_of(s.action.cards[0]) != s.o.trump
        and len(_of_suit([*s.o.hand], s.action.cards[0])) == 1
        and s.o.trump in map(suit_of, s.o.hand)
    ),
    "risks_no_picture": lambda s: (
        not _is_picture(s.action.cards[0])
        and s.args["count"] == len(_of_suit(_beaters(s, s.action.cards[0]), s.action.cards[0])) > 0
    ),
    "partner_ahead": lambda s: _partner_wins(s) and s.action.cards == (s.args["card"],) and _is_picture(s.args["card"]),
    "partner_wins": lambda s: _partner_wins(s) and len(s.o.trick.cards) == 3 and s.action.cards == (s.args["card"],),
    "partner_may_lose": lambda s: (
        _partner_wins(s)
        and s.args["card"] == s.o.trick.winning_card
        and not _is_picture(s.action.cards[0])
        and _can_be_beaten(s)
    ),
    "keeps_pictures": lambda s: (
        s.o.trick.winner == s.o.partner and any(map(_is_picture, _may(s))) and not _is_picture(s.action.cards[0])
    ),
    "nothing_to_add": lambda s: _partner_wins(s) and not any(map(_is_picture, _may(s))),
    "no_picture_lost": lambda s: (
        not _leads_trick(s)
        and s.o.trick.winner == s.args["seat"] not in _partner_side(s)
        and not _is_picture(s.action.cards[0])
    ),
    "cannot_win": lambda s: (
        s.o.trick.winner not in _partner_side(s)
        and not any(_takes(s, card, s.o.trick.winning_card) for card in _may(s))
    ),
    "only_pictures": lambda s: all(map(_is_picture, _may(s))),
    "no_picture_there": lambda s: not any(map(_is_picture, s.o.trick.cards)) and not _leads_trick(s),
    "partner_to_play": lambda s: (
        len(s.o.trick.cards) == 1
        and s.args["seat"] == s.o.partner
        and s.state.players[(s.state.players.index(s.o.seat) + 2) % 4] == s.o.partner
        and _partner_may_win(s)
    ),
    "for_pictures": lambda s: _leads_trick(s) and s.args["count"] == sum(map(_is_picture, s.o.trick.cards)) > 0,
    "takes_pictures": lambda s: (
        len(s.o.trick.cards) == 3
        and _leads_trick(s)
        and s.args["count"] == sum(map(_is_picture, (*s.o.trick.cards, *s.action.cards))) > 0
    ),
    "lowest_to_win": lambda s: (
        len(s.o.trick.cards) == 3
        and _leads_trick(s)
        and not any(
            suit_of(card) == suit_of(s.args["card"]) and card < s.args["card"]
            for card in _may(s)
            if _takes(s, card, s.o.trick.winning_card)
        )
    ),
    "leads_next": lambda s: (
        len(s.o.trick.cards) == 3 and s.game.to_act(s.after) == s.o.seat and s.after.phase == "play"
    ),
}


def _partner_may_win(s: Said) -> bool:
    """Whether the partner may hold a card that wins the trick as it will then stand."""
    led, best = suit_of(s.o.trick.cards[0]), s.o.trick.winning_card
    best = s.action.cards[0] if _takes(s, s.action.cards[0], best) else best

    def wins(state: Any) -> bool:
        hand = s.game.hands(state)[s.o.partner - 1]
        follow = [card for card in hand if suit_of(card) == led] or hand
        return any(_takes(s, card, best) for card in follow)

    return s.can(wins)


# Truc


def _by_percent(s: Said) -> bool:
    """The hand is won about so often if nobody raises and both play simply, in deals that fit. Tried for some."""
    share = s.args["percent"] / 100
    if sum(s.o.hand) % 8:
        return bool(0 <= share <= 1)
    won = [_wins_hand(s, s.game.resample(s.o, Random(number))) for number in range(SAMPLES)]
    return bool(abs(sum(won) / SAMPLES - share) < 4 * 0.5 / SAMPLES**0.5)


def _wins_hand(s: Said, state: Any) -> bool:
    """Whether the seat wins the hand in ``state``, if both play simply and nobody raises any more."""
    while (seat := s.game.to_act(state)) not in (None, 0):
        o: Any = s.game.observation(state, seat or 0)
        answers = [each for each in o.legal if each.kind == {"answer_exchange": "refuse"}.get(o.phase, "accept")]
        answers += [each for each in o.legal if each.kind == "play"]
        before, state = state, s.game.apply(state, answers[0] if answers else card_to_play(o))
    then: Any = s.game.observation(before, s.o.seat)
    now: Any = s.game.observation(state, s.o.seat)
    scores = (now.rounds, then.rounds) if now.rounds != then.rounds else (now.scores, then.scores)
    return bool(scores[0][s.o.seat - 1] > scores[1][s.o.seat - 1])


def _trick_winner(s: Said) -> int:
    after = s.seen_after()
    return int((after.tricks or after.last_hand)[-1].winner)


def _strengths(s: Said) -> list[int]:
    strength = strength_of(s.o)
    return [strength(card) for card in (s.args["card"], *s.o.hand)]


def _loses_the_round(s: Said) -> bool:
    refused: Any = s.game.observation(s.game.apply(s.state, s.game.parse("refuse")), s.o.seat)
    return refused.outcome is not None or refused.rounds != s.o.rounds


def _wins_trick(s: Said, card: int) -> bool:
    return bool(_trick_winner(s._replace(action=s.game.parse(NAMES[card]))) == s.o.seat)


TRUC: dict[str, Check] = {
    "odds": lambda s: s.args["percent"] >= (25 if s.action.kind == "accept" else 50) and _by_percent(s),
    "poor": lambda s: s.action.kind in ("exchange", "agree", "refuse") and s.args["percent"] < 50 and _by_percent(s),
    "bluff": lambda s: s.action.kind in ("double", "remainder") and s.args["percent"] <= 30 and _by_percent(s),
    "presses": lambda s: s.action.kind in ("double", "remainder") and _by_percent(s)
    and "refuse" in {action.kind for action in s.game.legal_actions(s.after)},
    "no_raise": lambda s: s.plays("double", "remainder") and s.args["percent"] < 50 and _by_percent(s),
    "no_exchange": lambda s: s.o.phase in ("exchange", "answer_exchange") and s.action.kind in ("play", "refuse"),
    "nothing_lost": lambda s: s.action.kind == "accept" and _loses_the_round(s),
    "decides": lambda s: s.o.phase == "answer_remainder"
    and (s.args["percent"] > s.args["less"]) == (s.action.kind == "accept"),
    "spoils": lambda s: s.action.cards == (s.args["card"],) and _trick_winner(s) == 0,
    "strongest": lambda s: s.action.cards == (s.args["card"],) and _strengths(s)[0] == max(_strengths(s)),
    "keeps": lambda s: s.args["card"] in s.seen_after().hand and s.seen_after().last_hand == s.o.last_hand,
    "enough": lambda s: _wins_trick(s, s.args["card"])
    and not any(_wins_trick(s, card) for card in s.o.hand if strength_of(s.o)(card) < strength_of(s.o)(s.args["card"])),
    "cannot_win": lambda s: not any(_wins_trick(s, card) for card in s.o.hand)
    and _strengths(s)[0] == min(_strengths(s)),
}  # fmt: skip

# Fipsen


def _highest(s: Said) -> bool:
    out = [*s.others_cards, *cards_in(s.state.aside.skat | s.state.aside.unused)]
    (card,) = s.action.cards
    return card == s.args["card"] and not any(suit_of(each) == suit_of(card) and each > card for each in out)


def _wins_so_far(s: Said, card: int) -> bool:
    cards = [each for _, each in s.o.trick]
    return winning_index((*cards, card), s.o.trump) == len(cards)


def _lowest(s: Said, wins: bool) -> bool:
    """Whether the card is the lowest that may be played and wins the trick so far, or does not."""
    may = [action.cards[0] for action in s.plays("play") if _wins_so_far(s, action.cards[0]) == wins]
    return s.action.cards == (s.args["card"],) and rank_of(s.args["card"]) == min(map(rank_of, may))


def _said_percent(s: Said, action: Action, percent: int) -> bool:
    """Whether the value of an action, in points, means that the contract is made so often."""
    rating = next(each for each in s.ratings if each.action == action)
    probability = contract_probability(s.o, rating)
    return probability is not None and percent == round(100 * probability)


def _share_made(s: Said, rating: Rating) -> float:
    """How often declarer makes the contract by the value of a card to the seat."""
    won, lost = worth(s.o.contract)
    share = 1.0 if s.o.seat == s.o.declarer else -1 / (len(s.o.counts) - 1)
    return (rating.value / share - lost) / (won - lost)


def _compares(s: Said, key: str) -> bool:
    by_card = {rating.action.cards[:1]: _share_made(s, rating) for rating in s.ratings}
    made = [by_card[s.args["card"],], by_card[s.args["other_card"],]]
    said = [round(100 * (each if key == "makes" else 1 - each)) for each in made]
    return (key == "makes") == (s.o.seat == s.o.declarer) and said == [s.args["percent"], s.args["less"]]


def _rewards(s: Said) -> dict[Action, int]:
    """What each bid pays if it is made."""
    ends = {action: _contract_after(s.o, action) for action in s.o.legal}
    return {action: worth(bid)[0] if bid else 0 for action, bid in ends.items()}


FIPSEN: dict[str, Check] = {
    "sevens": lambda s: {rank_of(card) for card in s.o.hand} >= {RANKS.index("7"), RANKS.index("A")}
    and sum(rank_of(card) == RANKS.index("7") for card in s.o.hand) == 4
    and s.game.payoff(s.after)[s.o.seat - 1] - s.game.payoff(s.state)[s.o.seat - 1] == s.args["points"],
    "no_bid": lambda s: s.action.kind == "pass" and 0 <= s.args["percent"] < 67,
    "bid_costs": lambda s: s.args["pays"] == 67 and s.o.phase == "bid",
    "odds": lambda s: _said_percent(s, s.action, s.args["percent"]),
    "pays_more": lambda s: s.args["points"] == _rewards(s)[s.action] > min(_rewards(s).values()),
    "stop": lambda s: s.args["percent"] < s.args["pays"] == 84
    and _said_percent(s, s.game.parse("continue"), s.args["percent"]),
    "highest_left": lambda s: _highest(s) and (not s.o.trick or _wins_so_far(s, s.args["card"])),
    "lowest_to_win": lambda s: len(s.o.trick) == len(s.o.counts) - 1
    and _wins_so_far(s, s.args["card"]) and _lowest(s, True),
    "cannot_win": lambda s: not any(_wins_so_far(s, each.cards[0]) for each in s.plays("play")) and _lowest(s, False),
    "mate_ahead": lambda s: s.args["seat"] == s.o.winning != s.o.declarer
    and s.o.seat not in (s.o.declarer, s.o.winning)
    and not _wins_so_far(s, s.action.cards[0]),
    "makes": lambda s: _compares(s, "makes"),
    "beats": lambda s: _compares(s, "beats"),
}  # fmt: skip

# Zetema


def _gained(s: Said, action: Action) -> int:
    side = next(place for place, seats in enumerate(s.o.sides) if s.o.seat in seats)
    after: Any = s.game.observation(s.game.apply(s.state, action), s.o.seat)
    return int(after.side_scores[side] - s.o.side_scores[side])


def _pile(s: Said) -> int:
    return len(s.o.piles[rank_of(s.action.cards[0])])


def _kept(s: Said) -> Counter[int]:
    return Counter(s.o.hand) - Counter(s.action.cards[:1])


def _to_draw(s: Said) -> Counter[int]:
    """The cards that the seat may still draw or wait for: in other hands or in the stock."""
    return Counter([*s.others_cards, *s.state.stock])


def _keeps_row(s: Said) -> bool:
    ranks = {rank_of(card) for card in s.args["cards"]}
    to_draw = {rank_of(card) for card in _to_draw(s)}
    rows = [row for row in SEQUENCE_RANKS[s.o.hand_size] if ranks <= row <= ranks | to_draw]
    return (
        not Counter(s.args["cards"]) - _kept(s) and len(ranks) == len(s.args["cards"]) and bool(rows and s.state.stock)
    )


def _keeps_suit(s: Said) -> bool:
    suit = SUITS.index(s.args["suit"])
    kept, left = [
        sum(count for card, count in cards.items() if suit_of(card) == suit) for cards in (_kept(s), _to_draw(s))
    ]
    return s.args["count"] == kept and left >= s.o.hand_size - kept and bool(s.state.stock and suit)


def _may_marry(s: Said, card: int) -> bool:
    partner = card + (1 if rank_of(card) == QUEEN else -1)
    return _kept(s)[card] > 0 and s.o.out.count(partner) < (1 if suit_of(card) else 2)


def _waits(s: Said) -> bool:
    marriages = [each for each in s.plays("marriage") if each.cards == s.args["cards"]]
    points = {_gained(s, each): each for each in marriages}
    column = marriage_column(points[s.args["points"]], s.o.spade_marriages)
    still_there = not Counter(s.args["cards"]) - (_kept(s) + Counter(sum(s.seen_after().piles, ())))
    more = MARRIAGE_POINTS[column][len(points[s.args["points"]].args) + 1]
    return still_there and s.args["more"] == more > s.args["points"]


ZETEMA: dict[str, Check] = {
    "wins_match": lambda s: _gained(s, s.action) == s.args["points"] and s.seen_after().outcome,
    "scores": lambda s: _gained(s, s.action) == s.args["points"] > 0,
    "scores_most": lambda s: _gained(s, s.action) == s.args["points"]
    and all(_gained(s, each) < s.args["points"] for each in s.o.legal if each != s.action),
    "no_fourth": lambda s: _pile(s) < 3 and any(len(s.o.piles[rank_of(card)]) == 3 for card in s.o.hand),
    "cheap_fourth": lambda s: _pile(s) == 3 and s.args["points"] == TRICK_POINTS[rank_of(s.action.cards[0])]
    and any(
        len(s.o.piles[rank_of(card)]) == 3 and TRICK_POINTS[rank_of(card)] > s.args["points"] for card in s.o.hand
    ),
    "own_fifth": lambda s: _pile(s) == 3 and s.args["points"] == TRICK_POINTS[rank_of(s.action.cards[0])]
    and _kept(s)[s.args["card"]] and not any(rank_of(card) == rank_of(s.args["card"]) for card in _to_draw(s)),
    "waits": _waits,
    "keeps_row": _keeps_row,
    "keeps_suit": _keeps_suit,
    "keeps_royals": lambda s: all(_may_marry(s, card) for card in s.args["cards"]),
}  # fmt: skip

CHECKS = {"durak": DURAK, "kakeya": KAKEYA, "truc": TRUC, "fipsen": FIPSEN, "zetema": ZETEMA}


def every_reason(name: str, times: float) -> Iterator[tuple[str, Said]]:
    """Every reason that is given for any move of some matches, each time as if that move were rated first.

    The other moves are once clearly worse, and once as good."""
    for seats, rules, matches in TABLES[name]:
        game = new(name, seats, rules)
        for state, o in positions(game, 7, max(1, round(matches * times))):
            for action in o.legal:
                others = [other for other in o.legal if other != action]
                for value in (-3.0, 0.9):
                    ratings = (Rating(action, 1.0, 0.1), *[Rating(other, value, 0.1) for other in others])
                    for why in reasons(game, o, ratings):
                        yield why.key.removeprefix("hint."), Said(game, state, o, action, ratings, why.args)


def trial(game: str, times: float = 1) -> Truth:
    """Check every reason for any move of so many times the matches of the suite. Fails if one is not true."""
    checked, false = Counter[str](), Counter[str]()
    for key, said in every_reason(game, times):
        checked[key] += 1
        if not CHECKS[game][key](said):
            false[key] += 1
            print(key, said.o, said.action, said.args)
    assert not false, {key: f"{count} of {checked[key]}" for key, count in false.items()}
    return Truth(game, checked)
