"""Tables of any game that are open for wagers: their people do what the table asks."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from config.schema import TableConfig
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig

Shipped = Callable[[str], TableConfig]
"""The fixture ``shipped``."""
OPEN = "bets-open"
"""The state in which wagers are placed, in every game."""
_ACTS = 60


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    """A table with other rules, and without a wheel reader if they have no use for it."""
    devices = config.devices
    if rules.get("result") == "keypad":
        devices = devices.model_copy(update={"reader": None})
    return config.model_copy(update={"rules": {**config.rules, **rules}, "devices": devices})


def opened(config: TableConfig, journal: Path | None = None, kind: type[Rig] = Rig, **how: Any) -> Any:
    """A table that is open for wagers.

    Args:
        how: further arguments of the table's class.
    """
    table = kind(config, journal, **how)
    if config.wheel is not None:
        table.turn(1.2)  # By hand, so that its position is known.
    elif config.rotor is None and not table.game.dice:
        table.floor("open")
        table.press("enter")
    dealer = Dealer(table, random.Random(1), Oracle(), careless=0)
    for _ in range(_ACTS):
        if table.state.value == OPEN:
            return table
        dealer.act()
    raise AssertionError(f"the table does not open: {table.waiting_for}")
