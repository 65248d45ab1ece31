"""The lesson in Fipsen in English."""

MESSAGES = {
    "intro.aim": "Everybody plays for themselves. Whoever bids most plays the deal alone against the others, and has "
    "to win as many of the five tricks as the bid says.",
    "intro.cards": "A K Q J 10 9 8 7 of {C_suit}, {S_suit} and {H_suit}, and the one {D7_card}. You hold five cards, "
    "two lie in the skat, some are not used. Whoever plays alone names the trumps.",
    "open": "You speak first. Two aces and good hearts are worth two tricks. A bid that fails costs twice what it "
    "would win, so begin low.",
    "hold": "Ben bids more: two tricks without the skat. You spoke before him, so you need not go higher. Hold, and "
    "the bid is yours.",
    "hold_three": "Three tricks now. With hearts as trumps, {HA_card}, {HQ_card} and {SA_card} can win them, and the "
    "skat may help. Hold again.",
    "skat": "The others passed: you play alone. Hand doubles what is at stake, but the skat gives you two more cards "
    "to choose from. Take it.",
    "discard": "{HK_card} was in it. Of seven cards two must go, face down. {S7_card} and {C8_card} would win nothing.",
    "trump": "Make your best suit trumps, hearts. With diamonds, called ruten, the stake doubles, but there is only "
    "one diamond.",
    "lead": "You lead. Whoever has the suit must follow, with trumps too. So draw out the others' trumps with your "
    "high ones, before they trump {SA_card}.",
    "draw_trumps": "Two trumps fell. {HJ_card} and {H8_card} are still to come, or lie unused. Lead the next high one.",
    "third": "Only {H8_card} has not been seen. {HQ_card} cannot lose, and the third trick makes your bid.",
    "go_on": "Stop with +3; or go on for all five: +6, but -12 if you lose one. {H9_card} beats {H8_card}, and "
    "{SA_card} is the highest spade. You cannot fail: go on.",
    "last_trump": "The trump first: if anybody has {H8_card}, it must come now. Then nobody can trump the ace.",
    "last_card": "Your last card. Nothing can beat it.",
    "outro": "A match has twelve such deals: bids, then skat or hand, trumps, and tricks. Passing costs nothing; a "
    "bid that fails costs double.",
    "ask.bid": "Bid how many of the five tricks you can win alone, or pass. A bid that fails costs twice what "
    "it would win.",
    "ask.bid_or_hold": "Your bid was topped. Hold it at the new height, bid still more, or pass. A bid that fails "
    "costs twice what it would win.",
    "ask.name": "Say what your extras are: hand is without the skat, ruten makes diamonds trumps, durch is all five "
    "tricks.",
    "ask.skat": "Take the skat, and choose five cards out of seven; or leave it: hand doubles what you win or lose.",
    "ask.discard": "Lay {count} cards away, face down. Keep aces and the suit that is to be trumps.",
    "ask.trump": "Choose the suit in which you have the most and the highest cards. Diamonds add ruten, which "
    "doubles what you win or lose.",
    "ask.play": "Lead any card. Whoever plays alone draws trumps with high ones; the others lead what that player may "
    "not have.",
    "ask.play_follow": "You have {suit}, so you must play it. The highest card of {suit} wins, unless somebody "
    "who has none plays a trump.",
    "ask.play_follow.trumps": "Trumps were led, and you have {suit}, so you must play it. The highest wins.",
    "ask.play_any": "You have no {suit}: play any card. A trump may win the trick; any other card cannot.",
    "ask.play_any.trumps": "Trumps were led, and you have no {suit}: play any card. It cannot win the trick.",
    "ask.stop": "Your bid is made. Stop with what it wins; or go on for all five tricks and twice as much, if you "
    "are sure.",
}
