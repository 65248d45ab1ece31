"""A match at a table with other terminals: the players here, and requests and chat with the others."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Outcome, Reason
from cardgames.engine.player_names import clean_name
from cardgames.layout.scene import Message
from cardgames.match import Player, Step, TakeBack, TakenBack, joint_hash
from cardgames.match.table_state import Request, RequestKind
from cardgames.match.time_control import TimeUp
from cardgames.store import StoreBusy
from cardgames.ui.screens.offers import BACK, NEWS, Draw, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session.local_session import ReviewWanted
from cardgames.ui.session.news import RemoteTable
from cardgames.ui.session.patient_journal import store_error_text
from cardgames.ui.settings import Given
from cardgames.ui.table.foot_keys import STAND_IN
from cardgames.ui.table.match_notes import MatchNotes, in_halves
from cardgames.ui.table.table import LeaveHandler, Table, Then
from cardgames.ui.table.view import View

LONGEST_MESSAGE = 60
"""The most characters of a chat message."""
MESSAGE_EVERY = 1.0
"""Seconds between two chat messages from a terminal."""
WORD_SECONDS = 30
"""Seconds for which the others wait for somebody's word for the shuffles."""
LAST_SAID = 2
"""The number of missed messages in view after a return."""
MakeComputer: TypeAlias = Callable[[Table, int, str], Player | None]
"""A function that makes the computer player of a seat and level; ``None`` for a program at another terminal."""

PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "good_game",
    "thanks",
    "sorry",
    "one_moment",
    "go_on",
    "back",
    "goodbye",
)
"""The keys of ready-made phrases."""


class BrokenOff(Exception):
    """The players have agreed to end the match early."""


class AgainQuestions(NamedTuple):
    """The question after a match, in the words of the players."""

    ask: str
    yes: str
    """The answer for another match; empty where none can follow."""
    can_review: bool


class SharedTable:
    """The other terminals of a table, as :class:`RemotePlayers`."""

    def __init__(
        self,
        screen: Screen,
        view: View,
        others: RemoteTable,
        book: MatchNotes,
        leaving: LeaveHandler,
        computer: MakeComputer,
        keep: Callable[[str, Given], object],
        spectator: str = "",
    ) -> None:
        """The arguments are those of :class:`Table`, and a ``spectator``'s name."""
        self._spectator = spectator
        self._screen = screen
        self._book = book
        self._view = view
        self._match = view.match
        self._session = others.session
        self._remote = others
        self._computer = computer
        self._computers: dict[tuple[int, str], Player | None] = {}
        self._said_at = float("-inf")
        self._is_over = False
        """Whether those here know that the match is over."""
        self.ended: Callable[[Any], object] = view.match.game.outcome
        """Whether a state is the last that is played, as its outcome or otherwise."""
        others.to_act = lambda: self._to_act
        view.clocks = screen.clocks = others.clocks
        self._called = bool(view.match.ply)  # the returning player is looking already
        """Whether those who sit here know that it is their turn."""
        self.table = Table(screen, view, others.own_seats, book, leaving, self.attend, self._meanwhile, keep)
        self.players: dict[int, Player] = {}
        """The players of the seats that are played here."""
        others.journal_position = lambda: view.match.journal_position
        view.match.watch(self._happened)

    @property
    def _to_act(self) -> int | None:
        """The seat that is to act, or chance; ``None`` at the end."""
        return None if self.ended(self._match.state) else self._match.to_act

    # RemotePlayers

    def wait(self, seat: int) -> TakeBack | None:
        """Show the table until there is news; see :class:`RemotePlayers`."""
        return self.table.wait(self._remote.waiting_for(seat))

    def consents(self, seat: int, count: int) -> bool:
        """Ask all other players and return whether they agreed; see :class:`RemotePlayers`."""
        agreed = self._ask_others(RequestKind.UNDO, seat, count)
        if not agreed:
            self.notice()  # which may be a request that replaced this one
        return agreed

    def refused(self, why: Reason) -> None:
        """Show the reason at this terminal; see :class:`RemotePlayers`."""
        self.table.refused(why)

    # Before the first card

    def contribute(self, persist: Callable[[Callable[[], Any]], Any]) -> None:
        """Contribute to the shuffle and wait until all present terminals have. Raises what :meth:`notice` does.

        Words are waited for until ``WORD_SECONDS`` after all numbers are there."""
        if self._match.ply:
            return
        persist(partial(self._session.contribute, self._view.settings.own_word))
        until = float("inf")
        self._remote.is_due = lambda: monotonic() >= until
        while any(pending := persist(partial(self._session.close_contributions, self._remote.is_due()))):
            if not pending.numbers:
                until = min(until, monotonic() + WORD_SECONDS)
                if {*pending.words} & {*self._remote.own_seats}:
                    if not persist(partial(self._session.add_word, self._ask_for_word())):
                        self._screen.say(self._view.words.text("promise_late"))
                    continue
            waited = pending.numbers or pending.words
            self.table.wait(self._view.words.text("waiting_shuffle", seats=waited, count=len(waited)))
        self._remote.is_due = lambda: False
        self._update(self._remote.refresh())

    def _ask_for_word(self) -> str:
        """Ask for a word to add to the shuffle and return it; empty for none."""
        text = self._view.words.text
        promise = self._book.promise
        assert promise
        joint = text("promise_joint", value=in_halves(joint_hash(promise.hash, promise.contributions)))
        lines = [text("promise", value=in_halves(promise.hash)), joint]
        page = titled_page(self._view.settings, self._view.title, lines)
        return clean_name(
            self._screen.ask(
                page, text("promise_ask", number=WORD_SECONDS), "", self._check_word, text("field_keys"), True
            )
            or ""
        )

    def _check_word(self, written: str) -> str | None:
        """The reason why a text is unreadable at the table, if it is."""
        fits = 0 < len(clean_name(written)) <= LONGEST_MESSAGE
        return None if fits else self._view.words.text("word_rule", number=LONGEST_MESSAGE)

    def tell_missed(self) -> None:
        """Show people who have come back the latest chat messages and undos that they missed."""
        left = self._session.left
        missed = left and self._book.said(self._view.words, self._view.settings.talk, left)
        if left and missed and self._match.ply:
            when = f"{left.astimezone():%H:%M}"
            told = Message("while_away", {"when": when, "count": len(missed)})
            self._view.notify([*[message for _, message in missed[-LAST_SAID:]], told])  # last: it leads to the rest

    def _look_back(self) -> None:
        words = self._view.words
        said = self._book.said(words, self._view.settings.talk)
        lines = [f"{at.astimezone():%H:%M}  {words.say(message)}" for at, message in said]
        page = titled_page(self._view.settings, words.text("page_said", title=self._view.title), lines)
        with self.table.covered():
            self._screen.show(page, words.text("page_keys"), latest=True)

    # News

    def attend(self, key: Key) -> None:
        """Handle the key to talk, or news."""
        if key is Key.TALK:
            self._talk()
        else:
            self.notice()

    def notice(self) -> None:
        """Handle news, and ask for answers to requests.

        Raises :class:`BrokenOff`, and :class:`MatchHeld` if all people here have moved to another terminal."""
        self._update(self._remote.take_notice())
        while (request := self._remote.table_state.request) and (asked := self._unanswered_seats(request)):
            answer = self._ask(request)
            if answer is Key.NEWS:
                self._update(self._remote.take_notice())
            else:
                self._write_and_refresh(partial(self._session.answer, request, asked, bool(answer)))

    def _meanwhile(self) -> str:
        """Handle news while a page covers the table; return a notice about it."""
        with suppress(StoreBusy):  # it is read when the table is in view again
            self._update(self._remote.take_notice())
        text, seat = self._view.words.text, self._to_act
        request = self._remote.table_state.request
        if request and self._unanswered_seats(request):
            return text("asked_meanwhile", seat=request.by)
        return text("your_turn_meanwhile", seat=seat) if seat in self._remote.own_seats else ""

    def look(self) -> None:
        """Read the table's state and handle it. Raises what :meth:`notice` does."""
        self._update(self._remote.refresh())
        self.notice()

    def _update(self, said: Collection[Message]) -> None:
        """Make the state read last current: show the new chat messages, and note the player of each seat."""
        table_state = self._remote.table_state
        reads = not self._remote.store_away  # else it is read when the store is back
        if reads and table_state.journal_position != self._match.journal_position:
            self._match.catch_up()
        self._view.hear(said)
        if reads and table_state.is_over and not (self.ended(self._match.state) or self._is_over):
            raise BrokenOff
        self._remote.check_seats()
        self._apply_time_control()
        self._assign()

    def _happened(self, happening: Step | TakenBack) -> None:
        """Update the clocks after a happening, and notify the next player."""
        if self._remote.timing and not self._session.is_spectator:
            with suppress(StoreBusy):
                self._remote.timing = self._session.look_at_clocks()
            self._assign()
        self._notify_turn()

    def _apply_time_control(self) -> None:
        """Apply the time control to a player who is out of time; the store accepts that once."""
        late, timing = self._remote.late, self._remote.timing
        if not (late and timing) or self._session.is_spectator or timing.control.time_up is TimeUp.MOVES:
            return
        at = self._match.journal_position
        with suppress(StoreBusy):  # it is tried again soon
            if timing.control.time_up is TimeUp.TAKES_OVER:
                self._session.take_over(late, STAND_IN, at)
            else:
                sides = self._match.game.sides
                self._session.lose(late, [seat for side in sides if late not in side for seat in side], at)
            self._update(self._remote.refresh())

    def _assign(self) -> None:
        """Note the player of each seat; under some time controls a computer moves for a player out of time."""
        own, late, timing = self._remote.own_seats, self._remote.late, self._remote.timing
        moves = bool(late) and timing is not None and timing.control.time_up is TimeUp.MOVES
        self._session.moves_for = (late, STAND_IN) if moves else None
        self._view.marks = self._remote.marks()
        for place in self._remote.table_state.places:
            level = STAND_IN if moves and place.seat == late and not self._session.is_spectator else place.level
            if level is not None:
                made = (place.seat, level)
                if made not in self._computers:
                    self._computers[made] = self._computer(self.table, *made)
            computer = self._computers.get((place.seat, level)) if level else None
            if computer:
                self.players[place.seat] = computer
            elif place.seat in own:
                self.players[place.seat] = self.table
            else:
                self.players.pop(place.seat, None)

    def _notify_turn(self) -> None:
        """Notify a player here when their turn begins, and end the notice with the turn."""
        seat = self._to_act
        if seat == CHANCE:
            return
        wanted = seat is not None and self.players.get(seat) is self.table
        if not (wanted and seat is not None):
            self._screen.turn.take_back()
        elif not self._called and not self.table.is_forced(self._match.observation(seat)):
            self._screen.turn.give(self._view.words.text("your_turn", title=self._view.words.text("title")))
        self._called = wanted

    # Requests from others

    def _unanswered_seats(self, request: Request) -> set[int]:
        table_state = self._remote.table_state
        if request.wanted is RequestKind.AGAIN or table_state.has_gone_on(request):
            return set()
        return table_state.asked(request) & {*self._remote.own_seats} - request.answers.keys()

    def _ask(self, request: Request) -> object:
        """Ask the people here for their answer to a request; :attr:`Key.NEWS` if news came first."""
        text = self._view.words.text
        self.table.hide_hand()
        about = {"seat": request.by, "to": request.about, "count": request.about}
        asked = text(f"{request.wanted}_ask", **about)
        offers = [
            Offer(False, text(f"{request.wanted}_no", **about)),
            Offer(True, text(f"{request.wanted}_yes", **about)),
        ]
        keys = {**dict.fromkeys(BACK, False), NEWS: Key.NEWS}
        return self._screen.choose(self.table.picture(()), asked, offers, keys, text("dialogue_keys"))

    # Requests from here

    def _ask_others(self, kind: RequestKind, by: int, about: int) -> bool:
        """Make a request and wait for the answers; return whether all agree."""
        at = self._match.journal_position
        if not self._remote.table_state.asked(Request(0, kind, by, about, at, {})):
            return True
        if not self._write_and_refresh(partial(self._session.request, kind, by, about, at)):
            return False
        uttered = self._remote.table_state.request
        assert uttered
        if here := self._remote.table_state.asked(uttered) & {*self._remote.own_seats}:
            # People at this terminal were asked before.
            self._write_and_refresh(partial(self._session.answer, uttered, here, True))
        while (request := self._still_open(uttered)) and (granted := self._remote.table_state.granted(request)) is None:
            if self._withdraws(request):
                self._write_and_refresh(partial(self._session.close_request, request))
                return False
            self._update(self._remote.take_notice())
        if request is None:
            return False
        self._write_and_refresh(partial(self._session.close_request, request))
        if not granted:
            against = tuple(seat for seat, agrees in sorted(request.answers.items()) if not agrees)
            said = self._view.words.text(f"{kind}_refused", seats=against, count=len(against), to=about)
            self._screen.say(said)
        return bool(granted)

    def _still_open(self, uttered: Request) -> Request | None:
        """A request with the answers so far; ``None`` if it is closed or play has gone on."""
        table_state = self._remote.table_state
        request = table_state.request
        if request is None or request.id != uttered.id or table_state.has_gone_on(request):
            return None
        return request

    def _withdraws(self, request: Request) -> bool:
        """Wait for news of a request; return whether it was withdrawn at this terminal instead."""
        text = self._view.words.text
        missing = tuple(sorted(self._remote.table_state.asked(request) - request.answers.keys()))
        offers = [Offer(True, text("wish_withdraw"))]
        keys = {**dict.fromkeys(BACK, True), NEWS: Key.NEWS}
        asked = text("wish_waits", seats=missing)
        return self._screen.choose(self.table.picture(()), asked, offers, keys, text("dialogue_keys")) is True

    def _write_and_refresh(self, write: Callable[[], object]) -> bool:
        """Write to the store and read the table's state; return ``False`` if the store was busy."""
        try:
            write()
            self._update(self._remote.refresh())
        except StoreBusy as error:
            why = store_error_text(self._view.words, self._view.settings, error.reason)
            self._screen.say(self._view.words.text("not_told", text=why))
            return False
        return True

    # The key to talk

    def _talk(self) -> None:
        text = self._view.words.text
        by = self._remote.own_seats[0] if self._remote.own_seats else CHANCE
        phrases: list[Offer] = [Offer(partial(self._say, by, phrase), text(f"phrase.{phrase}")) for phrase in PHRASES]
        chosen: object = Key.NEWS
        while chosen is Key.NEWS:
            # Requests come first, so that they are never out of view.
            requests = self._request_offers(by) if by else []
            offers = [Offer(partial(self._write, by), text("word_write")), *requests, *phrases]
            if self._book.said(self._view.words, self._view.settings.talk):
                offers.insert(1, Offer(self._look_back, text("said_so_far")))
            keys = {**BACK, NEWS: Key.NEWS}
            draw = self.table.picture(())
            asked = text("talk_ask" if by else "talk_aside")
            chosen = self._screen.choose(draw, asked, offers, keys, text("dialogue_keys"))
            if chosen is Key.NEWS:
                self.notice()
        if callable(chosen):
            chosen()
            self.notice()  # others' requests that came meanwhile have not been answered

    def _request_offers(self, by: int) -> list[Offer]:
        if self._is_over:
            return []
        text = self._view.words.text
        found: list[Offer] = []
        for place in self._remote.table_state.places:
            seat = place.seat
            if seat in self._remote.own_seats and place.level is None:
                confirm = text("confirm", text=text("stand_in_own", seat=seat))
                hand = partial(self._hand_seat_over, seat, STAND_IN, "handed_over")
                found.append(Offer(hand, text("stand_in_own", seat=seat), confirm=confirm))
            elif seat in self._remote.own_seats:
                found.append(Offer(partial(self._hand_seat_over, seat, None, "back"), text("stand_in_back", seat=seat)))
            elif place.terminal is None and place.level is None:
                found.append(Offer(partial(self._replace, by, seat), text("stand_in_wish", seat=seat)))
        confirm = text("confirm", text=text("break_off_wish"))
        found.append(Offer(partial(self._break_off, by), text("break_off_wish"), confirm=confirm))
        return found

    def _say(self, by: int, phrase: str | None, said: str = "") -> None:
        """Send a chat message: a ready-made ``phrase``, or free text."""
        if monotonic() - self._said_at < MESSAGE_EVERY:
            self._screen.say(self._view.words.text("word_too_soon"))
            return
        self._said_at = monotonic()
        self._write_and_refresh(partial(self._session.say, by, phrase, said, None if by else self._spectator))

    def _write(self, by: int) -> None:
        text = self._view.words.text
        with self.table.covered() as picture:
            asked = text("word_ask" if by else "word_aside")
            written = self._screen.ask(picture, asked, "", self._check_word, text("field_keys"), True)
        if written is not None:
            self._say(by, None, clean_name(written))

    def _hand_seat_over(self, seat: int, level: str | None, phrase: str) -> None:
        """Hand one's seat to a computer or take it back, and tell the table."""
        self._stand_in(seat, level)
        self._write_and_refresh(partial(self._session.say, seat, phrase, ""))

    def _stand_in(self, seat: int, level: str | None) -> None:
        self._write_and_refresh(partial(self._session.stand_in, seat, level))

    def _replace(self, by: int, seat: int) -> None:
        if self._ask_others(RequestKind.STAND_IN, by, seat):
            self._stand_in(seat, STAND_IN)

    def _break_off(self, by: int) -> None:
        if self._ask_others(RequestKind.BREAK_OFF, by, 0):
            self._write_and_refresh(self._session.break_off)  # _update then ends the match

    # After the match

    def end(self, outcome: Outcome, told: Sequence[Message] = (), of_deal: bool = False) -> Draw:
        """The picture of the outcome of the match, or of a single deal, with messages ``told``."""
        self._is_over = True
        self._screen.turn.take_back()
        return self.table.end_of_deal(told) if of_deal else self.table.end(told, outcome)

    def broken_off(self) -> Draw:
        """The picture of a match that was broken off: its log tells of it."""
        self._is_over = True
        self._screen.turn.take_back()
        self.table.hide_hand()
        return self._view.end([Message("broken_off")])

    def again(self, draw: Draw, questions: AgainQuestions) -> bool:
        """Ask everybody after the match for a rematch; return whether all agree.

        Raises :class:`ReviewWanted`. The same cards are not dealt again between terminals: their secret has been told.
        """
        self._screen.forget_typed()
        while True:
            table_state = self._remote.table_state
            request = (
                table_state.request if table_state.request and table_state.request.wanted is RequestKind.AGAIN else None
            )
            granted = table_state.granted(request) if request else None
            if granted or table_state.rematch is not None:
                return True
            own = {*self._remote.own_seats}
            answered = request is not None and own <= {request.by, *request.answers}
            answer = self._ask_rematch(draw, request, answered, questions)
            if answer is Then.REVIEW:
                raise ReviewWanted
            if answer in (False, Key.LEAVE):
                if granted is None:
                    self._answer_rematch(request, own, False)
                return False
            if answer is True:
                self._answer_rematch(request, own, True)
            self._update(self._remote.take_notice())

    def _ask_rematch(self, draw: Draw, request: Request | None, answered: bool, questions: AgainQuestions) -> object:
        """Ask the people here about a rematch; those who have ``answered`` wait for the other players."""
        text, table_state = self._view.words.text, self._remote.table_state
        leave = Offer(False, text("gather_leave"))
        review = [Offer(Then.REVIEW, text("again_review"))] if questions.can_review else []
        if not questions.yes:
            return self.table.ask(draw, questions.ask, [leave, *review])
        if request and table_state.granted(request) is False:
            against = tuple(sorted(seat for seat, agrees in request.answers.items() if not agrees))
            return self.table.ask(draw, text("again_refused", seats=against, count=len(against)), [leave, *review])
        if request and answered:
            missing = tuple(sorted(table_state.asked(request) - request.answers.keys()))
            return self.table.ask(draw, text("again_waits", seats=missing), [Offer(None, text("gather_wait")), leave])
        offers = [Offer(True, questions.yes), Offer(False, text("again_no")), *review]
        return self.table.ask(draw, text("again_wish", seat=request.by) if request else questions.ask, offers)

    def _answer_rematch(self, request: Request | None, own: set[int], agrees: bool) -> None:
        """Answer a rematch request for the people here; if there is none make one, and answer it."""
        if request is None:
            self._write_and_refresh(
                partial(self._session.request, RequestKind.AGAIN, min(own), 0, self._match.journal_position)
            )
            request = self._remote.table_state.request
        if request is not None:
            self._write_and_refresh(partial(self._session.answer, request, own, agrees))
