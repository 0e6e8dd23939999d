"""A computer with the card's image, as root's side of an update sees it: files in place of partitions, and a
stand-in for RAUC.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from image_programs import program

bundles, slots, updates = program("bundles"), program("slots"), program("updates")
floor_offer = program("floor_offer")
RUNNING, NEWER, OLDER = (f"0.2.0+{day}120000.5d08e66b" for day in ("20261124", "20261201", "20261101"))
STAND_IN = """#!/bin/sh
case "$*" in
*info*) [ -e {folder}/refusal ] && {{ cat {folder}/refusal >&2; exit 1; }}; cat {folder}/manifest ;;
*install*) echo "  0% Installing"; echo " 40% Copying image to rootfs.1"; cat {folder}/progress >{folder}/seen
    [ -e {folder}/broken ] && {{ echo "LastError: Failed updating slot rootfs.1"; exit 1; }}
    echo "100% Installing done."; touch {folder}/installed ;;
esac
"""
SYSTEM = """[system]
compatible=table-controller-pi64
bootloader=uboot
data-directory={folder}
bundle-formats=verity
[keyring]
path={folder}/keyring.pem
use-bundle-signing-time=true
"""
SLOT = """[slot.rootfs.{number}]
device={folder}/root-{name}
bootname={name}
[slot.boot.{number}]
device={folder}/boot-{name}
parent=rootfs.{number}
"""


@dataclass
class Computer:
    """The files that root's programs read and write, in a folder."""

    folder: Path
    images: dict[str, int] = field(default_factory=lambda: {"rootfs": 4000, "boot": 3000})

    def manifest(self, version: str = NEWER, compatible: str = "table-controller-pi64") -> None:
        """What the stand-in says of every bundle."""
        boot = bundles.digest_of(self.folder / "boot-B", 3000)
        images = [{name: {"checksum": boot, "size": size}} for name, size in self.images.items()]
        document = {"compatible": compatible, "version": version, "images": images}
        (self.folder / "manifest").write_text(json.dumps(document))

    @property
    def handover(self) -> Path:
        """Where the publisher puts what it has fetched of the floor's."""
        return self.folder / "published/update/handover"

    def bundle(self, name: str = "table.raucb") -> Path:
        file = self.folder / name
        file.write_bytes(b"hsqs" + bytes(100))
        return file

    def refusal(self, says: str) -> None:
        (self.folder / "refusal").write_text(says)

    def document(self, name: str) -> dict[str, str]:
        file: Path = updates.FOLDER / f"{name}.json"
        return dict(json.loads(file.read_text())) if file.exists() else {}

    def offered(self, file: Path) -> dict[str, str]:
        updates.main(["offer", str(file)])
        return self.document("offer")

    def confirm(self, digest: str) -> int:
        (updates.FOLDER / "confirmed.json").write_text(json.dumps({"digest": digest, "version": "", "by": "7"}))
        # Real progress is read while RAUC runs: the stand-in copies what the table would see then.
        (self.folder / "progress").unlink(missing_ok=True)
        (self.folder / "progress").symlink_to(updates.FOLDER / "progress.json")
        return int(updates.main(["install-update"]))

    def starts(self, slot: str, version: str) -> dict[str, str]:
        slots.CMDLINE.write_text(f"quiet rauc.slot={slot} panic=10\n")
        slots.VERSION.write_text(f"{version}\n")
        assert updates.main(["running-version"]) == 0
        return self.document("running")


def image_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Computer:
    """Slot A runs; every bundle is a newer version."""
    for name in ("update", "own", "data", "published/update/handover"):
        (tmp_path / name).mkdir(parents=True)
    sections = "".join(SLOT.format(number=k, name=name, folder=tmp_path) for k, name in enumerate("AB"))
    (tmp_path / "system.conf").write_text(SYSTEM.format(folder=tmp_path) + sections)
    (tmp_path / "keyring.pem").write_text("")
    for name in "AB":
        (tmp_path / f"root-{name}").write_bytes(bytes(4096))
        (tmp_path / f"boot-{name}").write_bytes(bytes(range(256)) * 16)
    rauc = tmp_path / "rauc"
    rauc.write_text(STAND_IN.format(folder=tmp_path))
    rauc.chmod(0o755)
    for module, name, value in (
        (bundles, "CONFIG", tmp_path / "system.conf"),
        (bundles, "KEYRING", tmp_path / "keyring.pem"),
        (bundles, "RAUC", str(rauc)),
        (updates, "RAUC", [str(rauc)]),
        (updates, "FOLDER", tmp_path / "update"),
        (updates, "OWN", tmp_path / "own"),
        (floor_offer, "HANDOVER", tmp_path / "published/update/handover"),
        (floor_offer, "KEPT", tmp_path / "data/floor"),
        (floor_offer, "OWNER", (os.getuid(), os.getgid())),
        (slots, "MEMORY", tmp_path / "data/slots.json"),
        (slots, "VERSION", tmp_path / "version"),
        (slots, "CMDLINE", tmp_path / "cmdline"),
        (updates, "GET_STATE", ["sh", "-c", "echo 3"]),
        (updates, "RESTART", ["touch", str(tmp_path / "restarted")]),
    ):
        monkeypatch.setattr(module, name, value)
    table = Computer(tmp_path)
    table.starts("A", RUNNING)
    table.manifest()
    return table
