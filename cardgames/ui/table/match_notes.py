"""The store's notes on a match besides its actions, as messages for the table."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from cardgames.engine.game import Message
from cardgames.layout.scene import Columns
from cardgames.match import Commitment
from cardgames.store import Store, Summary
from cardgames.ui.messages import Words

if TYPE_CHECKING:
    from cardgames.match.table_state import ChatMessage


@dataclass(eq=False, repr=False)
class MatchNotes:
    """The notes on a match: earlier matches of the session, hints, stand-ins, chat and commitment.

    Every method raises the errors of the store."""

    _store: Store
    _match: int
    _persist: Callable[[Callable[[], object]], object]
    """Calls a function that writes to the store; see :meth:`StoredJournal.persist`."""
    hides_end: Callable[[], bool] = lambda: False
    """Returns whether this terminal must not show the end of the match yet."""
    is_muted: "Callable[[ChatMessage], bool]" = lambda chat: False
    """Returns whether a chat message is not shown here."""

    def tally(self) -> tuple[Message | Columns, ...]:
        """A heading and a table of the matches and points won by each player in this session.

        Empty until a match has ended."""
        hidden = self._match if self.hides_end() else None
        finished = [each for each in self._store.rematch_chain(self._match) if each.outcome and each.id != hidden]
        if not finished:
            return ()
        won = _wins(finished)
        # Computed from the actions, because some games restart the stored scores during a match.
        states = [self._store.last_state(match.id) for match in finished]
        points = map(sum, zip(*[game.payoff(state) for game, state in states], strict=True))
        rows = [(Message("name", {"seat": seat}), won[seat], earned) for seat, earned in enumerate(points, 1)]
        head = (Message("head.player"), Message("head.matches_won"), Message("head.points_won"))
        return Message("sitting", {"count": len(finished)}), Columns(head, tuple(rows))

    def wins(self) -> Mapping[int, int]:
        """The number of matches that each seat has won in this session; empty during the first match."""
        matches = self._store.rematch_chain(self._match)
        won = _wins(matches)
        return {seat: won[seat] for seat in range(1, matches[0].seats + 1)} if len(matches) > 1 else {}

    def chat_and_undos(self, words: Words, talk: bool, since: datetime | None = None) -> list[tuple[datetime, Message]]:
        """Messages about undos, each with its time, the oldest first. If ``talk``, chat messages are included.

        ``since``: leave out messages up to this time."""
        chats = self._store.chat_messages(self._match) if talk else ()
        lines = [(chat.at, chat_line(chat, words)) for chat in chats if chat.at and not self.is_muted(chat)]
        for undo in self._store.undos(self._match):
            lines.append((undo.at, Message("event.undone", {"seat": undo.by, "count": len(undo.actions)})))
        return sorted([line for line in lines if since is None or line[0] > since], key=lambda line: line[0])

    def spectators(self) -> set[str]:
        return {chat.name for chat in self._store.chat_messages(self._match) if not chat.by}

    def note_hint(self, seat: int) -> None:
        self._persist(lambda: self._store.note_hint(self._match, seat))

    def note_substitute(self, seat: int, level: str) -> None:
        """Store that from now on a stand-in of ``level`` plays for a seat.

        The level ``PERSON`` means that the seat's own player plays again."""
        self._persist(lambda: self._store.note_substitute(self._match, seat, level))

    def notes(self) -> list[Message]:
        return [*hint_messages(self._store.hints(self._match)), *self.commitment_messages()]

    @property
    def commitment(self) -> Commitment | None:
        """The commitment to the shuffles, if any; without its secret if this terminal must not show the end yet."""
        found = self._store.commitment(self._match)
        return found._replace(secret=None) if found and self.hides_end() else found

    def repeats(self) -> list[Message]:
        """A list with the message that this match has the cards of the match before it; an empty list for new cards."""
        before, commitment = self._store.match(self._match).follows, self.commitment
        if before is None or commitment is None:
            return []
        earlier = self._store.commitment(before)
        return [Message("same_cards", {"number": before})] if earlier and earlier.hash == commitment.hash else []

    def commitment_messages(self) -> list[Message]:
        """Messages about the commitment, if any, and about its secret once the match is over."""
        commitment = self.commitment
        if commitment is None:
            return []
        found = [*self.repeats(), Message("promise", {"value": split_hash(commitment.hash)})]
        found += [Message("promise_added", {"seat": seat, "value": value}) for seat, value in commitment.contributions]
        if commitment.secret:
            found.append(Message("promise_secret", {"value": split_hash(commitment.secret.hex())}))
        return found


def _wins(matches: Iterable[Summary]) -> Counter[int]:
    return Counter(seat for match in matches if match.outcome for seat in match.outcome.winners)


def split_hash(digits: str) -> str:
    """Split the 64 digits of a hash into two words, for a window of 60 columns. ``verify`` accepts both forms."""
    return f"{digits[:32]} {digits[32:]}"


def hint_messages(hints: Mapping[int, int]) -> list[Message]:
    """A message about the number of hints of each seat. ``hints`` maps seats to these numbers."""
    return [Message("hints_had", {"seat": seat, "number": count}) for seat, count in sorted(hints.items())]


def chat_line(chat: "ChatMessage", words: Words) -> Message:
    """The line for a chat message. A ready-made phrase is in the reader's language."""
    key = f"phrase.{chat.phrase}"
    text = words.text(key) if chat.phrase is not None and words.knows(key) else chat.text
    if chat.by:
        return Message("said", {"by": chat.by, "text": text})
    return Message("said_aside", {"name": chat.name or words.text("spectator"), "text": text})
