"""The deal of the day: from the date and the version alone."""

from datetime import date, timedelta

from cardgames.engine.cards import names
from cardgames.engine.game import CHANCE, OFFERED
from cardgames.simulation.daily import OPPONENT, daily_deal, finish_deals, opening

FIRST = date(2026, 12, 1)
FIXED = [
    ("truc", 1, 29837085968426346, 1, "QH JH 9H"),
    ("kakeya", 4, 40557805566463906, 2, "2C TS AC"),
    ("fipsen", 1, 61122291355056470, 1, "TH 8S KS"),
    ("zetema", 2, 59877209417513641, 1, "TC 4S AS"),
    ("durak", 1, 6237563843754605, 19, "9D TS AH"),
]
"""Of the days from ``FIRST`` on: the game, the seat, the seed, how many actions open it, and the first cards."""


def test_the_same_cards_for_everybody_on_a_date() -> None:
    for later, (game, seat, seed, moves, cards) in enumerate(FIXED):
        deal = daily_deal(FIRST + timedelta(later), "0.1.0")
        assert deal[2:] == (game, seat, seed)
        opened, _ = opening(deal)
        assert len(opened) == moves
        dealt = next(action for by, action in opened if by == CHANCE and len(action.cards) > 4)
        assert names(dealt.cards[:3]) == cards


def test_every_game_and_seat_comes_and_another_version_deals_others() -> None:
    deals = [daily_deal(FIRST + timedelta(later)) for later in range(60)]
    assert [deal.game for deal in deals[:5]] == [*OFFERED[1:], OFFERED[0]]
    for game in OFFERED:
        seats = {deal.seat for deal in deals if deal.game == game}
        assert seats == {*range(1, max(seats) + 1)}
    assert len({deal.seed for deal in deals}) == len(deals)
    assert daily_deal(FIRST, "9").seed != deals[0].seed


def test_short_durak_deal_starts_with_stock_of_twelve() -> None:
    deal = daily_deal(FIRST + timedelta(4), "0.1.0")
    game = deal.header().new_game()
    state = game.start()
    moves, opened = opening(deal)
    for _, action in moves:
        assert not game.short_deal_begins(state)
        state = game.apply(state, action)
    assert state == opened
    assert len(state.stock) <= 12
    assert game.short_deal_begins(state)


def test_daily_comparison_is_repeatable() -> None:
    """Computers play it in the seat of the person and alike each time."""
    deal = daily_deal(FIRST, "0.1.0")
    header = deal.header(("Ann", "Ben"))
    assert header.computers == {2: OPPONENT}
    found = finish_deals(deal, "random", 0, 20)
    assert len({*found}) > 1
    assert found == [result for number in range(20) for result in finish_deals(deal, "random", number, 1)]
