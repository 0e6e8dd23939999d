"""A Sparkplug Edge Node and its devices: which messages follow from what is so now (Sparkplug 3.0, 4 to 6).

It reads no clock and no socket: callers pass milliseconds since 1970, and publish what is returned, in its order.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.floor.sparkplug.payload import DataType, Metric, Payload, PayloadError, Value, decode, encode
from controller.floor.sparkplug.table_metrics import Metrics

NAMESPACE = "spBv1.0"
REBIRTH = "Node Control/Rebirth"
BD_SEQ = "bdSeq"
NUMBERS = 256
"""Of ``seq`` and ``bdSeq``: they begin anew after 255."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be published; none of them is retained."""

    topic: str
    payload: bytes
    qos: int = 0


class EdgeNode:
    """One node.

    Attributes:
        is_born: whether its birth was published in the present session.
    """

    def __init__(self, group: str, node: str) -> None:
        self._group, self._node = group, node
        self._bd_seq, self._seq = -1, 0
        self._aliases: dict[tuple[str, str], int] = {}
        self._node_said: Metrics = {}
        self._said: dict[str, Metrics] = {}
        self.is_born = False

    @property
    def commands(self) -> tuple[str, str]:
        """The topics of commands: to the node, and to any device."""
        return self._topic("NCMD"), self._topic("DCMD", "+")

    def connect(self, now_ms: int) -> Outgoing:
        """A new connection will be opened; returns the message that is to be its will."""
        self._bd_seq = (self._bd_seq + 1) % NUMBERS
        self.is_born = False
        return self.death(now_ms)

    def death(self, now_ms: int) -> Outgoing:
        """The node's death; also published before a connection is closed on purpose."""
        payload = Payload([self._bd_metric(now_ms)], now_ms)
        return Outgoing(self._topic("NDEATH"), encode(payload), qos=1)

    def birth(self, now_ms: int, node: Metrics, devices: Mapping[str, Metrics]) -> list[Outgoing]:
        """The births of the node and of all devices: the first in a session, and after a rebirth request."""
        self._seq, self._node_said, self._said, self.is_born = 0, dict(node), {}, True
        own = [
            self._bd_metric(now_ms, self._alias("", BD_SEQ)),
            Metric(False, REBIRTH, datatype=DataType.BOOLEAN, stamp_ms=now_ms, value_type=DataType.BOOLEAN),
            *(self._born(now_ms, "", name, *value) for name, value in node.items()),
        ]
        births = [self._outgoing(self._topic("NBIRTH"), own, now_ms)]
        return births + [self._device_birth(now_ms, name, devices[name]) for name in sorted(devices)]

    def update(self, now_ms: int, node: Metrics, devices: Mapping[str, Metrics]) -> list[Outgoing]:
        """What has changed since the last message: births and deaths of devices, and values. Only after a birth.

        A device with a metric that it had not at its birth is ended and born again with it.
        """
        messages: list[Outgoing] = []
        for name in sorted(self._said):
            if name not in devices or not devices[name].keys() <= self._said[name].keys():
                del self._said[name]
                messages.append(self._outgoing(self._topic("DDEATH", name), [], now_ms))
        for name in sorted(devices):
            if name not in self._said:
                messages.append(self._device_birth(now_ms, name, devices[name]))
            elif changed := _changed(self._said[name], devices[name]):
                self._said[name] |= changed
                messages.append(self._data(self._topic("DDATA", name), now_ms, name, changed))
        if changed := _changed(self._node_said, node):
            self._node_said |= changed
            messages.append(self._data(self._topic("NDATA"), now_ms, "", changed))
        return messages

    def refusal(self, topic: str, payload: bytes) -> str:
        """Why a command is refused, as text; empty for the one that is taken, a rebirth request."""
        if topic != self.commands[0]:
            return "no device takes commands"
        try:
            metrics = decode(payload).metrics
        except PayloadError as error:
            return str(error)
        if len(metrics) == 1 and metrics[0].name == REBIRTH:
            return "" if metrics[0].value is True else f"{REBIRTH} must be true"
        names = ", ".join(str(one.name)[:80] for one in metrics[:5])
        return f"the node takes {REBIRTH} alone, and this is '{names}'"

    def _topic(self, kind: str, device: str = "") -> str:
        return "/".join((NAMESPACE, self._group, kind, self._node, *([device] if device else [])))

    def _alias(self, device: str, name: str) -> int:
        return self._aliases.setdefault((device, name), len(self._aliases) + 1)

    def _bd_metric(self, now_ms: int, alias: int | None = None) -> Metric:
        return Metric(self._bd_seq, BD_SEQ, alias, DataType.INT64, now_ms, DataType.INT64)

    def _born(self, now_ms: int, device: str, name: str, type_: DataType, value: Value) -> Metric:
        return Metric(value, name, self._alias(device, name), type_, now_ms, type_)

    def _device_birth(self, now_ms: int, device: str, metrics: Metrics) -> Outgoing:
        self._said[device] = dict(metrics)
        born = [self._born(now_ms, device, name, *value) for name, value in metrics.items()]
        return self._outgoing(self._topic("DBIRTH", device), born, now_ms)

    def _data(self, topic: str, now_ms: int, device: str, changed: Metrics) -> Outgoing:
        metrics = [
            Metric(value, alias=self._alias(device, name), stamp_ms=now_ms, value_type=type_)
            for name, (type_, value) in changed.items()
        ]
        return self._outgoing(topic, metrics, now_ms)

    def _outgoing(self, topic: str, metrics: list[Metric], now_ms: int) -> Outgoing:
        seq, self._seq = self._seq, (self._seq + 1) % NUMBERS
        return Outgoing(topic, encode(Payload(metrics, now_ms, seq)))


def _changed(said: Metrics, now: Metrics) -> Metrics:
    return {name: value for name, value in now.items() if said.get(name) != value}
