"""How a hint is put into words: what is as good, what is certain, and how sure the rest is."""

from random import Random

import pytest

from cardgames.bots import module_of, rate
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.cards import rank_of
from cardgames.engine.game import Action, AnyGame, Message, Observation, new_game
from cardgames.engine.record import read
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.table.hint import Hint, hint_from_ratings, hint_lines, shown_reasons
from scripts.trial.values import contradict
from tests.ui.stills import RECORDS

A, B, C = (Action("play", name) for name in "abc")


def rated(text: str) -> tuple[Rating, ...]:
    """Ratings, each written ``a 0.7 ±0.01``, with ``exact`` or the move that it comes to the same as."""
    found = []
    for name, value, doubt, *more in map(str.split, text.split("; ")):
        same_as = [Action("play", other) for other in more if other != "exact"]
        rating = Rating(Action("play", name), float(value), float(doubt.removeprefix("±")), "exact" in more)
        found.append(rating._replace(same_as=same_as[0]) if same_as else rating)
    return tuple(found)


AS_GOOD = "a 1 ±0.1; b 1 ±0.1; c 1 ±0.1; d 1 ±0.1; e 1 ±0.1"


@pytest.mark.parametrize(
    ("ratings", "unit", "lines"),
    [
        ("a 0.7 ±0.01; b 0.5 ±0.01", "win", "Hint: a|70% ±2 to win the match|others: b (-20% ±3)"),
        ("a 0.7 ±0.01; b 0.69 ±0.02; c 0.2 ±0.02", "win", "Hint: a|70% ±2 to win the match|about equal: b"),
        # What is told alike is as good for whoever hears it, however sure the difference is.
        ("a 0.412 ±0; b 0.409 ±0", "win", "Hint: a|41% to win the match|about equal: b"),
        ("a 1 ±0 exact; b 1 ±0 exact; c 0 ±0 exact", "win", "Hint: a|100% to win the match, exact|just as good: b"),
        ("a 4 ±0.001; b 2 ±0.5", "points", "Hint: a|+4.00 points a deal|others: b (-2.00 ±0.98)"),
        ("a 4 ±0 exact; b -8 ±0.5", "points", "Hint: a|+4.00 points a deal, exact|others: b (-12.00 ±0.98)"),
        # Cards of the same strength are as good for certain, however unsure it is how good.
        (
            "a 0.7 ±0.05; b 0.7 ±0.05 a; c 0.69 ±0.05",
            "win",
            "Hint: a|70% ±10 to win the match|just as good: b|about equal: c",
        ),
        ("a 0 ±inf; b 0 ±inf a", "points", "Hint: a|just as good: b"),
        # No figure is told whose doubt is great.
        ("a 0.45 ±0.2; b 0.43 ±0.02", "win", "Hint: a|about equal: b"),
        ("a 0.9 ±0.08; b 0.43 ±0.02", "win", "Hint: a|others: b"),
        # Nothing is said of what nobody has tried.
        ("a 0 ±0; b -1 ±0.1; c -15 ±inf", "points", "Hint: a|0.00 points a deal|others: b (-1.00 ±0.20)"),
        # Those for which there is no room are not passed over in silence.
        (f"{AS_GOOD}; f 0 ±0.1", "points", "Hint: a|+1.00 ±0.20 points a deal|about equal: b, c, 2 more"),
        (AS_GOOD, "points", "Hint: a|+1.00 ±0.20 points a deal|about equal: every other move"),
    ],
)
def test_what_is_as_good_and_how_sure_that_is(ratings: str, unit: str, lines: str) -> None:
    assert told(rated(ratings), unit) == lines


def test_each_alone_is_unsure_but_not_the_difference_on_the_same_deals() -> None:
    ratings = (Rating(A, 1.0, 0.5, leads={B: Lead(0.5, 0.05)}), Rating(B, 0.5, 0.5))
    assert told(ratings, "points") == "Hint: a|+1.00 ±0.98 points a deal|others: b (-0.50 ±0.10)"


def told(ratings: tuple[Rating, ...], unit: str) -> str:
    """The lines of a hint but for its reason."""
    words = Words("en")
    hint = Hint(ratings, (Message("hint.only", {"text": "why"}),), unit)
    best, why, *others = hint_lines(hint, lambda action: action.text, words.text)
    assert words.say(why) == "Hint: why"
    return "|".join(map(words.say, [best, *others]))


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ("a 0 ±inf", "there is no other move"),
        ("a 0.7 ±0.01; b 0.5 ±0.01", "no move that was tried is clearly better"),
    ],
)
def test_a_hint_has_a_reason_in_any_case(ratings: str, reason: str) -> None:
    words = Words("en")
    assert words.say(hint_lines(Hint(rated(ratings), (), "win"), str, words.text)[1]) == reason


@pytest.mark.parametrize(
    ("ratings", "line"),
    [
        ("a 0.62 ±0.03; b 0.6 ±0.02", "is about as good (-2% ±7)"),
        ("a 0.3 ±0.02; b 0.33 ±0.02", "is about as good (+3% ±6)"),
        ("a 0.3 ±0.2; b 0.6 ±0.2", "is about as good, as far as can be told"),
        ("a 0.62 ±inf; b 0.6 ±0.03", "was not examined"),
        ("a 0.62 ±0.01; b 0.3 ±inf", "was not examined"),
        ("a 0.62 ±0.01; b 0.6 ±0.01 a", "comes to the same"),
    ],
)
def test_the_move_that_is_pointed_at_is_compared_with_the_best(ratings: str, line: str) -> None:
    words = Words("en")
    hint = Hint((*rated(ratings), Rating(C, 0.1, 0.01)), (), "win")
    _, second, *_ = hint_lines(hint, lambda action: action.text, words.text, B)
    assert words.say(second) == f"b, which you are pointing at, {line}"
    for pointed in (A, None, "something else"):
        assert hint_lines(hint, str, words.text, pointed) == hint_lines(hint, str, words.text)


def test_no_move_is_worse_whose_difference_rounds_to_nothing() -> None:
    """No reason is given for a difference that cannot be seen; of equal moves the cheapest is named first."""
    game, o = first_choice()
    natural = module_of(game).by_rule(o, Random())
    best, *_, close, worse = [action for action in o.legal if action != natural]
    ratings = (Rating(best, 0.5, 0.0001), Rating(close, 0.499, 0.0001), Rating(worse, 0.4, 0.0001))
    hint = hint_from_ratings(game, o, ratings)
    cheaper = min(best, close, key=lambda action: rank_of(action.cards[0]))
    assert hint.ratings[0].action == cheaper
    assert {*hint.against} == {worse}
    hint = hint_from_ratings(game, o, (*ratings, Rating(natural, 0.49, 0.03)))
    assert hint.ratings[0].action == natural
    assert {*hint.against} == {worse}


def first_choice() -> tuple[AnyGame, Observation]:
    """Somebody's first choice in a match of Durak."""
    game = new_game("durak", 2)
    state = game.start()
    chance = game.chance(state)
    assert chance
    state = game.apply(state, chance.sample(Random(1)))
    return game, game.observation(state, game.to_act(state) or 0)


def test_two_hints_do_not_contradict_each_other() -> None:
    """In this position each of two hints called the other's move certainly worse."""
    _, game, plies = read((RECORDS / "positions" / "durak-two-hints.jsonl").read_bytes().splitlines())
    state = [*plies][-1].state
    o = game.observation(state, game.to_act(state) or 0)
    for number in range(2):
        one, other = [
            hint_from_ratings(game, o, rate(game, o, Random(f"{number}/{side}"))) for side in ("one", "other")
        ]
        assert not contradict(one, other)
        assert all(one.ratings[0].lead(each).doubt < 0.25 for each in one.ratings[1:])


def test_what_was_said_before_comes_after_what_was_not() -> None:
    why = [Message("hint.only", {"text": each}) for each in ("first", "second")]
    new = Message("hint.no_other")
    hint = Hint((Rating(A, 0.7, 0.01), Rating(B, 0.5, 0.01)), (*why, new), "win", {B: (why[0], new)})
    assert hint.unsaid_first(set()) == hint
    again = hint.unsaid_first({"hint.only"})
    assert again.reasons == (new, *why)
    assert again.against == {B: (new, why[0])}
    assert [shown_reasons(again, pointed)[0] for pointed in (None, A, B)] == [new] * 3


def test_the_first_line_and_the_reasons_compare_the_best_move_with_the_one_pointed_at() -> None:
    words, ratings = Words("en"), (Rating(A, 0.7, 0.01), Rating(B, 0.5, 0.01), Rating(C, 0.2, 0.01))
    why, other = [Message("hint.only", {"text": each}) for each in ("why", "other")]
    hint = Hint(ratings, (why, other), "win", {B: (other,), C: ()})

    def told(pointed: object) -> list[str]:
        return [words.say(each) for each in hint_lines(hint, lambda action: action.text, words.text, pointed)]

    assert told(A)[:3] == ["Hint: a", "Hint: why", "Hint: other"]
    assert told(B)[:3] == [
        "Hint: a (70%) rather than b (50%), better by 20% ±3",
        "Hint: other",
        "70% ±2 to win the match",
    ]
    assert told(C)[1] == "it did better in the deals that were tried, for no single reason"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_superlative_tells_a_hidden_card(language: str) -> None:
    words = Words(language, "durak")
    hidden, named = [words.say(Message("hint.weakest", {"card": card})) for card in ("", 0)]
    assert hidden == words.text("hint.weakest_unnamed") != named
