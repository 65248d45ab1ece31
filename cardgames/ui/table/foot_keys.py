"""The pages that keys at the foot open, which show no hand, and the question whether to leave the match."""

from collections.abc import Callable, Sequence

from cardgames.engine.game import CHANCE
from cardgames.match import PlayerLeft
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import ESCAPE, Drawing, Key, Offer, Picture
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import View

STAND_IN = "fair"
"""The level of the computer that plays for an absent player."""


def open_page(key: Key, screen: Screen, view: View, viewer: int, notes: MatchNotes | None = None) -> None:
    """Show the page of a key: rules, score sheet or last events. Other keys do nothing.

    ``viewer``: the seat of the only person here, or 0 to show public information only. ``notes``: the notes for the
    rules page and the score sheet, if the match is stored."""
    if key is Key.RULES:
        _show_rules(screen, view, notes)
    elif key is Key.SHEET:
        above_and_below = (notes.tally(), notes.notes()) if notes else ()
        screen.show(view.sheet(*above_and_below))
    elif key is Key.LAST:
        _show_last(screen, view, viewer)


def _show_rules(screen: Screen, view: View, notes: MatchNotes | None) -> None:
    """Show the rules page, opened at the clause about the present state. The commitment, if any, stands above.

    While a notice about the commitment is in view, the page opens at its start instead."""
    from cardgames.ui.render.spoken import rules

    page = rules(view.game.NAME, view.settings)
    explains_commitment = any(message.key == "promise_line" for _, message in view.notices)
    clause = "" if explains_commitment else view.scene(view.match.observation(CHANCE)).clause
    if notes and (commitment := notes.commitment_messages()):
        page = page._replace(title=view.title, lines=[*view.note(commitment), ""])
    screen.show(page, clause)


def _show_last(screen: Screen, view: View, viewer: int) -> None:
    """Show the last events and, after a further key, the table after each action as this terminal saw it."""
    steps, match = tuple(view.match.steps), view.match
    keys = "page_keys_last" if steps else "page_keys"
    if not screen.show(view.last_page(), latest=bool(steps), keys=keys):
        return

    def draw(index: int) -> Picture:
        title = view.words.text("step_title", title=view.title, number=index + 1, count=len(steps))
        return view.pause_picture(steps[index], viewer, title)

    deals = [index for index, step in enumerate(steps) if match.game.deal_over(step.after)]
    seat = viewer or match.to_act  # 0: several people, so the seat to act
    last = len(steps) - 1
    own = [index for index, step in enumerate(steps) if step.by == seat] or [last]
    # Begin with the first action after the last own one.
    screen.step(draw, last, deals, min(own[-1] + 1, last), keys="step_keys_last")


class OpenSettings(Exception):
    """Raised to change settings and then continue the match."""


def ask_to_leave(
    screen: Screen, words: Words, draw: Drawing, prefix: str = "leave", more: Callable[[], Sequence[Offer]] = tuple
) -> bool:
    """Ask under a picture whether to leave. The keys of the messages begin with ``prefix``.

    Raises :class:`PlayerLeft` to leave, and :class:`OpenSettings` to change settings. ``more`` returns further offers,
    whose values are functions; return whether one of them was called."""
    offers = [Offer(PlayerLeft, words.text(f"{prefix}_yes")), Offer(None, words.text(f"{prefix}_no"))]
    if words.knows(f"{prefix}_settings"):
        offers.append(Offer(OpenSettings, words.text(f"{prefix}_settings")))
    offers += more()
    keys = {"q": PlayerLeft, ESCAPE: None}
    chosen = screen.choose(draw, words.text(f"{prefix}_ask"), offers, keys, words.text("leave_keys"))
    if chosen in (PlayerLeft, OpenSettings):
        raise chosen
    if chosen:
        chosen()
    return chosen is not None
