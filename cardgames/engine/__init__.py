"""The rules of the games: pure, deterministic, standard library only.

*Ruling* marks a decision where the source of a game is silent; the game's rules page lists them."""
