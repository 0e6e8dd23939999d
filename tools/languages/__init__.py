"""Gathers the messages of the pages, and keeps the catalogues of all languages current."""
