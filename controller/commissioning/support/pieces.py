"""What goes into a support bundle: the words of commands and the files of the computer, by name. Pure."""

from dataclasses import dataclass
from pathlib import Path

UNIT = "table-controller"
LOG_LINES = 5000
"""Of the table's log: some weeks of a table in order, an hour of one that complains every second."""
KERNEL_LINES = 1000
ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Command:
    """A command whose output is a piece.

    Attributes:
        words: of this software, after ``table-controller``, if ``own``.
    """

    name: str
    words: tuple[str, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that is a piece."""

    name: str
    path: Path


Piece = Command | KeptFile


def pieces(table: Path, rounds: int = ROUNDS) -> tuple[Piece, ...]:
    """All of it, what is most often needed first.

    Args:
        table: the table's YAML file, which may have mistakes.
        rounds: of how many rounds at the end of the journal the entries are shown.
    """
    file = str(table)
    return (
        KeptFile("table.yaml", table),
        Command("check.txt", ("check", file), own=True),
        Command("version.txt", ("--version",), own=True),
        Command("journal-verified.txt", ("journal", "verify", file), own=True),
        Command("rounds.txt", ("journal", "show", file, "--last", str(rounds)), own=True),
        Command("rounds.json", ("journal", "show", file, "--last", str(rounds), "--json"), own=True),
        Command("wheel-report.txt", ("wheel-report", file), own=True),
        Command("software.json", ("verify-software", "--json"), own=True),
        Command("log.txt", ("journalctl", "-u", UNIT, "-n", str(LOG_LINES), "-o", "short-iso", "--no-pager")),
        Command("service.txt", ("systemctl", "status", UNIT, "--no-pager", "--lines=0")),
        Command("unit.txt", ("systemctl", "cat", UNIT, "--no-pager")),
        *_computer(),
    )


def _computer() -> tuple[Piece, ...]:
    """The computer under the table and its operating system."""
    return (
        KeptFile("computer/model.txt", Path("/proc/device-tree/model")),
        KeptFile("computer/system.txt", Path("/etc/os-release")),
        KeptFile("computer/processors.txt", Path("/proc/cpuinfo")),
        KeptFile("computer/memory.txt", Path("/proc/meminfo")),
        KeptFile("computer/mounts.txt", Path("/proc/mounts")),
        KeptFile("computer/boot-config.txt", Path("/boot/firmware/config.txt")),
        Command("computer/kernel.txt", ("uname", "-a")),
        Command("computer/kernel-log.txt", ("journalctl", "-k", "-n", str(KERNEL_LINES), "--no-pager")),
        Command("computer/starts.txt", ("journalctl", "--list-boots", "--no-pager")),
        Command("computer/clock.txt", ("timedatectl",)),
        Command("computer/load.txt", ("uptime",)),
        Command("computer/supply-and-heat.txt", ("vcgencmd", "get_throttled")),
        Command("computer/disks.txt", ("lsblk", "-o", "NAME,SIZE,TYPE,FSTYPE,MOUNTPOINTS,MODEL,RO")),
        Command("computer/space.txt", ("df", "-h")),
        Command("computer/usb.txt", ("lsusb",)),
        Command("computer/gpio.txt", ("gpiodetect",)),
        Command("computer/packages.txt", ("dpkg-query", "-W")),
    )
