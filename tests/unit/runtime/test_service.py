"""The table under a service manager: notifications, the watchdog, the priorities of log lines."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S

from controller.bench.rig import Rig
from controller.configuration.shipped import table_path
from controller.runtime.systemd import ServiceManager, ServiceReporter

WATCHDOG_S = 20
HALF_S = WATCHDOG_S / 2


class Systemd:
    """The manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))
        self._socket.settimeout(PATIENCE_S)

    def wait(self) -> dict[str, str]:
        """The next message, by variable."""
        return dict(line.split("=", 1) for line in self._socket.recv(4096).decode().split("\n"))

    def received(self) -> list[dict[str, str]]:
        """All messages so far."""
        words = []
        self._socket.setblocking(False)
        try:
            while True:
                words.append(self.wait())
        except BlockingIOError:
            return words
        finally:
            self._socket.settimeout(PATIENCE_S)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    manager = Systemd(f"@table-{os.getpid()}-{id(tmp_path)}")
    yield manager
    manager.close()


@pytest.fixture
def manager(systemd: Systemd) -> Iterator[ServiceManager]:
    manager = ServiceManager(systemd.address, WATCHDOG_S * 1_000_000_000)
    yield manager
    manager.close()


def fed(systemd: Systemd) -> int:
    """How often the watchdog was fed."""
    return sum(words.get("WATCHDOG") == "1" for words in systemd.received())


def test_the_watchdog_is_fed_at_half_its_time_until_the_table_halts(
    dreamcatcher: Rig, systemd: Systemd, manager: ServiceManager, caplog: pytest.LogCaptureFixture
) -> None:
    """As when its record cannot be written."""
    ServiceReporter(dreamcatcher.table, manager, dreamcatcher.clock).ready()
    for wait_s, times in ((0, 1), (HALF_S - 0.1, 0), (0.2, 1), (10 * HALF_S, 10)):
        dreamcatcher.wait(wait_s)
        assert fed(systemd) == times
    dreamcatcher.table.recorder.halted = "the disk is full"
    dreamcatcher.wait(5 * HALF_S)
    assert fed(systemd) == 0
    assert [r.message for r in caplog.records] == ["the watchdog is not fed: the disk is full"]


def test_the_watchdog_starves_while_the_journal_does_not_answer(
    opened: Callable[..., Rig], systemd: Systemd, manager: ServiceManager, tmp_path: Path
) -> None:
    """The end of the journal is changed, and restored; then the file is gone for good."""
    table = opened("dreamcatcher", tmp_path / "j")
    ServiceReporter(table.table, manager, table.clock).ready()
    systemd.received()
    for change, times in (("upper", 0), ("lower", 3)):
        other = table.journal._db
        other.executescript(f"DROP TRIGGER IF EXISTS no_update; UPDATE entries SET hash = {change}(hash)")
        table.wait(3 * HALF_S)
        assert fed(systemd) == times
    table.journal.close()
    table.wait(3 * HALF_S)
    assert fed(systemd) == 0


def test_a_manager_that_does_not_listen_never_delays_the_table(
    dreamcatcher: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its queue is full, and then its socket gone; the round goes on."""
    systemd = Systemd(str(tmp_path / "notify"))
    with closing(ServiceManager(systemd.address, WATCHDOG_S * 1_000_000_000)) as manager:
        ServiceReporter(dreamcatcher.table, manager, dreamcatcher.clock).ready()
        dreamcatcher.wait(2000 * HALF_S)
        logged = [record.message for record in caplog.records]
        assert logged == ["systemd cannot be notified of WATCHDOG: Resource temporarily unavailable"]
        systemd.close()
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_on="10")
        assert dreamcatcher.lit() == {"10"}


# -- the log -----------------------------------------------------------------------------------------------


OF_CLOCK = "the clock is in doubt"
"""On a computer that does not say who set its wall time, a start records that."""


def ran(table: Path, file: Path, environment: dict[str, str], stop: bool) -> tuple[int, list[str]]:
    """Run a table whose stderr is a file, as it is under systemd; its exit code and output.

    Args:
        environment: where JOURNAL_STREAM is empty, it is set to that file.
    """
    with file.open("w") as stderr:
        at = os.fstat(stderr.fileno())
        known = {name: value or f"{at.st_dev}:{at.st_ino}" for name, value in environment.items()}
        words = ["run", str(table), "--journal", str(file.with_suffix(".j"))]
        command = [sys.executable, "-m", "controller", *words]
        with subprocess.Popen(command, stderr=stderr, env={**os.environ, **known}) as process:
            if stop:
                while "is ready" not in file.read_text():
                    assert process.poll() is None, file.read_text()
                process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE_S)
    return process.returncode, file.read_text().splitlines()


def test_a_running_table_notifies_systemd_and_the_journal_from_start_to_stop(tmp_path: Path) -> None:
    systemd = Systemd(str(tmp_path / "notify"))
    variables = {"NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "20000000", "JOURNAL_STREAM": ""}
    code, output = ran(table_path("sic-bo"), tmp_path / "log", variables, stop=True)
    words = systemd.received()
    systemd.close()
    assert code == 0
    assert words[0]["READY"] == "1"
    assert words[0]["STATUS"].startswith("The table is closed. ")
    assert words[1] == {"WATCHDOG": "1"}
    assert words[-1] == {"STOPPING": "1"}
    simulated, *others = [line for line in output if OF_CLOCK not in line]
    assert simulated.startswith("<4>WARNING")
    assert "simulated devices sense and light nothing: keypad, switches, panel, sounder" in simulated
    assert [line[:8] for line in others] == ["<6>INFO "] * 2


def test_errors_that_end_the_table_have_a_high_priority_in_the_journal(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("table: t\ngame: poker\n")
    code, output = ran(tmp_path / "table.yaml", tmp_path / "log", {"JOURNAL_STREAM": ""}, stop=False)
    assert code == 78
    assert output
    assert all(line.startswith(f"<3>{tmp_path}/table.yaml") for line in output)
