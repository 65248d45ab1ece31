"""The process of a guest on its terminal: it runs the lobby, and reports the guest's name and errors."""

import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from typing import Any

from cardgames.server.fork_server import Guest
from cardgames.store import Failure, JoinRefused, Store
from cardgames.store.people import Person
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings


def prepare(where: str) -> None:
    """Import all that a guest may need; ``where`` is the store's address."""
    import cardgames.store.import_export
    import cardgames.ui.render.line_breaking
    import cardgames.ui.review.practice
    import cardgames.ui.screens.line_screen
    import cardgames.ui.session.identity
    import cardgames.ui.session.lobby
    import cardgames.ui.table.hint
    from cardgames.bots import load_compiled
    from cardgames.engine.game import GAMES
    from cardgames.store.address import SQLITE
    from cardgames.ui.session.preload import preload

    preload()
    for game in GAMES:
        load_compiled(game)
    if where != SQLITE:
        import cardgames.store.postgres  # noqa: F401


class CountedStore(Store):
    """A store in which a guest makes no more identities and tables than the quotas of the guest's address allow.

    Methods raise :class:`JoinRefused` if a quota is reached."""

    quotas: dict[str, int]
    report: Callable[..., None]

    def register(self, name: str, key: str | None = None, code: str | None = None) -> Person | None:
        if not self.quotas["identities"]:
            raise JoinRefused("enough_today")
        if person := super().register(name, key, code):
            self._count("identities")
        return person

    def open_table(self, *args: Any) -> int:
        if not self.quotas["matches"]:
            raise JoinRefused("enough_today")
        match = super().open_table(*args)
        self._count("matches")
        return match

    def _count(self, kind: str) -> None:
        self.quotas[kind] -= 1
        self.report(used=kind)


def run(where: str, guest: Guest, report: Callable[..., None]) -> int:
    """Run the lobby for a guest, and return the exit code. ``report`` sends facts about the guest to the server."""
    from cardgames.ui.render.charset import measure_suits
    from cardgames.ui.render.line_breaking import wrap_text
    from cardgames.ui.screens.screen import open_screen
    from cardgames.ui.screens.terminal import keep_screen
    from cardgames.ui.session.identity import Stranger, identify
    from cardgames.ui.session.lobby import Lobby
    from cardgames.ui.settings import guest_settings

    settings = guest_settings()
    measure_suits(settings)  # the owner's, of which the server's process knows, may differ
    words = Words(settings.language, "lobby")
    farewell = ""
    code = 0
    try:
        settings = _fit_window(words, settings)
        with CountedStore.open(where=where) as store, keep_screen():
            store.quotas, store.report = guest.quotas, report
            with open_screen(words, settings, secret=False) as screen:
                person, greeting = identify(screen, words, store, guest.user, guest.key)
            report(name=person.name, pid=os.getpid())
            farewell = words.text("goodbye", name=person.name)
            lobby = Lobby(store, person, settings, guest.ssh_command)
            lobby.at_table = lambda match: report(table=match)
            lobby.run(greeting)
    except Stranger as stranger:
        farewell, code = "".join(stranger.args), 1
    except JoinRefused:  # by the quota of identities; the lobby handles all others
        farewell, code = words.text("enough_today"), 1
    except EOFError:
        pass
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1
    except Failure as error:
        report(store=f"{error.reason.key} {error.reason.args.get('error', '')}".strip())
        farewell, code = words.text("store_trouble"), os.EX_CANTCREAT
    except MemoryError:
        raise  # it may not fit here, so the server shows it
    except Exception as error:
        report(error=_error_place(error))
        farewell, code = words.text("broken"), os.EX_SOFTWARE
    with suppress(OSError, ValueError):
        print(*wrap_text(farewell, get_terminal_size().columns), sep="\r\n", end="\r\n", flush=True)
    return code


def _fit_window(words: Words, settings: Settings) -> Settings:
    """Offer lines to a guest whose window is too small for a full screen; return the settings. Raises ``EOFError``."""
    from cardgames.ui.screens.forms import SMALLEST
    from cardgames.ui.screens.offers import BACK, Offer, Page
    from cardgames.ui.screens.screen import open_screen

    plain = settings._replace(plain=True)
    while not settings.plain:
        size = get_terminal_size()
        if size.columns >= SMALLEST.columns and size.lines >= SMALLEST.rows:
            break
        small = words.text("small_window", columns=size.columns, rows=size.lines)
        page = Page(words.text("menu.title"), [small])
        offers = [Offer(plain, words.text("small_plain")), Offer(settings, words.text("small_larger"))]
        with open_screen(words, plain, secret=False) as screen:
            chosen = screen.choose(page, words.text("small_ask"), offers, BACK)
        if chosen is None:
            raise EOFError
        settings = chosen
    return settings


def _error_place(error: Exception) -> str:
    """The type and place of an error, without its message and local variables, which may contain hidden cards."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = [f"{frame.filename.rpartition('cardgames')[2]}:{frame.lineno}" for frame in frames]
    return f"{type(error).__qualname__} at {' < '.join(reversed(places))}"[:1000]  # a report to the server is short
