"""The devices of one table, open."""

from collections.abc import Mapping

from hal.interfaces import EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput
from hal.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Devices:
    """A table's open devices."""

    switches: SwitchInput
    panel: LampPanel
    sounder: Sounder
    keys: Mapping[str, KeySource]
    """By the name of their section in the table's file."""
    head: EdgeSource | None = None
    reader: ResultReader | None = None

    def close(self) -> None:
        for device in (self.head, self.reader, *self.keys.values(), self.switches, self.sounder, self.panel):
            if device is not None:
                device.close()
