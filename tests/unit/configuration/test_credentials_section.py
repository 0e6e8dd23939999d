"""Whether a table's file asks for credentials, and what it says if not."""

from pathlib import Path

import pytest

from config.problems import ConfigError
from config.rules import control_places
from controller.access.credentials import Role, add
from controller.commands.cli import main
from controller.configuration.advice import identity_advice
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
    ("said", "warns"), [("credentials: none", True), ("", True), ("credentials:\n  session_s: 60", False)]
)
def test_check_warns_of_a_table_without_credentials(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str, warns: bool
) -> None:
    file = saying(tmp_path, said)
    assert main(["check", str(file)]) == 0
    warned = "the floorperson's key needs no PIN, log-on accepts any number, and no name in the record is verified"
    assert (warned in capsys.readouterr().out) is warns
    assert (load_table(file).config.credentials is None) is warns


PINS = {"4711": (Role.FLOORPERSON, "830261"), "12": (Role.DEALER, "994410"), "13": (Role.DEALER, None)}
NO_FLOORPERSON, NO_DEALER, NO_PIN = (
    "has no floorperson",
    "has no dealer, so log-on refuses",
    "without a PIN cannot log on",
)


@pytest.mark.parametrize(
    ("people", "asks_pin", "warns"),
    [
        (["4711", "12"], True, []),
        (["4711", "13"], False, []),
        (["4711", "13"], True, [NO_PIN]),
        (["12"], False, [NO_FLOORPERSON]),
        (["4711"], False, [NO_DEALER]),
    ],
)
def test_check_names_the_people_who_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], people: list[str], asks_pin: bool, warns: list[str]
) -> None:
    known = tmp_path / "credentials.json"
    for number in people:
        add(known, number, *PINS[number])
    file = saying(tmp_path, f"credentials:\n  file: {known}\n  dealer_pin: {str(asks_pin).lower()}")
    assert main(["check", str(file)]) == 0
    said = capsys.readouterr().out
    assert [text for text in (NO_FLOORPERSON, NO_DEALER, NO_PIN) if text in said] == warns


@pytest.mark.parametrize(
    ("content", "backend", "warns"),
    [
        (None, "gpiod", ["there is no such file"]),
        (None, "mock", []),  # On the bench the file of the casino's staff is not needed.
        ("{", "mock", ["the file is damaged"]),
    ],
)
def test_an_unusable_file_is_reported(tmp_path: Path, content: str | None, backend: str, warns: list[str]) -> None:
    known = tmp_path / "credentials.json"
    if content is not None:
        known.write_text(content)
    file = saying(tmp_path, f"credentials:\n  file: {known}")
    file.write_text(file.read_text().replace("backend: mock", f"backend: {backend}", 1))
    said = list(identity_advice(load_table(file).config))
    assert len(said) == len(warns)
    assert all(text in advice for text, advice in zip(warns, said, strict=True))


@pytest.mark.parametrize("said", ["credentials:", "credentials: nobody"])
def test_anything_else_than_none_is_no_word_for_a_table_without_credentials(tmp_path: Path, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_table(saying(tmp_path, said))
    (problem,) = refused.value.problems
    assert "credentials: " in str(problem)


def test_a_table_without_digits_is_reported(tmp_path: Path) -> None:
    """Number, PIN and the floor menu need them; a keyboard may have them."""
    text = shipped_tables()["big-six"].read_text(encoding="utf-8")
    before, _, after = text.partition("  # The keypad for credential numbers")
    file = tmp_path / "table.yaml"
    file.write_text(before + "  # Key switches" + after.partition("  # Key switches")[2], encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_table(file)
    (found,) = map(str, refused.value.problems)
    assert "no key for: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, enter" in found
    keys = "".join(f"      {key}: K-{key}\n" for key in (*"0123456789", "enter"))
    added = f"  keyboard:\n    backend: mock\n    options: {{}}\n    codes:\n{keys}"
    file.write_text(file.read_text(encoding="utf-8").replace("  switches:\n", f"{added}  switches:\n", 1))
    assert load_table(file).config.devices.keyboard is not None
