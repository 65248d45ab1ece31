"""The dialogue before a match: players and options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, NamedTuple

from cardgames.bots import LEVELS
from cardgames.engine.game import InvalidRules, Message, Option, game_class, options
from cardgames.engine.record import PERSON, Header
from cardgames.match.time_control import TimeUp, parse_limits
from cardgames.store.places import TableOptions
from cardgames.ui.menus.choosing import computer_names, name_problem
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Offer, Page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings
from cardgames.ui.times import duration, time_control_text, time_limit_text

START, NO_TIME = "start", "none"
DELAYS = (0, 30, 60, 300)
"""The delays in seconds after which spectators can be allowed to see all hands; 0: never."""
EACH, CLOCKS = ("30s", "60s", "5m", "1d", "2d", "7d"), ("5m", "10m+5s", "30m+15s")
"""The time limits that are offered: for each turn, and for a player's whole match."""
ELSEWHERE = "elsewhere"
"""The answer that leaves a seat to a person at another terminal."""


class MatchSetup(NamedTuple):
    """The players and options of a match to be created."""

    header: Header
    """The name of a person at another terminal is ``""``."""
    table: TableOptions = TableOptions()
    """Only the time limit for a match at one terminal."""


@dataclass(eq=False, repr=False)
class Dialogue:
    """The questions before a match. Escape leads back to the previous question."""

    screen: Screen
    settings: Settings
    start: MatchSetup
    """Suggests the number of players, their names and the options."""
    last_names: Callable[[int], Sequence[str] | None] = lambda seats: None
    """Returns the names of the last match with so many seats, if any, which are suggested instead."""
    rules_given: bool = False
    """Whether the command line set options of the rules. The number of players has to suit such options."""
    with_players: bool = True
    """Whether to ask who plays. If not, people of any terminal take the seats."""
    with_table: bool = True
    """Whether to ask for the options of the table, besides those of the rules."""

    def __post_init__(self) -> None:
        header = self.start.header
        self._game = game_class(header.game)
        self._options = options(self._game.RULES)
        self._words = Words(self.settings.language, header.game)
        self._text = self._words.text
        self._choose = partial(self.screen.choose, keys=BACK)
        self._seats = header.seats
        self._rules = dict(header.rules)
        self._table = self.start.table
        self._names: dict[int, str] = {}
        self._answers: dict[int, str] = {}
        """Who plays at each seat: ``PERSON``, ``ELSEWHERE``, or the level of a computer."""

    @property
    def _questions(self) -> list[Callable[[], bool]]:
        """The questions in order. Each returns whether it was answered; the first decides how many others follow."""
        how_many = [self._ask_how_many] if len(self._game.SEATS) > 1 else []
        who = [partial(self._ask_who, seat) for seat in range(1, self._seats + 1)] if self.with_players else []
        return [*how_many, *who, self._ask_options]

    def ask(self) -> MatchSetup | None:
        """Ask all questions; return ``None`` if the person goes back from the first question.

        Raises ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` for a closed terminal."""
        place = 0
        while 0 <= place < len(self._questions):
            place += 1 if self._questions[place]() else -1
        if place < 0:
            return None
        seats = range(1, self._seats + 1)
        names = tuple([self._names.get(seat, "") for seat in seats])
        levels = [level if (level := self._answers.get(seat)) in LEVELS else PERSON for seat in seats]
        # *Ruling* on D2, T2, K6, F2 and Z2: the last seat deals first
        header = Header(self._game.NAME, self._seats, self._rules, self._seats, names)
        if {*levels} != {PERSON}:
            header = header._replace(players=tuple(levels))
        # Options of shared tables count only if another terminal has a seat.
        return MatchSetup(header, self._table if "" in names else TableOptions(self._table.minutes))

    def _draw(self, *lines: str) -> Page:
        """A page with ``lines`` below the game's title and description."""
        return Page(self._text("title"), [self._text("about"), *lines])

    def _ask_how_many(self) -> bool:
        seats = sorted(self._game.SEATS, key=lambda number: number != self._seats)  # the last answer first
        offers = [Offer(number, self._text("so_many", number=number)) for number in seats]
        if self.rules_given:
            offers = [offer._replace(refused=self._conflict_in_words(seats=offer.value)) for offer in offers]
        chosen = self._choose(self._draw(), self._text("how_many"), offers)
        self._seats = chosen or self._seats
        while why := self._conflict():
            option = str(why.args["option"])
            self._rules[option] = getattr(self._game.RULES, option)
        return chosen is not None

    def _conflict(self, changed: Mapping[str, Any] = {}, seats: int = 0) -> Message | None:
        """The reason why the options conflict; its argument ``option`` names the one to change. ``None`` if none does.

        ``changed``: values in place of the present ones; ``seats``: the number of players, if not the present one."""
        try:
            self._game.RULES.of({**self._rules, **changed}).check_seats(seats or self._seats)
        except InvalidRules as error:
            return error.reason
        return None

    def _sides(self) -> tuple[tuple[int, ...], ...]:
        return self._game(self._seats, self._game.RULES.of(self._rules)).sides

    def _join(self, key: str, parts: Iterable[str]) -> str:
        """The parts as one text. The message ``key`` has the arguments ``start`` and ``end``, and joins two texts."""
        return reduce(lambda start, end: self._text(key, start=start, end=end), parts)

    def _name_question(self, seat: int) -> str:
        side = next(side for side in self._sides() if seat in side)
        seats = {other: self._text("seat_number", number=other) for other in side}
        partners = [self._shown_name(other) if other < seat else seats[other] for other in side if other != seat]
        if not partners:
            return self._text("name_of", number=seat)
        return self._text("name_of_partner", number=seat, text=self._join("together", partners))

    def _ask_who(self, seat: int) -> bool:
        """Ask who plays at ``seat``, and for a person's name; return whether there was an answer."""
        if seat == 1:
            return self._ask_name(seat)
        offers = [Offer(level, self._text("computer." + level), (level,)) for level in LEVELS[1:]]
        offers += [Offer(PERSON, self._text("seat_person")), Offer(ELSEWHERE, self._text("seat_elsewhere"))]
        draw, question = self._draw(*self._names_before(seat)), self._text("who_plays", number=seat)
        while (chosen := self._choose(draw, question, offers, at=self._default_player(seat))) == PERSON:
            if self._ask_name(seat):
                return True
        if chosen is None:
            return False
        taken = [name for other, name in self._names.items() if other != seat and name]
        self._names[seat] = "" if chosen == ELSEWHERE else computer_names(self._words, 1, taken)[0]
        self._answers[seat] = chosen
        return True

    def _default_player(self, seat: int) -> str:
        """The suggested answer: the last one, or a person after people, or a computer of the level before."""
        before = [LEVELS[1], *[self._answers[other] for other in range(2, seat)]]
        return self._answers.get(seat) or (before[-1] if {*before} <= {*LEVELS} else PERSON)

    def _shown_name(self, seat: int) -> str:
        """The name at a seat, or words for a seat that is left to another terminal."""
        return self._names[seat] or self._text("seat_elsewhere")

    def _names_before(self, seat: int) -> tuple[str, ...]:
        names = tuple(self._shown_name(other) for other in range(1, seat))
        return ("", self._text("players_so_far", names=names)) if names else ()

    def _ask_name(self, seat: int) -> bool:
        taken = [name for other, name in self._names.items() if other < seat and name]  # higher seats are asked later
        last_names = self.last_names(self._seats) or self.start.header.names or ()
        numbered = self._text("seat_number", number=seat)
        own_name = self._names[seat] if self._answers.get(seat) == PERSON else ""
        candidates = (own_name, *last_names[seat - 1 :], *last_names, numbered)
        default = next((name for name in candidates if name_problem(self._words, name, taken) is None), "")
        check = partial(name_problem, self._words, taken=taken)
        draw = self._draw(*self._names_before(seat), "")
        name = self.screen.ask(draw, self._name_question(seat), default, check)
        if name is not None:
            self._names[seat], self._answers[seat] = name, PERSON
        return name is not None

    def _ask_options(self) -> bool:
        while True:
            draw = Page(self._text("title"), [self._players()])
            chosen = self._choose(draw, self._text("how_to_play"), self._option_offers())
            if not callable(chosen):
                return chosen is not None
            chosen()

    def _set(self, **changed: Any) -> None:
        """Change options of the table."""
        self._table = self._table._replace(**changed)

    def _option_offers(self) -> list[Offer]:
        offers = [Offer(START, self._text("start_match"), refused=self._conflict_in_words())]
        for option in self._options:
            value = self._value_text(option, self._rules[option.name])
            line = self._text("option_line", text=self._text(f"option.{option.name}.name"), value=value)
            about, refused = self._text("option." + option.name), self._switch_on_problem(option)
            change, is_first = partial(self._change_option, option), option is self._options[0]
            offers.append(Offer(change, line, refused=refused, note=about, begins_group=is_first))
        if not self.with_table:
            return offers
        table = self._table
        if self._game.HAS_TIME_LIMIT:
            offers.append(Offer(self._ask_minutes, self._text("time_limit", count=table.minutes or 0)))
        if not self._names or "" in self._names.values():  # other terminals take part
            limit = time_control_text(table.control, self._words) if table.control else self._text("time_none")
            rated = self._text("rated_option", text=self._text(str(table.rated)))
            delay = self._text("open_hands_after", value=duration(table.open_hands, self._words))
            open_hands = self._text("open_hands_option", text=delay if table.open_hands else self._text("False"))
            next_delay = DELAYS[(DELAYS.index(table.open_hands) + 1) % len(DELAYS)]
            switch, change = partial(self._set, rated=not table.rated), partial(self._set, open_hands=next_delay)
            conflict = self._text("rated_no_open_hands")
            offers.append(Offer(self._ask_control, self._text("time_control", text=limit)))
            offers.append(Offer(switch, rated, refused=conflict if table.open_hands else None))
            offers.append(Offer(change, open_hands, refused=conflict if table.rated else None))
        return offers

    def _switch_on_problem(self, option: Option) -> str | None:
        """The reason why an option cannot be switched on with so many players; ``None`` if it can, or is on."""
        conflict = self._conflict(changed := {option.name: True}) if self._rules[option.name] is False else None
        # Conflicts between options only keep the match from starting.
        return self._conflict_in_words(changed) if conflict and "seats_allowed" in conflict.args else None

    def _conflict_in_words(self, changed: Mapping[str, Any] = {}, seats: int = 0) -> str | None:
        """The conflict that :meth:`_conflict` finds, in words; ``None`` without a conflict."""
        if not (conflict := self._conflict(changed, seats)):
            return None
        keys = ("option", "other_option")
        args = {key: self._text(f"option.{arg}.name") if key in keys else arg for key, arg in conflict.args.items()}
        return self._words.say(Message("reason." + conflict.key, args))

    def _players(self) -> str:
        """The sides, or else the names, as text. While no names are known, the number of players."""
        if not self._names:
            return self._text("so_many", number=self._seats)
        if self._conflict() or len(sides := self._sides()) == self._seats:
            return self._text("players_so_far", names=tuple(map(self._shown_name, range(1, self._seats + 1))))
        in_words = [self._join("together", map(self._shown_name, side)) for side in sides]
        return self._text("sides", text=self._join("opposed", in_words))

    def _value_text(self, option: Option, value: object) -> str:
        """The value of an option in words, or as it is if the game has no words for it."""
        if isinstance(value, bool):
            return self._text(str(value))
        key = f"option.{option.name}.{value}"
        return self._text(key) if self._words.knows(key) else str(value)

    def _change_option(self, option: Option) -> None:
        """Toggle an option that is on or off; ask for the value of any other option."""
        question = self._text("field", text=self._text(f"option.{option.name}.name"))
        title, about = self._text("title"), self._text("option." + option.name)
        old = self._rules[option.name]
        if isinstance(old, bool):
            self._rules[option.name] = not old
        elif option.words:
            offers = []
            for word in option.words:
                conflict = self._conflict_in_words({option.name: word})
                offers.append(Offer(word, self._value_text(option, word), (str(word),), refused=conflict))
            draw = Page(title, [about])
            self._rules[option.name] = self._choose(draw, question, offers) or old
        else:

            def check(typed: str) -> str | None:
                try:
                    option.check(_parse_number(typed))
                except InvalidRules as error:
                    return self._words.say(Message("reason." + error.reason.key, error.reason.args))
                return None

            draw = Page(title, [about, ""])
            typed = self.screen.ask(draw, question, str(old), check)
            self._rules[option.name] = old if typed is None else _parse_number(typed)

    def _ask_control(self) -> None:
        offers: list[Offer] = [Offer(NO_TIME, self._text("time_none"))]
        for control in (*[parse_limits(each, None) for each in EACH], *[parse_limits(None, clock) for clock in CLOCKS]):
            assert control
            offers.append(Offer(control, time_limit_text(control, self._words)))
        draw = self._draw("")
        chosen = self._choose(draw, self._text("time_ask"), offers)
        if chosen == NO_TIME:
            self._set(control=None)
        elif chosen is not None:
            consequences = [Offer(time_up, self._text(f"time_up.{time_up}"), (str(time_up),)) for time_up in TimeUp]
            if (time_up := self._choose(draw, self._text("time_up_ask"), consequences)) is not None:
                self._set(control=chosen._replace(time_up=time_up))

    def _ask_minutes(self) -> None:

        def check(typed: str) -> str | None:
            return None if isinstance(_parse_number(typed), int) else self._text("minutes_rule")

        typed = self.screen.ask(self._draw(""), self._text("ask_minutes"), str(self._table.minutes or 0), check)
        if typed is not None:
            self._set(minutes=int(typed) or None)


def _parse_number(typed: str) -> int | str:
    """The typed number, if it has at most six digits; any other text is returned unchanged."""
    return int(typed) if typed.isdecimal() and len(typed) < 7 else typed
