"""A Sic Bo table on the drivers of real devices: a keypad and lamps at the end of pseudo-terminals.

The keypad sends a line per key (backend ``serial``), the lamps are on Modbus modules (backend ``modbus``,
pymodbus's own server). Key switch and buzzer, which have no cable of that kind, are simulated.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from config.schema import TableConfig
from controller import __version__
from controller.configuration.shipped import load_table, table_path
from controller.games.dice import inspection
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.mirror import open_mirrored
from controller.journal.record import RecordedDecision, record_line
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.runtime.table import Setup, Table
from controller.table import keys
from hal.clock import LoopClock
from hal.mock.world import World

# The devices at the far ends are those of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

from contracts.loop import Loop
from contracts.wire import Wire
from modbus_peer import Peer

END = b"\r\n"
_LAMP_NS = 10_000_000
"""Instead of the half second for which each lamp burns at an inspection."""


def on_wires(keypad: Path, lamps: Path, outputs: Mapping[int, int]) -> TableConfig:
    """The shipped table with its keypad and its lamps on two serial ports."""
    config = load_table(table_path("sic-bo")).config
    devices = config.devices.model_dump(by_alias=True, exclude_none=True)
    keys = [str(key) for row in devices.pop("keypad")["keys"] for key in row]
    port = {"port": str(keypad), "retry_s": "0.01"}
    devices["keyboard"] = {"backend": "serial", "options": port, "codes": {key: f"K-{key}" for key in keys}}
    units = [{"unit": unit, "outputs": count} for unit, count in outputs.items()]
    devices["panel"] |= {"backend": "modbus", "options": {"port": str(lamps), "units": units}}
    changed = {"devices": devices, "credentials": "none"}
    return TableConfig.model_validate({**config.model_dump(exclude_none=True), **changed})


_WORDS = words_of(find_game("sic-bo"))


class WiredTable(Loop):
    """The table, its cables, and the devices at their ends.

    Args:
        outputs: how many each of the modules has, by address; their lamps are numbered one after the other.

    Attributes:
        log_lines: its log so far.
    """

    def __init__(self, folder: Path, outputs: Mapping[int, int], mirror: Path | None = None) -> None:
        super().__init__()
        self._outputs = dict(outputs)
        self.keypad = Wire(folder / "keypad")
        self.lamps = Peer(folder, self._outputs)
        self.log_lines: list[str] = []
        file = folder / "table.journal"
        self.journal = Journal(file) if mirror is None else open_mirrored(file, mirror, distinct=False)
        self.run(self._start)
        self.keypad.send(END)  # What was sent before is not a whole line.

    def _start(self) -> None:
        clock = LoopClock()
        config = on_wires(self.keypad.port, self.lamps.port, self._outputs)
        self.table = Table(Setup(config, Decider(__version__, "", "0" * 64)), self.journal, clock)
        self.table.listeners.append(self._on_decision)
        self._world = World.of(clock)
        self.table.start()

    def _on_decision(self, recorded: RecordedDecision) -> None:
        self.log_lines.append(record_line(recorded.record, _WORDS))

    def open(self) -> None:
        """New dice and the opening inspection."""
        self.floor("2")
        self.inspect()

    def inspect(self) -> None:
        """Three values that the panel must light, and every lamp alone."""
        self.floor()
        with patch.object(inspection, "EACH_NS", _LAMP_NS):
            for roll in ("123", "444", "566"):
                self.press(*roll, "enter")
                self.floor()
            self.until(lambda: self.state == "inspection-lamps" and not self.table.machine.data.inspection.trying)
            self.floor()
        assert self.state == "bets-open", self.log_lines

    def press(self, *controls: str) -> None:
        """Press keys, and wait after each until the table has decided; faster than a hand."""
        with patch.object(keys, "TWICE_NS", 0):
            for control in controls:
                decided = len(self.log_lines)
                self.send(control)
                self.until(lambda heard=decided: len(self.log_lines) > heard)  # type: ignore[misc]

    def floor(self, *entry: str) -> None:
        """The floorperson turns the key, and chooses an entry of the menu or what the table waits for."""
        self._turn()
        for key in entry:
            self.send(key)
            self.until(lambda: not self.table.desk.entries)
        self._turn()
        self.until(lambda: not self.table.desk.is_open)

    def _turn(self) -> None:
        self.run(lambda: self._world.press("floor-key"))

    def send(self, control: str) -> None:
        """What the keypad sends for a key."""
        self.keypad.send(f"K-{control}".encode() + END)

    @property
    def state(self) -> str:
        return str(self.table.machine.state.value)

    def close(self) -> None:
        self.run(self.table.stop)
        self.journal.close()
        self.lamps.close()
        self.keypad.cut()
        super().close()
