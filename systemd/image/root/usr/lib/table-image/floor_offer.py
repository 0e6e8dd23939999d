#!/usr/bin/python3
"""Root's side of an update by the floor: takes over what the publisher has fetched, and offers it as a stick's.

Without a word: takes back what the floor has taken back, takes over what was handed over, and offers what is kept,
if no stick is there and no update is confirmed. Started by a file in ``HANDOVER``, at each start of the computer,
and after a stick has gone or an installation has ended.

The publisher may be anybody: its files are taken away from it before they are looked at, and nothing but a plain
file that nobody can write any more is kept. What became of an offer is in ``floor.json``, for the floor's page.
"""

import fcntl
import os
import shutil
import stat
import sys
from pathlib import Path

import updates
from bundles import digest_of
from slots import memory, other_slot, put, running_slot, running_version

HANDOVER = Path("/data/published/update/handover")
KEPT = Path("/data/update/floor")
OWNER = (0, 0)
ORIGIN = "floor"
NAME, NEW = "table.raucb", "table.raucb.new"
ENDED = ("installed", "refused", "failed")
"""What is not offered again by itself; the bundle is deleted."""


def state() -> dict[str, str]:
    """What is remembered of the floor's offer: digest, state, why; and whether it was taken back meanwhile."""
    return updates.read(KEPT / "state.json")


def tell(digest: str, what: str, why: str = "") -> None:
    """Remember what has become of the offer, and say it to the publisher."""
    document = {"digest": digest, "state": what, "why": why}
    known = state()
    if {**known, **document} != known:
        put(KEPT / "state.json", {**known, **document})
    if what in ENDED:
        (KEPT / NAME).unlink(missing_ok=True)
    put(updates.FOLDER / "floor.json", document)
    print(f"{what}{': ' if why else ''}{why}")


def is_confirmed() -> bool:
    """Whether the table has confirmed an update that is not ended."""
    installing = updates.read(updates.FOLDER / "progress.json").get("state") in ("installing", "restarting")
    return installing or (updates.FOLDER / "confirmed.json").exists()


def is_offered() -> bool:
    """Whether what is offered now, or said to be refused, is the floor's."""
    return updates.read(updates.OWN / "offer.json").get("from") == ORIGIN


def take_offer_away() -> None:
    """Nothing of the floor's is offered any more."""
    if is_offered():
        (updates.FOLDER / "offer.json").unlink(missing_ok=True)
        (updates.OWN / "offer.json").unlink(missing_ok=True)


def take_back() -> None:
    """The floor has taken its offer back; what somebody has confirmed is installed all the same."""
    if is_confirmed() and is_offered():
        put(KEPT / "state.json", {**state(), "withdrawn": "yes"})
        return
    take_offer_away()
    for file in (KEPT / NAME, KEPT / "state.json", updates.FOLDER / "floor.json"):
        file.unlink(missing_ok=True)
    print("the floor has taken its update back")


def take_over() -> None:
    """Take what was handed over away from the publisher, and keep it if it is a file that nobody else can write."""
    new = KEPT / NEW
    try:
        seal(new)
        digest = digest_of(new)
    except OSError as error:
        remove(new)
        print(f"what the publisher handed over is no file that can be kept: {error.strerror}", file=sys.stderr)
        return
    take_offer_away()
    # In this order: if the power goes in between, the next start finds NEW, and does it again.
    put(KEPT / "state.json", {"digest": digest, "state": "new", "why": ""})
    new.rename(KEPT / NAME)


def take_away(name: str, to: Path) -> bool:
    """Move what the publisher has put there, whatever it is; no link is followed, nor one in place of a folder.

    Returns:
        whether there was something.
    """
    folder = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    handle = os.open(HANDOVER.parent.parent, folder)
    try:
        for part in HANDOVER.parts[-2:]:
            below = os.open(part, folder, dir_fd=handle)
            os.close(handle)
            handle = below
        os.stat(name, dir_fd=handle, follow_symlinks=False)
        remove(to)
        os.rename(name, to, src_dir_fd=handle)
    except FileNotFoundError:
        return False
    except OSError as error:
        print(f"{HANDOVER / name} cannot be taken: {error.strerror}", file=sys.stderr)
        return False
    finally:
        os.close(handle)
    return True


def seal(file: Path) -> None:
    """Let nobody write a file from now on.

    Raises:
        OSError: it is no plain file, has another name, or is open for writing somewhere.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
            raise OSError(0, "it is a folder, a link, or has other names")
        os.fchown(handle, *OWNER)
        os.fchmod(handle, 0o400)
        # The kernel gives no lease to read a file that is open for writing (fcntl(2), F_SETLEASE).
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove whatever is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def note_end(digest: str) -> bool:
    """Remember how the installation of the floor's offer ended; returns whether it has."""
    if memory().get(running_slot(), {}).get("digest") == digest:
        take_offer_away()
        tell(digest, "installed")
        return True
    # A bundle that is new is offered whatever became of it before: the floor has just offered it anew.
    if state().get("state") != "offered" or is_confirmed():
        return False
    progress = updates.read(updates.FOLDER / "progress.json")
    if progress.get("digest") == digest and progress.get("state") == "failed":
        why = str(progress.get("why", ""))
    elif memory().get(other_slot(), {}).get("digest") == digest:
        why = f"its installation was cut off, or it did not start: version {running_version()} runs"
    else:
        return False
    take_offer_away()
    tell(digest, "failed", why)
    return True


def offer_kept() -> None:
    """Offer what is kept, if that is possible now."""
    known = state()
    digest = known.get("digest", "")
    if not digest:
        return
    if known.get("state") in ENDED:
        tell(digest, known["state"], known.get("why", ""))
    elif note_end(digest) or is_confirmed() or not (KEPT / NAME).exists():
        return
    elif updates.read(updates.OWN / "offer.json").get("source"):
        tell(digest, "waiting", "a USB stick is in the table: take it out")
    elif not is_offered():
        refused = updates.offer(KEPT / NAME, ORIGIN)
        shown = updates.read(updates.OWN / "offer.json")
        if refused or shown.get("digest") != digest:
            tell(digest, "refused", shown.get("problem", "") or "it is not the file that was handed over")
        else:
            tell(digest, "offered")


def main() -> int:
    """Look at everything once."""
    KEPT.mkdir(mode=0o700, parents=True, exist_ok=True)
    updates.OWN.mkdir(mode=0o700, parents=True, exist_ok=True)
    if take_away("withdrawn", KEPT / "withdrawn"):
        remove(KEPT / "withdrawn")
        take_back()
    elif state().get("withdrawn") and not is_confirmed():
        take_back()
    if take_away(NAME, KEPT / NEW) or os.path.lexists(KEPT / NEW):
        take_over()
    offer_kept()
    return 0


if __name__ == "__main__":
    sys.exit(main())
