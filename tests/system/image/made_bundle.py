"""Updates for the virtual Pi: the slot of the built image with something changed, signed as `make bundle` does it.

KEY and CERT name what they are signed with; the image was made with the KEYRING= that vouches for it.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from virtual_pi import IMAGE

WORK = IMAGE.parent / "work"
BLOCK = 4096
VERSION = "usr/lib/table-image/version"


@dataclass(frozen=True)
class MadeBundle:
    """An update, and the two parts of a slot that it holds."""

    file: Path
    version: str
    boot: Path
    root: Path


def call(*command: str | Path) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def write_over(file: Path, text: str, mode: int = 0o644) -> None:
    """A file of a slot that has others' bytes by a hard link."""
    file.unlink(missing_ok=True)
    file.write_text(text)
    file.chmod(mode)


def make_root(folder: Path, version: str, change: Callable[[Path], None]) -> tuple[Path, str, int]:
    """The root with its hashes; its root hash and blocks."""
    slot, root = folder / "slot", folder / "root.img"
    call("cp", "-al", WORK / "slot", slot)
    write_over(slot / VERSION, f"{version}\n")
    change(slot)
    squash = ("mksquashfs", slot, root, "-noappend", "-quiet", "-no-progress", "-no-xattrs", "-processors", "1")
    call(*squash, "-comp", "zstd", "-Xcompression-level", "3", "-b", "131072")
    shutil.rmtree(slot)
    blocks = -(-root.stat().st_size // BLOCK)
    with root.open("r+b") as file:
        file.truncate(blocks * BLOCK)
    salt = re.search(r"table\.salt=(\w+)", call("mtype", "-i", WORK / "TABLE-SLOT.vfat", "::slot.env"))
    assert salt is not None
    place = (f"--data-blocks={blocks}", f"--hash-offset={blocks * BLOCK}", f"--salt={salt[1]}")
    found = re.search(r"Root hash:\s*(\w+)", call("veritysetup", "format", *place, root, root))
    assert found is not None
    return root, found[1], blocks


def make_bundle(
    folder: Path, version: str, arguments: str, change: Callable[[Path], None] = lambda slot: None
) -> MadeBundle:
    """An update.

    Args:
        folder: for its files.
        version: what it calls itself.
        arguments: for the kernel.
        change: what is done to the slot's files.
    """
    key, cert = (os.environ.get(name, "") for name in ("KEY", "CERT"))
    if not key or not cert:
        pytest.skip("name what an update is signed with: KEY= and CERT=, and make the image with their KEYRING=")
    folder.mkdir()
    root, digest, blocks = make_root(folder, version, change)
    boot = folder / "boot.img"
    shutil.copy(WORK / "TABLE-SLOT.vfat", boot)
    line = call("mtype", "-i", boot, "::slot.env").strip()
    line = re.sub(r"table\.hash=\w+", f"table.hash={digest}", line)
    line = re.sub(r"table\.blocks=\d+", f"table.blocks={blocks}", line)
    (folder / "slot.env").write_text(f"{line} {arguments}\n")
    call("mcopy", "-o", "-i", boot, folder / "slot.env", "::slot.env")
    (folder / "slot.env").unlink()
    (folder / "manifest.raucm").write_text(
        f"[update]\ncompatible=table-controller-pi64\nversion={version}\n\n[bundle]\nformat=verity\n\n"
        "[image.rootfs]\nfilename=root.img\n\n[image.boot]\nfilename=boot.img\n"
    )
    call("rauc", "bundle", f"--cert={cert}", f"--key={key}", folder, folder.with_suffix(".raucb"))
    return MadeBundle(folder.with_suffix(".raucb"), version, boot, root)


def make_stick(file: Path, *content: Path) -> Path:
    """A stick as it is sold, one FAT partition, with files on it."""
    with file.open("wb") as stick:
        stick.truncate(512 << 20)
    subprocess.run(["sfdisk", "--quiet", str(file)], input="2048,,c\n", text=True, check=True, capture_output=True)
    call("mkfs.vfat", "--offset=2048", "-F", "32", file, str((512 << 10) - 1024))
    call("mcopy", "-i", f"{file}@@1M", *content, "::")
    return file
