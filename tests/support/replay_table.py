"""A table on simulated hardware whose edges are kept as ``run`` keeps them, and the replay of its journal."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import open_tables
from tampering import chained, write_journal

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.configuration.shipped import LoadedTable
from controller.drawing.plots import svg
from controller.events.event import Event
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import of_entry, to_json
from controller.journal.recovery import checkpoint
from controller.journal.replay.replay import ReplayedRound
from controller.limits.table_state import TableState
from controller.runtime.round_replay import plots_of, replay_round


class TracedRig(Rig):
    """A rig that keeps the edges of so many rounds, and loses with the power those that were not yet written."""

    def __init__(self, config: TableConfig, journal: Path, rounds: int = 100, **how: Any) -> None:
        kept = config.journal.model_copy(update={"trace_rounds": rounds})
        super().__init__(config.model_copy(update={"journal": kept}), journal, **how)

    def power_off(self) -> None:
        if self._tracer is not None and self._tracer._traces is not None:
            self._tracer._traces.close()
            self._tracer._traces = None
        super().power_off()


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
    """A round of a journal, replayed and drawn."""
    loaded = LoadedTable(file, config, "")
    with closing(Journal(file, read_only=True)) as journal:
        found = replay_round(number, loaded, journal, file)[0]
    assert svg(plots_of(found, loaded), "")
    return found


def entries_in(file: Path) -> list[Entry]:
    with closing(Journal(file, read_only=True)) as journal:
        return list(journal.entries())


def rounds_of(file: Path) -> list[int]:
    """The rounds that have entries."""
    return sorted({entry.round for entry in entries_in(file)})


def entry_of(file: Path, kind: str, number: int) -> int:
    """The last entry of a kind in a round."""
    return [entry.seq for entry in entries_in(file) if (entry.kind, entry.round) == (kind, number)][-1]


Change = Callable[[dict[str, Any]], None]


def rewrite(file: Path, changes: dict[int, Change]) -> None:
    """Change the bodies of entries in a journal, and chain it anew so that every hash fits, and its head anchor."""
    entries = entries_in(file)
    for seq, changed in changes.items():
        body = json.loads(entries[seq - 1].body)
        changed(body)
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        entries[seq - 1] = entries[seq - 1]._replace(body=text)
    write_journal(file, chained(entries))


def forge(config: TableConfig, file: Path, changed: Callable[[Event], Event | None]) -> None:
    """Write a journal anew with other events, each decided by the table's own code: the journal is consistent."""
    machine, table_state = machines(config)(TableState()), TableState()
    forged: list[Entry] = []
    for entry in entries_in(file):
        event = changed(of_entry(entry).event)
        if event is None:
            continue
        number, decision = machine.round, machine.handle(event)
        table_state = table_state.take(event)
        kept = checkpoint(config.game, machine, table_state) if entry.checkpoint is not None else None
        again = Record(event, decision.outcome.value, decision.state, decision.effects)
        forged.append(entry._replace(round=number, at_ns=event.at_ns, body=to_json(again), checkpoint=kept))
    write_journal(file, chained(forged))


def assert_same(replayed: ReplayedRound, sensed: bool = True) -> None:
    assert replayed.differences == []
    assert (replayed.edge_replay is not None) == sensed
    if replayed.edge_replay is not None:
        assert replayed.edge_replay.same > 0
        assert replayed.edge_replay.open == []
