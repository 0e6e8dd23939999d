"""Every fault of every device in every state of every game; ``python -m campaigns.fault_matrix`` plays all of it.

A table is played into a state, and a fault strikes a moment later, whatever its people are about. They go on as if
nothing were wrong, until a whole round was played with the fault, the table is locked or closed, or nothing changes
any more. Then everything is repaired, and play must go on in the same process.

A result that is not true, a lamp that burns or is dark without the fault's doing, a lamp whose fault shows as
the lamps change and is not reported, a table that does not come back to play after the repair: each is a failure.
"""

import random
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from campaigns import running
from faulty_dealer import InjectedFault
from ways import CellDealer, states, way

from config.schema import TableConfig
from controller.bench.oracle import Oracle
from controller.bench.rig import NS_PER_S, Rig
from controller.bench.simulated_table import with_contacts
from controller.configuration.shipped import load_table, shipped_tables, table_path
from controller.events.effect import Alert, Light, Result, RoundOpened, Void, WagersReturned
from controller.events.event import MachineFailed
from controller.journal.record import RecordedDecision
from controller.machine.registry import find_game
from hal.mock.world import BREAKAGES

GAMES = tuple(game for game in sorted(shipped_tables()) if states(game))
LAMPS = ("a lamp that burns", "a lamp of the next result", "another lamp")
"""Which lamp fails: one that burns as the fault strikes; one that is dark, and part of the next result; one that is
neither."""
STOPPED = ("locked", "closed", "malfunction")
"""States in which a table waits for the floorperson because something is wrong."""
OF_NEXT = "thrown-before-clear"
"""The reason of a void that is of a throw after the result, which stays lit."""
STRIKES_AFTER_NS = 50_000_000
"""Less than the third of a second that people leave between two presses."""
SLICE_NS = 500_000_000
"""How often a turning wheel delivers its edges: a fault strikes while it turns, and not once all are delivered."""
PATIENCE_NS = 180 * NS_PER_S
"""So long without any change, and nothing more will come of the fault: a minute more than the two minutes that a
table gives its wheel to come to rest."""
ROUNDS = 2
"""Rounds that open before play with a fault ends: the one between them was played with it from end to end."""
LEAST_NS = 15 * NS_PER_S
"""Play with a fault takes at least so long: a key is stuck once it was down for ten seconds."""
MANY_ACTS = 600
"""More than two rounds of any game, and than a minute of presses."""


class NoWayError(Exception):
    """The way does not lead into the state; it must be corrected in ``tests/support/ways.py``."""


class Usual(NamedTuple):
    """The lamps that are lit in a state, and with the next result, without a fault."""

    lit: frozenset[str]
    next: frozenset[str]


@dataclass
class Seen:
    """What was seen since the fault struck, or was repaired."""

    stopped: bool = False
    rounds: int = 0
    results: int = 0
    failures: list[str] = field(default_factory=list)


class Case:
    """A table on its way into a state, and on from there.

    Args:
        fault: strikes there; None for play without a fault.
    """

    def __init__(self, config: TableConfig, state: str, fault: InjectedFault | None = None) -> None:
        self._state, self._fault, self._way = state, fault, way(config.game, state)
        self._lamp = fault.target if fault is not None and fault.name in ("dead-lamp", "burning-lamp") else ""
        self._arrived = self._struck = self._broken = False
        self._owed = False
        """The lamp that fails was wrong when the lamps changed, and that was not reported since."""
        self._seen, self._before, self._witness = Seen(), "", Oracle()
        self._indicators = frozenset(find_game(config.game).indicators)
        self._lit, self._next = frozenset[str](), frozenset[str]()
        self._rig: Rig | None = None
        listeners = (self._witness, self._decided)
        self._rig = Rig(config, options={"seed": self._way.seed}, slice_ns=SLICE_NS, listeners=listeners)
        self._dealer = CellDealer(self._rig, self._witness, self._way)

    # -- what a listener sees --------------------------------------------------------------------------------

    def _decided(self, recorded: RecordedDecision) -> None:
        state, effects = recorded.record.state, recorded.record.effects
        self._seen.stopped |= state in STOPPED and state != self._before
        self._seen.rounds += any(isinstance(one, RoundOpened) for one in effects)
        self._seen.results += any(isinstance(one, Result) for one in effects)
        if isinstance(recorded.record.event, MachineFailed):
            self._seen.failures.append(f"the controller failed: {recorded.record.event.cause}")
        self._before = state
        if self._rig is not None:
            self._look_at_lamps(self._rig, recorded)
            self._look()

    def _look_at_lamps(self, rig: Rig, recorded: RecordedDecision) -> None:
        effects = recorded.record.effects
        lamp = self._lamp if self._broken else ""
        commanded, lit = frozenset(rig.machine.lit), frozenset(rig.lit())
        if (lit ^ commanded) - {lamp}:
            self._fail("the panel shows", lit - commanded - {lamp}, commanded - lit - {lamp})
        over = any(isinstance(one, Void | RoundOpened | WagersReturned) for one in effects)
        over &= not any(isinstance(one, Void) and one.reason == OF_NEXT for one in effects)
        if over and commanded - self._indicators:
            self._fail("lit though nothing has won", commanded - self._indicators, frozenset())
        if any(isinstance(one, Alert) and lamp and lamp in _areas(one) for one in effects):
            self._owed = False
        if any(isinstance(one, Light) for one in effects):
            self._owed |= lamp in lit ^ commanded

    def _fail(self, what: str, false: frozenset[str], dark: frozenset[str]) -> None:
        words = [*(f"{area} lit" for area in sorted(false)), *(f"{area} dark" for area in sorted(dark))]
        self._seen.failures.append(f"{what} in state {self._before}: {', '.join(words)}")

    # -- into the state --------------------------------------------------------------------------------------

    def _reach(self) -> None:
        """Play until the fault has struck.

        Raises:
            NoWayError: the table does not come into the state.
        """
        self._look()
        self._rig.wait(2 * STRIKES_AFTER_NS / NS_PER_S)  # A new table is in a state already.
        for _ in range(self._way.acts):
            if self._struck:
                return
            self._dealer.act()
            self._look()
        raise NoWayError(f"{self._rig.config.game}: no way into {self._state}")

    def _look(self) -> None:
        """Whether the table has come into the state: then the fault strikes soon."""
        if self._struck and not self._next and self._seen.results:
            self._next = frozenset(self._rig.machine.lit)
        if not self._arrived and not self._dealer.detours and str(self._rig.state.value) == self._state:
            self._arrived = True
            self._rig.clock.call_at(self._rig.clock.now_ns() + STRIKES_AFTER_NS, self._strike)

    def _strike(self) -> None:
        rig = self._rig
        if str(rig.state.value) != self._state:
            raise NoWayError(f"{rig.config.game}: {self._state} is left before the fault strikes")
        self._struck, self._dealer.repairs = True, False
        self._lit, self._seen = frozenset(rig.lit()), Seen()
        if self._fault is not None:
            self._broken = True
            if self._lamp:
                self._witness.panel_touched_ns = rig.clock.now_ns()
            rig.world.fault(*self._fault)

    # -- with the fault, and repaired ------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Play on, until a round was played, the fault stopped the table, or nothing changes any more."""
        clock, rig = self._rig.clock, self._rig
        struck_ns = changed_ns = clock.now_ns()
        before = rig.state, rig.machine.data
        for _ in range(MANY_ACTS):
            if self._fault is not None and self._seen.stopped and str(rig.state.value) in STOPPED:
                return
            if self._seen.rounds >= ROUNDS and clock.now_ns() - struck_ns >= LEAST_NS:
                return
            self._dealer.step()
            if (now := (rig.state, rig.machine.data)) != before:
                changed_ns, before = clock.now_ns(), now
            elif clock.now_ns() - changed_ns >= PATIENCE_NS:
                return

    def _recover(self) -> list[str]:
        """Repair everything and play on; returns what is wrong, in words."""
        self._broken, self._seen, self._dealer.repairs = False, Seen(), True
        self._rig.world.repair()
        for _ in range(MANY_ACTS):
            if self._seen.rounds >= ROUNDS and self._seen.results:
                return self._seen.failures
            self._dealer.act()
        return [*self._seen.failures, f"stuck in state {self._rig.state.value}: {self._rig.waiting_for}"]

    def usual(self) -> Usual:
        """Play without a fault.

        Raises:
            NoWayError: the table does not come into the state.
        """
        with closing(self._rig):
            self._reach()
            self._go_on()
        return Usual(self._lit, self._next)

    def play(self) -> list[str]:
        """Play with the fault; returns what was wrong.

        Raises:
            NoWayError: the table does not come into the state.
            HaltedTableError: the table halted.
        """
        with closing(self._rig) as rig:
            self._reach()
            self._go_on()
            failures = list(self._seen.failures)
            failures += ["a lamp fails as the lamps change, and nothing reports it"] if self._owed else []
            failures += [*self._recover(), *self._witness.tally.wrong]
            failures += [problem] if (problem := rig.journal.verify().problem) else []
        return failures


def _areas(alert: Alert) -> set[str]:
    """The areas whose lamps an alert names."""
    return {area for key in ("dark", "lit") for area in str(alert.parameters.get(key, "")).split(",")}


# -- the matrix ------------------------------------------------------------------------------------------------


def configuration(game: str) -> TableConfig:
    """The shipped table of a game, with a door and a cabinet."""
    return with_contacts(load_table(table_path(game)).config)


def faults(config: TableConfig) -> list[InjectedFault]:
    """Every fault that the devices of a table can have; the target of a lamp is one of :data:`LAMPS`."""
    found: list[InjectedFault] = []
    with closing(Rig(config)) as rig:
        for item in BREAKAGES:
            no_reader = item.fault.startswith("reader") and config.devices.reader is None
            if item.offered(rig.world) and not no_reader:
                targets = LAMPS if item.target == "lamp" else item.targets(rig.world) or ("",)
                found += (InjectedFault(item.fault, target, item.amount) for target in targets)
    return found


def column(config: TableConfig, state: str, chosen: Sequence[InjectedFault]) -> dict[InjectedFault, list[str]]:
    """The failures after each of those faults in a state that something there can have.

    Raises:
        NoWayError: the table does not come into the state.
    """
    usual, cells = Case(config, state).usual(), {}
    dark = [lamp for lamp in config.devices.panel.lamps if lamp not in usual.lit]
    lamps = {
        LAMPS[0]: [lamp for lamp in config.devices.panel.lamps if lamp in usual.lit],
        LAMPS[1]: [lamp for lamp in dark if lamp in usual.next],
        LAMPS[2]: [lamp for lamp in dark if lamp not in usual.next],
    }
    for fault in chosen:
        for target in lamps.get(fault.target, [fault.target])[:1]:
            cells[fault] = Case(config, state, fault._replace(target=target)).play()
    return cells


@dataclass
class Tally(running.Tally):
    """Faults that struck in a state; and each failure, where and after which fault."""

    cells: int = 0
    failures: list[str] = field(default_factory=list)


def play_state(part: tuple[str, str], sample: int | None = None) -> Tally:
    """Every fault in one state of a game, or some."""
    (game, state), tally, config = part, Tally(), configuration(part[0])
    rows = faults(config)
    chosen = rows if sample is None else random.Random(f"{game} {state}").sample(rows, sample)
    for fault, failures in column(config, state, chosen).items():
        tally.cells += 1
        tally.failures += [f"{game}, {state}, {fault}: {failure}" for failure in failures]
    return tally


def main() -> int:
    """Play the matrix, which needs no seed; 1 if there is a failure."""
    parser = running.command_line("fault_matrix", __doc__, GAMES)
    parser.add_argument("--sample", type=int, metavar="N", help="so many faults of each state (default: all)")
    chosen = parser.parse_args()
    parts = [(game, state) for game in chosen.games for state in states(game)]
    tally = running.run(partial(play_state, sample=chosen.sample), parts, Tally(), chosen)
    print(f"{tally.cells} cells; {len(tally.failures)} failures", *tally.failures, sep="\n")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
