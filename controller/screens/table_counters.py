"""Counts what a table records, for its metrics. A listener of a table whose file asks for them, and of no other."""

from collections import Counter

from controller.events.effect import Alert, Bonus, Refused, Result, RoundOpened, Void, WagersReturned
from controller.events.event import BallLeftTrack, Press, WheelRested
from controller.journal.record import RecordedDecision
from controller.metrics.label_values import LabelValues
from controller.statechart.machine import Outcome

_SPINS = (WheelRested, BallLeftTrack)
_CORRECT = "correct"


class TableCounters:
    """Since this process started; a restart begins at 0, which Prometheus knows of counters.

    Attributes:
        voids: void spins and rolls, by reason.
        returned: how often wagers went back to the players, by reason.
    """

    def __init__(self) -> None:
        self.decisions = self.rounds = self.spins = self.results = self.bonuses = 0
        self.corrections = self.refused = self.alerts = 0
        self.voids: Counter[str] = Counter()
        self.returned: Counter[str] = Counter()
        self._reasons = LabelValues()

    def count(self, recorded: RecordedDecision, inspecting: bool) -> None:
        """Count a decision.

        Args:
            inspecting: people try the sensors: a wheel that turns is no spin.
        """
        record = recorded.record
        self.decisions += 1
        accepted = record.outcome == Outcome.ACCEPTED.value
        if isinstance(record.event, _SPINS):
            self.spins += accepted and not inspecting
        elif isinstance(record.event, Press) and record.event.control == _CORRECT:
            self.corrections += accepted
        for effect in record.effects:
            if isinstance(effect, Void):
                self.voids[self._reasons.of(effect.reason)] += 1
            elif isinstance(effect, WagersReturned):
                self.returned[self._reasons.of(effect.reason)] += 1
            else:
                self.rounds += isinstance(effect, RoundOpened)
                self.results += isinstance(effect, Result)
                self.bonuses += isinstance(effect, Bonus)
                self.refused += isinstance(effect, Refused)
                self.alerts += isinstance(effect, Alert)
