"""Switches that were closed as the table started: what is a turn of them, and what is said of them."""

from controller.events.event import Press
from controller.table.keys import KeyTracker
from hal.events import SwitchEvent


def closed_at_start(*switches: str) -> KeyTracker:
    keys = KeyTracker()
    for switch in switches:
        assert keys.switch(SwitchEvent(switch, True, 0, held=True), 0) == []
    return keys


def test_a_switch_that_closes_is_turned_even_if_its_opening_was_never_seen() -> None:
    keys = closed_at_start("floor-key")
    assert keys.switch(SwitchEvent("floor-key", True, 5), 7) == [Press(5, "floor-key", 7)]


def test_a_switch_is_named_when_its_time_has_come_and_once() -> None:
    """At a table that starts long after its computer: a stamp is no age."""
    start_ns, keys, ten_s = 10**15, KeyTracker(), 10 * 10**9
    keys.switch(SwitchEvent("floor-key", True, start_ns, held=True), 0)
    assert keys.tick(start_ns + ten_s - 1) == []
    assert [event.kind for event in keys.tick(start_ns + ten_s)] == ["sensor-health"]
    assert keys.tick(start_ns + 2 * ten_s) == []
