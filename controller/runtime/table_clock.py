"""The wall time of a table, on a computer whose own may be wrong.

Many a Raspberry Pi has no clock that goes on without power: it starts with a time that is weeks old, and is set by
the network minutes later, or never. A table's wall time starts from the newest thing on record, never runs
backwards, and is in doubt until somebody has set it: the network, a clock with a battery, or a person.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from controller.events.words import NOTHING, Text, text
from controller.journal.journal import Journal
from hal.interfaces import Clock, Timer
from hal.wall_time import SetBy

NS_PER_S = 1_000_000_000
_NS_PER_DAY = 86_400 * NS_PER_S
STEP_NS = 2 * NS_PER_S
"""The wall time was set if it moved by more than this against the monotonic clock."""
BEHIND_NS = 3600 * NS_PER_S
"""A time that was set, and is behind the record by no more, is waited for: the record's clock was a little fast."""
AHEAD_NS = 400 * _NS_PER_DAY
"""A battery's time that is further ahead of the record than this is not believed: no table is stored that long."""
FIRST_NS = 1_767_225_600 * NS_PER_S
"""2026-01-01: no table ran before."""
LAST_NS = FIRST_NS + 40 * 365 * _NS_PER_DAY
"""No table of today runs after."""
UNSET = text("clock-unset")
"""The doubt about a time that may be right, and is late if it is not."""
_RECORDED_NS = 1_000_000


class ClockReading(NamedTuple):
    """Both clocks of the computer, read together.

    Attributes:
        now_ns: monotonic time.
        utc_ns: the computer's wall time.
    """

    now_ns: int
    utc_ns: int

    @property
    def offset_ns(self) -> int:
        """Constant, until somebody sets the wall time."""
        return self.utc_ns - self.now_ns


class ClockChange(NamedTuple):
    """The table's wall time was set, or came into doubt.

    Attributes:
        moved_ns: how much later it is than the table had counted.
        doubt: why it is not certain; empty if it is.
    """

    moved_ns: int
    doubt: Text = NOTHING


class TableClock:
    """A clock whose wall time is the table's.

    Args:
        clock: the computer's.
        set_by: says who set its wall time.

    Attributes:
        doubt: why the wall time is not certain; empty if it is.
        started_ns: the table's wall time when :meth:`begin` was called last; 0 before.
    """

    def __init__(self, clock: Clock, set_by: Callable[[], SetBy]) -> None:
        self._clock = clock
        self._set_by = set_by
        self._has_record = self._by_person = False
        self._seen = self._read()
        self._given = ClockReading(self._seen.now_ns, FIRST_NS)
        """The table's wall time when it was last asked for."""
        self._change: ClockChange | None = None
        self.doubt = self._doubt(self._seen.utc_ns)
        self.started_ns = 0

    # -- as a clock ----------------------------------------------------------------------------------------

    def now_ns(self) -> int:
        return self._clock.now_ns()

    def call_at(self, at_ns: int, action: Callable[[], None]) -> Timer:
        return self._clock.call_at(at_ns, action)

    def utc_ns(self) -> int:
        """The table's wall time: it may stand still, and never runs backwards."""
        reading = self._read()
        if self._moved(reading):
            self._judge(reading)
        return self._give(reading)

    # -- what is known of it -------------------------------------------------------------------------------

    def begin(self, newest_ns: int) -> None:
        """A table begins.

        Args:
            newest_ns: the newest wall time on its record; 0 for none.
        """
        reading = self._read()
        given_ns = self._given.utc_ns if self.started_ns else FIRST_NS
        self._has_record = newest_ns > 0
        # Later than whatever was stamped before: the record has whole milliseconds.
        self._given = ClockReading(reading.now_ns, max(given_ns, newest_ns + _RECORDED_NS))
        self.doubt = self._doubt(reading.utc_ns)
        self._seen, self._change = reading, None
        self.started_ns = self._give(reading)

    def look(self) -> ClockChange | None:
        """What changed since the last look, if anything did. Call it every few seconds."""
        reading = self._read()
        if self.doubt or self._moved(reading):
            self._judge(reading)
        change, self._change = self._change, None
        return change

    def _moved(self, reading: ClockReading) -> bool:
        return abs(reading.offset_ns - self._seen.offset_ns) > STEP_NS

    def _judge(self, reading: ClockReading) -> None:
        """The computer's wall time was set, or may have become certain."""
        moved, before, counted_ns = self._moved(reading), self.doubt, self._counted_ns(reading)
        self._by_person = self._by_person or moved
        self._seen, self.doubt = reading, self._doubt(reading.utc_ns)
        if self.doubt != before or (moved and not self.doubt):
            earlier_ns = self._change.moved_ns if self._change is not None else 0
            moved_ns = 0 if self.doubt else reading.utc_ns - counted_ns
            self._change = ClockChange(earlier_ns + moved_ns, self.doubt)

    def _doubt(self, utc_ns: int) -> Text:
        on_record = self._given.utc_ns
        both = text("clock-not-as-record", day=_day(utc_ns), record=_day(on_record))
        if not FIRST_NS <= utc_ns <= LAST_NS:
            return text("clock-of-no-table", day=_day(utc_ns))
        if self._has_record and utc_ns < on_record - BEHIND_NS:
            return both
        by = self._set_by()
        if by is SetBy.NETWORK or self._by_person:
            return NOTHING
        if self._has_record and utc_ns > on_record + AHEAD_NS:
            return both
        return NOTHING if by is SetBy.BATTERY else UNSET

    # -- the time itself -----------------------------------------------------------------------------------

    def _read(self) -> ClockReading:
        return ClockReading(self._clock.now_ns(), self._clock.utc_ns())

    def _counted_ns(self, reading: ClockReading) -> int:
        """The wall time that was last given, and what has passed since."""
        return self._given.utc_ns + reading.now_ns - self._given.now_ns

    def _give(self, reading: ClockReading) -> int:
        utc_ns, counted_ns = reading.utc_ns, self._counted_ns(reading)
        if self.doubt:
            utc_ns = max(utc_ns, counted_ns) if self.doubt == UNSET else counted_ns
        elif utc_ns < self._given.utc_ns:  # Half as fast, until the true time has come up with it.
            utc_ns = (self._given.utc_ns + counted_ns) // 2
        self._given = ClockReading(reading.now_ns, utc_ns)
        return utc_ns


def _day(utc_ns: int) -> str:
    return datetime.fromtimestamp(utc_ns // NS_PER_S, UTC).date().isoformat()


def newest_on_record(journal: Journal) -> int:
    """The wall time of the last entry, in nanoseconds; 0 if there is none, or none that can be read."""
    last = journal.entry(len(journal))
    try:
        return int(datetime.fromisoformat(last.utc).timestamp() * 1000) * 1_000_000 if last is not None else 0
    except ValueError:  # A damaged entry: recovery says so.
        return 0
