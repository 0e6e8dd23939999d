"""``qualify-disk --until-cut`` and ``--after-cut``: a cut on purpose, and what it says of the disk."""

import errno
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from disk_places import TrialTime, kernel, qualify

from controller.commands import qualify_disk
from controller.commands.cli import main
from controller.commissioning.disk import cut_log
from controller.commissioning.disk.cut_log import CUT_FOLDER
from controller.commissioning.disk.cut_records import RECORD_BYTES
from controller.commissioning.disk.partner import PartnerListener
from controller.runtime import exit_codes as exits

AT = 700
"""The record at which the power goes."""


class PowerCutError(BaseException):
    """The power goes: nothing of the process runs any more."""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on an SD card."""
    folder = tmp_path / "card"
    folder.mkdir()
    monkeypatch.setattr(qualify_disk, "KERNEL", kernel(tmp_path, folder))
    monkeypatch.setattr(qualify_disk, "SystemTrialClock", TrialTime)
    return folder


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has a flush fail at some record: the disk is gone, or full."""

    def at(number: int, error: int = errno.EIO) -> None:
        flushes = 0

        def flush(descriptor: int) -> None:
            nonlocal flushes
            flushes += 1
            if flushes == number:
                raise OSError(error, os.strerror(error))

        monkeypatch.setattr(os, "fdatasync", flush)

    return at


def records_of(disk: Path) -> Path:
    (file,) = (disk / CUT_FOLDER).iterdir()
    return file


def test_a_disk_that_was_pulled_out_and_kept_all(
    disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    cut(AT)
    said = qualify(capsys, disk, "--until-cut")
    assert said.code == exits.OK
    assert "acknowledged 1\n" in said.out, "for somebody who watches"
    assert f"it had acknowledged {AT - 1}" in said.out
    assert f"qualify-disk {disk} --after-cut --acknowledged {AT - 1}" in said.out
    after = qualify(capsys, disk, "--after-cut", "--acknowledged", str(AT - 1))
    assert after.code == exits.OK
    assert "verdict: fit\n" in after.out
    assert f"must be there: up to {AT - 1}" in after.out


def test_records_that_are_gone(disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    cut(AT)
    qualify(capsys, disk, "--until-cut")
    os.truncate(records_of(disk), 600 * RECORD_BYTES)
    said = qualify(capsys, disk, "--after-cut", "--acknowledged", str(AT - 1))
    assert said.code == exits.FAILED
    assert "verdict: unfit\n1. unfit: acknowledged and lost: 99 records, 601 to 699\n" in said.out
    data = json.loads(qualify(capsys, disk, "--after-cut", "--acknowledged", "640", "--json").out)
    assert (data["verdict"], data["lost"], data["reached"]) == ("unfit", list(range(601, 641)), 600)
    alone = qualify(capsys, disk, "--after-cut")
    assert alone.code == exits.OK
    assert "verdict: fit with reservations\n1. fit with reservations: nobody says how far" in alone.out


def test_a_record_that_is_gone_in_the_middle_needs_no_partner(
    disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    cut(AT)
    qualify(capsys, disk, "--until-cut")
    with records_of(disk).open("r+b") as file:
        file.seek(41 * RECORD_BYTES)
        file.write(bytes(RECORD_BYTES))
    said = qualify(capsys, disk, "--after-cut")
    assert said.code == exits.FAILED
    assert "reordered, as they are missing or in part and later ones are there: record 42" in said.out


def test_a_partner_says_how_far_it_went(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The power goes in the middle of a flush; the partner has heard of all before it."""
    flushes = 0

    def flush(descriptor: int) -> None:
        nonlocal flushes
        flushes += 1
        if flushes == AT:
            saved = tmp_path / "saved"
            shutil.copytree(disk, saved)
            raise PowerCutError

    monkeypatch.setattr(os, "fdatasync", flush)
    heard = tmp_path / "heard"
    with PartnerListener(0) as listener, ThreadPoolExecutor() as threads:
        last = threads.submit(listener.receive, heard, lambda number: None, PATIENCE_S)
        with pytest.raises(PowerCutError):
            main(["qualify-disk", str(disk), "--until-cut", "--partner", f"127.0.0.1:{listener.port}"])
        assert last.result(PATIENCE_S) == AT - 1
    shutil.copytree(tmp_path / "saved", disk, dirs_exist_ok=True)  # What the disk has when the power is back.
    capsys.readouterr()
    said = qualify(capsys, disk, "--after-cut", "--log", heard, "--remove")
    assert said.code == exits.OK
    assert f"acknowledged: {AT - 1}" in said.out
    assert list(disk.iterdir()) == []


def test_records_that_cannot_be_taken_away_are_named(
    disk: Path, cut: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is printed all the same."""
    cut(AT)
    qualify(capsys, disk, "--until-cut")

    def fails(folder: Path) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(shutil, "rmtree", fails)
    said = qualify(capsys, disk, "--after-cut", "--acknowledged", str(AT - 1), "--remove")
    assert said.code == exits.FAILED
    assert "verdict: fit\n" in said.out
    assert f"{disk / CUT_FOLDER}: read-only file system; mount it" in said.err


def test_the_log_of_another_run_is_not_taken_for_this_one(
    disk: Path, tmp_path: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    cut(5)
    qualify(capsys, disk, "--until-cut")
    heard = tmp_path / "heard"
    heard.write_text(f"run {'0' * 32}\n1\n2\n")
    said = qualify(capsys, disk, "--after-cut", "--log", heard)
    assert (said.code, said.out) == (exits.FAILED, "")
    assert "name the log of this run" in said.err


def test_a_new_run_takes_the_place_of_the_one_before(
    disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    names = []
    for number in (5, 3):
        cut(number)
        qualify(capsys, disk, "--until-cut")
        names.append(records_of(disk).name)
    assert names[0] != names[1]
    assert "up to 3" in qualify(capsys, disk, "--after-cut").out


def test_a_full_disk_is_no_cut(disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    cut(5, errno.ENOSPC)
    said = qualify(capsys, disk, "--until-cut")
    assert said.code == exits.FAILED
    assert "no space left on device; free space on it" in said.err
    assert list(disk.iterdir()) == []


def test_no_cut_came(disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cut_log, "MOST_RECORDS", 20)
    said = qualify(capsys, disk, "--until-cut")
    assert said.code == exits.FAILED
    assert "20 records were written and no cut came" in said.err
    assert list(disk.iterdir()) == []


def test_ctrl_c_before_the_cut_leaves_nothing(
    disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(qualify_disk, "SystemTrialClock", lambda: TrialTime(interrupted_after=50))
    assert qualify(capsys, disk, "--until-cut").code == 130
    assert list(disk.iterdir()) == []


@pytest.fixture
def slow(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five records a second, so that minutes are few of them; the relay's command has ended by the next one."""

    class Ended(subprocess.Popen[bytes]):
        def __init__(self, words: list[str], stdin: int) -> None:
            super().__init__(words, stdin=stdin)
            self.wait(PATIENCE_S)

    monkeypatch.setattr(subprocess, "Popen", Ended)
    monkeypatch.setattr(qualify_disk, "SystemTrialClock", lambda: TrialTime(step_us=50_000))


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("false", "--relay false ended with 1; the power is still on"),
        ("true", "--relay true ran 60 s ago, and the power is still on"),
        ("/nowhere/relay off", "--relay /nowhere/relay: no such file or directory"),
    ],
)
def test_a_relay_that_does_not_cut(
    command: str, sentence: str, disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = qualify(capsys, disk, "--until-cut", "--relay", command)
    assert said.code == exits.FAILED
    assert sentence in said.err
    assert list(disk.iterdir()) == []


@pytest.mark.usefixtures("slow")
def test_a_relay_cuts_at_a_moment_of_chance(disk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called = tmp_path / "called"
    said = qualify(capsys, disk, "--until-cut", "--relay", f"touch '{called}'")
    assert called.exists()
    assert "the power is still on" in said.err
    (last, *_) = re.findall(r"acknowledged (\d+)\n$", said.out)
    assert 10 + 60 <= int(last) / 5 + 1 <= 30 + 60 + 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name a folder on the disk"),
        (["FOLDER", "--listen", "9090", "--log", "x"], "--listen takes no folder"),
        (["--listen", "9090"], "--listen needs --log FILE"),
        (["FOLDER", "--partner", "pc:9090"], "--partner goes with --until-cut only"),
        (["FOLDER", "--relay", "off"], "--relay goes with --until-cut only"),
        (["FOLDER", "--until-cut", "--acknowledged", "0"], "--acknowledged goes with --after-cut only"),
        (["FOLDER", "--log", "x"], "--log goes with --listen or --after-cut only"),
        (["FOLDER", "--until-cut", "--remove"], "--remove goes with --after-cut only"),
        (["FOLDER", "--after-cut", "--log", "x", "--acknowledged", "1"], "leave one out"),
        (["FOLDER", "--until-cut", "--relay", "a 'b"], "--relay a 'b: No closing quotation"),
        (["FOLDER", "--until-cut", "--relay", " "], "--relay names no command"),
    ],
)
def test_options_that_do_not_go_together(
    words: list[str], sentence: str, disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = qualify(capsys, *(str(disk) if word == "FOLDER" else word for word in words))
    assert said.code == exits.USAGE
    assert sentence in said.err
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize(
    "words", [["--until-cut", "--after-cut"], ["--listen", "0"], ["--partner", "9090"], ["--acknowledged", "-1"]]
)
def test_words_that_are_no_options(words: list[str], disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["qualify-disk", str(disk), *words])
    assert stop.value.code == exits.USAGE


def test_without_a_log_there_is_nothing_to_judge(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = qualify(capsys, disk, "--after-cut")
    assert said.code == exits.FAILED
    assert "there is no log of a run; begin with --until-cut" in said.err
    missing = qualify(capsys, disk / "nowhere", "--after-cut")
    assert "there is no such folder" in missing.err


def test_memory_is_refused_before_anything_is_written(
    disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(tmp_path / "sys")
    monkeypatch.setattr(qualify_disk, "KERNEL", kernel(tmp_path, disk, "tmpfs"))
    assert "lies in memory" in qualify(capsys, disk, "--until-cut").err
    assert list(disk.iterdir()) == []


def test_a_log_whose_name_was_lost_is_read_by_its_records(
    disk: Path, cut: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """As after a check of the file system, in lost+found."""
    cut(5)
    qualify(capsys, disk, "--until-cut")
    records_of(disk).rename(disk / CUT_FOLDER / "records-found")
    assert "up to 5" in qualify(capsys, disk, "--after-cut", "--acknowledged", "4").out
    records_of(disk).write_bytes(b"noise" * 5000)
    assert "no record is whole: the disk is unfit" in qualify(capsys, disk, "--after-cut").err
