"""Tables that are killed: ``python -m campaigns.kill_campaign --kills N --seed S``.

Tables of all games play on simulated hardware, with faults now and then, with their journals in files, and are
killed (SIGKILL) at random moments: while they start, while they recover from the kill before, within an append,
between two appends. Each table reports through a pipe what it has recorded and what its lamps show, as it happens
(:mod:`campaigns.reporting_table`). Then, from a copy of what the kill left behind, a table is started again, and

- every entry whose append had returned is there, with the same hash, and the journal verifies,
- the table is in the state of a machine that handled every event on record and was never interrupted,
- every decision on record is that machine's,
- no lamp had shown anything before its record.

The next run of the same journal starts on what was left itself. A kill takes the process only: what it has
written stays in the kernel's cache, synced or not. A journal that is not synced is found by
:mod:`campaigns.crash_campaign`, never here; so the files are in memory.

The seed draws the moments; where in its work a table is hit then depends on the machine, so no run is like another.
"""

import math
import os
import random
import select
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from campaigns import running
from campaigns.recovery import Losses, Uninterrupted
from campaigns.reporting_table import ReportingRig, Reports, dealer_at, forked, write_message

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.journal.record import of_entry
from controller.machine.registry import game_names

GAMES = tuple(game_names())
KILLS_PER_JOURNAL = 20
OUTAGE_NS = 5 * NS_PER_S
"""How long a table was dead."""
PATIENCE_S = 180.0
"""A table that has reported nothing for so long is stuck."""
STARTING, START_S = 0.3, 0.03
"""Part of the kills that are to fall while a table starts, and how long that takes about."""
MOST_ENTRIES, LATEST_S = 200, 0.005
"""The others fall within so long after a number of entries; small numbers and delays are as frequent as large."""


class Batch(NamedTuple):
    """The kills of one journal."""

    game: str
    seed: int
    kills: int
    mirror: bool


@dataclass
class Tally(Losses):
    """What was counted.

    Attributes:
        entries: those whose append had returned.
        pictures: how often the lamps were changed.
        states: kills by game and by the state on record in which they fell.
        starting: kills before the table's first entry of that run.
        appending: kills within an append.
    """

    kills: int = 0
    entries: int = 0
    pictures: int = 0
    states: Counter[tuple[str, str]] = field(default_factory=Counter)
    starting: int = 0
    appending: int = 0


# -- one run of a table ------------------------------------------------------------------------------------------


class Moment(NamedTuple):
    """When a table is killed: so long after so many entries of that run were reported."""

    entries: int
    delay_s: float


def moment(rng: random.Random) -> Moment:
    """Draw one."""
    if rng.random() < STARTING:
        return Moment(0, rng.uniform(0, START_S))
    entries = round(math.exp(rng.uniform(0, math.log(MOST_ENTRIES))))
    return Moment(entries, LATEST_S * math.exp(-rng.uniform(0, 6)))


def plays(
    config: TableConfig, file: Path, mirror: Path | None, seed: int, began_ns: int, reads: int, pipe: int
) -> None:
    """Play until the process is killed."""
    os.close(reads)  # Reporting to a parent that has ended is to fail.
    rig = ReportingRig(config, file, partial(write_message, pipe), seed, began_ns, mirror)
    dealer = dealer_at(rig, seed)
    while True:
        dealer.act()


def run_until_killed(
    config: TableConfig, file: Path, mirror: Path | None, seed: int, began_ns: int, when: Moment
) -> tuple[Reports, str]:
    """Let a table play in a process of its own, and kill it.

    Returns:
        its reports, and what was wrong with it before it was killed; empty for nothing.
    """
    reads, writes = os.pipe()
    try:
        pid = forked(partial(plays, config, file, mirror, seed, began_ns, reads, writes))
        os.close(writes)
        data = bytearray()
        try:
            problem = _receive(reads, data, when)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        while more := os.read(reads, 1 << 16):
            data += more
    finally:
        os.close(reads)
    reports = Reports()
    reports.take(data)
    return reports, problem


def _receive(pipe: int, data: bytearray, when: Moment) -> str:
    """Receive a table's reports until it is to be killed; returns what is wrong with it, or nothing."""
    until: float | None = None
    while True:
        if until is None and data.count(b"entry") >= when.entries:
            until = time.monotonic() + when.delay_s
        rest_s = PATIENCE_S if until is None else until - time.monotonic()
        if rest_s <= 0:
            return ""
        if not select.select([pipe], [], [], rest_s)[0]:
            return "" if until is not None else f"the table reported nothing for {PATIENCE_S:.0f} s"
        more = os.read(pipe, 1 << 16)
        if not more:
            return "the table ended by itself"
        data += more


# -- many runs of one journal ------------------------------------------------------------------------------------


class Case:
    """One journal, and the tables that are killed on it."""

    def __init__(self, batch: Batch, folder: Path) -> None:
        self.batch = batch
        self.tally = Tally()
        self._config = load_table(table_path(batch.game)).config
        self._rng = random.Random(batch.seed)
        self._folder, self._copies = folder / "runs", folder / "copy"
        self._folder.mkdir()
        self._machine, self._on_both = Uninterrupted(self._config), Uninterrupted(self._config)
        """Have handled the entries that are on record, and those that each medium must have."""
        self._owed: dict[int, str] = {}
        """Hashes of all entries on record, by sequence number."""
        self._owed_by_each: dict[int, str] = {}
        self._now_ns = 0

    def play(self) -> Tally:
        """Run and kill a table as often as the batch says."""
        batch = self.batch
        for run in range(batch.kills):
            seed, when = self._rng.getrandbits(32), moment(self._rng)
            file, mirror = self._files(self._folder)
            reports, problem = run_until_killed(self._config, file, mirror, seed, self._now_ns, when)
            where = f"{batch.game}, seed {batch.seed}, run {run + 1}"
            self.tally.broken += [f"{where}: {problem}"] if problem else []
            files, owed = self._copied(), {**self._owed, **reports.entries}
            entries = self.tally.examine(where, self._machine, owed, self._config, *files).entries
            if batch.mirror:
                self._examine_each(reports, entries, where)
            self._count(reports, entries, where)
        return self.tally

    def _files(self, folder: Path) -> tuple[Path, Path | None]:
        return folder / "table.journal", folder / "mirror.journal" if self.batch.mirror else None

    def _copied(self) -> tuple[Path, Path | None]:
        """Copy what the kill left."""
        shutil.rmtree(self._copies, ignore_errors=True)
        shutil.copytree(self._folder, self._copies)
        return self._files(self._copies)

    def _examine_each(self, reports: Reports, entries: Sequence[Entry], where: str) -> None:
        """Start a table on each medium alone; an entry that was under way may have reached only one of them."""
        last = max(reports.entries, default=0)
        if last:
            self._owed_by_each = {entry.seq: entry.hash for entry in entries[:last]}
            self._on_both.apply(entries[self._on_both.applied : last])
        for alone in self._files(self._copies):
            assert alone is not None
            self._copied()
            owed = {**self._owed_by_each, **reports.entries}
            self.tally.examine(f"{where}, {alone.name} alone", self._on_both, owed, self._config, alone)

    def _count(self, reports: Reports, entries: Sequence[Entry], where: str) -> None:
        """Count what was reported, and where the kill fell."""
        tally = self.tally
        tally.kills += 1
        tally.entries += len(reports.entries)
        tally.pictures += len(reports.pictures)
        tally.starting += not reports.entries
        tally.appending += reports.appending
        tally.states[self.batch.game, of_entry(entries[-1]).state if entries else "new"] += 1
        self._machine.apply(entries[self._machine.applied :])
        # A loss is reported once.
        self._owed = {entry.seq: entry.hash for entry in entries}
        self._now_ns = (entries[-1].at_ns if entries else 0) + OUTAGE_NS
        for picture in reports.pictures:
            if words := self._machine.early(picture):
                tally.early.append(f"{where}: {words}")


# -- the campaign ------------------------------------------------------------------------------------------------


def batches(kills: int, seed: int, games: Sequence[str], mirror: bool = False) -> list[Batch]:
    """Kills of tables of these games, one journal after the other.

    Args:
        mirror: each table has a second journal, and each of the two is tried alone, too.
    """
    return [
        Batch(games[number % len(games)], seed * 1_000_000 + number, min(KILLS_PER_JOURNAL, kills - done), mirror)
        for number, done in enumerate(range(0, kills, KILLS_PER_JOURNAL))
    ]


def play_batch(batch: Batch) -> Tally:
    """All kills of a batch."""
    with running.in_memory() as folder:
        try:
            return Case(batch, Path(folder)).play()
        except Exception as error:
            error.add_note(f"in the case with seed {batch.seed} of {batch.game}")
            raise


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if anything was lost."""
    parser = running.command_line("kill_campaign", __doc__, GAMES)
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="how many kills (default 1000)")
    parser.add_argument("--mirror", action="store_true", help="journals on two media; each alone is tried, too")
    chosen = parser.parse_args(words)
    games = [game for game in GAMES if game in chosen.games]
    parts = batches(chosen.kills, chosen.seed, games, chosen.mirror)
    tally = running.run(play_batch, parts, Tally(), chosen)
    print(f"{tally.kills} kills; {tally.entries} entries and {tally.pictures} lamp changes")
    print(f"  before the first entry of a run: {tally.starting}; within an append: {tally.appending}")
    for game in games:
        states = {state: count for (of, state), count in tally.states.most_common() if of == game}
        listed = ", ".join(f"{state} {count}" for state, count in states.items())
        print(f"  {game}: {sum(states.values())} kills in {len(states)} states: {listed}")
    tally.print_losses()
    return 0 if tally.passed else 1


if __name__ == "__main__":
    sys.exit(main())
