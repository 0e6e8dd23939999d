"""A roulette wheel's health at the table and on the floor: each run measured and on record, an alert by itself."""

from collections.abc import Callable
from typing import Any

from roulette_table import called, opened, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Alert
from controller.events.event import WheelDegraded
from controller.viewmodel.history import TableHistory

Shipped = Callable[[str], TableConfig]
TILTED = 40
"""Rounds within which a wheel that always drops its ball on one side is named."""


def events(rig: Rig, kind: type[Any]) -> list[Any]:
    return [record.event for record in rig.records() if isinstance(record.event, kind)]


def play(rig: Rig, rounds: int, turns: Callable[[int], float]) -> None:
    """Rounds, in which the ball makes so many turns: it is thrown from the same place each time."""
    for number in range(rounds):
        called(rig, "17", turns(number))
        rig.press("1", "7", "enter")
        rig.wait(8)
        settle(rig)
        assert rig.state.value == "bets-open", rig.waiting_for


def always_there(number: int) -> float:
    """Thrown counterclockwise from 40 degrees past ball_1, it comes down in the quarter between the beams."""
    return 6.764


def test_a_wheel_that_is_not_level_is_an_alert_with_what_to_do_and_holds_nothing_up(shipped: Shipped) -> None:
    rig = opened(shipped("roulette"))
    screen = TableHistory(rig.config, rig.clock)
    rig.table.listeners.append(screen)
    play(rig, 2 * TILTED, always_there)
    (found,) = events(rig, WheelDegraded)
    assert (found.sign, found.round <= TILTED) == ("drops", True)
    (alert,) = [one for record in rig.records() for one in record.effects if isinstance(one, Alert)]
    assert "on a level wheel 25% do" in alert.parameters["detail"]
    assert str(alert.parameters["remedy"]).startswith("Level the wheel")
    assert [line["text"] for line in screen.alerts()] == [alert.parameters["detail"]]
    assert {"device": "wheel", "state": "degraded", "detail": alert.parameters["detail"]} in screen.devices.listed()
