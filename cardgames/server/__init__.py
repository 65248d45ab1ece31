"""The SSH server, which gives each guest a terminal with this program.

- ``connection``: authentication, and the permitted requests;
- ``session``: a guest's session: the admission, the owner's code, the terminal and the process;
- ``pseudo_terminal``: the terminal of a guest's process;
- ``fork_server``: the process from which guests' processes are forked;
- ``guest``: the guest's process, which runs ``ui.session.lobby`` and keeps to the quotas;
- ``control``: the owner's orders from another terminal;
- ``figures``: the figures for a monitor, and whether the store answers;
- ``limits``: limits of connections, time, typing and window, and quotas;
- ``server``: listening until it is stopped; the host key.

The process that speaks SSH knows no game, store or card. A guest's process draws only what the guest's seat knows, and
a guest's actions take only the time of that process."""
