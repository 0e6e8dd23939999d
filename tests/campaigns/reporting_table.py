"""A table on simulated hardware that reports what it records and what its lamps show, as it happens.

The campaigns that interrupt tables compare what is left with these messages. A message is one line:

- ``append 17``: entry 17 is about to be appended,
- ``entry 17 HASH``: the append of entry 17 has returned,
- ``lamps ["10"]``: the panel is about to show this, and nothing else.

``python -m campaigns.reporting_table GAME FILE --seed S --runs N N ...`` plays a table on the journal FILE and
writes the messages to FILE.reports: runs of so many entries each, every other one ended by a kill, the others by a
stop.
"""

import json
import os
import random
import signal
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from faulty_dealer import DealerAmongFaults, FaultSettings

from config.schema import TableConfig
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.runtime.table import Table
from hal.mock.devices import MockPanel

Report = Callable[[str], None]
"""Takes a message, and returns once it is out of the process."""

LONGEST_RUN_NS = 6 * 3600 * NS_PER_S
"""From the start of one run to that of the next, where they are played one after the other."""
SETTINGS = FaultSettings(rate=0.3, repaired=0.15, careless=4)
"""What happens to the tables: enough for locks, voids and disputes in every run."""


class ReportingPanel(MockPanel):
    """Lamps that report what they are about to show, before they show it."""

    def __init__(self, areas: Iterable[str], report: Report) -> None:
        super().__init__(areas)
        self._report = report

    def show(self, areas: frozenset[str]) -> None:
        self._report(f"lamps {json.dumps(sorted(areas))}")
        super().show(areas)


class ReportingRig(Rig):
    """A simulated table that reports.

    Args:
        report: called with a message before the action that it is about.
        seed: of the simulated hardware.
        began_ns: monotonic time at which it starts, so that time continues from run to run.
    """

    def __init__(
        self,
        config: TableConfig,
        journal: Path,
        report: Report,
        seed: int,
        began_ns: int = 0,
        mirror: Path | None = None,
    ) -> None:
        self._report = report
        self._began_ns = began_ns
        super().__init__(config, journal, {"seed": seed}, mirror=mirror)

    def _start(self) -> Table:
        self.clock.advance_to(self._began_ns)
        self.world.panel = ReportingPanel(self.config.devices.panel.lamps, self._report)
        self._append = self.journal.append
        self.journal.append = self._appends  # type: ignore[method-assign, assignment]
        return super()._start()

    def _appends(self, *entry: Any) -> Entry:
        self._report(f"append {len(self.journal) + 1}")
        appended = self._append(*entry)
        self._report(f"entry {appended.seq} {appended.hash}")
        return appended


def dealer_at(rig: Rig, seed: int) -> DealerAmongFaults:
    """A dealer at this table, where things break now and then."""
    oracle = Oracle()
    rig.table.listeners.append(oracle)
    return DealerAmongFaults(rig, random.Random(seed), oracle, SETTINGS)


def write_message(descriptor: int, message: str) -> None:
    """Write a message in one piece: a kill leaves all of it or nothing."""
    os.write(descriptor, f"{message}\n".encode())


# -- what was reported -----------------------------------------------------------------------------------------


class Picture(NamedTuple):
    """What the lamps were about to show after an entry, the last whose append had returned; 0 for none."""

    after: int
    areas: frozenset[str]


class Reports:
    """The messages of a table.

    Attributes:
        entries: hashes of the entries whose append had returned, by sequence number.
        appending: the last message says that an append had begun.
    """

    def __init__(self) -> None:
        self.entries: dict[int, str] = {}
        self.pictures: list[Picture] = []
        self.appending = False
        self._last = 0

    def take(self, lines: bytes | bytearray) -> None:
        """Take some messages.

        Raises:
            ValueError: one of the lines is none.
        """
        for message in lines.decode().splitlines():
            kind, _, words = message.partition(" ")
            self.appending = kind == "append"
            if kind == "entry":
                seq, digest = words.split()
                self._last = int(seq)
                self.entries[self._last] = digest
            elif kind == "lamps":
                self.pictures.append(Picture(self._last, frozenset(json.loads(words))))
            elif kind != "append":
                raise ValueError(f"no message: {message}")


# -- tables in processes of their own --------------------------------------------------------------------------


def forked(work: Callable[[], None]) -> int:
    """Do something in a process that shares nothing with this one but what is open, and ends when it is done.

    Returns:
        its id; its exit code is 0, or 1 after an exception, which it has printed.
    """
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(code)


def _run(
    config: TableConfig, file: Path, mirror: Path | None, seed: int, began_ns: int, entries: int, killed: bool
) -> None:
    """Play until the journal has so many entries more; then stop, or be killed."""
    log = os.open(f"{file}.reports", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    rig = ReportingRig(config, file, partial(write_message, log), seed, began_ns, mirror)
    dealer, target = dealer_at(rig, seed), len(rig.journal) + entries
    while len(rig.journal) < target and not rig.table.halted:
        dealer.act()
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    rig.table.stop()
    rig.journal.close()


def main(words: Sequence[str] | None = None) -> int:
    """Play all runs."""
    parser = ArgumentParser(prog="python -m campaigns.reporting_table", description=__doc__)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("file", type=Path, metavar="FILE", help="the journal")
    parser.add_argument("--mirror", type=Path, metavar="FILE", help="the second journal (default: none)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of everything random (default 1)")
    parser.add_argument("--runs", type=int, nargs="+", default=[50], metavar="N", help="entries of each run")
    arguments = parser.parse_args(words)
    config = load_table(table_path(arguments.game)).config
    for run, entries in enumerate(arguments.runs):
        killed = run % 2 == 0
        seed, began_ns = arguments.seed + run, run * LONGEST_RUN_NS
        pid = forked(partial(_run, config, arguments.file, arguments.mirror, seed, began_ns, entries, killed))
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) not in (0, -signal.SIGKILL):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
