"""The rhythm of a person who looks before pressing a key: no double presses, and none right after a hand-over."""

import time

from cardgames.texts import LANGUAGES, template
from cardgames.ui.screens.key_decoder import REPEAT_GAP
from cardgames.ui.table.table import HAND_OVER_QUIET

HANDED_ON = tuple(
    template(language, None, key) for language in LANGUAGES for key in ("show_hand", "no_hand_yet", "again")
)
"""Words on the screens at which keys wait until somebody has looked: a hand-over, the end of a match."""


class Fingers:
    """When the last key was pressed, and how long the next one has to wait."""

    def __init__(self) -> None:
        self._pressed = 0.0

    def wait(self, screen: str) -> None:
        """Wait until a key means what it says on this screen."""
        handing = any(said in screen for said in HANDED_ON)
        quiet = HAND_OVER_QUIET if handing else REPEAT_GAP
        begun = time.monotonic() if handing else self._pressed
        time.sleep(max(0.0, begun + quiet + 0.05 - time.monotonic()))
        self._pressed = time.monotonic()
