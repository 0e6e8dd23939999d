"""What ``calibrate`` found, in words: for the technician who reads it at the table."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from config.clapper import MeasuredClapper, PerDirection
from controller.commissioning.wheel_calibration import Calibrated
from controller.commissioning.wheel_recording import WheelRecording

_COLUMN = 14


def section_name(order: Sequence[str], section: int) -> str:
    """A section by its number in the wheel's order, from 1, and its name."""
    section %= len(order)
    return f"#{section + 1} ({order[section]})"


def place_name(order: Sequence[str], section: int) -> str:
    """A section and those beside it, counterclockwise and clockwise along the rim."""
    beside = f"{section_name(order, section - 1)} and {section_name(order, section + 1)}"
    return f"{section_name(order, section)}, between {beside}"


def report(found: Calibrated, order: Sequence[str]) -> Iterator[str]:
    """What was measured, a line each; then what a person should look at."""
    clapper = found.wheel.clapper
    assert clapper is not None
    yield _line("measured", clapper.measured)
    yield _line("index", f"index_offset_counts {found.wheel.index_offset_counts}")
    yield _line("closes", _by_direction(clapper.closes_deg))
    yield _line("slips off", _ranges(clapper.slips_from_deg, clapper.slips_to_deg))
    delays = f"closes {clapper.closing_delay_ms:f} ms, opens {clapper.opening_delay_ms:f} ms late"
    yield _line("contact", delays)
    yield _line("encoder", f"out of centre by {clapper.runout_deg:f}°, most at {clapper.runout_at_deg:f}°")
    yield _line("pegs", _worst_peg(clapper, order))
    yield _line("left over", f"{clapper.left_over_deg:f}° at most, of what no figure above explains")
    for warning in found.warnings:
        yield _line("warning", warning)


def turned(recording: WheelRecording, counts_per_turn: int) -> str:
    """In which directions the wheel was turned while it was recorded, and how far."""
    runs = recording.runs(counts_per_turn // 4)
    ways = {1: "counterclockwise", -1: "clockwise"}
    return ", ".join(f"{ways[way]} {counts / counts_per_turn:.1f}" for way, counts in runs) or "not at all"


def _line(name: str, text: str) -> str:
    return f"{name:<{_COLUMN}}{text}"


def _by_direction(angle: PerDirection) -> str:
    ways = (angle.clockwise, "clockwise"), (angle.counterclockwise, "counterclockwise")
    return ", ".join(f"{_past(value)} turning {way}" for value, way in ways)


def _past(degrees: Decimal) -> str:
    return f"{abs(degrees):f}° {'before' if degrees < 0 else 'past'} the peg" if degrees else "at the peg"


def _ranges(least: PerDirection, most: PerDirection) -> str:
    clockwise = f"{least.clockwise:f}° to {most.clockwise:f}° past the peg turning clockwise"
    return f"{clockwise}, {least.counterclockwise:f}° to {most.counterclockwise:f}° counterclockwise"


def _worst_peg(clapper: MeasuredClapper, order: Sequence[str]) -> str:
    peg, error = max(enumerate(clapper.pegs_deg), key=lambda one: abs(one[1]))
    beside = f"between {section_name(order, peg - 1)} and {section_name(order, peg)}"
    way = "clockwise" if error > 0 else "counterclockwise"
    return f"the farthest from its place is the one {beside}: {abs(error):f}° {way} along the rim"
