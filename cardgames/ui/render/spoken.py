"""The table in words, line by line, for speech and braille: no columns, boxes or piles of chips."""

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
    Taken,
)
from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.drawing import Painter
from cardgames.ui.render.line_breaking import joined
from cardgames.ui.render.pages import NOTHING, Log, markdown
from cardgames.ui.screens.offers import ONLY_NEW, Draw
from cardgames.ui.settings import Settings


def page(text: str, words: Words, plain: bool) -> Draw:
    """A page of Markdown, drawn or spoken."""
    if plain:
        said = _said(text, words)
        return lambda width, rows: said
    return lambda width, rows: markdown(text, width)


def rules(game: str, settings: Settings) -> Draw:
    """The page of a game's rules in the player's language."""
    return page(rules_page(settings.language, game), Words(settings.language), settings.plain)


def _said(text: str, words: Words) -> str:
    """A page of Markdown as a line for each paragraph, list item and table row, with headings in bold."""
    from rich.markdown import Markdown

    lines: list[str] = []
    heads: list[str] = []
    cells: list[str] = []
    inside = point = ""
    for token in Markdown(joined(text)).parsed:
        if token.type == "inline":
            said = "".join([" " if part.type == "softbreak" else part.content for part in token.children or ()])
            if inside == "heading_open":
                lines += ["", f"\x1b[1m{said}\x1b[0m"]
            elif inside in ("th_open", "td_open"):
                cells.append(said)
            else:
                lines.append(point + said)
                point = ""
        elif token.type == "list_item_open":
            point = f"{token.info}. " if token.info else "- "
        elif token.type == "tr_open":
            cells = []
        elif token.type == "thead_close":
            heads = cells
        elif token.type == "tr_close" and inside == "td_open":
            pairs = [(cells[0], cells[1])] if len(cells) == 2 else zip(heads, cells, strict=True)
            row = [f"{words.text('field', text=head)} {cell}" if head else cell for head, cell in pairs if cell]
            if not cells[0]:  # a row that continues the one above
                row = [lines.pop(), *filter(None, cells)]
            lines.append(words.text("semicolon").join(row))
        if token.type.endswith("_open"):
            inside = token.type
    return "\n".join(lines).strip("\n")


class SpokenPainter(Painter):
    """A painter that says scenes, sheets and texts, one fact a line. Widths are ignored, as lines are never cut."""

    def scene(
        self,
        scene: Scene,
        width: int,
        rows: int,
        head: str = "",
        log: Log = NOTHING,
        turn: int | None = None,
        beside: bool = False,
    ) -> str:
        if scene.boss != self.boss:
            return SpokenPainter(self.words, self.look, scene.boss).scene(scene, width, rows, head, log, turn)
        if rows == ONLY_NEW:
            offered = scene.playable or frozenset()
            hand = Text() if offered.issuperset(scene.hand) else self._holding(scene)
            return self._text([*map(self._message, log.new), hand])
        lines = [self._listed([Text(head), *self._facts(scene)])]
        lines += [self._player(player, player.seat == turn) for player in scene.players]
        for block in scene.middle:
            lines += self._said(block)
        lines += [self._message(message) for message in log.new]
        return self._text([*lines, self._holding(scene)])

    def _holding(self, scene: Scene) -> Text:
        return self._labelled(Text(self.words.text("your_hand")), [self._cards(scene.hand)]) if scene.hand else Text()

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        lines = [Text(head), *self._columns(sheet.columns)]
        for note in sheet.notes:
            lines += self._columns(note) if isinstance(note, Columns) else [self._message(note)]
        return self._text(lines)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", told: Sequence[Reason] = ()) -> str:
        """Blocks, then the messages ``told``, which also name each card of a trick."""
        lines = [Text(head)]
        for block in blocks:
            lines += [] if told and isinstance(block, FinishedTrick) else self._said(block)
        return self._text([*lines, *[self._message(message) for message in told]])

    def note(self, messages: Sequence[Reason], width: int, rows: int) -> str:
        return self._text([self._message(message) for message in messages])

    @staticmethod
    def _text(lines: Iterable[Text]) -> str:
        return "".join(f"{line.plain}\n" for line in lines if line)

    def _listed(self, pieces: Iterable[Text]) -> Text:
        return Text(self.words.text("comma")).join([piece for piece in pieces if piece])

    def _labelled(self, label: Text, pieces: Iterable[Text]) -> Text:
        """``label: piece, piece``, without the colon if there is no piece."""
        listed = self._listed(pieces)
        return Text(self.words.text("field", text=label.plain) + " ").append_text(listed) if listed else label

    def _player(self, player: SeatView, here: bool) -> Text:
        pieces = [Text(self.words.text("plain_turn"))] if here else []
        pieces += [self._message(player.aside)] if player.aside else []
        pieces += [self._part(mark) for mark in player.marks]
        pieces += [self._message(player.score)] if player.score else []
        pieces += [self._tally(player.tally)] if player.tally else []
        pieces += [] if player.chips is None else [self._chips(player.chips)]
        pieces += [] if player.resting else [Text(self.words.text("cards_held", count=player.cards).strip())]
        pieces += [Text("(").append_text(self._cards(player.shown)).append(")")] if player.shown else []
        pieces += [self._cards(player.played)] if player.played else []
        pieces += [self._winning(player)] if player.winning else []
        return self._labelled(Text(self.words.name(player.seat)), pieces)

    def _chips(self, count: int, terse: bool = False) -> Text:
        return Text(self.words.text("debt" if count < 0 else "plain_chips", count=abs(count)))

    def _tally(self, tally: MarkCount) -> Text:
        return self._message(tally.label).append(f" {tally.number}/{tally.goal}")

    def _cards(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        """The cards, with a word after a marked one; of two equal ones the later is marked."""
        said, meant = [], list(marked)
        for card in reversed(tuple(cards)):
            said.append(super()._cards([card]))
            if card in meant:
                meant.remove(card)
                said[-1].append(f" ({self.words.text('plain_marked')})")
        return Text(" ").join(said[::-1])

    def _mark(self, card: Card) -> str:
        return f" ({self.words.text('plain_boss')})" if card == self.boss else ""

    def _message(self, message: Reason) -> Text:
        return Text(self.words.say(message))

    def _said(self, block: Block) -> list[Text]:
        """A block as a line for each thing in it."""
        if isinstance(block, Pairs):
            return [self._pair(attack, beater) for attack, beater in block.pairs] or [
                Text(self.words.text("table_empty"))
            ]
        if isinstance(block, Row):
            return [self._labelled(self._message(block.label), [self._cards(block.cards, block.marked)])]
        if isinstance(block, Line):
            return [self._message(block.message)]
        if isinstance(block, Chips):
            return [self._labelled(self._message(block.label), self._stake(block))]
        if isinstance(block, Sides):
            return [
                self._labelled(
                    self._message(side.label),
                    [self._chips(side.chips), *map(self._message, side.marks), self._cards(side.cards)],
                )
                for side in block.sides
            ]
        if isinstance(block, Grid):
            return self._tricks(block)
        if isinstance(block, Piles):
            return self._in_words(block)
        return self._columns(block.columns if isinstance(block, FinishedTrick | Taken) else block)

    def _pair(self, attack: Card, beater: Card | None) -> Text:
        said = [Text(f"{self.words.text('attack_row')} ").append_text(self._card(attack))]
        if beater is not None:
            said.append(Text(f"{self.words.text('beaten_row')} ").append_text(self._card(beater)))
        return self._listed(said)

    def _stake(self, block: Chips) -> list[Text]:
        pieces = [self._chips(block.number)]
        if block.becomes is not None:
            new = self._message(block.becomes) if isinstance(block.becomes, Reason) else self._chips(block.becomes)
            pieces.append(Text(self.words.text("plain_becomes", text=new.plain)))
        return pieces

    def _tricks(self, grid: Grid) -> list[Text]:
        """A line for each row of a grid: each card after its head."""
        heads = [self._message(head) for head in grid.heads]
        lines = []
        for row in grid.rows:
            pieces = [
                head.copy().append(" ").append_text(self._cards([card], grid.marked))
                for head, card in zip(heads, row.cards, strict=False)
                if card is not None
            ]
            lines.append(
                self._labelled(self._message(row.label), [*pieces, *([self._message(row.end)] if row.end else [])])
            )
        return lines

    def _in_words(self, block: Piles) -> list[Text]:
        """A line for each pile: its cards, the cards that may or cannot come. Untouched piles are left out.

        Empty piles that no card can join are named together."""
        over = [pile.label for pile in block.piles if not (pile.cards or pile.lacking)]
        said = [
            self._labelled(
                Text(pile.label),
                [
                    self._cards(pile.cards),
                    *[
                        Text(self.words.text(key)).append(" ").append_text(self._cards(cards))
                        for key, cards in (("plain_lacking", pile.lacking), ("plain_gone", pile.gone))
                        if cards
                    ],
                ],
            )
            for pile in block.piles
            if pile.cards or (pile.gone and pile.lacking)
        ]
        return [*said, Text(self.words.text("plain_finished", values=tuple(over)))] if over else said

    def _columns(self, block: Columns) -> list[Text]:
        """A line for each row of a table: its label, then each head with its value."""
        heads = [self._cell(cell) for cell in block.head]
        figures = any(head.plain[-1:].isdigit() for head in heads)  # separated from numbers below
        lines = []
        for row in block.rows:
            first, *cells = [self._cell(cell) for cell in row]
            pieces = [
                self._labelled(head, [cell]) if figures else Text(" ").join(filter(None, (head, cell)))
                for head, cell in zip(heads[1:], cells, strict=True)
                if cell
            ]
            lines.append(self._labelled(first, pieces))
        return lines
