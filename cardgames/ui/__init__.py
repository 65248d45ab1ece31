"""The one owner of a terminal, in rooms; each may use those below it and the modules at the end.

- ``session``: from the first picture to the last, at this terminal alone, at a table that several terminals share, or
  in a lesson; the lobby and the names of guests from other machines;
- ``review``: hindsight: reviews, replays, and the lists and statistics of the matches that were played;
- ``table``: a match on the screen: the people at this terminal, called to the keyboard in turn, and the computers;
- ``menus``: the questions before a match, and the page of a game's rules;
- ``render`` makes text of a scene, ``screens`` show it and read the keys.

For all rooms ``messages`` puts messages into words and ``times`` durations, ``settings`` says how the player wants
their terminal, ``titled_page`` draws where there is no table, ``background`` lets work go on while the screen stays
alive, and ``progress`` draws its bar on standard error.
"""
