"""Every message there is exists in every language, with no more arguments than it is given."""

from functools import cache
from string import Formatter

import pytest

from cardgames.engine.game import CHANCE, GAMES
from cardgames.texts import LANGUAGES, messages, rules_page, template

from .keys import engine_keys
from .matches import PRESENT, SETUPS, match
from .test_messages import uttered

SHARED = ("game", "tricks", "record")


@cache
def needed(name: str) -> dict[str, frozenset[str] | None]:
    """The keys that a game needs, each with the arguments that its message may count on; what chance does is told by
    events and needs none."""
    found = dict(engine_keys()[name].found)
    if name in PRESENT:
        for setup in SETUPS:
            if setup.name == name:
                for key in {action.kind for by, action in zip(*match(setup)[2:], strict=True) if by == CHANCE}:
                    found.pop(f"action.{key}", None)
                for key, args, _ in uttered(setup):
                    known = found.get(key) or (frozenset(args) if key not in found else found[key])
                    found[key] = None if known is None else known & frozenset(args)
    for key in [key for key in found if key.startswith("why.")]:
        found.pop(key.replace("why.", "reason."), None)
    return found


def exists(language: str, game: str | None, key: str) -> bool:
    try:
        return isinstance(template(language, game, key), str)
    except KeyError:
        return False


def arguments(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_message_of_a_game_exists(name: str, language: str) -> None:
    assert [key for key in sorted(needed(name)) if not exists(language, name, key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHARED)
def test_every_shared_message_exists(name: str, language: str) -> None:
    keys = [key for key in engine_keys()[name].found if not key.startswith("action.")]
    assert [key for key in sorted(keys) if not exists(language, None, key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_message_uses_only_what_it_is_given(name: str, language: str) -> None:
    for key, args in needed(name).items():
        if args is not None and not key.startswith(("action.", "ask.")) and exists(language, name, key):
            assert arguments(template(language, name, key)) <= args, key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHARED)
def test_a_shared_message_uses_only_what_it_is_given(name: str, language: str) -> None:
    for key, args in engine_keys()[name].found.items():
        if args is not None and exists(language, None, key):
            assert arguments(template(language, None, key)) <= args, key


@pytest.mark.parametrize("name", ["common", *GAMES])
def test_every_language_has_the_same_messages(name: str) -> None:
    first, *others = LANGUAGES
    for language in others:
        assert set(messages(language, name)) == set(messages(first, name))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["common", *GAMES])
def test_messages_are_templates(name: str, language: str) -> None:
    for key, text in messages(language, name).items():
        assert isinstance(key, str)
        assert isinstance(text, str)
        for _, argument, spec, conversion in Formatter().parse(text):
            assert conversion is None
            assert argument is None or argument.isidentifier()
            assert spec is None or spec.count("|") in (0, 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_rules_page(name: str, language: str) -> None:
    assert rules_page(language, name).strip()
