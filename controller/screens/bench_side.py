"""What the screens of a table on simulated hardware ask of its bench."""

from collections.abc import Mapping
from typing import Protocol

from controller.viewmodel import bench_documents


class BenchSide(Protocol):
    """What a bench adds to the pages of its table."""

    @property
    def powered(self) -> bool:
        """Whether the table's computer is on."""

    def picture(self) -> bench_documents.Bench:
        """The state of the simulated hardware."""

    def breakages(self) -> list[bench_documents.InjectableFault]:
        """The faults that can be injected."""

    def act(self, body: Mapping[str, object]) -> None:
        """Carry out a request of the page; raises ValueError if it is not possible."""
