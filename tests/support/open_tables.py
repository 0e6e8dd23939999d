"""Tables that the floorperson has opened."""

from config.schema import TableConfig
from controller.bench.rig import Rig


def opened(config: TableConfig) -> Rig:
    """A table that is open for wagers after the first item of the floorperson's menu."""
    table = Rig(config)
    table.press("floor-key", "1", "enter")
    assert table.state.value == "bets-open", table.waiting_for
    return table
