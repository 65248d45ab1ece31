"""Hindsight: reviews, replays, statistics and exercises.

``judging`` has choices judged, ``review_pages`` and ``person_pages`` show the results for a match and for a person,
``review`` lets errors be tried again, ``replay`` steps through a record, and ``printed_tables`` writes lists and
statistics to standard output."""
