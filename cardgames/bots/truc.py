"""Computers that play Truc: ``easy`` by the odds of its cards, ``fair`` by guesses, ``strong`` by an equilibrium."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cardgames.bots.monte_carlo import Race
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.bots.truc_cards import (
    MINE,
    NO_CARD,
    NOBODY,
    THEIRS,
    Strength,
    Strengths,
    Winners,
    answer,
    odds,
    strength_of,
)
from cardgames.bots.truc_rollout import Hand, Temper, play_out, played, proposed, temper
from cardgames.bots.truc_standing import Standing
from cardgames.engine.game import Action, Reason
from cardgames.engine.truc import ANSWER_DOUBLE, ANSWER_EXCHANGE, ANSWER_REMAINDER, HAND, PACK, Truc, TrucObservation

UNIT = "win"

WORK = {"easy": 1, "fair": 8, "strong": 10_000}
"""Hands played out a choice; for ``strong`` hands that the other may hold at some turn, or where the table ends (more
than 12 points to a round) hands played out as well."""


def by_rule(observation: TrucObservation, rng: Random) -> Action:
    """Double with good odds, now and then with bad ones; exchange a poor hand; refuse what is hopeless."""
    o = observation
    chance = own_odds(o)
    kinds = {action.kind: action for action in o.legal}
    if "exchange" in kinds:
        return kinds["exchange" if chance < 0.5 else "play"]
    if "agree" in kinds:
        return kinds["agree" if chance < 0.45 else "refuse"]
    if "accept" in kinds:
        # Who proposes has the better hand more often than not.
        need = 0.42 if o.proposal == "double" else remainder_needs(o)
        return kinds["accept" if chance >= need else "refuse"]
    if "double" in kinds and (chance > 0.66 or (chance < 0.2 and rng.random() < 0.08)):
        return kinds["double"]
    if "remainder" in kinds and chance > (0.6 if 2 * o.scores[o.seat - 1] >= o.goal else 0.75):
        return kinds["remainder"]
    return card_to_play(o)


def remainder_needs(o: TrucObservation) -> float:
    """The odds from which a remainder is accepted: what a refusal would leave of the round is worth less then."""
    mine, theirs = o.scores[o.seat - 1], o.scores[2 - o.seat] + o.stake
    if theirs >= o.goal:
        return 0.0  # the round is lost anyway
    behind = (o.goal - mine) / ((o.goal - mine) + (o.goal - theirs))
    return max(0.2, 0.95 - behind)


def card_to_play(o: TrucObservation) -> Action:
    """Lead the strongest card; follow with the weakest that wins, or else the weakest."""
    strong = strength_of(o)
    mine, led = strong.of(o.hand), led_card(o)
    wanted = mine[0] if led == NO_CARD else answer(mine, led)
    return next(action for action in o.legal if action.cards and strong(action.cards[0]) == wanted)


def led_card(o: TrucObservation) -> int:
    """The strength of the card that lies there to be answered, or ``NO_CARD``."""
    return strength_of(o)(o.tricks[-1].cards[0]) if o.tricks and len(o.tricks[-1].cards) == 1 else NO_CARD


def winners_of(o: TrucObservation) -> Winners:
    """Whose each finished trick of this hand is, for the seat that sees it."""
    finished = [trick.winner for trick in o.tricks if len(trick.cards) == 2]
    return tuple([MINE if winner == o.seat else THEIRS if winner else NOBODY for winner in finished])


def is_my_turn(o: TrucObservation) -> bool:
    """Whether the seat to act is the next to play a card; who answers a proposal waits for the other."""
    return o.phase not in (ANSWER_EXCHANGE, ANSWER_DOUBLE, ANSWER_REMAINDER)


def own_odds(o: TrucObservation) -> float:
    """The chance of this seat to win the hand, by simple play against any cards the other may hold."""
    return odds(strength_of(o).of(o.hand), o.counts[2 - o.seat], led_card(o), is_my_turn(o), winners_of(o))


def naive(observation: TrucObservation, rng: Random) -> Action:
    """As somebody who has just learnt it: never bluff, whatever the score is, and win the first trick at any price."""
    o = observation
    chance = own_odds(o)
    strong = strength_of(o)
    kinds = {action.kind: action for action in o.legal}
    if "exchange" in kinds:
        return kinds["exchange" if chance < 0.5 else "play"]
    if "agree" in kinds:
        return kinds["agree" if chance < 0.5 else "refuse"]
    if "accept" in kinds:
        return kinds["accept" if chance >= 0.5 else "refuse"]
    for word in ("double", "remainder"):
        if word in kinds and chance > 0.75:
            return kinds[word]
    cards = sorted([action for action in o.legal if action.cards], key=lambda action: strong(action.cards[0]))
    hopeless = strong(cards[-1].cards[0]) < led_card(o)
    return card_to_play(o) if hopeless or len(o.hand) < HAND else cards[-1]


OWN = Temper(0.64, 0.38, 0.05)
"""How a guesser expects to bet later in the hand."""


class Guesses:
    """The hands that the other may hold, and what comes of an action against one of them."""

    def __init__(self, o: TrucObservation) -> None:
        self._seen = o
        self._standing = Standing.of(o)
        self._strong = strong = strength_of(o)
        self._mine = strong.of(o.hand)
        plays = [play for trick in o.tricks for play in trick.plays]
        gone = {*o.hand, *o.laid_aside, *[card for _, card in plays]}
        self._unseen = [strong(card) for card in PACK if card not in gone]
        self._shown = [strong(card) for seat, card in plays if seat != o.seat]
        self._their_proposals = o.doubled.count(3 - o.seat) + (o.proposal is not None)
        self._my_proposals = o.doubled.count(o.seat)

    def draw(self, rng: Random) -> Strengths:
        """A hand of the other, more often one that fits what they have proposed and accepted."""
        number = self._seen.counts[2 - self._seen.seat]
        while True:
            theirs = tuple(sorted(rng.sample(self._unseen, number), reverse=True))
            if not (self._their_proposals or self._my_proposals) or rng.random() < self._likely(theirs):
                return theirs

    def _likely(self, theirs: Strengths) -> float:
        """How well a hand fits, from 0 to 1."""
        dealt = tuple(sorted([*theirs, *self._shown], reverse=True))
        chance = odds(dealt, HAND, NO_CARD, False, ())
        proposes = 1.0 if chance > 0.6 else 0.35 if chance > 0.45 else 0.12
        accepts = 1.0 if chance > 0.4 else 0.25
        return float(proposes**self._their_proposals * accepts**self._my_proposals)

    def chance(self, theirs: Strengths, action: Action, rng: Random) -> float:
        """The chance to win the match if the other holds these cards, once this action is taken and all played out."""
        o, standing, shy = self._seen, self._standing, temper(rng)
        hand = Hand(self._mine, theirs, led_card(o), is_my_turn(o), winners_of(o), o.stake, bool(o.remainder))
        kind = action.kind
        if kind == "card":
            after = played(hand, self._strong(action.cards[0]))
            if isinstance(after, int):
                return standing.chance(after, hand.stake, hand.decides)
            return play_out(after, standing, OWN, shy, rng)
        if kind in ("double", "remainder"):
            outcome = proposed(hand, standing, shy)
            return outcome if isinstance(outcome, float) else play_out(outcome, standing, OWN, shy, rng, False)
        if kind == "accept":
            hand = replace(hand, stake=2 * o.stake) if o.proposal == "double" else replace(hand, decides=True)
            return play_out(hand, standing, OWN, shy, rng, False)
        if o.proposal:  # refused
            return standing.chance(THEIRS, o.stake, False)
        if kind == "agree" or (kind == "exchange" and hand.waiting_odds() < 0.45):
            cards = rng.sample(self._unseen, 2 * HAND)
            mine, theirs = [tuple(sorted(three, reverse=True)) for three in (cards[:HAND], cards[HAND:])]
            hand = replace(hand, mine=mine, theirs=theirs)
        return play_out(hand, standing, OWN, shy, rng)


class Guesser:
    """Plays by guessing the other's hand and playing it out."""

    def __init__(self, caution: float) -> None:
        """``caution``: by how many standard errors another move must be better than that of the rule."""
        self._caution = caution

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`."""
        o, strong, guesses = observation, strength_of(observation), Guesses(observation)
        actions = _different(o, strong)
        refused = [action for action in o.legal if action.kind == "refuse" and o.proposal]
        usual = by_rule(o, rng)
        race = Race(actions, usual, guesses.draw, guesses.chance, doubt=0.15, caution=self._caution, sure=refused)
        tried = race.run(rng, budget)
        rated = {rating.action: rating for rating in tried}
        same = {strong(action.cards[0]): rated[action] for action in actions if action.cards}
        found = [rated.get(action) or _like(same[strong(action.cards[0])], action) for action in o.legal]
        return tuple(sorted(found, key=lambda rating: (rating.action != tried[0].action, -rating.value)))


def _different(o: TrucObservation, strong: Strength) -> list[Action]:
    """The legal actions, of equally strong cards the first alone."""
    found: dict[object, Action] = {}
    for action in o.legal:
        found.setdefault(strong(action.cards[0]) if action.cards else action.text, action)
    return list(found.values())


def _like(rating: Rating, action: Action) -> Rating:
    """The rating of an action that plays an equally strong card."""
    return rating._replace(action=action, same_as=rating.action)


def thinker(level: str, game: Truc) -> Thinker:
    """How a level plays: ``easy`` bets on what it sees; ``fair`` keeps to the rule where guessing a few hands of the
    other shows nothing clearly better; ``strong`` plays an equilibrium, and guesses where that says nothing."""
    if level == "strong":
        from cardgames.bots.truc_equilibrium_player import EquilibriumPlayer

        return EquilibriumPlayer(Guesser(1.0))
    return ByRule(naive) if level == "easy" else Guesser(2.0)


SPEAKS_FOR = {
    **dict.fromkeys(("play", "double", "remainder", "refuse exchange"), range(50, 101)),
    **dict.fromkeys(("exchange", "agree", "refuse"), range(50)),
    "accept": range(25, 101),
}
"""The odds, in percent, that speak for each word: a double that pays is accepted from one in four on."""

BLUFF = 30
"""The odds, in percent, up to which a proposal counts on being refused."""


def _word(o: TrucObservation, action: Action) -> str:
    """The word of an action; to refuse an exchange is none against the cards that one holds."""
    return "refuse exchange" if action.kind == "refuse" and o.proposal is None else action.kind


def reasons(observation: TrucObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action that is rated first; see :func:`cardgames.bots.reasons`."""
    o, action = observation, ratings[0].action
    strong = strength_of(o)
    if action.kind == "accept" and o.scores[2 - o.seat] + o.stake >= o.goal:
        return (Reason("hint.nothing_lost"),)
    if not action.cards:
        word, percent = _word(o, action), round(100 * own_odds(o)) if o.hand else 0
        odds_told = [Reason("hint.odds", {"percent": percent})] if percent in SPEAKS_FOR[word] else []
        if word in ("double", "remainder") and percent <= BLUFF:
            return (Reason("hint.bluff", {"percent": percent}),)
        return (*odds_told, Reason("hint.no_exchange")) if word in ("play", "refuse exchange") else (*odds_told,)
    if len(o.hand) == 1:
        return ()
    card = action.cards[0]
    led = led_card(o)
    if led == NO_CARD:
        best = max(o.hand, key=strong)
        if strong(card) == strong(best):
            return (Reason("hint.strongest", {"card": card}),)
        leads = [rating for rating in ratings if rating.action.cards and strong(rating.action.cards[0]) == strong(best)]
        return (Reason("hint.keeps", {"card": best}),) if ratings[0].better_than_some(leads) else ()
    if strong(card) != answer(strong.of(o.hand), led):
        return ()
    return (Reason("hint.enough" if strong(card) > led else "hint.cannot_win", {"card": card}),)
