"""Builds a release of a clean, tagged commit: wheel, source, requirements.txt, licences, notes and SHA256SUMS.

``make release`` calls it. Version, tag and the first section of CHANGELOG.md must agree.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.runtime.software import PACKAGES, digest_of

ROOT = Path(__file__).parents[1]
LICENCES, NOTES, SUMS = "LICENCES.md", "RELEASE-NOTES.md", "SHA256SUMS"
_LOCKED = re.compile(r"^# (?!lock$).+\n(?P<name>\S+?)==(?P<version>\S+)(?P<platform>.*win32)?", re.MULTILINE)
_OF_THE_PI = {"evdev": "BSD-3-Clause", "rpi-gpio": "MIT", "spidev": "MIT"}
"""Libraries that only the group ``pi`` has, with the licences that their sources state."""
_HEADING = re.compile(r"^## (?P<version>\S+)(?: — (?P<day>.+))?$", re.MULTILINE)
_VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_HOOK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
"""A hook of the build system (PEP 517), called as pip calls it."""


def version_of(source: Path) -> str:
    (version,) = _VERSION.findall((source / "controller/__init__.py").read_text(encoding="utf-8"))
    return str(version)


def notes(changelog: str, version: str) -> str:
    """The section of a version as a document of its own; empty if there is none."""
    sections = _HEADING.split(changelog)[1:]
    texts = dict(zip(sections[::3], sections[2::3], strict=True))
    text = texts.get(version, "").strip()
    return f"# Table controller {version}\n\n{text}\n" if text else ""


def problems(version: str, changelog: str, tags: list[str], changed: str) -> list[str]:
    """Why a commit cannot be released.

    Args:
        tags: of the commit.
        changed: what ``git status --porcelain`` prints.
    """
    found = ["there are changes that are not committed: git status"] if changed else []
    if f"v{version}" not in tags:
        found.append(f"the commit has no tag v{version}: git tag v{version}")
    first = _HEADING.search(changelog)
    if first is None or first["version"] != version:
        found.append(f"CHANGELOG.md does not begin with {version}: correct the heading or controller/__init__.py")
    elif first["day"] in (None, "unreleased"):
        found.append(f"CHANGELOG.md has no day for {version}: write it in the heading, '## {version} — <day>'")
    if not notes(changelog, version):
        found.append(f"CHANGELOG.md has nothing about {version}")
    return found


def licences(locked: str) -> Iterator[tuple[str, str, str]]:
    """Name, version and licence of each library that tables, floors and tests install on Linux.

    Raises:
        PackageNotFoundError: one is not installed here, so its licence is not known.
    """
    for package in _LOCKED.finditer(locked):
        if package["platform"]:
            continue
        name = package["name"]
        yield name, package["version"], _OF_THE_PI.get(name) or _stated(metadata.metadata(name))


def _stated(about: metadata.PackageMetadata) -> str:
    classes = [one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or [] if one.startswith("License")]
    expression, text = (about.get_all(key) or [""] for key in ("License-Expression", "License"))
    return expression[0] or " or ".join(classes) or text[0]


def build(source: Path, out: Path) -> None:
    """Build the release of a folder of sources into a new folder."""
    out.mkdir(parents=True)
    for hook in ("build_wheel", "build_sdist"):
        subprocess.run([sys.executable, "-c", _HOOK, hook, str(out)], cwd=source, check=True, stdout=sys.stderr)
    shutil.copy(source / "requirements.txt", out)
    rows = [" | ".join(row) for row in licences((source / "requirements.txt").read_text(encoding="utf-8"))]
    table = "\n".join(f"| {row} |" for row in ("library | version | licence", "--- | --- | ---", *rows))
    (out / LICENCES).write_text(f"# Licences of the libraries\n\n{table}\n", encoding="utf-8")
    changelog = (source / "CHANGELOG.md").read_text(encoding="utf-8")
    text = f"{notes(changelog, version_of(source))}\nSoftware digest: {software_of(out)}\n"
    (out / NOTES).write_text(text, encoding="utf-8")
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(out.iterdir())]
    (out / SUMS).write_text("".join(sums), encoding="utf-8")


def software_of(release: Path) -> str:
    """The digest that every table with this release records at its start."""
    with TemporaryDirectory() as folder:
        (wheel,) = release.glob("*.whl")
        shutil.unpack_archive(wheel, folder, "zip")
        return digest_of({package: Path(folder, package) for package in PACKAGES})


def main() -> None:
    version, out = version_of(ROOT), ROOT / "build/release"
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    tags, changed = _git("tag", "--points-at", "HEAD").split(), _git("status", "--porcelain")
    if found := problems(version, changelog, tags, changed):
        sys.exit("\n".join(f"release: {problem}" for problem in found))
    shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory() as folder:  # Without the leftovers of earlier builds.
        _git("archive", "--output", f"{folder}/source.tar", "HEAD")
        shutil.unpack_archive(f"{folder}/source.tar", f"{folder}/source")
        build(Path(folder, "source"), out)
    print(f"{out}: table-controller {version}, software {software_of(out)}")
    print(f"next: sign it (gpg --detach-sign --armor {out / SUMS}), publish the folder, git push origin v{version}")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
