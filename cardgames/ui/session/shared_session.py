"""A session at a table with other terminals: people join, a match is played, and perhaps rematches."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache, partial
from typing import cast

from cardgames.engine.game import CHANCE, Message, Outcome
from cardgames.match import Clock, Match, PlayerLeft, play_until
from cardgames.match.table_state import Request, RequestKind
from cardgames.store import MatchHeld, Store, StoreError
from cardgames.store.matches import LEFT, TIME_UP
from cardgames.store.places import Party
from cardgames.store.table_session import TableSession
from cardgames.ui.render.table.ending import Ending
from cardgames.ui.screens.offers import BACK, SHARED_KEYS, Draw, Key, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.session import duplicate
from cardgames.ui.session.busy_store import question_to_retry
from cardgames.ui.session.local_session import ReviewWanted, SessionOptions, words_of
from cardgames.ui.session.news import BrokenOff
from cardgames.ui.session.shared_table import SharedTable
from cardgames.ui.session.waiting_room import WaitingRoom
from cardgames.ui.table.computers import Computers
from cardgames.ui.table.foot_keys import OpenSettings
from cardgames.ui.table.table import PAUSE_SECONDS, AfterMatch
from cardgames.ui.table.view import View
from cardgames.ui.times import duration, open_hands_text

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
                try:
                    rematch = self._play_at(self._open_screen(session), session)
                    break
                except ReviewWanted:
                    self._close_screen()
                    assert self._options.review
                    self._options.review(match)
        if rematch is not None:
            self._options.on_rematch(rematch)
        return rematch

    def _play_at(self, screen: Screen, session: TableSession) -> int | None:
        """Wait for players, and play; return the rematch's number, if any. A page tells if it is broken off."""
        room = WaitingRoom(screen, self._store, session, self._options, self._invitation)
        if self._party is not None:  # a rematch seats the same people
            self._party = self._party._replace(names=room.names)
        try:
            room.wait()
            return SharedMatch(screen, self._store, session, self._options).play()
        except (PlayerLeft, EOFError):
            return None
        except (BrokenOff, StoreError) as error:
            if not _reports_end(error):
                raise
            room.show_broken_off()
        return None

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


class SharedMatch(SharedTable):
    """A match with other terminals, as played or watched at this terminal."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, options: SessionOptions) -> None:
        number, settings, spectates = session.match, options.settings(), session.is_spectator
        self._header, _ = store.load(number)
        minutes = store.match(number).minutes
        clock = None if minutes is None else Clock(minutes * 60)
        chance_source = cache(lambda: session.persist(lambda: store.chance(number)))  # read at the first shuffle
        match = Match(self._header.new_game(), session, lambda chance, ply: chance_source()(chance, ply), clock)
        if spectates and settings.pause in ("key", "natural"):  # these would wait for a key
            settings = settings._replace(pause=PAUSE_SECONDS)
        view = View(match, self._header.names or (), settings, computers=self._header.computers)
        view.open_hands = bool(session.delay)
        self._computers = Computers(self._header, options.programs, store.seed(number), options.undo)
        super().__init__(screen, store, session, view, self._computers, options)
        session.wants_retry = question_to_retry(screen, self._words, settings)
        if session.delay:
            self._notes.hides_end = lambda: match.outcome is None
        if store.match(number).rated or spectates or self._board:
            self.table.keys = UNAIDED_KEYS
        if self._board:
            self.is_final = lambda state: duplicate.is_first_deal_over(match)
        self._review = [Offer(AfterMatch.REVIEW, self._words.text("again_review"))] if options.review else []

    def play(self) -> int | None:
        """Play or watch the match; return the number of the rematch, if any."""
        number, match, session = self._session.match, self._match, self._session
        if not (session.is_spectator or self._board or match.ply):  # not begun
            # The commitment includes the names, which are known only now.
            session.persist(lambda: self._store.commit(number))
        with self._computers:
            try:
                self.handle_news()
                if not session.is_spectator:
                    self._play_here()
                while not self.is_final(match.state):
                    self.wait(match.to_act or CHANCE)
            except (BrokenOff, StoreError) as error:
                if not _reports_end(error):
                    raise
                if not self._is_lost_early:
                    self._end()
                    self.table.hide_hand()
                    self.show_broken_off(self._view.end_picture(Ending(Message("broken_off"))))
                    return None
        if self._board and duplicate.is_first_deal_over(match):
            session.persist(lambda: session.end_board(duplicate.first_deal_results(match)))
        return self._finish()

    def _play_here(self) -> None:
        """Play the seats of this terminal until the match is over. The match of a board ends after its first deal."""
        if not any(step.by in self.own_seats for step in self._match.steps):
            self.table.show_commitment()
            if delay := self._store.open_hands(self._session.match):
                self._view.add_notices([Message("open_hands_about", {"value": duration(delay, self._words)})])
        if not self._board:
            self.contribute()
        self.show_missed_messages()
        self._screen.discard_typed()  # nobody has seen their hand yet
        while not self.is_final(self._match.state):
            try:
                play_until(self._match, self.players, self, self.is_final)
            except MatchHeld:  # the player may just have returned to a seat for which a computer acted here
                self._session.persist(self.read_table)

    def _finish(self) -> int | None:
        """Show the end of the match and ask for a rematch; return the rematch's number, or ``None`` without one."""
        match, session = self._match, self._session
        outcome = match.outcome or self._store.match(session.match).outcome
        assert outcome
        self._end()
        if session.is_spectator:
            return self._await_rematch(self.table.end_picture(outcome=outcome))
        # *Ruling*: the player who lost by the clock, or left, deals.
        dealer = cast(int, outcome.why.args["seat"]) if self._is_lost_early else match.game.next_dealer(match.state)
        if not self._request_rematch(*self._closing_page(outcome, dealer), dealer):
            return None
        return session.persist(lambda: session.create_rematch(self._header._replace(dealer=dealer)))

    def _end(self) -> None:
        self._is_over = True
        self._screen.turn_notice.withdraw()

    @property
    def _is_lost_early(self) -> bool:
        """Whether the match is over because somebody's time is up, or somebody has left a rated match."""
        outcome = self._store.match(self._session.match).outcome
        return outcome is not None and outcome.why.key in (TIME_UP, LEFT)

    def _await_rematch(self, draw: Draw) -> int | None:
        """Show spectators the end of the match; return the number of a rematch, or ``None`` if they leave."""
        leave = [Offer(Key.LEAVE, self._words.text("leave_watching_yes"))]
        while self.table_state.rematch is None:
            if self.table.ask(draw, self._words.text("gather_ask"), leave) is Key.LEAVE:
                return None
        return self.table_state.rematch

    def _closing_page(self, outcome: Outcome, dealer: int) -> tuple[Draw, str, list[Offer]]:
        """The closing picture of the match, the question below, and the offers of other matches.

        ``dealer``: the dealer of a match with new cards."""
        text, board, header = self._words.text, self._board, self._header
        if not board:
            from cardgames.ui.review.progress_page import closing_messages

            progress = closing_messages(self._store, self.own_seats, header, self._words, self._settings)
            offers = [Offer(AfterMatch.AGAIN, text("again_yes", seat=dealer))]
            # Same cards: not in rated matches, and only with a commitment, which the rematch takes over.
            if self.table.keys is not UNAIDED_KEYS and self._store.commitment(self._session.match):
                offers.append(Offer(AfterMatch.SAME, text("again_same", seat=header.dealer)))
            return self.table.end_picture(progress, outcome), text("again"), offers
        ranking = duplicate.ranking(self._store, board.duplicate.name)
        lines = duplicate.ranking_lines(ranking, self._words, board.table, duplicate.LEADERS)
        messages = [Message("why." + outcome.why.key, outcome.why.args)] if self._is_lost_early else []
        draw = self.table.deal_end_picture([*messages, *[Message("line", {"text": line}) for line in lines]])
        if board.number == board.duplicate.deals:
            return draw, text("duplicate.all_over", number=board.number), []
        again = Offer(AfterMatch.AGAIN, text("duplicate.next", number=board.number + 1))
        return draw, text("duplicate.over", number=board.number), [again]

    def _request_rematch(self, draw: Draw, question: str, offers: Sequence[Offer], dealer: int) -> bool:
        """Ask for a rematch; return whether everybody agrees. Raises :class:`ReviewWanted`.

        The other arguments are as in :meth:`_closing_page`, which returns the first three."""
        self._screen.discard_typed()
        while True:
            table_state = self.table_state
            request = table_state.rematch_request
            granted = table_state.is_granted(request) if request else None
            if granted or table_state.rematch is not None:
                return True
            own_seats = {*self.own_seats}
            answer = self.table.ask(draw, *self._rematch_question(question, offers, dealer, request))
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
            self._update(self.accept_news())

    def _rematch_question(
        self, question: str, offers: Sequence[Offer], dealer: int, request: Request | None
    ) -> tuple[str, list[Offer]]:
        """The question about a rematch or, if the people here have answered ``request``, whether to wait for others.

        The offers have members of :class:`AfterMatch`, or ``None`` to wait."""
        text, table_state = self._words.text, self.table_state
        leave = Offer(AfterMatch.LEAVE, text("gather_leave"))
        if not offers:  # no match can follow
            return question, [leave, *self._review]
        if request and table_state.is_granted(request) is False:
            against = tuple(sorted(seat for seat, agrees in request.answers.items() if not agrees))
            return text("again_refused", seats=against, count=len(against)), [leave, *self._review]
        if request and {*self.own_seats} <= {request.by, *request.answers}:
            missing = tuple(sorted(table_state.seats_to_ask(request) - request.answers.keys()))
            return text("again_waits", seats=missing), [Offer(None, text("gather_wait")), leave]
        again, *same = offers
        refusal = [Offer(AfterMatch.LEAVE, text("again_no")), *self._review]
        if request and request.is_for_same_cards:
            new = again._replace(text=text("again_new", seat=dealer))
            return text("again_requested_same", seat=request.by), [*same, *refusal, new]
        people = [status for status in table_state.places if status.seat not in self._header.computers]
        offers = [again, *refusal, *(same if all(status.terminal for status in people) else [])]
        return text("again_requested", seat=request.by) if request else question, offers

    def _answer_rematch(self, request: Request | None, own: set[int], agrees: bool, same: bool = False) -> None:
        """Answer ``request`` for the seats ``own``; with ``None``, first make it, for the same cards if ``same``."""
        if request is None:
            self._request(RequestKind.AGAIN, min(own), int(same))
            request = self.table_state.rematch_request
            if request and request.is_for_same_cards != same:  # another terminal has asked for other cards since
                return
        if request is not None:
            self._write(partial(self._session.answer, request, own, agrees))


def _reports_end(error: BrokenOff | StoreError) -> bool:
    """Whether an error means that another terminal has ended the match."""
    return isinstance(error, BrokenOff) or error.reason.key == "store_match_over"
