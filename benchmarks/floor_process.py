"""The floor's process of a run (:mod:`benchmarks.floor_run`), which is started and killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.floor_pieces import floor_command

# The servers are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from server_process import program


class FloorProcess:
    """The floor's process."""

    def __init__(self, file: Path) -> None:
        self._file, self._log = file, file.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its number; 0 while there is none."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        ends_with_us = [program("setpriv", "util-linux"), "--pdeathsig", "KILL"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([*ends_with_us, *floor_command(self._file)], stdout=log, stderr=log)

    def kill(self) -> None:
        """SIGKILL. Nothing happens if it does not run."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def end(self, how: signal.Signals, patience_s: float) -> tuple[float, int | None]:
        """Send it a signal; returns after how many seconds it had ended, and its exit code: None if it has not."""
        if self._process is None:
            return 0.0, None
        begun_s = time.monotonic()
        self._process.send_signal(how)
        try:
            code = self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            return patience_s, None
        self._process = None
        return time.monotonic() - begun_s, code

    def check(self) -> None:
        """See that it has not ended by itself."""
        if self._process is not None and self._process.poll() is not None:
            raise AssertionError(f"the floor has ended:\n{self._log.read_text(errors='replace')[-2000:]}")
