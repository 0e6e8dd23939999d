"""Devices that follow a script, and the table at them (:mod:`reference.rounds_data`). Depends on the HAL alone."""

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from hal.computer import BatteryReading, SupplyReading
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.mock.clock import VirtualClock
from reference.rounds_data import Edges, Input, Outcome


class ScriptedDevice:
    """A device that delivers what the script says, from its start to its end."""

    deliver: Callable[[Any], None] | None = None
    latches: frozenset[str] = frozenset()

    def __init__(self, held: Callable[[], list[Any]] = list) -> None:
        self._held = held

    def start(self, deliver: Callable[[Any], None]) -> None:
        self.deliver = deliver
        for event in self._held():
            deliver(event)

    def send(self, event: Any) -> None:
        if self.deliver is not None:
            self.deliver(event)

    def close(self) -> None:
        self.deliver = None

    def beep(self) -> None:
        """As a buzzer."""

    def remembered(self) -> frozenset[str]:
        """As contacts of door and cabinet."""
        return self.latches

    def forget(self) -> None:
        """The next start says what latches remember then."""


class ScriptedHead(ScriptedDevice):
    """A sensor head."""

    def __init__(self, edges: Edges, clock: VirtualClock) -> None:
        super().__init__()
        self.delivered = 0
        self.edges, self.clock = edges, clock
        self.lost: Callable[[FaultEvent], None]

    def start(self, deliver: Callable[[Any], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        super().start(deliver)
        self.lost = lost or deliver

    def levels(self) -> dict[str, bool]:
        self.poll()
        return self.edges.levels(self.clock.now_ns(), self.delivered)

    def poll(self) -> None:
        self.up_to(bisect_right(self.edges.stamps_ns, self.clock.now_ns(), lo=self.delivered))

    def up_to(self, until: int) -> None:
        """Deliver edges."""
        part, edges = slice(self.delivered, until), self.edges
        if self.delivered < until and self.deliver is not None:
            self.delivered = until
            self.deliver(EdgeBatch(bytes(edges.letters[part]), edges.stamps_ns[part], edges.seqnos[part]))


class ScriptedPanel(ScriptedDevice):
    """Lamps with read-back."""

    def __init__(self) -> None:
        super().__init__()
        self.dead = self.burning = self._lit = frozenset[str]()
        self.answers = True
        self.shown: Callable[[frozenset[str]], None]

    def show(self, areas: frozenset[str]) -> None:
        self._lit = areas if self.answers else self._lit
        self.read_back()
        self.shown(areas)

    def read_back(self) -> frozenset[str]:
        if not self.answers:
            raise HalError("the panel does not answer")
        return (self._lit - self.dead) | self.burning


class ScriptedTable:
    """A table at scripted devices, and its outcomes.

    Args:
        make: makes what starts and stops the table, and takes requests, from a function for its outcomes.
        keys: the devices with keys.
    """

    def __init__(self, make: Callable[..., Any], keys: list[str], clock: VirtualClock, head: ScriptedHead) -> None:
        self.outcomes, self.clock, self.number = list[Outcome](), clock, -1
        self._held: dict[str, Any] = {}
        self.keys = {name: ScriptedDevice(lambda name=name: self._held_keys(name)) for name in keys}
        self.switches = ScriptedDevice(lambda: self._closed("switches"))
        self.contacts = ScriptedDevice(lambda: self._closed("contacts"))
        self.reader, self.sounder, self.head, self.panel = ScriptedDevice(), ScriptedDevice(), head, ScriptedPanel()
        self._supply, self._battery = SupplyReading(False), BatteryReading(False, "")
        self.code = make(self._emit)
        self.panel.shown = self.code.lamps

    def supply(self) -> SupplyReading:
        return self._supply

    def battery(self) -> BatteryReading:
        return self._battery

    def _emit(self, *outcome: Any) -> None:
        self.outcomes.append([self.number, self.clock.now_ns() // 1_000_000, *outcome])

    def _held_keys(self, device: str) -> list[KeyEvent]:
        now_ns = self.clock.now_ns()
        return [KeyEvent(name, True, now_ns, held=True) for where, name in self._held["keys"] if where == device]

    def _closed(self, kind: str) -> list[SwitchEvent]:
        return [SwitchEvent(name, True, self.clock.now_ns(), held=True) for name in self._held[kind]]

    def give(self, number: int, given: Input) -> None:
        """The next input, of which time has come."""
        now_ns, what = self.clock.now_ns(), given[1]
        self.number = self.number if what == "edges" else number
        match given[1:]:
            case "on", start:
                self._held, self.head.delivered = start["held"], start["edges"]
                self.contacts.latches = frozenset(start["latches"])
                self.code.start(self)
            case ("off" | "end",):
                self.code.stop()
            case "key", device, control, down:
                self.keys[device].send(KeyEvent(control, down, now_ns))
            case "device", device, detail:
                self.keys[device].send(FaultEvent(detail, now_ns))
            case "switch", name, closed:
                self.switches.send(SwitchEvent(name, closed, now_ns))
            case "contact", name, closed:
                self.contacts.send(SwitchEvent(name, closed, now_ns))
            case "reader", pocket, fault:
                self.reader.send(ReaderEvent(pocket, now_ns, fault))
            case "edges", until:
                self.head.up_to(until)
            case "head-lost", detail:
                self.head.close()
                self.head.lost(FaultEvent(detail, now_ns))
            case "panel", dead, burning, answers:
                self.panel.dead, self.panel.burning = frozenset(dead), frozenset(burning)
                self.panel.answers = answers
            case "computer", low, earlier, battery, detail:
                self._supply, self._battery = SupplyReading(low, earlier), BatteryReading(battery, detail)
            case "wall", by_ns, set_by:
                self.clock._utc_ns += by_ns
                self.code.set_by = set_by
            case "act", act, argument, by:
                self.code.act(act, argument, by)
            case "limits", body:
                self.code.limits(body)
            case _:
                raise ValueError(f"unknown input {given}")
