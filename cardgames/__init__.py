"""Five card games in the terminal: alone against computers, at one terminal, at several, or over SSH."""

__version__ = "0.4.0"
