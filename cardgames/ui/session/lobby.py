"""The lobby, for somebody who comes to this machine from another: what they may do here.

They have the tables, the lessons and the rules, and what they have played themselves. Nothing here reads or writes a
file of this machine, or changes a setting of its owner.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from time import sleep
from typing import Any, TypeAlias

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input

from cardgames.bots import module_of
from cardgames.engine.game import GAMES, Reason, game_class
from cardgames.engine.player_names import LONGEST_NAME, clean_name, look_alike, may_be_name
from cardgames.engine.record import PERSON, Header, read
from cardgames.layout import layout_of
from cardgames.match import PlayerLeft
from cardgames.store import JoinRefused, MatchHeld, Store, StoreBusy
from cardgames.store.people import Person
from cardgames.store.places import OpenTable, Party, found_by_code, found_now
from cardgames.texts import LANGUAGES, messages
from cardgames.ui.menus.choosing import choose_game, choose_value, offer_of_setting
from cardgames.ui.menus.new_match import Defaults, Dialogue, computer_names
from cardgames.ui.menus.rules import rules
from cardgames.ui.messages import Words
from cardgames.ui.review import replay
from cardgames.ui.review.printed_tables import line_of
from cardgames.ui.review.ratings import line_with_ratings, rating_lines
from cardgames.ui.screens.full_screen import FullScreen
from cardgames.ui.screens.offers import BACK, NEWS, Key, Offer
from cardgames.ui.screens.opening import labels, open_screen
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session import lesson
from cardgames.ui.session.local_session import SittingOptions
from cardgames.ui.session.shared_session import sit_together
from cardgames.ui.session.turns import people_to_act
from cardgames.ui.settings import WORDS, Settings
from cardgames.ui.table.foot_keys import ask_to_leave
from cardgames.ui.titled_page import titled_page

EASY = "easy"
"""The level of the computers against whom somebody plays after a lesson."""
TABLES = 5
"""At how many tables somebody may sit at once."""
RESULTS = 30
"""How many results of the deal of the day are listed at most."""
LISTED = 12
"""How many tables or matches are listed at once."""
COMPUTERS_AFTER = 60
"""Seconds for which a table that was opened to play now waits for people."""
CODE_WAIT = 1.0
"""Seconds that each guess of a private table's code takes."""
LOOK_EVERY = 0.5
"""Seconds between two looks for other tables."""
CHANGEABLE = (*WORDS, *[name for name, value in Settings()._asdict().items() if isinstance(value, bool)])
"""The settings that a guest may change: all but where the matches are."""

Deed: TypeAlias = Callable[[], str]
"""Something that can be done in the lobby; what is to be said afterwards."""


def load() -> None:
    """Import and make now whatever is wanted here later: processes that are forked from this one share it."""
    for name in GAMES:
        module_of(lesson.script(name).game)
        layout_of(name)
        for language in LANGUAGES:
            for catalogue in ("common", "lobby", name, f"learn_{name}"):
                messages(language, catalogue)
    _rehearse()


def _rehearse() -> None:
    """Ask a question that nobody sees, and which ends at once: much is made when the first one is asked."""
    words, settings = Words(LANGUAGES[-1], "lobby"), Settings()  # signs of two cells are looked up in tables
    with (
        create_pipe_input() as keys,
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        FullScreen(labels(words), settings, keys, nowhere, lambda: Size(rows=24, columns=80)) as screen,
    ):
        screen.news = lambda: True
        page = titled_page(settings, words.text("title"), [])
        screen.choose(page, words.text("ask"), [Offer(None, words.text("leave"))], {NEWS: Key.NEWS})


class Lobby:
    """The lobby as one guest has it, until they leave."""

    def __init__(
        self,
        store: Store,
        person: Person,
        settings: Settings,
        ssh_command: str,
        at_table: Callable[[int | None], object] = lambda match: None,
    ) -> None:
        """``ssh_command`` is the command by which others come here.

        ``at_table`` is told the match at whose table they are now, and ``None`` when they have left it.
        """
        self._store = store
        self._person = person
        self._settings = settings
        self._ssh_command = ssh_command
        self._at_table = at_table
        self._words = Words(settings.language, "lobby")

    def stay(self, said: str) -> None:
        """Ask what to do until they leave; ``said`` is the welcome."""
        at: object = None
        while True:
            deed, at = self._main(said, at)
            if deed is None:
                return
            try:
                said = deed()
            except (JoinRefused, MatchHeld) as error:
                said = self._sentence(error.reason)
            except StoreBusy:
                said = self._words.text("store_trouble")

    def _sentence(self, reason: Reason) -> str:
        """Why something is refused, as a sentence."""
        text = self._words.say(Reason("reason." + reason.key, reason.args))
        return self._words.text("sentence", text=text)

    def _main(self, said: str, at: object) -> tuple[Deed | None, object]:
        """Ask what to do; the deed, and the line for it, to be pointed at afterwards."""
        text = self._words.text
        with self._screen() as screen:
            while True:
                found = self._found()
                found = found and self._public(found)
                tables = self._with_a_seat(found or [])
                screen.news, screen.news_every = partial(self._news, None if found is None else tables), LOOK_EVERY
                deeds: dict[object, tuple[str, Deed | None]] = {
                    ("table", table.match.id): (
                        self._line(table),
                        partial(self._sit, table),
                    )
                    for table in tables
                }
                if any(map(self._is_full, found or [])):
                    deeds["watch"] = text("watch"), self._look_on
                deeds |= {
                    "now": (text("now"), self._play_now),
                    "new": (text("new"), self._new_table),
                    "code": (text("by_code"), self._by_code),
                    "daily": (text("daily"), self._daily),
                    "learn": (text("learn"), self._learn),
                    "rules": (text("rules"), self._rules),
                    "history": (text("history"), self._history),
                    "ratings": (text("ratings"), self._ratings),
                    "settings": (text("settings"), self._change_settings),
                    "leave": (text("leave"), None),
                }
                offers = [Offer(name, line) for name, (line, _) in deeds.items()]
                lines = [said] if said else []
                if found is None and said != text("store_trouble"):
                    lines.append(text("store_trouble"))
                page = titled_page(self._settings, text("title"), lines, [text("invitation", text=self._ssh_command)])
                keys = {"q": Key.LEAVE, NEWS: Key.NEWS}
                chosen = screen.choose(page, text("ask"), offers, keys, text("keys"), at=at)
                if chosen is Key.LEAVE:
                    try:
                        ask_to_leave(screen, self._words, page, "leave_menu")
                    except PlayerLeft:
                        return None, None
                elif chosen is not Key.NEWS:
                    return (None, None) if chosen is None else (deeds[chosen][1], chosen)
                if said == text("store_trouble"):
                    said = ""  # it is said as long as it is so

    def _screen(self) -> Screen:
        """The screen, for what holds no secrets."""
        return open_screen(self._words, self._settings, secret=False)

    def _choose(
        self,
        screen: Screen,
        question: str,
        offers: Sequence[Offer],
        lines: Sequence[str] = (),
        more: Sequence[str] = (),
        at: Any = None,
    ) -> Any:
        """The value of one of the offers, or ``None`` to go back."""
        page = titled_page(self._settings, self._words.text("title"), lines, more)
        return screen.choose(page, question, offers, BACK, self._words.text("back_keys"), at=at)

    def _which_game(self, screen: Screen) -> str | None:
        """Ask which game; ``None`` to go back."""
        return choose_game(screen, self._settings, self._words.text("title"))

    # Tables

    def _found(self) -> list[OpenTable] | None:
        """All tables, or ``None`` while the store is out of reach."""
        try:
            return None if self._store.away else self._store.tables()
        except StoreBusy:
            return None

    def _with_a_seat(self, tables: Sequence[OpenTable]) -> list[OpenTable]:
        """The tables at which there is a seat for them: first their own, then those at which somebody waits."""
        found = [table for table in tables if not self._is_full(table)]
        return sorted(found, key=lambda table: (not self._is_own(table), not self._is_there(table)))[:LISTED]

    def _public(self, tables: Sequence[OpenTable]) -> list[OpenTable]:
        """The tables that are not private, or theirs."""
        return [table for table in tables if not table.code or self._is_own(table)]

    def _by_code(self) -> str:
        """Sit down at a private table."""
        text = self._words.text
        page = titled_page(self._settings, text("title"), [])
        with self._screen() as screen:
            typed = screen.ask(page, text("ask_code_of_table"), "", lambda said: None, text("field_keys"))
        if not typed:
            return ""
        sleep(CODE_WAIT)
        table = found_by_code(self._store.tables(), typed)
        return self._sit(table) if table else self._words.text("no_such_code")

    def _is_full(self, table: OpenTable) -> bool:
        """Whether there is no seat for them at a table."""
        return not (table.waits or self._is_own(table))

    def _is_own(self, table: OpenTable) -> bool:
        return any(place.person == self._person.id for place in table.places)

    def _is_there(self, table: OpenTable) -> bool:
        """Whether somebody sits at a table now."""
        return any(place.terminal is not None for place in table.places)

    def _news(self, shown: Sequence[OpenTable] | None) -> bool:
        """Whether there are other tables than those that are shown, or the store is away, or is back."""
        try:
            changed = self._store.changed()
            if self._store.away:
                return shown is not None
            return (changed or shown is None) and self._with_a_seat(self._public(self._store.tables())) != shown
        except StoreBusy:
            return False

    def _line(self, table: OpenTable) -> str:
        """A table as it stands in the list: the game, who sits there, and how many seats are free."""
        free = sum(place.name is None for place in table.places)
        own = "table_called" if people_to_act(self._store, table, self._person.id) else "table_own"
        key = own if self._is_own(table) else "table_waits" if table.waits else "table_full"
        return line_with_ratings(self._store, table, self._settings, partial(self._words.text, key, count=free))

    def _sit(self, table: OpenTable, computers_after: int | None = None) -> str:
        """Sit down at a table, or come back to it; from another terminal if they still sit there."""
        own = [place.name for place in table.places if place.person == self._person.id and place.name is not None]
        if not own and self._sits_at() >= TABLES:
            return self._words.text("enough_tables", number=TABLES)
        names = own or self._new_name_at(table)
        if not names:
            return ""
        party = Party(names, self._person.id, take_over=bool(own))
        invitation = [self._words.text("invitation", text=self._ssh_command)]
        self._sit_together(table.match.id, party, invitation, computers_after=computers_after)
        return ""

    def _new_name_at(self, table: OpenTable) -> list[str]:
        """The name by which they sit down: their own, or another if somebody there has one like it; none to go back."""
        there = [place.name for place in table.places if place.name is not None]

        def is_taken(name: str) -> bool:
            return any(look_alike(name, other) for other in there)

        def check(typed: str) -> str | None:
            name = clean_name(typed)
            if not may_be_name(name):
                return self._words.text("name_rule", number=LONGEST_NAME)
            return self._words.text("name_taken", name=name) if is_taken(name) else None

        if not is_taken(self._person.name):
            return [self._person.name]
        why = self._sentence(Reason("join_taken", {"match": table.match.id, "name": self._person.name}))
        page = titled_page(self._settings, self._words.text("title"), [why])
        with self._screen() as screen:
            typed = screen.ask(page, self._words.text("ask_name"), "", check, self._words.text("field_keys"))
        return [] if typed is None else [clean_name(typed)]

    def _look_on(self) -> str:
        """Look on at a table, as everybody may see it."""
        tables = [table for table in self._public(self._store.tables()) if self._is_full(table)][:LISTED]
        with self._screen() as screen:
            offers = [Offer(table.match.id, self._line(table)) for table in tables]
            match = self._choose(screen, self._words.text("which_table"), offers)
        if match is not None:
            self._sit_together(match)
        return ""

    def _sit_together(self, match: int, *who: Any, computers_after: int | None = None) -> None:
        """Be at a table, or look on there without a party, until it is left."""
        self._at_table(match)
        try:
            options = self._sitting_options()._replace(computers_after=computers_after)
            sit_together(self._store, match, options, *who)
        finally:
            self._at_table(None)

    def _sits_at(self) -> int:
        """At how many tables they have a seat."""
        return sum(map(self._is_own, self._store.tables()))

    def _sitting_options(self) -> SittingOptions:
        return SittingOptions(
            lambda: self._settings,
            self._change_settings,
            self._keep_setting,
            review=self._review,
            spectator=self._person.name,
        )

    def _review(self, match: int, seat: int | None = None) -> None:
        """Go over their own choices in a match that is over, in this process alone; Ctrl-C goes back.

        The deal of the day has no places: there their ``seat`` has to be said.
        """
        from cardgames.ui.review.judging import MatchOnRecord, reviewed
        from cardgames.ui.review.kept_reviews import keep
        from cardgames.ui.review.review import sit
        from cardgames.ui.review.review_pages import ReviewPages

        header, game, plies = read([line.encode() for line in self._store.export(match)])
        own = [seat] if seat else []
        own += [place.seat for place in self._store.places(match) if place.person == self._person.id]
        record = MatchOnRecord(header, game, tuple(plies), match, self._store.substitutes(match))
        with suppress(KeyboardInterrupt):
            found = reviewed(record, next(iter(own), None), self._settings, jobs=1)
            keep(self._store, found)
            sit(ReviewPages(found, self._settings), self._settings)

    def _play_now(self) -> str:
        """Sit down where somebody waits, or at a new table, to which computers come after a while."""
        with self._screen() as screen:
            game = self._which_game(screen)
        if game is None:
            return ""
        table = found_now(self._public(self._store.tables()), game, self._person.name)
        if table is None and self._sits_at() >= TABLES:
            return self._words.text("enough_tables", number=TABLES)
        return self._sit(table) if table else self._sit_at(self._store.open_now(game), COMPUTERS_AFTER)

    def _new_table(self) -> str:
        """Open a table, at which others may sit down."""
        if self._sits_at() >= TABLES:
            return self._words.text("enough_tables", number=TABLES)
        with self._screen() as screen:
            game = self._which_game(screen)
            if game is None:
                return ""
            kind = game_class(game)
            defaults = Defaults(kind.SEATS[0], kind.RULES().values())
            wanted = Dialogue(screen, kind, self._settings, defaults).ask_for_table()
        if wanted is None:
            return ""
        seats = len(wanted.names)
        header = Header(game, seats, wanted.rules, seats, wanted.names, wanted.players)
        return self._sit_at(
            self._store.open_table(
                header,
                minutes=wanted.minutes,
                control=wanted.control,
                rated=wanted.rated,
                open_hands=wanted.open_hands,
            )
        )

    def _sit_at(self, match: int, computers_after: int | None = None) -> str:
        """Sit down at a table that they have opened."""
        return self._sit(next(table for table in self._store.tables() if table.match.id == match), computers_after)

    # What else can be done

    def _daily(self) -> str:
        """Tell who got what in the deal of today, and let them play it once, and go over it then."""
        from cardgames.tournament.daily import daily_deal
        from cardgames.ui.session.daily import begin, of_day
        from cardgames.ui.session.daily_page import DailyPage, result_of, signed
        from cardgames.ui.session.local_session import sit

        text, deal = self._words.text, daily_deal(date.today())
        found = sorted(of_day(self._store, deal), key=lambda one: (one.result is None, -(one.result or 0.0)))
        found = [one for one in found if one.for_record]
        own = next((one for one in found if one.person == self._person.id), None)
        title = Words(self._settings.language, deal.game).text("title")
        lines = [text("daily_today", title=title, value=deal.day.isoformat())]
        told = [
            text("daily_playing", name=one.name)
            if one.result is None
            else text("daily_result", name=one.name, value=signed(one.result))
            for one in found[:RESULTS]
        ]
        lines.append(text("daily_results", values=tuple(told)) if told else text("daily_nobody"))
        is_over = own is not None and own.result is not None
        if own and is_over:
            lines += DailyPage(result_of(self._store, own), self._settings).lines()
        deed = Offer(True, text("daily_review" if is_over else "daily_go_on" if own else "daily_play"))
        with self._screen() as screen:
            wanted = self._choose(screen, text("ask"), [deed, Offer(None, text("back"))], lines)
        if not wanted:
            return ""
        if own and is_over:
            self._review(own.number, own.deal.seat)
            return self._daily()
        own = own or begin(self._store, deal, self._person.name, self._settings.language, self._person.id)
        self._at_table(own.number)
        try:
            sit(self._store, own.number, self._sitting_options())
        finally:
            self._at_table(None)
        return self._daily()

    def _learn(self) -> str:
        with self._screen() as screen:
            game = self._which_game(screen)
        if game and lesson.learn(game, self._settings) is lesson.Next.PLAY:
            return self._play_easy(game)
        return ""

    def _play_easy(self, game: str) -> str:
        """Play against easy computers at once, under their own name."""
        if self._sits_at() >= TABLES:
            return self._words.text("enough_tables", number=TABLES)
        kind = game_class(game)
        seats = kind.SEATS[0]
        names = ("", *computer_names(Words(self._settings.language), seats - 1, [self._person.name]))
        levels = (PERSON, *[EASY] * (seats - 1))
        return self._sit_at(self._store.open_table(Header(game, seats, kind.RULES().values(), seats, names, levels)))

    def _rules(self) -> str:
        with self._screen() as screen:
            if game := self._which_game(screen):
                screen.show(rules(game, self._settings), self._words.text("page_keys"))
        return ""

    def _history(self) -> str:
        """Show the matches in which they sat; one that is over can be stepped through."""
        at: int | None = None
        while True:
            found = self._store.matches_of(self._person.id, LISTED)
            if not found:
                return self._words.text("nothing_played")
            not_over = self._words.text("not_over")
            offers = [
                Offer(match.id, line_of(match, self._settings.language), refused=None if match.outcome else not_over)
                for match in found
            ]
            with self._screen() as screen:
                at = self._choose(
                    screen, self._words.text("which_match"), [*offers, Offer(None, self._words.text("back"))], at=at
                )
            if at is None:
                return ""
            header, game, plies = read([line.encode() for line in self._store.export(at)])
            replay.step_through(game, header, [ply.action for ply in plies if ply.action is not None], self._settings)

    def _ratings(self) -> str:
        """Show the ratings of all who have played rated matches here."""
        from cardgames.ui.review.printed_tables import print_ratings, statistics_page

        lines = rating_lines(self._store, GAMES)
        if not lines:
            return self._words.text("nothing_rated")
        page = statistics_page(
            self._words.text("ratings"), self._settings, partial(print_ratings, lines, self._settings)
        )
        with self._screen() as screen:
            screen.show(page, self._words.text("page_keys"))
        return ""

    def _change_settings(self) -> str:
        """Let them have this program as their terminal and they want it, as long as they are here."""
        at: str | None = None
        while True:
            offers = [offer_of_setting(self._settings, name, getattr(self._settings, name)) for name in CHANGEABLE]
            asked, above = Words(self._settings.language, "cli").text("menu.setting"), self._words.text("settings_here")
            with self._screen() as screen:
                at = self._choose(screen, asked, offers, [above], at=at)
                if at is None:
                    return ""
                wanted: Any = not getattr(self._settings, at)
                if at in WORDS:
                    chosen = choose_value(screen, self._settings, self._words.text("title"), at)
                    wanted = chosen[0] if chosen else getattr(self._settings, at)
            self._settings = self._settings._replace(**{at: wanted})
            self._words = Words(self._settings.language, "lobby")

    def _keep_setting(self, name: str, value: Any) -> None:
        """Keep a setting as long as they are here."""
        self._settings = self._settings._replace(**{name: value})
