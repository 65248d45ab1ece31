"""What the layouts make of moments in recorded matches, kept as text in ``tests/layouts/`` for people to read.

    CARDGAMES_LAYOUTS=write scripts/test tests/layout/test_transcripts.py

writes it anew; look at what has changed with ``git diff`` before you keep it. Another moment is a further line
``== RECORD PLY`` in the file of its game. Messages stand with their keys, so that no sentence is repeated here.
"""

import os
from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, KINDS, OFFERED, Event, Message
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from tests.ui.stills import Match

LAYOUTS = Path(__file__).parents[1] / "layouts"
WRITE = os.environ.get("CARDGAMES_LAYOUTS") == "write"
MANY = {"cards", "played", "shown", "lacking", "gone", "marked", "led", "hand", "playable", "fresh", "pairs"}
ONE = {"boss", "last", "turn_up"}
"""The fields of scenes that hold cards."""

match = cache(Match.read)


def text(value: Any, name: str = "") -> str:
    """A value of a scene in one line: what is as ever is left out, cards have their names."""
    if isinstance(value, Message):
        args = " ".join(f"{name}={text(arg, name)}" for name, arg in sorted(value.args.items()))
        return f"{value.key}({args})" if args else value.key
    if hasattr(value, "_fields"):
        usual = value._field_defaults
        fields = [field for field in value._fields if getattr(value, field) != usual.get(field, usual)]
        return f"{type(value).__name__}({', '.join(f'{one}={text(getattr(value, one), one)}' for one in fields)})"
    if isinstance(value, tuple | frozenset):
        every = value if isinstance(value, tuple) else sorted(value)
        return "[" + " ".join(text(one, "turn_up" if name in MANY else name) for one in every) + "]"
    is_card = name in ONE or (KINDS.get(name) in ("card", "cards") and name not in MANY)
    return NAMES[value] if is_card and isinstance(value, int) else str(value)


def asked(question: Question, game: str, depth: int = 1) -> Iterator[str]:
    """A question, and those that it leads to: ``>`` is where the pointer starts, ``!`` is asked once more."""
    yield "  " * depth + text(question.message)
    words = layout_of(game).words
    signs = [
        (">" if one == question.preselected else "") + ("!" if one in question.costly else "")
        for one in question.actions
    ]
    offers = [
        f"{sign}{one.text}: {text(question.labels.get(one) or words(one))}"
        for sign, one in zip(signs, question.actions, strict=True)
    ]
    offers += [f"tick {pick.value}: {text(pick.message)}" for pick in question.picks]
    if question.picks:
        values = [pick.value for pick in question.picks]
        offers += [f"{number} ticked: {text(question.status(values[:number]))}" for number in range(4)]
    offers += [
        f"refused {one.text}: {text(label)}" for one, label in question.labels.items() if one not in question.actions
    ]
    if offers:
        yield "  " * depth + "; ".join(offers)
    for label, further in question.further:
        yield "  " * depth + ("> " if further == question.preselected else "… ") + text(label)
        yield from asked(further, game, depth + 1)


def seen(record: str, ply: int) -> Iterator[str]:
    """What whoever is to act is shown and asked, and what the action before has cleared away."""
    found = match(record)
    layout, state = layout_of(found.header.game), found.states[ply]
    events: list[Event] = []
    found.game.apply(found.states[ply - 1], found.actions[ply - 1], events.append)
    seat = found.game.to_act(state) or CHANCE
    observation = found.game.observation(state, seat)
    scene = layout.scene(observation)
    for block in [block for event in events for block in layout.removed_blocks(event)]:
        yield f"cleared {text(block)}"
    rest = scene._replace(players=(), middle=())
    yield text(rest)
    yield from [text(player) for player in scene.players]
    yield from [text(block) for block in scene.middle]
    sheet = layout.sheet(observation)
    for columns in (sheet.columns, *sheet.notes):
        yield f"sheet {text(columns)}"
    yield from [f"look back {text(block)}" for block in layout.look_back(observation)]
    if seat:
        yield from asked(layout.question(observation), found.header.game)


def moments(kept: str) -> list[tuple[str, int]]:
    """The records and plies whose headings stand in a file."""
    heads = [line.split()[1:] for line in kept.splitlines() if line.startswith("== ")]
    return [(record, int(ply)) for record, ply in heads]


def transcript(kept: str) -> str:
    lines = []
    for record, ply in moments(kept):
        lines.append(f"== {record} {ply}")
        lines += [fill(line, 118, subsequent_indent="        ", break_long_words=False) for line in seen(record, ply)]
        lines.append("")
    return "\n".join(lines)


@pytest.mark.parametrize("game", OFFERED)
def test_layouts_are_those_on_file(game: str) -> None:
    path = LAYOUTS / f"{game}.txt"
    kept = path.read_text(encoding="utf-8")
    now = transcript(kept)
    if WRITE:
        path.write_text(now, encoding="utf-8")
    elif changed := "".join(unified_diff(kept.splitlines(True), now.splitlines(True), path.name, "now")):
        pytest.fail(f"{changed}\n{__doc__}", pytrace=False)
