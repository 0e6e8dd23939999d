"""One virtual machine for all tests of a run; a GPIO chip of its own for each test."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import provide_packages, stop
from machine import Machine
from tables import WheelTable

LABEL = "pinctrl-bcm2711"


@pytest.fixture(scope="session")
def guest() -> Iterator[Machine]:
    machine = Machine()
    compile_programs(machine)
    yield machine
    machine.close()


def compile_programs(machine: Machine) -> None:
    """Compile the programs that move lines into the guest."""
    for name in ("drive", "keypad"):
        compiled = ["gcc", "-O2", "-Wall", "-static", "-o", str(machine.work / name)]
        subprocess.run([*compiled, str(Path(__file__).parent / "guest" / f"{name}.c")], check=True)


@pytest.fixture
def chip(guest: Machine) -> Iterator[str]:
    """A chip with the label of a Raspberry Pi 4; the folder in which its lines are pulled."""
    folder = guest.run(f"/srv/project/tests/system/kernel/guest/chip.sh pi {LABEL}").out.strip()
    yield folder
    remove_chip(guest, "pi")


@pytest.fixture
def wheel_table(guest: Machine, chip: str) -> Iterator[WheelTable]:
    """A Dreamcatcher table."""
    table = WheelTable(guest, chip)
    yield table
    table.close()


@pytest.fixture(scope="session")
def packages(guest: Machine) -> None:
    provide_packages(guest)


@pytest.fixture
def installable(guest: Machine, chip: str, packages: None) -> Iterator[str]:
    """A chip for the installed service, and all that installing it takes."""
    # Stopped whatever happens: the kernel does not survive that a chip in use is taken away.
    try:
        yield chip
    finally:
        stop(guest)


def remove_chip(guest: Machine, name: str) -> None:
    at = f"/sys/kernel/config/gpio-sim/{name}"
    guest.run(f"echo 0 > {at}/live; rmdir {at}/bank/line* {at}/bank {at}")
