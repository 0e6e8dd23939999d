"""Draws where a wheel stopped as a rose plot: a bar for each section, clockwise from the top, as one SVG text.

A bar's length is the section's count over the expected count; the circles show the expected count and a distance of
two standard errors. Only presentation attributes are used, so that a page under a strict
Content-Security-Policy can embed the picture; it has its own background and is the same in light and
dark.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 738
_CENTRE_X, _CENTRE_Y = 320.0, 342.0
_REACH, _LABELS = 250.0, 272.0
"""Radii: of the longest bar, and of the labels."""
_LEAST_SCALE, _MOST_SCALE = 1.2, 4.0
"""The ratio at the rim: small differences still look small, and one section cannot shrink all others."""
_BAR, _BEYOND, _INK, _QUIET, _PAPER = "#a9c3b5", "#e0a33e", "#1b1b1b", "#5c5c5c", "#ffffff"
_DIRECTIONS = {"clockwise": "#1f5fa8", "counterclockwise": "#b3202c"}
_SHORT = 6
"""Characters of a label."""


@dataclass(frozen=True, slots=True)
class _Rose:
    """The data of the plot.

    Attributes:
        totals: spins by section.
        directions: of those directions that are known, spins by section.
        labels: by section.
    """

    totals: Sequence[int]
    directions: Mapping[str, Sequence[int]]
    labels: Sequence[str]

    @property
    def spins(self) -> int:
        return sum(self.totals)

    @property
    def error(self) -> float:
        """The standard error of a bar, over the expected count."""
        sections = len(self.totals)
        return math.sqrt((sections - 1) / self.spins) if self.spins else 0.0

    @property
    def scale(self) -> float:
        """The ratio at the rim."""
        return min(max(_LEAST_SCALE, 1 + 2.4 * self.error, 1.04 * self.highest), _MOST_SCALE)

    @property
    def highest(self) -> float:
        """The ratio of the longest bar or tick."""
        return max(ratio for counts in (self.totals, *self.directions.values()) for ratio in _ratios(counts))


def rose(counts: Mapping[str, Sequence[int]], labels: Sequence[str], title: str) -> str:
    """A wheel's rose plot.

    Args:
        counts: spins by direction of the wheel ("clockwise", "counterclockwise", "" for not known) and section.
        labels: of the sections; a section without a label shows its number, from 1.

    Raises:
        ValueError: counts of different length, or neither counts nor labels.
    """
    sections = {len(counted) for counted in counts.values()} or {len(labels)}
    if len(sections) != 1 or 0 in sections:
        raise ValueError(f"counts of a wheel must be of one length, at least 1: {sorted(sections)}")
    size = sections.pop()
    totals = [sum(counted[at] for counted in counts.values()) for at in range(size)]
    shown_labels = [(labels[at] if at < len(labels) else "") or str(at + 1) for at in range(size)]
    # With a single direction the ticks would only repeat the bars.
    known = {name: counts[name] for name in _DIRECTIONS if 0 < sum(counts.get(name, ())) < sum(totals)}
    return _render(_Rose(totals, known, shown_labels), title)


def _render(plot: _Rose, title: str) -> str:
    parts = "".join((*_bars(plot), *_circles(plot), *_ticks(plot), *_labels(plot), *_legend(plot)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="Georgia, serif" font-size="13" fill="{_INK}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(_description(plot))}</desc>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{_PAPER}"/>'
        f'<text x="{_CENTRE_X:g}" y="30" text-anchor="middle" font-size="18">{escape(title)}</text>{parts}</svg>\n'
    )


def _description(plot: _Rose) -> str:
    """The text alternative of the picture."""
    if not plot.spins:
        return f"{len(plot.totals)} sections; no spins yet."
    most, least = (how(range(len(plot.totals)), key=plot.totals.__getitem__) for how in (max, min))
    return (
        f"{plot.spins:,} spins on {len(plot.totals)} sections; {plot.spins / len(plot.totals):,.1f} expected in "
        f"each, two standard errors are {2 * plot.error:.1%}. Most often {_section(plot, most)}; least often "
        f"{_section(plot, least)}."
    )


def _section(plot: _Rose, at: int) -> str:
    """``section 13 (10): 120, 8.0% more than expected``."""
    ratio = _ratios(plot.totals)[at]
    more = "more" if ratio >= 1 else "fewer"
    return f"section {at + 1} ({plot.labels[at]}): {plot.totals[at]:,}, {abs(ratio - 1):.1%} {more} than expected"


def _ratios(counts: Sequence[int]) -> list[float]:
    """Counts over the expected one; all 0 without spins."""
    spins = sum(counts)
    return [count * len(counts) / spins if spins else 0.0 for count in counts]


# -- the parts of the picture --------------------------------------------------------------------------------------


def _bars(plot: _Rose) -> Iterator[str]:
    half = math.pi / len(plot.totals) * 0.9
    for at, ratio in enumerate(_ratios(plot.totals)):
        if not ratio:
            continue
        radius, middle = _radius(plot, ratio), _angle(plot, at)
        colour = _BEYOND if abs(ratio - 1) > 2 * plot.error else _BAR
        large = int(half > math.pi / 2)
        yield (
            f'<path d="M{_CENTRE_X:g} {_CENTRE_Y:g}L{_point(radius, middle - half)}A{radius:.2f} {radius:.2f} 0 '
            f'{large} 1 {_point(radius, middle + half)}Z" fill="{colour}">'
            f"<title>{escape(_section(plot, at))}</title></path>"
        )


def _circles(plot: _Rose) -> Iterator[str]:
    """The expected count, and two standard errors to either side."""
    for ratio, dashes, width in (
        (1.0, "none", 1.6),
        (1 - 2 * plot.error, "5 4", 1.0),
        (1 + 2 * plot.error, "5 4", 1.0),
    ):
        if ratio > 0 and (plot.spins or width > 1):
            yield (
                f'<circle cx="{_CENTRE_X:g}" cy="{_CENTRE_Y:g}" r="{_radius(plot, ratio):.2f}" fill="none" '
                f'stroke="{_INK}" stroke-width="{width:g}" stroke-dasharray="{dashes}"/>'
            )


def _ticks(plot: _Rose) -> Iterator[str]:
    """The ratio of each direction, drawn on the half of the bar on that side."""
    half = math.pi / len(plot.totals) * 0.9
    for name, counts in plot.directions.items():
        side = (0.06, 1.0) if name == "clockwise" else (-1.0, -0.06)
        path = ""
        for at, ratio in enumerate(_ratios(counts)):
            radius = _radius(plot, ratio)
            first, last = (_angle(plot, at) + half * part for part in side)
            path += f"M{_point(radius, first)}A{radius:.2f} {radius:.2f} 0 0 1 {_point(radius, last)}"
        yield f'<path d="{path}" fill="none" stroke="{_DIRECTIONS[name]}" stroke-width="2.4"/>'


def _labels(plot: _Rose) -> Iterator[str]:
    size = 13 if len(plot.labels) <= 60 else 9
    for at, label in enumerate(plot.labels):
        x, y = _place(_LABELS, _angle(plot, at))
        short = label if len(label) <= _SHORT else f"{label[: _SHORT - 1]}…"
        yield (
            f'<text x="{x:.1f}" y="{y:.1f}" dy="{size * 0.35:.1f}" font-size="{size}" text-anchor="middle">'
            f"{escape(short)}</text>"
        )


def _legend(plot: _Rose) -> Iterator[str]:
    if not plot.spins:
        yield f'<text x="{_CENTRE_X:g}" y="{_CENTRE_Y:g}" text-anchor="middle" font-size="18">no spins yet</text>'
        return
    top = 650
    yield _words(24, top, f"{plot.spins:,} spins, {plot.spins / len(plot.totals):,.1f} expected in each section")
    yield _sample(24, top + 24, "none", 1.6) + _words(62, top + 24, "expected")
    yield _sample(134, top + 24, "5 4", 1.0)
    yield _words(
        172, top + 24, f"two standard errors, ± {2 * plot.error:.1%}: by chance about one bar in 20 is beyond"
    )
    left = 24
    for name, counts in plot.directions.items():
        yield f'<path d="M{left} {top + 44}h30" stroke="{_DIRECTIONS[name]}" stroke-width="2.4"/>'
        yield _words(left + 38, top + 48, f"{name}: {sum(counts):,}")
        left += 220
    if plot.directions:
        yield _words(left, top + 48, "each on its own half of the bar")
    yield f'<rect x="430" y="{top - 11}" width="14" height="14" fill="{_BEYOND}"/>'
    yield _words(452, top, "beyond two standard errors")
    cut = f"; what reaches the rim is cut off at {plot.scale:g} times" if plot.highest > plot.scale else ""
    yield _words(
        24, top + (72 if plot.directions else 48), f"section 1 is at the top, the others follow clockwise{cut}"
    )


def _words(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{_QUIET}">{escape(words)}</text>'


def _sample(x: float, y: float, dashes: str, width: float) -> str:
    return f'<path d="M{x:g} {y - 4:g}h30" stroke="{_INK}" stroke-width="{width:g}" stroke-dasharray="{dashes}"/>'


# -- places -----------------------------------------------------------------------------------------------------


def _radius(plot: _Rose, ratio: float) -> float:
    return _REACH * min(ratio / plot.scale, 1.0)


def _angle(plot: _Rose, at: int) -> float:
    """Of a section's middle, clockwise from the top."""
    return 2 * math.pi * at / len(plot.totals)


def _place(radius: float, angle: float) -> tuple[float, float]:
    return _CENTRE_X + radius * math.sin(angle), _CENTRE_Y - radius * math.cos(angle)


def _point(radius: float, angle: float) -> str:
    x, y = _place(radius, angle)
    return f"{x:.2f} {y:.2f}"
