"""What is wrong with a floor's store, as an error and as text."""

from sqlalchemy.exc import DBAPIError


class StoreError(Exception):
    """The store cannot be used; the message gives the reason and the remedy. A retry does not help."""


class StoreAwayError(StoreError):
    """The store is unavailable for now: the disk is full, another process writes, the server is down. Retry."""


def error_text(error: Exception) -> str:
    """A database's message of an error, on one line, without the statement."""
    words = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return " ".join(words.split())[:300] or type(error).__name__
