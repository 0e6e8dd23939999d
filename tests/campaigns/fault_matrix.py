"""Every fault of every device in every state of every game; ``python -m campaigns.fault_matrix`` plays all of it.

Of each fault the outcome is noted: a named void, a lock or the closing that the game's procedure has, an alert, or
none. A result that is not true, a lamp that burns or is dark without the fault's doing, a lamp whose fault shows as
the lamps change and is not reported, a table that does not come back to play after the repair: each is a failure.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from campaigns import running
from campaigns.fault_cases import Case, Cell, Usual
from campaigns.fault_watch import Broken
from ways import states, way

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.bench.simulated_table import with_contacts
from controller.configuration.shipped import load_table, shipped_tables, table_path
from hal.mock.world import BREAKAGES, Breakage

GAMES = tuple(game for game in sorted(shipped_tables()) if states(game))
LAMPS = ("a lamp that burns", "a lamp of the next result", "another lamp")
"""Which lamp fails: one that burns as the fault strikes; one that is dark, and part of the next result; one that is
neither."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that a table's devices can have: a row of the matrix.

    Attributes:
        device: its section in the table's file; several are separated by a comma.
        target: a line, one of :data:`LAMPS`, or a key; empty if it strikes the whole device.
    """

    name: str
    words: str
    device: str
    target: str = ""
    amount: float = 0.0

    def __str__(self) -> str:
        return f"{self.device}: {self.words}{', ' if self.target else ''}{self.target}"

    def strikes(self, usual: Usual, lamps: Sequence[str]) -> Broken | None:
        """The fault with its target; None if there is no such lamp in this state."""
        if self.target not in LAMPS:
            return Broken(self.name, self.target, self.amount)
        dark = [lamp for lamp in lamps if lamp not in usual.lit]
        choice = {
            LAMPS[0]: [lamp for lamp in lamps if lamp in usual.lit],
            LAMPS[1]: [lamp for lamp in dark if lamp in usual.next],
            LAMPS[2]: [lamp for lamp in dark if lamp not in usual.next],
        }[self.target]
        return Broken(self.name, choice[0], self.amount) if choice else None


@dataclass
class Tally(running.Tally):
    """How often there was each outcome; and each failure, where and after which fault."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def configuration(game: str) -> TableConfig:
    """The shipped table of a game, with a door and a cabinet."""
    return with_contacts(load_table(table_path(game)).config)


def faults(config: TableConfig) -> tuple[Fault, ...]:
    """Every fault that the devices of a table can have."""
    rig = Rig(config)
    try:
        return tuple(_faults(rig))
    finally:
        rig.table.stop()
        rig.journal.close()


def _faults(rig: Rig) -> Iterator[Fault]:
    head = "head" if rig.config.devices.head is not None else "rotor"
    keys = rig.table.devices.keys
    for item in BREAKAGES:
        if not item.offered(rig.world):
            continue
        if item.fault == "stuck-key":
            for name, source in zip(keys, rig.world.keys, strict=True):
                yield from (_fault(item, name, control) for control in source.controls)
        elif item.fault == "keys-unplugged":
            yield _fault(item, ", ".join(keys))
        elif item.target == "lamp":
            yield from (_fault(item, "panel", lamp) for lamp in LAMPS)
        elif item.target == "line":
            yield from (_fault(item, head, line) for line in rig.world.sensors.lines.names)
        elif item.target == "contact":
            yield from (_fault(item, "tamper", contact) for contact in rig.world.doors.controls)
        elif item.fault in ("supply-low", "battery-low"):
            yield _fault(item, "computer")
        elif item.fault.startswith("reader"):
            if rig.config.devices.reader is not None:
                yield _fault(item, "reader")
        else:
            yield _fault(item, head)


def _fault(item: Breakage, device: str, target: str = "") -> Fault:
    return Fault(item.fault, item.label, device, target, item.amount)


def column(
    config: TableConfig, state: str, chosen: Callable[[Fault], bool] = lambda fault: True
) -> dict[Fault, Cell]:
    """What comes of those faults in a state that are wanted, and that something there can have.

    Raises:
        NoWayError: the table does not come into the state.
    """
    leads = way(config.game, state)
    usual = Case(config, state, leads).usual()
    lamps = tuple(config.devices.panel.lamps)
    return {
        fault: Case(config, state, leads, broken).play(usual)
        for fault in filter(chosen, faults(config))
        if (broken := fault.strikes(usual, lamps)) is not None
    }


def outcome(cell: Cell) -> str:
    """What came of a fault in one word."""
    reaction = cell.reaction
    if reaction is None:
        return "unseen" if cell.unseen else cell.end or "none"
    if reaction.void:
        return "void"
    if reaction.stop:
        return "lock" if reaction.stop == "locked" else "close"
    return "alert"


def play_state(part: tuple[str, str]) -> Tally:
    """Every fault in one state of a game."""
    (game, state), tally = part, Tally()
    for fault, cell in column(configuration(game), state).items():
        tally.outcomes[outcome(cell)] += 1
        tally.failures += [f"{game}, {state}, {fault}: {failure}" for failure in cell.failures]
    return tally


def main(words: Sequence[str] | None = None) -> int:
    """Play the matrix, which needs no seed; 1 if there is a failure."""
    chosen = running.command_line("fault_matrix", __doc__, GAMES).parse_args(words)
    parts = [(game, state) for game in chosen.games for state in states(game)]
    tally = running.run(play_state, parts, Tally(), chosen)
    found = ", ".join(f"{name} {count}" for name, count in tally.outcomes.most_common())
    print(f"{tally.outcomes.total()} cells: {found}; {len(tally.failures)} failures", *tally.failures, sep="\n")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
