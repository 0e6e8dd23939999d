"""A computer whose wall time is set by people, networks and empty batteries."""

from datetime import UTC, datetime

from hal.mock.clock import NS_PER_S, VirtualClock
from hal.wall_time import SetBy


def utc(text: str) -> int:
    """Nanoseconds since 1970 of a time in UTC, such as ``2027-03-01`` or ``2027-03-01T18:00``."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * NS_PER_S


class Computer(VirtualClock):
    """Its clocks; ``by`` is who set the wall time, as the operating system says."""

    def __init__(self, says: str, by: SetBy = SetBy.NOBODY) -> None:
        super().__init__(utc(says))
        self.by = by

    def set_to(self, utc_ns: int) -> None:
        self._utc_ns = utc_ns - self._now_ns

    def wait(self, seconds: float) -> None:
        self.advance_to(self._now_ns + round(seconds * NS_PER_S))
