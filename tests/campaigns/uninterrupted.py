"""The machine that was never interrupted, with which a recovered table is compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaigns.reporting_table import Picture

from config.schema import TableConfig
from controller.configuration.machines import machines
from controller.events.effect import Light
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.record import of_entry
from controller.limits.table_state import TableState


@dataclass(frozen=True, slots=True)
class ExpectedState:
    """The state of a table.

    Attributes:
        snapshot: state, data and what is lit.
        lit: the areas that are lit, in alphabetical order.
        waiting_for: the dealer's prompt.
        difference: the first decision on record that this machine does not make, in words; empty for none.
    """

    snapshot: dict[str, object]
    lit: tuple[str, ...]
    waiting_for: str
    difference: str = ""


class Uninterrupted:
    """A machine that handles every event on record, one after the other, and uses no checkpoint.

    Attributes:
        applied: how many entries it has handled.
    """

    def __init__(self, config: TableConfig) -> None:
        self.applied = 0
        self._machine = machines(config)(TableState())
        self._lights: list[list[frozenset[str]]] = [[]]
        """What each entry lights, one after the other; of entry 0, nothing."""

    def apply(self, entries: Iterable[Entry]) -> str:
        """Handle the events of entries.

        Returns:
            the first decision on record that it does not make, in words; empty if it makes them all.
        """
        found = ""
        for entry in entries:
            record = of_entry(entry)
            differs = self._decide(entry, record)
            found = found or differs
            lights = [frozenset(effect.areas) for effect in record.effects if isinstance(effect, Light)]
            self._lights.append(lights)
            self.applied += 1
        return found

    def _decide(self, entry: Entry, record: Record) -> str:
        if record.outcome == "failed":  # The code raised: nothing changed.
            return ""
        decision = self._machine.handle(record.event)
        recorded = record.outcome, record.state, record.effects
        should = decision.outcome.value, decision.state, decision.effects
        if recorded == should:
            return ""
        found = f"the record says {recorded}, without an interruption it is {should}"
        return f"entry {entry.seq} ({entry.kind}): {found}"

    def state_after(self, entries: Sequence[Entry] = ()) -> ExpectedState:
        """Its state after these entries; it does not keep them."""
        machine, applied = self._machine, self.applied
        table, lit, state, data = machine.table, machine.lit, machine.rounds.state, machine.rounds.data
        difference = self.apply(entries)
        found = ExpectedState(machine.snapshot(), tuple(sorted(machine.lit)), machine.waiting_for(), difference)
        # Not by ``restore``, which is under test here.
        machine.table, machine.lit = table, lit
        machine.rounds.place(state, data)
        del self._lights[applied + 1 :]
        self.applied = applied
        return found

    def early(self, picture: Picture) -> str:
        """Whether the lamps showed what was not on record yet: in words, or empty."""
        after = min(picture.after, self.applied)
        if picture.areas in (*self._lights[after], self._burning(after)):
            return ""
        shown = ", ".join(sorted(picture.areas)) or "nothing"
        return f"after entry {picture.after} the lamps showed {shown}, which was not on record"

    def _burning(self, after: int) -> frozenset[str]:
        """The areas lit after an entry."""
        return next((lights[-1] for lights in reversed(self._lights[: after + 1]) if lights), frozenset())
