"""The lesson in Truc in English."""

MESSAGES = {
    "intro.aim": "Whoever wins two of three tricks takes the chips in the middle. On the way you may offer to double "
    "them; whoever does not dare to accept gives up the hand. Bluffing is half of it.",
    "intro.cards": "From strong to weak: 7 8 A K Q J 10 9. Suits mean nothing. Here you play a single round to 5 "
    "points; otherwise it is 12, and two rounds.",
    "poor": "These three cards are weak. Before the first one is played, you may ask for an exchange: three new "
    "cards for each of you. Ben may refuse.",
    "better": "Ben agreed. {D8_card} and {S8_card} are almost the best there is. You could ask once more, but Ben's "
    "cards would change too. Play with these.",
    "lead": "You did not deal, so you lead. Only a 7 beats {D8_card}. Win a trick early: tricks spoiled by equal "
    "cards go to whoever was first to win one.",
    "dare": "One more trick, and the hand is yours. Before you lead, offer to double the stake. If Ben refuses, you "
    "take the chip at once.",
    "low": "He accepted: two chips. Keep {S8_card} for the end, and see what Ben spends on {H9_card}.",
    "answer": "One trick each, and Ben wants four chips. Only a 7 beats {S8_card}, and an equal card does not. Accept.",
    "remainder": "Your 8 equals his: a spoiled trick, so you win. A double would pass 5 points: stake the round.",
    "spoil": "Ben accepted. {S8_card} spoils the trick, and it is yours, for you were first to win one.",
    "outro": "Exchange, dare, answer a dare, stake the round: that is Truc. Good cards help; but whoever frightens the "
    "other off wins with any.",
    "ask.exchange": "Play with these cards, or ask for new ones for both of you, which Ben may refuse. 7 and 8 are "
    "strong, 9 and 10 weak.",
    "ask.turn": "Lead any card. Before it you may propose to raise the stake: with strong cards you win more, with "
    "weak ones you may scare Ben off.",
    "ask.turn_follow": "Play any card: a stronger one than {card} wins, an equal one spoils the trick. Before it you "
    "may propose to raise the stake.",
    "ask.play": "You can propose nothing more in this turn. Lead any card; two tricks win the hand.",
    "ask.play_follow": "Play any card: a stronger one than {card} wins the trick, an equal one spoils it.",
    "ask.answer_double": "Ben wants {doubled} chips at stake. Accept if you trust your cards, or do not believe in "
    "his. Refuse, and he takes {stake}.",
    "ask.answer_remainder": "Ben wants this hand to decide the round. Accept if you trust your cards. Refuse, and he "
    "takes {stake} {stake:chip|chips}.",
}
