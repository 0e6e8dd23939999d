"""What an update's file is, and why it may not be taken. Called by updates.py; `rauc info` checks the signature.

A version is that of the table and the time of the commit: ``0.2.0+20261124025452.5d08e66b``. The later is newer.
"""

import configparser
import hashlib
import json
import os
import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

CONFIG = Path("/etc/rauc/system.conf")
KEYRING = Path("/etc/rauc/keyring.pem")
RAUC = "rauc"
PARTS = ("boot", "rootfs")
"""What a slot is made of, as system.conf and the bundles' manifests name it."""
SQUASHFS = b"hsqs"


class RefusedError(Exception):
    """A sentence for people: why this bundle is not taken, and what to do."""

    def __init__(self, sentence: str, version: str = "") -> None:
        super().__init__(sentence)
        self.version = version
        """Of the bundle, as far as it is known."""


@dataclass(frozen=True)
class Bundle:
    """An update that may be taken."""

    file: Path
    version: str
    digest: str
    """SHA-256 of the file, in hex."""
    boot_digest: str
    """SHA-256 of what is written to the slot's boot partition; it holds the hash of the root."""
    boot_bytes: int


def slot_devices() -> dict[str, dict[str, Path]]:
    """The partitions of each slot by what they hold, as system.conf has them."""
    config = configparser.ConfigParser()
    config.read(CONFIG)
    sections = {name.removeprefix("slot."): config[name] for name in config.sections() if name.startswith("slot.")}
    slots = {name: section["bootname"] for name, section in sections.items() if "bootname" in section}
    devices: dict[str, dict[str, Path]] = {slot: {} for slot in slots.values()}
    for name, section in sections.items():
        slot = slots[section.get("parent", name)]
        devices[slot][name.split(".")[0]] = Path(section["device"])
    return devices


def compatible() -> str:
    """What bundles for this card call themselves."""
    config = configparser.ConfigParser()
    config.read(CONFIG)
    return config["system"]["compatible"]


def age(version: str) -> tuple[tuple[int, ...], int]:
    """A version, so that the later one is greater.

    Raises:
        RefusedError: it is none of a table's.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)*)[^+]*\+(\d{14})\..*", version)
    if found is None:
        raise RefusedError(
            f"This update calls its version {version or 'nothing'}, which is no version of a table: "
            "make it with make bundle."
        )
    return tuple(int(part) for part in found[1].split(".")), int(found[2])


def digest_of(file: Path, size: int | None = None) -> str:
    """SHA-256 of a file, or of the first bytes of a partition, in hex."""
    digest, left = hashlib.sha256(), size
    with file.open("rb") as stream:
        while data := stream.read(1 << 20 if left is None else min(1 << 20, left)):
            digest.update(data)
            left = None if left is None else left - len(data)
    return digest.hexdigest()


def size_of(device: Path) -> int:
    """The length of a file or a partition, in bytes."""
    with device.open("rb") as stream:
        return stream.seek(0, os.SEEK_END)


def examine(file: Path, running: str, fallback: str, into: str) -> Bundle:
    """Check a bundle.

    Args:
        file: the bundle.
        running: the version that runs.
        fallback: the version in the other slot, or nothing; the one older version that is taken.
        into: the slot that it would be written to.

    Raises:
        RefusedError: it is not taken.
    """
    try:
        digest = digest_of(file)
        manifest = _manifest(file)
        version = str(manifest.get("version") or "")
        images = {name: image for each in manifest.get("images", []) for name, image in each.items()}
        _check(file.name, manifest, running, fallback)
        _check_sizes(file.name, version, images, slot_devices()[into])
    except OSError as error:
        raise RefusedError(
            f"{file.name} cannot be read ({error.strerror}): copy it again, or use another stick."
        ) from error
    return Bundle(file, version, digest, images["boot"]["checksum"], images["boot"]["size"])


def _check(name: str, manifest: dict[str, object], running: str, fallback: str) -> None:
    """Is it for this table, and not older than what runs?"""
    version = str(manifest.get("version") or "")
    if (made_for := manifest.get("compatible")) != compatible():
        raise RefusedError(f"{name} is made for {made_for}, not for this table ({compatible()}).", version)
    if age(version) < age(running) and version != fallback:
        other = f", or {fallback}, which is in the other slot" if fallback else ""
        raise RefusedError(
            f"{name} is version {version}, older than {running}, which runs: take a newer one{other}.", version
        )


def _check_sizes(name: str, version: str, images: dict[str, dict[str, int]], devices: dict[str, Path]) -> None:
    """Are both parts of a slot there, and do they fit?"""
    if set(images) != set(PARTS):
        held = ", ".join(sorted(images)) or "nothing"
        raise RefusedError(f"{name} holds {held}; an update of this table is boot and rootfs.", version)
    for part in PARTS:
        room = size_of(devices[part])
        if images[part]["size"] > room:
            raise RefusedError(
                f"{name} is too large: its {part} has {images[part]['size']:,} bytes, "
                f"and a slot of this card takes {room:,}. Make a new card from the image of that version.",
                version,
            )


def _manifest(file: Path) -> dict[str, object]:
    """What RAUC says of a bundle whose signature it trusts."""
    if not KEYRING.exists():
        raise RefusedError(
            "This card takes no updates: its image was made without a site's certificate. "
            "Make a new card from an image that was made with KEYRING=."
        )
    done = subprocess.run(
        [RAUC, "--conf", str(CONFIG), "info", "--output-format=json", str(file)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    if done.returncode:
        raise RefusedError(_reason(file, done.stderr))
    manifest = json.loads(done.stdout[done.stdout.index("{") :])
    return dict(manifest)


def _reason(file: Path, says: str) -> str:
    """A sentence for what RAUC says of a bundle that it refuses."""
    name = file.name
    if "certificate has expired" in says:
        return f"{name} was signed with a certificate that had expired: have it signed with a valid one."
    if "not yet valid" in says:
        return f"{name} was signed before its certificate was valid: have it signed where the clock is right."
    if "self-signed" in says or "self signed" in says or "issuer certificate" in says:
        return f"{name} is signed by somebody whom this table does not trust: take an update of this site."
    if "verification failed" in says:
        return f"{name} is not signed as it should be: it was changed, or is damaged. Copy it again."
    with file.open("rb") as stream:
        head = stream.read(48)
    if head[:4] != SQUASHFS or len(head) < 48:
        return f"{name} is no update of a table, or its beginning is damaged: copy it again."
    if size_of(file) < struct.unpack_from("<Q", head, 40)[0]:
        return f"{name} is not whole: copy it again, and eject the stick before it is pulled out."
    if "Invalid bundle format" in says or "ignature" in says:
        return f"{name} is not signed, or its end is missing: copy it again, or take an update of this site."
    last = says.strip().splitlines()[-1:] or ["no reason given"]
    return f"{name} is refused by RAUC: {last[0]}."
