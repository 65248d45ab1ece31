"""The lists of matches, and the pages where a match can be continued, viewed, exported or deleted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cardgames.cli import play, records
from cardgames.cli.asking import PAGES, choose, game_text, screen
from cardgames.cli.context import ExitCode, Refused, open_store, refusal, say, settings
from cardgames.engine.game import IllegalAction, InvalidAction, InvalidRules
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer

if TYPE_CHECKING:
    from cardgames.store import Summary
    from cardgames.ui.table.view import View

PAGE = 12
"""The number of matches that are listed at first, and of those that are added on demand."""
OLDER, STATISTICS = "older", "statistics"
ONLY_UNFINISHED, ONLY_FINISHED = ("carry_on", "give_up"), ("review",)
"""The functions for unfinished matches alone, and for finished ones alone."""


@dataclass
class _MatchList:
    """A list of matches, unfinished matches first, then by last change."""

    unfinished: bool = False
    limit: int = PAGE
    at: object = None
    """The value of the offer pointed at first; by default the first match that nobody is playing."""
    notice: str = ""

    def choose(self) -> object:
        """Show the list, with older matches on demand; return a match's number or ``STATISTICS``.

        Return ``None`` if the player goes back, or if there are no matches."""
        from cardgames.ui.review.printed_tables import match_lines

        with open_store(write=False) as store:
            counts = store.count()
            total = counts.unfinished if self.unfinished else counts.matches
            matches = store.matches(min(self.limit, total))
        if not matches:
            return None
        lines = match_lines(matches, settings().language)
        offers = [Offer(match.id, line, (str(match.id),)) for match, line in zip(matches, lines, strict=True)]
        if self.limit < total:
            offers.append(Offer(OLDER, say("history.older", count=total - self.limit)))
        if not self.unfinished:
            offers.append(Offer(STATISTICS, say("history.statistics")))
        first_free = next((match.id for match in matches if not match.holder), None)
        chosen = choose(say("which_match"), offers, [self.notice] if self.notice else [], at=self.at or first_free)
        self.at, self.notice = chosen, ""
        if chosen == OLDER:
            self.limit += PAGE
            self.at = matches[-1].id
            return self.choose()
        return chosen


def continue_match() -> None:
    """Ask for an unfinished match and continue it."""
    chosen = _MatchList(unfinished=True).choose()
    if isinstance(chosen, int):
        play.resume(chosen)


def history() -> str:
    """Show the matches, and a page for a chosen match, until the player leaves; return the last notice, or ``""``."""
    matches = _MatchList()
    while (chosen := matches.choose()) is not None:
        if isinstance(chosen, int):
            matches.notice = _show_match(chosen)
        else:
            _show_statistics()
    return matches.notice


def _summary_lines(match: "Summary") -> list[str]:
    """The lines at the top of a match's page: its title, players, times and status."""
    from cardgames.ui.review.printed_tables import match_status, players, when

    words = Words(settings().language, match.game, match.names or ())
    times = {"start": when(match.created), "end": when(match.changed)}
    lines = [
        words.match_title(match.id),
        words.text("comma").join(players(match, words)),
        say("history.played", **times, text=match_status(match, words)),
    ]
    if match.outcome:
        lines.append(say("history.actions", count=match.plies))
    return [*lines, say("history.imported")] if match.imported else lines


def _show_match(number: int) -> str:
    """Show a match and the functions for it, until the player leaves or deletes it; return a notice of the deletion."""
    notice = ""
    at: str | None = None
    while True:
        with open_store(write=False) as store:
            match = store.match(number)
        left_out = ONLY_UNFINISHED if match.outcome else ONLY_FINISHED
        offers = [Offer(key, say(f"history.do_{key}")) for key in FUNCTIONS if key not in left_out]
        lines = [*_summary_lines(match), *(["", notice] if notice else [])]
        at = choose(say("history.ask"), offers, lines, at=at)
        if at is None:
            return ""
        try:
            notice = FUNCTIONS[at](match) or ""
        except Refused as error:
            notice = error.text
        else:
            if at == "delete" and notice:  # without confirmation there is no notice
                return notice


def load_match(match: "Summary") -> "View":
    """A view of a stored match. Raises :class:`Refused` if its rules have changed since."""
    from cardgames.match import Match, MemoryJournal, seeded
    from cardgames.ui.table.view import View

    with open_store(write=False) as store:
        header, moves = store.load(match.id)
    try:
        loaded = Match(header.new_game(), MemoryJournal(moves), seeded(0))
    except (IllegalAction, InvalidAction, InvalidRules) as error:
        raise refusal(error.reason, match.game, code=ExitCode.BAD_RECORD) from None
    return View(loaded, header.names or (), settings(), game_text(match.game, "title"))


# The functions for a match. Those that return a text return a notice, or an empty text if nothing was done.


def _show_scores(match: "Summary") -> None:
    """Show the score sheet of a match, without any hidden card."""
    from cardgames.ui.table.match_notes import hint_messages

    view = load_match(match)
    with open_store(write=False) as store:
        hints = store.hints(match.id)
    with screen() as opened:
        opened.show(view.sheet(below=hint_messages(hints)))


def _replay(match: "Summary") -> None:
    """Step through a match. Its hands are hidden information, so the player confirms if the match is not over."""
    if _may_show_hands(match):
        with records.open_record(match.id, yes=True) as lines:
            records.step_through(lines)


def _export(match: "Summary") -> str:
    """Ask for the name of a new file, and write the record of a match to it; return a notice, or ``""``."""
    if not _may_show_hands(match):
        return ""

    def check(name: str) -> str | None:
        return say("history.file_there") if Path(name).expanduser().exists() else None

    lines, default = [*_summary_lines(match), ""], f"{match.game}-{match.id}.jsonl"
    if not (name := PAGES.ask(say("history.file"), check, lines, default)):
        return ""
    records.write_record(match.id, Path(name).expanduser(), yes=True)
    return say("written", path=name)


def _give_up(match: "Summary") -> str:
    """End an unfinished match if the player confirms; return a notice, or ``""``."""
    if not _confirm(match, "history.give_up", number=match.id):
        return ""
    with open_store() as store, store.hold(match.id) as lock:
        lock.end_early()
    return say("history.given_up", number=match.id)


def _delete(match: "Summary") -> str:
    """Delete a match if the player confirms by typing its number; return a notice, or ``""``."""

    def check(typed: str) -> str | None:
        return None if typed == str(match.id) else say("history.not_its_number", number=match.id)

    lines = [*_summary_lines(match), "", say("history.for_good"), ""]
    if PAGES.ask(say("history.type_number", number=match.id), check, lines) is None:
        return ""
    with open_store() as store, store.hold(match.id) as lock:
        lock.delete()
    return say("history.deleted", number=match.id)


def _may_show_hands(match: "Summary") -> bool:
    """Whether every hand of a match may be shown, because the match is over or the player confirms."""
    return match.outcome is not None or _confirm(match, "history.hands")


def _confirm(match: "Summary", key: str, **args: object) -> bool:
    """Ask the question ``{key}_ask``, whose default answer is no; return whether the answer was yes."""
    offers = [Offer(False, say("history.no")), Offer(True, say("history.yes"))]
    return bool(choose(say(f"{key}_ask", **args), offers, _summary_lines(match)))


def _show_statistics() -> None:
    """Show the statistics and ratings of all matches as a page, and the progress of whoever has played most."""
    from cardgames.bots.level_ratings import LEVEL_RATINGS
    from cardgames.ui.review.printed_tables import print_statistics, statistics_page
    from cardgames.ui.review.progress_page import progress_lines

    with open_store(write=False) as store:
        statistics = store.statistics()
        games = [line.game for line in statistics.games]
        ratings = store.rating_list(games, LEVEL_RATINGS)
        own: list[str] = []
        for line in statistics.players[:1]:
            own = progress_lines(store.progress(line.name, games, LEVEL_RATINGS), settings())
            own = [line.name, "", *own] if own else []
    print_page = partial(print_statistics, statistics, ratings, settings())
    with screen() as opened:
        opened.show(statistics_page(say("history.statistics"), print_page, own))


FUNCTIONS: "dict[str, Callable[[Summary], str | None]]" = {
    "carry_on": lambda match: play.resume(match.id),
    "scores": _show_scores,
    "replay": _replay,
    "review": lambda match: play.review_match(match.id),
    "export": _export,
    "give_up": _give_up,
    "delete": _delete,
}
"""The functions for a match in the order of its page, by the last part of their message keys."""
