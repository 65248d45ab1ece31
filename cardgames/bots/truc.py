"""Computers that play Truc: by the odds of a hand, or by an equilibrium."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from cardgames.bots.monte_carlo import try_each
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.bots.truc_hand import Hand, Standing, Temper, play_out, played, proposed, temper
from cardgames.bots.truc_odds import MINE, NOBODY, THEIRS, Strengths, odds
from cardgames.bots.truc_strength import Strength, strength_of
from cardgames.engine.cards import Card
from cardgames.engine.game import Action, Reason
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import HAND, Truc, TrucObservation
from cardgames.engine.truc_tables import ANSWER_DOUBLE, ANSWER_EXCHANGE, ANSWER_REMAINDER, PACK

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
    cards = [action for action in o.legal if action.cards]
    strong = strength_of(o)
    if not is_led(o):
        return max(cards, key=lambda action: strong(action.cards[0]))
    led = strong(o.tricks[-1].cards[0])
    winning = [action for action in cards if strong(action.cards[0]) > led]
    return min(winning or cards, key=lambda action: strong(action.cards[0]))


def is_led(o: TrucObservation) -> bool:
    """Whether a card lies there to be answered."""
    return bool(o.tricks) and len(o.tricks[-1].cards) == 1


def first_winner(o: TrucObservation) -> int:
    """Who was the first to win a trick, as :func:`odds` has it."""
    for trick in o.tricks:
        if trick.winner and len(trick.cards) == 2:
            return MINE if trick.winner == o.seat else THEIRS
    return NOBODY


def own_odds(o: TrucObservation) -> float:
    """The chance of this seat to win the hand, by simple play against any cards the other may hold."""
    strong = strength_of(o)
    mine = strong.of(o.hand)
    whole = [trick for trick in o.tricks if len(trick.cards) == 2]
    if is_led(o):
        leader = o.tricks[-1].leader
    elif whole:
        leader = whole[-1].winner or whole[-1].leader
    else:
        leader = 3 - o.dealer
    first, left = first_winner(o), HAND - len(whole)
    if not is_led(o):
        return odds(mine, o.counts[2 - o.seat], -1, leader == o.seat, first, left)
    led = strong(o.tricks[-1].cards[0])
    if leader != o.seat:
        return odds(mine, o.counts[2 - o.seat], led, False, first, left)
    # The other proposes to a card of this seat's: it counts as still in the hand, and the strongest is led first.
    return odds(strong.of((*o.hand, *o.tricks[-1].cards)), o.counts[2 - o.seat], -1, True, first, left)


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
    hopeless = is_led(o) and strong(cards[-1].cards[0]) < strong(o.tricks[-1].cards[0])
    return card_to_play(o) if hopeless or len(o.hand) < HAND else cards[-1]


class Guesser:
    """Plays by guessing the other hand, likelier where it fits what the other has proposed, and playing it out."""

    def __init__(self, caution: float) -> None:
        """``caution``: by how many standard errors another move must be better than that of the rule."""
        self._caution = caution

    def choose(self, observation: TrucObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: TrucObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`."""
        o = observation
        strong = strength_of(o)
        other = 2 - o.seat
        standing = Standing.of(o)
        laid = [card for trick in o.tricks for card in trick.cards]
        gone = {*o.hand, *o.laid_aside, *laid}
        unseen = [strong(card) for card in PACK if card not in gone]
        number = o.counts[other]
        led = strong(o.tricks[-1].cards[0]) if is_led(o) else -1
        whole = [trick for trick in o.tricks if len(trick.cards) == 2]
        left = HAND - len(whole)
        mine = strong.of(o.hand)
        shown = [strong(card) for trick in o.tricks for card in _cards_of(trick, 3 - o.seat)]
        their_doubles = list(o.doubled).count(3 - o.seat) + (o.proposal is not None)
        my_doubles = list(o.doubled).count(o.seat)

        def likely(theirs: Strengths) -> float:
            """How well a hand of the other fits what they have proposed and accepted."""
            chance = odds(tuple(sorted([*theirs, *shown], reverse=True)), HAND, -1, False, NOBODY, HAND)
            proposes = 1.0 if chance > 0.6 else 0.35 if chance > 0.45 else 0.12
            accepts = 1.0 if chance > 0.4 else 0.25
            return float(proposes**their_doubles * accepts**my_doubles)

        def guess(rng: Random) -> Strengths:
            while True:
                theirs = tuple(sorted(rng.sample(unseen, number), reverse=True))
                if not (their_doubles or my_doubles) or rng.random() < likely(theirs):
                    return theirs

        def attempt(theirs: Strengths, action: Action, rng: Random) -> float:
            shy = temper(rng)
            my_turn = o.phase not in (ANSWER_DOUBLE, ANSWER_REMAINDER, ANSWER_EXCHANGE)
            hand = Hand(mine, theirs, led, my_turn, first_winner(o), left, o.stake, bool(o.remainder))
            kind = action.kind
            if kind == "card":
                after = played(hand, strong(action.cards[0]))
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
            exchanged = kind == "agree"
            if kind == "exchange":
                exchanged = hand.waiting_odds() < 0.45
            if exchanged:
                cards = rng.sample(unseen, 2 * HAND)
                new = tuple(sorted(cards[:HAND], reverse=True)), tuple(sorted(cards[HAND:], reverse=True))
                hand = replace(hand, mine=new[0], theirs=new[1])
            return play_out(hand, standing, OWN, shy, rng)

        actions = _different(o, strong)
        refused = [action for action in o.legal if action.kind == "refuse" and o.proposal]
        usual = by_rule(o, rng)
        tried = try_each(actions, usual, guess, attempt, rng, budget, 0.15, caution=self._caution, sure=refused)
        rated = {rating.action: rating for rating in tried}
        same = {strong(action.cards[0]): rated[action] for action in actions if action.cards}
        found = [rated.get(action) or _like(same[strong(action.cards[0])], action) for action in o.legal]
        return tuple(sorted(found, key=lambda rating: (rating.action != tried[0].action, -rating.value)))


OWN = Temper(0.64, 0.38, 0.05)
"""How this player bets later in a hand, as far as it foresees."""


def _different(o: TrucObservation, strong: Strength) -> list[Action]:
    """The legal actions, of equally strong cards the first alone."""
    found: dict[object, Action] = {}
    for action in o.legal:
        found.setdefault(strong(action.cards[0]) if action.cards else action.text, action)
    return list(found.values())


def _like(rating: Rating, action: Action) -> Rating:
    """The rating of an action that plays an equally strong card."""
    return rating._replace(action=action, same_as=rating.action)


def _cards_of(trick: Trick, seat: int) -> tuple[Card, ...]:
    """The card that a seat has played to a trick, if it has."""
    card = trick.card_of(seat)
    return () if card is None else (card,)


def thinker(level: str, game: Truc) -> Thinker:
    """How a level plays: ``easy`` bets on what it sees; ``fair`` keeps to the rule where guessing a few hands of the
    other shows nothing clearly better; ``strong`` plays an equilibrium, and guesses where that says nothing."""
    if level == "strong":
        from cardgames.bots.truc_balanced import Balanced

        return Balanced(Guesser(1.0))
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
    others = [strong(other) for other in o.hand]
    if not is_led(o):
        best = max(o.hand, key=strong)
        if strong(card) == strong(best):
            return (Reason("hint.strongest", {"card": card}),)
        leads = [rating for rating in ratings if rating.action.cards and strong(rating.action.cards[0]) == strong(best)]
        return (Reason("hint.keeps", {"card": best}),) if ratings[0].better_than_some(leads) else ()
    led = strong(o.tricks[-1].cards[0])
    winning = [other for other in others if other > led]
    if winning and strong(card) == min(winning):
        return (Reason("hint.enough", {"card": card}),)
    if not winning and strong(card) == min(others):
        return (Reason("hint.cannot_win", {"card": card}),)
    return ()
