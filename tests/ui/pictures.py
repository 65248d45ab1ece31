"""Tables of recorded matches on a canvas, without a terminal."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from cardgames.engine.game import CHANCE
from cardgames.ui.messages import Words
from cardgames.ui.render.asked import Asked, Choice
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.themes import Medium
from cardgames.ui.screens.offers import Offer, Picture
from cardgames.ui.screens.typed_text import shortcuts
from cardgames.ui.settings import Settings
from cardgames.ui.table.question import MovePrompt
from cardgames.ui.table.view import View
from tests.ui.stills import Match


def painted(picture: Picture, columns: int, rows: int, asked: Asked = Asked()) -> Canvas:  # noqa: B008 — a tuple
    """A picture on a canvas of its own."""
    canvas = Canvas(columns, rows)
    assert picture.on_canvas
    picture.on_canvas(canvas, asked)
    return canvas


class Shot(NamedTuple):
    """Draws a recorded match with given settings and window size."""

    record: str
    settings: Settings
    columns: int
    rows: int
    medium: Medium

    def draw(self, ply: int, kind: str = "turn", point: int | None = None) -> Canvas:
        match = Match.read(self.record)
        names = match.header.names or ()
        title = Words(self.settings.language, match.header.game, names).match_title(1)
        view = View(match.played(ply), names, self.settings, title)
        canvas = Canvas(self.columns, self.rows, self.medium)
        seat = view.match.to_act or CHANCE
        if kind == "pause":
            picture = view.pause_picture(view.match.steps[-1], CHANCE)
            foot = view.words.text("keys")
            assert picture.on_canvas
            picture.on_canvas(canvas, Asked(notice=view.words.text("any_key"), foot=foot))
            return canvas
        if kind == "door":
            view.bottom = seat
            picture = view.table_picture(view.match.observation(CHANCE), view.match.events(CHANCE), door=seat)
            opening = Choice(view.words.text("show_hand"), key="a")
            asked_now = Asked(view.words.text("hand_over", seat=seat), [opening], 0, foot=view.words.text("keys"))
            assert picture.on_canvas
            picture.on_canvas(canvas, asked_now)
            return canvas
        observation = view.match.observation(seat)
        picture = view.question_picture(observation, view.match.events(seat))
        asked: list[Asked] = []
        hint = "Hint: K♠ (71%) rather than Q♣ (66%)\nit wins the trick and costs less\n+2" if kind == "hint" else ""

        class Answered(Exception):
            pass

        class Screen:
            foot_with_back_key = view.words.text("keys_back")

            def choose(self, draw: Picture, question: str, offers: Sequence[Offer], **named: Any) -> Any:
                listed = [offer for offer in offers if not offer.unlisted]
                values = [offer.value for offer in listed]
                at = named.get("at")
                pointed = values.index(at) if at in values else 0
                letters = shortcuts(offers, ())
                ticks = named.get("ticks")
                asked.append(
                    Asked(
                        question,
                        [
                            Choice(
                                offer.text,
                                offer.cards,
                                letters[offers.index(offer)][:1],
                                offer.refused,
                                ticked=bool(ticks and offer.value in ticks.values),
                            )
                            for offer in listed
                        ],
                        pointed if point is None else point,
                        has_ticks=ticks is not None,
                        hint=hint,
                        status=ticks.status(ticks.values) if ticks else "",
                        foot=view.words.text("keys") + "  " + view.words.text("keys_order"),
                    )
                )
                raise Answered

        with suppress(Answered):
            MovePrompt(Screen(), view, observation).ask(picture)  # type: ignore[arg-type]
        assert picture.on_canvas
        picture.on_canvas(canvas, asked[0])
        return canvas
