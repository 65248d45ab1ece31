"""The lists of matches, from which they can be continued, viewed, exported and deleted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cardgames.cli import play, records, review
from cardgames.cli.asking import choose, of_game, page, screen
from cardgames.cli.context import BAD_RECORD, Refused, refusal, say, settings
from cardgames.cli.opened_store import opened_store
from cardgames.cli.records import bad_record, record_of, write_record
from cardgames.engine.game import IllegalAction, InvalidAction, InvalidRules
from cardgames.engine.record import RecordError
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer

if TYPE_CHECKING:
    from cardgames.store import Summary

PAGE = 12
"""The most matches on a page."""
OLDER, NEWER, STATISTICS = "older", "newer", "statistics"


@dataclass
class _List:
    """A list of matches in pages, unfinished first, then by last change."""

    unfinished: bool = False
    first: int = 0
    """The number of matches before the page."""
    at: object = None
    """The value pointed at first; by default the first match that nobody is playing."""
    said: str = ""

    def choose(self) -> object:
        """Show the list; return the number of a match, another choice, or ``None`` to go back or if there is no
        match."""
        from cardgames.ui.review.printed_tables import match_line

        with opened_store(write=False) as store:
            counts = store.count()
            every = counts.unfinished if self.unfinished else sum(counts)
            self.first = max(0, min(self.first, (every - 1) // PAGE * PAGE))
            matches = store.matches(min(PAGE, every - self.first), self.first)
        if not matches:
            return None
        offers = [Offer(match.id, match_line(match, settings().language), (str(match.id),)) for match in matches]
        if self.first + PAGE < every:
            offers.append(Offer(OLDER, say("history.older")))
        if self.first:
            offers.append(Offer(NEWER, say("history.newer")))
        if not self.unfinished:
            offers.append(Offer(STATISTICS, say("history.statistics")))
        key = "history.place" if every > PAGE else "history.every"
        place = say(key, start=self.first + 1, end=self.first + len(matches), count=every)
        free = next((match.id for match in matches if not match.holder), None)
        with screen() as opened:
            lines = [self.said, ""] if self.said else []
            chosen = choose(opened, say("which_match"), offers, [*lines, place], at=self.at or free)
        self.at, self.said = chosen, ""
        if chosen in (OLDER, NEWER):
            self.first += PAGE if chosen == OLDER else -PAGE
            self.at = None
            return self.choose()
        return chosen


def carry_on() -> None:
    """Ask for an unfinished match and continue it."""
    chosen = _List(unfinished=True).choose()
    if isinstance(chosen, int):
        play.resume(chosen)


def history() -> str:
    """Show the matches and the functions for each until the player leaves; return the last notice, or ``""``."""
    matches = _List()
    while (chosen := matches.choose()) is not None:
        if isinstance(chosen, int):
            matches.said = _match(chosen)
        else:
            _statistics()
    return matches.said


def _about(match: "Summary") -> list[str]:
    from cardgames.ui.review.printed_tables import match_status, players, when

    words = Words(settings().language, match.game, match.names or ())
    played = {"start": when(match.created), "end": when(match.changed)}
    lines = [
        say("match_title", number=match.id, title=of_game(match.game, "title")),
        words.text("comma").join(players(match, words)),
        say("history.played", **played, text=match_status(match, words)),
    ]
    if match.outcome:
        lines.append(say("history.actions", count=match.plies))
    return [*lines, say("history.imported")] if match.imported else lines


def _match(number: int) -> str:
    """Offer the functions for a match until somebody leaves or it is deleted.

    Return a notice, or ``""``, as these functions do."""
    said = ""
    at: Callable[[Summary], str] | None = None
    while True:
        with opened_store(write=False) as store:
            match = store.match(number)
        deeds = [(_scores, "scores"), (_replay, "replay"), (_export, "export"), (_delete, "delete")]
        if match.outcome is None:
            deeds[0:0], deeds[-1:-1] = [(_carry_on, "carry_on")], [(_give_up, "give_up")]
        else:
            deeds.insert(2, (_review, "review"))
        offers = [Offer(deed, say(f"history.do_{name}")) for deed, name in deeds]
        lines = [*_about(match), *(["", said] if said else [])]
        with screen() as opened:
            at = choose(opened, say("history.ask"), offers, lines, at=at)
        if at is None:
            return ""
        try:
            said = at(match)
        except Refused as error:
            said = error.text
        else:
            if at is _delete and said:
                return said


# The functions for a match; each returns a message


def _carry_on(match: "Summary") -> str:
    play.resume(match.id)
    return ""


def _scores(match: "Summary") -> str:
    """Show the score sheet, without any hidden card; return ``""``."""
    from cardgames.match import Match, MemoryJournal, seeded
    from cardgames.ui.table.match_notes import hint_messages
    from cardgames.ui.table.view import View

    with opened_store(write=False) as store:
        header, moves = store.load(match.id)
        hints = store.hints(match.id)
    try:
        played = Match(header.new_game(), MemoryJournal(moves), seeded(0))
    except (IllegalAction, InvalidAction, InvalidRules) as error:  # the rules have changed since
        raise refusal(BAD_RECORD, error.reason, match.game) from None
    view = View(played, header.names or (), settings(), of_game(match.game, "title"))
    with screen() as opened:
        opened.show(lambda width, rows: view.sheet(width, below=hint_messages(hints)), say("page_keys"))
    return ""


def _replay(match: "Summary") -> str:
    if _may_be_shown(match):
        with _older_rules_refused(match):
            records.step_through([line.encode() for line in record_of(match.id, yes=True)])
    return ""


def _review(match: "Summary") -> str:
    from cardgames.ui.review.judging import stored_match

    with _older_rules_refused(match), opened_store(write=False) as store:
        found = stored_match(store, match.id)
    review.go_over(found)
    return ""


@contextmanager
def _older_rules_refused(match: "Summary") -> Iterator[None]:
    """A context for reading a match, which is refused if it was played by older rules."""
    try:
        yield
    except RecordError as error:
        raise bad_record(say("match_title", number=match.id, title=of_game(match.game, "title")), error) from None


def _export(match: "Summary") -> str:
    if not _may_be_shown(match):
        return ""

    def check(name: str) -> str | None:
        return say("history.file_there") if Path(name).expanduser().exists() else None

    if not (name := _ask_text(match, (), say("history.file"), f"{match.game}-{match.id}.jsonl", check)):
        return ""
    write_record(match.id, Path(name).expanduser(), yes=True)
    return say("exported", number=match.id, path=name)


def _give_up(match: "Summary") -> str:
    if not _confirm(match, "history.give_up", number=match.id):
        return ""
    with opened_store() as store, store.hold(match.id) as lock:
        lock.give_up()
    return say("history.given_up", number=match.id)


def _delete(match: "Summary") -> str:
    """Delete a match after its number was typed, so that no single key does it; return a notice, or ``""``."""

    def check(typed: str) -> str | None:
        return None if typed == str(match.id) else say("history.not_its_number", number=match.id)

    lines = (say("history.for_good"), "")
    if _ask_text(match, lines, say("history.type_number", number=match.id), "", check) is None:
        return ""
    with opened_store() as store, store.hold(match.id) as lock:
        lock.delete()
    return say("history.deleted", number=match.id)


def _ask_text(
    match: "Summary", lines: Sequence[str], question: str, likely: str, check: Callable[[str], str | None]
) -> str | None:
    """The text typed below a match and ``lines``, of which ``check`` says what is wrong; ``None`` to go back."""
    with screen() as opened:
        return opened.ask(page([*_about(match), "", *lines]), question, likely, check, say("field_keys"))


def _may_be_shown(match: "Summary") -> bool:
    """Whether every hand of a match may be shown; for an unfinished match somebody has to confirm."""
    return match.outcome is not None or _confirm(match, "history.hands")


def _confirm(match: "Summary", key: str, **args: object) -> bool:
    """Ask a question to which Enter alone answers no; return whether the answer was yes."""
    offers = [Offer(False, say(f"{key}_no")), Offer(True, say(f"{key}_yes"))]
    with screen() as opened:
        return bool(choose(opened, say(f"{key}_ask", **args), offers, _about(match)))


def _statistics() -> None:
    from cardgames.ui.review.printed_tables import print_statistics, statistics_page
    from cardgames.ui.review.ratings import rating_lines

    with opened_store(write=False) as store:
        found = store.statistics()
        ratings = rating_lines(store, [line.game for line in found.games])
    title = say("history.statistics")
    with screen() as opened:
        opened.show(
            statistics_page(title, settings(), partial(print_statistics, found, ratings, settings())),
            say("page_keys"),
        )
