"""The store in PostgreSQL (12 or later): tables, connections, transactions and errors."""
