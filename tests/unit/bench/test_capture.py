"""A logic analyser's recording, played through the boundary: the table decides as it did when it was recorded."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from vcd import VCDWriter

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.capture import play_capture
from controller.bench.rig import Rig
from controller.commands.cli import main
from hal.events import LINES, EdgeBatch
from hal.mock.devices import PRESS_NS

Shipped = Callable[[str], TableConfig]


class Analyser:
    """Clips on the lines of a simulated table."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.names = {letter: name for name, letter in LINES.items()}
        head = rig.world.sensors
        self.first = {self.names[letter]: level for letter, level in head.levels().items()}
        self.changes: list[tuple[int, str, bool]] = []
        see = rig.table.head._on_edges

        def tee(batch: EdgeBatch) -> None:
            for letter, at_ns in zip(batch.edges.decode(), batch.timestamps_ns, strict=True):
                self.changes.append((at_ns, self.names[letter.upper()], letter.isupper()))
            see(batch)

        head.start(tee)
        rig.wait(0.5)  # What changes in a recording's first moment is its first level.

    def press(self, *controls: str) -> None:
        for control in controls:
            name, at_ns = control.replace("-", "_"), self.rig.clock.now_ns()
            self.first[name] = False
            self.changes += [(at_ns, name, True), (at_ns + PRESS_NS, name, False)]
            self.rig.press(control)

    def save(self, file: Path) -> Path:
        names = {name: "encoder_index" if name == "index" else name for name in (*self.first, "D7")}
        with file.open("w") as stream, VCDWriter(stream, timescale="1 us") as writer:
            wires = {
                name: writer.register_var("libsigrok", shown, "wire", size=1, init=int(self.first.get(name, False)))
                for name, shown in names.items()
            }
            for at_ns, name, level in sorted(self.changes):
                writer.change(wires[name], at_ns // 1000, int(level))
        return file


def events_of(file: Path, config: TableConfig, kind: str) -> list[dict[str, object]]:
    out = StringIO()
    assert play_capture(file, config, out) == exits.OK
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return [thing for line in lines for thing in (line["event"], *line["effects"]) if thing["kind"] == kind]


def test_a_recorded_round_of_a_wheel_is_decided_the_same(shipped: Shipped, tmp_path: Path) -> None:
    config = shipped("dreamcatcher")
    analyser = Analyser(Rig(config))
    analyser.rig.turn(1.2)
    analyser.press("no-more-bets")
    analyser.rig.spin(stop_on="10")
    analyser.press("done", "done", "clear")
    file = analyser.save(tmp_path / "round.vcd")
    (result,) = events_of(file, config, "result")
    assert result["label"] == "10"
    assert [line["number"] for line in events_of(file, config, "round-opened")] == [1, 2]
    thrown = analyser.rig.last("wheel-thrown").at_ns
    seen = [int(str(line["at_ns"])) for line in events_of(file, config, "wheel-thrown")]
    assert min(abs(at_ns - thrown) for at_ns in seen) < 10_000


def test_a_recording_that_lacks_a_line_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.vcd"
    file.write_text("$timescale 1 ns $end $var wire 1 ! encoder_a $end $enddefinitions $end\n#0\n0!\n")
    assert main(["bench", "dreamcatcher", "--capture", str(file)]) == exits.FAILED
    assert "no signal 'encoder_b'; there are: encoder_a" in capsys.readouterr().err
