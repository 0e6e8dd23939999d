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

    def save(self, file: Path, timescale: str = "1 ns", rename: dict[str, str] | None = None) -> Path:
        unit_ns = {"1 ns": 1, "10 ns": 10, "1 us": 1000}[timescale]
        with file.open("w") as stream, VCDWriter(stream, timescale=timescale) as writer:
            names = {name: (rename or {}).get(name, name) for name in (*self.first, "D7")}
            wires = {
                name: writer.register_var("libsigrok", shown, "wire", size=1, init=int(self.first.get(name, False)))
                for name, shown in names.items()
            }
            for at_ns, name, level in sorted(self.changes):
                writer.change(wires[name], at_ns // unit_ns, int(level))
        return file


def events_of(file: Path, config: TableConfig, kind: str) -> list[dict[str, object]]:
    out = StringIO()
    assert play_capture(file, config, out) == exits.OK
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return [thing for line in lines for thing in (line["event"], *line["effects"]) if thing["kind"] == kind]


@pytest.fixture
def dreamcatcher_round(shipped: Shipped) -> Analyser:
    analyser = Analyser(Rig(shipped("dreamcatcher")))
    analyser.rig.turn(1.2)
    analyser.press("no-more-bets")
    analyser.rig.spin(stop_on="10")
    analyser.press("done", "done", "clear")
    return analyser


@pytest.mark.parametrize("timescale", ["1 ns", "10 ns", "1 us"])
def test_a_recorded_round_of_a_wheel_is_decided_the_same(
    dreamcatcher_round: Analyser, shipped: Shipped, tmp_path: Path, timescale: str
) -> None:
    file = dreamcatcher_round.save(tmp_path / "round.vcd", timescale, {"index": "encoder_index"})
    (result,) = events_of(file, shipped("dreamcatcher"), "result")
    assert result["label"] == "10"
    assert [line["number"] for line in events_of(file, shipped("dreamcatcher"), "round-opened")] == [1, 2]
    thrown = dreamcatcher_round.rig.last("wheel-thrown").at_ns
    seen = [int(str(line["at_ns"])) for line in events_of(file, shipped("dreamcatcher"), "wheel-thrown")]
    assert min(abs(at_ns - thrown) for at_ns in seen) < 10_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("this is no recording", "this is no VCD file"),
        ("$enddefinitions $end\n#0\n", "it declares no signals"),
        (
            "$timescale 1 ns $end $var wire 1 ! encoder_a $end $enddefinitions $end\n#0\n0!\n",
            "no signal 'encoder_b'; there are: encoder_a",
        ),
    ],
)
def test_a_file_that_is_no_recording_or_lacks_a_line(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.vcd"
    file.write_text(text)
    assert main(["bench", "dreamcatcher", "--capture", str(file)]) == exits.FAILED
    assert message in capsys.readouterr().err
