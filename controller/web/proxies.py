"""Who asks, where a trusted proxy stands between: it names its client in a header (RFC 7239, or the older custom).

Only the configured header of a configured address is read. Anybody can send such headers: those of others are
ignored, but show that a request has passed a proxy, so that it is not one of this computer (:func:`is_own`).
"""

import re
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from controller.web.exchange import Request

FORWARDED, X_FORWARDED_FOR = "forwarded", "x-forwarded-for"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PROTO = "x-forwarded-proto"
_PASSED = (FORWARDED, "via", "x-real-ip")
_PAIR = re.compile(r'\s*([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*')


class Proxies:
    """The trusted proxies.

    Args:
        addresses: numeric, from which they connect.
        header: the one in which they name their client: ``forwarded`` or ``x-forwarded-for``.
    """

    def __init__(self, addresses: Collection[str] = (), header: str = X_FORWARDED_FOR) -> None:
        self._addresses = {str(ip_address(address)) for address in addresses}
        self._header = header

    def trusts(self, address: str) -> bool:
        """Whether a trusted proxy has this address."""
        return address in self._addresses

    @property
    def on_loopback(self) -> bool:
        """Whether one of them is on this computer, so that loopback is nobody's own."""
        return any(ip_address(address).is_loopback for address in self._addresses)

    def client(self, address: str, headers: Mapping[str, str]) -> tuple[str, bool]:
        """The client's address, and whether the proxy says that it came over TLS.

        Without a usable header the address is empty: a proxy that hides its clients brings one peer.
        """
        if self._header == FORWARDED:
            pairs = _last_forwarded(headers.get(FORWARDED, ""))
            name, proto = pairs.get("for", ""), pairs.get("proto", "")
        else:
            name = headers.get(X_FORWARDED_FOR, "").rpartition(",")[2]
            proto = headers.get(_PROTO, "").rpartition(",")[2]
        return _address(name), proto.strip().lower() == "https"


def is_own(request: Request, proxies: Proxies) -> bool:
    """Whether a browser on this computer asks, as far as a connection over loopback can tell.

    False as soon as a proxy shows: one that is configured on this computer, a header that a proxy adds, or another
    name than a loopback one. A relay that passes bytes alone does not show; name it in ``screens: proxy:``.
    """
    if proxies.on_loopback or not _is_loopback(request.peer):
        return False
    if any(name in _PASSED or name.startswith("x-forwarded-") for name in request.headers):
        return False
    return host_of(request.headers.get("host", "")) in LOOPBACK


def host_of(header: str) -> str:
    """The name in a Host header, without its port: ``[::1]:8080`` gives ``::1``; empty if it is malformed."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _is_loopback(peer: str) -> bool:
    try:
        return ip_address(peer.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _last_forwarded(header: str) -> dict[str, str]:
    """The pairs of the last element, which the nearest proxy has added; none if it is malformed."""
    pairs: dict[str, str] = {}
    at = 0
    while at < len(header):
        found = _PAIR.match(header, at)
        if found is None:
            return {}
        name, quoted, plain = found.groups()
        pairs[name.lower()] = quoted if quoted is not None else plain
        at = found.end()
        if at < len(header):
            if header[at] == ",":
                pairs = {}
            elif header[at] != ";":
                return {}
            at += 1
    return pairs


def _address(name: str) -> str:
    """The address in a node identifier (RFC 7239, section 6), without its port; empty if there is none."""
    name = name.strip()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    try:
        return str(ip_address(name))
    except ValueError:
        return ""
