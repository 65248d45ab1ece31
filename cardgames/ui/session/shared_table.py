"""A match at a table with other terminals: the players here, and requests and chat with the others."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cache, partial
from math import inf
from time import monotonic
from typing import Any, cast

from cardgames.bots.review import standing
from cardgames.engine.game import CHANCE, Message, Outcome
from cardgames.engine.player_names import clean_name
from cardgames.match import JournalPosition, Match, Player, Step, TakeBack, UndoneSteps, play_until
from cardgames.match.table_state import ABSENT_AFTER, Request, RequestKind
from cardgames.match.time_control import TimeUp
from cardgames.store import MatchHeld, Store, StoreBusy, StoreError
from cardgames.store.matches import LEFT, TIME_UP
from cardgames.store.table_session import TableSession
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.review.ratings import ranking_lines
from cardgames.ui.screens.offers import BACK, NEWS, SHARED_KEYS, Call, FormState, Key, Offer, Page, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session.local_session import ReviewWanted, SessionOptions, question_to_retry
from cardgames.ui.session.news import LOOK_EVERY, RemoteTable
from cardgames.ui.table.computers import Computers
from cardgames.ui.table.foot_keys import STAND_IN, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import PAUSE_SECONDS, AfterMatch, Table
from cardgames.ui.table.view import View
from cardgames.ui.times import duration, time_left

LONGEST_MESSAGE = 60
"""The most characters of a chat message."""
MATCH_OVER = "store_match_over"
"""The reason of a :class:`StoreError` if other terminals have ended the match."""
PATIENCE = 3.0
"""Seconds for which a terminal leaves a computer's move to each terminal of lower seats."""
LEADERS = 3
"""The most entrants of a duplicate tournament, besides those at this table, that are listed after a deal."""
MISSED_SHOWN = 2
"""The most missed chat messages that are shown to a player who has come back."""
SHARED_UNAIDED_KEYS = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.UNDO, Key.HINT)}
"""The keys of spectators, and of players at a rated table or a board: all except undo and hint."""

PHRASES = (
    "hello", "good_luck", "well_played", "good_game", "thanks", "sorry", "one_moment", "go_on", "back", "goodbye",
)  # fmt: skip
"""The keys of the ready-made chat messages."""


class SharedTable(RemoteTable):
    """A match that is shared with other terminals, as played or watched at this terminal.

    It implements :class:`RemotePlayers` for this match."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, options: SessionOptions) -> None:
        super().__init__(screen, store, session, options)
        number, settings = session.match, self._settings
        chance_source = cache(lambda: session.persist(lambda: store.chance(number)))  # read at the first shuffle
        minutes = store.match(number).minutes
        self._match = Match(self._header.new_game(), session, lambda chance, ply: chance_source()(chance, ply), minutes)
        if session.is_spectator and settings.pause in ("key", "natural"):  # these would wait for a key
            settings = settings._replace(pause=PAUSE_SECONDS)
        self._view = View(self._match, self._header.names or (), settings, self.title, self._header.computers)
        self._words = self._view.words
        self._view.open_hands = bool(session.delay)
        self._view.clocks = screen.clocks = self._clocks
        self._view.requests = self._request_lines
        session.wants_retry = question_to_retry(screen, self._words, settings)
        self._computers = Computers(self._header, options.programs, store.seed(number), options.undo)
        self._computers.delay = self._thinking_delay
        self._computers.report = lambda seat: session.persist(lambda: session.say(seat, "program_failed", ""))
        self._is_over = False
        """Whether this terminal has shown the end of the match."""
        self._is_notified = bool(self._match.ply)  # the returning player is looking already
        """Whether a player here has been notified of the present turn."""
        self._report_late_at = float("-inf")
        """The monotonic time of the next report that a player is out of time."""
        self._notes = MatchNotes(store, number, session.persist)
        self._notes.is_muted = self.is_muted
        if session.delay:
            self._notes.hides_end = lambda: self._match.outcome is None
        self.table = table = Table(screen, self._view, self.own_seats, self._notes)
        self._computer_at = cache(partial(self._computers.seat_computer, table))
        prefix = "simply_leave" if session.is_spectator else "leave"
        table.on_leave = partial(ask_to_leave, screen, self._words, prefix=prefix)
        table.shared_key = lambda key: self._talk() if key is Key.TALK else self._handle_news()
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
        """The current player's seat, 0 for chance; ``None`` at the end."""
        return None if self.is_final(self._match.state) else self._match.to_act

    @property
    def _journal_position(self) -> JournalPosition:
        return self._match.journal_position  # even in a pause after an action, and after a match could not be read

    # From the first card to the rematch

    def play(self) -> int | None:
        """Play or watch the match; return the number of the rematch, if any."""
        number, match, session = self._session.match, self._match, self._session
        if not (session.is_spectator or self._board or match.ply):  # not begun
            # The commitment includes the names, which are known only now.
            session.persist(lambda: self._store.commit(number))
        with self._computers:
            try:
                self._handle_news()
                if not session.is_spectator:
                    self._play_here()
                while not self.is_final(match.state):
                    self.wait(match.to_act or CHANCE)
            except StoreError as error:
                if error.reason.key != MATCH_OVER:
                    raise
        self._is_over = True
        self._screen.turn_notice.withdraw()
        if not (self.is_final(match.state) or self._is_lost_early):
            self.table.hide_hand()
            self.show_broken_off(self._view.end_picture(Ending(Message("broken_off"))))
            return None
        if self._board and self.is_final(match.state):
            results = [standing(match.game, match.state, seat) for seat in range(1, match.game.seats + 1)]
            session.persist(lambda: session.end_board(results))
        return self._finish()

    def _play_here(self) -> None:
        """Play the seats of this terminal until the match is over. The match of a board ends after its first deal."""
        if not any(step.by in self.own_seats for step in self._match.steps):
            self.table.show_commitment()
            if delay := self._store.open_hands(self._session.match):
                self._view.add_notices([Message("open_hands_about", {"value": duration(delay, self._words)})])
        if not self._board:
            self._contribute()
        self._show_missed_messages()
        self._screen.discard_typed()  # nobody has seen their hand yet
        while not self.is_final(self._match.state):
            try:
                play_until(self._match, self.players, self, self.is_final)
            except MatchHeld:  # the player may just have returned to a seat for which a computer acted here
                self._session.persist(self._read_table)

    def _finish(self) -> int | None:
        """Show the end of the match and ask for a rematch; return the rematch's number, or ``None`` without one."""
        match, session = self._match, self._session
        outcome = match.outcome or self._store.match(session.match).outcome
        assert outcome
        if session.is_spectator:
            return self._await_rematch(self.table.end_picture(outcome=outcome))
        # *Ruling*: the player who lost by the clock, or left, deals.
        dealer = cast(int, outcome.why.args["seat"]) if self._is_lost_early else match.game.next_dealer(match.state)
        if not self._request_rematch(*self._closing_page(outcome, dealer)):
            return None
        return session.persist(lambda: session.create_rematch(self._header._replace(dealer=dealer)))

    @property
    def _is_lost_early(self) -> bool:
        """Whether the match is over because somebody's time is up, or somebody has left a rated match."""
        outcome = self._store.match(self._session.match).outcome
        return outcome is not None and outcome.why.key in (TIME_UP, LEFT)

    def _await_rematch(self, draw: Picture) -> int | None:
        """Show spectators the end of the match; return the number of a rematch, or ``None`` if they leave."""
        leave = [Offer(Key.LEAVE, self._words.text("menu.leave"))]
        while self.table_state.rematch is None:
            if self.table.ask(draw, self._words.text("gather_ask"), leave) is Key.LEAVE:
                return None
        return self.table_state.rematch

    def _closing_page(self, outcome: Outcome, dealer: int) -> tuple[Picture, str, list[Offer]]:
        """The closing picture of the match, the question below, and the offers of other matches, if any can follow.

        They are a match with new cards, whose first ``dealer`` is given, and then perhaps one with the same cards, and
        new cards where others ask for the same."""
        text, board, header = self._words.text, self._board, self._header
        if not board:
            from cardgames.ui.review.progress_page import closing_messages

            progress = closing_messages(self._store, self.own_seats, header, self._settings)
            offers = [Offer(AfterMatch.AGAIN, text("again_yes", seat=dealer))]
            # Same cards: not in rated matches, and only with a commitment, which the rematch takes over.
            if self._is_aided and self._store.commitment(self._session.match):
                offers.append(Offer(AfterMatch.SAME, text("again_same", seat=header.dealer)))
                offers.append(Offer(AfterMatch.AGAIN, text("again_new", seat=dealer)))
            return self.table.end_picture(progress, outcome), text("again"), offers
        ranking = self._store.ranking(board.duplicate.name)
        lines = ranking_lines(ranking, self._words, board.table, LEADERS)
        messages = [Message("why." + outcome.why.key, outcome.why.args)] if self._is_lost_early else []
        draw = self.table.deal_end_picture([*messages, *[Message("line", {"text": line}) for line in lines]])
        if board.number == board.duplicate.deals:
            return draw, text("duplicate.all_over", number=board.number), []
        again = Offer(AfterMatch.AGAIN, text("duplicate.next", number=board.number + 1))
        return draw, text("duplicate.over", number=board.number), [again]

    def _request_rematch(self, draw: Picture, question: str, offers: Sequence[Offer]) -> bool:
        """Ask for a rematch, with the results of :meth:`_closing_page`; return whether everybody agrees.

        Raises :class:`ReviewWanted`."""
        self._screen.discard_typed()
        while True:
            request = self.table_state.rematch_request
            granted = self.table_state.is_granted(request) if request else None
            if granted or self.table_state.rematch is not None:
                return True
            answer = self.table.ask(draw, *self._question_now(question, offers, request))
            if answer is AfterMatch.REVIEW:
                raise ReviewWanted
            if answer in (AfterMatch.LEAVE, Key.LEAVE):
                if granted is None:  # no refusal yet; one tells the others, even if it needs a request first
                    self._answer_rematch(request, agrees=False)
                return False
            if isinstance(answer, AfterMatch):
                same = answer is AfterMatch.SAME
                matching = request if request and request.is_for_same_cards == same else None
                self._answer_rematch(matching, agrees=True, same=same)
            self.accept_news()

    def _question_now(self, question: str, offers: Sequence[Offer], request: Request | None) -> tuple[str, list[Offer]]:
        """The question about a rematch or, if the people here have answered ``request``, whether to wait for others.

        The offers have members of :class:`AfterMatch`, or ``None`` to wait."""
        text, table_state = self._words.text, self.table_state
        leave = Offer(AfterMatch.LEAVE, text("gather_leave"))
        review = Offer(AfterMatch.REVIEW, text("again_review"))
        if not offers:  # no match can follow
            return question, [leave, review]
        if request and table_state.is_granted(request) is False:
            refusers = request.refusers
            return text("again_refused", seats=refusers, count=len(refusers)), [leave, review]
        if request and {*self.own_seats} <= {request.by, *request.answers}:
            missing = tuple(sorted(table_state.missing_answers(request)))
            return text("again_waits", seats=missing), [Offer(None, text("gather_wait")), leave]
        again, *others = offers
        refusal = [Offer(AfterMatch.LEAVE, text("again_no")), review]
        if request and request.is_for_same_cards:
            same, new = others
            return text("again_requested", seat=request.by, same=True), [same, *refusal, new]
        computers = self._header.computers
        is_complete = all(status.terminal for status in table_state.places if status.seat not in computers)
        offers = [again, *refusal, *(others[:1] if is_complete else [])]
        return text("again_requested", seat=request.by, same=False) if request else question, offers

    def _answer_rematch(self, request: Request | None, agrees: bool, same: bool = False) -> None:
        """Answer ``request`` for the people here; with ``None``, first make it, for the same cards if ``same``."""
        if request is None:
            self._request(RequestKind.AGAIN, min(self.own_seats), int(same))
            request = self.table_state.rematch_request
            if request and request.is_for_same_cards != same:  # another terminal has asked for other cards since
                return
        if request is not None:
            self._write(partial(self._session.answer, request, self.own_seats, agrees))

    # RemotePlayers

    def wait(self, seat: int) -> TakeBack | None:
        """Show the table until there is news, or until somebody here requests an undo; return the undo, if any."""
        return self.table.wait(self._status_line(seat))

    def consents(self, seat: int, count: int) -> bool:
        """Request that ``seat`` may undo ``count`` actions. Return ``False``: it is undone when all have agreed."""
        self._request(RequestKind.UNDO, seat, count)
        return False

    # Before the first card

    def _contribute(self) -> None:
        """Add numbers to the shuffles, and wait for those of other terminals. Raises as :meth:`_handle_news`."""
        if self._match.ply:
            return
        while missing := self._session.persist(self._session.contribute):
            self.table.wait(self._words.text("waiting_shuffle", seats=missing))
        self._read_table()

    def _read_table(self) -> None:
        """Read the table's state, and handle its news. Raises as :meth:`_handle_news`."""
        self.refresh()
        self._settle_requests()

    def _show_missed_messages(self) -> None:
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
        page = Page(words.text("page_said", title=self._view.title), lines)
        with self.table.cover():
            self._screen.show(page, latest=True)

    # News

    def _handle_news(self) -> None:
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
        """Bring match and players up to date with the table; show ``messages``. Raises as :meth:`_handle_news`."""
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

    def _after_entry(self, entry: Step | UndoneSteps) -> None:
        """Bring the table's state up to date after an action or an undo, and notify the next player."""
        self.table_state = self.table_state._replace(journal_position=self._match.journal_position)
        has_begun = self._match.ply == 1  # which starts the clocks, if there are any
        if (self.table_state.timing or has_begun) and not self._session.is_spectator:
            with suppress(StoreBusy):
                self.table_state = self.table_state._replace(timing=self._store.timing(self._session.match))
            self._assign_players()
        self._notify_turn()

    def _apply_time_control(self) -> None:
        """Let a stand-in take over from a player who is out of time, or let the player lose, as the time control says.

        Several terminals try this; the store accepts the first attempt."""
        late_seat, timing = self._late_seat, self.table_state.timing
        if not (late_seat and timing) or self._session.is_spectator or timing.control.time_up is TimeUp.MOVES:
            return  # for MOVES, see `_assign_players`
        with suppress(StoreBusy):  # the next news tries again
            self._session.time_is_up(late_seat, STAND_IN, self._match.journal_position)
            self.refresh()

    def _assign_players(self) -> None:
        """Set the marks beside the names, and the player of each seat; when time is up, a computer may move."""
        own_seats, late_seat, timing = self.own_seats, self._late_seat, self.table_state.timing
        computer_moves = bool(late_seat) and timing is not None and timing.control.time_up is TimeUp.MOVES
        self._session.moves_for = (late_seat, STAND_IN) if computer_moves else None
        self._view.marks = self._marks()
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

    # Clocks

    @property
    def _late_seat(self) -> int:
        seat, state = self.to_act, self.table_state
        if not seat or self.store_away or state.timing is None or state.is_over or self._is_computer(seat):
            return 0
        return seat if self._session.seconds_left(state.timing, seat, runs=True) <= 0 else 0

    def _clocks(self) -> dict[int, str]:
        """The clocks in use: the remaining time, in words, of each seat that has one."""
        timing = self.table_state.timing
        if timing is None or self.table_state.is_over or not (seat := self.to_act):
            return {}
        shown = (seat,) if timing.control.each else range(1, len(self.table_state.places) + 1)
        people = [each for each in shown if not self._is_computer(each)]
        left = partial(self._session.seconds_left, timing)
        return {each: time_left(left(each, runs=each == seat), self._words) for each in people}

    def _is_due(self) -> bool:
        """Whether to handle that a player is out of time, once in ``LOOK_EVERY`` seconds."""
        if not self._late_seat or monotonic() < self._report_late_at:
            return False
        self._report_late_at = monotonic() + LOOK_EVERY
        return True

    # Texts

    def _marks(self) -> dict[int, Message]:
        """Map the seat of each computer and of each absent player to the mark beside the name."""
        marks = {}
        for status in self.table_state.places:
            if status.level is not None:
                marks[status.seat] = Message("computer." + status.level)
            elif status.name is not None and status.terminal is None:
                marks[status.seat] = Message("away")
        return marks

    def _status_line(self, seat: int) -> str:
        """The status line while the table waits for the player in ``seat`` (0: the deal), or for the store."""
        text, status = self._words.text, self.status_of(seat) if seat else None
        if self.store_away:
            return text("waiting_store")
        if self._session.delay:
            return text("open_hands_late", value=duration(self._session.delay, self._words))
        if seat and self._is_computer(seat):
            return text("thinking", seat=seat, first=False)
        if status and status.terminal is None and status.status_since is not None:
            key = "waiting_away_watching" if self._session.is_spectator else "waiting_away"
            return text(key, seat=seat, when=f"{status.status_since.astimezone():%H:%M}")
        return text("waiting_for", seat=seat)

    def _thinking_delay(self) -> float:
        """Seconds in which a terminal with lower seats may make a computer's move before this one does."""
        first_seat = min(self.own_seats, default=inf)
        others = {status.terminal for status in self.table_state.places if status.seat < first_seat}
        return PATIENCE * len(others - {None})  # the first terminal need not wait

    # Requests

    def _unanswered_seats(self, request: Request) -> set[int]:
        """The seats here that must still answer ``request``."""
        return self.table_state.missing_answers(request) & {*self.own_seats}

    @property
    def _request_to_answer(self) -> Request | None:
        """The first open request that somebody here must still answer, if any."""
        return next(filter(self._unanswered_seats, self.table_state.open_requests), None)

    def _request_lines(self) -> list[Message]:
        """The lines about open requests that people here have made or can answer, as a question would be in the way."""
        lines = []
        for request in self.table_state.open_requests:
            missing = self.table_state.missing_answers(request)
            if self._unanswered_seats(request):
                args = {"seat": request.by, "to": request.about, "count": request.about}
                lines.append(Message(f"{request.wanted}_requested", args))
            elif missing and request.by in self.own_seats:
                lines.append(Message("request_waits", {"seats": tuple(sorted(missing))}))
        return lines

    def _ask(self, request: Request) -> None:
        """Ask the people here whether they grant a request. They can answer later."""
        seats, later = self._unanswered_seats(request), Offer(None, self._words.text("request_later"))
        about = request.about  # a seat, or a number of actions
        answer = self.table.ask_to_grant(request.wanted, [later], seat=request.by, to=about, count=about)
        if answer is not None:
            self._write(partial(self._session.answer, request, seats, answer))

    def _request(self, kind: RequestKind, by: int, about: int = 0) -> None:
        """Make a request, which is carried out when all have granted it, or show why it cannot be made.

        ``by``: the seat that makes the request; ``about``: the number of actions to undo, or the seat for which a
        stand-in is to play, else 0."""
        if not self._write(partial(self._session.request, kind, by, about, self._match.journal_position)):
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
            self._write(partial(self._session.carry_out, request, STAND_IN))
            if not granted:
                args = {"seats": request.refusers, "count": len(request.refusers), "to": request.about}
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
        self._handle_news()  # it may have been read behind the field

    def _choose_what_to_say(self, by: int) -> None:
        """Offer requests and ready-made phrases to the player in seat ``by``, and send the chosen one."""
        text = self._words.text
        phrases: list[Offer] = [Offer(Call(self._say, by, phrase), text(f"phrase.{phrase}")) for phrase in PHRASES]
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
                self._handle_news()
        if callable(chosen):
            chosen()

    def _request_offers(self, by: int) -> list[Offer]:
        """Offers to the player in seat ``by``: to withdraw requests, for stand-ins, and to break off the match."""
        if self._is_over:
            return []
        text = self._words.text
        table_state = self.table_state
        offers: list[Offer] = [
            Offer(Call(self._write, Call(self._session.close_request, request)), text("request_withdraw"))
            for request in table_state.open_requests
            if request.by in self.own_seats
        ]
        for status in table_state.places:
            seat = status.seat
            if seat in self.own_seats and status.level is None:
                start = Call(self._set_stand_in, seat, STAND_IN, "handed_over")
                offers.append(self._costly_offer(start, text("stand_in_own", seat=seat)))
            elif seat in self.own_seats:
                end = Call(self._set_stand_in, seat, None, "back")
                offers.append(Offer(end, text("stand_in_back", seat=seat)))
            elif table_state.may_be_replaced(status):
                request = Call(self._request, RequestKind.STAND_IN, by, seat)
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
        return self._costly_offer(Call(self._request, RequestKind.BREAK_OFF, by), label)

    def _say(self, by: int, phrase: str | None, written: str = "") -> None:
        """Send a ``phrase`` or a ``written`` message from seat ``by``, or show a notice if it is too soon to do so."""
        self._write(partial(self._session.say, by, phrase, written, None if by else self._options.spectator))

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
        self._write(partial(self._store.stand_in, self._session.match, seat, level))
        self._write(partial(self._session.say, seat, phrase, ""))
