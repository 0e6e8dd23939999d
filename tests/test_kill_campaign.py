"""A sample of the kill campaign: whenever a table is killed, nothing is lost. And what it would catch."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import kill_campaign, lives
from benchmarks.kill_campaign import GAMES, Tally, campaign, main
from benchmarks.lives import Moment
from benchmarks.told import Heard
from controller import table
from controller.bench.rig import Rig
from controller.effects import Light
from controller.facts import Fact
from controller.games.machine import Decision
from controller.records.journal import Entry, Journal
from controller.table import Happening, Table

RECORD = Table._record


@pytest.fixture
def kills(tmp_path: Path) -> Callable[..., Tally]:
    """A campaign in this process, on its own folder."""
    return lambda count, *games: campaign(count, seed=1, games=games or GAMES, folder=tmp_path)


def test_no_kill_loses_anything(kills: Callable[..., Tally], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kill_campaign, "LIVES", 8)
    tally = kills(8 * len(GAMES))
    assert tally.passed, tally
    assert tally.kills == 8 * len(GAMES)
    assert {game for game, _ in tally.states} == set(GAMES)
    assert tally.entries > tally.kills
    assert tally.pictures > 0


def test_a_table_is_killed_before_it_has_begun_and_goes_on_from_nothing(
    kills: Callable[..., Tally], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kill_campaign, "moment", lambda rng: Moment(0, 0.0))
    tally = kills(5, "sic-bo")
    assert tally.passed, tally
    assert tally.starting == tally.kills == 5


# -- what it must catch ----------------------------------------------------------------------------------------


def test_an_entry_that_is_acknowledged_before_it_is_written_is_missing(
    kills: Callable[..., Tally], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each entry is written when the next one comes."""
    late: list[tuple[Any, ...]] = []

    class Later:
        """A database that writes one behind."""

        def __init__(self, db: Any) -> None:
            self._db = db

        def execute(self, words: str, values: tuple[Any, ...] = ()) -> Any:
            if not words.startswith("INSERT"):
                return self._db.execute(words, values)
            if late:
                self._db.execute(words, late.pop())
            late.append(values)
            return None

    append = Journal.append

    def appends(journal: Journal, *entry: Any) -> Entry:
        if "copy" not in str(journal.file):  # type: ignore[attr-defined]
            journal._db = Later(journal._db) if not isinstance(journal._db, Later) else journal._db  # type: ignore[assignment]
        return append(journal, *entry)

    monkeypatch.setattr(Journal, "append", appends)
    tally = kills(5, "sic-bo")
    assert tally.missing
    assert not tally.passed
