"""Sessions, from the first picture to the last.

``local_session`` is a match at this terminal alone. ``shared_session`` is a match with other terminals, with
``shared_table`` for requests and chat, and ``news`` for the table's state. ``lesson`` explains a first deal.
``identity`` and ``lobby`` are for guests from other machines. ``daily`` is the deal of the day."""
