"""The games as environments of PettingZoo, in which agents take turns (AEC).

    from cardgames.adapters.pettingzoo import env

    durak = env("durak", players=2, throw_in=True)
    durak.reset(seed=7)
    for agent in durak.agent_iter():
        observation, reward, terminated, truncated, info = durak.last()
        action = None if terminated else durak.action_space(agent).sample(observation["action_mask"])
        durak.step(action)

An agent is a seat, ``seat_1`` and so on. Rewards come after each deal: the points that it was worth to the seat.
With ``max_cycles`` the match is truncated after that many choices. ``turn_based_aec_to_parallel`` makes it parallel.
``unwrapped.action_labels`` and ``unwrapped.observation_labels`` say what each number means.
"""

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from cardgames.adapters.episode import ActionNumbers, Episode
from cardgames.adapters.vector import ObservationVector
from cardgames.engine.game import game_class, new_game
from cardgames.engine.observation_json import to_json

NUMBER = np.int16


def env(
    game: str, players: int | None = None, render_mode: str | None = None, max_cycles: int | None = None, **rules: Any
) -> AECEnv:
    """The environment of a game with these rules, by default for the smallest number of players.

    An illegal action ends the match with a reward of -1 for its seat. Raises ``InvalidRules``."""
    game_env = CardGameEnv(game, players, render_mode, max_cycles, **rules)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(game_env, illegal_reward=-1)))


class CardGameEnv(AECEnv):  # type: ignore[misc]
    """A match of a game, without PettingZoo's wrappers that check its use."""

    metadata = {"render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012 - as the library has it

    def __init__(
        self, game: str, players: int | None, render_mode: str | None, max_cycles: int | None, **rules: Any
    ) -> None:
        super().__init__()
        self._max_cycles = max_cycles
        self._game = new_game(game, game_class(game).SEATS[0] if players is None else players, rules)
        self._numbers, self._vector = ActionNumbers(self._game), ObservationVector(self._game)
        self.metadata = {**self.metadata, "name": f"cardgames_{game}_v1"}
        self.render_mode = render_mode
        self.possible_agents = agents = [f"seat_{seat}" for seat in range(1, self._game.seats + 1)]
        self.action_labels = self._numbers.labels
        self.observation_labels = self._vector.labels
        limits, choices = np.iinfo(NUMBER), len(self.action_labels)
        vector = Box(limits.min, limits.max, (len(self.observation_labels),), NUMBER)
        mask = Box(0, 1, (choices,), np.int8)
        self.observation_spaces = {agent: Dict({"observation": vector, "action_mask": mask}) for agent in agents}
        self.action_spaces = {agent: Discrete(choices) for agent in agents}
        self._rng = Random()

    def observation_space(self, agent: str) -> Dict:
        """The space of a seat's observations: the vector and the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of a seat's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; ``seed`` determines all its shuffles."""
        if seed is not None:
            self._rng = Random(seed)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._episode = Episode(self._game, self._numbers)
        self._counted = self._game.payoff(self._episode.state)
        self._choices = 0
        self._advance()

    def _advance(self) -> None:
        """Set the rewards of a finished deal, let chance act, and select the next agent, or end the match."""
        state = self._episode.state
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self._game.deal_over(state):
            payoff = self._game.payoff(state)
            gains = [float(now - before) for now, before in zip(payoff, self._counted, strict=True)]
            self.rewards, self._counted = dict(zip(self.possible_agents, gains, strict=True)), payoff
        self._episode.deal(self._rng)
        seat = self._episode.to_act
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[seat - 1]
            if self._choices == self._max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """All that a seat knows, and the mask of its legal actions."""
        seat = self.possible_agents.index(agent) + 1
        vector = np.zeros(len(self.observation_labels), NUMBER)
        self._vector.fill(vector, self._game.observation(self._episode.state, seat))
        mask = np.zeros(len(self.action_labels), np.int8)
        if self._episode.to_act == seat:
            mask[list(self._episode.choices)] = 1
        return {"observation": vector, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the choice with number ``action`` for the acting seat; after the match it must be ``None``.

        In the render mode ``human`` the position is printed. Raises ``ValueError`` for an illegal number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._episode.choose(int(action))
        self._choices += 1
        self._advance()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The public information, one line per field: returned with ``ansi``, printed with ``human``."""
        if self.render_mode is None:
            return None
        public = to_json(self._game.observation(self._episode.state, 0))
        text = "\n".join(f"{name}: {value}" for name, value in public.items())
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
