"""Shared tables: ``play --open`` opens one, ``join`` takes a seat, ``watch`` is for spectators."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cardgames.cli.asking import PAGES, ask_first, choose, game_text, need_posix, need_terminal
from cardgames.cli.context import Refused, open_store, say, settings
from cardgames.cli.parameters import Names, Ongoing, TableArgument, text_option
from cardgames.cli.play import session_at_terminal, session_options
from cardgames.cli.seat_assignment import check_names
from cardgames.engine.game import GAMES
from cardgames.ui.menus.choosing import name_problem
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.store.places import OpenTable
    from cardgames.ui.session.local_session import SessionOptions

NEW = ("",)
"""The answer of a player who has no seat at the table yet."""


def join(table: Annotated[list[str] | None, TableArgument] = None, name: Names = None) -> None:
    """Join a table that another terminal has opened."""
    need_posix("join")
    names = tuple(name or ())
    check_names(names)
    need_terminal()
    with open_store() as store:
        match = _find_match(store, " ".join(table)) if table else None
        ask_first(partial(ask_and_join, store, match, names))


def _find_match(store: "Store", typed: str) -> int:
    """Return the number of the match whose number or private table's code is ``typed``. Raises :class:`Refused`.

    A private table's number is enough only if a player of this machine is absent from it."""
    from cardgames.store.places import find_by_code

    tables = store.tables()
    if table := find_by_code(tables, typed):
        return table.match.id
    if not typed.isdecimal():
        raise Refused("join_no_code", value=typed)
    if any(table.code and table.match.id == int(typed) and not table.absent_names(None) for table in tables):
        raise Refused("join_private", number=int(typed))
    return int(typed)


def watch(
    match: Ongoing = None, name: Annotated[list[str] | None, text_option("NAME", help="help.spectator")] = None
) -> None:
    """Watch a shared table as a spectator."""
    from cardgames.ui.session.shared_session import play_shared_session

    need_posix("watch")
    check_names(name or ())
    need_terminal()
    with open_store() as store:
        tables = [table for table in store.tables() if not (table.code or table.is_board)]
        if match is None:
            match = ask_first(partial(_choose_table, store, tables, joins=False))
        if match is not None:
            play_shared_session(store, match, session_options()._replace(spectator=" & ".join(name or ())))


def joinable_tables(store: "Store") -> "list[OpenTable]":
    """The tables with a free seat, or with an absent player of this machine."""
    return [table for table in store.tables() if (table.has_free_seat and not table.code) or table.absent_names(None)]


def ask_and_join(
    store: "Store",
    match: int | None = None,
    names: Sequence[str] = (),
    options: "SessionOptions | None" = None,
) -> None:
    """Join a table, unless the player goes back. Ask for the table and the names if they are not given."""
    if match is None:
        match = _choose_table(store, joinable_tables(store))
    if match is None:
        return
    table = next((table for table in store.tables() if table.match.id == match), None)
    if table and not names:
        names = _ask_for_names(store, table)
        if not names:
            return
    join_and_play(store, match, names, options)


def join_and_play(store: "Store", match: int, names: Sequence[str], options: "SessionOptions | None" = None) -> None:
    """Join a match and play; at the end print how to continue it."""
    from cardgames.store.places import Party
    from cardgames.ui.session.shared_session import play_shared_session

    with session_at_terminal(store, match, options) as session:
        play_shared_session(store, match, session, Party(names))


def _choose_table(store: "Store", tables: "Sequence[OpenTable]", joins: bool = True) -> int | None:
    """Ask for one of ``tables`` if there are several; return its match, or ``None`` if the player goes back.

    Raises :class:`Refused` if there are none."""
    from cardgames.ui.session.news import table_offer

    if not tables:
        raise Refused("nothing_to_join" if joins else "nothing_to_watch", game=GAMES[0])
    if len(tables) == 1:
        return tables[0].match.id
    lines = [(table.match.id, table_offer(store, table, settings(), None, joins)) for table in tables]
    offers = [Offer(number, line, (str(number),)) for number, line in lines]
    chosen: int | None = choose(say("which_table"), offers)
    return chosen


def _ask_for_names(store: "Store", table: "OpenTable") -> Sequence[str]:
    """Ask whether absent players or a new player join a table; return the names, or ``()`` if the player goes back."""
    from cardgames.ui.session.news import table_offer

    absent = table.absent_names(None)
    if not absent and not table.has_free_seat:
        raise Refused("join_nobody", number=table.match.id)
    if len(absent) == 1 and not table.has_free_seat:
        return absent
    lines = [table_offer(store, table, settings(), None), ""]
    if absent:
        everybody = Offer(tuple(absent), say("join_together", names=tuple(absent)))
        offers = [*[everybody] * (len(absent) > 1), *[Offer((name,), name) for name in absent]]
        if table.has_free_seat:
            offers.append(Offer(NEW, say("join_new")))
        chosen = choose(say("who_are_you"), offers, lines)
        if chosen != NEW:
            return chosen or ()
    return _ask_name(lines, [place.name for place in table.places if place.name is not None])


def ask_own_name(store: "Store", game: str, taken: Sequence[str] = ()) -> tuple[str, ...]:
    """Ask for a player's name, by default the last name used at ``game``; return ``()`` if the player goes back."""
    recent_names = [name for name in store.names_last_used(game) or () if name and name not in taken]
    return _ask_name([game_text(game, "about"), ""], taken, *recent_names[:1])


def _ask_name(lines: Sequence[str], taken: Sequence[str], default: str = "") -> tuple[str, ...]:
    """Ask below ``lines`` for a name that resembles none of ``taken``; return ``()`` if the player goes back."""
    check = partial(name_problem, Words(settings().language), taken=taken)
    name = PAGES.ask(say("join_name"), check, lines, default)
    return () if name is None else (name,)
