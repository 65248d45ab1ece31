"""A match in progress: its state, its events, new actions and undos."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Action, AnyGame, Event, IllegalAction, Message, Observation, Outcome
from cardgames.match.chance import DrawChance
from cardgames.match.journal import Journal, JournalConflict, JournalPosition
from cardgames.match.undo_limits import UndoLimits


class Step(NamedTuple):
    """An action of a match, with the states before and after it and its events."""

    ply: int
    """The number of the action, from 1."""
    by: int
    action: Action
    before: Any
    after: Any
    events: tuple[Event, ...]


class UndoneSteps(NamedTuple):
    """Actions removed by an undo."""

    by: int
    """The seat that asked for the undo."""
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The event of the undo, which is public."""
        return (Event("undone", {"seat": self.by, "count": len(self.steps)}),)


MatchChange: TypeAlias = Step | UndoneSteps

Seconds: TypeAlias = Callable[[], float]
"""A function that returns the time in seconds, from any origin."""


def visible_to(seat: int, events: Iterable[Event]) -> list[Event]:
    """The events among ``events`` that a seat may see; for seat 0 the public events."""
    return [event for event in events if event.audience is None or seat in event.audience]


def public_events(events: Iterable[Event]) -> list[Event]:
    """The events that spectators may see: the public events, and the events for spectators alone."""
    return visible_to(CHANCE, events)


def step(game: AnyGame, state: Any, ply: int, by: int, action: Action) -> Step:
    """Apply action number ``ply``, by the seat ``by``, to ``state``. Raises :class:`IllegalAction`."""
    actor = game.actor(state, action)
    if actor is not None and by != actor:
        raise IllegalAction(Message("out_of_turn", {"by_number": by, "to_number": actor}))
    events: list[Event] = []
    after = game.apply(state, action, events.append)
    return Step(ply, by, action, state, after, tuple(events))


class Match:
    """A match in progress, read from its journal and written to it."""

    def __init__(
        self, game: AnyGame, journal: Journal, draw: DrawChance, minutes: int | None = None, now: Seconds = monotonic
    ) -> None:
        """Read ``journal``. ``draw`` draws chance's actions; ``minutes`` limit the time of each game.

        Raises :class:`InvalidAction` or :class:`IllegalAction` if the journal has an invalid or illegal action."""
        self.game = game
        self.state = game.start()
        self.steps: list[Step] = []
        """The actions of the match, in order, without undone actions."""
        self.log: list[MatchChange] = []
        """All actions and undos, in order."""
        self._journal = journal
        self._draw = draw
        self._minutes, self._now, self._game_started = minutes, now, now()
        self._undos = 0
        self._undo_limits = UndoLimits(game)
        self._watchers: list[Callable[[MatchChange], object]] = []
        self.catch_up()

    # The present state

    @property
    def ply(self) -> int:
        """The number of actions so far, without undone actions."""
        return len(self.steps)

    @property
    def journal_position(self) -> JournalPosition:
        """The position up to which the journal has been read."""
        return JournalPosition(self.ply, self._undos)

    @property
    def to_act(self) -> int | None:
        """The acting seat, ``CHANCE``, or ``None`` when the match is over."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or ``None`` while the match goes on."""
        return self.game.outcome(self.state)

    def observation(self, seat: int) -> Observation:
        """The observation of ``seat``; for seat 0 all that is public."""
        observation: Observation = self.game.observation(self.state, seat)
        return observation

    def events(self, seat: int) -> list[Event]:
        """The events that ``seat`` has seen from its own last action on; for seat 0 the public ones from chance's."""
        return visible_to(seat, chain.from_iterable([change.events for change in self.log[self.since(seat) :]]))

    def since(self, seat: int) -> int:
        """The place in :attr:`log` of the last action of ``seat``; 0 if there is none."""
        places = reversed(range(len(self.log)))
        return next((place for place in places if isinstance(self.log[place], Step) and self.log[place].by == seat), 0)

    def watch(self, watcher: Callable[[MatchChange], object]) -> None:
        """Call ``watcher`` with each later action and undo, after the journal has stored it."""
        self._watchers.append(watcher)

    # Actions

    def act(self, by: int, action: Action) -> bool:
        """Carry out an action of seat ``by``, append it to the journal, and return ``True``.

        If the journal has unread entries, read them instead of acting, and return ``False``. The match is unchanged
        when this raises :class:`IllegalAction` or an error of the journal."""
        new_step = step(self.game, self.state, self.ply + 1, by, action)
        scores, outcome = self.game.scores(new_step.after), self.game.outcome(new_step.after)
        try:
            self._journal.append(self.journal_position, by, action.text, scores, outcome)
        except JournalConflict:
            if not self.catch_up():
                raise
            return False
        self._add(new_step)
        return True

    def settle(self) -> None:
        """Let chance and the clock act until a player has to act or the match is over."""
        while action := self._chance_action():
            self.act(CHANCE, action)

    def _chance_action(self) -> Action | None:
        """Draw the action of chance, or return the action that ends the game by time; ``None`` if neither is due."""
        if chance := self.game.chance(self.state):
            return self._draw(chance, self.ply)
        is_up = self._minutes is not None and self._now() - self._game_started > 60 * self._minutes
        return self.game.time_up(self.state) if is_up else None

    def catch_up(self) -> bool:
        """Read the news in the journal and bring the match up to date; return whether there was any news."""
        undos, moves = self._journal.read(self.journal_position)
        for undo in undos:
            self._undos += 1
            if undo.to_ply < self.ply:
                self._rewind(undo.to_ply, undo.by)
        for by, act in moves:
            self._add(step(self.game, self.state, self.ply + 1, by, self.game.parse(act)))
        return bool(undos or moves)

    # Undo

    def undoable(self, seat: int) -> Sequence[Step]:
        """The steps that an undo by ``seat`` would remove, from its last choice on; empty if it is not allowed."""
        choice = self._last_choice(seat)
        return self.steps[choice - 1 :] if choice and choice > self._undo_limits.last_final_plies[seat] else ()

    def why_not_undoable(self, seat: int) -> Message:
        return Message("undo_seen", {"seat": seat}) if self._last_choice(seat) else Message("no_undo")

    def undo(self, seat: int) -> bool:
        """Undo the last choice of ``seat`` and all later actions, append the undo to the journal, and return ``True``.

        If the journal has unread entries, read them instead of undoing, and return ``False``. Raises ``ValueError`` if
        nothing can be undone, or an error of the journal."""
        undone = self.undoable(seat)
        if not undone:
            raise ValueError(f"nothing of what seat {seat} chose can be taken back")
        to_ply = undone[0].ply - 1
        try:
            self._journal.undo(self.journal_position, to_ply, seat, self.game.scores(undone[0].before))
        except JournalConflict:
            if not self.catch_up():
                raise
            return False
        self._undos += 1
        self._rewind(to_ply, seat)
        return True

    # Internals

    def _last_choice(self, seat: int) -> int:
        """The ply of the last choice of ``seat``; 0 if there is none."""
        if seat == CHANCE:
            return 0
        return next((past.ply for past in reversed(self.steps) if past.by == seat), 0)

    def _add(self, new_step: Step) -> None:
        """Add a step that is in the journal already, and call the watchers."""
        chance = self.game.chance(new_step.before)
        if chance and chance.draws_seats:
            self._game_started = self._now()  # the next game of the match has its own time
        self.state = new_step.after
        self.steps.append(new_step)
        self._undo_limits.note(new_step.ply, new_step.by, new_step.before, new_step.after, new_step.events)
        self._log(new_step)

    def _rewind(self, to_ply: int, by: int) -> None:
        """Remove the steps after ply ``to_ply``. The undo is in the journal already; seat ``by`` asked for it."""
        undone = tuple(self.steps[to_ply:])
        del self.steps[to_ply:]
        self.state = undone[0].before
        self._undo_limits.rewind(to_ply)
        self._log(UndoneSteps(by, undone))

    def _log(self, change: MatchChange) -> None:
        self.log.append(change)
        for watcher in self._watchers:
            watcher(change)
