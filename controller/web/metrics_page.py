"""``/metrics``, which Prometheus reads: what table, publisher and floor each say of themselves, and the answer.

Loads the client library: imported only where ``metrics`` is configured.

Names follow https://prometheus.io/docs/practices/naming/: one prefix, base units, ``_total`` for what only grows.
No label has a round, a person or a dealer.
"""

import re
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Gauge, Info, disable_created_metrics
from prometheus_client.exposition import choose_encoder

from controller import __version__
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS
from hal.interfaces import Clock

PREFIX = "table_controller_"
_ODD_VERSION = re.compile(r"version=(?![0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?:[;,\s]|$))")
"""A version for which the library's choice raises, or that it would repeat in its answer."""


def process_registry(component: str, clock: Clock) -> CollectorRegistry:
    """A registry with the version and the start of this process.

    Args:
        component: table, publisher or floor.
    """
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    build = Info(f"{PREFIX}build", "The version that runs; always 1.", registry=registry)
    build.info({"component": component, "version": __version__})
    started = "When this process started, in seconds since 1970 UTC."
    Gauge(f"{PREFIX}start_time_seconds", started, unit="seconds", registry=registry).set(clock.utc_ns() / 1e9)
    return registry


def metrics_response(request: Request, registry: CollectorRegistry) -> Response:
    """The metrics in the format that the request accepts: OpenMetrics, else Prometheus' text format."""
    accept = request.headers.get("accept", "")
    encode, kind = choose_encoder("" if _ODD_VERSION.search(accept) else accept)
    return Response(HTTPStatus.OK, encode(registry), kind, (*GUARDS, FRESH))
