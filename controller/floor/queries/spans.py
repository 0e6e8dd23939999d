"""How a span of time is read from sums of hours: whole hours, and what is added or taken out at its ends.

Of the hour in which a span begins or ends the shorter part is read from the rounds: added to the hours, or taken
out of one hour more. So at most an hour of rounds is read, and for a span that ends now half of one.
"""

from typing import NamedTuple

from controller.floor.queries.scope import HOUR_MS, Scope
from controller.floor.queries.times import ms_of, utc_of
from controller.floor.store.hour_sums import HOUR_LENGTH


class SpanEnd(NamedTuple):
    """A part of a span whose rounds are read one by one, and added (1) or taken out (-1)."""

    since: str
    until: str
    sign: int


def spans(scope: Scope) -> tuple[tuple[str, str] | None, list[SpanEnd]]:
    """The hours of a span, from one to another that is not included; and its edges.

    Returns:
        None and the whole as an edge for a span without hours.
    """
    since, until = ms_of(scope.since), ms_of(scope.until)
    first, last = _nearest(since), _nearest(until)
    if first >= last:
        return None, [SpanEnd(scope.since, scope.until, 1)]
    edges = [_edge(since, first, 1), _edge(until, last, -1)]
    return (_hour(first), _hour(last)), [edge for edge in edges if edge is not None]


def outward(utc: str, way: int) -> str:
    """The beginning of the hour of a time, or (1) its end."""
    ms = ms_of(utc)
    return utc_of(ms // HOUR_MS * HOUR_MS if way < 0 else -(-ms // HOUR_MS) * HOUR_MS)


def _nearest(ms: int) -> int:
    """The beginning of an hour that is nearest to a time."""
    return (ms + HOUR_MS // 2) // HOUR_MS * HOUR_MS


def _edge(end: int, hour: int, sign: int) -> SpanEnd | None:
    """What lies between an end of a span and the hour that is read instead.

    Args:
        sign: 1 at the beginning of a span, where rounds before the first hour are added; -1 at its end.
    """
    if end == hour:
        return None
    return SpanEnd(utc_of(end), utc_of(hour), sign) if end < hour else SpanEnd(utc_of(hour), utc_of(end), -sign)


def _hour(ms: int) -> str:
    return utc_of(ms)[:HOUR_LENGTH]
