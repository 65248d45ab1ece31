"""The table of one terminal: it calls the current player to the keyboard, shows their hand and asks for an action."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from enum import Enum
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Action, Event, Message, Observation, Outcome
from cardgames.match import Step, TakeBack, UndoneSteps
from cardgames.ui.background import run_in_background
from cardgames.ui.screens.offers import BACK, HAND_KEYS, KEYS, Drawing, FormState, Key, Offer, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import SettingValue, sort_setting
from cardgames.ui.table.foot_keys import ask_to_leave, open_page
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.question import AdvanceMove, MovePrompt
from cardgames.ui.table.view import View

if TYPE_CHECKING:
    from cardgames.ui.render.table.ending import Course
    from cardgames.ui.table.hint import Hint

HAND_OVER_QUIET = 0.5
"""Seconds from the appearing of a hand-over before a key press can open a hand."""
PAUSE_SECONDS = 2
"""Seconds of a pause that does not wait for a key."""

HASH_DIGITS = 12
"""The number of digits of the commitment's hash in the notice; the rules page shows all digits."""

Pending: TypeAlias = "Future[Course | None] | None"
"""The course of a match that is being computed, or none."""


class AfterMatch(Enum):
    """The ways to continue after a match."""

    AGAIN = "again"
    SAME = "same"
    """Another match with the same cards."""
    REVIEW = "review"
    LEAVE = "leave"


class _RequestedHint(NamedTuple):
    """A hint that somebody here has asked for, and its computation."""

    observation: Observation
    future: "Future[Hint]"
    is_shown: bool = False


class Table:
    """The player for all people at this terminal; see :class:`Player`.

    Each of several people opens their hand when nobody else is looking. A single person's hand stays in view."""

    def __init__(self, screen: Screen, view: View, seats: Sequence[int], notes: MatchNotes | None = None) -> None:
        """``seats``: the seats of the people here; ``notes``: the notes on the match, if it is stored."""
        self.on_leave: Callable[[Picture], bool] = partial(ask_to_leave, screen, view.words)
        """Asks under a picture whether to leave; raises :class:`PlayerLeft`, or returns whether other players act."""
        self.shared_key: Callable[[Key], object] | None = None
        """Handles ``Key.TALK`` and ``Key.NEWS``, at a shared table only."""
        self.background_news: Callable[[], str] | None = None
        """Handles news while a page covers a shared table, as :attr:`Screen.background_news`."""
        self.store_setting: Callable[[str, SettingValue], object] = lambda name, value: None
        """Stores a setting that a key has changed."""
        self._is_covered = False
        self._screen = screen
        self._view = view
        self.match = view.match
        self.moment = view.settings.effective_moment
        """Seconds that each computer's answer takes, and the pause before a forced action."""
        self._notes = notes
        self._said_reasons: defaultdict[int, set[str]] = defaultdict(set)
        """By seat: the keys of the reasons that hints have given in this match."""
        self._hint: _RequestedHint | None = None
        self.keys: Mapping[str, Any] = KEYS
        self._seats = tuple(seats)
        self._default_seat = seats[0] if len(seats) == 1 else CHANCE
        """The seat whose view is shown when nobody is asked: a single person's seat, else 0 (public information)."""
        self._viewer = self._default_seat
        self._prompt: MovePrompt | None = None
        self._given_moves: dict[int, AdvanceMove] = {}
        """By seat: the move given in advance, until the next pause or undo and, if agreed, until any other action."""
        self._pause_key: Key | None = None
        """The key at the foot that ended the last pause, until it has been handled."""
        self.match.watch(self._after_entry)
        screen.on_away = self.hide_hand

    # Player

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Ask the person in this observation's seat for an action; first call them to the keyboard if necessary.

        A forced action, a standing order or an agreed move is played without a question."""
        seat = observation.seat
        if self.is_forced(observation):
            return self._play_forced(observation)
        if (given := self._given_moves.get(seat)) and given.action in observation.legal:
            return given.action
        if seat != self._viewer:
            return self._call_to_keyboard(observation)
        if self._prompt is None or self._prompt.observation != observation:
            is_sortable = len(self._view.scene(observation).hand) > 1
            keys = {**self.keys, **HAND_KEYS} if is_sortable else self.keys
            self._prompt = MovePrompt(self._screen, self._view, observation, keys)
            self._prompt.orders = self._given_moves
        without_hint = draw = self._view.question_picture(observation)
        while self._viewer == seat:
            asked = self._hint if self._hint and self._hint.observation == observation else None
            future = asked.future if asked and not asked.is_shown else None
            answer = self._take_pause_key() or self._prompt.ask(draw, future)
            if isinstance(answer, Action):
                self._prompt = None
                return answer
            if answer is Key.UNDO:
                return self._take_back(seat)
            if answer is Key.ORDER:
                self._sort_hand()
                without_hint = self._view.question_picture(observation)
                draw = without_hint._replace(hint=draw.hint, advised=draw.advised)
            elif answer is Key.HINT and (prepared := self._view.prepared_hint(observation)):
                self._screen.say(prepared)
            elif answer is Key.HINT:
                draw = self._with_hint(without_hint, observation)
            elif self._handle_key(answer):
                break
        return None

    def _sort_hand(self) -> None:
        order = "suit" if self._view.is_by_rank else "rank"
        sort = sort_setting(self._view.settings.sort, self.match.game.NAME, order)
        self._view.set_up(self._view.settings._replace(sort=sort))
        if self._prompt:
            self._prompt.sort()
        self.store_setting("sort", sort)

    def _with_hint(self, picture: Picture, observation: Observation) -> Picture:
        """The picture of a question with the hint for it, or with a notice while the hint is being computed.

        The first call in a position starts the computation. A hint is counted in the match's notes when first shown."""
        from cardgames.ui.table.hint import compute_hint, hint_lines, shown_reasons

        hint = self._hint
        if hint is None or hint.observation != observation:
            said_before = frozenset(self._said_reasons[observation.seat])  # by earlier hints
            game = self.match.game
            future = run_in_background(lambda: compute_hint(game, observation).unsaid_first(said_before))
            hint = self._hint = _RequestedHint(observation, future)
        if not hint.future.done():
            placeholder = self._view.words.text("hint_thinking", first=self._compiles_first())
            return picture._replace(hint=lambda pointed: [placeholder])
        if self._notes and len(observation.legal) > 1 and not hint.is_shown:
            self._notes.note_hint(observation.seat)
        self._hint = hint._replace(is_shown=True)
        name, computed = partial(self._view.action_text, observation, brief=True), hint.future.result()

        def lines(pointed: object) -> Sequence[str]:
            self._said_reasons[observation.seat].update([why.key for why in shown_reasons(computed, pointed)])
            return self._view.note(hint_lines(computed, name, self._view.words.text, pointed))

        return picture._replace(hint=lines, advised=computed.ratings[0].action)

    def is_forced(self, observation: Observation) -> bool:
        """Whether to play without a question, because everybody knows that only one action is legal.

        Never directly after an undo, or if the setting ``forced`` is off."""
        taken_back = bool(self.match.log) and isinstance(self.match.log[-1], UndoneSteps)
        return self._view.settings.forced and observation.forced and not taken_back

    def _play_forced(self, observation: Observation) -> Action | TakeBack | None:
        """Show for ``moment`` seconds that the seat has only one action; return the action.

        Return an undo if somebody here requests one meanwhile, and ``None`` if there is news."""
        self.hide_hand()
        done = run_in_background(partial(sleep, self.moment))
        (action,) = observation.legal
        take_back = self.wait(self._view.words.text("only_choice", seat=observation.seat), done)
        return take_back or (action if done.done() else None)

    def wait(self, message: str, done: "Future[Any] | None" = None) -> TakeBack | None:
        """Show the table and a ``message`` until ``done`` is complete or there is news; return ``None``.

        If somebody here requests an undo, return it at once. Other keys at the foot are handled."""
        since = self.match.since(self._default_seat)
        while done is None or not done.done():
            draw = self._view.table_picture(self.match.observation(self._default_seat), since)
            answer = self._take_pause_key() or self._screen.wait(draw, message, done, self._idle_keys)
            if answer is Key.ORDER:
                self._sort_hand()
            elif answer is Key.UNDO:
                own_steps = [step for step in self.match.steps if step.by in self._seats]
                return self._take_back(own_steps[-1].by if own_steps else CHANCE)
            elif answer is not None and self._handle_key(answer):
                return None
        return None

    def thinking_message(self, seat: int) -> str:
        return self._view.words.text("thinking", seat=seat, first=self._compiles_first())

    def _compiles_first(self) -> bool:
        """Whether computers have to compile the kernel first."""
        from cardgames.kernels.compiled_code import compiles_first  # its imports would delay the first prompt

        return compiles_first(self.match.game.NAME)

    def consents(self, seat: int, count: int) -> bool:
        """Ask the people here whether ``seat`` may undo ``count`` actions; see :class:`Player`."""
        return bool(self.ask_to_grant("undo", seat=seat, count=count))

    def ask_to_grant(self, request: str, more: Sequence[Offer] = (), **args: Any) -> Any:
        """Ask the people here whether they grant a request, such as ``undo``; return the value of the chosen offer.

        The values are ``False``, ``True``, those of ``more``, and ``None`` to go back. A hand in view is hidden first.
        ``args``: the arguments of the messages."""
        self.hide_hand()
        text = self._view.words.text
        offers = [Offer(False, text(f"{request}_no", **args)), Offer(True, text(f"{request}_yes", **args)), *more]
        with self.cover() as picture:
            return self._screen.choose(picture, text(f"{request}_ask", **args), offers, BACK)

    def _take_back(self, seat: int) -> TakeBack | None:
        """The request to undo the last choice of ``seat``; show why it cannot be undone and return ``None`` if so."""
        if self.match.undoable(seat):
            return TakeBack(seat)
        self.say(self.match.why_not_undoable(seat))
        return None

    def say(self, notice: Message) -> None:
        """Show a notice under the next question."""
        self._screen.say(self._view.words.say(notice))

    # Hand-over

    def hide_hand(self) -> None:
        """Hide the hand in view. The next person at this keyboard then has to open their own hand."""
        self._viewer = self._default_seat

    def _call_to_keyboard(self, observation: Observation) -> Action | TakeBack | None:
        """Show only public information until the person of this observation's seat opens their hand.

        Return ``None`` then, or after a key that may have made the question outdated. If the person chooses an action
        or requests an undo without opening the hand, return the action or the undo."""
        seat, text = observation.seat, self._view.words.text
        self.hide_hand()
        self._screen.discard_typed()
        self._view.bottom = seat
        offers, draw = self._hand_over_offers(observation), self.picture(seat)
        keys = {name: key for name, key in self.keys.items() if key is not Key.HINT}
        choose = partial(self._screen.choose, draw, text("hand_over", seat=seat), offers, keys, state=FormState())
        while True:
            answer = self._take_pause_key() or choose(quiet=HAND_OVER_QUIET)
            if answer is True:
                self._viewer = seat
                return None
            if isinstance(answer, AdvanceMove):
                self._given_moves |= dict.fromkeys(answer.seats or [seat], answer)
                answer = answer.action
            if isinstance(answer, Action):
                return answer
            if answer is Key.UNDO:
                steps = self.match.steps
                return self._take_back(steps[-1].by if steps else CHANCE)
            if self._handle_key(answer):
                return None

    def _hand_over_offers(self, observation: Observation) -> list[Offer]:
        """The offers at a hand-over: to open the hand, and the moves that need no look at the hand."""
        seat, letters, text = observation.seat, self._view.layout.LETTERS, self._view.words.text
        question = self._view.question(observation)
        opening = text("show_hand" if self._view.scene(observation).hand else "no_hand_yet")
        move = question.unseen
        offers: list[Offer] = [Offer(True, opening, letters="" if move is None else "a")]
        if move is None:
            return offers
        offers.append(Offer(move, self._view.action_text(observation, move), letters=letters[move.kind]))
        if question.standing:
            offers.append(Offer(AdvanceMove(question.standing), text("standing"), letters=letters["standing"]))
        undecided = {*self._seats} - {seat, *self._given_moves}
        if others := [other for other in question.others if other in undecided]:
            # The people of these seats, who sit together, have said so to each other.
            offers.append(Offer(AdvanceMove(move, (seat, *others)), text("agreed"), letters=letters["agreed"]))
        return offers

    def picture(self, door: int = 0) -> Picture:
        """A picture of the table now. If several people share this terminal, it shows no hand.

        ``door``: the seat that is called to the keyboard, with the public events that are new to it."""
        since = self.match.since(door) if door else None
        return self._view.table_picture(self.match.observation(self._default_seat), since, counted=True, door=door)

    # Events

    def _after_entry(self, entry: Step | UndoneSteps) -> None:
        """Handle a new entry of the log: hide the hand and pause if necessary; drop outdated notices and moves."""
        pauses = isinstance(entry, Step) and self._view.pauses_after(entry)
        if isinstance(entry, UndoneSteps) or entry.by == CHANCE:
            self.hide_hand()
        if entry.by in self._seats and entry.by not in self._view.marks:  # this person has read the notices
            self._view.notices = ()
        for seat, given in [*self._given_moves.items()]:
            if isinstance(entry, UndoneSteps) or pauses or (given.seats and given.action != entry.action):
                del self._given_moves[seat]
        if self.match.outcome or self._is_covered or self._view.settings.effective_pause == "off":
            return  # the last trick stays in view
        if isinstance(entry, Step) and pauses:
            self.hide_hand()  # until its owner opens it again
            draw, seconds = self._view.pause_picture(entry, self._default_seat), self._pause_seconds(entry)
            message = self._view.words.text("any_key" if seconds is None else "goes_on")
            self._pause_key = self._screen.pause(draw, message, seconds, self._idle_keys)

    @property
    def _idle_keys(self) -> Mapping[str, Any]:
        """The keys at the foot while nobody here is asked. A single person can also sort the hand."""
        return {**self.keys, **HAND_KEYS} if self._default_seat else self.keys

    def _pause_seconds(self, step: Step) -> float | None:
        """The seconds of the pause after a step; ``None`` to wait for a key.

        With the setting ``natural`` a pause waits for a key at the end of a deal, or if several people share the
        keyboard and none of them is called to it next. If stand-ins play for all people here, none does."""
        pause = self._view.settings.effective_pause
        if pause not in ("key", "natural"):
            return float(pause)
        seat = self.match.to_act or CHANCE
        gets_hand_over = seat in self._seats and seat != self._default_seat
        is_followed = len(self._seats) == 1 or (gets_hand_over and not self.is_forced(self.match.observation(seat)))
        is_short = pause == "natural" and is_followed and not self.match.game.deal_over(step.after)
        everybody_is_away = bool(self._seats) and all(seat in self._view.marks for seat in self._seats)
        return PAUSE_SECONDS if is_short or everybody_is_away else None

    def _take_pause_key(self) -> Key | None:
        key, self._pause_key = self._pause_key, None
        return key

    @contextmanager
    def cover(self) -> Iterator[Picture]:
        """A context in which a page covers the table and no pause is held.

        Its value is a picture of the table, which news updates."""
        drawn: tuple[object, Picture] | None = None

        def picture() -> Picture:
            nonlocal drawn
            state = self.match.journal_position, self._view.notices, self._view.marks
            if drawn is None or drawn[0] != state:
                drawn = state, self.picture()
            return drawn[1]

        self._is_covered, self._screen.background_news = True, self.background_news
        try:
            yield Picture(lambda only_new: picture().said(only_new), lambda *shown: picture().on_canvas(*shown))
        finally:
            self._is_covered, self._screen.background_news = False, None

    def _handle_key(self, key: Key) -> bool:
        """Handle a key at the foot. Return whether the question may be outdated by now, as at a shared table."""
        has_changed = self.shared_key is not None
        key_to_share = key if key in (Key.NEWS, Key.TALK) else Key.NEWS
        if key_to_share is not key:
            with self.cover() as picture:
                if key is Key.LEAVE:
                    has_changed |= self.on_leave(picture)
                elif key is Key.HINT:
                    self._screen.say(self._view.words.text("hint_over" if self.match.outcome else "hint_later"))
                elif key is not Key.AWAY:
                    open_page(key, self._screen, self._view, self._default_seat, self._notes)
        if self.shared_key:  # after another key, a request may have come that could not be asked meanwhile
            self.shared_key(key_to_share)
        return has_changed

    # Before the first card and after the last

    def show_commitment(self) -> None:
        """Add a notice about the match's commitment, if it has one, below the events of the first shuffle."""
        if self._notes and (commitment := self._notes.commitment):
            line = Message("promise_line", {"value": commitment.hash[:HASH_DIGITS]})
            self._view.add_notices([*self._notes.repeats(), line], ahead=1)

    def end_picture(
        self, more: Sequence[Message] = (), outcome: Outcome | None = None, course: Pending = None
    ) -> Picture:
        """Hide the hand in view, and return a picture of the end of the match.

        It shows the outcome, the hands that are left, the matches won in this session, the messages ``more``, and the
        ``course`` of the match once it has been computed. ``outcome`` must be given if no action ended the match."""
        self.hide_hand()
        outcome = outcome or self.match.outcome
        assert outcome
        text, wins = self._view.words.text, self._notes.wins() if self._notes else {}
        tally = text("comma").join([text("tally_of", seat=seat, count=count) for seat, count in sorted(wins.items())])
        from cardgames.ui.render.table.ending import Ending  # its import would delay the first prompt

        why = Message("why." + outcome.why.key, outcome.why.args)
        ending = Ending(self._view.headline(outcome), [why], more, outcome.winners, wins)
        if wins:
            ending = ending._replace(tally=[Message("tally", {"text": tally})])
        if course:
            ending = ending._replace(course=lambda: course.result() if course.done() else None)
        if self._notes and self._notes.commitment:
            self._view.add_notices([Message("promise_told")])  # left out first where room is short
        return self._view.end_picture(ending)

    def ask_next_step(self, more: Sequence[Message] = (), course: Pending = None) -> AfterMatch:
        """Show the outcome, as :meth:`end_picture` does, and ask how to continue; return the answer."""
        text, game = self._view.words.text, self.match.game
        offers = [
            Offer(AfterMatch.AGAIN, text("again_yes", seat=game.next_dealer(self.match.state))),
            Offer(AfterMatch.LEAVE, text("again_no")),
            Offer(AfterMatch.REVIEW, text("again_review")),
            Offer(AfterMatch.SAME, text("again_same", seat=game.dealer)),
        ]
        draw = self.end_picture(more, course=course)
        self._screen.discard_typed()
        answer = self.ask(draw, text("again"), offers, course)
        return answer if isinstance(answer, AfterMatch) else AfterMatch.LEAVE

    def show_deal_end(self) -> None:
        text, draw = self._view.words.text, self.deal_end_picture()
        self._screen.discard_typed()
        self.ask(draw, text("daily.over"), [Offer(None, text("daily.go_on"))])

    def deal_end_picture(self, more: Sequence[Message] = ()) -> Picture:
        """A picture of the end of a single deal, with the messages ``more``. The hand in view is hidden."""
        self.hide_hand()
        if self.match.outcome:
            return self.end_picture(more)
        from cardgames.ui.render.table.ending import Ending

        last = self.match.steps[-1]
        headline, *others = self._view.deal_result(last) or [Message("daily.over")]
        return self._view.pause_picture(last, CHANCE, ending=Ending(headline, others, more))

    def ask(self, draw: Drawing, question: str, offers: Sequence[Offer], course: Pending = None) -> object:
        """Ask the people here a question that is not about a move, and handle the keys that open pages.

        Return the value of the chosen offer, or ``Key.LEAVE``. At a shared table, return any key except ``UNDO``.
        ``course``: computed meanwhile, and then drawn."""
        choose = partial(self._screen.choose, draw, question, offers, self.keys, state=FormState())
        while isinstance(answer := choose(hint=course), Key):
            if answer is Key.HINT and course and course.done():
                course = None  # this was no key: the course of the match has been computed
            elif answer is Key.UNDO:
                self.say(Message("no_undo"))  # the question is not about a move
            elif answer is Key.LEAVE or self._handle_key(answer):
                break
        return answer
