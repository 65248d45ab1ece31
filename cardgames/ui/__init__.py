"""The one owner of the screen: what is shown, what is asked, and the turn loop.

Sittings, each from the first picture to the last:

- ``sitting_here``: at this terminal alone; ``sitting_together``: at a table that several terminals share;
- ``lesson``, ``review``, ``replay``: a first hand explained, a match gone over, a record stepped through;
- ``identity`` and ``lobby``: for somebody who comes from another machine; ``new_match``: the dialogue before a match.

At the table:

- ``table``: the people at this terminal, called to the keyboard in turn; ``shared_table``: what several terminals share
  of that, with ``news`` of who sits at the others; ``computers`` and ``background``: computers that think while the
  screen stays alive;
- ``view``: what a seat sees, as pictures; ``question``: what it is asked, as lines to choose from;
- ``foot_keys``: the keys at the foot, ``rules``: the page of a game, ``hint``: the help of the strongest computer;
- ``hand_order``: how a hand is sorted;
- ``score_book``: what the store keeps beside the moves, from hints to what each has won in this sitting;
- ``patient_journal``: a match that stays on the table while another program writes into the store.

For all of these: ``messages`` puts messages into words, ``settings`` says how the player wants their terminal,
``headed_page`` draws where there is no table, ``choosing`` asks for what both the menu and the lobby have to ask,
``printed_tables`` writes to standard output, and ``progress`` draws its bar on standard error. ``render`` makes text of
a scene, ``screens`` own the terminal.
"""
