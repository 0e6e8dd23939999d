"""What a lamp panel must do, whatever drives it."""

import itertools
from collections.abc import Callable
from typing import Protocol

from hal.interfaces import LampPanel

LAMPS = {"1": 0, "2": 1, "small": 2, "big": 7, "total-4": 8, "total-17": 15}
"""Areas, and the outputs that their lamps are wired to."""


class PanelBench(Protocol):
    """A panel with :data:`LAMPS`, and a view of its lamps."""

    device: LampPanel
    tells: bool
    """Whether it reads the lamps back."""

    def run(self, action: Callable[[], object]) -> object: ...

    def burning(self) -> set[int]:
        """The outputs that are really on."""


class PanelContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`PanelBench`."""

    def show(self, bench: PanelBench, *areas: str) -> None:
        bench.run(lambda: bench.device.show(frozenset(areas)))
        assert bench.burning() == {LAMPS[area] for area in areas}
        expected = frozenset(areas) if bench.tells else None
        assert bench.run(bench.device.read_back) == expected

    def test_all_lamps_are_dark_at_first(self, bench: PanelBench) -> None:
        assert bench.burning() == set()

    def test_every_lamp_alone_and_every_two(self, bench: PanelBench) -> None:
        for count in (0, 1, 2):
            for areas in itertools.combinations(LAMPS, count):
                self.show(bench, *areas)

    def test_all_and_none(self, bench: PanelBench) -> None:
        self.show(bench, *LAMPS)
        self.show(bench)

    def test_a_panel_may_be_closed_twice(self, bench: PanelBench) -> None:
        self.show(bench, "1", "big")
        bench.run(bench.device.close)
        bench.run(bench.device.close)
