"""Five card games, hot-seat at one terminal."""

__version__ = "0.1.0"
