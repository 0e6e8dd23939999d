"""What people meet who report something or build it: SECURITY.md, the forms for issues, what make says."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from project import ROOT

from controller.commands.cli import COMMANDS, parser

FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[0-9]*.yml"))
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}
"""The elements that a form may have."""


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_a_form_is_one(file: Path) -> None:
    form = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    for element in form["body"]:
        assert element["type"] in KINDS
        needed = "value" if element["type"] == "markdown" else "label"
        assert element["attributes"][needed]
    names = [element["id"] for element in form["body"] if "id" in element]
    assert len(names) == len(set(names))


def test_the_most_urgent_form_comes_first_and_says_what_to_keep() -> None:
    assert [file.stem for file in FORMS] == ["1-wrong-result", "2-table", "3-feature"]
    text = FORMS[0].read_text(encoding="utf-8")
    for word in ("support-bundle", "journal", "edges", "mirror", "Do not restart"):
        assert word in text


def test_every_command_that_they_name_exists() -> None:
    top, _ = parser()
    for file in (ROOT / "SECURITY.md", *FORMS):
        for words in re.findall(r"`(?:sudo )?table-controller ([^`]+)`", file.read_text(encoding="utf-8")):
            if words.startswith("--"):
                continue
            given = words.replace("ROUND", "1").replace(" N", " 1").split()
            assert given[0] in COMMANDS
            top.parse_known_args(given)


def test_security_invents_no_address_and_points_at_what_is_covered() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "@" not in text
    assert "docs/security.md" in text
    assert "private vulnerability reporting" in text.replace("\n", " ")


def test_a_rule_of_make_that_installs_says_so_before_it_does() -> None:
    targets = [f".venv/{name}" for name in ("python-found", "bench", "dev", "pi", "lock")]
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", *targets]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    said = False
    for part in re.split(r"&&|\n(?!\t)", output.replace("\\\n", " ")):
        if re.search(r"pip install|-m venv", part) and "echo" not in part:
            assert said, part
        said = said or part.strip().startswith("echo")
        if part.strip().startswith("touch"):
            said = False
