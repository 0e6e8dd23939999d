"""Several workers share a store: each table has one writer, whoever dies, hangs or comes; nothing counts twice."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contracts.floor_store_cases import Lopsided, rows
from floor_messages import arrived, online, record, spin
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Table

from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import Settlement, settle
from controller.floor.store import schema
from controller.floor.store.engine import WRITING
from controller.floor.store.leases import DEAD_MS, Leases
from controller.floor.store.store import Store, StoreError
from hal.mock.clock import VirtualClock

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


def test_the_tables_of_a_worker_that_died_are_taken_after_five_seconds(workers: Workers) -> None:
    a, b = workers.start("a"), workers.start("b")
    a.beat(NAMES)
    workers.settle(b, a, b)
    of_b = held(b)
    for _ in range(DEAD_MS // 1000 - 1):
        workers.now_ms += 1000
        assert not a.beat([]).gained
    workers.now_ms += 1000
    assert a.beat([]).gained == of_b
    assert held(a) == set(NAMES)
    assert held(b) == set()


def test_a_worker_that_hung_writes_nothing_of_what_others_took(workers: Workers) -> None:
    a, b = workers.start("a"), workers.start("b")
    a.beat(NAMES)
    workers.settle(b, a, b)
    of_b = sorted(held(b))
    for _ in range(7):
        workers.now_ms += 1000
        a.beat([])
    hung = b.take([arrived(online(of_b[0]))])
    assert len(hung.costs_ns) == 1
    assert rows(b, schema.tables) == []
    a.take([arrived(online(of_b[0]))])
    assert [row["table"] for row in rows(a, schema.tables)] == [of_b[0]]
    assert b.beat([]).lost == set(of_b)  # It is alive again, and others have them.
    workers.settle(a, b)
    assert held(b) == set(of_b)


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
    for table in (schema.rounds, schema.hour_sums, schema.wheels, schema.wheel_counts, schema.wheel_days):
        assert counted(a, table) == counted(alone, table), table.name
    assert {row["wheel"]: row["spins"] for row in rows(a, schema.wheels)}["W"] == 10
    alone.close()


def test_what_a_person_settles_is_done_by_the_worker_that_has_the_table(workers: Workers, tmp_path: Path) -> None:
    records = [FloorRecord(tmp_path / f"{name}.record", VirtualClock()) for name in "ab"]
    a, b = (workers.start(name, one) for name, one in zip("ab", records, strict=True))
    a.beat(NAMES)
    workers.settle(b, a, b)
    table = sorted(held(b))[0]
    messages = [arrived(one) for one in record([1, 1, 1], table=table)]
    b.take([messages[0], messages[2]])
    settle(a.engine, Settlement("gap", table, "m.weber", "the journal burned", ""), "2026-03-02T00:00:00.000Z")
    assert a.look_after([], "2026-03-02T00:00:00.000Z") == []
    assert len(b.look_after([], "2026-03-02T00:00:00.000Z")) == 1
    for one in records:
        one.close()


def test_a_floor_that_takes_all_tables_and_workers_exclude_each_other(workers: Workers, tmp_path: Path) -> None:
    worker = workers.start("a")
    worker.beat(["big-six-1"])
    worker.take([arrived(online())])
    whole = Store(f"sqlite:///{tmp_path}/floor.db", evidence=Lopsided)
    whole.take([arrived(online())])
    with pytest.raises(StoreError, match="a floor without `worker:` has opened this store"):
        worker.take([arrived(online())])
    other = workers.start("b")
    other.beat([])
    other.take([arrived(online())])
    with pytest.raises(StoreError, match="another floor has opened this store"):
        whole.take([arrived(online())])
    whole.close()


def test_workers_do_not_share_a_store_whose_sums_are_not_made_yet(workers: Workers) -> None:
    worker = workers.start("a")
    worker.beat(["big-six-1"])
    with worker.engine.execution_options(**{WRITING: True}).begin() as db:
        db.execute(schema.about.insert().values(key="unsummed", value="17"))
    with pytest.raises(StoreError, match="run one floor on it without `worker:`"):
        worker.take([arrived(online())])
