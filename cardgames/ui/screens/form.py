"""A question or page as it is asked on the full screen: it paints itself, and takes keys until it has an answer."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from prompt_toolkit.key_binding.key_processor import KeyPress

from cardgames.ui.render.canvas import Canvas
from cardgames.ui.screens.alternate_screen import Place


class Form(ABC):
    """A question or a page."""

    end: Callable[[Any], object]
    """Ends the form with an answer. The screen that asks sets it."""
    is_field = False
    """Whether text is edited. Then only Enter, Escape and pastes are given to :meth:`press`."""

    @abstractmethod
    def paint(self, canvas: Canvas) -> Place | None:
        """Paint the form, and return the place of the cursor, if it is shown."""

    @abstractmethod
    def press(self, press: KeyPress) -> None:
        """Handle a key."""
