"""The server of the pages as a file configures it: TLS, and the proxies that are trusted."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from config.schema import ScreensSection
from controller.web.exchange import Handler
from controller.web.proxies import Proxies
from controller.web.server import HttpServer
from controller.web.tls import Certificates


def proxies_of(screens: ScreensSection) -> Proxies:
    """The trusted ones."""
    proxy = screens.proxy
    return Proxies() if proxy is None else Proxies(proxy.addresses, proxy.header)


def configured_server(
    screens: ScreensSection, handle: Handler, log: logging.Logger, urgent: Callable[[str], bool] = lambda path: True
) -> HttpServer:
    """The server; it does not listen yet.

    Args:
        urgent: whether a path may take the last slots.
    """
    tls = screens.tls
    read = None if tls is None else partial(Certificates, Path(tls.certificate), Path(tls.key), log)
    return HttpServer(handle, read, proxies_of(screens), urgent)
