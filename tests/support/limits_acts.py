"""What the tests of the limits share."""

from collections.abc import Callable

from limits_table import MIN_S, announce, change

from config.schema import TableConfig
from controller.bench.rig import Rig

Shipped = Callable[[str], TableConfig]


def played(table: Rig) -> Rig:
    """Two rounds, with other limits in each."""
    for amounts in (("10", "1000"), ("20", "2000", "50000")):
        announce(table, change(*amounts))
        table.wait(33 * MIN_S)
        table.press("no-more-bets")
        table.spin(stop_on="10")
        table.press("done", "done", "clear")
    return table
