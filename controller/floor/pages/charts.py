"""Charts of the floor's pages: drawn by pygal, in the pages' colours, as SVG without scripts and style sheets.

A page shows them as pictures, each beside a table of the same numbers. The pages' Content-Security-Policy allows no
style sheet inside a picture, so what pygal would say in one is said by attributes.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from controller.events.words import plain

_WIDTH, _HEIGHT = 860, 300
_BAR, _AROUND = 30, 110
"""Heights of a lying bar, and of what is around them."""
_PAPER, _INK, _QUIET, _GRID = "#06140d", "#f7f0de", "#c3cdbf", "#2d5a43"
_COLOURS = ("#ffd873", "#7fc8a9", "#ff9d8a", "#9db8ff", "#e29bd6", "#b5d86a", "#ffb35c", "#8fdcec", "#a3a8a0")
"""Of the parts, in their order; the last one is that of all others."""
_MOST_KINDS = len(_COLOURS) - 1
_OTHERS = "others"
_CUT = 24
"""Where a name beside its bar is truncated, in characters."""
_LEGEND_COLUMNS, _LEGEND_LINE = 3, 24
_SIZE, _TITLE_SIZE = 13, 16
_FONT = "Liberation Sans, Arial, sans-serif"
_UNSEEN = frozenset({"overlay", "tooltip-overlay"})
Series = Mapping[str, Sequence[float | None]]


@cache
def _pygal() -> ModuleType:
    """The library, without the finder for its plug-ins that it leaves in the interpreter and that warns."""
    pygal = import_module("pygal")
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != "pygal"]
    return pygal


def bars(title: str, about: str, names: Sequence[str], series: Series, unit: str = "") -> str:
    """A column for each name, made of a part for each series.

    Args:
        about: what it shows, for those who do not see it.
        names: of the columns, from left to right.
        series: values in the order of the names; of many the largest have a colour of their own.
        unit: of the values, at their axis.
    """
    kept = _largest(series)
    chart = _chart(
        "StackedBar",
        title,
        _HEIGHT + _legend_height(kept),
        show_legend=len(kept) > 1,
        y_title=unit if kept else None,
    )
    chart.x_labels = list(names) if kept else []
    chart.show_y_labels = bool(kept)
    for name, values in kept.items():
        chart.add(plain(name), list(values))
    return _drawn(chart, about, [plain(name) for name in kept])


def stacked(title: str, about: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> str:
    """A lying bar for each row, divided in proportion to its parts.

    Args:
        about: what it shows, for those who do not see it.
        rows: names, each with the sizes of its parts by name.
    """
    shares = [(name, _percent(of)) for name, of in rows if sum(of.values()) > 0]
    kinds = {kind: None for _, of in shares for kind in of}
    series = {kind: [of.get(kind) for _, of in shares] for kind in kinds}
    kept = _largest(series)
    height = _AROUND + _BAR * max(len(shares), 1) + _legend_height(kept)
    chart = _chart("HorizontalStackedBar", title, height, show_legend=True, range=(0, 100) if shares else None)
    chart.show_x_labels = chart.show_y_labels = bool(shares)
    # A lying chart begins below; people read from the top.
    chart.x_labels = [_short(name) for name, _ in reversed(shares)]
    chart.value_formatter = lambda value: f"{value:.0f} %"
    for name, values in kept.items():
        chart.add(plain(name), list(reversed(values)))
    return _drawn(chart, about, [plain(name) for name in kept])


def _percent(sizes: Mapping[str, int]) -> dict[str, float]:
    return {kind: 100 * size / sum(sizes.values()) for kind, size in sizes.items() if size}


def _chart(kind: str, title: str, height: int, **options: Any) -> Any:
    """A chart of pygal's, which is loaded when the first one is drawn: not every floor's pages are looked at."""
    pygal = _pygal()
    sizes = {f"{what}_font_size": _SIZE for what in ("label", "major_label", "legend", "value")}
    chart = getattr(pygal, kind)(
        js=[],
        style=pygal.style.Style(**sizes, title_font_size=_TITLE_SIZE, no_data_font_size=_TITLE_SIZE),
        max_scale=8,
        width=_WIDTH,
        height=height,
        explicit_size=True,
        legend_at_bottom=True,
        legend_at_bottom_columns=_LEGEND_COLUMNS,
        truncate_legend=-1,
        truncate_label=-1,
        no_data_text="nothing to show",
        **options,
    )
    chart.title = title
    return chart


def _short(name: str) -> str:
    return name if len(name) <= _CUT else f"{name[: _CUT - 1]}…"


def _legend_height(series: Series) -> int:
    return _LEGEND_LINE * -(-len(series) // _LEGEND_COLUMNS) if len(series) > 1 else 0


def _largest(series: Series) -> dict[str, Sequence[float | None]]:
    """The series with a colour of their own, the largest first, and the sum of the others."""
    by_size = sorted(series, key=lambda name: (-sum(value or 0 for value in series[name]), name))
    kept: dict[str, Sequence[float | None]] = {name: series[name] for name in by_size[:_MOST_KINDS]}
    if others := by_size[_MOST_KINDS:]:
        columns = zip(*(series[name] for name in others), strict=True)
        kept[_OTHERS] = [sum(value or 0 for value in values) for values in columns]
    return kept


# -- from style sheet to attributes --------------------------------------------------------------------------------


def _drawn(chart: Any, about: str, names: Sequence[str]) -> str:
    root: Element = chart.render_tree()
    for series in root.iter("g"):
        of_series = series.get("class", "").split()
        if "series" in of_series:
            _name_bars(series, names[int(of_series[1].removeprefix("serie-"))])
    _clean(root)
    for node, classes, within in list(_nodes(root, ())):
        _style(node, classes, within)
    root.set("role", "img")
    root.set("font-family", _FONT)
    root.set("font-size", str(_SIZE))
    described = Element("desc")
    described.text = about
    root.insert(1, described)  # Behind the title.
    return tostring(root, encoding="unicode") + "\n"


def _name_bars(series: Element, name: str) -> None:
    """Say of each bar what it is: browsers show it where a mouse points."""
    for bar in series.iter("g"):
        if bar.get("class") != "bar" or (rect := bar.find("rect")) is None:
            continue
        said = {one.get("class"): one.text or "" for one in bar.iter("desc")}
        SubElement(rect, "title").text = f"{said.get('x_label', '')}, {name}: {said.get('value', '')}"


def _clean(node: Element) -> None:
    """Take out scripts, style sheets, comments, and what only scripts bring to life."""
    for child in list(node):
        classes = set(child.get("class", "").split()) if isinstance(child.tag, str) else set()
        unwanted = not isinstance(child.tag, str) or child.tag in ("defs", "desc") or classes & _UNSEEN
        if unwanted:
            node.remove(child)
        else:
            child.attrib.pop("style", None)
            _clean(child)


def _nodes(node: Element, within: tuple[str, ...]) -> Iterator[tuple[Element, tuple[str, ...], tuple[str, ...]]]:
    """Each node with its own classes and those of the nodes that it is in."""
    classes = tuple(node.get("class", "").split())
    yield node, classes, within
    for child in node:
        yield from _nodes(child, (*within, *classes))


def _style(node: Element, classes: Sequence[str], within: Sequence[str]) -> None:
    colour = next((name for name in (*classes, *reversed(within)) if name.startswith("color-")), "")
    if "background" in classes:
        node.set("fill", "none" if "plot" in within else _PAPER)
    elif node.tag == "rect" and colour:
        node.set("fill", _COLOURS[int(colour.removeprefix("color-")) % len(_COLOURS)])
        node.set("stroke", _PAPER)
    elif node.tag == "path":
        # Lines across the values; none across the names.
        names_axis = "x" in within
        node.set("stroke", "none" if names_axis and "guide" in classes else _GRID)
        node.set("fill", "none")
    elif node.tag == "text":
        is_title = "plot_title" in classes
        node.set("fill", _INK if is_title else _QUIET)
        if is_title:
            node.set("font-size", str(_TITLE_SIZE))
        if anchor := _anchor(classes, within):
            node.set("text-anchor", anchor)


def _anchor(classes: Sequence[str], within: Sequence[str]) -> str:
    if "title" in classes or "no_data" in classes:
        return "middle"
    if "axis" not in within:
        return ""
    return "end" if "y" in within else "middle"
