"""A table on simulated hardware whose edges are kept as ``run`` keeps them, and the replay of its journal."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import open_tables

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.events.event import Event
from controller.events.record import Record
from controller.journal.chain import GENESIS, Entry
from controller.journal.head_anchor import HeadAnchor, anchor_file
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision, of_entry, to_json
from controller.journal.recovery import checkpoint
from controller.journal.replay.edge_replay import Sensors
from controller.journal.replay.replay import ReplayedRound, replay
from controller.journal.replay.trace import Tracer, Traces, trace_file
from controller.limits.table_state import TableState
from controller.runtime.round_replay import quiet_ns
from controller.runtime.trackers import tracker
from hal.events import EdgeBatch


class TracedRig(Rig):
    """A rig that keeps its edges; a tracer begins with each start of the table, before its first event."""

    def __init__(self, config: TableConfig, journal: Path, rounds: int = 100, **how: Any) -> None:
        self.file, self.rounds = journal, rounds
        self.tracer: Tracer | None = None
        super().__init__(config, journal, listeners=(self._happened,), **how)

    def _happened(self, recorded: RecordedDecision) -> None:
        if self.tracer is None and self.world.head is not None:
            self.tracer = Tracer(Traces(trace_file(self.file), self.rounds), self.world.head.levels())
        if self.tracer is not None:
            self.tracer(recorded)

    def _on_edges(self, batch: EdgeBatch) -> None:
        assert self.tracer is not None
        self.tracer.on_batch(batch)

    def _on_levels(self, levels: Mapping[str, bool], at_ns: int, due_ns: int) -> None:
        assert self.tracer is not None
        self.tracer.levels_read(levels, at_ns, due_ns)

    def _on_relearned(self) -> None:
        assert self.tracer is not None
        self.tracer.relearned()

    def _start(self) -> Any:
        table = super()._start()
        table.head.listeners.append(self._on_edges)
        table.head.level_listeners.append(self._on_levels)
        table.head.relearn_listeners.append(self._on_relearned)
        return table

    def power_cut(self, seconds: float = 5.0) -> None:
        """The edges that were not yet written are lost."""
        if self.tracer is not None and self.tracer._traces is not None:
            self.tracer._traces.close()
        self.tracer = None
        super().power_cut(seconds)

    def finish(self) -> None:
        """Stop the table in order."""
        self.table.stop()
        if self.tracer is not None:
            self.tracer.close()
        self.journal.close()


def opened(config: TableConfig, file: Path, rounds: int = 100, **how: Any) -> TracedRig:
    """A table of which edges are kept, open for wagers."""
    rig: TracedRig = open_tables.opened(config, file, TracedRig, rounds=rounds, **how)
    return rig


def spin(rig: Rig, **how: Any) -> None:
    rig.press("no-more-bets")
    rig.spin(**how)


def settle(rig: Rig) -> None:
    rig.press("done", "done", "clear")


def play(rig: Rig, section: str) -> None:
    spin(rig, stop_on=section)
    settle(rig)


def run_ball(rig: Rig, into: str = "17", turns: float = 9) -> None:
    """A spin of roulette, up to the number."""
    rig.turn_rotor()
    rig.throw_ball(turns, into, rest=False)
    rig.wait(4)
    rig.press("no-more-bets")
    rig.ball_rest()
    rig.wait(8)
    rig.press(*into, "enter")


def replayed(config: TableConfig, file: Path, number: int) -> ReplayedRound:
    """A round of a journal, replayed."""
    make = tracker(config)
    kept = Traces(trace_file(file), 0) if trace_file(file).exists() else None
    journal = Journal(file, read_only=True)
    under, devices = machines(config), frozenset(type(config.devices).model_fields)
    sensors = Sensors(make, devices, quiet_ns(config)) if make else None
    try:
        return replay(number, config.game, under, journal, kept, sensors)
    finally:
        journal.close()
        if kept is not None:
            kept.close()


def rounds_of(file: Path) -> list[int]:
    """The rounds that have entries."""
    journal = Journal(file, read_only=True)
    found = sorted({entry.round for entry in journal.entries()})
    journal.close()
    return found


def entry_of(file: Path, kind: str, number: int) -> int:
    """The last entry of a kind in a round."""
    journal = Journal(file, read_only=True)
    found = [entry.seq for entry in journal.entries(round_=number) if entry.kind == kind]
    journal.close()
    return found[-1]


Change = Callable[[dict[str, Any]], None]


def rewrite(file: Path, changes: dict[int, Change]) -> None:
    """Change the bodies of entries in a journal, and chain it anew so that every hash fits, and its head anchor."""
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("DROP TRIGGER IF EXISTS no_update")
    head = GENESIS
    for row in db.execute("SELECT * FROM entries ORDER BY seq").fetchall():
        body = json.loads(row[5])
        if row[0] in changes:
            changes[row[0]](body)
        changed = Entry(*row)._replace(body=json.dumps(body, separators=(",", ":"), ensure_ascii=False))
        head = changed.expected_hash(head)
        db.execute("UPDATE entries SET body = ?, hash = ? WHERE seq = ?", (changed.body, head, changed.seq))
    db.close()
    HeadAnchor(file, changed.seq, head).close()


def forge(config: TableConfig, file: Path, changed: Callable[[Event], Event | None]) -> None:
    """Write a journal anew with other events, each decided by the table's own code: the journal is consistent."""
    old = Journal(file, read_only=True)
    records = [(entry, of_entry(entry)) for entry in old.entries()]
    old.close()
    machine, table_state = machines(config)(TableState()), TableState()
    forged = file.with_name("forged")
    new = Journal(forged)
    for entry, record in records:
        event = changed(record.event)
        if event is None:
            continue
        number, decision = machine.round, machine.handle(event)
        table_state = table_state.take(event)
        kept = checkpoint(config.game, machine, table_state) if entry.checkpoint is not None else None
        again = Record(event, decision.outcome.value, decision.state, decision.effects)
        new.append(number, event.at_ns, 0, event.kind, to_json(again), kept)
    new.close()
    forged.replace(file)
    anchor_file(forged).replace(anchor_file(file))


def assert_same(replayed: ReplayedRound, sensed: bool = True) -> None:
    assert replayed.differences == []
    assert (replayed.edge_replay is not None) == sensed
    if replayed.edge_replay is not None:
        assert replayed.edge_replay.same > 0
        assert replayed.edge_replay.open == []
