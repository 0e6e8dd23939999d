"""A GPIO chip that is taken away while a sensor head reads its lines: Linux 6.1 itself crashes soon after it.

All else of the head is tested on a real kernel, in ``tests/system/kernel``.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from contracts.loop import Loop

from hal.clock import LoopClock
from hal.events import EdgeBatch, FaultEvent

gpiod = pytest.importorskip("gpiod", reason="the library gpiod is not installed here")

LINES = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
GONE = "the GPIO chip /dev/gpiochip7 is gone: No such device; connect it and start the table again"


class Request:
    """The kernel's side of a request, as far as a head uses it."""

    def __init__(self) -> None:
        self.fd, self.far = os.pipe()
        self.edges: list[SimpleNamespace] = []
        self.gone = False
        self.released = 0

    def moves(self, *pins: int) -> None:
        for pin in pins:
            number = len(self.edges) + 1
            kind = gpiod.EdgeEvent.Type.RISING_EDGE
            self.edges.append(
                SimpleNamespace(line_offset=pin, event_type=kind, timestamp_ns=number, global_seqno=number)
            )
        os.write(self.far, b"x")

    def is_taken_away(self) -> None:
        """From now on its descriptor is always ready, and every call fails."""
        self.gone = True
        os.close(self.far)

    def get_values(self, offsets: list[int]) -> list[object]:
        return [gpiod.line.Value.ACTIVE] * len(offsets)

    def wait_edge_events(self, _timeout: timedelta) -> bool:
        if self.gone:
            raise OSError(19, "No such device")
        return bool(self.edges)

    def read_edge_events(self, _most: int) -> list[SimpleNamespace]:
        if self.gone:
            raise OSError(19, "No such device")
        os.read(self.fd, 100)
        edges, self.edges = self.edges, []
        return edges

    def release(self) -> None:
        self.released += 1


class Bench(Loop):
    """A head on such a request."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.request = Request()
        monkeypatch.setattr(gpiod, "Chip", lambda path: FakeChip(self.request))
        self.delivered: list[str] = []
        self.lost: list[FaultEvent] = []
        self.run(self._open)

    def _open(self) -> None:
        from hal.gpiod import GpiodSettings
        from hal.gpiod.edges import GpiodHead

        self.head = GpiodHead(LINES, GpiodSettings(chip="/dev/gpiochip7"), LoopClock())
        self.head.start(self._on_edges, self.lost.append)

    def _on_edges(self, batch: EdgeBatch) -> None:
        self.delivered.append(batch.edges.decode())


class FakeChip:
    def __init__(self, request: Request) -> None:
        self._request = request

    def __enter__(self) -> "FakeChip":
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing to give back."""

    def line_offset_from_id(self, line: int) -> int:
        return line

    def get_line_info(self, _offset: int) -> SimpleNamespace:
        return SimpleNamespace(used=False)

    def request_lines(self, *_lines: object, **_more: object) -> Request:
        return self._request


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(monkeypatch)
    yield made
    made.run(made.head.close)
    os.close(made.request.fd)
    made.close()


def test_a_chip_that_goes_away_is_reported_once(bench: Bench) -> None:
    bench.request.moves(17, 27)
    bench.until(lambda: bench.delivered == ["AB"])
    bench.request.is_taken_away()
    bench.until(lambda: bool(bench.lost))
    bench.run(bench.head.poll)
    assert [event.detail for event in bench.lost] == [GONE]


def test_edges_that_come_between_two_readings_are_one_batch(bench: Bench) -> None:
    """After each batch the kernel is left to gather some, but a read returns at once."""
    bench.request.moves(17)
    bench.until(lambda: bench.delivered == ["A"])
    bench.request.moves(27, 22)
    bench.run(bench.head.poll)
    assert bench.delivered == ["A", "BZ"]
    bench.request.moves(23)
    bench.until(lambda: bench.delivered == ["A", "BZ", "C"])
