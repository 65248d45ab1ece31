"""Nothing that was played is ever lost."""
