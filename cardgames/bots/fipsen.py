"""Computers for Fipsen: they bid by the probability of making the bid, and play by sampled deals."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from math import ceil, inf, sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple, TypeAlias

from cardgames.bots import fipsen_auction as inference
from cardgames.bots.fipsen_auction import best_estimate, estimates
from cardgames.bots.monte_carlo import CLEAR_LEAD, Race
from cardgames.bots.thinking import Budget, ByRule, Lead, Rating, Thinker
from cardgames.engine.cards import SUIT_SETS, SUITS, Card, CardSet, card_set, cards_in, rank_of, suit_of
from cardgames.engine.common_rules import replace_item
from cardgames.engine.fipsen import DIAMONDS, PACK, SEVENS_POINTS, Fipsen, FipsenObservation
from cardgames.engine.fipsen_bids import Bid, bid_of, namings, worth
from cardgames.engine.game import Action, Message
from cardgames.kernels import fipsen_solver as solver
from cardgames.kernels.compiling import Ints

UNIT = "points"

WORK = {"easy": 1, "fair": 1, "strong": 1000}
"""The number of sampled deals solved for a choice, by level."""


def by_rule(observation: FipsenObservation, rng: Random) -> Action:
    """Bid the estimated tricks plus 0.4 for the skat; draw trumps as declarer; win tricks unless a partner does."""
    hand, legal, phase = card_set(observation.hand), observation.legal, observation.phase
    by_kind = {action.kind: action for action in legal}
    if "sevens" in by_kind:
        return by_kind["sevens"]
    if phase == "bid":
        return bid_up_to(observation, best_estimate(hand) + 0.4)
    if phase == "name":
        return legal[0]
    if phase == "skat":
        tricks = observation.contract.tricks if observation.contract else 2
        return by_kind["hand" if best_estimate(hand) >= tricks + 1 else "skat"]
    if phase == "discard":
        return max(legal, key=lambda action: _kept_worth(observation, action))
    if phase == "trump":
        return max(legal, key=lambda action: estimates(hand)[SUITS.index(str(action.args[0]))])
    if phase == "stop":
        is_sure = estimates(hand)[observation.trump or 0] >= hand.bit_count() - 0.2  # of every trick, or nearly so
        return by_kind["continue" if is_sure else "stop"]
    return card_to_play(observation)


def bid_up_to(observation: FipsenObservation, tricks: float) -> Action:
    """Return the lowest legal bid without extras if it needs at most ``tricks`` tricks, else ``hold``, else pass.

    The standing bid is held only if its tricks and extras sum to at most ``tricks``; a kieker is never held."""
    bid = observation.bid
    for action in observation.legal:
        if action.kind == "bid" and len(action.args) == 1 and int(action.args[0]) <= tricks:
            return action
    may_hold = bid and not bid.kieker and bid.tricks + len(bid.extras) <= tricks
    return next((action for action in observation.legal if action.kind == "hold" and may_hold), observation.legal[0])


def unseen_cards(observation: FipsenObservation) -> CardSet:
    """Return the cards that are neither in this seat's hand, nor laid aside by it, nor played."""
    played = [card for _, card in observation.plays]
    return card_set(PACK) & ~card_set([*observation.hand, *observation.own_laid, *played])


def winning_cards(observation: FipsenObservation) -> CardSet:
    """Return the cards of the pack that would win the present trick (F9)."""
    trumps = SUIT_SETS[observation.trump or 0]
    best = next(card for seat, card in observation.trick if seat == observation.winning)
    higher = SUIT_SETS[suit_of(best)] & -(2 << best)
    return higher if trumps >> best & 1 else higher | trumps


def card_to_play(observation: FipsenObservation) -> Action:
    """Return the action that plays a card by rule: win the trick unless a partner does, else play a low card."""
    trumps = SUIT_SETS[observation.trump or 0]
    playable = card_set([action.cards[0] for action in observation.legal if action.cards])
    wins = playable & winning_cards(observation) if observation.trick and not _partner_wins(observation) else 0
    if not observation.trick:
        card = card_to_lead(playable, unseen_cards(observation), trumps, observation.seat == observation.declarer)
    elif wins:
        is_last = len(observation.trick) == len(observation.counts) - 1
        card = cards_in(wins)[0 if is_last or wins & trumps else -1]  # the highest plain card is the safest
    else:
        card = min(cards_in((playable & ~trumps) or playable), key=rank_of)
    return next(action for action in observation.legal if action.cards == (card,))


def card_to_lead(hand: CardSet, others: CardSet, trumps: CardSet, is_declarer: bool) -> Card:
    """The card to lead: declarer first draws trumps, then the highest plain cards. ``others``: the unseen cards."""
    own_trumps, plain = hand & trumps, hand & ~trumps
    # of two sets of cards of a suit, the greater number has the highest card
    if is_declarer and others & trumps and own_trumps > others & trumps:
        return own_trumps.bit_length() - 1
    suits = [suit for suit in SUIT_SETS if plain & suit > others & suit]
    if suits:
        return max([(plain & suit).bit_length() - 1 for suit in suits], key=rank_of)
    if plain and not is_declarer:
        return min(cards_in(plain), key=rank_of)
    return own_trumps.bit_length() - 1 if own_trumps else max(cards_in(plain), key=rank_of)


def _partner_wins(observation: FipsenObservation) -> bool:
    """Whether this seat is a defender, and another defender is winning the present trick."""
    return observation.declarer not in (observation.seat, observation.winning)


class FipsenGuesser:
    """A player that samples the other hands, weighted by the auction, and solves each deal."""

    def __init__(self, game: Fipsen, bids_by_hand: bool = False) -> None:
        """``bids_by_hand``: whether to choose bids by an estimate of this seat's hand, without samples."""
        self._game, self._work, self._bids_by_hand = game, solver.work_space(), bids_by_hand

    def choose(self, observation: FipsenObservation, rng: Random, budget: Budget) -> Action:
        """Choose the action rated first, but always say four sevens, and bid by an estimate if ``bids_by_hand``."""
        for action in observation.legal:
            if action.kind == "sevens":
                return action
        if self._bids_by_hand and observation.phase == "bid":
            return bid_up_to(observation, best_estimate(card_set(observation.hand)) + 0.6)
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the mean points over sampled deals, each of which is solved."""
        if observation.phase == "bid":
            return self._rate_bids(observation, rng, budget)
        if observation.phase in ("play", "stop"):
            return self._rate_plays(observation, rng, budget)
        return self._rate_choices(observation, rng, budget)

    def _sampler(self, observation: FipsenObservation) -> Callable[[Random], "SampledDeal"]:
        """Return a function that samples deals in proportion to how well they fit auction, contract and trumps."""
        sample = self._game.sampler(observation)
        auction, declarer = inference.AuctionInference(observation), inference.DeclarerInference(observation)
        highest = 0.0 if declarer.applies else 1.0  # the highest likelihood; 0 while it is unknown

        def draw(rng: Random) -> tuple["SampledDeal", float]:
            """Sample a deal in which declarer has kept the best cards, and return it with its relative likelihood."""
            state, seat = sample(rng), declarer.seat
            dealt, hands = state.dealt_hands[1:], state.hands
            likelihood = auction.likelihood(dealt)
            if declarer.applies:
                kept = declarer.kept(hands[seat], state.aside.laid)
                hands = replace_item(hands, seat, kept)
                likelihood *= declarer.likelihood(kept)
            return SampledDeal(dealt, hands[1:], state.aside.skat), likelihood

        def accepted(rng: Random) -> "SampledDeal":
            """Draw deals until one is accepted, with the probability of its likelihood divided by the highest so far.

            If none of ``CANDIDATES`` deals is accepted, choose one of them by likelihood."""
            nonlocal highest
            highest = highest or max([draw(rng)[1] for _ in range(2 * CANDIDATES)])
            deals, likelihoods = [], []
            for _ in range(CANDIDATES):
                deal, likelihood = draw(rng)
                highest = max(highest, likelihood)
                if rng.random() * highest < likelihood:
                    return deal
                deals.append(deal)
                likelihoods.append(likelihood)
            return rng.choices(deals, likelihoods)[0]

        return accepted

    def _rate_bids(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate bids by mean points over sampled deals; those that may lose come after the pass, which is worth 0."""
        draw_deal, standing, seat = self._sampler(observation), observation.bid, observation.seat
        bidders = {*observation.waiting, observation.standing, observation.bidder}  # who may speak; 0 or None for none
        rivals = [rival for rival in bidders if rival and rival != seat]
        least = standing.tricks if standing else FEWEST_TRICKS
        samples: list[BidSample] = []
        racing = ALL_EXTRAS
        while len(samples) < DEALS_PER_CHECK or (racing and budget.spend(len(racing))):
            deal = draw_deal(rng)
            strongest = max([best_estimate(deal.dealt[rival - 1]) for rival in rivals], default=0.0)
            tricks = {extras: deal.tricks(observation, extras, least, self._work) for extras in racing}
            samples.append(BidSample(tricks, strongest))
            if len(samples) % DEALS_PER_CHECK == 0:
                racing = _promising(racing, samples, least)

        def estimate(action: Action) -> BidEstimate:
            if action.kind == "pass":
                return BidEstimate(Rating(action, 0.0, 0.0))
            if action.kind == "sevens":
                return BidEstimate(Rating(action, SEVENS_POINTS, 0.0, True))
            if action.kind == "kieker" or (action.kind == "hold" and standing and standing.kieker):
                return BidEstimate(Rating(action, KIEKER_VALUE, inf))
            if action.kind == "bid" or not standing:
                return _estimate_bid(action, bid_of(action), samples)
            held = [standing._replace(extras=extras) for extras in namings(standing)]  # the contracts that it leads to
            return max([_estimate_bid(action, bid, samples) for bid in held], key=lambda made: made.rating.value)

        def order(rating: Rating) -> float:
            """The sort key: sure gains first, the greatest first; then the pass; then the rest, nearest to 0."""
            return -rating.value if rating.value > rating.error else abs(rating.value)

        # Of equally good bids the least comes first because it leaves most room, and overtricks bring nothing.
        rated = [*map(estimate, observation.legal)]
        leads = [{other.rating.action: each.lead(other) for other in rated} for each in rated]
        ratings = [each.rating._replace(leads=lead) for each, lead in zip(rated, leads, strict=True)]
        return tuple(sorted(ratings, key=order))

    def _rate_choices(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate declarer's choices before the play, such as discards and trumps, on sampled deals.

        Discards beyond ``MOST_DISCARDS`` are not tried; they get the value of the last that was."""
        contract, actions = observation.contract or observation.bid, observation.legal
        assert contract
        if observation.phase == "discard":
            best_first = sorted(actions, key=lambda action: -_kept_worth(observation, action))
            actions = tuple(best_first[:MOST_DISCARDS])

        def roll_out(deal: SampledDeal, action: Action, rng: Random) -> float:
            """The expected points of declarer on a deal after an action."""
            final = _contract_after(observation, action)
            if final is None:  # only ``sevens`` leads to no contract
                return SEVENS_POINTS
            if action.kind in ("discard", "trump"):
                hand = _kept(observation, action)
                usual_suit = DIAMONDS if "ruten" in final.extras else best_suit(hand)
                suit = SUITS.index(str(action.args[0])) if action.kind == "trump" else usual_suit
                tricks = deal.tricks_with(observation.seat, hand, suit, final.needed, self._work)
            else:
                tricks = deal.tricks(observation, final.extras, final.needed, self._work)
            gained, lost = worth(final)
            return lost + made_with(final, tricks) * (gained - lost)

        draw, usual = self._sampler(observation), by_rule(observation, rng)
        won, lost = worth(contract)
        race = Race(actions, usual, draw, roll_out, doubt=won - lost, sure=_final_actions(observation))
        ratings = _mark_exact(race.run(rng, budget))
        untried = [action for action in observation.legal if action not in actions]
        return ratings + tuple([Rating(action, ratings[-1].value, inf) for action in untried])

    def _rate_plays(self, observation: FipsenObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the cards, or the choice whether to stop, by this seat's mean points over sampled deals.

        Each defender loses an equal share of declarer's points."""
        contract, declarer, trump = observation.contract, observation.declarer, observation.trump
        assert contract
        assert declarer
        assert trump is not None
        draw, work = self._sampler(observation), self._work
        own_index = (observation.seat - declarer) % len(observation.counts)  # in the hands from declarer's on
        trick = [card for _, card in observation.trick]
        needed, left = contract.needed - observation.won[declarer - 1], len(observation.hand)
        (won, lost), share = worth(contract), _share_of_points(observation)
        gain, loss = share * won, share * lost

        def sample_deal(rng: Random) -> Ints:
            return solver.open_deal(from_seat(declarer, draw(rng).hands), trump, own_index, trick)

        def roll_out(deal: Ints, action: Action, rng: Random) -> float:
            """The points of this seat on a deal, if all hands are open after the action."""
            if action.kind == "sevens":
                return SEVENS_POINTS
            if action.kind == "stop":
                return gain
            if action.kind == "continue":  # durch: every trick for double points
                return 2 * (gain if solver.wins(deal, left, left, *work) else loss)
            return gain if solver.wins_after(deal, 1 << action.cards[0], needed, *work) else loss

        usual, sure = by_rule(observation, rng), _final_actions(observation)
        race = Race(observation.legal, usual, sample_deal, roll_out, doubt=abs(share) * (won - lost), sure=sure)
        ratings = race.run(rng, budget)
        if observation.seat != declarer:
            ratings = _allow_for_hidden_hands(ratings, gain, loss)
        return _mark_exact(ratings)


def from_seat(seat: int, hands: Sequence[CardSet]) -> list[CardSet]:
    """Return the hands in turn, the hand of ``seat`` first; in ``hands`` the hand of seat 1 is first."""
    return [*hands[seat - 1 :], *hands[: seat - 1]]


def _allow_for_hidden_hands(ratings: tuple[Rating, ...], gain: float, loss: float) -> tuple[Rating, ...]:
    """Correct a defender's ratings of cards: multiply declarer's odds of making the contract by ``OPEN_HANDS_BIAS``.

    ``gain``, ``loss``: the deal's value if declarer makes the contract, or not. Errors are multiplied by the slope of
    the correction."""
    corrected = {}
    """By action: the value, and the slope of the correction."""
    for action, value, *_ in ratings:
        made = (value - loss) / (gain - loss)
        scale = OPEN_HANDS_BIAS * made + 1 - made
        played = loss + OPEN_HANDS_BIAS * made / scale * (gain - loss), OPEN_HANDS_BIAS / scale**2
        corrected[action] = played if action.cards else (value, 1.0)

    def correct(rating: Rating) -> Rating:
        value, slope = corrected[rating.action]
        others = [(other, lead.error, *corrected[other]) for other, lead in rating.leads.items()]
        leads = {other: Lead(value - less, error * max(slope, steeper)) for other, error, less, steeper in others}
        return Rating(rating.action, value, rating.error * slope, leads=leads)

    return tuple(map(correct, ratings))


def _share_of_points(observation: FipsenObservation) -> float:
    """The points of this seat for each point of declarer: 1 for declarer, negative for defenders."""
    return 1.0 if observation.seat == observation.declarer else -1.0 / (len(observation.counts) - 1)


def _final_actions(observation: FipsenObservation) -> list[Action]:
    """The actions that end the deal at once (F10, F13)."""
    return [action for action in observation.legal if action.kind in ("stop", "sevens")]


def _mark_exact(ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """Set ``exact`` in the ratings whose error is 0, and clear it in the others."""
    return tuple([rating._replace(exact=not rating.error) for rating in ratings])


KIEKER_VALUE = -15.0
"""The points assumed for a kieker, because kiekers are not solved."""

OPEN_HANDS_BIAS = 1.5
"""The factor from a contract's odds on a defender's sampled deals to its odds in play.

Solving shows defenders all hands, and sampling infers too little about declarer's cards
(``scripts/trials contracts-come-true``)."""

MOST_DISCARDS = 8
"""The most discards that are rated on sampled deals, those with the highest estimates of the cards kept."""

FEWEST_TRICKS = 2

CANDIDATES = 16
"""The most deals sampled for one that fits the auction and the contract."""


Extras: TypeAlias = frozenset[str]
"""The extras of a bid except durch, which does not change the number of tricks won."""

ALL_EXTRAS: tuple[Extras, ...] = tuple(frozenset(extras) for extras in ((), ("hand",), ("ruten",), ("hand", "ruten")))
"""The extras that a bid may have: without or with the skat, and with diamonds or other trumps."""


class SampledDeal(NamedTuple):
    """A sampled deal, with a hand for each seat from seat 1 on."""

    dealt: Sequence[CardSet]
    """The hands before the auction."""
    hands: Sequence[CardSet]
    skat: CardSet

    def tricks_with(self, declarer: int, hand: Sequence[Card], trump: int, least: int, work: solver.Work) -> int:
        """The number of tricks that ``declarer`` wins by leading from ``hand``; ``trump`` is a suit."""
        deal = solver.open_deal([card_set(hand), *from_seat(declarer, self.hands)[1:]], trump)
        return solver.tricks(deal, least, *work)

    def tricks(self, observation: FipsenObservation, extras: Collection[str], least: int, work: solver.Work) -> int:
        """The number of tricks that the observation's seat wins as declarer with these extras.

        Without ``hand`` declarer keeps the best five of hand and skat. Counts below ``least`` are not told apart."""
        diamonds, hand = "ruten" in extras, observation.hand
        if "hand" not in extras:
            hand = best_five((*hand, *cards_in(self.skat)), diamonds)
        return self.tricks_with(observation.seat, hand, DIAMONDS if diamonds else best_suit(hand), least, work)


class BidSample(NamedTuple):
    """A sampled deal, solved for bids."""

    tricks: dict[Extras, int]
    """The tricks that declarer wins, by extras. Extras left out as unpromising are missing."""
    rival: float
    """The strength of the strongest opponent who may still speak."""


def best_suit(hand: Sequence[Card]) -> int:
    """The suit other than diamonds with the highest estimate as trumps."""
    return max(inference.PLAIN, key=estimates(card_set(hand)).__getitem__)


@lru_cache(1 << 10)
def best_five(cards: tuple[Card, ...], diamonds: bool) -> tuple[Card, ...]:
    """The five of seven cards with the highest estimate. ``diamonds``: see :func:`best_estimate`."""
    pairs = [(first, second) for first in range(len(cards)) for second in range(first)]
    choices = [tuple([card for place, card in enumerate(cards) if place not in pair]) for pair in pairs]
    return max(choices, key=lambda kept: best_estimate(card_set(kept), diamonds))


def _kept(observation: FipsenObservation, action: Action) -> tuple[Card, ...]:
    return tuple([card for card in observation.hand if card not in action.cards])


def _kept_worth(observation: FipsenObservation, action: Action) -> float:
    """The number of tricks that declarer's hand after a discard is estimated to win under the contract."""
    contract = observation.contract
    return best_estimate(card_set(_kept(observation, action)), contract is not None and "ruten" in contract.extras)


def _promising(sets: Sequence[Extras], samples: Sequence[BidSample], least: int) -> tuple[Extras, ...]:
    """The extras with which a bid of ``least`` tricks may still gain points."""
    largest_error = (0.25 / len(samples)) ** 0.5  # that of a share of one half
    enough = BREAK_EVEN - CLEAR_LEAD * largest_error
    bids = {extras: Bid(least, tuple(extras)) for extras in sets}
    made = {extras: fmean([made_with(bid, each.tricks[extras]) for each in samples]) for extras, bid in bids.items()}
    return tuple([extras for extras in sets if sharpen(made[extras]) > enough])


BREAK_EVEN = 2 / 3
BREAK_EVEN_DURCH = 5 / 6
"""The success rate at which going on for all five tricks (durch) breaks even."""

SUCCESS_RATES: dict[bool, tuple[float, ...]] = {
    False: (0.0, 0.07, 0.23, 0.96, 0.99, 1.0),
    True: (0.0, 0.01, 0.12, 0.94, 1.0, 1.0),
}
"""The share of contracts made, for contracts without and with ``hand`` (``scripts/fit_fipsen.py``).

One entry for each number of tricks that declarer wins with open hands, from 3 fewer than needed to 2 more."""

SHARPNESS = 1.2
"""The factor from the log odds by ``SUCCESS_RATES`` to the log odds of making a bid (``scripts/fit_fipsen.py``)."""


def made_with(bid: Bid, tricks: int) -> float:
    """The probability of making ``bid`` if declarer wins ``tricks`` tricks when the deal is solved with open hands."""
    rates = SUCCESS_RATES["hand" in bid.extras]
    return rates[max(0, min(len(rates) - 1, tricks - bid.needed + 3))]


def sharpen(share: float) -> float:
    """The probability of making a bid, corrected from ``share``: its mean probability over sampled deals."""
    made: float = share**SHARPNESS
    lost: float = (1 - share) ** SHARPNESS
    return made / (made + lost)


DEALS_PER_CHECK = 16
"""The number of deals solved between two checks for unpromising extras, which are left out from then on."""


class BidEstimate(NamedTuple):
    """The rating of a call, and how it depends on the sampled deals."""

    rating: Rating
    influences: Sequence[float] = ()
    """By sampled deal: how much it has raised the value, in any unit."""

    def lead(self, other: "BidEstimate") -> Lead:
        """The lead over another call. Its error is smaller if both depend on the same luck."""
        (_, value, error, *_), (_, less, other_error, *_) = self.rating, other.rating
        if inf in (error, other_error):
            return Lead(value - less, inf)
        own, others, both = [
            sum([one * two for one, two in zip(first.influences, second.influences, strict=False)])
            for first, second in ((self, self), (other, other), (self, other))
        ]
        correlation = both / sqrt(own * others) if own and others else 0.0
        return Lead(value - less, sqrt(max(0.0, error**2 + other_error**2 - 2 * correlation * error * other_error)))


def _estimate_bid(action: Action, bid: Bid, samples: list[BidSample]) -> BidEstimate:
    """Rate a bid by its success in ``samples``, each weighted by the probability that the other players pass."""
    extras = frozenset(bid.extras) - {"durch"}
    needed = inference.needed_over(bid)
    used = list(takewhile(lambda sample: extras in sample.tricks, samples))  # then it was left out as unpromising
    weights = [1 - inference.bid_probability(sample.rival, needed) for sample in used]
    made = [made_with(bid, sample.tricks[extras]) for sample in used]
    mean = min(1.0, sum([weight * each for weight, each in zip(weights, made, strict=True)]) / sum(weights))
    # of equally weighted samples as precise
    effective_count = sum(weights) ** 2 / sum([weight * weight for weight in weights])
    share = sharpen(mean)
    won, lost = worth(bid)
    variance = max(share * (1 - share), 0.05)  # a share of 0 or 1 in the samples is not certain
    error = (won - lost) * (variance / effective_count) ** 0.5
    influences = [weight * (each - mean) for weight, each in zip(weights, made, strict=True)]
    return BidEstimate(Rating(action, share * won + (1 - share) * lost, error), influences)


def thinker(level: str, game: Fipsen) -> Thinker:
    """The player of a level: ``easy`` acts by rule, ``fair`` samples only after the bidding, ``strong`` always."""
    return ByRule(by_rule) if level == "easy" else FipsenGuesser(game, bids_by_hand=level == "fair")


def _contract_after(observation: FipsenObservation, action: Action) -> Bid | None:
    """The contract that a bid or an action of declarer leads to; ``None`` for any other action."""
    bid, contract = observation.bid, observation.contract
    if action.kind in ("bid", "hold"):
        return bid_of(action) if action.kind == "bid" else bid
    if action.kind == "name" and bid:
        return bid._replace(extras=tuple(map(str, action.args)))
    if not contract or action.kind not in ("skat", "discard", "hand", "trump", "continue"):
        return None
    extra = {"hand": "hand", "continue": "durch", "trump": "ruten" if "D" in action.args else ""}.get(action.kind)
    return contract.with_extra(extra) if extra else contract


def contract_probability(observation: FipsenObservation, rating: Rating) -> float | None:
    """The probability of making the contract of a rated action; ``None`` if the action leads to no contract."""
    bid = _contract_after(observation, rating.action)
    if bid is None:
        return None
    gain, loss = worth(bid)
    return (rating.value - loss) / (gain - loss)


def _reason_to_play(observation: FipsenObservation, card: Card) -> Message | None:
    args, unseen = {"card": card}, unseen_cards(observation) & SUIT_SETS[suit_of(card)]
    # Being the only card of its suit is no reason.
    highest = Message("hint.highest_left", args) if unseen and not unseen >> card else None  # the card itself is seen
    if not observation.trick:
        return highest
    playable = [action.cards[0] for action in observation.legal if action.cards]
    winning = cards_in(card_set(playable) & winning_cards(observation))
    if card in winning:
        if len(observation.trick) < len(observation.counts) - 1:
            return highest
        return Message("hint.lowest_to_win", args) if card == winning[0] else None
    if _partner_wins(observation):
        return Message("hint.mate_ahead", {"seat": observation.winning or 0})
    lowest = len(playable) > 1 and rank_of(card) == min(map(rank_of, playable))
    return Message("hint.cannot_win", args) if lowest and not winning else None


THEMES = {
    "bid": ("odds", "no_bid", "bid_costs", "pays_more"),
    "stop": ("stop",),
    "count": ("highest_left",),
    "enough": ("lowest_to_win", "cannot_win"),
    "partner": ("mate_ahead",),
    "odds": ("makes", "beats"),
}


def reasons(observation: FipsenObservation, ratings: Sequence[Rating]) -> tuple[Message, ...]:
    best, action, phase = ratings[0], ratings[0].action, observation.phase
    if action.kind == "sevens":
        return (Message("hint.sevens", {"points": SEVENS_POINTS}),)
    if phase == "bid" and action.kind == "pass":
        odds = [contract_probability(observation, rating) for rating in ratings if rating.error < inf]
        most = max([each for each in odds if each is not None], default=BREAK_EVEN)
        hopeless = (Message("hint.no_bid", {"percent": int(100 * most)}),) if most < BREAK_EVEN else ()
        return (*hopeless, Message("hint.bid_costs", {"pays": ceil(100 * BREAK_EVEN)}))
    if phase == "play":
        found = _reason_to_play(observation, action.cards[0]), _comparison_reason(observation, ratings)
        return tuple([reason for reason in found if reason])
    if action.kind == "stop":
        going_on = next(rating for rating in ratings if rating.action.kind == "continue")
        percent = round(100 * (contract_probability(observation, going_on) or 0.0))
        pays = ceil(100 * BREAK_EVEN_DURCH)
        return (Message("hint.stop", {"percent": percent, "pays": pays}),) if percent < pays else ()
    probability = contract_probability(observation, best)
    if probability is None:
        return ()
    percent, points = round(100 * probability), _reward(observation, action)
    result = [Message("hint.odds", {"percent": percent})] if percent > 0 else []
    bids = [other for other in ratings[1:] if other.action.kind != "pass"]
    if best.better_than_some([other for other in bids if _reward(observation, other.action) < points]):
        result.append(Message("hint.pays_more", {"points": points}))
    return tuple(result)


def _reward(observation: FipsenObservation, action: Action) -> int:
    """The points for making an action's contract; 0 if the action leads to no contract."""
    bid = _contract_after(observation, action)
    return worth(bid)[0] if bid else 0


def _comparison_reason(observation: FipsenObservation, ratings: Sequence[Rating]) -> Message | None:
    """The reason that compares the success rates of the best card and of a clearly worse card, or ``None``."""
    best = ratings[0]
    worse = next((other for other in ratings[1:] if other.action.cards and best.beats(other)), None)
    if worse is None or observation.contract is None:
        return None
    (gain, loss), share = worth(observation.contract), _share_of_points(observation)  # negative for a defender
    odds = [(rating.value / share - loss) / (gain - loss) for rating in (best, worse)]
    more, less = [round(100 * (each if share > 0 else 1 - each)) for each in odds]
    cards = {"card": best.action.cards[0], "other_card": worse.action.cards[0]}
    key = "hint.makes" if share > 0 else "hint.beats"
    return Message(key, {**cards, "percent": more, "less": less}) if more > less else None
