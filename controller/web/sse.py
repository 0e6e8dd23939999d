"""Event streams to many viewers, made so that no viewer costs the table anything that it would notice.

A viewer needs the latest picture and nothing else: one that is slow skips pictures, and one that takes nothing for
a while is dropped. A picture is made once for all, after the table has done its work, and handed to a few viewers
at a time, so that a key never waits for hundreds of them.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.web.http import Viewer, framed
from hal.interfaces import Clock, Timer

AT_ONCE = 8
"""Viewers that are sent to before the loop may do something else."""
PAUSE_NS = 1_000_000
"""How long it has for that."""
APART_NS = 40_000_000
"""Pictures follow one another no faster than this; the first one after a quiet time comes at once."""
AGAIN_NS = 250_000_000
"""How soon a viewer that was behind is tried again."""
STUCK_NS = 10_000_000_000
"""Who takes nothing for so long is dropped."""
ALIVE_NS = 15_000_000_000
"""How often the picture is sent anew though nothing has changed: so a viewer knows that the stream lives."""
BACKLOG_BYTES = 64 * 1024
"""What may wait to be taken by one viewer."""

Document = Mapping[str, object]


def event(name: str, document: Document) -> bytes:
    """One event, framed."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return framed(f"event: {name}\ndata: {text}\n\n".encode())


@dataclass(slots=True)
class _Looks:
    """How far a viewer has come."""

    seen: int = 0
    """The number of the last picture that was sent to it."""
    behind_ns: int | None = None
    """Since when it takes nothing."""


class Channel:
    """One stream: what its viewers see.

    Args:
        picture: makes what is to be seen now. Asked only while somebody looks.
    """

    def __init__(self, clock: Clock, picture: Callable[[], Document]) -> None:
        self._clock = clock
        self._picture = picture
        self._viewers: dict[Viewer, _Looks] = {}
        self._shown: Document = {}
        self._event = b""
        self._number = 0
        self._changed = False
        self._made_ns = self._sent_ns = -APART_NS
        self._queue: deque[tuple[Viewer, bytes, int]] = deque()
        """What is to be sent to whom; the number of a picture, or 0."""
        self._timer: Timer | None = None

    @property
    def viewers(self) -> int:
        """How many look."""
        return len(self._viewers)

    def join(self, viewer: Viewer) -> None:
        """Somebody looks: the present picture is sent at once."""
        if not self._viewers or self._changed:
            self._make()
        self._viewers[viewer] = _Looks()
        self._send(viewer, self._event, self._number)
        self._come_back(ALIVE_NS)

    def leave(self, viewer: Viewer) -> None:
        """Somebody looks no more."""
        self._viewers.pop(viewer, None)

    def changed(self) -> None:
        """There is something new to see: everybody will see it, but not before the table has done its work."""
        if not self._viewers:
            return
        if not self._changed and not self._queue:
            self._cancel()
            self._come_back(max(0, self._made_ns + APART_NS - self._clock.now_ns()))
        self._changed = True

    def tell(self, name: str, document: Document) -> None:
        """Send an event that only matters now. Who is behind gets the picture that was missed instead."""
        if self._viewers and not self._queue and not self._changed:
            data, present = event(name, document), (self._event, self._number)
            for viewer, looks in self._viewers.items():
                self._queue.append((viewer, data, 0) if looks.seen == self._number else (viewer, *present))
            self._cancel()
            self._come_back(0)

    def close(self) -> None:
        """Everybody is left."""
        self._cancel()
        self._queue.clear()
        for viewer in tuple(self._viewers):
            self.leave(viewer)
            viewer.drop()

    # -- sending -------------------------------------------------------------------------------------------

    def _make(self) -> None:
        """Make the picture; it counts as a new one only if it differs from the one before."""
        self._changed = False
        self._made_ns = self._clock.now_ns()
        document = self._picture()
        if self._number and document == self._shown:
            return
        self._shown = document
        self._number += 1
        stamped = {"clock_ms": self._made_ns // 1_000_000, "utc_ms": self._clock.utc_ns() // 1_000_000, **document}
        self._event = event("picture", stamped)

    def _go_on(self) -> None:
        """Send to the next few; once all were sent to, see who is behind."""
        self._timer = None
        if not self._viewers:
            self._queue.clear()
            return
        if not self._queue:
            self._begin()
        for _ in range(min(AT_ONCE, len(self._queue))):
            self._send(*self._queue.popleft())
        if self._queue:
            self._come_back(PAUSE_NS)
        elif self._changed:
            self._come_back(max(PAUSE_NS, self._made_ns + APART_NS - self._clock.now_ns()))
        else:
            behind = any(looks.seen != self._number for looks in self._viewers.values())
            self._come_back(AGAIN_NS if behind else ALIVE_NS)

    def _begin(self) -> None:
        quiet = self._clock.now_ns() - self._sent_ns >= ALIVE_NS
        if self._changed or quiet:  # Ages grow by themselves.
            self._make()
        for viewer, looks in self._viewers.items():
            if quiet or looks.seen != self._number:
                self._queue.append((viewer, self._event, self._number))

    def _send(self, viewer: Viewer, data: bytes, number: int) -> None:
        looks = self._viewers.get(viewer)
        if looks is None:
            return  # Gone meanwhile.
        now_ns = self._clock.now_ns()
        if viewer.backlog <= (BACKLOG_BYTES if number else 0):
            looks.behind_ns = None
            looks.seen = number or looks.seen
            viewer.send(data)
            self._sent_ns = now_ns
        elif looks.behind_ns is None:
            looks.behind_ns = now_ns
        elif now_ns - looks.behind_ns >= STUCK_NS:
            self.leave(viewer)
            viewer.drop()

    def _come_back(self, delay_ns: int) -> None:
        if self._timer is None:
            self._timer = self._clock.call_at(self._clock.now_ns() + delay_ns, self._go_on)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
