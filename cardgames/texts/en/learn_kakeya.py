"""The lesson in Kakeya Trump in English."""

CLAIM = (
    "Whatever may still happen, the same pair pays the same chips. So you may claim: the deal ends, and they are paid "
    "at once."
)

MESSAGES = {
    "intro.aim": "You and Cleo, who sits opposite, play against Ben and Dora. There are sixteen pictures, the aces, "
    "kings, queens and jacks. The pair that takes fewer pays chips.",
    "intro.cards": "All 52 cards, ace high. Follow suit if you can. Trumps beat the other suits, and one ace beats "
    "everything: rensho. It is {CA_card}, or {SA_card} when spades are not trumps.",
    "trump": "Your pair deals first and names the trumps, before anybody sees a card. Nothing speaks for another "
    "suit: keep spades, and {CA_card} is rensho.",
    "follow": "Ben led a heart. You have hearts, so you must play one. {HA_card} is the highest and takes his king: "
    "two pictures for your pair.",
    "ace": "Whoever wins a trick leads the next. {DA_card} wins unless somebody trumps it, and whoever has a diamond "
    "must play it.",
    "void": "Cleo helped you with a jack: five pictures. Now lead {H2_card}, your last heart. When hearts come back, "
    "you may trump them.",
    "trump_in": "Hearts again, and you have none, so you may play any card. A trump beats every heart: even "
    "{S4_card} takes {HJ_card}.",
    "king": "{DA_card} is gone, so your king is the highest diamond. It is a picture, too. Lead it, and hope that "
    "nobody trumps it.",
    "rensho": "Ben trumped your king, and now leads the trump ace. One card beats it, rensho. It is a club, but you "
    "have no spade and may play it.",
    "low": "Nine pictures: the deal is won. With twelve, they would have to pay two chips, not one. Lead a low club; "
    "Cleo may have a high one.",
    "claim": "Nine for you, five for them, two to come. Whoever takes those, they pay one chip. When nothing can "
    "change any more, you may claim.",
    "outro": "The pair with fewer pictures pays and deals next. It pays more if it took rensho and the trump ace, or "
    "all four aces. Out of chips, the game is over.",
    "ask.play": "You lead any card. Aces, and the highest card left of a suit, bring pictures home. A low card "
    "leaves the trick to others.",
    "ask.follow": "You have {suit}, so you must play it. Take pictures if you can win them, or add one where "
    "Cleo wins. Else give a low card.",
    "ask.play_any": "You have no {suit}: play any card. A trump may win the trick; where Cleo wins it, you can add a "
    "picture.",
    "ask.play_any.trumps": "Trumps were led, and you have no {suit}: play any card. Only rensho could win; where Cleo "
    "wins, you can add a picture.",
    "ask.play_or_claim": CLAIM,
    "ask.follow_or_claim": CLAIM,
    "ask.play_any_or_claim": CLAIM,
}
