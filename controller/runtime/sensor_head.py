"""A table's sensor head and its tracker: edges in, events out, in the order in which things happened."""

import logging
from collections.abc import Callable
from functools import partial

from controller.events.event import Event, MachineFailed
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import Clock, EdgeSource, Timer

log = logging.getLogger(__name__)


class SensorHead:
    """The head of a wheel, or nothing for a table without one.

    Args:
        device: open, not started; None for a table without a sensor head.
        make_tracker: makes a tracker from the lines' levels.
        take: takes the events that the tracker finds.
        halt: called with the reason when the head is gone for good.

    Attributes:
        tracker: None for a table without a head, before the start, and once the head is gone.
        listeners: told of every batch of edges before anything is made of it.
    """

    def __init__(
        self,
        device: EdgeSource | None,
        make_tracker: MakeTracker | None,
        clock: Clock,
        take: Callable[[list[Event]], None],
        halt: Callable[[str], None],
    ) -> None:
        self.tracker: HeadTracker | None = None
        self.listeners: list[Callable[[EdgeBatch], None]] = []
        self._device = device
        self._make_tracker = make_tracker
        self._clock = clock
        self._take = take
        self._halt = halt
        self._timer: tuple[int, Timer] | None = None

    def start(self) -> None:
        """Listen to the lines."""
        if self._make_tracker is not None and self._device is not None:
            self.tracker = self._make_tracker(self._device.levels())
            self._device.start(self._on_edges, self._on_lost)

    def close(self) -> None:
        """Keep no time any more."""
        if self._timer is not None:
            self._timer[1].cancel()
            self._timer = None

    def poll(self) -> None:
        """What the wheel did before this moment counts before it."""
        if self._device is not None:
            self._device.poll()
        if self.tracker is not None:
            self._track(partial(self.tracker.tick, self._clock.now_ns()))

    def _on_edges(self, batch: EdgeBatch) -> None:
        for listener in self.listeners:
            listener(batch)
        if self.tracker is not None:
            self._track(partial(self.tracker.feed, batch))

    def _on_lost(self, event: FaultEvent) -> None:
        """No edge will come: what stands still may be the wheel or not, so nothing is made of it any more."""
        self.tracker = None
        self._arm()
        self._take([MachineFailed(event.timestamp_ns, event.detail)])
        self._halt(event.detail)

    def _track(self, step: Callable[[], list[Event]]) -> None:
        """Let the tracker take a step. If its code raises, the table locks and the wheel is found anew."""
        try:
            events = step()
        except Exception as error:  # Whatever the tracker's code raises locks its table; the process goes on.
            log.exception("the wheel's tracker failed")
            assert self._make_tracker is not None
            assert self._device is not None
            self.tracker = self._make_tracker(self._device.levels())
            events = [MachineFailed(self._clock.now_ns(), f"tracking: {type(error).__name__}: {error}")]
        if events:
            self._take(events)
        self._arm()

    def _arm(self) -> None:
        due_ns = self.tracker.due_ns if self.tracker is not None else None
        if self._timer is not None:
            if due_ns is not None and self._timer[0] <= due_ns:
                return
            self._timer[1].cancel()
            self._timer = None
        if due_ns is not None:
            self._timer = (due_ns, self._clock.call_at(due_ns, self._on_due))

    def _on_due(self) -> None:
        self._timer = None
        self.poll()
