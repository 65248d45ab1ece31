"""``daily``: the same deal for everybody who plays on the same date."""

import sys
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from cardgames.cli.asking import choose, game_text, need_terminal, screen
from cardgames.cli.context import open_store, say, settings, tell
from cardgames.cli.parameters import Person
from cardgames.ui.screens.offers import BACK, Offer

if TYPE_CHECKING:
    from cardgames.simulation.daily import DailyDeal
    from cardgames.store import Store
    from cardgames.ui.session.daily import DailyMatch

PATIENCE = 10
"""The most seconds for which computers play a finished deal before its results are shown."""


def daily(name: Person = None) -> None:
    """Play the deal of the day, or show its results."""
    need_terminal()
    play_daily(name)


def play_daily(name: str | None = None, practice: bool = False) -> None:
    """Play today's deal. Once it has been played, show the results, or with ``practice`` play it again.

    An unfinished match is continued: with ``practice`` one that is not for the record, else one that is."""
    from cardgames.cli.play import play_match
    from cardgames.cli.seat_assignment import check_names, last_player
    from cardgames.simulation.daily import daily_deal
    from cardgames.ui.session.daily import create_daily_match, matches_of_deal

    with open_store() as store:
        name = name or last_player(store)
        check_names((name,))
        deal = daily_deal(date.today())
        matches = [match for match in matches_of_deal(store, deal) if match.name == name and match.person is None]
        finished = next((match for match in matches if match.for_record and match.result is not None), None)
        match = next((match for match in matches if match.result is None and match.for_record != practice), None)
        if finished and not (match or practice):
            show_results(store, finished)
        elif match or practice or _confirms_start(deal, name):
            match = match or create_daily_match(store, deal, name, settings().language)
            play_match(store, match.number)


def _confirms_start(deal: "DailyDeal", name: str) -> bool:
    """Tell the game of the deal and how it counts; return whether the player begins it."""
    title = say("daily.first", value=deal.day.isoformat(), title=game_text(deal.game, "title"))
    offers = [Offer(True, say("lesson.begin")), Offer(False, say("daily.later"))]
    return bool(choose(say("lesson.ask_begin"), offers, [title, say("daily.counts", name=name)]))


def show_results(store: "Store", daily_match: "DailyMatch") -> None:
    """Show the results of a deal of the day until the player leaves, then print a line to paste.

    First judge the player's choices, and let computers play the deal. Do nothing if the match is unfinished."""
    from cardgames.cli.play import review_match
    from cardgames.simulation.daily import TIMES
    from cardgames.ui.session.daily import MIN_STRONG_PLAYS, computer_results, daily_page

    if daily_match.result is None:
        return
    _review_deal(store, daily_match)
    if not all(computer_results(store, daily_match.deal).values()):
        _run_computers(store, daily_match, PATIENCE)
    at: str | None = None
    while True:
        page = daily_page(store, daily_match, settings())
        has_all = all(len(results) >= TIMES for results in page.known.values())
        offers = [] if has_all else [Offer("compare", say("daily.compare"))]
        offers += [Offer("review", say("daily.review")), Offer("practise", say("daily.practise"))]
        offers += [Offer(None, say("menu.leave"))]
        with screen() as opened:
            at = opened.choose(page.page, say("daily.ask"), offers, BACK, at=at)
        if at is None:
            tell(page.line_to_paste() if page.for_record else say("daily.not_counted"), breaks=not page.for_record)
            if page.for_record and not page.compares_with_strong:
                tell(say("daily.too_few", number=MIN_STRONG_PLAYS), sys.stderr)
            return
        if at == "practise":
            play_daily(daily_match.name, practice=True)
            return
        if at == "review":
            review_match(daily_match.number)
        else:
            _run_computers(store, daily_match)


def _review_deal(store: "Store", daily_match: "DailyMatch") -> None:
    """Judge the player's choices in a deal of the day and store the review, unless the store has one."""
    from cardgames.cli.review import judging
    from cardgames.ui.review.judging import review_matches, save_review, stored_match

    if (daily_match.number, daily_match.deal.seat) in store.reviews():
        return
    with judging():
        (review,) = review_matches([(stored_match(store, daily_match.number), daily_match.deal.seat)], settings())
    save_review(store, review)


def _run_computers(store: "Store", daily_match: "DailyMatch", seconds: float | None = None) -> None:
    """Let computers play a deal and store their results, for at most ``seconds`` or until Ctrl-C; show the progress."""
    from concurrent.futures import as_completed

    from cardgames.cli.review import judging
    from cardgames.simulation.workers import processors
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
