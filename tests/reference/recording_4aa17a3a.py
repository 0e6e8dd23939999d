"""Wheels and spins of the simulators of commit 4aa17a3a: recorded edges and their truth. Used by the recorder."""
# ruff: noqa: I001 - how its imports are sorted depends on which of these packages the present code has.

import copy
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.fleet_wheel import FleetWheel
from benchmarks.other_wheels import JudgedWheel
from benchmarks.roulette_campaign import WheelCase
from benchmarks.roulette_hands import HONEST, HOSTILE
from benchmarks.wheel_campaign import _touch
from config.schema import WheelSection
from controller.commissioning.wheel_edges import MeasurementError
from controller.runtime.wheel_geometry import geometry
from hal.events import EdgeBatch
from hal.mock.clock import VirtualClock
from hal.mock.settings import WheelSettings
from hal.mock.world import World
from reference.edges import UNIT_NS, Plain, Trace
from reference.line_faults import S, encoder_counts
from tests.support import other_wheel
from tests.support.other_wheel_parts import KINDS

_BEGINS = 10 * S
"""When the prologue begins."""
_SIZES = (54, 54, 54, 54, 54, 20, 24, 36, 48, 60)
_GAMES = ("dreamcatcher", "big-six")
_REVOLUTIONS, _BALL_REVOLUTIONS = 3, 4


class UnfitError(Exception):
    """This wheel is not recorded: it cannot be calibrated, or its encoder is too fine."""


@dataclass
class Spun:
    """A spin, in the file's units. ``rest`` is when the wheel came to rest, or when the ball left its track."""

    levels: str
    edges: Trace
    thrown: int
    rest: int
    keys: list[tuple[int, str]]
    truth: Plain


@dataclass
class Recorded:
    """A wheel, the prologue that opens its table, and spins that each follow the prologue."""

    line: Plain
    levels: str
    batches: list[EdgeBatch]
    spins: list[Spun]

    @property
    def origin(self) -> int:
        return self.batches[0].timestamps_ns[0] // UNIT_NS - _BEGINS

    @property
    def prologue(self) -> Trace:
        return self.trace(self.batches)

    def trace(self, batches: Iterable[EdgeBatch]) -> Trace:
        """Edges, timed from the file's start."""
        edges = (edge for batch in batches for edge in zip(batch.timestamps_ns, batch.edges.decode(), strict=True))
        return [(self.at(at_ns), letter) for at_ns, letter in edges]

    def at(self, at_ns: int) -> int:
        return at_ns // UNIT_NS - self.origin

    def add(self, levels: str, edges: Trace, section: int, bent: bool, hand: Plain, before: set[int]) -> None:
        """Add a spin of a wheel with a clapper.

        Args:
            before: the section in which the wheel had stood, if a hand moved it after that.
        """
        turn, most, turned, way = self.line["built"]["counts_per_turn"], 0, 0, 0
        for count, step in encoder_counts(levels, edges):
            turned, way = (turned, way) if step == way else (count - step, step)
            most = max(most, abs(count - turned))
        results = sorted(before | (set() if bent else {section})) if most >= _REVOLUTIONS * turn else []
        thrown, rest = edges[0][0], edges[-1][0]
        truth: Plain = {"honest": not hand, "results": results, "section": section, "bent": bent}
        truth |= {"revolutions": round(most / turn, 4), "rest": rest, "hand": hand or None}
        keys = [(self.prologue[-1][0] + 3 * S, "no-more-bets")]
        self.spins.append(Spun(levels, edges, thrown, rest, keys, truth))


def _text(levels: dict[str, bool]) -> str:
    return "".join(letter if high else letter.lower() for letter, high in levels.items())


def _check(counts_per_turn: int, finest: int) -> None:
    if counts_per_turn > finest:
        raise UnfitError("its encoder is too fine")


def _line(section: WheelSection, sections: int, chance: random.Random, made: str) -> Plain:
    game = chance.choice(_GAMES) if sections == 54 else ""
    built = section.model_dump(exclude={"order", "serial"})
    return {"kind": "clapper", "game": game, "sections": sections, "made": made, "built": built}


def _branches(seed: int, wheel: Any, spins: int) -> Iterator[Any]:
    """Copies of a wheel, each with its own chance."""
    for number in range(spins):
        one = copy.deepcopy(wheel)
        one.rng = random.Random(f"{seed} {number}")
        yield one


# -- wheels with a clapper -----------------------------------------------------------------------------------------


def other(seed: int, spins: int, finest: int) -> Recorded:
    """A wheel that ``hal/mock`` did not make."""
    chance = random.Random(f"other {seed}")
    sections, kind = chance.choice(_SIZES), chance.choice(KINDS)
    _check(other_wheel.OtherWheel(seed, sections, kind).counts_per_turn, finest)
    judged = JudgedWheel(seed, sections, kind)
    wheel = judged.wheel
    line = _line(judged.calibrated.wheel, sections, chance, "tests/support/other_wheel.py")
    recorded = Recorded(line, _text(wheel.sensors.levels()), wheel.located(), [])
    for one in _branches(seed, wheel, spins):
        one.motion.seed = one.rng.getrandbits(32)
        one.sensors._chance = random.Random(one.motion.seed)
        kind = chance.choice(other_wheel.HANDS) if chance.random() < 0.4 else ""
        few = not kind and chance.random() < 0.15
        other_wheel._LEAST_TURNS, other_wheel._MOST_TURNS = (2.9, 3.1) if few else (3.3, 5.5)
        levels = _text(one.sensors.levels())
        spin = one.spin(kind)
        hand: Plain = {"size": round(spin.size, 3), "moved": round(spin.moved, 3)}
        hand |= {"kind": kind, "at": recorded.at(spin.hand_ns)}
        before = {spin.would_rest} if kind and not spin.speed and not spin.would_bend else set[int]()
        edges = recorded.trace(spin.batches)
        recorded.add(levels, edges, spin.section, spin.bent, hand if kind else {}, before)
    return recorded


def fleet(seed: int, spins: int, finest: int) -> Recorded:
    """A wheel of the simulated fleet that mostly rests near a peg; one in five was never calibrated."""
    chance = random.Random(f"fleet {seed}")
    if calibrated := chance.random() > 0.2:
        wheel = FleetWheel(seed, chance.choice(_SIZES))
    else:
        built = WheelSection(counts_per_turn=1440, index_offset_counts=7)
        settings = WheelSettings(seed=seed, sections=54, contact_deg=float(built.contact_deg))
        wheel = FleetWheel(seed, settings=settings, calibrated=geometry(built, 54))
    line = _line(wheel.calibration or built, wheel.sections, chance, "hal/mock/fleet.py")
    _check(line["built"]["counts_per_turn"], finest)
    recorded = Recorded(line, _text(wheel.head.levels()), [], [])
    wheel.advance(5)
    wheel.head.start(recorded.batches.append)
    wheel._locate(2.3 if calibrated else 1.3)
    wheel.advance(5)
    for one in _branches(seed, wheel, spins):
        one.head.rng = np.random.default_rng(one.rng.getrandbits(32))
        levels, batches = _text(one.head.levels()), list[EdgeBatch]()
        one.head.start(batches.append)
        hand = _thrown(one, chance, recorded)
        section, bent = one.head.true_stand()
        recorded.add(levels, recorded.trace(batches), section, bent, hand, set())
    return recorded


def _thrown(wheel: FleetWheel, chance: random.Random, recorded: Recorded) -> Plain:
    """Throw the wheel, and perhaps touch it; returns what the hand did."""
    how = chance.choice(("free", "near a peg", "near a peg", "on a peg", "few", "touched"))
    section, way = chance.randrange(wheel.sections), chance.choice((1, -1))
    if how == "near a peg":
        wheel.stop_in(section, way, chance.choice((chance.uniform(0.005, 0.08), chance.uniform(0.9, 0.995))))
    elif how == "on a peg":
        wheel.stop_on_peg(section, way)
    elif how == "touched":
        kind, (would, _) = _touch(wheel)
        at = recorded.at(wheel._clock.now_ns())
        wheel.end()
        return {"kind": kind, "at": at, "size": None, "moved": round(wheel.head.motion.x - would, 3)}
    else:
        turns = chance.uniform(2.85, 3.1) if how == "few" else chance.uniform(3.3, 6)
        wheel.hands.throw_about(way * turns, chance.uniform(0.3, 1))
        wheel.end()
    return {}


# -- roulette wheels -----------------------------------------------------------------------------------------------


class _Untracked:
    """In place of a tracker: the recorder needs only the edges."""

    def tick(self, now_ns: int) -> list[Any]:
        return []


class _Rotor(WheelCase):
    """A wheel of the simulated fleet with one beam or two, whose edges are kept."""

    def __init__(self, seed: int, beams: int) -> None:
        super().__init__(seed)
        self.clock, self.batches = VirtualClock(), list[EdgeBatch]()
        self.head = World.of(self.clock).fit_rotor(self.settings, beams)
        self.tracker = _Untracked()  # type: ignore[assignment]
        self.head.start(self.see)

    def see(self, batch: EdgeBatch) -> None:
        self.batches.append(batch)


def rotor(seed: int, spins: int, finest: int) -> Recorded:
    """A roulette wheel of the simulated fleet."""
    chance = random.Random(f"rotor {seed}")
    beams = chance.choice((1, 2, 2, 2))
    wheel = _Rotor(seed, beams)
    settings = wheel.settings
    _check(settings.counts_per_turn, finest // 4)
    built = {name: round(getattr(settings, name), 3) for name in ("beam_angle_deg", "track_mm", "ball_mm")}
    built |= {"counts_per_turn": settings.counts_per_turn, "reversed": settings.reversed}
    built |= {"leaves_from_s": 1.1, "spin_limit_s": 120}
    index = {"no": "ungated", "a": "gated with A", "a-and-b": "gated with A and B"}[settings.index_gated]
    line: Plain = {"kind": "roulette", "beams": beams, "index": index + ", low" * settings.index_low}
    line |= {"made": "hal/mock/roulette_fleet.py", "built": built}
    recorded = Recorded(line, _text(wheel.head.levels()), wheel.batches, [])
    wheel.spin(HONEST, chance.choice((1, -1)))
    recorded.batches = list(wheel.batches)
    for one in _branches(seed, wheel, spins):
        levels = _text(one.head.levels())
        one.batches = []
        one.head.rng = np.random.default_rng(one.rng.getrandbits(32))
        hostile = chance.choice(list(HOSTILE)) if chance.random() < 0.4 else ""
        one.spin(HOSTILE.get(hostile, HONEST), chance.choice((1, -1)))
        recorded.spins.append(_ball_spin(recorded, levels, one, hostile, chance.randint(S // 2, 4 * S)))
    return recorded


def _ball_spin(recorded: Recorded, levels: str, wheel: _Rotor, hostile: str, called: int) -> Spun:
    """The spin of a ball; no more bets was called so long before the ball left the track."""
    ball, run = wheel.head.ball, wheel.head._run
    assert ball is not None
    assert run is not None
    thrown, left = recorded.at(run.start_ns), recorded.at(ball.leaves_ns)
    fit = ball.revolutions >= _BALL_REVOLUTIONS and (wheel.turned or recorded.line["beams"] == 1)
    keys = [(max(thrown + S, left - called), "no-more-bets")]
    keys += [(left + 7 * S + n * S // 2, key) for n, key in enumerate((*ball.pocket, "enter"))]
    hand = {"kind": hostile, "at": None, "size": None, "moved": None} if hostile else None
    truth: Plain = {"honest": not hostile, "results": [ball.pocket] if fit else [], "section": ball.pocket}
    truth |= {"bent": False, "revolutions": ball.revolutions, "rest": left, "hand": hand}
    return Spun(levels, recorded.trace(wheel.batches), thrown, left, keys, truth)


MAKERS = (other, fleet, other, rotor, other, fleet, rotor, rotor)
"""Each records the wheel of a seed, or raises one of the refusals for a wheel that is not recorded."""
REFUSALS = (UnfitError, MeasurementError)
