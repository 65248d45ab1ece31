"""The server that lets others in over SSH, each to a terminal of their own, on which this program runs.

- ``door``: who may come in, with what, and how often: all that SSH has to say;
- ``pty``: what goes between a guest's machine and the pseudo-terminal that they are given;
- ``nursery``: the processes of the guests, forked from one that has everything imported and shares it with them;
- ``guest``: what the process of a guest does: the lobby, and what can go wrong in it;
- ``limits``: how much a guest may take, of connections, time, typing and window;
- ``server``: these put together, listening; and the host key.

The process that speaks SSH does nothing else: it knows no game, no store and no card. A guest's process draws pictures
of what their seat knows, on a terminal that is theirs alone, so nothing else can leave for their machine, and whatever
one guest does costs time in a process of their own. ``ui.lobby`` is what it runs.
"""
