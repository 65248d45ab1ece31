"""Hindsight: what is told of matches that were played.

``judging`` has choices judged, ``review_pages`` and ``person_pages`` show the result for a match and for a person, and
``review`` lets errors be tried again; ``replay`` steps through a record; ``printed_tables`` writes lists and statistics
to standard output.
"""
