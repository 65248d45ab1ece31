"""Who sits where, from the first picture to the last.

``local_session`` is a match at this terminal alone; ``shared_session`` is one at a table that several terminals share,
with ``shared_table`` for its questions, ``news`` of the people at the others, and ``turns`` for those who are not
there; ``patient_journal`` waits while the store cannot be written. ``lesson`` explains a first deal. ``identity`` and
``lobby`` are for guests from other machines.
"""
