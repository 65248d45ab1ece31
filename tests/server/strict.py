"""``cardgames`` with limits that a test can reach."""

from cardgames.cli import main
from cardgames.server import limits

limits.USUAL = limits.Limits(per_address=3, new_per_address=50, login=3, offers=4, idle=4, unread=3, leaving=3)

if __name__ == "__main__":
    main()
