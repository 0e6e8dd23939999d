"""What processes take of the computer, from the kernel: memory and processor time. See proc(5)."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_AFTER_NAME = 2
"""Fields of /proc/PID/stat before the state, where its name ends."""


@dataclass
class Usage:
    """Of one role, over all runs of its processes.

    Attributes:
        memory_mb: the most that it had at one time.
    """

    memory_mb: float = 0.0
    _seconds: dict[int, float] = field(default_factory=dict)
    _moved: dict[int, int] = field(default_factory=dict)

    @property
    def processor_s(self) -> float:
        """Processor time, as of the last look."""
        return sum(self._seconds.values())

    @property
    def moved_bytes(self) -> int:
        """Bytes that they read and wrote with read(2) and write(2), sockets included, as of the last look."""
        return sum(self._moved.values())

    def poll(self, pids: Iterable[int]) -> None:
        """See what its processes have taken; one that is no more took what it had taken at the last look."""
        pages = 0
        for pid in pids:
            with suppress(OSError):
                stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                user, system = (int(stat[number - _AFTER_NAME - 1]) for number in (14, 15))
                self._seconds[pid] = (user + system) / _TICKS
                lines = Path(f"/proc/{pid}/io").read_text().split()
                self._moved[pid] = int(lines[1]) + int(lines[3])
        self.memory_mb = max(self.memory_mb, pages * _PAGE / 1e6)


def with_children(pids: Iterable[int]) -> list[int]:
    """Processes and those that they started, as far as they run."""
    found: list[int] = []
    for pid in pids:
        with suppress(OSError):
            found += pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return found
