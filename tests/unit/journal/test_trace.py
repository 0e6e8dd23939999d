"""The edges of a round are kept, and written for a logic analyser: the table makes the same decisions on them."""

import sqlite3
from array import array
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.capture import play_capture
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from controller.journal.replay.tracer import Tracer

Shipped = Callable[[str], TableConfig]


def traced(config: TableConfig, journal: Path, rounds: int = 100) -> tuple[Rig, Tracer]:
    rig = Rig(config, journal)
    tracer = Tracer(Traces(trace_file(journal), rounds), rig.world.sensors.levels())
    rig.table.head.listeners.append(tracer.on_batch)
    rig.table.listeners.append(tracer)
    return rig, tracer


def finish(rig: Rig, tracer: Tracer) -> None:
    rig.table.stop()
    tracer.close()
    rig.journal.close()


def play(rig: Rig, section: str) -> None:
    rig.press("no-more-bets")
    rig.spin(stop_on=section)
    rig.press("done", "done", "clear")


def test_a_rounds_trace_gives_the_rounds_decisions(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "table.journal"
    rig, tracer = traced(shipped("big-six"), journal)
    rig.turn(1.2)
    play(rig, "20")
    play(rig, "joker")
    finish(rig, tracer)
    assert main(["journal", "export", str(journal), "--trace", "1"]) == exits.OK
    file = tmp_path / "round.vcd"
    file.write_text(capsys.readouterr().out)
    out = StringIO()
    assert play_capture(file, shipped("big-six"), out) == exits.OK
    assert '"effect": "result", "label": "20"' in out.getvalue()
    assert "joker pays" not in out.getvalue()


def test_a_round_without_edges_is_refused_naming_the_rounds_with_edges(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "table.journal"
    rig, tracer = traced(shipped("big-six"), journal)
    rig.turn(1.2)
    play(rig, "1")
    finish(rig, tracer)
    assert main(["journal", "export", str(journal), "--trace", "7"]) == exits.FAILED
    assert "no edges of round 7 are kept; rounds 1 to 1 are there" in capsys.readouterr().err
    trace_file(journal).unlink()
    assert main(["journal", "export", str(journal), "--trace", "1"]) == exits.FAILED
    assert "none are there" in capsys.readouterr().err


def test_after_a_restart_within_the_round_the_last_part_is_written(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "table.journal"
    rig, tracer = traced(shipped("big-six"), journal)
    rig.turn(1.2)
    rig.press("no-more-bets")
    finish(rig, tracer)
    rig, tracer = traced(shipped("big-six"), journal)
    rig.turn(1.2)
    rig.spin(stop_on="10")
    finish(rig, tracer)
    assert main(["journal", "export", str(journal), "--trace", "1"]) == exits.OK
    output = capsys.readouterr()
    assert "only what came after the last start" in output.err
    assert "no_more_bets" not in output.out
    assert "encoder_index" in output.out


def test_a_table_whose_traces_cannot_be_written_keeps_playing(
    shipped: Shipped, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    rig, tracer = traced(shipped("big-six"), tmp_path / "table.journal")
    monkeypatch.setattr(Traces, "add", full)
    rig.turn(1.2)
    play(rig, "20")
    play(rig, "20")
    assert rig.machine.round == 3
    finish(rig, tracer)
    assert [record.message for record in caplog.records] == [
        "edges are no longer stored: database or disk is full; free space on the disk, then restart the table"
    ]


@given(
    steps=st.lists(st.integers(0, 10**12), min_size=1, max_size=200),
    letters=st.lists(st.sampled_from(b"AaBbZzCc"), min_size=1, max_size=200),
)
def test_the_kept_edges_are_those_received(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int], letters: list[int]
) -> None:
    count = min(len(steps), len(letters))
    stamps = array("q", (sum(steps[: n + 1]) for n in range(count)))
    traces = Traces(tmp_path_factory.mktemp("traces") / "t", 10)
    stretch = EdgeStretch({"A": True, "B": False}, bytes(letters[:count]), stamps)
    traces.add(3, stretch)
    assert list(traces.of(3)) == [stretch]
    assert list(traces.of(4)) == []
    traces.close()
