"""The table under a service manager: notifications, the watchdog, the priorities of log lines."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S

from controller.bench.rig import HaltedTableError, Rig
from controller.configuration.shipped import table_path
from controller.runtime.systemd import ServiceManager, ServiceReporter

HALF_S = 10


class Systemd:
    """The manager's end of the socket."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.setblocking(False)

    def received(self) -> list[dict[str, str]]:
        """All messages since the last time, by variable."""
        words = []
        try:
            while True:
                words.append(dict(line.split("=", 1) for line in self._socket.recv(4096).decode().split("\n")))
        except BlockingIOError:
            return words

    def fed(self) -> int:
        """How often the watchdog was fed."""
        return sum(words.get("WATCHDOG") == "1" for words in self.received())

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    manager = Systemd(tmp_path)
    yield manager
    manager.close()


@pytest.fixture
def table(opened: Rig, systemd: Systemd, tmp_path: Path) -> Iterator[Rig]:
    """Dreamcatcher under systemd, on a journal of its own."""
    rig: Rig = opened("dreamcatcher", tmp_path / "j")  # type: ignore[operator]
    manager = ServiceManager(systemd.address, 2 * HALF_S * 1_000_000_000)
    ServiceReporter(rig.table, manager, rig.clock).ready()
    yield rig
    manager.close()


def test_the_watchdog_is_fed_at_half_its_time_until_table_or_journal_fail(
    table: Rig, systemd: Systemd, caplog: pytest.LogCaptureFixture
) -> None:
    """The end of the journal is changed, and restored; the table halts; then the journal's file is gone."""
    for wait_s, times in ((0, 1), (HALF_S - 0.1, 0), (0.2, 1), (10 * HALF_S, 10)):
        table.wait(wait_s)
        assert systemd.fed() == times
    for change, times in (("upper", 0), ("lower", 3)):
        other = table.journal._db
        other.executescript(f"DROP TRIGGER IF EXISTS no_update; UPDATE entries SET hash = {change}(hash)")
        table.wait(3 * HALF_S)
        assert systemd.fed() == times
    caplog.clear()
    table.table.recorder.halted = "the disk is full"
    with pytest.raises(HaltedTableError):
        table.wait(5 * HALF_S)
    assert systemd.fed() == 0
    assert caplog.messages == ["the watchdog is not fed: the disk is full"]
    table.table.recorder.halted = ""
    table.journal.close()
    table.wait(3 * HALF_S)
    assert systemd.fed() == 0


def test_a_manager_that_does_not_listen_never_delays_the_table(
    table: Rig, systemd: Systemd, caplog: pytest.LogCaptureFixture
) -> None:
    """Its queue is full, and then its socket gone; the round goes on."""
    table.wait(2000 * HALF_S)
    assert caplog.messages == ["systemd cannot be notified of WATCHDOG: Resource temporarily unavailable"]
    systemd.close()
    table.press("no-more-bets")
    table.spin(stop_on="10")
    assert table.lit() == {"10"}


def ran(table: Path, file: Path, environment: dict[str, str]) -> tuple[int, list[str]]:
    """Run a table, until it is ready or ends, with its stderr in a file as under systemd; its code and output."""
    with file.open("w") as stderr:
        at = os.fstat(stderr.fileno())
        words = ["run", str(table), "--journal", str(file.with_suffix(".j"))]
        known = {**os.environ, **environment, "JOURNAL_STREAM": f"{at.st_dev}:{at.st_ino}"}
        with subprocess.Popen([sys.executable, "-m", "controller", *words], stderr=stderr, env=known) as process:
            while process.poll() is None and "is ready" not in file.read_text():
                pass
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE_S)
    return process.returncode, file.read_text().splitlines()


def test_a_running_table_notifies_systemd_and_the_journal_from_start_to_stop(
    systemd: Systemd, tmp_path: Path
) -> None:
    variables = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "20000000"}
    code, output = ran(table_path("sic-bo"), tmp_path / "log", variables)
    first, status, fed, *_, last = systemd.received()
    assert (code, first, fed, last) == (0, {"READY": "1"}, {"WATCHDOG": "1"}, {"STOPPING": "1"})
    assert status["STATUS"].startswith("The table is closed. ")
    # On a computer that does not say who set its wall time, a start records that.
    simulated, *others = [line for line in output if "the clock is in doubt" not in line]
    assert simulated.startswith("<4>WARNING")
    assert "simulated devices sense and light nothing: keypad, switches, panel, sounder" in simulated
    assert [line[:8] for line in others] == ["<6>INFO "] * 2
    (tmp_path / "table.yaml").write_text("table: t\ngame: poker\n")
    code, output = ran(tmp_path / "table.yaml", tmp_path / "log", {})
    assert (code, {line.startswith(f"<3>{tmp_path}/table.yaml") for line in output}) == (78, {True})
