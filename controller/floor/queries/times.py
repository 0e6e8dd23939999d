"""Times of the store and of the pages: text in UTC to the millisecond, and milliseconds since 1970."""

from datetime import UTC, datetime


def ms_of(utc: str) -> int:
    """``2026-11-21T17:42:14.123Z`` in milliseconds since 1970."""
    at = datetime.fromisoformat(utc)
    return int(at.replace(microsecond=0).timestamp()) * 1000 + at.microsecond // 1000


def utc_of(ms: int) -> str:
    """Milliseconds since 1970 as the store has them."""
    at = datetime.fromtimestamp(ms // 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}".zfill(19) + f".{ms % 1000:03}Z"  # strftime(3) writes the year 2 as 2.
