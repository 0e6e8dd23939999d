"""What the bench's page draws of a simulated wheel with a clapper: its place, its leather, and how it is built."""

from collections.abc import Sequence
from typing import Literal

from controller.bench import documents
from controller.bench.clapper_words import clapper_words, degrees_of, peg_number
from hal.mock.edges import Clapper, MockHead

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
    clapper = head.clapper
    stands, peg, direction = _stand(clapper)
    return {
        "angle": turn_of(head.x / head.sections),
        "on_peg": head.true_stand()[1],
        "clapper": {
            "stands": stands,
            "peg": None if peg is None else peg_number(peg, head.sections),
            "direction": direction,
            "closed": clapper.closed,
            "words": clapper_words(head, order),
        },
    }


def _stand(clapper: Clapper) -> tuple[Literal["free", "slipped", "rocked-back", "bent"], int | None, int]:
    if clapper.lean is not None:
        return "bent", clapper.lean.peg, clapper.lean.direction
    if clapper.release is None:
        return "free", None, 0
    release = clapper.release
    return ("slipped" if release.slipped else "rocked-back"), release.peg, release.direction


def wheel_build(head: MockHead, name: str, work: str, done: float) -> documents.WheelBuild:
    """How the wheel is built.

    Args:
        name: of the wheel.
        work: what the technician does at it now.
        done: the part of that work which is done.
    """
    settings, physics = head.settings, head.physics
    leather = physics.leather

    def degrees(sections: float) -> float:
        return round(degrees_of(head, sections), _DECIMALS)

    return {
        "name": name,
        "radius_mm": round(settings.peg_radius_m * 1000, 1),
        "peg_mm": round(settings.peg_mm, 2),
        "leather_mm": round(settings.leather_mm, 2),
        "pegs_deg": [degrees(physics.pegs.at(peg) - peg) for peg in range(head.sections)],
        "bent": sorted(peg_number(peg, head.sections) for peg in settings.bent_pegs),
        "missing": sorted(peg_number(peg, head.sections) for peg in settings.missing_pegs),
        "set_deg": round(settings.set_deg, _DECIMALS),
        "half_deg": round(settings.half_deg, _DECIMALS),
        "closes_deg": degrees(leather.threshold),
        "opens_deg": degrees(leather.opens),
        "slips_deg": [degrees(leather.sides[way].slip) for way in (1, -1)],
        "work": work,
        "done": done,
    }
