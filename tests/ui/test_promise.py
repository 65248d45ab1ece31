"""What is promised of the shuffles is legible before the first card, on the score sheet, and at the end."""

from collections.abc import Callable
from typing import Any

import pytest

from cardgames import match as matches
from cardgames.engine.game import GAMES
from cardgames.match import Commitment
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings
from cardgames.ui.table import Table
from cardgames.ui.view import View
from tests.ui.secrets import cards_on
from tests.ui.stills import RECORDS, Match, Seen, Still, text_of

SECRET = bytes(range(32))
PROMISE = Commitment("3f" * 16 + "9a" * 16, None)
SIZES = [(60, 20), (80, 24), (120, 40)]


def of(game: str) -> Match:
    """A match of a game."""
    return Match.read(next(path.stem for path in sorted(RECORDS.glob(f"{game}-*.jsonl"))))


def shown(
    record: Match,
    ply: int,
    settings: Settings,
    size: tuple[int, int],
    promise: Commitment,
    work: Callable[[matches.Match, Table, View], Any],
) -> str:
    """The first screen of some work at the table of a match after so many actions."""
    found = []

    def look(still: Still) -> Any:
        found.append(text_of(still.draw()))
        raise Seen

    names = record.header.names or ()
    with Still(Words(settings.language, record.header.game, names), settings, *size, look) as still:
        match, _ = record.table(still, ply, settings)
        view = View(record.game, names, settings, "match 1", match, promise=promise)
        with pytest.raises(Seen):
            work(match, Table(still, match, view, range(1, record.game.seats + 1)), view)
    return found[0]


def run_on(screen: str) -> str:
    """A screen without its line ends and blanks."""
    return "".join(screen.split())


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_hash_is_legible_before_the_first_card(game: str, language: str, size: tuple[int, int]) -> None:
    settings = Settings(language=language)
    screen = shown(of(game), 0, settings, size, PROMISE, lambda match, table, view: table.promise())
    assert PROMISE.hash in run_on(screen)
    assert not cards_on(screen)


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_hash_and_in_the_end_the_secret_stand_on_the_score_sheet(game: str, language: str, columns: int) -> None:
    record = of(game)
    for promise in (None, PROMISE, PROMISE._replace(secret=SECRET)):
        view = View(record.game, record.header.names or (), Settings(language=language), promise=promise)
        match = matches.Match(record.game, matches.MemoryJournal(record.moves(9)), matches.seeded(0))
        sheet = run_on(view.sheet(match, columns))
        assert (PROMISE.hash in sheet) == (promise is not None)
        assert (SECRET.hex() in sheet) == (promise is not None and promise.secret is not None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_at_the_end_it_is_said_where_the_secret_stands(game: str, language: str) -> None:
    record, settings = of(game), Settings(language=language)
    told = PROMISE._replace(secret=SECRET)

    def end(match: matches.Match, table: Table, view: View) -> None:
        try:
            table.again(1, "", told)
        finally:
            assert SECRET.hex() in run_on(view.sheet(match, 80))

    screen = shown(record, len(record.actions), settings, (80, 30), PROMISE, end)
    words = Words(language, game, record.header.names or ())
    assert run_on(words.text("promise_told")) in run_on(screen)
    assert run_on(words.text("again")) in run_on(screen)
