"""What was last reported of a sensor's health: a change of it becomes events."""

from controller.events.event import Fault, Health, SensorHealth


class ReportedHealth:
    """The doubt about a group of sensors that was reported last."""

    def __init__(self) -> None:
        self._reported: Fault | None = None

    def change(self, doubt: Fault | None, at_ns: int) -> list[SensorHealth]:
        """The events of a doubt that was raised, changed or ended."""
        before, self._reported = self._reported, doubt
        if doubt == before:
            return []
        events = []
        if before is not None and (doubt is None or doubt.sensor != before.sensor):
            events.append(SensorHealth(at_ns, before.sensor, Health.OK))
        if doubt is not None and (before is None or (doubt.sensor, doubt.health) != (before.sensor, before.health)):
            events.append(SensorHealth(at_ns, doubt.sensor, doubt.health, doubt.detail))
        return events
