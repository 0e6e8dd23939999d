"""The house rules that a machine can check: which way the arrows point (``.importlinter``), and how files begin."""

from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports
from project import ROOT

PACKAGES = ("controller", "hal", "config")
MODULES = sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_every_room_imports_only_what_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_files_are_short_enough_to_read(module: Path) -> None:
    lines = (ROOT / module).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 300 + 20, "split it"
    assert not lines or lines[0].startswith('"""'), "say what the file is for"
