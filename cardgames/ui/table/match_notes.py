"""The notes that the store keeps on a match besides its actions, as the table shows them."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime

from cardgames.layout.scene import Columns, Message
from cardgames.match import Commitment
from cardgames.match.table_state import ChatMessage
from cardgames.store import Store
from cardgames.ui.messages import Words


class MatchNotes:
    """The notes on a match: session, hints, stand-ins, chat and commitment.

    Every method raises the errors of the store."""

    def __init__(self, store: Store, match: int, persist: Callable[[Callable[[], object]], object]) -> None:
        """``persist`` runs functions that write to the store; see :meth:`PatientJournal.persist`."""
        self._store = store
        self._match = match
        self._persist = persist
        self.is_untold: Callable[[], bool] = lambda: False
        """Whether the end of the match must not be shown at this terminal yet."""

    def tally(self) -> tuple[Message | Columns, ...]:
        """The matches and points that each has won in this session; nothing until a match has ended."""
        chain, hidden = self._store.rematch_chain(self._match), self._match if self.is_untold() else None
        over = [match for match in chain if match.outcome and match.id != hidden]
        if not over:
            return ()
        seats = range(1, over[0].seats + 1)
        won = dict.fromkeys(seats, 0)
        points = dict.fromkeys(seats, 0)
        for match in over:
            assert match.outcome
            for seat, earned in zip(seats, self._points(match.id), strict=True):
                won[seat] += seat in match.outcome.winners
                points[seat] += earned
        rows = tuple((Message("name", {"seat": seat}), won[seat], points[seat]) for seat in seats)
        head = (Message("head.player"), Message("head.matches_won"), Message("head.points_won"))
        return Message("sitting", {"count": len(over)}), Columns(head, rows)

    def _points(self, match: int) -> tuple[int, ...]:
        """The points of each seat in a match. Scores would not do because some games restart them within a match."""
        header, moves = self._store.load(match)
        game = header.new_game()
        state = game.start()
        for _, act in moves:
            state = game.apply(state, game.parse(act))
        return game.payoff(state)

    def matches_won(self, words: Words) -> str:
        """The matches won by each player in this session; empty during its first match."""
        played = self._store.rematch_chain(self._match)
        if len(played) < 2:
            return ""
        won = Counter(seat for match in played if match.outcome for seat in match.outcome.winners)
        return words.text("comma").join(
            words.text("tally_of", seat=seat, count=won[seat]) for seat in range(1, played[0].seats + 1)
        )

    def said(self, words: Words, talk: bool, since: datetime | None = None) -> list[tuple[datetime, Message]]:
        """Messages about undos, and with ``talk`` chat messages, each with its time: all, or those after ``since``."""
        undone = [
            (undo.at, Message("event.undone", {"seat": undo.by, "count": len(undo.actions)}))
            for undo in self._store.undos(self._match)
        ]
        said = [
            (word.at, chat_line(word, words)) for word in self._store.chat_messages(self._match) if word.at and talk
        ]
        return sorted([pair for pair in (*said, *undone) if since is None or pair[0] > since], key=lambda pair: pair[0])

    def note_hint(self, seat: int) -> None:
        """Note that a seat was given a hint."""
        self._persist(lambda: self._store.note_hint(self._match, seat))

    def note_substitute(self, seat: int, level: str) -> None:
        """Note the new player of a seat: a computer of that level, or ``PERSON`` for the seat's own player."""
        self._persist(lambda: self._store.note_substitute(self._match, seat, level))

    def notes(self) -> list[Message]:
        """The number of hints of each seat, and the commitment."""
        return [*hints_had(self._store.hints(self._match)), *self.promised()]

    @property
    def promise(self) -> Commitment | None:
        """The commitment to the shuffles; ``None`` if there is none."""
        found = self._store.commitment(self._match)
        return found._replace(secret=None) if found and self.is_untold() else found

    def promised(self) -> list[Message]:
        """Messages about the commitment, if any, and its secret once the match is over."""
        promise = self.promise
        if promise is None:
            return []
        found = [Message("promise", {"value": in_halves(promise.hash)})]
        found += [Message("promise_added", {"seat": seat, "value": said}) for seat, said in promise.contributions]
        if promise.secret:
            found.append(Message("promise_secret", {"value": in_halves(promise.secret.hex())}))
        return found


def in_halves(digits: str) -> str:
    """The 64 digits of a hash as two words, which fit a window of 60 columns; ``verify`` accepts both forms."""
    return f"{digits[:32]} {digits[32:]}"


def hints_had(hints: Mapping[int, int]) -> list[Message]:
    """The number of hints of each seat that had any."""
    return [Message("hints_had", {"seat": seat, "number": count}) for seat, count in sorted(hints.items())]


def chat_line(word: ChatMessage, words: Words) -> Message:
    """A chat message in the reader's language, if it is ready-made."""
    key = f"phrase.{word.phrase}"
    text = words.text(key) if word.phrase is not None and words.knows(key) else word.text
    return (
        Message("said", {"by": word.by, "text": text})
        if word.by
        else Message("said_aside", {"name": word.name or words.text("spectator"), "text": text})
    )
