"""A fleet of calibrated wheels is spun: ``python -m campaigns.wheel_campaign --wheels 100``.

Each wheel is drawn at random (``fleet.py``), calibrated from a recording of itself, and spun: honestly, touched by
hands, with sensors that break, and with lines that break in many ways (:mod:`campaigns.broken_spins`). Counted are
results that are wrong, honest spins that are void though the clapper hangs free, and hands that were found.
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from campaigns import running
from campaigns.broken_spins import broken_spins
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


@dataclass
class Tally(running.Tally):
    """What was counted.

    Attributes:
        hands: by kind: how far the rest was moved, at most; whether to another section; whether it became a result.
        faults: which struck, of those that became a result; what became of it.
        shorted: how spins ended in which the contact was shorted, and that stand on a peg.
        broken: how spins ended whose lines broke.
        through: by faults of lines, how many became a right result in spite of them.
        verdicts: the detectors of hands that found something, by what was done: see :func:`_detected`.
    """

    wheels: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    honest: Counter[str] = field(default_factory=Counter)
    hands: Counter[tuple[str, float, bool, bool]] = field(default_factory=Counter)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    shorted: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    through: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    void: list[str] = field(default_factory=list)


def of_wheel(
    seed: int, spins: int = 0, hands: int = 0, faults: int = 0, broken: int = 0, moments: int = 6, ways: int = 10
) -> Tally:
    """One wheel: so many honest spins, so many that a hand touches, and so many in which sensors break.

    Args:
        broken: spins whose lines then break, each at so many moments in so many ways.
    """
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
    for one in broken_spins(FleetWheel(seed), seed, broken, moments, ways) if broken else ():
        tally.broken[one.said] += 1
        if one.said == "result" and one.right:
            tally.through[one.faults] += 1
        elif one.said == "result":
            tally.wrong.append(f"{one.where}: {one.faults}")
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
    rad_s = abs(wheel.head.velocity) * 2 * math.pi / wheel.sections
    wheel.hands.brake(size * wheel.section_j / max(0.05, rad_s * seconds), seconds)
    return kind, rest


def report(tally: Tally) -> None:
    """Print what was counted."""
    spins = sum(tally.honest.values())
    print(f"{tally.wheels} wheels calibrated; {sum(tally.refused.values())} refused: {dict(tally.refused)}")
    print(f"{spins} honest spins: {dict(tally.honest)}")
    print(f"wrong results: {len(tally.wrong)}", *tally.wrong[:400], sep="\n  ")
    print(f"void though the clapper hangs free: {len(tally.void)}", *tally.void[:20], sep="\n  ")
    if tally.faults:
        said = Counter[str]()
        for (_, ends), count in tally.faults.items():
            said[ends] += count
        print(f"{sum(said.values())} spins in which sensors broke: {dict(said)}")
        through = Counter({words: count for (words, _), count in tally.faults.items() if words})
        print(f"  results in spite of: {dict(through.most_common(8))}")
        print(f"  on a peg with the contact shorted, of these: {dict(tally.shorted)}")
    if tally.broken:
        print(f"{tally.broken.total()} spins in which lines broke: {dict(tally.broken)}")
        print(f"  results in spite of: {dict(tally.through.most_common(8))}")
    for kind in ("push", "brake"):
        for least in (1, 2, 3):
            hands = {key: count for key, count in tally.hands.items() if key[0] == kind and key[1] > least}
            whole, missed = sum(hands.values()), sum(count for key, count in hands.items() if key[3])
            if whole:
                print(f"{kind}, over {least} sections: no result in {whole - missed} of {whole}")
    # How often each detector found something: in all, and as the only one.
    whats = sorted({what for what, _ in tally.verdicts})
    for name in DETECTORS:
        found = Counter[str]()
        for (what, names), times in tally.verdicts.items():
            found[what] += times * (name in names)
        figures = (f"{what} {found[what]} (alone {tally.verdicts[what, (name,)]})" for what in whats if found[what])
        print(f"{name}: {', '.join(figures) or 'nothing'}")


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 1 if a result was wrong."""
    parser = running.command_line("wheel_campaign", __doc__)
    parser.add_argument("--wheels", type=int, default=100, help="how many, from that seed on (default %(default)s)")
    amounts = {
        "spins": (50, "honest spins of each"),
        "hands": (0, "spins of each that a hand touches"),
        "faults": (0, "spins of each in which sensors break"),
        "broken": (0, "spins of each whose lines break in many ways"),
        "moments": (6, "moments at which the lines of such a spin break"),
        "ways": (10, "ways to break at each moment"),
    }
    for name, (amount, what) in amounts.items():
        parser.add_argument(f"--{name}", type=int, default=amount, help=f"{what} (default %(default)s)")
    chosen = parser.parse_args(words)
    work = partial(of_wheel, **{name: vars(chosen)[name] for name in amounts})
    tally = running.run(work, range(chosen.seed, chosen.seed + chosen.wheels), Tally(), chosen)
    report(tally)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
