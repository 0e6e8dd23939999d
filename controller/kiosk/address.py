"""Where this computer's display finds its page: at loopback, where it needs no log-on."""

from ipaddress import ip_address

from config.schema import ScreensSection

PATHS = {"board": "/", "dealer": "/dealer"}


def url_of(screens: ScreensSection) -> str:
    """The address of the kiosk's page.

    An address of the network alone is served at loopback, too, without TLS
    (:func:`controller.screens.listening.listen`); all addresses with TLS have it there as well.
    """
    address = ip_address(screens.address)
    everywhere_or_own = address.is_loopback or address.is_unspecified
    scheme = "https" if screens.tls is not None and everywhere_or_own else "http"
    host = "[::1]" if address.version == 6 and everywhere_or_own else "127.0.0.1"
    return f"{scheme}://{host}:{screens.port}{PATHS[screens.kiosk or 'dealer']}"
