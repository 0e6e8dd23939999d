"""Log, versions, record and health of a table in one archive for who helps, with every secret taken out.

Each command is a process of its own, so that one that fails or hangs costs no other piece; what it said of that is
in the bundle. Nothing that this software writes has a secret. People write into files what does not belong there.
"""

import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from controller.errors import UserError

ROUNDS = 50
UNIT = "table-controller"
PATIENCE_S = 120.0
"""A command that takes longer is ended: the edges of 1,000 rounds are measured in less on a slow board."""
MOST_BYTES = 16 * 2**20
"""Of a piece; what is beyond the last of them is left out."""
MASK = "[taken out]"
_LOG_LINES, _KERNEL_LINES = "5000", "1000"
"""Some weeks of a table in order, an hour of one that complains every second."""
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0", "PYTHONUTF8": "1"}

_KEY_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
_IN_ADDRESS = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_HASH = re.compile(r"\$(?:scrypt|argon2[a-z]*|2[aby]|y|5|6)\$[^\s\"']+")
_WORDS = r"(?:pass(?:word|phrase|wd)?|secret|token|psk|api[_-]?key)"
_NAMED = re.compile(
    rf"(\b(?:\w+[_-])?{_WORDS}[\"']?\s*[:=]\s*)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s,}}\]]+)", re.IGNORECASE
)
_PIN = re.compile(r"(\bpin\b[^\d\n]{0,12})\d{4,12}\b", re.IGNORECASE)
"""A GPIO pin has two digits."""

Execute = Callable[[Sequence[str]], str]
"""Runs a command; returns what it printed, and how it ended."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A piece.

    Attributes:
        text: without secrets.
        missing: why it is not there; empty if it is.
    """

    name: str
    text: str
    missing: str = ""


def pieces(table: Path, rounds: int = ROUNDS) -> dict[str, Path | tuple[str, ...]]:
    """All of it by name, what is most often needed first: files, and the words of commands.

    Args:
        table: the table's YAML file, which may have mistakes.
        rounds: of how many rounds at the end of the journal the entries are shown.
    """
    own, file, last = (sys.executable, "-m", "controller"), str(table), ("--last", str(rounds))
    return {
        "table.yaml": table,
        "check.txt": (*own, "check", file),
        "version.txt": (*own, "--version"),
        "journal-verified.txt": (*own, "journal", "verify", file),
        "rounds.txt": (*own, "journal", "show", file, *last),
        "rounds.json": (*own, "journal", "show", file, *last, "--json"),
        "wheel-report.txt": (*own, "wheel-report", file),
        "software.json": (*own, "verify-software", "--json"),
        "log.txt": ("journalctl", "-u", UNIT, "-n", _LOG_LINES, "-o", "short-iso", "--no-pager"),
        "service.txt": ("systemctl", "status", UNIT, "--no-pager", "--lines=0"),
        "unit.txt": ("systemctl", "cat", UNIT, "--no-pager"),
        "computer/model.txt": Path("/proc/device-tree/model"),
        "computer/system.txt": Path("/etc/os-release"),
        "computer/processors.txt": Path("/proc/cpuinfo"),
        "computer/memory.txt": Path("/proc/meminfo"),
        "computer/mounts.txt": Path("/proc/mounts"),
        "computer/boot-config.txt": Path("/boot/firmware/config.txt"),
        "computer/kernel.txt": ("uname", "-a"),
        "computer/kernel-log.txt": ("journalctl", "-k", "-n", _KERNEL_LINES, "--no-pager"),
        "computer/starts.txt": ("journalctl", "--list-boots", "--no-pager"),
        "computer/clock.txt": ("timedatectl",),
        "computer/load.txt": ("uptime",),
        "computer/supply-and-heat.txt": ("vcgencmd", "get_throttled"),
        "computer/disks.txt": ("lsblk", "-o", "NAME,SIZE,TYPE,FSTYPE,MOUNTPOINTS,MODEL,RO"),
        "computer/space.txt": ("df", "-h"),
        "computer/usb.txt": ("lsusb",),
        "computer/gpio.txt": ("gpiodetect",),
        "computer/packages.txt": ("dpkg-query", "-W"),
    }


def masked(text: str) -> str:
    """A text without what opens something: private keys, passwords in addresses, what is named as a secret."""
    for pattern in (_KEY_BLOCK, _IN_ADDRESS, _HASH):
        text = pattern.sub(MASK, text)
    for pattern in (_NAMED, _PIN):
        text = pattern.sub(rf"\g<1>{MASK}", text)
    return text


def execute(words: Sequence[str]) -> str:
    """Run a command of the system.

    Raises:
        OSError: there is no such command, or it may not be run.
    """
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_ENVIRONMENT},
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return f"{_text(error.stdout or b'')}\n(ended after {PATIENCE_S:.0f} s)\n"
    ended = "" if done.returncode == 0 else f"\n(exit code {done.returncode})\n"
    return _text(done.stdout) + ended


def collect(name: str, source: Path | Sequence[str], run: Execute = execute) -> Collected:
    """Collect a piece; one that is not there says why."""
    try:
        if isinstance(source, Path):
            return Collected(name, masked(_text(source.read_bytes())))
        title = "" if sys.executable in source else f"$ {' '.join(source)}\n"
        return Collected(name, masked(title + run(source)))
    except OSError as error:
        what = source if isinstance(source, Path) else source[0]
        return Collected(name, "", f"{what}: {(error.strerror or str(error)).lower()}")


def _text(data: bytes) -> str:
    return data[-MOST_BYTES:].decode("utf-8", errors="replace").replace("\0", "")


def write(file: Path, folder: str, head: Mapping[str, str], collected: Sequence[Collected], at_s: int) -> None:
    """Pack the pieces, with an index; nothing is left of a file that could not be finished.

    Args:
        folder: in which they lie in the archive.
        at_s: their time, in seconds since 1970.

    Raises:
        UserError: the file is there already, or cannot be written.
    """
    lines = [*(f"{name}: {value}" for name, value in head.items()), ""]
    lines += [f"{one.name:32} {one.missing or f'{len(one.text.encode())} bytes'}" for one in collected]
    index = Collected("index.txt", "\n".join([*lines, ""]))
    with _new(file) as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for one in (index, *collected):
            if not one.missing:
                data = one.text.encode()
                member = tarfile.TarInfo(f"{folder}/{one.name}")
                member.size, member.mtime, member.mode = len(data), at_s, 0o600
                archive.addfile(member, io.BytesIO(data))


@contextmanager
def _new(file: Path) -> Iterator[IO[bytes]]:
    made = False
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        made = True
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException as error:
        if made:
            file.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise UserError(f"{file}: there is such a file already; name another (--out)") from error
        if isinstance(error, OSError):
            why = (error.strerror or str(error)).lower()
            raise UserError(f"{file}: {why}; name a folder that can be written and has room (--out)") from error
        raise
