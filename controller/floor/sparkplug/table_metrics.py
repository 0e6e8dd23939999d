"""What a table's messages say of it, as metrics of a Sparkplug device. Whether there is a dealer, and not who."""

from collections import Counter
from dataclasses import dataclass, field

from controller.floor.queries.times import ms_of
from controller.floor.sparkplug.payload import DataType, Value
from controller.messages.models import (
    AlertMessage,
    HealthMessage,
    Message,
    OnlineMessage,
    RoundClosed,
    StateMessage,
)

Metrics = dict[str, tuple[DataType, Value]]
"""By name: the type, and the present value."""
MOST_REASONS = 100
"""So many reasons of voids are counted apart; those beyond are in the total alone."""
MOST_ALERTS = 1_000


@dataclass
class DeviceMetrics:
    """One table. It is a device while it is online.

    Attributes:
        since_ms: when the bridge saw it come online.
    """

    online: bool = False
    since_ms: int = 0
    _online: OnlineMessage | None = None
    _state: StateMessage | None = None
    _health: HealthMessage | None = None
    _round: RoundClosed | None = None
    _voids: Counter[str] = field(default_factory=Counter)
    _alerts: dict[tuple[str, int, int], str] = field(default_factory=dict)

    def take(self, message: Message, now_ms: int) -> None:
        """A message of the table has come."""
        if isinstance(message, OnlineMessage):
            if message.online and not self.online:
                self.since_ms = now_ms
            self.online, self._online = message.online, message
        elif isinstance(message, StateMessage):
            self._state = message
        elif isinstance(message, HealthMessage):
            self._health = message
        elif isinstance(message, AlertMessage):
            self._take_alert(message)
        elif isinstance(message, RoundClosed):
            self._take_round(message)

    def _take_alert(self, alert: AlertMessage) -> None:
        over = self._round is not None and alert.record == self._round.record and alert.seq <= self._round.seq
        if not over and len(self._alerts) < MOST_ALERTS:
            self._alerts[(alert.record, alert.seq, alert.part)] = alert.text

    def _take_round(self, closed: RoundClosed) -> None:
        """A round that is published again, as the floor asks for it, says nothing new."""
        if self._round is not None and closed.closed <= self._round.closed:
            return
        self._round = closed
        for reason in closed.voids:
            if reason in self._voids or len(self._voids) < MOST_REASONS:
                self._voids[reason] += 1
        self._alerts = {
            key: text for key, text in self._alerts.items() if key[0] == closed.record and key[1] > closed.seq
        }

    def metrics(self) -> Metrics:
        """All metrics of the device. A value that is not known yet is null."""
        return {**self._of_table(), **self._of_rounds(), **self._of_sign(), **self._of_sensors()}

    def _of_table(self) -> Metrics:
        state, online = self._state, self._online
        return {
            "Game": _text(state.game if state else None),
            "State": _text(state.state if state else None),
            "Running": (DataType.BOOLEAN, None if online is None else online.running),
            "Online Since": (DataType.DATE_TIME, self.since_ms),
            "Software": _text(online.software if online else None),
            "Wheel": _text(state.wheel if state else None),
            "Dealer Present": (DataType.BOOLEAN, None if state is None else bool(state.dealer)),
            "Alerts/Active": (DataType.INT64, len(self._alerts)),
            "Alerts/Last": _text(next(reversed(self._alerts.values()), "")),
        }

    def _of_rounds(self) -> Metrics:
        state, last = self._state, self._round
        return {
            "Round/Number": (DataType.INT64, None if state is None else state.round),
            "Last Round/Number": (DataType.INT64, None if last is None else last.number),
            "Last Round/Result": _text(None if last is None else "; ".join(last.results)),
            "Last Round/Closed": (DataType.DATE_TIME, None if last is None else ms_of(last.closed)),
            "Last Round/Corrections": (DataType.INT64, None if last is None else last.corrections),
            **{f"Voids/{reason}": (DataType.INT64, count) for reason, count in sorted(self._voids.items())},
        }

    def _of_sign(self) -> Metrics:
        limits = None if self._state is None else self._state.limits
        return {
            "Limits/Minimum": _text(limits.minimum if limits else None),
            "Limits/Maximum": _text(limits.maximum if limits else None),
            "Limits/Payout": _text(limits.payout if limits else None),
            "Limits/Currency": _text(limits.currency if limits else None),
        }

    def _of_sensors(self) -> Metrics:
        devices = [] if self._health is None else self._health.devices
        return {f"Sensors/{one.device}": _text(one.state) for one in devices}


def _text(value: str | None) -> tuple[DataType, Value]:
    return (DataType.STRING, value)
