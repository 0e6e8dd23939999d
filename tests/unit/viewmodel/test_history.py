"""What the screens keep of the past: results, counts of the day, alerts, the health of devices."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from screen_table import screens_of

from controller.bench.rig import Rig
from controller.events.event import Health, SensorHealth
from controller.viewmodel import history
from controller.viewmodel.history import HISTORY, TableHistory, utc_offset_min

HOUR_S = 3600


def play(rig: Rig, section: str = "10") -> None:
    rig.press("no-more-bets")
    rig.spin(stop_on=section)
    rig.press("done", "done", "clear")


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


# -- results -----------------------------------------------------------------------------------------------------


def test_the_last_twenty_results_newest_first(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    sections = ["1", "2", "5", "10", "20"] * 9
    for section in sections:
        play(dreamcatcher, section)
    board = screens.checked_board()
    assert [line["label"] for line in board["history"]] == sections[::-1][:HISTORY]
    assert [line["round"] for line in board["history"]] == list(range(45, 45 - HISTORY, -1))
    assert board["spins"] == 45
    assert [(one["label"], one["count"], one["since"]) for one in board["counts"]] == [
        *(("1", 9, 4), ("2", 9, 3), ("5", 9, 2), ("10", 9, 1), ("20", 9, 0), ("40", 0, None)),
    ]
    screens.same_as_recalled()


@pytest.mark.usefixtures("new_york")
def test_the_day_begins_at_midnight_of_the_tables_place(dreamcatcher: Rig) -> None:
    """The bench's clock begins at midnight UTC, which is 19:00 in New York. Summer time comes with the moment."""
    screens = screens_of(dreamcatcher)
    play(dreamcatcher)
    dreamcatcher.wait(4 * HOUR_S)
    assert screens.checked_board()["spins"] == 1
    dreamcatcher.wait(HOUR_S)
    board = screens.checked_board()
    assert (board["spins"], [line["count"] for line in board["counts"]], len(board["history"])) == (0, [0] * 6, 1)
    play(dreamcatcher)
    assert screens.checked_board()["spins"] == 1
    screens.same_as_recalled()
    noons = (datetime(2026, month, 1, 12, tzinfo=UTC).timestamp() for month in (1, 7))
    assert [utc_offset_min(int(noon * 1e9)) for noon in noons] == [-300, -240]


@pytest.mark.usefixtures("new_york")
def test_correcting_yesterdays_result_does_not_change_todays_counts(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.wait(4.99 * HOUR_S)
    sic_bo.press("no-more-bets", "1", "1", "1", "enter")
    sic_bo.wait(60)
    sic_bo.press("correct", "floor-key")
    assert (screens.checked_board()["spins"], screens.checked_board()["history"]) == (0, [])
    sic_bo.press("1", "1", "2", "enter")
    board = screens.checked_board()
    assert (board["spins"], [line["label"] for line in board["history"]]) == (1, ["1-1-2"])
    screens.same_as_recalled()


# -- after a restart ---------------------------------------------------------------------------------------------


def test_a_round_of_more_entries_than_are_read_is_read_all_the_same(
    dreamcatcher: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_READ", 10)
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(stop_on="5")
    dreamcatcher.press(*("enter",) * 30)
    assert screens.recalled().board()["result"] == "5"


def test_damaged_entries_are_skipped(dreamcatcher: Rig, caplog: pytest.LogCaptureFixture) -> None:
    play(dreamcatcher, "5")
    dreamcatcher.journal.append(2, 0, dreamcatcher.clock.utc_ns(), "press", '{"event":', None)
    play(dreamcatcher, "20")
    watch = TableHistory(dreamcatcher.config, dreamcatcher.clock)
    watch.recall(dreamcatcher.journal)
    assert [past.label for _, past in watch.history()] == ["20", "5"]
    assert "the screens skip" in caplog.text


# -- refusals, alerts and health ---------------------------------------------------------------------------------


def test_an_alert_ages_and_ends_with_its_round(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(stop_on="5")
    dreamcatcher.world.fault("dead-lamp", "5", 0)
    dreamcatcher.wait(10)
    (alert,) = screens.dealer()["alerts"]
    assert alert["text"] == "No light at 5."
    assert 8 <= alert["age_s"] <= 10
    dreamcatcher.press("done", "done", "clear")
    assert screens.dealer()["alerts"] == [], "the lamps went out, and nothing else is wrong with them"


def test_an_alert_is_active_while_its_device_fails(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    gone = SensorHealth.of_device(dreamcatcher.clock.now_ns(), "reader", "unplugged")
    dreamcatcher.table.take([gone])
    play(dreamcatcher)
    assert [alert["text"] for alert in screens.dealer()["alerts"]] == ["The reader is gone: unplugged."]
    assert {"device": "reader", "state": "gone", "detail": "unplugged"} in screens.dealer()["health"]
    screens.same_as_recalled()
    dreamcatcher.table.take([SensorHealth(dreamcatcher.clock.now_ns(), "reader", Health.OK)])
    play(dreamcatcher)
    assert screens.dealer()["alerts"] == []
    assert "reader" not in {line["device"] for line in screens.dealer()["health"]}, "this table has none"
