"""Which package may import which (``.importlinter``)."""

import subprocess
import sys

from project import ROOT


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
