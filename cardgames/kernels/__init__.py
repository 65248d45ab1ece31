"""Kernels: each game's play once more, on ints and with all cards open, for whatever has to be fast.

    from cardgames.kernels import kernel
    durak = kernel("durak")                    # a module; None for a game that has none
    state = durak.new(game)                    # before the first deal
    while (seat := state[durak.TO_ACT]) >= 0: ...

The rules stand in ``engine``, clause by clause. Here speed is all; ``tests/conformance/test_kernels.py`` compares both
step by step. Where numba is installed the functions are compiled (``compiling``), and the same seed gives the same
match all the same (``chance``). Importing this package imports no kernel; importing a kernel may import numba.

A kernel is a file ``NAME.py``. Its state is one flat array of ints, a list or a numpy array of int64. Its docstring
says what each int means; rules, number of seats and dealer are among them, and at ``TO_ACT`` the seat to act: 0 is
chance, -1 the end. States that are equal have equal ints, so what is over is set back to 0. Seats are numbered from 1,
in states too. A card is an int as in ``engine.cards``, from 0 to 51, a set of cards has the bit ``1 << card`` for each.

Functions on ints, each decorated with ``compiled``; ``out`` and ``order`` are arrays to be filled from 0 on:

- ``chance(state, rng, order) -> int``: decide for chance, put the items into ``order`` and return how many there are;
  the state stays as it is,
- ``lay(state, order) -> int``: take this as what chance decided; 1 if it was a deal, 0 if seats were drawn,
- ``moves(state, out) -> int``: put the legal moves of the seat to act into ``out``, each once and in any order, and
  return how many there are. A move is an int of the game's own; bids are moves like any other,
- ``pick(state, rng, out) -> int``: one of the moves, each equally likely; ``out`` is there to put them into,
- ``play(state, move) -> None``: make a legal move,
- ``payoff(state, out) -> None``: what each seat has won so far, seat 1 first, as :meth:`Game.payoff`; sides and
  partners appear here alone,
- ``guess(state, known, rng) -> None``: deal the cards that a seat does not know anew, each way as likely as another
  (of what fits the ints of ``known``),
- ``roll_out(state, rng, worth) -> None``: play to the end of the deal by rule, or judge the state, and put what that is
  worth to each seat into ``worth``, in thousandths of the game's ``UNIT`` of ratings.

The last two serve a search, and a game that needs none of them leaves them out. The rest of the file leads from the
engine to the kernel and back; it is never compiled:

- ``MOST_MOVES``, ``MOST_ITEMS``: how long ``out`` and ``order`` have to be,
- ``new(game) -> Ints``: the state before the first deal,
- ``encode(game, state) -> Ints``: a state of the engine,
- ``text(state, move) -> str``: the notation of a legal move,
- ``outcome(game, state) -> Outcome``: the outcome of a match that is over,
- ``known(game, observation) -> Ints``: what ``guess`` keeps to.

What must hold in both worlds: no recursion, since numba crashes when it loads such a function from its cache; no bit
above 62, no unsigned numbers; ints and floats apart; ``//`` and ``%`` of numbers that are not negative; no default
arguments, no keyword arguments, no booleans as arguments (each would be compiled for itself), nothing but ints, floats,
arrays and tuples of them; no array made in a compiled function, as who calls brings all that it needs; an answer to
"too many" for each array; products that may overflow by ``scrambled`` alone.
``playing``, ``tree`` and ``race`` are written for any kernel: ``compiling.bound`` makes their functions for that of one
game.
"""

from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from cardgames.engine.game import GAMES

_BOUND: dict[tuple[str, str], SimpleNamespace] = {}


@cache
def kernel(name: str) -> Any:
    """The kernel of a game, or ``None``."""
    try:
        return import_module(f"cardgames.kernels.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"cardgames.kernels.{name}" or name not in GAMES:
            raise
        return None


def functions(template: str, name: str) -> Any:
    """The functions of ``playing`` or ``tree`` for the kernel of a game."""
    if (template, name) not in _BOUND:
        from cardgames.kernels.compiling import bound

        module = import_module(f"cardgames.kernels.{template}")
        _BOUND[template, name] = bound(module, import_module(f"cardgames.kernels.{name}"))
    return _BOUND[template, name]
