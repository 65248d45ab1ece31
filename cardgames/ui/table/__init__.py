"""A match on the screen.

``table`` asks the people at this terminal, and ``computers`` plays the other seats. ``view`` draws what a seat sees,
with ``hand_order`` for its cards; ``question`` lists the actions to choose from, with ``card_letters`` to type;
``foot_keys`` are the keys beside the actions, ``hint`` the advice of the strongest computer, and ``match_notes`` tells
what the store keeps beside the moves.
"""
