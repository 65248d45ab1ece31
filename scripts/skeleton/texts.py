"""Skeleton in English."""

MESSAGES = {
    "title": "Skeleton",
    "about": "TODO: a game in a sentence. For 2 to 4.",
    "table.dealer": "dealer",
    "table.won": "{count} {count:trick|tricks}",
    "ask.play": "{seat}, play a card",
    "action.play": "play {card}",
    "event.dealt": "{seat} dealt {count} {count:card|cards} to each",
    "event.played": "{seat} played {card}",
    "event.trick_won": "{seat} took the trick with {card}",
    "event.match_won": "{seats: and } took most tricks",
    "why.most_tricks": "{seats: and } took most tricks.",
}
