"""The server, with OpenSSH's own client at the other end."""
