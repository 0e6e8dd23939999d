"""Tables with one defect, for the campaigns that must find it: ``python -m campaigns.broken_tables DEFECT ...``.

A function changes the software of the process that it is called in, for good.
"""

import sys
from typing import Any

from campaigns.interrupted import main

from controller.events.effect import Light
from controller.events.record import Decision
from controller.journal.chain import Entry
from controller.journal.head_anchor import HeadAnchor
from controller.journal.journal import Journal
from controller.journal.mirror import MirroredJournal
from controller.journal.record import RecordedDecision
from controller.runtime.recorder import Recorder


def commits_late() -> None:
    """An entry is committed when the next one comes."""
    store = Journal.store
    late: list[Entry] = []

    def stores(journal: Journal, *entries: Entry) -> None:
        if late:
            store(journal, *late)
        late[:] = entries
        journal._seq, journal._head = entries[-1].seq, entries[-1].hash
        journal._note_head()

    Journal.store = stores


def mirrors_after_the_lamps() -> None:
    """The mirror gets an entry when the next one comes: lamps are lit that only the journal has on record."""
    late: list[tuple[Journal, Entry]] = []

    def stores(journal: MirroredJournal, *entries: Entry) -> None:
        for mirror, kept in late:
            mirror.store(kept)
        late[:] = [(journal.mirror, entry) for entry in entries]
        Journal.store(journal, *entries)

    MirroredJournal.store = stores


def lights_first() -> None:
    """Lamps are lit, then the decision is recorded."""
    record = Recorder._record

    def records(recorder: Recorder, number: int, event: Any, decision: Decision) -> RecordedDecision | None:
        recorder._perform(event, [effect for effect in decision.effects if isinstance(effect, Light)])
        return record(recorder, number, event, decision)

    Recorder._record = records


def does_not_sync() -> None:
    """The journal leaves it to the kernel when to write."""
    append = Journal.append

    def appends(journal: Journal, *entry: Any) -> Entry:
        journal._db.execute("PRAGMA synchronous=OFF")
        return append(journal, *entry)

    Journal.append = appends


def anchors_late() -> None:
    """The head anchor names an entry when the next one comes: lamps are lit whose loss would go unnoticed."""
    note = HeadAnchor.note
    late: dict[HeadAnchor, tuple[int, str]] = {}

    def notes(anchor: HeadAnchor, seq: int, digest: str) -> None:
        note(anchor, *late.get(anchor, (seq, digest)))
        late[anchor] = seq, digest

    HeadAnchor.note = notes


if __name__ == "__main__":
    globals()[sys.argv.pop(1)]()
    sys.exit(main())
