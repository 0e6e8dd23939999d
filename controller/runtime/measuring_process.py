"""Measures a table's spins in a process of its own, beside the table's loop.

``python -m controller.runtime.measuring_process JOURNAL`` is that process. It reads the wheel's section of the
table's file as one line of JSON, goes on with what is on record, and answers each spin with one line: what is to be
recorded.
"""

import asyncio
import json
import logging
import os
import signal
import sys
from array import array
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from config.schema import WheelSection
from controller.events.event import SpinMeasured, WheelDegraded
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import EdgeStretch
from controller.runtime.spin_measurer import EndedSpin, SpinMeasurer
from controller.runtime.wheel_watch import TakeMeasured

log = logging.getLogger(__name__)

RESTART_S = 60.0
"""After so long a process that ended is started again."""
PATIENCE_S = 120.0
"""A process that measures one spin for so long is killed."""
_LONGEST_LINE = 1 << 20
_EVENTS = TypeAdapter(list[SpinMeasured | WheelDegraded])


class MeasuringProcess:
    """Hands spins to the process, one at a time. Needs a running event loop.

    It is started with the table, and again when it has ended. While it is not ready, or measures the spin before, a
    spin is left out.

    Args:
        wheel: calibrated.
        sections: of the wheel.
        journal: the table's journal file.
    """

    def __init__(self, wheel: WheelSection, sections: int, journal: Path) -> None:
        self._begin = json.dumps({"wheel": wheel.model_dump(mode="json"), "sections": sections}).encode() + b"\n"
        self._journal = journal
        self._process: Process | None = None
        self._busy_since: float | None = None
        self._running: asyncio.Task[None] | None = None
        self._closed = False

    def start(self, answer: TakeMeasured) -> None:
        """Start the process; its answers go to ``answer`` in this loop."""
        self._running = asyncio.get_running_loop().create_task(self._keep_running(answer))

    def measure(self, spin: EndedSpin) -> None:
        """Hand over a spin, or leave it out; returns at once."""
        process, now = self._process, asyncio.get_running_loop().time()
        if process is None or process.stdin is None or self._busy_since is not None:
            log.info("the spin of round %d is not measured: no process is free for it", spin.round)
            if process is not None and self._busy_since is not None and now - self._busy_since > PATIENCE_S:
                _kill(process)
            return
        self._busy_since = now
        process.stdin.write(packed(spin))  # The loop writes it bit by bit, as the pipe takes it.

    def close(self) -> None:
        """End the process; its task ends with it."""
        self._closed = True
        if self._process is not None:
            _kill(self._process)
        elif self._running is not None:
            self._running.cancel()

    async def _keep_running(self, answer: TakeMeasured) -> None:
        while True:
            try:
                ended = f"exit code {await self._run(answer)}"
            except (OSError, ValueError) as error:
                ended = str(error)
            if self._closed:
                return
            log.warning("spins are not measured for %.0f s: the process for it ended: %s", RESTART_S, ended)
            await asyncio.sleep(RESTART_S)

    async def _run(self, answer: TakeMeasured) -> int:
        """Run the process until it ends; returns its exit code.

        Raises:
            OSError: it cannot be started.
            ValueError: its answer makes no sense.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, str(self._journal)), stdin=PIPE, stdout=PIPE, limit=_LONGEST_LINE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._busy_since = process, asyncio.get_running_loop().time()
        try:
            process.stdin.write(self._begin)
            while line := await process.stdout.readline():
                self._busy_since = None
                if not self._closed:
                    answer(_EVENTS.validate_json(line))
            return await process.wait()
        finally:
            self._process = None
            _kill(process)
            process.stdin.close()
            await process.wait()


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):  # It has ended, and the loop does not know yet.
        process.kill()


# -- what goes through the pipe ------------------------------------------------------------------------------------


def packed(spin: EndedSpin) -> bytes:
    """A spin as bytes: a line of JSON, the edges, and their stamps, of 8 bytes each."""
    stretch = spin.stretch
    begin = {
        "round": spin.round,
        "touched": spin.touched,
        "levels": stretch.levels,
        "edges": len(stretch.edges),
    }
    return json.dumps(begin).encode() + b"\n" + stretch.edges + stretch.stamps_ns.tobytes()


def unpacked(source: BinaryIO) -> EndedSpin | None:
    """The next spin; None once the table has ended."""
    line = source.readline()
    if not line:
        return None
    begin, stamps = json.loads(line), array("q")
    edges = source.read(begin["edges"])
    stamps.frombytes(source.read(begin["edges"] * stamps.itemsize))
    return EndedSpin(begin["round"], begin["touched"], EdgeStretch(begin["levels"], edges, stamps))


# -- the process ---------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure spins until there are no more."""
    (journal,) = sys.argv[1:] if arguments is None else arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # It ends with the table, which is told to.
    with suppress(OSError):  # The table has priority, where the service may set it.
        os.nice(10)
    source, out = sys.stdin.buffer, sys.stdout.buffer
    begin = json.loads(source.readline())
    try:
        with closing(Journal(Path(journal), read_only=True)) as on_record:
            measurer = SpinMeasurer(WheelSection.model_validate(begin["wheel"]), begin["sections"], on_record)
    except JournalError as error:
        print(f"spins are not measured: {error}", file=sys.stderr)
        return 1
    _say(out, [])
    while (spin := unpacked(source)) is not None:
        _say(out, list(measurer.measured(spin)))
    return 0


def _say(out: BinaryIO, events: list[SpinMeasured | WheelDegraded]) -> None:
    out.write(_EVENTS.dump_json(events) + b"\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
