"""An update of a virtual Pi: from a stick, by the table's confirmation, into the other slot, and back if it fails.

The confirmation is written here as the table writes it. Every write of the card is logged for image_update_cuts.py.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import NO_WATCHDOG, SHELL
from image_loader import CHOICE
from image_programs import program
from image_start import READY
from made_bundle import MadeBundle, call, make_bundle, make_stick, write_over
from project import ROOT
from update_log import LOGS, begin, keep
from virtual_pi import Card, VirtualPi

bundles, boot_state = program("bundles"), program("boot_state")
NEWER, WORSE = "0.2.0+20990101120000.00000000", "0.2.0+20990102120000.00000000"
EXPORT = "table-controller journal export /etc/table-controller/table.yaml 2>/dev/null"
PLAYS = ROOT / "tests/system/kernel/guest/appends.py"
PYTHON = "/opt/table-controller/bin/python -B"
GOOD = "until systemctl is-active -q table-mark-good; do sleep 2; done"
UPDATED = LOGS / "updated.img"
ROUNDS_S = 3
"""Between rounds of the journal that is played on beside the installation."""


@pytest.fixture(scope="module")
def bundle(folder: Path) -> MadeBundle:
    return make_bundle(folder / "newer", NEWER, SHELL)


@pytest.fixture
def card(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    card.put(1, "first-start.yaml", "game: sic-bo\nname: table-7\n")
    yield card
    card.file.unlink()


@pytest.fixture
def updated(folder: Path) -> Iterator[Card]:
    """The card that the first test of this file has left: slot B is good."""
    if not UPDATED.exists():
        pytest.skip("there is no update to go back to")
    card = Card(folder, image=UPDATED)
    yield card
    card.file.unlink()


def shown(pi: VirtualPi, name: str) -> dict[str, object]:
    """A file of the exchange, as soon as it is there."""
    file = f"/run/table-update/{name}.json"
    return dict(json.loads(pi.run(f"until [ -e {file} ]; do sleep 1; done; cat {file}")))


def confirm(pi: VirtualPi, digest: str) -> None:
    """As the table does it: written beside and renamed, by its own user."""
    text = json.dumps({"digest": digest, "version": NEWER, "by": "7"})
    write = "umask 027; cd /run/table-update && cat /tmp/confirmed >.new && mv .new confirmed.json"
    pi.run(f"echo '{text}' >/tmp/confirmed; runuser -u table-controller -- sh -c '{write}'")


def play_beside(pi: VirtualPi) -> None:
    """A journal that is written to meanwhile, with marks in the log of what was durable when."""
    play = f"{PYTHON} /data/cuts/appends.py /data/cuts full 100000 {ROUNDS_S}"
    pi.run(
        f"mkdir /data/cuts && cp /run/table-image/sda1/appends.py /data/cuts/ && ({play} >/data/cuts/out 2>&1 &)"
    )
    pi.run("until grep -q plays /data/cuts/out; do sleep 1; done")


def exported(pi: VirtualPi) -> list[str]:
    """The table's record; what systemd says on the same serial line is none of it."""
    return re.findall(r'\{"seq": .*\}', pi.run(EXPORT))


def install(pi: VirtualPi, bundle: MadeBundle) -> list[str]:
    """Confirm what the stick offers, and wait until it is written; the record before."""
    digest = bundles.digest_of(bundle.file)
    pi.login()
    pi.run(f"({READY})")
    assert shown(pi, "offer") == {"version": NEWER, "digest": digest, "from": "USB stick", "problem": ""}
    assert shown(pi, "running")["slot"] == "A"
    record = exported(pi)
    assert record
    play_beside(pi)
    print(f"-- confirmed after {pi.seconds():.0f} s")
    confirm(pi, digest)
    pi.run("(while sleep 10; do cat /run/table-update/progress.json; echo; done) & true")
    ended = pi.wait_for(r'"state": "(restarting|failed)".*', timeout_s=3600)
    assert ended[1] == "restarting", ended[0]
    print(f"-- installed after {pi.seconds():.0f} s")
    pi.wait_off()
    return record


def find_good(pi: VirtualPi, bundle: MadeBundle, record: list[str]) -> None:
    """Wait until the update is good; the record has gone on."""
    pi.login()
    pi.run(GOOD)
    print(f"-- slot B is good after {pi.seconds():.0f} s")
    digest = bundles.digest_of(bundle.file)
    assert shown(pi, "running") == {"version": NEWER, "slot": "B", "digest": digest}
    assert "BOOT_B_LEFT=3" in pi.run("fw_printenv").splitlines()
    after = exported(pi)
    assert after[: len(record)] == record
    assert len(after) > len(record)


def test_a_confirmed_update_is_installed_started_and_good(card: Card, folder: Path, bundle: MadeBundle) -> None:
    stick = make_stick(folder / "stick.img", bundle.file, PLAYS)
    pi = VirtualPi(card, folder, arguments=SHELL, stick=stick, log=begin(card, bundle, "install"))
    try:
        record = install(pi, bundle)
    finally:
        pi.close()
        keep("install")
    pi = VirtualPi(card, folder, loader=True, log=begin(card, bundle, "first-start"))
    try:
        assert pi.wait_for(CHOICE).groups() == ("B", "B A", "3", "2")
        find_good(pi, bundle, record)
    finally:
        pi.close()
        keep("first-start")
    call("cp", "--sparse=always", card.file, UPDATED)


@pytest.fixture
def worse(updated: Card, folder: Path) -> Card:
    """Slot A holds, as RAUC would have written it, a version that does not accept this table's settings."""

    def refuse(slot: Path) -> None:
        write_over(slot / "opt/table-controller-a/bin/table-controller", "#!/bin/sh\nexit 78\n", 0o755)

    bundle = make_bundle(folder / "worse", WORSE, NO_WATCHDOG, refuse)
    updated.write_part(5, bundle.boot)
    updated.write_part(6, bundle.root)
    boot_state.write(updated.file, {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "3"})
    entry = {"version": WORSE, "digest": bundles.digest_of(bundle.file), "checked": False}
    boot = {"boot": bundles.digest_of(bundle.boot), "bytes": bundle.boot.stat().st_size}
    known = json.loads(updated.take_data("update/slots.json", folder / "slots.json").read_text())
    (folder / "slots.json").write_text(json.dumps(known | {"A": entry | boot}))
    updated.put_data(folder / "slots.json", "update/slots.json")
    return updated


def test_an_update_that_never_gets_ready_falls_back_by_itself(folder: Path, worse: Card) -> None:
    for left in "210":
        pi = VirtualPi(worse, folder, loader=True)
        try:
            assert pi.wait_for(CHOICE).groups() == ("A", "A B", left, "3")
            pi.wait_off()
            print(f"-- start {3 - int(left)} ends after {pi.seconds():.0f} s")
        finally:
            pi.close()
    pi = VirtualPi(worse, folder, loader=True)
    try:
        assert pi.wait_for(CHOICE).groups() == ("B", "A B", "0", "2")
        pi.login()
        pi.run(GOOD)
        assert shown(pi, "running")["version"] == NEWER
        print(f"-- back on slot B, good after {pi.seconds():.0f} s")
    finally:
        pi.close()
