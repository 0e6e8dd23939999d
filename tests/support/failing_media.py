"""Media that cannot be written, as if they were full, read-only or pulled out."""

from pathlib import Path

import pytest

from controller.journal.chain import Entry
from controller.journal.errors import JournalUnwritableError
from controller.journal.journal import Journal


class FailingMedia:
    """Journals whose files are named here cannot store an entry."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: set[Path] = set()
        store = Journal.store

        def fails(journal: Journal, entry: Entry) -> None:
            if Path(journal._name) in self.files:
                raise JournalUnwritableError("the journal cannot be written: disk I/O error")
            store(journal, entry)

        monkeypatch.setattr(Journal, "store", fails)
