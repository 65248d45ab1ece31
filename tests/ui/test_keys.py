"""Keys that are safe: whatever the game, the language, the hand and the text typed before, a key means the same."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.engine.cards import NAMES, RANKS, Card, rank_of
from cardgames.engine.game import CHANCE, GAMES, Action, game_class, new_game
from cardgames.engine.zetema import PACK
from cardgames.layout import layout_of
from cardgames.layout.question import Question
from cardgames.match import Match, MemoryJournal, PlayerLeft, seeded
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.screens.choice_form import ChoiceForm
from cardgames.ui.screens.offers import BACK, FOOT_KEYS, HAND_KEYS, KEYS, SHARED_KEYS, Key, Offer, Page, Ticks
from cardgames.ui.screens.typed_text import shortcuts
from cardgames.ui.settings import Settings
from cardgames.ui.table.question import HAND_LETTERS, MovePrompt, card_letters
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View
from tests.ui.stills import Match as Recorded
from tests.ui.stills import Still, text_of

TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]
NOT_YET = "not yet"
"""The answer of a question that none of the keys has answered."""
BEFORE = (Keys.Up, Keys.Down, Keys.Left, Keys.Right, Keys.End, Keys.Backspace, *"AKQJT19787SHDCXÄあ♠♥♦♣♧ＱＴ７")


def match_at(game: str, seats: int, seed: int, turns: int, each: Callable[[Match], object] = id) -> Match | None:
    """A match of random moves in which so many turns have been taken; ``None`` if it is over before."""
    rng = Random(seed)
    played = new_game(game, seats, {"turn_over": "any", "throw_in": True} if game == "durak" else {})
    match = Match(played, MemoryJournal(), seeded(seed))
    for _ in range(turns):
        match.settle()
        if match.outcome:
            return None
        each(match)
        match.act(match.to_act or CHANCE, rng.choice(match.observation(match.to_act or CHANCE).legal))
    match.settle()
    return None if match.outcome else match


def pressed(still: Still, *keys: str) -> Any:
    """The answer that these keys give, one after another; ``NOT_YET`` if they give none."""
    answers: list[Any] = []
    still.form.end = answers.append
    for key in keys:
        if not answers:
            still.form.press(KeyPress(key, key if len(key) == 1 else ""))
    return answers[0] if answers else NOT_YET


def pointed(still: Still) -> Any:
    assert isinstance(still.form, ChoiceForm)
    return still.form.pointed


@settings(max_examples=50)
@given(st.data())
def test_foot_keys_never_play_move_or_vanish(data: st.DataObject) -> None:
    game, seats = data.draw(st.sampled_from(TABLES))
    match = match_at(game, seats, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 60)))
    language = data.draw(st.sampled_from(LANGUAGES))
    keys = data.draw(st.sampled_from([KEYS, {**KEYS, **HAND_KEYS}, SHARED_KEYS]))
    before = data.draw(st.lists(st.sampled_from(BEFORE), max_size=5))
    key = data.draw(st.sampled_from(sorted(FOOT_KEYS)))
    if match is None:
        return
    deeper = data.draw(st.integers(0, 6))
    seen: list[Any] = []

    def answer(still: Still) -> Any:
        further = [offer.value for offer in still.offers if isinstance(offer.value, Question)]
        if not seen and further and deeper:
            seen.append("a further question")
            return further[deeper % len(further)]
        assert pressed(still, *before) is NOT_YET
        there = pointed(still)
        assert isinstance(still.form, ChoiceForm)
        completes_card = still.form.completes_card(key)
        result = pressed(still, key)
        assert pointed(still) == there or completes_card
        if completes_card:
            assert result is NOT_YET
        elif key in keys:
            assert result is keys[key]
        else:
            assert result is NOT_YET
            assert words.text("no_key", letter=key) in text_of(still.draw())
        return Key.LEAVE

    words = Words(language, game)
    with Still(words, Settings(language=language), 80, 24, answer) as still:
        view = View(match, (), Settings(language=language))
        observation = match.observation(match.to_act or CHANCE)
        assert MovePrompt(still, view, observation, keys).ask(view.question_picture(observation)) is Key.LEAVE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_card_is_said_once(language: str) -> None:
    """Before and after Enter, and as a refusal."""
    matches = (match_at("durak", 2, 1, turns) for turns in range(2, 40))
    match = next(
        each
        for each in matches
        if each and any(act.cards for act, _ in each.observation(each.to_act or CHANCE).refused)
    )
    words, observation = Words(language, "durak"), match.observation(match.to_act or CHANCE)

    def answer(still: Still) -> Any:
        assert isinstance(still.form, ChoiceForm)
        assert pressed(still, *[Keys.Left] * 9) is NOT_YET
        while not still.form._pointed_line.disabled:
            assert pressed(still, Keys.Right) is NOT_YET
        for key in (Keys.Up, Keys.ControlM):
            assert pressed(still, key) is NOT_YET
            assert text_of(still.draw()).count(words.text("not_allowed", text="")) == 1
        return Key.LEAVE

    with Still(words, Settings(language=language), 80, 24, answer) as still:
        view = View(match, (), Settings(language=language))
        assert MovePrompt(still, view, observation).ask(view.question_picture(observation)) is Key.LEAVE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", sorted(FOOT_KEYS))
def test_a_key_of_the_foot_takes_no_line_of_a_menu(key: str, language: str) -> None:
    words = Words(language)
    offers = [Offer(place, f"{first}ome line") for place, first in enumerate("hlosutqHLOSUTQ?")]

    def answer(still: Still) -> Any:
        there = pointed(still)
        result = pressed(still, key)
        assert pointed(still) == there
        assert result is BACK[key] if key in BACK else words.text("no_key", letter=key) in text_of(still.draw())
        return result

    with Still(words, Settings(language=language), 80, 24, answer) as still:
        still.choose(Page(""), "?", offers, BACK)


@pytest.mark.parametrize(("game", "usual", "other"), [("durak", "suit", "rank"), ("zetema", "rank", "suit")])
def test_a_key_sorts_the_hands_of_one_game_by_rank_or_by_suit(game: str, usual: str, other: str) -> None:
    match = match_at(game, 2, 3, 20)
    assert match
    seat = match.to_act or CHANCE
    hands: list[list[Card]] = []
    kept: list[tuple[str, object]] = []
    letters: list[dict[Any, str]] = []

    def answer(still: Still) -> Any:
        hands.append([*view.scene(match.observation(seat)).hand])
        letters.append({offer.value: offer.letters for offer in still.offers if not offer.refused})
        shown = [offer.cards[0] for offer in still.offers if offer.cards and not offer.refused]
        assert shown == sorted(shown, key=hands[-1].index)
        assert "o order" in text_of(still.draw()).splitlines()[-1]
        return pressed(still, "o") if len(hands) < 3 else Key.LEAVE

    def leave(draw: object) -> bool:
        raise PlayerLeft

    settings = Settings(sort="game fipsen=rank")
    with Still(Words("en", game), settings, 80, 24, answer) as still:
        view = View(match, (), settings)
        table = Table(still, view, [seat])
        table.on_leave, table.store_setting = leave, lambda *setting: kept.append(setting)
        with pytest.raises(PlayerLeft):
            table.choose(match.observation(seat), ())
    wanted = [" ".join(["game", *sorted([f"{game}={order}", "fipsen=rank"])]) for order in (other, usual)]
    assert kept == [("sort", value) for value in wanted]
    first, second, again = hands
    assert first == again != second
    by_suit, by_rank = (first, second) if usual == "suit" else (second, first)
    ranks = view.scene(match.observation(seat)).ranks
    assert [RANKS[rank_of(card)] for card in by_rank] == sorted(
        [RANKS[rank_of(card)] for card in by_suit], key=ranks.index
    )
    assert letters[0] == letters[2]


def test_what_is_ticked_stays_so_when_the_hand_is_sorted() -> None:
    record = Recorded.read("fipsen-three-players")
    ply = next(ply for ply, action in enumerate(record.actions) if action.kind == "discard")
    match = record.played(ply)
    view = View(match, (), Settings())
    observation = match.observation(match.to_act or CHANCE)
    cards: list[set[Any]] = []

    class Ticking:
        """A screen at which the first five are ticked, the hand is sorted, and that is taken."""

        def choose(
            self, draw: object, question: str, offers: Sequence[Offer], *more: Any, ticks: Ticks, **how: Any
        ) -> Any:
            if not cards:
                ticks.values[:] = range(5)
            cards.append({offers[place].cards for place in ticks.values})
            return Key.ORDER if len(cards) == 1 else [*ticks.values]

    screen: Any = Ticking()
    asking = MovePrompt(screen, view, observation, {**KEYS, **HAND_KEYS})
    draw = view.question_picture(observation)
    assert asking.ask(draw) is Key.ORDER
    view.set_up(Settings(sort="rank"))
    asking.sort()
    action = asking.ask(draw)
    assert isinstance(action, Action)
    assert cards[0] == cards[1] == {(card,) for card in action.cards}


def asked_for_equal_marriages(settings: Settings) -> tuple[View, Question]:
    """The view and the question of a player who may declare the marriage of spades twice."""
    hands = "KS KS QS QS 4C 5D", "2S KH 3H KD 9D JC"
    top = list(chain(*zip(*map(str.split, hands), strict=True)))
    rest = Counter(NAMES[card] for card in PACK) - Counter(top)
    game = new_game("zetema", 2, {})
    match = Match(game, MemoryJournal([(CHANCE, " ".join(("deal", *top, *rest.elements())))]), seeded(0))
    view = View(match, (), settings)
    ((_, question),) = view.question(match.observation(match.to_act or CHANCE)).further
    return view, question


def test_equal_pairs_are_ticked_one_by_one_and_stay_ticked_when_the_hand_is_sorted() -> None:
    view, question = asked_for_equal_marriages(Settings())
    equal = [index for index, pick in enumerate(question.picks) if pick.value == "KS+QS"]
    assert len(equal) == 2
    keys = [(Keys.Home, *[Keys.Down] * equal[0], " ", "o"), (Keys.Down, " ", Keys.ControlM)]

    def answer(still: Still) -> Any:
        if isinstance(still.offers[0].value, Question):
            return still.offers[0].value
        return pressed(still, *keys.pop(0))

    with Still(Words("en", "zetema"), Settings(), 80, 24, answer) as still:
        prompt = MovePrompt(still, view, view.match.observation(view.match.to_act or CHANCE), {**KEYS, **HAND_KEYS})
        draw = view.question_picture(prompt.observation)
        assert prompt.ask(draw) is Key.ORDER
        view.set_up(Settings(sort="rank"))
        prompt.sort()
        action = prompt.ask(draw)
    assert isinstance(action, Action)
    assert action.args == ("KS+QS", "KS+QS")  # with two ticks after the sorting, the second blank would remove one


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_cards_have_letters_by_their_place_in_the_hand(game: str, seats: int) -> None:
    """The same place has the same letter, whether its card can be played; no letter in use means something else."""
    layout = layout_of(game)
    others = {letter for name, letter in layout.LETTERS.items() if "+" not in name}  # pairs have no single cards beside
    assert not {*HAND_LETTERS} & {"p", *FOOT_KEYS}
    hand = tuple(range(20))
    for used in (others, {*[*others][:2]}, set[str]()):
        letters = card_letters(hand, layout, used)
        assert [*letters] == [*reversed(hand[: len(letters)])]
        in_order = [letters[card] for card in hand if card in letters]
        assert in_order == [*sorted({*HAND_LETTERS} - others), *sorted({*HAND_LETTERS} & others - used)]
        assert card_letters((7, 7, 3), layout, used) == {7: in_order[0], 3: in_order[2]}


def test_every_card_to_lay_away_has_a_letter() -> None:
    recorded = Recorded.read("fipsen-evening")
    ply = next(ply for ply, action in enumerate(recorded.actions) if action.kind == "discard")
    assert "".join([letter for _, letter in lettered(recorded.played(ply), "en")]) == "abefgij"


@pytest.mark.parametrize(("game", "seats"), [(game, game_class(game).SEATS[-1]) for game in GAMES])
def test_every_line_has_a_letter_and_the_same_in_both_languages(game: str, seats: int) -> None:
    """But where a card can do several things they share its own, and the last cards of a large hand have none."""
    for turns in range(0, 60, 5):
        if match := match_at(game, seats, turns, turns):
            assert lettered(match, LANGUAGES[0]) == lettered(match, LANGUAGES[1])


def lettered(match: Match, language: str) -> list[tuple[Any, str]]:
    """What can be chosen in a question about a match, with the letters."""
    found: list[tuple[Any, str]] = []

    def answer(still: Still) -> Any:
        letters = shortcuts(still.offers)
        listed = [(o, own) for o, own in zip(still.offers, letters, strict=True) if not (o.refused or o.unlisted)]
        for offer, letter in listed:
            assert letter or offer.cards, offer
            alike = [other.cards[:1] for other, same in listed if same == letter]
            assert not letter or len(alike) == 1 or (len({*alike}) == 1 and alike[0]), listed
            found.append(("further" if isinstance(offer.value, Question) else offer.value, letter))
        return Key.LEAVE

    with Still(Words(language, match.game.NAME), Settings(language=language), 80, 24, answer) as still:
        view = View(match, (), Settings(language=language))
        observation = match.observation(match.to_act or CHANCE)
        MovePrompt(still, view, observation).ask(view.question_picture(observation))
    return found
