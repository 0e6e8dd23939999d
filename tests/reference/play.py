"""Plays recorded histories at a table of the present code: its devices follow a script (:mod:`reference.data`)."""

import logging
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from config.loader import load_text
from config.schema import TableConfig
from controller import __version__
from controller.configuration import machines
from controller.events.effect import Effect
from controller.events.event import Act, BallLeftTrack, WheelRested
from controller.games.clapper_wheel.round import WheelRound
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.limits.proposals import asked_for, of_file
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts
from controller.runtime import trackers
from controller.runtime.table import Setup, Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.table.identification import Staff
from controller.table.inputs import Devices
from hal.computer import BatteryReading, SupplyReading
from hal.errors import HalError
from hal.events import EdgeBatch, FaultEvent, KeyEvent, ReaderEvent, SwitchEvent
from hal.mock.clock import VirtualClock
from hal.wall_time import SetBy
from reference.data import Case, Edges, Input, Outcome, Recorded

_CODES: Mapping[str, tuple[str, ...]] = {
    "result": ("label",),
    "bonus": ("label", "multiplier"),
    "void": ("reason",),
    "wagers-returned": ("reason", "areas"),
    "round-opened": ("number",),
    "result-withdrawn": ("label", "settled"),
    "lock": ("cause",),
    "alert": ("text",),
    "note": ("text",),
    "refused": ("control", "why"),
}
"""What of an effect is an outcome."""


@contextmanager
def table_of(case: Case) -> Iterator[TableConfig]:
    """The table's file; meanwhile a wheel of no game has its own sections."""
    order = tuple(map(str, range(case.sections)))
    game = find_game(case.game)
    if order:
        rounds = partial(WheelRound, payouts=Payouts((), {}), order=order, score=lambda *_: ())
        game = game._replace(wheel=order, machine=rounds)
    with ExitStack() as until_played:
        for module in (machines, trackers):
            until_played.enter_context(patch.object(module, "find_game", lambda name: game))
        yield load_text(case.table.encode(), "table")


def play(recorded: Recorded, case: Case) -> list[Outcome]:
    """What the present code makes of a case."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        with table_of(case) as config, closing(ScriptedTable(case, config, recorded.edges_of(case))) as table:
            for number, given in enumerate(case.inputs):
                table.clock.advance_to(table.clock.now_ns() + given[0])
                table.give(number, given)
            return table.outcomes
    finally:
        logging.disable(before)


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
        self._edges, self._clock = edges, clock
        self.lost: Callable[[FaultEvent], None]

    def start(self, deliver: Callable[[Any], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        super().start(deliver)
        self.lost = lost or deliver
        self._wait()

    def levels(self) -> dict[str, bool]:
        self.poll()
        return self._edges.levels(self._clock.now_ns(), self.delivered)

    def poll(self) -> None:
        self.up_to(bisect_right(self._edges.stamps_ns, self._clock.now_ns(), lo=self.delivered))

    def up_to(self, until: int) -> None:
        """Deliver edges."""
        part, edges = slice(self.delivered, until), self._edges
        if self.delivered < until and self.deliver is not None:
            self.delivered = until
            self.deliver(EdgeBatch(bytes(edges.letters[part]), edges.stamps_ns[part], edges.seqnos[part]))

    def _wait(self) -> None:
        every_ns, stamps_ns = self._edges.poll_ns, self._edges.stamps_ns
        if every_ns and self.delivered < len(stamps_ns) and self.deliver is not None:
            self._clock.call_at(-(-stamps_ns[self.delivered] // every_ns) * every_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        self._wait()


class ScriptedPanel(ScriptedDevice):
    """Lamps with read-back."""

    def __init__(self, shown: Callable[[frozenset[str]], None]) -> None:
        super().__init__()
        self.dead = self.burning = self._lit = frozenset[str]()
        self.answers = True
        self._shown = shown

    def show(self, areas: frozenset[str]) -> None:
        self._lit = areas if self.answers else self._lit
        self.read_back()
        self._shown(areas)

    def read_back(self) -> frozenset[str]:
        if not self.answers:
            raise HalError("the panel does not answer")
        return (self._lit - self.dead) | self.burning


class ScriptedTable:
    """A table at scripted devices through all its starts, and its outcomes."""

    def __init__(self, case: Case, config: TableConfig, edges: Edges) -> None:
        self.outcomes = list[Outcome]()
        self.clock, self.journal = VirtualClock(), Journal(None)
        self._config, self._rests = config.model_copy(update={"credentials": None}), bool(case.truth)
        self._number, self._set_by, self._state, self._lit = -1, "network", "", frozenset[str]()
        self._wall = TableClock(self.clock, lambda: SetBy(self._set_by))
        known = case.people or {}  # Without the cost of hashes.
        identities = SimpleNamespace(
            knows=lambda number, role: number in known, verify=lambda number, pin, role: known.get(number) == pin
        )
        self._staff = Staff(identities, case.session_s * 1_000_000_000) if known else None
        self._held: dict[str, Any] = {}
        sections = config.devices
        keys = [name for name in ("buttons", "keypad", "keyboard") if getattr(sections, name) is not None]
        self._keys = {name: ScriptedDevice(lambda name=name: self._held_keys(name)) for name in keys}
        self._switches = ScriptedDevice(lambda: self._closed("switches"))
        self._contacts = ScriptedDevice(lambda: self._closed("contacts"))
        self._head, self._reader, self._panel = (
            ScriptedHead(edges, self.clock),
            ScriptedDevice(),
            ScriptedPanel(self._lamps),
        )
        self._devices = Devices(
            *(self._switches, self._panel, ScriptedDevice(), self._keys),
            head=self._head if sections.head is not None or sections.rotor is not None else None,
            reader=self._reader if sections.reader is not None else None,
            tamper=self._contacts if sections.tamper is not None else None,
        )
        self._supply, self._battery = SupplyReading(False), BatteryReading(False, "")
        self._table: Table

    def supply(self) -> SupplyReading:
        return self._supply

    def battery(self) -> BatteryReading:
        return self._battery

    def _start(self) -> None:
        self._lit = frozenset()
        self._wall.begin(newest_on_record(self.journal))
        setup = Setup(self._config, Decider(__version__, "0" * 64, "0" * 64), self._staff, self)
        self._table = Table(setup, self.journal, self._wall, self._devices)
        self._table.listeners.append(self._decided)
        self._table.start()

    def _held_keys(self, device: str) -> list[KeyEvent]:
        now_ns = self.clock.now_ns()
        return [KeyEvent(name, True, now_ns, held=True) for where, name in self._held["keys"] if where == device]

    def _closed(self, kind: str) -> list[SwitchEvent]:
        return [SwitchEvent(name, True, self.clock.now_ns(), held=True) for name in self._held[kind]]

    def close(self) -> None:
        """Nothing is to be done with the table any more."""
        self.journal.close()

    # -- outcomes ----------------------------------------------------------------------------------------------

    def _emit(self, *outcome: Any) -> None:
        self.outcomes.append([self._number, self.clock.now_ns() // 1_000_000, *outcome])

    def _lamps(self, areas: frozenset[str]) -> None:
        if areas != self._lit:
            self._lit = areas
            self._emit("lamps", sorted(areas))

    def _decided(self, recorded: RecordedDecision) -> None:
        event, state = recorded.record.event, recorded.record.state
        if self._rests and isinstance(event, WheelRested | BallLeftTrack):
            sensor = event.fault.sensor if event.fault is not None else ""
            self._emit("rest", event.section if isinstance(event, WheelRested) else event.revolutions, sensor)
        for effect in recorded.record.effects:
            for outcome in _of_effect(effect):
                self._emit(*outcome)
        if state != self._state:
            self._state = state
            self._emit("state", state)

    # -- inputs ------------------------------------------------------------------------------------------------

    def give(self, number: int, given: Input) -> None:
        """The next input, of which time has come."""
        now_ns, what = self.clock.now_ns(), given[1]
        self._number = self._number if what == "edges" else number
        match given[1:]:
            case "on", start:
                self._held, self._head.delivered = start["held"], start["edges"]
                self._contacts.latches = frozenset(start["latches"])
                self._start()
            case ("off" | "end",):
                self._table.stop()
            case "key", device, control, down:
                self._keys[device].send(KeyEvent(control, down, now_ns))
            case "device", device, detail:
                self._keys[device].send(FaultEvent(detail, now_ns))
            case "switch", name, closed:
                self._switches.send(SwitchEvent(name, closed, now_ns))
            case "contact", name, closed:
                self._contacts.send(SwitchEvent(name, closed, now_ns))
            case "reader", pocket, fault:
                self._reader.send(ReaderEvent(pocket, now_ns, fault))
            case "edges", until:
                self._head.up_to(until)
            case "head-lost", detail:
                self._head.close()
                self._head.lost(FaultEvent(detail, now_ns))
            case "panel", dead, burning, answers:
                self._panel.dead, self._panel.burning = frozenset(dead), frozenset(burning)
                self._panel.answers = answers
            case "computer", low, earlier, battery, detail:
                self._supply, self._battery = SupplyReading(low, earlier), BatteryReading(battery, detail)
            case "wall", by_ns, set_by:
                self.clock._utc_ns += by_ns
                self._set_by = set_by
            case "act", act, argument, by:
                self._table.take([Act(self._wall.now_ns(), act, argument, self._wall.utc_ns(), by)])
            case "limits", body:
                self._limits(body)
            case _:
                raise ValueError(f"unknown input {given}")

    def _limits(self, body: Mapping[str, object]) -> None:
        """What a request at the table's own computer does."""
        sign = self._table.sign
        try:
            state = self._table.table_state
            of_sign = asked_for(body, state.limits, sign.currency) if not body.get("file") else None
            found = of_sign or of_file(sign.file, replace(state, file=None))
            if found is None:
                raise ValueError("the file says nothing else")
            sign.propose(found)
        except ValueError:
            self._emit("limits", "refused")
        else:
            self._emit("limits", "asked")


def _of_effect(effect: Effect) -> Iterator[tuple[object, ...]]:
    if effect.kind in _CODES:
        values = (getattr(effect, name) for name in _CODES[effect.kind])
        yield effect.kind, *(list(value) if isinstance(value, tuple) else value for value in values)
    if effect.kind == "result":
        yield "wins", {win.area: win.pays for win in sorted(effect.wins, key=lambda win: win.area)}
