"""Which package may import which (``.importlinter``), and the length of files."""

import subprocess
import sys
from pathlib import Path

import pytest
from project import ROOT

PACKAGES = ("controller", "hal", "config")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_every_room_imports_only_what_it_may() -> None:
    # In a process of its own: the checker changes how this one logs.
    checker = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as main; main()",
        "--no-cache",
    ]
    done = subprocess.run(checker, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_files_are_short_enough_to_read(module: Path) -> None:
    lines = (ROOT / module).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 390, "split it"
    assert not lines or lines[0].startswith('"""'), "say what the file is for"
