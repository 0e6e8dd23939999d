"""What ``docs/group.md`` has of files is what the program takes, and what is shipped."""

import re
from pathlib import Path

import pytest
from project import ROOT

from config.loader import load_floor
from config.problems import ConfigError
from controller.commands.cli import main

PAGE = (ROOT / "docs/group.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "config/floors/floor.yaml"


def block(kind: str) -> str:
    """The page's first block of a kind."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_groups_file_of_the_page_is_a_floors_with_houses() -> None:
    config = load_floor((block("yaml group")).encode(), "group.yaml")
    assert config.houses is not None
    assert config.houses.quota == type(config.houses.quota)(), "the page shows the defaults"
    assert config.group is None


def test_the_section_of_the_page_makes_a_floor_a_house() -> None:
    config = load_floor((EXAMPLE.read_text(encoding="utf-8") + block("yaml house")).encode(), "floor.yaml")
    assert (config.house, config.group and config.group.messages_per_s) == ("north", 50)


def test_the_list_of_access_of_the_page_is_the_one_that_is_shipped() -> None:
    shipped = (ROOT / "systemd/mosquitto/group.acl").read_text(encoding="utf-8")
    lines = [line for line in shipped.splitlines() if line and not line.startswith("#")]
    assert "\n".join(lines) + "\n" in PAGE


def test_what_the_shipped_file_has_of_groups_is_valid_without_its_comment_signs() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    sections = re.sub(r"^# ?", "", text[text.index("# group:") :], flags=re.MULTILINE)
    kept = "\n".join(line for line in sections.splitlines() if re.match(r"( +|group:|houses:)", line))
    of_house, _, of_group = kept.partition("houses:")
    assert load_floor(f"{text}\n{of_house}".encode(), "floor.yaml").group is not None
    assert load_floor(f"{text}\nhouses:{of_group}".encode(), "floor.yaml").houses is not None
    with pytest.raises(ConfigError, match="group: and houses: exclude each other"):
        load_floor(f"{text}\n{kept}".encode(), "floor.yaml")


@pytest.mark.parametrize(
    ("house", "words"),
    [("North", "is not a name"), ("a" * 33, "is not a name"), ("no/rth", "is not a name")],
)
def test_a_houses_name_is_checked_on_its_line(house: str, words: str) -> None:
    text = EXAMPLE.read_text(encoding="utf-8") + block("yaml house").replace("house: north", f"house: {house}")
    with pytest.raises(ConfigError) as refused:
        load_floor((text).encode(), "floor.yaml")
    (problem,) = refused.value.problems
    assert problem.key == "group.house"
    assert words in problem.message
    assert "at most 32" in problem.remedy


def test_a_floors_name_that_is_too_long_for_a_house_wants_a_houses_name() -> None:
    text = EXAMPLE.read_text(encoding="utf-8") + block("yaml house").replace("  house: north", "  port: 8883")
    text = re.sub(r"^floor: .*$", f"floor: {'f' * 40}", text, flags=re.MULTILINE)
    with pytest.raises(ConfigError, match="group: house: is missing, and the name of `floor:` has more than 32"):
        load_floor((text).encode(), "floor.yaml")


def test_the_certificate_of_the_floor_is_refused_for_its_alerts_without_a_traceback() -> None:
    text = block("yaml group") + "alerts:\n  connection:\n    certificate: /x/floor.pem\n    key: /x/floor.key\n"
    with pytest.raises(ConfigError, match="the broker ends the first connection"):
        load_floor(text.replace("/etc/table-controller-floor/floor", "/x/floor").encode(), "group.yaml")


def test_the_check_of_a_floors_file_tries_the_groups_certificates(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = file.read_text(encoding="utf-8") + block("yaml house").replace("/etc/table-controller-floor", "/nowhere")
    file.write_text(text, encoding="utf-8")
    assert main(["floor", str(file), "--check"]) == 78
    said = capsys.readouterr().err
    assert "group: " in said
    assert "/nowhere/group-ca.pem" in said
