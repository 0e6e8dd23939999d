"""Several workers share a store: each table has one writer, whoever dies, hangs or comes; nothing counts twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contracts.floor_store_cases import Lopsided, rows
from floor_messages import arrived, record, spin
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Table

from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.engine import WRITING
from controller.floor.store.leases import DEAD_MS, Leases
from controller.floor.store.store import Store

NAMES = [f"table-{number}" for number in range(30)]


class Workers:
    """Workers on one store, with a clock that the test turns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now_ms = 1_000_000
        self.opened: list[Store] = []

    def start(self, name: str, record: FloorRecord | None = None) -> Store:
        leases = Leases(name, lambda _: self.now_ms)
        url = f"sqlite:///{self.folder}/floor.db"
        self.opened.append(Store(url, evidence=Lopsided, record=record, leases=leases))
        return self.opened[-1]

    def settle(self, *workers: Store) -> None:
        """Each says twice that it is alive: the first time gives back, the second takes."""
        for worker in (*workers, *workers):
            worker.beat([])

    def close(self) -> None:
        for store in self.opened:
            store.engine.dispose()


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[Workers]:
    made = Workers(tmp_path)
    yield made
    made.close()


def held(worker: Store, names: Sequence[str] = NAMES) -> set[str]:
    """What it may write now."""
    leases = leases_of(worker)
    with worker.engine.execution_options(**{WRITING: True}).begin() as db:
        return leases.hold(db, names)


def leases_of(worker: Store) -> Leases:
    assert worker._shared is not None
    return worker._shared._leases


def counted(store: Store, table: Table) -> list[dict[str, object]]:
    return sorted(({k: v for k, v in row.items() if k != "id"} for row in rows(store, table)), key=str)


# -- who has which table -------------------------------------------------------------------------------------------


Step = tuple[str, int]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("beat"), st.integers(0, 3)),
        st.tuples(st.just("later"), st.integers(1, 2 * DEAD_MS)),
        st.tuples(st.just("start"), st.integers(0, 3)),
        st.tuples(st.just("end"), st.integers(0, 3)),
        st.tuples(st.just("found"), st.integers(0, len(NAMES) - 1)),
    ),
    max_size=40,
)


@settings(max_examples=60)
@given(STEPS)
@pytest.mark.campaign
def test_whatever_happens_no_table_has_two_writers_and_in_the_end_each_has_one(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        workers = Workers(Path(folder))
        living: dict[int, Store] = {0: workers.start("w0")}
        found: set[str] = set()
        for what, number in steps:
            if what == "later":
                workers.now_ms += number
            elif what == "start":
                living[number] = workers.start(f"w{number}")
            elif what == "found":
                found.add(NAMES[number])
            elif what == "end" and number in living and len(living) > 1:
                del living[number]  # Killed: it says nothing.
            elif what == "beat" and number in living:
                living[number].beat(found)
            everyone = [table for worker in workers.opened for table in held(worker)]
            assert len(everyone) == len(set(everyone))
        for _ in range(2 * DEAD_MS // 1000):
            workers.now_ms += 1000
            for worker in living.values():
                worker.beat(found)
        assert {table for worker in living.values() for table in held(worker)} == found
        workers.close()


# -- what they write -----------------------------------------------------------------------------------------------


def test_two_workers_and_a_takeover_count_what_one_floor_would(workers: Workers, tmp_path: Path) -> None:
    """The wheel W moves from a table of one worker to one of the other, and back."""
    a, b = workers.start("a"), workers.start("b")
    a.beat(NAMES)
    workers.settle(b, a, b)
    at = {"a": sorted(held(a))[0], "b": sorted(held(b))[0]}
    of_a = record([2] * 4, table=at["a"], wheel="W", spins=[spin(4)])
    without = record([2] * 2, table=at["a"], salt="later", begins=60, replaces="x", spins=[spin(7)])
    of_b = record([2] * 3, table=at["b"], wheel="W", begins=120, spins=[spin(5)])
    again = record([2] * 3, table=at["a"], salt="again", begins=240, wheel="W", replaces="y", spins=[spin(6)])
    leaves = record([2] * 2, table=at["b"], salt="leaves", begins=180, replaces="z")
    batches = [of_a[:2], of_a[2:], without, of_b[:1], of_b[1:], leaves, again[:2], again[2:]]
    alone = Store(f"sqlite:///{tmp_path}/alone.db", evidence=Lopsided)
    for batch in batches:
        messages = [arrived(one) for one in batch]
        alone.take(messages)
        for worker in (a, b):
            worker.take(messages)  # Each hears all of it, as it may for a moment when tables move.
    for table in (schema.rounds, schema.hour_sums, schema.wheels, schema.wheel_counts):
        assert counted(a, table) == counted(alone, table), table.name
    assert {row["wheel"]: row["spins"] for row in rows(a, schema.wheels)}["W"] == 10
    alone.close()
