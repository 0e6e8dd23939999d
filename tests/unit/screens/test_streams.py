"""Viewers of a table: each gets the latest document, and none delays the table."""

import json
from collections.abc import Mapping

from controller.web.sse import BACKLOG_BYTES, MIN_INTERVAL_NS, RETRY_NS, STALL_NS, Channel
from hal.mock.clock import VirtualClock


class Viewer:
    """A viewer; a busy one reads nothing."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, object]]] = []
        self.busy = False
        self.dropped = False
        self._waiting = 0

    def send(self, data: bytes) -> None:
        assert not self.dropped
        length, _, rest = data.partition(b"\r\n")
        assert len(rest) == int(length, 16) + 2
        name, text = rest.decode().strip().split("\n")
        self.events.append((name.removeprefix("event: "), json.loads(text.removeprefix("data: "))))
        if self.busy:
            self._waiting += len(data)

    @property
    def backlog(self) -> int:
        return self._waiting if self.busy else 0

    def fill(self) -> None:
        """Its backlog is full."""
        self._waiting += 2 * BACKLOG_BYTES

    def drop(self) -> None:
        self.dropped = True

    @property
    def seen(self) -> object:
        """The number in the last document."""
        return next((document["n"] for name, document in reversed(self.events) if name == "picture"), None)


class Shown:
    """A table whose document is a number, with padding."""

    def __init__(self, size: int = 0) -> None:
        self.clock = VirtualClock()
        self.number = 0
        self.made = 0
        self._size = size
        self.channel = Channel(self.clock, self._picture)

    def _picture(self) -> dict[str, object]:
        self.made += 1
        return {"n": self.number, "padding": "x" * self._size}

    def joined(self) -> Viewer:
        viewer = Viewer()
        self.channel.join(viewer)
        return viewer

    def show(self, number: int) -> None:
        self.number = number
        self.channel.changed()

    def wait(self, ns: int) -> None:
        self.clock.advance_to(self.clock.now_ns() + ns)


def test_a_viewer_gets_the_present_document_at_once_and_every_change_soon() -> None:
    table = Shown()
    table.show(1)
    viewer = table.joined()
    assert viewer.seen == 1
    for number in range(2, 20):
        table.show(number)
        assert viewer.seen == number - 1, "the table has not done its work yet"
        table.wait(MIN_INTERVAL_NS)
        assert viewer.seen == number


def test_a_slow_viewer_skips_documents_and_then_gets_the_latest() -> None:
    table = Shown(size=BACKLOG_BYTES // 2)
    slow, quick = table.joined(), table.joined()
    slow.busy = True
    for number in range(1, 20):
        table.show(number)
        table.wait(MIN_INTERVAL_NS + 1)
    assert quick.seen == 19
    assert len(slow.events) < 6
    slow.busy = False
    table.wait(RETRY_NS)
    assert slow.seen == 19
    assert not slow.dropped


def test_a_stuck_viewer_is_dropped_and_the_others_keep_receiving() -> None:
    table = Shown(size=BACKLOG_BYTES // 2)
    stuck, quick = table.joined(), table.joined()
    stuck.busy = True
    for number in range(1, 60):
        table.show(number)
        table.wait(STALL_NS // 20)
    assert stuck.dropped
    assert quick.seen == 59
    assert len(stuck.events) * BACKLOG_BYTES // 2 < 3 * BACKLOG_BYTES, "what waits for it is bounded"


def test_when_the_table_closes_every_connection_is_closed() -> None:
    table = Shown()
    viewers = [table.joined() for _ in range(3)]
    table.channel.close()
    assert all(viewer.dropped for viewer in viewers)
    assert table.clock.next_due_ns() is None
