"""A peg, the leather and the contact, to scale from the geometry of a simulated wheel, as one SVG picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from hal.mock.settings import WheelSettings
from hal.mock.wheel import WheelPhysics

_WIDTH, _HEIGHT, _PANEL = 860.0, 470.0, 172.0
_TOP, _SCALE = 120.0, 1.55
"""Where the pegs' circle stands in a panel, and pixels a millimetre."""
_LONGEST_LEAN = 0.72
"""How far the leather leans when it slips off, as a part of its length."""
_CURVE = 0.3
_INK, _SOFT, _LEATHER, _CLOSED, _BRASS = "#1b1b1b", "#777777", "#b5793b", "#b3202c", "#8a6a2f"
_AXIS, _DEG = 245.0, 110.0
"""The axis of places: its top, and pixels a degree."""
_MIDDLE = 300.0


@dataclass(frozen=True, slots=True)
class _Stage:
    """A moment of a peg that comes counterclockwise: its bend, in degrees; None once the leather hangs free."""

    title: str
    words: str
    bend_deg: float | None
    place_deg: float
    """How far the middle of the peg is beyond the pointer."""
    closed: bool
    back: bool = False


class _Geometry:
    """Degrees of one direction, and millimetres."""

    def __init__(self, settings: WheelSettings) -> None:
        self.settings = settings
        physics = WheelPhysics(settings, np.random.default_rng(settings.seed))
        degree = 360 / physics.sections
        leather, side = physics.leather, physics.leather.sides[1]
        self.slips_deg = {way: leather.sides[way].slip * degree for way in (1, -1)}
        self.pitch_deg = degree
        self.touch_deg = side.offset * degree
        self.slip_deg = self.slips_deg[1]
        self.closes_deg = leather.threshold * degree
        self.opens_deg = leather.opens * degree
        furthest = self.mm(settings.set_deg + self.slip_deg)
        self.length_mm = max(45.0, furthest / _LONGEST_LEAN)
        self.root_mm = math.sqrt(self.length_mm**2 - furthest**2)

    def mm(self, degrees: float) -> float:
        """Along the pegs' circle."""
        return math.radians(degrees) * self.settings.peg_radius_m * 1000

    def stages(self) -> tuple[_Stage, ...]:
        touch, closes, slip = self.touch_deg, self.closes_deg, self.slip_deg
        return (
            _Stage("touch", "the peg reaches the leather", 0.0, touch, False),
            _Stage("strike", f"bent {closes:.1f}°: the contact closes", closes, touch + closes, True),
            _Stage("about to slip", f"bent {slip:.1f}°, as far as it goes", slip, touch + slip, True),
            _Stage("slipped off", "free behind the peg: it opens", None, touch + slip + 0.3, False),
            _Stage(
                "or rock-back",
                f"back to {self.opens_deg:.1f}°: it opens",
                self.opens_deg,
                touch + self.opens_deg,
                False,
                True,
            ),
        )


def leather_drawing(settings: WheelSettings) -> str:
    """Touch, strike, slip and the reopening on a rock-back; below, their places in both directions."""
    drawn = _Geometry(settings)
    parts = [part for n, stage in enumerate(drawn.stages()) for part in _panel(drawn, stage, n * _PANEL)]
    parts += _places(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" width="{_WIDTH:g}" '
        f'height="{_HEIGHT:g}" font-family="Georgia, serif" font-size="12" fill="{_INK}" role="img">'
        f"<title>What a peg does to the leather and its contact</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _panel(drawn: _Geometry, stage: _Stage, left: float) -> Iterator[str]:
    """One moment: the pegs' circle is flat here, for a section is short."""
    settings, middle = drawn.settings, left + _PANEL / 2
    yield _text(middle, 20, stage.title, 'font-size="15" font-weight="bold"')
    yield _text(middle, 38, stage.words, f'fill="{_SOFT}" font-size="11"')
    yield f'<g transform="translate({middle:g} {_TOP:g}) scale({_SCALE})">'
    half = _PANEL / 2 / _SCALE - 4
    yield f'<path d="M0 {-drawn.root_mm - 3:.1f}V30" stroke="#bbb" stroke-width="0.4" stroke-dasharray="2 2"/>'
    for peg in (-1, 0, 1):
        x = drawn.mm(peg * drawn.pitch_deg - stage.place_deg)
        if abs(x) < half:
            yield f'<circle cx="{x:.2f}" cy="0" r="{settings.peg_mm / 2:g}" fill="{_BRASS}"/>'
    leather = f'stroke="{_LEATHER}" stroke-width="{settings.leather_mm:g}"'
    yield f'<path d="{_strip(drawn, stage.bend_deg)}" fill="none" {leather}/>'
    top, line = -drawn.root_mm - 9, f'stroke="{_SOFT}" stroke-width="0.6"'
    yield f'<rect x="-8" y="{top:.2f}" width="16" height="10" rx="1.5" fill="#eee" {line}/>'
    lamp = _CLOSED if stage.closed else "#fff"
    yield f'<circle cx="0" cy="{top + 5:.2f}" r="2.6" fill="{lamp}" {line}/>'
    way = 1 if stage.back else -1
    arrow = f"M{-12 * way} 24H{12 * way}m{-4 * way} -3l{4 * way} 3l{-4 * way} 3"
    yield f'<path d="{arrow}" fill="none" stroke="{_INK}" stroke-width="0.9"/>'
    yield "</g>"
    contact = "contact closed" if stage.closed else "contact open"
    yield _text(middle, _TOP + 70, contact, f'fill="{_CLOSED if stage.closed else _SOFT}"')


def _strip(drawn: _Geometry, bend_deg: float | None) -> str:
    """The middle line of the leather; its tip draws back by its slant."""
    settings = drawn.settings
    lateral_mm = -drawn.mm(settings.set_deg + (bend_deg or 0.0))
    # A leather that slants lies against the peg's shoulder.
    slope = lateral_mm / drawn.root_mm * (1 + _CURVE)
    if bend_deg is not None:
        lateral_mm -= drawn.mm(settings.half_deg) * (math.hypot(1, slope) - 1) * min(1.0, abs(slope))
    tip = math.sqrt(max(0.0, drawn.length_mm**2 - lateral_mm**2)) - drawn.root_mm
    end = lateral_mm * (drawn.root_mm + tip) / drawn.root_mm
    middle = (tip - drawn.root_mm) / 2
    return f"M0 {-drawn.root_mm:.2f}Q{_CURVE * end:.2f} {middle:.2f} {end:.2f} {tip:.2f}"


def _places(drawn: _Geometry) -> Iterator[str]:
    """Where the contact is closed, by the place of the peg's middle, and where it opens on a rock-back."""
    yield _text(
        12,
        _AXIS - 16,
        "Where this contact is closed, by how far the peg's middle is beyond the pointer",
        "",
        "start",
    )
    base = _AXIS + 34 + 2 * 76 - 10
    for degree in range(-1, 5):
        x = _MIDDLE + degree * _DEG
        yield f'<path d="M{x:g} {_AXIS:g}V{base:g}" stroke="#ddd" stroke-dasharray="3 3"/>'
        yield _text(x, base + 16, f"{degree}°".replace("-", "−"))
    hangs = f"the leather hangs {drawn.settings.set_deg:g}° to the side"
    yield _text(_MIDDLE, base + 34, f"0° is the pointer; {hangs}", f'fill="{_SOFT}"')
    for row, (name, way) in enumerate((("counterclockwise", 1), ("clockwise", -1))):
        y = _AXIS + 34 + row * 76
        yield _text(12, y + 4, name, 'font-weight="bold"', "start")
        yield from _row(drawn, way, y)


def _row(drawn: _Geometry, way: int, y: float) -> Iterator[str]:
    """One direction; degrees grow the way that the wheel turns."""
    set_deg = way * drawn.settings.set_deg
    touch, slip = set_deg - drawn.settings.half_deg, drawn.slips_deg[way]

    def x(bend: float) -> float:
        return _MIDDLE + (touch + bend) * _DEG

    yield f'<path d="M{x(-0.4):.1f} {y:g}H{x(slip + 0.7):.1f}m-6 -4l6 4l-6 4" fill="none" stroke="{_INK}"/>'
    left, wide = x(drawn.closes_deg), (slip - drawn.closes_deg) * _DEG
    yield f'<rect x="{left:.1f}" y="{y - 9:g}" width="{wide:.1f}" height="18" fill="{_CLOSED}" opacity="0.8"/>'
    yield _text(left + wide / 2, y + 4, "contact closed", 'fill="#fff"')
    for bend, name, anchor in (
        (0.0, "touch", "end"),
        (drawn.closes_deg, "strike", "start"),
        (slip, "slip", "middle"),
    ):
        yield f'<path d="M{x(bend):.1f} {y - 14:g}v28" stroke="{_INK}"/>'
        yield _text(x(bend), y - 18, name, "", anchor)
    opens = x(drawn.opens_deg)
    yield f'<path d="M{opens + 90:.1f} {y + 20:g}H{opens:.1f}m6 -4l-6 4l6 4" fill="none" stroke="{_CLOSED}"/>'
    yield _text(opens + 96, y + 24, "rock-back: it opens here, moving the other way", f'fill="{_CLOSED}"', "start")


def _text(x: float, y: float, words: str, more: str = "", anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {more}>{escape(words)}</text>'
