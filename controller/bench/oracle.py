"""Compares a table with its simulated hardware: counts results, and finds wrong ones.

A listener of a table on simulated hardware. Each game's ``bench.py`` (:mod:`controller.bench.people`) decides
whether a result is wrong. It is also wrong if the panel shows other areas and no panel fault was reported.
"""

from collections import Counter
from dataclasses import dataclass, field, fields

from controller.bench.rig import Rig
from controller.events.effect import Bonus, Light, Result, RoundOpened, Void
from controller.events.event import PanelFault, WheelRested
from controller.journal.record import RecordedDecision


@dataclass(slots=True)
class OracleTally:
    """Counts. The tallies of parts add up to that of the whole."""

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
    """Wrong results, each as text."""
    entries: int = 0
    """Verified entries of journals."""
    broken: list[str] = field(default_factory=list)
    """Problems of the journals."""
    failures: list[str] = field(default_factory=list)
    """Failures of the controller's own code, each as text: defects, even though the table locked."""

    @property
    def passed(self) -> bool:
        """No wrong result, every journal verified, and the controller's own code never failed."""
        return not self.wrong and not self.broken and not self.failures

    def add(self, other: "OracleTally") -> None:
        """Add another tally."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass(frozen=True, slots=True)
class Announcement:
    """A result that the table announced, to be compared once everything is at rest."""

    round: int
    at_ns: int
    label: str
    section: int | None
    areas: frozenset[str] | None
    """The areas that win; None if nothing is lit."""
    commanded: frozenset[str] | None
    """The lamps that the table lit with it; None if it changed none."""


class Oracle:
    """A listener of one table."""

    def __init__(self) -> None:
        self.tally = OracleTally()
        self.truth = ""
        """The true dice or cards, which the label of a result must name up to a comma."""
        self.panel_touched_ns = -1
        """When the last fault of a lamp began; -1 if there was none. Lamps lit before it may have gone out."""
        self._relit_ns = -1
        """When the table last lit other lamps than with a result: a result before that is no longer shown."""
        self._opened = self._panel_fault = False
        self._announced: list[Announcement] = []

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        event, effects, tally = recorded.record.event, recorded.record.effects, self.tally
        self._panel_fault |= isinstance(event, PanelFault)
        kinds = {type(effect) for effect in effects}
        if Light in kinds and not kinds & {Result, Bonus}:
            self._relit_ns = event.at_ns
        for effect in effects:
            if isinstance(effect, Result):
                areas = frozenset(win.area for win in effect.wins)
                tally.results += 1
                tally.wins.update(win.area for win in effect.wins if win.area in (effect.decided or areas))
                tally.decided.update(effect.decided or ("",))
                self._announce(recorded, effect.label, areas)
            elif isinstance(effect, Bonus):
                tally.bonuses += 1
                self._announce(recorded, effect.label, None)
            elif isinstance(effect, Void):
                tally.voids[effect.reason] += 1
            elif isinstance(effect, RoundOpened):
                tally.rounds += self._opened
                self._opened = True

    def _announce(self, recorded: RecordedDecision, label: str, areas: frozenset[str] | None) -> None:
        event = recorded.record.event
        section = event.section if isinstance(event, WheelRested) else None
        lights = [frozenset(effect.areas) for effect in recorded.record.effects if isinstance(effect, Light)]
        commanded = lights[-1] if lights else None
        self._announced.append(Announcement(recorded.entry.round, event.at_ns, label, section, areas, commanded))
        self._panel_fault = False

    def compare(self, rig: Rig) -> None:
        """Compare the results since the last call with the truth, once the wheel is at rest."""
        head, bench = rig.world.head, rig.bench
        if not self._announced or (head is not None and rig.clock.now_ns() < head.at_rest_ns):
            return
        assert bench is not None
        for result in self._announced:
            wrong = bench.wrong(result, rig, self.truth) or self._panel_wrong(result, rig)
            if wrong:
                where = f"round {result.round} at {result.at_ns / 1e9:.3f} s"
                self.tally.wrong.append(f"{where}: the table said {result.label}, but {wrong}")
        self._announced.clear()

    def _panel_wrong(self, result: Announcement, rig: Rig) -> str:
        lit = rig.lit()
        if self._relit_ns > result.at_ns or self._panel_fault or self.panel_touched_ns >= result.at_ns:
            return ""
        # Of the wagers with a lamp of their own, exactly those that win must be lit.
        as_won = result.areas is None or result.areas.intersection(rig.lamps) == lit & rig.areas
        if as_won and result.commanded in (None, lit):
            return ""
        return f"the panel lights {', '.join(sorted(lit)) or 'nothing'}"


def named_otherwise(result: Announcement, rig: Rig, truth: str) -> str:
    """The dice or cards that a result names, up to a comma, are not the true ones."""
    named, _, _ = result.label.partition(",")
    return "" if named == truth else f"{truth} lies there"
