"""Journals in memory, and tables recovered from them by the software that wrote them."""

from collections.abc import Iterable
from pathlib import Path

from tampering import chained

from config.schema import TableConfig
from controller.bench.rig import NS_PER_S, Rig
from controller.configuration.machines import machines
from controller.journal.chain import Entry
from controller.journal.deciders import Decider, decider_of
from controller.journal.journal import Journal
from controller.journal.recovery import Recovered, Running, recover
from controller.runtime.table import Table

UNKNOWN = Decider("", "", "")


def journal_of(entries: Iterable[Entry]) -> Journal:
    """A journal in memory with these entries, which follow one another from the first on."""
    journal = Journal(None)
    journal.take_over(list(entries))
    return journal


def rewritten(entries: Iterable[Entry], file: Path | None, **changes: str) -> Journal:
    """A journal in which texts of the bodies were replaced, and all hashes were made anew."""
    some = list(entries)
    for old, new in changes.items():
        some = [entry._replace(body=entry.body.replace(old, new)) for entry in some]
    journal = Journal(file)
    journal.take_over(chained(some))
    return journal


class LaterRig(Rig):
    """A table that starts on a journal a minute after its last entry."""

    def _start(self) -> Table:
        last = self.journal.entry(len(self.journal))
        if last is not None and last.at_ns > self.clock.now_ns():
            self.clock.advance_to(last.at_ns + 60 * NS_PER_S)
        return super()._start()


def recovered(config: TableConfig, journal: Journal, this: Decider | None = None) -> Recovered:
    """The table at a journal's end.

    Args:
        this: what runs; by default what wrote the journal's end.
    """
    wrote = this or decider_of(journal, len(journal)) or UNKNOWN
    return recover(config.game, machines(config), journal, Running(wrote))
