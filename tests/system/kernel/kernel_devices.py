"""SPI, serial lines and keyboards of a real kernel, driven by the installed service within its sandbox."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from devices import SerialPeer, lamps, strike
from installed import UNIT, InstalledTable
from live import CHOSEN, shipped
from machine import Machine
from tables import WheelTable

KEYBOARD = "/dev/input/by-path/platform-i8042-serio-0-event-kbd"
KEYS = {
    **{str(digit): (f"KEY_KP{digit}", f"kp_{digit}") for digit in range(10)},
    "enter": ("KEY_KPENTER", "kp_enter"),
    "clear": ("KEY_KPDOT", "kp_decimal"),
    "done": ("KEY_KPPLUS", "kp_add"),
    "no-more-bets": ("KEY_KPMINUS", "kp_subtract"),
    "no-roll": ("KEY_KPASTERISK", "kp_multiply"),
    "correct": ("KEY_KPSLASH", "kp_divide"),
}
"""The key of each control: its name in Linux, and in QEMU."""

REGISTERS = 7
"""Shift registers, for 50 lamps."""


class DicedTable:
    """The installed Sic Bo table, its lamps on shift registers at the SPI.

    Args:
        keyboard: where its keys are.
        key: presses the key of a control.
    """

    def __init__(self, guest: Machine, chip: str, keyboard: dict[str, Any], key: Callable[[str], None]) -> None:
        config = shipped("sic-bo")
        devices: dict[str, Any] = config["devices"]
        del devices["keypad"]
        devices["keyboard"] = keyboard
        chain = {"registers": REGISTERS, "read_back": False}
        devices["panel"] |= {"backend": "hc595", "options": chain}
        guest.run("/srv/project/tests/system/kernel/guest/spi.sh")
        self.live = InstalledTable(guest, chip, config)
        self._key = key
        self._floor_key: int = devices["switches"]["pins"]["floor-key"]
        self._areas = {number: area for area, number in devices["panel"]["lamps"].items()}

    def press(self, *controls: str) -> str:
        """Keys; the table's log line for the last one."""
        line = ""
        for control in controls:
            self._key(control)
            line = self.live.wait_for(f"INFO {control} pressed")
        return line

    def inspect(self) -> None:
        """The floorperson records new dice, and begins the inspection."""
        self.live.floor(self._floor_key, self._renew)
        assert "[inspection-entry]" in self.floor()

    def floor(self) -> str:
        """The floorperson does what the table waits for; the table's log line."""
        return self.live.floor(self._floor_key)

    def _renew(self) -> None:
        self._key("2")
        self.live.wait_for(CHOSEN)

    def lit(self) -> set[str]:
        """The areas whose outputs are on."""
        return {self._areas[output] for output in lamps(self.live.guest, 8 * REGISTERS)}


@pytest.fixture
def peer(guest: Machine) -> Iterator[SerialPeer]:
    made = SerialPeer(guest)
    yield made
    made.close()


def test_a_keyboard_and_lamps_on_spi(guest: Machine, installable: str) -> None:
    """The opening inspection's first roll (§ 539.5), struck on a PS/2 keyboard and lit through spidev."""
    codes = {control: code for control, (code, _) in KEYS.items()}
    keyboard = {"backend": "evdev", "options": {"device": KEYBOARD}, "codes": codes}
    table = DicedTable(guest, installable, keyboard, lambda control: strike(guest, KEYS[control][1]))
    table.live.start()
    assert table.lit() == set()
    table.inspect()
    assert "[inspection-lit]" in table.press(*"123", "enter")
    first = {"total-6", "small", "two-dice-1-2", "two-dice-1-3", "two-dice-2-3"}
    assert table.lit() == first | {"one-of-a-kind-1", "one-of-a-kind-2", "one-of-a-kind-3"}
    assert "[inspection-entry]" in table.floor()
    assert table.lit() == set()


def test_keys_on_a_serial_line(guest: Machine, installable: str, peer: SerialPeer) -> None:
    """A keypad on the machine's serial line on PCI, which is no console: a line of text for each key."""
    # An emulated machine may be held up in the middle of a line.
    options = {"port": serial_port(guest), "silence_ms": 5000}
    keyboard = {"backend": "serial", "options": options, "codes": {key: f"K-{key}" for key in KEYS}}
    table = DicedTable(guest, installable, keyboard, lambda control: peer.send(f"K-{control}"))
    table.live.start()
    peer.send("")  # What was sent before is no whole line.
    table.inspect()
    assert "[inspection-lit]" in table.press(*"444", "enter")
    assert "three-of-a-kind-4" in table.lit()


def test_the_unit_allows_the_devices_of_a_table_and_no_others(guest: Machine, installable: str) -> None:
    """The others' files are open to everybody; the kernel keeps the running service from them all the same."""
    guest.run("/srv/project/tests/system/kernel/guest/spi.sh; modprobe hid")
    table = WheelTable(guest, installable, runs_as=InstalledTable)
    table.live.start()
    hidraw = node(guest, "hidraw", "c", guest.run("awk '$2 == \"hidraw\" { print $1 }' /proc/devices").out, 0)
    others = {
        node(guest, "disk", "b", guest.run("stat -c %Hr /dev/vda").out, 0),
        node(guest, "screen", "c", "7", 1),
        node(guest, "port", "c", "99", 0),
    }
    serial = serial_port(guest)
    devices = {"/dev/gpiochip0", "/dev/spidev42.1", serial, "/dev/input/event0"}
    opened = opens(guest, f"/srv/project/tests/system/kernel/guest/within.sh {UNIT}", devices | others | {hidraw})
    assert {opened.pop(device) for device in devices} == {""}
    assert opened.pop(hidraw) == "No such device"  # The device class is allowed; there is no such device.
    assert opened == dict.fromkeys(others, "Operation not permitted")
    assert opens(guest, "setpriv --reuid=nobody --clear-groups", others) == dict.fromkeys(others, "")


def serial_port(guest: Machine) -> str:
    """The serial line on PCI, whose number depends on how many there are beside it."""
    return "/dev/" + guest.run("ls /sys/bus/pci/devices/*/tty").out.split()[-1]


def node(guest: Machine, name: str, kind: str, major: str, minor: int) -> str:
    """A device file that everybody may open."""
    file = f"/dev/bench-{name}"
    guest.run(f"rm -f {file}; mknod -m 666 {file} {kind} {major.strip()} {minor}")
    return file


def opens(guest: Machine, by: str, files: set[str]) -> dict[str, str]:
    """The kernel's error to a user who opens files; empty where it allows it."""
    command = f"{by} python3 /srv/project/tests/system/kernel/guest/opens.py {' '.join(sorted(files))}"
    answers: dict[str, str] = json.loads(guest.run(command).out)
    return answers
