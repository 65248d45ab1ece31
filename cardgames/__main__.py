"""``python -m cardgames``."""

from cardgames.cli import main

main()
