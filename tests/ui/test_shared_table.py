"""A shared table in this process, with a screen that shows nothing: what counts as news from the others."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from cardgames.engine.record import PERSON, new_header
from cardgames.match import Match
from cardgames.store import Store, StoreBusy
from cardgames.store.places import Party
from cardgames.store.table_session import TableSession
from cardgames.ui.session.local_session import SessionOptions
from cardgames.ui.session.shared_table import SharedTable
from cardgames.ui.settings import Settings

OPTIONS = SessionOptions(lambda: Settings(pause="natural"), lambda: None, lambda name, value: None)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SharedTable]:
    """Ann's table with a computer, after the deal."""
    with Store.open(tmp_path) as store:
        number = store.open_table(new_header("truc", ("", "Ben"), (PERSON, "easy")))
        with store.join(number, Party(["Ann"])) as session:
            shared = SharedTable(MagicMock(), store, session, OPTIONS)
            store.commit(number)
            session.contribute()
            shared._match.settle()
            shared.refresh()
            yield shared


def has_news(table: SharedTable) -> bool:
    """Whether the table has news, even if the last look at the store was just now."""
    table._look_at = 0.0
    return table._has_news()


def test_own_actions_are_no_news_even_in_a_pause_after_them(table: SharedTable) -> None:
    match, found = table._match, list[bool]()
    table._screen.pause.side_effect = lambda *args: found.append(has_news(table))  # type: ignore[attr-defined]
    while match.to_act is not None and len(found) < 5:
        match.act(match.to_act, match.observation(match.to_act).legal[0])
        match.settle()
    assert found == [False] * 5


def test_what_could_not_be_read_stays_news(table: SharedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    match, session = table._match, table._session
    elsewhere = TableSession(session._database, session._now, session.match, session._token)
    other = Match(match.game, elsewhere, table._store.chance(session.match))
    assert other.to_act
    other.act(other.to_act, other.observation(other.to_act).legal[0])
    with monkeypatch.context() as busy:
        busy.setattr(session, "wants_retry", lambda reason: False)
        busy.setattr(session, "_read", MagicMock(side_effect=StoreBusy("store_busy", path="")))
        assert has_news(table)
        with pytest.raises(StoreBusy):
            table.accept_news()
    assert has_news(table)
    table.accept_news()
    assert match.journal_position == other.journal_position
    assert not has_news(table)
