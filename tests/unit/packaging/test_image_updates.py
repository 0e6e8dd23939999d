"""Root's side of an update on the card's image: what is offered to the table, and what its confirmation does, with
a stand-in for RAUC. Real bundles: test_image_bundles.py. An update of a virtual Pi: tests/system/image.
"""

import json
import subprocess
from pathlib import Path

import pytest
from image_computer import NEWER, OLDER, RUNNING, Computer, image_computer, updates
from project import ROOT


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    return image_computer(tmp_path, monkeypatch)


def test_a_newer_bundle_is_offered_with_the_digest_of_the_file(computer: Computer) -> None:
    file = computer.bundle()
    digest = subprocess.run(["sha256sum", str(file)], capture_output=True, text=True, check=True).stdout[:64]
    assert computer.offered(file) == {"version": NEWER, "digest": digest, "from": "FILE table.raucb", "problem": ""}


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("signature verification failed: Verify error: self-signed certificate", "whom this table does not trust"),
        ("signature verification failed: Verify error: unable to get local issuer certificate", "does not trust"),
        ("signature verification failed: Verify error: certificate has expired", "had expired"),
        ("signature verification failed: Verify error: certificate is not yet valid", "before its certificate"),
        ("Invalid bundle format: Signature size is 0", "is not signed"),
        ("something else", "refused by RAUC: something else"),
    ],
)
def test_what_rauc_refuses_is_said_in_a_sentence(computer: Computer, says: str, sentence: str) -> None:
    computer.refusal(says)
    offer = computer.offered(computer.bundle())
    assert sentence in offer["problem"]
    assert offer["problem"].endswith(".")
    assert computer.confirm(offer["digest"]) == 1


def test_an_update_for_something_else_is_not_taken(computer: Computer) -> None:
    computer.manifest(compatible="jukebox")
    assert "made for jukebox, not for this table" in computer.offered(computer.bundle())["problem"]


@pytest.mark.parametrize("version", ["", "5d08e66b", "0.3.0", "0.2.0+yesterday.x"])
def test_an_update_that_cannot_be_compared_is_not_taken(computer: Computer, version: str) -> None:
    computer.manifest(version)
    assert "no version of a table" in computer.offered(computer.bundle())["problem"]


@pytest.mark.parametrize(
    ("version", "taken"),
    [
        (OLDER, False),
        (RUNNING, True),
        (NEWER, True),
        ("0.1.9+20270101120000.00000000", False),
        ("0.10.0+20261101120000.00000000", True),
    ],
)
def test_an_older_version_is_refused(computer: Computer, version: str, taken: bool) -> None:
    computer.manifest(version)
    offer = computer.offered(computer.bundle())
    assert (offer["problem"] == "") == taken, offer
    assert taken or f"older than {RUNNING}, which runs" in offer["problem"]
    assert offer["version"] == version


def test_the_version_that_is_in_the_other_slot_may_be_gone_back_to(computer: Computer) -> None:
    computer.starts("B", NEWER)
    computer.manifest(RUNNING)
    assert computer.offered(computer.bundle())["problem"] == ""
    computer.manifest(OLDER)
    assert f"or {RUNNING}, which is in the other slot" in computer.offered(computer.bundle())["problem"]


def test_a_part_that_does_not_fit_is_named(computer: Computer) -> None:
    computer.images["rootfs"] = 4097
    computer.manifest()
    assert "too large: its rootfs has 4,097 bytes" in computer.offered(computer.bundle())["problem"]


def test_half_a_slot_is_no_update(computer: Computer) -> None:
    del computer.images["boot"]
    computer.manifest()
    assert (
        "holds rootfs; an update of this table is boot and rootfs" in computer.offered(computer.bundle())["problem"]
    )


def test_a_card_without_a_certificate_says_so(computer: Computer) -> None:
    (computer.folder / "keyring.pem").unlink()
    assert "KEYRING=" in computer.offered(computer.bundle())["problem"]


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], "There is no update on the stick"),
        (["notes.txt", "._table.raucb"], "There is no update on the stick"),
        (["a.raucb", "b.raucb"], "several updates on the stick, a.raucb, b.raucb"),
        (["TABLE.RAUCB", "._TABLE.RAUCB"], ""),
    ],
)
def test_the_one_update_on_a_stick_is_offered(computer: Computer, names: list[str], sentence: str) -> None:
    stick = computer.folder / "stick"
    stick.mkdir()
    for name in names:
        (stick / name).write_bytes(b"hsqs")
    updates.offer_from(stick, "/dev/sda1")
    offer = computer.document("offer")
    assert offer["from"] == "USB stick"
    assert sentence in offer["problem"]
    assert bool(sentence) == bool(offer["problem"])


def test_what_was_on_a_stick_goes_with_it(computer: Computer) -> None:
    stick = computer.folder / "stick"
    stick.mkdir()
    updates.offer_from(stick, "/dev/sda1")
    updates.main(["stick", "--away", "/dev/sdb1"])
    assert computer.document("offer")
    updates.main(["stick", "--away", "/dev/sda1"])
    assert not computer.document("offer")


def test_what_was_confirmed_is_installed_and_started(computer: Computer) -> None:
    offer = computer.offered(computer.bundle())
    assert computer.confirm(offer["digest"]) == 0
    assert computer.document("progress") == {
        "digest": offer["digest"],
        "state": "restarting",
        "percent": 100,
        "why": "",
    }
    assert (computer.folder / "installed").exists()
    assert (computer.folder / "restarted").exists()


def test_the_new_slot_knows_what_it_was_installed_from_and_the_old_one_does_not(computer: Computer) -> None:
    digest = computer.offered(computer.bundle())["digest"]
    computer.confirm(digest)
    assert computer.starts("B", NEWER) == {"version": NEWER, "slot": "B", "digest": digest}
    # Read once: what is there later is what was verified at the first start.
    (computer.folder / "boot-B").write_bytes(bytes(4096))
    assert computer.starts("B", NEWER)["digest"] == digest
    assert computer.starts("A", RUNNING) == {"version": RUNNING, "slot": "A", "digest": ""}


def test_what_runs_already_is_not_offered_again(computer: Computer) -> None:
    file = computer.bundle()
    computer.confirm(computer.offered(file)["digest"])
    computer.starts("B", NEWER)
    assert f"runs already, version {NEWER}" in computer.offered(file)["problem"]
    computer.starts("A", RUNNING)
    assert computer.offered(file)["problem"] == ""


def test_a_slot_that_holds_something_else_is_of_no_bundle(computer: Computer) -> None:
    computer.confirm(computer.offered(computer.bundle())["digest"])
    (computer.folder / "boot-B").write_bytes(bytes(4096))
    assert computer.starts("B", NEWER)["digest"] == ""


def test_a_failed_installation_is_said_and_leaves_no_confirmation(computer: Computer) -> None:
    (computer.folder / "broken").touch()
    digest = computer.offered(computer.bundle())["digest"]
    assert computer.confirm(digest) == 1
    progress = computer.document("progress")
    assert (progress["state"], progress["digest"]) == ("failed", digest)
    assert "Failed updating slot rootfs.1" in progress["why"]
    assert f"version {RUNNING} goes on" in progress["why"]
    assert not computer.document("confirmed")
    assert not (computer.folder / "restarted").exists()
    assert updates.memory().get("B") is None


def test_an_update_that_never_got_ready_starts_anew_until_the_other_slot_is_taken(computer: Computer) -> None:
    computer.confirm(computer.offered(computer.bundle())["digest"])
    restarted = computer.folder / "restarted"
    restarted.unlink()
    for _ in range(2):
        computer.starts("B", NEWER)
        updates.main(["start-bad"])
        assert restarted.exists()
        restarted.unlink()
    computer.starts("A", RUNNING)
    updates.main(["start-bad"])
    assert not restarted.exists(), "what came with the card waits for a person"


def test_an_update_that_was_good_once_waits_for_a_person(computer: Computer) -> None:
    computer.confirm(computer.offered(computer.bundle())["digest"])
    (computer.folder / "restarted").unlink()
    computer.starts("B", NEWER)
    updates.main(["start-good"])
    assert computer.starts("B", NEWER)["digest"]
    updates.main(["start-bad"])
    assert not (computer.folder / "restarted").exists()


def test_nothing_is_installed_that_was_not_confirmed(computer: Computer) -> None:
    computer.offered(computer.bundle())
    for digest in ("", "0" * 64):
        assert computer.confirm(digest) == 1
        assert "no longer offered" in computer.document("progress")["why"]
    assert not (computer.folder / "installed").exists()


def test_a_bundle_that_was_changed_after_it_was_confirmed_is_not_installed(computer: Computer) -> None:
    file = computer.bundle()
    digest = computer.offered(file)["digest"]
    file.write_bytes(file.read_bytes() + b"x")
    assert computer.confirm(digest) == 1
    assert "no longer the file that was confirmed" in computer.document("progress")["why"]
    assert not (computer.folder / "installed").exists()


def test_the_only_slot_that_is_known_to_start_is_not_overwritten(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updates, "GET_STATE", ["sh", "-c", "echo 2"])
    assert computer.confirm(computer.offered(computer.bundle())["digest"]) == 1
    assert "wait some minutes" in computer.document("progress")["why"]
    assert not (computer.folder / "installed").exists()


def test_an_offer_that_the_table_wrote_installs_nothing(computer: Computer) -> None:
    forged = {"digest": "0" * 64, "file": "/etc/passwd", "problem": ""}
    (updates.FOLDER / "offer.json").write_text(json.dumps(forged))
    assert computer.confirm("0" * 64) == 1
    assert not (computer.folder / "installed").exists()


@pytest.mark.parametrize("text", ["", "[]", "null", "{", '{"digest": 7}', "x" * 10_000])
def test_a_confirmation_that_is_none_is_refused(computer: Computer, text: str) -> None:
    (updates.FOLDER / "confirmed.json").write_text(text)
    assert updates.main(["install-update"]) == 1
    assert not (updates.FOLDER / "confirmed.json").exists()


def test_no_link_of_the_table_is_followed(computer: Computer) -> None:
    secret = computer.folder / "secret"
    secret.write_text('{"digest": "secret"}')
    (updates.FOLDER / "confirmed.json").symlink_to(secret)
    assert updates.read(updates.FOLDER / "confirmed.json") == {}
    (updates.FOLDER / "progress.json").symlink_to(secret)
    updates.progress("d", "installing", 1)
    assert secret.read_text() == '{"digest": "secret"}'
    assert computer.document("progress")["percent"] == 1


def test_the_units_call_programs_that_there_are() -> None:
    units = ROOT / "systemd/image/root/etc/systemd/system"
    called = [
        line.split("=", 1)[1].split()[0].lstrip("-")
        for unit in sorted(units.glob("table-*.service"))
        for line in unit.read_text().splitlines()
        if line.startswith(("ExecStart=", "ExecStop=", "ExecStopPost="))
    ]
    own = [path for path in called if path.startswith("/usr/lib/table-image/")]
    assert own
    assert [path for path in own if not (ROOT / "systemd/image/root" / path[1:]).exists()] == []


def test_an_installation_that_is_cut_off_lets_the_table_play_on(
    computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As systemd calls it after the program was ended by a signal, a fault of its own, or its time limit."""
    digest = computer.offered(computer.bundle())["digest"]

    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(updates, "write_slot", killed)
    with pytest.raises(SystemExit):
        computer.confirm(digest)
    assert computer.document("progress")["state"] == "installing"
    updates.main(["install-update", "--ended"])
    assert computer.document("progress")["state"] == "failed"
    assert computer.document("progress")["digest"] == digest
    assert f"version {RUNNING} goes on" in computer.document("progress")["why"]
    assert computer.document("confirmed") == {}


def test_an_installation_that_has_ended_stays_as_it_was_reported(computer: Computer) -> None:
    computer.confirm(computer.offered(computer.bundle())["digest"])
    updates.main(["install-update", "--ended"])
    assert computer.document("progress")["state"] == "restarting"
