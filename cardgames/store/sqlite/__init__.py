"""The store in SQLite: where its file is, how it is opened, and what becomes of a damaged one."""
