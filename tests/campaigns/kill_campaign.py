"""Tables that are killed: ``python -m campaigns.kill_campaign --kills N --seed S``.

Tables of all games play on simulated hardware, with faults now and then, and are killed (SIGKILL) at random
moments: while they start, while they recover from the kill before, within an append, between two appends. Each
reports what it has recorded and what its lamps show (:mod:`campaigns.interrupted`). Then, from a copy of what the
kill left behind, a table is started again, and

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
from campaigns.interrupted import Losses, Reports, Uninterrupted, forked, play

from controller.bench.rig import NS_PER_S
from controller.configuration.shipped import load_table, table_path
from controller.journal.record import of_entry
from controller.machine.registry import game_names

GAMES = tuple(game_names())
JOURNAL, MIRROR = "table.journal", "mirror.journal"
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


def moment(rng: random.Random) -> tuple[int, float]:
    """When a table is killed: after how many entries of that run, and how many seconds later."""
    if rng.random() < STARTING:
        return 0, rng.uniform(0, START_S)
    return round(math.exp(rng.uniform(0, math.log(MOST_ENTRIES)))), LATEST_S * math.exp(-rng.uniform(0, 6))


def until_killed(plays: partial[object], entries: int, delay_s: float) -> tuple[Reports, str]:
    """Let a table play in a process of its own, and kill it.

    Args:
        plays: takes the descriptor for reports.

    Returns:
        its reports, and what was wrong with it before it was killed; empty for nothing.
    """
    reads, writes = os.pipe()

    def play_on() -> None:
        os.close(reads)  # Reporting to a parent that has ended is to fail.
        plays(to=writes)

    pid = forked(play_on)
    os.close(writes)
    data = bytearray()
    try:
        problem = _receive(reads, data, entries, delay_s)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    while more := os.read(reads, 1 << 16):
        data += more
    os.close(reads)
    return Reports(data), problem


def _receive(pipe: int, data: bytearray, entries: int, delay_s: float) -> str:
    """Receive a table's reports until it is to be killed; returns what is wrong with it, or nothing."""
    until: float | None = None
    while True:
        if until is None and data.count(b"entry") >= entries:
            until = time.monotonic() + delay_s
        rest_s = PATIENCE_S if until is None else until - time.monotonic()
        if rest_s <= 0:
            return ""
        if not select.select([pipe], [], [], rest_s)[0]:
            return "" if until is not None else f"the table reported nothing for {PATIENCE_S:.0f} s"
        more = os.read(pipe, 1 << 16)
        if not more:
            return "the table ended by itself"
        data += more


def kill_tables(batch: Batch, folder: Path) -> Tally:
    """Run and kill a table as often as the batch says."""
    rng, tally, now_ns = random.Random(batch.seed), Tally(), 0
    config = load_table(table_path(batch.game)).config
    runs, copies = folder / "runs", folder / "copies"
    runs.mkdir()
    machine, owed = Uninterrupted(config), dict[int, str]()
    media = [(JOURNAL, MIRROR), (JOURNAL,), (MIRROR,)] if batch.mirror else [(JOURNAL,)]
    for run in range(batch.kills):
        mirror = runs / MIRROR if batch.mirror else None
        plays = partial(play, config, runs / JOURNAL, mirror, rng.getrandbits(32), now_ns)
        reports, problem = until_killed(plays, *moment(rng))
        where = f"{batch.game}, seed {batch.seed}, run {run + 1}"
        tally.broken += [f"{where}: {problem}"] if problem else []
        owed |= reports.entries
        left = []
        for names in media:
            shutil.rmtree(copies, ignore_errors=True)
            shutil.copytree(runs, copies)
            said = f"{where}, {names[0]} alone" if names != media[0] else where
            left.append(tally.examine(said, machine, owed, config, *(copies / name for name in names)))
        entries = left[0]
        tally.kills += 1
        tally.entries += len(reports.entries)
        tally.pictures += len(reports.pictures)
        tally.starting += not reports.entries
        tally.appending += reports.appending
        tally.states[batch.game, of_entry(entries[-1]).state if entries else "new"] += 1
        now_ns = (entries[-1].at_ns if entries else 0) + OUTAGE_NS
        machine.apply(entries[machine.applied : max(owed, default=0)])
        # A loss is reported once. What was under way may have reached only one of two media.
        owed = {entry.seq: entry.hash for entry in entries[: max(owed, default=0)]}
        tally.early += [f"{where}: {words}" for one in reports.pictures if (words := machine.early(one))]
    return tally


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
        return kill_tables(batch, Path(folder))


def main() -> int:
    """Run the campaign; 1 if anything was lost."""
    parser = running.command_line("kill_campaign", __doc__, GAMES)
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="how many kills (default 1000)")
    parser.add_argument("--mirror", action="store_true", help="journals on two media; each alone is tried, too")
    chosen = parser.parse_args()
    parts = batches(chosen.kills, chosen.seed, chosen.games, chosen.mirror)
    tally = running.run(play_batch, parts, Tally(), chosen)
    print(f"{tally.kills} kills; {tally.entries} entries and {tally.pictures} lamp changes")
    print(f"  before the first entry of a run: {tally.starting}; within an append: {tally.appending}")
    for game in chosen.games:
        states = {state: count for (of, state), count in tally.states.most_common() if of == game}
        listed = ", ".join(f"{state} {count}" for state, count in states.items())
        print(f"  {game}: {sum(states.values())} kills in {len(states)} states: {listed}")
    tally.print_losses()
    return 0 if tally.passed else 1


if __name__ == "__main__":
    sys.exit(main())
