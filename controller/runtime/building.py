"""The build step that writes a manifest: for this software, and for distributions that add games or backends to it.

In such a distribution's ``pyproject.toml``::

    [build-system]
    requires = ["setuptools", "table-controller"]

    [tool.setuptools.cmdclass]
    build_py = "controller.runtime.building.BuildWithManifest"

Nothing else loads this module: a table does not have setuptools.
"""

from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

from controller.runtime import manifest


class BuildWithManifest(build_py):
    """Builds the packages and writes the manifest of what was built; an --editable installation gets none."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        root = Path(self.build_lib)
        for packages in self._groups():
            self._refuse_strays(root, packages)
            manifest.write(root, packages)

    def _groups(self) -> list[tuple[str, ...]]:
        """The top-level packages, grouped by the manifest that they share."""
        tops = sorted({package.partition(".")[0] for package in self.packages or ()})
        if set(manifest.PACKAGES) <= set(tops):
            return [manifest.PACKAGES]
        return [(top,) for top in tops]

    def _refuse_strays(self, root: Path, packages: tuple[str, ...]) -> None:
        """Refuse files of an earlier build: they would be installed, and listed in the manifest."""
        built = {Path(file).relative_to(root).as_posix() for file in self.get_outputs()}
        strays = [path for path in manifest.sums(manifest.within(root, packages)) if path not in built]
        if strays:
            raise SetupError(
                f"{root}: delete this folder; it has files that are not of this source: {', '.join(strays)}"
            )
