"""A disk without space, before a journal is opened on it."""

import os
from pathlib import Path

import pytest

from controller.journal.errors import JournalUnwritableError
from controller.journal.journal import Journal


def test_a_full_disk_is_refused_before_a_journal_is_opened_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On small blocks SQLite would write to memory that has no block, and the process would end by SIGBUS."""
    full = os.statvfs_result((1024, 1024, 8192, 500, 100, 0, 0, 0, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    with pytest.raises(JournalUnwritableError, match="the disk is full, 100 kB are left; free space on the disk"):
        Journal(tmp_path / "table.journal")
