"""The pictures of the table: for a seat, at rest, at the end; and the pages about it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import dropwhile
from typing import Any

from cardgames.engine.cards import Card
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, Observation
from cardgames.layout.scene import Block, Columns, Message, Scene, SeatView, restore_cleared
from cardgames.match import Match, Step, visible_to
from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.card_faces import Faces
from cardgames.ui.render.cards import Look
from cardgames.ui.render.drawing import Painter
from cardgames.ui.render.pages import Log, clause_of
from cardgames.ui.screens.offers import ALL_ROWS, Chosen, Draw, Picture
from cardgames.ui.settings import Settings
from cardgames.ui.table.hand_order import layout_for_settings

WORDS_SHOWN = 3
"""The most chat messages in view."""


ROOM_FOR_CLOCKS = 80
"""The fewest columns with clocks beside names; in fewer the running one is in the head line."""


def painter(words: Words, look: Look) -> Painter:
    """The painter of the table, drawing or speaking."""
    if look.plain:
        from cardgames.ui.render.spoken import SpokenPainter

        return SpokenPainter(words, look)
    return Painter(words, look)


class GameView:
    """The look and the messages of one game for these people."""

    def __init__(self, game: AnyGame, names: Sequence[str], settings: Settings) -> None:
        """Without ``names`` seats are called by number."""
        self.game = game
        self.words = Words(settings.language, game.NAME, tuple(names), Faces(settings.ascii, settings.four_colours))
        self.set_up(settings)

    def set_up(self, settings: Settings) -> None:
        """Change the settings; the language stays."""
        self.settings = settings
        self.layout = layout_for_settings(self.game.NAME, settings)
        self.look = Look(settings.ascii, settings.colour, settings.plain, settings.sort == "rank")
        self._painter = painter(self.words, self.look)

    def scene(self, scene: Scene, events: Iterable[Event], title: str) -> Draw:
        """A scene under a ``title``, with the events before it."""
        log = Log(self.messages(events))
        return cache(lambda width, rows: self._painter.scene(scene, width, rows, title, log))

    def with_every_hand(self, scene: Scene, state: Any) -> Scene:
        """A scene with the hands that all seats hold in a ``state``."""
        players = [
            player._replace(shown=self.layout.scene(self.game.observation(state, player.seat)).hand)
            for player in scene.players
        ]
        return scene._replace(players=tuple(players))

    def note(self, messages: Sequence[Message], width: int, rows: int = ALL_ROWS) -> str:
        """An explanation under the table, cut to ``rows``."""
        return self._painter.note(messages, width, rows)

    def named(self, observation: Observation, action: Action, brief: bool = False) -> str:
        """The text of a move in a list of offers; without values if ``brief``."""
        question = self.layout.question(observation)
        said = question.said.get(action) or self.layout.words(action)
        key = said.key + "_brief"
        return self.words.say(said._replace(key=key) if brief and self.words.knows(key) else said)

    def messages(self, events: Iterable[Event], without: Collection[str] = ()) -> list[Message]:
        """The messages of events, except of the keys ``without``; empty ones are left out."""
        messages = [self._message(event) for event in events if event.key not in without]
        return [message for message in messages if self.words.say(message)]

    def _message(self, event: Event) -> Message:
        args: dict[str, Any] = dict(event.args)
        if order := self.layout.CARD_ORDERS.get(event.key):
            args["cards"] = order(args["cards"])
        return Message("event." + event.key, args)

    def rests_after(self, step: Step) -> bool:
        """Whether the table rests after this step because something has ended that people want to see."""
        return any(event.key in self.layout.PAUSES for event in step.events)

    def cleared(self, step: Step) -> tuple[Block, ...]:
        """The cards that this step removes from the table, as blocks in their last arrangement."""
        return tuple([block for event in step.events for block in self.layout.cleared(event)])


class View(GameView):
    """The look of a match for the people at one terminal."""

    def __init__(
        self,
        match: Match,
        names: Sequence[str],
        settings: Settings,
        title: str = "",
        computers: Mapping[int, str] = {},
    ) -> None:
        """``title`` opens the head line; ``computers`` has their levels by seat.

        Unknown levels, as from records, are not shown."""
        super().__init__(match.game, names, settings)
        self.match = match
        self.title = title
        self._computers = computers
        known = {seat: level for seat, level in computers.items() if self.words.knows("computer." + level)}
        self.marks = computer_marks(known)
        """The marks of some seats that do not follow from the match: who is a computer, who is away."""
        self.clocks: Callable[[], tuple[tuple[int, str], ...]] = tuple
        """The time that is left to some seats, in words."""
        self._said: Sequence[tuple[int, Message]] = ()
        """The new chat messages and notices, each with the length of the log when it was heard."""
        self.open_hands = False
        """Whether every hand is shown, to spectators of a match that is told late."""

    @property
    def said(self) -> list[Message]:
        """The chat messages and notices in view."""
        return [message for _, message in self._said]

    def hear(self, said: Iterable[Message]) -> None:
        """Show chat messages from now on, if the settings want them."""
        if self.settings.talk and (heard := [*said]):
            self.notify(heard)
            self._said = self._said[-WORDS_SHOWN:]

    def notify(self, messages: Iterable[Message], ahead: int = 0) -> None:
        """Show notices from now on, in the order in which they came, but after the next ``ahead`` happenings."""
        at = len(self.match.log) + ahead
        self._said = [*self._said, *[(at, message) for message in messages]]

    def forget_said(self) -> None:
        """Show the chat messages and notices no more."""
        self._said = ()

    # Pictures

    def table(self, observation: Observation, events: Iterable[Event], counted: bool = False) -> Picture:
        """The table as the observing seat sees it, with its events.

        With ``counted`` the log says how many events did not fit because the player has not seen them happen."""
        return self._picture(self.layout.scene(observation), events, observation, counted=counted)

    def asking(self, observation: Observation, events: Sequence[Event]) -> Picture:
        """The table for the seat that is asked for its move."""
        scene = self.layout.scene(observation)
        scene = scene._replace(fresh=scene.fresh or self._fresh(observation))
        return self._picture(scene, events, observation, counted=True)

    def resting(
        self,
        step: Step,
        seat: int,
        title: str = "",
        events: Sequence[Event] | None = None,
        more: Sequence[Message] = (),
    ) -> Picture:
        """The table as ``seat`` sees it when it rests after a step, with the cards that lay there and the plays.

        ``events`` are those for a person who comes to the keyboard then and is next to play, ``more`` are further
        messages."""
        observation = self.game.observation(step.after, seat)
        scene = self.layout.scene(observation)
        before = self.layout.scene(self.game.observation(step.before, seat))
        cleared = self.cleared(step)
        if self.game.deal_over(step.after):
            scene = scene._replace(facts=before.facts)  # those of the deal that has ended
        if cleared:
            roles: dict[int, dict[str, Any]] = {
                player.seat: {"marks": player.marks, "target": player.target} for player in before.players
            }
            scene = restore_cleared(scene, cleared)
            players = [player if player.resting else player._replace(**roles[player.seat]) for player in scene.players]
            scene = scene._replace(players=tuple(players))
        if events is not None:
            return self._picture(scene, events, observation, title=title)
        return self._picture(scene, visible_to(seat, step.events), observation, more, rests=step, title=title)

    def end(self, more: Sequence[Message]) -> Picture:
        """The table at the end of the match, with its last events and the messages ``more``."""
        observation = self.match.observation(CHANCE)
        scene = self.layout.scene(observation)
        scene = restore_cleared(scene, self._last_cleared())
        told = [event for event in self.match.events(CHANCE) if event.key not in self.layout.ENDS]
        return self._picture(scene, told[-2:], observation, more)

    def _picture(
        self,
        scene: Scene,
        events: Iterable[Event],
        about: Observation,
        more: Sequence[Message] = (),
        rests: Step | None = None,
        title: str = "",
        counted: bool = False,
    ) -> Picture:
        """A picture of a scene with new events, ``more`` messages and older events, and a panel about the deal.

        ``rests`` is the step after which the table rests, ``title`` the title then. The picture is drawn once for
        each size of the window and each choice."""
        before, since = self._seen_before(about.seat, list(events), rests)
        ends = self.layout.ENDS if self.match.outcome else ()  # the outcome is shown separately
        older = self.messages(before, ends)
        turn = None if rests else about.to_act

        def log() -> Log:
            return Log(*self._merged(since, ends, more), older, counted)

        scene = self._with_marks(scene)
        if self.open_hands:
            scene = self.with_every_hand(scene, rests.after if rests else self.match.state)

        @cache
        def painted(width: int, rows: int, chosen: Chosen, beside: bool, clocks: tuple[tuple[int, str], ...]) -> str:
            painter = self._painter._replace(pointed=chosen.pointed, ticked=chosen.ticked, advised=chosen.advised)
            drawn = _with_clocks(scene, dict(clocks))
            head = title or self.title
            if clocks and width < ROOM_FOR_CLOCKS:
                head = f"{self.words.text('title')} · {dict(clocks)[turn or clocks[0][0]]}"
            return painter.scene(drawn, width, rows, head, log(), turn, beside)

        drawn_with = self._said

        def paint(width: int, rows: int, chosen: Chosen, beside: bool) -> str:
            nonlocal drawn_with
            if drawn_with is not self._said:  # somebody has said something since
                drawn_with = self._said
                painted.cache_clear()
            return painted(width, rows, chosen, beside, () if rests else self.clocks())

        def panel(width: int, rows: int) -> str:
            page = rules_page(self.words.language, self.game.NAME)
            clause = clause_of(page, scene.clause)
            return self._painter.panel(width, rows, self.layout.sheet(about).columns, clause, log())

        return Picture(paint, panel)

    def _merged(
        self, events: Sequence[Event], without: Collection[str], more: Sequence[Message]
    ) -> tuple[list[Message], int | None]:
        """Messages of events and what was said among them, then ``more``; and the place of the newest event's."""
        found: list[Message] = []
        kept = None
        begun = 0
        for heard, message in (*self._said, (len(self.match.log), None)):
            later = {id(event) for happening in self.match.log[heard:] for event in happening.events}
            place = next((place for place, event in enumerate(events) if id(event) in later), len(events))
            told = self.messages(events[begun:place], without)
            found += told
            kept = len(found) - 1 if told else kept
            begun = max(begun, place)
            found += [message] if message else []
        return [*found, *more], None if more else kept

    def _with_marks(self, scene: Scene) -> Scene:
        """A scene with marks on computers and absent players; a single person among computers comes first.

        Marks that may change stand where they move nothing."""
        if not self.marks:
            return scene
        players = [self._marked(player) for player in scene.players]
        computers = [mark for seat, mark in self.marks.items() if seat in self._computers]
        marked = [(mark, *role) for mark in computers for role in scene.roles]  # whoever has the role then
        people = [place for place, player in enumerate(players) if player.seat not in self._computers]
        first = people[0] if len(people) == 1 else 0
        return scene._replace(players=(*players[first:], *players[:first]), roles=(*scene.roles, *marked))

    def _marked(self, player: SeatView) -> SeatView:
        mark = self.marks.get(player.seat)
        if mark is None:
            return player
        if player.seat in self._computers:
            return player._replace(marks=(mark, *player.marks))
        return player._replace(aside=mark)

    def _seen_before(self, seat: int, events: list[Event], until: Step | None) -> tuple[list[Event], list[Event]]:
        """The events that a seat saw in this deal before ``events``, and those since.

        With ``until`` a step, later events are left out."""
        heard: list[Event] = []
        log = reversed(self.match.log)
        for happening in dropwhile(lambda happened: happened is not until, log) if until else log:
            heard[:0] = visible_to(seat, happening.events)
            if isinstance(happening, Step) and happening.by == CHANCE and self.game.deal_over(happening.before):
                break
        for place, event in enumerate(events):
            for number, other in enumerate(heard):
                if event is other:
                    return heard[:number], [*events[:place], *heard[number:]]
        known = bool(events) and heard[-len(events) :] == events  # events of an undone action are told again
        return heard[: -len(events)] if known else heard, events

    def _fresh(self, observation: Observation) -> frozenset[Card]:
        """The cards that came to the hand since its owner's last choice; empty for a new hand."""
        own = next((step for step in reversed(self.match.steps) if step.by == observation.seat), None)
        if own is None:
            return frozenset()
        place = observation.seat - 1
        held = set(self.game.hands(own.before)[place]) - set(own.action.cards)
        now = set(self.layout.scene(observation).hand)
        return frozenset(now - held if held and held <= now else ())

    # Pages

    def sheet(
        self, width: int, above: Sequence[Message | Columns] = (), below: Sequence[Message | Columns] = ()
    ) -> str:
        """The score sheet, with notes on the match ``above`` and ``below`` those of the game."""
        sheet = self.layout.sheet(self.match.observation(CHANCE))
        sheet = sheet._replace(notes=(*above, *sheet.notes, *below))
        return self._painter.sheet(sheet, width, self.words.text("page_sheet", title=self.title))

    def last(self, width: int) -> str:
        """The last trick, bout or turn, and the events since the one before it."""
        blocks = self._last_cleared() or self.layout.last(self.match.observation(CHANCE))
        told = self.messages(self._events_of_last_pause())
        return self._painter.blocks(blocks, width, self.words.text("page_last", title=self.title), told)

    def given_hint(self, observation: Observation) -> str:
        """The prepared hint of a lesson; empty at other tables."""
        return ""

    def _last_cleared(self) -> tuple[Block, ...]:
        """The cards cleared away at the last pause, as they lay."""
        return next((self.cleared(step) for step in reversed(self.match.steps) if self.rests_after(step)), ())

    def _events_of_last_pause(self) -> list[Event]:
        """The public events between the last two pauses."""
        found: list[Event] = []
        rests = 0
        for happening in reversed(self.match.log):
            for event in reversed(public(happening.events)):
                rests += event.key in self.layout.PAUSES
                if rests == 2:
                    return found[::-1]
                found.append(event)
        return found[::-1]


def _with_clocks(scene: Scene, clocks: Mapping[int, str]) -> Scene:
    """A scene with remaining times beside names, and marks of absence."""

    def timed(player: SeatView) -> SeatView:
        key = "clock_away" if player.aside else "line"
        return player._replace(aside=Message(key, {"text": clocks[player.seat]})) if player.seat in clocks else player

    return scene._replace(players=tuple(map(timed, scene.players))) if clocks else scene


def computer_marks(levels: Mapping[int, str]) -> dict[int, Message]:
    """The marks of computers of these levels."""
    return {seat: Message("computer." + level) for seat, level in levels.items()}


def public(events: Iterable[Event]) -> list[Event]:
    """The public events, and those that only spectators see."""
    return visible_to(CHANCE, events)
