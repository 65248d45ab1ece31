"""The catalogues and rules pages: complete in every language, alike in what they are given, and fit to be shown."""

import re
from io import StringIO
from itertools import pairwise
from string import Formatter
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.markdown import Markdown

from cardgames.engine.cards import CARDS
from cardgames.engine.game import GAMES, OFFERED, Message
from cardgames.texts import LANGUAGES, messages, rules_page
from cardgames.ui.messages import Words
from cardgames.ui.screens.forms import has_leading_word
from tests.games import expected

CATALOGUES = ("common", "cli", "lobby", *GAMES)
FIRST, *OTHERS = LANGUAGES

ENGLISH_ALONE = {*GAMES} - {*OFFERED}
"""The games that need no translation yet."""

MAY_BE_EMPTY = {"event.drew_hidden"}
"""Messages that say nothing where there is nothing to say, or it goes without saying."""

JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]")
LATIN = re.compile(r"[A-Za-z][A-Za-z'_-]*")
ALLOWED = {
    "asyncssh", "authorized_keys", "auto", "Backspace", "banned", "bash", "binary", "Caps", "cardgames",
    "computer-moves", "computer-takes-over", "CPU", "createdb", "Ctrl-C", "daily", "Dask", "dask", "distributed",
    "easy", "en", "End", "Enter", "Esc", "failed-match", "failed-match-input", "fair", "false", "felt", "FILE",
    "game", "github", "Home", "IdentitiesOnly", "install", "ja", "join", "JSON", "jsonl", "key",
    "keyboard-interactive", "KQ", "learn", "Linux", "Lock", "lost", "matches", "mosh", "night", "off", "paper",
    "PgDn", "PGPASSWORD", "PgUp", "pip", "plain", "play", "PostgreSQL", "psycopg", "QS", "random", "rank", "replay",
    "reset", "resume", "review", "rules", "scheduler", "serve", "SetEnv", "Shift", "Space", "SSH", "ssh", "stats",
    "store", "strong", "suit", "SVG", "true", "URL", "UTF", "verify", "watch", "Windows", "WSL", "yes", "zsh",
}  # fmt: skip
"""Latin words that may stand in a Japanese text: keys, commands and what is written in no other way. Single letters are
keys and ranks."""

QUOTED = re.compile(r"--[a-z-]+|[A-Z]+_[A-Z_]*|(?:https?|postgresql|tcp)://\S+|~?/[\w./]+")
"""Options, environment variables, addresses and paths, which are what they are in every language."""

MARGIN_OF_FOOT = 1
FEET = dict.fromkeys(("step_keys", "page_keys", "any_key", "goes_on", "gather_keys"), 60)
"""Lines at the foot of the screen, and how many columns the smallest window has for them."""

PAGE_WIDTHS = (58, 78)
"""The columns that a rules page has in the smallest and in the usual window."""


def every(*languages: str) -> list[Any]:
    """Every language with every catalogue that it has, as parameters."""
    there = [(one, name) for one in languages for name in CATALOGUES if one == FIRST or name not in ENGLISH_ALONE]
    return [pytest.param(*found, id="-".join(found)) for found in there]


class Field(NamedTuple):
    """An argument where it stands in a template."""

    name: str
    spec: str
    conversion: str | None


def fields(text: str) -> list[Field]:
    """The arguments of a template, in order."""
    return [Field(name, spec or "", how) for _, name, spec, how in Formatter().parse(text) if name is not None]


def literal(text: str) -> str:
    """The text of a template without its arguments."""
    return " ".join(found for found, _, _, _ in Formatter().parse(text))


def kind(name: str) -> str:
    """The kind of value that an argument of this name has (``cardgames.engine.game.Value``)."""
    if name in ("seat", "by", "to"):
        return "seat"
    if name == "seats":
        return "seats"
    for one in ("card", "cards", "suit"):
        if name == one or name.endswith("_" + one):
            return one
    if name in ("values", "seats_allowed"):
        return "several"
    return "rank" if name == "rank" else "plain"


SAMPLES: dict[str, tuple[Any, ...]] = {
    "seat": (1, 2),
    "seats": ((1,), (1, 2)),
    "card": (CARDS["TC"], CARDS["QH"]),
    "cards": ((), (CARDS["TC"], CARDS["QH"])),
    "suit": ("S", "D"),
    "rank": ("T", "K"),
    "several": (("on",), (2, 3, 4)),
    "plain": (1, 2),
}
"""Values of each kind: two of each, so that both a singular and a plural are said."""

LOOKS_LIKE_ANOTHER = re.compile(r"(^|_)(seats?|players?|dealers?|winners?|cards?|suits?|ranks?)(_|$)")


def is_format(name: str, spec: str) -> bool:
    """Whether an argument of this name can be said so: ``one|many`` for a number or the number of cards, ``#`` for the
    latter, ``or`` for several of which one is meant, ``capital`` for a text, and a word between seats."""
    if kind(name) == "seats":
        return "|" not in spec
    return (
        not spec
        or (kind(name) in ("plain", "cards") and spec.count("|") == 1)
        or (kind(name), spec) in (("cards", "#"), ("several", "or"))
        or (name, spec) == ("text", "capital")
    )


def chooses_only(text: str, name: str) -> bool:
    """Whether the argument is there only to choose between singular and plural, which Japanese does not tell apart."""
    return all("|" in field.spec for field in fields(text) if field.name == name)


SPELLINGS = {
    "：": r"[ぁ-んァ-ヶ一-龠）」}]:(?=$|[ 「{])",
    "〜": r"～",
    "%": r"％",
    "わかる": r"(?<!に)分か[らりるれっ]",
    "ほう": r"[いたる]方[がはをにで]",
    "フォルダー": r"フォルダ(?!ー)",
    "カード": r"(?<![手絵切り山捨])(?<!捨て)札",
    "表示できる": r"目に見え",
    "今": r"(?<![ぁ-ん])いま(?![すしせ])",
    "あと": r"[のた]後[のでにはも、]",
    "こと": r"[るい]事[がはをにで]",
    "バージョン": r"(?<!出)版",
    "外部": r"外から",
}
"""The one spelling of Japanese, and what is not written beside it."""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_japanese_has_one_spelling(spelling: str) -> None:
    texts = [text for catalogue in CATALOGUES for text in messages("ja", catalogue).values()]
    lines = [line for text in (*texts, *[rules_page("ja", game) for game in GAMES]) for line in text.splitlines()]
    assert [line for line in lines if re.search(SPELLINGS[spelling], line)] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_no_key_lacks_a_language(catalogue: str, language: str) -> None:
    first, other = messages(FIRST, catalogue), messages(language, catalogue)
    assert sorted(set(first) - set(other)) == []
    assert sorted(set(other) - set(first)) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_the_arguments_are_the_same_in_every_language(catalogue: str, language: str) -> None:
    first, other = messages(FIRST, catalogue), messages(language, catalogue)
    wrong = {}
    for key in set(first) & set(other):
        one, two = ({field.name for field in fields(text)} for text in (first[key], other[key]))
        lacking = {name for name in one - two if not chooses_only(first[key], name)}
        if lacking or two - one:
            wrong[key] = (sorted(lacking), sorted(two - one))
    assert wrong == {}


@pytest.mark.parametrize(("language", "catalogue"), every(*LANGUAGES))
def test_every_argument_is_of_a_known_type(language: str, catalogue: str) -> None:
    """A name says the type, and a format is one that is known for it."""
    wrong = []
    for key, text in messages(language, catalogue).items():
        for name, spec, conversion in fields(text):
            known = name.isidentifier() and (kind(name) != "plain" or not LOOKS_LIKE_ANOTHER.search(name))
            if not known or not is_format(name, spec) or conversion is not None:
                wrong.append((key, name, spec))
    assert wrong == []


@pytest.mark.parametrize(("language", "catalogue"), every(*LANGUAGES))
def test_every_text_is_said(language: str, catalogue: str) -> None:
    words = Words(language, catalogue, ("Ann", "Ben"))
    for key, text in messages(language, catalogue).items():
        for place in (0, 1):
            args = {field.name: SAMPLES[kind(field.name)][place] for field in fields(text)}
            said = words.say(Message(key, args))
            assert said.strip() or key in MAY_BE_EMPTY, key
            assert "\n" not in said, key
            assert not re.search(r"[{}|]", said), key


@pytest.mark.parametrize(("language", "catalogue"), every(*OTHERS))
def test_no_english_is_left(language: str, catalogue: str) -> None:
    left = {}
    for key, text in messages(language, catalogue).items():
        plain = QUOTED.sub(" ", literal(text))
        if words := [word for word in LATIN.findall(plain) if len(word) > 1 and word not in ALLOWED]:
            left[key] = words
    assert left == {}


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_no_japanese_is_left_in_english(catalogue: str) -> None:
    assert [key for key, text in messages("en", catalogue).items() if JAPANESE.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", FEET)
def test_the_foot_fits(key: str, language: str) -> None:
    assert cell_len(messages(language, "common")[key]) + MARGIN_OF_FOOT <= FEET[key]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_clears_what_was_typed_fits_beside_it(language: str) -> None:
    said = messages(language, "common")["nothing_found"]
    assert "Backspace" in said
    assert "Esc" in said
    assert cell_len("  " + said.format(typed="♣10")) <= 60


def shown(page: str, width: int) -> list[str]:
    """A page of Markdown as it is shown in so many columns."""
    out = StringIO()
    Console(file=out, width=width).print(Markdown(page))
    return out.getvalue().splitlines()


def clauses(game: str) -> list[str]:
    """The numbers of the clauses of a game's sheet."""
    letter, number = expected(game).clauses
    return [f"{letter}{place}" for place in range(1, number + 1)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_mentions_every_clause(game: str, language: str) -> None:
    page = rules_page(language, game)
    lacking = [clause for clause in clauses(game) if not re.search(rf"(?<![A-Za-z0-9]){clause}(?![0-9])", page)]
    assert lacking == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_is_shown_whole(game: str, language: str) -> None:
    """Nothing runs over the edge, no cell of a table is cut, and no mark of the Markdown is left to be read."""
    page = rules_page(language, game)
    for width in PAGE_WIDTHS:
        lines = shown(page, width)
        assert [line for line in lines if cell_len(line) > width] == []
        assert "\n".join(lines).count("…") == page.count("…")
        assert [line for line in lines if "**" in line or "`" in line or line.startswith("#")] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_clause_begins_a_line(game: str, language: str) -> None:
    """So the table can open the page at the clause that matters, and the clauses come in their order."""
    page = rules_page(language, game)
    for width in PAGE_WIDTHS:
        lines = shown(page, width)
        found = [
            [place for place, line in enumerate(lines) if has_leading_word(line, clause)] for clause in clauses(game)
        ]
        assert all(found), clauses(game)[found.index([])]
        assert all(before[0] < after[0] for before, after in pairwise(found))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_pages_are_built_alike(game: str, language: str) -> None:
    """The same headings at the same levels, so that whoever knows one page finds their way in the other."""
    one, two = (rules_page(spoken, game) for spoken in (FIRST, language))
    assert [len(mark) for mark in re.findall(r"^#+(?= )", one, re.M)] == [
        len(mark) for mark in re.findall(r"^#+(?= )", two, re.M)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OFFERED)
def test_the_people_of_a_rules_page_are_those_of_the_lesson(game: str, language: str) -> None:
    told = list(dict.fromkeys(re.findall(r"^> (\w+?)(?: holds |の手札：)", rules_page(language, game), re.M)))
    people = messages(language, "common")["lesson.players"].split()[: len(told)]
    assert len(told) >= 2
    assert told == people
