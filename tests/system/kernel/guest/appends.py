"""Plays Sic Bo on a journal, and marks in the disk's own log what was durable when: appends.py FOLDER MODE N [S].

After each entry a block is written past all caches to FOLDER/marks: whoever reads the log of the disk's writes
finds there what the table relied upon by then. MODE is full, as the journal is, or off: a journal that is not
synced, for the experiment that must fail. S seconds lie between two rounds, for a journal that others write beside.
"""

import mmap
import os
import sys
import time
from pathlib import Path

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.games.dice.bench import watch_lamps
from controller.journal.chain import Entry
from controller.journal.journal import Journal

MARK = b"ACKNOWLEDGED "
BLOCK = 4096


def main(folder: Path, mode: str, entries: int, pause_s: float = 0.0) -> None:
    marks = os.open(folder / "marks", os.O_RDWR | os.O_CREAT | os.O_DIRECT | os.O_SYNC)
    block = mmap.mmap(-1, BLOCK)
    append = Journal.append

    def appends(self: Journal, *given: object) -> Entry:
        if mode == "off":
            self._db.execute("PRAGMA synchronous=OFF")
        entry = append(self, *given)
        block.seek(0)
        block.write((MARK + f"{entry.seq} {entry.hash} ".encode()).ljust(BLOCK, b"."))
        os.pwrite(marks, block, 0)
        return entry

    Journal.append = appends
    table = Rig(load_table(table_path("sic-bo")).config, folder / "table.journal")
    table.floor("renew")
    table.floor("inspect")
    for roll in ("123", "444", "566"):
        table.press(*roll, "enter")
        table.floor()
    watch_lamps(table)
    table.floor()
    assert table.state.value == "bets-open", table.waiting_for
    print("plays", flush=True)
    while len(table.journal) < entries:
        table.press("no-more-bets", *"255", "enter", "done", "done", "clear")
        time.sleep(pause_s)


main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *map(float, sys.argv[4:]))
