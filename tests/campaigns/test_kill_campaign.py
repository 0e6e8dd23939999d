"""A sample of the kill campaign: whenever a table is killed, nothing is lost; and the defects that it must find."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from broken_tables import (
    commits_late,
    lights_first,
    mirrors_after_the_lamps,
)
from campaigns import kill_campaign, killed_process
from campaigns.kill_campaign import GAMES, Tally, campaign
from campaigns.killed_process import Moment

from controller.journal.chain import Entry
from controller.journal.journal import Journal

Kills = Callable[..., Tally]


@pytest.fixture
def kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kills:
    """A campaign from this process, with some kills of each journal."""
    monkeypatch.setattr(kill_campaign, "KILLS_PER_JOURNAL", 6)
    return lambda count, *games, mirror=False: campaign(
        count, seed=1, games=games or GAMES, folder=tmp_path, mirror=mirror
    )


@pytest.fixture
def in_tables(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Changes the software of the tables that are killed, and of no other."""

    def change(software: Callable[[], None]) -> None:
        plays = killed_process._plays

        def changed(*arguments: Any) -> None:
            software()
            plays(*arguments)

        monkeypatch.setattr(killed_process, "_plays", changed)

    return change


@pytest.fixture
def killed_at(in_tables: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Kills every table after so many entries of its run, however late they come."""

    def at(entries: int) -> None:
        def waits() -> None:
            append, appended = Journal.append, []

            def appends(journal: Journal, *entry: Any) -> Entry:
                while len(appended) == entries:
                    signal.pause()
                appended.append(entry)
                return append(journal, *entry)

            Journal.append = appends  # type: ignore[method-assign]

        in_tables(waits)
        monkeypatch.setattr(kill_campaign, "moment", lambda rng: Moment(entries, 0.0))

    return at


@pytest.mark.campaign
def test_no_kill_loses_an_entry_or_a_lamp(kills: Kills) -> None:
    tally = kills(6 * len(GAMES))
    assert tally.passed, tally
    assert tally.kills == 6 * len(GAMES)
    assert {game for game, _ in tally.states} == set(GAMES)
    assert tally.entries > tally.kills
    assert tally.pictures > 0


@pytest.mark.campaign
def test_no_kill_loses_anything_on_either_of_two_media(kills: Kills) -> None:
    tally = kills(6 * len(GAMES), mirror=True)
    assert tally.passed, tally
    assert tally.entries > tally.kills


# -- defects that it must find ---------------------------------------------------------------------------------


def test_an_entry_that_was_acknowledged_before_it_was_written_is_missing(
    kills: Kills, in_tables: Callable[..., None], killed_at: Callable[[int], None]
) -> None:
    """Killed between two appends: within one, the entry before it is written already. Then no table starts."""
    killed_at(20)
    in_tables(commits_late)
    tally = kills(1, "sic-bo")
    assert len(tally.missing) == len(tally.broken) == tally.kills == 1
    assert "entry 20 is missing at its end" in tally.broken[0]
    assert not tally.passed


def test_a_mirror_that_is_written_after_the_lamps_lacks_what_they_showed(
    kills: Kills, in_tables: Callable[..., None], killed_at: Callable[[int], None]
) -> None:
    killed_at(20)
    in_tables(mirrors_after_the_lamps)
    tally = kills(2, "sic-bo", mirror=True)
    assert len(tally.missing) == tally.kills == 2
    assert all("mirror.journal alone" in line for line in tally.missing)
    assert not tally.passed


def test_lamps_lit_before_their_entry_are_found_whenever_the_kill_comes(
    kills: Kills, in_tables: Callable[..., None], killed_at: Callable[[int], None]
) -> None:
    in_tables(lights_first)
    killed_at(60)
    tally = kills(2, "sic-bo")
    assert "which was not on record" in tally.early[0]
    assert not (tally.missing + tally.wrong + tally.broken)
    assert not tally.passed
