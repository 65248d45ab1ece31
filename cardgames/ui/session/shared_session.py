"""A session at a table with other terminals: people join, a match is played, and perhaps rematches."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from time import monotonic
from typing import cast

from cardgames.engine.game import CHANCE, Message, Outcome
from cardgames.engine.player_names import clean_name
from cardgames.match import Clock, JournalPosition, Match, PlayerLeft, play_until
from cardgames.match.table_state import SeatStatus
from cardgames.store import MatchHeld, Store, StoreBusy, StoreError
from cardgames.store.matches import LEFT, TIME_UP, Summary
from cardgames.store.places import Party
from cardgames.store.table_session import TableSession
from cardgames.ui.menus.choosing import clean_name_problem
from cardgames.ui.menus.new_match import computer_names
from cardgames.ui.review.ratings import player_rating_text, rating_of, ratings_at
from cardgames.ui.screens.offers import BACK, NEWS, SHARED_KEYS, Draw, FormState, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.session import duplicate
from cardgames.ui.session.busy_store import question_to_retry, store_error_text
from cardgames.ui.session.local_session import ReviewWanted, SessionOptions, words_of
from cardgames.ui.session.news import RemoteTable
from cardgames.ui.session.shared_table import BrokenOff, RematchQuestion, SharedTable
from cardgames.ui.table.computers import Computers
from cardgames.ui.table.foot_keys import STAND_IN, OpenSettings, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import PAUSE_SECONDS
from cardgames.ui.table.view import View
from cardgames.ui.times import duration, open_hands_text, time_control_text, time_left

LEVELS = ("easy", "fair", "strong")
"""The levels of the computers that the host can seat."""
DAY = 24 * 60 * 60
CLOSE_TABLE, LEAVE_TABLE = "close", "leave"
"""The answers to close the table for everybody, which only the host may give, and to leave it."""
UNAIDED_KEYS = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.UNDO, Key.HINT)}
"""The keys of spectators, and of players at a rated table or a board: all except undo and hint."""


def play_shared_session(
    store: Store, match: int, options: SessionOptions, party: Party | None = None, invitation: Sequence[str] = ()
) -> None:
    """Join a match and its rematches, or watch them if ``party`` is ``None``, until somebody here leaves.

    ``party``: the people who join; ``invitation``: lines that tell other people how to join. Raises as
    :meth:`Store.join` and :func:`play_session`."""
    if party is None or _wants_to_join(store, match, options, party):
        _SharedSession(store, options, party, invitation).run(match)


class _SharedSession:
    """The session of a party or a spectator, in which a match and its rematches share one screen."""

    def __init__(self, store: Store, options: SessionOptions, party: Party | None, invitation: Sequence[str]) -> None:
        """The arguments are as in :func:`play_shared_session`."""
        self._store = store
        self._options = options
        self._party = party
        self._invitation = invitation
        self._screen: Screen | None = None
        self._screens = ExitStack()

    def run(self, match: int) -> None:
        """Play or watch a match and its rematches until somebody here leaves."""
        number: int | None = match
        with self._screens:
            while number is not None:
                try:
                    number = self._play_match(number)
                except OpenSettings:
                    self._close_screen()
                    self._options.change_settings()

    def _play_match(self, match: int) -> int | None:
        """Join or watch a match, play it, and review it if asked to; return the number of the rematch, if any."""
        store, party = self._store, self._party
        with store.watch(match) if party is None else store.join(match, party) as session:
            while True:
                screen = self._open_screen(session)
                shared_match = _SharedMatch(screen, store, session, self._options, self._invitation)
                if party is not None:  # a rematch seats the same people
                    self._party = party._replace(names=shared_match.names)
                try:
                    rematch = shared_match.play()
                    break
                except ReviewWanted:
                    self._close_screen()
                    assert self._options.review
                    self._options.review(match)
        if rematch is not None:
            self._options.on_rematch(rematch)
        return rematch

    def _open_screen(self, session: TableSession) -> Screen:
        """The screen of the session, opened if necessary. Call this only after joining, which may be refused."""
        if self._screen is None:
            match, settings = self._store.match(session.match), self._options.settings()
            keys = "keys_rated" if match.rated or self._store.boards(match.id) else "keys_shared"
            keys = "keys_watching" if session.is_spectator else keys
            self._screen = open_screen(words_of(match.header, settings), settings, keys=keys)
            self._screens.enter_context(self._screen)
        return self._screen

    def _close_screen(self) -> None:
        self._screens.close()
        self._screen = None


def _wants_to_join(store: Store, match: int, options: SessionOptions, party: Party) -> bool:
    """Warn people who join others at a new match that is rated or shows hands; return whether they want to join."""
    summary, delay = store.match(match), store.open_hands(match)
    people = {status.name for status in store.seat_statuses(match) if status.level is None} - {None}
    needs_warning = (summary.rated or delay) and not summary.plies
    joins_others = bool(people and party.names) and people.isdisjoint(party.names)  # else they return
    if not (needs_warning and joins_others):
        return True
    settings = options.settings()
    words = words_of(summary.header, settings)
    about = words.text("rated_about") if summary.rated else open_hands_text(delay, words)
    page = titled_page(settings, words.match_title(match), [about])
    offers = [Offer(True, words.text("rated_sit")), Offer(None, words.text("back"))]
    with open_screen(words, settings, secret=False) as screen:
        question = words.text("rated_ask" if summary.rated else "open_hands_ask")
        return bool(screen.choose(page, question, offers, BACK))


class _SharedMatch:
    """A match with other terminals, as played or watched at this terminal."""

    def __init__(
        self, screen: Screen, store: Store, session: TableSession, options: SessionOptions, invitation: Sequence[str]
    ) -> None:
        self._screen = screen
        self._store = store
        self._session = session
        self._settings = options.settings()
        self._options = options
        self._board = store.boards(session.match).get(session.match)
        """The board of a duplicate tournament that is played in this match; ``None`` for any other match."""
        self._invitation = invitation
        self._computers_at = None if options.computers_after is None else monotonic() + options.computers_after
        self._read_header()

    def _read_header(self) -> None:
        """Read the match's header, which names the present players; make new words and a new remote table."""
        self._header, _ = self._store.load(self._session.match)
        self._words = words_of(self._header, self._settings)
        self._remote = RemoteTable(self._screen, self._store, self._session, self._words)
        countdown = self._countdown
        self._remote.is_due = lambda: self._countdown != countdown  # then the waiting room is drawn again

    @property
    def _title(self) -> str:
        if self._board is None:
            return self._words.match_title(self._session.match)
        tournament, title = self._board.duplicate, self._words.text("title")
        args = {"name": tournament.name, "number": self._board.number, "count": tournament.deals}
        return self._words.text("duplicate.title", title=title, **args)

    @property
    def _countdown(self) -> str:
        """The time until computers take the free seats, as text; empty if no computers are due."""
        waits = self._computers_at is not None and self._is_host_here and not self._remote.table_state.is_full
        return time_left(self._computers_at - monotonic(), self._words) if waits and self._computers_at else ""

    @property
    def names(self) -> list[str]:
        return [self._remote.status_of(seat).name or "" for seat in self._remote.own_seats]

    def play(self) -> int | None:
        """Wait for players, and play; return the rematch's number, if any. A page tells if it is broken off."""
        try:
            self._wait_for_players()
            return self._play()
        except (PlayerLeft, EOFError):
            return None
        except (BrokenOff, StoreError) as error:
            if not _reports_end(error):
                raise
            text = self._words.text
            self._show_broken_off(titled_page(self._settings, text("title"), [text("broken_off")]))
        return None

    # Before the match

    def _wait_for_players(self) -> None:
        """Show the waiting room until all seats are taken and, before the first deal, all people are present.

        With a day or more for each turn people need not meet.

        Raises :class:`PlayerLeft`; :class:`BrokenOff` if the host closes the table; and :class:`MatchHeld` if other
        terminals have taken over all seats of this terminal."""
        state = FormState()
        control = self._store.time_control(self._session.match)
        need_not_meet = control is not None and control.each >= DAY
        while not (self._remote.table_state.is_ready or (need_not_meet and self._remote.table_state.is_full)):
            text = self._words.text
            offers = [Offer(None, text("gather_wait"))]
            if self._is_host_here and not self._remote.table_state.is_full:
                offers += [Offer(level, text("gather_computer", text=text("computer." + level))) for level in LEVELS]
            offers.append(Offer(LEAVE_TABLE, text("gather_leave")))
            if self._is_host_here:
                close = text("gather_close")
                offers.append(Offer(CLOSE_TABLE, close, confirm=text("confirm", text=close)))
            offers += self._seat_offers()
            keys = {"q": Key.LEAVE, NEWS: Key.NEWS}
            room = self._waiting_room()
            answer = self._screen.choose(room, text("gather_ask"), offers, keys, text("gather_keys"), state=state)
            if answer is Key.LEAVE:
                ask_to_leave(self._screen, self._words, self._waiting_room(), "leave_menu")
            if answer == LEAVE_TABLE:
                raise PlayerLeft
            if callable(answer):  # the value of an offer of `_seat_offers`
                self._write(answer)
            if answer in LEVELS:
                self._write(partial(self._seat_computers, answer, self._free_seats[:1]))
            if answer == CLOSE_TABLE and self._write(self._session.break_off):
                raise PlayerLeft
            if self._countdown and self._computers_at and monotonic() >= self._computers_at:  # the host's terminal only
                self._computers_at = None
                unreserved = [status for status in self._free_seats if status.held is None]
                self._write(partial(self._seat_computers, STAND_IN, unreserved))
            if answer is Key.NEWS:
                self._remote.accept_news()
                if self._remote.table_state.is_over:
                    raise BrokenOff
                self._remote.check_seats()
            if not self._remote.store_away:
                self._read_header()  # the players may have changed

    @property
    def _is_host_here(self) -> bool:
        host = self._remote.table_state.host
        return host is not None and host.seat in self._remote.own_seats

    def _seat_offers(self) -> list[Offer]:
        """Offers to change, reserve or free seats and to make the table private. Their values are functions."""
        text, table_state, own_seats = self._words.text, self._remote.table_state, self._remote.own_seats
        offers = []
        if len(own_seats) == 1:
            for status in table_state.free_seats_for(self._remote.status_of(own_seats[0]).name or ""):
                move = partial(self._session.move, own_seats[0], status.seat)
                offers.append(Offer(move, self._seat_line(status.seat)))
        if self._is_host_here:
            unreserved = [status.seat for status in self._free_seats if status.held is None]
            if unreserved:
                offers.append(Offer(partial(self._reserve_seat, unreserved[-1]), text("gather_hold")))
            for status in self._free_seats:
                if status.held:
                    label = text("gather_release", number=status.seat, name=status.held)
                    offers.append(Offer(partial(self._session.reserve_seat, status.seat, None), label))
            if self._others:
                offers.append(Offer(self._send_away, text("gather_send_away")))
            if not table_state.code:
                offers.append(Offer(self._session.make_private, text("gather_private")))
        return offers

    @property
    def _free_seats(self) -> list[SeatStatus]:
        return [status for status in self._remote.table_state.places if status.name is None]

    @property
    def _others(self) -> list[SeatStatus]:
        own_seats = self._remote.own_seats
        seats = self._remote.table_state.places
        return [status for status in seats if status.name and not status.level and status.seat not in own_seats]

    def _send_away(self) -> None:
        """Ask whom to send away, and perhaps to let sit down at no table of the host's again."""
        text, offers = self._words.text, []
        for blocked, key in ((False, "gather_send"), (True, "gather_block")):
            offers += [Offer((status, blocked), text(key, seat=status.seat)) for status in self._others]
        chosen = self._screen.choose(self._waiting_room(), text("gather_send_away_ask"), offers, BACK)
        if chosen is None:
            return
        status, blocked = chosen
        if blocked:
            self._remote.block(status)
        self._session.send_away(status.seat)

    def _seat_line(self, seat: int) -> str:
        """The text of the offer to move to a seat. It names the seats of the players who would then be partners."""
        side = next(side for side in self._header.new_game().sides if seat in side)
        others = [other for other in side if other not in (seat, *self._remote.own_seats)]
        partners = tuple([other for other in others if self._remote.status_of(other).name])
        key = "gather_move_partners" if partners else "gather_move"
        return self._words.text(key, number=seat, seats=partners)

    def _reserve_seat(self, seat: int) -> None:
        text = self._words.text
        names = [status.name or status.held for status in self._remote.table_state.places]
        check = partial(clean_name_problem, self._words, taken=[name for name in names if name])
        name = self._screen.ask(self._waiting_room(), text("gather_hold_ask"), "", check)
        if name is not None:
            self._session.reserve_seat(seat, clean_name(name))

    def _waiting_room(self) -> Draw:
        """The picture before the match: the players, and how other people can join."""
        text, match = self._words.text, self._store.match(self._session.match)
        lines = self._seat_lines(match)
        code = self._remote.table_state.code
        invitation = self._invitation or [text("gather_invitation", value=code or self._session.match)]
        lines += ["", text("gather_code", value=code)] if code else []
        if control := self._store.time_control(self._session.match):
            lines += ["", time_control_text(control, self._words)]
        if self._countdown:
            lines += ["", text("gather_soon", text=text("computer." + STAND_IN), value=self._countdown)]
        if match.rated:
            lines += ["", text("rated_about")]
        if delay := self._store.open_hands(self._session.match):
            lines += ["", open_hands_text(delay, self._words)]
        away = [text("waiting_store")] if self._remote.store_away else []
        return titled_page(self._settings, self._title, [*lines, "", *(away or invitation)])

    def _seat_lines(self, match: Summary) -> list[str]:
        """A line about each seat: whether it is free, or its player and the player's rating."""
        text, ratings = self._words.text, ratings_at(self._store, match.game)
        lines = []
        for status in self._remote.table_state.places:
            if status.name is None:
                key = "gather_held" if status.held else "gather_free"
            elif status.level is None:
                key = "gather_there" if status.terminal else "gather_away"
            else:
                key = "named_computer"
            level = text("computer." + status.level) if status.level else ""
            line = text(key, seat=status.seat, number=status.seat, text=level, name=status.held or "")
            if status.name and (rating := rating_of(status, match, ratings)):
                value = player_rating_text(rating, status.level is not None, self._settings)
                line = text("gather_rating", text=line, value=value)
            lines.append(line)
        return lines

    def _seat_computers(self, level: str, free: Sequence[SeatStatus]) -> None:
        """Give ``free`` seats to computers of ``level``."""
        statuses = self._store.seat_statuses(self._session.match)
        taken = [status.name for status in statuses if status.name is not None]
        for status, name in zip(free, computer_names(self._words, len(free), taken), strict=True):
            self._session.seat_computer(status.seat, level, name)

    def _write(self, work: Callable[[], object]) -> bool:
        """Call ``work``, which writes to the store. If the store is busy, show a notice and return ``False``."""
        try:
            work()
        except StoreBusy as error:
            self._screen.say(store_error_text(self._words, self._settings, error.reason))
            return False
        return True

    # The match

    def _play(self) -> int | None:
        """Play or watch the match once all seats are taken; return the number of the rematch, if any."""
        number, options, journal = self._session.match, self._options, self._session
        journal.wants_retry = question_to_retry(self._screen, self._words, self._settings)
        if not (self._session.is_spectator or self._board or journal.read(JournalPosition()).moves):  # not begun
            # The commitment includes the names, which are known only now.
            journal.persist(lambda: self._store.commit(number))
        with Computers(self._header, options.programs, self._store.seed(number), options.undo) as computers:
            view = self._make_view()
            shared, match = self._make_table(view, computers), view.match
            try:
                shared.handle_news()
                if not self._session.is_spectator:
                    self._play_here(match, view, shared)
                while not shared.is_final(match.state):
                    shared.wait(match.to_act or CHANCE)
            except (BrokenOff, StoreError) as error:
                if not _reports_end(error):
                    raise
                if not self._is_lost_early:
                    self._show_broken_off(shared.broken_off_picture())
                    return None
        if self._board and duplicate.is_first_deal_over(match):
            journal.persist(lambda: self._session.end_board(duplicate.first_deal_results(match)))
        return self._finish(match, shared)

    def _make_view(self) -> View:
        journal, header, settings = self._session, self._header, self._settings
        number = journal.match
        minutes = self._store.match(number).minutes
        clock = None if minutes is None else Clock(minutes * 60)
        chance_source = cache(lambda: journal.persist(lambda: self._store.chance(number)))  # read at the first shuffle
        match = Match(header.new_game(), journal, lambda chance, ply: chance_source()(chance, ply), clock)
        if self._session.is_spectator and settings.pause in ("key", "natural"):  # these would wait for a key
            settings = settings._replace(pause=PAUSE_SECONDS)
        view = View(match, header.names or (), settings, self._title, header.computers)
        view.open_hands = bool(self._session.delay)
        return view

    def _make_table(self, view: View, computers: Computers) -> SharedTable:
        """The table of the match, with fewer keys where nobody is aided, and with one deal for a board."""
        number, match, spectates, options = self._session.match, view.match, self._session.is_spectator, self._options
        make_computer = partial(
            computers.seat_computer,
            delay=self._remote.thinking_delay,
            report=lambda seat: self._session.persist(lambda: self._session.say(seat, "program_failed", "")),
        )
        notes = MatchNotes(self._store, number, self._session.persist)
        if self._session.delay:
            notes.hides_end = lambda: match.outcome is None
        prefix = "leave_watching" if spectates else "leave"
        on_leave = partial(ask_to_leave, self._screen, self._words, prefix=prefix)
        keep, name = options.keep_setting, options.spectator
        shared = SharedTable(self._screen, view, self._remote, notes, on_leave, make_computer, keep, name)
        if self._store.match(number).rated or spectates or self._board:
            shared.table.keys = UNAIDED_KEYS
        if self._board:
            shared.is_final = lambda state: duplicate.is_first_deal_over(match)
        return shared

    def _finish(self, match: Match, shared: SharedTable) -> int | None:
        """Show the end of the match and ask for a rematch; return the rematch's number, or ``None`` without one."""
        outcome = match.outcome or self._store.match(self._session.match).outcome
        assert outcome
        if self._session.is_spectator:
            return self._await_rematch(shared, outcome)
        # *Ruling*: the player who lost by the clock, or left, deals.
        dealer = cast(int, outcome.why.args["seat"]) if self._is_lost_early else match.game.next_dealer(match.state)
        if not shared.request_rematch(*self._closing_page(shared, outcome, dealer)):
            return None
        session, header = self._session, self._header._replace(dealer=dealer)
        return session.persist(lambda: session.create_rematch(header))

    def _closing_page(self, shared: SharedTable, outcome: Outcome, dealer: int) -> tuple[Draw, RematchQuestion]:
        """The closing picture of the match, and the question below; ``dealer``: the dealer of a rematch."""
        text, board, can_review = self._words.text, self._board, self._options.review is not None
        if not board:
            from cardgames.ui.review.progress_page import closing_messages

            own_seats, header = self._remote.own_seats, self._header
            progress = closing_messages(self._store, own_seats, header, self._words, self._settings)
            rematch = RematchQuestion(text("again"), text("again_yes", seat=dealer), can_review)
            # Same cards: not in rated matches, and only with a commitment, which the rematch takes over.
            if shared.table.keys is not UNAIDED_KEYS and self._store.commitment(self._session.match):
                rematch = rematch._replace(
                    yes_same=text("again_same", seat=header.dealer),
                    new=text("again_new", seat=dealer),
                    people={*range(1, header.seats + 1)} - header.computers.keys(),
                )
            return shared.closing_picture(outcome, progress), rematch
        ranking = duplicate.ranking(self._store, board.duplicate.name)
        lines = duplicate.ranking_lines(ranking, self._words, board.table, duplicate.LEADERS)
        messages = [Message("why." + outcome.why.key, outcome.why.args)] if self._is_lost_early else []
        messages += [Message("line", {"text": line}) for line in lines]
        has_next = board.number < board.duplicate.deals
        question = text("duplicate.over" if has_next else "duplicate.all_over", number=board.number)
        yes = text("duplicate.next", number=board.number + 1) if has_next else ""
        return shared.closing_picture(outcome, messages, of_deal=True), RematchQuestion(question, yes, can_review)

    def _play_here(self, match: Match, view: View, shared: SharedTable) -> None:
        """Play the seats of this terminal until the match is over. The match of a board ends after its first deal."""
        seats = self._remote.own_seats
        if not any(step.by in seats for step in match.steps):
            shared.table.show_commitment()
            if delay := self._store.open_hands(self._session.match):
                value = duration(delay, self._words)
                view.add_notices([Message("open_hands_about", {"value": value})])
        if not self._board:
            shared.contribute()
        shared.show_missed_messages()
        self._screen.discard_typed()  # nobody has seen their hand yet
        while not shared.is_final(match.state):
            try:
                play_until(match, shared.players, shared, shared.is_final)
            except MatchHeld:  # the player may just have returned to a seat for which a computer acted here
                self._session.persist(shared.refresh)

    def _await_rematch(self, shared: SharedTable, outcome: Outcome) -> int | None:
        """Show spectators the end of the match; return the number of a rematch, or ``None`` if they leave."""
        table, draw = shared.table, shared.closing_picture(outcome)
        leave = [Offer(Key.LEAVE, self._words.text("leave_watching_yes"))]
        while self._remote.table_state.rematch is None:
            if table.ask(draw, self._words.text("gather_ask"), leave) is Key.LEAVE:
                return None
        return self._remote.table_state.rematch

    @property
    def _is_lost_early(self) -> bool:
        """Whether the match is over because somebody's time is up, or somebody has left a rated match."""
        outcome = self._store.match(self._session.match).outcome
        return outcome is not None and outcome.why.key in (TIME_UP, LEFT)

    def _show_broken_off(self, draw: Draw) -> None:
        """Show ``draw``, the picture of a match that was broken off, until somebody leaves."""
        text = self._words.text
        leave = [Offer(None, text("gather_leave"))]
        self._screen.discard_typed()
        self._screen.choose(draw, text("broken_off_ask"), leave, {"q": None}, text("busy_keys"))


def _reports_end(error: BrokenOff | StoreError) -> bool:
    """Whether an error means that another terminal has ended the match."""
    return isinstance(error, BrokenOff) or error.reason.key == "store_match_over"
