"""What the contract of the floor's store is checked with: stores, their rows, and rounds that arrive in any way."""

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from floor_messages import arrived, record
from floor_store_model import Model
from hypothesis import strategies as st
from sqlalchemy import Table, select

from controller.floor.record.floor_record import FloorRecord
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.messages.models import RoundClosed

TABLE = "big-six-1"
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=8)


class Lopsided:
    """A simple evidence: a power of ten for each spin that the first section is ahead of the last."""

    def __init__(self, sections: int, counts: Mapping[str, Sequence[int]] | None = None) -> None:
        self.counts = {name: list(row) for name, row in (counts or {}).items()}
        self.sections = sections

    def add_all(self, spins: Sequence[tuple[int, str]]) -> float:
        highest = -inf
        for position, direction in spins:
            self.counts.setdefault(direction, [0] * self.sections)[position] += 1
            highest = max(highest, self.log10)
        return highest

    @property
    def log10(self) -> float:
        return float(sum(row[0] - row[-1] for row in self.counts.values()))

    def suspicion(self, labels: Sequence[str] = ()) -> str:
        return f"section {labels[0] or '?'} is favoured" if self.log10 >= 1 else ""


def opened(url: str, record: FloorRecord | None = None) -> Store:
    return Store(url, evidence=Lopsided, record=record)


def open_files(folder: Path) -> list[Path]:
    """The files in a folder that this process has open: a connection to SQLite that is not closed has some."""
    opened = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return [file for file in opened if file.is_relative_to(folder)]


def rows(store: Store, table: Table, *where: Any) -> list[dict[str, Any]]:
    with store.engine.connect() as db:
        return [dict(row) for row in db.execute(select(table).where(*where)).mappings()]


def active_alerts(store: Store, kind: str) -> list[dict[str, Any]]:
    return rows(store, schema.alerts, schema.alerts.c.kind == kind, schema.alerts.c.ended.is_(None))


def named_missing(text: str) -> set[int]:
    """The entries that a gap's alert names: "entries 3 to 5, 8 to 8 of ..."."""
    named: set[int] = set()
    for part in text.removeprefix("entries ").split(" of the table")[0].split(", "):
        first, last = part.split(" to ")
        named |= set(range(int(first), int(last) + 1))
    return named


def check(store: Store, model: Model) -> None:
    """See that the store holds what entry by entry it must hold."""
    stored = rows(store, schema.rounds)
    want = sorted((one.first, one.previous, one.seq, one.hash, one.number) for one in model.stored)
    names = ("first", "previous", "seq", "hash", "number")
    assert sorted(tuple(row[name] for name in names) for row in stored) == want
    assert {(row["seq"], row["hash"]) for row in rows(store, schema.disputed)} == model.disputed
    if model.stored:
        (place,) = rows(store, schema.records)
        assert place["seq"] == model.complete
        assert place["hash"] == model.hashes[model.complete]
    gaps = active_alerts(store, "gap")
    assert len(gaps) == bool(model.missing)
    if gaps:
        assert named_missing(gaps[0]["text"]) == model.missing
    assert len(active_alerts(store, "fork")) == bool(model.disputed)


def delivered(url: str, batches: Sequence[tuple[Sequence[RoundClosed], bool]]) -> Store:
    """A store that took batches of rounds, and was closed and opened again after those that are marked so."""
    store, model = opened(url), Model()
    for batch, restart in batches:
        store.take([arrived(message) for message in batch])
        model.take(batch)
        if restart:
            store.close()
            store = opened(url)
        check(store, model)
    return store


def draw_batches(draw: st.DrawFn, messages: Sequence[RoundClosed]) -> list[tuple[list[RoundClosed], bool]]:
    """Messages cut into batches, with restarts after some."""
    cuts = draw(st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=6))
    batches, rest = [], list(messages)
    for size, restart in cuts:
        batches.append((rest[:size], restart))
        rest = rest[size:]
    return [*batches, (rest, False)]


@st.composite
def deliveries(draw: st.DrawFn) -> tuple[list[RoundClosed], list[tuple[list[RoundClosed], bool]]]:
    """A record, and how it arrives: in any order, some lost, some twice, at last each at least once."""
    messages = record(draw(SIZES))
    early = draw(st.lists(st.sampled_from(messages), max_size=12))
    return messages, draw_batches(draw, [*early, *draw(st.permutations(messages))])


@st.composite
def forked(draw: st.DrawFn, in_order: bool) -> tuple[list[RoundClosed], list[tuple[list[RoundClosed], bool]]]:
    """A record of which there are two branches, cut into rounds of other lengths; and how they arrive.

    Returns:
        What is in both branches, or in the one of which the first other round arrives; and the batches.
    """
    ours, common = draw(SIZES), draw(st.integers(1, 4))
    theirs = [*ours[:common], *draw(SIZES)]
    branches = [record(ours), record(theirs, changed_from=common)]
    if not in_order:
        mixed = draw(st.lists(st.sampled_from(branches[0] + branches[1]), min_size=1, max_size=20))
        return [], draw_batches(draw, mixed)
    places, mixed = [0, 0], list(branches[0][:1])
    for n, back in draw(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0, 0, 0, 1, 2])), max_size=24)):
        mixed += branches[n][places[n] : places[n] + 1]
        places[n] = max(0, places[n] + 1 - back)  # The publisher starts again somewhere before.
    shared = branches[0][:common]
    first = next((one for one in mixed if one not in shared), mixed[0])
    return branches[0] if first in branches[0] else branches[1], draw_batches(draw, mixed)
