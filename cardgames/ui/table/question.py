"""Questions for a move: legal and refused actions as offers on a screen."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.game import Action, Message, Observation
from cardgames.layout import Layout
from cardgames.layout.question import Question
from cardgames.ui.render.charset import SYMBOLS
from cardgames.ui.screens.offers import ESCAPE, KEYS, FormState, Key, Offer, Picture, Ticks
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.view import View

HAND_LETTERS = "abefgijkmnvwxyz"
"""The letters for the cards of a hand; first those that mean nothing else in the game."""


class AdvanceMove(NamedTuple):
    """A move given in advance: a standing order for one's own questions of this kind, or an agreed move."""

    action: Action
    seats: tuple[int, ...] = ()
    """The seats of the people at one keyboard who have agreed to make the move; empty for a standing order."""


Reply: TypeAlias = Action | Question | Key | None
"""An action, a further question, a key of the foot, or ``None`` for the way back."""


class MovePrompt:
    """The question for one move. When a key interrupts it, the ticks and the opened further questions stay."""

    def __init__(self, screen: Screen, view: View, observation: Observation, keys: Mapping[str, Any] = KEYS) -> None:
        """``keys`` maps the keys at the foot to their answers."""
        self.observation = observation
        self.orders: dict[int, AdvanceMove] | None = None
        """Takes a standing order, by its seat; ``None`` where no order can be given."""
        self._screen = screen
        self._keys = keys
        self._view = view
        self._words = view.words
        self._layout = view.layout
        self._first = view.question(observation)
        self._path: list[int] = []
        """The index of each open further question in the ``further`` of the question from which it was opened."""
        self._states = [FormState()]
        """The state of the first question, and of each open further question, while a key interrupts it."""
        self._last_closed: Question | None = None
        """The further question that was closed last, at which the pointer starts."""
        self._ticked = list(self._first.ticked)

    @property
    def _question(self) -> Question:
        """The current question: the first one, or the further question that was opened last."""
        question = self._first
        for index in self._path:
            _, further = question.further[index]
            question = further if further.preselected else further._replace(preselected=question.preselected)
        return question

    @property
    def _refused(self) -> list[tuple[Action, Message]]:
        """The refused actions with their reasons, in the order of the hand. Those without cards come last."""
        hand = self._view.scene(self.observation).hand
        places: dict[tuple[Card, ...], int] = {(card,): place for place, card in enumerate(hand)} | {(): len(hand)}
        return sorted(self.observation.refused, key=lambda refused: places.get(refused[0].cards[:1], 0))

    def sort(self) -> None:
        """Sort the questions as the view now does. An open further question stays open, and ticks stay."""
        values = [self._question.picks[index].value for index in self._ticked]
        self._first, self._ticked = self._view.question(self.observation), []
        for index, pick in enumerate(self._question.picks):
            if pick.value in values:
                values.remove(pick.value)  # one tick for each, as equal picks may be listed twice
                self._ticked.append(index)

    def ask(self, draw: Picture, hint: "Future[Any] | None" = None) -> Action | Key:
        """Ask for a move under a picture; return the action or a pressed key of the foot.

        After a key, another call continues the question. When ``hint`` is ready, return ``Key.HINT``."""
        while True:
            question = self._question
            self._card_letters = self._letters_of_cards(question)
            keys = {**self._keys, ESCAPE: None} if self._path else self._keys
            shown, message = _with_advised_question(draw, question), self._words.say(question.message)
            choose = partial(self._screen.choose, shown, message, keys=keys, hint=hint, state=self._states[-1])
            ask = self._ask_for_ticks if question.picks else self._ask_for_choice
            answer = ask(question, choose)
            if isinstance(answer, Action | Key):
                return answer
            if answer is None:
                self._states.pop()
                index = self._path.pop()
                _, self._last_closed = self._question.further[index]
            else:
                self._path.append([further for _, further in question.further].index(answer))
                self._states.append(FormState())
            self._ticked = list(self._question.ticked)

    def _letters_of_cards(self, question: Question) -> dict[Card, str]:
        """The letter of each card in a question, in which some letters mean other choices."""
        letters = self._layout.LETTERS
        actions = (*question.actions, *[action for action, _ in self._refused])
        used = {letter_of(letters, action.text, action.kind) for action in actions}
        used |= {letter_of(letters, *_further_names(label)) for label, _ in question.further}
        used.add(letter_of(letters, "standing"))
        return card_letters(self._view.scene(self.observation).hand, self._layout, used)

    def _ask_for_choice(self, question: Question, choose: Callable[..., Any]) -> Reply:
        """Ask a question without ticks by calling ``choose``; return the answer.

        Refused actions are greyed: all in the first question, then those that begin as an offered one."""
        letters = self._layout.LETTERS
        beginnings = {(action.kind, action.args[:1]) for action in question.actions}
        refused = [each for each in self._refused if not self._path or (each[0].kind, each[0].args[:1]) in beginnings]
        offers: list[Offer] = []
        for label, further in question.further:
            letter = letter_of(letters, *_further_names(label))
            offers.append(Offer(further, self._words.say(label), letters=letter))
        offers += [self._offer(question, action) for action in question.actions]
        for _, further in question.further:
            is_split = not any(action.cards or action in question.actions for action in further.actions)
            if is_split:  # in a list split in two, a move typed in full needs no second question
                hidden = [self._offer(further, action) for action in further.actions]
                offers += [offer._replace(unlisted=True, letters="") for offer in hidden]
        if question.standing and self.orders is not None:
            order = AdvanceMove(question.standing)
            offers.append(Offer(order, self._words.text("standing"), letters=letter_of(letters, "standing")))
        offers += self._refused_offers(question, refused)
        closed = next((further for _, further in question.further if further is self._last_closed), None)
        preselected = question.preselected
        if preselected not in question.actions:
            preselected = _further_with(question, preselected)
        answer: Reply | AdvanceMove = choose(offers, at=closed or preselected)
        if not isinstance(answer, AdvanceMove):
            return answer
        assert self.orders is not None
        self.orders[self.observation.seat] = answer
        return answer.action

    def _offer(self, question: Question, action: Action) -> Offer:
        """The offer of a legal action. A bid can also be typed in its short form, without blanks."""
        message = self._message_for(question, action)
        text = self._words.say(message)
        warning = self._words.text("confirm", text=text) if action in question.costly else None
        typed = [*typed_forms(action)]
        if bid := str(message.args.get("bid", "")).split():
            typed.append("".join([word if word.isdecimal() else self._words.term(word) for word in bid]))
        letter, is_button = self._action_letter(action), bool(letter_of(self._layout.LETTERS, action.text, action.kind))
        brief = self._words.brief(message)
        return Offer(
            action, text, tuple(typed), letter, None, action.cards, confirm=warning, is_button=is_button, brief=brief
        )

    def _action_letter(self, action: Action) -> str:
        """The letter of an action, or of its first card; empty if neither has one."""
        letter = letter_of(self._layout.LETTERS, action.text, action.kind)
        return letter or "".join([self._card_letters.get(card, "") for card in action.cards[:1]])

    def _message_for(self, question: Question, action: Action) -> Message:
        return question.labels.get(action) or self._layout.words(action)

    def _refused_offers(self, question: Question, refused: Sequence[tuple[Action, Message]]) -> Iterator[Offer]:
        """The refused actions as greyed offers. In a list of lines, cards refused for the same reason share one."""
        groups: dict[tuple[Any, ...], list[Action]] = {}
        for action, reason in refused:
            message = self._message_for(question, action)
            alone = None if self._view.settings.plain and "card" in message.args else action
            prefix = "greyed." if self._words.knows("greyed." + reason.key) else "reason."
            why = self._words.say(Message(prefix + reason.key, reason.args))
            others = tuple((name, value) for name, value in message.args.items() if name != "card")
            groups.setdefault((message.key, others, why, alone), []).append(action)
        for (*_, why, alone), actions in groups.items():
            message = self._message_for(question, actions[0])
            if alone is None:
                args = {**message.args, "card": tuple([action.cards[0] for action in actions])}
                message = Message(message.key, args)
            typed = tuple(form for action in actions for form in typed_forms(action))
            letters = "".join(map(self._action_letter, actions))
            shown = alone.cards if alone else ()
            yield Offer(actions[0], self._words.say(message), typed, letters, why, shown)

    def _ask_for_ticks(self, question: Question, choose: Callable[..., Any]) -> Reply:
        """Ask a question with ticks by calling ``choose``; return the action that combines the ticked lines.

        Return a pressed key instead, or ``None`` to go back."""
        picks, letters = question.picks, self._layout.LETTERS
        offers = []
        for index, pick in enumerate(picks):
            key = self._card_letters.get(pick.cards[0], "") if len(pick.cards) == 1 else letters[pick.value]  # a pair
            label = self._words.say(pick.message)
            offers.append(Offer(index, label, card_spellings(pick.cards), key, cards=pick.cards))

        def combined(ticked: Sequence[int]) -> Action | Message:
            return question.combine([picks[index].value for index in ticked])

        def check(ticked: list[int]) -> str | None:
            result = combined(ticked)
            return None if isinstance(result, Action) else self._words.say(Message("reason." + result.key, result.args))

        def status(ticked: list[int]) -> str:
            message = question.status([picks[index].value for index in ticked])
            return self._words.say(message) if message else ""

        answer: list[int] | Key | None = choose(offers, ticks=Ticks(check, status, self._ticked))
        if answer is None or isinstance(answer, Key):
            return answer
        result = combined(answer)
        assert isinstance(result, Action)
        return result


def _with_advised_question(draw: Picture, question: Question) -> Picture:
    """The picture ``draw``. If only a further question offers the advised action, it advises this further question."""
    further = None if draw.advised in question.actions else _further_with(question, draw.advised)
    return draw._replace(advised=further) if further else draw


def _further_with(question: Question, action: object) -> Question | None:
    return next((further for _, further in question.further if action in further.actions), None)


def typed_forms(action: Action) -> tuple[str, ...]:
    """The texts that can be typed for an action.

    They are its notation, its notation without the first word, the spellings of its first card, and its suit."""
    suits = [SYMBOLS[suit] for suit in map(str, action.args) if suit in SYMBOLS]
    return (action.text, action.text.partition(" ")[2], *card_spellings(action.cards[:1]), *suits)


def card_spellings(cards: Sequence[Card]) -> tuple[str, ...]:
    """All spellings of cards, such as ``TC``, ``10C`` and ``♣10``.

    No spelling begins with the letter of a suit, which might be a key of the foot."""
    spellings = []
    for card in cards:
        rank, suit = NAMES[card][0], NAMES[card][1]
        for number in {rank, "10" if rank == "T" else rank}:
            spellings += [number + suit, number + SYMBOLS[suit], SYMBOLS[suit] + number]
    return tuple(spellings)


def card_letters(hand: Sequence[Card], layout: Layout, used: Collection[str]) -> dict[Card, str]:
    """Map each card of a hand to its letter, by its place. The last cards of a very large hand have none.

    Letters that mean something else in the game come last, and not those ``used`` in the question. Letters of pairs of
    cards, as in ``KH+QH``, are free: a question about pairs has no single cards."""
    others = {letter for name, letter in layout.LETTERS.items() if "+" not in name}
    free = sorted([letter for letter in HAND_LETTERS if letter not in others & {*used}], key=others.__contains__)
    return dict(reversed([*zip(hand, free, strict=False)]))  # of equal cards the first counts


def _further_names(label: Message) -> tuple[str, str]:
    """The names under which a layout may have a letter for a further question."""
    return label.key, f"{label.key} {label.args.get('count')}"


def letter_of(letters: Mapping[str, str], *names: str) -> str:
    """The letter for the first of ``names`` that is a key of ``letters``; empty if no name is."""
    return next((letters[name] for name in names if name in letters), "")
