"""A match on the screen.

``table`` asks the people at this terminal, ``computers`` plays other seats. ``view`` draws the table as one seat sees
it. ``question`` lists the actions to choose from, with letters to type. ``foot_keys`` handles the keys besides
actions, ``hint`` asks the strongest computer for advice, and ``match_notes`` has the store's notes on the match."""
