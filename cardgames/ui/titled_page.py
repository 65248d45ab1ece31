"""A page with a title and lines, for questions and notices without a table."""

from collections.abc import Sequence

from cardgames.ui.messages import clip
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.screens.offers import Draw
from cardgames.ui.settings import Settings


def titled_page(settings: Settings, title: str, lines: Sequence[str] = (), more: Sequence[str] = ()) -> Draw:
    """A picture of a title with lines below it, and as many of the lines ``more`` as fit."""

    def draw(columns: int, rows: int) -> str:
        if settings.plain:
            return "\n".join([title, *lines, *more])
        found = [f"\x1b[1m {title}\x1b[0m", f"\x1b[90m{'─' * columns}\x1b[0m", ""]
        found += [f"   {piece}" for line in lines for piece in broken(line, columns - 4)]
        whole = [f"   {piece}" for line in more for piece in broken(line, columns - 4)]
        cut = [f"   {clip(line, columns - 4)}" for line in more]
        found += next((others for others in (whole, cut) if len(found) + len(others) < rows), [])
        return "\n".join([*found, "\n"])

    return draw
