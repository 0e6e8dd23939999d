"""What the computer that reads a table's file has at the paths in it: real files, on media that outlive a restart.

A place in memory, or on the operating system's overlay, is refused for a journal; so is a folder that others may
enter, for a program that has the file open could hold a lock on it when the table starts.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config.problems import Finding, not_a_file
from config.problems import Path as Place
from config.schema import TableConfig
from config.values import FileName, Section
from controller.configuration.shipped import all_simulated
from controller.journal.mirror import device_of, same_medium

MOUNTS = Path("/proc/self/mountinfo")
"""Lists the mounts: proc_pid_mountinfo(5). Where it is not there, as on macOS, no place is refused."""
_FLEETING = {"tmpfs": "in memory", "ramfs": "in memory", "overlay": "on an overlay"}
_REMEDIES = {
    "file": "put it on a partition outside the operating system's overlay (docs/how-to/deploy.md)",
    "mirror": "mount the mirror's own medium there (docs/how-to/deploy.md)",
}


def files(config: TableConfig) -> Iterator[Finding]:
    """Whatever exists where the table's file names a file is one."""

    def within(section: Section, path: Place) -> Iterator[Finding]:
        for key, value in section:
            if isinstance(value, Section):
                yield from within(value, (*path, key))
            elif isinstance(value, FileName) and (kind := not_a_file(Path(value))):
                yield Finding((*path, key), f"{value} is {kind}", "name a file")

    return within(config, ())


def lasting_journals(config: TableConfig) -> Iterator[Finding]:
    """Journal and mirror outlive a restart, in folders of the table alone, and every process finds the same file.

    Those of a simulated table need not.
    """
    if all_simulated(config):
        return
    systems: dict[str, str] = {}
    with suppress(OSError, IndexError):
        for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            mount, _, system = line.partition(" - ")
            systems[mount.split(" ")[2]] = system.partition(" ")[0]
    for key, remedy in _REMEDIES.items():
        if (name := getattr(config.journal, key)) is None:
            continue
        if not os.path.isabs(name):
            message = f"{name} is looked for in the folder in which a command or service starts"
            yield Finding(("journal", key), message, "write it from the root: /folder/file")
            continue
        file = Path(os.path.realpath(name))
        device = device_of(file)
        system = systems.get(f"{os.major(device)}:{os.minor(device)}", "")
        if system in _FLEETING:
            message = f"{name} would be lost: its folder is {_FLEETING[system]} ({system})"
            yield Finding(("journal", key), message, remedy)
        with suppress(OSError):
            mode = stat.S_IMODE(file.parent.stat().st_mode)
            if mode & 0o077:
                message = f"other users can open {file.parent} (mode {mode:04o}), but only the table may"
                remedy = "use a folder of the table alone, and for this folder: sudo chmod 700"
                yield Finding(("journal", key), message, remedy)


def media_advice(config: TableConfig) -> Iterator[str]:
    """What is to be said of a table's two media."""
    if config.journal.mirror is None:
        return
    file, mirror = Path(config.journal.file), Path(config.journal.mirror)
    yield f"journal: {file}; its mirror: {mirror}"
    if not mirror.parent.is_dir():
        yield f"the mirror's folder {mirror.parent} is missing: mount its medium, or create the folder on it"
    elif same_medium(file, mirror):
        closed = "the mirror protects nothing, and a table with an empty journal stays closed"
        yield f"journal and mirror are on the same medium, so {closed}: {_REMEDIES['mirror']}"
