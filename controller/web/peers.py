"""Slots for connections, limited by peer, so that no peer can keep others out.

A peer is an IPv4 address, or the first 64 bits of an IPv6 address, which one network has as a whole. This computer
has slots of its own, which no peer elsewhere can take, and the last slots, of all and of each peer, are for
urgent paths alone: at a table the dealer's screen.
"""

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address

CONNECTIONS = 256
"""Maximum number at once; further ones get status 503."""
OWN = 32
"""How many of them only this computer can have."""
OTHERS = 32
"""How many of them this computer leaves to others: what seems to be this computer may be a relay on it."""
PEER = 32
"""Maximum number of one peer elsewhere. A browser opens up to six for one page."""
URGENT, PEER_URGENT = 16, 4
"""How many of the last slots, of all and of one peer, are for urgent paths."""

_OWN_GROUP = "this computer"


def group_of(address: str) -> str:
    """The peer that an address counts for; empty for what is no address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        if mapped is None:
            return _OWN_GROUP if parsed.is_loopback else str(IPv6Address(int(parsed) >> 64 << 64))
        parsed = mapped
    return _OWN_GROUP if parsed.is_loopback else str(parsed)


def client_of(address: str, headers: Mapping[str, str]) -> str:
    """Who asks: behind a proxy on this computer, the client that the proxy names in ``X-Forwarded-For``.

    It decides nothing but whose turn it is: any program on this computer could name anybody.
    """
    named = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
    return named if group_of(address) == _OWN_GROUP and group_of(named) else address


class Slot:
    """A slot that a connection has until :meth:`leave`.

    Attributes:
        urgent: whether it is one of the last, and good for urgent paths alone.
    """

    def __init__(self, slots: "Slots", group: str, urgent: bool) -> None:
        self._slots: Slots | None = slots
        self._group = group
        self.urgent = urgent

    def leave(self) -> None:
        """Give it back; a second time does nothing."""
        if self._slots is not None:
            self._slots._leave(self._group)
            self._slots = None


class Slots:
    """The slots of a server."""

    def __init__(self) -> None:
        self._groups: Counter[str] = Counter()

    def enter(self, address: str) -> Slot | None:
        """A slot for a connection from an address; None if there is none for it."""
        group = group_of(address)
        free, free_of_peer = self._free(group), CONNECTIONS
        if group != _OWN_GROUP:
            free_of_peer = PEER - self._groups[group]
        if free <= 0 or free_of_peer <= 0:
            return None
        self._groups[group] += 1
        return Slot(self, group, free <= URGENT or free_of_peer <= PEER_URGENT)

    def _free(self, group: str) -> int:
        """How many slots this group finds."""
        own = self._groups[_OWN_GROUP]
        others = self._groups.total() - own
        if group == _OWN_GROUP:
            return min(CONNECTIONS - own - others, CONNECTIONS - OTHERS - own)
        return min(CONNECTIONS - own - others, CONNECTIONS - OWN - others)

    def _leave(self, group: str) -> None:
        self._groups[group] -= 1
        if not self._groups[group]:
            del self._groups[group]
