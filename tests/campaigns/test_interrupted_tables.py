"""Samples of the campaigns of kills and power cuts: nothing is lost; and the defects that they must find."""

import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from campaigns import broken_tables, crash_campaign, kill_campaign
from campaigns.crash_campaign import PLAYER, cut_everywhere, record_table
from campaigns.kill_campaign import GAMES, batches, play_batch
from campaigns.running import run

from controller.journal.chain import Entry
from controller.journal.journal import Journal

long = pytest.mark.campaign
traced = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
KillsWith = Callable[..., kill_campaign.Tally]


@pytest.fixture
def kills_with(monkeypatch: pytest.MonkeyPatch) -> KillsWith:
    """Changes the software of the tables that are killed, after so many entries of their run, however late they
    come."""

    def waits(entries: int) -> None:
        append, appended = Journal.append, []

        def appends(journal: Journal, *entry: Any) -> Entry:
            while len(appended) == entries:
                signal.pause()
            appended.append(entry)
            return append(journal, *entry)

        Journal.append = appends

    def changed(defect: Callable[[], None], entries: int, kills: int, mirror: bool = False) -> kill_campaign.Tally:
        plays = kill_campaign.play

        def play(*arguments: Any, **to: int) -> None:
            defect()
            waits(entries)
            plays(*arguments, **to)

        monkeypatch.setattr(kill_campaign, "play", play)
        monkeypatch.setattr(kill_campaign, "moment", lambda rng: (entries, 0.0))
        return run(play_batch, batches(kills, 1, ["sic-bo"], mirror), kill_campaign.Tally())

    return changed


def cut(
    place: Path, game: str, runs: Sequence[int], defect: str = "", mirror: bool = False
) -> crash_campaign.Tally:
    """Record a table, whose software may have a defect, and cut its power everywhere."""
    player = (sys.executable, "-m", "campaigns.broken_tables", defect) if defect else PLAYER
    return cut_everywhere(record_table(game, 1, runs, place / "recorded", mirror, player))


@long
@pytest.mark.parametrize("mirror", [False, True])
def test_no_kill_loses_an_entry_or_a_lamp(mirror: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kill_campaign, "KILLS_PER_JOURNAL", 6)
    tally = run(play_batch, batches(6 * len(GAMES), 1, GAMES, mirror), kill_campaign.Tally())
    assert tally.passed, tally
    assert {game for game, _ in tally.states} == set(GAMES)
    assert tally.entries > tally.kills
    assert tally.pictures > 0


@long
@traced
@pytest.mark.parametrize(("game", "mirror"), [("dreamcatcher", False), ("sic-bo", False), ("sic-bo", True)])
def test_no_power_cut_loses_anything(
    tmp_path: Path, game: str, mirror: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 3)
    tally = cut(tmp_path, game, [3, 2], mirror=mirror)
    assert tally.passed, tally
    assert tally.crashes[game] > tally.writes > tally.intervals > 10


# -- defects that they must find ---------------------------------------------------------------------------------


def test_an_entry_that_was_acknowledged_before_it_was_written_is_missing(kills_with: KillsWith) -> None:
    """Killed between two appends: within one, the entry before it is written already. Then no table starts."""
    tally = kills_with(broken_tables.commits_late, 20, 1)
    assert len(tally.missing) == len(tally.broken) == tally.kills == 1
    assert "entry 20 is missing at its end" in tally.broken[0]


def test_a_mirror_that_is_written_after_the_lamps_lacks_what_they_showed(kills_with: KillsWith) -> None:
    tally = kills_with(broken_tables.mirrors_after_the_lamps, 20, 2, mirror=True)
    assert len(tally.missing) == tally.kills == 2
    assert all("mirror.journal alone" in line for line in tally.missing)


def test_lamps_lit_before_their_entry_are_found_whenever_the_kill_comes(kills_with: KillsWith) -> None:
    tally = kills_with(broken_tables.lights_first, 60, 2)
    assert "which was not on record" in tally.early[0]
    assert not (tally.missing + tally.wrong + tally.broken)


@long
@traced
def test_a_journal_that_is_not_synced_loses_what_it_acknowledged(tmp_path: Path) -> None:
    assert cut(tmp_path, "sic-bo", [4, 2], "does_not_sync").missing


@long
@traced
def test_lamps_lit_before_the_head_names_their_entry_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 1)
    tally = cut(tmp_path, "sic-bo", [18], "anchors_late")
    assert "as its head" in tally.early[0]
    assert not (tally.missing + tally.wrong + tally.broken)
