"""The commitment of a match: made before the first card, and its secret revealed at the end."""

from functools import partial
from pathlib import Path

import pytest

from cardgames.engine.game import new_game
from cardgames.engine.record import Header, read
from cardgames.match import JournalPosition, Match, commitment, first_deviation, mixed_secret, seeded
from cardgames.match.chance import committed_chance
from cardgames.match.table_state import RequestKind
from cardgames.store import Store
from cardgames.store.matches import check_seals
from cardgames.store.places import Party, TableOptions

from .played_matches import keep, played, to_the_end
from .repairs import reason

HEADER = Header("durak", 2, new_game("durak", 2, {}, 2).rules.values(), 2, ("Ann", "Ben"))


def secret_in(store: Store, number: int) -> bytes | None:
    """The secret in the record of a match, or ``None``."""
    return read(line.encode() for line in store.export(number))[0].secret


def test_a_match_is_committed_to_and_checked_when_it_is_over(store: Store) -> None:
    number = store.create(HEADER)
    shown = store.commit(number)
    to_the_end(store, number)
    header, game, plies = read(line.encode() for line in store.export(number))
    assert header.secret
    assert store.commitment(number) == (shown, header.secret, ())
    assert commitment(header.secret, header) == shown
    assert first_deviation(game, plies, header.secret) is None


def test_shuffles_wait_for_every_terminals_number(store: Store, tmp_path: Path) -> None:
    """What is added counts when all who are there have added and goes with the record."""
    number = store.open_table(HEADER._replace(names=("", "")))
    with store.join(number, Party(["Ann"])) as ann, store.join(number, Party(["Ben"])) as ben:
        shown = store.commit(number)
        assert [ann.contribute(), ann.contribute(), ben.contribute(), ann.contribute()] == [(2,), (2,), (), ()]
    found = store.commitment(number)
    assert found
    assert [seat for seat, _ in found.contributions] == [1, 2]
    to_the_end(store, number)
    record = [line.encode() for line in store.export(number)]
    header, game, plies = read(record)
    assert header.secret
    assert header.contributions == found.contributions
    assert commitment(header.secret, header) == shown
    every = tuple(plies)
    assert first_deviation(game, every, mixed_secret(header.secret, header.contributions)) is None
    assert first_deviation(game, every, header.secret) == 1
    with Store.open(tmp_path / "other") as other:
        taken = other.import_record(record)
        assert [line.encode() for line in other.export(taken)] == record
        assert other.commitment(taken) == store.commitment(number)


def test_the_same_cards_need_everybody_who_was_at_the_end(store: Store) -> None:
    """The rematch has the secret and the contributions of the match, or else its own; computers are not asked."""
    number = store.open_table(HEADER._replace(names=("", "")))
    with store.join(number, Party(["Ann"])) as ann, store.join(number, Party(["Ben"])) as ben:
        shown = store.commit(number)
        ann.contribute()
        ben.contribute()
        match = Match(store.match(number).header.new_game(), ann, store.chance(number))
        match.settle()
        ann.end_early()
        store.stand_in(number, 2, "fair")
        header = store.match(number).header._replace(dealer=1)
        ann.request(RequestKind.AGAIN, 1, 1, JournalPosition(match.ply))
        for answers, same in (({1: True}, False), ({1: True, 2: True}, True), ({1: True, 2: False}, False)):
            request = ann.read_state().rematch_request
            assert request
            assert request.is_for_same_cards
            for seat, agrees in answers.items():
                ann.answer(request, [seat], agrees)
            assert ann.read_state().wants_same_cards({1, 2}) == same
            ben.answer(request, [2], True)
        again = ann.create_rematch(header)
    found = store.commitment(number)
    assert found
    assert store.commitment(again) == (shown, None, found.contributions)
    assert store.seed(again) == store.seed(number)
    assert store.match(again).header == store.match(number).header
    chance = match.game.chance(match.game.start())
    assert chance
    assert store.chance(again)(chance, 0) == match.steps[0].action


def test_other_cards_are_dealt_where_somebody_has_not_agreed(store: Store) -> None:
    """To new cards, or without the person for whom a computer stood in until the end, or for ratings."""
    for about, rated, stays in ((0, False, True), (1, True, True), (1, False, False)):
        number = store.open_table(HEADER._replace(names=("", "")), TableOptions(rated=rated))
        with store.join(number, Party(["Ann"])) as ann, store.join(number, Party(["Ben"])) as ben:
            shown = store.commit(number)
            if not stays:
                store.stand_in(number, 2, "fair")
                ben.release()
            ann.end_early()
            ann.request(RequestKind.AGAIN, 1, about, JournalPosition())
            request = ann.read_state().rematch_request
            assert request
            ann.answer(request, [1, 2] if stays else [1], agrees=True)
            agreed = ann.read_state().rematch_request
            assert agreed
            assert ann.read_state().is_granted(agreed)
            again = ann.create_rematch(HEADER._replace(dealer=1))
        assert store.commitment(again) is None
        assert store.commit(again) != shown
        assert store.match(again).dealer == 1


def test_who_has_gone_holds_up_no_shuffle(store: Store) -> None:
    number = store.open_table(HEADER._replace(names=("", "")))
    with store.join(number, Party(["Ann"])) as ann:
        with store.join(number, Party(["Ben"])):
            store.commit(number)
            assert ann.contribute() == (2,)
        assert ann.contribute() == ()
    found = store.commitment(number)
    assert found
    assert [seat for seat, _ in found.contributions] == [1]


def test_a_match_has_one_commitment_whoever_asks(store: Store) -> None:
    number = store.create(HEADER)
    shown = store.commit(number)
    with Store.open() as other:
        assert other.commit(number) == shown
    to_the_end(store, number, 5)
    assert store.commit(number) == shown


def test_nobody_is_told_the_secret_while_the_match_goes_on(store: Store) -> None:
    number = store.create(HEADER)
    shown = store.commit(number)
    secret = store.seed(number).to_bytes(32, "big")
    assert commitment(secret, HEADER) == shown
    for plies in (None, 3, 20):
        if plies:
            to_the_end(store, number, plies)
        assert store.commitment(number) == (shown, None, ())
        assert secret.hex() not in "\n".join(store.export(number))
        assert str(secret) not in repr(store.match(number))
        assert secret_in(store, number) is None


def test_a_match_that_was_given_up_is_over(store: Store) -> None:
    number = store.create(HEADER)
    shown = store.commit(number)
    to_the_end(store, number, 4)
    with store.hold(number) as hold:
        hold.end_early()
    found = store.commitment(number)
    assert found
    assert found.secret
    assert found.hash == shown == commitment(found.secret, HEADER)
    assert secret_in(store, number) == found.secret


def test_chance_follows_from_the_secret_or_else_from_the_seed(store: Store) -> None:
    game = HEADER.new_game()
    chance = game.chance(game.start())
    assert chance
    number = store.create(HEADER, seed=7)
    assert store.chance(number)(chance, 0) == seeded(7)(chance, 0)
    store.commit(number)
    assert store.seed(number) != 7, "somebody knows it"
    secret = store.seed(number).to_bytes(32, "big")
    assert store.chance(number)(chance, 0) == committed_chance(secret)(chance, 0)


def test_nothing_can_be_promised_once_there_are_cards(store: Store) -> None:
    begun = keep(store, played(1), 1)
    over = keep(store, played(1))
    given_up = store.create(HEADER)
    with store.hold(given_up) as hold:
        hold.end_early()
    for number in (begun, over, given_up):
        assert reason(partial(store.commit, number)) == ("store_match_begun", {"match": number})
        assert store.commitment(number) is None


def test_a_deleted_match_tells_nothing(store: Store) -> None:
    number = store.create(HEADER)
    store.commit(number)
    with store.hold(number) as hold:
        hold.delete()
    with store.database.transaction() as db:
        assert db.execute("SELECT seed, commitment FROM match").fetchall() == [("0", None)]


def test_who_goes_on_with_a_record_does_not_know_what_comes(store: Store) -> None:
    """The secret of a match that was given up is told; if its record is taken in and gone on with, it is another."""
    number = store.create(HEADER)
    store.commit(number)
    to_the_end(store, number, 4)
    with store.hold(number) as hold:
        hold.end_early()
    record = [line.encode() for line in store.export(number)]
    assert read(record)[0].secret
    taken = store.import_record(record)
    assert store.commitment(taken) is None
    assert store.seed(taken) != store.seed(number)


@pytest.mark.parametrize(
    "change", ["seed = '7'", "commitment = NULL", "commitment = 'x' || commitment", "contributions = '[]'"]
)
def test_a_commitment_that_was_changed_is_found(store: Store, change: str) -> None:
    number = store.create(HEADER)
    store.commit(number)
    with store.database.transaction() as db:
        check_seals(db)
        db.execute(f"UPDATE match SET {change} WHERE id = {number}")
    assert "damaged" in reason(lambda: store.chance(number)).key
