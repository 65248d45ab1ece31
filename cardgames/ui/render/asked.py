"""What a screen says and asks while it shows a table: events, the question, its choices, and what has been typed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.cards import Card
from cardgames.engine.game import Message
from cardgames.ui.render.canvas import Rect

if TYPE_CHECKING:
    from cardgames.ui.screens.offers import Offer


class Log(NamedTuple):
    """The messages about events, for the rows under the table or for the panel."""

    new: Sequence[Message] = ()
    """The new messages, the newest last."""
    pinned: int | None = None
    """The index in ``new`` of a message that stays in view with the newest message if the log has two rows or more."""
    older: Sequence[Message] = ()
    counted: bool = False
    """Whether to show the number of new messages that did not fit."""


INDENT = "   "
"""The blanks before each line of a block on a page."""


class Asked(NamedTuple):
    """A question as it stands now, or what is said while nobody here is asked."""

    question: str = ""
    choices: Sequence["Offer"] = ()
    """The choices in order, each with the letters that choose it now. Choices that only typing finds are left out."""
    pointed: int | None = None
    """The index of the pointed choice. It may be a refused one."""
    has_ticks: bool = False
    """Whether choices are ticked and taken together."""
    ticked: frozenset[int] = frozenset()
    advised: frozenset[int] = frozenset()
    """The indices of the choices that a hint recommends."""
    typed: str = ""
    """What has been typed, as a card begins."""
    matching: frozenset[int] | None = None
    """The indices of the choices that match what was typed; ``None`` if nothing was typed."""
    notice: str = ""
    """A notice or a refusal, until a key is pressed."""
    status: str = ""
    """What is said of the ticked choices."""
    hint: Sequence[str] = ()
    """The hint about the pointed choice, a line for each sentence."""
    note: Sequence[str] = ()
    """An explanation of the table, a line for each paragraph."""
    foot: str = ""
    best: tuple[Card, ...] = ()
    """The cards of a better move that is shown: the first rises in the hand, those on the table are underlined."""
    played: tuple[Card, ...] = ()
    """The cards of the move that was played instead."""


class Painted(NamedTuple):
    """What the screen needs to know of a table that has been painted."""

    targets: Sequence["Target"] = ()
    line: Rect = Rect(0, 0, 0, 0)
    """The row for what is typed."""


class Target(NamedTuple):
    """A place that can be pressed with a mouse."""

    area: Rect
    choice: int | None = None
    """The index of a choice; ``None`` for a key of the foot."""
    key: str = ""
    acts: bool = False
    """Whether a press is taken at once when it is released, as a button or key is, and does not only point."""
