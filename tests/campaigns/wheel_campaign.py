"""A fleet of calibrated wheels is spun: ``python -m campaigns.wheel_campaign --wheels 100``.

Each wheel is drawn at random (``fleet.py``), calibrated from a recording of itself, and spun: honestly, touched by
hands, and with sensors that break. A spin with faults is thrown once, and ends again and again, each time in
another way. Counted are results that are wrong, honest spins that are void though the clapper hangs free, and hands
that were found. With ``--uncalibrated`` they are wheels as a table assumes them that was not calibrated.
"""

import math
import sys
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from random import Random

from campaigns import running
from campaigns.fleet_wheel import FleetWheel, Spin, not_calibrated
from faulty_dealer import ease, sensor_fault

from controller.commissioning.wheel_recording import MeasurementError
from controller.tracking.clapper_wheel.hand import DETECTORS
from hal.mock.clock import NS_PER_S

_ASKED = 3
"""A hand that moves the rest by so many sections has to be noticed."""
_AT_REST = frozenset({"swapped"})
"""Wires are crossed only while the wheel is at rest."""
_SHORTED = {("stuck-low", "clapper"), ("dead-clapper", "")}
"""The contact's line says from then on that the clapper hangs free."""
_MOVED = (1, 2, 3, math.inf)
"""Hands by what they did: upper ends, in sections, of how much nearer or farther the wheel came to rest."""
_RESOLUTIONS = (720, 1000, 1440, 4096)
"""Counts of a turn of wheels that are not calibrated."""
_LATE_S = 1.5
"""Four of five moments at which sensors break are so late."""


@dataclass
class Tally(running.Tally):
    """What was counted.

    Attributes:
        hands: by kind: how far the rest was moved, at most; whether it became a result.
        faults: how spins ended whose sensors broke.
        through: by faults, how many became a right result in spite of them.
        shorted: results on a peg with the contact shorted, of these.
        detectors: of hands, that found something, by what was done: see :func:`_detected`.
    """

    wheels: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    honest: Counter[str] = field(default_factory=Counter)
    hands: Counter[tuple[str, float, bool]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    through: Counter[str] = field(default_factory=Counter)
    shorted: int = 0
    detectors: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    void: list[str] = field(default_factory=list)


def of_wheel(
    seed: int,
    spins: int = 0,
    hands: int = 0,
    faults: int = 0,
    moments: int = 6,
    ways: int = 10,
    uncalibrated: bool = False,
) -> Tally:
    """One wheel: so many honest spins, so many that a hand touches, and so many in which sensors break.

    Args:
        moments: at which they break, each time in so many ways.
    """
    tally = Tally()
    try:
        wheel = not_calibrated(seed, _RESOLUTIONS[seed % 4]) if uncalibrated else FleetWheel(seed)
    except MeasurementError as error:
        tally.refused[str(error).partition(":")[0]] += 1
        return tally
    tally.wheels += 1
    for number in range(spins):
        wheel.throw()
        _count_honest(tally, wheel, f"wheel {seed}, spin {number}")
    for number in range(hands):
        _touch(tally, wheel, f"wheel {seed}, hand {number}")
    for number in range(faults):
        where = f"wheel {seed}, fault {number}"
        for way in range(ways):
            _break(tally, deepcopy(wheel), Random(f"{where} before {way}"), where, before=True)
        wheel.throw()
        wheel.advance(1.2)
        left_s = wheel.left_s
        begins = [
            wheel.rng.uniform(0, left_s) if n % 5 == 0 else left_s - wheel.rng.uniform(0, _LATE_S)
            for n in range(moments)
        ]
        for moment, after_s in enumerate(sorted(begins)):
            wheel.advance(max(0.0, after_s - left_s + wheel.left_s))
            for way in range(ways):
                _break(tally, deepcopy(wheel), Random(f"{where} {moment} {way}"), f"{where}, {moment}, {way}")
        _count_honest(tally, wheel, where)
    return tally


def _detected(tally: Tally, what: str, spin: Spin) -> None:
    """Note which detectors found a hand: a spin that is not right would be a wrong result without them."""
    if spin.detectors:
        wrong = "" if spin.right or spin.bent else ", else a wrong result"
        tally.detectors[what + wrong, spin.detectors] += 1


def _count_honest(tally: Tally, wheel: FleetWheel, where: str) -> None:
    spin = wheel.end()
    tally.honest[f"{spin.said}, clapper bent" if spin.bent and spin.said != "result" else spin.said] += 1
    if spin.said == "moved" or (spin.said == "result" and not spin.right):
        tally.wrong.append(f"{where}: {spin.said}")
    elif spin.said in ("touched", "fault", "nothing") or (spin.said == "between" and not spin.bent):
        tally.void.append(f"{where}: {spin.said} {spin.detail}")
    _detected(tally, "honest", spin)


def _touch(tally: Tally, wheel: FleetWheel, where: str) -> None:
    """A throw, and a push or a brake at any moment after it."""
    wheel.throw()
    wheel.advance(1.2)
    wheel.advance(wheel.rng.uniform(0, max(0.1, wheel.left_s - 0.3)))
    kind, seconds = wheel.rng.choice(("push", "brake")), wheel.rng.uniform(0.2, 1.0)
    would_rest, _ = wheel.would_rest()
    joules = wheel.section_j * math.exp(wheel.rng.uniform(math.log(0.25), math.log(20)))
    (wheel.push if kind == "push" else wheel.brake)(joules, seconds)
    spin = wheel.end()
    moved = abs(wheel.head.x - would_rest)
    tally.hands[kind, next(end for end in _MOVED if moved <= end), spin.said == "result"] += 1
    _detected(tally, "hand of three sections" if moved >= _ASKED else "lesser hand", spin)
    if spin.said == "result" and not spin.right:
        tally.wrong.append(f"{where} ({kind})")


def _break(tally: Tally, wheel: FleetWheel, rng: Random, where: str, before: bool = False) -> None:
    """One fault strikes now, or two: the second at once or later in the spin. Half of them pass."""
    struck = []
    for number in range(rng.choice((1, 1, 2))):
        fault = sensor_fault(rng, wheel.world, frozenset() if before else _AT_REST)
        after_s = rng.uniform(0, max(0.0, wheel.left_s)) if number and rng.random() < 0.5 else 0.0
        at_ns = wheel.clock.now_ns() + round(after_s * NS_PER_S)
        wheel.clock.call_at(at_ns, partial(wheel.world.fault, *fault))
        struck.append(fault)
        if rng.random() < 0.5:
            lasts_s = math.exp(rng.uniform(math.log(0.001), math.log(3)))
            wheel.clock.call_at(at_ns + round(lasts_s * NS_PER_S), partial(ease, wheel.world, _AT_REST))
    wheel.advance(0)
    if before:
        wheel.throw()
    spin = wheel.end()
    words = " and ".join(map(str, struck))
    shorted = wheel.geometry.calibrated and any(one[:2] in _SHORTED for one in struck)
    tally.faults[spin.said] += 1
    _detected(tally, "fault", spin)
    if spin.said == "result" and spin.right:
        tally.through[" and ".join(f"{one.name} {one.target}".rstrip() for one in struck)] += 1
    elif spin.said == "result" and spin.bent and shorted:
        tally.shorted += 1
    elif spin.said == "result":
        tally.wrong.append(f"{where}: {words}")


def report(tally: Tally) -> None:
    """Print what was counted."""
    print(f"{tally.wheels} wheels calibrated; {tally.refused.total()} refused: {dict(tally.refused)}")
    print(f"{tally.honest.total()} honest spins: {dict(tally.honest)}")
    print(f"wrong results: {len(tally.wrong)}", *tally.wrong[:400], sep="\n  ")
    print(f"void though the clapper hangs free: {len(tally.void)}", *tally.void[:20], sep="\n  ")
    if tally.faults:
        print(f"{tally.faults.total()} spins in which sensors broke: {dict(tally.faults)}")
        print(f"  results in spite of: {dict(tally.through.most_common(8))}")
        print(f"  results on a peg with the contact shorted: {tally.shorted}")
    for kind in ("push", "brake"):
        for least in (1, 2, 3):
            hands = {key: count for key, count in tally.hands.items() if key[0] == kind and key[1] > least}
            whole, missed = sum(hands.values()), sum(count for key, count in hands.items() if key[2])
            if whole:
                print(f"{kind}, over {least} sections: no result in {whole - missed} of {whole}")
    # How often each detector found something: in all, and as the only one.
    whats = sorted({what for what, _ in tally.detectors})
    for name in DETECTORS:
        found = Counter[str]()
        for (what, names), times in tally.detectors.items():
            found[what] += times * (name in names)
        figures = (
            f"{what} {found[what]} (alone {tally.detectors[what, (name,)]})" for what in whats if found[what]
        )
        print(f"{name}: {', '.join(figures) or 'nothing'}")


def main() -> int:
    """Run it; 1 if a result was wrong."""
    parser = running.command_line("wheel_campaign", __doc__)
    parser.add_argument("--wheels", type=int, default=100, help="how many, from that seed on (default %(default)s)")
    amounts = {
        "spins": (50, "honest spins of each"),
        "hands": (0, "spins of each that a hand touches"),
        "faults": (0, "spins of each in which sensors break"),
        "moments": (6, "moments at which the sensors of such a spin break"),
        "ways": (10, "ways to break at each moment, and before the throw"),
    }
    for name, (amount, what) in amounts.items():
        parser.add_argument(f"--{name}", type=int, default=amount, help=f"{what} (default %(default)s)")
    parser.add_argument("--uncalibrated", action="store_true", help="wheels that are not calibrated")
    chosen = parser.parse_args()
    options = {name: vars(chosen)[name] for name in (*amounts, "uncalibrated")}
    work = partial(of_wheel, **options)
    tally = running.run(work, range(chosen.seed, chosen.seed + chosen.wheels), Tally(), chosen)
    report(tally)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
