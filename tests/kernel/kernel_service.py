"""The table as a service: installed on a clean machine, shut in, killed, hung, misconfigured, upgraded, removed."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import LABEL, remove_chip
from live import LiveTable
from machine import ROOT, Done, Machine
from tables import WheelTable

UNIT = "table-controller"
CONFIG = "/etc/table-controller/table.yaml"
JOURNAL = "/var/lib/table-controller/table.journal"
CHECKOUT = "setup.py pyproject.toml README.md constraints.txt controller hal config systemd"
"""What the installer takes of a checkout."""
HARDENED = 2.0
"""What `systemd-analyze security` may say of the unit at most; 10 is a service without any protection."""
BOARD = "[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n"
"""The service has a /proc of its own; there, too, the machine is described as a Raspberry Pi."""


class InstalledTable(LiveTable):
    """The table that ``systemd/install`` set up, under its own unit."""

    def __init__(self, guest: Machine, chip: str, config: Mapping[str, Any]) -> None:
        super().__init__(
            guest, chip, {**config, "table": "controller"}
        )  # LiveTable's unit is table-controller then.
        guest.run(f"mkdir -p $(dirname {CONFIG}) /etc/systemd/system/{UNIT}.service.d")
        (guest.work / "board.conf").write_text(BOARD)
        guest.run(f"cp /srv/work/board.conf /etc/systemd/system/{UNIT}.service.d/; systemctl daemon-reload")
        guest.run(f"cp /srv/work/{self.file.name} {CONFIG}")
        follow = f"journalctl -u {UNIT} -o cat -n 0 -f > /srv/work/{self._log.name} 2>&1 < /dev/null"
        guest.run(f"{follow} & echo $! > /tmp/follow.pid")
        if not installed(guest):
            install(guest)

    def start(self) -> None:
        """Start it on an empty journal, and wait until it is ready."""
        self.guest.run(f"systemctl stop {UNIT}; rm -f {JOURNAL}*; systemctl reset-failed {UNIT}", fails=True)
        started = self.guest.run(f"systemctl start {UNIT}", fails=True)
        assert started.code == 0, self.log()
        self.wait_for("is ready")


def installed(guest: Machine) -> bool:
    return guest.run(f"systemctl cat {UNIT}", fails=True).code == 0


def install(guest: Machine, checkout: str = "/srv/project", **variables: str) -> Done:
    """Run the script of a checkout as root, without a network."""
    told = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/work/wheels", "EXTRAS": "pi", **variables}
    words = " ".join(f"{name}={value}" for name, value in told.items())
    return guest.run(f"{words} {checkout}/systemd/install", timeout_s=900)


def shown(guest: Machine, name: str) -> str:
    """A property of the unit."""
    return guest.run(f"systemctl show -P {name} {UNIT}").out.strip()


def make_wheels(folder: Path) -> None:
    """Make the folder of packages; needs a registry."""
    made, source = folder.with_suffix(".part"), folder.with_suffix(".source")
    for left in (made, source):
        shutil.rmtree(left, ignore_errors=True)
    source.mkdir(parents=True)
    subprocess.run(["cp", "-R", *CHECKOUT.split(), str(source)], cwd=ROOT, check=True)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--constraint", "constraints.txt", "--wheel-dir"]
    subprocess.run([*pip, str(made), ".[pi]", "setuptools", "wheel"], cwd=source, check=True)
    for own in made.glob("table_controller-*"):
        own.unlink()
    shutil.rmtree(source)
    made.rename(folder)


@pytest.fixture(scope="session")
def wheels(guest: Machine) -> None:
    """What a registry would be asked for, in a folder of the guest."""
    wanted = hashlib.sha256((ROOT / "setup.py").read_bytes() + (ROOT / "constraints.txt").read_bytes()).hexdigest()
    folder = ROOT / "build" / f"wheels-{wanted[:12]}"
    if not folder.exists():
        make_wheels(folder)
    shutil.copytree(folder, guest.work / "wheels")


@pytest.fixture
def table(guest: Machine, chip: str, wheels: None) -> Iterator[WheelTable]:
    # Stopped whatever happens: the kernel does not survive that a chip in use is taken away.
    try:
        yield WheelTable(guest, chip, runs_as=InstalledTable)
    finally:
        guest.run(f"systemctl stop {UNIT}; kill $(cat /tmp/follow.pid)", fails=True)


def test_it_stands_on_a_clean_machine(guest: Machine, table: WheelTable) -> None:
    """Installed, enabled, ready, by a user of its own, and shut in."""
    table.live.start()
    assert guest.run(f"systemctl is-enabled {UNIT}").out.strip() == "enabled"
    assert shown(guest, "ActiveState") == "active"
    assert "turn the wheel by hand" in shown(guest, "StatusText")
    process = f"/proc/{shown(guest, 'MainPID')}"
    assert guest.run(f"stat -c %U {process}").out.strip() == UNIT
    groups = guest.run(f"getent group $(sed -n 's/^Groups://p' {process}/status) | cut -d: -f1").out.split()
    assert {"gpio", "spi", "dialout", "input"} <= set(groups)
    security = guest.run(f"systemd-analyze security --no-pager {UNIT} | tail -n 1").out
    assert float(security.split(":")[1].split()[0]) <= HARDENED
    said = guest.run(f"journalctl -u {UNIT} -o json | grep 'is ready' | tail -n 1").out
    assert json.loads(said)["PRIORITY"] == "6"
    assert not json.loads(said)["MESSAGE"].startswith("<")


def test_a_table_that_is_killed_or_hangs_goes_on_where_it_stood(guest: Machine, table: WheelTable) -> None:
    """A round on the kernel's lines under the unit's hardening, with two interruptions."""
    live = table.live
    table.open()
    table.press("no-more-bets", "no-more-bets")
    table.move(table.wheel.spin(3.2, "40"))
    assert "RESULT 40: 40 pays 40 to 1; lit: 40" in live.wait_for("[result]")
    for signal, result in (("KILL", "status=9/KILL"), ("STOP", "Watchdog timeout")):
        waits_for = shown(guest, "StatusText")
        process = shown(guest, "MainPID")
        live.signal(signal)
        live.wait_for(result)
        live.wait_for("is ready")
        assert shown(guest, "MainPID") != process
        assert shown(guest, "StatusText") == waits_for
        assert table.lit() == {"40"}
    table.press("done", "losers-collected")
    table.press("done", "winners-paid")
    table.press("clear", "locating")  # Nobody saw what the wheel did meanwhile.
    assert shown(guest, "NRestarts") == "2"
    live.stop()
    assert "every one fits" in live.command("journal", "verify").out


def test_a_wrong_configuration_is_told_once_and_not_tried_again(guest: Machine, table: WheelTable) -> None:
    table.live.start()
    guest.run(f"systemctl stop {UNIT}; sed -i 's/^wheel:/weel:/' {CONFIG}")
    assert guest.run(f"systemctl start {UNIT}", fails=True).code != 0
    assert shown(guest, "ExecMainStatus") == "78"
    assert (shown(guest, "SubState"), shown(guest, "NRestarts")) == ("failed", "0")
    graver = guest.run(f"journalctl -u {UNIT} -p err -o cat").out
    assert "weel: unknown key; did you mean wheel?" in graver


def test_a_chip_that_comes_late_is_waited_for(guest: Machine, table: WheelTable) -> None:
    live = table.live
    live.start()
    guest.run(f"systemctl stop {UNIT}")
    remove_chip(guest, "pi")
    assert guest.run(f"systemctl start {UNIT}", fails=True).code != 0
    assert shown(guest, "SubState") == "auto-restart"
    guest.run(f"/srv/project/tests/kernel/guest/chip.sh pi {LABEL}")
    live.wait_for("is ready")
    assert shown(guest, "ActiveState") == "active"


def test_an_upgrade_keeps_configuration_and_journal(guest: Machine, table: WheelTable) -> None:
    """The new version stands beside the old one; of the table nothing changes but its version on record."""
    table.live.start()
    slot, waits_for = guest.run("readlink /opt/table-controller").out, shown(guest, "StatusText")
    kept, recorded = guest.run(f"sha256sum {CONFIG}").out, table.live.command("journal", "export").out
    guest.run("rm -rf /tmp/newer; mkdir /tmp/newer")
    guest.run(f"cd /srv/project && cp -R {CHECKOUT} /tmp/newer/")
    guest.run("""sed -i 's/^__version__ = .*/__version__ = "9.9"/' /tmp/newer/controller/__init__.py""")
    install(guest, "/tmp/newer")
    assert "9.9" in guest.run("table-controller --version").out
    assert guest.run("readlink /opt/table-controller").out != slot
    assert shown(guest, "StatusText") == waits_for
    assert guest.run(f"sha256sum {CONFIG}").out == kept
    grown = table.live.command("journal", "export").out
    assert grown.startswith(recorded)
    assert "9.9" in grown.removeprefix(recorded)
    assert "every one fits" in table.live.command("journal", "verify").out


def test_uninstalling_leaves_configuration_and_journal(guest: Machine, table: WheelTable) -> None:
    table.live.start()
    guest.run(f"systemctl stop {UNIT}")
    kept = guest.run(f"sha256sum {CONFIG} {JOURNAL}").out
    said = guest.run("/srv/project/systemd/install uninstall").out
    assert "Left as they are: the configuration" in said
    assert guest.run(f"sha256sum {CONFIG} {JOURNAL}").out == kept
    assert not installed(guest)
    left = guest.run(f"ls -d /opt/{UNIT}* /usr/local/bin/{UNIT} /etc/udev/rules.d/*{UNIT}*", fails=True).out
    assert left == ""
