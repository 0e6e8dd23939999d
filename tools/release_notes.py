"""The notes of a release, from CHANGELOG.md, and whether version, changelog and tag agree. For tools/release.py."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

NOTES = "RELEASE-NOTES.md"
CHANGELOG = "CHANGELOG.md"
_HEADING = re.compile(r"^## (?P<version>\S+)(?: — (?P<when>.+))?$", re.MULTILINE)
_VERSION = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)
_TAG = re.compile(r"v\d+\.\d+\.\d+\S*")
_UNRELEASED = "unreleased"


class NotesError(ValueError):
    """The changelog or the source does not say what a release needs; the message names the file and the remedy."""


def version_of(source: Path) -> str:
    """The version of a folder of sources, as the journal has it.

    Raises:
        NotesError: it says none.
    """
    found = _VERSION.search((source / "controller/__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise NotesError("controller/__init__.py: there is no __version__; add it")
    return found["version"]


def notes(changelog: str, version: str) -> str:
    """The section of a version, with its heading, as a document of its own.

    Raises:
        NotesError: there is no such section, or nothing stands in it.
    """
    headings = list(_HEADING.finditer(changelog))
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        if heading["version"] == version:
            text = changelog[heading.end() : after.start() if after else None].strip()
            if text:
                return f"# Table controller {version}\n\n{text}\n"
    raise NotesError(f"{CHANGELOG}: nothing is written of {version}; add a section '## {version} — <day>'")


def disagreements(version: str, changelog: str, tags: Iterable[str]) -> list[str]:
    """In what version, changelog and tags of the commit do not agree, each with its remedy.

    Args:
        tags: of the commit.
    """
    found = []
    heading, tag = _HEADING.search(changelog), f"v{version}"
    newest = heading["version"] if heading else "nothing"
    if newest != version:
        found.append(f"{CHANGELOG} begins with {newest}, and the version is {version}: correct one of the two")
    elif heading and (heading["when"] or _UNRELEASED) == _UNRELEASED:
        found.append(f"{CHANGELOG} has no day for {version}: write it in the heading, '## {version} — <day>'")
    of_versions = sorted(name for name in tags if _TAG.fullmatch(name))
    if tag not in of_versions:
        found.append(f"the commit has no tag {tag}: git tag {tag}")
    found += [f"the commit has the tag {name}, and the version is {version}" for name in of_versions if name != tag]
    return found


def summary(
    out: Path, version: str, commit: str, digest: str, software: str, key: Path | None, problems: Sequence[str]
) -> str:
    """What was built and what is next, for who made it.

    Args:
        digest: SHA-256 of the list of sums, which stands for all of the release.
        software: what each start of a table that runs it has on record.
        key: which signed it; None for none.
        problems: as :func:`disagreements`.
    """
    signed = "signed" if key is not None else "not signed: KEY= names no key"
    lines = [
        f"{out}: table-controller {version}, {signed}",
        f"commit {commit}",
        f"sha256 of SHA256SUMS {digest}",
        f"software {software}",
        f"notes {out / NOTES}",
        *(f"before it is a release: {problem}" for problem in problems),
    ]
    if key is not None:
        lines.append(f"next: make verify-release FOLDER={out} KEY=<the public key>; git push origin v{version}")
    return "\n".join(lines)
