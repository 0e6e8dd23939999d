"""Switches that were closed as the table started: what is a turn of them, and what is said of them."""

from controller.events.event import Health, Press, SensorHealth
from controller.tracking.keys import STUCK_NS, KeyTracker
from hal.events import SwitchEvent


def closed_at_start(*switches: str) -> KeyTracker:
    keys = KeyTracker()
    for switch in switches:
        assert keys.switch(SwitchEvent(switch, True, 0, held=True), 0) == []
    return keys


def test_a_switch_that_closes_is_turned_even_if_its_opening_was_never_seen() -> None:
    keys = closed_at_start("floor-key")
    assert keys.switch(SwitchEvent("floor-key", True, 5), 7) == [Press(5, "floor-key", 7)]


def test_it_is_in_order_once_the_last_one_has_opened() -> None:
    keys = closed_at_start("shaker-done", "floor-key")
    assert keys.due_ns == STUCK_NS
    (named,) = keys.tick(STUCK_NS)
    words = "closed since the table started: 'floor-key', 'shaker-done'"
    assert named == SensorHealth(STUCK_NS, "switches", Health.STUCK, words)
    assert keys.due_ns is None
    (left,) = keys.switch(SwitchEvent("floor-key", False, STUCK_NS + 1), 0)
    assert isinstance(left, SensorHealth)
    assert left.detail == "closed since the table started: 'shaker-done'"
    assert keys.switch(SwitchEvent("shaker-done", False, STUCK_NS + 2), 0) == [
        SensorHealth(STUCK_NS + 2, "switches", Health.OK)
    ]
