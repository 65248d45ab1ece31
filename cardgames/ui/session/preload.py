"""What a server loads before it forks, so that the processes of its guests share it."""

import os
from tty import setraw

import rich.markdown  # noqa: F401
from prompt_toolkit.data_structures import Size
from rich.cells import cell_len

from cardgames.bots import module_of
from cardgames.engine.game import OFFERED
from cardgames.layout import layout_of
from cardgames.texts import LANGUAGES, messages
from cardgames.ui.messages import Words
from cardgames.ui.review import progress_page  # noqa: F401
from cardgames.ui.screens.full_screen import FullScreen
from cardgames.ui.screens.offers import Offer, Page
from cardgames.ui.session import lesson
from cardgames.ui.settings import Settings


def preload() -> None:
    """Import modules and fill caches, which forked processes then share."""
    for name in OFFERED:
        module_of(lesson.load_script(name).game)
        layout_of(name)
        for language in LANGUAGES:
            for catalogue in ("cli", "common", "lobby", name):
                messages(language, catalogue)
    cell_len("…")  # which reads a table of widths
    # A question that is asked and answered without a terminal fills the caches that screens use.
    words, settings = Words(LANGUAGES[-1], "lobby"), Settings()  # double-width characters are looked up in tables
    leader, follower = os.openpty()
    setraw(follower)
    with (
        open(leader, "wb", buffering=0) as fingers,
        open(follower, encoding="utf-8") as keys,
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        FullScreen(words, settings, stdin=keys, output=nowhere, size=lambda: Size(rows=24, columns=80)) as screen,
    ):
        fingers.write(b"\r")
        page = Page(words.text("menu.title"))
        screen.choose(page, words.text("menu.ask"), [Offer(None, words.text("menu.leave"))], {})
