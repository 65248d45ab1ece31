"""``cardgames`` without the guard against accidental keys, for tests that press hundreds of keys."""

from prompt_toolkit.key_binding.key_processor import KeyPress

from cardgames.cli import main
from cardgames.ui.screens.key_guard import KeyGuard


def admit_all(self: KeyGuard, presses: list[KeyPress]) -> list[KeyPress]:
    """Admit every key at once."""
    return presses


if __name__ == "__main__":
    KeyGuard.admit = admit_all  # type: ignore[method-assign]
    main()
