"""How chunks are played: from their own seed alone, on the same cards in every rotation, from observations."""

import json
from collections import Counter
from random import Random

import pytest

from cardgames.engine.game import GAMES, Action, Observation, game_class
from cardgames.engine.record import read
from cardgames.simulation import Chunk, Simulation, Tally, UnreadableRecord, add, chunks, play_chunk, play_chunks
from cardgames.simulation.plan import RANDOM_UNITS

from .players import first, playing_by, some


def of(game: str, levels: str = "random", pairs: bool = False, seed: int = 1) -> Simulation:
    return Simulation(game, game_class(game).SEATS[0], {}, tuple(levels.split()), seed, pairs)


def acts(record: str) -> list[tuple[int, str]]:
    """Who did what in a record."""
    return [(line["by"], line["act"]) for line in map(json.loads, record.splitlines()[1:-1])]


def deals(record: str) -> list[str]:
    return [act for by, act in acts(record) if by == 0]


@pytest.mark.parametrize("game", GAMES)
def test_a_chunk_is_the_same_wherever_it_is_played(game: str) -> None:
    one = of(game)
    alone = play_chunk(one, Chunk(3, 3 * RANDOM_UNITS, 4, recorded=True))
    assert play_chunk(one, Chunk(3, 3 * RANDOM_UNITS, 4, recorded=True)) == alone
    assert play_chunk(one, Chunk(3, 3 * RANDOM_UNITS, 2, recorded=True)).records == alone.records[:2]
    assert play_chunk(one, Chunk(3, 3 * RANDOM_UNITS, 4)).tally == alone.tally, "the records make no difference"
    others = (
        play_chunk(one, Chunk(4, 4 * RANDOM_UNITS, 4, recorded=True)),
        play_chunk(one._replace(seed=2), Chunk(3, 3 * RANDOM_UNITS, 4, recorded=True)),
    )
    every = [deals(record)[0] for done in (alone, *others) for record in done.records]
    assert len(set(every)) == 12, "no cards are dealt twice"


@pytest.mark.parametrize("game", GAMES)
def test_records_are_the_matches_that_were_tallied(game: str) -> None:
    one = of(game)
    done = play_chunk(one, Chunk(0, 0, 4, recorded=True))
    for number, record in enumerate(done.records, 1):
        header = json.loads(record.splitlines()[0])
        assert header["players"] == ["random"] * one.seats
        assert header["tournament"] == {"levels": ["random"], "pairs": False, "seed": 1, "match": number}
        *_, last = read(line.encode() for line in record.splitlines())[2]
        assert last.number == len(record.splitlines()) - 2
    read_again = play_chunk(one, Chunk(0, 0, 4, recorded=True, records=done.records))
    assert read_again.tally == done.tally
    assert (read_again.was_read, read_again.records) == (True, ())


@pytest.mark.parametrize("level", ["random", "easy"])
def test_only_deals_are_counted(level: str) -> None:
    """Kakeya Trump: drawing chairs and drawing cards for a tie are no deals."""
    one = of("kakeya", level)._replace(rules={"games": 2})
    with playing_by():
        done = play_chunk(one, Chunk(0, 0, 6, recorded=True))
    drawn = [act.split()[0] for record in done.records for act in deals(record)]
    assert {*drawn} == {"deal", "seats", "draw"}
    assert done.tally.deals == drawn.count("deal")
    assert play_chunk(one, Chunk(0, 0, 6, records=done.records)).tally.deals == done.tally.deals


def test_a_record_that_does_not_hold_is_named() -> None:
    one = of("durak")
    records = play_chunk(one, Chunk(0, 0, 2, recorded=True)).records
    lines = records[1].splitlines()
    wrong = "\n".join([*lines[:5], lines[4], *lines[5:]]) + "\n"
    with pytest.raises(UnreadableRecord) as refused:
        play_chunk(one, Chunk(0, 0, 2, records=(records[0], wrong)))
    assert refused.value.file == "durak-2.jsonl"
    assert refused.value.why.line == 6


@pytest.mark.parametrize("game", GAMES)
def test_pairs_have_the_same_cards_in_every_rotation(game: str) -> None:
    one = of(game, "easy fair", pairs=True)
    with playing_by(easy=first, fair=some):
        one_pair, another = [play_chunk(one, chunk._replace(recorded=True)).records for chunk in chunks(one, 4)]
    together = list(zip(deals(one_pair[0]), deals(one_pair[1]), strict=False))
    assert together
    assert all(mine == theirs for mine, theirs in together)
    assert deals(another[0])[0] == deals(another[1])[0] != deals(one_pair[0])[0]
    players = [json.loads(record.splitlines()[0])["players"] for record in one_pair]
    seats = one.seats
    assert players == [(["easy", "fair"] * seats)[:seats], (["fair", "easy"] * seats)[:seats]]
    assert acts(one_pair[0]) != acts(one_pair[1])


def test_without_pairs_every_match_has_its_own_cards() -> None:
    one = of("durak", "easy fair")
    with playing_by(easy=first, fair=some):
        records = [play_chunk(one, chunk._replace(recorded=True)).records[0] for chunk in chunks(one, 6)]
    assert len({deals(record)[0] for record in records}) == 6


def test_whoever_thinks_is_asked_by_observation_where_there_is_a_choice() -> None:
    asked: list[Observation] = []

    def note(observation: Observation, rng: Random) -> Action:
        asked.append(observation)
        return observation.legal[-1]

    one = of("fipsen", "easy random")
    with playing_by(easy=note) as made:
        done = play_chunk(one, Chunk(0, 0, 1, recorded=True))
    assert [level for level, _ in made] == ["easy", "easy"], "a player of its own for each of its seats"
    assert {observation.seat for observation in asked} == {1, 3}
    assert all(observation.to_act == observation.seat and len(observation.legal) > 1 for observation in asked)
    thought = done.tally.thought["easy"]
    assert thought.choices == len(asked)
    assert thought.seconds > 0
    _, game, plies = read(line.encode() for line in done.records[0].splitlines())
    states = [ply.state for ply in plies]
    could = [state for state in states if game.to_act(state) in (1, 3) and len(game.legal_actions(state)) > 1]
    assert len(could) == len(asked)


def test_random_is_even() -> None:
    """Of the first attacks of many games of Durak each place in the hand has a sixth."""
    one = of("durak")
    found: Counter[int] = Counter()
    for chunk in chunks(one, 6 * RANDOM_UNITS):
        for record in play_chunk(one, chunk._replace(recorded=True)).records:
            (_, deal), (_, attack) = acts(record)[:2]
            # Seat 1 deals, so seat 2 is dealt the first card, and attacks.
            hand = sorted(deal.split()[1:13:2])
            found[hand.index(attack)] += 1
    assert sorted(found) == list(range(6))
    chi_squared = sum((number - RANDOM_UNITS) ** 2 / RANDOM_UNITS for number in found.values())
    assert chi_squared < 20.5  # of 1,000 even sources one would be worse; this one is always the same


def test_a_tally_is_the_same_in_any_order() -> None:
    one = of("kakeya")
    parts = [play_chunk(one, chunk._replace(matches=8)).tally for chunk in chunks(one, 3 * RANDOM_UNITS)]
    forwards = add(add(parts[0], parts[1]), parts[2])
    assert add(parts[2], add(parts[0], parts[1])) == forwards
    assert forwards.matches == 24


def test_without_workers_chunks_are_played_here() -> None:
    one = of("durak")
    tally = Tally()
    for done in play_chunks(one, chunks(one, RANDOM_UNITS + 3), None):
        tally = add(tally, done.tally)
    assert tally.matches == RANDOM_UNITS + 3
    assert tally.levels["random"].wins.amounts == tally.matches - tally.drawn
    assert sum(line.wins.amounts for line in tally.seats.values()) == tally.matches - tally.drawn
