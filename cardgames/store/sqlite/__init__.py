"""The store in SQLite: files, connections, and the repair of damaged files."""
