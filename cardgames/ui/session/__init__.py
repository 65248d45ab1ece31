"""Sessions, from the first picture to the last.

``local_session`` is a match at this terminal alone. ``shared_session`` is one at a table with other terminals, with
``shared_table`` for its requests and chat, ``news`` of the other players, and ``turns`` for absent people;
``patient_journal`` waits while the store cannot be written. ``lesson`` explains a first deal. ``identity`` and
``lobby`` are for guests from other machines. ``daily`` is the deal of the day, ``duplicate`` compares tables that play
the same deals."""
