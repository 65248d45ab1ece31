"""The people at one terminal: call the current player to the keyboard, show their hand and ask for an action."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache, partial
from time import sleep
from typing import TYPE_CHECKING, Any, TypeAlias

from cardgames.engine.game import CHANCE, Action, Event, Observation, Outcome, Reason
from cardgames.kernels.compiled_code import compiles_first
from cardgames.layout import Message
from cardgames.match import Step, TakeBack, TakenBack
from cardgames.ui.background import started
from cardgames.ui.screens.offers import BACK, HAND_KEYS, KEYS, SHARED_KEYS, Beneath, Draw, Key, Offer, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Given
from cardgames.ui.table.foot_keys import MatchPages, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.question import Agreed, Asking, StandingOrder
from cardgames.ui.table.view import View, public

if TYPE_CHECKING:
    from cardgames.ui.table.hint import Hint

HAND_OVER_QUIET = 0.5
"""Seconds without any key that a hand-over asks for before a key opens it."""
REST = 2
"""Seconds for which the table rests where nobody has to press a key, so that the end of a trick can be seen."""

HASH_SHOWN = 12
"""The digits of a commitment's hash that stand under the log; all of them are on the page of the rules."""

LeaveHandler: TypeAlias = Callable[[Draw], object]
"""Deals with the key to leave, over a picture of the table: raises :class:`PlayerLeft` or returns."""


class Then(Enum):
    """The ways to go on after a match."""

    AGAIN = "again"
    SAME = "same"
    """The same cards once more."""
    REVIEW = "review"
    LEAVE = "leave"


class Table:
    """The player of all seats whose people share this terminal.

    Several people look by turns: before a hand is shown its owner says that nobody else is looking. One person alone
    looks all the time.
    """

    def __init__(
        self,
        screen: Screen,
        view: View,
        seats: Sequence[int],
        book: MatchNotes | None = None,
        leaving: LeaveHandler | None = None,
        others: Callable[[Key], object] | None = None,
        meanwhile: Callable[[], str] | None = None,
        keep: Callable[[str, Given], object] = lambda name, value: None,
    ) -> None:
        """``seats`` are those of the people here; without a ``book`` nobody keeps what is beside the match.

        Where others sit at terminals of their own, ``others`` deals with the keys that have to do with them, and
        ``meanwhile`` with their news while something covers the table, as :attr:`Screen.meanwhile` has it. ``keep``
        is given a setting that was changed here by a key, to be kept.
        """
        self._keep = keep
        self._meanwhile = meanwhile
        self._covered = False
        self._screen = screen
        self._view = view
        self.match = view.match
        self.moment = view.settings.moment_kept
        """Seconds that a computer takes to answer, and after which what is forced happens by itself."""
        self._book = book
        self._leaving = leaving or partial(ask_to_leave, screen, view.words)
        self._others = others
        self._advice: tuple[Observation, Future[Hint]] | None = None
        """The last hint, thought of by now or not, and what it is about."""
        self._advice_comes: Sequence[Message] = ()
        """What is said of that hint until it is there."""
        self._advised = False
        """Whether that hint was told."""
        self.keys: Mapping[str, Any] = SHARED_KEYS if others else KEYS
        """The keys at the foot."""
        self._seats = tuple(seats)
        self._always = seats[0] if len(seats) == 1 else CHANCE
        """Whose eyes the table is drawn for when nobody is asked: those of one person alone, or everybody's."""
        self._looking = self._always
        self._pages = MatchPages(screen, view, self._always, book)
        self._asking: Asking | None = None
        self._standing: dict[int, Action] = {}
        """The moves that people here have given in advance, by seat."""
        self._agreed: dict[int, Action] = {}
        """The moves on which several people here have agreed, by seat, until something else happens."""
        self._to_rest: Step | None = None
        """The last step, if the table is to rest after it and has not yet."""
        self._pressed: Key | None = None
        """The key at the foot that ended a rest, until it is acted on."""
        self.match.watch(self._happened)
        screen.stopped = self.hide_hand

    # As a player

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Ask the seat of this observation for its move, when its owner looks; see :class:`Player`."""
        seat = observation.seat
        if self.happens_by_itself(observation):
            return self._by_itself(observation)
        given = self._standing.get(seat) or self._agreed.get(seat)
        if given in observation.legal:
            return given
        if seat != self._looking:
            return self._hand_over(observation, events)
        if self._asking is None or self._asking.observation != observation:
            sortable = len(self._view.layout.scene(observation).hand) > 1
            keys = {**self.keys, **HAND_KEYS} if sortable else self.keys
            self._asking = Asking(self._screen, self._view, observation, keys, may_stand=True)
        plain = draw = self._view.asking(observation, events)
        while self._looking == seat:
            answer = self._taken_from_rest() or self._asking.ask(draw, self._hint_to_come(observation))
            if isinstance(answer, Action):
                if self._asking.in_advance:
                    self._standing[seat] = answer
                self._asking = None
                return answer
            if answer is Key.UNDO:
                return TakeBack(seat)
            if answer is Key.ORDER:
                self._sort_hand()
                plain = self._view.asking(observation, events)
                draw = plain.hinted(draw.hint, draw.advised) if draw.hint else plain
                continue
            if answer is Key.HINT and (hint := self._view.given_hint(observation)):
                self._screen.say(hint)
                continue
            if answer is Key.HINT:
                draw = plain.hinted(self._hint(observation), self._advised_action())
                continue
            if self._do(answer):
                break
        return None

    def _sort_hand(self) -> None:
        """Show the hand by rank instead of by suit, or by suit again, and keep that for later matches."""
        order = "suit" if self._view.settings.sort == "rank" else "rank"
        self._view.set_up(self._view.settings._replace(sort=order))
        if self._asking:
            self._asking.sort(self._view.layout)
        self._keep("sort", order)

    def _hint(self, observation: Observation) -> Beneath:
        """The hint for this seat, or that it is being thought of; a hint counts once it has been told.

        Whoever asks once more before they have chosen is told the same again.
        """
        from cardgames.ui.table.hint import in_messages, think

        if self._advice is None or self._advice[0] != observation:
            self._advice_comes = [Message("hint_thinking" + self._first())]
            self._advice = observation, started(partial(think, self.match.game, observation))
            self._advised = False
        _, thought = self._advice
        if not thought.done():
            return lambda width, rows, pointed: self._view.note(self._advice_comes, width, rows)
        if self._book and len(observation.legal) > 1 and not self._advised:
            self._book.note_hint(observation.seat)
        self._advised = True
        told = partial(
            in_messages, thought.result(), partial(self._view.named, observation, brief=True), self._view.words.text
        )

        @lru_cache(1)
        def height(width: int, rows: int) -> int:
            """The rows that the longest of the comparisons takes."""
            drawn = [self._view.note(told(action), width, rows) for action in (None, *observation.legal)]
            return max(text.count("\n") for text in drawn)

        def draw(width: int, rows: int, pointed: object) -> str:
            text = self._view.note(told(pointed), width, rows)
            return text + "\n" * (height(width, rows) - text.count("\n")) if pointed else text

        return draw

    def _advised_action(self) -> Action | None:
        """The move that the hint recommends, once it has been thought of."""
        return self._advice[1].result().ratings[0].action if self._advice and self._advised else None

    def _hint_to_come(self, observation: Observation) -> "Future[Hint] | None":
        """The hint that was asked for in this position, until it is told."""
        if self._advice is None or self._advice[0] != observation or self._advised:
            return None
        return self._advice[1]

    def happens_by_itself(self, observation: Observation) -> bool:
        """Whether everybody sees that there is no choice; whoever takes something back is asked all the same."""
        taken_back = bool(self.match.log) and isinstance(self.match.log[-1], TakenBack)
        return self._view.settings.forced and observation.forced and not taken_back

    def _by_itself(self, observation: Observation) -> Action | TakeBack | None:
        """The only action, when everybody has had a moment to see that there is no other; see :class:`Player`."""
        self.hide_hand()
        done = started(partial(sleep, self.moment))
        (action,) = observation.legal
        wish = self.wait(self._view.words.text("only_choice", seat=observation.seat), done)
        return wish or (action if done.done() else None)

    def wait(self, said: str, done: "Future[Any] | None" = None) -> TakeBack | None:
        """Show the table and what is ``said`` of it, every key at its foot alive.

        Until something is ``done`` elsewhere, or until there is news from there.
        """
        self._rest()
        told = self.match.events(self._always)
        draw = self._view.table(self.match.observation(self._always), told)
        while done is None or not done.done():
            answer = self._taken_from_rest() or self._screen.wait(draw, said, done, self._keys_meanwhile)
            if answer is Key.ORDER:
                self._sort_hand()
                draw = self._view.table(self.match.observation(self._always), told)
                continue
            if answer is Key.UNDO:
                return TakeBack(self._last_of_people() or CHANCE)
            if answer is not None and self._do(answer):
                return None
        return None

    def thinking(self, seat: int) -> str:
        """That the computer in ``seat`` is thinking."""
        return self._view.words.text("thinking" + self._first(), seat=seat)

    def _first(self) -> str:
        """The end of the key of what is said of thinking: compiling comes first the first time."""
        return "_first" if compiles_first(self.match.game.NAME) else ""

    def _last_of_people(self) -> int | None:
        """The seat of the person here who chose last, if somebody has."""
        return next((step.by for step in reversed(self.match.steps) if step.by in self._seats), None)

    def consents(self, seat: int, count: int) -> bool:
        """Ask everybody here; see :class:`Player`. Whoever looked at their hand is called again afterwards."""
        self.hide_hand()
        text = self._view.words.text
        offers = [Offer(False, text("undo_no")), Offer(True, text("undo_yes", seat=seat))]
        asked = text("undo_ask", seat=seat, count=count)
        keys = dict.fromkeys(BACK, False)
        return bool(self._screen.choose(self.picture(()), asked, offers, keys, text("dialogue_keys")))

    def refused(self, why: Reason) -> None:
        """Say so under the next question; see :class:`Player`."""
        self._screen.say(self._view.words.say(why))

    # Whose eyes

    def hide_hand(self) -> None:
        """Hide the hand in view, so that the next person at this keyboard has to open theirs first."""
        self._looking = self._always

    def _hand_over(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Show what everybody may see until the seat of this observation says that nobody else is looking.

        A move that is offered to everybody in the same place can be made without looking at the hand. Where the table
        is to rest it rests here: the key that would go on from there is the one that opens the hand.
        """
        seat = observation.seat
        self.hide_hand()
        self._screen.forget_typed()
        holds = self._view.holds_cards(observation)
        text, letters = self._view.words.text, self._view.layout.LETTERS
        offers: list[Offer] = [Offer(True, text("show_hand" if holds else "no_hand_yet"))]
        asked = self._view.layout.question(observation)
        others = [other for other in asked.others if other in self._seats and other not in (seat, *self._standing)]
        if blind := asked.standing:
            offers = [offers[0]._replace(letters="a")]
            offers.append(Offer(blind, self._view.named(observation, blind), letters=letters[blind.kind]))
            offers.append(Offer(StandingOrder(blind), text("standing"), letters=letters["standing"]))
            if others:
                offers.append(Offer(Agreed((seat, *others), blind), text("agreed"), letters=letters["agreed"]))
        question = self._view.words.text("hand_over", seat=seat)
        draw = self.picture(public(events))
        while True:
            answer = self._taken_from_rest() or self._screen.choose(
                draw, question, offers, self.keys, quiet=HAND_OVER_QUIET
            )
            if answer is True:
                self._looking, self._to_rest = seat, None
                return None
            if isinstance(answer, StandingOrder):
                self._standing[seat] = answer = answer.action
            elif isinstance(answer, Agreed):
                self._agreed = dict.fromkeys(answer.seats, answer.action)
                answer = answer.action
            if isinstance(answer, Action):
                self._to_rest = None
                return answer
            if answer is Key.UNDO:
                steps = self.match.steps
                return TakeBack(steps[-1].by if steps else CHANCE)
            if self._do(answer):
                return None

    def picture(self, events: Sequence[Event]) -> Draw:
        """The table as whoever is here may see it at any time; while it is still to rest, as it does."""
        if self._to_rest:
            return self._view.resting(self._to_rest, self._always, events=events)
        return self._view.table(self.match.observation(self._always), events, counted=True)

    # What happens

    def _happened(self, happening: Step | TakenBack) -> None:
        """All look up when chance acts or something is taken back; and the table rests where a trick has ended."""
        if isinstance(happening, TakenBack) or happening.by == CHANCE:
            self.hide_hand()
        if happening.by in self._seats:  # they have seen what was said before
            self._view.said = ()
        if isinstance(happening, TakenBack) or self._view.rests_after(happening):
            self._standing.clear()
        if isinstance(happening, TakenBack) or happening.action not in self._agreed.values():
            self._agreed.clear()
        self._to_rest = None
        if self.match.outcome or self._covered or self._view.settings.pause_kept == "off":
            return  # what lay there at the end stays in view
        if isinstance(happening, Step) and self._view.rests_after(happening):
            self._to_rest = happening
            self.hide_hand()  # no hand is in view meanwhile, and it comes back only for its owner
            if not self._calls(self.match.to_act):
                self._rest()

    def _calls(self, seat: int | None) -> bool:
        """Whether the person in ``seat`` is called to the keyboard before they see their hand."""
        here = seat in self._seats and seat != self._always
        return here and not self.happens_by_itself(self.match.observation(seat or CHANCE))

    def _rest(self) -> None:
        """Let the table rest if it is to: no hand-over has stood there for it."""
        ended, self._to_rest = self._to_rest, None
        if ended:
            draw = self._view.resting(ended, self._always)
            seconds = self._seconds_to_rest(ended)
            said = self._view.words.text("any_key" if seconds is None else "goes_on")
            self._pressed = self._screen.rest(draw, said, seconds, self._keys_meanwhile)

    @property
    def _keys_meanwhile(self) -> Mapping[str, Any]:
        """The keys while nobody here is asked, with the one that sorts a hand if one is in view."""
        return {**self.keys, **HAND_KEYS} if self._always else self.keys

    def _seconds_to_rest(self, ended: Step) -> float | None:
        """How long the table rests after a step; ``None`` until a key is pressed.

        It goes on by itself where nothing changes hands, and no deal has ended, which wants to be looked at.
        """
        pause = self._view.settings.pause_kept
        if pause not in ("key", "natural"):
            return float(pause)
        alone = pause == "natural" and len(self._seats) == 1 and not self.match.game.deal_over(ended.after)
        return REST if alone or self._nobody_plays else None

    def _taken_from_rest(self) -> Key | None:
        """The key that ended the last rest, handed out once, to the question that follows."""
        pressed, self._pressed = self._pressed, None
        return pressed

    @property
    def _nobody_plays(self) -> bool:
        """Whether computers play for all the people here, who may be at the door: nobody would press a key."""
        return bool(self._seats) and all(seat in self._view.marks for seat in self._seats)

    @contextmanager
    def covered(self) -> Iterator[Picture]:
        """While something covers the table: news reach the picture of it that this gives, and nothing rests."""

        kept: dict[str, tuple[object, Picture]] = {}

        def picture() -> Picture:
            about = self.match.journal_position, self._view.said, self._view.marks
            if kept.get("last", (None,))[0] != about:
                drawn = self.picture(())
                assert isinstance(drawn, Picture)
                kept["last"] = about, drawn
            return kept["last"][1]

        self._covered, self._screen.meanwhile = True, self._meanwhile
        try:
            yield Picture(lambda *how: picture().paint(*how), lambda *how: picture().panel(*how))
        finally:
            self._covered, self._screen.meanwhile = False, None

    def _do(self, key: Key) -> bool:
        """Do what a key at the foot does; whether others may have moved, so that what was asked is to be asked anew."""
        if key in (Key.NEWS, Key.TALK):
            assert self._others
            self._others(key)
        else:
            with self.covered() as picture:
                self._do_over(picture, key)
            if self._others:  # a request may have come that could not be asked about meanwhile
                self._others(Key.NEWS)
        return self._others is not None

    def _do_over(self, picture: Picture, key: Key) -> None:
        """Do what a key does that covers the table, or answers at once."""
        if key is Key.LEAVE:
            self._leaving(picture)
        elif key is Key.SUSPEND:
            self._screen.suspend()
        elif key is Key.HINT:
            self._screen.say(self._view.words.text("hint_over" if self.match.outcome else "hint_later"))
        elif key is not Key.AWAY:
            self._pages.open(key)

    # Before the first card and after the last

    def show_promise(self) -> None:
        """Show under the log, until somebody here has chosen, that there is a commitment to what chance does."""
        if self._book and (promise := self._book.promise):
            self._view.said = [Message("promise_line", {"value": promise.hash[:HASH_SHOWN]}), *self._view.said]

    def end(self, more: Sequence[Message] = (), outcome: Outcome | None = None) -> Draw:
        """How the match ended, and who has won how many in this sitting; ``more`` gives way where there is no room.

        An ``outcome`` is given if no action has led to it.
        """
        self.hide_hand()
        outcome = outcome or self.match.outcome
        assert outcome
        told = [*more, Message("why." + outcome.why.key, outcome.why.args)]
        won = Message("won", {"seats": outcome.winners, "count": len(outcome.winners)})
        told.append(won if outcome.winners else Message("drawn_match"))
        if self._book and self._book.promise:
            told.insert(0, Message("promise_told"))  # the first that gives way where there is little room
        if self._book and (tally := self._book.matches_won(self._view.words)):
            told.append(Message("tally", {"text": tally}))
        return self._view.end(told)

    def again(self, dealer: int, first_dealer: int, can_review: bool = False, more: Sequence[Message] = ()) -> "Then":
        """Show how the match ended, and ask what is to follow: another, with this dealer, or the same as it was dealt.

        ``more`` is told of it as well. Raises :class:`PlayerLeft`.
        """
        text = self._view.words.text
        offers = [Offer(Then.AGAIN, text("again_yes", seat=dealer)), Offer(Then.LEAVE, text("again_no"))]
        offers += [Offer(Then.REVIEW, text("again_review"))] if can_review else []
        offers.append(Offer(Then.SAME, text("again_same", seat=first_dealer)))
        draw = self.end(more)
        self._screen.forget_typed()
        while (answer := self.ask(draw, text("again"), offers)) is Key.UNDO:
            self.refused(Reason("no_undo"))  # what is over stays as it is
        return answer if isinstance(answer, Then) else Then.LEAVE

    def end_deal(self) -> None:
        """Show how the one deal that was to be played has ended, until somebody goes on; raises :class:`PlayerLeft`."""
        text = self._view.words.text
        draw = self.end() if self.match.outcome else self._view.resting(self.match.steps[-1], CHANCE)
        self._screen.forget_typed()
        while self.ask(draw, text("daily.over"), [Offer(None, text("daily.go_on"))]) is Key.UNDO:
            self.refused(Reason("no_undo"))

    def ask(self, draw: Draw, question: str, offers: Sequence[Offer], keys: Mapping[str, Any] | None = None) -> object:
        """Ask everybody here what is no move; the value that was chosen, or the key to undo, to leave or for others.

        Without ``keys`` they are those of the table.
        """
        while isinstance(answer := self._screen.choose(draw, question, offers, keys or self.keys), Key):
            if answer in (Key.UNDO, Key.LEAVE):
                break
            if self._do(answer):
                break
        return answer
