"""Journals of releases on an emulated processor: verified, recovered at their end, and replayed with their edges.

On this machine ``tests/golden`` reads them whole: cut at many places, with screens, messages and printed lines.
That is the same Python on every processor, and emulated it takes a quarter of an hour. What may differ is read
here: hashes, SQLite's files, edges decoded again, JSON's floats. Words are left to the other, which judges changes.
"""

from contextlib import closing
from pathlib import Path

import pytest

from controller.configuration.shipped import load_table
from controller.journal.journal import Journal
from controller.statechart.registry import find_game
from tests.golden import reading
from tests.golden.test_golden_journals import (
    KEPT,
    differences,
    differences_of,
    expected_of,
    plain,
    with_changed_rules,
)


@pytest.mark.parametrize("folder", KEPT, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_a_journal_of_a_release_is_recovered_and_replayed_as_that_release_did(folder: Path, tmp_path: Path) -> None:
    journal = reading.unpacked(folder, tmp_path)
    loaded, listed = load_table(journal.with_name(reading.TABLE)), reading.entries(journal)
    game = loaded.config.game
    with closing(Journal(journal, read_only=True)) as opened:
        whole = reading.recovered(game, find_game(game).machine(loaded.config), opened)
    expected = with_changed_rules(folder, expected_of(folder))["recovered"]["whole"]
    for recovered in (expected, whole):
        del recovered["waiting_for"]
    assert list(differences(expected, plain(whole))) == []
    parts = {
        "entries": listed,
        "verify": reading.verified(journal),
        "replayed": reading.replayed(loaded, journal, listed),
    }
    assert differences_of(folder, plain(parts)) == []
