"""What a floor's file says of groups and houses."""

import re
from pathlib import Path

import pytest
from project import ROOT

from config.loader import load_floor
from config.problems import ConfigError
from controller.commands.cli import main

EXAMPLE = (ROOT / "config/floors/floor.yaml").read_text(encoding="utf-8")
HOUSE = """
group:
  house: north
  host: broker.group.example
  ca: /nowhere/group-ca.pem
  certificate: /nowhere/group.pem
  key: /nowhere/group.key
"""


def test_a_house_has_its_own_name_and_a_group_none() -> None:
    assert load_floor((EXAMPLE + HOUSE).encode(), "floor.yaml").house == "north"
    with pytest.raises(ConfigError, match="group: and houses: exclude each other"):
        load_floor(f"{EXAMPLE}{HOUSE}houses:\n  quota:\n    tables: 500\n".encode(), "floor.yaml")


@pytest.mark.parametrize("house", ["North", "a" * 33, "no/rth"])
def test_a_houses_name_is_checked_on_its_line(house: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_floor((EXAMPLE + HOUSE.replace("north", house)).encode(), "floor.yaml")
    (problem,) = refused.value.problems
    assert (problem.key, "is not a name" in problem.message) == ("group.house", True)
    assert "at most 32" in problem.remedy


def test_a_floors_name_that_is_too_long_for_a_house_wants_a_houses_name() -> None:
    text = re.sub(r"^floor: .*$", f"floor: {'f' * 40}", EXAMPLE, flags=re.MULTILINE)
    with pytest.raises(ConfigError, match="group: house: is missing, and the name of `floor:` has more than 32"):
        load_floor((text + HOUSE.replace("  house: north\n", "")).encode(), "floor.yaml")


def test_the_check_of_a_floors_file_tries_the_groups_certificates(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text(encoding="utf-8") + HOUSE, encoding="utf-8")
    assert main(["floor", str(file), "--check"]) == 78
    assert re.search("group: .*/nowhere/group-ca.pem", capsys.readouterr().err)
