"""Scenes as text, drawn or spoken."""
