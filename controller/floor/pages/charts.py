"""Bar charts as self-contained SVG: with a background of their own, without style sheets or scripts."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from controller.events.text import plain

_WIDTH, _LEFT, _RIGHT, _TOP = 860, 150, 20, 44
_HEIGHT, _BAR, _GAP = 190, 22, 10
_PAPER, _INK, _QUIET, _GRID, _FILL = "#ffffff", "#1b1b1b", "#4f4f4f", "#d5d5d5", "#2d5d8a"
_COLOURS = ("#2d5d8a", "#b5462f", "#2f6f4f", "#7a4a91", "#8a6a12", "#3f7f8c", "#a33a6b", "#5a5a5a")
_OTHER = "#8f8f8f"
_STEPS = (1, 2, 5)
_MOST_KINDS = len(_COLOURS)
_LEGEND, _LINE, _ACROSS = 24, 20, 3
_CUT = 20
"""Where a name beside its bar is truncated, in characters."""


def bars(title: str, values: Sequence[tuple[str, int]], unit: str) -> str:
    """A column for each value.

    Args:
        values: by name, from left to right; only some of the names are written.
        unit: of the values, for a column's tooltip.
    """
    most = max((value for _, value in values), default=0)
    step = _step(max(most, 1), 4)
    top = step * -(-max(most, 1) // step)
    width = (_WIDTH - 60 - _RIGHT) / max(len(values), 1)
    parts = [*_grid(top, step)]
    for at, (name, value) in enumerate(values):
        x, height = 60 + at * width, _HEIGHT * value / top
        if value:
            y = _TOP + _HEIGHT - height
            parts.append(
                f'<rect x="{x + width * 0.1:.1f}" y="{y:.1f}" width="{width * 0.8:.1f}" height="{height:.1f}" '
                f'fill="{_FILL}"><title>{escape(name)}: {value} {escape(unit)}</title></rect>'
            )
        if at % max(1, len(values) // 8) == 0:
            parts.append(_text(x + width / 2, _TOP + _HEIGHT + 18, name, "middle"))
    return _picture(title, _TOP + _HEIGHT + 30, parts)


def stacked(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """A bar for each row, divided in proportion to its parts; the legend gives the parts' numbers.

    Args:
        rows: names, each with the sizes of its parts by name.
    """
    kinds = _kinds(rows)
    parts: list[str] = []
    for at, (name, sizes) in enumerate(rows):
        y = _TOP + at * (_BAR + _GAP)
        short = name if len(name) <= _CUT else f"{name[: _CUT - 1]}…"
        parts.append(_text(_LEFT - 8, y + _BAR * 0.7, short, "end"))
        parts += _row(sizes, kinds, y)
    top = _TOP + len(rows) * (_BAR + _GAP) + _LEGEND
    if not rows:
        parts.append(_text(_LEFT, _TOP + 12, "nothing to show", "start"))
    parts += _legend(rows, kinds, top)
    return _picture(title, top + -(-(len(kinds) + 1) // _ACROSS) * _LINE, parts)


def _kinds(rows: Sequence[tuple[str, Mapping[str, int]]]) -> tuple[str, ...]:
    """The parts with a colour of their own: the largest, in order of size."""
    sums: dict[str, int] = {}
    for _, sizes in rows:
        for kind, size in sizes.items():
            sums[kind] = sums.get(kind, 0) + size
    return tuple(sorted(sums, key=lambda kind: (-sums[kind], kind)))[:_MOST_KINDS]


def _row(sizes: Mapping[str, int], kinds: Sequence[str], y: float) -> Iterator[str]:
    total, x = sum(sizes.values()), float(_LEFT)
    others = sum(size for kind, size in sizes.items() if kind not in kinds)
    named = [(str(at + 1), kind, sizes.get(kind, 0), _COLOURS[at]) for at, kind in enumerate(kinds)]
    for number, kind, size, colour in (*named, ("", "others", others, _OTHER)):
        if not size:
            continue
        width = (_WIDTH - _LEFT - _RIGHT) * size / total
        words = f"{plain(kind)}: {size / total:.0%}"
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_BAR}" fill="{colour}" '
            f'stroke="{_PAPER}" stroke-width="1"><title>{escape(words)}</title></rect>'
        )
        if width > 16:
            yield _text(x + width / 2, y + _BAR * 0.7, number, "middle", "#ffffff")
        x += width


def _legend(rows: Sequence[tuple[str, Mapping[str, int]]], kinds: Sequence[str], top: float) -> Iterator[str]:
    """What the numbers mean, with the shares of the first row."""
    sizes = rows[0][1] if rows else {}
    total = sum(sizes.values())
    for at, kind in enumerate(kinds):
        x, y = 20 + at % _ACROSS * 275, top + at // _ACROSS * _LINE
        share = f"  {sizes.get(kind, 0) / total:.0%}" if len(rows) and total else ""
        yield f'<rect x="{x}" y="{y - 12:.1f}" width="18" height="15" fill="{_COLOURS[at]}"/>'
        yield _text(x + 9, y, str(at + 1), "middle", "#ffffff")
        yield _text(x + 26, y, f"{plain(kind)}{share}", "start")


def _grid(top: int, step: int) -> Iterator[str]:
    for value in range(0, top + 1, step):
        y = _TOP + _HEIGHT * (1 - value / top)
        yield f'<path d="M60 {y:.1f}H{_WIDTH - _RIGHT}" stroke="{_GRID}"/>'
        yield _text(52, y + 4, str(value), "end")


def _step(span: int, most: int) -> int:
    """The least round step that divides a span into at most ``most`` parts."""
    scale = 1
    while True:
        for factor in _STEPS:
            if span <= scale * factor * most:
                return scale * factor
        scale *= 10


def _text(x: float, y: float, words: str, anchor: str, colour: str = _QUIET) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def _picture(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" width="{_WIDTH}" '
        f'height="{height:g}" font-family="Liberation Sans, Arial, sans-serif" font-size="13" role="img">'
        f'<title>{escape(title)}</title><rect width="{_WIDTH}" height="{height:g}" fill="{_PAPER}"/>'
        f'<text x="20" y="24" font-size="16" fill="{_INK}">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )
