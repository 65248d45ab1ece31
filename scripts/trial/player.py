"""A player who knows in advance what to answer: a match that is left anywhere is gone on with in the same way."""

from itertools import combinations
from typing import Any
from zlib import crc32

from cardgames.engine.cards import NAMES as NAMES_OF_CARDS
from cardgames.engine.game import CHANCE, Action, AnyGame, new_game
from cardgames.engine.record import Header, action_line, header_line, outcome_line
from cardgames.layout import Layout, layout_of
from cardgames.layout.question import Pick, Question
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.table.question import letter_of

from .program import ENTER, SPACE

NAMES = ("Ann", "Ben", "Cem", "Dee", "Eva", "Flo")


class Script:
    """A match of a game as it must go, from the seed of the cards and that of the choices."""

    def __init__(self, game: str, seats: int, seed: int, rules: dict[str, Any], most: int | None = None) -> None:
        """Up to its end, or ``most`` actions."""
        self.game: AnyGame = new_game(game, seats, rules, seats)
        self.header = Header(game, seats, self.game.rules.values(), seats, NAMES[:seats])
        self.seed = seed
        match = Match(self.game, MemoryJournal(), seeded(seed))
        while (seat := match.to_act) is not None and match.ply != most:
            match.act(seat, self._next(match))
        self.steps = match.steps
        self.actions = [step.action for step in match.steps]
        self.states = [self.game.start(), *[step.after for step in match.steps]]

    def _next(self, match: Match) -> Action:
        if chance := self.game.chance(match.state):
            return seeded(self.seed)(chance, match.ply)
        legal = self.game.legal_actions(match.state)
        return legal[crc32(f"{self.seed}:{match.ply}".encode()) % len(legal)]

    @property
    def arguments(self) -> list[str]:
        """The command that starts the match."""
        flags = []
        for name, value in self.game.rules.values().items():
            option = name.replace("_", "-")
            if isinstance(value, bool):
                flags.append(f"--{option}" if value else f"--no-{option}")
            else:
                flags += [f"--{option}", str(value)]
        named = [word for name in self.header.names or () for word in ("--name", name)]
        return ["play", self.header.game, *named, "--seed", str(self.seed), "--fast", *flags]

    @property
    def lines(self) -> list[str]:
        """The record, without line ends."""
        outcome = self.game.outcome(self.states[-1])
        acts = [action_line(step.by, step.action) for step in self.steps]
        return [header_line(self.header), *acts, *([outcome_line(outcome)] if outcome else [])]

    def last(self, number: int) -> int:
        """After how many actions the last ``number`` begin, or those since chance last acted."""
        since = max(ply for ply in range(1, len(self.actions) + 1) if self.to_act(ply - 1) == CHANCE)
        return max(since, len(self.actions) - number)

    def to_act(self, ply: int) -> int | None:
        """The seat to act after ``ply`` actions."""
        return self.game.to_act(self.states[ply])

    def keys(self, ply: int) -> list[str]:
        """The keys for the action after ``ply`` others, those for each prompt together."""
        state = self.states[ply]
        seat = self.game.to_act(state)
        assert seat
        layout = layout_of(self.game.NAME)
        found = keys_to(layout, layout.question(self.game.observation(state, seat)), self.actions[ply])
        assert found is not None, f"{self.actions[ply]} cannot be reached"
        return found


def keys_to(layout: Layout, question: Question, action: Action) -> list[str] | None:
    """The keys that answer a question for an action, those for each prompt together; ``None`` if none do."""
    if question.picks:
        chosen = ticks(question, action)
        if chosen is None:
            return None
        changed = [question.picks[place] for place in sorted({*question.ticked} ^ {*chosen})]
        return ["".join([_typed(layout, pick) + SPACE for pick in changed]) + ENTER]
    if action in question.actions:
        return [action.text.upper() + ENTER] + [ENTER] * (action in question.costly)  # it is asked once more then
    for label, further in question.further:
        if inner := keys_to(layout, further, action):
            return [letter_of(layout.LETTERS, label.key, f"{label.key} {label.args.get('count')}"), *inner]
    return None


def _typed(layout: Layout, pick: Pick) -> str:
    """What is typed to point at a pick: its card, or the letter of a pair."""
    return NAMES_OF_CARDS[pick.cards[0]] if len(pick.cards) == 1 else layout.LETTERS[pick.value]


def ticks(question: Question, action: Action) -> tuple[int, ...] | None:
    """The places to tick for an action; ``None`` if no ticks make it."""
    for number in range(len(question.picks) + 1):
        for chosen in combinations(range(len(question.picks)), number):
            if question.combine([question.picks[place].value for place in chosen]) == action:
                return chosen
    return None
