"""Documents that are drawn from the code are current, and every file that they name exists."""

import re
from pathlib import Path

import pytest

from controller.tables import shipped_tables
from docs.diagrams import FILE, page

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")))


def test_the_state_diagrams_are_current() -> None:
    assert FILE.read_text(encoding="utf-8") == page(), "run: make docs"


@pytest.mark.parametrize("file", PAGES, ids=str)
def test_links_within_the_project_lead_somewhere(file: Path) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"", text)
    missing = [t for pair in targets for t in pair if t and not (ROOT / file.parent / t).exists()]
    assert not missing


def test_the_readme_names_every_shipped_table() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"config/tables/{name}.yaml" in readme for name in shipped_tables())
