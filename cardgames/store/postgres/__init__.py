"""The store in PostgreSQL (12 or later): its tables, and how it is reached, written and read."""
