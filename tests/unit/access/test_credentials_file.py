"""The file of floorpersons and dealers, and the command that changes it."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.access.credentials import CredentialError, CredentialsFile, Role, add, load
from controller.commands.cli import main

NUMBER, PIN = "4711", "830261"
DEALER, DEALER_PIN = "12", "994410"
FLOORPERSON = Role.FLOORPERSON


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "credentials.json"


def test_a_pin_is_valid_for_its_number_and_no_other(file: Path) -> None:
    assert add(file, NUMBER, FLOORPERSON, PIN)
    assert add(file, "5", FLOORPERSON, DEALER_PIN)
    known = CredentialsFile(file)
    assert [*load(file)] == sorted((NUMBER, "5"))
    assert known.verify(NUMBER, PIN, Role.FLOORPERSON)
    for number, pin in ((NUMBER, DEALER_PIN), ("5", PIN), ("13", PIN), (NUMBER, ""), (NUMBER, PIN[:-1]), ("", "")):
        assert not known.verify(number, pin, Role.FLOORPERSON)


def test_a_number_counts_only_for_its_role(file: Path) -> None:
    add(file, NUMBER, FLOORPERSON, PIN)
    add(file, DEALER, Role.DEALER, DEALER_PIN)
    add(file, "13", Role.DEALER, None)
    known = CredentialsFile(file)
    assert [known.knows(number, Role.DEALER) for number in (NUMBER, DEALER, "13", "14")] == [
        False,
        True,
        True,
        False,
    ]
    assert [known.knows(number, Role.FLOORPERSON) for number in (NUMBER, DEALER, "13", "14")] == [
        True,
        False,
        False,
        False,
    ]
    assert known.verify(DEALER, DEALER_PIN, Role.DEALER)
    assert not known.verify(DEALER, DEALER_PIN, Role.FLOORPERSON), (
        "a dealer's PIN does not open the floorperson's key"
    )
    assert not known.verify(NUMBER, PIN, Role.DEALER)
    assert not known.verify("13", "", Role.DEALER), "a person without a PIN has no empty one"


def test_a_number_is_one_person(file: Path) -> None:
    add(file, NUMBER, FLOORPERSON, PIN)
    before = file.read_bytes()
    with pytest.raises(
        CredentialError, match="4711 is a floorperson; use another number, or remove this one first"
    ):
        add(file, NUMBER, Role.DEALER, None)
    assert file.read_bytes() == before


def test_a_pin_is_nowhere_in_the_file_and_two_that_are_alike_look_different(file: Path) -> None:
    add(file, NUMBER, FLOORPERSON, PIN)
    add(file, DEALER, Role.DEALER, PIN)
    assert PIN not in file.read_text()
    kept = json.loads(file.read_text())
    assert kept[NUMBER]["pin"]["salt"] != kept[DEALER]["pin"]["salt"]
    assert kept[NUMBER]["pin"]["hash"] != kept[DEALER]["pin"]["hash"]
    assert file.stat().st_mode & 0o007 == 0, "not for everybody to read"


def test_another_pin_takes_the_place_of_the_old_one(file: Path) -> None:
    add(file, NUMBER, FLOORPERSON, PIN)
    assert not add(file, NUMBER, FLOORPERSON, "118203")
    assert CredentialsFile(file).verify(NUMBER, "118203", Role.FLOORPERSON)
    assert not CredentialsFile(file).verify(NUMBER, PIN, Role.FLOORPERSON)


@pytest.mark.parametrize(
    ("number", "pin", "message"),
    [
        ("", PIN, "no credential number"),
        ("123456789", PIN, "no credential number"),
        (NUMBER, None, "a floorperson needs a PIN"),
        (NUMBER, "83026", "6 to 12 digits"),
        (NUMBER, "111111", "easy to guess"),
        (NUMBER, "123456", "easy to guess"),
        ("830261", "830261", "easy to guess"),
    ],
)
def test_an_unsuitable_number_or_pin_is_refused_and_nothing_changes(
    file: Path, number: str, pin: str | None, message: str
) -> None:
    add(file, "1", FLOORPERSON, PIN)
    before = file.read_bytes()
    with pytest.raises(CredentialError, match=message):
        add(file, number, FLOORPERSON, pin)
    assert file.read_bytes() == before


SECRET = json.dumps({"salt": "0" * 32, "hash": "0" * 64})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is damaged; restore the file"),
        ("\udcff", "the file is damaged; restore the file"),
        ('{"4711": {"role": "floorperson"}}', "4711 is damaged"),
        ('{"4711": {"role": "dealer", "pin": {"salt": "x", "hash": "y"}}}', r"4711\.pin\.salt is damaged"),
        ('{"4711": {"role": "owner"}}', r"4711\.role is damaged"),
        (f'{{"4711": {SECRET}}}', r"4711\.role is damaged"),
    ],
)
def test_an_unusable_file_is_reported_and_knows_nobody(file: Path, content: str, message: str) -> None:
    file.write_text(content, errors="surrogateescape")
    with pytest.raises(CredentialError, match=message):
        load(file)
    assert not CredentialsFile(file).knows("4711", Role.FLOORPERSON)


# -- the command ---------------------------------------------------------------------------------------------------


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "controller", "credential", *arguments]
    return subprocess.run(run, input=stdin, capture_output=True, text=True, check=False)


def test_the_command_adds_lists_and_removes(file: Path) -> None:
    at = ("--file", str(file))
    done = command("add", NUMBER, *at, stdin=PIN + "\n")
    assert (done.returncode, done.stdout) == (0, f"{file}: floorperson 4711 added\n")
    assert command("add", DEALER, "--dealer", *at, stdin=DEALER_PIN + "\n").stdout == f"{file}: dealer 12 added\n"
    done = command("add", DEALER, "--dealer", "--no-pin", *at)
    assert done.stdout == f"{file}: dealer 12 has no PIN now\n"
    assert command("list", *at).stdout == "12        dealer, no PIN\n4711      floorperson\n"
    assert json.loads(command("list", *at, "--json").stdout)["credentials"] == [
        {"number": DEALER, "role": "dealer", "pin": False},
        {"number": NUMBER, "role": "floorperson", "pin": True},
    ]
    for arguments, stdin, message in (
        (("add", "5"), "123\n", "a PIN has 6 to 12 digits"),
        (("add", "5", "--no-pin"), "", "a floorperson needs a PIN; only a dealer can be without one"),
    ):
        done = command(*arguments, *at, stdin=stdin)
        assert done.returncode == 1
        assert message in done.stderr
    for number in (NUMBER, DEALER):
        assert command("remove", number, *at).returncode == 0
    assert "no credentials yet" in command("list", *at).stdout


def test_nothing_is_changed_if_no_pin_is_keyed_in(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(prompt: str) -> str:
        raise EOFError  # Ctrl+D

    monkeypatch.setattr("getpass.getpass", ended)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    assert main(["credential", "add", NUMBER, "--file", str(file)]) == 1
    assert "no PIN was keyed in; nothing was changed" in capsys.readouterr().err
    assert not file.exists()
