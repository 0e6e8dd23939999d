"""How fast a floor catches up with tables that it has not heard: ``python -m benchmarks.catch_up``.

Records of every game are taken batch by batch, each in a transaction of its own, into an SQLite file. The ratio is
to bare inserts of the same rows with as many commits, which take turns with the batches.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine, insert

from benchmarks.report import Measured, main, rate

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from floor_tables import batches, copied, stored
from golden.journals import GAMES, entries_of

from controller.floor import schema
from controller.floor.wire import MOST_ENTRIES, Batch, read

TABLES_OF_A_GAME = 3


def measure() -> list[Measured]:
    records = [
        (f"{game}-{number}", copied(entries_of(game), f"2026-01-0{number}T00:00:00.000Z"))
        for game in GAMES
        for number in range(1, 1 + TABLES_OF_A_GAME)
    ]
    took, took_bare = 0.0, 0.0
    with TemporaryDirectory(prefix="floor-") as folder, stored(f"sqlite:///{folder}/floor.db") as store:
        bare = create_engine(f"sqlite:///{folder}/bare.db")
        schema.metadata.create_all(bare)
        for number, (table, entries) in enumerate(records):
            for message in batches(table, entries, MOST_ENTRIES):
                begun = time.perf_counter()
                store.take([message])
                taken = time.perf_counter()
                rows = [one._asdict() for one in read(Batch, message.payload).journal_entries()]
                inserting = time.perf_counter()
                with bare.begin() as db:
                    db.execute(insert(schema.entries), [{"record_id": number, **row} for row in rows])
                took, took_bare = took + taken - begun, took_bare + time.perf_counter() - inserting
        bare.dispose()
        count = sum(len(entries) for _, entries in records)
        everything = sum(one.seq for one in store.records()) == count
    return [
        Measured("bare inserts", rate(count / took_bare), "1"),
        Measured("the floor's store", rate(count / took), f"{took_bare / took:.2f}", "every entry", everything),
    ]


if __name__ == "__main__":
    sys.exit(main(measure))
