"""Computers that play Fipsen: bids by the odds of making them, and deals guessed and played out."""

from collections.abc import Callable, Sequence
from math import inf
from random import Random

from cardgames.bots.fipsen_play import ABOVE, estimate, follow, lead, tricks_won
from cardgames.bots.monte_carlo import try_each
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.engine.cards import SUIT_SETS, Card, CardSet, card_set, rank_of, suit_of
from cardgames.engine.fipsen import PACK, SEVENS_POINTS, Fipsen, FipsenObservation
from cardgames.engine.fipsen_bids import Bid, bid_of, worth
from cardgames.engine.game import Action, Reason
from cardgames.engine.hidden import shuffled

UNIT = "points"

WORK = {"easy": 1, "fair": 1, "strong": 2500}
"""Deals played out a choice."""

HAND, TRICKS = 5, 5
SUITS = "SHDC"
DIAMONDS = 2


def by_rule(observation: FipsenObservation, rng: Random) -> Action:
    """Bid what the trumps and aces are worth, and a little for the skat; pull trumps; win what can be won."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if "sevens" in kinds:
        return kinds["sevens"]
    if o.phase == "bid":
        return bid_up_to(o, best_estimate(o.hand) + 0.4)
    if o.phase == "name":
        return o.legal[0]
    if o.phase == "skat":
        tricks = o.contract.tricks if o.contract else 2
        return kinds["hand" if best_estimate(o.hand) >= tricks + 1 else "skat"]
    if o.phase == "discard":
        return max(o.legal, key=lambda action: best_estimate([c for c in o.hand if c not in action.cards], ruten(o)))
    if o.phase == "trump":
        return max(o.legal, key=lambda action: estimate(o.hand, SUITS.index(str(action.args[0]))))
    if o.phase == "stop":
        return kinds["continue" if estimate(o.hand, o.trump or 0) >= len(o.hand) - 0.2 else "stop"]
    return card_to_play(o)


def ruten(o: FipsenObservation) -> bool:
    """Whether diamonds are trumps already."""
    return bool(o.contract and "ruten" in o.contract.extras)


def best_estimate(hand: Sequence[Card], diamonds: bool = False) -> float:
    """About how many tricks a hand wins with its best trumps."""
    return max([estimate(hand, suit) for suit in ((DIAMONDS,) if diamonds else (0, 1, 3))])


def bid_up_to(o: FipsenObservation, tricks: float) -> Action:
    """The least that is enough, as far as so many tricks allow: numbers alone, without extras."""
    for action in o.legal:
        if action.kind == "bid" and len(action.args) == 1 and int(action.args[0]) <= tricks:
            return action
    holds = [action for action in o.legal if action.kind == "hold"]
    if holds and o.bid and not o.bid.kieker and o.bid.tricks + len(o.bid.extras) <= tricks:
        return holds[0]
    return o.legal[0]  # pass


def seen(o: FipsenObservation) -> CardSet:
    """The cards that this seat knows to be in no other hand."""
    played = [card for trick in o.tricks for _, card in trick.plays]
    return card_set([*o.hand, *o.own_laid, *played, *[card for _, card in o.trick]])


def card_to_play(o: FipsenObservation) -> Action:
    """The card that the rule plays."""
    hand, trumps = card_set(o.hand), SUIT_SETS[o.trump or 0]
    out = card_set(PACK) & ~seen(o)
    if not o.trick:
        card = lead(hand, out, trumps, o.seat == o.declarer)
    else:
        cards = [card for _, card in o.trick]
        best = cards[0]
        for other in cards[1:]:
            if suit_of(other) == suit_of(best):
                best = max(best, other)
            elif suit_of(other) == o.trump:
                best = other
        winner = o.trick[cards.index(best)][0]
        mate = o.seat != o.declarer and winner != o.declarer
        last = len(cards) == len(o.counts) - 1
        card = follow(hand, SUIT_SETS[suit_of(cards[0])], best, trumps, mate, last)
    return next(action for action in o.legal if action.cards == (card,))


def naive(observation: FipsenObservation, rng: Random) -> Action:
    """As somebody who has just learnt it: bid two with an ace or two and court cards, play high."""
    o = observation
    kinds = {action.kind: action for action in o.legal}
    if "sevens" in kinds:
        return kinds["sevens"]
    if o.phase == "bid":
        return bid_up_to(o, sum([rank_of(card) >= 10 for card in o.hand]) - 0.5)
    if o.phase == "skat":
        return kinds["skat"]
    if o.phase == "stop":
        return kinds["stop"]
    if o.phase != "play":
        return by_rule(o, rng)
    high = max(o.legal, key=lambda action: rank_of(action.cards[0]))
    low = min(o.legal, key=lambda action: rank_of(action.cards[0]))
    if not o.trick:
        return high
    _, first = o.trick[0]
    card = high.cards[0]
    wins = suit_of(card) == o.trump or (suit_of(card) == suit_of(first) and all(card > c for _, c in o.trick))
    return high if wins else low


class Follower:
    """Declares and plays as :class:`Guesser` does, but bids by what its own cards look like."""

    def __init__(self, game: Fipsen) -> None:
        self._guesser = Guesser(game)

    def choose(self, observation: FipsenObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        if observation.phase == "bid":
            sevens = [action for action in observation.legal if action.kind == "sevens"]
            return sevens[0] if sevens else bid_up_to(observation, best_estimate(observation.hand) + 0.6)
        return self._guesser.choose(observation, rng, budget)


class Guesser:
    """Plays by guessing the other hands and playing each deal out."""

    def __init__(self, game: Fipsen) -> None:
        self._game = game

    def choose(self, observation: FipsenObservation, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        for action in observation.legal:
            if action.kind == "sevens":
                return action
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """See :class:`Rater`."""
        o = observation
        if o.phase == "bid":
            return self._rate_bids(o, rng, budget)
        if o.phase == "play" or o.phase == "stop":
            return self._rate_plays(o, rng, budget)
        return self._rate_choices(o, rng, budget)

    def _rate_bids(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Each bid by how often it is made when everybody plays by rule; to pass brings nothing."""
        tries: list[dict[str, int]] = []
        deal = self._dealer(o)
        while budget.spend(5) or len(tries) < 8:
            others, skat = deal(rng)
            tries.append(_prospects(o.hand, others, skat))
        found = []
        for action in o.legal:
            if action.kind == "pass":
                found.append(Rating(action, 0.0, 0.0))
                continue
            if action.kind == "sevens":
                found.append(Rating(action, 30.0, 0.0, True))
                continue
            if action.kind == "kieker" or (action.kind == "hold" and o.bid and o.bid.kieker):
                found.append(Rating(action, -15.0, inf))
                continue
            ways = [(int(action.args[0]), frozenset(map(str, action.args[1:])))] if action.kind == "bid" else _held(o)
            found.append(max([_rated(action, *way, tries) for way in ways], key=lambda rating: rating.value))
        # Of bids as good as each other the least: it leaves most room, and overtricks bring nothing.
        return tuple(sorted(found, key=lambda rating: -rating.value))

    def _dealer(self, o: FipsenObservation) -> Callable[[Random], tuple[list[CardSet], CardSet]]:
        """Draws the other hands, in order from the left neighbour, and the skat."""
        unseen = [1 << card for card in PACK if card not in o.hand]
        seats = len(o.counts)

        def deal(rng: Random) -> tuple[list[CardSet], CardSet]:
            cards = shuffled(unseen, rng)
            hands = [sum(cards[HAND * place : HAND * place + HAND]) for place in range(seats - 1)]
            end = HAND * (seats - 1)
            return hands, sum(cards[end : end + 2])

        return deal

    def _rate_choices(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """The ratings of the names, discards and trumps that declarer may choose, each tried on guessed deals."""
        sample, hands = self._game.sampler(o), self._game.hands
        seats = len(o.counts)
        contract = o.contract or o.bid
        assert contract
        own = list(o.hand)
        actions = o.legal
        if o.phase == "discard":
            actions = tuple(sorted(actions, key=lambda a: -_keeps(own, a, ruten(o)))[:8])

        def guess(rng: Random) -> tuple[list[CardSet], CardSet]:
            if o.phase in ("skat", "name"):
                return self._dealer(o)(rng)
            found = hands(sample(rng))
            return [card_set(found[(o.seat + step) % seats]) for step in range(seats - 1)], 0

        def attempt(guessed: tuple[list[CardSet], CardSet], action: Action, rng: Random) -> float:
            others, skat = guessed
            extras = set(contract.extras) | (set(map(str, action.args)) if o.phase == "name" else set())
            hand = own
            if action.kind == "hand":
                extras.add("hand")
            elif action.kind == "skat":
                hand = _best_discard([*own, *_listed(skat)], "ruten" in extras)
            elif action.kind == "discard":
                hand = [card for card in own if card not in action.cards]
            if action.kind == "trump":
                suit = SUITS.index(str(action.args[0]))
            else:
                suit = DIAMONDS if "ruten" in extras else _best_suit(hand)
            if suit == DIAMONDS:
                extras.add("ruten")
            won = tricks_won([card_set(hand), *others], 0, SUIT_SETS[suit], 0, ())
            every = contract.kieker or "durch" in extras
            return _points(contract.tricks, len(extras), contract.kieker, won >= (TRICKS if every else contract.tricks))

        rated = try_each(actions, by_rule(o, rng), guess, attempt, rng, budget, doubt=4.0)
        rest = [action for action in o.legal if action not in actions]
        return rated + tuple([Rating(action, rated[-1].value, inf) for action in rest])

    def _rate_plays(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Cards, and whether to stop, tried on guessed deals; the value is this seat's points of the deal.

        To those who play against declarer a point that declarer loses is worth a share of it.
        """
        sample, hands = self._game.sampler(o), self._game.hands
        seats = len(o.counts)
        contract, declarer = o.contract, o.declarer
        assert contract
        assert declarer
        trumps = SUIT_SETS[o.trump or 0]
        trick = [card for _, card in o.trick]
        place = (declarer - o.seat) % seats
        won = o.won[declarer - 1]
        sign = 1.0 if o.seat == declarer else -1.0 / (seats - 1)
        every = contract.kieker or "durch" in contract.extras
        extras = len(contract.extras)

        def guess(rng: Random) -> list[CardSet]:
            found = hands(sample(rng))
            return [card_set(found[(o.seat - 1 + step) % seats]) for step in range(seats)]

        def attempt(guessed: list[CardSet], action: Action, rng: Random) -> float:
            if action.kind in ("stop", "continue"):
                if action.kind == "stop":
                    return _points(contract.tricks, extras, contract.kieker, True)
                more = tricks_won(guessed, place, trumps, 0, (), 1)
                return _points(contract.tricks, extras + 1, contract.kieker, won + more == TRICKS)
            card = action.cards[0]
            dealt = [guessed[0] ^ 1 << card, *guessed[1:]]
            laid = [*trick, card]
            more = 0
            if len(laid) == seats:
                best = 0
                for step in range(1, seats):
                    if suit_of(laid[step]) == suit_of(laid[best]):
                        best = step if laid[step] > laid[best] else best
                    elif 1 << laid[step] & trumps:
                        best = step
                winner = (best + 1) % seats
                more = int(winner == place)
                more += tricks_won(dealt, place, trumps, winner, ())
            else:
                more = tricks_won(dealt, place, trumps, 1, laid)
            need = TRICKS if every else contract.tricks
            return sign * _points(contract.tricks, extras, contract.kieker, won + more >= need)

        return try_each(o.legal, by_rule(o, rng), guess, attempt, rng, budget, doubt=4.0)


def _points(tricks: int, extras: int, kieker: bool, made: bool) -> float:
    """The points that a contract brings (F11, F12)."""
    points = (10 if kieker else tricks) << extras
    return float(points if made else -2 * points)


def _listed(cards: CardSet) -> list[Card]:
    return [card for card in PACK if cards >> card & 1]


def _best_suit(hand: Sequence[Card]) -> int:
    return max((0, 1, 3), key=lambda suit: estimate(hand, suit))


def _best_discard(cards: Sequence[Card], diamonds: bool) -> list[Card]:
    """The five of seven cards that promise most."""
    best: list[Card] = []
    most = -1.0
    for first in range(len(cards)):
        for second in range(first):
            kept = [card for place, card in enumerate(cards) if place not in (first, second)]
            value = best_estimate(kept, diamonds)
            if value > most:
                best, most = kept, value
    return best


def _keeps(own: Sequence[Card], action: Action, diamonds: bool) -> float:
    return best_estimate([card for card in own if card not in action.cards], diamonds)


def _prospects(own: Sequence[Card], others: list[CardSet], skat: CardSet) -> dict[str, int]:
    """The tricks that declarer wins in one deal: with the skat or without it, with plain trumps or diamonds."""
    found = {}
    taken = [*own, *_listed(skat)]
    for way, hand in (("hand", own), ("skat", _best_discard(taken, False))):
        found[way] = tricks_won([card_set(hand), *others], 0, SUIT_SETS[_best_suit(hand)], 0, ())
    for way, hand in (("hand ruten", own), ("skat ruten", _best_discard(taken, True))):
        found[way] = tricks_won([card_set(hand), *others], 0, SUIT_SETS[DIAMONDS], 0, ())
    return found


def _held(o: FipsenObservation) -> list[tuple[int, frozenset[str]]]:
    """The contracts that a bid taken by ``hold`` may become."""
    assert o.bid
    number = len(o.bid.extras)
    words = ("hand", "ruten", "durch")
    ways = [frozenset(words[bit] for bit in range(3) if bits >> bit & 1) for bits in range(8)]
    return [(o.bid.tricks, way) for way in ways if len(way) == number and (o.bid.tricks < TRICKS or "durch" in way)]


SURE, TRUST = 0.75, 0.85
"""Against players who think a bid is made less often than where all play by rule: of what tries promise beyond ``SURE``
so much comes true, as measured in matches between strong players."""


def trusted(made: float) -> float:
    """The chance to make a bid that was made in this share of tries by rule."""
    return made if made <= SURE else SURE + TRUST * (made - SURE)


def _rated(action: Action, tricks: int, extras: frozenset[str], tries: list[dict[str, int]]) -> Rating:
    """The worth of a bid on these tries."""
    way = ("hand" if "hand" in extras else "skat") + (" ruten" if "ruten" in extras else "")
    count = len(extras | {"durch"}) if tricks == TRICKS else len(extras)
    need = TRICKS if "durch" in extras else tricks
    made = trusted(sum([found[way] >= need for found in tries]) / len(tries))
    points = tricks << count
    error = 3 * points * (max(made * (1 - made), 0.05) / len(tries)) ** 0.5
    return Rating(action, made * points - (1 - made) * 2 * points, error)


def thinker(level: str, game: Fipsen) -> Thinker:
    """How a level plays: ``easy`` by the rule, ``fair`` with a few deals guessed once the bidding is over, ``strong``
    with many, and before that."""
    return ByRule(by_rule) if level == "easy" else Follower(game) if level == "fair" else Guesser(game)


def _at_stake(o: FipsenObservation, action: Action) -> Bid | None:
    """What is played for after a word that settles it, as far as that can be known."""
    if action.kind == "bid":
        return bid_of(action)
    if action.kind == "hold":
        return o.bid
    if o.contract and action.kind == "trump":
        return o.contract.adding("ruten") if action.args[0] == "D" else o.contract
    return o.contract.adding("durch") if o.contract and action.kind == "continue" else None


def _could_win(o: FipsenObservation, cards: Sequence[Card]) -> bool:
    """Whether one of these cards would be winning the trick that lies there (F9)."""
    trumps = 0 if o.trump is None else SUIT_SETS[o.trump]
    best = next(card for seat, card in o.trick if seat == o.winning)
    beaters = ABOVE[best] | (0 if trumps >> best & 1 else trumps)
    return any(beaters >> card & 1 for card in cards)


def reasons(observation: FipsenObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """See the package."""
    o, best = observation, ratings[0]
    action = best.action
    if action.kind == "sevens":
        return (Reason("hint.sevens", {"points": SEVENS_POINTS}),)
    if o.phase == "bid" and action.kind == "pass":
        tricks = [rating for rating in ratings if rating.action.kind == "bid"]
        return (Reason("hint.no_bid"),) if tricks and all(rating.value <= 0 for rating in tricks) else ()
    if bid := _at_stake(o, action):
        made, lost = worth(bid)
        return (Reason("hint.odds", {"percent": round(100 * (best.value - lost) / (made - lost))}),)
    if o.phase == "play" and o.trick:
        card, may = action.cards[0], [other.cards[0] for other in o.legal if other.cards]
        lowest = len(may) > 1 and rank_of(card) == min(map(rank_of, may))
        return (Reason("hint.cannot_win", {"card": card}),) if lowest and not _could_win(o, may) else ()
    if o.phase == "play":
        card = action.cards[0]
        follow_it = card_set(PACK) & ~seen(o) & SUIT_SETS[suit_of(card)]
        if follow_it and not follow_it & ABOVE[card]:  # to be the only one left of its suit says nothing for a card
            return (Reason("hint.highest_left", {"card": card}),)
    return ()
