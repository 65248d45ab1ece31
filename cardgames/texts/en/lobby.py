"""The lobby for those who come over SSH, and the door before it, in English."""

MESSAGES = {
    # the door
    "nothing_else": "Here is nothing but the card table: ssh without a command, file transfer or forwarding.",
    "no_terminal": "The card table needs a terminal: ssh -t.",
    "no_room": "There is no room for one more guest at the moment. Please try again later.",
    "too_many_connections": "Too many connections from your address. Please wait a minute.",
    "too_many_keys": "Too many keys were tried. ssh -o IdentitiesOnly=yes -i FILE offers one alone.",
    "key_not_listed": "Your key is not among those that are let in here. Ask the owner to add it.",
    "code": "Code of the house:",
    "wrong_code": "That is not the code.",
    # who somebody is
    "title": "cardgames",
    "ask_name": "What would you like to be called?",
    "ask_code": "The code of {name}:",
    "who_ask": "Who are you?",
    "who_is": "I am {name}, and have the code",
    "who_other": "Somebody else: I take another name",
    "name_free": "Nobody here has the name yet.",
    "name_rule": "A name has one to {number} characters that can be seen.",
    "name_taken": "{name} is the name of somebody else here.",
    "name_of_key": "{name} comes with another key than yours. If that is you, come with that key: ssh -i FILE. "
    "Otherwise take another name.",
    "name_of_code": "Somebody of the name {name} was here before, and was shown a code.",
    "code_wrong": "That is not the code of {name}.",
    "code_given_up": "That was not the code of {name}.",
    "welcome": "Welcome, {name}.",
    "welcome_key": "Welcome, {name}. By your key you are known here from now on.",
    "welcome_code": "Welcome, {name}. Your code is {text}: with it you come back as {name}. Please write it down.",
    # the lobby
    "ask": "What would you like?",
    "learn": "Learn a game",
    "rules": "Rules",
    "leave": "Leave",
    "game": "Which game?",
    "keys": "↑↓ or type, Enter   q leave",
    "back_keys": "↑↓ or type, Enter   q or Esc back",
    "field_keys": "Enter   Esc back",
    "goodbye": "Goodbye, {name}. Your seats are kept.",
    "broken": "Something is wrong with the program itself; what was played is kept, and the owner has been told.",
    "store_trouble": "The matches cannot be reached at the moment; what was played is kept. Please try again later.",
}
