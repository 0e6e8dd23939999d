"""The table as a program: what it says, and how it ends."""

import signal
import subprocess
import sys
from pathlib import Path

from controller.configuration.shipped import table_path


def test_the_log_speaks_of_the_table_and_of_nothing_else(tmp_path: Path) -> None:
    """Each line is a record or the controller's own word, until it is told to stop."""
    command = [
        sys.executable,
        "-m",
        "controller",
        "run",
        str(table_path("sic-bo")),
        "--port",
        "0",
        "--journal",
        str(tmp_path / "j"),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as table:
        assert table.stderr is not None
        said = []
        for line in table.stderr:
            said.append(line)
            if "is ready" in line:
                break
        table.send_signal(signal.SIGTERM)
        said += table.stderr.readlines()
    assert table.returncode == 0
    assert len(said) == 3
    assert said[0].startswith("INFO screens at http://127.0.0.1:")
    assert said[1].startswith("INFO the table starts on an empty journal (version ")
    assert ", software development-" in said[1]
    assert said[2].startswith("INFO table sic-bo is ready: the table is closed: ")
