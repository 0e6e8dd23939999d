"""Whether the files that a floor's pages need can be used."""

from pathlib import Path

from config.floor import FloorConfig
from controller.web.metrics_token import MetricsTokenError, token_of
from controller.web.tls import TlsError, server_context


def pages_problems(config: FloorConfig) -> list[tuple[str, str]]:
    """What is wrong with the files that the pages need: the key of each, and a sentence. Nothing is connected."""
    screens, problems = config.screens, []
    if screens.tls is not None:
        try:
            server_context(Path(screens.tls.certificate), Path(screens.tls.key))
        except TlsError as error:
            problems.append(("screens.tls", str(error)))
    try:
        token_of(screens.metrics_token)
    except MetricsTokenError as error:
        problems.append(("screens.metrics_token", str(error)))
    return problems
