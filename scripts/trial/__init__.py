"""Nothing is ever lost: trials that run at any size, small in the test suite and whole by ``scripts/trials``."""
