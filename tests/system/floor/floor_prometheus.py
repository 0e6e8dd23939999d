"""Prometheus checks the rules and the configuration that are shipped; both databases give the same figures."""

import shutil
import subprocess
from pathlib import Path

import yaml
from contracts.floor_store_cases import opened
from contracts.loop import PATIENCE_S
from floor_messages import arrived, online, record, state_after
from postgres_server import Postgres
from project import ROOT
from server_process import program

from controller.floor.queries.store_figures import FiguresReader

SHOWN = ROOT / "deploy/prometheus"
PACKAGE = "prometheus"
TOKEN = "0123456789abcdef"


def test_the_rules_are_right_and_their_tests_pass(tmp_path: Path) -> None:
    for name in ("rules.yml", "rules_test.yml"):
        shutil.copy(SHOWN / name, tmp_path)
    _promtool(["check", "rules", str(tmp_path / "rules.yml")])
    _promtool(["test", "rules", str(tmp_path / "rules_test.yml")])
    tests = (SHOWN / "rules_test.yml").read_text(encoding="utf-8")
    rules = yaml.safe_load((SHOWN / "rules.yml").read_text(encoding="utf-8"))
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        assert f'alertname="{rule["alert"]}"' in tests, "each rule has a test"
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "remedy"}


def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    shown = (SHOWN / "prometheus.yml").read_text(encoding="utf-8")
    token = tmp_path / "token"
    token.write_text(TOKEN)
    (tmp_path / "prometheus.yml").write_text(shown.replace("/etc/prometheus/table-controller.token", str(token)))
    shutil.copy(SHOWN / "rules.yml", tmp_path)
    _promtool(["check", "config", str(tmp_path / "prometheus.yml")])


def test_the_figures_of_the_store_are_the_same_in_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    """The state of a game is taken out of JSON by the database itself."""
    found = []
    last = record([1, 1])[-1]
    for url in (f"sqlite:///{tmp_path}/floor.db", postgres.fresh()):
        store = opened(url)
        store.take([arrived(online()), arrived(last), arrived(state_after(last))])
        with store.engine.connect() as db:
            found.append(FiguresReader().read(db))
        store.close()
    assert found[0] == found[1]
    (group,) = found[0].tables
    assert (group.game, group.online, group.state) == (last.game, True, state_after(last).state)


def _promtool(words: list[str], given: bytes = b"") -> None:
    done = subprocess.run(
        [program("promtool", PACKAGE), *words], input=given, capture_output=True, check=False, timeout=PATIENCE_S
    )
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
