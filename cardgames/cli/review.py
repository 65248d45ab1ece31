"""``review``: the costs of choices in finished matches, on the screen or as JSON."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cardgames.cli.asking import is_at_terminal
from cardgames.cli.context import ExitCode, Refused, open_store, print_json, settings, tell
from cardgames.cli.parameters import AsJson, Count, RecordArgument, Yes, text_option
from cardgames.cli.records import match_number, open_record
from cardgames.engine.record import read
from cardgames.system import signals_as_exceptions

if TYPE_CHECKING:
    from cardgames.bots.review import MatchOnRecord
    from cardgames.store import Store


def review(
    record: Annotated[str | None, RecordArgument] = None,
    seat: Count = None,
    player: Annotated[str | None, text_option("NAME", help="help.review_player")] = None,
    as_json: AsJson = False,
    yes: Yes = False,
) -> None:
    """Review a match: show what each choice cost, judged by the seat's observation, and let errors be retried."""
    if player is not None:
        if record is not None or seat is not None or as_json:
            raise Refused("player_alone")
        _review_person(player)
        return
    if record is None:
        with open_store(write=False) as store:
            last = store.last_changed(is_finished=True)
        if last is None:
            raise Refused("nothing_to_review")
        record = str(last)
    match = read_match(record, yes)
    if seat is not None and seat > match.game.seats:
        raise Refused("no_such_seat", number=seat, count=match.game.seats)
    if not as_json:
        present_review(match, seat)
        return
    from cardgames.ui.review.judging import judged_choices

    with judging(), judged_choices(match.tasks(seat), settings(), match=match) as choices:
        for choice in choices:
            print_json(choice.as_object())


def present_review(match: "MatchOnRecord", seat: int | None = None) -> None:
    """Review the choices of one ``seat``, by default of all people; show the review at a terminal, else print it."""
    from cardgames.ui.review.judging import review_match, save_review
    from cardgames.ui.review.review import show_review
    from cardgames.ui.review.review_pages import ReviewPages

    with judging():
        reviewed = review_match(match, seat, settings())
    if match.number is not None:
        with open_store() as store:
            save_review(store, reviewed)
    if not reviewed.judged:
        raise Refused("nothing_chosen")
    pages = ReviewPages(reviewed, settings())
    if is_at_terminal():
        show_review(pages, settings())
    else:
        tell("\n".join(pages.printed_lines()))


@contextmanager
def judging() -> Iterator[None]:
    """A context for judging in several processes. Raises :class:`Refused` if one of them is killed."""
    from cardgames.simulation import WorkersLost

    try:
        with signals_as_exceptions():
            yield
    except WorkersLost:
        raise Refused("review_lost", code=ExitCode.UNAVAILABLE) from None


def _review_person(name: str) -> None:
    """Review all finished matches of a person; show the review at a terminal, else print it."""
    from cardgames.cli.learning import practise
    from cardgames.ui.review.judging import review_matches, save_review
    from cardgames.ui.review.review import show_review
    from cardgames.ui.review.review_pages import PRACTISE, PersonPages

    with open_store(write=False) as store:
        seats_played = _seats_played(store, name)
    if not seats_played:
        raise Refused("no_statistics_of", value=name)
    with judging():
        reviews = review_matches(seats_played, settings())
    with open_store() as store:
        for reviewed in reviews:
            save_review(store, reviewed)
    person = PersonPages(name, reviews, settings())
    if not is_at_terminal():
        tell("\n".join(person.printed_lines()))
    elif show_review(person, settings()) == PRACTISE:
        practise(mine=True, player=name)


def _seats_played(store: "Store", name: str) -> "list[tuple[MatchOnRecord, int]]":
    """The finished matches of a person, each with the person's seat. A match imported several times counts once."""
    from cardgames.ui.review.judging import stored_match

    found: dict[tuple[str, ...], tuple[int, int]] = {}
    for match in store.matches():
        if match.outcome and match.names and name in match.names:
            seat = match.names.index(name) + 1
            if seat not in match.header.computers:
                found.setdefault(tuple(store.export(match.id)), (match.id, seat))
    return [(stored_match(store, number), seat) for number, seat in found.values()]


def read_match(record: str | int, yes: bool) -> "MatchOnRecord":
    """Read a match for a review. Raises :class:`Refused` for an unfinished match without ``yes`` or a confirmation."""
    from cardgames.bots.review import MatchOnRecord

    number = match_number(record)
    with open_record(record, yes) as lines:
        header, game, plies = read(lines)
        match = MatchOnRecord(header, game, tuple(plies), number)
    if number is not None:
        with open_store(write=False) as store:
            match = match._replace(stand_ins=store.substitutes(number))
    if game.outcome(match.plies[-1].state) is None and number is None and not yes:
        raise Refused("not_over")
    return match
