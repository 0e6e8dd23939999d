"""What was changed far back in a journal is found while the table plays."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tampering import change

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.journal.audit import EVERY_NS, SLICE_ENTRIES, Audit
from controller.journal.journal import Journal
from hal.mock.clock import VirtualClock

ENTRIES = 2 * SLICE_ENTRIES + 100


@pytest.fixture(scope="module")
def played(shipped: Callable[[str], TableConfig], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("audit") / "table.journal"
    table = Rig(shipped("big-six"), file)
    while len(table.journal) < ENTRIES:
        table.press("done")
    table.table.stop()
    table.journal.close()
    return file.parent


@pytest.fixture
def long(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "journal")
    return tmp_path / "journal" / "table.journal"


def found_in(file: Path) -> tuple[list[str], bool]:
    """What an audit finds in some seconds, and whether it came to the end."""
    clock, found = VirtualClock(), list[str]()
    with closing(Journal(file)) as journal:
        audit = Audit(journal, clock, found.append)
        clock.advance_to(10 * EVERY_NS)
        audit.close()
        return found, audit.done


def test_a_journal_in_order_is_read_to_its_end(long: Path) -> None:
    assert found_in(long) == ([], True)


@pytest.mark.parametrize("seq", [1, SLICE_ENTRIES, SLICE_ENTRIES + 1, ENTRIES - 1])
def test_a_changed_entry_is_found_wherever_it_stands(long: Path, seq: int) -> None:
    change(long, f"UPDATE entries SET at_ns = at_ns + 1 WHERE seq = {seq}")
    (problem,), done = found_in(long)
    assert problem.startswith(f"entry {seq} (round ")
    assert not done


def test_an_entry_that_was_taken_out_is_found(long: Path) -> None:
    change(long, f"DELETE FROM entries WHERE seq = {SLICE_ENTRIES + 5}")
    (problem,), _ = found_in(long)
    assert (
        problem
        == f"entry {SLICE_ENTRIES + 5} is missing: entry {SLICE_ENTRIES + 6} follows entry {SLICE_ENTRIES + 4}"
    )
