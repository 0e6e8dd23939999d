"""``qualify-disk DEVICE``: nothing is written before its name was keyed, then all of it is."""

import io
import json
import os
from pathlib import Path

import pytest
from disk_places import TrialTime, disk, kernel, qualify

from controller.commands import disk_device, qualify_disk
from controller.commissioning.disk.block_device import BlockDevices
from controller.commissioning.disk.device_blocks import BLOCK_BYTES
from controller.commissioning.disk.device_place import DevicePlace, RawDisk
from controller.runtime import exit_codes as exits

SIZE = 3 * BLOCK_BYTES


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stick, sda: a file that the kernel takes for it."""
    found = kernel(tmp_path, Path("/"))
    disk(found.sys, "sda", "8:0", {"size": str(SIZE // 512), "queue/write_cache": "write through"}, "usb1")
    file = tmp_path / "stick"
    file.write_bytes(b"holiday" * (SIZE // 7 + 1))
    os.truncate(file, SIZE)
    of_stick = BlockDevices(found.sys).disk_of("8:0")
    assert of_stick is not None
    monkeypatch.setattr(qualify_disk, "KERNEL", found)
    monkeypatch.setattr(qualify_disk, "SystemTrialClock", TrialTime)
    monkeypatch.setattr(os, "fdatasync", lambda descriptor: None)
    monkeypatch.setattr(qualify_disk, "is_device", lambda path: path == file)
    monkeypatch.setattr(disk_device, "device_of", lambda path, kernel: DevicePlace(path, of_stick))
    monkeypatch.setattr(
        disk_device,
        "open_device",
        lambda place, longest: RawDisk(os.open(place.path, os.O_RDWR), place.disk.size_bytes, longest),
    )
    return file


def test_its_name_is_keyed_and_all_of_it_written_over(
    stick: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("sda\n"))
    said = qualify(capsys, stick, "--seconds", "10")
    assert "everything on sda (USB stick or disk, 0.0 GB) will be lost\nkey its name, sda, to go on:" in said.err
    assert said.code == exits.OK
    assert "read back: 3 of 3 blocks of 1 MiB as they were written" in said.out
    assert "flushes of a page: p50 1.00 ms" in said.out
    assert "next: make a file system on it" in said.out
    assert b"holiday" not in stick.read_bytes()


@pytest.mark.parametrize("keyed", ["sdb\n", "\n", "", "yes\n", "/dev/sda\n"])
def test_another_name_or_none_writes_nothing(
    keyed: str, stick: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stick.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(keyed))
    said = qualify(capsys, stick)
    assert (said.code, said.out) == (exits.FAILED, "")
    assert "is not its name, sda; nothing was written" in said.err
    assert stick.read_bytes() == before


def test_the_name_may_be_given_beforehand(stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert qualify(capsys, stick, "--erase", "sdb").code == exits.FAILED
    assert b"holiday" in stick.read_bytes()
    data = json.loads(qualify(capsys, stick, "--erase", "sda", "--seconds", "2", "--json").out)
    assert (data["verdict"], data["blocks"]["intact"], data["disk"]["name"]) == ("fit with reservations", 3, "sda")
    assert "flushes" in data


def test_a_stick_that_keeps_less_than_it_says(
    stick: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Fake(RawDisk):
        def write(self, at: int, data: memoryview | bytes) -> None:
            super().write(at % BLOCK_BYTES, data)

        def read(self, at: int, size: int) -> bytes:
            return super().read(at % BLOCK_BYTES, size)

    monkeypatch.setattr(
        disk_device, "open_device", lambda place, longest: Fake(os.open(place.path, os.O_RDWR), SIZE, longest)
    )
    said = qualify(capsys, stick, "--erase", "sda", "--seconds", "10")
    assert said.code == exits.FAILED
    assert "verdict: unfit\n1. unfit: its size is a lie: it says 0.00 GB and keeps 0.00 GB" in said.out
    assert "next:" not in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["STICK", "--until-cut"], "--until-cut goes with a folder"),
        (["STICK", "--after-cut"], "--after-cut goes with a folder"),
        (["STICK", "--tbw", "60"], "--tbw and --game go with a folder"),
        (["/nowhere", "--erase", "sda"], "--erase goes with a device, and /nowhere is none"),
    ],
)
def test_options_that_do_not_go_with_a_device(
    words: list[str], sentence: str, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = qualify(capsys, *(str(stick) if word == "STICK" else word for word in words))
    assert said.code == exits.USAGE
    assert sentence in said.err
    assert b"holiday" in stick.read_bytes()


def test_a_stick_that_fails_at_once(
    stick: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(descriptor: int) -> None:
        raise OSError(5, os.strerror(5))

    monkeypatch.setattr(os, "fdatasync", fails)
    said = qualify(capsys, stick, "--erase", "sda")
    assert said.code == exits.FAILED
    assert f"{stick}: input/output error; the disk is broken or gone" in said.err
