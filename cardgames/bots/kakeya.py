"""Computers for Kakeya Trump: rules of thumb, and sampled hands played out by the kernel."""

from collections.abc import Sequence
from math import hypot, inf
from random import Random
from typing import NamedTuple

from cardgames.bots.kernel_race import KernelPosition, KernelRace
from cardgames.bots.monte_carlo import ROUNDS
from cardgames.bots.thinking import Budget, Lead, Rating, Thinker
from cardgames.engine.cards import SUITS, Card, cards_in, suit_of
from cardgames.engine.game import Action, Message
from cardgames.engine.kakeya import LEAD, PLAY, Kakeya, KakeyaObservation
from cardgames.kernels import kakeya as kernel
from cardgames.kernels import kakeya_ending as ending
from cardgames.kernels.compiling import COMPILES, array, ints
from cardgames.kernels.kakeya import ALL_TRUMPS, PICTURES, PLAIN, WEIGHTS, weigh

UNIT = "points"

WORK = {"easy": 40, "fair": 400, "strong": 2500}
"""The number of sampled deals played out for a choice, by level."""

STEPS = (1, 1, 1, 3, 10, 50, 400)
"""The time to solve a sampled deal, as a multiple of the time to play it out, by number of cards in hand."""

SOLVED_CARDS = 6 if COMPILES else 5
"""The most cards in hand at which ``strong`` solves sampled deals, if its budget allows. Budgets of counted work never
allow six, so compiled and plain kernels choose the same moves."""

ROLL_OUT_DOUBT = 0.3
"""The standard deviation, in chips, of the difference between a card's worth by solving and by playing out."""

OPTIMISM = 0.07
"""The excess of a card's worth on sampled deals, in standard deviations of a deal's payment.

Sampling deals hidden cards evenly, but players keep useful cards, and two opponents keep more than one partner. Also,
the next player of a roll-out acts by rule."""

STRONG_HAND = 7
"""The number of pictures and trumps, pictures of trumps counted twice, with which a rule leads."""

AVERAGE_PICTURES = 4
"""The mean number of pictures in a dealt hand."""

LAST_TRICKS = 3
"""The number of tricks at the end of a deal in which reasons say nothing of what others may be able to do."""

DOUBT = 2.0
"""The standard deviation assumed for a deal's payment before any trial, in chips."""


class VisibleCards(NamedTuple):
    """The cards as the acting player knows them, in sets with a bit for each weight (see the kernel)."""

    trump: int
    hand: int
    others: int
    """The cards in the other players' hands."""
    playable: int
    rensho: int
    led: int = 0
    """All cards of the suit led; 0 if this player leads."""
    higher: int = 0
    """The set of cards that would take the present trick."""
    trick_size: int = 0
    trick_pictures: int = 0
    partner_wins: bool = False

    @property
    def is_last(self) -> bool:
        """Whether this player is the last to play."""
        return self.trick_size == 3

    def threats(self, card: int) -> int:
        """The cards in other hands that beat ``card``."""
        return self.others & above(self.rensho, card)

    def beating(self, card: int) -> int:
        """The cards in other hands that are of the same suit as ``card`` and beat it."""
        return self.threats(card) & suit_set(card)

    def named(self, card: int) -> Card:
        """Convert a set with a single card to the engine's card."""
        return WEIGHTS[self.trump].index(card.bit_length() - 1)


def above(rensho: int, card: int) -> int:
    """Return the cards that would take a trick whose best card is ``card``; ``rensho`` is a set of one card."""
    return int(kernel.ABOVE[52 * (rensho.bit_length() - 1) + card.bit_length() - 1])


def suit_set(cards: int) -> int:
    """Return all cards of the suit of the lowest card in a set."""
    return int(kernel.SAME_SUIT[(cards & -cards).bit_length() - 1])


def visible_cards(observation: KakeyaObservation) -> VisibleCards:
    """Return the cards that the acting player sees."""
    trump, trick = observation.trump, observation.trick
    hand, rensho = weigh(trump, observation.hand), weigh(trump, (observation.rensho,))
    others = kernel.WHOLE & ~hand & ~weigh(trump, cards_in(observation.played))
    if not trick:
        return VisibleCards(trump, hand, others, hand, rensho)
    led = suit_set(weigh(trump, trick.cards[:1]))
    higher, pictures = above(rensho, weigh(trump, (trick.winning_card or 0,))), weigh(trump, trick.cards) & PICTURES
    partner_wins, playable = trick.winner == observation.partner, (hand & led) or hand
    return VisibleCards(trump, hand, others, playable, rensho, led, higher, len(trick.cards), pictures, partner_wins)


def by_rule(observation: KakeyaObservation, rng: Random) -> Action:
    """Lead unbeatable cards, add pictures to a partner's trick, win pictures cheaply, save rensho for two pictures."""
    by_kind = {action.kind: action for action in observation.legal}
    if "claim" in by_kind:
        return by_kind["claim"]  # every way to play on pays the same
    if observation.phase not in (LEAD, PLAY):
        return observation.legal[0]
    view = visible_cards(observation)
    if observation.phase == LEAD:
        pictures, trumps = [(view.hand & cards).bit_count() for cards in (PICTURES, ALL_TRUMPS)]
        is_strong = bool(view.hand & view.rensho) or pictures + trumps >= STRONG_HAND
        return by_kind["lead" if is_strong else "partner"]
    if not view.trick_size:
        return card_action(observation, kernel.card_to_lead(view.hand, view.others, view.rensho))
    opponents_win = int(not view.partner_wins)
    trick = view.led, view.higher, opponents_win, view.trick_size, view.trick_pictures
    return card_action(observation, kernel.card_to_follow(view.hand, *trick, view.others, view.rensho))


def card_action(observation: KakeyaObservation, weight: int) -> Action:
    card = WEIGHTS[observation.trump].index(int(weight))
    return next(action for action in observation.legal if action.cards == (card,))


def dominated_actions(observation: KakeyaObservation) -> list[Action]:
    """The plays that an experienced partner would never make; empty if no other play is possible.

    - as leader: rensho, while others hold trumps
    - on a trick that the partner certainly wins: a trump or rensho; a card that takes the trick and is no picture; any
      card but a picture, if the hand has a picture that others can beat
    - on a trick that this player cannot win, or as the last player: a picture that does not win
    - as the last player: rensho, in a trick without pictures"""
    if observation.phase != PLAY:
        return []
    view = visible_cards(observation)
    dominated = _dominated_cards(view)
    if not view.playable & ~dominated:
        return []
    plays = [action for action in observation.legal if action.kind == "play"]
    return [action for action in plays if weigh(observation.trump, action.cards) & dominated]


def _dominated_cards(view: VisibleCards) -> int:
    """The playable cards that an experienced partner would never play, by the rules in :func:`dominated_actions`."""
    if not view.trick_size:
        return view.rensho if view.others & ALL_TRUMPS else 0
    if view.partner_wins:
        if not view.is_last and view.others & view.higher:  # the trick may still be lost
            return 0
        dominated = view.rensho | (view.higher & ~PICTURES if view.playable & view.led else ALL_TRUMPS)
        gifts = [view.playable & (PLAIN << suit) & PICTURES & ~view.higher for suit in range(3)]  # by plain suit
        # a greater set of a suit has a higher card: others can beat the lowest gift
        if any(cards & -cards < view.others & suit_set(cards) for cards in gifts if cards):
            dominated |= ~PICTURES
        return view.playable & dominated
    dominated = 0
    if view.is_last or not view.playable & view.higher:
        dominated |= PICTURES & ~view.higher
    if view.is_last and not view.trick_pictures:
        dominated |= view.rensho
    return view.playable & dominated


class KakeyaGuesser(NamedTuple):
    """A player that plays sampled deals out; near the end it solves them too, and averages both results."""

    game: Kakeya
    solve_limit: int
    """The most cards in hand at which samples are solved. With 0 none of the :func:`dominated_actions` is chosen."""

    def choose(self, observation: KakeyaObservation, rng: Random, budget: Budget) -> Action:
        """Choose trumps and claims by rule, other actions by their ratings."""
        if observation.phase not in (PLAY, LEAD) or observation.claim:
            return by_rule(observation, rng)
        ratings = self.rate(observation, rng, budget)
        dubious = () if self.solve_limit else dominated_actions(observation)
        return next(rating.action for rating in ratings if rating.action not in dubious)

    def rate(self, observation: KakeyaObservation, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate by the mean chips over sampled deals, or exactly if only one fits. Choices of trumps all rate 0."""
        legal = observation.legal
        if observation.phase not in (PLAY, LEAD):
            return tuple([Rating(action, 0.0, inf, same_as=legal[0]) for action in legal])
        position = KernelPosition.of(self.game, observation, rng)
        if claim := observation.claim:  # K12: any further play would pay the same
            chips = claim.chips if observation.seat in claim.winners else -claim.chips
            return tuple([Rating(action, chips, 0.0, True) for action in (legal[-1], *legal[:-1])])
        usual, dubious, held = by_rule(observation, rng), dominated_actions(observation), len(observation.hand)
        steps = STEPS[held] if held <= self.solve_limit else 0
        solves = steps > 0 and budget.allows(ROUNDS * steps * len(legal))
        if solves and position.known[kernel.WAYS + position.known[kernel.ROOMS]] == 1:  # only one deal fits
            chips_of = {action: self._solved_chips(position, action) for action in legal}
            best_first = sorted(legal, key=lambda action: (-chips_of[action], action in dubious, action != usual))
            return tuple([Rating(action, chips_of[action], 0.0, True) for action in best_first])
        race = KernelRace(
            legal,
            usual,
            doubt=DOUBT,
            dubious=dubious,
            steps=steps if solves else 1,
            optimism=OPTIMISM if observation.phase == PLAY else 0.0,
            kernel="kakeya_ending" if solves else "kakeya",
            position=position,
            worths=ending.WORTHS if solves else self.game.seats,
        )
        ratings = race.run(rng, budget)
        if solves or held >= len(STEPS):
            return ratings
        return tuple(map(_allow_for_roll_outs, ratings))

    def _solved_chips(self, position: KernelPosition, action: Action) -> int:
        """The chips that this seat wins by an action if all hands are open and everybody plays their best."""
        state = array(position.root)
        place = int(state[kernel.PLACE])
        kernel.play(state, position.moves[action.text])
        chips = int(ending.solve(state, ints(ending.WORTHS)))
        return -chips if place % 2 else chips  # ``solve`` counts for places 0 and 2


def _allow_for_roll_outs(rating: Rating) -> Rating:
    """The rating of a card that was played out in an ending: with ``ROLL_OUT_DOUBT`` in each error."""
    leads = {other: Lead(lead.value, hypot(lead.error, ROLL_OUT_DOUBT)) for other, lead in rating.leads.items()}
    return rating._replace(error=hypot(rating.error, ROLL_OUT_DOUBT), leads=leads)


def thinker(level: str, game: Kakeya) -> Thinker:
    """The player of a level: ``easy`` samples a few deals, ``fair`` some, ``strong`` many, and solves endgames."""
    return KakeyaGuesser(game, SOLVED_CARDS if level == "strong" else 0)


THEMES = {
    "leader": ("own_pictures", "sure_cards", "no_sure_card"),
    "count": ("highest_left", "nobody_follows", "rensho_or_trump", "unbeatable", "few_beat"),
    "rensho": ("draws_trumps", "overtrumps", "last_of_suit"),
    "partner": ("partner_ahead", "partner_wins", "partner_may_lose", "partner_to_play", "nothing_to_add"),
    "pictures": (
        "keeps_pictures", "no_picture_lost", "risks_no_picture", "for_pictures", "takes_pictures", "no_picture_there",
    ),
    "enough": ("lowest_to_win", "leads_next", "cannot_win", "no_picture_there"),
}  # fmt: skip


def reasons(observation: KakeyaObservation, ratings: Sequence[Rating]) -> tuple[Message, ...]:
    action = ratings[0].action
    if action.kind == "claim":
        return (Message("hint.settled"),)
    if action.kind == "trump":
        return (Message("hint.not_dealt"),)
    view, card = visible_cards(observation), weigh(observation.trump, action.cards)
    if action.kind != "play":
        return (_leader_reason(view, action.kind == "lead"),)
    result = _follow_reason(observation, view, card) if observation.trick else _lead_reason(view, card)
    return (result,) if result else ()


def _leader_reason(view: VisibleCards, leads: bool) -> Message:
    """The reason for leading to the first trick (``leads``), or for letting the partner lead."""
    pictures = [1 << weight for weight in cards_in(view.hand & PICTURES)]
    suits_choice = len(pictures) >= AVERAGE_PICTURES if leads else len(pictures) <= AVERAGE_PICTURES
    if suits_choice:
        return Message("hint.own_pictures", {"count": len(pictures)})
    sure = tuple([view.named(card) for card in pictures if not view.beating(card)])
    return Message("hint.sure_cards", {"cards": sure}) if sure else Message("hint.no_sure_card")


def _lead_reason(view: VisibleCards, card: int) -> Message | None:
    suit, beating, named_card = suit_set(card), view.beating(card), view.named(card)
    others, is_trump = view.others & suit, suit == ALL_TRUMPS
    if others and not beating:
        return Message("hint.highest_left", {"card": named_card})
    if not others and not view.threats(card):
        return Message("hint.unbeatable", {"card": named_card})
    if not others:
        key = "rensho_or_trump" if view.threats(card) & view.rensho else "nobody_follows"
        return None if is_trump else Message(f"hint.{key}", {"suit": SUITS[suit_of(named_card)]})
    if is_trump:
        return Message("hint.draws_trumps", {"count": others.bit_count()})
    if card & PICTURES:
        return Message("hint.few_beat", {"card": named_card, "count": beating.bit_count()})
    if (view.hand & suit) == card and view.hand & ALL_TRUMPS:
        return Message("hint.last_of_suit", {"suit": SUITS[suit_of(named_card)]})
    return Message("hint.risks_no_picture", {"count": beating.bit_count()})


def _follow_reason(observation: KakeyaObservation, view: VisibleCards, card: int) -> Message | None:
    """The reason for playing a card to a trick that others have begun; ``None`` if there is none."""
    assert observation.trick
    named_card, winner = view.named(card), {"seat": observation.trick.winner}
    may_win = view.trick_size == 1 and view.higher & _possible_cards(observation, view, observation.partner or 0)
    waits = Message("hint.partner_to_play", {"seat": observation.partner or 0}) if may_win else None
    if card & view.higher:
        return _win_reason(view, card, named_card)
    if view.partner_wins:
        if card & PICTURES:
            key = "partner_wins" if view.is_last else "partner_ahead"
            return Message(f"hint.{key}", {**winner, "card": named_card})
        if not view.playable & PICTURES:
            return Message("hint.nothing_to_add", winner)
        if not view.is_last:
            players = {player for pair in observation.pairs if pair != observation.resting for player in pair}
            (last_player,) = players - {observation.seat, *observation.trick.players}
            if view.higher & _possible_cards(observation, view, last_player):
                return Message("hint.partner_may_lose", {**winner, "card": observation.trick.winning_card or 0})
        return Message("hint.keeps_pictures")
    if card & PICTURES:
        return waits or (None if view.playable & ~PICTURES else Message("hint.only_pictures"))
    if view.playable & PICTURES:
        return Message("hint.no_picture_lost", winner)
    if not view.playable & view.higher:
        return Message("hint.cannot_win")
    return waits if view.trick_pictures else Message("hint.no_picture_there")


def _possible_cards(observation: KakeyaObservation, view: VisibleCards, seat: int) -> int:
    """The cards with which another seat is likely to be able to win: of the suit led, unless it is known to lack it.

    None in the last tricks, in which more is known of each hand than the suits that it lacks."""
    lacked = sum([suit_set(weigh(view.trump, (13 * suit,))) for suit in observation.lacks[seat - 1]])
    cards = view.others & ~lacked if len(observation.hand) > LAST_TRICKS else 0
    return cards & view.led or cards


def _win_reason(view: VisibleCards, card: int, named_card: Card) -> Message | None:
    """The reason for taking the present trick with ``card``; ``None`` if there is none."""
    pictures = (view.trick_pictures | (card & PICTURES)).bit_count()
    if view.is_last:
        if pictures:
            return Message("hint.takes_pictures", {"count": pictures})
        lower = view.playable & view.higher & ~view.rensho & (card - 1)  # cheaper cards that would win too
        if lower or card == view.rensho:
            return Message("hint.leads_next")
        return Message("hint.lowest_to_win", {"card": named_card})
    beating, follows = view.beating(card), suit_set(card) == view.led
    if view.others & suit_set(card) and not beating:
        return Message("hint.highest_left", {"card": named_card})
    if view.trick_pictures:
        return Message("hint.for_pictures", {"count": view.trick_pictures.bit_count()})
    key, beating = ("few_beat", beating) if follows else ("overtrumps", view.threats(card))
    return Message(f"hint.{key}", {"card": named_card, "count": beating.bit_count()}) if beating else None
