"""Tables as processes: until they are ready, an idle second, and a page to a viewer."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from benchmarks.cost.instructions import of_process, say
from benchmarks.latency import MODULE
from controller.configuration.shipped import table_path

# After it, for it sets the path on which the far ends are.
from contracts.wire import Wire  # isort: skip
from modbus_peer import Peer  # isort: skip
from wired_table import on_wires  # isort: skip

IDLE_S = 60
SETTLE_S = 1.0
"""Until what a step began has ended."""
IDLE_AFTER_S = 10.0
SIGNALS = ("encoder_a", "encoder_b", "index", "clapper")
STILL = "\n".join(
    (
        "$timescale 1 us $end",
        *(f"$var wire 1 {mark} {name} $end" for mark, name in zip("abcd", SIGNALS, strict=True)),
        "$enddefinitions $end",
        "#0",
        *(f"0{mark}" for mark in "abcd"),
        "",
    )
)
"""A recording of lines that never change."""
STREAM = "GET /board.events HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def table(file: str) -> Iterator[tuple[int, int]]:
    """A running table: its process, and the port of its pages. It is ready."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "controller", "run", file, "--port", "0"]
        command += ["--journal", str(Path(folder) / "table.journal")]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd="/root") as process:
            try:
                yield process.pid, _until_ready(process)
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate()


def _until_ready(process: subprocess.Popen[str]) -> int:
    port, output = 0, []
    assert process.stderr is not None
    for line in process.stderr:
        output.append(line)
        if "screens at http://" in line:
            port = int(line.split("http://", 1)[1].split("/")[0].split(":")[1])
        if "is ready" in line:
            return port
    raise RuntimeError("the table did not start: " + "".join(output))


def ready(name: str, file: str) -> None:
    """A start whose modules are compiled and whose files are in the page cache: one before it sees to that."""
    with table(file):
        pass
    with table(file) as (pid, _):
        say(f"ready-{name}", of_process(pid))


def idle(name: str, pid: int) -> None:
    """A second in which nobody does anything."""
    time.sleep(IDLE_AFTER_S)
    before = of_process(pid)
    time.sleep(IDLE_S)
    say(f"idle-second-{name}", (of_process(pid) - before) / IDLE_S)


def _request(port: int, request: str, end: bytes) -> socket.socket:
    viewer = socket.create_connection(("127.0.0.1", port))
    viewer.sendall(request.encode())
    taken = b""
    while end not in taken:
        found = viewer.recv(1 << 16)
        assert found, taken
        taken += found
    return viewer


def page(file: str) -> None:
    """A page, and what its stream begins with; the second time, when files have been read."""
    with table(file) as (pid, port):
        time.sleep(SETTLE_S)
        for _ in range(2):
            before = of_process(pid)
            with _request(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"</html>"):
                time.sleep(SETTLE_S)
                of_page = of_process(pid) - before
            time.sleep(SETTLE_S)
            before = of_process(pid)
            with _request(port, STREAM, b"\n\n"):
                time.sleep(SETTLE_S)
                of_stream = of_process(pid) - before
            time.sleep(SETTLE_S)
        say("page-to-a-viewer", of_page)
        say("stream-to-a-viewer", of_stream)


@contextmanager
def wired() -> Iterator[str]:
    """A Sic Bo table's file with a serial keypad and Modbus lamps, and the devices at the ends of their lines."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        keypad, lamps = Wire(folder / "keypad"), Peer(folder, MODULE)
        config = on_wires(keypad.port, lamps.port, MODULE)
        written = config.model_dump(mode="json", by_alias=True, exclude_none=True) | {"credentials": "none"}
        file = folder / "wired.yaml"
        file.write_text(yaml.safe_dump(written), encoding="utf-8")
        yield str(file)
        lamps.close()


def wired_table() -> None:
    """Ready and idle on real drivers, each time on lines that no table has opened before."""
    with wired() as file, table(file):
        pass
    with wired() as file, table(file) as (pid, _):
        say("ready-sic-bo-wired", of_process(pid))
        idle("sic-bo-wired", pid)


@contextmanager
def recorded() -> Iterator[str]:
    """A Dreamcatcher table's file whose wheel is a recording: as with a real one, no simulator is loaded."""
    with TemporaryDirectory() as name:
        file, lines = Path(name) / "recorded.yaml", Path(name) / "lines.vcd"
        lines.write_text(STILL, encoding="ascii")
        shipped = yaml.safe_load(table_path("dreamcatcher").read_text(encoding="utf-8"))
        shipped["devices"]["head"] |= {"backend": "capture", "options": {"file": str(lines)}}
        file.write_text(yaml.safe_dump(shipped), encoding="utf-8")
        yield str(file)


def main() -> int:
    wired_table()
    with recorded() as file:
        ready("dreamcatcher-recorded", file)
    for game in ("sic-bo", "dreamcatcher", "roulette"):
        ready(game, game)
    with table("dreamcatcher") as (pid, _):
        idle("dreamcatcher", pid)
    page("sic-bo")
    return 0


if __name__ == "__main__":
    sys.exit(main())
