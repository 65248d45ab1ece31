"""Hindsight: reviews, replays, statistics and exercises.

``judging`` judges choices, and ``review_pages`` puts the results for a match and a person into words, with the
``figures``. In ``review`` a person tries errors again, and in ``practice`` exercises. ``replay`` steps through a
record, and ``printed_tables`` writes lists and statistics to standard output."""
