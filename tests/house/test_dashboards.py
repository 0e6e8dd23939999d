"""The dashboards for Grafana, as far as they can be tried without one, and the page of the metrics."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from project import ROOT

from controller.metrics.declaration import PREFIX, UNITS, MetricDeclaration, MetricKind
from tools import dashboards, metric_documents

FOLDER = ROOT / "deploy/grafana"
FILES = sorted(dashboards.FOLDER.glob("*.json"))
DECLARED = [one for _, declared in metric_documents.PARTS for one in declared]
_UNITS = {"short", "bool", "s", "bytes", "percentunit"}
_SUFFIXES = ("_bucket", "_sum", "_count")


def test_the_dashboards_and_the_page_of_the_metrics_are_current() -> None:
    assert {file.name: file.read_text(encoding="utf-8") for file in FILES} == dashboards.files(), "run: make docs"
    assert metric_documents.FILE.read_text(encoding="utf-8") == metric_documents.page(), "run: make docs"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_a_dashboard_is_one_that_grafana_reads(file: Path) -> None:
    dashboard: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert dashboard["schemaVersion"] == 38
    assert re.fullmatch(r"[a-z-]{1,40}", dashboard["uid"])
    source, label = dashboard["templating"]["list"]
    assert (source["type"], source["query"]) == ("datasource", "prometheus")
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(ids)) == len(ids) > 0
    titles = [panel["title"] for panel in dashboard["panels"]]
    assert len(set(titles)) == len(titles)
    for panel in dashboard["panels"]:
        assert panel["fieldConfig"]["defaults"]["unit"] in _UNITS, panel["title"]
        assert panel["description"].endswith("."), panel["title"]
        assert panel["targets"], panel["title"]
        for part in (panel, *panel["targets"]):
            assert part["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        refs = [target["refId"] for target in panel["targets"]]
        assert refs == sorted(set(refs))
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
    assert any(
        f"${label['name']}" in target["expr"] for panel in dashboard["panels"] for target in panel["targets"]
    )


def test_no_two_panels_lie_on_each_other() -> None:
    for file in FILES:
        taken: set[tuple[int, int]] = set()
        for panel in json.loads(file.read_text(encoding="utf-8"))["panels"]:
            place = panel["gridPos"]
            cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
            assert not cells & taken, panel["title"]
            taken |= cells


def test_every_metric_that_dashboards_and_rules_name_exists() -> None:
    names = {one.name for one in DECLARED}
    names |= {f"{one.name}{end}" for one in DECLARED if one.kind is MetricKind.HISTOGRAM for end in _SUFFIXES}
    texts = [file.read_text(encoding="utf-8") for file in (*FILES, ROOT / "deploy/prometheus/rules.yml")]
    used = {found for text in texts for found in re.findall(rf"{PREFIX}[a-z_]+", text)}
    assert used
    assert used <= names


def test_each_dashboard_is_provisioned_with_the_source_of_the_example() -> None:
    (source,) = yaml.safe_load((FOLDER / "provisioning/datasources/prometheus.yml").read_text())["datasources"]
    assert (source["type"], source["isDefault"]) == ("prometheus", True)
    scraped = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    assert source["jsonData"]["timeInterval"] == scraped["global"]["scrape_interval"]
    (provider,) = yaml.safe_load((FOLDER / "provisioning/dashboards/table-controller.yml").read_text())["providers"]
    assert provider["type"] == "file"


@pytest.mark.parametrize("declared", DECLARED, ids=lambda one: str(one.name))
def test_names_are_as_prometheus_asks(declared: MetricDeclaration) -> None:
    """https://prometheus.io/docs/practices/naming/ and the OpenMetrics specification."""
    assert re.fullmatch(rf"{PREFIX}[a-z]+(_[a-z]+)*", declared.name)
    assert declared.name.endswith("_total") == (declared.kind is MetricKind.COUNTER)
    assert declared.name.endswith("_info") == (declared.kind is MetricKind.INFO)
    assert declared.help.endswith(".")
    assert bool(declared.unit) or declared.kind is MetricKind.INFO or declared.counted
    assert not re.search(r"_(ms|milliseconds|minutes|hours|percent|megabytes|kilobytes)(_|$)", declared.name)
    assert declared.unit in ("", *UNITS)
    forbidden = {"round", "dealer", "person", "serial", "le", "job", "instance"}
    assert not declared.labels.keys() & forbidden
    if declared.kind is MetricKind.STATES:
        assert declared.name in declared.labels
