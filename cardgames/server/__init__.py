"""The server that lets others in over SSH, each to a terminal of their own, on which this program runs.

- ``admission``: who is let in;
- ``connection``: a connection: its authentication, and what can be requested on it;
- ``session``: a guest's session on it: the owner's code, the terminal and the process;
- ``pseudo_terminal``: the terminal on which that process runs;
- ``fork_server``: the process from which those of the guests are forked;
- ``guest``: what the process of a guest does: it runs ``ui.lobby``;
- ``control``: what the owner orders from another terminal;
- ``limits``: how much a guest can use of connections, time, typing and window;
- ``server``: listens until it is told to stop; the host key.

The process that speaks SSH knows no game, no store and no card. A guest's process draws what their seat knows on a
terminal that is theirs alone, so nothing else can get to their machine, and what one guest does takes the time of their
own process alone.
"""
