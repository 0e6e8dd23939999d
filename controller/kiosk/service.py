"""What systemd says of the table while its pages do not answer: a sentence for who stands before the display."""

import subprocess
from collections.abc import Callable, Sequence

UNIT = "table-controller.service"
_FIELDS = ("ActiveState", "SubState", "ExecMainStatus", "StatusText")
_PATIENCE_S = 10.0
_WRONG = "78"

RunSystemctl = Callable[[Sequence[str]], str]


def systemctl(command: Sequence[str]) -> str:
    """Run a command; its output, or empty if it does not answer."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


class TableService:
    """The table's unit.

    Args:
        run: runs ``systemctl``.
    """

    def __init__(self, run: RunSystemctl = systemctl) -> None:
        self._run = run

    def sentences(self) -> tuple[str, ...]:
        """Why the pages do not answer, as far as it is known, and what to do."""
        shown = self._run(("systemctl", "show", UNIT, *(f"--property={name}" for name in _FIELDS)))
        found = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        state, status = found.get("ActiveState", ""), found.get("StatusText", "")
        # Between two tries a unit that failed is "activating (auto-restart)"; what it said last is kept.
        said = (status,) if status else ()
        if found.get("SubState") == "auto-restart":
            return ("The table has ended, and is started again.", *said)
        if state == "activating":
            return ("The table is starting.", *said)
        if state == "failed" and found.get("ExecMainStatus") == _WRONG:
            return ("The table cannot start. Call the technician.", *(said or (f"journalctl -u {UNIT} says why.",)))
        if state == "failed":
            return ("The table has ended. Call the technician.", *said)
        if state in ("inactive", "deactivating"):
            return ("The table is switched off.", *said)
        return ("The table does not answer.", *said)
