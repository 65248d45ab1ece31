"""``review`` goes over finished matches: which choices cost something, on the screen or as JSON."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli.context import UNAVAILABLE, USAGE, Refused, say, settings
from cardgames.cli.for_programs import for_programs, safe_json
from cardgames.cli.many_processes import ended_in_order
from cardgames.cli.opened_store import opened_store
from cardgames.cli.parameters import Record, Yes, number
from cardgames.cli.records import reading

if TYPE_CHECKING:
    from cardgames.engine.game import AnyGame
    from cardgames.engine.record import Header, Ply


def review(
    record: Annotated[str | None, Record] = None,
    seat: Annotated[int | None, number(1)] = None,
    player: Annotated[str | None, typer.Option(metavar="NAME", show_default=False, help="help.review_player")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.review_json")] = False,
    yes: Yes = False,
) -> None:
    """Go over a match: what each choice cost by what its seat could know, to be tried again, and how it went."""
    if player is not None:
        if record is not None or seat is not None or as_json:
            raise Refused(USAGE, "player_alone")
        _of_person(player)
        return
    record = record or _last_finished()
    header, game, plies = _read(record, yes)
    if seat is not None and seat > game.seats:
        raise Refused(USAGE, "no_such_seat", number=seat, count=game.seats)
    if as_json:
        _print_choices(game, plies, seat)
        return
    go_over(header, game, plies, seat, None if Path(record).exists() else int(record))


def go_over(
    header: "Header", game: "AnyGame", plies: "Sequence[Ply]", seat: int | None = None, match: int | None = None
) -> None:
    """Show the review of a match, at a terminal to be sat down to; ``match`` is its number in the store."""
    from cardgames.ui import review as reviews
    from cardgames.ui.screens.charset import glyphs

    with _judging():
        found = reviews.reviewed(header, game, plies, seat, settings(), match)
    if not found.judged:
        raise Refused(USAGE, "nothing_chosen")
    if sys.stdin.isatty() and sys.stdout.isatty():
        reviews.sit(found, settings())
    else:
        for line in reviews.printed(found, settings()):
            print(line.translate(glyphs(settings())))


@contextmanager
def _judging() -> Iterator[None]:
    """While several processes go over matches, which Ctrl-C, a signal or anybody else may end."""
    from cardgames.tournament import WorkersLost

    try:
        with ended_in_order():
            yield
    except WorkersLost:
        raise Refused(UNAVAILABLE, "review_lost") from None


def _of_person(name: str) -> None:
    """Go over all finished matches in which somebody of this name sat, each once, however often it was imported."""
    from cardgames.engine.record import read
    from cardgames.ui import review as reviews
    from cardgames.ui.screens.charset import glyphs

    played = []
    known = set()
    with opened_store(write=False) as store:
        for match in store.matches():
            if match.outcome and name in (match.names or ()):
                record = tuple(store.export(match.id))
                if record in known:
                    continue
                known.add(record)
                header, game, plies = read([line.encode() for line in record])
                seat = (match.names or ()).index(name) + 1
                if seat not in header.computers:
                    played.append((match.id, header, game, tuple(plies), seat))
    if not played:
        raise Refused(USAGE, "nothing_of_person", value=name)
    with _judging():
        found = reviews.reviewed_for(played, settings())
    person = reviews.PersonReview(name, found, settings())
    if sys.stdin.isatty() and sys.stdout.isatty():
        person.sit()
    else:
        for line in person.printed():
            print(line.translate(glyphs(settings())))


def _last_finished() -> str:
    """The number of the match that was over last."""
    with opened_store(write=False) as store:
        match = store.last_finished()
    if match is None:
        raise Refused(USAGE, "nothing_to_review")
    return str(match)


def _read(record: str, yes: bool) -> "tuple[Header, AnyGame, tuple[Ply, ...]]":
    """A match to be gone over; one that is not over only with ``yes``, or if somebody at the terminal agrees."""
    from cardgames.engine.record import read

    with reading(record, yes) as lines:
        header, game, plies = read(lines)
        every = tuple(plies)
    if game.outcome(every[-1].state) is None and Path(record).exists() and not yes:
        raise Refused(USAGE, "record_not_over", path=record)
    return header, game, every


def _print_choices(game: "AnyGame", plies: "tuple[Ply, ...]", seat: int | None) -> None:
    from cardgames.bots.review import as_object
    from cardgames.ui.review import judged, tasks

    for_programs()
    with _judging(), judged(tasks(game, plies, seat), say("reviewing")) as found:
        for one in found:
            print(safe_json(json.dumps(as_object(game, one), ensure_ascii=False)), flush=True)
