"""The version is one: what starts write into the journal, the package and the changelog say the same."""

import re
import subprocess
import sys
from pathlib import Path

from controller import __version__

ROOT = Path(__file__).parents[3]


def test_the_package_is_of_the_version_that_the_journal_names() -> None:
    result = subprocess.run(
        [sys.executable, "setup.py", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.split()[-1] == __version__


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## (\S+) — (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0][0] == __version__
    assert len(set(headings)) == len(headings)
