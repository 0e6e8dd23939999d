"""Charts of the floor's pages, drawn by pygal as SVG without scripts. Beside each is a table of its numbers."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any
from xml.etree.ElementTree import Element

_COLOURS = {"Bar": ("#2f6f5e",), "Line": ("#2f6f5e", "#b07d2b", "#a23b4a"), "Radar": ("#2f6f5e", "#1f2421")}
_MOST_LABELS = 24
"""Under an axis."""


@cache
def _pygal() -> Any:
    """The library, loaded with the first chart; without the finder for its plug-ins, which warns ever after."""
    pygal = import_module("pygal")
    sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != "pygal"]
    return pygal


def columns(values: Mapping[str, int], title: str) -> str:
    """A column for each hour (2026-11-21T17) or day (2026-11-21)."""
    chart = _chart("Bar", title, [f"{name[11:]}h" if "T" in name else name[5:] for name in values])
    chart.add("", list(values.values()))
    return _drawn(chart)


def lines(names: Sequence[str], series: Mapping[str, Sequence[float | None]], title: str) -> str:
    """A line for each series over the same names; None is a gap."""
    chart = _chart("Line", title, names, show_legend=len(series) > 1)
    for name, values in series.items():
        chart.add(name, list(values))
    return _drawn(chart)


def rose(sections: Sequence[Mapping[str, Any]], title: str) -> str:
    """Spins by section over the expected number, in percent, clockwise around the rim; expected is 100."""
    # pygal draws counterclockwise from the top.
    around = [sections[-at % len(sections)] for at in range(len(sections))]
    shares = [100 * section["spins"] / section["expected"] if section["expected"] else 0 for section in around]
    labelled = all(section["label"] for section in around)  # Each from its first spin on.
    names = [section["label"] if labelled else str(section["position"] + 1) for section in around]
    look = {"height": 700, "width": 640, "show_legend": True, "show_dots": False, "show_y_labels": False}
    chart = _chart("Radar", title, names, range=(0, max(120, *shares)), **look)
    chart.add("spins, in percent of the expected number", shares, fill=True)
    chart.add("expected", [100] * len(around), stroke_style={"width": 2})
    return _drawn(chart)


def _chart(kind: str, title: str, names: Sequence[str], **options: Any) -> Any:
    style: dict[str, Any] = {"background": "transparent", "plot_background": "transparent"}
    style |= {
        "colors": _COLOURS[kind],
        "foreground": "#4a4a4a",
        "foreground_strong": "#222",
        "guide_stroke_color": "#d8dcd6",
    }
    style |= {f"{what}guide_stroke_dasharray": "none" for what in ("", "major_")}
    style |= {f"{what}_font_size": 12 for what in ("label", "major_label", "legend", "title", "no_data")}
    style |= {"major_guide_stroke_color": "#c4c9c2", "font_family": "system-ui, 'DejaVu Sans', sans-serif"}
    options = {"width": 900, "height": 270, "show_legend": False, "legend_at_bottom": True, **options}
    options |= {"truncate_label": -1, "truncate_legend": -1, "max_scale": 6, "no_data_text": "nothing to show"}
    chart = getattr(_pygal(), kind)(js=(), style=_pygal().style.Style(**style), title=title, **options)
    chart.x_labels = list(names)
    if kind != "Radar":  # Of many places on an axis not each has a label.
        chart.x_labels_major = list(names)[:: -(-len(names) // _MOST_LABELS) or 1]
        chart.show_minor_x_labels = False
    return chart


def _drawn(chart: Any) -> str:
    chart.add_xml_filter(_without_scripts)
    return str(chart.render(is_unicode=True, disable_xml_declaration=True))


def _without_scripts(root: Element) -> Element:
    for node in root.iter():
        for child in [one for one in node if isinstance(one.tag, str) and one.tag.endswith("script")]:
            node.remove(child)
    root.set("role", "img")
    return root
