"""Scenes as text: drawn for the eye, or one fact a line for speech and braille."""
