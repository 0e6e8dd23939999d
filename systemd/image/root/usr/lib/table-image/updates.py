#!/usr/bin/python3
"""Root's side of an update (docs/image.md): what is offered to the table, and what its confirmation does.

``offer FILE``       checks a bundle and offers it
``stick DEVICE``     mounts a stick, only to be read, and offers the one bundle on it; ``--away`` takes it back
``install-update``   writes the confirmed bundle to the other slot and starts it; ``--ended`` says that it failed,
                     if the program ended without saying how
``running-version``  says at each start what runs
``start-good``       remembers that the version that runs got ready
``start-bad``        starts anew if the running version never got ready since it was installed: after three, the
                     other slot is taken

The table and this program meet in ``/run/table-update``. The table may write anything there: what root acts upon
is kept in a folder of its own, and of ``confirmed.json`` the digest alone counts.
"""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

from bundles import Bundle, RefusedError, digest_of, examine, slot_devices
from slots import memory, other_slot, put, remember, running_slot, running_version

FOLDER = Path("/run/table-update")
OWN = Path("/run/table-image")
RAUC, GET_STATE, RESTART = ["rauc"], ["fw_printenv", "-n"], ["systemctl", "reboot"]
MOST_BYTES = 4096
"""Of a file that the table wrote."""


def read(file: Path) -> dict[str, str]:
    """A file of the exchange; empty if it is not there, or is no such file."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return {}
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return {}
        try:
            document = json.loads(stream.read(MOST_BYTES))
        except ValueError:
            return {}
    return document if isinstance(document, dict) else {}


def check(file: Path) -> Bundle:
    """Check a bundle against what is on this card."""
    fallback = memory().get(other_slot(), {}).get("version", "")
    bundle = examine(file, running_version(), str(fallback), other_slot())
    if bundle.digest == memory().get(running_slot(), {}).get("digest"):
        # The stick that the update came on is often still there after the restart.
        raise RefusedError(f"{file.name} runs already, version {bundle.version}: take it away.", bundle.version)
    return bundle


def offer(file: Path, origin: str, source: str = "") -> int:
    """Offer a bundle to the table, or say why it cannot be taken.

    Args:
        file: the bundle.
        origin: where it comes from, for people.
        source: the device that takes it away when it goes.
    """
    try:
        bundle = check(file)
    except RefusedError as refused:
        try:
            digest = digest_of(file)
        except OSError:
            digest = ""
        return publish(origin, source, problem=str(refused), version=refused.version, digest=digest)
    return publish(origin, source, version=bundle.version, digest=bundle.digest, file=str(file))


def publish(
    origin: str, source: str, *, version: str = "", digest: str = "", problem: str = "", file: str = ""
) -> int:
    """Put an offer where the table finds it; root keeps its own with the file's name."""
    shown = {"version": version, "digest": digest, "from": origin, "problem": problem}
    OWN.mkdir(mode=0o700, parents=True, exist_ok=True)
    put(OWN / "offer.json", {**shown, "file": file, "source": source})
    put(FOLDER / "offer.json", shown)
    print(problem or f"version {version} from {origin} is offered to the table")
    return 1 if problem else 0


def stick(device: Path) -> int:
    """Offer the one bundle on a stick."""
    at = OWN / device.name
    at.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = "ro,nosuid,nodev,noexec"
    mounted = subprocess.run(
        ["mount", "-o", options, str(device), str(at)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        problem = (
            f"The stick cannot be read ({mounted.stderr.strip()}): format it anew with FAT, or use another one."
        )
        return publish("USB stick", str(device), problem=problem)
    return offer_from(at, str(device))


def offer_from(folder: Path, source: str) -> int:
    """Offer the one bundle in the folder of a stick."""
    # macOS writes a file ._NAME beside each one.
    found = sorted(f for f in folder.iterdir() if f.suffix.lower() == ".raucb" and not f.name.startswith("."))
    if len(found) == 1:
        return offer(found[0], "USB stick", source)
    problem = (
        "There is no update on the stick: put one file on it whose name ends in .raucb, and not into a folder."
    )
    if found:
        names = ", ".join(file.name for file in found)
        problem = f"There are several updates on the stick, {names}: leave the one that is to be installed."
    return publish("USB stick", source, problem=problem)


def stick_away(device: Path) -> int:
    """A stick is gone, and with it what it offered."""
    if read(OWN / "offer.json").get("source") == str(device):
        (FOLDER / "offer.json").unlink(missing_ok=True)
        (OWN / "offer.json").unlink(missing_ok=True)
    subprocess.run(["umount", "--lazy", str(OWN / device.name)], capture_output=True, check=False)
    return 0


def confirmed_bundle(digest: str) -> Bundle:
    """The bundle that was offered and confirmed, checked again.

    Args:
        digest: what the table confirmed.
    """
    offered = read(OWN / "offer.json")
    if not digest or offered.get("digest") != digest or not offered.get("file"):
        raise RefusedError(
            "What was confirmed is no longer offered: put the stick in again, and confirm what is shown then."
        )
    left = subprocess.run([*GET_STATE, f"BOOT_{running_slot()}_LEFT"], capture_output=True, text=True, check=False)
    if left.stdout.strip() != "3":
        # The other slot is the one that is known to start: it is not overwritten before this one is.
        raise RefusedError(
            "It is not certain yet that the running version is good: wait some minutes, and confirm again."
        )
    bundle = check(Path(offered["file"]))
    if bundle.digest != digest:
        raise RefusedError(
            "The update is no longer the file that was confirmed: put the stick in again, and look at its digest."
        )
    return bundle


def install() -> int:
    """Install what was confirmed, and start it."""
    digest = str(read(FOLDER / "confirmed.json").get("digest", ""))
    try:
        progress(digest, "installing", 0)
        bundle = confirmed_bundle(digest)
        # Written before: whatever the power does, the slot's own bytes say at its first start whether it is so.
        known = {"boot": bundle.boot_digest, "bytes": bundle.boot_bytes, "checked": False}
        remember(other_slot(), {"version": bundle.version, "digest": digest} | known)
        write_slot(bundle)
    except RefusedError as refused:
        return failed(digest, str(refused))
    progress(digest, "restarting", 100)
    subprocess.run(RESTART, check=False)
    return 0


def failed(digest: str, why: str) -> int:
    """Say that nothing was installed: the table plays on."""
    progress(digest, "failed", 0, why)
    (FOLDER / "confirmed.json").unlink(missing_ok=True)
    print(why, file=sys.stderr)
    return 1


def ended() -> int:
    """The installation has ended, in whatever way: the table must not wait for it."""
    last = read(FOLDER / "progress.json")
    if last.get("state") != "installing":
        return 0
    remember(other_slot(), None)
    why = (
        f"The installation was cut off, and the log says how; version {running_version()} goes on. Offer it again."
    )
    return failed(str(last.get("digest", "")), why)


def write_slot(bundle: Bundle) -> None:
    """Let RAUC write the other slot and put it first, and report how far it is."""
    command = [*RAUC, "install", str(bundle.file)]
    said: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line.strip())
            print(line, end="", flush=True)
            if found := re.match(r"\s*(\d{1,3})%", line):
                progress(bundle.digest, "installing", min(int(found[1]), 100))
    if process.returncode:
        remember(other_slot(), None)
        why = next((line for line in reversed(said) if "rror" in line), said[-1] if said else "no reason given")
        raise RefusedError(
            f"The update could not be written ({why}); version {running_version()} goes on. "
            "Copy it to the stick again, or use another stick; if it fails again, make a new card."
        )


def progress(digest: str, state: str, percent: int, why: str = "") -> None:
    """Say how far it is."""
    put(FOLDER / "progress.json", {"digest": digest, "state": state, "percent": percent, "why": why})


def running() -> int:
    """Say what runs, and what it was installed from."""
    slot, version = running_slot(), running_version()
    entry = memory().get(slot, {})
    if entry.get("version") != version or not proven(slot, entry):
        # As a new card has it, or written by other means: then the version alone is known.
        entry = {"version": version, "digest": "", "checked": True}
        remember(slot, entry)
    put(FOLDER / "running.json", {"version": version, "slot": slot, "digest": entry["digest"]})
    return 0


def proven(slot: str, entry: dict[str, object]) -> bool:
    """Whether the slot holds what is remembered of it; its bytes are read once, at its first start."""
    if entry.get("checked"):
        return True
    try:
        right = digest_of(slot_devices()[slot]["boot"], int(str(entry["bytes"]))) == entry["boot"]
    except (OSError, KeyError, ValueError):
        return False
    if right:
        remember(slot, entry | {"checked": True})
    return right


def good() -> int:
    """Remember that this version got ready here."""
    slot = running_slot()
    entry = memory().get(slot, {})
    if not entry.get("good"):
        remember(slot, entry | {"good": True})
    return 0


def bad() -> int:
    """Start anew what was installed and never got ready. What was good before waits: a device may be unplugged."""
    entry = memory().get(running_slot(), {})
    if not entry.get("digest") or entry.get("good"):
        return 0
    print("this update has not got ready yet: another start", file=sys.stderr)
    subprocess.run(RESTART, check=False)
    return 0


def main(words: list[str]) -> int:
    """Do as the program by whose name this one is called."""
    match [Path(words[0]).name, *words[1:]]:
        case ["offer", file]:
            return offer(Path(file).absolute(), f"FILE {Path(file).name}")
        case ["stick", "--away", device]:
            return stick_away(Path(device))
        case ["stick", device]:
            return stick(Path(device))
        case ["install-update"]:
            return install()
        case ["install-update", "--ended"]:
            return ended()
        case ["running-version"]:
            return running()
        case ["start-good"]:
            return good()
        case ["start-bad"]:
            return bad()
    print("it does nothing by this name, or not with these words; see the head of updates.py", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv))
