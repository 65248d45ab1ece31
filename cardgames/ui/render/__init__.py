"""A scene as text: drawn for the eye, or said line by line."""
