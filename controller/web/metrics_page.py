"""The page ``/metrics``, which Prometheus reads: its answers, also that of one which cannot be given."""

from collections.abc import Iterable
from http import HTTPStatus

from prometheus_client import Metric

from controller.metrics.families import exposed
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS


def metrics_response(request: Request, families: Iterable[Metric]) -> Response:
    """The metrics in the format that the request accepts."""
    body, kind = exposed(families, request.headers.get("accept", ""))
    return Response(HTTPStatus.OK, body, kind, (*GUARDS, FRESH))
