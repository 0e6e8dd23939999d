"""A table that runs in the virtual machine under systemd, with the actions and observations of those who use it."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml
from machine import PYTHON, Done, Machine

from controller.configuration.shipped import table_path

ENVIRONMENT = PYTHON.split()[0]
CONTROLLER = "python3 -m controller"
DRIVE = "chrt --fifo 1 /srv/work/drive"
"""No wheel waits for the Pi's one processor to be free."""
PRESS_US = 150_000
PATIENCE_S = 600.0
CHOSEN = "Turn the key to confirm"
"""In the log once a line of the floor menu is chosen."""


def shipped(game: str) -> dict[str, Any]:
    """A shipped table's file without credentials, its contacts and its buzzer on ``gpiozero``."""
    parsed: dict[str, Any] = yaml.safe_load(table_path(game).read_text())
    del parsed["credentials"]
    for section in {"buttons", "switches", "sounder"} & parsed["devices"].keys():
        parsed["devices"][section] |= {"backend": "gpiozero", "options": {"pin_factory": "gpiod"}}
    return parsed


class LiveTable:
    """One table as a unit of systemd.

    Args:
        config: what its file shall say; the journal is put on the guest's own disk.
    """

    def __init__(self, guest: Machine, chip: str, config: Mapping[str, Any]) -> None:
        self.guest = guest
        self._chip = chip
        self._unit = f"table-{config['table']}"
        self.folder = f"/var/lib/{self._unit}"
        self._file = guest.work / f"{self._unit}.yaml"
        self._log = guest.work / f"{self._unit}.log"
        self._lines_read = 0
        self.journal = f"{self.folder}/table.journal"
        self._file.write_text(yaml.safe_dump({**config, "journal": {"file": self.journal}}, sort_keys=False))
        be_a_pi(guest)

    @property
    def file(self) -> Path:
        """The table's file, on the host."""
        return self._file

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        self._log.write_text("")
        self._lines_read = 0
        properties = (
            f"StateDirectory={self._unit}",
            "StateDirectoryMode=0700",
            f"WorkingDirectory={self.folder}",
            f"StandardOutput=append:/srv/work/{self._log.name}",
            f"StandardError=append:/srv/work/{self._log.name}",
        )
        options = " ".join(f"-p {one}" for one in properties)
        self.guest.run(f"rm -rf {self.folder}; mkdir -p {self.folder}")
        run = f"-E {ENVIRONMENT} {CONTROLLER} run /srv/work/{self._file.name}"
        self.guest.run(f"systemd-run --quiet --unit={self._unit} {options} {run}")
        self.wait_for("is ready")

    def stop(self) -> None:
        self.guest.run(f"systemctl stop {self._unit}; systemctl reset-failed {self._unit}", fails=True)

    def signal(self, name: str) -> None:
        """Send the table's process a signal."""
        self.guest.run(f"systemctl kill --kill-whom=main -s {name} {self._unit}")

    def command(self, name: str, *arguments: str) -> Done:
        """Run a command of the controller on the table's journal."""
        return self.guest.run(f"{PYTHON} -m controller {name} {' '.join(arguments)} {self.journal}")

    # -- the log -------------------------------------------------------------------------------------------

    def log(self) -> str:
        """The whole log."""
        return self._log.read_text(errors="replace")

    def wait_for(self, text: str, patience_s: float = PATIENCE_S) -> str:
        """Wait until a new line of its log holds a text; that line. Earlier lines are not read again."""
        line = self.heard(text, patience_s)
        assert line, f"the table did not say '{text}' within {patience_s:.0f} s; it said:\n{self.log()}"
        return line

    def heard(self, text: str, patience_s: float) -> str:
        """As :meth:`wait_for`; empty if no line holds the text in time."""
        end_s = time.monotonic() + patience_s
        while time.monotonic() < end_s:
            lines = self.log().splitlines(keepends=True)
            for number in range(self._lines_read, len(lines)):
                if text in lines[number] and lines[number].endswith("\n"):
                    self._lines_read = number + 1
                    return lines[number]
            time.sleep(0.1)
        return ""

    # -- input ---------------------------------------------------------------------------------------------

    def play(self, train: str) -> float:
        """Move lines as a train of edges says (``guest/drive.c``).

        Returns:
            at its end: for how many seconds the machine was held up meanwhile, and the lines with it.
        """
        (self.guest.work / "train").write_text(train)
        drove = json.loads(self.guest.run(f"{DRIVE} {self._chip} < /srv/work/train", timeout_s=180).out)
        return float(drove["held_up_s"])

    def begin(self, train: str) -> None:
        """Begin to move lines, and return at once."""
        (self.guest.work / "train").write_text(train)
        drives = f"rm -f /tmp/drove; ({DRIVE} {self._chip} < /srv/work/train; touch /tmp/drove)"
        self.guest.run(f"{drives} > /dev/null 2>&1 &")

    def end(self) -> None:
        """Wait until the lines that :meth:`begin` moves stand still."""
        self.guest.run("until [ -e /tmp/drove ]; do sleep 0.3; done", timeout_s=180)

    def press(self, pin: int) -> None:
        """Close a contact to ground and open it again."""
        self.play(f"0 {pin} 0\n{PRESS_US} {pin} 1\n{2 * PRESS_US} {pin} 1\n")

    def floor(self, key: int, choose: Callable[[], object] | None = None) -> str:
        """The floorperson turns the key, chooses in the floor menu, and turns it again; the log line of the act.

        Args:
            key: the pin of the key switch.
            choose: presses the digit of a line; without it the line is that which the table waits for.
        """
        self._turn(key)
        if choose is not None:
            choose()
        self._turn(key)
        return self.wait_for("INFO the floorperson: ")

    def _turn(self, key: int) -> None:
        self.press(key)
        self.wait_for("INFO the floorperson's key turned")

    def key_in(self, rows: Iterable[int], columns: Iterable[int], keys: Iterable[tuple[int, int]]) -> int:
        """Press keys of a matrix keypad, by row and column.

        Returns:
            how often the machine was held up meanwhile, so that a contact followed its row too late.
        """
        wires = ",".join(map(str, rows)), ",".join(map(str, columns))
        (self.guest.work / "keys").write_text("".join(f"{row} {column}\n" for row, column in keys))
        done = self.guest.run(f"/srv/work/keypad {self._chip} {wires[0]} {wires[1]} < /srv/work/keys")
        return int(json.loads(done.out)["late"])

    # -- output --------------------------------------------------------------------------------------------

    def high(self, pins: Mapping[Any, int]) -> set[str]:
        """Those of named lines that are high."""
        files = " ".join(f"{self._chip}/sim_gpio{pin}/value" for pin in pins.values())
        values = self.guest.run(f"cat {files}").out.split()
        return {str(name) for name, value in zip(pins, values, strict=True) if value == "1"}

    def coils(self, folder: str) -> dict[str, list[int]]:
        """The coils that are on, by unit, as ``guest/modules.py`` last wrote them."""
        found: dict[str, list[int]] = json.loads(self.guest.run(f"cat {folder}/coils").out)
        return found


def be_a_pi(guest: Machine) -> None:
    """gpiozero asks the processor's description which board this is."""
    guest.run("/srv/project/tests/system/kernel/guest/board.sh")
