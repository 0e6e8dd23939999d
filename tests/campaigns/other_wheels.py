"""The table judges wheels that its own simulation did not make: ``python -m campaigns.other_wheels --wheels 100``.

Each wheel (``tests/support/other_wheel.py``) is calibrated from a recording of itself and spun, with hands and
without. Printed are wrong results, honest spins that are void though the clapper hangs free, and hands that
were missed.
"""

import math
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from campaigns.wheel_campaign import report_hands
from other_wheel import HANDS, OtherSpin, OtherWheel
from other_wheel_parts import KINDS

from config.schema import WheelSection
from controller.commissioning.wheel_calibration import calibrate
from controller.commissioning.wheel_edges import MeasurementError
from controller.commissioning.wheel_recording import WheelRecording
from controller.events.event import Event, WheelRested
from controller.runtime.wheel_geometry import geometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.events import EdgeBatch

_TODAY = date(2026, 1, 1)
_MOVED = (0.25, 0.5, 1, 2, 5, math.inf)
_FEWEST_TURNS = 3.0
_REST_NS = 1_500_000_000


@dataclass(frozen=True, slots=True)
class JudgedSpin:
    """What the table said of a spin, and what is true.

    Attributes:
        said: ``result``, ``between``, ``touched``, ``fault``, ``few`` revolutions, or ``nothing``.
        detail: its words, and the section that it saw.
        rested: everything it said of rests.
    """

    said: str
    detail: str
    rested: tuple[WheelRested, ...]
    spin: OtherSpin

    @property
    def wrong(self) -> bool:
        """A result that is neither where the wheel stood before a hand came to it at rest, nor where it stands."""
        if self.said != "result":
            return False
        first, spin = self.rested[0], self.spin
        before = bool(spin.hand) and not spin.speed and first.at_ns - _REST_NS <= spin.hand_ns
        section, bent = (spin.would_rest, spin.would_bend) if before else (spin.section, spin.bent)
        return first.section != section or bent

    @property
    def missed(self) -> bool:
        """A result, in a section to which a hand brought the wheel."""
        first = self.rested[0] if self.rested else None
        return self.said == "result" and first is not None and first.section != self.spin.would_rest

    @property
    def void(self) -> bool:
        """An honest spin without a result, the clapper hanging free."""
        if self.spin.hand or self.spin.bent:
            return False
        return self.said not in ("result", "few") or (self.said == "few" and self.spin.turns > _FEWEST_TURNS + 0.05)


class JudgedWheel:
    """A wheel and the tracker that was calibrated on it.

    Raises:
        MeasurementError: the calibration refuses it.
    """

    def __init__(self, seed: int, sections: int = 54, kind: str = "any") -> None:
        self.wheel = OtherWheel(seed, sections, kind)
        levels, batches, section = self.wheel.calibration()
        recording = WheelRecording(levels, self.wheel.reversed)
        for batch in batches:
            recording.feed(batch)
        file = WheelSection(
            counts_per_turn=self.wheel.counts_per_turn, index_offset_counts=0, reversed=self.wheel.reversed
        )
        self.calibrated = calibrate(recording, file, sections, section, _TODAY)
        self.tracker = WheelTracker(geometry(self.calibrated.wheel, sections), self.wheel.sensors.levels())
        self._feed(self.wheel.located())

    def _feed(self, batches: Sequence[EdgeBatch]) -> list[Event]:
        events: list[Event] = []
        for batch in batches:
            events += self.tracker.tick(batch.timestamps_ns[0])
            events += self.tracker.feed(batch)
        events += self.tracker.look(self.wheel.sensors.levels(), self.wheel.now_ns)
        return events + list(self.tracker.tick(self.wheel.now_ns))

    def spin(self, hand: str = "") -> JudgedSpin:
        """Throw the wheel, and hear what the tracker says."""
        spin = self.wheel.spin(hand)
        rests = tuple(event for event in self._feed(spin.batches) if isinstance(event, WheelRested))
        # A wheel that was wound up, or rocked, may stand for a moment before it is thrown.
        whole = [rest for rest in rests if rest.travel_counts > self.wheel.counts_per_turn] or list(rests)
        if any(rest.fault is not None or not rest.located for rest in rests):
            self._feed(self.wheel.located())
        said, detail = _said(whole[0]) if whole else ("nothing", "")
        return JudgedSpin(said, detail, tuple(whole), spin)


def _said(rested: WheelRested) -> tuple[str, str]:
    if rested.fault is not None:
        return "fault", str(rested.fault)
    if rested.touched or rested.abrupt:
        return "touched", rested.touched or "stopped abruptly"
    if rested.travel_counts < _FEWEST_TURNS * rested.counts_per_turn:
        return "few", f"{rested.travel_counts / rested.counts_per_turn:.2f} turns"
    if not rested.located:
        return "fault", "not located"
    return ("between", "") if rested.section is None else ("result", f"section {rested.section}")


@dataclass(slots=True)
class OtherTally:
    """What was counted."""

    wheels: int = 0
    odd: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    honest: Counter[str] = field(default_factory=Counter)
    hands: Counter[tuple[str, float, bool, bool]] = field(default_factory=Counter)
    """By kind; by how many sections the rest was moved, at most; whether to another; whether it became a result."""
    wrong: list[str] = field(default_factory=list)
    void: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def count(self, where: str, judged: JudgedSpin) -> None:
        """Count a spin."""
        spin = judged.spin
        words = (
            f"{where}: {judged.said} {judged.detail}; stands in {spin.section}, {spin.free_deg:.2f} deg from a peg"
            f"{', bent' if spin.bent else ''}, {spin.turns:.2f} turns"
        )
        if judged.wrong:
            self.wrong.append(words)
        if not spin.hand:
            self.honest[f"{judged.said}{', clapper bent' if spin.bent else ''}"] += 1
            if judged.void:
                self.void.append(words)
            return
        band = next(end for end in _MOVED if abs(spin.moved) <= end)
        self.hands[spin.hand, band, spin.changed, judged.said == "result"] += 1
        if judged.missed:
            self.missed.append(
                f"{words}; {spin.hand} of {spin.size:.2f} at {spin.speed:.1f} deg/s, from {spin.would_rest} by "
                f"{spin.moved:.2f}, {(judged.rested[0].at_ns - spin.hand_ns) / 1e9:.2f} s before the rest"
            )


def of_wheel(tally: OtherTally, seed: int, spins: int, hands: int, sections: int = 54, kind: str = "any") -> None:
    """One wheel: so many honest spins, and so many that a hand touches."""
    try:
        wheel = JudgedWheel(seed, sections, kind)
    except MeasurementError as error:
        odd = OtherWheel(seed, sections, kind).parts.odd
        tally.refused.append(f"wheel {seed}{f' ({odd})' if odd else ''}: {error}")
        return
    tally.wheels += 1
    tally.odd[wheel.wheel.parts.odd or "sound"] += 1
    for number in range(spins + hands):
        hand = HANDS[number % len(HANDS)] if number >= spins else ""
        tally.count(f"wheel {seed}, spin {number}", wheel.spin(hand))


def report(tally: OtherTally) -> None:
    """Print what was counted."""
    print(f"{tally.wheels} wheels calibrated {dict(tally.odd)}; {len(tally.refused)} refused")
    print("\n".join(f"  {line}" for line in tally.refused))
    print(f"{sum(tally.honest.values())} honest spins: {dict(tally.honest)}")
    for title, lines in (
        ("WRONG results", tally.wrong),
        ("void though the clapper hangs free", tally.void),
        ("hands that changed the section and were missed", tally.missed),
    ):
        print(f"{title}: {len(lines)}")
        print("".join(f"  {line}\n" for line in lines), end="")
    print(f"false touched: {sum(': touched' in line for line in tally.void)} with the clapper free")
    for kind in HANDS:
        mine = [(key, count) for key, count in tally.hands.items() if key[0] == kind]
        report_hands(f"{kind}, to another section", [one for one in mine if one[0][2]])
        for band in _MOVED:
            report_hands(f"{kind}, moved by at most {band:g}", [one for one in mine if one[0][1] == band])


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m campaigns.other_wheels", description=__doc__)
    parser.add_argument("--wheels", type=int, default=20, help="how many wheels are drawn (default %(default)s)")
    parser.add_argument("--spins", type=int, default=20, help="honest spins of each (default %(default)s)")
    parser.add_argument(
        "--hands", type=int, default=12, help="spins of each that a hand touches (default %(default)s)"
    )
    parser.add_argument("--sections", type=int, default=54, help="of each wheel (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first wheel (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no wheel after so long")
    parser.add_argument("--kind", choices=KINDS, default="any", help="how even leather and friction are")
    chosen = parser.parse_args(words)
    tally, end = OtherTally(), time.monotonic() + 60 * chosen.minutes
    for seed in range(chosen.seed, chosen.seed + chosen.wheels):
        if time.monotonic() > end:
            break
        of_wheel(tally, seed, chosen.spins, chosen.hands, chosen.sections, chosen.kind)
        print(f"{seed}", end=" ", file=sys.stderr, flush=True)
    report(tally)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
