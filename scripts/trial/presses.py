"""How many keys an action takes: the fewest, in whole matches by rule, at one terminal or against computers."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import player
from cardgames.engine.game import Action, Event, Observation, new_game
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from cardgames.match import Match, MemoryJournal, play, seeded
from cardgames.ui.screens.offers import Offer, Ticks
from cardgames.ui.screens.typed_text import matching_offers, shortcuts, unambiguous_offer
from cardgames.ui.settings import Settings
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View

from .player import ticks

REACH_ALONE = 1.2
"""So many keys an action at most for one person against computers, without those that end a pause."""
REACH = 2.1
"""So many keys an action at most, one of them to be shown the hand, with those that end a pause."""


class Presses(NamedTuple):
    """The figures of the trial in one game."""

    game: str
    seats: int
    actions: int
    keys: Counter[str]
    """By what they were pressed for: to ``look`` at a hand, to ``choose``, to ``go on`` after a pause."""

    @property
    def without_pauses(self) -> float:
        """Keys an action, without those that end a pause."""
        return (self.keys.total() - self.keys["go on"]) / self.actions

    @property
    def an_action(self) -> float:
        """Keys an action, whatever they are pressed for."""
        return self.keys.total() / self.actions

    def __str__(self) -> str:
        kinds = ", ".join(f"{number / self.actions:.2f} to {kind}" for kind, number in self.keys.items())
        return f"{self.game} with {self.seats}: {self.an_action:.2f} keys an action ({kinds}; {self.actions} actions)"


def trial(game: str, seats: int, matches: int, seed: int = 1, people: int | None = None) -> Presses:
    """Play so many matches with the settings that nobody has changed; by default all seats are those of people."""
    keys: Counter[str] = Counter({"look": 0, "choose": 0, "go on": 0})
    actions = 0
    for number in range(matches):
        here = range(1, (people or seats) + 1)
        someone = Fingers(game, seats, f"{seed} {number}", keys, here)
        computer = Computer(someone.match)
        play(someone.match, {seat: someone.table if seat in here else computer for seat in range(1, seats + 1)})
        actions += sum(step.by in here for step in someone.match.steps)
    return Presses(game, seats, actions, keys)


class Fingers:
    """Somebody before a screen that nobody sees, who knows every key, and how many have been pressed."""

    def __init__(self, game: str, seats: int, seed: str, keys: Counter[str], here: Sequence[int]) -> None:
        played = new_game(game, seats)
        self.match = Match(played, MemoryJournal(), seeded(Random(seed).randrange(1 << 32)))
        view = View(self.match, [f"Name {seat}" for seat in range(1, seats + 1)], Settings(moment="off"))
        screen: Any = self
        self.table = Table(screen, view, here)
        self._rng = Random(seed)
        self._computer = player("easy", played)
        self._keys = keys
        self._move: tuple[int, Action] | None = None

    def choose(
        self,
        draw: object,
        question: str,
        offers: Sequence[Offer],
        *more: Any,
        ticks: Ticks | None = None,
        **named: Any,
    ) -> Any:
        """The fewest keys for what leads to the move."""
        if ticks:
            return self._tick(offers, ticks)
        if offers[0].value is True:
            self._keys["look"] += 1
            return True
        leading = [offer for offer in offers if _leads(offer.value, self._meant())]
        cost, value = min([(_presses(offers, offer), offer.value) for offer in leading], key=lambda found: found[0])
        self._keys["choose"] += cost
        return value

    def _tick(self, offers: Sequence[Offer], to_tick: Ticks) -> list[int]:
        """The keys of what is not ticked as it is to be, and the one that takes it."""
        asked = layout_of(self.match.game.NAME).question(self.match.observation(self.match.to_act or 0))
        wanted = next(
            places
            for each in (asked, *[further for _, further in asked.further])
            if each.picks and (places := ticks(each, self._meant())) is not None
        )
        changed = [offers[place] for place in {*to_tick.values} ^ {*wanted}]
        self._keys["choose"] += sum([_presses(offers, offer) for offer in changed]) + 1
        return [*wanted]

    def _meant(self) -> Action:
        """The move of whoever is to act, by rule."""
        if self._move is None or self._move[0] != self.match.ply:
            observation = self.match.observation(self.match.to_act or 0)
            self._move = self.match.ply, self._computer(observation, self._rng)
        return self._move[1]

    def pause(self, draw: object, said: str, seconds: float | None, *keys: object) -> None:
        """A key ends it, where it does not go on by itself."""
        self._keys["go on"] += seconds is None

    def wait(self, *picture: object) -> None:
        """Nothing is pressed."""

    def discard_typed(self) -> None:
        """Nothing is typed ahead."""


class Computer:
    """The computers in all other seats."""

    def __init__(self, match: Match) -> None:
        self._rng = Random(match.ply)
        self._choose = player("easy", match.game)

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action:
        """See :class:`Player`."""
        return self._choose(observation, self._rng)

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return True


def _leads(value: object, action: Action) -> bool:
    """Whether an answer is the action, or leads to a question that has it."""
    if not isinstance(value, Question):
        return value == action
    return action in value.actions or (bool(value.picks) and ticks(value, action) is not None)


def _presses(offers: Sequence[Offer], wanted: Offer) -> int:
    """The fewest keys that choose an offer: its own, or what is typed to find it and the one that takes it.

    Where another one is always found first, more than anybody would press.
    """
    sure = 1 if wanted.confirm else 0
    letters = shortcuts(offers)
    if letter := letters[list(offers).index(wanted)]:
        alike = [offer for offer, own in zip(offers, letters, strict=True) if own == letter and not offer.refused]
        return 1 + sure + (alike.index(wanted) + 1 if len(alike) > 1 else 0)
    ways = [way[:number] for way in wanted.typed for number in range(1, len(way) + 1)]
    return 1 + sure + min([len(way) for way in ways if _found(offers, way) is wanted], default=99)


def _found(offers: Sequence[Offer], typed: str) -> Offer | None:
    return unambiguous_offer([offer for offer in matching_offers(offers, typed) if not offer.refused], typed)
