"""The games as games of OpenSpiel, one deal each, from the shuffle to the points that the deal is worth.

    import pyspiel
    import cardgames.adapters.openspiel

    durak = pyspiel.load_game("cardgames_durak", {"players": 2, "throw_in": True})
    state = durak.new_initial_state()

Each game is registered as ``cardgames_`` and its name, with its options and the number of players as parameters. A
match of Durak is one deal; of the other games the first deal is played. The pack is shuffled card by card, so every
choice of chance has few outcomes. OpenSpiel counts players from 0: player 0 is seat 1.
"""

import json
from collections import Counter
from collections.abc import Mapping
from copy import copy
from random import Random
from typing import Any

import numpy as np
import pyspiel

from cardgames.adapters.episode import ActionNumbers, Episode
from cardgames.adapters.vector import ObservationVector
from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, GAMES, AnyGame, Chance, Event, game_class
from cardgames.engine.observation_json import to_json

MAX_CHOICES = 5_000
"""An upper bound on the choices of a deal, which OpenSpiel asks for."""


class CardGame(pyspiel.Game):  # type: ignore[misc]
    """A deal of a game, with a number of players and options."""

    def __init__(self, game: AnyGame, game_type: pyspiel.GameType, parameters: Mapping[str, Any]) -> None:
        self.game = game
        self.numbers, self.vector = ActionNumbers(game), ObservationVector(game)
        least, most = game.deal_payoff
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers.labels),
            max_chance_outcomes=len(set(game.pack)),
            num_players=game.seats,
            min_utility=float(least),
            max_utility=float(most),
            utility_sum=0.0 if game.ZERO_SUM else None,
            max_game_length=MAX_CHOICES,
        )
        super().__init__(game_type, info, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by its name and parameters, since its class is made when it is registered."""
        return _load_game, (str(self),)

    def new_initial_state(self) -> "DealState":
        """The state before the shuffle."""
        return DealState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """An observer of the given type, by default without perfect recall. Raises ``ValueError`` for ``params``."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound on chance's choices in a deal: twice the cards of the pack."""
        return 2 * len(self.game.pack)


def _load_game(text: str) -> pyspiel.Game:
    """Load a pickled game. To find this function, pickle imports this module, which registers the games."""
    return pyspiel.load_game(text)


class DealState(pyspiel.State):  # type: ignore[misc]
    """A deal in progress, as a state of OpenSpiel, which clones states by deep copies of their attributes."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self.deal = Deal(game.game, game.numbers)

    def current_player(self) -> int:
        """The acting player, or OpenSpiel's number for chance or the end."""
        if self.deal.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.deal.to_act
        assert seat is not None
        return int(pyspiel.PlayerId.CHANCE) if seat == CHANCE else seat - 1

    def _legal_actions(self, player: int) -> list[int]:
        """The numbers of the legal choices, ascending; empty if ``player`` is not to act."""
        return list(self.deal.choices) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Pairs of an item's index in :attr:`Deal.items` and the probability that chance draws the item next."""
        left = self.deal.left
        count = left.total()
        return [(index, left[item] / count) for index, item in enumerate(self.deal.items) if left[item]]

    def _apply_action(self, action: int) -> None:
        """Make chance draw the item with this number, or make the current player's choice with this number."""
        if self.deal.to_act == CHANCE:
            self.deal.draw(action)
        else:
            self.deal.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """The label of a player's choice, or the name of the item that chance draws."""
        if player != pyspiel.PlayerId.CHANCE:
            return self.deal.numbers.labels[action]
        item = self.deal.items[action]
        return NAMES[item] if self.deal.chance.items == self.deal.game.pack else str(item)

    def is_terminal(self) -> bool:
        return self.deal.is_over

    def returns(self) -> list[float]:
        """The points of the deal for each player; 0 until it is over."""
        game = self.deal.game
        return [float(points) for points in game.payoff(self.deal.state)] if self.deal.is_over else [0.0] * game.seats

    def __str__(self) -> str:
        """The history of choices, as OpenSpiel writes it."""
        text: str = self.history_str()
        return text


class Deal(Episode):
    """An episode that ends with its first deal. It shuffles the pack card by card, and records each seat's events."""

    def __init__(self, game: AnyGame, numbers: ActionNumbers) -> None:
        super().__init__(game, numbers)
        self.is_over = False
        self.histories: tuple[tuple[str, ...], ...] = ((),) * (game.seats + 1)
        """For each seat, from 0 for a spectator, the events that it may know and its own choices, in order."""
        self._drawn: tuple[int, ...] = ()
        self._has_begun = False

    def __deepcopy__(self, memo: dict[int, Any]) -> "Deal":
        """Return a shallow copy, since all parts are immutable."""
        return copy(self)

    @property
    def chance(self) -> Chance:
        """The present decision of chance."""
        chance = self.game.chance(self.state)
        assert chance is not None
        return chance

    @property
    def items(self) -> list[int]:
        """The different items from which chance draws, cards or seats, ascending."""
        return sorted(set(self.chance.items))

    @property
    def left(self) -> Counter[int]:
        """The items that chance has not drawn yet."""
        return Counter(self.chance.items) - Counter(self._drawn)

    def draw(self, index: int) -> None:
        """Let chance draw the item with this index in :attr:`items`; if only one item is left then, draw it too.

        The last item completes chance's action, which is then applied and recorded."""
        chance = self.chance
        self._drawn += (self.items[index],)
        if len(self._drawn) == chance.number - 1 and self.left.total() == 1:
            self._drawn += (*self.left,)
        if len(self._drawn) == chance.number:
            drawn, self._drawn = self._drawn, ()
            self._record(self.apply(chance.action(drawn)))

    def choose(self, number: int) -> tuple[Event, ...]:
        """Make and record a choice; return the events if it completes an action. Raises ``ValueError``."""
        seat = self.to_act
        events = super().choose(number)
        self._record(events, seat, self.numbers.labels[number])
        return events

    def _record(self, events: tuple[Event, ...], by: int | None = None, choice: str = "") -> None:
        """Record events for the seats that may know them, and a choice for the seat ``by``; then update ``is_over``."""
        told = [(event.audience, event.key, json.dumps(dict(event.args), sort_keys=True)) for event in events]
        histories = []
        for seat, history in enumerate(self.histories):
            own_choice = (choice,) if seat == by else ()
            known = [f"{key} {args}" for audience, key, args in told if audience is None or seat in audience]
            histories.append((*history, *own_choice, *known))
        self.histories = tuple(histories)
        is_deal_over = self.game.deal_over(self.state)
        self.is_over = self.to_act is None or (self._has_begun and is_deal_over)  # it is, before the shuffle
        self._has_begun = self._has_begun or not is_deal_over

    def seen(self, seat: int) -> str:
        """The observation of a seat as JSON, with its unfinished selection."""
        chosen = [NAMES[card] for card in self._selection.cards if seat == self.to_act]
        return " ".join([json.dumps(to_json(self.game.observation(self.state, seat))), *chosen])

    def with_resampled_cards(self, seat: int, rng: Random) -> "Deal":
        """A deal with the same view for a seat, and sampled hidden cards. Other histories have public events only."""
        result = copy(self)
        result.state, result._choices = self.game.resample(self.game.observation(self.state, seat), rng), None
        public = self.histories[0]
        result.histories = tuple([own if other == seat else public for other, own in enumerate(self.histories)])
        return result


class Observer:
    """A player's view as a vector and a string, for ``open_spiel.python.observation``."""

    def __init__(self, game: CardGame, kind: Any, params: Any) -> None:
        """Raises ``ValueError`` for any parameters: none are supported."""
        if params:
            raise ValueError(f"there are no parameters, so not {params}")
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._shows_anything = bool(self._is_private or kind.public_info)
        self._recalls = kind.perfect_recall
        self._vector = game.vector
        self.tensor = np.zeros(len(game.vector.labels) if self._shows_anything else 0, np.float32)
        self.dict = {"observation": self.tensor}

    def _seat(self, player: int) -> int:
        """The seat whose view is shown: the player's, or 0 (a spectator) if private information is not requested."""
        return player + 1 if self._is_private else 0

    def set_from(self, state: DealState, player: int) -> None:
        """Write the player's view into ``tensor``."""
        if self._shows_anything:
            self._vector.fill(self.tensor, state.deal.game.observation(state.deal.state, self._seat(player)))

    def string_from(self, state: DealState, player: int) -> str:
        """The player's view as text; empty if no information is requested.

        With perfect recall, all events and choices so far come first."""
        if not self._shows_anything:
            return ""
        seat = self._seat(player)
        recalled = state.deal.histories[seat] if self._recalls else ()
        return "\n".join([*recalled, state.deal.seen(seat)])


def resample(state: DealState, player: int, rng: Random) -> DealState:
    """A state with the same view for a player, and newly sampled hidden cards; for ``ISMCTSBot.set_resampler``."""
    result: DealState = state.clone()
    result.deal = state.deal.with_resampled_cards(player + 1, rng)
    return result


def register(short_name: str, kind: type[AnyGame]) -> None:
    """Register a game with OpenSpiel under ``short_name``."""
    utility = pyspiel.GameType.Utility
    game_type = pyspiel.GameType(
        short_name=short_name,
        long_name=f"{kind.NAME.capitalize()} (cardgames)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if kind.ZERO_SUM else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(kind.SEATS),
        min_num_players=min(kind.SEATS),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": kind.SEATS[0], **kind.RULES().values()},
    )

    class RegisteredGame(CardGame):
        """The registered game, which OpenSpiel creates from its parameters."""

        def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
            rules = dict(parameters or {})
            players = rules.pop("players", kind.SEATS[0])
            super().__init__(kind(players, kind.RULES.of(rules)), game_type, dict(parameters or {}))

    pyspiel.register_game(game_type, RegisteredGame)


for _name in GAMES:
    register(f"cardgames_{_name}", game_class(_name))
