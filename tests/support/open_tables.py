"""Tables that the floorperson has opened."""

from config.schema import TableConfig
from controller.bench.rig import Rig


def opened(config: TableConfig) -> Rig:
    """A table that is open for wagers."""
    table = Rig(config)
    table.floor("open")
    table.press("enter")
    assert table.state.value == "bets-open", table.waiting_for
    return table
