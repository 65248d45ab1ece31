"""The terminal itself: two screens with one protocol, the signals that end them, and the characters they can show."""
