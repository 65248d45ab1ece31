"""A match in progress, without a screen, and its players.

    match = Match(new_game("durak", 2), MemoryJournal(), seeded(7))
    print(play(match, {1: ann, 2: ben}))  # two of :class:`Player`

A match is stored as its journal. :class:`Match` reads the journal, checks every new action, and knows the events that
each seat has seen and the choices that can be undone. People at a terminal, computers and scripts have one interface,
:class:`Player`, and get only what their seats know. This package depends on no game, screen or file.
"""

from cardgames.match.chance import Commitment, commitment, first_deviation, joint_hash, mixed_secret, seeded
from cardgames.match.journal import Journal, JournalConflict, JournalPosition, MemoryJournal, Move, Substitute, Undo
from cardgames.match.match import Match, MatchChange, Step, UndoneSteps, public_events, step, visible_to
from cardgames.match.play import Answer, Player, PlayerLeft, RemotePlayers, TakeBack, play, play_until

__all__ = [
    "Answer", "Commitment", "Journal", "JournalConflict", "JournalPosition", "Match", "MatchChange",
    "MemoryJournal", "Move", "Player", "PlayerLeft", "RemotePlayers", "Step", "Substitute", "TakeBack", "Undo",
    "UndoneSteps", "commitment", "first_deviation", "joint_hash", "mixed_secret", "play", "play_until", "public_events",
    "seeded", "step", "visible_to",
]  # fmt: skip
