"""Replaces a file as a whole, so that who reads it sees the old or the new one, and after a power cut, too."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_whole(file: Path, text: str, mode: int) -> None:
    """Replace a file; it keeps its owner and mode.

    Args:
        mode: of a new file, which gets the owner of its folder.

    Raises:
        OSError: it cannot be written; the old one is as it was.
    """
    with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.", delete=False) as stream:
        temporary = Path(stream.name)
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    try:
        temporary.chmod(file.stat().st_mode & 0o777 if file.exists() else mode)
        with suppress(OSError):  # Only root may change the owner.
            like = file.stat() if file.exists() else file.parent.stat()
            os.chown(temporary, like.st_uid, like.st_gid)
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
