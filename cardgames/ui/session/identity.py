"""The identification of a guest from another machine, before they enter the lobby."""

import unicodedata
from collections.abc import Iterable
from functools import cache, partial

from cardgames.engine.player_names import clean_name, name_key
from cardgames.store import Store
from cardgames.store.people import Person, new_code
from cardgames.texts import LANGUAGES, messages
from cardgames.ui.menus.choosing import clean_name_problem
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings

TRIES = 3
"""The number of attempts to type a code."""


class Stranger(Exception):
    """The guest has left without being identified."""


def guest_name_problem(words: Words, typed: str, taken: Iterable[str] = ()) -> str | None:
    """The reason why a guest cannot take the name ``typed``, which may be reserved; ``None`` if they can."""
    bare = name_key(unicodedata.normalize("NFKC", clean_name(typed)).rstrip("0123456789 #"))  # such as "Player 2"
    if any(bare in _reserved_keys(language) for language in LANGUAGES):
        return words.text("name_reserved", name=clean_name(typed))
    return clean_name_problem(words, typed, taken)


@cache
def _reserved_keys(language: str) -> frozenset[str]:
    levels = [text for key, text in messages(language, "common").items() if key.startswith("computer.")]
    names = [*Words(language, "lobby").text("reserved_names").split(", "), *levels]
    return frozenset(map(name_key, names))


class Identity:
    """The dialogue that identifies a guest by key, or by name and code."""

    def __init__(self, screen: Screen, words: Words, settings: Settings, store: Store) -> None:
        self._screen = screen
        self._words = words
        self._settings = settings
        self._store = store

    def identify(self, user: str, key: str | None) -> tuple[Person, str]:
        """Identify or register the guest; return the person and a welcome. Raises :class:`Stranger` if they leave."""
        if key and (person := self._store.person_with_key(key)):
            return person, self._words.text("welcome", name=person.name)
        name, text = clean_name(user), self._words.text
        while True:
            problem = guest_name_problem(self._words, name)
            if not problem or self._store.is_taken(name):  # an older version did not know all reasons
                code = None if key else new_code()
                if person := self._store.register(name, key, code):
                    return person, text("welcome_code" if code else "welcome_key", name=person.name, text=code or "")
                has_key = self._store.has_key(name)  # and so no code
                problem = text("name_of_key" if has_key else "name_of_code", name=name)
                if not has_key and (person := self._identify_by_code(name, problem)):
                    return person, text("welcome", name=person.name)
            page = titled_page(self._settings, text("menu.title"), [problem] if name else [])
            typed = self._screen.ask(page, text("ask_name"), "", partial(guest_name_problem, self._words))
            if typed is None:
                raise Stranger
            name = clean_name(typed)

    def _identify_by_code(self, name: str, problem: str) -> Person | None:
        """Show ``problem`` and ask for the code of ``name``; return the person, or ``None`` for another name.

        Raises :class:`Stranger` if the guest leaves or types ``TRIES`` wrong codes."""
        text = self._words.text
        offers = [Offer(True, text("who_is", name=name)), Offer(False, text("who_other"))]
        page = titled_page(self._settings, text("menu.title"), [problem])
        has_code = self._screen.choose(page, text("who_are_you"), offers, BACK, text("menu.main_keys"))
        if has_code is None:
            raise Stranger
        if not has_code:
            return None
        tries: list[Person | None] = []

        def check(typed: str) -> str | None:
            tries.append(self._store.person_with_code(name, typed))
            # ``None`` ends the question: after the right code, but also after the last try
            return None if tries[-1] or len(tries) == TRIES else text("code_wrong", name=name)

        typed = self._screen.ask(page, text("ask_code", name=name), "", check)
        if typed is None:
            return None
        if tries[-1] is None:
            raise Stranger(text("code_given_up", name=name))
        return tries[-1]
