"""The lobby for guests from other machines: tables, lessons, rules, and their own matches.

The lobby reads and writes no files of this machine besides the store, and does not change the owner's settings."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from shutil import get_terminal_size
from time import sleep
from typing import Any, TypeAlias

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.engine.game import GAMES, Message, game_class
from cardgames.engine.player_names import clean_name, look_alike
from cardgames.engine.record import PERSON, Header, new_header
from cardgames.match.table_state import SeatStatus
from cardgames.simulation.daily import DailyDeal, daily_deal
from cardgames.store import JoinRefused, MatchHeld, Store, StoreBusy, UnknownMatch
from cardgames.store.duplicates import DEALS, Duplicate, tournaments
from cardgames.store.people import Person
from cardgames.store.places import OpenTable, Party, TableOptions, find_by_code, find_waiting_table
from cardgames.ui.menus.choosing import MenuPages, computer_names, name_problem
from cardgames.ui.menus.new_match import Dialogue, MatchSetup
from cardgames.ui.messages import Words, signed
from cardgames.ui.render.charset import measure_suits
from cardgames.ui.render.spoken import rules
from cardgames.ui.review import replay
from cardgames.ui.review.judging import review_match, save_review, stored_match
from cardgames.ui.review.practice import set_exercises
from cardgames.ui.review.printed_tables import match_lines, print_ratings, statistics_page
from cardgames.ui.review.ratings import ranking_lines
from cardgames.ui.review.review import show_review
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.screens.offers import BACK, NEWS, FormState, Key, Offer
from cardgames.ui.session import lesson
from cardgames.ui.session.daily import DailyMatch, create_daily_match, daily_page, matches_of_deal
from cardgames.ui.session.identity import guest_name_problem
from cardgames.ui.session.local_session import SessionOptions, play_session
from cardgames.ui.session.news import table_offer
from cardgames.ui.session.shared_session import play_shared_session
from cardgames.ui.settings import ALLOWED_VALUES, Settings

GROUPS = ("now", "learning", "menu.settings")
"""The functions before which a blank row separates the lines of the menu."""
RULES, LEARN, PRACTISE = "menu.rules", "menu.learn", "menu.practise"
NEW, ALL = "new", "all_tables"
"""The answers that ask for a new duplicate tournament, and for the list of all tables."""
OTHER_ROWS = 4
"""The rows of the menu without page, tables and functions: the question, the line to leave, the status and the foot."""
MAX_TABLES = 5
MAX_RESULTS = 30
MAX_LISTED = 12
COMPUTERS_AFTER = 60
"""Seconds after which computers take the free seats of a table opened by "play now"."""
CODE_WAIT = 1.0
"""Seconds that the lobby waits after each code typed for a private table, to slow guessing down."""
LOOK_EVERY = 0.5
"""Seconds between two checks whether the list of tables has changed."""
CHANGEABLE = tuple([name for name in ALLOWED_VALUES if name not in ("store", "empty_tables")])
"""The settings that a guest may change: all except those of the server."""

LobbyFunction: TypeAlias = Callable[[], str | None]
"""A function of the lobby; may return a notice for the next menu."""


class Lobby:
    """The lobby of one guest."""

    def __init__(self, store: Store, person: Person, settings: Settings, ssh_command: str) -> None:
        """``ssh_command``: the command with which other guests join."""
        self.at_table: Callable[[int | None], object] = lambda match: None
        """Called with the match that the guest joins, and with ``None`` when they leave it."""
        self._store = store
        self._person = person
        self._settings = settings
        self._ssh_command = ssh_command
        self._words = Words(settings.language, "lobby")
        self._pages = MenuPages(lambda: self._settings, "lobby")
        self._functions: dict[object, LobbyFunction] = {
            "now": self._play_now,
            "new": self._new_table,
            "by_code": self._join_by_code,
            "menu.daily": self._daily,
            "duplicate": self._duplicates,
            "learning": self._choose_learning,
            "history": self._history,
            "ratings": self._ratings,
            "avoided": self._forgive,
            "menu.settings": self._change_settings,
        }
        """The functions in the menu, by the key of their message."""

    def run(self, notice: str) -> None:
        """Show the menu and run the chosen functions until the guest leaves; ``notice`` is the welcome."""
        at: object = None
        while choice := self._menu(notice, at):
            function, at = choice
            try:
                notice = function() or ""
            except (JoinRefused, MatchHeld, UnknownMatch) as error:
                notice = self._sentence(error.reason)
            except StoreBusy:
                notice = self._words.text("store_trouble")

    def _sentence(self, reason: Message) -> str:
        text = self._words.say(Message("reason." + reason.key, reason.args))
        return self._words.text("sentence", text=text)

    def _menu(self, notice: str, at: object) -> tuple[LobbyFunction, object] | None:
        """Show the menu with the pointer at ``at``; return the chosen function, and the value of its offer.

        Return ``None`` if the guest leaves."""
        text = self._words.text
        store_trouble = text("store_trouble")
        state = FormState()
        with self._pages.screen() as screen:
            while True:
                shown: list[OpenTable] | None = None  # the store is away
                avoids = False
                with suppress(StoreBusy):
                    if not self._store.is_away:
                        avoids, shown = bool(self._store.avoided_by(self._person.id)), self._tables()
                tables = shown or []
                first = tables[0].match.id if tables and not self._is_full(tables[0]) else "now"
                screen.has_news, screen.news_every = partial(self._has_news, shown), LOOK_EVERY
                shown_functions = [key for key in self._functions if key != "avoided" or avoids]
                functions = [Offer(key, text(str(key)), begins_group=key in GROUPS) for key in shown_functions]
                lines = [line for line in (notice, store_trouble if shown is None else "") if line]
                invitation = text("invitation", text=self._ssh_command)
                page = self._pages.page([*dict.fromkeys(lines)], [invitation])
                size = get_terminal_size()
                is_plain = self._settings.plain
                page_rows = len(page.said(size.columns)) - 1 if is_plain else len(page.drawn(*size)) + 3
                room = size.lines - page_rows - OTHER_ROWS - len(functions)
                listed = tables if len(tables) <= room else tables[: max(0, room - 1)]
                offers = [Offer(table.match.id, self._table_line(table)) for table in listed]
                if listed != tables:
                    offers.append(Offer(ALL, text("all_tables", count=len(tables))))
                offers += [*functions, Offer("menu.leave", text("menu.leave"))]
                keys = {"q": Key.LEAVE, NEWS: Key.NEWS}
                chosen = screen.choose(
                    page, text("menu.ask"), offers, keys, text("menu.main_keys"), at=at or first, state=state
                )
                if chosen in ("menu.leave", Key.LEAVE):
                    return None
                if chosen is not Key.NEWS:
                    joins = {table.match.id: partial(self._join, table) for table in tables}
                    choose = {ALL: partial(self._choose_table, tables)}
                    return (joins | choose | self._functions)[chosen], chosen
                if notice == store_trouble:
                    notice = ""  # from now on ``shown`` decides whether it is shown

    # Tables

    def _tables(self) -> list[OpenTable]:
        """The tables that the guest can join, and then those that they can watch. Raises :class:`StoreBusy`.

        First come their own, also private ones, then tables with people present."""

        def is_open(table: OpenTable) -> bool:
            return self._has_own_seat(table) or not (table.code or (table.is_board and self._is_full(table)))

        def order(table: OpenTable) -> tuple[bool, ...]:
            return not self._has_own_seat(table), self._is_full(table), table.deserted_since is not None

        return sorted(filter(is_open, self._store.tables()), key=order)

    def _choose_table(self, tables: Sequence[OpenTable]) -> None:
        offers = [Offer(table, self._table_line(table)) for table in tables]
        if (table := self._pages.choose(self._words.text("which_table"), offers)) is not None:
            self._join(table)

    def _join_by_code(self) -> str | None:
        """Ask for the code of a private table, and join the table; return a notice if no table has that code."""
        typed = self._pages.ask(self._words.text("ask_code_of_table"), lambda said: None)
        if not typed:
            return None
        sleep(CODE_WAIT)
        if not (table := find_by_code(self._store.tables(), typed)):
            return self._words.text("no_such_code")
        self._join(table)
        return None

    def _is_full(self, table: OpenTable) -> bool:
        return not (table.free_seats_for(self._person.name) or self._has_own_seat(table))

    def _is_own_seat(self, status: SeatStatus) -> bool:
        return status.person == self._person.id

    def _has_own_seat(self, table: OpenTable) -> bool:
        return any(map(self._is_own_seat, table.places))

    def _has_news(self, shown: Sequence[OpenTable] | None) -> bool:
        """Whether a menu of the tables ``shown`` is out of date. ``None`` stands for a store that is away."""
        with suppress(StoreBusy):
            changed = self._store.has_changed()
            if self._store.is_away or shown is None:
                return self._store.is_away != (shown is None)
            return changed and self._tables() != shown
        return False

    def _table_line(self, table: OpenTable) -> str:
        return table_offer(self._store, table, self._settings, self._person)

    def _join(self, table: OpenTable, computers_after: int | None = None) -> None:
        """Let the guest join a table, return to it or, if it is full and public, watch it, until they leave.

        ``computers_after``: seconds until computers join, if any."""
        party = None
        if table.code or not self._is_full(table):
            own = [status.name for status in table.places if self._is_own_seat(status) and status.name is not None]
            if not own:
                self._check_table_count()
            if not (names := own or self._new_name_at(table)):
                return
            party = Party(names, self._person.id, take_over=bool(own))
        options = self._session_options()._replace(computers_after=computers_after)
        with self._playing(table.match.id):
            play_shared_session(self._store, table.match.id, options, party)

    def _new_name_at(self, table: OpenTable) -> list[str]:
        """Return the guest's name, or another if theirs is taken, in a list; an empty list if the guest goes back."""
        taken = [status.name for status in table.places if status.name is not None]
        if not any(look_alike(self._person.name, other) for other in taken):
            return [self._person.name]
        why = self._sentence(Message("join_taken", {"match": table.match.id, "name": self._person.name}))
        check = partial(guest_name_problem, self._words, taken=taken)
        typed = self._pages.ask(self._words.text("ask_name"), check, [why])
        return [] if typed is None else [clean_name(typed)]

    @contextmanager
    def _playing(self, match: int) -> Iterator[None]:
        """A context in which the guest is at the table of ``match``."""
        self.at_table(match)
        try:
            yield
        finally:
            self.at_table(None)

    def _check_table_count(self) -> None:
        """Raise :class:`JoinRefused` if the guest has a seat at ``MAX_TABLES`` tables."""
        if sum(map(self._has_own_seat, self._store.tables())) >= MAX_TABLES:
            raise JoinRefused("enough_tables", number=MAX_TABLES)

    def _session_options(self) -> SessionOptions:
        """The options of a session of the guest. Settings changed in it last for this visit only."""
        options = SessionOptions(lambda: self._settings, self._change_settings, self._keep_setting)
        invitation = self._words.text("invitation", text=self._ssh_command)
        return options._replace(review=self._review, spectator=self._person.name, invitation=invitation)

    def _review(self, match: int, seat: int | None = None) -> None:
        """Show and store the review of the guest's choices; Ctrl-C goes back. ``seat``: by default as in the store."""
        if seat is None:
            own = filter(self._is_own_seat, self._store.seat_statuses(match))
            seat = next((status.seat for status in own), None)
        with suppress(KeyboardInterrupt):
            review = review_match(stored_match(self._store, match), seat, self._settings, jobs=1)
            save_review(self._store, review)
            show_review(ReviewPages(review, self._settings), self._settings)

    def _play_now(self) -> None:
        if (game := self._pages.choose_game()) is None:
            return
        if table := find_waiting_table(self._tables(), game, self._person.name):
            self._join(table)
        else:
            self._open_table(new_header(game), computers_after=COMPUTERS_AFTER)

    def _new_table(self) -> None:
        self._check_table_count()
        if setup := self._ask_setup():
            self._open_table(*setup)

    def _ask_setup(self, with_table: bool = True) -> MatchSetup | None:
        """Ask for a game, the number of players and the options; return ``None`` to go back.

        ``with_table``: as in :class:`Dialogue`."""
        if (game := self._pages.choose_game()) is None:
            return None
        with self._pages.screen() as screen:
            start = MatchSetup(new_header(game))
            return Dialogue(screen, self._settings, start, with_players=False, with_table=with_table).ask()

    def _open_table(
        self,
        header: Header,
        options: TableOptions | None = None,
        duplicate: Duplicate | None = None,
        computers_after: int | None = None,
    ) -> None:
        """Open a table, as :meth:`Store.open_table` does, and let the guest join it as in :meth:`_join`."""
        self._check_table_count()
        match = self._store.open_table(header, options, duplicate)
        self._join(next(table for table in self._store.tables() if table.match.id == match), computers_after)

    # Other functions

    def _daily(self) -> None:
        """Show the results of today's deal, then let the guest play it or see their own result."""
        text, deal = self._words.text, daily_deal(date.today())
        counted = [daily for daily in matches_of_deal(self._store, deal) if daily.for_record]
        counted.sort(key=lambda daily: (daily.result is None, -(daily.result or 0.0)))  # unfinished ones last
        own = next((daily for daily in counted if daily.person == self._person.id), None)
        title = Words(self._settings.language, deal.game).text("title")
        lines = [text("daily_today", title=title, value=deal.day.isoformat())]
        is_over = own is not None and own.result is not None
        # Before the end, results would tell the guest something about the cards.
        keys = {True: "daily_playing", False: "daily_result" if is_over else "daily_played"}
        results = [
            text(keys[daily.result is None], name=daily.name, value=signed(daily.result or 0))
            for daily in counted[:MAX_RESULTS]
        ]
        lines.append(text("daily_results", values=tuple(results)) if results else text("daily_nobody"))
        continuing = Offer(True, text("daily_own" if is_over else "daily_go_on" if own else "daily_play"))
        continues = self._pages.choose(text("menu.ask"), [continuing, Offer(None, text("back"))], lines)
        if continues and own and is_over:
            self._show_own_result(own)
        elif continues:
            self._play_daily(deal, own)

    def _play_daily(self, deal: DailyDeal, daily: DailyMatch | None = None) -> None:
        """Let the guest play a match of a deal, by default a new one, and show the results of the day again."""
        person, language = self._person, self._settings.language
        daily = daily or create_daily_match(self._store, deal, person.name, language, person.id)
        with self._playing(daily.number):
            play_session(self._store, daily.number, self._session_options())
        self._daily()

    def _show_own_result(self, daily: DailyMatch) -> None:
        text = self._words.text
        keys = {"review": "daily.review", "again": "daily.practise", None: "back"}
        offers = [Offer(value, text(key)) for value, key in keys.items()]
        while True:
            page = daily_page(self._store, daily, self._settings)
            with self._pages.screen() as screen:
                chosen = screen.choose(page.page, text("menu.ask"), offers, BACK)
            if chosen != "review":
                break
            self._review(daily.number, daily.deal.seat)
        if chosen == "again":
            self._play_daily(daily.deal)
        else:
            self._daily()

    def _duplicates(self) -> None:
        if tournament := self._choose_duplicate():
            self._store.check_not_played(tournament.name, self._person.id, [self._person.name])
            header = Header(tournament.game, tournament.seats, tournament.rules, tournament.dealer(1), None)
            self._open_table(header, duplicate=tournament)

    def _choose_duplicate(self) -> Duplicate | None:
        """Let the guest choose a duplicate tournament to play, or define one; return ``None`` to go back."""
        text, boards = self._words.text, self._store.boards()
        first_boards = [board for board in boards.values() if board.number == 1]  # one for each table
        tables = Counter([board.duplicate.name for board in first_boards])
        offers: list[Offer] = []
        for tournament in tournaments(boards.values())[:MAX_LISTED]:
            title, name = Words(self._settings.language, tournament.game).text("title"), tournament.name
            line = text("duplicate_line", name=name, title=title, count=tournament.deals, number=tables[name])
            offers.append(Offer(tournament, line))
        offers += [Offer(NEW, text("duplicate_new")), Offer(None, text("back"))]
        chosen: Duplicate | str | None = self._pages.choose(text("duplicate_which"), offers, [text("duplicate_about")])
        if chosen == NEW:
            return self._new_tournament({*tables})
        if not isinstance(chosen, Duplicate):
            return None
        words = Words(self._settings.language, chosen.game)
        tables_of_it = {match: board.table for match, board in boards.items() if board.duplicate == chosen}
        seats = self._store.seat_statuses
        own = (table for match, table in tables_of_it.items() if any(map(self._is_own_seat, seats(match))))
        lines = ranking_lines(self._store.ranking(chosen.name), words, next(own, None))
        play = [Offer(True, text("duplicate_play")), Offer(None, text("back"))]
        return chosen if self._pages.choose(chosen.name, play, lines) else None

    def _new_tournament(self, taken: Container[str]) -> Duplicate | None:
        """Ask for the options of a new tournament and a name that is not ``taken``; return ``None`` to go back."""
        text = self._words.text

        def check(typed: str) -> str | None:
            if clean_name(typed) in taken:
                return text("duplicate_name_taken")
            return name_problem(self._words, clean_name(typed))

        if (setup := self._ask_setup(with_table=False)) is None:
            return None
        header = setup.header
        counts = [Offer(number, text("duplicate.deals", count=number)) for number in DEALS]
        count = self._pages.choose(text("duplicate_deals"), counts, at=DEALS[1])  # ``None``: back
        name = count and self._pages.ask(text("duplicate_name"), check)
        return Duplicate(clean_name(name), header.game, header.seats, header.rules, count) if name else None

    def _choose_learning(self) -> None:
        """Let the guest choose the rules, the lesson or exercises of a game. Ctrl-C ends exercises.

        After the lesson the guest may play the game against easy computers."""
        text = self._words.text
        offers = [Offer(key, text(key)) for key in (RULES, LEARN, PRACTISE)]
        chosen = self._pages.choose(text("learning"), offers)
        game = chosen and self._pages.choose_game()
        if game and chosen == RULES:
            with self._pages.screen() as screen:
                screen.show(rules(game, self._settings))
        elif game and chosen == LEARN:
            if lesson.learn(game, self._settings):
                others = game_class(game).SEATS[0] - 1
                names = ("", *computer_names(Words(self._settings.language), others, [self._person.name]))
                self._open_table(new_header(game, names, (PERSON, *["easy"] * others)))
        elif game:
            with suppress(KeyboardInterrupt):
                set_exercises(self._store, self._person.id, game, self._settings)

    def _forgive(self) -> None:
        offers = [
            Offer(each.other, self._words.text("avoided_blocked" if each.blocked else "mute_end", name=each.name))
            for each in self._store.avoided_by(self._person.id)
        ]
        other = self._pages.choose(self._words.text("mute_ask"), offers)
        if other is not None:
            self._store.stop_avoiding(self._person.id, other)

    def _history(self) -> str | None:
        """List the guest's matches and show the records of finished ones; return a notice if there are no matches."""
        text, language, at = self._words.text, self._settings.language, None
        while True:
            matches = self._store.matches_of(self._person.id, MAX_LISTED)
            if not matches:
                return text("nothing_played")
            offers = [
                Offer(match.id, line, refused=None if match.outcome else text("not_over"))
                for match, line in zip(matches, match_lines(matches, language), strict=True)
            ]
            at = self._pages.choose(text("which_match"), [*offers, Offer(None, text("back"))], at=at)
            if at is None:
                return None
            played = stored_match(self._store, at)
            replay.step_through(played.game, played.header, played.plies, self._settings)

    def _ratings(self) -> None:
        print_lines = partial(print_ratings, self._store.rating_list(GAMES, LEVEL_RATINGS), self._settings)
        with self._pages.screen() as screen:
            screen.show(statistics_page(self._words.text("ratings"), print_lines))

    def _change_settings(self) -> None:
        refusals = dict.fromkeys(CHANGEABLE)
        self._pages.change_settings(lambda: [self._words.text("settings_here")], lambda: refusals, self._keep_setting)

    def _keep_setting(self, name: str, value: Any) -> None:
        self._settings = self._settings._replace(**{name: value})
        measure_suits(self._settings)
        self._words = Words(self._settings.language, "lobby")
