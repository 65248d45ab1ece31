"""The lobby as a guest has it who has come in some way, on 1 December 2026, when Truc is the deal of the day.

``python -m tests.ui.guest_lobby NAME [guarded] [review]``: all keys are admitted unless it is to be guarded; ``review``
goes at once to the review of match 1. A lesson is over at once, as ``test_learn`` goes through it."""

import sys
from datetime import date

from cardgames.store import Store
from cardgames.ui.screens.key_guard import KeyGuard
from cardgames.ui.session import lesson, lobby
from cardgames.ui.settings import guest_settings
from tests.ui.without_guard import admit_all


class Today(date):
    @classmethod
    def today(cls) -> "Today":
        return cls(2026, 12, 1)


def run(name: str, *how: str) -> None:
    lobby.date = Today  # type: ignore[attr-defined]
    lesson.learn = lambda *lesson_and_settings: True
    if "guarded" not in how:
        KeyGuard.admit = admit_all  # type: ignore[method-assign]
    with Store.open() as store:
        person = store.person_with_key(name) or store.register(name, key=name)
        assert person
        found = lobby.Lobby(store, person, guest_settings(), "ssh here")
        if "review" in how:
            found._review(1)
            print("back")
        else:
            found.run("Hello!")


if __name__ == "__main__":
    run(*sys.argv[1:])
