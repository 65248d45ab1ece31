"""The user interface at the terminal. Each of these packages may use the packages below it:

- ``session``: matches at one terminal or shared, lessons, the lobby, and the identification of guests;

- ``review``: reviews, replays, exercises, lists and statistics of matches;

- ``table``: a match on the screen, with people and computers;

- ``menus``: the questions before a match, and the questions about settings;

- ``render`` makes text of scenes; ``screens`` show the text and read keys.

All of them may use these modules: ``messages`` and ``times`` put messages and durations into words, ``settings`` has
the player's settings, ``background`` runs work in a thread, and ``progress`` draws a bar on standard error."""
