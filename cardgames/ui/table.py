"""The turn loop: who acts, whom the screen belongs to, what each has been told."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeAlias

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, Observation, Outcome, Reason
from cardgames.layout import Block, Line, Message, Pairs, Question, Scene
from cardgames.texts import rules_page
from cardgames.ui.hand_order import laid_out
from cardgames.ui.messages import Words
from cardgames.ui.render.card_faces import SYMBOLS, Faces
from cardgames.ui.render.drawing import Look, markdown
from cardgames.ui.render.spoken import painter
from cardgames.ui.screens.full_screen import Screen
from cardgames.ui.screens.line_screen import PlainScreen, PlainWords
from cardgames.ui.screens.question import ESCAPE, KEYS, Draw, Key, Labels, Offer
from cardgames.ui.settings import Settings

PAUSE = 1.2
"""How long the table rests at the end of a trick, in seconds."""

Answer: TypeAlias = Action | Question | Key | None
"""What somebody answers: a move, a further question that they want to be asked, a key, or ``None`` to go back."""


class PlayerLeft(Exception):
    """Somebody chose to save and leave."""


class UndoStep(NamedTuple):
    """An action with what was before it."""

    by: int
    before: Any
    """The state in which it was chosen."""
    ended: tuple[Block, ...]
    """What was last cleared away before it."""


class Keeper(Protocol):
    """Who keeps what is played, action by action: the store's hold on the match."""

    def append(self, ply: int, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None) -> None:
        """Keep one action; it is safe when this returns."""

    def undo(self, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Take the actions after ``to_ply`` out of the record."""


def labels(words: Words) -> Labels:
    """The words of the screen itself."""
    return Labels(
        keys=words.text("keys"),
        too_small=lambda columns, rows: words.text("too_small", columns=columns, rows=rows),
        nothing_found=lambda typed: words.text("nothing_found", typed=typed),
        move=words.text("move") or " ",
        tick=words.text("tick"),
        more=lambda above, below: words.text(
            "more_both" if above and below else "more_above" if above else "more_below", above=above, below=below
        ),
    )


def open_screen(words: Words, settings: Settings, secret: bool = True) -> Screen | PlainScreen:
    """The terminal as the player wants it: the whole screen, or line by line; ``secret`` if hands are shown on it."""
    said = labels(words)
    return PlainScreen(said, PlainWords(words.text), settings, secret) if settings.plain else Screen(said, settings)


class Table:
    """One match at the table, from wherever it stands to its end."""

    _pause = PAUSE

    def __init__(
        self,
        screen: Screen | PlainScreen,
        game: AnyGame,
        names: Sequence[str],
        actions: Sequence[Action],
        keeper: Keeper,
        seed: int,
        settings: Settings,
        title: str,
        minutes: int | None = None,
    ) -> None:
        """``minutes`` is the time limit of each game of a match that has one; it runs from when the table is set up."""
        faces = Faces(settings.ascii, settings.four_colours)
        self._screen = screen
        self._game = game
        self._keeper = keeper
        self._seed = seed
        self._settings = settings
        self._title = title
        self._seconds = None if minutes is None else minutes * 60
        self._began = monotonic()
        self._layout = laid_out(game.NAME, settings)
        self._words = Words(settings.language, game.NAME, tuple(names), faces)
        look = Look(settings.ascii, settings.colour, settings.plain, settings.sort == "rank")
        self._painter = painter(self._words, look)
        self._told: dict[int, list[Event]] = {seat: [] for seat in range(game.seats + 1)}
        self._looking: int | None = None
        self._state = game.start()
        self._number = 0
        self._chosen = Counter[int]()  # how many choices of each seat are in the record
        self._last_by = CHANCE
        self._open: list[UndoStep] = []  # the plies since a card was last seen: no other can be taken back
        self._ended: tuple[Block, ...] = ()  # what lay there at the last pause, and lies there no more
        self._public: list[Event] = []
        self._public_before: list[Event] = []  # the same up to the last pause, from the one before that
        self._typed = ""
        self._seen = SeenCards(game)
        for action in actions:
            self._advance(action)
        screen.stopped = self._look_away

    def _look_away(self) -> None:
        """Whoever looks next is to say so first."""
        self._looking = None

    @property
    def state(self) -> Any:
        """The state of the match as it stands."""
        return self._state

    def play(self) -> Outcome:
        """Play to the end; raises :class:`PlayerLeft` when somebody leaves."""
        while (seat := self._game.to_act(self._state)) is not None:
            if seat == CHANCE:
                self._act(self._chance())
                continue
            if (called := self._game.clock(self._state)) and self._time_is_up():
                self._act(called)
            elif seat != self._looking:
                self._hand_over(seat)
            elif action := self._ask(seat):
                self._act(action)
        outcome = self._game.outcome(self._state)
        assert outcome is not None
        return outcome

    def _chance(self) -> Action:
        """What chance decides."""
        chance = self._game.chance(self._state)
        assert chance is not None
        return chance.sample(Random(f"{self._seed}/{self._number}"))

    def _time_is_up(self) -> bool:
        return self._seconds is not None and monotonic() - self._began > self._seconds

    def _act(self, action: Action) -> None:
        """Apply an action, keep it, and let the table rest where a trick has ended."""
        if action.kind == "seats":
            self._began = monotonic()  # a further game of a series begins, with time of its own
        before = self._state
        events = self._advance(action)
        scores, outcome = self._game.scores(self._state), self._game.outcome(self._state)
        self._keeper.append(self._number, self._last_by, action.text, scores, outcome)
        if not self._settings.fast and any(event.key in self._layout.PAUSES for event in events):
            public = [event for event in events if event.audience is None]
            self._screen.rest(self._draw(0, public, before), self._words.text("any_key"), self._pause)

    def _advance(self, action: Action) -> list[Event]:
        """Apply an action, and note what each is to be told when they look next."""
        by = self._game.actor(self._state, action)
        assert by is not None
        events: list[Event] = []
        before, self._state = self._state, self._game.apply(self._state, action, events.append)
        self._number += 1
        self._chosen[by] += 1
        self._last_by = by
        if self._seen.grows(by, self._state, events):
            self._open.clear()
        else:
            self._open.append(UndoStep(by, before, self._ended))
        if any(event.key in self._layout.PAUSES for event in events):
            self._ended = self._layout.ended(self._game.observation(before, CHANCE), action)
        if by == CHANCE:
            self._looking = None  # everybody was looking when the cards were dealt
        self._told[by].clear()
        for seat, told in self._told.items():
            told += [event for event in events if seat in (event.audience or (seat,))]
        for event in events:
            if event.audience is None:
                self._public.append(event)
                if event.key in self._layout.PAUSES:
                    self._public_before, self._public = self._public, []
        return events

    def _hand_over(self, seat: int) -> None:
        """Show what everybody may see until ``seat`` says that nobody else is looking."""
        self._looking = None
        self._screen.forget_typed()
        offers = [Offer(True, self._words.text("show_hand"))]
        question = self._words.text("hand_over", seat=seat)
        public = [event for event in self._told[seat] if event.audience is None]
        while True:
            answer = self._screen.choose(self._draw(0, public), question, offers)
            if answer is True:
                break
            if answer is Key.UNDO:
                if self._undo(self._last_by):
                    return
            else:
                self._key(answer)
        self._looking = seat

    def _ask(self, seat: int) -> Action | None:
        """Ask ``seat`` until there is a legal action; ``None`` when somebody else is to look or a choice was undone."""
        observation = self._game.observation(self._state, seat)
        draw = self._draw(seat, self._told[seat])
        asked = [self._layout.question(observation)]
        place = {card: place for place, card in enumerate(self._layout.scene(observation).hand)}
        refused = sorted(observation.refused, key=lambda one: place.get(one[0].cards[0], 0) if one[0].cards else 99)
        ticked: list[int] = []
        while self._looking == seat:
            question, first = asked[-1], len(asked) == 1
            ways = (KEYS, None) if first else ({**KEYS, ESCAPE: None}, self._words.text("keys_back"))
            if question.picks:
                answer = self._tick(draw, question, ticked, *ways)
            else:
                answer = self._choose(draw, question, refused if first else (), *ways)
            if isinstance(answer, Question) or answer is None:
                ticked.clear()
                if answer:
                    asked.append(answer)
                else:
                    asked.pop()
            elif answer is Key.UNDO:
                self._undo(seat)
            elif isinstance(answer, Key):
                self._key(answer)
            else:
                return answer
        return None

    def _undo(self, seat: int) -> bool:
        """Take back the last choice of ``seat`` if nobody has seen a card since and the others agree."""
        place = next((place for place in reversed(range(len(self._open))) if self._open[place].by == seat), None)
        if seat == CHANCE or place is None:
            why = Line(Message("undo_seen" if seat and self._chosen[seat] else "no_undo", {"seat": seat}))
            self._page(lambda width, rows: self._painter.blocks((why,), width, self._title))
            return False
        undone_plies = self._open[place:]
        offers = [Offer(False, self._words.text("undo_no")), Offer(True, self._words.text("undo_yes", seat=seat))]
        asked = self._words.text("undo_ask", seat=seat, count=len(undone_plies))
        foot = self._words.text("dialogue_keys")
        if not self._screen.choose(self._draw(0, ()), asked, offers, {ESCAPE: False}, foot):
            return False
        state = undone_plies[0].before
        to_ply = self._number - len(undone_plies)
        self._keeper.undo(to_ply, seat, self._game.scores(state))
        self._state, self._number, self._ended = state, to_ply, undone_plies[0].ended
        self._chosen.subtract(ply.by for ply in undone_plies)
        del self._open[place:]
        self._last_by = self._open[-1].by if self._open else CHANCE
        undone = Event("undone", {"seat": seat, "count": len(undone_plies)})
        self._public.append(undone)
        for told in self._told.values():
            told.append(undone)
        self._looking = None
        return True

    def _choose(
        self,
        draw: Draw,
        question: Question,
        refused: Sequence[tuple[Action, Reason]],
        keys: Mapping[str, Key | None],
        foot: str | None,
    ) -> Answer:
        offers = [Offer(further, self._words.say(message)) for message, further in question.more]
        offers += [Offer(action, self._words.say(self._said(question, action)), _typed(action))
                   for action in question.actions]  # fmt: skip
        offers += self._refused(question, refused)
        typed, self._typed = self._typed, ""
        answer: Answer = self._screen.choose(draw, self._words.say(question.message), offers, keys, foot, typed)
        return answer

    def _said(self, question: Question, action: Action) -> Message:
        return question.said.get(action) or self._layout.words(action)

    def _refused(self, question: Question, refused: Sequence[tuple[Action, Reason]]) -> Iterator[Offer]:
        """What may not be done, with the reason: one line for all the cards of which the same is said."""
        alike: dict[tuple[Any, ...], list[Action]] = {}
        for action, reason in refused:
            said = self._said(question, action)
            card = "card" in said.args
            key = "greyed." if self._words.knows("greyed." + reason.key) else "reason."
            why = self._words.say(Reason(key + reason.key, reason.args))
            others = tuple((name, value) for name, value in said.args.items() if name != "card")
            alike.setdefault((said.key, others, why, card or action), []).append(action)
        for (key, others, why, card), actions in alike.items():
            args = {**dict(others), "card": tuple(action.cards[0] for action in actions)} if card is True else others
            typed = tuple(way for action in actions for way in _typed(action))
            yield Offer(actions[0], self._words.say(Message(key, dict(args))), typed, why)

    def _tick(
        self, draw: Draw, question: Question, ticked: list[int], keys: Mapping[str, Key | None], foot: str | None
    ) -> Answer:
        """Ask to tick; ``ticked`` are the places of the picks that are."""
        picks = question.picks
        offers = [Offer(place, self._words.say(pick.message), _names(pick.cards)) for place, pick in enumerate(picks)]

        def values(ticked: Sequence[int]) -> list[Any]:
            return [picks[place].value for place in ticked]

        def check(ticked: list[int]) -> str | None:
            made = question.combine(values(ticked))
            return None if isinstance(made, Action) else self._words.say(Reason("reason." + made.key, made.args))

        def status(ticked: list[int]) -> str:
            said = question.status(values(ticked))
            return self._words.say(said) if said else ""

        typed, self._typed = self._typed, ""
        message = self._words.say(question.message)
        answer = self._screen.tick(draw, message, offers, check, status, ticked, keys, foot, typed)
        if answer is None or isinstance(answer, Key):
            return answer
        made = question.combine(values(answer))
        assert isinstance(made, Action)
        return made

    def _draw(self, seat: int, events: Sequence[Event], before: Any = None) -> Draw:
        """The table as ``seat`` sees it; if something has ended in the state ``before``, as it lay there."""
        observation = self._game.observation(self._state, seat)
        scene = self._layout.scene(observation)
        turn = observation.to_act
        if before is not None and self._ended:
            marks = {one.seat: one.marks for one in self._layout.scene(self._game.observation(before, seat)).players}
            players = tuple(one._replace(marks=marks[one.seat]) for one in scene.players)
            scene = replace(self._as_it_lay(scene), players=players)
            turn = None
        told = self._messages(events)
        return _cached(lambda width, rows: self._painter.scene(scene, width, rows, self._title, told, turn))

    def _as_it_lay(self, scene: Scene) -> Scene:
        """A scene with what has ended in the place where nothing lies any more."""
        return replace(scene, middle=(*self._ended, *[block for block in scene.middle if block != Pairs(())]))

    def again(self, outcome: Outcome, dealer: int, tally: str) -> bool:
        """Show how the match ended, and ask whether there is to be another."""
        self._looking = None
        told = [*self._events(0, 3), Message("why." + outcome.why.key, outcome.why.args)]
        won = Message("won", {"seats": outcome.winners, "count": len(outcome.winners)})
        told.append(won if outcome.winners else Message("drawn_match"))
        if tally:
            told.append(Message("tally", {"text": tally}))
        scene = self._layout.scene(self._game.observation(self._state, 0))
        scene = self._as_it_lay(scene)
        draw = _cached(lambda width, rows: self._painter.scene(scene, width, rows, self._title, told))
        offers = [
            Offer(True, self._words.text("again_yes", seat=dealer)),
            Offer(False, self._words.text("again_no")),
        ]
        self._screen.forget_typed()
        while isinstance(answer := self._screen.choose(draw, self._words.text("again"), offers), Key):
            if answer is Key.LEAVE:
                return False
            if answer is Key.UNDO:
                self._undo(CHANCE)  # what is over stays as it is
            else:
                self._key(answer)
        return bool(answer)

    def _events(self, seat: int, number: int) -> list[Message]:
        """The last things that a seat has been told."""
        return self._messages(self._told[seat])[-number:]

    def _messages(self, events: Sequence[Event]) -> list[Message]:
        """What is told of events; one whose message is empty goes without saying."""
        messages = [Message("event." + event.key, event.args) for event in events]
        return [message for message in messages if self._words.say(message)]

    def _key(self, key: Key) -> None:
        """What the keys at the foot do; nothing of it shows a hand."""
        public = self._game.observation(self._state, 0)
        if key is Key.RULES:
            page = rules_page(self._settings.language, self._game.NAME)
            self._page(lambda width, rows: markdown(page, width), self._layout.CLAUSES.get(public.phase, ""))
        elif key is Key.SHEET:
            head = self._words.text("page_sheet", title=self._title)
            self._page(lambda width, rows: self._painter.sheet(self._layout.sheet(public), width, head))
        elif key is Key.LAST:
            self._page(lambda width, rows: self._last(public, width))
        elif key is Key.SUSPEND:
            self._screen.suspend()
        else:
            self._leave()

    def _last(self, public: Observation, width: int) -> str:
        """The last trick, bout or turn as it lay, and what has happened since the one before it, in words."""
        told = [Message("event." + event.key, event.args) for event in (*self._public_before, *self._public)]
        head = self._words.text("page_last", title=self._title)
        return self._painter.blocks(self._ended or self._layout.last(public), width, head, told)

    def _page(self, draw: Draw, clause: str = "") -> None:
        self._screen.show(draw, self._words.text("page_keys"), clause)

    def _leave(self, about: str = "leave") -> None:
        """Ask whether to leave. A suit after the ``q`` means that a queen was being typed."""
        offers = [Offer(True, self._words.text(f"{about}_yes")), Offer(False, self._words.text(f"{about}_no"))]
        keys = {"q": True, ESCAPE: False, **{suit: "q" + suit for suit in "shdc♠♥♦♣"}}
        foot = self._words.text("leave_keys")
        answer = self._screen.choose(self._draw(0, ()), self._words.text(f"{about}_ask"), offers, keys, foot)
        if answer is True:
            raise PlayerLeft
        self._typed = answer or ""


class SeenCards:
    """The cards that each seat has seen since the cards were last dealt."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._by_seat: list[set[int]] = [set() for _ in range(game.seats)]

    def grows(self, by: int, state: Any, events: Sequence[Event]) -> bool:
        """Note what an action shows; whether anybody has seen a card that was hidden from them before it.

        Where a card is in the pack twice it cannot be told which of the two was seen, and it counts as hidden.
        """
        grown = by == CHANCE
        for seat, (seen, hand) in enumerate(zip(self._by_seat, self._game.hands(state), strict=True), 1):
            if by == CHANCE:
                seen.clear()
            told = [event for event in events if seat in (event.audience or (seat,)) and seat != by]
            shown = {card for event in told for card in _cards_of(event)}
            grown = grown or not seen.issuperset((*shown, *hand)) or (bool(shown) and self._game.DOUBLED)
            seen.update(shown, hand)
        return grown


def _cards_of(event: Event) -> Iterator[int]:
    """The cards that an event shows; one that names a rank may have shown any card of it."""
    for name, value in event.args.items():
        if name == "rank":
            yield from (card for card, written in enumerate(NAMES) if written[0] == value)
        if name == "card" or name.endswith("_card"):
            yield value  # type: ignore[misc]
        elif name == "cards" or name.endswith("_cards"):
            yield from value  # type: ignore[misc]


def _cached(draw: Draw) -> Draw:
    """Draws once for each size of the window: a key that only moves the pointer must not paint the table anew."""
    drawn: dict[tuple[int, int], str] = {}

    def again(width: int, rows: int) -> str:
        if (width, rows) not in drawn:
            drawn[width, rows] = draw(width, rows)
        return drawn[width, rows]

    return again


def _typed(action: Action) -> tuple[str, ...]:
    """What finds an action: its notation, from the first word or the second, and its card."""
    return (action.text, action.text.partition(" ")[2], *_names(action.cards[:1]))


def _names(cards: Sequence[int]) -> tuple[str, ...]:
    """Every way in which people type a card: ``TC``, ``10C``, ``C10``, ``♣10``."""
    found = []
    for card in cards:
        rank, suit = NAMES[card][0], NAMES[card][1]
        for written in {rank, "10" if rank == "T" else rank}:
            found += [written + suit, suit + written, written + SYMBOLS[suit], SYMBOLS[suit] + written]
    return tuple(found)
