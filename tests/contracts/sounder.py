"""What a buzzer must do, whatever drives it."""

from collections.abc import Callable
from typing import Protocol

from hal.interfaces import Sounder


class SounderBench(Protocol):
    """A buzzer, and a count of its beeps."""

    device: Sounder

    def run(self, action: Callable[[], object]) -> object: ...

    def until(self, condition: Callable[[], bool]) -> None: ...

    def sounds(self) -> int:
        """How many times it has begun to sound."""

    def sounding(self) -> bool:
        """Whether it sounds now."""


class SounderContract:
    """Subclass it with a fixture ``bench`` that gives a :class:`SounderBench`."""

    def test_it_is_silent_at_first(self, bench: SounderBench) -> None:
        assert not bench.sounding()
        assert bench.sounds() == 0

    def test_every_beep_is_heard_and_ends(self, bench: SounderBench) -> None:
        for number in range(1, 4):
            bench.run(bench.device.beep)
            assert bench.sounds() == number
            bench.until(lambda: not bench.sounding())

    def test_a_closed_buzzer_is_silent_and_may_be_closed_twice(self, bench: SounderBench) -> None:
        bench.run(bench.device.beep)
        bench.run(bench.device.close)
        bench.run(bench.device.close)
        assert not bench.sounding()
