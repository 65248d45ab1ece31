"""The table as lines of text for speech and braille, without columns, boxes or piles of chips."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from cardgames.engine.cards import Card
from cardgames.engine.game import Reason
from cardgames.layout.scene import (
    Block,
    Chips,
    Columns,
    FinishedTrick,
    Grid,
    Line,
    MarkCount,
    Pairs,
    Piles,
    Row,
    Scene,
    SeatView,
    Sheet,
    Sides,
    TakenCards,
)
from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.drawing import Painter
from cardgames.ui.render.line_breaking import join_japanese_lines
from cardgames.ui.render.pages import EMPTY_LOG, Log, markdown
from cardgames.ui.screens.offers import ONLY_NEW, Draw
from cardgames.ui.settings import Settings


def page(text: str, words: Words, plain: bool) -> Draw:
    """A function that draws a page of Markdown; if ``plain`` as lines for speech."""
    if plain:
        spoken = _spoken_markdown(text, words)
        return lambda width, rows: spoken
    return lambda width, rows: markdown(text, width)


def rules(game: str, settings: Settings) -> Draw:
    """A function that draws the rules page of a game in the player's language."""
    return page(rules_page(settings.language, game), Words(settings.language), settings.plain)


def _spoken_markdown(text: str, words: Words) -> str:
    """A page of Markdown as lines for speech: one for each paragraph, list item and table row, and bold headings."""
    from rich.markdown import Markdown

    lines: list[str] = []
    heads: list[str] = []
    cells: list[str] = []
    container = bullet = ""
    for token in Markdown(join_japanese_lines(text)).parsed:
        if token.type == "inline":
            content = "".join([" " if part.type == "softbreak" else part.content for part in token.children or ()])
            if container == "heading_open":
                lines += ["", f"\x1b[1m{content}\x1b[0m"]
            elif container in ("th_open", "td_open"):
                cells.append(content)
            else:
                lines.append(bullet + content)
                bullet = ""
        elif token.type == "list_item_open":
            bullet = f"{token.info}. " if token.info else "- "
        elif token.type == "tr_open":
            cells = []
        elif token.type == "thead_close":
            heads = cells
        elif token.type == "tr_close" and container == "td_open":
            pairs = [(cells[0], cells[1])] if len(cells) == 2 else zip(heads, cells, strict=True)
            row = [f"{words.text('field', text=head)} {cell}" if head else cell for head, cell in pairs if cell]
            if not cells[0]:  # a row that continues the one above
                row = [lines.pop(), *filter(None, cells)]
            lines.append(words.text("semicolon").join(row))
        if token.type.endswith("_open"):
            container = token.type
    return "\n".join(lines).strip("\n")


class SpokenPainter(Painter):
    """A painter that writes scenes, sheets and notes for speech, one fact a line. It ignores widths."""

    def scene(
        self,
        scene: Scene,
        width: int,
        rows: int,
        head: str = "",
        log: Log = EMPTY_LOG,
        turn: int | None = None,
        beside: bool = False,
    ) -> str:
        if scene.boss != self.boss:
            return SpokenPainter(self.words, self.look, scene.boss).scene(scene, width, rows, head, log, turn)
        if rows == ONLY_NEW:
            offered = scene.playable or frozenset()
            hand = Text() if offered.issuperset(scene.hand) else self._holding(scene)
            return self._text([*map(self._message_text, log.new), hand])
        lines = [self._listed([Text(head), *self._facts(scene)])]
        lines += [self._player(player, player.seat == turn) for player in scene.players]
        for block in scene.middle:
            lines += self._spoken_lines(block)
        lines += [self._message_text(message) for message in log.new]
        return self._text([*lines, self._holding(scene)])

    def _holding(self, scene: Scene) -> Text:
        return (
            self._labelled(Text(self.words.text("your_hand")), [self._cards_text(scene.hand)]) if scene.hand else Text()
        )

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        lines = [Text(head), *self._columns(sheet.columns)]
        for note in sheet.notes:
            lines += self._columns(note) if isinstance(note, Columns) else [self._message_text(note)]
        return self._text(lines)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", messages: Sequence[Reason] = ()) -> str:
        """Write blocks, then the messages. Messages replace finished tricks, as they name the same cards."""
        lines = [Text(head)]
        for block in blocks:
            lines += [] if messages and isinstance(block, FinishedTrick) else self._spoken_lines(block)
        return self._text([*lines, *[self._message_text(message) for message in messages]])

    def note(self, messages: Sequence[Reason], width: int, rows: int) -> str:
        return self._text([self._message_text(message) for message in messages])

    @staticmethod
    def _text(lines: Iterable[Text]) -> str:
        return "".join(f"{line.plain}\n" for line in lines if line)

    def _listed(self, pieces: Iterable[Text]) -> Text:
        return Text(self.words.text("comma")).join([piece for piece in pieces if piece])

    def _labelled(self, label: Text, pieces: Iterable[Text]) -> Text:
        """A text ``label: piece, piece``, or the label alone if there are no pieces."""
        listed = self._listed(pieces)
        return Text(self.words.text("field", text=label.plain) + " ").append_text(listed) if listed else label

    def _player(self, player: SeatView, here: bool) -> Text:
        pieces = [Text(self.words.text("plain_turn"))] if here else []
        pieces += [self._message_text(player.aside)] if player.aside else []
        pieces += [self._mark_text(mark) for mark in player.marks]
        pieces += [self._message_text(player.score)] if player.score else []
        pieces += [self._tally_text(player.tally)] if player.tally else []
        pieces += [] if player.chips is None else [self._chips_text(player.chips)]
        pieces += [] if player.resting else [Text(self.words.text("cards_held", count=player.cards).strip())]
        pieces += [Text("(").append_text(self._cards_text(player.shown)).append(")")] if player.shown else []
        pieces += [self._cards_text(player.played)] if player.played else []
        pieces += [self._winning_text(player)] if player.winning else []
        return self._labelled(Text(self.words.name(player.seat)), pieces)

    def _chips_text(self, count: int, terse: bool = False) -> Text:
        return Text(self.words.text("debt" if count < 0 else "plain_chips", count=abs(count)))

    def _tally_text(self, tally: MarkCount) -> Text:
        return self._message_text(tally.label).append(f" {tally.number}/{tally.goal}")

    def _cards_text(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        """The cards in a row, with a word after each of the ``marked``. Of two equal cards the later one is marked."""
        texts, to_mark = [], list(marked)
        for card in reversed(tuple(cards)):
            texts.append(super()._cards_text([card]))
            if card in to_mark:
                to_mark.remove(card)
                texts[-1].append(f" ({self.words.text('plain_marked')})")
        return Text(" ").join(texts[::-1])

    def _boss_mark(self, card: Card) -> str:
        return f" ({self.words.text('plain_boss')})" if card == self.boss else ""

    def _message_text(self, message: Reason) -> Text:
        return Text(self.words.say(message))

    def _spoken_lines(self, block: Block) -> list[Text]:
        """The lines for a block, one fact a line."""
        if isinstance(block, Pairs):
            return [self._pair(attack, beater) for attack, beater in block.pairs] or [
                Text(self.words.text("table_empty"))
            ]
        if isinstance(block, Row):
            return [self._labelled(self._message_text(block.label), [self._cards_text(block.cards, block.marked)])]
        if isinstance(block, Line):
            return [self._message_text(block.message)]
        if isinstance(block, Chips):
            return [self._labelled(self._message_text(block.label), self._stake(block))]
        if isinstance(block, Sides):
            return [
                self._labelled(
                    self._message_text(side.label),
                    [self._chips_text(side.chips), *map(self._message_text, side.marks), self._cards_text(side.cards)],
                )
                for side in block.sides
            ]
        if isinstance(block, Grid):
            return self._tricks(block)
        if isinstance(block, Piles):
            return self._in_words(block)
        return self._columns(block.columns if isinstance(block, FinishedTrick | TakenCards) else block)

    def _pair(self, attack: Card, beater: Card | None) -> Text:
        pieces = [Text(f"{self.words.text('attack_row')} ").append_text(self._card_text(attack))]
        if beater is not None:
            pieces.append(Text(f"{self.words.text('beaten_row')} ").append_text(self._card_text(beater)))
        return self._listed(pieces)

    def _stake(self, block: Chips) -> list[Text]:
        pieces = [self._chips_text(block.number)]
        if block.becomes is not None:
            new = (
                self._message_text(block.becomes)
                if isinstance(block.becomes, Reason)
                else self._chips_text(block.becomes)
            )
            pieces.append(Text(self.words.text("plain_becomes", text=new.plain)))
        return pieces

    def _tricks(self, grid: Grid) -> list[Text]:
        """A line for each row of a grid: each card with the head of its column before it."""
        heads = [self._message_text(head) for head in grid.heads]
        lines = []
        for row in grid.rows:
            pieces = [
                head.copy().append(" ").append_text(self._cards_text([card], grid.marked))
                for head, card in zip(heads, row.cards, strict=False)
                if card is not None
            ]
            lines.append(
                self._labelled(
                    self._message_text(row.label), [*pieces, *([self._message_text(row.end)] if row.end else [])]
                )
            )
        return lines

    def _in_words(self, block: Piles) -> list[Text]:
        """A line for each pile: its cards, the cards still to come, and the cards out of play.

        Untouched piles are left out. Finished piles share a last line."""
        finished = [pile.label for pile in block.piles if not (pile.cards or pile.lacking)]
        lines = [
            self._labelled(
                Text(pile.label),
                [
                    self._cards_text(pile.cards),
                    *[
                        Text(self.words.text(key)).append(" ").append_text(self._cards_text(cards))
                        for key, cards in (("plain_lacking", pile.lacking), ("plain_gone", pile.gone))
                        if cards
                    ],
                ],
            )
            for pile in block.piles
            if pile.cards or (pile.gone and pile.lacking)
        ]
        return [*lines, Text(self.words.text("plain_finished", values=tuple(finished)))] if finished else lines

    def _columns(self, block: Columns) -> list[Text]:
        """A line for each row of a table: the row's label, then each value after the head of its column."""
        heads = [self._cell_text(cell) for cell in block.head]
        figures = any(head.plain[-1:].isdigit() for head in heads)  # separated from numbers below
        lines = []
        for row in block.rows:
            first, *cells = [self._cell_text(cell) for cell in row]
            pieces = [
                self._labelled(head, [cell]) if figures else Text(" ").join(filter(None, (head, cell)))
                for head, cell in zip(heads[1:], cells, strict=True)
                if cell
            ]
            lines.append(self._labelled(first, pieces))
        return lines
