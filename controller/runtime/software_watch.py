"""Compares all that is installed with its manifest while the table runs, in a process of its own beside the loop.

``python -m controller.runtime.software_watch`` is that process: it reads some hundred megabytes with the lowest
priority and long rests, and answers with one line of JSON. It is started half a minute after the table, and every
six hours. What the table loads is compared as it is loaded (:mod:`controller.runtime.verified_import`); this finds
what was changed since, and what nobody has loaded yet.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from controller.events.event import Event, Health, SensorHealth
from controller.events.health import SOFTWARE
from controller.runtime import environment
from controller.runtime.verified_import import NAME as MANIFEST
from controller.runtime.verified_import import process_command
from hal.interfaces import Clock

log = logging.getLogger("table")

FIRST_S = 30.0
"""So long after the start: the table has enough to do before."""
RESTS = 4.0
"""For each second of processor time the process rests so many: a service may not let it have a lower priority."""
EVERY_S = 6 * 3600.0
"""From the end of one comparison to the next."""
PATIENCE_S = 1800.0
"""A comparison that takes longer is ended; a Raspberry Pi takes some seconds."""
NAMED = 5
"""The most files that a fault names."""


class SoftwareWatch:
    """What is installed on one table's computer. Needs a running event loop.

    Args:
        take: takes the events.
        command: the process; its own by default.
    """

    def __init__(
        self, clock: Clock, take: Callable[[Iterable[Event]], None], command: Sequence[str] | None = None
    ) -> None:
        self._clock = clock
        self._take = take
        self._command = list(process_command(__name__) if command is None else command)
        self._running: asyncio.Task[None] | None = None
        self._reported = ""

    def start(self) -> None:
        """Compare soon, and from then on."""
        self._running = asyncio.get_running_loop().create_task(self._watch())

    def close(self) -> None:
        """Stop; a comparison under way is ended."""
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _watch(self) -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            try:
                detail = await asyncio.wait_for(self._compare(), PATIENCE_S)
            except (OSError, ValueError, TimeoutError) as error:
                detail = f"it cannot be compared: {str(error) or 'that took too long'}"
            self._report(detail)
            await asyncio.sleep(EVERY_S)

    def _report(self, detail: str) -> None:
        if detail == self._reported:
            return
        self._reported = detail
        if detail:
            log.error("the software is not what was installed: %s", detail)
        health = Health.DEGRADED if detail else Health.OK
        self._take([SensorHealth(self._clock.now_ns(), SOFTWARE, health, detail)])

    async def _compare(self) -> str:
        """Run the process; what differs, or empty.

        Raises:
            OSError: it cannot be started.
            ValueError: it does not answer.
        """
        process = await asyncio.create_subprocess_exec(*self._command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
        try:
            out, err = await process.communicate()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.returncode:
            said = err.decode("utf-8", errors="replace").strip().splitlines()
            raise ValueError(said[0] if said else f"the process for it ended with {process.returncode}")
        detail = json.loads(out)
        if not isinstance(detail, str):
            raise ValueError("its answer makes no sense")
        return detail


# -- the process ---------------------------------------------------------------------------------------------------


def detail_of(faults: Sequence[str]) -> str:
    """The files that differ in one line of bounded length; empty if there are none."""
    more = [f"and {len(faults) - NAMED} more"] if len(faults) > NAMED else []
    return "; ".join([*(fault[:200] for fault in faults[:NAMED]), *more])


def main() -> int:
    """Compare once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # It ends with the table, which is told to.
    with suppress(OSError):  # As far as the service lets it; the nice value is inherited where it does not.
        os.nice(19)
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    folder = environment.slot()
    if folder is None:
        print(json.dumps(f"{MANIFEST} is gone"))
        return 0
    try:
        faults = environment.differences(folder, RESTS).faults()
    except (OSError, ValueError) as error:
        faults = [f"{MANIFEST}: {error}"]
    print(json.dumps(detail_of(faults)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
