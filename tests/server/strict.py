"""``cardgames`` with limits that a test can reach."""

import json
import os

from cardgames.cli import main
from cardgames.server import limits

SECONDS = {"login": 60, "idle": 60, "unread": 60, "leaving": 60, **json.loads(os.environ["LIMITS"])}
"""The limits in seconds: long enough for the slowest machine, unless a test sets them."""
memory = SECONDS.pop("memory", 512)
limits.LIMITS = limits.Limits(per_address=3, new_per_address=50, offers=4, memory=memory, **SECONDS)

if __name__ == "__main__":
    main()
