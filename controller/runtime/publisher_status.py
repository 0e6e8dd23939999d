"""What a table's publisher says of the floor: a small file that it writes, and that the table's screens read.

The publisher is another process, of another user: it can write nothing of the table's. The table reads a file in
the publisher's runtime folder now and then; its content selects a sentence on the dealer's screen, and nothing
else. Times are of the computer's monotonic clock, which both share; the folder does not outlive a restart.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict

from pydantic import TypeAdapter, ValidationError

from hal.interfaces import Clock

NAME = "status.json"
PLACE = Path("/run/table-controller-publish", NAME)
"""Of the service that publishes (systemd/table-controller-publish.service)."""
READ_NS = 5_000_000_000
"""How often the file is read at most, and written while nothing else changes."""
HEARD_NS = 60_000_000_000
"""The floor hears a table whose entries it had, all of them, within this time."""
HEARS = "the floor receives this table's rounds"
NO_PUBLISHER = "the floor receives nothing: the publisher is not running; rounds are kept and sent later"
_MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class PublisherStatus:
    """What the publisher knows.

    Attributes:
        connected: to the broker.
        since_ns: when the floor last had every entry; if it never had, when the publisher started.
        heard: whether the floor has had every entry since the publisher started.
        waiting: entries that the floor does not have, as far as that is known.
        problem: the last problem, until it is over; empty for none.
    """

    connected: bool
    since_ns: int
    heard: bool
    waiting: int
    problem: str

    def words(self, now_ns: int) -> str:
        """What the dealer reads."""
        silent_ns = now_ns - self.since_ns
        if silent_ns < 0:  # A time to come is of another start of the computer.
            return NO_PUBLISHER
        if self.heard and silent_ns <= HEARD_NS:
            return HEARS
        minutes = silent_ns // 60_000_000_000
        since = "yet" if not minutes else f"for {minutes} min" if minutes < 120 else f"for {minutes // 60} h"
        return f"the floor has received nothing from this table {since}: rounds are kept and sent later"


_STATUS = TypeAdapter(PublisherStatus)


def status_place(environment: Mapping[str, str]) -> Path | None:
    """Where a publisher writes its status; None for one that was not started by systemd."""
    folder = environment.get("RUNTIME_DIRECTORY", "")
    return Path(folder.partition(":")[0], NAME) if folder else None


def write_status(place: Path, status: PublisherStatus) -> None:
    """Write the file. Failing costs a sentence on the screens, and nothing else."""
    new = place.with_suffix(".new")
    try:
        new.write_text(json.dumps(asdict(status)), encoding="utf-8")
        new.chmod(0o644)  # The table is another user.
        new.replace(place)
    except OSError:
        return


def read_status(place: Path) -> PublisherStatus | None:
    """The status; None without a file that has one.

    It never waits: a pipe in the file's place is no file, and a large file is not read.
    """
    try:
        with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW), "rb", buffering=0) as file:
            return _STATUS.validate_json(file.read(_MOST_BYTES) or b"", strict=True)
    except (OSError, ValidationError):
        return None


class FloorLine(TypedDict):
    heard: bool
    words: str


class FloorContact:
    """What the dealer reads of the floor.

    Args:
        place: the publisher's file; None for a table without a broker, of which nothing is said.
    """

    def __init__(self, place: Path | None, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._read_ns = -READ_NS
        self._status: PublisherStatus | None = None

    def line(self) -> FloorLine | None:
        """A sentence, and whether all is well; None for a table without a broker."""
        if self._place is None:
            return None
        now_ns = self._clock.now_ns()
        if now_ns - self._read_ns >= READ_NS:
            self._read_ns, self._status = now_ns, read_status(self._place)
        said = self._status.words(now_ns) if self._status is not None else NO_PUBLISHER
        return {"heard": said == HEARS, "words": said}
