"""Sees both the table and the truth: counts what the table said; finds results that are wrong and code that fails.

A listener of a table on simulated hardware. Each game's module in :mod:`controller.bench.registry` says when a
result is wrong. Any is wrong if the panel shows something else and no panel fault was reported.
"""

from collections import Counter
from dataclasses import dataclass, field

from controller.bench.registry import bench_of
from controller.bench.rig import Rig
from controller.events.effect import Bonus, Light, Result, RoundOpened, Void
from controller.events.event import MachineFailed, PanelFault, WheelRested
from controller.journal.record import RecordedDecision
from controller.statechart.registry import find_game


@dataclass(slots=True)
class OracleTally:
    """What was counted. Tallies of parts add up to that of the whole."""

    rounds: int = 0
    """Rounds that ended."""
    spins: int = 0
    """Spins of the wheel, or rolls of the dice."""
    results: int = 0
    bonuses: int = 0
    locks: int = 0
    """How often the floorperson had to open the lock."""
    voids: Counter[str] = field(default_factory=Counter)
    """Void spins and rolls by reason."""
    wins: Counter[str] = field(default_factory=Counter)
    """Results in which each area won."""
    decided: Counter[str] = field(default_factory=Counter)
    """Results that decided each area; under the empty name, those that decided all."""
    wrong: list[str] = field(default_factory=list)
    """Results that are not the truth, each in words."""
    entries: int = 0
    """Entries of journals that were verified."""
    broken: list[str] = field(default_factory=list)
    """What is wrong with the journals."""
    failures: list[str] = field(default_factory=list)
    """Where the controller's own code failed, each in words; the table locked, but a defect it is."""

    def add(self, other: "OracleTally") -> None:
        """Take in another tally."""
        for name in ("rounds", "spins", "results", "bonuses", "locks", "entries"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.voids.update(other.voids)
        self.wins.update(other.wins)
        self.decided.update(other.decided)
        self.wrong += other.wrong
        self.broken += other.broken
        self.failures += other.failures


@dataclass(frozen=True, slots=True)
class Announcement:
    """A result that the table gave, to be compared once everything stands."""

    round: int
    at_ns: int
    label: str
    section: int | None
    areas: frozenset[str] | None
    """The areas that win; None where nothing is lit."""
    asked: frozenset[str] | None
    """The lamps that the table asked for with it, if it did."""


class Oracle:
    """A listener of one table."""

    def __init__(self) -> None:
        self.tally = OracleTally()
        self.truth = ""
        """What a result must name, up to a comma: the dice as they truly lie."""
        self.panel_touched_ns = -1
        """When a lamp last began to fail, if one did: what was lit before may since have gone out."""
        self._opened = False
        self._said: list[Announcement] = []
        self._panel_fault = False

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a happening; the table calls this."""
        event = recorded.record.event
        if isinstance(event, PanelFault):
            self._panel_fault = True
        if isinstance(event, MachineFailed):
            where = f"round {recorded.entry.round} at {event.at_ns / 1e9:.3f} s"
            self.tally.failures.append(f"{where}: {event.cause}")
        for effect in recorded.record.effects:
            if isinstance(effect, Result):
                self.tally.results += 1
                decided = effect.decided or [win.area for win in effect.wins]
                self.tally.wins.update(win.area for win in effect.wins if win.area in decided)
                self.tally.decided.update(effect.decided or ("",))
                self._say(recorded, effect.label, frozenset(win.area for win in effect.wins))
            elif isinstance(effect, Bonus):
                self.tally.bonuses += 1
                self._say(recorded, effect.label, None)
            elif isinstance(effect, Void):
                self.tally.voids[effect.reason] += 1
            elif isinstance(effect, RoundOpened):
                self.tally.rounds += self._opened
                self._opened = True

    def _say(self, recorded: RecordedDecision, label: str, areas: frozenset[str] | None) -> None:
        event = recorded.record.event
        section = event.section if isinstance(event, WheelRested) else None
        lights = [frozenset(effect.areas) for effect in recorded.record.effects if isinstance(effect, Light)]
        asked = lights[-1] if lights else None
        self._said.append(Announcement(recorded.entry.round, event.at_ns, label, section, areas, asked))
        self._panel_fault = False

    def compare(self, rig: Rig) -> None:
        """Compare what the table said since the last time with the truth, once the wheel stands."""
        head = rig.world.head
        if not self._said or (head is not None and rig.clock.now_ns() < head.at_rest_ns):
            return
        bench = bench_of(find_game(rig.config.game))
        assert bench is not None
        for said in self._said:
            wrong = bench.wrong(said, rig, self.truth) or self._panel_wrong(said, rig)
            if wrong:
                where = f"round {said.round} at {said.at_ns / 1e9:.3f} s"
                self.tally.wrong.append(f"{where}: the table said {said.label}, but {wrong}")
        self._said.clear()

    def _panel_wrong(self, said: Announcement, rig: Rig) -> str:
        lit = rig.lit()
        # Of the wagers that have a lamp of their own, those that win burn, and no others.
        as_won = said.areas is None or said.areas.intersection(rig.lamps) == lit & rig.areas
        as_asked = said.asked in (None, lit)
        if (as_won and as_asked) or self._panel_fault or self.panel_touched_ns >= said.at_ns:
            return ""
        return f"the panel lights {', '.join(sorted(lit)) or 'nothing'}"


def named_otherwise(said: Announcement, rig: Rig, truth: str) -> str:
    """The dice or cards that a result names, up to a comma, are not those that truly lie there."""
    named, _, _ = said.label.partition(",")
    return "" if named == truth else f"{truth} lies there"
