"""Computers for Fipsen: they bid by the probability of making the bid, and play by sampled deals."""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

from cardgames.bots.fipsen_auction import (
    DIAMONDS,
    PLAIN,
    AuctionInference,
    DeclarerInference,
    best_estimate,
    bid_probability,
    needed_over,
    strength,
)
from cardgames.bots.fipsen_play import ABOVE, estimate, follow, lead
from cardgames.bots.fipsen_solver import FipsenSolver, open_deal
from cardgames.bots.monte_carlo import WIDE, Race
from cardgames.bots.thinking import Budget, ByRule, Rating, Thinker
from cardgames.engine.cards import SUIT_SETS, Card, CardSet, card_set, cards_in, rank_of, suit_of
from cardgames.engine.fipsen import PACK, SEVENS_POINTS, Fipsen, FipsenObservation, FipsenState
from cardgames.engine.fipsen_bids import Bid, bid_of, namings, worth
from cardgames.engine.game import Action, Reason
from cardgames.kernels.compiling import Ints

UNIT = "points"

WORK = {"easy": 1, "fair": 1, "strong": 1000}
"""The number of sampled deals solved for a choice, by level."""

SUITS = "SHDC"


def by_rule(observation: FipsenObservation, rng: Random) -> Action:
    """Bid the estimated tricks plus 0.4 for the skat; draw trumps as declarer; win tricks unless a partner does."""
    o = observation
    by_kind = {action.kind: action for action in o.legal}
    if "sevens" in by_kind:
        return by_kind["sevens"]
    if o.phase == "bid":
        return bid_up_to(o, best_estimate(o.hand) + 0.4)
    if o.phase == "name":
        return o.legal[0]
    if o.phase == "skat":
        tricks = o.contract.tricks if o.contract else 2
        return by_kind["hand" if best_estimate(o.hand) >= tricks + 1 else "skat"]
    if o.phase == "discard":
        return max(o.legal, key=lambda action: _kept_worth(o.hand, action, has_ruten(o)))
    if o.phase == "trump":
        return max(o.legal, key=lambda action: estimate(o.hand, SUITS.index(str(action.args[0]))))
    if o.phase == "stop":
        return by_kind["continue" if estimate(o.hand, o.trump or 0) >= len(o.hand) - 0.2 else "stop"]
    return card_to_play(o)


def has_ruten(o: FipsenObservation) -> bool:
    """Whether the contract already makes diamonds trumps."""
    return bool(o.contract and "ruten" in o.contract.extras)


def bid_up_to(o: FipsenObservation, tricks: float) -> Action:
    """Return the lowest bid up to ``tricks`` without extras, else ``hold``, else pass. Holding needs a standing bid,
    other than kieker, whose tricks and extras sum to at most ``tricks``."""
    for action in o.legal:
        if action.kind == "bid" and len(action.args) == 1 and int(action.args[0]) <= tricks:
            return action
    holds = [action for action in o.legal if action.kind == "hold"]
    if holds and o.bid and not o.bid.kieker and o.bid.tricks + len(o.bid.extras) <= tricks:
        return holds[0]
    return o.legal[0]  # pass


def seen_cards(o: FipsenObservation) -> CardSet:
    """Return the cards that no other player holds: this seat's, the cards that it laid aside, and all played cards."""
    played = [card for trick in o.tricks for _, card in trick.plays]
    return card_set([*o.hand, *o.own_laid, *played, *[card for _, card in o.trick]])


def card_to_play(o: FipsenObservation) -> Action:
    """Return the action that plays a card by rule."""
    hand, trumps = card_set(o.hand), SUIT_SETS[o.trump or 0]
    unseen = card_set(PACK) & ~seen_cards(o)
    if not o.trick:
        card = lead(hand, unseen, trumps, o.seat == o.declarer)
    else:
        trick_cards = [card for _, card in o.trick]
        best = trick_cards[0]
        for other in trick_cards[1:]:
            if suit_of(other) == suit_of(best):
                best = max(best, other)
            elif suit_of(other) == o.trump:
                best = other
        winner = o.trick[trick_cards.index(best)][0]
        partner_wins = o.seat != o.declarer and winner != o.declarer
        is_last = len(trick_cards) == len(o.counts) - 1
        card = follow(hand, SUIT_SETS[suit_of(trick_cards[0])], best, trumps, partner_wins, is_last)
    return next(action for action in o.legal if action.cards == (card,))


def naive(observation: FipsenObservation, rng: Random) -> Action:
    """Play as a beginner: bid by the number of queens and higher cards; play the highest card if it wins."""
    o = observation
    by_kind = {action.kind: action for action in o.legal}
    if "sevens" in by_kind:
        return by_kind["sevens"]
    if o.phase == "bid":
        return bid_up_to(o, sum([rank_of(card) >= 10 for card in o.hand]) - 0.5)
    if o.phase == "skat":
        return by_kind["skat"]
    if o.phase == "stop":
        return by_kind["stop"]
    if o.phase != "play":
        return by_rule(o, rng)
    high = max(o.legal, key=lambda action: rank_of(action.cards[0]))
    low = min(o.legal, key=lambda action: rank_of(action.cards[0]))
    if not o.trick:
        return high
    _, first = o.trick[0]
    card = high.cards[0]
    wins = suit_of(card) == o.trump or (suit_of(card) == suit_of(first) and all(card > other for _, other in o.trick))
    return high if wins else low


class OwnCardsBidder:
    """A player that bids by its own cards only, and otherwise plays as :class:`FipsenGuesser`."""

    def __init__(self, game: Fipsen) -> None:
        self._guesser = FipsenGuesser(game)

    def choose(self, observation: FipsenObservation, rng: Random, budget: Budget) -> Action:
        """Choose a bid by the hand alone, or another action as :class:`FipsenGuesser`."""
        if observation.phase == "bid":
            sevens = [action for action in observation.legal if action.kind == "sevens"]
            return sevens[0] if sevens else bid_up_to(observation, best_estimate(observation.hand) + 0.6)
        return self._guesser.choose(observation, rng, budget)


class FipsenGuesser:
    """A player that samples the other hands, weighted by the auction, and solves each deal."""

    def __init__(self, game: Fipsen) -> None:
        self._game = game
        self._solver = FipsenSolver()

    def choose(self, observation: FipsenObservation, rng: Random, budget: Budget) -> Action:
        """Choose the action rated first, but always announce four sevens."""
        for action in observation.legal:
            if action.kind == "sevens":
                return action
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the mean points over sampled deals, each of which is solved."""
        o = observation
        if o.phase == "bid":
            return self._rate_bids(o, rng, budget)
        if o.phase == "play" or o.phase == "stop":
            return self._rate_plays(o, rng, budget)
        return self._rate_choices(o, rng, budget)

    def _sampler(self, o: FipsenObservation) -> Callable[[Random], "SampledDeal"]:
        """Return a function that samples deals. It prefers deals that fit the auction, the contract and the trumps."""
        sample, auction, declarer = self._game.sampler(o), AuctionInference(o), DeclarerInference(o)

        def draw(rng: Random) -> "SampledDeal":
            guesses, weights = [], []
            for _ in range(PATIENCE[declarer.applies]):
                state = sample(rng)
                guess = SampledDeal.of(state)
                if rng.random() >= auction.likelihood(guess.dealt):
                    continue
                if not declarer.applies:
                    return guess
                hands = [*guess.hands]
                hands[declarer.seat - 1] = kept = declarer.kept(hands[declarer.seat - 1], state.aside.laid)
                guess, likelihood = guess._replace(hands=hands), declarer.likelihood(kept)
                if rng.random() < likelihood:
                    return guess
                guesses.append(guess)
                weights.append(likelihood)
            return rng.choices(guesses, weights)[0] if guesses else guess

        return draw

    def _rate_bids(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate each bid by the share of sampled deals in which it is made if the other players pass; a pass is worth 0.

        The result is not sorted by value: bids that may not gain come after the pass."""

        def order(rating: Rating) -> float:
            """The sort key: bids that gain more than their error, the pass, then the others, nearest to 0 first."""
            return -rating.value if rating.value > rating.error else abs(rating.value)

        samples: list[BidSample] = []
        draw_deal = self._sampler(o)
        seats = len(o.counts)
        others = [(o.seat + step) % seats for step in range(seats - 1)]
        rivals = [seat - 1 for seat in {*o.waiting, o.standing, o.bidder} if seat and seat != o.seat]
        least = LEAST if o.bid is None else o.bid.tricks
        prospects = Prospects(o.hand, self._solver, least)
        racing = ALL_EXTRAS
        while len(samples) < ENOUGH or (racing and budget.spend(len(racing))):
            deal = draw_deal(rng)
            rival = max([strength(deal.dealt[seat]) for seat in rivals], default=0.0)
            hands = [deal.hands[seat] for seat in others]
            samples.append(BidSample(prospects.tricks_by_extras(racing, hands, deal.skat), rival))
            if len(samples) % ENOUGH == 0:
                racing = _promising(racing, samples, least)
        result = []
        for action in o.legal:
            if action.kind == "pass":
                result.append(Rating(action, 0.0, 0.0))
                continue
            if action.kind == "sevens":
                result.append(Rating(action, SEVENS_POINTS, 0.0, True))
                continue
            if action.kind == "kieker" or (action.kind == "hold" and o.bid and o.bid.kieker):
                result.append(Rating(action, KIEKER, inf))
                continue
            bids = [bid_of(action)] if action.kind == "bid" else _held_contracts(o)
            result.append(max([_rate_bid(action, bid, samples) for bid in bids], key=lambda rating: rating.value))
        # Of equally good bids the least comes first because it leaves most room, and overtricks bring nothing.
        return tuple(sorted(result, key=order))

    def _rate_choices(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate declarer's choices before the play, such as discards and trumps, on sampled deals."""
        contract = o.contract or o.bid
        assert contract
        hand_cards, seats = list(o.hand), len(o.counts)
        draw, prospects = self._sampler(o), Prospects(o.hand, self._solver)
        others = [(o.seat + step) % seats for step in range(seats - 1)]
        actions = o.legal
        if o.phase == "discard":
            actions = tuple(sorted(actions, key=lambda a: -_kept_worth(hand_cards, a, has_ruten(o)))[:8])

        def attempt(guess: SampledDeal, action: Action, rng: Random) -> float:
            if action.kind == "sevens":
                return SEVENS_POINTS
            hands = [guess.hands[seat] for seat in others]
            final = contract
            if o.phase == "name":
                final = contract._replace(extras=tuple(map(str, action.args)))
            diamonds = "ruten" in final.extras
            hand = hand_cards
            if action.kind == "hand":
                final = final.with_extra("hand")
            elif action.kind == "skat" or (o.phase == "name" and "hand" not in final.extras):
                hand = prospects.best_five(guess.skat, diamonds)
            elif action.kind == "discard":
                hand = [card for card in hand_cards if card not in action.cards]
            suit = DIAMONDS if diamonds else best_suit(hand)
            if action.kind == "trump":
                suit = SUITS.index(str(action.args[0]))
            if suit == DIAMONDS:
                final = final.with_extra("ruten")
            tricks = self._solver.tricks(open_deal([card_set(hand), *hands], suit), final.needed)
            gained, lost = worth(final)
            return lost + made_with(final, tricks) * (gained - lost)

        race = Race(actions, by_rule(o, rng), draw, attempt, doubt=_range(contract), sure=_sure(o))
        ratings = _mark_exact(race.run(rng, budget))
        untried = [action for action in o.legal if action not in actions]
        return ratings + tuple([Rating(action, ratings[-1].value, inf) for action in untried])

    def _rate_plays(self, o: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate cards, and whether to stop, on sampled deals by this seat's points.

        Each defender gets an equal share of the opposite of declarer's points."""
        seats = len(o.counts)
        contract, declarer = o.contract, o.declarer
        assert contract
        assert declarer
        assert o.trump is not None
        trump, draw = o.trump, self._sampler(o)
        seats_from_declarer = [(declarer - 1 + step) % seats for step in range(seats)]
        own_index = (o.seat - declarer) % seats
        trick = [card for _, card in o.trick]
        needed = contract.needed - o.won[declarer - 1]
        share = 1.0 if o.seat == declarer else -1.0 / (seats - 1)
        gain, loss = [share * points for points in worth(contract)]
        solver = self._solver

        def sample_deal(rng: Random) -> Ints:
            hands = draw(rng).hands
            return open_deal([hands[seat] for seat in seats_from_declarer], trump, own_index, trick)

        def attempt(deal: Ints, action: Action, rng: Random) -> float:
            if action.kind == "sevens":
                return SEVENS_POINTS
            if action.kind == "stop":
                return gain
            if action.kind == "continue":
                return 2 * (gain if solver.wins(deal, len(o.hand), len(o.hand)) else loss)
            return gain if solver.wins_after(deal, action.cards[0], needed) else loss

        doubt = abs(share) * _range(contract)
        race = Race(o.legal, by_rule(o, rng), sample_deal, attempt, doubt=doubt, sure=_sure(o))
        ratings = race.run(rng, budget)
        if o.seat != declarer:
            ratings = tuple([_with_hidden_hands(rating, gain, loss) for rating in ratings])
        return _mark_exact(ratings)


def _with_hidden_hands(rating: Rating, gain: float, loss: float) -> Rating:
    """Correct the rating of a defender's card: multiply declarer's odds of making the contract by ``HIDDEN``.

    ``gain`` and ``loss``: the value of the deal if declarer makes the contract, or fails."""
    if not rating.action.cards:
        return rating
    made = (rating.value - loss) / (gain - loss)
    scale = HIDDEN * made + 1 - made
    value = loss + HIDDEN * made / scale * (gain - loss)
    return rating._replace(value=value, error=rating.error * HIDDEN / scale**2)


def _sure(o: FipsenObservation) -> list[Action]:
    """The actions that end the deal at once (F10, F13)."""
    return [action for action in o.legal if action.kind in ("stop", "sevens")]


def _mark_exact(ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """Mark the ratings without error as exact, and no others."""
    return tuple([rating._replace(exact=not rating.error) for rating in ratings])


def _range(contract: Bid) -> int:
    """The difference in points between making a contract and losing it."""
    won, lost = worth(contract)
    return won - lost


KIEKER = -15.0
"""The points assumed for a kieker, because kiekers are not solved."""

HIDDEN = 1.5
"""The odds of a contract, divided by its odds on deals sampled for a defender. Solving shows defenders all hands, and
sampling infers too little about declarer's cards (``scripts/trials contracts-come-true``)."""

LEAST = 2
"""The fewest tricks that can be bid."""

PATIENCE = 30, 100
"""The most deals sampled for one that fits: the auction alone, or the contract as well."""


class SampledDeal(NamedTuple):
    """A sampled deal, with hands from seat 1 on."""

    dealt: Sequence[CardSet]
    """The hands before the auction."""
    hands: Sequence[CardSet]
    """The present hands."""
    skat: CardSet

    @classmethod
    def of(cls, state: FipsenState) -> "SampledDeal":
        """The cards of a state."""
        return cls(state.dealt_hands[1:], state.hands[1:], state.aside.skat)


Extras: TypeAlias = frozenset[str]
"""The extras of a bid except durch, which does not change the number of tricks won."""

ALL_EXTRAS: tuple[Extras, ...] = tuple(frozenset(extras) for extras in ((), ("hand",), ("ruten",), ("hand", "ruten")))
"""The extras that a bid may have: without or with the skat, and with diamonds or other trumps."""


class Prospects:
    """The tricks that declarer's hand wins on sampled deals."""

    def __init__(self, hand: Sequence[Card], solver: FipsenSolver, least: int = LEAST) -> None:
        """``least``: the fewest tricks that can be bid."""
        self._hand = hand
        self._least = least
        self._solver = solver
        self._kept: dict[tuple[CardSet, bool], list[Card]] = {}

    def best_five(self, skat: CardSet, diamonds: bool) -> list[Card]:
        """The five cards to keep after taking up ``skat``, for trumps that are ``diamonds`` or another suit."""
        if (skat, diamonds) not in self._kept:
            self._kept[skat, diamonds] = _best_discard([*self._hand, *cards_in(skat)], diamonds)
        return self._kept[skat, diamonds]

    def tricks_by_extras(self, sets: Iterable[Extras], others: Sequence[CardSet], skat: CardSet) -> dict[Extras, int]:
        """Map each of these sets of extras to the tricks that declarer wins with it, by hand or with ``skat``."""
        result = {}
        for extras in sets:
            hand = self._hand if "hand" in extras else self.best_five(skat, "ruten" in extras)
            suit = DIAMONDS if "ruten" in extras else best_suit(hand)
            result[extras] = self._solver.tricks(open_deal([card_set(hand), *others], suit), self._least)
        return result


class BidSample(NamedTuple):
    """A sampled deal, solved for bids."""

    tricks: dict[Extras, int]
    """The tricks that declarer wins, by extras. Extras left out as unpromising are missing."""
    rival: float
    """The strength of the strongest opponent who may still speak."""


def best_suit(hand: Sequence[Card]) -> int:
    """The suit other than diamonds with the highest estimate as trumps."""
    return max(PLAIN, key=lambda suit: estimate(hand, suit))


def _best_discard(cards: Sequence[Card], diamonds: bool) -> list[Card]:
    """The five of seven cards with the highest estimate, for trumps that are ``diamonds`` or another suit."""
    best: list[Card] = []
    most = -1.0
    for first in range(len(cards)):
        for second in range(first):
            kept = [card for place, card in enumerate(cards) if place not in (first, second)]
            value = best_estimate(kept, diamonds)
            if value > most:
                best, most = kept, value
    return best


def _kept_worth(hand: Sequence[Card], action: Action, diamonds: bool) -> float:
    """The estimated tricks of the cards kept after a discard."""
    return best_estimate([card for card in hand if card not in action.cards], diamonds)


def _held_contracts(o: FipsenObservation) -> list[Bid]:
    """The contracts that ``hold`` may lead to: the standing bid with each possible choice of its extras."""
    assert o.bid
    return [o.bid._replace(extras=extras) for extras in namings(o.bid)]


def _promising(sets: Sequence[Extras], samples: list[BidSample], least: int) -> tuple[Extras, ...]:
    """The extras with which a bid of ``least`` tricks may still gain points."""
    enough = BREAK_EVEN - WIDE * (0.25 / len(samples)) ** 0.5
    bids = {extras: Bid(least, tuple(extras)) for extras in sets}
    made = {extras: fmean([made_with(bid, each.tricks[extras]) for each in samples]) for extras, bid in bids.items()}
    return tuple([extras for extras in sets if sharpen(made[extras]) > enough])


BREAK_EVEN = 2 / 3
"""The success rate at which a bid breaks even."""
BREAK_EVEN_DURCH = 5 / 6
"""The success rate at which going on for all five tricks (durch) breaks even."""

MADE: dict[bool, tuple[float, ...]] = {
    False: (0.0, 0.07, 0.23, 0.96, 0.99, 1.0),
    True: (0.0, 0.01, 0.12, 0.94, 1.0, 1.0),
}
"""The share of contracts made, by whether they are played by hand, then by the tricks won with open hands: from 3 fewer
than needed to 2 more (``scripts/fit_fipsen.py``)."""

SHARPNESS = 1.2
"""The log odds of making a bid, divided by the log odds from ``MADE`` on sampled deals (``scripts/fit_fipsen.py``)."""


def made_with(bid: Bid, tricks: int) -> float:
    """The probability of making ``bid`` with cards that win ``tricks`` tricks with open hands."""
    rates = MADE["hand" in bid.extras]
    return rates[max(0, min(len(rates) - 1, tricks - bid.needed + 3))]


def sharpen(share: float) -> float:
    """The probability of making a bid whose mean probability over sampled deals is ``share``."""
    made: float = share**SHARPNESS
    lost: float = (1 - share) ** SHARPNESS
    return made / (made + lost)


ENOUGH = 16
"""The fewest deals solved before unpromising extras are left out."""


def _rate_bid(action: Action, bid: Bid, samples: list[BidSample]) -> Rating:
    """Rate a bid on these deals, each weighted by the probability that the other players pass."""
    extras = frozenset(bid.extras) - {"durch"}
    needed = needed_over(bid)
    total, weights, squares = 0.0, 0.0, 0.0
    for sample in samples:
        if extras not in sample.tricks:
            break
        weight = 1 - bid_probability(sample.rival, needed)
        total += weight * made_with(bid, sample.tricks[extras])
        weights += weight
        squares += weight * weight
    effective_count = weights * weights / squares  # the number of equally weighted samples with the same precision
    share = sharpen(min(1.0, total / weights))
    won, lost = worth(bid)
    error = (won - lost) * (max(share * (1 - share), 0.05) / effective_count) ** 0.5
    return Rating(action, share * won + (1 - share) * lost, error)


def thinker(level: str, game: Fipsen) -> Thinker:
    """The player of a level: ``easy`` acts by rule, ``fair`` samples only after the bidding, ``strong`` always."""
    return ByRule(by_rule) if level == "easy" else OwnCardsBidder(game) if level == "fair" else FipsenGuesser(game)


def _contract_after(o: FipsenObservation, action: Action) -> Bid | None:
    """The contract that a bid or an action of declarer leads to; ``None`` for any other action."""
    if action.kind == "bid":
        return bid_of(action)
    if action.kind == "hold":
        return o.bid
    if action.kind == "name" and o.bid:
        return o.bid._replace(extras=tuple(map(str, action.args)))
    adds = {
        "skat": "",
        "discard": "",
        "hand": "hand",
        "trump": "ruten" if "D" in action.args else "",
        "continue": "durch",
    }
    if not o.contract or action.kind not in adds:
        return None
    extra = adds[action.kind]
    return o.contract.with_extra(extra) if extra else o.contract


def contract_probability(o: FipsenObservation, rating: Rating) -> float | None:
    """The probability of making the contract of a rated action; ``None`` if the action leads to no contract."""
    bid = _contract_after(o, rating.action)
    if bid is None:
        return None
    gain, loss = worth(bid)
    return (rating.value - loss) / (gain - loss)


def _reasons_to_play(o: FipsenObservation, card: Card) -> tuple[Reason, ...]:
    """The reason for playing a card: at most one."""
    args, suit = {"card": card}, SUIT_SETS[suit_of(card)]
    unseen = card_set(PACK) & ~seen_cards(o) & suit
    highest = bool(unseen) and not unseen & ABOVE[card]  # being the only card of its suit is no reason
    if not o.trick:
        return (Reason("hint.highest_left", args),) if highest else ()
    playable = [action.cards[0] for action in o.legal if action.cards]
    winning = _winning_cards(o, playable)
    if card in winning:
        if len(o.trick) == len(o.counts) - 1:
            return (Reason("hint.lowest_to_win", args),) if card == min(winning) else ()
        return (Reason("hint.highest_left", args),) if highest else ()
    if o.winning and o.declarer and o.declarer not in (o.seat, o.winning):
        return (Reason("hint.mate_ahead", {"seat": o.winning}),)
    lowest = len(playable) > 1 and rank_of(card) == min(map(rank_of, playable))
    return (Reason("hint.cannot_win", args),) if lowest and not winning else ()


def _winning_cards(o: FipsenObservation, cards: Sequence[Card]) -> list[Card]:
    """The cards among ``cards`` that would win the present trick (F9)."""
    trumps = 0 if o.trump is None else SUIT_SETS[o.trump]
    best = next(card for seat, card in o.trick if seat == o.winning)
    beaters = ABOVE[best] | (0 if trumps >> best & 1 else trumps)
    return [card for card in cards if beaters >> card & 1]


THEMES = {
    "bid": ("odds", "no_bid", "bid_costs", "pays_more"),
    "stop": ("stop",),
    "count": ("highest_left",),
    "enough": ("lowest_to_win", "cannot_win"),
    "partner": ("mate_ahead",),
    "odds": ("makes", "beats"),
}
"""The themes of exercises, each with the keys of the reasons that belong to the theme."""


def reasons(observation: FipsenObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """The reasons for the action rated first; see :func:`cardgames.bots.reasons`."""
    o, best = observation, ratings[0]
    action = best.action
    if action.kind == "sevens":
        return (Reason("hint.sevens", {"points": SEVENS_POINTS}),)
    if o.phase == "bid" and action.kind == "pass":
        odds = [contract_probability(o, rating) for rating in ratings if rating.error < inf]
        most = max([each for each in odds if each is not None], default=BREAK_EVEN)
        hopeless = (Reason("hint.no_bid", {"percent": int(100 * most)}),) if most < BREAK_EVEN else ()
        return (*hopeless, Reason("hint.bid_costs", {"pays": ceil(100 * BREAK_EVEN)}))
    if o.phase == "play":
        return (*_reasons_to_play(o, action.cards[0]), *_comparison_reason(o, ratings))
    if action.kind == "stop":
        odds = [contract_probability(o, rating) for rating in ratings if rating.action.kind == "continue"]
        percent = round(100 * (odds[0] or 0.0))
        return (Reason("hint.stop", {"percent": percent, "pays": ceil(100 * BREAK_EVEN_DURCH)}),)
    probability = contract_probability(o, best)
    if probability is None:
        return ()
    percent, points = round(100 * probability), _reward(o, action)
    odds_reason = [Reason("hint.odds", {"percent": percent})] if percent > 0 else []
    cheaper = [other for other in ratings[1:] if other.action.kind != "pass" and _reward(o, other.action) < points]
    return (*odds_reason, *([Reason("hint.pays_more", {"points": points})] if best.better_than_some(cheaper) else []))


def _reward(o: FipsenObservation, action: Action) -> int:
    """The points for making an action's contract; 0 if the action leads to no contract."""
    bid = _contract_after(o, action)
    return worth(bid)[0] if bid else 0


def _comparison_reason(o: FipsenObservation, ratings: Sequence[Rating]) -> tuple[Reason, ...]:
    """At most one reason: how much more often the best card succeeds than the next one that is clearly worse."""
    best = ratings[0]
    worse = next((other for other in ratings[1:] if other.action.cards and best.beats(other)), None)
    if worse is None or o.contract is None:
        return ()
    gain, loss = worth(o.contract)
    share = 1.0 if o.seat == o.declarer else -1.0 / (len(o.counts) - 1)
    odds = [(rating.value / share - loss) / (gain - loss) for rating in (best, worse)]
    key = "hint.makes" if share > 0 else "hint.beats"
    more, less = [round(100 * (each if share > 0 else 1 - each)) for each in odds]
    cards = {"card": best.action.cards[0], "other_card": worse.action.cards[0]}
    return (Reason(key, {**cards, "percent": more, "less": less}),) if more > less else ()
