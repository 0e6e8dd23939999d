"""The file of those who may act as floorperson: numbers and PINs, and the command that changes it."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.access.credentials import CredentialError, add, load, remove
from controller.commands.cli import main

NUMBER, PIN = "4711", "830261"


def test_a_pin_is_valid_for_its_number_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    assert add(file, NUMBER, PIN)
    assert add(file, "12", "994410")
    known = load(file)
    assert known.numbers == ("12", NUMBER)
    assert known.verify(NUMBER, PIN)
    for number, pin in ((NUMBER, "994410"), ("12", PIN), ("13", PIN), (NUMBER, ""), (NUMBER, PIN[:-1]), ("", "")):
        assert not known.verify(number, pin)


def test_a_pin_is_nowhere_in_the_file_and_two_that_are_alike_look_different(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    add(file, NUMBER, PIN)
    add(file, "12", PIN)
    assert PIN not in file.read_text()
    kept = json.loads(file.read_text())
    assert kept[NUMBER]["salt"] != kept["12"]["salt"]
    assert kept[NUMBER]["hash"] != kept["12"]["hash"]
    assert file.stat().st_mode & 0o007 == 0, "not for everybody to read"


def test_another_pin_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    add(file, NUMBER, PIN)
    assert not add(file, NUMBER, "118203")
    assert load(file).verify(NUMBER, "118203")
    assert not load(file).verify(NUMBER, PIN)


def test_a_removed_number_is_no_longer_accepted(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    add(file, NUMBER, PIN)
    remove(file, NUMBER)
    assert not load(file).verify(NUMBER, PIN)
    with pytest.raises(CredentialError, match="no credential 4711; there are: none"):
        remove(file, NUMBER)


@pytest.mark.parametrize(
    ("number", "pin", "message"),
    [
        ("", PIN, "no credential number"),
        ("123456789", PIN, "no credential number"),
        (NUMBER, "83026", "6 to 12 digits"),
        (NUMBER, "111111", "easy to guess"),
        (NUMBER, "123456", "easy to guess"),
        ("830261", "830261", "easy to guess"),
    ],
)
def test_an_unsuitable_number_or_pin_is_refused_and_nothing_changes(
    tmp_path: Path, number: str, pin: str, message: str
) -> None:
    file = tmp_path / "credentials.json"
    add(file, "1", PIN)
    before = file.read_bytes()
    with pytest.raises(CredentialError, match=message):
        add(file, number, pin)
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b'{"4711": {}}', b'{"4711": {"salt": "x", "hash": "y"}}', b"\xff"])
def test_a_damaged_file_is_reported(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "credentials.json"
    file.write_bytes(content)
    with pytest.raises(CredentialError, match="is damaged; restore the file"):
        load(file)


# -- the command ---------------------------------------------------------------------------------------------------


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "controller", "credential", *arguments]
    return subprocess.run(run, input=stdin, capture_output=True, text=True, check=False)


def test_the_command_adds_lists_and_removes(tmp_path: Path) -> None:
    file = str(tmp_path / "credentials.json")
    done = command("add", NUMBER, "--file", file, stdin=PIN + "\n")
    assert (done.returncode, done.stdout) == (0, f"{file}: credential 4711 added\n")
    assert command("list", "--file", file).stdout == "4711\n"
    assert json.loads(command("list", "--file", file, "--json").stdout) == {"credentials": [NUMBER]}
    done = command("add", "5", "--file", file, stdin="123\n")
    assert done.returncode == 1
    assert "a PIN has 6 to 12 digits" in done.stderr
    assert command("remove", NUMBER, "--file", file).returncode == 0
    assert "no credentials yet" in command("list", "--file", file).stdout


def test_nothing_is_changed_if_no_pin_is_keyed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(prompt: str) -> str:
        raise EOFError  # Ctrl+D

    monkeypatch.setattr("getpass.getpass", ended)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    file = tmp_path / "credentials.json"
    assert main(["credential", "add", NUMBER, "--file", str(file)]) == 1
    assert "no PIN was keyed in; nothing was changed" in capsys.readouterr().err
    assert not file.exists()
