"""The rules, and nothing else: pure, deterministic, standard library only."""
