"""A support bundle: everything that is there, what is missing by name, and nothing that opens anything."""

import os
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.commands import support_bundle
from controller.commands.cli import main
from controller.commissioning.support_bundle import MASK, Collected, collect, masked, pieces, write
from controller.configuration.shipped import shipped_tables
from controller.errors import CONFIGURATION, FAILED, UserError

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


def contents(bundle: Path) -> dict[str, str]:
    with tarfile.open(bundle) as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        return {name: file.read().decode() for name, file in files.items() if file is not None}


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
    found = [collect(name, source, lambda words: everything) for name, source in pieces(table).items()]
    out = tmp_path / "bundle.tar.gz"
    write(out, "bundle", {"made": "today"}, found, 0)
    texts = contents(out)
    assert set(texts) == {"bundle/index.txt", *(f"bundle/{one.name}" for one in found if not one.missing)}
    assert "bundle/table.yaml" in texts
    for name, text in texts.items():
        for _, secret in SECRETS:
            assert secret not in text, name
    assert MASK in texts["bundle/table.yaml"]
    assert out.stat().st_mode & 0o777 == 0o600


def test_a_piece_that_fails_costs_no_other_one(tmp_path: Path) -> None:
    def run(words: Sequence[str]) -> str:
        if words[0] == "vcgencmd":
            raise FileNotFoundError(2, os.strerror(2))
        return "said"

    there = collect("load.txt", ("uptime",), run)
    absent = collect("heat.txt", ("vcgencmd", "get_throttled"), run)
    assert there == Collected("load.txt", "$ uptime\nsaid")
    assert (absent.text, absent.missing) == ("", "vcgencmd: no such file or directory")
    no_file = collect("model.txt", Path("/nowhere/model"), run)
    assert no_file.missing == "/nowhere/model: no such file or directory"
    write(tmp_path / "bundle.tar.gz", "bundle", {"made": "today"}, [there, absent], 0)
    listed = contents(tmp_path / "bundle.tar.gz")["bundle/index.txt"]
    assert "made: today\n" in listed
    assert "load.txt                         13 bytes\n" in listed
    assert "heat.txt                         vcgencmd: no such file or directory\n" in listed


@pytest.mark.parametrize("error", [OSError(28, os.strerror(28)), KeyboardInterrupt()])
def test_nothing_is_left_of_a_bundle_that_could_not_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def full(self: tarfile.TarFile, member: tarfile.TarInfo, file: object) -> None:
        raise error

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)
    with pytest.raises((UserError, KeyboardInterrupt)) as raised:
        write(tmp_path / "bundle.tar.gz", "bundle", {}, [], 0)
    assert list(tmp_path.iterdir()) == []
    if isinstance(error, OSError):
        assert "no space left on device; name a folder that can be written and has room" in str(raised.value)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table's file; nothing is asked of this computer."""
    monkeypatch.setattr(support_bundle, "collect", lambda name, source: Collected(name, "text"))
    file = tmp_path / "table.yaml"
    text = shipped_tables()["sic-bo"].read_text(encoding="utf-8")
    file.write_text(text.replace("game: sic-bo", "game: sick-bo"), encoding="utf-8")
    return file


def test_a_table_whose_file_is_wrong_is_helped_too(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["support-bundle", str(table), "--out", str(table.parent)]) == 0
    (bundle,) = table.parent.glob("support-table-*.tar.gz")
    assert capsys.readouterr().out.startswith(f"{bundle}: ")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["nowhere.yaml"], CONFIGURATION, "nowhere.yaml:1:1: there is no such file; check the name"),
        (["/"], CONFIGURATION, "/:1:1: this is a folder; name a file"),
        (["JOURNAL"], FAILED, "this is a database, such as a journal; name the table's YAML file"),
        (["TABLE", "--out", "TABLE"], FAILED, "there is such a file already; name another (--out)"),
        (["TABLE", "--out", "nowhere/b.tar.gz"], FAILED, "no such file or directory; name a folder that can"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    table: Path, words: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = table.read_bytes()
    journal = table.with_name("table.journal")
    journal.write_bytes(b"SQLite format 3\0")
    words = [word.replace("TABLE", str(table)).replace("JOURNAL", str(journal)) for word in words]
    assert main(["support-bundle", *words]) == code
    assert sentence in capsys.readouterr().err
    assert table.read_bytes() == before
