"""What the keys about the pages say together: who could read along, and who could look."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING

from config.problems import Finding
from config.schema import ScreensSection, TableConfig

if TYPE_CHECKING:
    from config.floor import FloorConfig

_SCREENS = "screens"
_TLS_REMEDY = (
    "give `tls:` with certificate and key, or `proxy:` with the address of the proxy that has them, "
    "or serve the pages at 127.0.0.1"
)


def beyond_loopback(screens: ScreensSection) -> bool:
    """Whether other computers reach the pages: directly, or by a proxy."""
    return screens.enabled and (not ip_address(screens.address).is_loopback or screens.proxy is not None)


def readable_log_on(screens: ScreensSection) -> bool:
    """Whether people at other computers would log on without TLS."""
    plain = screens.tls is None and screens.proxy is None
    return beyond_loopback(screens) and plain and screens.log_on is not None


def table_door(config: TableConfig) -> Iterator[Finding]:
    """The pages of a table: local accounts alone, and never over plain HTTP."""
    screens = config.screens
    if screens.log_on is not None and screens.log_on.oidc is not None:
        yield Finding(
            (_SCREENS, "log_on", "oidc"),
            "a table has local accounts alone, which need no network",
            "give `accounts:` with the file of accounts, and leave `oidc` out",
        )
    if screens.open and screens.log_on is None:
        yield Finding((_SCREENS, "open"), "without `log_on:` every page is open", "leave it out, or give `log_on:`")
    yield from _log_on_in_the_clear(screens)
    yield from _metrics(screens)
    metrics = config.broker.metrics if config.broker is not None else None
    if metrics is not None and screens.enabled and metrics.port == screens.port:
        yield Finding(
            ("broker", "metrics", "port"),
            f"port {metrics.port} is that of the pages",
            "give the publisher another one",
            see=((_SCREENS, "port"),),
        )


def floor_door(config: "FloorConfig") -> Iterator[Finding]:
    """The pages of a floor: a log-on as soon as other computers reach them."""
    screens = config.screens
    if beyond_loopback(screens) and screens.log_on is None:
        yield Finding(
            (_SCREENS, "address"),
            "other computers would reach the floor's pages, and everybody there could read what each dealer does",
            "give `log_on:` with `accounts: /var/lib/table-controller-floor/accounts.json`, make an account with "
            "`table-controller account` (docs/floor.md), or serve the pages at 127.0.0.1",
        )
    if screens.open:
        yield Finding((_SCREENS, "open"), "no page of a floor is open", "leave it out")
    if screens.house is not None:
        yield Finding((_SCREENS, "house"), "the pages of a floor show no house", "leave it out")
    yield from _log_on_in_the_clear(screens)
    yield from _metrics(screens)


def _metrics(screens: ScreensSection) -> Iterator[Finding]:
    """They are a page among the others."""
    if screens.metrics and not screens.enabled:
        message = "/metrics is one of the pages, and this file turns them off"
        remedy = "set `enabled: true`, or leave `metrics:` out"
        yield Finding((_SCREENS, "metrics"), message, remedy, see=((_SCREENS, "enabled"),))
    if screens.metrics_token is not None and not screens.metrics:
        message = "a token for metrics that are not served"
        yield Finding((_SCREENS, "metrics_token"), message, "set `metrics: true`, or leave it out")


def _log_on_in_the_clear(screens: ScreensSection) -> Iterator[Finding]:
    if readable_log_on(screens):
        yield Finding(
            (_SCREENS, "log_on"),
            "whoever reads the network would read passwords: the pages are served to other computers without TLS",
            _TLS_REMEDY,
            see=((_SCREENS, "address"),),
        )


def table_door_advice(config: TableConfig) -> Iterator[str]:
    """What a table's file that is in order leaves open."""
    screens = config.screens
    if not beyond_loopback(screens):
        return
    if screens.tls is None and screens.proxy is None:
        yield "the pages are served to other computers without TLS; give `screens: tls:` with certificate and key"
    if screens.log_on is None:
        yield (
            "everybody who reaches the pages may open all of them, the dealer's screen and the record included; "
            "give `screens: log_on:` with `accounts:`, and `open: [board]` for a players' board that stays open"
        )


def floor_door_advice(config: "FloorConfig") -> Iterator[str]:
    """What a floor's file that is in order leaves open."""
    if config.screens.enabled and config.screens.log_on is None:
        yield (
            "whoever uses this computer may open the pages without a log-on, nobody can acknowledge alerts, and "
            "nothing says who looked; give `screens: log_on:` (docs/floor.md)"
        )
