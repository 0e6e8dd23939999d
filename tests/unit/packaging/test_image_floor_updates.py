"""Root's side of an update by the floor: what the publisher hands over is taken away from it, and offered.

The sentences are those of a stick's update.
"""

import os
from pathlib import Path

import pytest
from image_computer import NEWER, OLDER, RUNNING, Computer, floor_offer, image_computer, slots, updates


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    return image_computer(tmp_path, monkeypatch)


def hand_over(computer: Computer, content: bytes = b"hsqs" + bytes(100)) -> str:
    """As the publisher does it, and systemd then; returns the digest."""
    file = computer.handover / "table.raucb"
    file.write_bytes(content)
    digest = str(updates.digest_of(file))
    assert floor_offer.main() == 0
    return digest


def withdraw(computer: Computer) -> None:
    (computer.handover / "withdrawn").touch()
    floor_offer.main()


def restart(computer: Computer, slot: str = "A", version: str = RUNNING) -> None:
    """What is in memory is gone."""
    for folder in (updates.FOLDER, updates.OWN):
        for file in folder.iterdir():
            file.unlink()
    computer.starts(slot, version)
    floor_offer.main()


def test_what_was_handed_over_is_offered_as_from_the_floor(computer: Computer) -> None:
    digest = hand_over(computer)
    assert computer.document("offer") == {"version": NEWER, "digest": digest, "from": "floor", "problem": ""}
    assert computer.document("floor") == {"digest": digest, "state": "offered", "why": ""}
    assert list(computer.handover.iterdir()) == []


def test_it_is_installed_only_once_it_was_confirmed(computer: Computer) -> None:
    digest = hand_over(computer)
    assert not (computer.folder / "installed").exists()
    assert computer.confirm("0" * 64) == 1
    assert not (computer.folder / "installed").exists()
    assert computer.confirm(digest) == 0
    assert (computer.folder / "installed").exists()
    restart(computer, "B", NEWER)
    assert computer.document("running")["digest"] == digest
    assert computer.document("floor")["state"] == "installed"
    assert computer.document("offer") == {}
    assert not (floor_offer.KEPT / "table.raucb").exists()


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("signature verification failed: Verify error: self-signed certificate", "whom this table does not trust"),
        ("signature verification failed: Verify error: certificate has expired", "had expired"),
        ("Invalid bundle format: Signature size is 0", "is not signed"),
    ],
)
def test_the_floor_alone_gets_nothing_installed_that_rauc_does_not_trust(
    computer: Computer, says: str, sentence: str
) -> None:
    computer.refusal(says)
    digest = hand_over(computer)
    assert sentence in computer.document("offer")["problem"]
    assert sentence in computer.document("floor")["why"]
    assert computer.document("floor")["state"] == "refused"
    assert computer.confirm(digest) == 1
    assert not (computer.folder / "installed").exists()


def test_an_older_version_and_one_for_something_else_are_refused_in_the_sticks_words(computer: Computer) -> None:
    for manifest, sentence in (({"version": OLDER}, "older than"), ({"compatible": "jukebox"}, "made for jukebox")):
        computer.manifest(**manifest)
        hand_over(computer)
        assert sentence in computer.document("floor")["why"]
        assert sentence in computer.document("offer")["problem"]
        assert not (floor_offer.KEPT / "table.raucb").exists(), "what is refused takes no room"


def test_a_refused_update_is_said_once_and_not_at_each_start(computer: Computer) -> None:
    computer.manifest(OLDER)
    digest = hand_over(computer)
    restart(computer)
    assert computer.document("offer") == {}
    assert computer.document("floor")["digest"] == digest
    assert computer.document("floor")["state"] == "refused"


def test_an_update_that_nobody_confirmed_is_offered_again_at_the_next_start(computer: Computer) -> None:
    digest = hand_over(computer)
    restart(computer)
    assert computer.document("offer")["digest"] == digest


def test_a_failed_update_is_not_offered_again_until_the_floor_offers_it_anew(computer: Computer) -> None:
    (computer.folder / "broken").touch()
    digest = hand_over(computer)
    assert computer.confirm(digest) == 1
    floor_offer.main()  # As the installation's unit calls it at its end.
    assert computer.document("floor")["state"] == "failed"
    assert computer.document("offer") == {}
    withdraw(computer)
    assert hand_over(computer) == digest
    assert computer.document("offer")["digest"] == digest, "the floor has offered it anew"
    assert computer.confirm(digest) == 1
    floor_offer.main()
    restart(computer)
    assert computer.document("offer") == {}
    assert computer.document("floor")["state"] == "failed"
    withdraw(computer)
    assert hand_over(computer) == digest
    assert computer.document("offer")["digest"] == digest


def test_an_update_that_did_not_start_is_not_offered_again_by_itself(computer: Computer) -> None:
    digest = hand_over(computer)
    computer.confirm(digest)
    restart(computer)  # Slot A once more: three starts of slot B failed.
    assert computer.document("floor")["state"] == "failed"
    assert f"version {RUNNING} runs" in computer.document("floor")["why"]
    assert computer.document("offer") == {}
    withdraw(computer)
    hand_over(computer)
    assert computer.document("offer")["digest"] == digest, "the floor has offered it anew"


def test_the_floor_takes_its_offer_back(computer: Computer) -> None:
    hand_over(computer)
    withdraw(computer)
    assert computer.document("offer") == {}
    assert computer.document("floor") == {}
    assert [file.name for file in floor_offer.KEPT.iterdir()] == []
    assert list(computer.handover.iterdir()) == []


def test_what_was_refused_is_no_longer_said_once_the_floor_has_taken_it_back(computer: Computer) -> None:
    computer.manifest(OLDER)
    hand_over(computer)
    withdraw(computer)
    assert (computer.document("offer"), computer.document("floor")) == ({}, {})


def test_what_is_confirmed_is_not_taken_back(computer: Computer) -> None:
    digest = hand_over(computer)
    (updates.FOLDER / "confirmed.json").write_text("{}")
    withdraw(computer)
    assert computer.document("offer")["digest"] == digest
    assert computer.confirm(digest) == 0
    restart(computer, "B", NEWER)
    assert [file.name for file in floor_offer.KEPT.iterdir()] == []


def test_a_newer_offer_replaces_the_one_before(computer: Computer) -> None:
    first = hand_over(computer)
    second = hand_over(computer, b"hsqs" + bytes(200))
    assert first != second
    assert computer.document("offer")["digest"] == second
    assert computer.document("floor")["digest"] == second


def test_a_stick_comes_first_and_the_floor_is_offered_once_it_has_gone(computer: Computer, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    (stick / "other.raucb").write_bytes(b"hsqs" + bytes(300))
    updates.offer_from(stick, "/dev/sda1")
    digest = hand_over(computer)
    assert computer.document("offer")["from"] == "USB stick"
    assert computer.document("floor")["state"] == "waiting"
    (updates.OWN / "sda1").mkdir()
    updates.stick_away(Path("/dev/sda1"))
    floor_offer.main()
    assert computer.document("offer")["digest"] == digest
    assert computer.document("offer")["from"] == "floor"


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "other-name", "open-for-writing"])
def test_nothing_is_taken_over_that_somebody_else_can_still_write(
    computer: Computer, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    secret, file = tmp_path / "secret", computer.handover / "table.raucb"
    secret.write_bytes(b"hsqs" + bytes(100))
    opened = None
    match kind:
        case "link":
            file.symlink_to(secret)
        case "folder":
            (file / "full").mkdir(parents=True)
        case "pipe":
            os.mkfifo(file)
        case "other-name":
            os.link(secret, file)
        case _:
            file.write_bytes(b"hsqs" + bytes(100))
            opened = file.open("r+b")
    assert floor_offer.main() == 0
    if opened is not None:
        opened.close()
    assert "no file that can be kept" in capsys.readouterr().err
    assert list(computer.handover.iterdir()) == [], "else systemd would start it again and again"
    assert computer.document("offer") == {}
    assert secret.exists()


@pytest.mark.parametrize("replaced", ["update", "update/handover"])
def test_no_folder_is_looked_into_that_the_publisher_has_put_a_link_for(
    computer: Computer, tmp_path: Path, replaced: str, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    for name in ("table.raucb", "handover/table.raucb", "withdrawn/full"):
        (elsewhere / name).parent.mkdir(parents=True, exist_ok=True)
        (elsewhere / name).write_bytes(b"somebody's")
    computer.handover.rmdir()
    if replaced == "update":
        computer.handover.parent.rmdir()
    (tmp_path / "published" / replaced).symlink_to(elsewhere)
    assert floor_offer.main() == 0
    assert "cannot be taken" in capsys.readouterr().err
    assert len([file for file in elsewhere.rglob("*") if file.is_file()]) == 3


def test_what_was_taken_over_cannot_be_written_any_more(computer: Computer) -> None:
    hand_over(computer)
    kept = floor_offer.KEPT / "table.raucb"
    assert kept.stat().st_mode & 0o777 == 0o400
    assert kept.stat().st_uid == floor_offer.OWNER[0]


def test_a_power_cut_while_it_is_taken_over_loses_nothing(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCutError(Exception):
        pass

    def cut(*_: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as during:
        during.setattr(floor_offer, "put", cut)
        with pytest.raises(PowerCutError):
            hand_over(computer)
    restart(computer)
    assert computer.document("offer")["from"] == "floor"
    assert slots.memory().get("B") is None
