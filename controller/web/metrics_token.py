"""Who may read ``/metrics``: the token that Prometheus shows."""

import hmac
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS

PLACE = "/metrics"
LEAST_CHARACTERS = 16
"""A shorter token could be found by trying."""
_MOST_BYTES = 4096
_REFUSED = "the token is missing or wrong: send it as `Authorization: Bearer TOKEN`; see docs/floor.md"


class MetricsTokenError(Exception):
    """The file of the token cannot be used; the message says why and what to do."""


class MetricsToken:
    """Who shows it may read the metrics.

    Args:
        file: holds it, in one line; read once.

    Raises:
        MetricsTokenError: the file cannot be read, or holds no token.
    """

    def __init__(self, file: Path) -> None:
        try:
            with file.open("rb") as opened:
                token = opened.read(_MOST_BYTES).strip()
        except OSError as error:
            raise MetricsTokenError(f"{file}: {error.strerror}; write a token into it (docs/floor.md)") from error
        if len(token) < LEAST_CHARACTERS or any(byte <= 32 or byte > 126 for byte in token):
            raise MetricsTokenError(
                f"{file}: a token is one line of at least {LEAST_CHARACTERS} printable characters without blanks; "
                "make one with: openssl rand -hex 32"
            )
        self._token = token

    def admits(self, request: Request) -> bool:
        """Whether a request shows it; the comparison takes as long for any wrong token."""
        scheme, _, shown = request.headers.get("authorization", "").partition(" ")
        return hmac.compare_digest(shown.strip().encode(), self._token) and scheme.lower() == "bearer"


def refused(request: Request, token: MetricsToken | None) -> Response | None:
    """The answer to a request that may not read the metrics, or asks for something else; None if it may.

    Args:
        token: None if anybody may.
    """
    if request.path != PLACE:
        return Response(HTTPStatus.NOT_FOUND, b"there is nothing here\n", headers=(*GUARDS, FRESH))
    if token is None or token.admits(request):
        return None
    headers = (*GUARDS, FRESH, ("WWW-Authenticate", 'Bearer realm="metrics"'))
    return Response(HTTPStatus.UNAUTHORIZED, f"{_REFUSED}\n".encode(), headers=headers)


def token_of(file: str | None) -> MetricsToken | None:
    """The configured token; None for none.

    Raises:
        MetricsTokenError: its file cannot be used.
    """
    return MetricsToken(Path(file)) if file is not None else None


def unavailable(why: str) -> Callable[[Request], Response]:
    """Answers that there are no metrics, and why: what is served beside them does not depend on them."""

    def answer(request: Request) -> Response:
        return Response(HTTPStatus.SERVICE_UNAVAILABLE, f"no metrics: {why}\n".encode(), headers=(*GUARDS, FRESH))

    return answer
