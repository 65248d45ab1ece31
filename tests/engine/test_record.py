"""Records: what a reader takes and refuses (record format), with the line and the plies that were good before it."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.engine.cards import CARDS
from cardgames.engine.game import Message, new_game
from cardgames.engine.record import Header, Ply, RecordError, action_line, header_line, outcome_line, ply_line, read

BOM = b"\xef\xbb\xbf"


def _match() -> list[str]:
    """A short finished match of Durak: whoever may takes, until the stock is out."""
    game = new_game("durak", 2, {}, 2)
    rng = Random(5)
    state = game.start()
    lines = [header_line(Header("durak", 2, game.rules.values(), 2, ("Ann", "Ben")))]
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
        lines.append(action_line(seat, action))
        state = game.apply(state, action)
    outcome = game.outcome(state)
    assert outcome
    return [*lines, outcome_line(outcome)]


GOOD = _match()
USUAL = new_game("durak", 2).rules.values()
HEADER, DEAL, FIRST = (json.loads(line) for line in GOOD[:3])
ACTIONS = len(GOOD) - 2
END = len(GOOD)
"""The number of the outcome's line."""


def file(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def plies(data: bytes) -> list[Ply]:
    """All plies of a record that is taken."""
    return list(read(BytesIO(data))[2])


def refusal(data: bytes) -> tuple[int, Message, int]:
    """The line and the reason of a refusal, and how many plies were good before it."""
    good = 0
    with pytest.raises(RecordError) as refused:  # noqa: PT012 - what comes before the error counts
        for _ in read(BytesIO(data))[2]:
            good += 1
    assert type(refused.value.reason) is Message
    return refused.value.line, refused.value.reason, good


def put(number: int, line: str) -> bytes:
    """The good record with another line in that place."""
    return file(*GOOD[: number - 1], line, *GOOD[number:])


def header(**changes: Any) -> bytes:
    """The good record with another header; ``None`` leaves a key out."""
    found = {key: value for key, value in {**HEADER, **changes}.items() if value is not None}
    return put(1, json.dumps(found))


def outcome(**changes: Any) -> bytes:
    found = {**json.loads(GOOD[-1])["outcome"], **changes}
    return put(END, json.dumps({"outcome": {key: value for key, value in found.items() if value is not None}}))


def test_a_good_record_is_read_and_written_again() -> None:
    found, game, rest = read(line.encode() for line in GOOD)
    assert found == Header("durak", 2, USUAL, 2, ("Ann", "Ben"))
    assert game.dealer == 2
    every = list(rest)
    assert [ply.number for ply in every] == list(range(ACTIONS + 1))
    assert every[0] == Ply(0, None, None, game.start())
    assert [header_line(found), *[action_line(ply.by or 0, ply.action) for ply in every[1:] if ply.action]] == GOOD[:-1]


def test_plies_come_as_their_lines_are_read() -> None:
    """Nothing is read ahead: whoever steps through a record may stop anywhere."""
    lines = iter([line.encode() for line in GOOD])
    _, _, rest = read(lines)
    assert next(rest).number == 0
    assert next(rest).number == 1
    assert json.loads(next(lines)) == FIRST


FORMS: dict[str, Callable[[list[str]], bytes]] = {
    "no last newline": lambda lines: file(*lines)[:-1],
    "an empty last line": lambda lines: file(*lines, ""),
    "CRLF": lambda lines: file(*lines).replace(b"\n", b"\r\n"),
    "CRLF and an empty last line": lambda lines: file(*lines, "").replace(b"\n", b"\r\n"),
    "CRLF but for the last newline": lambda lines: file(*lines)[:-1].replace(b"\n", b"\r\n"),
    "byte-order mark": lambda lines: BOM + file(*lines),
    "byte-order mark and CRLF": lambda lines: BOM + file(*lines).replace(b"\n", b"\r\n"),
    "spaces": lambda lines: file(*[json.dumps(json.loads(line), indent=1).replace("\n", " ") for line in lines]),
    "escapes": lambda lines: file(*[line.replace("deal", "\\u0064eal").replace("Ann", "\\u0041nn") for line in lines]),
    "another order of keys": lambda lines: file(
        *[json.dumps(dict(reversed(list(json.loads(line).items())))) for line in lines]
    ),
    "unknown keys": lambda lines: file(
        *[
            json.dumps({**json.loads(line), "note": "sevens ♠", "more": {"by": None, "act": [1.5, 1e999]}}).replace(
                "Infinity", "1e999"
            )
            for line in lines
        ]
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_harmless_changes_of_form_change_nothing(form: str) -> None:
    data = FORMS[form](GOOD)
    assert data != file(*GOOD)
    assert plies(data) == plies(file(*GOOD))


def test_names_and_rules_may_be_missing() -> None:
    found, game, _ = read(header(names=None, rules=None).splitlines())
    assert found.names is None
    assert found.rules == USUAL == game.rules.values()
    found, game, _ = read(header(rules={"turn_over": "any"}).splitlines())
    assert found.rules == {**USUAL, "turn_over": "any"} == game.rules.values()


def test_an_unfinished_match_is_a_record() -> None:
    for length in range(1, ACTIONS):
        assert len(plies(file(*GOOD[:length]))) == length


def test_why_is_free_text() -> None:
    assert plies(outcome(why="the cat ate the stock"))
    assert plies(outcome(why=None))
    assert plies(outcome(why={"free": ["text"]}, more=1))


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n", BOM])
def test_an_empty_file_is_refused(data: bytes) -> None:
    assert refusal(data) == (1, Message("record_empty"), 0)


REFUSED_LINES = Path(__file__).with_name("refused_lines.txt")
"""Each line says where the good record has another line (``any``, ``end`` or a number), that line, and the reason
for which it is refused; after ``header`` stand the changes of the header, of which ``null`` leaves a key out."""


@pytest.mark.parametrize("case", REFUSED_LINES.read_text(encoding="utf-8").splitlines())
def test_a_wrong_line_is_refused(case: str) -> None:
    found, _, expected = case.rpartition(" => ")
    where, _, text = found.partition(" ")
    places = {"any": (1, 2, 3, END), "header": (1,), "end": (END,)}
    for line in places.get(where) or (int(where),):
        data = header(**json.loads(text)) if where == "header" else put(line, text)
        number, reason, good = refusal(data)
        assert (number, good) == (line, line - 1)
        assert " ".join([reason.key, *[f"{arg}={reason.args[arg]}" for arg in sorted(reason.args)]]) == expected


DEEP = 100_000


@pytest.mark.parametrize("line", [1, 2, 3, END])
def test_endless_and_blank_lines_are_refused(line: int) -> None:
    number = '{"by":' + "9" * 5000 + ',"act":"pass"}'
    nested = '{"a":' * DEEP + "1" + "}" * DEEP
    for text in ("9" * 5000, number, "[" * DEEP, nested, " ", "\t", '{"by":1,"act":"a\tb"}'):
        assert refusal(put(line, text)) == (line, Message("record_not_json"), line - 1)


@pytest.mark.parametrize("line", [1, 2, END])
@pytest.mark.parametrize("bad", [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\x80"])
def test_what_is_not_utf_8_is_refused(bad: bytes, line: int) -> None:
    lines = [line.encode() for line in GOOD]
    lines[line - 1] = lines[line - 1].replace(b'"', b'"' + bad, 1)
    assert refusal(b"\n".join(lines)) == (line, Message("record_not_json"), line - 1)


def test_other_encodings_are_refused() -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-32-be"):
        line, reason, good = refusal("\n".join(GOOD).encode(encoding))
        assert (line, reason.key, good) == (1, "record_not_json", 0)
    line, reason, good = refusal(header(names=["Zoë", "Ben"]).decode("unicode-escape").encode("latin-1"))
    assert (line, reason.key, good) == (1, "record_not_json", 0)


def test_a_byte_order_mark_stands_at_the_beginning_alone() -> None:
    assert refusal(BOM + BOM + file(*GOOD)) == (1, Message("record_not_json"), 0)
    lines = [line.encode() for line in GOOD]
    lines[1] = BOM + lines[1]
    assert refusal(b"\n".join(lines)) == (2, Message("record_not_json"), 1)


@pytest.mark.parametrize("line", [1, 2, 3, END])
def test_an_empty_line_is_refused_before_another(line: int) -> None:
    for empty in ("", "\r"):
        data = file(*GOOD[: line - 1], empty, *GOOD[line - 1 :])
        assert refusal(data) == (line, Message("record_empty_line"), line - 1)


def test_empty_lines_at_the_end_are_accepted() -> None:
    *_, last = read(file(*GOOD, "", "\r", "").splitlines(keepends=True))[2]
    assert last.number == ACTIONS


@pytest.mark.parametrize("game", ["chess", "", "Durak", "durak\n", "game", "tricks", "../durak", "durak.GAME"])
def test_an_unknown_game_is_refused(game: str) -> None:
    line, reason, good = refusal(header(game=game))
    assert (line, reason.key, reason.args["value"], good) == (1, "unknown_game", game, 0)


def test_a_lone_surrogate_is_no_action() -> None:
    text = '{"by":1,"act":"\\ud800"}'
    assert refusal(put(3, text)) == (3, Message("not_an_action", {"text": "\ud800"}), 2)


def test_illegal_action_has_the_players_reason() -> None:
    stranger = DEAL["act"].split(" ")[2]
    assert refusal(put(3, json.dumps({"by": 1, "act": stranger}))) == (
        3,
        Message("not_in_hand", {"card": CARDS[stranger]}),
        2,
    )


def test_another_pack_is_refused() -> None:
    pack = DEAL["act"].split(" ")[1:]
    for wrong in (pack[:-1], [*pack, pack[0]], [*pack[:-1], pack[0]], [*pack[:-1], "2S"], [*pack, "2S"]):
        data = put(2, json.dumps({"by": 0, "act": " ".join(["deal", *wrong])}))
        assert refusal(data) == (2, Message("not_the_pack", {"count": 36}), 1)
    for act in ("deal", "deal ", "deal  " + " ".join(pack), "Deal " + " ".join(pack), " ".join(["deal", *pack, ""])):
        assert refusal(put(2, json.dumps({"by": 0, "act": act}))) == (2, Message("not_an_action", {"text": act}), 1)


def test_another_first_line_is_refused_where_an_action_stands() -> None:
    assert refusal(file(*GOOD[:1], *GOOD)) == (2, Message("record_missing_key", {"key": "by"}), 1)


def test_an_end_without_its_outcome_is_refused() -> None:
    assert refusal(file(*GOOD[:-1])) == (END, Message("record_no_outcome"), ACTIONS + 1)
    assert refusal(file(*GOOD[:-1], "")) == (END, Message("record_no_outcome"), ACTIONS + 1)
    assert refusal(file(*GOOD[:-1], GOOD[-2])) == (END, Message("record_no_outcome"), ACTIONS + 1)


def test_an_outcome_before_the_end_is_refused() -> None:
    for line in range(2, END):
        assert refusal(file(*GOOD[: line - 1], GOOD[-1])) == (line, Message("record_early_outcome"), line - 1)


@pytest.mark.parametrize("after", [GOOD[-1], GOOD[-2], "{}", '{"note":"the end"}'])
def test_anything_after_the_outcome_is_refused(after: str) -> None:
    assert refusal(file(*GOOD, after)) == (END + 1, Message("record_after_outcome"), ACTIONS + 1)


SCORES = tuple(json.loads(GOOD[-1])["outcome"]["scores"])


def test_the_last_ply_knows_the_outcome_though_its_line_is_wrong() -> None:
    _, game, rest = read(outcome(scores=[0, 0]).splitlines())
    good: list[str] = []
    with pytest.raises(RecordError):
        good.extend(ply_line(game, ply) for ply in rest)
    _, game, rest = read(outcome(scores=[0, 0]).splitlines())
    last = [next(rest) for _ in range(ACTIONS + 1)][-1]
    assert json.loads(ply_line(game, last))["outcome"]["scores"] == list(SCORES)


@pytest.mark.parametrize("depth", [100, 930, 960, *range(985, 1000)])
def test_a_nested_value_is_refused_at_any_depth(depth: int) -> None:
    """One that JSON still bears must not be too deep for whoever says what is wrong with it."""
    nested = "[" * depth + "]" * depth
    for key in ("rules", "names", "game", "seats", "throw_in"):
        rules = json.dumps({**HEADER, key: "@"} if key != "throw_in" else {**HEADER, "rules": {"throw_in": "@"}})
        line, _, good = refusal(put(1, rules.replace('"@"', nested)))
        assert (line, good) == (1, 0)


def test_a_name_that_is_taken_can_be_written() -> None:
    """A lone surrogate is legal JSON and no UTF-8: a record with one is refused, or can be written again."""
    try:
        found, _, _ = read(header(names=["\ud800", "Ben"]).splitlines())
    except RecordError:
        return
    again, _, _ = read([header_line(found).encode()])
    assert again == found


def test_what_replay_prints_of_the_start() -> None:
    _, game, rest = read(line.encode() for line in GOOD)
    assert ply_line(game, next(rest)) == '{"ply":0,"to_act":0,"legal":[],"hands":[[],[]],"scores":[0,0]}'
    dealt = json.loads(ply_line(game, next(rest)))
    pack = DEAL["act"].split(" ")[1:]
    assert dealt == {
        "ply": 1,
        "by": 0,
        "act": DEAL["act"],
        "to_act": 1,
        "legal": sorted(pack[0:12:2]),
        "hands": [sorted(pack[0:12:2]), sorted(pack[1:12:2])],
        "scores": [0, 0],
    }


mutations = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "double", "swap", "cut"]),
        st.integers(0, 1 << 30),
        st.one_of(
            st.binary(min_size=1, max_size=4),
            st.sampled_from(
                [b"\n", b"\r", b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"true", b"-1", b"1e9", b"\\u"]
            ),
        ),
    ),
    min_size=1,
    max_size=4,
)


def mutate(data: bytes, how: str, place: int, piece: bytes) -> bytes:
    at = place % (len(data) + 1)
    if how == "replace":
        return data[:at] + piece + data[at + len(piece) :]
    if how == "insert":
        return data[:at] + piece + data[at:]
    if how == "delete":
        return data[:at] + data[at + len(piece) :]
    if how == "cut":
        return data[:at]
    lines = data.split(b"\n")
    line, other = place % len(lines), place // 7 % len(lines)
    if how == "double":
        lines.insert(line, lines[other])
    else:
        lines[line], lines[other] = lines[other], lines[line]
    return b"\n".join(lines)


@settings(max_examples=400)
@given(mutations)
def test_a_spoilt_record_is_taken_or_refused_and_nothing_else(changes: list[tuple[str, int, bytes]]) -> None:
    data = file(*GOOD)
    for how, place, piece in changes:
        data = mutate(data, how, place, piece)
    good, error = 0, None
    try:
        _, game, rest = read(BytesIO(data))
        for ply in rest:
            json.loads(ply_line(game, ply))
            good += 1
    except RecordError as refused:
        error = refused
    if error:
        assert error.reason.key
        assert good in (error.line - 1, error.line - 2), "all lines but that one, and but for the outcome's"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200)
@given(line=st.sampled_from([1, 2, 3, END]), data=st.data(), value=json_values)
def test_another_value_anywhere_is_refused_or_known_to_be_equal(line: int, data: st.DataObject, value: object) -> None:
    found = json.loads(GOOD[line - 1])
    inner = found["outcome"] if line == END and data.draw(st.booleans()) else found
    key = data.draw(st.sampled_from(sorted(inner)))
    before = inner[key]
    inner[key] = value
    if (type(value) is type(before) and value == before) or key in ("why", "names", "rules"):
        return
    number, _, good = refusal(put(line, json.dumps(found)))
    assert number >= line
    assert good >= line - 1
