"""Typing finds the move that is meant, in both languages, in one step or where the list is parted in two."""

from typing import Any

import pytest

from cardgames.engine.game import Action
from cardgames.layout.question import Question
from cardgames.match import play
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import SHARED_KEYS, Offer
from cardgames.ui.screens.typed_text import matches_offer
from cardgames.ui.settings import Settings
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View
from tests.ui.stills import Match, Seen, Still, text_of


def offered(record: str, ply: int, language: str) -> list[Offer]:
    """The offers to whoever acts after so many actions."""
    match = Match.read(record)
    found: list[Offer] = []

    def answer(still: Still) -> Any:
        if still.offers[0].value is True:
            return True
        found.extend(still.offers)
        raise Seen

    words = Words(language, match.header.game, match.header.names or ())
    settings = Settings(language=language)
    with Still(words, settings, 80, 24, answer) as still:
        table = match.table(still, ply, settings)
        with pytest.raises(Seen):
            play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_shared_further_questions_name_every_key(language: str) -> None:
    match = Match.read("fipsen-evening")
    names, settings = match.header.names or (), Settings(language=language)
    feet = []

    def answer(still: Still) -> Any:
        if still.offers[0].value is True:
            return True
        feet.append(text_of(still.draw()).splitlines()[-1])
        if len(feet) == 2:
            raise Seen
        return next(offer.value for offer in still.offers if isinstance(offer.value, Question))

    words = Words(language, match.header.game, names)
    with Still(words, settings, 60, 20, answer) as still:
        view = View(match.played(1), names, settings)
        table = Table(still, view, range(1, match.game.seats + 1))
        table.keys, table.shared_key = SHARED_KEYS, lambda key: None
        with pytest.raises(Seen):
            play(view.match, dict.fromkeys(range(1, match.game.seats + 1), table))
    for sign in ("?", "s", "l", "h", "u", "t", "q", "Esc"):
        assert sign in feet[1].split()


def first(offers: list[Offer], typed: str) -> Action | Question:
    """The offer that is pointed at when this is typed."""
    value: Action | Question = next(
        offer.value for offer in offers if not offer.refused and matches_offer(offer, typed)
    )
    return value


@pytest.mark.parametrize(("language", "hand", "ruten"), [("en", "hand", "ruten"), ("ja", "ハンド", "ルーテン")])
def test_whole_bids_can_be_typed_at_once(language: str, hand: str, ruten: str) -> None:
    """A whole bid can be typed at once, although the screen asks for it in two steps."""
    offers = offered("fipsen-evening", 1, language)
    listed = [offer.value for offer in offers if not (offer.unlisted or offer.refused)]
    assert sum(isinstance(value, Question) for value in listed) == 4
    bids = [offer.value for offer in offers if offer.unlisted]
    assert len(bids) == len({*bids}) > 20
    for bid in bids:
        assert bid not in listed
        plain = bid.text.removeprefix("bid ")
        if not plain.isdigit():  # a number alone leads to the second step
            assert first(offers, bid.text) == first(offers, plain) == bid
    for typed in (f"3{hand}", f"3 {hand}", f"３{hand}", "3h", "3 hand"):
        assert getattr(first(offers, typed), "text", None) == "bid 3 hand"
    for typed in (f"4{hand}{ruten}", f"4 {hand} {ruten}"):
        assert getattr(first(offers, typed), "text", None) == "bid 4 hand ruten"
    assert isinstance(first(offers, "3"), Question)
    costly = {offer.value.text for offer in offers if offer.unlisted and offer.confirm}
    assert costly == {bid.text for bid in bids if bid.text.startswith("bid 5")}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_typing_cannot_skip_the_four_sevens_question(language: str) -> None:
    """The question has to be answered, as the word that gives up the sevens is not offered beside it."""
    match = Match.read("fipsen-hold-kieker-sevens")
    plies = [
        ply
        for ply, (state, action) in enumerate(zip(match.states, match.actions, strict=False))
        if match.game.to_act(state) and any(legal.kind == "sevens" for legal in match.game.legal_actions(state))
    ]
    assert plies
    for ply in plies:
        offers = offered("fipsen-hold-kieker-sevens", ply, language)
        assert not [offer for offer in offers if offer.unlisted and offer.value.kind in ("pass", "sevens")]
