"""Whether a table's file asks for credentials, and what it says if not."""

from pathlib import Path

import pytest

from config.problems import ConfigError
from config.rules import control_places
from controller.commands.cli import main
from controller.configuration.shipped import load_table, shipped_tables, table_path

LINE = "  file: /etc/table-controller/credentials.json\n"


def saying(tmp_path: Path, words: str) -> Path:
    """The file of a Big Six table that says this of credentials."""
    text = shipped_tables()["big-six"].read_text(encoding="utf-8")
    before, _, after = text.partition("credentials:\n")
    assert LINE in after
    file = tmp_path / "table.yaml"
    file.write_text(f"{before}{words}\n{after.partition(LINE)[2]}", encoding="utf-8")
    return file


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_every_shipped_table_asks_for_credentials_and_has_the_keys_for_them(game: str) -> None:
    config = load_table(table_path(game)).config
    assert config.credentials is not None
    assert {*"0123456789", "enter", "clear"} <= {control for _, control in control_places(config.devices)}


@pytest.mark.parametrize(
    ("said", "warns"), [("credentials: none", False), ("", True), ("credentials:\n  session_s: 60", False)]
)
def test_check_warns_of_a_file_that_says_nothing_of_credentials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str, warns: bool
) -> None:
    file = saying(tmp_path, said)
    assert main(["check", str(file)]) == 0
    warned = "nothing is said of credentials: the floorperson's key alone will do" in capsys.readouterr().out
    assert warned is warns
    assert (load_table(file).config.credentials is None) is (not said or said.endswith("none"))


@pytest.mark.parametrize("said", ["credentials:", "credentials: nobody"])
def test_anything_else_than_none_is_no_word_for_a_table_without_credentials(tmp_path: Path, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_table(saying(tmp_path, said))
    (problem,) = refused.value.problems
    assert "credentials: " in str(problem)
