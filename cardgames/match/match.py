"""A match in progress: its state, the events by seat, and the next actions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Action, AnyGame, Event, IllegalAction, Observation, Outcome, Reason
from cardgames.match.chance import DrawChance
from cardgames.match.clock import Clock
from cardgames.match.journal import Journal, JournalPosition, Overtaken
from cardgames.match.undo_limits import UndoLimits


class Step(NamedTuple):
    """An action of a match, with the states before and after it and its events."""

    ply: int
    """Its number, from 1."""
    by: int
    """The acting seat, or ``CHANCE``."""
    action: Action
    before: Any
    after: Any
    events: tuple[Event, ...]


class TakenBack(NamedTuple):
    """Actions removed by an undo."""

    by: int
    """The seat that asked for the undo."""
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events."""
        return (Event("undone", {"seat": self.by, "count": len(self.steps)}),)


Happening: TypeAlias = Step | TakenBack
Watcher: TypeAlias = Callable[[Happening], object]


def visible_to(seat: int, events: Iterable[Event]) -> list[Event]:
    """The events that a seat may see; with seat 0 the public ones."""
    return [event for event in events if event.audience is None or seat in event.audience]


def step(game: AnyGame, state: Any, ply: int, by: int, action: Action) -> Step:
    """Apply an action of seat ``by`` with the number ``ply``. Raises :class:`IllegalAction`."""
    actor = game.actor(state, action)
    if actor is not None and by != actor:
        raise IllegalAction(Reason("out_of_turn", {"by_number": by, "to_number": actor}))
    events: list[Event] = []
    after = game.apply(state, action, events.append)
    return Step(ply, by, action, state, after, tuple(events))


class Match:
    """A match in progress, read from its journal and written to it."""

    def __init__(self, game: AnyGame, journal: Journal, draw: DrawChance, clock: Clock | None = None) -> None:
        """Read the journal and continue from its end.

        ``draw`` is the source of chance; the ``clock`` starts now. Raises :class:`InvalidAction` or
        :class:`IllegalAction` for an invalid or illegal action in the journal."""
        self.game = game
        self.state = game.start()
        self.steps: list[Step] = []
        """The actions of the match, in order, without those that were taken back."""
        self.log: list[Happening] = []
        """Everything that happened, in order."""
        self._journal = journal
        self._draw = draw
        self._clock = clock
        self._undos = 0
        self._undo_limits = UndoLimits(game)
        self._watchers: list[Watcher] = []
        self.catch_up()

    # The present state

    @property
    def ply(self) -> int:
        """The number of actions so far."""
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
        """The observation of ``seat``; with seat 0 all that is public."""
        found: Observation = self.game.observation(self.state, seat)
        return found

    def events(self, seat: int) -> list[Event]:
        """The events that ``seat`` has seen from its last action on; with seat 0 from chance's last action on."""
        news: list[Event] = []
        for happening in reversed(self.log):
            news[:0] = visible_to(seat, happening.events)
            if isinstance(happening, Step) and happening.by == seat:
                break
        return news

    def watch(self, watcher: Watcher) -> None:
        """Call ``watcher`` with each step and undo from now on, once it is in the journal."""
        self._watchers.append(watcher)

    # Actions

    def act(self, by: int, action: Action) -> bool:
        """Do an action of seat ``by``. Return ``False`` if another process was first, and the match has changed.

        Raises :class:`IllegalAction` and the journal's errors, without any effect."""
        made = step(self.game, self.state, self.ply + 1, by, action)
        scores, outcome = self.game.scores(made.after), self.game.outcome(made.after)
        try:
            self._journal.append(self.journal_position, by, action.text, scores, outcome)
        except Overtaken:
            return self._overtaken()
        self._add(made)
        return True

    def settle(self) -> None:
        """Let chance and the clock act until a player has to act or the match is over."""
        while True:
            if chance := self.game.chance(self.state):
                self.act(CHANCE, self._draw(chance, self.ply))
            elif self._clock and self._clock.is_up and (called := self.game.time_up(self.state)):
                self.act(CHANCE, called)
            else:
                return

    def catch_up(self) -> bool:
        """Read on in the journal; return whether there was anything new."""
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
        """The actions that an undo by ``seat`` would remove, its last choice first; empty if it cannot undo."""
        choice = self._last_choice(seat)
        return self.steps[choice - 1 :] if choice and choice > self._undo_limits.up_to(seat) else ()

    def why_not_undoable(self, seat: int) -> Reason:
        """The reason why ``seat`` cannot undo."""
        return Reason("undo_seen", {"seat": seat}) if self._last_choice(seat) else Reason("no_undo")

    def undo(self, seat: int) -> bool:
        """Undo the last choice of ``seat`` and all that followed.

        Return ``False`` if another process was first, and the match has changed. Raises ``ValueError`` if nothing
        can be undone, and the journal's errors."""
        undone = self.undoable(seat)
        if not undone:
            raise ValueError(f"nothing of what seat {seat} chose can be taken back")
        to_ply = undone[0].ply - 1
        try:
            self._journal.undo(self.journal_position, to_ply, seat, self.game.scores(undone[0].before))
        except Overtaken:
            return self._overtaken()
        self._undos += 1
        self._rewind(to_ply, seat)
        return True

    # Internals

    def _last_choice(self, seat: int) -> int:
        """The ply of the last choice of ``seat``; 0 if there is none."""
        if seat == CHANCE:
            return 0
        return next((made.ply for made in reversed(self.steps) if made.by == seat), 0)

    def _overtaken(self) -> bool:
        """Catch up with another process. Raises :class:`Overtaken` again if the journal has no news."""
        if not self.catch_up():
            raise Overtaken
        return False

    def _add(self, made: Step) -> None:
        """Add a step that is in the journal."""
        if self._clock and (chance := self.game.chance(made.before)) and chance.draws_seats:
            self._clock.restart()  # the next game of the match has its own time
        self.state = made.after
        self.steps.append(made)
        self._undo_limits.note(made.ply, made.by, made.before, made.after, made.events)
        self._log(made)

    def _rewind(self, to_ply: int, by: int) -> None:
        """Remove the steps after ``to_ply``, which are no longer in the journal."""
        undone = tuple(self.steps[to_ply:])
        del self.steps[to_ply:]
        self.state = undone[0].before
        self._undo_limits.rewind(to_ply)
        self._log(TakenBack(by, undone))

    def _log(self, happening: Happening) -> None:
        """Log a happening and call the watchers."""
        self.log.append(happening)
        for watcher in self._watchers:
            watcher(happening)
