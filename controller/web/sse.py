"""Event streams (SSE) to many viewers, with a bounded load on the table's event loop.

A viewer needs the latest picture only: a slow one skips pictures, and one that receives nothing for a while is
disconnected. A picture is made once for all viewers, after the table has done its work, and sent to a few viewers
at a time, so that a key press never waits for hundreds of them.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.web.exchange import Viewer, framed
from hal.interfaces import Clock, Timer

BATCH = 8
"""Number of viewers that are sent to before the loop may do other work."""
PAUSE_NS = 1_000_000
"""Time for other work between two batches."""
MIN_INTERVAL_NS = 40_000_000
"""Shortest time between two pictures; the first one after a quiet time is sent at once."""
RETRY_NS = 250_000_000
"""Time until a viewer that was behind is tried again."""
STALL_NS = 10_000_000_000
"""A viewer that receives nothing for this long is disconnected."""
KEEPALIVE_NS = 15_000_000_000
"""How often an unchanged picture is sent again, so that a viewer knows that the stream is alive."""
BACKLOG_BYTES = 64 * 1024
"""Maximum of unsent bytes of one viewer."""

Document = Mapping[str, object]


def event(name: str, document: Document) -> bytes:
    """One event, framed."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return framed(f"event: {name}\ndata: {text}\n\n".encode())


@dataclass(slots=True)
class _Progress:
    """What a viewer has received."""

    sent: int = 0
    """The number of the last picture sent to it."""
    behind_ns: int | None = None
    """Time since which it receives nothing."""


class Channel:
    """One stream and its viewers.

    Args:
        picture: makes the present picture. Called only while there are viewers.
    """

    def __init__(self, clock: Clock, picture: Callable[[], Document]) -> None:
        self._clock = clock
        self._picture = picture
        self._viewers: dict[Viewer, _Progress] = {}
        self._last: Document = {}
        self._event = b""
        self._number = 0
        self._changed = False
        self._made_ns = self._sent_ns = -MIN_INTERVAL_NS
        self._queue: deque[tuple[Viewer, bytes, int]] = deque()
        """Viewer, data, and the number of the picture or 0 for another event."""
        self._timer: Timer | None = None

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return len(self._viewers)

    def join(self, viewer: Viewer) -> None:
        """Add a viewer, which gets the present picture at once."""
        if not self._viewers or self._changed:
            self._make()
        self._viewers[viewer] = _Progress()
        self._send(viewer, self._event, self._number)
        self._schedule(KEEPALIVE_NS)

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self._viewers.pop(viewer, None)

    def changed(self) -> None:
        """Send a new picture to every viewer, once the table has done its work."""
        if not self._viewers:
            return
        if not self._changed and not self._queue:
            self._cancel()
            self._schedule(max(0, self._made_ns + MIN_INTERVAL_NS - self._clock.now_ns()))
        self._changed = True

    def publish(self, name: str, document: Document) -> None:
        """Send a transient event. A viewer that is behind gets the missed picture instead."""
        if self._viewers and not self._queue and not self._changed:
            data, present = event(name, document), (self._event, self._number)
            for viewer, progress in self._viewers.items():
                self._queue.append((viewer, data, 0) if progress.sent == self._number else (viewer, *present))
            self._cancel()
            self._schedule(0)

    def close(self) -> None:
        """Disconnect every viewer."""
        self._cancel()
        self._queue.clear()
        for viewer in tuple(self._viewers):
            self.leave(viewer)
            viewer.drop()

    # -- sending -------------------------------------------------------------------------------------------

    def _make(self) -> None:
        """Make the picture; it gets a new number only if it differs from the previous one."""
        self._changed = False
        self._made_ns = self._clock.now_ns()
        document = self._picture()
        if self._number and document == self._last:
            return
        self._last = document
        self._number += 1
        stamped = {"clock_ms": self._made_ns // 1_000_000, "utc_ms": self._clock.utc_ns() // 1_000_000, **document}
        self._event = event("picture", stamped)

    def _on_timer(self) -> None:
        """Send to the next batch of viewers; after the last one, schedule those that are behind."""
        self._timer = None
        if not self._viewers:
            self._queue.clear()
            return
        if not self._queue:
            self._start_round()
        for _ in range(min(BATCH, len(self._queue))):
            self._send(*self._queue.popleft())
        if self._queue:
            self._schedule(PAUSE_NS)
        elif self._changed:
            self._schedule(max(PAUSE_NS, self._made_ns + MIN_INTERVAL_NS - self._clock.now_ns()))
        else:
            behind = any(progress.sent != self._number for progress in self._viewers.values())
            self._schedule(RETRY_NS if behind else KEEPALIVE_NS)

    def _start_round(self) -> None:
        quiet = self._clock.now_ns() - self._sent_ns >= KEEPALIVE_NS
        if self._changed or quiet:  # Ages change without an event.
            self._make()
        for viewer, progress in self._viewers.items():
            if quiet or progress.sent != self._number:
                self._queue.append((viewer, self._event, self._number))

    def _send(self, viewer: Viewer, data: bytes, number: int) -> None:
        progress = self._viewers.get(viewer)
        if progress is None:
            return  # It has left meanwhile.
        now_ns = self._clock.now_ns()
        if viewer.backlog <= (BACKLOG_BYTES if number else 0):
            progress.behind_ns = None
            progress.sent = number or progress.sent
            viewer.send(data)
            self._sent_ns = now_ns
        elif progress.behind_ns is None:
            progress.behind_ns = now_ns
        elif now_ns - progress.behind_ns >= STALL_NS:
            self.leave(viewer)
            viewer.drop()

    def _schedule(self, delay_ns: int) -> None:
        if self._timer is None:
            self._timer = self._clock.call_at(self._clock.now_ns() + delay_ns, self._on_timer)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
