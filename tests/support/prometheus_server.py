"""Prometheus for tests, on loopback, as ``deploy/prometheus`` configures it; everything of it is in its folder."""

import json
import signal
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from project import ROOT
from server_process import ServerProcess, free_port, program

SHOWN = ROOT / "deploy/prometheus"
PACKAGE = "prometheus"


class Prometheus:
    """A Prometheus that scrapes as the example does, five times a second.

    Args:
        targets: the port of each job.
        token: the file of the floor's token.
    """

    def __init__(self, folder: Path, targets: Mapping[str, int], token: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._program = program("prometheus", PACKAGE)
        self._process = ServerProcess(folder / "prometheus.log")
        self._file = folder / "prometheus.yml"
        self._file.write_text(yaml.safe_dump(_configured(targets, token)))
        self._port = 0

    def start(self) -> None:
        """Start it, and wait until it answers.

        Raises:
            ServerError: it does not start.
        """
        self._port = free_port()
        command = [
            self._program,
            f"--config.file={self._file}",
            f"--storage.tsdb.path={self._folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{self._port}",
            "--log.level=warn",
        ]
        self._process.start(command, "TERM", self._answers)

    def stop(self) -> None:
        """End it."""
        self._process.end(signal.SIGTERM)

    def value(self, expr: str) -> list[dict[str, Any]]:
        """What an expression comes to now: its samples.

        Raises:
            AssertionError: it is none.
        """
        answer = self._get(f"/api/v1/query?{urllib.parse.urlencode({'query': expr})}")
        assert answer["status"] == "success", answer
        found: list[dict[str, Any]] = answer["data"]["result"]
        return found

    def rules(self) -> list[dict[str, Any]]:
        """Its alert rules, with the health of each."""
        groups = self._get("/api/v1/rules")["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    def metrics(self) -> set[str]:
        """The names of all metrics that it was told of, with a value or without."""
        return set(self._get("/api/v1/metadata")["data"])

    def _get(self, path: str) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}{path}", timeout=20) as answer:
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            found = json.load(error)
        return found

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/-/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def _configured(targets: Mapping[str, int], token: Path) -> dict[str, Any]:
    """The example with other addresses, shorter times and no Alertmanager."""
    shown: dict[str, Any] = yaml.safe_load((SHOWN / "prometheus.yml").read_text(encoding="utf-8"))
    shown["global"] = {"scrape_interval": "200ms", "evaluation_interval": "200ms", "scrape_timeout": "200ms"}
    shown["rule_files"] = [str(SHOWN / name) for name in shown["rule_files"]]
    del shown["alerting"]
    assert {job["job_name"] for job in shown["scrape_configs"]} == set(targets)
    for job in shown["scrape_configs"]:
        job["static_configs"] = [{"targets": [f"127.0.0.1:{targets[job['job_name']]}"]}]
        job["scheme"] = "http"
        if "authorization" in job:
            job["authorization"]["credentials_file"] = str(token)
    return shown
