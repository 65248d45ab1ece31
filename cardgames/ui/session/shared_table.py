"""A match at a table with other terminals: the players here, and requests and chat with the others."""

from collections.abc import Collection
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from typing import Any

from cardgames.engine.game import CHANCE, Message
from cardgames.engine.player_names import clean_name
from cardgames.match import JournalPosition, Match, Player, Step, TakeBack, UndoneSteps
from cardgames.match.table_state import ABSENT_AFTER, Request, RequestKind
from cardgames.match.time_control import TimeUp
from cardgames.store import Store, StoreBusy, StoreError
from cardgames.store.table_session import TableSession
from cardgames.ui.screens.offers import BACK, NEWS, SHARED_KEYS, FormState, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session.local_session import SessionOptions, question_to_retry
from cardgames.ui.session.news import MATCH_OVER, RemoteTable
from cardgames.ui.table.computers import Computers
from cardgames.ui.table.foot_keys import STAND_IN, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import PAUSE_SECONDS, Table
from cardgames.ui.table.view import View

LONGEST_MESSAGE = 60
"""The most characters of a chat message."""
MISSED_SHOWN = 2
"""The most missed chat messages that are shown to a player who has come back."""
SHARED_UNAIDED_KEYS = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.UNDO, Key.HINT)}
"""The keys of spectators, and of players at a rated table or a board: all except undo and hint."""

PHRASES = (
    "hello", "good_luck", "well_played", "good_game", "thanks", "sorry", "one_moment", "go_on", "back", "goodbye",
)  # fmt: skip
"""The keys of the ready-made chat messages."""


class SharedTable(RemoteTable):
    """A table with a match, shared with other terminals. It implements :class:`RemotePlayers` for this match."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, options: SessionOptions) -> None:
        number, settings = session.match, options.settings()
        self._header, _ = store.load(number)
        chance_source = cache(lambda: session.persist(lambda: store.chance(number)))  # read at the first shuffle
        minutes = store.match(number).minutes
        self._match = Match(self._header.new_game(), session, lambda chance, ply: chance_source()(chance, ply), minutes)
        if session.is_spectator and settings.pause in ("key", "natural"):  # these would wait for a key
            settings = settings._replace(pause=PAUSE_SECONDS)
        self._view = View(self._match, self._header.names or (), settings, computers=self._header.computers)
        super().__init__(screen, store, session, self._view.words, settings)
        self._view.title, self._view.open_hands = self.title, bool(session.delay)
        self._view.clocks = screen.clocks = self.clocks
        session.wants_retry = question_to_retry(screen, self._words, settings)
        self._options = options
        self._computers = Computers(self._header, options.programs, store.seed(number), options.undo)
        self._computers.delay = self.thinking_delay
        self._computers.report = lambda seat: session.persist(lambda: session.say(seat, "program_failed", ""))
        self._is_over = False
        """Whether this terminal has shown the end of the match."""
        self._is_notified = bool(self._match.ply)  # the returning player is looking already
        """Whether a player here has been notified of the present turn."""
        self._notes = MatchNotes(store, number, session.persist)
        self._notes.is_muted = self.is_muted
        if session.delay:
            self._notes.hides_end = lambda: self._match.outcome is None
        self.table = table = Table(screen, self._view, self.own_seats, self._notes)
        self._computer_at = cache(partial(self._computers.seat_computer, table))
        prefix = "simply_leave" if session.is_spectator else "leave"
        table.on_leave = partial(ask_to_leave, screen, self._words, prefix=prefix)
        table.shared_key = lambda key: self._talk() if key is Key.TALK else self.handle_news()
        table.background_news = self._news_under_page
        table.store_setting = options.keep_setting
        self._is_aided = not (store.match(number).rated or session.is_spectator or self._board)
        table.keys = SHARED_KEYS if self._is_aided else SHARED_UNAIDED_KEYS
        self.players: dict[int, Player] = {}
        """The players whose actions this terminal makes, people or computers, by seat."""
        self._match.watch(self._after_entry)

    def is_final(self, state: Any) -> bool:
        """Whether a state is the last to be played: the end of the match or, of a board, that of the first deal."""
        game, has_begun = self._match.game, any(step.by == CHANCE for step in self._match.steps)
        return has_begun and game.deal_over(state) if self._board else game.outcome(state) is not None

    @property
    def to_act(self) -> int | None:
        return None if self.is_final(self._match.state) else self._match.to_act

    @property
    def journal_position(self) -> JournalPosition:
        return self._match.journal_position

    # RemotePlayers

    def wait(self, seat: int) -> TakeBack | None:
        """Show the table until there is news, or until somebody here requests an undo; return the undo, if any."""
        return self.table.wait(self.status_line(seat))

    def consents(self, seat: int, count: int) -> bool:
        """Request that ``seat`` may undo ``count`` actions. Return ``False``: it is undone when all have agreed."""
        self._request(RequestKind.UNDO, seat, count)
        return False

    # Before the first card

    def contribute(self) -> None:
        """Add numbers to the shuffles, and wait for those of other terminals. Raises as :meth:`handle_news`."""
        if self._match.ply:
            return
        while missing := self._session.persist(self._session.contribute):
            self.table.wait(self._words.text("waiting_shuffle", seats=missing))
        self.read_table()

    def read_table(self) -> None:
        """Read the table's state, and handle its news. Raises as :meth:`handle_news`."""
        self.refresh()
        self._settle_requests()

    def show_missed_messages(self) -> None:
        """Show the latest chat messages and undos that people here missed while they were away."""
        left_at = self._session.away_since
        if left_at is None or not self._match.ply:
            return
        if missed := self._notes.chat_and_undos(self._words, self._settings.talk, left_at):
            when = f"{left_at.astimezone():%H:%M}"
            count = Message("while_away", {"when": when, "count": len(missed)})
            # The count comes last, as its key leads to the other messages.
            self._view.add_notices([*[message for _, message in missed[-MISSED_SHOWN:]], count])

    def _show_all_messages(self) -> None:
        words = self._words
        messages = self._notes.chat_and_undos(words, self._settings.talk)
        lines = [f"{at.astimezone():%H:%M}  {words.say(message)}" for at, message in messages]
        page = titled_page(self._settings, words.text("page_said", title=self._view.title), lines)
        with self.table.cover():
            self._screen.show(page, latest=True)

    # News

    def handle_news(self) -> None:
        """Handle news, and carry out the requests from here that have been granted.

        Raises :class:`StoreError` if the match is over, and :class:`MatchHeld` if all people here have moved away."""
        self.accept_news()
        self._settle_requests()

    def _news_under_page(self) -> str:
        """Handle news while a page covers the table. Return a notice if somebody here has to act, else ``""``."""
        with suppress(StoreBusy):  # it is read when the table is in view again
            self.accept_news()
        text, seat = self._words.text, self.to_act
        if request := self._request_to_answer:
            return text("asked_meanwhile", seat=request.by)
        return text("hand_over", seat=seat) if seat in self.own_seats else ""

    def _update(self, messages: Collection[Message]) -> None:
        """Bring match and players up to date with the table; show ``messages``. Raises as :meth:`handle_news`."""
        table_state = self.table_state
        can_read = not self.store_away  # else the match is read when the store is back
        if can_read and table_state.journal_position != self._match.journal_position:
            self._match.catch_up()
        self._view.add_chat(messages)
        if can_read and table_state.is_over and not (self.is_final(self._match.state) or self._is_over):
            raise StoreError(MATCH_OVER, match=self._session.match)  # no action has ended the match
        self.check_seats()
        self._apply_time_control()
        self._assign_players()
        self._view.requests = self._request_lines()

    def _after_entry(self, entry: Step | UndoneSteps) -> None:
        """Update the clocks after an action or an undo, and notify the next player."""
        has_begun = self._match.ply == 1  # which starts the clocks, if there are any
        if (self.table_state.timing or has_begun) and not self._session.is_spectator:
            with suppress(StoreBusy):
                self.table_state = self.table_state._replace(timing=self._session.read_clocks())
            self._assign_players()
        self._view.requests = self._request_lines()
        self._notify_turn()

    def _apply_time_control(self) -> None:
        """Let a stand-in take over from a player who is out of time, or let the player lose, as the time control says.

        Several terminals try this; the store accepts the first attempt."""
        late_seat, timing = self.late_seat, self.table_state.timing
        if not (late_seat and timing) or self._session.is_spectator or timing.control.time_up is TimeUp.MOVES:
            return  # for MOVES, see `_assign_players`
        at = self._match.journal_position
        with suppress(StoreBusy):  # the next news tries again
            if timing.control.time_up is TimeUp.TAKES_OVER:
                self._session.take_over(late_seat, STAND_IN, at)
            else:
                other_sides = [side for side in self._match.game.sides if late_seat not in side]
                self._session.lose(late_seat, [*chain.from_iterable(other_sides)], at)
            self.refresh()

    def _assign_players(self) -> None:
        """Set the marks beside the names, and the player of each seat; when time is up, a computer may move."""
        own_seats, late_seat, timing = self.own_seats, self.late_seat, self.table_state.timing
        computer_moves = bool(late_seat) and timing is not None and timing.control.time_up is TimeUp.MOVES
        self._session.moves_for = (late_seat, STAND_IN) if computer_moves else None
        self._view.marks = self.marks()
        for status in self.table_state.places:
            is_moved_for = computer_moves and status.seat == late_seat and not self._session.is_spectator
            level = STAND_IN if is_moved_for else status.level
            if computer := level and self._computer_at(status.seat, level):
                self.players[status.seat] = computer
            elif status.seat in own_seats:
                self.players[status.seat] = self.table
            else:
                self.players.pop(status.seat, None)

    def _notify_turn(self) -> None:
        """Notify a player here when their turn begins, and withdraw the notice when it ends."""
        seat, text = self.to_act, self._words.text
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
        """The seats here that must still answer ``request``."""
        return self.table_state.seats_to_ask(request) & ({*self.own_seats} - request.answers.keys())

    @property
    def _request_to_answer(self) -> Request | None:
        """The first open request that somebody here must still answer, if any."""
        return next(filter(self._unanswered_seats, self.table_state.open_requests), None)

    def _request_lines(self) -> list[Message]:
        """The lines about open requests that people here have made or can answer, as a question would be in the way."""
        lines = []
        for request in self.table_state.open_requests:
            if request.wanted is RequestKind.UNDO and request.at != self._match.journal_position:
                continue  # an action from here may be newer than the table's state
            missing = self.table_state.seats_to_ask(request) - request.answers.keys()
            if self._unanswered_seats(request):
                args = {"seat": request.by, "to": request.about, "count": request.about}
                lines.append(Message(f"{request.wanted}_requested", args))
            elif missing and request.by in self.own_seats:
                lines.append(Message("request_waits", {"seats": tuple(sorted(missing))}))
        return lines

    def _ask(self, request: Request) -> None:
        """Ask the people here whether they grant a request. They can answer later."""
        text, seats = self._words.text, self._unanswered_seats(request)
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
            self._write(partial(self._session.answer, request, seats, answer))

    def _request(self, kind: RequestKind, by: int, about: int = 0) -> None:
        """Make a request, which is carried out when all have granted it, or show why it cannot be made.

        ``by``: the seat that makes the request; ``about``: the number of actions to undo, or the seat for which a
        stand-in is to play, else 0."""
        at, refusals = self._match.journal_position, []
        if not self._write(lambda: refusals.append(self._session.request(kind, by, about, at))):
            return
        if why := refusals[0]:
            self._screen.say(self._words.say(why))
            return
        for made in self.table_state.open_requests:
            seats_here = self.table_state.seats_to_ask(made) & {*self.own_seats}
            if made.by == by and made.wanted is kind and seats_here:  # people at this terminal were asked before
                self._write(partial(self._session.answer, made, seats_here, agrees=True))
        self._settle_requests()

    def _settle_requests(self) -> None:
        """Carry out the requests from here that all others have granted, and tell who has refused one."""
        for request in self.table_state.open_requests:
            granted = self.table_state.is_granted(request)
            if granted is None or request.by not in self.own_seats:
                continue
            if not granted or request.wanted is RequestKind.UNDO:
                self._write(partial(self._session.close_request, request))
            else:
                self._write(partial(self._session.carry_out, request, STAND_IN))
            if not granted:
                against = tuple(seat for seat, agrees in sorted(request.answers.items()) if not agrees)
                args = {"seats": against, "count": len(against), "to": request.about}
                self._screen.say(self._words.text(f"{request.wanted}_refused", **args))
            elif request.wanted is RequestKind.UNDO and len(self._match.undoable(request.by)) == request.about:
                self._match.undo(request.by)

    # The key to talk

    def _talk(self) -> None:
        """Ask for a chat message, and send it. An empty one leads to requests and ready-made phrases."""
        by = self.own_seats[0] if self.own_seats else 0  # 0: a spectator
        text = self._words.text

        def check(typed: str) -> str | None:
            is_short = len(clean_name(typed)) <= LONGEST_MESSAGE
            return None if is_short else text("word_rule", number=LONGEST_MESSAGE)

        with self.table.cover() as picture:
            question = text("word_ask" if by else "word_aside")
            written = self._screen.ask(picture, question, "", check, while_typing=True)
        if written:
            self._say(by, None, clean_name(written))
        elif written is not None:
            if request := self._request_to_answer:
                self._ask(request)
            else:
                self._choose_what_to_say(by)
        self.handle_news()  # it may have been read behind the field

    def _choose_what_to_say(self, by: int) -> None:
        """Offer requests and ready-made phrases to the player in seat ``by``, and send the chosen one."""
        text = self._words.text
        phrases: list[Offer] = [Offer(partial(self._say, by, phrase), text(f"phrase.{phrase}")) for phrase in PHRASES]
        chosen: object = Key.NEWS
        state = FormState()
        while chosen is Key.NEWS:
            # Requests come first, so that they are never out of view.
            offers = [*(self._request_offers(by) if by else []), *phrases, Offer(self._mute, text("mute"))]
            if self._notes.chat_and_undos(self._words, self._settings.talk):
                offers.insert(0, Offer(self._show_all_messages, text("said_so_far")))
            keys = {**BACK, NEWS: Key.NEWS}
            question = text("talk_ask" if by else "talk_aside")
            picture = self.table.picture()
            chosen = self._screen.choose(picture, question, offers, keys, text("dialogue_keys"), state=state)
            if chosen is Key.NEWS:
                self.handle_news()
        if callable(chosen):
            chosen()

    def _request_offers(self, by: int) -> list[Offer]:
        """Offers to the player in seat ``by``: to withdraw requests, for stand-ins, and to break off the match."""
        if self._is_over:
            return []
        text = self._words.text
        table_state = self.table_state
        offers: list[Offer] = [
            Offer(partial(self._write, partial(self._session.close_request, request)), text("request_withdraw"))
            for request in table_state.open_requests
            if request.by in self.own_seats
        ]
        for status in table_state.places:
            seat = status.seat
            if seat in self.own_seats and status.level is None:
                start = partial(self._set_stand_in, seat, STAND_IN, "handed_over")
                offers.append(self._costly_offer(start, text("stand_in_own", seat=seat)))
            elif seat in self.own_seats:
                end = partial(self._set_stand_in, seat, None, "back")
                offers.append(Offer(end, text("stand_in_back", seat=seat)))
            elif table_state.may_be_replaced(status):
                request = partial(self._request, RequestKind.STAND_IN, by, seat)
                offers.append(self._costly_offer(request, text("stand_in_request", seat=seat)))
        return [*offers, self._break_off_offer(by)]

    def _break_off_offer(self, by: int) -> Offer:
        """The offer to break off the match. It cannot be chosen until a player who has just left counts as absent."""
        text, table_state = self._words.text, self.table_state
        request = Request(0, RequestKind.BREAK_OFF, by, 0, self._match.journal_position, {})  # not made yet
        others = table_state.seats_to_ask(request) - {*self.own_seats}
        asked = [self.status_of(seat) for seat in others]
        away = [(each.status_since, each.seat) for each in asked if each.terminal is None and each.status_since]
        if away and table_state.timing is None:  # with a time control, nobody counts as absent
            since, seat = max(away)
            when = f"{(since + ABSENT_AFTER).astimezone():%H:%M}"
            return Offer(None, text("break_off_alone"), refused=text("break_off_later", seat=seat, when=when))
        label = text("break_off_request" if asked else "break_off_alone")
        if leavers := table_state.leavers(self._match.game.sides):
            label = text("break_off_left", seat=leavers[0])
        return self._costly_offer(partial(self._request, RequestKind.BREAK_OFF, by), label)

    def _say(self, by: int, phrase: str | None, written: str = "") -> None:
        """Send a ``phrase`` or a ``written`` message from seat ``by``, or show a notice if it is too soon to do so."""
        name, sent = None if by else self._options.spectator, []
        if self._write(lambda: sent.append(self._session.say(by, phrase, written, name))) and not sent[0]:
            self._screen.say(self._words.text("word_too_soon"))

    def _mute(self) -> None:
        """Ask for somebody whose chat messages are no longer to be shown here, or are to be shown again."""
        text = self._words.text
        others = [status for status in self.table_state.places if status.name and status.seat not in self.own_seats]
        people = {self.author(each.seat): each.name for each in others if each.terminal or not each.level}
        if not self.own_seats:  # a spectator hears spectators
            names = self._notes.spectators() - {self._options.spectator}
            people |= {self.author(0, name): name for name in sorted(names)}
        offers = [
            Offer((key, name), text("mute_end" if key in self.muted else "mute_begin", name=name))
            for key, name in people.items()
        ]
        with self.table.cover() as picture:
            chosen = self._screen.choose(picture, text("mute_ask"), offers, BACK)
        if chosen is not None:
            self._write(partial(self.switch_muted, *chosen))

    def _set_stand_in(self, seat: int, level: str | None, phrase: str) -> None:
        """Let a stand-in of ``level``, or with ``None`` its own player, play for a seat, and say ``phrase`` there."""
        self._write(partial(self._session.stand_in, seat, level))
        self._write(partial(self._session.say, seat, phrase, ""))
