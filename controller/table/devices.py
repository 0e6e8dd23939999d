"""The devices of one table, open."""

from collections.abc import Mapping
from typing import NamedTuple

from hal.interfaces import EdgeSource, KeySource, LampPanel, ResultReader, Sounder, SwitchInput, TamperInput


class Devices(NamedTuple):
    """A table's open devices."""

    switches: SwitchInput
    panel: LampPanel
    sounder: Sounder
    keys: Mapping[str, KeySource]
    """By the name of their section in the table's file."""
    head: EdgeSource | None = None
    reader: ResultReader | None = None
    tamper: TamperInput | None = None

    def close(self) -> None:
        inputs = (self.head, self.reader, self.tamper, *self.keys.values(), self.switches)
        for device in (*inputs, self.sounder, self.panel):
            if device is not None:
                device.close()
