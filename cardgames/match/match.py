"""A match in progress: where it stands, what each seat has been told, and what may happen next."""

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
    """The seat that acted, or ``CHANCE``."""
    action: Action
    before: Any
    after: Any
    events: tuple[Event, ...]


class TakenBack(NamedTuple):
    """Actions that are no longer part of the match."""

    by: int
    """The seat that wanted to choose again."""
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events."""
        return (Event("undone", {"seat": self.by, "count": len(self.steps)}),)


Happening: TypeAlias = Step | TakenBack
Watcher: TypeAlias = Callable[[Happening], object]


def visible_to(seat: int, events: Iterable[Event]) -> list[Event]:
    """The events that a seat hears of; for seat 0 those that everybody may."""
    return [event for event in events if event.audience is None or seat in event.audience]


def step(game: AnyGame, state: Any, ply: int, by: int, action: Action) -> Step:
    """``action`` by ``by`` in ``state`` as action number ``ply``; raises :class:`IllegalAction` if it is not legal."""
    actor = game.actor(state, action)
    if actor is not None and by != actor:
        raise IllegalAction(Reason("out_of_turn", {"by_number": by, "to_number": actor}))
    events: list[Event] = []
    after = game.apply(state, action, events.append)
    return Step(ply, by, action, state, after, tuple(events))


class Match:
    """One match, as far as it stands in its journal."""

    def __init__(self, game: AnyGame, journal: Journal, draw: DrawChance, clock: Clock | None = None) -> None:
        """Go on from wherever the journal stands.

        ``draw`` decides for chance; the ``clock`` runs from now on. Raises :class:`InvalidAction` or
        :class:`IllegalAction` if the journal holds an action that is none, or is not legal there.
        """
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

    # What is known

    @property
    def ply(self) -> int:
        """How many actions there are."""
        return len(self.steps)

    @property
    def journal_position(self) -> JournalPosition:
        """How far the journal has been read."""
        return JournalPosition(self.ply, self._undos)

    @property
    def to_act(self) -> int | None:
        """The seat to act, ``CHANCE``, or ``None`` when the match is over."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; ``None`` while it goes on."""
        return self.game.outcome(self.state)

    def observation(self, seat: int) -> Observation:
        """The observation of ``seat``; for seat 0 whatever is public."""
        found: Observation = self.game.observation(self.state, seat)
        return found

    def events(self, seat: int) -> list[Event]:
        """The events that ``seat`` heard of since it last acted, and of that action; for seat 0 since chance acted."""
        news: list[Event] = []
        for happening in reversed(self.log):
            news[:0] = visible_to(seat, happening.events)
            if isinstance(happening, Step) and happening.by == seat:
                break
        return news

    def watch(self, watcher: Watcher) -> None:
        """Let ``watcher`` know of everything that happens from now on, when it is safe in the journal."""
        self._watchers.append(watcher)

    # What happens

    def act(self, by: int, action: Action) -> bool:
        """Let ``by`` act; ``False`` if somebody else was first, and the match has gone on in another way.

        Raises :class:`IllegalAction` if the action is not legal, and what the journal raises; nothing has
        happened then.
        """
        made = step(self.game, self.state, self.ply + 1, by, action)
        scores, outcome = self.game.scores(made.after), self.game.outcome(made.after)
        try:
            self._journal.append(self.journal_position, by, action.text, scores, outcome)
        except Overtaken:
            return self._overtaken()
        self._take(made)
        return True

    def settle(self) -> None:
        """Let chance and the clock act, until somebody at the table is to act or the match is over."""
        while True:
            if chance := self.game.chance(self.state):
                self.act(CHANCE, self._draw(chance, self.ply))
            elif self._clock and self._clock.is_up and (called := self.game.time_up(self.state)):
                self.act(CHANCE, called)
            else:
                return

    def catch_up(self) -> bool:
        """Read on in the journal; whether there was anything new."""
        undos, moves = self._journal.read(self.journal_position)
        for undo in undos:
            self._undos += 1
            if undo.to_ply < self.ply:
                self._rewind(undo.to_ply, undo.by)
        for by, act in moves:
            self._take(step(self.game, self.state, self.ply + 1, by, self.game.parse(act)))
        return bool(undos or moves)

    # What is taken back

    def undoable(self, seat: int) -> Sequence[Step]:
        """The actions that would be taken back with the last choice of ``seat``, that one first.

        None, if it has made no choice or the last one is final.
        """
        choice = self._last_choice(seat)
        return self.steps[choice - 1 :] if choice and choice > self._undo_limits.up_to(seat) else ()

    def why_not_undoable(self, seat: int) -> Reason:
        """Why nothing of what ``seat`` chose can be taken back."""
        return Reason("undo_seen", {"seat": seat}) if self._last_choice(seat) else Reason("no_undo")

    def undo(self, seat: int) -> bool:
        """Take back the last choice of ``seat`` and all that came after it.

        ``False`` if somebody else was first, and the match has gone on in another way. Raises ``ValueError`` if there
        is nothing that can be taken back, and what the journal raises.
        """
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

    # Inside

    def _last_choice(self, seat: int) -> int:
        """The ply of the last choice of ``seat``; 0 if it has made none."""
        if seat == CHANCE:
            return 0
        return next((made.ply for made in reversed(self.steps) if made.by == seat), 0)

    def _overtaken(self) -> bool:
        """Go on from what somebody else has written; raises :class:`Overtaken` again if there is nothing."""
        if not self.catch_up():
            raise Overtaken
        return False

    def _take(self, made: Step) -> None:
        """Let a step that is in the journal happen here."""
        if self._clock and (chance := self.game.chance(made.before)) and chance.draws_seats:
            self._clock.restart()  # a further game of the match has time of its own
        self.state = made.after
        self.steps.append(made)
        self._undo_limits.note(made.ply, made.by, made.before, made.after, made.events)
        self._tell(made)

    def _rewind(self, to_ply: int, by: int) -> None:
        """Let what is no longer in the journal be undone here."""
        undone = tuple(self.steps[to_ply:])
        del self.steps[to_ply:]
        self.state = undone[0].before
        self._undo_limits.rewind(to_ply)
        self._tell(TakenBack(by, undone))

    def _tell(self, happening: Happening) -> None:
        """Write a happening into the log, and let everybody who watches know of it."""
        self.log.append(happening)
        for watcher in self._watchers:
            watcher(happening)
