"""Tables of recorded matches as pictures, without a terminal, and those that are kept on file."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cardgames.engine.game import OFFERED
from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.svg import svg
from cardgames.ui.screens.offers import Picture
from cardgames.ui.settings import Settings
from tests.games import Moment, expected
from tests.ui.stills import Camera, Match, text_of

ROOT = Path(__file__).parents[2]
SCREENS = "tests/screens"
"""The folder of screens that only people and tests read."""

RECORDS_SHOWN = {name: record for game in OFFERED for name, record in expected(game).screens.items()}
"""The record of each game, and of one for many, with the moments looked at in it; its end as well."""

match = cache(Match.read)


def painted(picture: Picture, columns: int, rows: int, asked: Asked = Asked()) -> Canvas:  # noqa: B008 — a tuple
    """A picture on a canvas of its own."""
    canvas = Canvas(columns, rows)
    picture.on_canvas(canvas, asked)
    return canvas


def plain(canvas: Canvas) -> str:
    """The characters of a canvas as lines of text."""
    return "\n".join(["".join([character for character, _ in row]).rstrip() for row in canvas.rows])


class Shot(NamedTuple):
    """A screen that is kept as a file."""

    path: str
    """Relative to the project. What ends with ``.svg`` is a picture, all else text."""
    record: str
    moment: Moment | tuple[str]
    language: str = "en"
    columns: int = 80
    rows: int = 24

    def draw(self) -> str:
        """The content of the file."""
        camera = Camera(match(self.record), Settings(language=self.language), self.columns, self.rows)
        kind, *plies = self.moment
        shown = getattr(camera, kind)(*plies)
        return svg([shown.canvas]) if self.path.endswith(".svg") else text_of(shown)


def _texts() -> Iterator[Shot]:
    """The screens of all moments, and some in Japanese and in other windows."""
    shown = [
        (name, "en", 80, 24, moment)
        for name, record in RECORDS_SHOWN.items()
        for moment in (*record.moments, "end")
        if (name, moment) != ("durak-six", "hand-over") and moment != "first-turn"  # such as others
    ] + [
        ("durak", "ja", 80, 24, "mid-game"),
        ("durak", "ja", 80, 24, "hand-over"),
        ("kakeya", "ja", 80, 24, "mid-game"),
        ("fipsen", "ja", 80, 24, "trick-over"),
        ("zetema", "ja", 80, 24, "end"),
        ("truc", "ja", 60, 20, "mid-game"),
        ("durak-six", "en", 60, 20, "adding"),
        ("kakeya", "en", 60, 20, "mid-game"),
        ("zetema", "en", 120, 40, "mid-game"),
        ("fipsen", "en", 200, 50, "mid-game"),
    ]
    for name, language, columns, rows, moment in shown:
        record = RECORDS_SHOWN[name]
        path = f"{SCREENS}/{name}-{language}-{columns}x{rows}-{moment}.txt"
        yield Shot(path, record.name, record.moments.get(moment, ("end",)), language, columns, rows)


SHOTS = (
    *_texts(),
    Shot(".github/pictures/durak.svg", "durak-four-players", ("turn", 30)),
    Shot(".github/pictures/durak.ja.svg", "durak-four-players", ("turn", 30), "ja"),
    Shot(".github/pictures/kakeya.svg", "kakeya-rensho", ("turn", 25), columns=120, rows=36),
    Shot(f"{SCREENS}/truc.svg", "truc-three-rounds", ("turn", 30), "ja"),
    Shot(f"{SCREENS}/fipsen.svg", "fipsen-evening", ("turn", 60)),
    Shot(f"{SCREENS}/zetema.svg", "zetema-six-in-two-sides", ("turn", 40)),
)
"""The screens on file, which ``scripts/pictures`` writes."""
