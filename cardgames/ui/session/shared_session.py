"""A session at a table with other terminals: people join in a waiting room, play a match, and perhaps rematches."""

from collections.abc import Sequence
from functools import partial
from math import inf
from time import monotonic

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.engine.player_names import clean_name
from cardgames.match import PlayerLeft
from cardgames.match.table_state import SeatStatus, first_to_come
from cardgames.store import Store
from cardgames.store.matches import Summary
from cardgames.store.people import Avoided
from cardgames.store.places import Party
from cardgames.store.table_session import TableSession
from cardgames.ui.menus.choosing import computer_names, name_problem
from cardgames.ui.review.ratings import rating_beside_name
from cardgames.ui.screens.offers import BACK, NEWS, Call, FormState, Key, Offer, Page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.screens.terminal import keep_screen
from cardgames.ui.session.local_session import SessionOptions, play_at_screen, words_of
from cardgames.ui.session.news import RemoteTable
from cardgames.ui.session.shared_table import SharedTable
from cardgames.ui.table.foot_keys import STAND_IN, OpenSettings, ask_to_leave
from cardgames.ui.times import open_hands_text, time_control_text, time_left

LEVELS = ("easy", "fair", "strong")
"""The levels of the computers that the host can seat."""
DAY = 24 * 60 * 60
CLOSE_TABLE, LEAVE_TABLE = "close", "leave"
"""The answers to close the table for everybody, which only the host may give, and to leave it."""


def play_shared_session(store: Store, match: int, options: SessionOptions, party: Party | None = None) -> None:
    """Join a match and its rematches, or watch them if ``party`` is ``None``, until somebody here leaves.

    ``party``: the people who join. Raises as :meth:`Store.join` and :func:`play_session`."""
    if party and not _wants_to_join(store, match, options, party):
        return
    number: int | None = match
    with keep_screen():
        while number is not None:
            try:
                with store.join(number, party) if party else store.watch(number) as session:
                    if party:  # a rematch seats the people who are here now
                        seats = store.seat_statuses(number)
                        names = [seats[seat - 1].name or "" for seat in session.own_seats(seats)]
                        party = party._replace(names=names)
                    number = play_at_screen(store, number, options, partial(_play, store, session, options))
            except OpenSettings:
                options.change_settings()


def _play(store: Store, session: TableSession, options: SessionOptions, screen: Screen) -> int | None:
    """Wait for players, and play; return the rematch's number, if any."""
    try:
        WaitingRoom(screen, store, session, options).wait()
        return SharedTable(screen, store, session, options).play()
    except (PlayerLeft, EOFError):
        return None


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
    page = Page(words.match_title(match), [about])
    offers = [Offer(True, words.text("rated_sit")), Offer(None, words.text("back"))]
    with open_screen(words, settings, secret=False) as screen:
        question = words.text("rated_ask" if summary.rated else "open_hands_ask")
        return bool(screen.choose(page, question, offers, BACK))


class WaitingRoom(RemoteTable):
    """The table before the match, as seen at this terminal."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, options: SessionOptions) -> None:
        super().__init__(screen, store, session, options)
        self._computers_at = inf if options.computers_after is None else monotonic() + options.computers_after
        self._shown_countdown = ""

    @property
    def _countdown(self) -> str:
        """The time until computers take the free seats, as text; empty if no computers are due."""
        waits = self._computers_at < inf and self._is_host_here and not self.table_state.is_full
        return time_left(self._computers_at - monotonic(), self._words) if waits else ""

    def _is_due(self) -> bool:
        """Whether the countdown has to be drawn again."""
        return self._countdown != self._shown_countdown

    def wait(self) -> None:
        """Show the waiting room until all seats are taken and, before the first deal, all people are present.

        With a day or more for each turn people need not meet. If the host closes the table, a page says so. Raises
        :class:`PlayerLeft`, and :class:`MatchHeld` if other terminals have taken over all seats here."""
        state = FormState()
        control = self._store.time_control(self._session.match)
        need_not_meet = control is not None and control.each >= DAY
        while not (self.table_state.is_ready or (need_not_meet and self.table_state.is_full)):
            text = self._words.text
            offers = [Offer(None, text("gather_wait"))]
            if self._is_host_here and not self.table_state.is_full:
                offers += [Offer(level, text("gather_computer", text=text("computer." + level))) for level in LEVELS]
            offers.append(Offer(LEAVE_TABLE, text("gather_leave")))
            if self._is_host_here:
                offers.append(self._costly_offer(CLOSE_TABLE, text("gather_close")))
            offers += self._seat_offers()
            self._shown_countdown = self._countdown
            keys = {"q": Key.LEAVE, NEWS: Key.NEWS}
            answer = self._screen.choose(
                self._draw(), text("gather_ask"), offers, keys, text("gather_keys"), state=state
            )
            if answer is Key.LEAVE:
                ask_to_leave(self._screen, self._words, self._draw(), "simply_leave")
            if answer == LEAVE_TABLE:
                raise PlayerLeft
            if callable(answer):  # the value of an offer of `_seat_offers`
                self._write(answer)
            if answer in LEVELS:
                self._write(partial(self._seat_computers, answer, self.table_state.free_seats[:1]))
            if answer == CLOSE_TABLE and self._write(self._session.end_early):
                raise PlayerLeft
            if self._countdown and monotonic() >= self._computers_at:  # the host's terminal only
                self._computers_at = inf
                self._write(partial(self._seat_computers, STAND_IN, self._unreserved_seats))
            if answer is Key.NEWS:
                self.accept_news()
            if not self.store_away:  # the players may have changed, whom the header names
                self._header, _ = self._store.load(self._session.match)
                self._words = words_of(self._header, self._settings)
                self.refresh()
            # These may also have changed behind another question, and been read above.
            if self.table_state.is_over:
                self.show_broken_off()
                raise PlayerLeft
            self.check_seats()

    @property
    def _is_host_here(self) -> bool:
        host = first_to_come(self.table_state.places)
        return host is not None and host.seat in self.own_seats

    def _seat_offers(self) -> list[Offer]:
        """Offers to change, reserve or free seats and to make the table private. Their values are functions."""
        text, offers = self._words.text, []
        if len(self.own_seats) == 1:
            (own_seat,) = self.own_seats
            own_name = self.status_of(own_seat).name or ""
            for status in self.table_state.free_seats:
                if status.is_free_for(own_name):
                    move = Call(self._session.move, own_seat, status.seat)
                    offers.append(Offer(move, self._seat_line(status.seat)))
        if self._is_host_here:
            if unreserved := self._unreserved_seats:
                offers.append(Offer(Call(self._reserve_seat, unreserved[-1].seat), text("gather_hold")))
            for status in self.table_state.free_seats:
                if status.held:
                    label = text("gather_release", number=status.seat, name=status.held)
                    offers.append(Offer(Call(self._store.reserve_seat, self._session.match, status.seat, None), label))
            if self._others:
                offers.append(Offer(self._send_away, text("gather_send_away")))
            if not self.table_state.code:
                offers.append(Offer(Call(self._store.make_private, self._session.match), text("gather_private")))
        return offers

    @property
    def _unreserved_seats(self) -> list[SeatStatus]:
        return [status for status in self.table_state.free_seats if status.held is None]

    @property
    def _others(self) -> list[SeatStatus]:
        seats = self.table_state.places
        return [status for status in seats if status.name and not status.level and status.seat not in self.own_seats]

    def _send_away(self) -> None:
        """Ask whom to send away, and perhaps to let sit down at no table of the host's again."""
        text, offers = self._words.text, []
        for blocked, key in ((False, "gather_send"), (True, "gather_block")):
            offers += [Offer((status, blocked), text(key, seat=status.seat)) for status in self._others]
        chosen = self._screen.choose(self._draw(), text("gather_send_away_ask"), offers, BACK)
        if chosen is None:
            return
        status, blocked = chosen
        if blocked:  # who is also muted
            self.muted.add(key := self.author(status.seat))
            self._store.avoid(self._viewer, Avoided(key, status.name or "", blocked=True))
        self._session.send_away(status.seat)

    def _seat_line(self, seat: int) -> str:
        """The text of the offer to move to a seat. It names the seats of the players who would then be partners."""
        side = next(side for side in self._header.new_game().sides if seat in side)
        others = [other for other in side if other not in (seat, *self.own_seats)]
        partners = tuple([other for other in others if self.status_of(other).name])
        key = "gather_move_partners" if partners else "gather_move"
        return self._words.text(key, number=seat, seats=partners)

    def _reserve_seat(self, seat: int) -> None:
        taken = [name for status in self.table_state.places if (name := status.name or status.held)]

        def check(typed: str) -> str | None:
            return name_problem(self._words, clean_name(typed), taken)

        name = self._screen.ask(self._draw(), self._words.text("gather_hold_ask"), "", check)
        if name is not None:
            self._store.reserve_seat(self._session.match, seat, clean_name(name))

    def _draw(self) -> Page:
        """The picture before the match: the players, and how other people can join."""
        text, match = self._words.text, self._store.match(self._session.match)
        lines, code = self._seat_lines(match), self.table_state.code
        lines += ["", text("gather_code", value=code)] if code else []
        if control := self._store.time_control(match.id):
            lines += ["", time_control_text(control, self._words)]
        if countdown := self._countdown:
            lines += ["", text("gather_soon", text=text("computer." + STAND_IN), value=countdown)]
        if match.rated:
            lines += ["", text("rated_about")]
        if delay := self._store.open_hands(match.id):
            lines += ["", open_hands_text(delay, self._words)]
        invitation = self._options.invitation or text("gather_invitation", value=code or match.id)
        lines += ["", text("waiting_store") if self.store_away else invitation]
        return Page(self.title, lines)

    def _seat_lines(self, match: Summary) -> list[str]:
        """A line about each seat: whether it is free, or its player and the player's rating."""
        text, ratings = self._words.text, self._store.ratings(match.game, LEVEL_RATINGS)
        lines = []
        for status in self.table_state.places:
            if status.name is None:
                key = "gather_held" if status.held else "gather_free"
            elif status.level is None:
                key = "gather_there" if status.terminal else "gather_away"
            else:
                key = "named_computer"
            level = text("computer." + status.level) if status.level else ""
            line = text(key, seat=status.seat, number=status.seat, text=level, name=status.held or "")
            if status.name and (value := rating_beside_name(status, match, ratings, self._settings)):
                line = text("gather_rating", text=line, value=value)
            lines.append(line)
        return lines

    def _seat_computers(self, level: str, free: Sequence[SeatStatus]) -> None:
        """Give ``free`` seats to computers of ``level``."""
        taken = [status.name for status in self._store.seat_statuses(self._session.match) if status.name is not None]
        for status, name in zip(free, computer_names(self._words, len(free), taken), strict=True):
            self._session.seat_computer(status.seat, level, name)
