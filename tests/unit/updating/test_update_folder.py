"""The files by which a table and its card's system agree on updates, as they may be found."""

import json
import logging
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from update_table import NEW

from controller.runtime.update_folder import FilesOfUpdates
from controller.updating.folder import FolderState, InstallProgress, InstallState, Offer, RunningSlot

OFFER: dict[str, object] = {"version": "0.6.0", "digest": NEW, "from": "USB stick", "problem": ""}
UNREADABLE = Offer(
    "", "", "the system", "what the system says of it cannot be read: offer it again, or call the technician"
)


def written(folder: Path, name: str, content: object) -> FilesOfUpdates:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")
    return FilesOfUpdates(folder)


def test_what_the_system_writes_is_read(tmp_path: Path) -> None:
    written(tmp_path, "offer.json", OFFER)
    written(tmp_path, "running.json", {"version": "0.5.0", "slot": "A", "digest": ""})
    folder = written(tmp_path, "progress.json", {"digest": NEW, "state": "failed", "percent": 40, "why": "no room"})
    folder.confirm("0.6.0", NEW, "4711")
    written(tmp_path, "progress.json", {"digest": NEW, "state": "installing", "percent": 40, "why": ""})
    assert folder.read() == FolderState(
        Offer("0.6.0", NEW, "USB stick"),
        NEW,
        InstallProgress(NEW, InstallState.INSTALLING, 40),
        RunningSlot("0.5.0", "A", ""),
    )


def test_a_confirmation_says_what_is_to_be_installed_and_who_confirmed(tmp_path: Path) -> None:
    folder = FilesOfUpdates(tmp_path)
    folder.confirm("0.6.0", NEW, "4711")
    assert json.loads((tmp_path / "confirmed.json").read_text()) == {
        "digest": NEW,
        "version": "0.6.0",
        "by": "4711",
    }
    assert os.listdir(tmp_path) == ["confirmed.json"], "nothing of what was written beside"
    folder.withdraw()
    folder.withdraw()
    assert os.listdir(tmp_path) == []


def test_a_failure_of_before_is_not_that_of_a_new_confirmation(tmp_path: Path) -> None:
    folder = written(tmp_path, "progress.json", {"digest": NEW, "state": "failed", "percent": 0, "why": "no room"})
    folder.confirm("0.6.0", NEW, "")
    assert folder.read().progress is None


def test_an_empty_folder_and_none(tmp_path: Path) -> None:
    assert FilesOfUpdates(tmp_path).exists()
    assert FilesOfUpdates(tmp_path).read() == FolderState()
    without = FilesOfUpdates(tmp_path / "no such folder")
    assert not without.exists()
    assert without.read() == FolderState()
    without.withdraw()
    with pytest.raises(OSError, match="No such file"):
        without.confirm("0.6.0", NEW, "")


@pytest.mark.parametrize(
    "content",
    [
        "",
        '{"version": "0.6.0", "dig',
        "[]",
        "null",
        {},
        {**OFFER, "digest": "short"},
        {**OFFER, "digest": NEW.upper()},
        {**OFFER, "digest": ""},
        {**OFFER, "version": ""},
        {**OFFER, "version": 6},
        {**OFFER, "problem": None},
    ],
)
def test_an_offer_that_makes_no_sense_is_offered_with_that_problem(tmp_path: Path, content: object) -> None:
    offer = written(tmp_path, "offer.json", content).read().offer
    assert offer is not None
    assert offer.problem == UNREADABLE.problem


@pytest.mark.parametrize("name", ["confirmed.json", "progress.json", "running.json"])
@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", '{"digest": 7}', '{"digest": "' + NEW + '", "state": "odd"}']
)
def test_any_other_file_that_makes_no_sense_says_nothing(tmp_path: Path, name: str, content: str) -> None:
    found = written(tmp_path, name, content).read()
    if name != "confirmed.json" or NEW not in content:
        assert found == FolderState()


def test_a_file_that_cannot_be_read_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = written(tmp_path, "offer.json", "{")
    caplog.set_level(logging.ERROR)
    for _ in range(3):
        assert folder.read().offer == UNREADABLE
    assert caplog.text.count("offer.json cannot be read") == 1
    written(tmp_path, "offer.json", OFFER)
    assert folder.read().offer == Offer("0.6.0", NEW, "USB stick")
    (tmp_path / "offer.json").unlink()
    (tmp_path / "offer.json").mkdir()
    assert folder.read().offer == UNREADABLE
    assert caplog.text.count("offer.json cannot be read: Is a directory") == 1


def test_what_stands_in_a_foreign_bundle_is_one_line_of_text(tmp_path: Path) -> None:
    foreign = {**OFFER, "version": "0.6\n\x1b[2J0", "problem": "of\r\nanother\u2028table"}
    offer = written(tmp_path, "offer.json", foreign).read().offer
    assert offer == Offer("0.6 [2J0", NEW, "USB stick", "of another table")
    offer = written(tmp_path, "offer.json", {**OFFER, "problem": "x" * 9000}).read().offer
    assert offer is not None
    assert len(offer.problem) == 600, "and not longer than a screen takes"


@given(st.binary(max_size=400))
def test_whatever_the_bytes_reading_them_does_not_fail(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("update")
    for name in ("offer.json", "confirmed.json", "progress.json", "running.json"):
        (folder / name).write_bytes(content)
    found = FilesOfUpdates(folder).read()
    assert (found.confirmed, found.progress, found.running) == (None, None, None)
    assert found.offer == UNREADABLE
