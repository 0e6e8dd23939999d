"""Runs the command that cuts the power, at a moment that nobody chose."""

import random
import shlex
import subprocess
from collections.abc import Sequence

from controller.commissioning.disk.errors import DiskTrialError, DiskUsageError
from controller.commissioning.disk.folder_trial import TrialClock

EARLIEST_S, LATEST_S = 10.0, 30.0
"""When the power is cut. By then a disk has had some thousand records, and its own clearing up has begun."""
PATIENCE_S = 60.0
"""How long a command may take until the power is gone."""
_NS = 1_000_000_000


def relay_words(command: str) -> list[str]:
    """The words of a command as a shell splits them.

    Raises:
        DiskUsageError: they cannot be split.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise DiskUsageError(f"--relay {command}: {error}") from error
    if not words:
        raise DiskUsageError("--relay names no command")
    return words


class RelayCut:
    """Cuts the power once, between :data:`EARLIEST_S` and :data:`LATEST_S` from now."""

    def __init__(self, words: Sequence[str], clock: TrialClock) -> None:
        self._words, self._clock = words, clock
        after_s = random.SystemRandom().uniform(EARLIEST_S, LATEST_S)
        self._due_ns = clock.now_ns() + int(after_s * _NS)
        self._command: subprocess.Popen[bytes] | None = None

    def acknowledged(self, number: int) -> None:
        """Called after each record.

        Raises:
            DiskTrialError: the command cannot be run or failed, or the power is still on.
        """
        now = self._clock.now_ns()
        if now < self._due_ns:
            return
        if self._command is None:
            self._command = self._run()
            self._due_ns = now
            return
        if code := self._command.poll():
            raise DiskTrialError(f"--relay {shlex.join(self._words)} ended with {code}; the power is still on")
        if now - self._due_ns > PATIENCE_S * _NS:
            self.close()
            raise DiskTrialError(
                f"--relay {shlex.join(self._words)} ran {PATIENCE_S:.0f} s ago, and the power is still on"
            )

    def _run(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(self._words, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise DiskTrialError(f"--relay {self._words[0]}: {(error.strerror or str(error)).lower()}") from error

    def close(self) -> None:
        """End the command if it still runs."""
        if self._command is not None and self._command.poll() is None:
            self._command.terminate()
            self._command.wait()
