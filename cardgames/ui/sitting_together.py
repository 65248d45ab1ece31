"""A sitting at a table that several terminals share: people come, a match is played or left, and perhaps another."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

from cardgames.engine.game import CHANCE, Reason
from cardgames.match import Clock, Match, Player, PlayerLeft, Position, play
from cardgames.store import Seated, Store, StoreBusy, StoreError
from cardgames.ui.computers import MOMENTS, SECONDS, SeatedComputer
from cardgames.ui.foot_keys import SettingsWanted, ask_to_leave
from cardgames.ui.headed_page import headed
from cardgames.ui.new_match import computer_names
from cardgames.ui.news import Others
from cardgames.ui.patient_journal import PatientJournal
from cardgames.ui.screens.offers import NEWS, SHARED_KEYS, Draw, Key, Offer
from cardgames.ui.screens.opening import AnyScreen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.shared_table import BrokenOff, SharedTable
from cardgames.ui.sitting_here import words_of
from cardgames.ui.sitting_tally import matches_won, tally
from cardgames.ui.table import Table
from cardgames.ui.view import View

LEVELS = ("easy", "fair", "strong")
"""The computers to which an empty seat can be given."""
WATCHED = 2
"""Seconds for which the table rests for those who look on and would have it rest until a key."""
WATCHING = {name: key for name, key in SHARED_KEYS.items() if key not in (Key.UNDO, Key.HINT, Key.TALK)}
"""The keys of those who look on."""


def sit_together(
    store: Store,
    match: int,
    names: Sequence[str],
    settings: Settings,
    playing: Callable[[int], object],
    change: Callable[[], Settings],
    person: str | None = None,
    take_over: bool = False,
    invitation: Sequence[str] = (),
    undo: bool = True,
) -> None:
    """Sit down at a match, and play it and others after it, until somebody here leaves.

    ``names``, ``person`` and ``take_over`` are as :meth:`Store.join` has them; ``invitation`` are lines that tell how
    others come, and the rest is as in :func:`~cardgames.ui.sitting_here.sit`. Raises also what :meth:`Store.join` does.
    """
    present = list(names)

    def join(number: int) -> Seated:
        return store.join(number, present, person, take_over)

    def sit_down(sitting: "_Sitting") -> None:
        present[:] = sitting.names  # in what follows they are the same, whoever else this person is

    _stay(store, match, settings, change, join, playing, sit_down, invitation, undo)


def look_on(store: Store, match: int, settings: Settings, change: Callable[[], Settings]) -> None:
    """Look on at a match, as everybody may see it, and at those that follow; raises as :func:`sit_together` does."""
    _stay(store, match, settings, change, store.look_on)


def _stay(
    store: Store,
    match: int,
    settings: Settings,
    change: Callable[[], Settings],
    join: Callable[[int], Seated],
    playing: Callable[[int], object] = lambda number: None,
    sit_down: "Callable[[_Sitting], object]" = lambda sitting: None,
    invitation: Sequence[str] = (),
    undo: bool = True,
) -> None:
    """Be at one match after the other, until somebody here leaves or none follows."""
    following: int | None = match
    header, _ = store.load(match)
    while following is not None:
        try:
            with ExitStack() as stack:
                screen: AnyScreen | None = None
                while following is not None:
                    with join(following) as seated:
                        if screen is None:  # who is refused a seat is told so without one
                            keys = "keys_watching" if seated.looks_on else "keys_shared"
                            screen = open_screen(words_of(header, settings), settings, keys=keys)
                            stack.enter_context(screen)
                        sitting = _Sitting(screen, store, seated, settings, invitation, undo)
                        sit_down(sitting)
                        following = sitting.play()
                    if following is not None:
                        playing(following)
        except SettingsWanted:
            settings = change()


class _Sitting:
    """Those who sit at this terminal, or look on from it, for one match."""

    def __init__(
        self,
        screen: AnyScreen,
        store: Store,
        seated: Seated,
        settings: Settings,
        invitation: Sequence[str],
        undo: bool,
    ) -> None:
        self._screen = screen
        self._store = store
        self._seated = seated
        self._settings = settings
        self._invitation = invitation
        self._undo = undo
        self._read_header()

    def _read_header(self) -> None:
        """Be told who plays by now."""
        self._header, _ = self._store.load(self._seated.match)
        self._words = words_of(self._header, self._settings)
        self._others = Others(self._screen, self._store, self._seated, self._words)

    @property
    def names(self) -> list[str]:
        """The names of those who sit here."""
        return [self._others.place(seat).name or "" for seat in self._others.seats]

    def play(self) -> int | None:
        """Wait until every seat is taken, and play; the number of the rematch if there is one."""
        try:
            self._gather()
            return self._play()
        except (PlayerLeft, EOFError):
            return None
        except BrokenOff:
            self._say_broken_off()
        except StoreError as error:
            if error.reason.key != "store_match_over":
                raise
            self._say_broken_off()  # while somebody acted here
        return None

    # Before the match

    def _gather(self) -> None:
        """Show who is there until every seat is taken; raises :class:`PlayerLeft`."""
        while not self._others.company.is_full:
            text = self._words.text
            offers = [Offer(None, text("gather_wait"))]
            if self._opened:
                offers += [Offer(level, text("gather_computer", text=text("computer." + level))) for level in LEVELS]
            offers.append(Offer(Key.LEAVE, text("gather_leave")))
            keys = {"q": Key.LEAVE, NEWS: Key.NEWS}
            answer = self._screen.choose(self._waiting_room(), text("gather_ask"), offers, keys, text("gather_keys"))
            if answer is Key.LEAVE:
                raise PlayerLeft
            if isinstance(answer, str):
                self._seat_computer(answer)
            if answer is Key.NEWS:
                self._others.take_notice()
            self._read_header()

    @property
    def _opened(self) -> bool:
        """Whether somebody here has the first seat that is taken, as whoever opened the table has."""
        taken = [place.seat for place in self._others.company.places if place.name is not None]
        return any(seat in self._others.seats for seat in taken[:1])

    def _waiting_room(self) -> Draw:
        """Who is there, and how others come."""
        text = self._words.text
        lines = []
        for place in self._others.company.places:
            key = "gather_free" if place.name is None else "gather_computer_there" if place.level else "gather_there"
            if key == "gather_there" and place.terminal is None:
                key = "gather_away"
            level = text("computer." + place.level) if place.level else ""
            lines.append(text(key, seat=place.seat, number=place.seat, text=level))
        title = text("match_title", title=text("title"), number=self._seated.match)
        invitation = self._invitation or [text("gather_invitation", number=self._seated.match)]
        return headed(self._settings, title, [*lines, "", *invitation])

    def _seat_computer(self, level: str) -> None:
        """Give the first empty seat to a computer of this level."""
        places = self._others.company.places
        taken = [place.name for place in places if place.name is not None]
        free = next(place.seat for place in places if place.name is None)
        try:
            self._seated.seat_computer(free, level, computer_names(self._words, 1, taken)[0])
        except StoreBusy as error:
            self._screen.say(self._words.say(Reason("reason." + error.reason.key, error.reason.args)))

    # The match

    def _play(self) -> int | None:
        """Play or watch this match once every seat is taken; the number of the rematch if there is one."""
        number, settings, words = self._seated.match, self._settings, self._words
        minutes = self._store.match(number).minutes
        seed = self._store.seed(number)
        game = self._header.new_game()
        journal = PatientJournal(self._seated, self._screen, words, settings)
        if not self._seated.looks_on and not journal.read(Position()).moves:
            journal.persist(
                lambda: self._store.commit(number)
            )  # every seat is taken, so that the names are those for which it is made
        match = Match(game, journal, self._store.chance(number), None if minutes is None else Clock(minutes * 60))
        title = words.text("match_title", title=words.text("title"), number=number)
        view = View(
            game,
            self._header.names or (),
            settings,
            title,
            match,
            evening=partial(tally, self._store, number),
            promise=self._store.commitment(number),
            hints=partial(self._store.hints, number),
        )
        moment = settings.moment_kept

        def computer(seat: int, level: str) -> Player:
            from cardgames.bots import player

            choose = player(level, game, SECONDS)
            patience = self._others.patience
            return SeatedComputer(match, table, choose, f"{seed} {seat}", MOMENTS[moment], self._undo, patience)

        shared = SharedTable(self._screen, match, view, self._seated, self._others, settings, computer)
        pause, forced = settings.pause_kept, MOMENTS[moment] if settings.forced else None
        leaving = None
        if self._seated.looks_on:
            leaving = partial(ask_to_leave, self._screen, words, about="leave_watching")
            pause = WATCHED if pause == "key" else pause  # the match goes on without them
        seats = self._others.seats

        def count_hint(seat: int) -> None:
            journal.persist(partial(self._store.note_hint, number, seat))

        table = Table(self._screen, match, view, seats, pause, leaving, shared.attend, forced, count_hint)
        shared.table = table
        shared.notice()
        if self._seated.looks_on:
            return self._watch(match, shared, table)
        if view.promise and not any(step.by in seats for step in match.steps):  # before the first card that they see
            table.promise()
        play(match, shared.players, shared)
        dealer = game.next_dealer(match.state)
        if not shared.again(dealer, matches_won(self._store, number, words), self._store.commitment(number)):
            return None
        return journal.persist(lambda: self._seated.rematch(self._header._replace(dealer=dealer)))

    def _watch(self, match: Match, shared: SharedTable, table: Table) -> int | None:
        """Look on to the end, which is played elsewhere, and until there is another match; its number."""
        table.keys = WATCHING
        while not match.outcome:
            shared.wait(match.to_act or CHANCE)
        number = self._seated.match
        draw = table.end(matches_won(self._store, number, self._words), self._store.commitment(number))
        leave = [Offer(Key.LEAVE, self._words.text("leave_watching_yes"))]
        while self._others.company.rematch is None:
            if table.ask(draw, self._words.text("gather_ask"), leave) is Key.LEAVE:
                return None
        return self._others.company.rematch

    def _say_broken_off(self) -> None:
        text = self._words.text
        draw = headed(self._settings, text("title"), [text("broken_off")])
        self._screen.forget_typed()
        self._screen.choose(
            draw, text("broken_off_ask"), [Offer(None, text("gather_leave"))], {"q": None}, text("busy_keys")
        )
