"""Charts of the floor's pages, drawn by pygal as SVG without scripts. Beside each is a table of its numbers."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element

_BAR, _SECOND, _THIRD, _EXPECTED = "#2f6f5e", "#b07d2b", "#a23b4a", "#1f2421"
_FONT = "system-ui, 'DejaVu Sans', sans-serif"
_MOST_LABELS = 24
"""Under an axis."""


@cache
def _pygal() -> ModuleType:
    """The library, loaded with the first chart; without the finder for its plug-ins, which warns ever after."""
    pygal = import_module("pygal")
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != "pygal"]
    return pygal


def columns(values: Mapping[str, int], title: str) -> str:
    """A column for each hour (2026-11-21T17) or day (2026-11-21)."""
    chart = _chart("Bar", title, [_BAR], height=260, show_legend=False)
    _label(chart, [f"{name[11:]}h" if "T" in name else name[5:] for name in values])
    chart.add("", list(values.values()))
    return _drawn(chart)


def rose(sections: Sequence[Mapping[str, Any]], title: str) -> str:
    """Spins by section over the expected number, clockwise around the rim, in percent; the even line is 100."""
    colours = [_BAR, _EXPECTED]
    chart = _chart("Radar", title, colours, height=700, width=640, legend_at_bottom=True, show_dots=False)
    # pygal draws counterclockwise from the top; a wheel is read clockwise.
    around = [sections[-at % len(sections)] for at in range(len(sections))]
    chart.x_labels = [section["label"] or str(section["position"] + 1) for section in around]
    shares = [100 * section["spins"] / section["expected"] if section["expected"] else 0 for section in around]
    chart.range = (0, max(120.0, *shares))
    chart.add("spins, in percent of the expected number", shares, fill=True)
    chart.add("expected", [100] * len(around), fill=False, stroke_style={"width": 2})
    return _drawn(chart)


def lines(names: Sequence[str], series: Mapping[str, Sequence[float | None]], title: str) -> str:
    """A line for each series over the same names; None is a gap."""
    height = 260 + 20 * (len(series) > 1)
    colours = [_BAR, _SECOND, _THIRD]
    chart = _chart("Line", title, colours, height=height, show_legend=len(series) > 1, legend_at_bottom=True)
    _label(chart, names)
    for name, values in series.items():
        chart.add(name, list(values))
    return _drawn(chart)


def _label(chart: Any, names: Sequence[str]) -> None:
    """Label the horizontal axis, where there are many not each place of it."""
    chart.x_labels = list(names)
    chart.x_labels_major = list(names)[:: -(-len(names) // _MOST_LABELS) or 1]
    chart.show_minor_x_labels = False


def _chart(kind: str, title: str, colours: Sequence[str], **options: Any) -> Any:
    pygal = _pygal()
    sizes = {f"{what}_font_size": 12 for what in ("label", "major_label", "legend", "value", "no_data")}
    style = pygal.style.Style(
        background="transparent",
        plot_background="transparent",
        foreground="#4a4a4a",
        foreground_strong="#222",
        foreground_subtle="#d5d5d5",
        guide_stroke_color="#d8dcd6",
        guide_stroke_dasharray="none",
        major_guide_stroke_color="#c4c9c2",
        major_guide_stroke_dasharray="none",
        opacity=".85",
        colors=colours,
        font_family=_FONT,
        title_font_size=15,
        **sizes,
    )
    options = {"width": 900, "no_data_text": "nothing to show", "max_scale": 6, **options}
    return getattr(pygal, kind)(js=(), style=style, title=title, truncate_label=-1, truncate_legend=-1, **options)


def _drawn(chart: Any) -> str:
    chart.add_xml_filter(_without_scripts)
    svg: str = chart.render(is_unicode=True, disable_xml_declaration=True)
    return svg


def _without_scripts(root: Element) -> Element:
    for node in root.iter():
        for child in list(node):
            if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == "script":
                node.remove(child)
    root.set("role", "img")
    return root
