"""Tables that are interrupted: one that reports what it does, and another that is started on what is left.

A table on simulated hardware, in a process of its own, reports one message a line:

- ``append``: an entry is about to be appended,
- ``entry 17 HASH``: the append of entry 17 has returned,
- ``lamps ["10"]``: the panel is about to show this, and nothing else.

A table that is started on what an interruption left must have every entry that was acknowledged, and be where a
machine is that handled every event on record and was never interrupted.

``python -m campaigns.interrupted GAME FILE --seed S --runs N N ...`` plays a table on the journal FILE and reports
to FILE.reports: runs of so many entries each, every other one ended by a kill, the others by a stop.
"""

import json
import os
import random
import signal
import sqlite3
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from campaigns.running import Tally
from faulty_dealer import DealerAmongFaults, FaultSettings

from config.schema import TableConfig
from controller.bench import rig
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, HaltedTableError, Rig
from controller.configuration.machines import machines
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Light
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.limits.table_state import TableState
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel

LONGEST_RUN_NS = 6 * 3600 * NS_PER_S
"""From the start of one run to that of the next, where they are played one after the other."""
SETTINGS = FaultSettings(rate=0.3, repaired=0.15, careless=4)
"""Enough for locks, voids and disputes in every run."""


# -- a table that reports --------------------------------------------------------------------------------------


def play(
    config: TableConfig, file: Path, mirror: Path | None, seed: int, began_ns: int, to: int, most: int = sys.maxsize
) -> Rig:
    """Play until the journal has so many entries more. From now on, all tables of this process report.

    Args:
        began_ns: monotonic time at which it starts, so that time continues from run to run.
        to: the descriptor that takes the messages, each in one piece: a kill leaves all of it or nothing.
    """
    show, append, clock, oracle = MockPanel.show, Journal.append, VirtualClock(), Oracle()

    def report(message: str) -> None:
        os.write(to, f"{message}\n".encode())

    def shows(panel: MockPanel, areas: frozenset[str]) -> None:
        report(f"lamps {json.dumps(sorted(areas))}")
        show(panel, areas)

    def appends(journal: Journal, *entry: Any) -> Entry:
        report("append")
        appended = append(journal, *entry)
        report(f"entry {appended.seq} {appended.hash}")
        return appended

    MockPanel.show, Journal.append = shows, appends
    clock.advance_to(began_ns)
    with patch.object(rig, "VirtualClock", lambda: clock):
        table = Rig(config, file, {"seed": seed}, listeners=(oracle,), mirror=mirror)
    dealer, until = DealerAmongFaults(table, random.Random(seed), oracle, SETTINGS), len(table.journal) + most
    with suppress(HaltedTableError):
        while len(table.journal) < until:
            dealer.act()
    return table


def forked(work: Callable[[], object]) -> int:
    """Do something in a process that shares nothing with this one but what is open.

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


def main() -> int:
    """Play all runs."""
    parser = ArgumentParser(prog="python -m campaigns.interrupted", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, nargs="+")
    chosen = parser.parse_args()
    config = load_table(table_path(chosen.game)).config
    reports = os.open(f"{chosen.file}.reports", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def one(run: int, entries: int) -> None:
        seed, began_ns = chosen.seed + run, run * LONGEST_RUN_NS
        table = play(config, chosen.file, chosen.mirror, seed, began_ns, reports, entries)
        if run % 2 == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        table.close()

    for run, entries in enumerate(chosen.runs):
        if os.waitstatus_to_exitcode(os.waitpid(forked(partial(one, run, entries)), 0)[1]) == 1:
            return 1
    return 0


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
        last: the last of the entries.
    """

    def __init__(self, lines: bytes | bytearray = b"") -> None:
        self.entries: dict[int, str] = {}
        self.pictures: list[Picture] = []
        self.appending = False
        self.last = 0
        self.take(lines)

    def take(self, lines: bytes | bytearray) -> None:
        for message in lines.decode().splitlines():
            kind, *words = message.split(maxsplit=1)
            self.appending = kind == "append"
            if kind == "entry":
                seq, digest = words[0].split()
                self.last = int(seq)
                self.entries[self.last] = digest
            elif kind == "lamps":
                self.pictures.append(Picture(self.last, frozenset(json.loads(words[0]))))


# -- what is left ------------------------------------------------------------------------------------------------


class Uninterrupted:
    """A machine that handles every event on record, one after the other, and uses no checkpoint."""

    def __init__(self, config: TableConfig) -> None:
        self._machine = machines(config)(TableState())
        self._lights: list[list[frozenset[str]]] = [[]]
        """The areas that each entry lights, one after the other; entry 0 lights nothing."""

    @property
    def applied(self) -> int:
        """How many entries it has handled."""
        return len(self._lights) - 1

    def apply(self, entries: Iterable[Entry]) -> str:
        """Handle the events of entries; returns the first decision on record that it does not make, in words."""
        found = ""
        for entry in entries:
            record = of_entry(entry)
            if record.outcome != "failed":  # The code raised: nothing changed.
                decision = self._machine.handle(record.event)
                recorded = record.outcome, record.state, record.effects
                should = decision.outcome.value, decision.state, decision.effects
                if recorded != should:
                    where = f"entry {entry.seq} ({entry.kind})"
                    found = found or f"{where}: the record says {recorded}, without an interruption it is {should}"
            self._lights.append([frozenset(effect.areas) for effect in record.effects if isinstance(effect, Light)])
        return found

    def difference(self, table: Rig, entries: list[Entry], before: int) -> str:
        """The first difference between a table and this machine after these entries, which are not kept.

        Args:
            before: so many of the entries were there before the table was started.
        """
        machine, applied = self._machine, self.applied
        kept = machine.table, machine.lit
        state, data = machine.rounds.state, machine.rounds.data
        found = self.apply(entries[applied:])
        for what, actual, should in (
            ("is in", table.machine.snapshot(), machine.snapshot()),
            ("waits for", table.waiting_for, machine.waiting_for()),
            ("lights", sorted(table.lit()), sorted(machine.lit)),
        ):
            if actual != should and not found:
                found = f"after entry {before} the table {what} {actual}, without an interruption {should}"
        # Not by ``restore``, which is under test here.
        machine.table, machine.lit = kept
        machine.rounds.place(state, data)
        del self._lights[applied + 1 :]
        return found

    def early(self, picture: Picture) -> str:
        """Whether the lamps showed what was not on record yet: in words, or empty."""
        after = min(picture.after, self.applied)
        burning = next((lights[-1] for lights in reversed(self._lights[: after + 1]) if lights), frozenset())
        if picture.areas in (*self._lights[after], burning):
            return ""
        shown = ", ".join(sorted(picture.areas)) or "nothing"
        return f"after entry {picture.after} the lamps showed {shown}, which was not on record"


@dataclass
class Losses(Tally):
    """What is wrong after interruptions.

    Attributes:
        missing: entries whose append had returned and that were not there, or others.
        wrong: states and decisions that are not those of an uninterrupted machine.
        early: lamps before their record.
        broken: journals that do not verify, tables that do not start or do not go on.
    """

    missing: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not (self.missing or self.wrong or self.early or self.broken)

    def examine(
        self,
        where: str,
        machine: Uninterrupted,
        acknowledged: Mapping[int, str],
        config: TableConfig,
        file: Path,
        mirror: Path | None = None,
    ) -> list[Entry]:
        """Start a table, which writes to its journal, compare, and note what is wrong.

        Args:
            machine: has applied no more than was acknowledged; it is not changed.
            acknowledged: hashes of the entries that were acknowledged, by sequence number.
            file: the journal, or where it would be.
            mirror: the second journal; None for none.

        Returns:
            the entries that were left.
        """
        try:
            entries, wrong, broken = _started(config, file, mirror, machine, acknowledged)
        except (JournalError, sqlite3.Error) as error:
            entries, wrong, broken = _readable(file), "", f"the table does not start: {error}"
        self.missing += [f"{where}: entry {seq}" for seq in _missing(acknowledged, entries)]
        self.wrong += [f"{where}: {wrong}"] if wrong else []
        self.broken += [f"{where}: {broken}"] if broken else []
        return entries

    def print_losses(self) -> None:
        print(f"  entries that were acknowledged and are missing: {len(self.missing)}")
        print(f"  wrong states: {len(self.wrong)}")
        print(f"  lamps before their record: {len(self.early)}")
        print(f"  journals that do not verify, tables that do not go on: {len(self.broken)}")
        for line in (*self.missing, *self.wrong, *self.early, *self.broken):
            print(f"    {line}")


def _started(
    config: TableConfig, file: Path, mirror: Path | None, machine: Uninterrupted, acknowledged: Mapping[int, str]
) -> tuple[list[Entry], str, str]:
    """The entries before a table was started, how its state is wrong, and what is wrong with its journal."""
    starts: list[int] = []
    table = Rig(config, file, listeners=(lambda recorded: starts.append(recorded.entry.seq),), mirror=mirror)
    with closing(table):
        entries, before = list(table.journal.entries()), starts[0] - 1
        lost = _missing(acknowledged, entries[:before])
        wrong = "" if lost else machine.difference(table, entries, before)
        return entries[:before], wrong, table.journal.verify().problem


def _missing(acknowledged: Mapping[int, str], entries: list[Entry]) -> list[int]:
    kept = {entry.seq: entry.hash for entry in entries}
    return [seq for seq, digest in acknowledged.items() if kept.get(seq) != digest]


def _readable(file: Path) -> list[Entry]:
    """The entries that can be read of a journal on which no table starts."""
    found: list[Entry] = []
    with suppress(JournalError, sqlite3.Error), closing(Journal(file, read_only=True)) as journal:
        found.extend(journal.entries())
    return found


if __name__ == "__main__":
    sys.exit(main())
