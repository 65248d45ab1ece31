"""Shared tables: ``play --open`` opens one, ``join`` takes a seat, ``watch`` is for spectators."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from cardgames.cli.asking import choose, known_game, need_terminal, of_game, outermost, page, screen
from cardgames.cli.config import change_settings
from cardgames.cli.context import USAGE, Refused, say, settings
from cardgames.cli.exit_message import exit_message, keep_setting, session_options
from cardgames.cli.opened_store import opened_store
from cardgames.cli.parameters import Names, SeatWanted, Spectators, TableOrCode, Time, Unfinished, seconds_of, text
from cardgames.cli.seat_assignment import check_names
from cardgames.engine.game import GAMES
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer
from cardgames.ui.screens.screen import Screen

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.store.places import OpenTable


def join(
    table: Annotated[list[str] | None, TableOrCode] = None,
    name: Names = None,
    seat: SeatWanted = None,
    now: Annotated[str | None, text("GAME", autocompletion=lambda: GAMES)] = None,
    computer_after: Time = None,
) -> None:
    """Join a table that another terminal has opened."""
    names = tuple(name or ())
    check_names(names, len(names))
    if (now and (table or seat or len(names) > 1)) or (computer_after and not now):
        raise Refused(USAGE, "join_now_alone")
    if now:
        known_game(now)
    wait = seconds_of("--computer-after", computer_after or "60s", "30s", "2m")
    need_terminal()
    with opened_store() as store:
        if now:
            outermost(partial(_play_now, store, now, names, wait))
            return
        match = _called(store, " ".join(table)) if table else None
        outermost(partial(ask_and_join, store, match, names, seat=seat))


def _play_now(store: "Store", game: str, names: Sequence[str], computers_after: int) -> bool:
    """Join a waiting table, or open one that computers fill in time; return whether a match was played."""
    from cardgames.store.places import find_waiting_table

    names = names or own_name(store, game)
    if not names:
        return False
    table = find_waiting_table(store.tables(), game, names[0])
    sit_at(store, table.match.id if table else store.open_default_table(game), names, computers_after=computers_after)
    return True


def _called(store: "Store", typed: str) -> int:
    """The match with a number, or with the code of a private table."""
    from cardgames.store.places import find_by_code

    tables = store.tables()
    if found := find_by_code(tables, typed):
        return found.match.id
    if not typed.isdecimal():
        raise Refused(USAGE, "join_no_code", value=typed)
    if any(table.code and table.match.id == int(typed) and not table.absent_names(None) for table in tables):
        raise Refused(USAGE, "join_private", number=int(typed))
    return int(typed)


def watch(match: Annotated[int | None, Unfinished] = None, name: Spectators = None) -> None:
    """Watch a shared table as a spectator."""
    from cardgames.ui.session.local_session import SessionOptions
    from cardgames.ui.session.shared_session import play_shared_session

    check_names(tuple(name or ()), len(name or ()))
    need_terminal()
    with opened_store() as store:
        tables = [table for table in store.tables() if not (table.code or table.is_board)]
        if match is None:
            if not tables:
                raise Refused(USAGE, "nothing_to_watch", game=GAMES[0])
            match = tables[0].match.id if len(tables) == 1 else outermost(partial(_which, store, tables))
        if match is not None:
            options = SessionOptions(settings, change_settings, keep_setting, spectator=" & ".join(name or ()))
            play_shared_session(store, match, options)


def to_sit_at(store: "Store") -> "list[OpenTable]":
    """The tables with a free seat or an absent player who may come back."""
    return [table for table in store.tables() if (table.has_free_seat and not table.code) or table.absent_names(None)]


def ask_and_join(
    store: "Store",
    match: int | None = None,
    names: Sequence[str] = (),
    programs: tuple[str, ...] = (),
    seat: int | None = None,
) -> bool:
    """Join a table; ask for the table and the names if they are not given. Return whether somebody joined."""
    tables = store.tables()
    if match is None:
        waiting = to_sit_at(store)
        if not waiting:
            raise Refused(USAGE, "nothing_to_join", game=GAMES[0])
        match = waiting[0].match.id if len(waiting) == 1 else _which(store, waiting)
    if match is None:
        return False
    if not names:
        found = next((table for table in tables if table.match.id == match), None)
        if found is not None:
            who = _who(store, found)
            if who is None:
                return False
            names = who
    sit_at(store, match, names, programs=programs, seat=seat)
    return True


def sit_at(
    store: "Store",
    match: int,
    names: Sequence[str],
    undo: bool = True,
    programs: tuple[str, ...] = (),
    seat: int | None = None,
    computers_after: int | None = None,
) -> None:
    """Join a match and play; at the end print how to continue it."""
    from cardgames.store.places import Party
    from cardgames.ui.session.shared_session import play_shared_session

    with exit_message(store, match) as playing:
        options = session_options(playing, undo, programs, computers_after)
        play_shared_session(store, match, options, Party(names, seat=seat))


def _which(store: "Store", tables: "Sequence[OpenTable]") -> int | None:
    offers: list[Any] = [Offer(table.match.id, _line(store, table), (str(table.match.id),)) for table in tables]
    with screen() as opened:
        chosen: int | None = choose(opened, say("which_table"), offers)
    return chosen


def _line(store: "Store", table: "OpenTable") -> str:
    """The line of a table: its people, and free seats or the current player."""
    from cardgames.ui.review.ratings import table_line
    from cardgames.ui.session.turns import people_to_act

    free = sum(place.name is None for place in table.places)
    how = say("join_free", count=free) if free else say("join_all_taken")
    if table.absent_names(None):
        whose = people_to_act(store, table, None)
        how = say("turn_of", names=whose) if whose else say("join_back")
    return table_line(store, table, settings(), partial(say, "join_line", text=how))


def _who(store: "Store", table: "OpenTable") -> Sequence[str] | None:
    """Ask who joins: absent players or somebody new; return their names, or ``None`` to go back."""
    away = table.absent_names(None)
    taken = [place.name for place in table.places if place.name is not None]
    if not away and not table.has_free_seat:
        raise Refused(USAGE, "join_nobody", number=table.match.id)
    if len(away) == 1 and not table.has_free_seat:
        return away

    with screen() as opened:
        lines = [_line(store, table), ""]
        if away:
            together = [Offer(names, say("join_together", names=names)) for names in table.absent_groups(None)]
            offers: list[Any] = [*together, *[Offer((name,), name) for name in away]]
            if table.has_free_seat:
                offers.append(Offer((), say("join_new")))
            chosen: tuple[str, ...] | None = choose(opened, say("who_are_you"), offers, lines)
            if chosen is None:
                return None
            if chosen:
                return chosen
        name = ask_name(opened, lines, taken)
        return None if name is None else (name,)


def own_name(store: "Store", game: str, taken: Sequence[str] = ()) -> tuple[str, ...]:
    """Ask for the name of a person alone, by default the one used last at a game; empty to go back."""
    likely = [name for name in store.names_last_used(game) or () if name and name not in taken]
    with screen() as opened:
        name = ask_name(opened, [of_game(game, "about"), ""], taken, *likely[:1])
    return () if name is None else (name,)


def ask_name(screen: "Screen", lines: Sequence[str], taken: Sequence[str], likely: str = "") -> str | None:
    """Ask for a name that none of ``taken`` resembles; ``None`` to go back."""
    from cardgames.ui.menus.choosing import name_problem

    check = partial(name_problem, Words(settings().language), taken=taken)
    return screen.ask(page(lines), say("join_name"), likely, check, say("field_keys"))
