"""The identification of a guest from another machine, before they enter the lobby."""

import unicodedata
from collections.abc import Iterable
from functools import cache, partial

from cardgames.engine.player_names import clean_name, name_key
from cardgames.store import Store
from cardgames.store.people import Person, new_code
from cardgames.texts import LANGUAGES, messages
from cardgames.ui.menus.choosing import name_problem
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Offer, Page
from cardgames.ui.screens.screen import Screen

TRIES = 3
"""The number of attempts to type a code."""


class Stranger(Exception):
    """The guest has left without being identified."""


def guest_name_problem(words: Words, typed: str, taken: Iterable[str] = ()) -> str | None:
    """The reason why a guest cannot take the name ``typed``, which may be reserved; ``None`` if they can."""
    name = clean_name(typed)
    bare = name_key(unicodedata.normalize("NFKC", name).rstrip("0123456789 #"))  # such as "Player 2"
    if any(bare in _reserved_keys(language) for language in LANGUAGES):
        return words.text("name_reserved", name=name)
    return name_problem(words, name, taken)


@cache
def _reserved_keys(language: str) -> frozenset[str]:
    levels = [text for key, text in messages(language, "common").items() if key.startswith("computer.")]
    names = [*Words(language, "lobby").text("reserved_names").split(", "), *levels]
    return frozenset(map(name_key, names))


def identify(screen: Screen, words: Words, store: Store, user: str, key: str | None) -> tuple[Person, str]:
    """Identify or register a guest by key, or by name and code; return the person and a welcome.

    ``user``: the name that the guest gave at the connection. Raises :class:`Stranger` if they leave."""
    text, check = words.text, partial(guest_name_problem, words)
    if key and (person := store.person_with_key(key)):
        return person, text("welcome", name=person.name)
    name = clean_name(user)
    while True:
        problem, asks_code = check(name), False
        if not problem or store.is_taken(name):  # an older version did not know all reasons
            code = None if key else new_code()
            if person := store.register(name, key, code):
                return person, text("welcome_code" if code else "welcome_key", name=person.name, text=code or "")
            asks_code = not store.has_key(name)  # else there is no code
            problem = text("name_of_code" if asks_code else "name_of_key", name=name)
        page = Page(text("menu.title"), [problem] if problem and name else [])
        if asks_code and (person := _ask_code(screen, words, page, store, name)):
            return person, text("welcome", name=person.name)
        typed = screen.ask(page, text("ask_name"), "", check)
        if typed is None:
            raise Stranger
        name = clean_name(typed)


def _ask_code(screen: Screen, words: Words, page: Page, store: Store, name: str) -> Person | None:
    """Ask below a page for the code of ``name``; return the person, or ``None`` if the guest takes another name.

    Raises :class:`Stranger` if the guest leaves or types ``TRIES`` wrong codes."""
    text = words.text
    offers = [Offer(True, text("who_is", name=name)), Offer(False, text("who_other"))]
    has_code = screen.choose(page, text("who_are_you"), offers, BACK, text("menu.main_keys"))
    if has_code is None:
        raise Stranger
    if not has_code:
        return None
    tries: list[Person | None] = []

    def check(typed: str) -> str | None:
        tries.append(store.person_with_code(name, typed))
        # ``None`` ends the question: after the right code, but also after the last try
        return None if tries[-1] or len(tries) == TRIES else text("code_wrong", name=name)

    if screen.ask(page, text("ask_code", name=name), "", check) is None:
        return None
    if tries[-1] is None:
        raise Stranger(text("code_wrong", name=name))
    return tries[-1]
