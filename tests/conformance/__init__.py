"""The tests that every registered game has to pass."""
