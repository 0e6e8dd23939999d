"""The pegs of a simulated wheel as they were really set: out of place, bent, or gone."""

import math
from bisect import bisect_left

import numpy as np

from hal.errors import HalError
from hal.mock.arrays import Floats
from hal.mock.settings import WheelSettings


class Pegs:
    """Where the pegs stand, in sections along the rim: peg ``k`` at about ``k``, for any whole number ``k``.

    Pegs that are there are counted by *ordinals*: ordinal 0 is the first one of the turn that begins at 0.

    Raises:
        HalError: pegs are bent past each other, or fewer than two are there.
    """

    def __init__(self, settings: WheelSettings, sections: int, rng: np.random.Generator) -> None:
        self.sections = sections
        error = settings.peg_error_deg / 360 * sections
        places = np.arange(sections) + rng.uniform(-error, error, sections)
        for peg, bent_deg in settings.bent_pegs.items():
            places[peg % sections] += bent_deg / 360 * sections
        gone = {peg % sections for peg in settings.missing_pegs}
        numbers = [peg for peg in range(sections) if peg not in gone]
        if len(numbers) < 2 or (np.diff(places, append=places[0] + sections) <= 0).any():
            raise HalError("the simulated wheel's pegs are bent past each other, or gone; see its options")
        self._places = [float(place) for place in places]
        self.numbers = numbers
        self.there = places[numbers]
        """The places of those that are there, within one turn."""
        self._there = [float(place) for place in self.there]
        self.count = len(numbers)
        """How many are there."""

    @property
    def least_gap(self) -> float:
        """The least distance between two neighbours that are there, in sections."""
        return float(np.diff(self.there, append=self.there[0] + self.sections).min())

    def at(self, peg: int) -> float:
        """Where a peg stands; of a missing one, where it stood."""
        turns, peg = divmod(peg, self.sections)
        return self._places[peg] + turns * self.sections

    def section(self, x: float) -> int:
        """The section that lies at a place, bounded by the pegs as they stand."""
        peg = math.floor(x)
        while self.at(peg) > x:
            peg -= 1
        while self.at(peg + 1) <= x:
            peg += 1
        return peg % self.sections

    # -- those that are there --------------------------------------------------------------------------------

    def number(self, ordinal: int) -> int:
        """A peg's number by its ordinal."""
        turns, place = divmod(ordinal, self.count)
        return self.numbers[place] + turns * self.sections

    def place(self, ordinal: int) -> float:
        """Where the peg of an ordinal stands."""
        turns, place = divmod(ordinal, self.count)
        return self._there[place] + turns * self.sections

    def places(self, ordinals: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> tuple[Floats, Floats]:
        """Where the pegs of these ordinals stand, and which of those that are there each of them is."""
        turns, which = np.divmod(ordinals, self.count)
        return self.there[which] + turns * self.sections, which

    def ordinal_from(self, x: float) -> int:
        """The first peg that stands at ``x`` or beyond, counterclockwise."""
        turns = math.floor(x / self.sections)
        place, along = bisect_left(self._there, x - turns * self.sections), turns * self.sections
        ordinal = turns * self.count + place
        if 0 < place < self.count and self._there[place] + along >= x > self._there[place - 1] + along:
            return ordinal
        # Next to the end of a turn, or within the rounding of a place.
        while self.place(ordinal) < x:
            ordinal += 1
        while self.place(ordinal - 1) >= x:
            ordinal -= 1
        return ordinal
