"""Where a table's journal and its mirror may lie: on two media, in files that outlive a restart.

A place in memory, or on the operating system's overlay, is refused; so is a folder that others may enter, for a
program that has the file open could hold a lock on it when the table starts.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from config.problems import Finding
from config.schema import TableConfig
from controller.configuration.shipped import all_simulated
from controller.journal.journal_file import not_a_file
from controller.journal.mirror import same_medium

MOUNTS = Path("/proc/self/mountinfo")
"""Lists the mounts: proc_pid_mountinfo(5). Where it is not there, as on macOS, no place is refused."""
_FLEETING = {"tmpfs": "in memory", "ramfs": "in memory", "overlay": "on an overlay"}
_REMEDY = "put it on a partition outside the operating system's overlay (docs/how-to/deploy.md)"
_REMEDY_FOR_MIRROR = "mount the mirror's own medium there (docs/how-to/deploy.md)"
_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mount(NamedTuple):
    """A mounted file system: where, and its type, as ``ext4``."""

    point: Path
    kind: str


def mount_of(file: Path, mountinfo: str) -> Mount | None:
    """The mount on which a file lies, or will lie: the deepest that leads to it; of several at one place the last.

    Args:
        file: absolute, without links.
    """
    found: Mount | None = None
    for line in mountinfo.splitlines():
        mount, _, system = line.partition(" - ")
        fields, kind = mount.split(" "), system.partition(" ")[0]
        if len(fields) < 6 or not kind:
            continue
        point = Path(_plain(fields[4]))
        if file.is_relative_to(point) and (found is None or len(point.parts) >= len(found.point.parts)):
            found = Mount(point, kind)
    return found


def places_of_journals(config: TableConfig) -> Iterator[Finding]:
    """What stands on this computer where the file wants journal and mirror must be files, or nothing yet."""
    for key, name in (("file", config.journal.file), ("mirror", config.journal.mirror)):
        if name is not None and (problem := not_a_file(Path(name))):
            yield Finding(("journal", key), f"{name}: {problem}")


def lasting_journals(config: TableConfig) -> Iterator[Finding]:
    """Journal and mirror outlive a restart; those of a table whose devices are all simulated need not."""
    if all_simulated(config):
        return
    try:
        mountinfo = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    journal = config.journal
    for key, name, remedy in (("file", journal.file, _REMEDY), ("mirror", journal.mirror, _REMEDY_FOR_MIRROR)):
        mount = mount_of(Path(os.path.realpath(name)), mountinfo) if name is not None else None
        if mount is not None and mount.kind in _FLEETING:
            message = f"{name} would be lost: {mount.point} is {_FLEETING[mount.kind]} ({mount.kind})"
            yield Finding(("journal", key), message, remedy)


def private_journals(config: TableConfig) -> Iterator[Finding]:
    """The folders of journal and mirror are the table's alone; those of simulated tables need not be."""
    if all_simulated(config):
        return
    for key, name in (("file", config.journal.file), ("mirror", config.journal.mirror)):
        if name is None:
            continue
        folder = Path(os.path.realpath(name)).parent
        with suppress(OSError):
            mode = stat.S_IMODE(folder.stat().st_mode)
            if mode & 0o077:
                message = f"others may enter {folder} (mode {mode:04o}), and the record is the table's alone"
                yield Finding(("journal", key), message, f"sudo chmod 700 {folder}")


def media_advice(config: TableConfig) -> Iterator[str]:
    """What is to be said of a table's two media, as they are on this computer."""
    if config.journal.mirror is None:
        return
    file, mirror = Path(config.journal.file), Path(config.journal.mirror)
    yield f"journal: {file}; its mirror: {mirror}"
    if not mirror.parent.is_dir():
        yield f"the mirror's folder {mirror.parent} is not there: mount its medium, or make the folder on it"
    elif same_medium(file, mirror):
        yield f"journal and mirror lie on the same medium, so there is no mirror: {_REMEDY_FOR_MIRROR}"


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)
