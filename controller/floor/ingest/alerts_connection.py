"""Which of the floor's two connections a message is taken from.

The first one has everything, as that of a floor without a second. What is urgent comes over both, and is taken from
the second as soon as that has delivered anything: Mosquitto 2.0 grants a subscription whatever its list of access
says, and then delivers nothing. A table's state comes over the first one alone, since it says how far rounds were
handed over: before the rounds themselves it would show a gap that there is not.
"""

import logging

from controller.messages.topics import URGENT, Topic, parse

log = logging.getLogger("floor")

DELIVERS_NS = 10_000_000_000
"""The second connection has delivered something by then: each table's ``online`` is kept by the broker."""


class AlertsConnection:
    """The second connection, whether it is open or not. Callers pass the nanoseconds of a monotonic clock."""

    def __init__(self) -> None:
        self._opened_ns: int | None = None
        self._delivers = False
        self._reported = False

    def opened(self, now_ns: int) -> None:
        """It is open. Without this call there is none."""
        self._opened_ns = now_ns

    def closed(self) -> None:
        """It is not open any more: the first one takes everything again."""
        self._opened_ns, self._delivers = None, False

    def takes(self, topic: str, second: bool, now_ns: int) -> bool:
        """Whether a message is taken.

        Args:
            second: whether it came over the second connection.
        """
        if second:
            self._delivers = True
            return True
        if self._opened_ns is None or not _is_urgent(topic):
            return True
        if not self._delivers and not self._reported and now_ns - self._opened_ns > DELIVERS_NS:
            self._reported = True
            log.error(
                "the broker delivers nothing to the floor's connection for alerts: they wait behind rounds; "
                "its access list must let that certificate read tables/#; restart the broker after that"
            )
        return not self._delivers


def _is_urgent(topic: str) -> bool:
    try:
        return parse(topic)[1] in (*URGENT, Topic.HOUSE)
    except ValueError:
        return False
