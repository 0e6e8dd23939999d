"""A sample of the kill campaign: whenever a table is killed, nothing is lost; and the defects that it must find."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from broken_tables import (
    commits_late,
    does_not_sync,
    fails_on_a_press,
    lights_first,
    mirrors_after_the_lamps,
    without_multiplier,
)
from campaigns import kill_campaign, killed_process
from campaigns.kill_campaign import GAMES, Tally, campaign, main
from campaigns.killed_process import Moment

from controller.bench.dealer import Dealer
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.runtime import recorder

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


def test_a_table_that_is_killed_before_its_first_entry_starts_from_nothing(
    kills: Kills, killed_at: Callable[[int], None]
) -> None:
    killed_at(0)
    tally = kills(5, "sic-bo")
    assert tally.passed, tally
    assert tally.starting == tally.kills == 5


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


@pytest.mark.parametrize("lost", [False, True])
def test_a_bonus_multiplier_that_is_not_restored_is_a_wrong_state(
    kills: Kills, killed_at: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    """At a table whose wheel multiplies at every spin."""
    if lost:
        monkeypatch.setattr(recorder, "recover", without_multiplier(recorder.recover))
    monkeypatch.setattr(Dealer, "throw", lambda dealer: dealer.rig.spin(3.1, stop_on="7x"))
    killed_at(40)
    tally = kills(1, "dreamcatcher")
    assert bool(tally.wrong) == lost
    assert tally.passed != lost


def test_a_kill_does_not_show_that_a_journal_is_not_synced(kills: Kills, in_tables: Callable[..., None]) -> None:
    """The kernel keeps what a killed process has written: the crash campaign shows it."""
    in_tables(does_not_sync)
    assert kills(8, "sic-bo").passed


def test_a_table_that_ends_by_itself_fails_the_campaign(kills: Kills, in_tables: Callable[..., None]) -> None:
    in_tables(fails_on_a_press)
    tally = kills(8, "sic-bo")
    assert "ended by itself" in "\n".join(tally.broken)
    assert not tally.passed


def test_a_table_that_reports_nothing_fails_the_campaign(
    kills: Kills, in_tables: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits() -> None:
        Dealer.act = lambda dealer: None  # type: ignore[method-assign]

    in_tables(waits)
    monkeypatch.setattr(killed_process, "PATIENCE_S", 0.1)
    monkeypatch.setattr(kill_campaign, "moment", lambda rng: Moment(100, 0.0))
    assert "reported nothing" in kills(1, "sic-bo").broken[0]


# -- the command -----------------------------------------------------------------------------------------------


def test_the_command_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["--kills", "3", "--workers", "1", "--games", "casino-war", "--folder", str(tmp_path), "--json"]
    assert main(words) == 0
    events = json.loads(capsys.readouterr().out)
    assert events["kills"] == 3
    assert sum(events["games"]["casino-war"].values()) == 3
    assert events["journals"] == "verified"


@pytest.mark.parametrize("what", ["missing", "wrong", "early", "broken"])
def test_any_loss_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    tally = Tally(kills=1, **{what: ["dreamcatcher, seed 5, run 3: entry 17"]})  # type: ignore[arg-type]
    monkeypatch.setattr(kill_campaign, "campaign", lambda *args: tally)
    assert main(["--kills", "1"]) == 1
    assert "seed 5, run 3: entry 17" in capsys.readouterr().out
