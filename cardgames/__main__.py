"""Runs the command line when the package itself is started: ``python -m cardgames``."""

from cardgames.cli import main

main()
