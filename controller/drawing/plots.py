"""Plots over time, as a self-contained SVG picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _MARGIN, _PANEL, _ROW, _GAP = 860.0, 90.0, 150.0, 22.0, 28.0
_INK, _GRID, _DECIDED = "#1b1b1b", "#cccccc", "#b3202c"
_LINES = ("#2d5d8a", "#2f6f4f", "#b5462f")
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Curve:
    """A quantity over time.

    Attributes:
        label: the quantity, with its unit.
        points: seconds and values, in order of time.
    """

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Events:
    """Moments of one kind, such as the strikes of a clapper."""

    label: str
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment with a short name."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture over time.

    Attributes:
        title: of the picture.
        seconds: the time axis runs from 0 to this value, in another unit if ``axis`` names one.
        curves: each in a panel of its own.
        events: each in a row of its own.
        marks: the revolutions, in order of time.
        decision: the moment of the decision, and its text.
        axis: the unit of the time axis.
        marked: what the marks are.
    """

    title: str
    seconds: float
    curves: tuple[Curve, ...]
    events: tuple[Events, ...]
    marks: tuple[Mark, ...]
    decision: Mark | None
    axis: str = "seconds"
    marked: str = "turns"


# -- scales --------------------------------------------------------------------------------------------------------


def _step(span: float, most: int) -> float:
    """The smallest round step that divides a span into at most this many parts."""
    step = 1e-3
    while True:
        for factor in _STEPS:
            if span <= step * factor * most:
                return step * factor
        step *= 10


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from ``low`` to ``high``."""
    step = _step(high - low, most)
    first = -int(-low // step) if low > 0 else -int(-low / step)
    return [n * step for n in range(first, int(high / step + 1e-9) + 1)]


def _range(curve: Curve) -> tuple[float, float]:
    """The lowest and the highest value, extended to include 0; never equal."""
    values = [value for _, value in curve.points]
    low, high = min(values, default=0.0), max(values, default=0.0)
    low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if high - low > 1e-3 else (low, low + 1.0)


# -- as a picture --------------------------------------------------------------------------------------------------


def svg(plots: Sequence[Plot], title: str) -> str:
    """Plots one below the other, as one SVG file."""
    parts, top = [], 0.0
    for plot in plots:
        parts.append(f'<g transform="translate(0 {top:g})">{"".join(_drawn(plot))}</g>')
        top += _height(plot)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:g} {top:g}" width="{_WIDTH:g}" '
        f'height="{top:g}" font-family="Georgia, serif" font-size="12" fill="{_INK}" role="img">'
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _height(plot: Plot) -> float:
    return 48 + _GAP + len(plot.curves) * (_PANEL + _GAP) + (len(plot.events) + 1) * _ROW + 50


def _drawn(plot: Plot) -> Iterator[str]:
    yield _label(_MARGIN, 26, plot.title, "start", 'font-size="16"')
    first = 48.0
    top = first + _GAP
    for curve, colour in zip(plot.curves, _LINES, strict=False):
        yield from _curve(curve, plot.seconds, top, colour)
        top += _PANEL + _GAP
    for events in plot.events:
        path = "".join(f"M{_x(at, plot.seconds)} {top:g}v{_ROW - 8:g}" for at in events.seconds)
        yield f'<path d="{path}" stroke="{_INK}" stroke-width="0.7"/>'
        yield _label(_MARGIN - 8, top + 11, events.label)
        top += _ROW
    yield _label(_MARGIN - 8, top + 11, plot.marked)
    for mark in plot.marks:
        yield _upright(_x(mark.seconds, plot.seconds), first, top, "#888", "4 3")
        yield _label(_x(mark.seconds, plot.seconds), top + 12, mark.name, "middle")
    top += _ROW
    if plot.decision is not None:
        x = _x(plot.decision.seconds, plot.seconds)
        yield _upright(x, first, top, _DECIDED)
        yield _label(x, first - 4, plot.decision.name, "end", f'fill="{_DECIDED}"')
    yield from _axis(plot.seconds, top, plot.axis)


def _curve(curve: Curve, seconds: float, top: float, colour: str) -> Iterator[str]:
    low, high = _range(curve)

    def y(value: float) -> str:
        return f"{top + _PANEL * (high - value) / (high - low):.1f}"

    for value in _ticks(low, high, 5):
        yield f'<path d="M{_MARGIN:g} {y(value)}H{_WIDTH - 20:g}" stroke="{_GRID}"/>'
        yield f'<text x="{_MARGIN - 8:g}" y="{y(value)}" dy="4" text-anchor="end">{value:g}</text>'
    points = " ".join(f"{_x(at, seconds)},{y(value)}" for at, value in curve.points)
    yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
    yield _label(_MARGIN, top - 7, curve.label, "start", f'fill="{colour}"')


def _axis(seconds: float, top: float, unit: str) -> Iterator[str]:
    yield f'<path d="M{_MARGIN:g} {top:g}H{_WIDTH - 20:g}" stroke="{_INK}"/>'
    for at in _ticks(0, seconds, 12):
        yield f'<path d="M{_x(at, seconds)} {top:g}v5" stroke="{_INK}"/>'
        yield _label(_x(at, seconds), top + 18, f"{at:g}", "middle")
    yield _label(_MARGIN - 8, top + 18, unit)


def _x(at: float, seconds: float) -> str:
    return f"{_MARGIN + (_WIDTH - 20 - _MARGIN) * min(max(at / seconds, 0.0), 1.0):.1f}"


def _upright(x: str, top: float, bottom: float, colour: str, dashes: str = "none") -> str:
    return f'<path d="M{x} {top:g}V{bottom:g}" stroke="{colour}" stroke-dasharray="{dashes}"/>'


def _label(x: float | str, y: float, words: str, anchor: str = "end", more: str = "") -> str:
    return f'<text x="{x}" y="{y:g}" text-anchor="{anchor}" {more}>{escape(words)}</text>'
