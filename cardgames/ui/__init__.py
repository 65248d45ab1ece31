"""The owner of the terminal, in rooms; each may use those below it, and the modules at the end.

- ``session``: from the first picture to the last, at one terminal, at a table with others, or in a lesson; the lobby
and the names of guests;

- ``review``: reviews, replays, lists and statistics of matches;

- ``table``: a match on the screen, with people and computers;

- ``menus``: the questions before a match, and those about settings;

- ``render`` makes text of scenes, ``screens`` show it and read keys.

``messages`` puts messages into words and ``times`` durations; ``settings`` has the player's settings;
``background`` runs work while the screen stays alive; ``progress`` draws a bar on standard error."""
