"""The lesson in Zetema in English."""

MESSAGES = {
    "intro.aim": "In turn you lay one card on the pile of its rank, and draw one. The fifth of a rank scores; so do "
    "rows, suits and marriages in your hand. 300 points win.",
    "intro.cards": "A whole pack and a second set of spades: five cards of each rank. You hold six. Suits count for "
    "flushes and marriages only.",
    "first": "5 6 7 8: with two more cards next to them, your whole hand would be a sequence. {CJ_card} is no use to "
    "you. Lay it on the jacks' pile.",
    "queen": "You drew {S9_card}: one more. Lay the queen, and it is not lost: if you draw a king of spades, they "
    "can still marry.",
    "sequence": "Six in a row score 20. You show them, then lay one: say {H5_card}, the third five. Never lay a "
    "fourth unless you must: the fifth is what scores.",
    "marriage": "{SK_card}, and {SQ_card} lies on the table: a marriage scores 10, and several at once far more. "
    "Both leave the game.",
    "both": "Ben laid the fourth five, and you drew one. Again six in a row: show them for 20, and lay the five. It "
    "is the fifth of its rank, a trick: 15 more.",
    "outro": "Now you know how to score: rows, suits, marriages, five of a rank. What each is worth stands on the "
    "score sheet, under s.",
    "ask.turn": "Lay a card on the pile of its rank. Keep what is close to a row, a suit or a marriage, and do not "
    "lay the fourth of a rank.",
    "ask.turn_declaring": "You can score; the list says how much. Or lay a card and wait for more: two marriages at "
    "once are worth three times as much as one.",
}
