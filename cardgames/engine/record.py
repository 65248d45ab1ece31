"""A match as text: functions that read, write and replay records.

``.github/docs/records.md`` describes the format, what a reader refuses, and the output of ``replay --json``. Lines are
read one at a time: each ply is produced when its line has been read, and the first invalid line raises
:class:`RecordError`. Plies before that line are valid. The header is read at once:

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
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES
from cardgames.engine.game import (
    Action,
    AnyGame,
    IllegalAction,
    InvalidAction,
    InvalidRules,
    Message,
    Outcome,
    RuleValues,
    Value,
    game_class,
    new_game,
)

VERSION = "cardgames/1"
PERSON = "person"
"""The entry of a person in ``Header.players``. A computer has its level there."""
PROGRAM = "program"
"""The entry of an external program in ``Header.players``. Its command is not recorded."""
SECRET_BYTES = 32
"""The length of the secret behind chance, in bytes."""


@dataclass(eq=False)
class RecordError(ValueError):
    """An invalid record: the number of the line, from 1, the reason and, if known, the name of the game."""

    line: int
    reason: Message
    game: str | None = None


Contribution: TypeAlias = tuple[int, str]
"""A seat, and the number or word that it added to the secret behind chance."""


class Header(NamedTuple):
    """The first line of a record: the game, the rules and the players of a match."""

    game: str
    seats: int
    rules: RuleValues
    """All options, by name."""
    dealer: int
    names: tuple[str, ...] | None
    """The name of each seat; ``None`` if seats have only numbers."""
    players: tuple[str, ...] | None = None
    """For each seat ``PERSON`` or the level of a computer; ``None`` if people play all seats."""
    secret: bytes | None = None
    """The secret behind chance in a finished match with a commitment."""
    contributions: tuple[Contribution, ...] = ()
    """The players' contributions to the secret, in order."""

    @property
    def computers(self) -> dict[int, str]:
        """The levels of the computers and programs, by seat."""
        return {seat: level for seat, level in enumerate(self.players or (), 1) if level != PERSON}

    def new_game(self) -> AnyGame:
        """Create the game of this header. Raises :class:`InvalidRules`."""
        return new_game(self.game, self.seats, self.rules, self.dealer)


def new_header(game: str, names: tuple[str, ...] | None = None, players: tuple[str, ...] | None = None) -> Header:
    """The header of a new match with the usual rules, by default with the fewest players. The last seat deals."""
    kind = game_class(game)
    seats = len(names or players or ()) or kind.SEATS[0]
    return Header(game, seats, kind.RULES().values(), seats, names, players)


class Ply(NamedTuple):
    """An action of a match and the state after the action. Ply 0 is the start, without an action."""

    number: int
    by: int | None
    action: Action | None
    state: Any


def read(lines: Iterable[bytes]) -> tuple[Header, AnyGame, Iterator[Ply]]:
    """The header and the game, read at once, and the plies, read on demand. Raises :class:`RecordError`."""
    objects = _read_objects(lines)
    line, first = next(objects, (1, None))
    if first is None:
        raise RecordError(1, Message("record_empty"))
    header = _build_header(line, first)
    try:
        game = header.new_game()
    except InvalidRules as error:
        raise RecordError(line, error.reason) from None
    return header._replace(rules=game.rules.values()), game, _read_plies(game, objects)


def _read_objects(lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Parse lines; yield the number and the object of each. Raises :class:`RecordError`."""
    first_empty = 0
    for number, raw in enumerate(lines, 1):
        text = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            text = text.removeprefix(BOM_UTF8)
        if not text:  # allowed at the end
            first_empty = first_empty or number
            continue
        if first_empty:
            raise RecordError(first_empty, Message("record_empty_line"))
        try:  # ``int`` refuses Python's non-standard JSON numbers, such as ``NaN``
            parsed = json.loads(text.decode(), object_pairs_hook=_unique_keys, parse_constant=int)
        except _DuplicateKey as error:
            raise RecordError(number, Message("record_duplicate_key", {"key": str(error)})) from None
        except (ValueError, RecursionError):
            raise RecordError(number, Message("record_not_json")) from None
        if not isinstance(parsed, dict):
            raise RecordError(number, Message("record_not_object"))
        yield number, parsed


class _DuplicateKey(Exception):
    pass


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object from its items. Raises :class:`_DuplicateKey`."""
    built = dict(pairs)
    if len(built) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _DuplicateKey(next(key for key in counts if counts[key] > 1))
    return built


def _required_value(line: int, json_object: dict[str, Any], key: str, kind: type, expected: str) -> Any:
    """Return ``json_object[key]``, checked by :func:`_checked_type`. Raises :class:`RecordError` if it is missing."""
    if key not in json_object:
        raise RecordError(line, Message("record_missing_key", {"key": key}))
    return _checked_type(line, json_object[key], key, kind, expected)


def _checked_type(line: int, value: object, key: str, kind: type, expected: str) -> Any:
    """Return ``value`` if its type is ``kind``. Raises :class:`RecordError` with the message key ``expected``."""
    if type(value) is not kind:  # to Python ``true`` is an int
        raise RecordError(line, Message(expected, {"key": key}))
    return value


def _build_header(line: int, found: dict[str, Any]) -> Header:
    """Build the header from ``found``, the object of line number ``line``. Raises :class:`RecordError`."""
    if (version := _required_value(line, found, "record", str, "record_not_text")) != VERSION:
        raise RecordError(line, Message("record_version", {"value": version, "expected": VERSION}))
    name = _required_value(line, found, "game", str, "record_not_text")
    seats = _required_value(line, found, "seats", int, "record_not_number")
    dealer = _required_value(line, found, "dealer", int, "record_not_number")
    rules = _checked_type(line, found.get("rules", {}), "rules", dict, "record_not_rules")
    names = None
    if "names" in found:
        names = tuple(_checked_type(line, found["names"], "names", list, "record_not_names"))
        if len(names) != seats or not all(isinstance(name, str) for name in names):
            raise RecordError(line, Message("record_not_names", {"key": "names"}))
    players, secret = _players(found.get("players"), seats), _secret(found.get("secret"))
    added = contributions(found.get("contributions"), seats) if secret else None
    return Header(name, seats, rules, dealer, names, players, secret, added or ())


def _players(value: object, seats: int) -> tuple[str, ...] | None:
    """``Header.players`` from a JSON value; ``None`` if the value is invalid or all players are people."""
    if not isinstance(value, list) or len(value) != seats or not all(isinstance(level, str) for level in value):
        return None
    return tuple(value) if set(value) != {PERSON} else None


def _secret(value: object) -> bytes | None:
    """Read the secret behind the shuffles from a JSON value; return ``None`` if the value is invalid."""
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", value):
        return None
    return bytes.fromhex(value)


def contributions(value: object, seats: int) -> tuple[Contribution, ...] | None:
    """Read the contributions of seats 1 to ``seats`` from a JSON value; return ``None`` if the value is invalid."""
    if not isinstance(value, list):
        return None
    pairs = [pair for pair in value if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], str)]
    valid = [(seat, text) for seat, text in pairs if type(seat) is int and 0 < seat <= seats]
    return tuple(valid) if len(valid) == len(value) else None


def _read_plies(game: AnyGame, objects: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Ply]:
    """Yield the plies of a match. Raises :class:`RecordError`."""
    ply = Ply(0, None, None, game.start())
    line = 1  # the header, if no line follows
    yield ply
    for line, found in objects:
        if "outcome" in found and "by" not in found and "act" not in found:
            _check_outcome(line, found["outcome"], game.outcome(ply.state))
            if following := next(objects, None):
                raise RecordError(following[0], Message("record_after_outcome"))
            return
        if game.outcome(ply.state):
            raise RecordError(line, Message("record_no_outcome"))
        ply = _next_ply(line, game, ply, found)
        yield ply
    if game.outcome(ply.state):
        raise RecordError(line + 1, Message("record_no_outcome"))


def _next_ply(line: int, game: AnyGame, ply: Ply, found: dict[str, Any]) -> Ply:
    """The ply after ``ply``, from ``found``, the object of line number ``line``. Raises :class:`RecordError`."""
    by = _required_value(line, found, "by", int, "record_not_number")
    text = _required_value(line, found, "act", str, "record_not_text")
    try:
        action = game.parse(text)
        if by != (actor := game.actor(ply.state, action)):
            raise RecordError(line, Message("out_of_turn", {"by_number": by, "to_number": actor or 0}))
        return Ply(ply.number + 1, by, action, game.apply(ply.state, action))
    except (InvalidAction, IllegalAction) as error:
        raise RecordError(line, error.reason, game.NAME) from None


def _check_outcome(line: int, recorded: object, outcome: Outcome | None) -> None:
    """Raise :class:`RecordError` unless the ``recorded`` outcome is ``outcome``, the outcome of the match."""
    if outcome is None:
        raise RecordError(line, Message("record_early_outcome"))
    found: dict[str, Any] = _checked_type(line, recorded, "outcome", dict, "record_not_outcome")
    for key, value in (("scores", outcome.scores), ("winners", outcome.winners)):
        numbers = _required_value(line, found, key, list, "record_not_outcome")
        if any(type(number) is not int for number in numbers) or tuple(numbers) != value:
            raise RecordError(line, Message("record_wrong_outcome", {"key": key, "value": value}))


def header_line(header: Header, more: Mapping[str, object] = {}) -> str:
    """The first line of a record, without its line end. ``more`` are further keys, which readers ignore."""
    found: dict[str, Any] = {"record": VERSION} | header._asdict()
    found["secret"] = None if header.secret is None else header.secret.hex()
    found["contributions"] = header.contributions or None
    return _line({key: value for key, value in found.items() if value is not None} | dict(more))


def action_line(by: int, action: Action) -> str:
    """The line of a record for an action, without its line end."""
    return _line({"by": by, "act": action.text})


def outcome_line(outcome: Outcome) -> str:
    """The last line of the record of a finished match, without its line end."""
    return _line({"outcome": _outcome_object(outcome)})


def ply_line(game: AnyGame, ply: Ply) -> str:
    """A ply as ``replay --json`` prints it, without the line end."""
    found: dict[str, Any] = {"ply": ply.number}
    if ply.action is not None:
        found |= {"by": ply.by, "act": ply.action.text}
    found["to_act"] = game.to_act(ply.state)
    found["legal"] = sorted([action.text for action in game.legal_actions(ply.state)])
    found["hands"] = [sorted([NAMES[card] for card in hand]) for hand in game.hands(ply.state)]
    found["scores"] = game.scores(ply.state)
    if outcome := game.outcome(ply.state):
        found["outcome"] = _outcome_object(outcome)
    return _line(found)


def _outcome_object(outcome: Outcome) -> dict[str, Value]:
    return {"scores": outcome.scores, "winners": outcome.winners, "why": outcome.why.key}


def _line(json_object: dict[str, Any]) -> str:
    """The line of a record for a JSON object, without its line end."""
    text = json.dumps(json_object, ensure_ascii=False, separators=(",", ":"))
    if text.isascii() or text.encode(errors="replace").decode() == text:
        return text
    return json.dumps(json_object, separators=(",", ":"))  # a lone surrogate in a name has to be escaped
