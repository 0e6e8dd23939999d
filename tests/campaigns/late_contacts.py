"""A contact that dies in the last moments of a spin: ``python -m campaigns.late_contacts``.

Where a peg closes the contact within the very count in which the wheel comes to rest, the encoder does not say on
which side of that place it rests: an open contact is believed there. Counted are the honest spins that rest there
with the clapper free, which would be void if it were not believed, those that rest there bent, and the results
that are wrong when the line dies in the last 2.5 seconds.
"""

import random
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from campaigns.broken_spins import LineFault, RecordedThrow
from campaigns.fleet_processes import add_fleet_arguments, over_the_fleet
from campaigns.fleet_wheel import FleetWheel

from controller.commissioning.wheel_edges import MeasurementError

_LAST_NS = 2_500_000_000
IN_ITS_COUNT = "where a peg closes the contact within the count"


@dataclass(slots=True)
class LateTally:
    """What was counted.

    Attributes:
        honest: rests without a fault: free or bent, within such a count or elsewhere.
        died: how spins ended whose contact died.
        wrong: where a result was not where the wheel stands.
    """

    wheels: int = 0
    honest: Counter[str] = field(default_factory=Counter)
    died: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "LateTally") -> None:
        """Take in another tally."""
        self.wheels += other.wheels
        self.honest.update(other.honest)
        self.died.update(other.died)
        self.wrong += other.wrong


def closes_here(wheel: FleetWheel) -> bool:
    """Whether a peg closes the contact within the count at which the wheel rests."""
    geometry, at = wheel.geometry, wheel.tracker.position
    if at is None:
        return False
    turn = geometry.counts_per_turn
    count = (at - geometry.index_offset_counts) % turn
    near = geometry.section_near(count)
    return any(
        int(geometry.closes_at(peg, way) // 1) % turn == count
        for peg, way in ((near - 1, 1), (near, 1), (near + 1, 1), (near, -1), (near + 1, -1), (near + 2, -1))
    )


def of_wheel(seed: int, spins: int, deaths: int) -> LateTally:
    """One wheel: so many honest spins, in each of which the contact dies so many times."""
    tally = LateTally()
    try:
        wheel = FleetWheel(seed)
    except MeasurementError:
        return tally
    tally.wheels += 1
    rng = random.Random(seed)
    for number in range(spins):
        throw = RecordedThrow(wheel)
        where = IN_ITS_COUNT if closes_here(wheel) else "elsewhere"
        tally.honest[f"{'bent' if throw.bent else 'free'} {where}"] += 1
        for death in range(deaths):
            at_ns = max(throw.begins_ns, rng.randint(throw.ends_ns - _LAST_NS, throw.ends_ns))
            said, right = throw.broken(
                throw.until(at_ns), at_ns, [LineFault("stuck-low", "C", 0.0, at_ns, None)], death
            )
            tally.died[said] += 1
            if said == "result" and not right:
                before_ms = (throw.ends_ns - at_ns) / 1e6
                tally.wrong.append(f"wheel {seed}, spin {number}: died {before_ms:.0f} ms before the last edge")
    return tally


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m campaigns.late_contacts", description=__doc__)
    parser.add_argument("--spins", type=int, default=100, help="honest spins of each (default %(default)s)")
    parser.add_argument("--deaths", type=int, default=4, help="deaths of the contact in each (default %(default)s)")
    add_fleet_arguments(parser, wheels=30)
    chosen = parser.parse_args(words)
    tally = LateTally()
    for one in over_the_fleet(partial(of_wheel, spins=chosen.spins, deaths=chosen.deaths), chosen):
        tally.add(one)
    print(f"{tally.wheels} wheels; {tally.honest.total()} honest spins: {dict(tally.honest)}")
    print(f"{tally.died.total()} spins whose contact died: {dict(tally.died)}")
    print(f"wrong results: {len(tally.wrong)}")
    print("".join(f"  {line}\n" for line in tally.wrong), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
