"""What the leather of the simulated wheel does, in a sentence: why the wheel rests where it does.

Pegs and sections have the numbers that people give them: from 1, clockwise; section N begins at peg N.
"""

from collections.abc import Sequence

from hal.mock.edges import Clapper, MockHead


def peg_number(peg: int, sections: int) -> int:
    """The number that people give a peg."""
    return peg % sections + 1


def degrees_of(head: MockHead, sections: float) -> float:
    """A way along the rim in degrees of the wheel."""
    return sections * 360 / head.sections


def clapper_words(head: MockHead, order: Sequence[str]) -> str:
    """Why the wheel rests here, or how it turns.

    Args:
        order: the names of the sections.
    """
    motion = head.motion
    if head.moving:
        way = "counterclockwise" if motion.direction > 0 else "clockwise"
        rubs = "; a hand rubs on the rim" if head.physics.brake else ""
        return f"turns {way} at {degrees_of(head, motion.speed):.0f}°/s{rubs}"
    return f"{'a hand holds the wheel; ' if head.held else ''}{_resting(head, head.clapper, order)}"


def _resting(head: MockHead, clapper: Clapper, order: Sequence[str]) -> str:
    section = head.physics.section(head.x, clapper.lean)
    place = f"section {section + 1} ({order[section]})"
    if clapper.lean is not None:
        bend, slip = degrees_of(head, clapper.bend), degrees_of(head, clapper.slip)
        peg = peg_number(clapper.lean.peg, head.sections)
        contact = "contact closed, between sections" if clapper.closed else f"contact open, {place}"
        return f"peg {peg} bends the leather by {bend:.1f}° (it slips off at {slip:.1f}°): {contact}"
    if clapper.release is None:
        return f"the leather hangs free in {place}"
    peg = peg_number(clapper.release.peg, head.sections)
    if clapper.release.slipped:
        return f"the leather slipped off peg {peg} and hangs free in {place}"
    return f"the wheel rocked back from peg {peg}; the leather hangs free in {place}"
