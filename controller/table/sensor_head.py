"""A table's sensor head and its tracker: turns edges into events, in order of time."""

import logging
from collections.abc import Callable, Mapping
from functools import partial

from controller.events.event import Event, MachineFailed
from controller.tracking.tracker import HeadTracker, MakeTracker
from hal.events import EdgeBatch, FaultEvent
from hal.interfaces import Clock, EdgeSource, Timer

log = logging.getLogger(__name__)

LevelListener = Callable[[Mapping[str, bool], int, int], None]
"""Takes levels by letter, when they were read, and when the tracker was due to find the wheel at rest."""


class SensorHead:
    """The sensor head of a table; it does nothing for a table without one.

    Args:
        device: open, not started; None for a table without a sensor head.
        make_tracker: makes a tracker from the lines' levels.
        take: takes the events that the tracker finds.
        halt: called with the reason when the device is lost.

    Attributes:
        tracker: None for a table without a head, before the start, and after the device is lost.
        listeners: called with every batch of edges before it is tracked.
        level_listeners: called with the levels of the lines before a wheel at rest is compared with them.
        relearn_listeners: called when the tracker is to learn the sensors anew.
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
        self.level_listeners: list[LevelListener] = []
        self.relearn_listeners: list[Callable[[], None]] = []
        self._device = device
        self._make_tracker = make_tracker
        self.clock = clock
        self._take = take
        self._halt = halt
        self._timer: tuple[int, Timer] | None = None
        self._held: list[EdgeBatch] = []
        """Batches that came after the wheel's rest was due, until the lines were looked at."""
        self._looking = False

    def start(self) -> None:
        if self._make_tracker is not None and self._device is not None:
            self.tracker = self._make_tracker(self._device.levels())
            self._device.start(self._on_edges, self._on_lost)

    def close(self) -> None:
        if self._timer is not None:
            self._timer[1].cancel()
            self._timer = None

    @property
    def moving(self) -> bool:
        """Whether a wheel with a clapper is moving."""
        return self.tracker is not None and self.tracker.moving

    def poll(self) -> None:
        """Track all edges up to now, so that their events come before the caller's."""
        if self._device is not None and not self._look(self._device):
            self._device.poll()
            self._look(self._device)
        if self.tracker is not None:
            self._track(partial(self.tracker.tick, self.clock.now_ns()))

    def _look(self, device: EdgeSource) -> bool:
        """Where a wheel is about to be at rest, compare its lines with what their edges said; then take later ones.

        Edges that come while the levels are read are held until then: before the first of them, its line had the
        other level.
        """
        tracker, now_ns = self.tracker, self.clock.now_ns()
        if tracker is None or not self._rest_is_due(now_ns):
            return False
        levels, self._looking = dict(device.levels()), True
        device.poll()
        held, self._held, self._looking = self._held, [], False
        for batch in reversed(held):
            for line in reversed(batch.edges.decode()):
                levels[line.upper()] = line.islower()
        if self.tracker is tracker:
            for listener in self.level_listeners:
                listener(levels, now_ns, tracker.due_ns or now_ns)
            self._track(partial(tracker.look, levels, now_ns))
        for batch in held:
            self._feed(batch)
        return True

    def _rest_is_due(self, now_ns: int) -> bool:
        tracker = self.tracker
        if tracker is None or not tracker.stands(now_ns):
            return False
        due_ns = tracker.due_ns
        return due_ns is None or due_ns <= now_ns

    def relearn(self) -> None:
        """People have worked on the sensors, and try them now."""
        if self.tracker is not None:
            self.tracker.relearn()
            for listener in self.relearn_listeners:
                listener()

    def _on_edges(self, batch: EdgeBatch) -> None:
        at_ns, timer = batch.timestamps_ns[0], self._timer
        before_due = timer is not None and at_ns < timer[0]  # Which is never later than the tracker's.
        if self._looking or self._held or (not before_due and self._rest_is_due(at_ns)):
            self._held.append(batch)  # The timer of this rest has come, and looks first.
        else:
            self._feed(batch)

    def _feed(self, batch: EdgeBatch) -> None:
        for listener in self.listeners:
            listener(batch)
        if self.tracker is not None:
            self._track(partial(self.tracker.feed, batch))

    def _on_lost(self, event: FaultEvent) -> None:
        """Stop tracking: without edges, a turning wheel would look like one at rest."""
        self.tracker = None
        held, self._held = self._held, []
        for batch in held:
            self._feed(batch)  # They are kept, though nothing tracks them any more.
        self._arm()
        self._take([MachineFailed(event.timestamp_ns, event.detail)])
        self._halt(event.detail)

    def _track(self, step: Callable[[], list[Event]]) -> None:
        """Run a step of the tracker. If its code raises, the table locks, and a new tracker locates the wheel
        again."""
        try:
            events = step()
        except Exception as error:  # Any error in the tracker's code locks its table; the process continues.
            log.exception("the wheel's tracker failed")
            assert self._make_tracker is not None
            assert self._device is not None
            self.tracker = self._make_tracker(self._device.levels())
            events = [MachineFailed(self.clock.now_ns(), f"tracking: {type(error).__name__}: {error}")]
        if events:
            self._take(events)
        self._arm()

    def _arm(self) -> None:
        tracker, timer = self.tracker, self._timer
        due_ns = None if tracker is None else tracker.due_ns
        if timer is not None:
            if due_ns is not None and timer[0] <= due_ns:
                return
            timer[1].cancel()
            self._timer = None
        if due_ns is not None:
            self._timer = (due_ns, self.clock.call_at(due_ns, self._on_due))

    def _on_due(self) -> None:
        self._timer = None
        self.poll()
