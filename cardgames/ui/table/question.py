"""Questions for a move, as offers of a screen."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import CHANCE, Action, AnyGame, Observation, Reason
from cardgames.layout import Layout, layout_of
from cardgames.layout.question import Question
from cardgames.layout.scene import Message
from cardgames.match import Match, Step
from cardgames.ui.render.card_faces import SYMBOLS
from cardgames.ui.screens.offers import ESCAPE, FREE, KEYS, Draw, Key, Offer, Picture, Ticks
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.view import View

Keys: TypeAlias = Mapping[str, Key | None]


class StandingOrder(NamedTuple):
    """A move given in advance, for every further question of its kind until the table rests."""

    action: Action


class Agreed(NamedTuple):
    """A move on which several people at one keyboard have to agree."""

    seats: tuple[int, ...]
    action: Action


Reply: TypeAlias = Action | StandingOrder | Question | Key | None
"""A move, a further question, a key of the foot, or ``None`` for the way back."""


class Asking:
    """One request for a move: it keeps the open further questions and the ticks."""

    def __init__(
        self, screen: Screen, view: View, observation: Observation, keys: Keys = KEYS, may_stand: bool = False
    ) -> None:
        """``keys`` are those of the foot; ``may_stand`` allows a standing order."""
        self.observation = observation
        self.in_advance = False
        """Whether the move was given in advance for further questions, too."""
        self._may_stand = may_stand
        self._screen = screen
        self._keys = keys
        self._words = view.words
        self._layout = view.layout
        self._cards = card_letters(view.match, observation.seat, layout_of(view.game.NAME))
        """The letters of the cards in the hand, however it is sorted."""
        asked = view.layout.question(observation)
        self._questions = [asked]
        self._ways: list[Question] = []
        """The further questions that led here, as they are offered."""
        self._left: Question | None = None
        """The further question from which somebody came back last."""
        self._ticked = list(asked.ticked)
        self._refused = self._in_hand_order()

    def _in_hand_order(self) -> list[tuple[Action, Reason]]:
        """The refused actions in the order of the hand."""
        place = {card: place for place, card in enumerate(self._layout.scene(self.observation).hand)}
        return sorted(
            self.observation.refused, key=lambda refused: place.get(refused[0].cards[0], 0) if refused[0].cards else 99
        )

    def sort(self, layout: Layout) -> None:
        """Continue with another order of the hand, with the same further question and ticks."""
        asked = self._questions[-1]
        values = [asked.picks[place].value for place in self._ticked] if asked.picks else []
        self._layout, self._refused = layout, self._in_hand_order()
        places = [
            [further for _, further in question.more].index(way)
            for question, way in zip(self._questions, self._ways, strict=False)
        ]
        self._questions, self._ways = [layout.question(self.observation)], []
        for place in places:
            self._open_further(self._questions[-1].more[place][1])
        self._ticked = [place for place, pick in enumerate(self._questions[-1].picks) if pick.value in values]

    def _open_further(self, further: Question) -> None:
        """Continue with the question to which a choice leads, such as the extras of a bid."""
        first = self._questions[-1].first
        self._ways.append(further)
        self._questions.append(further if further.first else further._replace(first=first))

    def ask(self, draw: Draw, hint: "Future[Any] | None" = None) -> Action | Key:
        """Ask under a picture; return the move, or a key of the foot. After a key the next call continues the question.

        When ``hint`` is ready, ``Key.HINT`` is returned."""
        while True:
            question, first = self._questions[-1], len(self._questions) == 1
            keys = self._keys if first else {**self._keys, ESCAPE: None}
            foot = None if first else self._screen.foot_with_way_back
            answer: Reply
            if question.picks:
                answer = self._tick(draw, question, keys, foot, hint)
            else:
                answer = self._choose(draw, question, self._refused if first else (), keys, foot, hint)
            if isinstance(answer, StandingOrder):
                self.in_advance = True
                return answer.action
            if isinstance(answer, Action | Key):
                return answer
            if answer is None:
                self._questions.pop()
                self._left = self._ways.pop()
            else:
                self._open_further(answer)
            self._ticked = list(self._questions[-1].ticked)

    def _choose(
        self,
        draw: Draw,
        question: Question,
        refused: Sequence[tuple[Action, Reason]],
        keys: Keys,
        foot: str | None,
        hint: "Future[Any] | None",
    ) -> Reply:
        say = self._words.say
        letters = self._layout.LETTERS
        offers = [
            Offer(further, say(told), letters=letter_of(letters, told.key, f"{told.key} {told.args.get('count')}"))
            for told, further in question.more
        ]
        offers += [self._offer(question, action) for action in question.actions]
        for _, further in question.more:
            parted = not any(action.cards or action in question.actions for action in further.actions)
            if parted:  # in a list split in two, a move typed in full needs no second question
                offers += [
                    self._offer(further, action)._replace(unlisted=True, letters="") for action in further.actions
                ]
        if question.standing and self._may_stand:
            offers.append(
                Offer(
                    StandingOrder(question.standing),
                    self._words.text("standing"),
                    letters=letter_of(letters, "standing"),
                )
            )
        offers += self._greyed(question, refused)
        back = next((further for _, further in question.more if further is self._left), None)
        answer: Reply = self._screen.choose(
            _led(draw, question), say(question.message), offers, keys, foot, at=back or _start(question), hint=hint
        )
        return answer

    def _offer(self, question: Question, action: Action) -> Offer:
        message = self._message_for(question, action)
        said = self._words.say(message)
        sure = self._words.text("confirm", text=said) if action in question.costly else None
        bid = str(message.args.get("bid", "")).split()
        in_brief = ("".join([word if word.isdecimal() else self._words.term(word) for word in bid]),) if bid else ()
        typed = (*ways_to_type(action), *in_brief)
        return Offer(action, said, typed, self._action_key(action), cards=action.cards, confirm=sure)

    def _action_key(self, action: Action) -> str:
        """The key of an action: its own, or that of its first card."""
        own = letter_of(self._layout.LETTERS, action.text, action.kind)
        return own or "".join([self._cards.get(card, "") for card in action.cards[:1]])

    def _message_for(self, question: Question, action: Action) -> Message:
        return question.said.get(action) or self._layout.words(action)

    def _greyed(self, question: Question, refused: Sequence[tuple[Action, Reason]]) -> Iterator[Offer]:
        """The refused actions as offers, one for all cards with the same reason."""
        alike: dict[tuple[Any, ...], list[Action]] = {}
        for action, reason in refused:
            said = self._message_for(question, action)
            card = "card" in said.args
            key = "greyed." if self._words.knows("greyed." + reason.key) else "reason."
            why = self._words.say(Reason(key + reason.key, reason.args))
            others = tuple((name, value) for name, value in said.args.items() if name != "card")
            alike.setdefault((said.key, others, why, card or action), []).append(action)
        for (key, others, why, card), actions in alike.items():
            args = {**dict(others), "card": tuple(action.cards[0] for action in actions)} if card is True else others
            typed = tuple(way for action in actions for way in ways_to_type(action))
            letters = "".join(map(self._action_key, actions))
            yield Offer(actions[0], self._words.say(Message(key, dict(args))), typed, letters, why)

    def _tick(
        self, draw: Draw, question: Question, keys: Keys, foot: str | None, hint: "Future[Any] | None"
    ) -> Action | Key | None:
        picks, letters = question.picks, self._layout.LETTERS
        offers = []
        for place, pick in enumerate(picks):
            key = self._cards.get(pick.cards[0], "") if len(pick.cards) == 1 else letters[pick.value]
            offers.append(Offer(place, self._words.say(pick.message), names_of(pick.cards), key, cards=pick.cards))

        def values(ticked: Sequence[int]) -> list[Any]:
            return [picks[place].value for place in ticked]

        def check(ticked: list[int]) -> str | None:
            made = question.combine(values(ticked))
            return None if isinstance(made, Action) else self._words.say(Reason("reason." + made.key, made.args))

        def status(ticked: list[int]) -> str:
            said = question.status(values(ticked))
            return self._words.say(said) if said else ""

        message = self._words.say(question.message)
        ticks = Ticks(check, status, self._ticked)
        answer: list[int] | Key | None = self._screen.choose(draw, message, offers, keys, foot, ticks=ticks, hint=hint)
        if answer is None or isinstance(answer, Key):
            return answer
        made = question.combine(values(answer))
        assert isinstance(made, Action)
        return made


def _led(draw: Draw, question: Question) -> Draw:
    """The picture with the further question that leads to the advised action as the advised offer, if one does."""
    if not isinstance(draw, Picture) or draw.advised in question.actions:
        return draw
    return replace(draw, advised=next((way for _, way in question.more if _leads(way, draw.advised)), draw.advised))


def _leads(question: Question, action: object) -> bool:
    """Whether an action is among those of a question or of its further questions."""
    return action in question.actions or any(_leads(further, action) for _, further in question.more)


def _start(question: Question) -> Action | Question | None:
    """The first action, or the further question that contains it, where the pointer starts."""
    further = (each for _, each in question.more if question.first in each.actions)
    return question.first if question.first in question.actions else next(further, None)


def ways_to_type(action: Action) -> tuple[str, ...]:
    """The texts that find an action: its notation, from the first or second word on, and its card or suit."""
    suits = [SYMBOLS[suit] for suit in map(str, action.args) if suit in SYMBOLS]
    return (action.text, action.text.partition(" ")[2], *names_of(action.cards[:1]), *suits)


def names_of(cards: Sequence[Card]) -> tuple[str, ...]:
    """All spellings of cards: ``TC``, ``10C``, ``♣10``.

    None begins with the letter of a suit, which might be a key of the foot."""
    found = []
    for card in cards:
        rank, suit = NAMES[card][0], NAMES[card][1]
        for written in {rank, "10" if rank == "T" else rank}:
            found += [written + suit, written + SYMBOLS[suit], SYMBOLS[suit] + written]
    return tuple(found)


def card_letters(match: Match, seat: int, layout: Layout) -> dict[Card, str]:
    """The letter of each card of ``seat``, or none for the last cards of a very large hand.

    Letters depend only on the deal's actions, so that a continued match has the same ones."""
    game = match.game
    free = [letter for letter in FREE if letter not in layout.LETTERS.values()]
    letters: dict[Card, str] = {}
    held: tuple[Card, ...] = ()
    for step in _of_this_deal(game, match.steps):
        before, held = held, game.hands(step.after)[seat - 1]
        if held != before:
            letters = {card: letter for card, letter in letters.items() if card in held}
            left = iter([letter for letter in free if letter not in letters.values()])
            new = [card for card in layout.scene(game.observation(step.after, seat)).hand if card not in letters]
            letters |= dict(zip(dict.fromkeys(new), left, strict=False))
    return letters


def _of_this_deal(game: AnyGame, steps: Any) -> list[Step]:
    begun = [place for place, step in enumerate(steps) if step.by == CHANCE and game.deal_over(step.before)]
    return list(steps[begun[-1] if begun else 0 :])


def letter_of(letters: Mapping[str, str], *names: str) -> str:
    """The first letter found for one of the ``names``."""
    return next((letters[name] for name in names if name in letters), "")
