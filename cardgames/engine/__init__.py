"""The rules, and nothing else: pure, deterministic, standard library only.

*Ruling* marks what the source of a game leaves open; the rules page of the game lists them.
"""
