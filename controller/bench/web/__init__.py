"""The bench in a browser."""
