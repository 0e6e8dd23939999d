"""A virtual Pi whose table is on the lines of the kernel's simulated GPIO chip.

The chip takes the header's place: QEMU's header sees no edges from outside. build-gpio makes its module and the
programs that move lines; a stick brings them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import SHELL
from made_bundle import make_stick
from project import ROOT
from virtual_pi import IMAGE, Card, VirtualPi

GPIO = IMAGE.parent / "gpio"
CHIP = "/tmp/chip"
"""Where the folder is named in which the chip's lines are pulled."""
LABEL = "header"
LOG = "/tmp/table.log"
PRESS_US = 300_000


def lines_stick(file: Path, *content: Path) -> Path:
    """A stick with the chip's module, what moves its lines, and further files."""
    if not (GPIO / "gpio-sim.ko").exists():
        pytest.fail("the chip's module is not there: sudo bash tests/system/image/build-gpio", pytrace=False)
    guest = ROOT / "tests/system/kernel/guest/chip.sh"
    return make_stick(file, *(GPIO / name for name in ("gpio-sim.ko", "keypad", "drive")), guest, *content)


@contextmanager
def card_with(table: Mapping[str, Any], folder: Path) -> Iterator[Card]:
    """A card whose first start takes a table's file."""
    card = Card(folder)
    card.put(1, "table.yaml", yaml.safe_dump(dict(table), sort_keys=False))
    line = card.take(5, "slot.env", folder / "slot.env").read_text().strip()
    # With several processors the chip's own interrupts change the order of edges.
    card.put(5, "slot.env", f"{line} {SHELL} maxcpus=1\n")
    try:
        yield card
    finally:
        card.file.unlink()


class PiOnLines(VirtualPi):
    """U-Boot starts the Pi: by it the kernel knows which board this is, as gpiozero asks for it."""

    def wire(self, train: str = "") -> None:
        """Make the chip, let a train bring its lines to where the sensors are, and start the table on it."""
        self.login()
        self.run("until mountpoint -q /run/table-image/sda1; do sleep 1; done; cp /run/table-image/sda1/* /tmp/")
        self.run(f"chmod +x /tmp/*; modprobe configfs; insmod /tmp/gpio-sim.ko; sh /tmp/chip.sh pi {LABEL} >{CHIP}")
        if train:
            self.play(train)
        number = self.run(f"basename $(cat {CHIP})").removeprefix("gpiochip")
        settings = "/etc/table-controller/table.yaml"  # The first start copies it; it may still be at it.
        self.run(f"until [ -e {settings} ]; do sleep 1; done; sed -i 's/chip: [0-9].*/chip: {number}/' {settings}")
        self.run("systemctl reset-failed table-controller; systemctl restart table-controller")
        self.run(f"(journalctl -u table-controller -o cat -f -n all >{LOG} 2>&1 &)")
        self.wait_log("is ready", 1)

    def wait_log(self, text: str, times: int) -> None:
        self.run(f"until [ $(grep -cF '{text}' {LOG}) -ge {times} ]; do sleep 0.5; done", timeout_s=300)

    def count(self, text: str) -> int:
        return int(self.run(f"grep -cF '{text}' {LOG}; true"))

    def last(self, text: str) -> str:
        """The newest line of the table's log with a text."""
        return self.run(f"grep -F '{text}' {LOG} | tail -n 1")

    def play(self, train: str) -> None:
        """Move lines as a train says, a file of the stick. No wheel waits for the Pi's one processor to be free."""
        self.run(f"chrt --fifo 1 /tmp/drive $(cat {CHIP}) </tmp/{train} >/tmp/drove", timeout_s=300)

    def held_up(self) -> bool:
        """Whether the machine was held up in the last train, and the lines with it."""
        return '"held_up_s": 0.000' not in self.run("cat /tmp/drove")

    def close_contact(self, pin: int) -> None:
        """Close a contact to ground and open it again."""
        self.run(f"printf '0 {pin} 0\\n{PRESS_US} {pin} 1\\n' | /tmp/drive $(cat {CHIP})")

    def high(self, pins: Mapping[str, int]) -> set[str]:
        """Those of named lines that are high."""
        values = self.run("cat " + " ".join(f"$(cat {CHIP})/sim_gpio{pin}/value" for pin in pins.values())).split()
        return {name for name, value in zip(pins, values, strict=True) if value == "1"}

    def state(self) -> str:
        return self.run("systemctl show -P StatusText table-controller")

    def rounds(self) -> str:
        """The table's record as its page has it."""
        fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/rounds.json').read().decode())"
        return self.run(f'python3 -c "{fetch}"')
