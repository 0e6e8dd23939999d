"""What the keys about the pages say together."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING

from config.problems import Finding
from config.schema import TableConfig

if TYPE_CHECKING:
    from config.floor import FloorConfig

_SCREENS = "screens"


def table_screens(config: TableConfig) -> Iterator[Finding]:
    """The pages of a table."""
    screens = config.screens
    if screens.metrics and not screens.enabled:
        message = "/metrics is one of the pages, and this file turns them off"
        remedy = "set `enabled: true`, or leave `metrics:` out"
        yield Finding((_SCREENS, "metrics"), message, remedy, see=((_SCREENS, "enabled"),))
    if screens.port == screens.display_port:
        message = "port and display_port are the same, and each serves pages of its own"
        yield Finding((_SCREENS, "display_port"), message, "take another one", see=((_SCREENS, "port"),))
    if screens.metrics_token is not None and not screens.metrics:
        message = "a token for metrics that are not served"
        yield Finding((_SCREENS, "metrics_token"), message, "set `metrics: true`, or leave it out")


def screens_advice(config: "TableConfig | FloorConfig") -> Iterator[str]:
    """What a file that is in order leaves open."""
    screens = config.screens
    if screens.enabled and not ip_address(screens.address).is_loopback:
        yield (
            f"the pages have no log-on: everybody who reaches {screens.address} can read them; serve them at "
            "127.0.0.1 and put nginx in front (docs/floor.md, Who may open the pages)"
        )
