"""Reports what happens to the media of a mirrored journal; a table with one journal has nothing to report."""

import logging
from collections.abc import Iterator

from controller.events.event import Health, SensorHealth
from controller.journal.medium import Medium
from controller.journal.mirrored import MirroredJournal
from controller.runtime.recorder import Recorder
from hal.interfaces import Clock

log = logging.getLogger("table")


class MediaWatch:
    """The media of one table's journal."""

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        self._recorder = recorder
        self._clock = clock

    def start(self) -> None:
        """Report how the table starts: on one medium only, or on one that was filled from the other."""
        journal = self._recorder.journal
        if not isinstance(journal, MirroredJournal):
            return
        journal.failed = self._failed
        self._recorder.take(list(self._found(journal)))
        if not self._recorder.halted:
            journal.left_alone()

    def close(self) -> None:
        """Nothing to stop: a medium that fails while it is written says so."""

    def _found(self, journal: MirroredJournal) -> Iterator[SensorHealth]:
        decided = f"; {journal.decided} decided to go on without it" if journal.decided else ""
        for medium in journal.media:
            if medium.error is not None:
                yield self._gone(medium, decided)
            elif medium.filled:
                detail = f"{medium.file}: entries that were missing were copied to it: {medium.filled}{decided}"
                yield SensorHealth(self._clock.now_ns(), medium.name, Health.OK, detail)

    def _failed(self, medium: Medium) -> None:
        self._recorder.take([self._gone(medium)])

    def _gone(self, medium: Medium, decided: str = "") -> SensorHealth:
        log.error("the %s cannot be used: %s%s", medium.name, medium.error, decided)
        return SensorHealth(self._clock.now_ns(), medium.name, Health.GONE, f"{medium.error}{decided}")
