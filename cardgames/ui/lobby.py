"""The lobby, for somebody who comes to this machine from another: who they are, and what they may do here.

They have the tables, the lessons and the rules, and what they have played themselves. Nothing here reads or writes a
file of this machine, or changes a setting of its owner.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from cardgames.bots import module_of
from cardgames.engine.game import GAMES
from cardgames.engine.names import LONGEST_NAME, clean_name, may_be_name
from cardgames.layout import table
from cardgames.store import Person, Store
from cardgames.store.people import new_code
from cardgames.texts import LANGUAGES, messages, rules_page, template
from cardgames.ui import lesson
from cardgames.ui.messages import Words
from cardgames.ui.new_match import headed
from cardgames.ui.render.pages import markdown
from cardgames.ui.screens.opening import AnyScreen, open_screen
from cardgames.ui.screens.question import BACK, Offer
from cardgames.ui.settings import Settings

TRIES = 3
"""How often somebody may type their code."""

Deed: TypeAlias = Callable[[], str]
"""Something that can be done in the lobby; what is to be said afterwards."""


def load() -> None:
    """Import now whatever may be wanted here later: processes that are forked from this one share it."""
    for game in GAMES:
        module_of(lesson.script(game).game)
        table(game)
        for language in LANGUAGES:
            for catalogue in (game, f"learn_{game}", "lobby", "common"):
                messages(language, catalogue)


class Stranger(Exception):
    """Somebody goes away again without having said who they are."""


class Identity:
    """Finds out who somebody is: by their key, else by their name and the code that goes with it."""

    def __init__(self, screen: AnyScreen, words: Words, settings: Settings, store: Store) -> None:
        self._screen = screen
        self._words = words
        self._settings = settings
        self._store = store

    def find(self, user: str, key: str | None) -> tuple[Person, str]:
        """Who it is that gave the name ``user`` to SSH and has this ``key``, and how to welcome them.

        Raises :class:`Stranger`, and what the store raises.
        """
        if key and (person := self._store.person_with_key(key)):
            return person, self._words.text("welcome", name=person.name)
        name, said = clean_name(user), ""
        while True:
            if may_be_name(name):
                if found := self._register(name, key):
                    return found
                said = self._taken(name)
                if not key and (person := self._by_code(name, said)):
                    return person, self._words.text("welcome", name=person.name)
            name = self._ask_name(said)
            said = ""

    def _register(self, name: str, key: str | None) -> tuple[Person, str] | None:
        """Take a name that nobody has; ``None`` if somebody has."""
        code = None if key else new_code()
        person = self._store.register(name, key, code)
        if person is None:
            return None
        welcome = self._words.text("welcome_code", name=name, text=code) if code else None
        return person, welcome or self._words.text("welcome_key", name=name)

    def _taken(self, name: str) -> str:
        """Why somebody cannot simply be called that."""
        return self._words.text("name_of_key" if self._store.comes_with_key(name) else "name_of_code", name=name)

    def _by_code(self, name: str, said: str) -> Person | None:
        """Who has this name and its code, if somebody says that they do; ``None`` if it is somebody else."""
        if self._store.comes_with_key(name):
            return None
        text = self._words.text
        offers = [Offer(True, text("who_is", name=name)), Offer(False, text("who_other"))]
        page = headed(self._settings, text("title"), [said])
        has_code = self._screen.choose(page, text("who_ask"), offers, BACK, text("keys"))
        if has_code is None:
            raise Stranger
        if not has_code:
            return None
        found: list[Person] = []
        tries = 0

        def check(typed: str) -> str | None:
            nonlocal tries
            tries += 1
            if person := self._store.person_with_code(name, typed):
                found.append(person)
            elif tries < TRIES:
                return text("code_wrong", name=name)
            return None

        typed = self._screen.ask(page, text("ask_code", name=name), "", check, text("field_keys"))
        if typed is not None and not found:
            raise Stranger(text("code_given_up", name=name))
        return found[0] if found else None

    def _ask_name(self, said: str) -> str:
        text = self._words.text

        def check(typed: str) -> str | None:
            return None if may_be_name(clean_name(typed)) else text("name_rule", number=LONGEST_NAME)

        page = headed(self._settings, text("title"), [said] if said else [])
        typed = self._screen.ask(page, text("ask_name"), "", check, text("field_keys"))
        if typed is None:
            raise Stranger
        return clean_name(typed)


class Lobby:
    """What somebody may do here, until they leave."""

    def __init__(self, store: Store, person: Person, settings: Settings) -> None:
        self._store = store
        self._person = person
        self._settings = settings
        self._words = Words(settings.language, "lobby")

    def stay(self, said: str) -> None:
        """Ask what to do until they leave; ``said`` is the welcome."""
        at: Deed | None = None
        while at := self._main(said, at):
            said = at()

    def _main(self, said: str, last: Deed | None) -> Deed | None:
        text = self._words.text
        offers = [Offer(self._learn, text("learn")), Offer(self._rules, text("rules")), Offer(None, text("leave"))]
        with self._screen() as screen:
            chosen: Deed | None = self._choose(screen, text("ask"), offers, [said] if said else [], (), "keys", last)
        return chosen

    def _screen(self) -> AnyScreen:
        """The screen, for what holds no secrets."""
        return open_screen(self._words, self._settings, secret=False)

    def _choose(
        self,
        screen: AnyScreen,
        question: str,
        offers: Sequence[Offer],
        lines: Sequence[str] = (),
        more: Sequence[str] = (),
        foot: str = "back_keys",
        at: Any = None,
    ) -> Any:
        """The value of one of the offers, or ``None`` to go back."""
        page = headed(self._settings, self._words.text("title"), lines, more)
        return screen.choose(page, question, offers, BACK, self._words.text(foot), at=at)

    def _which_game(self, screen: AnyScreen) -> str | None:
        titles = {game: template(self._settings.language, game, "title") for game in GAMES}
        offers = [Offer(game, title, (game,)) for game, title in titles.items()]
        about = [f"{title}: {template(self._settings.language, game, 'about')}" for game, title in titles.items()]
        chosen: str | None = self._choose(screen, self._words.text("game"), offers, (), about)
        return chosen

    # What can be done

    def _learn(self) -> str:
        with self._screen() as screen:
            game = self._which_game(screen)
        if game:
            lesson.learn(game, self._settings)
        return ""

    def _rules(self) -> str:
        with self._screen() as screen:
            if game := self._which_game(screen):
                page = rules_page(self._settings.language, game)
                screen.show(lambda width, rows: markdown(page, width), self._words.text("page_keys"))
        return ""
