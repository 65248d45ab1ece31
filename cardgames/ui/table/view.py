"""Pictures of the table for a question, a pause or the end of a match; the order of hands; pages about a match."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import merge
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from cardgames.engine.cards import RANKS, Card
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, Message, Observation, Outcome
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from cardgames.layout.scene import Block, Columns, FinishedTrick, Scene, SeatView, restore_blocks
from cardgames.match import Match, Step, public_events, visible_to
from cardgames.ui.messages import Words
from cardgames.ui.render.asked import Asked, Log, Painted
from cardgames.ui.render.canvas import Canvas, Line
from cardgames.ui.render.charset import Faces
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.table.painter import TablePainter
from cardgames.ui.render.themes import BOLD
from cardgames.ui.screens.offers import Page, Picture
from cardgames.ui.settings import Settings, hand_order

if TYPE_CHECKING:
    from cardgames.ui.render.spoken import SpokenPainter
    from cardgames.ui.render.table.ending import Ending

CHAT_SHOWN = 3
"""The most chat messages and notices in view."""
Notices: TypeAlias = Sequence[tuple[int, Message]]
"""Chat messages and notices, each with the length of the log when it was added."""
PlacedEvents: TypeAlias = Sequence[tuple[int, Event]]
"""Events, each with its place in the log."""


def _sort_question(question: Question, hand: Sequence[Card]) -> Question:
    """The question with its actions on cards in the order of the hand. All other actions keep their places."""
    order = {(card,): number for number, card in enumerate(hand)}

    def in_hand_order(items: Sequence[Any]) -> tuple[Any, ...]:
        on_cards = [item for item in items if item.cards[:1] in order]
        following = iter(sorted(on_cards, key=lambda item: order[item.cards[:1]]))
        return tuple(next(following) if item.cards[:1] in order else item for item in items)

    further_questions = tuple((message, _sort_question(further, hand)) for message, further in question.further)
    return question._replace(
        actions=in_hand_order(question.actions), picks=in_hand_order(question.picks), further=further_questions
    )


class GameView:
    """Draws scenes and messages of one game, in the language and style of the settings."""

    def __init__(self, game: AnyGame, names: Sequence[str], settings: Settings) -> None:
        """``names``: the players' names in order of seats; without names, messages number the seats."""
        self.game = game
        self.layout = layout_of(game.NAME)
        self.words = Words(settings.language, game.NAME, tuple(names), Faces(settings.ascii))
        self.set_up(settings)

    def set_up(self, settings: Settings) -> None:
        """Apply new settings, except for the language."""
        self.settings = settings
        self._built: tuple[Any, Scene] | None = None
        """The observation whose scene was built last, and the scene."""
        self.is_by_rank = hand_order(settings.sort, self.game.NAME, self.layout.HAND_ORDER) == "rank"

    @property
    def _speaker(self) -> "SpokenPainter":
        from cardgames.ui.render.spoken import SpokenPainter  # where a picture is drawn, nothing is said

        return SpokenPainter(self.words)

    def scene(self, observation: Any) -> Scene:
        """The scene of an observation, with the hand sorted as the settings say."""
        if self._built is None or self._built[0] is not observation:
            scene = self.layout.scene(observation)
            if self.is_by_rank:
                by_rank = sorted(scene.hand, key=lambda card: scene.ranks.index(RANKS[card % 13]))
                scene = scene._replace(hand=tuple(by_rank))
            self._built = observation, scene
        return self._built[1]

    def question(self, observation: Any) -> Question:
        """The question of an observation, with actions in the order of the sorted hand."""
        question = self.layout.question(observation)
        return _sort_question(question, self.scene(observation).hand) if self.is_by_rank else question

    def headline(self, outcome: Outcome) -> Message:
        """Who has won a match."""
        if len(outcome.winners) > 2 and self.words.knows(key := "headline." + outcome.why.key):
            return Message(key, outcome.why.args)
        won = Message("won", {"seats": outcome.winners, "count": len(outcome.winners)})
        return won if outcome.winners else Message("drawn_match")

    def scene_picture(
        self, scene: Scene, events: Iterable[Event], title: str, result: Sequence[Message] = ()
    ) -> Picture:
        """A picture of a scene under a ``title``, with messages about ``events`` and the ``result`` of the match."""
        messages = [*self.messages(events), *result]

        def on_canvas(canvas: Canvas, asked: Asked) -> Painted:
            return TablePainter(canvas, scene, self.words, title, Log(messages), asked=asked).paint()

        return Picture(lambda only_new: self._speaker.scene(scene, only_new, title, messages), on_canvas)

    def with_every_hand(self, scene: Scene, state: Any) -> Scene:
        """The scene with the hands of all seats open, as they are in ``state``."""
        return scene.with_players(
            lambda player: player._replace(shown=self.scene(self.game.observation(state, player.seat)).hand)
        )

    def note(self, messages: Iterable[Message]) -> list[str]:
        """The lines of a note under the table, one for each message."""
        return [self.words.say(message) for message in messages]

    def action_text(self, observation: Observation, action: Action, brief: bool = False) -> str:
        """The text of an action in a list of offers. With ``brief`` it has no explanation."""
        question = self.question(observation)
        message = question.labels.get(action) or self.layout.words(action)
        return self.words.brief(message) if brief else self.words.say(message)

    def messages(self, events: Iterable[Event], without: Collection[str] = ()) -> list[Message]:
        """The messages of events, except events with a key in ``without``. Messages with an empty text are left out."""
        messages = [self._message(event) for event in events if event.key not in without]
        return [message for message in messages if self.words.say(message)]

    def _message(self, event: Event) -> Message:
        """The message of an event, with its cards in the layout's order."""
        args: dict[str, Any] = dict(event.args)
        if order := self.layout.CARD_ORDERS.get(event.key):
            args["cards"] = order(args["cards"])
        return Message("event." + event.key, args)

    def pauses_after(self, step: Step) -> bool:
        """Whether to pause after this step because a trick, bout or deal has ended."""
        return any(event.key in self.layout.PAUSES for event in step.events)

    def removed_blocks(self, step: Step) -> tuple[Block, ...]:
        """The cards that this step removes from the table, as blocks in their last arrangement."""
        return tuple([block for event in step.events for block in self.layout.removed_blocks(event)])


class View(GameView):
    """Draws a match for the people at one terminal."""

    def __init__(
        self, match: Match, names: Sequence[str], settings: Settings, title: str = "", computers: Mapping[int, str] = {}
    ) -> None:
        """``title``: the start of the head line; ``computers``: maps seats to the levels of their computers.

        A record may have levels without a name in the catalogue. Such levels are not shown."""
        super().__init__(match.game, names, settings)
        self.match = match
        self.title = title
        self._computers = computers
        known = {seat: level for seat, level in computers.items() if self.words.knows("computer." + level)}
        self.marks = computer_marks(known)
        """Maps seats to the marks of computers and absent players, of which the match itself does not know."""
        self.clocks: Callable[[], Mapping[int, str]] = dict
        """Returns the remaining time, as text, of each seat that has a clock."""
        self.notices: Notices = ()
        """The chat messages and notices in view."""
        self.requests: Callable[[], Sequence[Message]] = tuple
        """Returns the lines about requests, below all notices."""
        self.bottom = 0
        """The seat at the bottom of the table where no hand is shown: of whoever is at the keyboard; 0 if unknown."""
        self.open_hands = False
        """Whether every hand is shown, to spectators who see the match with a delay."""

    @property
    def _all_notices(self) -> Notices:
        return [*self.notices, *[(len(self.match.log), line) for line in self.requests()]]

    def add_chat(self, messages: Iterable[Message]) -> None:
        """Show chat messages from now on, unless the settings turn chat off. Only the newest notices stay in view."""
        if self.settings.talk and (chat := [*messages]):
            self.add_notices(chat)
            self.notices = self.notices[-CHAT_SHOWN:]

    def add_notices(self, messages: Iterable[Message], ahead: int = 0) -> None:
        """Show notices from now on, after the present events and the next ``ahead`` entries of the log."""
        at = max([len(self.match.log) + ahead, *[place for place, _ in self.notices[-1:]]])
        self.notices = [*self.notices, *[(at, message) for message in messages]]

    # Pictures

    def table_picture(
        self, observation: Observation, since: int | None = None, counted: bool = False, door: int = 0
    ) -> Picture:
        """A picture of the table as the observing seat sees it.

        ``since``: the place in the match's log from which events are new; by default none is. With ``counted`` the log
        counts the new events that did not fit. ``door``: the seat called to the keyboard."""
        events = self._split_events(observation.seat, len(self.match.log) if since is None else since)
        return self._picture(self.scene(observation), events, observation, counted=counted, door=door)

    def question_picture(self, observation: Observation) -> Picture:
        """A picture of the table for the seat that is asked to move, with its new cards and the new events."""
        scene, seat = self.scene(observation), observation.seat
        scene = scene._replace(fresh=scene.fresh or self._new_cards(observation))
        return self._picture(scene, self._split_events(seat, self.match.since(seat)), observation, counted=True)

    def pause_picture(self, step: Step, seat: int, title: str = "", ending: "Ending | None" = None) -> Picture:
        """A picture of the pause after a step, as ``seat`` sees it, with the cards that the step has removed.

        ``ending``: shown instead of the table, after a deal that is played alone."""
        observation = self.game.observation(step.after, seat)
        scene = self.scene(observation)
        before = self.scene(self.game.observation(step.before, seat))
        removed = self.removed_blocks(step)
        if self.game.deal_over(step.after):
            scene = scene._replace(facts=before.facts)  # still the facts of the finished deal
        if removed:
            scene, old = restore_blocks(scene, removed), {player.seat: player for player in before.players}
            scene = scene.with_players(
                lambda now: now if now.resting else now._replace(marks=old[now.seat].marks, target=old[now.seat].target)
            )
        place = next(place for place, change in enumerate(self.match.log) if change is step)
        events = self._split_events(seat, place, place + 1)
        return self._picture(scene, events, observation, ending, pause_step=step, title=title)

    def deal_result(self, step: Step) -> list[Message]:
        """The messages about the result of the deal that ended with a step; empty if none did."""
        if not self.game.deal_over(step.after) or self.game.outcome(step.after):
            return []
        events = public_events(step.events)
        last = max([0, *[place for place, event in enumerate(events) if event.key in self.layout.PAUSES]])
        return self.messages(events[last:])

    def end_picture(self, ending: "Ending") -> Picture:
        """A picture of the end of the match, with the hands that are left or the cards that were played last."""
        observation = self.match.observation(CHANCE)
        scene = restore_blocks(self.scene(observation), self._last_removed_blocks())
        if self.match.outcome:
            hands = enumerate(self.game.hands(self.match.state), 1)
            kept = [(seat, self.scene(self.match.observation(seat)).hand) for seat, hand in hands if hand]
            ending = ending._replace(hands=kept, winners=self.match.outcome.winners)
        older, new = self._split_events(CHANCE, self.match.since(CHANCE))
        shown = [index for index, (_, event) in enumerate(new) if event.key not in self.layout.ENDS]
        first = min(shown[-2:], default=len(new))
        return self._picture(scene, ([*older, *new[:first]], new[first:]), observation, ending)

    def _picture(
        self,
        scene: Scene,
        events: tuple[PlacedEvents, PlacedEvents],
        observation: Observation,
        ending: "Ending | None" = None,
        pause_step: Step | None = None,
        title: str = "",
        counted: bool = False,
        door: int = 0,
    ) -> Picture:
        """A picture of a scene, whose log has ``events``, the older and the new ones.

        ``ending``: shown instead of the table; ``pause_step``: the step before the pause, in the picture of a pause;
        ``title``: replaces the usual title; ``counted``, ``door``: see :meth:`table_picture`."""
        result = self.deal_result(pause_step) if pause_step else ()
        ends = self.layout.ENDS if self.match.outcome else ()  # the outcome is shown separately
        to_act = None if pause_step else observation.to_act
        older, new = [
            [(place, message) for place, event in part for message in self.messages([event], ends)] for part in events
        ]
        # By identity; the values keep the notices, so that no later one gets the identity of one that is gone.
        first_notices = {id(notice): notice for _, notice in self._all_notices}
        scene = self._with_marks(scene)
        if self.open_hands:
            scene = self.with_every_hand(scene, pause_step.after if pause_step else self.match.state)

        def timed() -> Scene:
            return scene if pause_step else _with_clocks(scene, self.clocks())

        def in_order(notices: Notices) -> list[Message]:
            """The new messages and ``notices`` in order of time."""
            return [message for _, message in merge(notices, new, key=itemgetter(0))]

        def said(only_new: bool) -> list[str]:
            earlier = [each for each in self._all_notices if not ending or id(each[1]) in first_notices]
            messages = in_order(earlier)
            if ending:
                later = [notice for _, notice in self._all_notices if id(notice) not in first_notices]
                messages += [*ending.messages, *later]
            return self._speaker.scene(timed(), only_new, title or self.title, messages, to_act)

        def scores(width: int) -> list[str]:
            from cardgames.ui.render import pages  # only where there is a side column

            return pages.scores(self.words, width, self.layout.sheet(observation).columns)

        def on_canvas(canvas: Canvas, asked: Asked) -> Painted:
            now = timed()._replace(viewer=scene.viewer or self.bottom)
            messages, notices = in_order(self._all_notices), self._all_notices
            newest = len(messages) - 1 - sum(place > new[-1][0] for place, _ in notices) if new else None
            log = Log(messages, newest, [message for _, message in older], counted)
            shown = (canvas, now, self.words, title or self.title, log, to_act, asked, door, scores)
            if ending:
                from cardgames.ui.render.table.ending import EndPainter

                return EndPainter(*shown, ending=ending).paint()
            return TablePainter(*shown, result).paint()

        return Picture(said, on_canvas, hand=scene.hand)

    def _with_marks(self, scene: Scene) -> Scene:
        """The scene with marks on computers and absent players. A single person among computers is listed first."""
        if not self.marks:
            return scene

        def marked(player: SeatView) -> SeatView:
            """The player with the seat's mark, if any: a computer's beside the name, any other at the line's end."""
            mark = self.marks.get(player.seat)
            if mark and player.seat in self._computers:
                return player._replace(marks=(mark, *player.marks))
            return player._replace(aside=mark) if mark else player

        people = [index for index, player in enumerate(scene.players) if player.seat not in self._computers]
        first = people[0] if len(people) == 1 else 0
        players = scene.players[first:] + scene.players[:first]  # still in the order of play
        return scene._replace(players=players).with_players(marked)

    def _split_events(self, seat: int, since: int, stop: int | None = None) -> tuple[PlacedEvents, PlacedEvents]:
        """The events that ``seat`` may see in the match's log: the older ones of this deal, and those new at ``since``.

        ``since``, ``stop``: the places in the log where the new events begin and end; by default they end with it."""
        log = self.match.log[:stop]
        deals = [
            place
            for place, change in enumerate(log)
            if isinstance(change, Step) and change.by == CHANCE and self.game.deal_over(change.before)
        ]
        places = range(min([since, *deals[-1:]]), len(log))
        events = [(place, event) for place in places for event in visible_to(seat, log[place].events)]
        new = [each for each in events if each[0] >= since]
        return events[: len(events) - len(new)], new

    def _new_cards(self, observation: Observation) -> frozenset[Card]:
        """The cards added to the hand since its owner's last choice; empty for a new hand."""
        last_step = next((step for step in reversed(self.match.steps) if step.by == observation.seat), None)
        if last_step is None:
            return frozenset()
        kept = set(self.game.hands(last_step.before)[observation.seat - 1]) - set(last_step.action.cards)
        hand = set(self.scene(observation).hand)
        return frozenset(hand - kept if kept and kept <= hand else ())  # else a new hand

    # Pages

    def sheet(self, above: Sequence[Message | Columns] = (), below: Sequence[Message | Columns] = ()) -> Page:
        """The score sheet, with further lines ``above`` and ``below`` the game's own notes."""
        from cardgames.ui.render import pages

        sheet = self.layout.sheet(self.match.observation(CHANCE))
        title = self.words.text("page_sheet", title=self.title)
        parts = (sheet.columns, *above, *sheet.notes, *below)
        if self.settings.plain:
            return Page(title, [line for part in parts for line in self._speaker.part_lines(part)])

        def body(width: int, rows: int) -> list[Line]:
            lines: list[Line] = []
            for part in parts:
                if isinstance(part, Message):
                    lines += wrap_text(self.words.say(part), width + 1)
                else:
                    head, *others = pages.columns(self.words, width + 1, part)
                    lines += ["", [(head, BOLD)], *others, *[""] * (part is sheet.columns)]
            return lines

        return Page(title, body=body)

    def last_page(self) -> Page:
        """A page with the last trick, bout or turn, and the public events since its beginning."""
        blocks = self._last_removed_blocks() or self.layout.look_back(self.match.observation(CHANCE))
        messages, is_plain = self.messages(self._recent_events()), self.settings.plain
        told = [message.args.get("card") for message in messages] if is_plain else ()
        shown = [block for block in blocks if not (isinstance(block, FinishedTrick) and block.trick.cards[-1] in told)]
        lines = [line for block in shown for line in self._speaker.block_lines(block)]
        lines += self.note(messages) if is_plain else ["", *[f"· {line}" for line in self.note(messages)]]
        return Page(self.words.text("page_last", title=self.title), lines)

    def prepared_hint(self, observation: Observation) -> str:
        """The text that the hint key shows instead of a computed hint; empty to compute one."""
        return ""

    def _last_removed_blocks(self) -> tuple[Block, ...]:
        """The cards that the last step with a pause removed from the table, as they lay there."""
        return next((self.removed_blocks(step) for step in reversed(self.match.steps) if self.pauses_after(step)), ())

    def _recent_events(self) -> list[Event]:
        """The public events since the pause before the last pause; all public events if there were fewer pauses."""
        events = public_events(chain.from_iterable([change.events for change in self.match.log]))
        pauses = [index for index, event in enumerate(events) if event.key in self.layout.PAUSES]
        return events[pauses[-2] + 1 :] if len(pauses) > 1 else events


def _with_clocks(scene: Scene, clocks: Mapping[int, str]) -> Scene:
    """The scene with the remaining time of each seat in ``clocks``, which maps seats to times as text.

    The time of an absent player is marked."""

    def timed(player: SeatView) -> SeatView:
        key = "clock_away" if player.aside else "line"  # of players with a clock, only absent ones have an ``aside``
        return player._replace(aside=Message(key, {"text": clocks[player.seat]})) if player.seat in clocks else player

    return scene.with_players(timed) if clocks else scene


def computer_marks(levels: Mapping[int, str]) -> dict[int, Message]:
    return {seat: Message("computer." + level) for seat, level in levels.items()}
