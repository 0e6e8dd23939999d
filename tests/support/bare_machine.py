"""A machine on which nothing is installed, with mock commands for what would change this one.

A mock command writes its arguments into ``calls``; what it answers stands in files of its own folder.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from project import ROOT

SCRIPT = Path("systemd/install")
ANSWERS = {
    "id": 'cat "$ANSWERS/user"',
    "dpkg": 'cat "$ANSWERS/architecture"',
    "systemctl": """
echo "systemctl $*" >> "$ANSWERS/calls"
case $1 in
is-active) cat "$ANSWERS/state" ;;
restart)
    slot=$(readlink "$DESTDIR/opt/$2")
    cat "$slot/version" >> "$ANSWERS/started"
    ! grep -q "does-not-start" "$slot/version" ;;
esac""",
    "python": """
[ "$1" != -m ] || { mkdir -p "$3/bin"; cp "$ANSWERS/version" "$3/"; cp "$ANSWERS/pip" "$3/bin/"
    cp "$ANSWERS/slot-python" "$3/bin/python"; }
[ "$1" != -c ] || exec "$REAL" "$@\"""",
    "slot-python": """
[ "$1 $2 $3 $4" = "-I -B -m controller" ] || exit 1
shift 4
exec "$ANSWERS/table-controller" "$@\"""",
    "pip": """
echo "pip $*" >> "$ANSWERS/calls"
for word; do case $word in *.txt) grep -o "^[a-z].*==[^ ]*" "$word" >> "$ANSWERS/locked" ;; esac; done
! [ -e "$ANSWERS/no-packages" ]""",
    "table-controller": """
case $1 in
check) ! grep -q "game: wrong" "$2" || exit 78 ;;
publish) grep -q "^broker:" "$3" ;;
floor) ! grep -q "floor: wrong" "$3" || exit 78 ;;
esac""",
}
QUIET = ("chgrp", "journalctl", "systemd-sysusers", "udevadm", "sync")


class Bare:
    """A machine on which nothing is installed yet."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.checkout = checkout
        self.root, self.answers = folder / "root", folder / "answers"
        (self.root / "run/systemd/system").mkdir(parents=True)
        self.answers.mkdir()
        for name, body in {**ANSWERS, **dict.fromkeys(QUIET, "")}.items():
            (self.answers / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.answers / name).chmod(0o755)
        for name, reply in {"user": "0", "architecture": "arm64", "state": "inactive", "version": "1"}.items():
            self.answer(name, reply)
        self.config = self.root / "etc/table-controller/table.yaml"
        self.unit = self.root / "etc/systemd/system/table-controller.service"
        self.link = self.root / "opt/table-controller"

    def answer(self, name: str, reply: str) -> None:
        (self.answers / name).write_text(f"{reply}\n")

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.answers}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "ANSWERS": str(self.answers),
            "PYTHON": "python",
            "REAL": sys.executable,
            "TMPDIR": str(self.answers),
        }
        command = [str(self.checkout / SCRIPT), *words]
        return subprocess.run(
            command, capture_output=True, text=True, env={**environment, **variables}, check=False
        )

    def installed(self, **variables: str) -> None:
        done = self.run(TABLE="roulette", **variables)
        assert done.returncode == 0, done.stderr
        self.answer("state", "active")

    def files(self) -> dict[str, Any]:
        """Everything on it: what each file holds, where each link leads."""
        return {
            str(path.relative_to(self.root)): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_symlink() or path.is_file()
        }

    def calls(self) -> list[str]:
        """The calls of systemctl and pip, in order."""
        return (self.answers / "calls").read_text().splitlines()

    def locked(self) -> list[str]:
        """The packages in the files that pip was given, with their versions."""
        return (self.answers / "locked").read_text().split()

    def started(self) -> list[str]:
        """The versions that were started, one after the other."""
        return (self.answers / "started").read_text().split()

    def version(self) -> str:
        """The version that the service's path leads to."""
        return (self.link / "version").read_text().strip()


def light_checkout(folder: Path) -> Path:
    """This one without its thousand modules: each installation copies them, and the mock of pip installs none."""
    for name in ("config/tables", "config/floors", "systemd"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("setup.py", "pyproject.toml", "README.md", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    for package in ("controller", "hal"):
        (folder / package).mkdir()
    return folder
