"""What every game is held to by being registered."""
