"""The log of a match, and the order in which its players are shown."""

from collections.abc import Iterator

import pytest

from cardgames import match as played
from cardgames.engine.game import CHANCE, OFFERED, Event, game_class
from cardgames.layout import layout_of
from cardgames.layout.scene import Message
from cardgames.match import MemoryJournal, seeded
from cardgames.ui.screens.line_screen import STYLES
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView, View, computer_marks
from tests.ui.stills import RECORDS, Match

NAMED = [path.stem for path in sorted(RECORDS.glob("*.jsonl"))]


def events(match: Match) -> Iterator[Event]:
    """Everything that is told in a match."""
    told: list[Event] = []
    for state, action in zip(match.states, match.actions, strict=False):
        match.game.apply(state, action, told.append)
    return iter(told)


def test_event_cards_follow_the_layouts_order() -> None:
    """The cards of an event are named in the order of the layout."""
    jumbled = set()
    for record in NAMED:
        match = Match.read(record)
        view = GameView(match.game, match.header.names or (), Settings())
        orders = layout_of(match.header.game).CARD_ORDERS
        for event in events(match):
            if order := orders.get(event.key):
                (message,) = view.messages([event])
                assert message.args["cards"] == order(event.args["cards"])  # type: ignore[arg-type]
                if message.args != event.args:
                    jumbled.add(match.header.game)
    assert jumbled == {*OFFERED}


@pytest.mark.parametrize("plain", [False, True])
def test_one_person_alone_among_computers_stands_first(plain: bool) -> None:
    match = Match.read("zetema-four-alone")
    names = match.header.names
    assert names == ("Ann", "Ben", "Cleo", "Dora")
    for computers, order in (
        ({}, "Ann Ben Cleo Dora"),
        ({1: "easy", 2: "fair", 4: "strong"}, "Cleo Dora Ann Ben"),
        ({1: "easy", 4: "strong"}, "Ann Ben Cleo Dora"),
        (dict.fromkeys(range(1, 5), "easy"), "Ann Ben Cleo Dora"),
    ):
        view = View(match.played(30), names, Settings(plain=plain), computers=computers)
        for seat in (CHANCE, 3):
            picture = view.table_picture(view.match.observation(seat), ())
            lines = STYLES.sub("", picture(80, 24)).replace("▶", " ").splitlines()
            found = [line.split()[0].strip(":") for line in lines if line.strip()]
            assert [name for name in found if name in names] == order.split()


def test_a_level_of_which_only_a_record_knows_is_not_shown() -> None:
    match = Match.read("durak-throw-in")
    pictures = set()
    for computers in ({}, {2: "master"}, {2: "fair"}):
        view = View(match.played(5), match.header.names or (), Settings(), computers=computers)
        pictures.add(view.table_picture(view.match.observation(CHANCE), ())(80, 24))
    assert len(pictures) == 2


@pytest.mark.parametrize(("columns", "rows"), [(60, 12), (80, 14), (120, 24)])
@pytest.mark.parametrize("record", ["durak-throw-in", "truc-three-rounds", "kakeya-seventeen", "fipsen-evening"])
def test_somebody_who_goes_away_moves_nothing(record: str, columns: int, rows: int) -> None:
    match = Match.read(record)
    shown = 0
    for ply in range(1, len(match.actions), 17):
        view = View(match.played(ply), match.header.names or (), Settings())
        drawn = []
        for view.marks in ({}, {2: Message("away")}, computer_marks({2: "fair"})):
            picture = view.table_picture(view.match.observation(CHANCE), ())
            drawn.append([line.rstrip() for line in STYLES.sub("", picture(columns, rows)).splitlines()])
        before, away, replaced = drawn
        for line, *marked in zip(before, away, replaced, strict=True):
            assert all(other.startswith(line) for other in marked)
        shown += any("away" in line for line in away)
    assert shown or columns == 60


def test_scores_are_in_view_where_two_players_stand_in_a_row() -> None:
    """The dealer's score is in view, too, though that line is the longest: the longest text comes last."""
    kind = game_class("zetema")
    game = kind(6, kind.RULES.of({}), dealer=6)
    chance = seeded(1)
    deal = game.chance(game.start())
    assert deal
    match = played.Match(game, MemoryJournal([(CHANCE, chance(deal, 0).text)]), chance)
    computers = dict.fromkeys(range(2, 7), "strong")
    names = ("Annelise", "Benjamin", "Cornelia", "Dorothea", "Emiliano", "Fridolin")
    view = View(match, names, Settings(), computers=computers)
    told = STYLES.sub("", view.table_picture(match.observation(1), ())(80, 14))
    assert told.count("0 pts") == 6


def test_lines_about_two_players_keep_their_place() -> None:
    """The lines keep their place, whatever cards the players have laid."""
    kind = game_class("kakeya")
    game = kind(6, kind.RULES.of({}), dealer=6)
    match = played.Match(game, MemoryJournal([]), seeded(3))
    view = View(match, ("Annelise", "Ben", "Cornelia", "Dorothea", "Emil", "Fridolin"), Settings())
    places = set()
    while match.ply < 30:
        match.settle()
        assert match.to_act
        seen = match.observation(match.to_act)
        match.act(match.to_act, seen.legal[-1])
        if any(player.played for player in view.scene(match.observation(CHANCE)).players):
            told = STYLES.sub("", view.table_picture(match.observation(CHANCE), ())(80, 14)).splitlines()[2:5]
            places |= {line.index("▮") % 40 for line in told if "▮" in line}
    assert len(places) == 1


def test_only_playable_cards_are_boxed() -> None:
    """No card is boxed if the player can only stop or take. All are while another player is asked."""
    match = Match.read("durak-throw-in")
    boxes_of_none = 0
    for ply, state in enumerate(match.states):
        if not (seat := match.game.to_act(state)):
            continue
        view = View(match.played(ply), match.header.names or (), Settings(), "Durak")
        for eyes in (seat, 3 - seat):
            seen = view.match.observation(eyes)
            hand = view.scene(seen).hand
            if len(hand) > 8:
                continue  # there neighbours share a border
            picture = STYLES.sub("", view.table_picture(seen, ())(80, 24)).splitlines()
            boxes = next((line for line in picture if "Your hand" in line), "").count("│") // 2
            asked = {action.cards[0] for action in seen.legal if action.cards}
            assert boxes == len(asked if seen.legal else hand)
            boxes_of_none += bool(seen.legal and not asked)
    assert boxes_of_none


def test_chat_after_the_end_is_seen_in_a_single_row() -> None:
    match = next(Match.read(record) for record in NAMED if record.startswith("truc"))
    names = match.header.names
    assert names
    view = View(match.played(len(match.actions)), names, Settings())
    before, after = (Message("said", {"by": names[0], "text": text}) for text in ("Well played!", "Good game!"))
    view.add_chat([before])
    picture = view.end_picture([Message("broken_off")])
    small = picture(60, 12)
    assert "aborted" in small
    assert "Well played!" not in small
    view.add_chat([after])
    small, large = [picture(60, rows) for rows in (12, 24)]
    assert "Good game!" in small
    assert large.index("Well played!") < large.index("aborted") < large.index("Good game!")


@pytest.mark.parametrize("width", [60, 80])
def test_a_person_sees_their_clock_while_a_computer_thinks(width: int) -> None:
    match = Match.read("durak-throw-in")
    view = View(match.played(5), match.header.names or (), Settings(), computers={1: "fair"})
    assert view.match.state.to_act == 1
    view.clocks = lambda: ((2, "4:21"),)
    assert "4:21" in view.table_picture(view.match.observation(CHANCE), ())(width, 24)
