"""A partner hears over the network which records a disk has acknowledged, and keeps the numbers."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S

from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.partner import PartnerLine, PartnerListener, _Lines, _received, read_log

RUN = "0123456789abcdef" * 2


@pytest.fixture
def hears() -> Iterator[Callable[..., tuple[int, "Future[int]"]]]:
    """Starts a partner; returns its port, and what will be the last number that it heard."""
    with ThreadPoolExecutor() as threads:
        listeners = []

        def start(log: Path, silence_s: float = PATIENCE_S) -> tuple[int, "Future[int]"]:
            listener = PartnerListener(0)
            listeners.append(listener)
            return listener.port, threads.submit(listener.receive, log, lambda number: None, silence_s)

        yield start
        for listener in listeners:
            listener.close()


Hears = Callable[..., tuple[int, "Future[int]"]]


def test_each_number_is_kept(hears: Hears, tmp_path: Path) -> None:
    log = tmp_path / "numbers"
    port, last = hears(log)
    with PartnerLine("127.0.0.1", port, RUN) as line:
        for number in range(1, 301):
            line.acknowledged(number)
    assert last.result(PATIENCE_S) == 300
    assert read_log(log) == (RUN, 300)


def test_silence_is_the_end_though_nobody_closes_the_line(hears: Hears, tmp_path: Path) -> None:
    """As when the power goes."""
    log = tmp_path / "numbers"
    port, last = hears(log, silence_s=0.1)
    with PartnerLine("127.0.0.1", port, RUN) as line:
        line.acknowledged(1)
        assert last.result(PATIENCE_S) == 1
    assert read_log(log) == (RUN, 1)


def test_who_goes_again_before_the_answer_is_named() -> None:
    here, there = socket.socketpair()
    with here:
        there.sendall(f"qualify-disk {RUN}\n".encode())
        there.close()
        with pytest.raises(DiskTrialError, match=r"has gone again .*; begin anew"):
            _received(_Lines(here), lambda line: None, lambda number: None, PATIENCE_S)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "is no qualify-disk"),
        (b"\xff" * 1000, "is no qualify-disk"),
        (b"", "is no qualify-disk"),
        (f"qualify-disk {RUN}\n2\n".encode(), "after 0 came '2'"),
        (f"qualify-disk {RUN}\n1\nmany\n".encode(), "after 1 came 'many'"),
        (f"qualify-disk {RUN}\n1\n".encode() + b"9" * 1000, "after 1 came '999"),
    ],
)
def test_who_says_something_else_is_refused(hears: Hears, tmp_path: Path, said: bytes, words: str) -> None:
    port, last = hears(tmp_path / "numbers")
    with socket.create_connection(("127.0.0.1", port)) as stranger:
        stranger.sendall(said)
        stranger.shutdown(socket.SHUT_WR)
        with pytest.raises(DiskTrialError, match=words):
            last.result(PATIENCE_S)
    assert (tmp_path / "numbers").exists() is (said.startswith(b"qualify-disk"))


def test_a_log_that_is_there_is_not_written_over(hears: Hears, tmp_path: Path) -> None:
    log = tmp_path / "numbers"
    log.write_text("of another run")
    with pytest.raises(DiskTrialError, match="there is such a file already"):
        hears(log)[1].result(PATIENCE_S)
    with pytest.raises(DiskTrialError, match="no such file or directory"):
        hears(tmp_path / "nowhere" / "numbers")[1].result(PATIENCE_S)
    assert log.read_text() == "of another run"


def test_a_partner_that_is_not_there_or_another_program_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with ThreadPoolExecutor() as threads:
            line = threads.submit(PartnerLine, "127.0.0.1", port, RUN)
            connection, _ = server.accept()
            connection.sendall(b"220 mail\n")
            with pytest.raises(DiskTrialError, match="is no qualify-disk that listens"):
                line.result(PATIENCE_S)
            connection.close()
        with pytest.raises(DiskTrialError, match=f"port {port}: address already in use; name another"):
            PartnerListener(port)
    with pytest.raises(DiskTrialError, match=f"nobody listens at 127.0.0.1:{port} .*--listen {port} --log FILE"):
        PartnerLine("127.0.0.1", port, RUN)


def test_a_partner_that_goes_ends_the_run(hears: Hears, tmp_path: Path) -> None:
    port, last = hears(tmp_path / "numbers")
    with PartnerLine("127.0.0.1", port, RUN) as line:
        line.acknowledged(7)  # Not the next one: the partner hangs up.
        with pytest.raises(DiskTrialError, match="after 0 came '7'"):
            last.result(PATIENCE_S)
        with pytest.raises(DiskTrialError, match="no longer listens"):
            any(map(line.acknowledged, range(8, 100_000)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"run {RUN}\n", (RUN, 0)),
        (f"run {RUN}\n1\n2\n", (RUN, 2)),
        (f"run {RUN}\n1\n2\n3", (RUN, 2)),
    ],
)
def test_a_log_is_read_as_far_as_its_lines_are_whole(text: str, found: tuple[str, int], tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text(text)
    assert read_log(tmp_path / "numbers") == found


@pytest.mark.parametrize("data", [b"", b"run 12\n1\n", b"\xff\xfe", f"run {RUN}\n1\ntwo\n".encode(), b"1\n2\n"])
def test_what_is_no_log_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "numbers").write_bytes(data)
    with pytest.raises(DiskTrialError, match="not a partner's log"):
        read_log(tmp_path / "numbers")
    with pytest.raises(DiskTrialError, match="no such file"):
        read_log(tmp_path / "nowhere")
