"""How soon a wheel's health is reported, on a fleet: ``python -m benchmarks.wheel_health --wheels 40``.

Each wheel is drawn at random, calibrated, and put in balance. Counted are findings of healthy wheels, after how
many spins an imbalance of 5% is named, how far a peg must be bent to be named by one spin, and on which day a
clapper that drifts 0.1 degrees a week is announced, beside the day of the first spin that is void by it.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from statistics import median
from time import perf_counter

from benchmarks.measured_wheel import MeasuredWheel, void_by_wear
from controller.commissioning.wheel_edges import MeasurementError
from controller.wheel_health.drift import WheelHealth
from controller.wheel_health.findings import WheelSign
from controller.wheel_health.measures import measure

_DAY_SPINS = 1000
_DAYS = 70
_BENDS = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4)


def fleet(wheels: int) -> list[MeasuredWheel]:
    """The first wheels of the fleet that can be calibrated, in balance."""
    found: list[MeasuredWheel] = []
    seed = 0
    while len(found) < wheels:
        with suppress(MeasurementError):  # It lacks a peg, or one is bent too far: it is repaired first.
            found.append(MeasuredWheel(seed).worn(imbalance_nm=0.0))
        seed += 1
    return found


def healthy(wheels: Sequence[MeasuredWheel], spins: int) -> Counter[WheelSign]:
    """What is found of wheels of which nothing is to be found."""
    found: Counter[WheelSign] = Counter()
    for wheel in wheels:
        health = WheelHealth(wheel.geometry)
        for spin, measures in wheel.spins(spins):
            found.update(one.sign for one in health.add(measures, spin.said == "touched"))
    return found


def unbalanced(wheel: MeasuredWheel) -> int:
    """After how many spins an imbalance is named that favours a section by 5%; 1,000 for never."""
    health = WheelHealth(wheel.geometry)
    for number, (spin, measures) in enumerate(wheel.out_of_balance(0.05, 90.0).spins(999), 1):
        if any(one.sign is WheelSign.IMBALANCE for one in health.add(measures, spin.said == "touched")):
            return number
    return 1000


def bent(wheel: MeasuredWheel, by_deg: float) -> bool:
    """Whether one spin names a peg that is bent so far."""
    pegs = {**wheel.settings.bent_pegs, 7: wheel.settings.bent_pegs.get(7, 0.0) + by_deg}
    health = WheelHealth(wheel.geometry)
    _, measures = next(wheel.worn(bent_pegs=pegs).spins(1))
    return [one.peg for one in health.add(measures)] == [7]


def drifting(wheel: MeasuredWheel, simulated: int) -> tuple[int, int, str]:
    """The day of the first finding, the day of the first void spin, and what it was void as.

    Args:
        simulated: of a day's thousand spins; each counts for as many as are left out.
    """
    health, named = WheelHealth(wheel.geometry), _DAYS
    for day in range(_DAYS):
        worn = wheel.worn(set_deg=wheel.settings.set_deg + 0.1 * day / 7)
        for spin, measures in worn.spins(simulated):
            if void_by_wear(spin):
                return named, day, spin.said
            for _ in range(_DAY_SPINS // simulated):
                if health.add(measures):
                    named = min(named, day)
    return named, _DAYS, "never"


def cost(wheel: MeasuredWheel) -> float:
    """Milliseconds to measure a spin."""
    recorded = [wheel.recorded()[1:] for _ in range(20)]
    began = perf_counter()
    for levels, edges, stamps in recorded:
        measure(levels, edges, stamps, wheel.geometry)
    return (perf_counter() - began) * 1000 / len(recorded)


def main() -> None:
    """Print the figures."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=int, default=40)
    parser.add_argument("--spins", type=int, default=500, help="of each healthy wheel")
    parser.add_argument("--simulated", type=int, default=10, help="of the thousand spins of a day, for drift")
    arguments = parser.parse_args()
    wheels = fleet(arguments.wheels)
    found = healthy(wheels, arguments.spins)
    print(f"{len(wheels)} healthy wheels, {len(wheels) * arguments.spins} spins: {dict(found) or 'nothing'} found")
    after = [unbalanced(wheel) for wheel in wheels]
    print(f"an imbalance of 5% is named after {median(after):.0f} spins, {max(after)} at most")
    for by_deg in _BENDS:
        named = sum(bent(wheel, way * by_deg) for wheel in wheels for way in (1, -1))
        print(f"a peg bent by {by_deg} degrees is named by one spin: {named} of {2 * len(wheels)}")
    days = [drifting(wheel, arguments.simulated) for wheel in wheels]
    late = [(wheel.settings.seed, *one) for wheel, one in zip(wheels, days, strict=True) if one[0] >= one[1]]
    announced, void = [one[0] for one in days], [one[1] for one in days]
    print(f"0.1 degrees a week: announced on day {median(announced):.0f}, {max(announced)} at most;")
    print(f"first void on day {median(void):.0f}, {min(void)} at least")
    print(f"first voids: {dict(Counter(one[2] for one in days))}; not announced before: {late}")
    print(f"a spin is measured in {median(cost(wheel) for wheel in wheels):.1f} ms")


if __name__ == "__main__":
    main()
