"""Small files beside a journal that are whole after a power cut: the old content or the new one."""

import os
from pathlib import Path


def write_durably(file: Path, text: str) -> None:
    """Write a file; on return it is on disk.

    Raises:
        OSError: the disk cannot be written.
    """
    new = file.with_name(file.name + ".new")
    with new.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(file: Path) -> None:
    """Have a file and its name on disk."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_folder(file.parent)
