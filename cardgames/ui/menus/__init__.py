"""The questions before a match (``new_match``, ``choosing``), and the page of a game's rules (``rules``)."""
