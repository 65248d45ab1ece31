"""``cardgames`` whose guests' processes keep ever more memory: 8 MB for each arrow up."""

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.cli import main
from cardgames.ui.screens.key_guard import KeyGuard

hoard: list[bytes] = []


def admit_all(self: KeyGuard, presses: list[KeyPress]) -> list[KeyPress]:
    """Admit all keys, and allocate memory that is never freed for each arrow up."""
    hoard.extend(b"\1" * (8 << 20) for press in presses if press.key == Keys.Up)
    return presses


if __name__ == "__main__":
    KeyGuard.admit = admit_all  # type: ignore[method-assign]
    main()
