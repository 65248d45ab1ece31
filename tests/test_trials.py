"""Some of the trials of ``scripts/trial`` at a size that fits the suite; ``scripts/trials`` runs all of them whole."""

import ctypes
import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts.trial import (
    bids,
    certainty,
    growth,
    held_keys,
    interruptions,
    keys,
    kills,
    leaving,
    luck,
    measurements,
    mutations,
    presses,
    values,
)
from scripts.trial.program import left_behind
from scripts.trial.system_calls import Call

SMALL: dict[str, tuple[Callable[[], Any], Callable[[Any], bool]]] = {
    "a match that is killed and resumed": (lambda: kills.trial(2, tries=5, tail=4), lambda found: found.kills == 2),
    "a signal at any moment": (lambda: leaving.at_any_moment(1, tail=4), lambda found: found.signals == 1),
    "interruptions": (lambda: interruptions.trial(240, 1, 1), lambda found: found.kills > found.scenes),
    "mutated records": (lambda: mutations.trial(50), lambda found: 30 < found.refused < 50),
    "random keys": (lambda: keys.trial(10), lambda found: found.prompts > found.programs),
    "intervals": (lambda: certainty.trial("durak", 150, 40), lambda found: len(found.held) == 3),
    "contracts as hints say": (lambda: bids.contracts(4, 12, 50), lambda found: found.declarer.deals > 0),
    "luck of both sides": (lambda: luck.trial("durak", 2), lambda found: {*found.parts} == {"random", "strong"}),
    "keys of an action": (lambda: presses.trial("fipsen", 3, 1), lambda found: 1.2 < found.an_action <= presses.REACH),
    "starts of the pointer": (lambda: values.starts("kakeya", 30), lambda found: found.right.of > 20),
    "best responses": (
        lambda: pytest.importorskip("scripts.trial.exploitability", exc_type=ImportError).trial(),
        lambda found: found.first > 0,
    ),
    "a long match": (lambda: growth.trial("truc", 300, 150), lambda found: True),
    "a question that stays open": (lambda: held_keys.trial("hand", 200), lambda found: True),
}
"""Trials, which assert what they try, each with a check that it has tried something."""


@pytest.mark.parametrize("name", SMALL)
def test_a_trial_holds(capsys: pytest.CaptureFixture[str], name: str) -> None:
    run, has_tried = SMALL[name]
    figures = run()
    with capsys.disabled():
        print(f"\n{figures}")
    assert has_tried(figures)


# The judge judges


def test_a_path_is_read_that_ends_where_the_memory_ends() -> None:
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    end = ctypes.addressof(ctypes.c_char.from_buffer(pages)) + mmap.PAGESIZE
    pages[mmap.PAGESIZE - 5 : mmap.PAGESIZE] = b"/tmp\0"
    assert ctypes.CDLL(None).munmap(ctypes.c_void_p(end), ctypes.c_size_t(mmap.PAGESIZE)) == 0
    assert Call(os.getpid(), "rename", (end - 5,), None).text(0) == "/tmp"


def test_what_was_on_the_alternate_screen_is_not_left_behind() -> None:
    hidden = b"before\r\n\x1b[?1049h\x1b[2J K\xe2\x99\xa0 \x1b[?1049lafter\r\n"
    assert left_behind(hidden).split() == ["before", "after"]


def test_what_was_not_wiped_is_left_behind() -> None:
    card = b" K\xe2\x99\xa0 "
    for raw in (card + b"\x1b[2J", b"\x1b[?1049h" + card, b"\x1b[?1049h\x1b[?1049l" + card, card + b"\r\n" * 50):
        expected = not raw.endswith(b"\x1b[2J")
        assert ("K♠" in left_behind(raw)) == expected, raw
    assert "K♠" not in left_behind(card + b"\r\n" * 50 + b"\x1b[H\x1b[2J\x1b[3J")


def test_a_measurement_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "MEASUREMENTS.md"
    page.write_text("# Measurements\n", encoding="utf-8")
    for figure in ("1", "2"):
        measurements.write(
            "scripts/bench", [("speed", figure, "0.5", "a peer", "≥ 1"), ("size", figure, "", "", "")], "M", page
        )
    measurements.write("scripts/trials", [("killed", "3", "", "", "holds")], "M", page)
    measurements.write("scripts/bench", [("size", "4", "", "", "")], "M", page)
    rows = [line.split(" | ")[:5] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert [row for row in rows if row[0] != "| what"] == [
        ["| speed", "2", "a peer", "0.5", "≥ 1"],
        ["| size", "4", "", "", ""],
        ["| killed", "3", "", "", "holds"],
    ]
    assert page.read_text(encoding="utf-8").count("## `scripts/bench`") == 1


def test_the_page_of_measurements_is_a_page() -> None:
    assert len(measurements.PAGE.read_text(encoding="utf-8").splitlines()) <= 120
