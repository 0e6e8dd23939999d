"""A table on simulated hardware that tells what it has recorded and what its lamps show, as it happens.

The campaigns that interrupt tables hold it against these words. A message is one line:

- ``append 17``: entry 17 is about to be appended,
- ``entry 17 HASH``: the append of entry 17 has returned,
- ``lamps ["10"]``: the panel was told to show this, and nothing else.

``python -m benchmarks.reporting_table GAME FILE --seed S --lives N N ...`` plays a table on the journal FILE and
writes the messages to FILE.told: lives of so many entries each, every other one ended by a kill, the others by a
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
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from config.schema import TableConfig
from controller.bench.injected_faults import DealerAmongFaults, FaultSettings
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.runtime.table import Table
from hal.mock.devices import MockPanel

Tell = Callable[[str], None]
"""Takes a message, and returns once it is out of the process."""

LONGEST_LIFE_NS = 6 * 3600 * NS_PER_S
"""From the start of one life to that of the next, where they are played one after the other."""
SETTINGS = FaultSettings(rate=0.3, mended=0.15, careless=4)
"""What happens to the tables: enough for locks, voids and disputes in every life."""


class ToldPanel(MockPanel):
    """Lamps that tell what they are to show, before anybody sees it."""

    def __init__(self, areas: Iterable[str], tell: Tell) -> None:
        super().__init__(areas)
        self._tell = tell

    def show(self, areas: frozenset[str]) -> None:
        self._tell(f"lamps {json.dumps(sorted(areas))}")
        super().show(areas)


class ToldRig(Rig):
    """One simulated table that tells.

    Args:
        tell: is called before whatever it was told of goes on.
        seed: of the simulated hardware.
        began_ns: monotonic time at which it starts, so that time goes on from life to life.
    """

    def __init__(self, config: TableConfig, journal: Path, tell: Tell, seed: int, began_ns: int = 0) -> None:
        self._tell = tell
        self._began_ns = began_ns
        super().__init__(config, journal, {"seed": seed})

    def _start(self) -> Table:
        self.clock.advance_to(self._began_ns)
        self.world.panel = ToldPanel(self.config.devices.panel.lamps, self._tell)
        self._append = self.journal.append
        self.journal.append = self._appends  # type: ignore[method-assign, assignment]
        return super()._start()

    def _appends(self, *entry: Any) -> Entry:
        self._tell(f"append {len(self.journal) + 1}")
        appended = self._append(*entry)
        self._tell(f"entry {appended.seq} {appended.hash}")
        return appended


def dealt(rig: Rig, seed: int) -> DealerAmongFaults:
    """A dealer at this table, where things break now and then."""
    witness = Oracle()
    rig.table.listeners.append(witness)
    return DealerAmongFaults(rig, random.Random(seed), witness, SETTINGS)


def say(descriptor: int, message: str) -> None:
    """Write a message in one piece: a kill leaves all of it or nothing."""
    os.write(descriptor, f"{message}\n".encode())


# -- what was heard --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Picture:
    """What the lamps were told to show.

    Attributes:
        after: the last entry whose append had returned before; 0 for none.
    """

    after: int
    areas: frozenset[str]


@dataclass(slots=True)
class Heard:
    """What a table told."""

    entries: dict[int, str] = field(default_factory=dict)
    """Hashes of the entries whose append had returned, by sequence number."""
    pictures: list[Picture] = field(default_factory=list)
    appending: bool = False
    """The last thing that was heard is that an append had begun."""
    _last: int = 0

    def hear(self, message: str) -> None:
        """Take a message.

        Raises:
            ValueError: it is none.
        """
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


def _live(config: TableConfig, file: Path, seed: int, began_ns: int, entries: int, killed: bool) -> None:
    """Play until the journal has so many entries more; then stop, or be killed."""
    told = os.open(f"{file}.told", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    rig = ToldRig(config, file, partial(say, told), seed, began_ns)
    dealer, wanted = dealt(rig, seed), len(rig.journal) + entries
    while len(rig.journal) < wanted and not rig.table.halted:
        dealer.act()
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    rig.table.stop()
    rig.journal.close()


def main(words: Sequence[str] | None = None) -> int:
    """Play all lives."""
    parser = ArgumentParser(prog="python -m benchmarks.reporting_table", description=__doc__)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("file", type=Path, metavar="FILE", help="the journal")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of everything random (default 1)")
    parser.add_argument("--lives", type=int, nargs="+", default=[50], metavar="N", help="entries of each life")
    arguments = parser.parse_args(words)
    config = load_table(table_path(arguments.game)).config
    for life, entries in enumerate(arguments.lives):
        killed = life % 2 == 0
        seed, began_ns = arguments.seed + life, life * LONGEST_LIFE_NS
        pid = forked(partial(_live, config, arguments.file, seed, began_ns, entries, killed))
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) not in (0, -signal.SIGKILL):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
