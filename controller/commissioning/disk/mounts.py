"""On which file system a folder lies, and how it is mounted. See proc_pid_mountinfo(5)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class MountedFileSystem:
    """A mount.

    Attributes:
        file_system: its type: ``ext4``.
        options: of the mount and of the file system.
        source: what is mounted: ``/dev/mmcblk0p2``.
        number: of its device, ``179:2``; ``0:...`` if it has none.
    """

    point: Path
    file_system: str
    options: frozenset[str]
    source: str
    number: str


def mounted(text: str) -> Iterator[MountedFileSystem]:
    """The mounts that ``/proc/self/mountinfo`` lists."""
    for line in text.splitlines():
        mount, _, system = line.partition(" - ")
        fields, of_system = mount.split(" "), system.split(" ")
        if len(fields) < 6 or len(of_system) < 3:
            continue
        options = frozenset(fields[5].split(",")) | frozenset(of_system[2].split(","))
        yield MountedFileSystem(Path(_plain(fields[4])), of_system[0], options, _plain(of_system[1]), fields[2])


def mount_of(folder: Path, mounts: Iterator[MountedFileSystem]) -> MountedFileSystem | None:
    """The mount on which a folder lies: of those that lead to it the longest, and of these the last."""
    found: MountedFileSystem | None = None
    for mount in mounts:
        leads = folder == mount.point or mount.point in folder.parents
        if leads and (found is None or len(mount.point.parts) >= len(found.point.parts)):
            found = mount
    return found


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)
