"""Samples of the campaigns of kills, power cuts and damage: nothing is lost silently."""

import shutil
from pathlib import Path

import pytest
from campaigns import crash_campaign, kill_campaign
from campaigns.crash_campaign import cut_everywhere, record_table
from campaigns.damage_campaign import damaged
from campaigns.kill_campaign import GAMES, batches, play_batch
from campaigns.running import run


@pytest.mark.parametrize(
    ("games", "mirror"),
    [(GAMES[:1], True), *(pytest.param(GAMES, mirror, marks=pytest.mark.campaign) for mirror in (False, True))],
)
def test_no_kill_loses_an_entry_or_a_lamp(
    games: tuple[str, ...], mirror: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kill_campaign, "KILLS_PER_JOURNAL", 6)
    tally = run(play_batch, batches(6 * len(games), 1, games, mirror), kill_campaign.Tally())
    assert tally.passed, tally
    assert {game for game, _ in tally.states} == set(games)
    assert tally.entries > tally.kills
    assert tally.pictures > 0


@pytest.mark.campaign
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize(("game", "mirror"), [("dreamcatcher", False), ("sic-bo", False), ("sic-bo", True)])
def test_no_power_cut_loses_anything(
    tmp_path: Path, game: str, mirror: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_campaign, "SAMPLES", 3)
    tally = cut_everywhere(record_table(game, 1, [3, 2], tmp_path / "recorded", mirror))
    assert tally.passed, tally
    assert tally.crashes[game] > tally.writes > tally.intervals > 10


def test_no_damage_is_silent() -> None:
    tally = damaged((80, 1))
    assert tally.silent == []
    assert {found for _, found in tally.counted} == {"named", "harmless"}
