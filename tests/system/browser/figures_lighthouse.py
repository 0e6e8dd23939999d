"""Lighthouse: how soon each page shows something, and whether everybody can use it. Run by: make lighthouse"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from chromium import CHROMIUM
from conftest import Serve
from project import ROOT
from served_floor import ServedFloor

LIGHTHOUSE = ROOT / "build/npm-lighthouse/node_modules/.bin/lighthouse"
LEAST = 0.95
TRIALS = 3
"""A shared machine may stall for a moment: one of these has to be good enough."""
_OPTIONS = (
    "--quiet",
    "--preset=desktop",
    "--only-categories=performance,accessibility",
    "--throttling-method=provided",
    "--output=json",
    "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
)


def scores(address: str, folder: Path) -> dict[str, float]:
    """Performance and accessibility of a page, 0 to 1."""
    report = folder / "report.json"
    environment = {**os.environ, "CHROME_PATH": str(CHROMIUM)}
    command = [str(LIGHTHOUSE), address, *_OPTIONS, f"--output-path={report}"]
    subprocess.run(command, env=environment, check=True, timeout=180, capture_output=True)
    found = json.loads(report.read_text(encoding="utf-8"))["categories"]
    return {name: one["score"] for name, one in found.items()}


def best(address: str, folder: Path) -> dict[str, float]:
    """Of some trials, the first that is good enough, or the last."""
    found: dict[str, float] = {}
    for _ in range(TRIALS):
        found = scores(address, folder)
        if min(found.values()) >= LEAST:
            break
    return found


@pytest.mark.parametrize("path", ["/", "/dealer", "/rounds"])
def test_a_tables_page_is_fast_and_for_everybody(
    path: str, bench: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = best(bench("sic-bo").address + path, tmp_path)
    with capsys.disabled():
        print(f"\n{path}: {found}", end="")
    assert min(found.values()) >= LEAST


def test_the_floors_overview_is_fast_and_for_everybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floor = ServedFloor(tmp_path)
    try:
        found = best(floor.address + "/", tmp_path)
    finally:
        floor.close()
    with capsys.disabled():
        print(f"\nfloor: {found}", end="")
    assert min(found.values()) >= LEAST
