"""Writes the dashboards for Grafana into ``deploy/grafana/dashboards``. Run by ``make docs``.

They are made from the other modules of this folder that are called so; a test fails when they are not current.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from tools.dashboard_of_floor import FLOOR
from tools.dashboard_panels import Dashboard, Panel, expanded
from tools.dashboards_of_tables import PUBLISHERS, TABLE

FOLDER = Path(__file__).parents[1] / "deploy" / "grafana" / "dashboards"
DASHBOARDS = (FLOOR, PUBLISHERS, TABLE)
SCHEMA = 38
"""Of Grafana 10; later ones read it."""
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
_WIDTH = 24
_HEIGHTS = {"stat": 4}
_OTHERS = 8


def files() -> Mapping[str, str]:
    """Every dashboard's file by name, and what it holds."""
    made = {one.uid.removeprefix("table-controller-"): _document(one) for one in DASHBOARDS}
    return {f"{name}.json": json.dumps(document, indent=2) + "\n" for name, document in made.items()}


def _document(dashboard: Dashboard) -> dict[str, object]:
    return {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "tags": ["table-controller"],
        "schemaVersion": SCHEMA,
        "version": 1,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "",
        "templating": {"list": [_of_source(), _of_label(dashboard)]},
        "panels": _panels(dashboard),
    }


def _of_source() -> dict[str, object]:
    return {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"}


def _of_label(dashboard: Dashboard) -> dict[str, object]:
    return {
        "name": dashboard.variable,
        "type": "query",
        "datasource": _SOURCE,
        "query": f"label_values({dashboard.source}, {dashboard.variable})",
        "refresh": 2,
        "sort": 1,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
    }


def _panels(dashboard: Dashboard) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    x = y = height = 0
    for number, panel in enumerate(dashboard.panels, 1):
        own = _HEIGHTS.get(panel.kind, _OTHERS)
        if x + panel.width > _WIDTH or (made and own != height):
            x, y = 0, y + height
        height = own
        made.append(_panel(number, dashboard, panel, {"x": x, "y": y, "w": panel.width, "h": own}))
        x += panel.width
    return made


def _panel(number: int, dashboard: Dashboard, panel: Panel, place: dict[str, int]) -> dict[str, object]:
    instant = panel.kind != "timeseries"
    return {
        "id": number,
        "title": panel.title,
        "description": panel.says,
        "type": panel.kind,
        "datasource": _SOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {
                "refId": chr(ord("A") + place_of),
                "datasource": _SOURCE,
                "expr": expanded(dashboard, query.expr),
                "legendFormat": query.legend or "__auto",
                "instant": instant,
                "range": not instant,
                "format": "table" if panel.kind == "table" else "time_series",
            }
            for place_of, query in enumerate(panel.queries)
        ],
    }


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{FOLDER.name}: {', '.join(files())}")


if __name__ == "__main__":
    main()
