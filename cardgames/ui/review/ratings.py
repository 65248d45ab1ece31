"""Ratings as text, beside names, and the ranking of a duplicate tournament."""

from collections.abc import Sequence

from cardgames.match.table_state import SeatStatus
from cardgames.store.duplicates import Entrant
from cardgames.store.matches import Summary
from cardgames.store.ratings import PlayerRating, Ratings, player_key
from cardgames.ui.messages import Words, signed
from cardgames.ui.settings import Settings


def rating_text(rating: float, margin: float, settings: Settings, provisional: bool = False) -> str:
    """A rating and its margin as text, with a word after them if the rating is ``provisional``."""
    value = f"{rating:.0f}{'+-' if settings.ascii else '±'}{margin:.0f}"
    return Words(settings.language).text("rating_provisional", value=value) if provisional else value


def rating_beside_name(status: SeatStatus, match: Summary, ratings: Ratings, settings: Settings) -> str:
    """The rating of the player in a seat as text, at a rated table before their first rated match, too; else empty."""
    level = match.header.computers.get(status.seat)
    rating = ratings.get(player_key(status.name or "", status.person, level))
    if rating is None and match.rated and not level:
        rating = PlayerRating(status.name or "")
    if rating is None or not (match.rated or rating.matches):
        return ""
    return rating_text(rating.mean, rating.margin, settings, rating.provisional)


def ranking_lines(
    entrants: Sequence[Entrant], words: Words, own: int | None = None, leaders: int | None = None
) -> list[str]:
    """The lines of the ranking for readers at the table ``own``, without results of deals that it has yet to play.

    ``leaders``: only so many of the first entrants are listed, and below them those at the table ``own``."""
    played = {number for other in entrants if other.table == own for number in other.results}
    here = [] if leaders is None else [entrant for entrant in entrants if entrant.table == own]
    lines = []
    for entrant in [*[entrant for entrant in entrants[:leaders] if entrant not in here], *here]:
        results = tuple([signed(entrant.results[number]) for number in sorted(played & entrant.results.keys())])
        count = words.text("duplicate.deals", count=len(entrant.results))
        details = words.text("duplicate.results", values=results) if results else count
        key = "duplicate.share" if entrant.shares else "duplicate.not_compared"
        rank = 1 + sum([other.share > entrant.share for other in entrants])
        value = f"{100 * entrant.share:.0f}"
        lines.append(words.text(key, number=rank, names=entrant.names, value=value, text=details))
    return lines
