"""Typed text: characters in their plain form, shortcut letters, and the search for offers."""

import unicodedata
from collections.abc import Sequence

from cardgames.engine.cards import CARDS, RANKS, Card
from cardgames.ui.messages import Words, fold_case
from cardgames.ui.render.charset import SYMBOLS
from cardgames.ui.screens.offers import FREE_LETTERS, Offer

LONGEST = 200
"""The most characters of a text field or a search."""


def plain_key(data: str) -> str:
    """A typed character in its plain form: full-width letters, digits, signs and blanks become ASCII."""
    return unicodedata.normalize("NFKC", data)


def is_foreign(text: str) -> bool:
    """Whether a text has letters that are not Latin ones, as from another keyboard layout or an input method."""
    return any(letter.isalpha() and not unicodedata.name(letter, "").startswith("LATIN ") for letter in text)


def why_unread(words: Words, text: str) -> str:
    """The reason why keys of letters do not read a text that :func:`is_foreign`; empty for any other text."""
    return words.text("other_layout", typed=text) if is_foreign(text) else ""


def continues_card(typed: str, data: str) -> bool:
    """Whether a character makes a typed rank, or the beginning of one, the text of a card, also of one there is not."""
    return typed + data == "10" or (typed.upper() in (*RANKS, "10") and (data.isalpha() or data in SYMBOLS.values()))


def typed_card(typed: str) -> Card | None:
    """The card whose rank and suit were typed; ``None`` if there is no such card."""
    suits = {sign: suit for suit, sign in SYMBOLS.items()}
    return CARDS.get(typed[:-1].upper().replace("10", "T") + suits.get(typed[-1], typed[-1].upper()))


def _compared(text: str) -> str:
    """A text in a form for comparisons: without case, full-width characters and blanks."""
    return "".join(fold_case(text).replace("・", " ").split())


def matches_offer(offer: Offer, typed: str) -> bool:
    """Whether the offer's text, a word of the text, or a further text of the offer begins with the typed text."""
    wanted = _compared(typed)
    words = (offer.text, *offer.text.split(), *offer.typed)
    return any(_compared(word).startswith(wanted) for word in words)


def shortcuts(offers: Sequence[Offer], before: Sequence[tuple[Offer, str]] = ()) -> list[str]:
    """The shortcut letters of each offer: its own or, if no offer has its own, the next of ``FREE_LETTERS``.

    A single offer needs no free letter, as Enter chooses it. ``before``: the offers and letters of the list before it
    was interrupted, perhaps by news that changed it. An offer of that list keeps its letter, and a new offer gets an
    unused letter, so that a key that is pressed too late chooses no other offer."""
    if len(offers) < 2 or any(offer.letters for offer in offers):
        return [offer.letters for offer in offers]
    taken = {letter for _, letter in before}
    following = iter([letter for letter in FREE_LETTERS if letter not in taken])
    letters = []
    for new in offers:
        kept = (letter for old, letter in before if old.value == new.value or old.text == new.text)
        letters.append("" if new.unlisted else next(kept, "") or next(following, ""))
    return letters


def matching_offers(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """The offers that typed text may mean: those found by card, suit or number; if there are none, all that match.

    In a question about a match a single ASCII character means only a card, suit or number, never a word."""
    wanted = _compared(typed)
    is_about_match = any(offer.letters for offer in offers)
    by_card = [  # further texts that begin with a small letter are words
        offer
        for offer in offers
        if any(_compared(card).startswith(wanted) for card in offer.typed if not card[:1].islower())
    ]
    if by_card or (is_about_match and len(wanted) < 2 and typed.isascii()):
        return by_card
    return [offer for offer in offers if matches_offer(offer, typed)]


def unambiguous_offer(offers: Sequence[Offer], typed: str) -> Offer | None:
    """The offer that the typed text means, if only one: exact before longer texts, listed before unlisted offers."""
    wanted = _compared(typed)
    exact = [offer for offer in offers if wanted in map(_compared, (offer.text, *offer.typed))]
    listed = [offer for offer in exact if not offer.unlisted] or exact
    return next((found[0] for found in (listed, offers) if len(found) == 1), None)
