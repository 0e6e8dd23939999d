"""Plays recorded spins at a table of the present code and compares its decisions with those on record."""

from collections.abc import Callable, Mapping
from pathlib import Path
from unittest.mock import patch

from config.schema import RotorSection, TableConfig, WheelSection
from controller import __version__
from controller.bench.simulated_table import on_simulated_hardware
from controller.configuration.machines import table_machine
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.effect import Bonus, Result, Void
from controller.events.event import BallLeftTrack, WheelRested
from controller.games.clapper_wheel.round import WheelRound
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game
from controller.odds.wagers import Payouts
from controller.runtime import table as runtime
from controller.runtime.trackers import geometry, rotor_geometry
from controller.table.machine import TableMachine
from controller.tracking.clapper_wheel.wheel import WheelTracker
from controller.tracking.roulette.wheel import RouletteTracker
from controller.tracking.tracker import MakeTracker
from hal.events import EdgeBatch, FaultEvent
from hal.mock.clock import VirtualClock
from hal.mock.world import World
from reference.edges import Case, Edge, Plain, read

DATA = Path(__file__).with_name("tracking.jsonl.gz")
"""Edges of simulated wheels, recorded at ``4aa17a3a`` (by ``tests/reference/make_tracking.py`` of ``1244a7f6``)."""
_BEFORE_TRIAL, _AFTER_TRIAL = 6, 4
"""Turns of the key in a roulette wheel's inspection: two for each step, before and after its trial spin."""
_PRESS_NS, _READY_NS = 300_000_000, 2_500_000_000
"""From press to press; and so long after the prologue the table is open."""


class RecordedHead:
    """A sensor head that delivers recorded edges."""

    def __init__(self, levels: Mapping[str, bool], edges: list[Edge], poll_ns: int, clock: VirtualClock) -> None:
        self._edges, self._poll_ns, self._clock = edges, poll_ns, clock
        self._levels = dict(levels)
        self._reached = self._delivered = self._seqno = 0
        self._deliver: Callable[[EdgeBatch], None] | None = None

    def levels(self) -> Mapping[str, bool]:
        self._reach()
        return self._levels

    def start(self, deliver: Callable[[EdgeBatch], None], lost: Callable[[FaultEvent], None] | None = None) -> None:
        self._deliver = deliver
        self._wait()

    def close(self) -> None:
        self._deliver = None

    def poll(self) -> None:
        self._reach()
        letters, stamps, numbers = [], [], []
        for edge in self._edges[self._delivered : self._reached]:
            self._seqno += edge.fate != "l"
            if not edge.fate:
                letters.append(edge.letter)
                stamps.append(edge.at)
                numbers.append(self._seqno)
        self._delivered = self._reached
        if letters and self._deliver is not None:
            self._deliver(EdgeBatch("".join(letters).encode(), stamps, numbers))

    def _reach(self) -> None:
        """Bring the levels up to now."""
        now_ns = self._clock.now_ns()
        while self._reached < len(self._edges) and self._edges[self._reached].at <= now_ns:
            letter = self._edges[self._reached].letter
            self._levels[letter.upper()] = letter.isupper()
            self._reached += 1

    def _wait(self) -> None:
        if self._reached < len(self._edges):
            next_ns = -(-self._edges[self._reached].at // self._poll_ns) * self._poll_ns
            self._clock.call_at(next_ns, self._on_time)

    def _on_time(self) -> None:
        self.poll()
        self._wait()


# -- the table -----------------------------------------------------------------------------------------------------


def _shipped(game: str) -> TableConfig:
    return on_simulated_hardware(load_table(shipped_tables()[game]).config)


def _clapper_table(wheel: Plain) -> tuple[TableConfig, TableMachine, MakeTracker]:
    """Dreamcatcher or Big Six; on a wheel of no game the same round, with sections that win nothing."""
    section, game = WheelSection.model_validate(wheel["built"]), wheel["game"]
    config = _shipped(game or "big-six").model_copy(update={"wheel": section})
    order = tuple(map(str, range(wheel["sections"])))
    built = geometry(section, len(order))
    other = WheelRound(config, Payouts((), {}), order, lambda *_: ())
    machine = table_machine(find_game(game), config) if game else TableMachine(other, {})
    return config, machine, lambda levels: WheelTracker(built, levels)


def _roulette_table(wheel: Plain) -> tuple[TableConfig, TableMachine, MakeTracker]:
    config, rotor = _shipped("roulette"), RotorSection.model_validate(wheel["built"])
    head = config.devices.rotor
    assert head is not None
    if wheel["beams"] == 1:
        head = head.model_copy(update={"pins": head.pins.model_copy(update={"ball_2": None})})
    devices = config.devices.model_copy(update={"rotor": head, "reader": None})
    rules = {**config.rules, "result": "keypad", "wheel": "single-zero"}
    config = config.model_copy(update={"rotor": rotor, "devices": devices, "rules": rules})
    built = rotor_geometry(rotor, head)
    return config, table_machine(find_game("roulette"), config), lambda levels: RouletteTracker(built, levels)


def tracker_of(wheel: Plain) -> MakeTracker:
    """What makes the tracker of a recorded wheel."""
    return (_roulette_table if wheel["kind"] == "roulette" else _clapper_table)(wheel)[2]


def decide(case: Case) -> Plain:
    """Play a case; returns the decision in the codes of ``edges.py``."""
    roulette = case.wheel["kind"] == "roulette"
    config, machine, make_tracker = (_roulette_table if roulette else _clapper_table)(case.wheel)
    clock = VirtualClock()
    before, spin = case.edges()
    levels = {letter.upper(): letter.isupper() for letter in case.prologue["levels"]}
    head = RecordedHead(levels, before + spin, case.line["poll"] * case.unit_ns, clock)
    without = config.devices.model_copy(update={"head": None, "rotor": None})
    devices = runtime.open_devices(config.model_copy(update={"devices": without}), clock)._replace(head=head)
    parts = {"machines": lambda config: lambda terms: machine, "tracker_of": lambda config: make_tracker}
    with patch.multiple(runtime, **parts):
        table = runtime.Table(runtime.Setup(config, Decider(__version__, "", "")), Journal(None), clock, devices)
    decisions: list[RecordedDecision] = []
    table.listeners.append(decisions.append)
    table.start()
    last_ns = before[-1].at
    if roulette:
        for n in range(_BEFORE_TRIAL):
            _press(clock, before[0].at + (n - _BEFORE_TRIAL) * _PRESS_NS, "floor-key")
        for n in range(_AFTER_TRIAL):
            _press(clock, last_ns + (n + 1) * _PRESS_NS, "floor-key")
    clock.advance_to(last_ns + _READY_NS)
    ready, opened = len(decisions), decisions[-1].record.state == "bets-open"
    for at, control in case.line["keys"]:
        _press(clock, at * case.unit_ns, control)
    clock.advance_to(case.line["until"] * case.unit_ns)
    table.stop()
    table.journal.close()
    return _decision(decisions[ready:]) if opened else {"result": None, "void": None, "lock": "not-open", "why": ""}


def _press(clock: VirtualClock, at_ns: int, control: str) -> None:
    clock.advance_to(at_ns)
    World.of(clock).press(control)


def _decision(decisions: list[RecordedDecision]) -> Plain:
    decided: Plain = {"result": None, "void": None, "lock": None, "why": ""}
    for one in decisions:
        event, state = one.record.event, one.record.state
        for effect in one.record.effects:
            if decided["result"] is None and decided["void"] is None:
                if isinstance(effect, Void):
                    decided |= {"void": effect.reason, "why": str(effect.parameters)}
                elif isinstance(effect, Result | Bonus):
                    rest = event.section if isinstance(event, WheelRested) else effect.label.partition(",")[0]
                    decided["result"] = rest
        if state == "locked" and decided["lock"] is None:
            fault = event.fault if isinstance(event, WheelRested | BallLeftTrack) else None
            decided["lock"] = fault.sensor if fault is not None else decided["void"] or event.kind
    return decided


# -- comparison ------------------------------------------------------------------------------------------------


def load() -> list[Case]:
    """The cases on record."""
    return read(DATA)


def differences(case: Case) -> list[str]:
    """How the present code decides otherwise; each begins with its kind.

    WRONG RESULT: a result other than the truth. LOST RESULT: a right result is void. NEW RESULT: a right result in
    place of a void. FIXED: a wrong result on record is void. REASON: void for another reason. LOCK: another lock,
    or another sensor named.
    """
    now, then, truth = decide(case), case.line["decision"], case.line["truth"]
    found = []
    if now["result"] != then["result"]:
        if now["result"] is None:
            kind = "LOST RESULT" if then["result"] in truth["results"] else "FIXED"
        else:
            kind = "NEW RESULT" if now["result"] in truth["results"] else "WRONG RESULT"
        found.append(f"{kind}: {_words(now)}, recorded {_words(then)}; {_true(truth)}")
    elif now["void"] != then["void"]:
        found.append(f"REASON: {_words(now)}, recorded {_words(then)}; {_true(truth)}")
    if now["lock"] != then["lock"]:
        found.append(f"LOCK: {now['lock'] or 'none'}, recorded {then['lock'] or 'none'}; {_words(now)}")
    return found


def _words(decision: Plain) -> str:
    return (
        f"result {decision['result']}" if decision["result"] is not None else f"void {decision['void'] or '(open)'}"
    )


def _true(truth: Plain) -> str:
    """The truth in a few words; moments count from the rest."""

    def before(at: int | None) -> str:
        return "" if at is None else f" at {(at - truth['rest']) / 1e6:+.2f} s"

    hand = truth["hand"]
    parts = [f"{one['kind']} {one['line']} {one['size'] or ''}{before(one['since'])}" for one in truth["faults"]]
    parts += [f"hand: {hand['kind']}, moved {hand['moved']}{before(hand['at'])}"] if hand else []
    stands = f"in {truth['section']}{', bent' if truth['bent'] else ''}, {truth['revolutions']} revolutions"
    return "; ".join([f"truth: {truth['results'] or 'void'}, {stands}", *parts])
