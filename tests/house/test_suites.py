"""Every file of tests is run by a target of the Makefile: a pattern that leaves one out by accident is found."""

import re
from pathlib import Path

import pytest
from project import ROOT

SUITES = ROOT / "tests/system"
PATTERN = re.compile(r"-o python_files='([^']+)'")


def patterns(makefile: str) -> list[str]:
    """What files the targets run, apart from `make test`."""
    return [pattern for found in PATTERN.findall(makefile) for pattern in found.split()]


def left_out(files: list[Path], makefile: str) -> list[Path]:
    """The files that no target runs."""
    return [file for file in files if not any(file.match(pattern) for pattern in patterns(makefile))]


def files_of_tests() -> list[Path]:
    found = sorted(file for file in SUITES.rglob("*.py") if re.search(r"^\s*def test_", file.read_text(), re.M))
    assert len(found) > 30
    return found


def test_every_file_of_tests_on_real_systems_is_run_by_a_target() -> None:
    assert left_out(files_of_tests(), (ROOT / "Makefile").read_text()) == []


@pytest.mark.parametrize("pattern", ["browser_[!l]*.py", "browser_a*.py", "logon_*.py"])
def test_a_pattern_that_leaves_a_file_out_is_found(pattern: str) -> None:
    file = SUITES / "browser/browser_logon.py"
    assert left_out([file], f"\t$(BIN)/pytest -o python_files='{pattern}' tests/system/browser\n") == [file]
