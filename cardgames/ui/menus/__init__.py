"""The questions before a match (``new_match``, ``choosing``)."""
