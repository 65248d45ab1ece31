"""The lesson in Durak in English."""

MESSAGES = {
    "intro.aim": "Get rid of your cards. One of you attacks, the other defends, then you draw anew. Once the stock "
    "is used up, whoever still holds cards is the durak, the fool.",
    "intro.cards": "There are 36 cards: A K Q J 10 9 8 7 6, the ace high. A card is beaten by a higher card of its "
    "suit; a trump beats any card of another suit. Trumps here are {C_suit}.",
    "first": "Ben dealt, so you attack. Any card will do. Begin with a low one: you will want the high cards and "
    "the trumps later.",
    "add": "Ben beat it with {DT_card}. You may go on with any card of a rank that lies there, a six or a ten: get "
    "rid of your other six.",
    "stop": "Your {CT_card} would go with the ten, but it is a trump: keep it. If you stop, the cards there leave "
    "the game, both of you draw up to six, and Ben attacks.",
    "beat": "Now you defend. {H8_card} is beaten by a higher heart or by a trump. Use the heart: trumps are for when "
    "nothing else helps.",
    "trump": "An eight lies there, so Ben goes on with another. You have no spade, but a trump beats it: {CT_card} "
    "is enough. Otherwise you would have to take all these cards.",
    "again": "You held out, so now you attack. Low cards first, as before: your nines.",
    "once_more": "Ben took {D9_card} instead of beating it. That costs him his turn to attack: you go on. The other "
    "nine is your lowest card now.",
    "nothing_fits": "You have neither a nine nor a ten, so you can only stop. You are asked all the same: Ben must "
    "not learn whether you could have gone on.",
    "take": "No heart in your hand: only {CA_card} would beat {H6_card}. That is the best card of all, and one small "
    "card more does no harm. Take it.",
    "end": "Some bouts were played for you. The stock is used up: nobody draws any more, and whoever runs out of "
    "cards first wins. {DA_card} beats the queen and saves a trump.",
    "low_trump": "An ace lies there, so Ben goes on with another. Only trumps are left in your hand: the lowest "
    "will do.",
    "run_out": "Ben stopped, so you attack. Every card that you lay is one less, for you draw none. Begin with the "
    "lowest trump again.",
    "no_more": "You have neither a seven nor a jack, so you stop. Three cards are left to you, all trumps.",
    "count": "A king, and Ben took two others from you before. Whatever he lays, you must be able to beat it. "
    "{C8_card} will do here.",
    "limit": "A second king. In a bout there are at most six attack cards, and never more than you have cards to beat "
    "them with: after this one Ben may lay one more.",
    "last": "The third king, and your last card. Beat it, and the bout is over, even if Ben holds the fourth: your "
    "hand is empty.",
    "outro": "You attack and go on, you beat or you take, until the stock is used up. Then whoever runs out of cards "
    "first has won, and whoever is left with some is the fool.",
    "ask.attack": "You may attack with any card. Low ones that are not trumps go first. If you have two of a rank, "
    "the second may follow.",
    "ask.defend": "Beat it with a higher card of its suit or with a trump, the lowest that will do. Or take all the "
    "cards, and Ben attacks again.",
    "ask.more": "Everything is beaten. Go on with a card of a rank that lies there, or stop: then the cards there "
    "leave the game, and Ben attacks.",
}
