"""The message catalogues and rules pages, a folder for each language.

A catalogue is a module with a dict ``MESSAGES``. ``common.py`` has the messages of all games; the catalogue of a game
takes precedence. A game without a translation is played in English. Templates have arguments in braces, as in
``str.format``. ``{count:card|cards}`` writes the singular if the count is 1, else the plural. ``{seats: and }`` puts
that word between the last two names, and ``{seats:さん、}``, with a comma of the language, between all names."""

from functools import cache
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "ja")
"""The codes of the languages; the first one is the default."""


class Number(int):
    """A number in a message. Its format ``SINGULAR|PLURAL`` chooses one of two words."""

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return super().__format__(spec)
        singular, plural = spec.split("|")
        return singular if self == 1 else plural


@cache
def messages(language: str, catalogue: str) -> dict[str, str]:
    """The templates of the catalogue ``common`` or of a game, by key; in English if there is no translation."""
    try:
        found: dict[str, str] = import_module(f"cardgames.texts.{language}.{catalogue}").MESSAGES
    except ModuleNotFoundError:
        if language == LANGUAGES[0]:
            raise
        return messages(LANGUAGES[0], catalogue)
    return found


def template(language: str, game: str | None, key: str) -> str:
    """The template of ``key`` from the catalogue of ``game``, or else from ``common``. Raises ``KeyError``."""
    if game and (found := messages(language, game).get(key)) is not None:
        return found
    return messages(language, "common")[key]


def rules_page(language: str, game: str) -> str:
    """The rules page of a game, in Markdown; in English if there is no translation."""
    pages = [FOLDER / code / f"{game}.md" for code in (language, LANGUAGES[0])]
    page = next(page for page in pages if page.is_file()).read_text(encoding="utf-8")
    return f"{page}\n{messages(language, 'common')['rules_keys']}\n"


def clause_of(page: str, name: str) -> str:
    """The part of a rules page under the heading with the clause ``name``; empty if there is no such heading."""
    found: list[str] = []
    for line in page.splitlines():
        if line.startswith("#") and found:
            break
        if found or (name and line.startswith("#") and name in line.split()):
            found.append(line)
    return "\n".join(found)


def lesson(game: str) -> str:
    """The lesson of a game: the record of an unfinished match, as text."""
    return (FOLDER / "lessons" / f"{game}.jsonl").read_text(encoding="utf-8")
