"""What is left of a file's data without the values that were refused. Used by the loader.

The rules run on it, so that a mistake in one section does not hide one in another. A rule sees the positions of
the shortened lists; :meth:`Partial.original` gives back those of the file.
"""

from collections.abc import Collection

from config.problems import Finding, Path


class Partial:
    """Data without some of its values."""

    def __init__(self, data: object, refused: Collection[Path]) -> None:
        """Copy ``data`` without the values at the paths ``refused``."""
        self._refused = set(refused)
        self._around = {path[:depth] for path in refused for depth in range(len(path))}
        self._kept: dict[Path, list[int]] = {}
        self.data = self._copy(data, ())

    def original(self, path: Path) -> Path:
        """The path in the file of a path in :attr:`data`."""
        found: Path = ()
        for part in path:
            kept = self._kept.get(found, [])
            found = (*found, kept[part] if isinstance(part, int) and part < len(kept) else part)
        return found

    def trusts(self, finding: Finding) -> bool:
        """Whether a finding, by its paths in the file, rests on nothing that was left out."""
        return not any(path in self._around or self._is_gone(path) for path in (finding.path, *finding.see))

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
