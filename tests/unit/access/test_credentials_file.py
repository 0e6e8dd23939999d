"""The file of floorpersons and dealers, and the command that changes it."""

import io
import json
from itertools import product
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


def test_number_and_pin_count_together_and_for_their_role(file: Path) -> None:
    assert add(file, NUMBER, FLOORPERSON, "118203")
    assert not add(file, NUMBER, FLOORPERSON, PIN), "it takes the place of the old one"
    add(file, "5", FLOORPERSON, DEALER_PIN)
    add(file, DEALER, Role.DEALER, DEALER_PIN)
    add(file, "13", Role.DEALER, None)
    known = CredentialsFile(file)
    assert [*load(file)] == sorted((NUMBER, "5", DEALER, "13"))
    numbers, pins = (NUMBER, "5", DEALER, "13", "14", ""), (PIN, DEALER_PIN, "118203", PIN[:-1], "")
    listed = {(number, role) for number, role in product(numbers, Role) if known.knows(number, role)}
    assert listed == {(NUMBER, FLOORPERSON), ("5", FLOORPERSON), (DEALER, Role.DEALER), ("13", Role.DEALER)}
    right = {one for one in product(numbers, pins, Role) if known.verify(*one)}
    assert right == {
        (NUMBER, PIN, FLOORPERSON),
        ("5", DEALER_PIN, FLOORPERSON),
        (DEALER, DEALER_PIN, Role.DEALER),
    }


def test_a_pin_is_nowhere_in_the_file_and_two_that_are_alike_look_different(file: Path) -> None:
    add(file, NUMBER, FLOORPERSON, PIN)
    add(file, DEALER, Role.DEALER, PIN)
    assert PIN not in file.read_text()
    one, other = (json.loads(file.read_text())[number]["pin"] for number in (NUMBER, DEALER))
    assert one["salt"] != other["salt"]
    assert one["hash"] != other["hash"]
    assert file.stat().st_mode & 0o007 == 0, "not for everybody to read"


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
        ("1", PIN, "1 is a dealer; use another number, or remove this one first"),
    ],
)
def test_an_unsuitable_number_or_pin_is_refused_and_nothing_changes(
    file: Path, number: str, pin: str | None, message: str
) -> None:
    add(file, "1", Role.DEALER, PIN)
    before = file.read_bytes()
    with pytest.raises(CredentialError, match=message):
        add(file, number, FLOORPERSON, pin)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is damaged; restore the file"),
        ("\udcff", "the file is damaged; restore the file"),
        ('{"4711": {"role": "floorperson"}}', "4711 is damaged"),
        ('{"4711": {"role": "dealer", "pin": {"salt": "x", "hash": "y"}}}', r"4711\.pin\.salt is damaged"),
        ('{"4711": {"role": "owner"}}', r"4711\.role is damaged"),
        ('{"4711": {"salt": "00", "hash": "00"}}', r"4711\.role is damaged"),
    ],
)
def test_an_unusable_file_is_reported_and_knows_nobody(file: Path, content: str, message: str) -> None:
    file.write_text(content, errors="surrogateescape")
    with pytest.raises(CredentialError, match=message):
        load(file)
    assert not CredentialsFile(file).knows("4711", FLOORPERSON)


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_adds_lists_and_removes(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(*words: str, pin: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(pin))
        code = main(["credential", *words, "--file", str(file)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    assert command("add", NUMBER, pin=PIN + "\n") == (0, f"{file}: floorperson 4711 added\n")
    assert command("add", DEALER, "--dealer", pin=DEALER_PIN + "\n") == (0, f"{file}: dealer 12 added\n")
    assert command("add", DEALER, "--dealer", "--no-pin") == (0, f"{file}: dealer 12 has no PIN now\n")
    assert command("list") == (0, "12        dealer, no PIN\n4711      floorperson\n")
    assert json.loads(command("list", "--json")[1])["credentials"] == [
        {"number": DEALER, "role": "dealer", "pin": False},
        {"number": NUMBER, "role": "floorperson", "pin": True},
    ]
    code, said = command("add", "5", pin="123\n")
    assert (code, "a PIN has 6 to 12 digits" in said) == (1, True)
    for number in (NUMBER, DEALER):
        assert command("remove", number)[0] == 0
    assert "no credentials yet" in command("list")[1]


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
