"""A match as text: the format of records, and how they are read, written and replayed.

A record tells who sat where, under which rules, and every action in order, shuffles included: what PGN is to chess.
Since a shuffle is written as the order of the pack, a record comes to the same end on every machine, without random
numbers.

**Cards** are two ASCII characters, rank then suit: ``A K Q J T 9 8 7 6 5 4 3 2`` and ``S H D C``. A card that is in the
pack twice is written alike both times.

**Seats** count from 1, in turn order; seat 0 is chance, for whatever nobody at the table decides.

**Lines.** JSON Lines in UTF-8, one object a line::

    {"record":"cardgames/1","game":"durak","seats":2,"rules":{"throw_in":false},"dealer":2,"names":["Ann","Ben"]}
    {"by":0,"act":"deal 6S KH … 9D"}
    {"by":1,"act":"TC"}
    {"by":2,"act":"JC>TC"}
    {"outcome":{"scores":[1,-1],"winners":[1],"why":"fool"}}

- *Header*, the first line. ``record``, ``game``, ``seats`` and ``dealer``, the seat that deals first, are required. An
  option that ``rules`` leaves out has its default. Options are booleans, words, or whole numbers of at least 1. Without
  ``names`` the seats are called by number. ``players`` says of each seat whether a ``person`` plays it or a computer,
  and then its level: ``["person","strong"]``. ``secret``, 64 hexadecimal digits, is what chance followed from if all
  were shown a commitment to it before the first card; ``contributions``, pairs of a seat and a text in order, is what
  players added to it after that: ``[[1,"9f…"],[2,"lantern"]]``. Other keys, such as when it was played, are ignored.
- *Actions*, a line each: the seat that acts and the action in the notation of its game, words parted by one space.
  ``deal`` is followed by the whole pack, the first card dealt first.
- *Outcome*, the last line, if and only if the match is over. ``why`` is free text.

**A reader refuses**, with the number of the line and the reason: a line that is no JSON object, a key twice in an
object, a missing key, another version, an unknown game or option, an impossible number of seats, dealer, list of names
or value (``true`` is not 1), an action that is not spelt exactly as the game spells it, out of turn, or not legal there
(for the reason that a player is given), a pack that is not the game's, scores or winners other than those it comes to,
an outcome too early, none at the end, anything after it, and an empty line but for the last. It takes unknown keys,
a last line without its end, CRLF and a byte-order mark.

Reading is in one pass: plies come as their lines are read, and the first line that does not hold raises
:class:`RecordError`, so that whoever reads keeps what was good up to there.

**Replay.** ``cardgames replay FILE --json`` prints an object a line, for the start (``ply`` 0) and after each action::

    {"ply":3,"by":1,"act":"pass","to_act":0,"legal":[],"hands":[["7D","9S"],["6C"]],"scores":[0,0]}

- ``to_act``: the seat to act next, 0 for chance, ``null`` when the match is over.
- ``legal``: the legal actions of that seat, sorted by code point; none for chance and at the end.
- ``hands``: each seat's cards, sorted by code point; none between two deals, when the cards have been gathered, nor
  at the end, but for those that a fool of Durak or the players of Zetema are left with.
- ``scores``: one number per seat, as the rules of the game say.
- ``outcome``, on the last line of a finished match; ``winners`` are all seats that won, ascending.

Where a record is refused, the plies that were good are printed first. If only its outcome is wrong, the last line has
the right one.

**Example.** The header is read at once, each ply when its line is:

>>> lines = [b'{"record":"cardgames/1","game":"kakeya","seats":4,"dealer":1}', b'{"by":1,"act":"trump H"}']
>>> header, game, plies = read(lines)
>>> header.game, header.seats
('kakeya', 4)
>>> next(plies).state == game.start()
True
>>> header.rules
{'claims': True, 'games': 1}
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES
from cardgames.engine.game import (
    Action,
    AnyGame,
    IllegalAction,
    InvalidAction,
    InvalidRules,
    Outcome,
    Reason,
    Value,
    new_game,
)

VERSION = "cardgames/1"
PERSON = "person"
"""The player of a seat in a header, if it is a person; for a computer its level stands there."""
PROGRAM = "program"
"""The player of a seat in a header, if it is an external program, whose command is not recorded."""
SECRET_BYTES = 32
"""The length of the secret behind chance."""


class RecordError(ValueError):
    """An invalid record: the number of the line, from 1, the reason, and the game if it is known."""

    def __init__(self, line: int, reason: Reason, game: str | None = None) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason
        self.game = game


Contribution: TypeAlias = tuple[int, str]
"""A seat, and a number or word that it added to chance after the commitment was shown."""


class Header(NamedTuple):
    """The seats and rules of a match."""

    game: str
    seats: int
    rules: dict[str, Any]
    """All options."""
    dealer: int
    names: tuple[str, ...] | None
    """One name a seat; ``None`` if seats have only numbers."""
    players: tuple[str, ...] | None = None
    """For each seat ``PERSON`` or the level of a computer; ``None`` if people play all seats."""
    secret: bytes | None = None
    """The secret behind chance in a finished match with a commitment."""
    contributions: tuple[Contribution, ...] = ()
    """The players' contributions to the secret, in order."""

    @property
    def computers(self) -> dict[int, str]:
        """The levels of the computers, by seat."""
        return {seat: level for seat, level in enumerate(self.players or (), 1) if level != PERSON}

    def new_game(self) -> AnyGame:
        """The game of this header. Raises :class:`InvalidRules`."""
        return new_game(self.game, self.seats, self.rules, self.dealer)


class Ply(NamedTuple):
    """One step of a match: an action and the state after it; the first has no action."""

    number: int
    by: int | None
    action: Action | None
    state: Any


def read(lines: Iterable[bytes]) -> tuple[Header, AnyGame, Iterator[Ply]]:
    """Read a record from its lines, with or without line ends.

    The header is read at once; the plies, from the start as ply 0, on demand. Both raise :class:`RecordError`."""
    objects = _objects(lines)
    try:
        line, first = next(objects)
    except StopIteration:
        raise RecordError(1, Reason("record_empty")) from None
    header = _header(line, first)
    try:
        game = header.new_game()
    except InvalidRules as error:
        raise RecordError(line, error.reason) from None
    header = header._replace(rules=game.rules.values())
    return header, game, _plies(game, objects)


def _objects(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of each line with its number; only the last line may be empty."""
    number = 0
    empty = False
    for number, raw in enumerate(lines, 1):
        if empty:
            raise RecordError(number - 1, Reason("record_empty_line"))
        text = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        if not text:
            empty = True
            continue
        try:
            found = json.loads(text.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
        except _DuplicateKey as error:
            raise RecordError(number, Reason("record_duplicate_key", {"key": str(error)})) from None
        except (ValueError, RecursionError):
            raise RecordError(number, Reason("record_not_json")) from None
        if not isinstance(found, dict):
            raise RecordError(number, Reason("record_not_object"))
        yield number, found


class _DuplicateKey(Exception):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object with these items. Raises :class:`_DuplicateKey`."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _DuplicateKey(next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1))
    return found


def _no_constant(name: str) -> None:
    """Refuse Python's non-standard JSON numbers, such as ``NaN``."""
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _key(line: int, found: dict[str, Any], key: str, kind: type, expected: str) -> Any:
    """The value of a key. Raises :class:`RecordError` if it is missing or has another type."""
    if key not in found:
        raise RecordError(line, Reason("record_missing_key", {"key": key}))
    return _typed(line, found[key], key, kind, expected)


def _typed(line: int, value: object, key: str, kind: type, expected: str) -> Any:
    """A value of type ``kind``. Raises :class:`RecordError` with the message ``expected``."""
    if type(value) is not kind:  # to Python ``true`` is an int
        raise RecordError(line, Reason(expected, {"key": key}))
    return value


def _header(line: int, found: dict[str, Any]) -> Header:
    """The header in the first line. Raises :class:`RecordError`."""
    version = _key(line, found, "record", str, "record_not_text")
    if version != VERSION:
        raise RecordError(line, Reason("record_version", {"value": version, "expected": VERSION}))
    name = _key(line, found, "game", str, "record_not_text")
    seats = _key(line, found, "seats", int, "record_not_number")
    dealer = _key(line, found, "dealer", int, "record_not_number")
    rules = _typed(line, found.get("rules", {}), "rules", dict, "record_not_rules")
    names = None
    if "names" in found:
        names = tuple(_typed(line, found["names"], "names", list, "record_not_names"))
        if len(names) != seats or not all(isinstance(name, str) for name in names):
            raise RecordError(line, Reason("record_not_names", {"key": "names"}))
    players, secret = _players(found.get("players"), seats), _secret(found.get("secret"))
    added = contributions(found.get("contributions"), seats) if secret else None
    return Header(name, seats, rules, dealer, names, players, secret, added or ())


def _players(found: object, seats: int) -> tuple[str, ...] | None:
    """The players of the seats, if valid; anything else is ignored."""
    if not isinstance(found, list) or len(found) != seats or not all(isinstance(level, str) for level in found):
        return None
    return tuple(found) if set(found) != {PERSON} else None


def _secret(found: object) -> bytes | None:
    """The secret behind chance, if valid; anything else is ignored."""
    if not isinstance(found, str) or not re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", found):
        return None
    return bytes.fromhex(found)


def contributions(found: object, seats: int) -> tuple[Contribution, ...] | None:
    """The contributions of a JSON list, or ``None`` for anything else."""
    if not isinstance(found, list):
        return None
    pairs = [pair for pair in found if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], str)]
    fit = [(seat, text) for seat, text in pairs if type(seat) is int and 0 < seat <= seats]
    return tuple(fit) if len(fit) == len(found) else None


def _plies(game: AnyGame, objects: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Ply]:
    """The plies of a match, read line by line. Raises :class:`RecordError`."""
    state = game.start()
    ply = Ply(0, None, None, state)
    line = 1
    yield ply
    for line, found in objects:
        if "outcome" in found and "by" not in found and "act" not in found:
            _check_outcome(line, found["outcome"], game.outcome(ply.state))
            for line, _ in objects:
                raise RecordError(line, Reason("record_after_outcome"))
            return
        if game.outcome(ply.state):
            raise RecordError(line, Reason("record_no_outcome"))
        ply = _step(line, game, ply, found)
        yield ply
    if game.outcome(ply.state):
        raise RecordError(line + 1, Reason("record_no_outcome"))


def _step(line: int, game: AnyGame, ply: Ply, found: dict[str, Any]) -> Ply:
    """The ply after another, from its line. Raises :class:`RecordError`."""
    by = _key(line, found, "by", int, "record_not_number")
    text = _key(line, found, "act", str, "record_not_text")
    try:
        action = game.parse(text)
        actor = game.actor(ply.state, action)
        if by != actor:
            raise RecordError(line, Reason("out_of_turn", {"by_number": by, "to_number": actor or 0}))
        return Ply(ply.number + 1, by, action, game.apply(ply.state, action))
    except (InvalidAction, IllegalAction) as error:
        raise RecordError(line, error.reason, game.NAME) from None


def _check_outcome(line: int, said: object, outcome: Outcome | None) -> None:
    """Raise :class:`RecordError` unless the recorded outcome ``said`` is the match's."""
    if outcome is None:
        raise RecordError(line, Reason("record_early_outcome"))
    found: dict[str, Any] = _typed(line, said, "outcome", dict, "record_not_outcome")
    for key, value in (("scores", outcome.scores), ("winners", outcome.winners)):
        numbers = _key(line, found, key, list, "record_not_outcome")
        if any(type(number) is not int for number in numbers) or tuple(numbers) != value:
            raise RecordError(line, Reason("record_wrong_outcome", {"key": key, "value": value}))


def header_line(header: Header, more: Mapping[str, object] = {}) -> str:
    """The first line of a record, without its end; ``more`` are further keys, which readers ignore."""
    found: dict[str, Any] = {
        "record": VERSION,
        "game": header.game,
        "seats": header.seats,
        "rules": header.rules,
        "dealer": header.dealer,
    }
    if header.names is not None:
        found["names"] = header.names
    if header.players is not None:
        found["players"] = header.players
    if header.secret is not None:
        found["secret"] = header.secret.hex()
    if header.contributions:
        found["contributions"] = header.contributions
    return _line(found | dict(more))


def action_line(by: int, action: Action) -> str:
    """The line of an action, without its line end."""
    return _line({"by": by, "act": action.text})


def outcome_line(outcome: Outcome) -> str:
    """The last line of a finished match, without its line end."""
    return _line({"outcome": _outcome(outcome)})


def ply_line(game: AnyGame, ply: Ply) -> str:
    """A ply as ``replay --json`` prints it, without the line end."""
    to_act = game.to_act(ply.state)
    outcome = game.outcome(ply.state)
    found: dict[str, Any] = {"ply": ply.number}
    if ply.action is not None:
        found |= {"by": ply.by, "act": ply.action.text}
    found["to_act"] = to_act
    found["legal"] = sorted([action.text for action in game.legal_actions(ply.state)])
    found["hands"] = [sorted([NAMES[card] for card in hand]) for hand in game.hands(ply.state)]
    found["scores"] = game.scores(ply.state)
    if outcome:
        found["outcome"] = _outcome(outcome)
    return _line(found)


def _outcome(outcome: Outcome) -> dict[str, Value]:
    """An outcome as records have it."""
    return {"scores": outcome.scores, "winners": outcome.winners, "why": outcome.why.key}


def _line(found: dict[str, Any]) -> str:
    """An object as a line of a record, without its end."""
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    if text.isascii() or text.encode(errors="replace").decode() == text:
        return text
    return json.dumps(found, separators=(",", ":"))  # a lone surrogate in a name can only be written escaped
