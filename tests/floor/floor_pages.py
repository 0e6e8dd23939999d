"""The floor's pages and views from PostgreSQL; what is shipped for Prometheus and Alertmanager."""

import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest
import yaml
from contracts.floor_figures import FloorFigures, MakeEngine, seen
from filled_floor import create, fill
from floor_browser import Browser
from project import ROOT
from servers import Postgres
from sqlalchemy import Engine, create_engine

from controller.floor.views import VIEWS

DEPLOY = ROOT / "deploy"


@pytest.fixture
def engine(postgres: Postgres) -> Iterator[Engine]:
    made = create_engine(postgres.fresh())
    yield made
    made.dispose()


class TestPostgres(FloorFigures):
    @pytest.fixture(scope="class")
    @classmethod
    def make_engine(cls, postgres: Postgres) -> Iterator[MakeEngine]:
        made: list[Engine] = []

        def make() -> Engine:
            made.append(create_engine(postgres.fresh()))
            return made[-1]

        yield make
        for engine in made:
            engine.dispose()

    def test_each_view_has_its_description_in_the_database(self, empty: Engine) -> None:
        query = "SELECT relname, obj_description(oid) AS about FROM pg_class WHERE relkind = 'v'"
        described = {one["relname"]: one["about"] for one in seen(empty, query)}
        assert {view.name: view.about for view in VIEWS}.items() <= described.items()


def _run(program: str, *words: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_are_right_and_their_tests_pass() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus/rules.yml").read_text(encoding="utf-8"))
    tests = (DEPLOY / "prometheus/rules_test.yml").read_text(encoding="utf-8")
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        assert f'alertname="{rule["alert"]}"' in tests, "each rule has a test"
        assert rule["annotations"].keys() == {"summary", "remedy"}
    _run("promtool", "check", "rules", str(DEPLOY / "prometheus/rules.yml"))
    _run("promtool", "test", "rules", str(DEPLOY / "prometheus/rules_test.yml"))
    _run("promtool", "check", "config", str(DEPLOY / "prometheus/prometheus.yml"))


def test_the_rules_ask_for_metrics_that_there_are(engine: Engine) -> None:
    create(engine)
    fill(engine, 4, 1)
    browser = Browser(engine)
    for counter in (browser.metrics.rounds, browser.metrics.voids, browser.metrics.refused):
        counter.labels("x").inc()
    metric = re.compile(r"table_controller_floor_\w+")
    there = set(metric.findall(browser.ask("/metrics").text))
    asked = set(metric.findall((DEPLOY / "prometheus/rules.yml").read_text(encoding="utf-8")))
    assert asked
    assert asked <= there


def test_the_routes_of_alertmanager_are_right() -> None:
    file = DEPLOY / "alertmanager/alertmanager.yml"
    _run("amtool", "check-config", str(file))
    for receiver, labels in {
        "surveillance": ("alertname=FloorGraveAlert", "severity=critical"),
        "pager": ("alertname=FloorStoreUnavailable", "severity=critical"),
        "technician": ("alertname=FloorAlert", "severity=warning"),
    }.items():
        _run(
            "amtool", "config", "routes", "test", f"--config.file={file}", f"--verify.receivers={receiver}", *labels
        )
