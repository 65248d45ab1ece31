"""A commitment to chance: it binds one secret to one match, and every shuffle to the secret."""

import hmac
from hashlib import sha256
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.bots import choose_evenly
from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, GAMES, AnyGame, Chance, game_class, new_game
from cardgames.engine.record import PERSON, Header, Ply, header_line, read
from cardgames.match import Match, MemoryJournal, commitment, first_deviation, joint_hash, mixed_secret, play
from cardgames.match.chance import commitment_text, committed_chance, new_secret
from tests.players import Computer

SECRET = bytes(range(32))
TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]
ANN_AND_BEN = Header("durak", 2, new_game("durak", 2).rules.values(), 2, ("Ann", "Ben"))


def played(name: str, seats: int, secret: bytes) -> tuple[AnyGame, list[Ply]]:
    """A match of computers in which chance follows from a secret, ply by ply."""
    game = new_game(name, seats, {}, 2)
    match = Match(game, MemoryJournal(), committed_chance(secret))
    play(match, {seat: Computer(choose_evenly, Random(seat)) for seat in range(1, seats + 1)})
    start = Ply(0, None, None, game.start())
    return game, [start, *(Ply(step.ply, step.by, step.action, step.after) for step in match.steps)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_shuffle_follows_from_the_secret_and_from_no_other(name: str, seats: int) -> None:
    game, plies = played(name, seats, SECRET)
    assert first_deviation(game, plies, SECRET) is None
    dealt = next(ply.number for ply in plies if ply.by == CHANCE)
    for bit in (0, 100, 255):
        other = (int.from_bytes(SECRET, "big") ^ 1 << bit).to_bytes(32, "big")
        assert first_deviation(game, plies, other) == dealt


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_any_other_action_of_chance_is_found(name: str, data: Any) -> None:
    game, plies = played(name, game_class(name).SEATS[0], SECRET)
    drawn = [ply for ply in plies if ply.by == CHANCE]
    ply = data.draw(st.sampled_from(drawn))
    chance = game.chance(plies[ply.number - 1].state)
    assert chance
    assert ply.action
    other = chance.sample(Random(data.draw(st.integers())))
    changed = [*plies]
    changed[ply.number] = ply._replace(action=other)
    expected = None if other.text == ply.action.text else ply.number
    assert first_deviation(game, changed, SECRET) == expected


def test_two_cards_that_changed_places_are_found_wherever_they_lie() -> None:
    game, plies = played("durak", 2, SECRET)
    deal = plies[1].action
    chance = game.chance(plies[0].state)
    assert deal
    assert chance
    for place in range(len(deal.cards) - 1):
        cards = [*deal.cards]
        cards[place : place + 2] = reversed(cards[place : place + 2])
        changed = [plies[0], plies[1]._replace(action=chance.action(cards))]
        assert first_deviation(game, changed, SECRET) == 1


def test_the_clock_is_not_drawn() -> None:
    game, plies = played("kakeya", 4, SECRET)
    before = next(ply for ply in plies if game.time_up(ply.state))
    ended = [*plies[: before.number + 1], Ply(before.number + 1, CHANCE, game.time_up(before.state), before.state)]
    assert first_deviation(game, ended, SECRET) is None


def test_each_action_of_a_match_is_drawn_for_itself() -> None:
    draw, chance = committed_chance(SECRET), Chance("deal", tuple(range(36)), 36)
    assert len({draw(chance, ply).text for ply in range(200)}) == 200
    assert draw(chance, 3) == committed_chance(SECRET)(chance, 3)


def test_derivation_of_chance_can_be_checked() -> None:
    """Drawn anew after the description, in another way than by the program's own functions."""
    for ply in (0, 7, 1234):
        stream = b"".join(hmac.new(SECRET, f"chance {ply} {n}".encode(), sha256).digest() for n in range(99))
        words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
        left, order = [*range(52)], []
        while left:
            word = words.pop(0)
            if word >= 2**32 - 2**32 % len(left):
                continue
            nth = word % len(left)
            order.append(left[nth])
            left[nth] = left[0]  # the first takes the place of the one that was chosen
            del left[0]
        drawn = committed_chance(SECRET)(Chance("deal", (*reversed(range(52)),), 52), ply)
        assert drawn.text == "deal " + " ".join(NAMES[card] for card in order)
    assert committed_chance(SECRET)(Chance("seats", (1, 2, 3, 4), 4), 0).text == "seats 4 1 3 2"


def test_every_order_is_equally_likely() -> None:
    draw, chance = committed_chance(SECRET), Chance("seats", (1, 2, 3, 4), 4)
    tries = 24_000
    found = [draw(chance, ply).args for ply in range(tries)]
    counts = [found.count(order) for order in permutations(chance.items)]
    assert sum(counts) == tries
    expected = tries / len(counts)
    assert sum((count - expected) ** 2 / expected for count in counts) < 49.7  # chi-squared, 23 degrees, 1 in 1000


def test_a_hash_is_of_one_secret_and_one_match() -> None:
    rules = ANN_AND_BEN.rules
    others = [
        ANN_AND_BEN._replace(dealer=1),
        ANN_AND_BEN._replace(names=("Ben", "Ann")),
        ANN_AND_BEN._replace(names=('Ann","Ben', "")),
        ANN_AND_BEN._replace(names=None),
        ANN_AND_BEN._replace(rules=rules | {"throw_in": not rules["throw_in"]}),
        Header("truc", 2, new_game("truc", 2).rules.values(), 2, ("Ann", "Ben")),
    ]
    hashes = [commitment(SECRET, ANN_AND_BEN), commitment(bytes(32), ANN_AND_BEN)]
    hashes += [commitment(SECRET, header) for header in others]
    assert len({*hashes}) == 2 + len(others)


def test_a_hash_outlives_new_options_and_a_computer_that_takes_over() -> None:
    made = commitment(SECRET, ANN_AND_BEN)
    assert commitment(SECRET, ANN_AND_BEN._replace(rules={})) == made
    assert commitment(SECRET, ANN_AND_BEN._replace(players=(PERSON, "fair"))) == made
    assert commitment(SECRET, ANN_AND_BEN._replace(secret=SECRET)) == made


def test_the_text_of_a_commitment_stays_what_it_is() -> None:
    """Records that are kept are checked with it: it never changes."""
    header = ANN_AND_BEN._replace(rules={"throw_in": True}, names=("Ann", "べん"))
    text = commitment_text(SECRET, header)
    assert text == (
        "cardgames commitment 1\n"
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"
        '{"dealer":2,"game":"durak","names":["Ann","\\u3079\\u3093"],"rules":{"throw_in":true},"seats":2}'
    )
    assert commitment(SECRET, header) == sha256(text.encode()).hexdigest()


def test_each_contribution_and_their_order_change_all_shuffles() -> None:
    numbers = ((1, "a" * 32), (2, "b" * 32))
    several = [(), numbers[:1], numbers, numbers[::-1], (*numbers, (2, "語")), ((1, "a" * 32), (1, "b" * 32))]
    assert mixed_secret(SECRET, ()) == SECRET, "as in records of older versions"
    assert len({mixed_secret(SECRET, added) for added in several}) == len(several)
    assert len({joint_hash("00" * 32, added) for added in several}) == len(several)
    text = 'cardgames contributions 1\n[[1,"\\u8a9e"]]'
    assert mixed_secret(SECRET, ((1, "語"),)) == hmac.new(SECRET, text.encode(), sha256).digest()
    assert joint_hash("00" * 32, ((1, "語"),)) == sha256(f"{'00' * 32}\n{text}".encode()).hexdigest()


def test_contributions_stand_in_a_record_with_its_secret() -> None:
    header = ANN_AND_BEN._replace(secret=SECRET, contributions=((1, "ab"), (2, "lantern")))
    assert read([header_line(header).encode()])[0] == header
    for said in (1, [1], [[3, "x"]], [[0, "x"]], [[True, "x"]], [[1, 2]], [[1, "x", "y"]]):
        found, _, _ = read([header_line(ANN_AND_BEN, {"secret": SECRET.hex(), "contributions": said}).encode()])
        assert found.contributions == ()


def test_secrets_are_of_the_system_and_each_another() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert {len(new_secret()) for _ in range(100)} == {32}


@pytest.mark.parametrize("said", [1, None, "", "00", "zz" * 32, "AA" * 32, "0" * 65, ["00" * 32], " " + "0" * 63])
def test_a_secret_that_is_none_is_ignored_as_any_unknown_key(said: object) -> None:
    header, _, _ = read([header_line(ANN_AND_BEN, {"secret": said}).encode()])
    assert header == ANN_AND_BEN
