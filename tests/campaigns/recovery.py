"""A table that is started on what an interruption left, compared with what was acknowledged.

It must also be where a machine is that handled every event on record, and was never interrupted.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from campaigns.reporting_table import Picture
from campaigns.running import Tally

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.events.effect import Light
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.limits.table_state import TableState


class Uninterrupted:
    """A machine that handles every event on record, one after the other, and uses no checkpoint.

    Attributes:
        applied: how many entries it has handled.
    """

    def __init__(self, config: TableConfig) -> None:
        self.applied = 0
        self._machine = machines(config)(TableState())
        self._lights: list[list[frozenset[str]]] = [[]]
        """The areas that each entry lights, one after the other; entry 0 lights nothing."""

    def apply(self, entries: Iterable[Entry]) -> str:
        """Handle the events of entries.

        Returns:
            the first decision on record that it does not make, in words; empty if it makes them all.
        """
        found = ""
        for entry in entries:
            record = of_entry(entry)
            if record.outcome != "failed":  # The code raised: nothing changed.
                decision = self._machine.handle(record.event)
                recorded = record.outcome, record.state, record.effects
                should = decision.outcome.value, decision.state, decision.effects
                if recorded != should and not found:
                    found = f"the record says {recorded}, without an interruption it is {should}"
                    found = f"entry {entry.seq} ({entry.kind}): {found}"
            self._lights.append([frozenset(effect.areas) for effect in record.effects if isinstance(effect, Light)])
            self.applied += 1
        return found

    def difference(self, rig: Rig, entries: list[Entry], before: int) -> str:
        """The first difference between a table and this machine after these entries, which are not kept.

        Args:
            before: so many of the entries were there before the table was started.
        """
        machine, applied = self._machine, self.applied
        table, lit, state, data = machine.table, machine.lit, machine.rounds.state, machine.rounds.data
        found = self.apply(entries[applied:])
        for what, actual, should in (
            ("is in", rig.machine.snapshot(), machine.snapshot()),
            ("waits for", rig.waiting_for, machine.waiting_for()),
            ("lights", sorted(rig.lit()), sorted(machine.lit)),
        ):
            if actual != should and not found:
                found = f"after entry {before} the table {what} {actual}, without an interruption {should}"
        # Not by ``restore``, which is under test here.
        machine.table, machine.lit = table, lit
        machine.rounds.place(state, data)
        del self._lights[applied + 1 :]
        self.applied = applied
        return found

    def early(self, picture: Picture) -> str:
        """Whether the lamps showed what was not on record yet: in words, or empty."""
        after = min(picture.after, self.applied)
        burning = next((lights[-1] for lights in reversed(self._lights[: after + 1]) if lights), frozenset())
        if picture.areas in (*self._lights[after], burning):
            return ""
        shown = ", ".join(sorted(picture.areas)) or "nothing"
        return f"after entry {picture.after} the lamps showed {shown}, which was not on record"


class Examined(NamedTuple):
    """The entries that an interruption left, and how many that were acknowledged are not there, or others."""

    entries: list[Entry]
    missing: int


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
        """Nothing was lost."""
        return not (self.missing or self.wrong or self.early or self.broken)

    def examine(
        self,
        where: str,
        machine: Uninterrupted,
        acknowledged: Mapping[int, str],
        config: TableConfig,
        file: Path,
        mirror: Path | None = None,
    ) -> Examined:
        """Start a table, which writes to its journal, compare, and note what is wrong.

        Args:
            machine: has applied no more than was acknowledged; it is not changed.
            acknowledged: hashes of the entries that were acknowledged, by sequence number.
            file: the journal, or where it would be.
            mirror: the second journal; None for none.
        """
        try:
            entries, wrong, broken = _started(config, file, mirror, machine, acknowledged)
            missing = _missing(acknowledged, entries)
        except (JournalError, sqlite3.Error) as error:
            entries, wrong, broken = [], "", f"the table does not start: {error}"
            missing = _missing(acknowledged, _readable(file))
        self.missing += [f"{where}: entry {seq}" for seq in missing]
        self.wrong += [f"{where}: {wrong}"] if wrong else []
        self.broken += [f"{where}: {broken}"] if broken else []
        return Examined(entries, len(missing))

    def print_losses(self) -> None:
        """Print them."""
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
    rig = Rig(config, file, listeners=(lambda recorded: starts.append(recorded.entry.seq),), mirror=mirror)
    try:
        entries, before = list(rig.journal.entries()), starts[0] - 1
        lost = _missing(acknowledged, entries[:before])
        wrong = "" if lost else machine.difference(rig, entries, before)
        return entries[:before], wrong, rig.journal.verify().problem
    finally:
        rig.table.stop()
        rig.journal.close()


def _missing(acknowledged: Mapping[int, str], entries: list[Entry]) -> list[int]:
    kept = {entry.seq: entry.hash for entry in entries}
    return [seq for seq, digest in acknowledged.items() if kept.get(seq) != digest]


def _readable(file: Path) -> list[Entry]:
    """The entries that can be read of a journal on which no table starts."""
    found: list[Entry] = []
    with suppress(JournalError, sqlite3.Error), closing(Journal(file, read_only=True)) as journal:
        found.extend(journal.entries())
    return found
