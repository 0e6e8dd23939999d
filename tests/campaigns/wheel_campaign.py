"""Honest spins and hands on a fleet of calibrated wheels: ``python -m campaigns.wheel_campaign --wheels 100``.

Each wheel is drawn at random (``fleet.py``), calibrated from a recording of itself, and spun. Counted are
results that are wrong, honest spins that are void though the clapper hangs free, and hands that were found.
"""

import math
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from campaigns.fleet_processes import add_fleet_arguments, over_the_fleet
from campaigns.fleet_wheel import FleetWheel, Spin

from controller.commissioning.wheel_recording import MeasurementError
from controller.tracking.clapper_wheel.hand import DETECTORS

_ASKED = 3
"""A hand that moves the rest by so many sections has to be noticed."""
_AT_REST = "swapped"
_SHORTED = "stuck-low", "clapper"
"""The contact's line says from then on that the clapper hangs free."""
_MOVED = (1, 2, 3, math.inf)
"""Hands by what they did: upper ends, in sections, of how much nearer or farther the wheel came to rest."""


HandKey = tuple[str, float, bool, bool]


@dataclass(slots=True)
class Tally:
    """What was counted."""

    wheels: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    honest: Counter[str] = field(default_factory=Counter)
    hands: Counter[HandKey] = field(default_factory=Counter)
    """By kind: how far the rest was moved, at most; whether to another section; whether it became a result."""
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Which struck, of those that became a result; what became of it."""
    verdicts: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    """The detectors of hands that found something, by what was done: see :func:`_detected`."""
    shorted: Counter[str] = field(default_factory=Counter)
    """How spins ended in which the contact was shorted, and that stand on a peg."""
    wrong: list[str] = field(default_factory=list)
    void: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take in another tally."""
        self.wheels += other.wheels
        for mine, its in ((self.refused, other.refused), (self.honest, other.honest)):
            mine.update(its)
        self.hands.update(other.hands)
        self.faults.update(other.faults)
        self.verdicts.update(other.verdicts)
        self.shorted.update(other.shorted)
        self.wrong += other.wrong
        self.void += other.void


def of_wheel(seed: int, spins: int, hands: int = 0, faults: int = 0) -> Tally:
    """One wheel: so many honest spins, so many that a hand touches, and so many in which sensors break."""
    tally = Tally()
    try:
        wheel = FleetWheel(seed)
    except MeasurementError as error:
        tally.refused[str(error).partition(":")[0]] += 1
        return tally
    tally.wheels += 1
    for number in range(spins):
        wheel.throw()
        spin = wheel.end()
        _count_honest(tally, f"wheel {seed}, spin {number}", spin)
        _detected(tally, wheel, "honest", spin)
    for number in range(hands):
        kind, (would_rest, section) = _touch(wheel)
        spin = wheel.end()
        moved = abs(wheel.head.x - would_rest)
        band = next(end for end in _MOVED if moved <= end)
        changed = wheel.head.true_position()[0] != section
        tally.hands[kind, band, changed, spin.said == "result"] += 1
        _detected(tally, wheel, "hand of three sections" if moved >= _ASKED else "lesser hand", spin)
        if spin.said == "result" and not spin.right:
            tally.wrong.append(f"wheel {seed}, hand {number} ({kind})")
    for number in range(faults):
        _break(tally, wheel, f"wheel {seed}, fault {number}")
    return tally


def _detected(tally: Tally, wheel: FleetWheel, what: str, spin: Spin) -> None:
    """Note which detectors found a hand: a spin that is not right would be a wrong result without them."""
    if wheel.verdicts:
        wrong = "" if spin.right or spin.bent else ", else a wrong result"
        tally.verdicts[what + wrong, wheel.verdicts] += 1


def _count_honest(tally: Tally, where: str, spin: Spin) -> None:
    said = f"{spin.said}, clapper bent" if spin.bent and spin.said != "result" else spin.said
    tally.honest[said] += 1
    if spin.said == "moved" or (spin.said == "result" and not spin.right):  # Moved: a result before the rest.
        tally.wrong.append(f"{where}: {spin.said}")
    elif spin.said in ("touched", "fault", "nothing") or (spin.said == "between" and not spin.bent):
        tally.void.append(f"{where}: {spin.said} {spin.detail}")


def _break(tally: Tally, wheel: FleetWheel, where: str) -> None:
    """A throw in which faults strike: one, or two at once; at any moment, or in the last second and a half.

    Only a wheel at rest has its wires crossed.
    """
    faults = [_fault(wheel) for _ in range(wheel.rng.choice((1, 1, 2)))]
    for fault, line, amount in faults:
        if fault == _AT_REST:
            wheel.break_(fault, line, amount)
    wheel.throw()
    wheel.advance(1.2)
    late = wheel.rng.random() < 0.5
    left_s = wheel.left_s
    wheel.advance(max(0.0, left_s - wheel.rng.uniform(0, 1.5)) if late else wheel.rng.uniform(0, left_s))
    for fault, line, amount in faults:
        if fault != _AT_REST:
            wheel.break_(fault, line, amount)
    spin = wheel.end()
    _detected(tally, wheel, "fault", spin)
    words = " and ".join(f"{fault} {line}".strip() for fault, line, _ in faults)
    tally.faults[words if spin.said == "result" else "", spin.said] += 1
    unseen = spin.bent and any((fault, line) == _SHORTED for fault, line, _ in faults)
    if unseen:
        tally.shorted[spin.said] += 1
    elif spin.said == "result" and not spin.right:
        tally.wrong.append(f"{where} ({words}{', late' if late else ''})")
    wheel.repair()


def _fault(wheel: FleetWheel) -> tuple[str, str, float]:
    """One of the faults of a sensor head: which, of which line, how much."""
    rng = wheel.rng
    line = rng.choice(("encoder_a", "encoder_b", "index", "clapper"))
    return rng.choice(
        (
            ("stuck-high", line, 0.0),
            ("stuck-low", line, 0.0),
            ("unplugged", "", 0.0),
            ("lost-edges", "", math.exp(rng.uniform(math.log(0.001), 0.0))),
            ("overflow", "", float(rng.randint(1, 2000))),
            ("swapped", "", 0.0),
            ("slip", "", rng.choice((1.0, rng.uniform(0.001, 1.0)))),
            ("noise", line, rng.uniform(5, 1000)),
        )
    )


def _touch(wheel: FleetWheel) -> tuple[str, tuple[float, int]]:
    """A throw, and a push or a brake at any moment after it: which, and where the wheel would have come to rest."""
    wheel.throw()
    wheel.advance(1.2)
    wheel.advance(wheel.rng.uniform(0, max(0.1, wheel.left_s - 0.3)))
    kind, seconds = wheel.rng.choice(("push", "brake")), wheel.rng.uniform(0.2, 1.0)
    size = math.exp(wheel.rng.uniform(math.log(0.25), math.log(20)))
    rest = wheel.would_rest()
    if kind == "push":
        wheel.push(size * wheel.section_j, seconds)
        return kind, rest
    rad_s = wheel.head.motion.speed * 2 * math.pi / wheel.sections
    wheel.hands.brake(size * wheel.section_j / max(0.05, rad_s * seconds), seconds)
    return kind, rest


def report(tally: Tally) -> None:
    """Print what was counted."""
    spins = sum(tally.honest.values())
    print(f"{tally.wheels} wheels calibrated; {sum(tally.refused.values())} refused: {dict(tally.refused)}")
    print(f"{spins} honest spins: {dict(tally.honest)}")
    print(f"wrong results: {len(tally.wrong)} {tally.wrong[:5]}")
    print(f"void though the clapper hangs free: {len(tally.void)}")
    for line in tally.void[:20]:
        print(f"  {line}")
    if tally.faults:
        said = Counter[str]()
        for (_, ends), count in tally.faults.items():
            said[ends] += count
        print(f"{sum(said.values())} spins in which sensors broke: {dict(said)}")
        through = Counter({words: count for (words, _), count in tally.faults.items() if words})
        print(f"  results in spite of: {dict(through.most_common(8))}")
        print(f"  on a peg with the contact shorted, of these: {dict(tally.shorted)}")
    for kind in ("push", "brake"):
        for least in (1, 2, 3):
            hands = {key: count for key, count in tally.hands.items() if key[0] == kind and key[1] > least}
            whole, missed = sum(hands.values()), sum(count for key, count in hands.items() if key[3])
            if whole:
                print(f"{kind}, over {least} sections: no result in {whole - missed} of {whole}")


def report_detectors(tally: Tally) -> None:
    """Print how often each detector found something: in all, and as the only one."""
    whats = sorted({what for what, _ in tally.verdicts})
    for name in DETECTORS:
        found = Counter[str]()
        for (what, names), times in tally.verdicts.items():
            found[what] += times * (name in names)
        figures = (f"{what} {found[what]} (alone {tally.verdicts[what, (name,)]})" for what in whats if found[what])
        print(f"{name}: {', '.join(figures) or 'nothing'}")


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m campaigns.wheel_campaign", description=__doc__)
    parser.add_argument("--spins", type=int, default=50, help="honest spins of each (default %(default)s)")
    parser.add_argument("--hands", type=int, default=0, help="spins of each that a hand touches")
    parser.add_argument("--faults", type=int, default=0, help="spins of each in which sensors break")
    add_fleet_arguments(parser, wheels=100)
    chosen = parser.parse_args(words)
    tally = Tally()
    work = partial(of_wheel, spins=chosen.spins, hands=chosen.hands, faults=chosen.faults)
    for one in over_the_fleet(work, chosen):
        tally.add(one)
    report(tally)
    report_detectors(tally)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
