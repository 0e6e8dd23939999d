"""Refuses a journal where it does not outlive a restart: in memory, or on the operating system's overlay."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from config.problems import Finding
from config.schema import TableConfig
from controller.configuration.shipped import all_simulated

MOUNTS = Path("/proc/self/mountinfo")
"""Lists the mounts: proc_pid_mountinfo(5). Where it is not there, as on macOS, no place is refused."""
_FLEETING = {"tmpfs": "in memory", "ramfs": "in memory", "overlay": "on an overlay"}
_REMEDY = "put it on a partition outside the operating system's overlay (docs/how-to/deploy.md)"
_REMEDY_FOR_MIRROR = "mount the mirror's own medium there (docs/disk.md)"
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


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)
