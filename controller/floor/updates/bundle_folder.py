"""The folder in which an administrator puts a bundle, and beside it what ``make bundle`` wrote of it.

``table.raucb.json`` has the version, the size and the SHA-256 of ``table.raucb``. Only a file that fits it is
offered, so that one that is still being copied, or was damaged, reaches no table.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from controller.messages.models import Hash, Word
from controller.messages.update_models import LARGEST_BUNDLE

SUFFIX, BESIDE = ".raucb", ".json"
_MOST_BYTES = 4096
_COPY = "copy both files again, as `make bundle` wrote them"


@dataclass(frozen=True, slots=True)
class FoundBundle:
    """A bundle that may be offered; or what is wrong with what is in the folder."""

    name: str = ""
    release: str = ""
    size: int = 0
    digest: str = ""
    """Empty if nothing may be offered."""
    problem: str = ""


class BundleFacts(BaseModel):
    """What ``make bundle`` writes beside a bundle."""

    version: Annotated[Word, Field(min_length=1)]
    size: Annotated[int, Field(ge=1, le=LARGEST_BUNDLE, strict=True)]
    sha256: Hash


class BundleFolder:
    """The folder. Every method reads the disk: call them outside of the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._checked: tuple[tuple[int, ...], str] | None = None
        """Which file was hashed last, and its digest: a bundle is read once."""

    def look(self) -> FoundBundle:
        """What is in the folder now."""
        try:
            self._folder.mkdir(mode=0o750, parents=True, exist_ok=True)
            names = sorted(
                f.name for f in self._folder.iterdir() if f.suffix.lower() == SUFFIX and f.name[0] != "."
            )
            if len(names) > 1:
                problem = (
                    f"there are several bundles, {', '.join(names)[:200]}: leave the one that is to be offered"
                )
                return FoundBundle(problem=problem)
            return self._examine(names[0]) if names else FoundBundle()
        except OSError as error:
            where = error.filename or self._folder
            return FoundBundle(problem=f"{where}: {error.strerror}; the floor's user must be able to read it")

    def chunk(self, found: FoundBundle, offset: int, length: int) -> bytes:
        """Bytes of a bundle that was found.

        Raises:
            OSError: it cannot be read, or is another file by now.
        """
        with (self._folder / found.name).open("rb") as file:
            if self._checked != (_identity(os.fstat(file.fileno())), found.digest):
                raise OSError(f"{found.name} has changed since it was looked at")
            file.seek(offset)
            return file.read(length)

    def _examine(self, name: str) -> FoundBundle:
        file, beside = self._folder / name, self._folder / f"{name}{BESIDE}"
        try:
            with beside.open("rb") as stream:
                facts = BundleFacts.model_validate_json(stream.read(_MOST_BYTES))
        except FileNotFoundError:
            return FoundBundle(name, problem=f"{name} has no {beside.name} beside it: {_COPY}")
        except ValueError:
            return FoundBundle(name, problem=f"{beside.name} is not what `make bundle` writes: {_COPY}")
        size = file.stat().st_size
        if size != facts.size:
            problem = (
                f"{name} has {size:,} bytes, and {beside.name} says {facts.size:,}: it is not copied whole yet, "
            )
            return FoundBundle(name, problem=f"{problem}or is another one; {_COPY}")
        if self._digest(file) != facts.sha256:
            return FoundBundle(name, problem=f"{name} is not the file for which {beside.name} was written: {_COPY}")
        return FoundBundle(name, facts.version, size, facts.sha256)

    def _digest(self, file: Path) -> str:
        with file.open("rb") as stream:
            identity = _identity(os.fstat(stream.fileno()))
            if self._checked is None or self._checked[0] != identity:
                self._checked = identity, hashlib.file_digest(stream, "sha256").hexdigest()
            return self._checked[1]


def _identity(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
