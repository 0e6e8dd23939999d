"""Reads a card as U-Boot, the initial ramdisk and the table read it at the next start, without starting anything.

What is a problem here is one there: a slot that is taken and does not open, data that is not mounted, a record that
is not in order.
"""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cut_journal import lost
from image_programs import program
from virtual_pi import SECTOR

from controller.journal.errors import JournalError
from controller.journal.journal import Journal

boot_state = program("boot_state")
SLOTS = {"A": (5, 6), "B": (7, 8)}
LOADED = ("slot.env", "kernel.gz", "initrd.gz", "broadcom/bcm2837-rpi-3-b.dtb")
BLOCK = 4096


@dataclass(frozen=True)
class Verdict:
    """What the next start finds."""

    slot: str
    """The one that U-Boot takes."""
    version: str
    """Of what lies in it, or nothing if it is no version that is known."""
    problems: tuple[str, ...]


def boot_files(boot: Path) -> dict[str, str]:
    """SHA-256 of each file that U-Boot loads from a slot's first partition."""
    found = {}
    for name in LOADED:
        read = subprocess.run(["mtype", "-i", str(boot), f"::{name}"], capture_output=True, check=False)
        found[name] = hashlib.sha256(read.stdout).hexdigest() if read.returncode == 0 else "not readable"
    return found


def chosen(state: dict[str, str]) -> str:
    """The slot that boot.cmd takes; with no tries left it gives both three again, and takes the first."""
    for slot in state["BOOT_ORDER"].split():
        if slot in SLOTS and int(state[f"BOOT_{slot}_LEFT"]) > 0:
            return slot
    return "A"


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def _written_pieces(file: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a sparse file was written between two places, and how much, a mebibyte at most."""
    at = start
    while at < end:
        try:
            at = os.lseek(file, at, os.SEEK_DATA)
        except OSError:
            return
        hole = min(os.lseek(file, at, os.SEEK_HOLE), end)
        while at < hole:
            yield at, min(hole - at, 1 << 20)
            at += 1 << 20
        at = hole


@dataclass
class CardReader:
    """Looks at one card again and again, as its writes come; what was not written since is not looked at again."""

    card: Path
    parts: dict[int, tuple[int, int]]
    """First sectors and lengths; that of the data is read from the card."""
    versions: dict[str, dict[str, str]]
    """By version: what U-Boot loads, as :func:`boot_files` has it."""
    work: Path
    written: dict[int, int] = field(default_factory=dict)
    """How often each partition was written to."""
    _slots: dict[tuple[str, int, int], tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def look(self, acknowledged: dict[int, str]) -> Verdict:
        """What the next start finds.

        Args:
            acknowledged: the last entry of the played journal that was durable, by its number.
        """
        slot = chosen(boot_state.read(self.card))
        key = (slot, *(self.written.get(part, 0) for part in SLOTS[slot]))
        if key not in self._slots:
            self._slots[key] = self._slot(slot)
        version, problems = self._slots[key]
        return Verdict(slot, version, problems + self._data(acknowledged))

    def _extract(self, part: int) -> Path:
        """A partition by itself; of the data only what was written."""
        first, count = self.parts[part] if part != 3 else self._data_place()
        start, end, to = first * SECTOR, (first + count) * SECTOR, self.work / f"part-{part}"
        to.unlink(missing_ok=True)
        with self.card.open("rb") as card, to.open("wb") as out:
            out.truncate(end - start)
            for at, size in _written_pieces(card.fileno(), start, end):
                os.pwrite(out.fileno(), os.pread(card.fileno(), size, at), at - start)
        return to

    def _data_place(self) -> tuple[int, int]:
        """The third entry of the partition table: it grows at the first start."""
        with self.card.open("rb") as card:
            card.seek(446 + 2 * 16 + 8)
            first, count = struct.unpack("<II", card.read(8))
        return first, count

    def _slot(self, slot: str) -> tuple[str, tuple[str, ...]]:
        """The version in a slot, and why it would not start."""
        boot, root = (self._extract(part) for part in SLOTS[slot])
        problems = []
        if (checked := run("fsck.fat", "-n", boot)).returncode:
            problems.append(f"slot {slot}: fsck.fat: {checked.stdout.strip()}")
        files = boot_files(boot)
        version = next((name for name, known in self.versions.items() if known == files), "")
        if not version:
            problems.append(f"slot {slot}: what U-Boot would load is of no version")
        line = run("mtype", "-i", boot, "::slot.env").stdout
        found = [re.search(rf"table\.{name}=(\w+)", line) for name in ("blocks", "hash")]
        if found[0] is None or found[1] is None:
            return version, (*problems, f"slot {slot}: no hash of its root")
        place = (f"--hash-offset={int(found[0][1]) * BLOCK}", root, root, found[1][1])
        if (verified := run("veritysetup", "verify", *place)).returncode:
            problems.append(f"slot {slot}: {verified.stderr.strip()}")
        return version, tuple(problems)

    def _data(self, acknowledged: dict[int, str]) -> tuple[str, ...]:
        """What is wrong with the data partition, once the ramdisk has checked it."""
        data = self._extract(3)
        if (checked := run("e2fsck", "-p", data)).returncode >= 4:
            return (f"e2fsck -p: {checked.stdout.strip()[-300:]}",)
        if (again := run("e2fsck", "-fn", data)).returncode:
            return (f"e2fsck -fn after it: {again.stdout.strip()[-300:]}",)
        folder = self.work / "data"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in ("journal", "cuts", "settings", "update"):
            run("debugfs", "-R", f"rdump /{name} {folder}", data)
        return (*self._played(folder / "cuts", acknowledged), *records(folder / "journal"), *memory(folder))

    def _played(self, folder: Path, acknowledged: dict[int, str]) -> tuple[str, ...]:
        for file in (*folder.glob("*-shm"), *folder.glob("*.lock")):
            file.unlink()
        loss = lost(folder / "table.journal", acknowledged)
        return (f"the played journal: {loss}",) if loss else ()


def records(folder: Path) -> tuple[str, ...]:
    """What is wrong with the table's own record."""
    for file in (*folder.glob("*-shm"), *folder.glob("*.lock")):
        file.unlink()
    for file in folder.glob("*.journal"):
        try:
            journal = Journal(file)
        except JournalError as error:
            return (f"{file.name}: {error}",)
        try:
            problem = journal.verify().problem
        finally:
            journal.close()
        if problem:
            return (f"{file.name}: {problem}",)
    return ()


def memory(folder: Path) -> tuple[str, ...]:
    """What is wrong with what is remembered of the slots, and with the settings."""
    slots, settings = folder / "update/slots.json", folder / "settings/table.yaml"
    problems = []
    if slots.exists():
        try:
            json.loads(slots.read_text())
        except ValueError:
            problems.append(f"slots.json: {slots.read_bytes()[:60]!r}")
    if settings.exists() and not settings.read_text().endswith("\n"):
        problems.append("table.yaml is cut short")
    return tuple(problems)
