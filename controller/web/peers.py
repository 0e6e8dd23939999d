"""Slots for connections, limited by peer, so that no peer can keep others out.

A peer is an IPv4 address, or the first 64 bits of an IPv6 address, which one network has as a whole. This computer
has slots of its own, which no peer elsewhere can take, and the last slots, of all and of each peer, are for
urgent paths alone: at a table the dealer's screen.
"""

from collections import Counter
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
_PROXY_GROUP = "a proxy"


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


def is_this_computer(address: str) -> bool:
    """Whether an address is a loopback one."""
    return group_of(address) == _OWN_GROUP


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

    def enter(self, address: str, proxy: bool = False) -> Slot | None:
        """A slot for a connection from an address; None if there is none for it.

        Args:
            proxy: whether a trusted proxy is there, which brings many peers.
        """
        group = _PROXY_GROUP if proxy else group_of(address)
        free, free_of_peer = self._free(group), CONNECTIONS
        if group not in (_OWN_GROUP, _PROXY_GROUP):
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


class BehindProxy:
    """The requests under way of each peer behind trusted proxies, limited like connections."""

    def __init__(self) -> None:
        self._groups: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a request; False if its peer has too many under way."""
        group = group_of(address)
        if self._groups[group] >= PEER:
            return False
        self._groups[group] += 1
        return True

    def leave(self, address: str) -> None:
        """A request of this peer has ended."""
        group = group_of(address)
        self._groups[group] -= 1
        if self._groups[group] <= 0:
            del self._groups[group]
