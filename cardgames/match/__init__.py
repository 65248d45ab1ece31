"""A match in progress, without a screen, and the players who sit at it.

    match = Match(new_game("durak", 2), MemoryJournal(), seeded(7))
    players = {seat: Computer(choose_evenly, Random(seat)) for seat in (1, 2)}
    print(play(match, players))

A match belongs to its journal: what stands there has happened, and nothing else has. :class:`Match` reads it, checks
every action that enters, and knows what each seat has been told and which choices can still be taken back. Players
are one interface, whether they are the people at a terminal, a computer or a script; each is given what its seat
knows. Nothing here knows a game, a screen or a file.
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
from cardgames.match.players import Answer, Computer, Player, PlayerLeft, RemotePlayers, Scripted, TakeBack

__all__ = [
    "Answer",
    "Clock",
    "Commitment",
    "Computer",
    "DrawChance",
    "Happening",
    "Journal",
    "JournalPosition",
    "Match",
    "MemoryJournal",
    "Move",
    "News",
    "Overtaken",
    "Player",
    "PlayerLeft",
    "RemotePlayers",
    "Scripted",
    "Step",
    "Substitute",
    "TakeBack",
    "TakenBack",
    "Undo",
    "commitment",
    "committed",
    "first_not_drawn",
    "joint_hash",
    "mixed",
    "new_contribution",
    "new_secret",
    "play",
    "play_until",
    "seeded",
    "step",
    "unread",
    "visible_to",
]
