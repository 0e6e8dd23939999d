"""What a table watches besides the devices of its game."""

from typing import Protocol


class Watch(Protocol):
    """Started once the start of the table is on record; what it finds, it puts on record."""

    def start(self) -> None: ...

    def close(self) -> None: ...
