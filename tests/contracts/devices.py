"""What each kind of device must do, whatever drives it.

A subclass has a fixture ``bench``: a ``device`` and hands at the wiring below it. ``run`` does something in the
device's event loop, and ``until`` lets time pass until a condition holds.
"""

from itertools import combinations
from typing import Any

import pytest

from config.schema import TamperDevice
from hal.errors import UnknownLineError
from hal.events import FaultEvent

CONTROLS = ("1", "2", "enter", "no-more-bets")
SWITCHES = ("floor-key", "shaker-done")
POCKETS = ["0", "00", *map(str, range(1, 37))]
LAMPS = {"1": 0, "2": 1, "small": 2, "big": 7, "total-4": 8, "total-17": 15}
"""Areas, and the outputs that their lamps are wired to."""
TAMPER: dict[str, object] = {
    "contacts": {"door": {"pin": 17, "opens": "alert"}, "cabinet": {"pin": 27, "latch": 22}},
    "latch_reset": 23,
}


def tamper_wiring(backend: str, **options: object) -> TamperDevice:
    """A door without a latch, and a cabinet with one."""
    return TamperDevice.model_validate({"backend": backend, "options": options, **TAMPER})


class SourceContract:
    """What delivers events. The device of the bench is not started."""

    def disturb(self, bench: Any) -> None:
        """What makes an event."""
        raise NotImplementedError

    def events_of(self, bench: Any) -> list[Any]:
        events: list[Any] = []

        def deliver(event: object) -> None:
            assert not isinstance(event, FaultEvent), event
            events.append(event)

        bench.run(lambda: bench.device.start(deliver))
        return events

    def stamped_in_order(self, events: list[Any]) -> None:
        stamps = [event.timestamp_ns for event in events]
        assert stamps == sorted(stamps)
        assert stamps[0] > 0

    def test_a_closed_device_delivers_nothing_and_may_be_closed_twice(self, bench: Any) -> None:
        events = self.events_of(bench)
        events.clear()
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        self.disturb(bench)
        bench.run(lambda: None)
        assert events == []


class KeysContract(SourceContract):
    """Keys for :data:`CONTROLS`; the bench has ``press`` and ``release``."""

    def disturb(self, bench: Any) -> None:
        bench.press("1")
        bench.release("1")

    def test_every_key_goes_down_and_comes_up(self, bench: Any) -> None:
        """A keypad that sends no release may deliver it with the press."""
        events = self.events_of(bench)
        for number, control in enumerate(CONTROLS):
            bench.press(control)
            bench.until(lambda before=2 * number: len(events) > before)
            bench.release(control)
            bench.until(lambda before=2 * number: len(events) > before + 1)
        expected = [(control, pressed) for control in CONTROLS for pressed in (True, False)]
        assert [(event.control, event.pressed) for event in events] == expected
        self.stamped_in_order(events)


class SwitchesContract(SourceContract):
    """Switches named :data:`SWITCHES`, open; the bench has ``turn(switch, closed)``."""

    def disturb(self, bench: Any) -> None:
        bench.turn("floor-key", True)

    def test_every_switch_closes_and_opens(self, bench: Any) -> None:
        events = self.events_of(bench)
        moves = [(name, closed) for name in SWITCHES for closed in (True, False)]
        for count, (name, closed) in enumerate(moves, 1):
            bench.turn(name, closed)
            bench.until(lambda count=count: len(events) == count)
        assert [(event.switch, event.closed, event.held) for event in events] == [(*move, False) for move in moves]
        self.stamped_in_order(events)

    def test_a_switch_that_is_closed_at_the_start_is_held(self, bench: Any) -> None:
        """Nobody turned it now. What it does afterwards is delivered."""
        bench.turn("floor-key", True)
        events = self.events_of(bench)
        for count, closed in enumerate((False, True), 1):
            bench.until(lambda count=count: len(events) == count)
            bench.turn("floor-key", closed)
        bench.until(lambda: len(events) == 3)
        assert [(event.closed, event.held) for event in events] == [(True, True), (False, False), (True, False)]


class TamperContract(SourceContract):
    """Contacts as :func:`tamper_wiring` has them, all closed; the bench has ``turn(contact, closed)``."""

    def disturb(self, bench: Any) -> None:
        bench.turn("door", False)

    def test_the_start_says_which_contacts_are_closed(self, bench: Any) -> None:
        bench.turn("door", False)
        assert [(one.switch, one.closed, one.held) for one in self.events_of(bench)] == [("cabinet", True, True)]

    def test_every_opening_and_closing_is_delivered(self, bench: Any) -> None:
        events = self.events_of(bench)
        for contact in ("door", "cabinet"):
            for closed in (False, True):
                before = len(events)
                bench.turn(contact, closed)
                bench.until(lambda before=before: len(events) > before)
                assert (events[-1].switch, events[-1].closed, events[-1].held) == (contact, closed, False)
        self.stamped_in_order(events)

    def test_a_latch_remembers_what_was_opened_while_nobody_listened(self, bench: Any) -> None:
        """Until it is reset."""
        for contact in ("cabinet", "door"):
            bench.turn(contact, False)
            bench.turn(contact, True)
        self.events_of(bench)
        assert bench.run(bench.device.remembered) == {"cabinet"}, "the door has no latch"
        bench.run(bench.device.forget)
        bench.until(lambda: bench.device.remembered() == frozenset())


class ReaderContract(SourceContract):
    """A reader; ``see(pocket)`` of the bench is a ball of which the reader is certain."""

    def disturb(self, bench: Any) -> None:
        bench.see("17")

    def test_every_pocket_is_named(self, bench: Any) -> None:
        events = self.events_of(bench)
        for number, pocket in enumerate(POCKETS, 1):
            bench.see(pocket)
            bench.until(lambda number=number: len(events) == number)
        assert [(event.pocket, event.fault) for event in events] == [(pocket, "") for pocket in POCKETS]
        self.stamped_in_order(events)


class PanelContract:
    """A panel with :data:`LAMPS`. The bench has ``burning()``, the outputs that are really on, and
    ``tells``, whether lamps are read back.
    """

    def test_lamps_are_dark_at_first_and_then_as_shown(self, bench: Any) -> None:
        """Every lamp alone, every two, all and none."""
        assert bench.burning() == set()
        for count in (0, 1, 2, len(LAMPS), 0):
            for areas in map(frozenset, combinations(LAMPS, count)):
                bench.run(lambda areas=areas: bench.device.show(areas))
                assert bench.burning() == {LAMPS[area] for area in areas}
                assert bench.run(bench.device.read_back) == (areas if bench.tells else None)

    def test_a_lamp_that_it_does_not_have_is_refused(self, bench: Any) -> None:
        with pytest.raises(UnknownLineError, match=r"no lamp .*40x"):
            bench.run(lambda: bench.device.show(frozenset(("1", "40x"))))

    def test_a_panel_may_be_closed_twice(self, bench: Any) -> None:
        bench.run(lambda: bench.device.show(frozenset(("1", "big"))))
        bench.run(bench.device.close)
        bench.run(bench.device.close)


class SounderContract:
    """A buzzer. The bench has ``sounds()``, how many times it has begun to sound, and ``sounding()``."""

    def test_it_is_silent_at_first_and_every_beep_is_heard_and_ends(self, bench: Any) -> None:
        for number in range(4):
            assert bench.sounds() == number
            assert not bench.sounding()
            bench.run(bench.device.beep)
            assert bench.sounds() == number + 1
            bench.until(lambda: not bench.sounding())

    def test_a_closed_buzzer_is_silent_and_may_be_closed_twice(self, bench: Any) -> None:
        bench.run(bench.device.beep)
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        assert not bench.sounding()
