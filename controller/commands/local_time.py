"""Times that commands print for people: local, with their zone. JSON, CSV and the record have UTC (ISO 8601)."""

import re
from datetime import UTC, datetime

_UTC = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(?P<ms>\d{3}))?(?:\.\d+)?(?:Z|\+00:00)(?!\w)")
_NS = 1_000_000_000


def local_time(utc_ns: int) -> str:
    """A time in nanoseconds since 1970, to the second: ``2026-11-24 18:31:07 CET``.

    Such a number may come from a file that is not to be trusted: one that is no date is printed in seconds.
    """
    try:
        return f"{datetime.fromtimestamp(utc_ns // _NS, UTC).astimezone():%Y-%m-%d %H:%M:%S %Z}"
    except (ValueError, OverflowError, OSError):
        return f"{utc_ns // _NS} s after 1970"


def in_local_time(text: str) -> str:
    """A text in which each time in UTC is a local one with its zone; milliseconds stay."""
    return _UTC.sub(_local, text)


def _local(found: re.Match[str]) -> str:
    try:
        at = datetime.fromisoformat(found[0]).astimezone()
    except (ValueError, OverflowError):
        return found[0]  # No such day, or before the first year here.
    milliseconds = f".{found['ms']}" if found["ms"] else ""
    return f"{at:%Y-%m-%d %H:%M:%S}{milliseconds} {at:%Z}"
