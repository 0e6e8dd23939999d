"""The table as ``systemd/install`` sets it up in the virtual machine, from packages that the host made."""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from live import LiveTable
from machine import Done, Machine
from project import ROOT

UNIT = "table-controller"
CONFIG = "/etc/table-controller/table.yaml"
JOURNAL = "/var/lib/table-controller/table.journal"
CHECKOUT = "setup.py pyproject.toml README.md requirements.txt controller hal config systemd"
"""What the installer takes of a checkout."""
LOCK = "requirements.txt"
GROUPS = ("build", "pi")
BOARD = "[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n"
"""The service has a /proc of its own; there, too, the machine is described as a Raspberry Pi."""


class InstalledTable(LiveTable):
    """The table that ``systemd/install`` set up, under its own unit."""

    def __init__(self, guest: Machine, chip: str, config: Mapping[str, Any]) -> None:
        super().__init__(
            guest, chip, {**config, "table": "controller"}
        )  # LiveTable's unit is table-controller then.
        (guest.work / "board.conf").write_text(BOARD)
        place(guest, f"/srv/work/{self.file.name}", CONFIG)
        place(guest, "/srv/work/board.conf", f"/etc/systemd/system/{UNIT}.service.d/board.conf")
        guest.run("systemctl daemon-reload")
        self._follow("0")
        if not installed(guest):
            install(guest)

    def start(self) -> None:
        """Start it on an empty journal, and wait until it is ready."""
        self.guest.run(f"systemctl stop {UNIT}; rm -f {JOURNAL}*; systemctl reset-failed {UNIT}", fails=True)
        started = self.guest.run(f"systemctl start {UNIT}", fails=True)
        assert started.code == 0, self.log()
        self.wait_for("is ready")

    def command(self, name: str, *arguments: str) -> Done:
        """Run a command of what is installed on the table's journal."""
        return self.guest.run(f"table-controller {name} {' '.join(arguments)} {self.journal}")

    def power_cut(self, levels: str) -> None:
        """Cut the machine's power and let it boot again; returns when the table, which starts by itself, is ready.

        Args:
            levels: the train that brings the lines to where the sensors hold them when the power returns.
        """
        (self.guest.work / "levels").write_text(levels)
        self.guest.cut()
        self._log.write_text("")
        self._lines_read = 0
        self._follow("all")
        self.wait_for("is ready")
        self._chip = self.guest.run("cat /run/chip").out.strip()

    def _follow(self, lines: str) -> None:
        """Follow the table's log from now on, and so many lines before."""
        follow = f"journalctl -u {UNIT} -o cat -n {lines} -f > /srv/work/{self._log.name} 2>&1 < /dev/null"
        self.guest.run(f"{follow} & echo $! > /tmp/follow.pid")


def place(guest: Machine, source: str, target: str) -> None:
    """Put a file where it outlasts a power cut. It alone: what the installer wrote is for the installer to sync."""
    guest.run(f"mkdir -p $(dirname {target}); cp {source} {target}; sync {target}")


def wire_for_good(guest: Machine) -> None:
    """From now on the header has its chip when the machine has booted, before the table starts."""
    unit = "bench-header.service"
    place(guest, f"/srv/project/tests/system/kernel/guest/{unit}", f"/etc/systemd/system/{unit}")
    guest.run(f"systemctl enable -q {unit}; sync /etc/systemd/system/{unit}")


def stop(guest: Machine) -> None:
    """Stop the table and whatever follows its log."""
    guest.run(f"systemctl stop {UNIT}; kill $(cat /tmp/follow.pid)", fails=True)


def installed(guest: Machine) -> bool:
    return guest.run(f"systemctl cat {UNIT}", fails=True).code == 0


def install(guest: Machine, checkout: str = "/srv/project") -> Done:
    """Run the script of a checkout as root, without a network, with a lock of the packages that were built here."""
    guest.run(f"mount --bind /srv/work/wheels/{LOCK} {checkout}/{LOCK}")
    offline = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/work/wheels"
    return guest.run(f"{offline} {checkout}/systemd/install", timeout_s=900)


def shown(guest: Machine, name: str) -> str:
    """A property of the unit."""
    return guest.run(f"systemctl show -P {name} {UNIT}").out.strip()


def provide_packages(guest: Machine) -> None:
    """Put the packages that a registry would serve into a folder of the guest, and a lock with their hashes."""
    digest = hashlib.sha256((ROOT / LOCK).read_bytes()).hexdigest()
    folder = ROOT / "build" / f"wheels-{digest[:12]}"
    if not folder.exists():
        _make_wheels(folder)
    shutil.copytree(folder, guest.work / "wheels")


def _make_wheels(folder: Path) -> None:
    """Make the folder of packages; needs a registry. The guest has no compiler: what has no wheel is built here."""
    made = folder.with_suffix(".part")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    lock = (ROOT / LOCK).read_text(encoding="utf-8")
    blocks = re.findall(r"^# (.*)\n((?:[^#\n].*\n)+)", lock, re.MULTILINE)
    wanted = [block for groups, block in blocks if set(GROUPS) & set(groups.split())]
    (made / "wanted.txt").write_text("".join(wanted), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--require-hashes", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(made), "--requirement", str(made / "wanted.txt")], check=True)
    sums = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in made.glob("*.whl")]
    names = [wheel.name.split("-")[0].lower().replace("_", "-") for wheel in made.glob("*.whl")]
    (made / LOCK).write_text(vouching(lock, dict(zip(names, sums, strict=True))), encoding="utf-8")
    made.rename(folder)


def vouching(lock: str, built: Mapping[str, str]) -> str:
    """A lock that also accepts the wheels that were built here.

    Args:
        built: the SHA-256 of a package's wheel, by the package's name.
    """
    lines = []
    for line in lock.splitlines():
        lines.append(line)
        name = line.partition("==")[0]
        if name in built and built[name] not in lock:
            lines.append(f"    --hash=sha256:{built[name]} \\")
    return "\n".join(lines) + "\n"
