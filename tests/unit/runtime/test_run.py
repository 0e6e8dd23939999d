"""The table as a program: its output, and how it ends."""

import signal
import subprocess
import sys
from pathlib import Path

from controller.configuration.shipped import table_path
from controller.runtime.software import digest


def test_the_log_is_about_the_table_and_nothing_else(tmp_path: Path) -> None:
    """Each line is a record or a message of the controller, until it is stopped."""
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
        lines = []
        for line in table.stderr:
            lines.append(line)
            if "is ready" in line:
                break
        table.send_signal(signal.SIGTERM)
        lines += table.stderr.readlines()
    assert table.returncode == 0
    lines = [line for line in lines if "the clock is in doubt" not in line]  # Nobody may say who set this one's.
    assert len(lines) == 3
    assert lines[0].startswith("INFO screens at http://127.0.0.1:")
    assert lines[1].startswith("INFO the table starts on an empty journal (version ")
    assert f", software {digest()[:12]})" in lines[1]
    assert lines[2].startswith("INFO table sic-bo is ready: the table is closed: ")
