"""``daily``: the same deal for everybody who plays on the same date."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from typing import TYPE_CHECKING, Annotated

from cardgames.cli.asking import need_terminal, screen
from cardgames.cli.context import open_store, print_json, say, settings, tell
from cardgames.cli.parameters import AsJson, text_option
from cardgames.ui.screens.offers import BACK, Offer

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.tournament.daily import DailyDeal
    from cardgames.ui.session.daily import DailyMatch
PATIENCE = 10
"""The most seconds that computers play a finished deal before its results are shown."""


def daily(
    name: Annotated[str | None, text_option("NAME", help="help.daily_name")] = None,
    as_json: AsJson = False,
) -> None:
    """Play the deal of the day, or show its results."""
    if as_json:
        _print_json(name)
        return
    need_terminal()
    play_daily(name)


def play_daily(name: str | None = None, practice: bool = False) -> None:
    """Play today's deal for the record; if it has been played, show the results, or with ``practice`` play it again."""
    from cardgames.cli.play import play_match
    from cardgames.ui.session.daily import create_daily_match

    with open_store() as store:
        deal, name, todays = _todays_matches(store, name)
        finished = next((match for match in todays if match.for_record and match.result is not None), None)
        unfinished = next((match for match in todays if match.result is None and match.for_record != practice), None)
        if finished and not (unfinished or practice):
            show_results(store, finished)
        else:
            match = unfinished or create_daily_match(store, deal, name, settings().language)
            play_match(store, match.number)


def _todays_matches(store: "Store", name: str | None) -> "tuple[DailyDeal, str, list[DailyMatch]]":
    """Today's deal, the player's name (by default the last player's), and that player's matches of the deal."""
    from cardgames.cli.seat_assignment import check_names, last_player
    from cardgames.tournament.daily import daily_deal
    from cardgames.ui.session.daily import matches_of_deal

    name = name or last_player(store)
    check_names((name,))
    deal = daily_deal(date.today())
    return deal, name, [match for match in matches_of_deal(store, deal) if (match.name, match.person) == (name, None)]


@contextmanager
def daily_comparison(store: "Store", match: int) -> Iterator[None]:
    """A context for playing a match. If it is a deal of the day, computers play the deal too, and results follow."""
    from cardgames.ui.session.local_session import find_daily_match

    daily_match = find_daily_match(store, match)
    if daily_match is None:
        yield
        return
    from cardgames.ui.session.daily import computers_playing

    with computers_playing(store, daily_match.deal):
        yield
    show_results(store, find_daily_match(store, match) or daily_match)


def show_results(store: "Store", daily_match: "DailyMatch") -> None:
    """Show the results of a finished deal of the day until the player leaves, then print a line to paste."""
    from cardgames.cli.review import review
    from cardgames.tournament.daily import COMPARED, TIMES
    from cardgames.ui.session.daily_page import DailyPage, result_of

    if daily_match.result is None:
        return
    _review_deal(store, daily_match)
    if len(result_of(store, daily_match).comparisons) < len(COMPARED):
        _run_computers(store, daily_match, PATIENCE)
    at: str | None = None
    while True:
        result = result_of(store, daily_match)
        page = DailyPage(result, settings())
        has_all = len(result.comparisons) == len(COMPARED) and all(line.played >= TIMES for line in result.comparisons)
        offers = [Offer(key, say("daily." + key)) for key in ("compare", "review", "practise")[has_all:]]
        offers.append(Offer(None, say("menu.leave")))
        with screen() as opened:
            at = opened.choose(page.draw, say("daily.ask"), offers, BACK, say("dialogue_keys"), at=at)
        if at is None:
            tell(page.line_to_paste() if result.counts else say("daily.not_counted"), breaks=not result.counts)
            return
        if at == "practise":
            play_daily(daily_match.name, practice=True)
            return
        if at == "review":
            review(str(daily_match.number))
        else:
            _run_computers(store, daily_match)


def _review_deal(store: "Store", daily_match: "DailyMatch") -> None:
    from cardgames.cli.review import judging
    from cardgames.ui.review.judging import review_matches, stored_match
    from cardgames.ui.review.kept_reviews import save_review, stored_reviews

    if (daily_match.number, daily_match.deal.seat) in stored_reviews(store):
        return
    with judging():
        (review,) = review_matches([(stored_match(store, daily_match.number), daily_match.deal.seat)], settings())
    save_review(store, review)


def _run_computers(store: "Store", daily_match: "DailyMatch", seconds: float | None = None) -> None:
    """Let computers play a deal, at most for ``seconds`` or until Ctrl-C, and store their results."""
    from concurrent.futures import as_completed

    from cardgames.cli.review import judging
    from cardgames.tournament.workers import processors
    from cardgames.ui.progress import progress_bar
    from cardgames.ui.session.daily import computers_playing

    with (
        judging(),
        computers_playing(store, daily_match.deal, processors()) as plays,
        suppress(KeyboardInterrupt, TimeoutError),
        progress_bar(as_completed(plays, seconds), len(plays), say("daily.comparing"), settings().plain) as finished,
    ):
        for play in finished:
            play.result()


def _print_json(name: str | None) -> None:
    from cardgames.ui.session.daily_page import result_of

    with open_store(write=False) as store:
        deal, name, todays = _todays_matches(store, name)
        finished = next((match for match in todays if match.for_record and match.result is not None), None)
        value = {"date": deal.day.isoformat(), "version": deal.version, "game": deal.game, "seat": deal.seat}
        value |= {"name": name, **(result_of(store, finished).as_object() if finished else {"result": None})}
    print_json(value)
