"""A file's data without the values that were refused, and with placeholders for required ones.

Used by the loader. The rules run on it, so that a mistake in one section does not hide one in another. A rule
gets the positions in the shortened lists; :meth:`Partial.original` converts them to those in the file.
"""

from collections.abc import Collection
from typing import Any

from config.problems import Finding, Path


class Partial:
    """Data without some of its values, or with others in their place."""

    def __init__(self, data: object, refused: Collection[Path]) -> None:
        """Copy ``data`` without the values at the paths ``refused``."""
        self._refused: set[Path] = set()
        self._around: set[Path] = set()
        for path in refused:
            self._distrust(path)
        self._kept: dict[Path, list[int]] = {}
        self.data: Any = self._copy(data, ())

    def fill(self, path: Path, value: object) -> None:
        """Put a placeholder at a path of :attr:`data`, into an existing section."""
        section = self.data
        for part in path[:-1]:
            section = section[part]
        section[path[-1]] = value
        self._distrust(self.original(path))

    def original(self, path: Path) -> Path:
        """The path in the file of a path in :attr:`data`."""
        found: Path = ()
        for part in path:
            kept = self._kept.get(found, [])
            found = (*found, kept[part] if isinstance(part, int) and part < len(kept) else part)
        return found

    def trusts(self, finding: Finding) -> bool:
        """Whether none of a finding's paths in the file is that of a removed value or a placeholder."""
        return not any(path in self._around or self._is_gone(path) for path in (finding.path, *finding.see))

    def _distrust(self, path: Path) -> None:
        self._refused.add(path)
        self._around.update(path[:depth] for depth in range(len(path)))

    def _copy(self, value: object, path: Path) -> object:
        if isinstance(value, dict):
            return {key: self._copy(below, (*path, key)) for key, below in value.items() if self._keeps(*path, key)}
        if isinstance(value, list):
            kept = [index for index in range(len(value)) if self._keeps(*path, index)]
            self._kept[path] = kept
            return [self._copy(value[index], (*path, index)) for index in kept]
        return value

    def _keeps(self, *path: str | int) -> bool:
        return path not in self._refused

    def _is_gone(self, path: Path) -> bool:
        return any(path[:depth] in self._refused for depth in range(len(path) + 1))
