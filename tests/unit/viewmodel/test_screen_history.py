"""What the screens keep of the past: results, counts of the day, alerts, refusals, the health of devices."""

import logging
import time
from collections.abc import Generator, Iterator
from datetime import UTC, datetime

import pytest
from screen_table import Screens, screens_of

from controller.bench.rig import Rig
from controller.events.event import Health, SensorHealth
from controller.journal.chain import Entry
from controller.viewmodel import history as watch_module
from controller.viewmodel.history import HISTORY, TableHistory, utc_offset_min

HOUR_S = 3600


def play(rig: Rig, section: str = "10") -> None:
    rig.press("no-more-bets")
    rig.spin(stop_on=section)
    rig.press("done", "done", "clear")


def health(screens: Screens) -> dict[str, str]:
    return {line["device"]: line["state"] for line in screens.dealer()["health"]}  # type: ignore[attr-defined]


# -- results -----------------------------------------------------------------------------------------------------


def test_the_last_twenty_results_newest_first(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    sections = ["1", "2", "5", "10", "20"] * 9
    for section in sections:
        play(dreamcatcher, section)
    history = screens.checked_board()["history"]
    assert [line["label"] for line in history] == sections[::-1][:HISTORY]
    assert [line["round"] for line in history] == list(range(45, 45 - HISTORY, -1))
    assert screens.checked_board()["spins"] == 45
    screens.same_as_recalled()


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("new_york")
def test_the_counts_of_the_day_begin_anew_at_midnight_of_the_tables_place(dreamcatcher: Rig) -> None:
    """The bench's clock begins at midnight UTC, which is 19:00 in New York."""
    screens = screens_of(dreamcatcher)
    play(dreamcatcher)
    dreamcatcher.wait(4 * HOUR_S)
    assert screens.checked_board()["spins"] == 1
    dreamcatcher.wait(HOUR_S)
    board = screens.checked_board()
    assert (board["spins"], [line["count"] for line in board["counts"]]) == (0, [0] * 6)
    assert len(board["history"]) == 1
    play(dreamcatcher)
    assert screens.checked_board()["spins"] == 1
    screens.same_as_recalled()


@pytest.mark.usefixtures("new_york")
@pytest.mark.parametrize(("month", "offset_min"), [(1, -300), (7, -240)])
def test_the_clock_of_the_board_is_that_of_the_tables_place(month: int, offset_min: int) -> None:
    """Summer time comes with the moment, not with the start of the table."""
    utc_ns = int(datetime(2026, month, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000_000
    assert utc_offset_min(utc_ns) == offset_min


@pytest.mark.usefixtures("new_york")
def test_correcting_yesterdays_result_does_not_change_todays_counts(sic_bo: Rig) -> None:
    screens = screens_of(sic_bo)
    sic_bo.wait(4.99 * HOUR_S)
    sic_bo.press("no-more-bets", "1", "1", "1", "enter")
    assert screens.checked_board()["spins"] == 1
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
    monkeypatch.setattr(watch_module, "MOST_READ", 10)
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
    with caplog.at_level(logging.WARNING):
        watch.recall(dreamcatcher.journal)
    assert [line.past.label for line in watch.history()] == ["20", "5"]
    assert "the screens skip" in caplog.text


@pytest.mark.parametrize("utc", ["", "yesterday", "2026-13-01T00:00:00.000Z"])
def test_an_unreadable_time_does_not_prevent_a_start(dreamcatcher: Rig, utc: str) -> None:
    play(dreamcatcher, "5")
    play(dreamcatcher, "20")
    damaged = [entry._replace(utc=utc) for entry in dreamcatcher.journal.backwards()]

    class Damaged:
        def backwards(self) -> Generator[Entry, None, None]:
            yield from damaged

    watch = TableHistory(dreamcatcher.config, dreamcatcher.clock)
    watch.recall(Damaged())  # type: ignore[arg-type]
    assert (watch.history(), watch.result) == ([], None)


def test_a_correction_of_an_unknown_result_leaves_the_others(sic_bo: Rig) -> None:
    """Its entry may be the one that is damaged."""
    watch = TableHistory(sic_bo.config, sic_bo.clock)
    sic_bo.table.listeners.append(watch)
    sic_bo.press("no-more-bets", "1", "1", "2", "enter", "done", "done", "clear", "no-more-bets", "3", "3", "4")
    sic_bo.table.listeners.remove(watch)
    sic_bo.press("enter")
    sic_bo.table.listeners.append(watch)
    sic_bo.press("correct", "floor-key")
    assert [line.past.label for line in watch.history()] == ["1-1-2"]


def test_the_lamps_of_a_round_that_goes_on_after_a_power_cut(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(stop_on="5")
    screens.power_cut()
    board = screens.recalled().board()
    assert (board["result"], board["lit"], board["headline"]) == ("5", ["5"], "5")
    screens.same_as_recalled()


# -- alerts and refusals -----------------------------------------------------------------------------------------


def test_a_refused_press_is_shown_until_one_is_accepted(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.press("done")
    assert screens.dealer()["refused"] == "done was refused"
    screens.same_as_recalled()
    dreamcatcher.press("no-more-bets")
    assert screens.dealer()["refused"] == ""
    dreamcatcher.press("done")
    dreamcatcher.floor("end-round")
    assert screens.dealer()["refused"] == ""


def test_a_refused_press_is_shown_with_the_reason_that_it_has(dreamcatcher: Rig) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.spin(0.4, rest=False)
    dreamcatcher.wait(0.5)
    dreamcatcher.press("no-more-bets")
    assert dreamcatcher.last("refused").why == "wheel-moves"
    assert (
        screens.dealer()["refused"]
        == "no more bets was refused: The wheel is moving. Let it come to rest. Then press again."
    )


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
    assert "reader" not in health(screens), "this table has none"


# -- health ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "line", "sensor"),
    [
        ("dead-clapper", "", "clapper"),
        ("missing-index", "", "index"),
        ("stuck-high", "encoder_a", "encoder_a"),
    ],
)
def test_a_sensor_that_fails_and_is_repaired(dreamcatcher: Rig, fault: str, line: str, sensor: str) -> None:
    screens = screens_of(dreamcatcher)
    dreamcatcher.world.fault(fault, line, 0)
    dreamcatcher.press("no-more-bets")
    dreamcatcher.spin(4.5)
    assert health(screens)[sensor] != "ok"
    screens.same_as_recalled()
    dreamcatcher.world.repair()
    screens.power_cut()
    assert health(screens)[sensor] != "ok", "nothing has shown yet that it is repaired"
    dreamcatcher.floor()
    dreamcatcher.turn(2.2)
    assert set(health(screens).values()) == {"ok"}
    screens.same_as_recalled()
