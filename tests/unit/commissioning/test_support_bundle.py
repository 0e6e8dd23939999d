"""A support bundle: everything that is there, what is missing by name, and nothing that opens anything."""

import os
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.commissioning.support.bundle import BundleError, Collected, collect, index, write
from controller.commissioning.support.masking import MASK, masked
from controller.commissioning.support.pieces import Command, KeptFile, pieces

SECRETS = (
    ("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIHunter\n-----END EC PRIVATE KEY-----", "MHcCAQEEIHunter"),
    ("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBM cut off", "MIGHAgEAMBM"),
    ("mqtts://floor:hunter2@broker.example:8883", "hunter2"),
    ("password: hunter2", "hunter2"),
    ("  mqtt_password: 'hunter two'  # ours", "hunter two"),
    ('{"Passphrase": "hunter2", "port": 1}', "hunter2"),
    ("MQTT_TOKEN=hunter2", "hunter2"),
    ("api-key = hunter2", "hunter2"),
    ("wifi psk=hunter2", "hunter2"),
    ("PIN: 739204", "739204"),
    ("# the pin is: 739204", "739204"),
    ("floorperson 1001, pin 739204", "739204"),
    ("root:$6$salt$Hunter2hunter2:19000", "Hunter2hunter2"),
    ("$scrypt$ln=14,r=8,p=1$abc$hunter2", "hunter2"),
)


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_what_opens_something_is_taken_out(text: str, secret: str) -> None:
    found = masked(f"before\n{text}\nafter")
    assert secret not in found
    assert MASK in found
    assert found.startswith("before\n")


@pytest.mark.parametrize(
    "text",
    [
        "pins:\n  encoder_a: 17 # header pin 11: channel A\n",
        "lamps: {pin: 5, other: 12}",
        "pin 27 is used twice",
        "key: /etc/table-controller/table.key",
        '"hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        "credentials:\n  file: /etc/table-controller/credentials.json",
        "https://example.com/path: nobody@example.com",
        "ssh-keys and passwords are kept elsewhere",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    ],
)
def test_what_opens_nothing_stays(text: str) -> None:
    assert masked(text) == text


def test_secrets_are_in_no_byte_of_a_bundle_wherever_they_stand(tmp_path: Path) -> None:
    """In the table's file, in the log, in what any command prints."""
    everything = "\n".join(text for text, _ in SECRETS)
    table = tmp_path / "table.yaml"
    table.write_text(everything, encoding="utf-8")
    found = [collect(piece, lambda words: everything) for piece in pieces(table)]
    out = tmp_path / "bundle.tar.gz"
    write(out, "bundle", {"made": "today"}, found, 0)
    with tarfile.open(out) as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        texts = {name: file.read().decode() for name, file in files.items() if file is not None}
    assert set(texts) == {"bundle/index.txt", *(f"bundle/{one.name}" for one in found if not one.missing)}
    assert "bundle/table.yaml" in texts
    for name, text in texts.items():
        for _, secret in SECRETS:
            assert secret not in text, name
    assert out.stat().st_mode & 0o777 == 0o600


def test_a_piece_that_fails_costs_no_other_one() -> None:
    def execute(words: Sequence[str]) -> str:
        if words[0] == "vcgencmd":
            raise FileNotFoundError(2, os.strerror(2))
        return "said"

    there = collect(Command("load.txt", ("uptime",)), execute)
    absent = collect(Command("heat.txt", ("vcgencmd", "get_throttled")), execute)
    no_file = collect(KeptFile("model.txt", Path("/nowhere/model")), execute)
    assert there == Collected("load.txt", "$ uptime\nsaid")
    assert (absent.text, absent.missing) == ("", "vcgencmd: no such file or directory")
    assert no_file.missing == "/nowhere/model: no such file or directory"
    listed = index({"made": "today"}, [there, absent])
    assert "made: today\n" in listed
    assert "load.txt                         13 bytes\n" in listed
    assert "heat.txt                         vcgencmd: no such file or directory\n" in listed


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    out = tmp_path / "bundle.tar.gz"
    out.write_bytes(b"kept")
    with pytest.raises(BundleError, match="there is such a file already"):
        write(out, "bundle", {}, [], 0)
    assert out.read_bytes() == b"kept"


@pytest.mark.parametrize("error", [OSError(28, os.strerror(28)), KeyboardInterrupt()])
def test_nothing_is_left_of_a_bundle_that_could_not_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def full(self: tarfile.TarFile, member: tarfile.TarInfo, file: object) -> None:
        raise error

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)
    with pytest.raises((BundleError, KeyboardInterrupt)) as raised:
        write(tmp_path / "bundle.tar.gz", "bundle", {}, [], 0)
    assert list(tmp_path.iterdir()) == []
    if isinstance(error, OSError):
        assert "no space left on device; name a folder that can be written and has room" in str(raised.value)
