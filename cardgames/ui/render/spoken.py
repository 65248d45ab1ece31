"""The table as lines of text for speech and braille, without columns, boxes or piles of chips."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardgames.engine.cards import Card
from cardgames.engine.game import Message
from cardgames.layout import scene as parts
from cardgames.layout.scene import Block, Columns, MarkCount, Scene, SeatView
from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Line, plain_text
from cardgames.ui.render.line_breaking import join_japanese_lines
from cardgames.ui.render.pages import cell_text, markdown
from cardgames.ui.render.themes import BOLD
from cardgames.ui.screens.offers import Page
from cardgames.ui.settings import Settings


def rules(game: str, settings: Settings) -> Page:
    """The rules page of a game; if the setting ``plain`` is on, as lines for speech."""
    heading, _, text = rules_page(settings.language, game).partition("\n")
    if settings.plain:
        lines = spoken_markdown(text, Words(settings.language))
        return Page(heading.lstrip("# "), body=lambda width, rows: lines)
    return Page(heading.lstrip("# "), body=lambda width, rows: markdown(text, width - 2))


def spoken_markdown(text: str, words: Words) -> list[Line]:
    """A page of Markdown as lines for speech: one for each paragraph, list item and table row, and bold headings."""
    from rich.markdown import Markdown

    lines: list[Line] = []
    heads: list[str] = []
    cells: list[str] = []
    container = bullet = ""  # ``container``: the type of the element that was opened last
    for token in Markdown(join_japanese_lines(text)).parsed:
        if token.type == "inline":
            content = "".join([" " if part.type == "softbreak" else part.content for part in token.children or ()])
            if container == "heading_open":
                lines += ["", [(content, BOLD)]]
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
            row = _spoken_cells(heads, cells, words)
            if not cells[0]:  # a row that continues the one above
                row = [plain_text(lines.pop()), *filter(None, cells)]
            lines.append(words.text("semicolon").join(row))
        if token.type.endswith("_open"):
            container = token.type
    return lines


def _spoken_cells(heads: Sequence[str], cells: Sequence[str], words: Words) -> list[str]:
    """The cells of a table row, each after its head. In a row of two cells the first one is the head of the second."""
    pairs = [(cells[0], cells[1])] if len(cells) == 2 else zip(heads, cells, strict=True)
    return [f"{words.text('field', text=head)} {cell}" if head else cell for head, cell in pairs if cell]


class SpokenPainter(NamedTuple):
    """A painter that writes scenes and sheets for speech, one fact a line. It ignores widths."""

    words: Words
    boss: Card | None = None
    """The card that beats all others, marked wherever it is visible."""

    def scene(
        self, scene: Scene, only_new: bool, head: str = "", new: Sequence[Message] = (), to_act: int | None = None
    ) -> list[str]:
        """The lines about the table or, if ``only_new``, only the ``new`` messages and the hand.

        In this case the hand is left out if all of its cards can be played."""
        if scene.boss != self.boss:
            return self._replace(boss=scene.boss).scene(scene, only_new, head, new, to_act)
        messages = [*map(self.words.say, new)]
        hand = self._labelled(self.words.text("your_hand"), [self._cards(scene.hand)]) if scene.hand else ""
        if only_new:
            offered = scene.playable or frozenset()
            return [line for line in (*messages, "" if offered.issuperset(scene.hand) else hand) if line]
        lines = [self._listed([head, *map(self.words.say, filter(None, (scene.legend, *scene.facts)))])]
        lines += [self._player(player, scene, is_current=player.seat == to_act) for player in scene.players]
        lines += [line for block in scene.middle for line in self.block_lines(block)]
        return [line for line in (*lines, *messages, hand) if line]

    def _listed(self, pieces: Iterable[str]) -> str:
        return self.words.text("comma").join(filter(None, pieces))

    def _labelled(self, label: str, pieces: Iterable[str]) -> str:
        """A text ``label: piece, piece``, or the label alone if there are no pieces."""
        listed = self._listed(pieces)
        return f"{self.words.text('field', text=label)} {listed}" if listed else label

    def _player(self, player: SeatView, scene: Scene, is_current: bool) -> str:
        """The line about a player: the name, then all facts that the scene has."""
        text, say, card = self.words.text, self.words.say, scene.trick.card_of(player.seat)
        pieces = [
            text("plain_turn") if is_current else "",
            say(player.aside) if player.aside else "",
            *[self._tally(mark) if isinstance(mark, MarkCount) else say(mark) for mark in player.marks],
            say(player.score) if player.score else "",
            self._tally(player.tally) if player.tally else "",
            "" if player.chips is None else self._chips(player.chips),
            "" if player.resting else text("cards_held", count=player.cards).strip(),
            f"({self._cards(player.shown)})" if player.shown else "",
            "" if card is None else self._cards([card]),
            (say(scene.because) if scene.because else text("winning")) if player.seat == scene.trick.winner else "",
        ]
        return self._labelled(self.words.name(player.seat), pieces)

    def _chips(self, count: int) -> str:
        return self.words.text("debt" if count < 0 else "plain_chips", count=abs(count))

    def _tally(self, tally: MarkCount) -> str:
        return f"{self.words.say(tally.label)} {tally.number}/{tally.goal}"

    def _cards(self, cards: Sequence[Card], marked: Sequence[Card] = ()) -> str:
        """The cards in a row. Words follow the boss and the ``marked`` cards."""
        texts = []
        for card in cards:
            texts.append(self.words.faces.card(card))
            texts += [f"({self.words.text('plain_boss')})"] if card == self.boss else []
            texts += [f"({self.words.text('plain_marked')})"] if card in marked else []
        return " ".join(texts)

    def block_lines(self, block: Block) -> list[str]:
        """The lines for a block, one fact a line."""
        say = self.words.say
        if isinstance(block, parts.Pairs):
            return [self._attack(*pair) for pair in block.pairs] or [self.words.text("table_empty")]
        if isinstance(block, parts.Row):
            return [self._labelled(say(block.label), [self._cards(block.cards, block.marked)])]
        if isinstance(block, Message):
            return [say(block)]
        if isinstance(block, parts.Chips):
            pieces, new = [self._chips(block.number)], block.becomes
            if new is not None:
                becomes = say(new) if isinstance(new, Message) else self._chips(new)
                pieces.append(self.words.text("plain_becomes", text=becomes))
            return [self._labelled(say(block.label), pieces)]
        if isinstance(block, parts.Sides):
            shared = [[self._chips(each.chips), *map(say, each.marks), self._cards(each.cards)] for each in block.sides]
            return [self._labelled(say(each.label), said) for each, said in zip(block.sides, shared, strict=True)]
        if isinstance(block, parts.Tricks):
            return [self._tricks_of(seat, block) for seat, _ in enumerate(block.won, 1)]
        if isinstance(block, parts.Piles):
            return self._piles_in_words(block)
        if isinstance(block, parts.TakenCards):
            marked = self._replace(boss=block.boss)
            return [self._labelled(say(label), [marked._cards(cards)]) for label, cards in block.sides]
        played = [f"{self.words.name(seat)} {self._cards([card])}" for seat, card in block.trick.plays]
        return [self._listed([*played, say(block.because) if block.because else ""])]

    def _attack(self, *cards: Card | None) -> str:
        """The line about an attack card and the card that beat it, if one did."""
        said = zip(("attack_row", "beaten_row"), cards, strict=True)
        return self._listed([f"{self.words.text(key)} {self._cards([card])}" for key, card in said if card is not None])

    def _tricks_of(self, seat: int, block: parts.Tricks) -> str:
        """The line about a seat's cards in the tricks of a hand, each after the label of its trick."""
        say = self.words.say
        played = [(label, trick.card_of(seat), seat == trick.winner) for label, trick in block.tricks]
        pieces = [
            f"{say(label)} {self._cards([card], [card] * won)}" for label, card, won in played if card is not None
        ]
        return self._labelled(self.words.name(seat), [*pieces, say(block.won[seat - 1])])

    def _piles_in_words(self, block: parts.Piles) -> list[str]:
        """A line for each begun pile: its cards, those to come, those out of play. Finished piles share one."""
        lines = []
        for pile in block.piles:
            if pile.cards or (pile.gone and pile.lacking):
                missing = {"plain_lacking": pile.lacking, "plain_gone": pile.gone}
                others = [f"{self.words.text(key)} {self._cards(cards)}" for key, cards in missing.items() if cards]
                lines.append(self._labelled(pile.label, [self._cards(pile.cards), *others]))
        finished = [pile.label for pile in block.piles if not (pile.cards or pile.lacking)]
        return [*lines, self.words.text("plain_finished", values=tuple(finished))] if finished else lines

    def part_lines(self, part: Message | Columns) -> list[str]:
        """The lines for a part of a score sheet: a message or, for each row, its label and values after their heads."""
        if isinstance(part, Message):
            return [self.words.say(part)]
        heads = [cell_text(self.words, cell) for cell in part.head]
        needs_colon = any(head[-1:].isdigit() for head in heads)  # a number after a head with a number
        lines = []
        for row in part.rows:
            first, *cells = [cell_text(self.words, cell) for cell in row]
            pieces = [
                self._labelled(head, [cell]) if needs_colon else " ".join(filter(None, (head, cell)))
                for head, cell in zip(heads[1:], cells, strict=True)
                if cell
            ]
            lines.append(self._labelled(first, pieces))
        return lines
