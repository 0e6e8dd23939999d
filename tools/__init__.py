"""Generators of documents, which are run on the source."""
