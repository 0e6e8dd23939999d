"""What the bench's page draws of a simulated wheel with a clapper: its place, its leather, and how it is built."""

from collections.abc import Sequence

from controller.bench import documents
from controller.bench.wheel_workshop import BUILD
from hal.mock.wheel import MockHead

_TURN_DECIMALS = 5
"""Of an angle in turns: finer than any screen."""
_DECIMALS = 3


def turn_of(turns: float) -> float:
    """An angle of at least 0 and less than 1 turn, also after rounding."""
    return round(turns % 1.0, _TURN_DECIMALS) % 1.0


def true_wheel(head: MockHead, order: Sequence[str]) -> documents.TrueWheel:
    """The true position of the clapper along the rim, clockwise from the start of the first section.

    Args:
        order: the names of the sections.
    """
    lean = head.motion.lean
    return {
        "angle": turn_of(head.x / head.sections),
        "on_peg": head.true_position()[1],
        "clapper": {
            "peg": None if lean is None else peg_number(lean.peg, head.sections),
            "direction": 0 if lean is None else lean.direction,
            "bent": head.true_position()[1],
            "words": _words(head, order),
        },
    }


def _words(head: MockHead, order: Sequence[str]) -> str:
    """Why the wheel rests here, or how it turns."""
    motion, physics = head.motion, head.physics
    lean, (section, bent) = motion.lean, head.true_position()
    place = f"section {section + 1} ({order[section]})"
    if head.moving:
        way = "counterclockwise" if motion.velocity > 0 else "clockwise"
        rubs = "; a hand rubs on the rim" if physics.brake else ""
        return f"turns {way} at {degrees_of(head, abs(motion.velocity)):.0f}°/s{rubs}"
    held = "a hand holds the wheel; " if head.held else ""
    if lean is None:
        return f"{held}the leather hangs free: contact closed, {place}"
    bend = degrees_of(head, physics.bend(head.x, lean))
    slip = degrees_of(head, physics.sides[lean.direction].slip)
    contact = "contact open, between sections" if bent else f"contact closed, {place}"
    peg = peg_number(lean.peg, head.sections)
    return f"{held}peg {peg} bends the leather by {bend:.1f}° (it slips off at {slip:.1f}°): {contact}"


def peg_number(peg: int, sections: int) -> int:
    """The number that people give a peg: from 1, clockwise; section N begins at peg N."""
    return peg % sections + 1


def degrees_of(head: MockHead, sections: float) -> float:
    """A way along the rim in degrees of the wheel."""
    return sections * 360 / head.sections


def wheel_build(head: MockHead, work: str, done: float) -> documents.WheelBuild:
    """How the wheel is built.

    Args:
        work: what the technician does at it now.
        done: the part of that work which is done.
    """
    settings, physics = head.settings, head.physics

    def degrees(sections: float) -> float:
        return round(degrees_of(head, sections), _DECIMALS)

    return {
        "radius_mm": round(settings.peg_radius_m * 1000, 1),
        "peg_mm": round(settings.peg_mm, 2),
        "leather_mm": round(settings.leather_mm, 2),
        "pegs_deg": [degrees(physics.peg_at(peg) - peg) for peg in range(head.sections)],
        "bent": sorted(peg_number(peg, head.sections) for peg in settings.bent_pegs),
        "missing": sorted(peg_number(peg, head.sections) for peg in settings.missing_pegs),
        "set_deg": round(settings.set_deg, _DECIMALS),
        "half_deg": round(settings.half_deg, _DECIMALS),
        "strikes_deg": degrees(physics.threshold),
        "releases_deg": degrees(physics.releases),
        "slips_deg": [degrees(physics.sides[way].slip) for way in (1, -1)],
        "options": {name: round(getattr(settings, name), _DECIMALS) for name in BUILD},
        "work": work,
        "done": done,
    }
