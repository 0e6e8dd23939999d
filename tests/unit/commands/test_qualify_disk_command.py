"""``qualify-disk`` as a technician calls it: what it prints, what it refuses, and that it leaves nothing behind."""

import errno
import fcntl
import json
import os
import resource
import shutil
from pathlib import Path

import pytest
from disk_places import TrialTime, kernel, mount_line, qualify

from controller.commands import qualify_disk
from controller.commands.cli import main
from controller.commissioning.disk.trial_folder import TRIAL_FOLDER
from controller.runtime import exit_codes as exits


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on an SD card, beside a table's journal."""
    folder = tmp_path / "card"
    folder.mkdir()
    (folder / "table.journal").write_text("a record")
    on_an_sd_card(tmp_path, folder, monkeypatch)
    passes(monkeypatch, TrialTime(step_us=1000))
    return folder


def on_an_sd_card(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, **mounted: str) -> None:
    shutil.rmtree(tmp_path / "sys", ignore_errors=True)
    monkeypatch.setattr(qualify_disk, "KERNEL", kernel(tmp_path, folder, **mounted))


def passes(monkeypatch: pytest.MonkeyPatch, time: TrialTime, flush_s: float = 0.002) -> None:
    """Time that passes in the trial, and in each flush."""
    monkeypatch.setattr(qualify_disk, "SystemTrialClock", lambda: time)
    monkeypatch.setattr(os, "fdatasync", lambda descriptor: time.pause(flush_s))


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(capsys: pytest.CaptureFixture[str], *words: str | Path, sentence: str) -> None:
    said = qualify(capsys, *words)
    assert (said.code, said.out) == (exits.FAILED, "")
    assert said.err.startswith("table-controller qualify-disk: ")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_a_card_that_is_measured(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = qualify(capsys, card, "--seconds", "6", "--game", "sic-bo")
    assert said.code == exits.OK
    assert f"{card}: ext4 on mmcblk0 (SD card, SC32G, 31.9 GB)" in said.out
    assert "p50 3.00 ms, p99 3.00 ms, longest 3.0 ms; 0 over 50 ms, 0 over 250 ms" in said.out
    assert "entries as they were written" in said.out
    assert "a card of high endurance, 32 GB" in said.out
    assert "10 entries a round, 2880 rounds a day" in said.out
    assert "a page with a flush: 3000 µs; without: 1000 µs" in said.out
    assert "verdict: fit" in said.out
    assert "s left" in said.err
    assert left_in(card) == ["table.journal"]
    assert qualify(capsys, card, "--seconds", "1").code == exits.OK, "a second time"


def test_the_same_for_programs(
    card: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passes(monkeypatch, TrialTime(step_us=1000), flush_s=0.0)
    said = qualify(capsys, card, "--seconds", "2", "--json", "--tbw", "100000", "--rounds-a-day", "1")
    data = json.loads(said.out)
    assert (data["disk"]["kind"], data["file_system"]) == ("SD card", "ext4")
    assert data["commits"]["p50_ms"] == 1.0
    assert data["read_back"]["entries"] == data["read_back"]["written"] == data["commits"]["count"]
    assert data["load"]["rounds_a_day"] == 1
    assert [life["tbw"] for life in data["endurance"]] == [100_000.0]
    assert data["verdict"] == "unfit", "with and without a flush, a write takes the same time here"
    assert "nothing was waited for" in data["reasons"][0]["reason"]
    assert data["read_back"]["file_bytes"] > 100_000
    assert said.code == exits.FAILED


def test_a_verdict_of_unfit_is_a_failed_check(
    card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_an_sd_card(tmp_path, card, monkeypatch, options="rw,nobarrier")
    said = qualify(capsys, card, "--seconds", "1")
    assert said.code == exits.FAILED
    assert "is mounted with nobarrier: the disk is never told to flush" in said.out
    assert "-> take nobarrier out of /etc/fstab" in said.out


@pytest.mark.parametrize(
    ("mounted", "sentence"),
    [
        ({"system": "tmpfs"}, "is tmpfs: it lies in memory and is gone with the power"),
        ({"system": "overlay"}, "writes go to another layer"),
        ({"options": "ro,relatime"}, "read-only file system; mount it so that it can be written"),
    ],
)
def test_a_folder_that_keeps_nothing(
    mounted: dict[str, str],
    sentence: str,
    card: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    on_an_sd_card(tmp_path, card, monkeypatch, **mounted)
    refused(capsys, card, sentence=sentence)
    assert left_in(card) == ["table.journal"]


def test_what_is_neither_folder_nor_device(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, card / "nowhere", sentence="there is no such folder or device")
    refused(capsys, card / "table.journal", sentence="neither a folder nor a device")
    refused(capsys, "/dev/null", sentence="neither a folder nor a device")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.EACCES, "permission denied; call it with sudo"),
        (errno.EROFS, "read-only file system; mount it"),
        (errno.ENOSPC, "no space left on device; free space on it"),
    ],
)
def test_a_folder_in_which_nothing_can_be_made(
    number: int,
    sentence: str,
    card: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(path: Path, **options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", fails)
    refused(capsys, card, "--seconds", "1", sentence=sentence)
    assert left_in(card) == ["table.journal"]


def test_a_disk_without_room(
    card: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    refused(capsys, card, sentence="0 MB are free, and the trial needs 49 MB; free space on it, or measure")


def test_a_disk_that_fails_while_it_is_written(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A limit on the size of files stands for it: the system refuses a write in the middle of a commit."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        said = qualify(capsys, card, "--seconds", "4")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert said.code == exits.FAILED
    assert "the journal cannot be written: " in said.err
    assert left_in(card) == ["table.journal"]


def test_ctrl_c_leaves_nothing(
    card: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    passes(monkeypatch, TrialTime(interrupted_after=100))
    assert qualify(capsys, card).code == 130
    assert left_in(card) == ["table.journal"]


def test_what_a_killed_trial_left_is_taken_away(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (card / TRIAL_FOLDER).mkdir()
    (card / TRIAL_FOLDER / "trial.journal").write_bytes(b"half a page")
    assert qualify(capsys, card, "--seconds", "1").code == exits.OK
    assert left_in(card) == ["table.journal"]


def test_two_at_once_are_one_too_many(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (card / TRIAL_FOLDER).mkdir()
    (card / TRIAL_FOLDER / "trial.journal").write_bytes(b"of the other one")
    other = os.open(card / TRIAL_FOLDER, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    refused(capsys, card, sentence="another qualify-disk is at work here")
    os.close(other)
    assert left_in(card / TRIAL_FOLDER) == ["trial.journal"]


def test_a_link_in_place_of_the_trials_folder_is_not_followed(
    card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("kept")
    (card / TRIAL_FOLDER).symlink_to(precious)
    assert qualify(capsys, card, "--seconds", "1").code == exits.FAILED
    assert left_in(precious) == ["file"]


def test_a_folder_behind_a_link_is_the_one_it_leads_to(
    card: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to(card)
    assert f"{card}: ext4 on mmcblk0" in qualify(capsys, tmp_path / "link", "--seconds", "1").out


@pytest.mark.parametrize(
    "words",
    [["--seconds", "0"], ["--seconds", "nan"], ["--tbw", "-1"], ["--rounds-a-day", "many"], ["--game", "poker"]],
)
def test_words_that_do_not_fit(words: list[str], card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["qualify-disk", str(card), *words])
    assert stop.value.code == exits.USAGE
    assert "usage: table-controller qualify-disk" in capsys.readouterr().err


def test_a_folder_that_no_mount_leads_to(
    card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mountinfo").write_text(mount_line("/elsewhere"))
    refused(capsys, card, sentence="the kernel names no file system for it")
