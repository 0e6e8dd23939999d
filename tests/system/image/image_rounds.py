"""A round of Sic Bo on a virtual Pi, keyed on the lines of the kernel's simulated GPIO chip, over a power cut.

The chip takes the header's place: QEMU's header sees no edges from outside. build-gpio makes its module and the
program that presses keys; a stick brings them. U-Boot starts the Pi: by it the kernel knows which board this is.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from conftest import SHELL
from made_bundle import make_stick
from project import ROOT
from virtual_pi import IMAGE, Card, VirtualPi

GPIO = IMAGE.parent / "gpio"
CHIP = "/tmp/chip"
"""Where the folder is named in which the chip's lines are pulled."""
TABLE = yaml.safe_load((ROOT / "config/tables/sic-bo.yaml").read_text())
KEYPAD = TABLE["devices"]["keypad"]
LOG = "/tmp/table.log"
PRESS_US = 300_000


def table_text() -> str:
    """The shipped table with its keypad and key switches on lines; its lamps stay simulated."""
    for device in ("keypad", "switches"):
        TABLE["devices"][device] |= {"backend": "gpiozero", "options": {"pin_factory": "gpiod", "chip": 0}}
    KEYPAD["options"]["scan_ms"] = 40
    del TABLE["credentials"]
    return yaml.safe_dump(TABLE, sort_keys=False)


class KeyedPi(VirtualPi):
    """A Pi with a keypad."""

    def wire(self) -> None:
        """Make the chip, and let the table's file name it."""
        self.login()
        self.run("until mountpoint -q /run/table-image/sda1; do sleep 1; done; cp /run/table-image/sda1/* /tmp/")
        self.run(f"chmod +x /tmp/*; modprobe configfs; insmod /tmp/gpio-sim.ko; sh /tmp/chip.sh pi header >{CHIP}")
        number = self.run(f"basename $(cat {CHIP})").removeprefix("gpiochip")
        settings = "/etc/table-controller/table.yaml"  # The first start copies it; it may still be at it.
        self.run(f"until [ -e {settings} ]; do sleep 1; done; sed -i 's/chip: .*/chip: {number}/' {settings}")
        self.run("systemctl reset-failed table-controller; systemctl restart table-controller")
        self.run(f"(journalctl -u table-controller -o cat -f -n all >{LOG} 2>&1 &)")
        self.wait_log("is ready", 1)

    def wait_log(self, text: str, times: int) -> None:
        self.run(f"until [ $(grep -cF '{text}' {LOG}) -ge {times} ]; do sleep 0.5; done", timeout_s=300)

    def count(self, text: str) -> int:
        return int(self.run(f"grep -cF '{text}' {LOG}; true"))

    def press(self, *controls: str) -> None:
        """Keys of the keypad, or the floorperson's key switch; each until the table has it."""
        for control in controls:
            text = f"INFO {control} pressed"
            before = self.count(text)
            if control == "floor-key":
                pin = TABLE["devices"]["switches"]["pins"][control]
                self.run(f"printf '0 {pin} 0\\n{PRESS_US} {pin} 1\\n' | /tmp/drive $(cat {CHIP})")
            else:
                keys = [[str(key) for key in row] for row in KEYPAD["keys"]]
                row = next(number for number, names in enumerate(keys) if control in names)
                wires = " ".join(",".join(map(str, KEYPAD[side])) for side in ("rows", "columns"))
                self.run(f"echo {row} {keys[row].index(control)} | /tmp/keypad $(cat {CHIP}) {wires}")
            self.wait_log(text, before + 1)

    def state(self) -> str:
        return self.run("systemctl show -P StatusText table-controller")


@pytest.fixture
def card(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    card.put(1, "table.yaml", table_text())
    line = card.take(5, "slot.env", folder / "slot.env").read_text().strip()
    # With several processors the chip's own interrupts change the order of edges.
    card.put(5, "slot.env", f"{line} {SHELL} maxcpus=1\n")
    yield card
    card.file.unlink()


def test_a_keyed_round_outlives_a_power_cut(card: Card, folder: Path) -> None:
    if not (GPIO / "gpio-sim.ko").exists():
        pytest.fail("the chip's module is not there: sudo bash tests/system/image/build-gpio", pytrace=False)
    guest = ROOT / "tests/system/kernel/guest/chip.sh"
    stick = make_stick(folder / "gpio.img", GPIO / "gpio-sim.ko", GPIO / "keypad", GPIO / "drive", guest)
    pi = KeyedPi(card, folder, loader=True, stick=stick)
    try:
        pi.wire()
        print(f"-- the table is ready on lines after {pi.seconds():.0f} s")
        pi.press("floor-key", "2", "floor-key", "1")
        for roll in ("123", "444", "566"):
            pi.press(*roll, "enter", "floor-key")
        pi.run(f"until grep -qF '[inspection-lamps]' {LOG}; do sleep 1; done")
        pi.wait_log("[inspection-lamps]", 50)
        pi.press("floor-key", "no-more-bets", "2", "5", "5", "enter")
        pi.wait_log("RESULT", 1)
        result = pi.run(f"grep -F RESULT {LOG}")
        assert "big" in result
        waits_for = pi.state()
        print(f"-- a result after {pi.seconds():.0f} s: {result}")
        pi.cut()
        pi = KeyedPi(card, folder, loader=True, stick=stick)
        pi.wire()
        assert pi.state() == waits_for
        pi.press("done", "done", "clear")
        fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/rounds.json').read().decode())"
        assert "255" in pi.run(f'python3 -c "{fetch}"').replace(", ", "").replace(",", "")
        assert pi.run("table-controller journal verify /etc/table-controller/table.yaml")
        print(f"-- the round has ended after {pi.seconds():.0f} s more")
    finally:
        pi.close()
