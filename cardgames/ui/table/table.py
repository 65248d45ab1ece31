"""The people at one terminal: call the current player to the keyboard, show their hand and ask for an action."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from functools import lru_cache, partial
from time import sleep
from typing import TYPE_CHECKING, Any, TypeAlias

from cardgames.engine.game import CHANCE, Action, Event, Observation, Outcome, Reason
from cardgames.kernels.compiled_code import compiles_first
from cardgames.layout.scene import Message
from cardgames.match import Step, TakeBack, TakenBack
from cardgames.ui.background import started
from cardgames.ui.screens.offers import BACK, HAND_KEYS, KEYS, SHARED_KEYS, Beneath, Draw, Key, Offer, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Given
from cardgames.ui.table.foot_keys import MatchPages, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.question import AgreedMove, MovePrompt, StandingOrder
from cardgames.ui.table.view import View, public

if TYPE_CHECKING:
    from cardgames.ui.table.hint import Hint

HAND_OVER_QUIET = 0.5
"""Seconds without a key after which a key opens a hand at a hand-over."""
REST = 2
"""Seconds of a pause at the end of a trick, unless it waits for a key."""

HASH_SHOWN = 12
"""The number of a hash's digits under the log; the page of the rules has all."""

LeaveHandler: TypeAlias = Callable[[Draw], object]
"""A function that handles the key to leave, over a picture of the table: raises :class:`PlayerLeft` or returns."""


class Then(Enum):
    """The ways to continue after a match."""

    AGAIN = "again"
    SAME = "same"
    """The same cards again."""
    REVIEW = "review"
    LEAVE = "leave"


class Table:
    """The player of all seats whose people share this terminal.

    With several people a hand is shown only after its owner confirms that nobody else is looking. A single person's
    hand stays in view."""

    def __init__(
        self,
        screen: Screen,
        view: View,
        seats: Sequence[int],
        notes: MatchNotes | None = None,
        leaving: LeaveHandler | None = None,
        others: Callable[[Key], object] | None = None,
        meanwhile: Callable[[], str] | None = None,
        keep: Callable[[str, Given], object] = lambda name, value: None,
    ) -> None:
        """``seats`` are those of the people here; ``notes`` has the notes on the match, if it is stored.

        At a shared table ``others`` handles the keys for chat and requests, and ``meanwhile`` news behind a page;
        see :attr:`Screen.meanwhile`. ``keep`` stores a setting changed by a key."""
        self._keep = keep
        self._meanwhile = meanwhile
        self._covered = False
        self._screen = screen
        self._view = view
        self.match = view.match
        self.moment = view.settings.moment_kept
        """Seconds of a computer's answer, and of the pause before a forced action."""
        self._notes = notes
        self._leaving = leaving or partial(ask_to_leave, screen, view.words)
        self._others = others
        self._advice: tuple[Observation, Future[Hint]] | None = None
        """The observation of the last hint, and the hint, which may still be computed."""
        self._advice_comes: Sequence[Message] = ()
        """The messages shown in place of that hint until it is there."""
        self._advised = False
        """Whether that hint was told."""
        self.keys: Mapping[str, Any] = SHARED_KEYS if others else KEYS
        self._seats = tuple(seats)
        self._always = seats[0] if len(seats) == 1 else CHANCE
        """The seat whose view is drawn when nobody is asked: that of a person alone here, else 0, the public view."""
        self._looking = self._always
        self._pages = MatchPages(screen, view, self._always, notes)
        self._asking: MovePrompt | None = None
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

    # Player

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Ask the seat of this observation for its move, once its owner is looking; see :class:`Player`."""
        seat = observation.seat
        if self.is_forced(observation):
            return self._play_forced(observation)
        given = self._standing.get(seat) or self._agreed.get(seat)
        if given in observation.legal:
            return given
        if seat != self._looking:
            return self._hand_over(observation, events)
        if self._asking is None or self._asking.observation != observation:
            sortable = len(self._view.layout.scene(observation).hand) > 1
            keys = {**self.keys, **HAND_KEYS} if sortable else self.keys
            self._asking = MovePrompt(self._screen, self._view, observation, keys, standing_orders=True)
        plain = draw = self._view.asking(observation, events)
        while self._looking == seat:
            answer = self._take_rest_key() or self._asking.ask(draw, self._hint_to_come(observation))
            if isinstance(answer, Action):
                if self._asking.is_standing_order:
                    self._standing[seat] = answer
                self._asking = None
                return answer
            if answer is Key.UNDO:
                return TakeBack(seat)
            if answer is Key.ORDER:
                self._sort_hand()
                plain = self._view.asking(observation, events)
                draw = replace(plain, hint=draw.hint, advised=draw.advised, advised_cards=draw.advised_cards)
                continue
            if answer is Key.HINT and (refused := self._view.given_hint(observation)):
                self._screen.say(refused)
                continue
            if answer is Key.HINT:
                hint, action = self._hint(observation), self._advised_action()
                draw = replace(plain, hint=hint, advised=action, advised_cards=action.cards if action else ())
                continue
            if self._do(answer):
                break
        return None

    def _sort_hand(self) -> None:
        """Switch the hand's order between suit and rank, and store that setting."""
        order = "suit" if self._view.settings.sort == "rank" else "rank"
        self._view.set_up(self._view.settings._replace(sort=order))
        if self._asking:
            self._asking.sort(self._view.layout)
        self._keep("sort", order)

    def _hint(self, observation: Observation) -> Beneath:
        """The hint for this seat, or a note that it is being computed. A hint counts once it is shown.

        A repeated request in the same position shows the same hint."""
        from cardgames.ui.table.hint import compute_hint, hint_lines

        if self._advice is None or self._advice[0] != observation:
            self._advice_comes = [Message("hint_thinking" + self._thinking_suffix())]
            self._advice = observation, started(partial(compute_hint, self.match.game, observation))
            self._advised = False
        _, thought = self._advice
        if not thought.done():
            return lambda width, rows, pointed: self._view.note(self._advice_comes, width, rows)
        if self._notes and len(observation.legal) > 1 and not self._advised:
            self._notes.note_hint(observation.seat)
        self._advised = True
        told = partial(
            hint_lines, thought.result(), partial(self._view.named, observation, brief=True), self._view.words.text
        )

        @lru_cache(1)
        def height(width: int, rows: int) -> int:
            """The rows of the longest comparison."""
            drawn = [self._view.note(told(action), width, rows) for action in (None, *observation.legal)]
            return max(text.count("\n") for text in drawn)

        def draw(width: int, rows: int, pointed: object) -> str:
            text = self._view.note(told(pointed), width, rows)
            return text + "\n" * (height(width, rows) - text.count("\n")) if pointed else text

        return draw

    def _advised_action(self) -> Action | None:
        """The move that the finished hint recommends."""
        return self._advice[1].result().ratings[0].action if self._advice and self._advised else None

    def _hint_to_come(self, observation: Observation) -> "Future[Hint] | None":
        """The hint requested in this position, until it is shown."""
        if self._advice is None or self._advice[0] != observation or self._advised:
            return None
        return self._advice[1]

    def is_forced(self, observation: Observation) -> bool:
        """Whether everybody can see that there is only one action; after an undo it is asked all the same."""
        taken_back = bool(self.match.log) and isinstance(self.match.log[-1], TakenBack)
        return self._view.settings.forced and observation.forced and not taken_back

    def _play_forced(self, observation: Observation) -> Action | TakeBack | None:
        """The only action, after a moment in which everybody can see that; see :class:`Player`."""
        self.hide_hand()
        done = started(partial(sleep, self.moment))
        (action,) = observation.legal
        take_back = self.wait(self._view.words.text("only_choice", seat=observation.seat), done)
        return take_back or (action if done.done() else None)

    def wait(self, said: str, done: "Future[Any] | None" = None) -> TakeBack | None:
        """Show the table and the text ``said``, with the keys of the foot, until ``done`` is or there is news."""
        self._rest()
        told = self.match.events(self._always)
        draw = self._view.table(self.match.observation(self._always), told)
        while done is None or not done.done():
            answer = self._take_rest_key() or self._screen.wait(draw, said, done, self._keys_meanwhile)
            if answer is Key.ORDER:
                self._sort_hand()
                draw = self._view.table(self.match.observation(self._always), told)
                continue
            if answer is Key.UNDO:
                return TakeBack(
                    next((step.by for step in reversed(self.match.steps) if step.by in self._seats), CHANCE)
                )
            if answer is not None and self._do(answer):
                return None
        return None

    def thinking(self, seat: int) -> str:
        """The message that the computer in ``seat`` is thinking."""
        return self._view.words.text("thinking" + self._thinking_suffix(), seat=seat)

    def _thinking_suffix(self) -> str:
        """The end of a message key: ``_first`` if the kernel has to be compiled before the computer thinks."""
        return "_first" if compiles_first(self.match.game.NAME) else ""

    def consents(self, seat: int, count: int) -> bool:
        """Ask the people here and return whether they agree; see :class:`Player`.

        A hand in view is hidden first, until its owner is called again."""
        self.hide_hand()
        text = self._view.words.text
        offers = [Offer(False, text("undo_no")), Offer(True, text("undo_yes", seat=seat))]
        asked = text("undo_ask", seat=seat, count=count)
        keys = dict.fromkeys(BACK, False)
        return bool(self._screen.choose(self.picture(()), asked, offers, keys, text("dialogue_keys")))

    def refused(self, why: Reason) -> None:
        """Show the reason under the next question; see :class:`Player`."""
        self._screen.say(self._view.words.say(why))

    # Hand-over

    def hide_hand(self) -> None:
        """Hide the hand in view, so that the next person at this keyboard has to open theirs first."""
        self._looking = self._always

    def _hand_over(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Show only public information until the seat of this observation confirms that nobody else is looking.

        Public moves can be made without opening the hand. A pause happens here: its key opens the hand."""
        seat = observation.seat
        self.hide_hand()
        self._screen.forget_typed()
        holds = bool(self._view.layout.scene(observation).hand)
        text, letters = self._view.words.text, self._view.layout.LETTERS
        offers: list[Offer] = [Offer(True, text("show_hand" if holds else "no_hand_yet"))]
        asked = self._view.layout.question(observation)
        others = [other for other in asked.others if other in self._seats and other not in (seat, *self._standing)]
        if blind := asked.standing:
            offers = [offers[0]._replace(letters="a")]
            offers.append(Offer(blind, self._view.named(observation, blind), letters=letters[blind.kind]))
            offers.append(Offer(StandingOrder(blind), text("standing"), letters=letters["standing"]))
            if others:
                offers.append(Offer(AgreedMove((seat, *others), blind), text("agreed"), letters=letters["agreed"]))
        question = self._view.words.text("hand_over", seat=seat)
        draw = self.picture(public(events))
        while True:
            answer = self._take_rest_key() or self._screen.choose(
                draw, question, offers, self.keys, quiet=HAND_OVER_QUIET
            )
            if answer is True:
                self._looking, self._to_rest = seat, None
                return None
            if isinstance(answer, StandingOrder):
                self._standing[seat] = answer = answer.action
            elif isinstance(answer, AgreedMove):
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
        """The table as the people here may see it now, paused if it is to rest."""
        if self._to_rest:
            return self._view.resting(self._to_rest, self._always, events=events)
        return self._view.table(self.match.observation(self._always), events, counted=True)

    # Events

    def _happened(self, happening: Step | TakenBack) -> None:
        """After chance or an undo, hide the hand; after a trick, let the table rest."""
        if isinstance(happening, TakenBack) or happening.by == CHANCE:
            self.hide_hand()
        if happening.by in self._seats and happening.by not in self._view.marks:  # they have read the notice
            self._view.forget_said()
        if isinstance(happening, TakenBack) or self._view.rests_after(happening):
            self._standing.clear()
        if isinstance(happening, TakenBack) or happening.action not in self._agreed.values():
            self._agreed.clear()
        self._to_rest = None
        if self.match.outcome or self._covered or self._view.settings.pause_kept == "off":
            return  # the last trick stays in view
        if isinstance(happening, Step) and self._view.rests_after(happening):
            self._to_rest = happening
            self.hide_hand()  # until its owner opens it again
            if not self._is_called(self.match.to_act):
                self._rest()

    def _is_called(self, seat: int | None) -> bool:
        """Whether ``seat``'s person is called to the keyboard before their hand is shown."""
        here = seat in self._seats and seat != self._always
        return here and not self.is_forced(self.match.observation(seat or CHANCE))

    def _rest(self) -> None:
        """Let the table rest, unless a hand-over has already done so."""
        ended, self._to_rest = self._to_rest, None
        if ended:
            draw = self._view.resting(ended, self._always)
            seconds = self._seconds_to_rest(ended)
            said = self._view.words.text("any_key" if seconds is None else "goes_on")
            self._pressed = self._screen.rest(draw, said, seconds, self._keys_meanwhile)

    @property
    def _keys_meanwhile(self) -> Mapping[str, Any]:
        """The keys while nobody here is asked, with the one that sorts the hand in view."""
        return {**self.keys, **HAND_KEYS} if self._always else self.keys

    def _seconds_to_rest(self, ended: Step) -> float | None:
        """The seconds of the pause after a step; ``None`` to wait for a key.

        It ends by itself while the same person plays on and no deal has ended."""
        pause = self._view.settings.pause_kept
        if pause not in ("key", "natural"):
            return float(pause)
        alone = pause == "natural" and len(self._seats) == 1 and not self.match.game.deal_over(ended.after)
        return REST if alone or self._only_computers_play else None

    def _take_rest_key(self) -> Key | None:
        """The key that ended the last pause, once, for the next question."""
        pressed, self._pressed = self._pressed, None
        return pressed

    @property
    def _only_computers_play(self) -> bool:
        """Whether computers play for all the people here, so that nobody would press a key."""
        return bool(self._seats) and all(seat in self._view.marks for seat in self._seats)

    @contextmanager
    def covered(self) -> Iterator[Picture]:
        """A context in which a page covers the table: news updates the yielded picture, and there are no pauses."""

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
        """Do the function of a foot key; return whether to ask the question anew because others may have moved."""
        if key in (Key.NEWS, Key.TALK):
            assert self._others
            self._others(key)
        else:
            with self.covered() as picture:
                self._do_at_once(picture, key)
            if self._others:  # a request may have come that could not be asked meanwhile
                self._others(Key.NEWS)
        return self._others is not None

    def _do_at_once(self, picture: Picture, key: Key) -> None:
        """Do the function of a foot key that shows a page or takes effect at once."""
        if key is Key.LEAVE:
            self._leaving(picture)
        elif key is Key.SUSPEND:
            self._screen.suspend()
        elif key is Key.HINT:
            self._screen.say(self._view.words.text("hint_over" if self.match.outcome else "hint_later"))
        elif key is not Key.AWAY:
            self._pages.open(key)

    # Before the first card and after the last

    def show_commitment(self) -> None:
        """Show the commitment under the log until somebody here has chosen."""
        if self._notes and (promise := self._notes.commitment):
            deal = 1
            self._view.notify([Message("promise_line", {"value": promise.hash[:HASH_SHOWN]})], ahead=deal)

    def end(self, more: Sequence[Message] = (), outcome: Outcome | None = None) -> Draw:
        """A picture of the end of the match, and of the matches each has won in this session; ``more`` is cut first.

        Pass ``outcome`` if no action ended the match."""
        self.hide_hand()
        outcome = outcome or self.match.outcome
        assert outcome
        told = [*more, Message("why." + outcome.why.key, outcome.why.args)]
        won = Message("won", {"seats": outcome.winners, "count": len(outcome.winners)})
        told.append(won if outcome.winners else Message("drawn_match"))
        if self._notes and (tally := self._notes.matches_won(self._view.words)):
            told.insert(0, Message("tally", {"text": tally}))
        if self._notes and self._notes.commitment:
            self._view.notify([Message("promise_told")])  # left out first where room is short
        return self._view.end(told)

    def again(self, dealer: int, first_dealer: int, can_review: bool = False, more: Sequence[Message] = ()) -> "Then":
        """Show the outcome and offer another match with this dealer, or the same cards.

        ``more`` are further messages. Raises :class:`PlayerLeft`."""
        text = self._view.words.text
        offers = [Offer(Then.AGAIN, text("again_yes", seat=dealer)), Offer(Then.LEAVE, text("again_no"))]
        offers += [Offer(Then.REVIEW, text("again_review"))] if can_review else []
        offers.append(Offer(Then.SAME, text("again_same", seat=first_dealer)))
        draw = self.end(more)
        self._screen.forget_typed()
        while (answer := self.ask(draw, text("again"), offers)) is Key.UNDO:
            self.refused(Reason("no_undo"))  # a finished match stays as it is
        return answer if isinstance(answer, Then) else Then.LEAVE

    def end_deal(self) -> None:
        """Show the result of a single deal until somebody continues. Raises :class:`PlayerLeft`."""
        text = self._view.words.text
        draw = self.end_of_deal()
        self._screen.forget_typed()
        while self.ask(draw, text("daily.over"), [Offer(None, text("daily.go_on"))]) is Key.UNDO:
            self.refused(Reason("no_undo"))

    def end_of_deal(self, more: Sequence[Message] = ()) -> Draw:
        """A picture of the end of a single deal, with ``more`` messages."""
        self.hide_hand()
        if self.match.outcome:
            return self.end(more)
        return self._view.resting(self.match.steps[-1], CHANCE, more=more)

    def ask(self, draw: Draw, question: str, offers: Sequence[Offer]) -> object:
        """Ask everybody here a question other than for a move; return the chosen value, or a key to undo, leave or
        talk."""
        while isinstance(answer := self._screen.choose(draw, question, offers, self.keys), Key):
            if answer in (Key.UNDO, Key.LEAVE) or self._do(answer):
                break
        return answer
