"""A match at a table with other terminals: the players here, and requests and chat with the others."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Message, Outcome
from cardgames.engine.player_names import clean_name
from cardgames.match import Player, Step, TakeBack, UndoneSteps
from cardgames.match.table_state import ABSENT_AFTER, Request, RequestKind
from cardgames.match.time_control import TimeUp
from cardgames.store import StoreBusy
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.screens.offers import BACK, NEWS, Draw, FormState, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session.busy_store import store_error_text
from cardgames.ui.session.local_session import ReviewWanted
from cardgames.ui.session.news import RemoteTable
from cardgames.ui.settings import SettingValue
from cardgames.ui.table.foot_keys import STAND_IN
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import AfterMatch, LeaveHandler, Table
from cardgames.ui.table.view import View

LONGEST_MESSAGE = 60
"""The most characters of a chat message."""
MISSED_SHOWN = 2
"""The most missed chat messages that are shown to a player who has come back."""
MakeComputer: TypeAlias = Callable[[Table, int, str], Player | None]
"""A function that makes the computer player of a seat and level; ``None`` for a program at another terminal."""

PHRASES = (
    "hello", "good_luck", "well_played", "good_game", "thanks", "sorry", "one_moment", "go_on", "back", "goodbye",
)  # fmt: skip
"""The keys of the ready-made chat messages."""


class BrokenOff(Exception):
    """The players have agreed to end the match early."""


class RematchQuestion(NamedTuple):
    """The question after a match and its answers, as text."""

    ask: str
    yes: str
    """The answer that agrees to another match; empty if no match can follow."""
    can_review: bool
    yes_same: str = ""
    """The answer that asks for another match with the same cards; empty if that is not allowed."""
    new: str = ""
    """The answer that asks for new cards after another player has asked for the same cards."""
    people: Collection[int] = ()
    """The seats of people. All of them have to be present to play with the same cards."""


class SharedTable:
    """A table that is shared with other terminals. It implements :class:`RemotePlayers` for its match."""

    def __init__(
        self,
        screen: Screen,
        view: View,
        remote: RemoteTable,
        notes: MatchNotes,
        on_leave: LeaveHandler,
        make_computer: MakeComputer,
        store_setting: Callable[[str, SettingValue], object],
        spectator: str,
    ) -> None:
        """``on_leave`` asks whether to leave; ``store_setting`` stores a setting that a key has changed.

        ``spectator``: the name under which a spectator at this terminal sends chat messages."""
        self._spectator = spectator
        self._screen = screen
        self._notes = notes
        self._view = view
        self._match = view.match
        self._session = remote.session
        self._remote = remote
        self._make_computer = make_computer
        self._computers: dict[tuple[int, str], Player | None] = {}
        """The computer players made so far, by seat and level."""
        self._is_over = False
        """Whether this terminal has shown the end of the match."""
        self.is_final: Callable[[Any], object] = view.match.game.outcome
        """A function that tells whether a state is the last to be played; by default it looks for an outcome."""
        remote.to_act = lambda: self._to_act
        notes.is_muted = remote.is_muted
        view.clocks = screen.clocks = remote.clocks
        self._is_notified = bool(view.match.ply)  # the returning player is looking already
        """Whether a player here has been notified of the present turn."""
        seats, news = remote.own_seats, self._news_under_page
        self.table = Table(screen, view, seats, notes, on_leave, self._handle_key, news, store_setting)
        self.players: dict[int, Player] = {}
        """The players whose actions this terminal makes, people or computers, by seat."""
        remote.journal_position = lambda: view.match.journal_position
        view.match.watch(self._after_entry)

    @property
    def _to_act(self) -> int | None:
        """The current player's seat, 0 for chance; ``None`` at the end."""
        return None if self.is_final(self._match.state) else self._match.to_act

    # RemotePlayers

    def wait(self, seat: int) -> TakeBack | None:
        """Show the table until there is news, or until somebody here requests an undo; return the undo, if any."""
        return self.table.wait(self._remote.status_line(seat))

    def consents(self, seat: int, count: int) -> bool:
        """Request that ``seat`` may undo ``count`` actions. Return ``False``: it is undone when all have agreed."""
        self._request(RequestKind.UNDO, seat, count)
        return False

    def refused(self, why: Message) -> None:
        self.table.refused(why)

    # Before the first card

    def contribute(self) -> None:
        """Add numbers to the shuffles, and wait for those of other terminals. Raises as :meth:`handle_news`."""
        if self._match.ply:
            return
        while missing := self._session.persist(self._session.contribute):
            self.table.wait(self._view.words.text("waiting_shuffle", seats=missing))
        self._update(self._remote.refresh())

    def show_missed_messages(self) -> None:
        """Show the latest chat messages and undos that people here missed while they were away."""
        left_at = self._session.away_since
        if left_at is None or not self._match.ply:
            return
        if missed := self._notes.chat_and_undos(self._view.words, self._view.settings.talk, left_at):
            when = f"{left_at.astimezone():%H:%M}"
            count = Message("while_away", {"when": when, "count": len(missed)})
            # The count comes last, as its key leads to the other messages.
            self._view.add_notices([*[message for _, message in missed[-MISSED_SHOWN:]], count])

    def _show_all_messages(self) -> None:
        words = self._view.words
        messages = self._notes.chat_and_undos(words, self._view.settings.talk)
        lines = [f"{at.astimezone():%H:%M}  {words.say(message)}" for at, message in messages]
        page = titled_page(self._view.settings, words.text("page_said", title=self._view.title), lines)
        with self.table.cover():
            self._screen.show(page, latest=True)

    # News

    def _handle_key(self, key: Key) -> None:
        if key is Key.TALK:
            self._talk()
        else:
            self.handle_news()

    def handle_news(self) -> None:
        """Handle news, and carry out the requests from here that have been granted.

        Raises :class:`BrokenOff`, and :class:`MatchHeld` if all people here have moved to another terminal."""
        self._update(self._remote.accept_news())
        self._settle_requests()

    def _news_under_page(self) -> str:
        """Handle news while a page covers the table. Return a notice if somebody here has to act, else ``""``."""
        with suppress(StoreBusy):  # it is read when the table is in view again
            self._update(self._remote.accept_news())
        text, seat = self._view.words.text, self._to_act
        for request in self._remote.table_state.open_requests:
            if self._unanswered_seats(request):
                return text("asked_meanwhile", seat=request.by)
        return text("your_turn_meanwhile", seat=seat) if seat in self._remote.own_seats else ""

    def refresh(self) -> None:
        """Read the table's state, and handle its news. Raises as :meth:`handle_news`."""
        self._update(self._remote.refresh())
        self.handle_news()

    def _update(self, messages: Collection[Message]) -> None:
        """Bring match and players up to date with the table; show ``messages``. Raises as :meth:`handle_news`."""
        table_state = self._remote.table_state
        can_read = not self._remote.store_away  # else the match is read when the store is back
        if can_read and table_state.journal_position != self._match.journal_position:
            self._match.catch_up()
        self._view.add_chat(messages)
        if can_read and table_state.is_over and not (self.is_final(self._match.state) or self._is_over):
            raise BrokenOff  # no action has ended the match
        self._remote.check_seats()
        self._apply_time_control()
        self._assign_players()
        self._view.show_requests(self._request_lines())

    def _after_entry(self, entry: Step | UndoneSteps) -> None:
        """Update the clocks after an action or an undo, and notify the next player."""
        has_begun = self._match.ply == 1  # which starts the clocks, if there are any
        if (self._remote.timing or has_begun) and not self._session.is_spectator:
            with suppress(StoreBusy):
                self._remote.timing = self._session.read_clocks()
            self._assign_players()
        self._view.show_requests(self._request_lines())
        self._notify_turn()

    def _apply_time_control(self) -> None:
        """Let a stand-in take over from a player who is out of time, or let the player lose, as the time control says.

        Several terminals try this; the store accepts the first attempt."""
        late_seat, timing = self._remote.late_seat, self._remote.timing
        if not (late_seat and timing) or self._session.is_spectator or timing.control.time_up is TimeUp.MOVES:
            return  # for MOVES, see `_assign_players`
        at = self._match.journal_position
        with suppress(StoreBusy):  # the next news tries again
            if timing.control.time_up is TimeUp.TAKES_OVER:
                self._session.take_over(late_seat, STAND_IN, at)
            else:
                other_sides = [side for side in self._match.game.sides if late_seat not in side]
                self._session.lose(late_seat, [*chain.from_iterable(other_sides)], at)
            self._update(self._remote.refresh())

    def _assign_players(self) -> None:
        """Set the marks beside the names, and the player of each seat; when time is up, a computer may move."""
        own_seats, late_seat, timing = self._remote.own_seats, self._remote.late_seat, self._remote.timing
        computer_moves = bool(late_seat) and timing is not None and timing.control.time_up is TimeUp.MOVES
        self._session.moves_for = (late_seat, STAND_IN) if computer_moves else None
        self._view.marks = self._remote.marks()
        for status in self._remote.table_state.places:
            is_moved_for = computer_moves and status.seat == late_seat and not self._session.is_spectator
            level = STAND_IN if is_moved_for else status.level
            if level is not None and (status.seat, level) not in self._computers:
                self._computers[status.seat, level] = self._make_computer(self.table, status.seat, level)
            computer = self._computers.get((status.seat, level)) if level else None
            if computer:
                self.players[status.seat] = computer
            elif status.seat in own_seats:
                self.players[status.seat] = self.table
            else:
                self.players.pop(status.seat, None)

    def _notify_turn(self) -> None:
        """Notify a player here when their turn begins, and withdraw the notice when it ends."""
        seat, text = self._to_act, self._view.words.text
        if seat == CHANCE:
            return
        if seat is None or self.players.get(seat) is not self.table:
            self._is_notified = False
            self._screen.turn_notice.withdraw()
            return
        if not self._is_notified and not self.table.is_forced(self._match.observation(seat)):
            self._screen.turn_notice.give(text("your_turn", title=text("title")))
        self._is_notified = True

    # Requests

    def _unanswered_seats(self, request: Request) -> set[int]:
        """The seats here that must still answer ``request``; none for a rematch, as the closing page asks about it."""
        if request.wanted is RequestKind.AGAIN:
            return set()
        return self._remote.table_state.seats_to_ask(request) & ({*self._remote.own_seats} - request.answers.keys())

    def _request_lines(self) -> list[Message]:
        """The lines about open requests that people here have made or can answer, as a question would be in the way."""
        lines = []
        for request in self._remote.table_state.open_requests:
            if request.wanted is RequestKind.UNDO and request.at != self._match.journal_position:
                continue  # an action from here may be newer than the table's state
            missing = self._remote.table_state.seats_to_ask(request) - request.answers.keys()
            if self._unanswered_seats(request):
                args = {"seat": request.by, "to": request.about, "count": request.about}
                lines.append(Message(f"{request.wanted}_requested", args))
            elif missing and request.by in self._remote.own_seats and request.wanted is not RequestKind.AGAIN:
                lines.append(Message("request_waits", {"seats": tuple(sorted(missing))}))
        return lines

    def _ask(self, request: Request) -> None:
        """Ask the people here whether they grant a request. They can answer later."""
        text, seats = self._view.words.text, self._unanswered_seats(request)
        self.table.hide_hand()
        args = {"seat": request.by, "to": request.about, "count": request.about}  # a seat, or a number of actions
        offers = [
            Offer(False, text(f"{request.wanted}_no", **args)),
            Offer(True, text(f"{request.wanted}_yes", **args)),
            Offer(None, text("request_later")),
        ]
        question = text(f"{request.wanted}_ask", **args)
        with self.table.cover() as picture:
            answer = self._screen.choose(picture, question, offers, BACK)
        if answer is not None:
            self._write_and_refresh(partial(self._session.answer, request, seats, answer))

    def _request(self, kind: RequestKind, by: int, about: int = 0) -> None:
        """Make a request, which is carried out when all have granted it, or show why it cannot be made.

        ``by``: the seat that makes the request; ``about``: the number of actions to undo, or the seat for which a
        stand-in is to play, else 0."""
        at, refusals = self._match.journal_position, []
        if not self._write_and_refresh(lambda: refusals.append(self._session.request(kind, by, about, at))):
            return
        if why := refusals[0]:
            self._screen.say(self._view.words.say(why))
            return
        for made in self._remote.table_state.open_requests:
            seats_here = self._remote.table_state.seats_to_ask(made) & {*self._remote.own_seats}
            if made.by == by and made.wanted is kind and seats_here:  # people at this terminal were asked before
                self._write_and_refresh(partial(self._session.answer, made, seats_here, agrees=True))
        self._settle_requests()

    def _settle_requests(self) -> None:
        """Carry out the requests from here that all others have granted, and tell who has refused one."""
        for request in self._remote.table_state.open_requests:
            granted = self._remote.table_state.is_granted(request)
            if granted is None or request.by not in self._remote.own_seats or request.wanted is RequestKind.AGAIN:
                continue
            if not granted or request.wanted is RequestKind.UNDO:
                self._write_and_refresh(partial(self._session.close_request, request))
            else:
                self._write_and_refresh(partial(self._session.carry_out, request, STAND_IN))
            if not granted:
                against = tuple(seat for seat, agrees in sorted(request.answers.items()) if not agrees)
                args = {"seats": against, "count": len(against), "to": request.about}
                self._screen.say(self._view.words.text(f"{request.wanted}_refused", **args))
            elif request.wanted is RequestKind.UNDO and len(self._match.undoable(request.by)) == request.about:
                self._match.undo(request.by)

    def _write_and_refresh(self, write: Callable[[], object]) -> bool:
        """Call ``write``, and read the table's state. If the store is busy, say so and return ``False``."""
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
        """Ask for a chat message, and send it. An empty one leads to requests and ready-made phrases."""
        by = self._remote.own_seats[0] if self._remote.own_seats else 0  # 0: a spectator
        text = self._view.words.text

        def check(typed: str) -> str | None:
            is_short = len(clean_name(typed)) <= LONGEST_MESSAGE
            return None if is_short else text("word_rule", number=LONGEST_MESSAGE)

        with self.table.cover() as picture:
            question = text("word_ask" if by else "word_aside")
            written = self._screen.ask(picture, question, "", check, while_typing=True)
        if written:
            self._say(by, None, clean_name(written))
        elif written is not None:
            for request in self._remote.table_state.open_requests:
                if self._unanswered_seats(request):
                    self._ask(request)
                    break
            else:
                self._choose_what_to_say(by)
        self.handle_news()  # it may have been read behind the field

    def _choose_what_to_say(self, by: int) -> None:
        """Offer requests and ready-made phrases to the player in seat ``by``, and send the chosen one."""
        text = self._view.words.text
        phrases: list[Offer] = [Offer(partial(self._say, by, phrase), text(f"phrase.{phrase}")) for phrase in PHRASES]
        chosen: object = Key.NEWS
        state = FormState()
        while chosen is Key.NEWS:
            # Requests come first, so that they are never out of view.
            offers = [*(self._request_offers(by) if by else []), *phrases, Offer(self._mute, text("mute"))]
            if self._notes.chat_and_undos(self._view.words, self._view.settings.talk):
                offers.insert(0, Offer(self._show_all_messages, text("said_so_far")))
            keys = {**BACK, NEWS: Key.NEWS}
            question = text("talk_ask" if by else "talk_aside")
            picture = self.table.picture(())
            chosen = self._screen.choose(picture, question, offers, keys, text("dialogue_keys"), state=state)
            if chosen is Key.NEWS:
                self.handle_news()
        if callable(chosen):
            chosen()

    def _request_offers(self, by: int) -> list[Offer]:
        """Offers to the player in seat ``by``: to withdraw requests, for stand-ins, and to break off the match."""
        if self._is_over:
            return []
        text = self._view.words.text
        table_state = self._remote.table_state
        offers: list[Offer] = [
            Offer(
                partial(self._write_and_refresh, partial(self._session.close_request, request)),
                text("request_withdraw"),
            )
            for request in table_state.open_requests
            if request.by in self._remote.own_seats
        ]
        for status in table_state.places:
            seat = status.seat
            if seat in self._remote.own_seats and status.level is None:
                label = text("stand_in_own", seat=seat)
                start = partial(self._set_stand_in, seat, STAND_IN, "handed_over")
                offers.append(Offer(start, label, confirm=text("confirm", text=label)))
            elif seat in self._remote.own_seats:
                end = partial(self._set_stand_in, seat, None, "back")
                offers.append(Offer(end, text("stand_in_back", seat=seat)))
            elif table_state.may_be_replaced(status):
                label = text("stand_in_request", seat=seat)
                request = partial(self._request, RequestKind.STAND_IN, by, seat)
                offers.append(Offer(request, label, confirm=text("confirm", text=label)))
        return [*offers, self._break_off_offer(by)]

    def _break_off_offer(self, by: int) -> Offer:
        """The offer to break off the match. It cannot be chosen until a player who has just left counts as absent."""
        text, table_state = self._view.words.text, self._remote.table_state
        request = Request(0, RequestKind.BREAK_OFF, by, 0, self._match.journal_position, {})  # not made yet
        others = table_state.seats_to_ask(request) - {*self._remote.own_seats}
        asked = [self._remote.status_of(seat) for seat in others]
        away = [(each.status_since, each.seat) for each in asked if each.terminal is None and each.status_since]
        if away and table_state.timing is None:  # with a time control, nobody counts as absent
            since, seat = max(away)
            when = f"{(since + ABSENT_AFTER).astimezone():%H:%M}"
            return Offer(None, text("break_off_alone"), refused=text("break_off_later", seat=seat, when=when))
        label = text("break_off_request" if asked else "break_off_alone")
        if leavers := table_state.leavers(self._match.game.sides):
            label = text("break_off_left", seat=leavers[0])
        break_off = partial(self._request, RequestKind.BREAK_OFF, by)
        return Offer(break_off, label, confirm=text("confirm", text=label))

    def _say(self, by: int, phrase: str | None, written: str = "") -> None:
        """Send a ``phrase`` or a ``written`` message from seat ``by``, or show a notice if it is too soon to do so."""
        name, sent = None if by else self._spectator, []
        if self._write_and_refresh(lambda: sent.append(self._session.say(by, phrase, written, name))) and not sent[0]:
            self._screen.say(self._view.words.text("word_too_soon"))

    def _mute(self) -> None:
        """Ask for somebody whose chat messages are no longer to be shown here, or are to be shown again."""
        text, remote = self._view.words.text, self._remote
        computers = {status.seat for status in remote.table_state.places if status.level and not status.terminal}
        people = {
            remote.author(status.seat): status.name
            for status in remote.table_state.places
            if status.name and status.seat not in {*remote.own_seats, *computers}
        }
        if not remote.own_seats:  # a spectator hears spectators
            names = self._notes.spectators() - {self._spectator}
            people |= {remote.author(0, name): name for name in sorted(names)}
        offers = [
            Offer((key, name), text("mute_end" if key in remote.muted else "mute_begin", name=name))
            for key, name in people.items()
        ]
        with self.table.cover() as picture:
            chosen = self._screen.choose(picture, text("mute_ask"), offers, BACK)
        if chosen is not None:
            self._write_and_refresh(partial(remote.switch_muted, *chosen))

    def _set_stand_in(self, seat: int, level: str | None, phrase: str) -> None:
        """Let a stand-in of ``level``, or with ``None`` its own player, play for a seat, and say ``phrase`` there."""
        self._write_and_refresh(partial(self._session.stand_in, seat, level))
        self._write_and_refresh(partial(self._session.say, seat, phrase, ""))

    # After the match

    def closing_picture(self, outcome: Outcome, messages: Sequence[Message] = (), of_deal: bool = False) -> Draw:
        """End the match here, perhaps with its first deal (``of_deal``); return the closing picture."""
        self._end()
        return self.table.deal_end_picture(messages) if of_deal else self.table.end_picture(messages, outcome)

    def _end(self) -> None:
        self._is_over = True
        self._screen.turn_notice.withdraw()

    def broken_off_picture(self) -> Draw:
        self._end()
        self.table.hide_hand()
        return self._view.end_picture(Ending(Message("broken_off")))

    def request_rematch(self, draw: Draw, questions: RematchQuestion) -> bool:
        """Ask for a rematch; return whether everybody agrees. Raises :class:`ReviewWanted`."""
        self._screen.discard_typed()
        while True:
            table_state = self._remote.table_state
            request = table_state.rematch_request
            granted = table_state.is_granted(request) if request else None
            if granted or table_state.rematch is not None:
                return True
            own_seats = {*self._remote.own_seats}
            has_answered = request is not None and own_seats <= {request.by, *request.answers}
            answer = self._ask_rematch(draw, request, has_answered, questions)
            if answer is AfterMatch.REVIEW:
                raise ReviewWanted
            if answer in (AfterMatch.LEAVE, Key.LEAVE):
                if granted is None:  # no refusal yet; one tells the others, even if it needs a request first
                    self._answer_rematch(request, own_seats, agrees=False)
                return False
            if answer in (AfterMatch.AGAIN, AfterMatch.SAME):
                same = answer is AfterMatch.SAME
                matching = request if request and request.is_for_same_cards == same else None
                self._answer_rematch(matching, own_seats, agrees=True, same=same)
            self._update(self._remote.accept_news())

    def _ask_rematch(self, draw: Draw, request: Request | None, answered: bool, questions: RematchQuestion) -> object:
        """Ask the people here about a rematch or, if they have ``answered``, whether to wait for the other players.

        Return a member of :class:`AfterMatch`, a key, or ``None`` to wait."""
        text, table_state = self._view.words.text, self._remote.table_state
        leave = Offer(AfterMatch.LEAVE, text("gather_leave"))
        review = [Offer(AfterMatch.REVIEW, text("again_review"))] if questions.can_review else []
        if not questions.yes:  # no match can follow
            return self.table.ask(draw, questions.ask, [leave, *review])
        if request and table_state.is_granted(request) is False:
            against = tuple(sorted(seat for seat, agrees in request.answers.items() if not agrees))
            return self.table.ask(draw, text("again_refused", seats=against, count=len(against)), [leave, *review])
        if request and answered:
            missing = tuple(sorted(table_state.seats_to_ask(request) - request.answers.keys()))
            return self.table.ask(draw, text("again_waits", seats=missing), [Offer(None, text("gather_wait")), leave])
        refusal = [Offer(AfterMatch.LEAVE, text("again_no")), *review]
        if request and request.is_for_same_cards:
            offers = [Offer(AfterMatch.SAME, questions.yes_same), *refusal, Offer(AfterMatch.AGAIN, questions.new)]
            return self.table.ask(draw, text("again_requested_same", seat=request.by), offers)
        offers = [Offer(AfterMatch.AGAIN, questions.yes), *refusal]
        if questions.yes_same and all(table_state.places[seat - 1].terminal for seat in questions.people):
            offers.append(Offer(AfterMatch.SAME, questions.yes_same))
        return self.table.ask(draw, text("again_requested", seat=request.by) if request else questions.ask, offers)

    def _answer_rematch(self, request: Request | None, own: set[int], agrees: bool, same: bool = False) -> None:
        """Answer ``request`` for the seats ``own``; with ``None``, first make it, for the same cards if ``same``."""
        if request is None:
            self._request(RequestKind.AGAIN, min(own), int(same))
            request = self._remote.table_state.rematch_request
            if request and request.is_for_same_cards != same:  # another terminal has asked for other cards since
                return
        if request is not None:
            self._write_and_refresh(partial(self._session.answer, request, own, agrees))
