"""The lesson in Zetema in English."""

MESSAGES = {
    "intro.aim": "In turn you play one card on the pile of its rank, and draw one. The fifth on a pile scores; so do "
    "sequences, flushes and marriages in your hand. 300 points win.",
    "intro.cards": "A whole pack and a second set of spades: five cards of each rank. You hold six. Suits matter "
    "only for flushes (all of one suit) and marriages (king and queen).",
    "first": "5 6 7 8: with two more cards next to them, your whole hand would be a sequence. {CJ_card} is no use to "
    "you. Play it on the jacks' pile.",
    "queen": "You drew {S9_card}: one more to go. Play the queen. It is not lost: if you draw a king of spades, "
    "they can still marry.",
    "sequence": "Six in a row score 20. You show them, then play one: say {H5_card}, the third five. Never play a "
    "fourth unless you must: the fifth is what scores.",
    "marriage": "{SK_card}, and {SQ_card} lies on the table: a marriage scores 10, and several at once far more. "
    "Both leave the game.",
    "imperial": "Now {S_suit} imperial next stands above: the second marriage of spades in a deal, whoever declares "
    "it, scores 10 more. {C2_card} is no use to you: play it.",
    "both": "Ben played the fourth five, and you drew one. Again six in a row: show them for 20, and play the five. "
    "It is the fifth on its pile, a trick: 15 more.",
    "assembly": "Ben held all five threes: an assembly, 100 points at once, and five new cards. Keep your five in a "
    "row, and play {DK_card}.",
    "outro": "Now you know how to score: sequences, flushes, marriages, assemblies, tricks. What each is worth stands "
    "on the score sheet, under s.",
    "ask.turn": "Play a card on the pile of its rank. Keep what is close to a sequence, a flush or a marriage, and do "
    "not play the fourth of a rank.",
    "ask.turn_declaring": "You can score; the list says how much. Or play a card and wait for more: two marriages at "
    "once are worth three times as much as one.",
}
