"""Whether the primary host application is online, as its STATE messages say (Sparkplug 3.0, chapter 5.3)."""

import json

from controller.floor.sparkplug.edge_node import NAMESPACE


class PrimaryHost:
    """The host that the node publishes for; without a name it counts as online.

    Attributes:
        is_online: as of the last message that counts.
    """

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._latest_ms = self._online_ms = -1
        self.is_online = name is None

    @property
    def topic(self) -> str:
        """Of its STATE messages; empty without a name."""
        return "" if self._name is None else f"{NAMESPACE}/STATE/{self._name}"

    def begin(self) -> None:
        """A session begins: the broker says again whether the host is online."""
        self.is_online = self._name is None

    def take(self, payload: bytes) -> None:
        """A STATE message has come; one that is older than those before, or none at all, changes nothing."""
        try:
            document = json.loads(payload[:1000])
            online, stamp_ms = document["online"], document["timestamp"]
        except (ValueError, KeyError, TypeError):
            return
        if not isinstance(online, bool) or isinstance(stamp_ms, bool) or not isinstance(stamp_ms, int):
            return
        if stamp_ms >= (self._latest_ms if online else self._online_ms):
            self.is_online = online
            self._latest_ms = max(self._latest_ms, stamp_ms)
            if online:
                self._online_ms = stamp_ms
