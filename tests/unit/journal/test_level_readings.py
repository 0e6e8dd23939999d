"""The last edge of a wheel is lost; the levels of its lines tell, and the record shows what was read."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from replay_table import TracedRig, opened, play, replayed, spin
from replayed import assert_same

from config.schema import TableConfig
from controller import errors as exits
from controller.commands.cli import main
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.journal.replay.trace import EdgeStretch, LevelReading, Traces, trace_file
from hal.events import EdgeBatch
from hal.mock.arrays import Bytes, Times

Shipped = Callable[[str], TableConfig]
WHEELS = ("dreamcatcher", "big-six")
LOW = dict.fromkeys("ABZC", False)


def lose_last(rig: TracedRig, edges: int = 1, numbered: bool = False) -> None:
    """The kernel never sees the last edges of the movements that follow.

    Args:
        numbered: it has counted them, so that the next edge shows a gap.
    """
    assert rig.world.head is not None
    head, lines = rig.world.head, rig.world.head.lines
    carry = lines.carry

    def without_last(letters: Bytes, times: Times, from_ns: int, to_ns: int) -> EdgeBatch | None:
        batch = carry(letters, times, from_ns, to_ns)
        if batch is None or head.at_rest_ns > to_ns:
            return batch
        left = len(batch) - edges
        if not numbered:
            lines.seqno -= edges
        return EdgeBatch(batch.edges[:left], batch.timestamps_ns[:left], batch.seqnos[:left])

    lines.carry = without_last  # type: ignore[method-assign]


def see_all(rig: TracedRig) -> None:
    assert rig.world.head is not None
    del rig.world.head.lines.carry


def locked(config: TableConfig, file: Path, **how: Any) -> TracedRig:
    """A table of which the wheel's last edge was lost in round 2."""
    rig = opened(config, file)
    play(rig, config.wheel.order[3] if config.wheel and config.wheel.order else "10")
    lose_last(rig, **how)
    spin(rig, revolutions=4.3)
    see_all(rig)
    assert rig.state.value == "locked"
    return rig


def kept(file: Path) -> list[tuple[int, LevelReading]]:
    with closing(Traces(trace_file(file), 0)) as traces:
        return [(number, one) for number in traces.rounds() for of in traces.of(number) for one in of.readings]


# -- the record is its own evidence --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", WHEELS)
@pytest.mark.parametrize(("edges", "numbered"), [(1, False), (1, True), (3, False), (2, True)])
def test_a_spin_that_the_levels_at_rest_made_void_is_replayed_as_it_was_decided(
    shipped: Shipped, file: Path, game: str, edges: int, numbered: bool
) -> None:
    config = shipped(game)
    rig = locked(config, file, edges=edges, numbered=numbered)
    rig.press("floor-key")
    rig.turn(1.3)
    spin(rig, revolutions=4.4)
    rig.finish()
    ((number, reading),) = kept(file)
    assert number == 2
    assert reading.unseen
    round_replay = replayed(config, file, 2)
    assert_same(round_replay)
    assert round_replay.edge_replay is not None
    assert round_replay.edge_replay.open == []
    assert round_replay.edge_replay.readings == [reading]


def test_the_table_recovers_and_its_record_replays_wherever_power_is_cut(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    rig = locked(config, file)
    rig.finish()
    with closing(Journal(file, read_only=True)) as journal:
        records = [(entry, of_entry(entry)) for entry in journal.entries(round_=2)]
    assert [record.event.kind for _, record in records[-2:]] == ["sensor-health", "wheel-rested"]
    for entry, record in records:
        cut = file.with_name(f"{entry.seq}.journal")
        cut_after(file, cut, entry.seq, at_rest=entry is records[-1][0])
        again = TracedRig(config, cut)
        assert again.machine.round == 2
        if record.state == "locked":
            assert again.state.value == "locked"
        again.wait(30)
        again.finish()
        assert main(["journal", "verify", str(cut)]) == exits.OK
        assert replayed(config, cut, 2).differences == []


def cut_after(file: Path, copy: Path, seq: int, at_rest: bool) -> None:
    """What is on the disk if power is cut after an entry; the last edges only if the wheel's rest is on record."""
    for source, target in ((file, copy), (trace_file(file), trace_file(copy))):
        with closing(sqlite3.connect(source)) as whole, closing(sqlite3.connect(target)) as part:
            whole.backup(part)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM entries WHERE seq > ?", (seq,))
    if not at_rest:
        with closing(sqlite3.connect(trace_file(copy), isolation_level=None)) as db:
            db.execute("DELETE FROM stretches WHERE round = 2")


def test_without_what_was_read_the_replay_is_not_what_the_table_decided(shipped: Shipped, file: Path) -> None:
    config = shipped("dreamcatcher")
    rig = locked(config, file)
    rig.finish()
    stretches = []
    with closing(Traces(trace_file(file), 0)) as traces:
        stretches = [(number, one) for number in traces.rounds() for one in traces.of(number)]
    trace_file(file).unlink()
    forged = Traces(trace_file(file), 1000)
    for number, one in stretches:
        forged.add(number, EdgeStretch(one.levels, one.edges, one.stamps_ns, one.lost))
    forged.close()
    assert replayed(config, file, 2).edge_replay is not None
    with pytest.raises(AssertionError):
        assert_same(replayed(config, file, 2))
