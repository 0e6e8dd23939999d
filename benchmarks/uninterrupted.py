"""The machine that was never interrupted: what a recovered table is held against."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.reporting_table import Picture
from config.schema import TableConfig
from controller.events.effect import Light
from controller.events.record import Record
from controller.journal.chain import Entry
from controller.journal.record import of_entry
from controller.statechart.machine import GameMachine
from controller.statechart.registry import find_game


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a table stands.

    Attributes:
        snapshot: state, data and what is lit.
        lit: the areas that burn, in alphabetical order.
        waiting_for: what the dealer is told.
        difference: the first decision on record that this machine does not come to, in words; empty for none.
    """

    snapshot: dict[str, object]
    lit: tuple[str, ...]
    waiting_for: str
    difference: str = ""


class Uninterrupted:
    """A machine that hears every event on record, one after the other, and knows no checkpoint.

    Attributes:
        heard: how many entries it has heard.
    """

    def __init__(self, config: TableConfig) -> None:
        self.heard = 0
        self._machine = find_game(config.game).machine(config)
        self._lights: list[list[frozenset[str]]] = [[]]
        """What each entry lights, one after the other; of entry 0, nothing."""

    def hear(self, entries: Iterable[Entry]) -> str:
        """Hear what is on record.

        Returns:
            the first decision on record that it does not come to, in words; empty if it comes to all.
        """
        found = ""
        for entry in entries:
            record = of_entry(entry)
            differs = self._decide(entry, record)
            found = found or differs
            lights = [frozenset(effect.areas) for effect in record.effects if isinstance(effect, Light)]
            self._lights.append(lights)
            self.heard += 1
        return found

    def _decide(self, entry: Entry, record: Record) -> str:
        if record.outcome == "failed":  # The code raised: nothing changed.
            return ""
        decision = self._machine.handle(record.event)
        kept = record.outcome, record.state, record.effects
        should = decision.outcome.value, decision.state, decision.effects
        if kept == should:
            return ""
        return f"entry {entry.seq} ({entry.kind}): the record says {kept}, without an interruption it is {should}"

    def stand(self, entries: Sequence[Entry] = ()) -> Stand:
        """Where it would stand after these entries, too; it does not hear them yet."""
        machine, heard = self._machine, self.heard
        assert isinstance(machine, GameMachine)
        kept = machine.state, machine.data, machine.lit
        difference = self.hear(entries)
        found = Stand(machine.snapshot(), tuple(sorted(machine.lit)), machine.waiting_for(), difference)
        # Not by ``restore``: what is tried here is not to be trusted here.
        machine._machine.set_state(kept[0], machine._model)
        machine.data, machine.lit = kept[1:]
        del self._lights[heard + 1 :]
        self.heard = heard
        return found

    def early(self, picture: Picture) -> str:
        """Whether the lamps showed what was not on record yet: in words, or empty."""
        after = min(picture.after, self.heard)
        if picture.areas in (*self._lights[after], self._burning(after)):
            return ""
        shown = ", ".join(sorted(picture.areas)) or "nothing"
        return f"after entry {picture.after} the lamps showed {shown}, which was not on record"

    def _burning(self, after: int) -> frozenset[str]:
        """What burns after an entry."""
        return next((lights[-1] for lights in reversed(self._lights[: after + 1]) if lights), frozenset())
