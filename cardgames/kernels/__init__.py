"""Kernels: the play of each game on ints and with all cards open, for simulations, searches and solvers.

    from cardgames.kernels import kernel
    durak = kernel("durak")                    # a module; None for a game without a kernel
    state = durak.encode(game, game.start())   # before the first deal
    while (seat := state[durak.TO_ACT]) >= 0: ...

``engine`` has the rules, clause by clause. Kernels give up clarity for speed; ``tests/conformance/test_kernels.py``
compares both step by step. With numba the functions are compiled (see ``compiling``). Compiled or not, the same seed
gives the same match (see ``chance``). Importing this package imports no kernel; importing a kernel may import numba.

A kernel is a file ``NAME.py``. Its state is one flat array of ints, a list or a numpy array of int64. Its docstring
describes each int, among them rules, number of seats and dealer; ``TO_ACT`` is the seat to act: 0 is chance, -1 the
end. Equal states have equal ints, so ints that no longer matter are set to 0. Seats are numbered from 1, in states too.
If there is no room for what a match has to remember, ``TO_ACT`` becomes ``FULL``, and ``grown(state)``, which is never
compiled, returns a longer state that goes on. Equal states may then differ in the number of zeros at their end.
A card is an int from 0 to 51 as in ``engine.cards``; a set of cards is an int with the bit ``1 << card`` for each.

Functions on ints, each decorated with ``compiled`` or ``inlined``; ``out`` and ``order`` are arrays to be filled from 0
on:

- ``chance(state, rng, order) -> int``: write random items of chance, such as a shuffled pack, into ``order`` and
  return their number; the state is unchanged,
- ``apply_chance(state, order) -> int``: apply these items of chance; return 1 if they were a deal, else 0,
- ``moves(state, out) -> int``: write the legal moves of the seat to act into ``out``, each once and in any order, and
  return their number. Each game codes its moves as ints in its own way; bids are moves like any other,
- ``pick(state, rng, out) -> int``: return one of the moves, each equally likely; ``out`` is work space for them,
- ``play(state, move) -> None``: make a legal move,
- ``payoff(state, out) -> None``: write the gain of each seat so far into ``out``, seat 1 first, as :meth:`Game.payoff`;
  no other function knows sides and partners,
- ``guess(state, known, rng) -> None``: deal the cards that a seat does not know anew, all deals that fit the ints of
  ``known`` equally likely,
- ``roll_out(state, rng, worth) -> None``: play to the end of the deal by rule, or judge the state, and write the result
  for each seat into ``worth``, in thousandths of the game's ``UNIT`` of ratings.

A game without a search leaves out the last two. The remaining functions convert between engine and kernel, and are
never compiled:

- ``MOST_MOVES``, ``MOST_ITEMS``: the necessary lengths of ``out`` and ``order``,
- ``encode(game, state) -> Ints``: a state of the engine,
- ``text(state, move) -> str``: the notation of a legal move,
- ``outcome(game, state) -> Outcome``: the outcome of a match that is over,
- ``known(game, observation) -> Ints``: the knowledge of a seat, for ``guess``.

To run compiled and plain alike, functions keep these rules: no recursion, since numba crashes when it loads a recursive
function from its cache; no bit above 62, no unsigned numbers; no mixing of ints and floats; ``//`` and ``%`` only of
numbers that are not negative; no default, keyword or boolean arguments (each would be compiled separately), only ints,
floats, arrays and tuples of them; no new arrays, since the caller provides all; a limit for each array that may be
filled; products that may overflow only by ``scrambled``.
The functions in ``generic`` work with any kernel; ``functions`` there makes them for the kernel of one game.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

FULL = -2
"""The seat to act in a state that has no room for what it has to remember. Searches take it for an end."""


@cache
def kernel(name: str) -> Any:
    """The module with the kernel of a game; ``None`` if the game has none."""
    return import_module(f"cardgames.kernels.{name}") if find_spec(f"cardgames.kernels.{name}") else None
