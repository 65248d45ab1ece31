"""A match in progress, without a screen, and its players.

    match = Match(new_game("durak", 2), MemoryJournal(), seeded(7))
    print(play(match, {1: ann, 2: ben}))  # two of :class:`Player`

The journal is all there is of a match. :class:`Match` reads it, checks every new action, and knows the events that each
seat has seen and the choices that can be undone. Players have one interface, whether they are people at a terminal, a
computer or a script; each gets only what its seats know. Nothing here knows a game, a screen or a file.
"""

from cardgames.match.chance import DrawChance, committed, seeded
from cardgames.match.clock import Clock
from cardgames.match.commitment import (
    Commitment,
    commitment,
    first_not_drawn,
    joint_hash,
    mixed,
    new_contribution,
    new_secret,
)
from cardgames.match.journal import (
    Journal,
    JournalPosition,
    MemoryJournal,
    Move,
    News,
    Overtaken,
    Substitute,
    Undo,
    unread,
)
from cardgames.match.match import Happening, Match, Step, TakenBack, step, visible_to
from cardgames.match.play import play, play_until
from cardgames.match.players import Answer, Player, PlayerLeft, RemotePlayers, TakeBack

__all__ = [
    "Answer", "Clock", "Commitment", "DrawChance", "Happening", "Journal", "JournalPosition", "Match",
    "MemoryJournal", "Move", "News", "Overtaken", "Player", "PlayerLeft", "RemotePlayers", "Step",
    "Substitute", "TakeBack", "TakenBack", "Undo", "commitment", "committed", "first_not_drawn", "joint_hash", "mixed",
    "new_contribution", "new_secret", "play", "play_until", "seeded", "step", "unread", "visible_to",
]  # fmt: skip
