"""A table's process from its start to ready, and its memory: ``python -m benchmarks.startup``.

The process is ``table-controller run`` on a shipped table in a fresh interpreter: imports, configuration, journal,
devices, recovery. The shipped tables name the simulated backend, so the figures contain numpy, which no table on
real hardware loads. Memory and processor time are what the kernel reports of the process.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Measured, main

TREE = Path(__file__).resolve().parent.parent
GAMES = ("dreamcatcher", "roulette", "sic-bo")
REPEATS = 5
SETTLE_S, IDLE_S = 1.0, 3.0
READY_S, RESIDENT_MB, IDLE_PERCENT = 0.6, 60, 1.0


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a table."""

    ready_s: float
    busy_s: float
    """Processor time until then."""
    resident_mb: float
    idle_percent: float


def start(game: str, idle_s: float, bytecode: Path, tree: Path = TREE) -> Start:
    """Start a table, wait until it is ready, let it idle, and stop it.

    Args:
        bytecode: folder in which its modules are kept compiled, as an installation keeps them; the first start that
            names it compiles them.
        tree: the checkout whose software and table it is.

    Raises:
        RuntimeError: the process ended before it was ready; the message is its output.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "controller", "run", f"config/tables/{game}.yaml"]
        command += ["--journal", str(Path(folder) / "table.journal")]
        environment = os.environ | {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONDONTWRITEBYTECODE": ""}
        begun = time.monotonic()
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tree, env=environment) as process:
            try:
                _wait_until_ready(process)
                ready_s = time.monotonic() - begun
                busy_s = _ticks(process.pid) / os.sysconf("SC_CLK_TCK")
                idle = _idle_percent(process.pid, idle_s)
                return Start(ready_s, busy_s, _resident_mb(process.pid), idle)
            finally:
                process.terminate()


def _wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    output = []
    for line in process.stderr:
        output.append(line)
        if "is ready" in line:
            return
    raise RuntimeError("the table did not start: " + "".join(output))


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _idle_percent(pid: int, seconds: float) -> float:
    """The part of one processor that an idle table takes, once it has settled."""
    if not seconds:
        return 0.0
    time.sleep(SETTLE_S)
    before = _ticks(pid)
    time.sleep(seconds)
    return 100 * (_ticks(pid) - before) / os.sysconf("SC_CLK_TCK") / seconds


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def measure() -> list[Measured]:
    """Medians of several starts."""
    with TemporaryDirectory() as bytecode:
        return _measure(Path(bytecode))


def _measure(bytecode: Path) -> list[Measured]:
    lines = []
    for game in GAMES:
        start(game, 0.0, bytecode)
        starts = [start(game, IDLE_S if i == 0 else 0.0, bytecode) for i in range(REPEATS)]
        ready = median(found.ready_s for found in starts)
        resident = median(found.resident_mb for found in starts)
        idle = starts[0].idle_percent
        lines += [
            Measured(f"{game}: start to ready", f"{ready:.2f} s", "", f"under {READY_S} s", ready < READY_S),
            Measured(
                f"{game}: resident memory",
                f"{resident:.0f} MB",
                "",
                f"under {RESIDENT_MB} MB",
                resident < RESIDENT_MB,
            ),
            Measured(f"{game}: idle", f"{idle:.1f}%", "", f"under {IDLE_PERCENT:.0f}%", idle < IDLE_PERCENT),
        ]
    return lines


if __name__ == "__main__":
    sys.exit(main(measure))
