"""Whether the floor hears the table: a small file that the table's publisher writes and its screens read.

The publisher is another process, of another user: it can write nothing of the table's, and the table loads no
library of MQTT. So the publisher says in its own runtime folder when it last had the broker, and the table's page
server reads that now and then. What is read chooses one of a few sentences on the dealer's screen, and no more:
whoever took over the publisher can make the screen say the wrong one, and cannot hold the table up. Times are of
the computer's monotonic clock, which both processes share; the folder does not outlive a restart of the computer.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from hal.interfaces import Clock

FOLDER = "RUNTIME_DIRECTORY"
"""The variable in which systemd tells a service its runtime folder."""
NAME = "contact.json"
PLACE = Path("/run/table-controller-publish", NAME)
"""Of the service that publishes (systemd/table-controller-publish.service)."""
MOST_BYTES = 256
READ_NS = 5_000_000_000
"""How often the file is read at most."""
HEARD_NS = 60_000_000_000
"""A table that was heard within this time is heard."""
_MIN_NS = 60_000_000_000
HEARS = "the floor hears this table"
NO_PUBLISHER = "the floor does not hear this table: its publisher does not run; rounds are kept and sent later"


def place_of(environment: Mapping[str, str]) -> Path | None:
    """Where a publisher writes; None for one that was not started by systemd."""
    folder = environment.get(FOLDER, "")
    return Path(folder.partition(":")[0], NAME) if folder else None


def read(place: Path) -> tuple[bool, int] | None:
    """Whether the publisher was heard at all, and since when it is silent, in ns; None without a file that says so.

    It never waits: a pipe in the file's place is no file, and a large file is not read.
    """
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return None
            found = json.loads(os.read(handle, MOST_BYTES + 1)[:MOST_BYTES])
        finally:
            os.close(handle)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    heard, since_ns = found.get("heard"), found.get("since_ns")
    return (heard, since_ns) if isinstance(heard, bool) and type(since_ns) is int else None


def words(said: tuple[bool, int] | None, now_ns: int) -> str:
    """What the dealer reads.

    Args:
        said: by the publisher; None if it says nothing.
        now_ns: on the monotonic clock.
    """
    if said is None or not 0 <= said[1] <= now_ns:  # A time to come is of another start of the computer.
        return NO_PUBLISHER
    heard, silent_ns = said[0], now_ns - said[1]
    if heard and silent_ns <= HEARD_NS:
        return HEARS
    for_long = f"for {_duration(silent_ns)}" if silent_ns >= _MIN_NS else "yet"
    return f"the floor has not heard this table {for_long}: rounds are kept and sent later"


def _duration(ns: int) -> str:
    minutes = ns // _MIN_NS
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} days"


class ContactWords(TypedDict):
    heard: bool
    words: str


class FloorContact:
    """What the dealer reads of the floor, read anew every :data:`READ_NS` at most.

    Args:
        place: the publisher's file; None for a table without a broker, of which nothing is said.
    """

    def __init__(self, place: Path | None, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._read_ns = -READ_NS
        self._said: tuple[bool, int] | None = None

    def line(self) -> ContactWords | None:
        """A sentence, and whether all is well; None for a table without a broker."""
        if self._place is None:
            return None
        now_ns = self._clock.now_ns()
        if now_ns - self._read_ns >= READ_NS:
            self._read_ns, self._said = now_ns, read(self._place)
        said = words(self._said, now_ns)
        return {"heard": said == HEARS, "words": said}


class ContactFile:
    """The publisher's side: says when the broker last had everything.

    A file that cannot be written is no trouble of publishing: the screens say then that nobody publishes.

    Args:
        place: of the file; None to write none.
    """

    def __init__(self, place: Path | None, clock: Clock) -> None:
        self._place = place
        self._clock = clock
        self._written_ns: int | None = None
        self._write(heard=False)

    def heard(self) -> None:
        """The broker has all that was due; written every :data:`READ_NS` at most."""
        if self._written_ns is None or self._clock.now_ns() - self._written_ns >= READ_NS:
            self._write(heard=True)
            self._written_ns = self._clock.now_ns()

    def _write(self, heard: bool) -> None:
        if self._place is None:
            return
        text = json.dumps({"heard": heard, "since_ns": self._clock.now_ns()})
        new = self._place.with_suffix(".new")
        try:
            new.write_text(text, encoding="utf-8")
            new.chmod(0o644)  # The table is another user.
            new.replace(self._place)
        except OSError:
            return
