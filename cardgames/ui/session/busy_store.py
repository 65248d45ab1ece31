"""Errors of the store on the screen, and the question whether to try again."""

from collections.abc import Callable

from cardgames.engine.game import Message
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings


def store_error_text(words: Words, settings: Settings, reason: Message) -> str:
    """A store error as text. Guests do not see the store's address."""
    if not settings.store:
        return words.text("store_out_of_reach")
    return words.say(Message("reason." + reason.key, reason.args))


def question_to_retry(screen: Screen, words: Words, settings: Settings) -> Callable[[Message], bool]:
    """A function that asks, without cards, whether to try again. ``False`` while another question is open."""

    def wants_retry(reason: Message) -> bool:
        if screen.busy:
            return False
        text, why = words.text, store_error_text(words, settings, reason)
        draw = titled_page(settings, text("title"), [text("busy", text=why)])
        offers = [Offer(True, text("busy_again")), Offer(False, text("busy_leave"))]
        screen.discard_typed()
        return bool(screen.choose(draw, text("busy_ask"), offers, {}, text("busy_keys")))

    return wants_retry
