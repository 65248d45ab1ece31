"""The promise about the shuffles is legible before the first card, on the score sheet, and at the end."""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest

from cardgames.engine.game import OFFERED
from cardgames.match import Commitment
from cardgames.store import Store
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import plain_text
from cardgames.ui.screens.offers import Key
from cardgames.ui.settings import Settings
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import HASH_DIGITS, Table
from cardgames.ui.table.view import View
from tests.ui.stills import RECORDS, Match, Seen, Still, text_of

SPOKEN = [*zip(OFFERED, cycle(LANGUAGES), strict=False)]
"""Each game in one of the languages, by turns."""


def of(game: str) -> Match:
    """A match of a game."""
    return Match.read(next(path.stem for path in sorted(RECORDS.glob(f"{game}-*.jsonl"))))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store for all matches of these tests."""
    with Store.open(tmp_path_factory.mktemp("home")) as found:
        yield found


def new(store: Store, game: str) -> int:
    """A match of which nothing is promised."""
    return store.create(of(game).header)


def promised(store: Store, game: str) -> int:
    """A match of which something is promised."""
    match = new(store, game)
    store.commit(match)
    return match


def over(store: Store, game: str) -> int:
    """A match that is over, so that what was promised can be checked."""
    match = promised(store, game)
    with store.hold(match) as lock:
        lock.end_early()
    return match


def commitment(store: Store, match: int) -> Commitment:
    """The commitment to the shuffles of a match."""
    found = store.commitment(match)
    assert found
    return found


def book_of(store: Store, match: int) -> MatchNotes:
    """The score book of a match of the store."""
    return MatchNotes(store, match, lambda work: work())


def shown(
    record: Match, ply: int, settings: Settings, size: tuple[int, int], book: MatchNotes, work: Callable[[Table], Any]
) -> str:
    """The first screen of some work at the table of a record after so many actions."""
    found = []

    def look(still: Still) -> Any:
        found.append(text_of(still.draw()))
        raise Seen

    names = record.header.names or ()
    words = Words(settings.language, record.header.game, names)
    with Still(words, settings, *size, look) as still:
        view = View(record.played(ply), names, settings, "match 1")
        table = Table(still, view, range(1, record.game.seats + 1), book)
        with pytest.raises(Seen):
            work(table)
    return found[0]


def run_on(screen: str) -> str:
    """A screen without its line ends and blanks."""
    return "".join(screen.split())


@pytest.mark.parametrize(("game", "language"), SPOKEN)
def test_hash_is_under_the_log_and_above_the_rules(store: Store, game: str, language: str) -> None:
    match = promised(store, game)
    made = commitment(store, match).hash

    def look(table: Table) -> None:
        table.show_commitment()
        table.wait("") if expected != made else table._handle_key(Key.RULES)

    for expected in (made[:HASH_DIGITS] + "…", made):
        screen = shown(of(game), 1, Settings(language=language), (60, 20), book_of(store, match), look)
        assert expected in run_on(screen)


@pytest.mark.parametrize("columns", [60, 200])
@pytest.mark.parametrize(("game", "language"), SPOKEN)
def test_score_sheet_has_hash_and_later_secret(store: Store, game: str, language: str, columns: int) -> None:
    record = of(game)
    view = View(record.played(9), record.header.names or (), Settings(language=language))
    found = [new(store, game), promised(store, game), over(store, game)]
    pages = [view.sheet(below=book_of(store, match).notes()) for match in found]
    sheets = ["\n".join(map(plain_text, page.drawn(columns))) for page in pages]
    nothing, hashed, told = map(run_on, sheets)
    _, before, after = found
    secret = commitment(store, after).secret
    assert (made := commitment(store, before).hash) in hashed
    assert {made[:32], made[32:]} <= set(sheets[1].replace("：", " ").split()), "no half is broken"
    assert secret
    assert secret.hex() in told
    assert commitment(store, after).hash in told
    assert len(nothing) < len(hashed) < len(told)


@pytest.mark.parametrize(("game", "language"), SPOKEN)
def test_at_the_end_it_is_said_where_the_secret_stands(store: Store, game: str, language: str) -> None:
    records = [Match.read(path.stem) for path in sorted(RECORDS.glob(f"{game}-*.jsonl"))]
    record = next(one for one in records if one.game.outcome(one.states[-1]))
    match, settings, size = over(store, game), Settings(language=language), (80, 30)
    screen = shown(
        record, len(record.actions), settings, size, book_of(store, match), lambda table: table.ask_next_step()
    )
    words = Words(language, game, record.header.names or ())
    assert run_on(words.text("promise_told")) in run_on(screen)
    assert run_on(words.text("again")) in run_on(screen)
