"""Builds a release, the same bytes wherever and whenever it is built, and verifies one.

``python -m tools.release build OUT [--key KEY.pem]`` builds the commit that is checked out, of files under version
control alone, with the notes that CHANGELOG.md has of it; what is signed has a day there, and its commit the tag.
``python -m tools.release verify FOLDER KEY.pem`` compares a release with its signature and its sums.
The signature is Ed25519 (RFC 8032) over the bytes of ``SHA256SUMS``, as OpenSSL makes and verifies it
(``openssl pkeyutl -rawin``): a computer with OpenSSL and sha256sum verifies a release without this software.
"""

import gzip
import hashlib
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version as version_of
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.runtime.software import PACKAGES, digest_of
from tools.bill_of_materials import bill_of_materials
from tools.release_notes import CHANGELOG, NOTES, NotesError, disagreements, notes, summary
from tools.release_notes import version_of as version_in

SOURCES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "controller", "hal", "config")
"""What wheel and source archive are built of."""
BESIDE = (
    *("CHANGELOG.md", "LICENSE", "requirements", "systemd/install"),
    *("config/tables", "config/floors"),
)
"""What is installed with them, as it stands in the source; with the files of _UNITS."""
_UNITS = ("systemd/*.service", "systemd/*.path", "systemd/*.rules", "systemd/*.conf", "systemd/mosquitto/*")
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
_HOOK = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
"""A hook of the build system (PEP 517), called as pip calls it."""


class ReleaseError(Exception):
    """A release that cannot be built, or that is not what it says; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Of what a release is built.

    Attributes:
        commit: its full name.
        epoch_s: when it was made, in seconds since 1970.
    """

    commit: str
    epoch_s: int


def build(source: Path, origin: Origin, out: Path) -> None:
    """Build a release of a folder of sources into a folder that is made for it.

    Raises:
        ReleaseError: something of it cannot be built.
    """
    if out.exists():
        raise ReleaseError(f"{out} exists; delete it, or name another folder")
    with TemporaryDirectory() as scratch, _plain_umask():
        copy, made = Path(scratch) / "source", Path(scratch) / "made"
        made.mkdir()
        for name in SOURCES:
            _copy(source / name, copy / name)
        wheel = _made(copy, "build_wheel", made, origin.epoch_s)
        archive = _made(copy, "build_sdist", made, origin.epoch_s)
        out.mkdir(parents=True)
        shutil.copyfile(wheel, out / wheel.name)
        (out / archive.name).write_bytes(repacked(archive, origin.epoch_s))
        for path in _beside(source):
            _copy(source / path, out / path)
        version = wheel.name.split("-")[1]
        (out / NOTES).write_text(_notes(source, version), encoding="utf-8")
        _describe(out, version, origin, _digest(wheel, Path(scratch) / "unpacked"))
        (out / SUMS).write_text(listing(out), encoding="utf-8")


def repacked(archive: Path, epoch_s: int) -> bytes:
    """A gzipped tar archive with names in order, and without the times, users and modes of who made it."""
    packed = io.BytesIO()
    with (
        tarfile.open(archive) as source,
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=epoch_s) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=lambda one: one.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, member.size, epoch_s
            plain.mode = 0o755 if member.isdir() else 0o644
            target.addfile(plain, source.extractfile(member) if member.isfile() else None)
    return packed.getvalue()


def listing(folder: Path) -> str:
    """The SHA-256 of every file of a release but the list and its signature, as ``sha256sum`` writes it."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return "".join(f"{_sum(folder / name)}  {name}\n" for name in files if name not in (SUMS, SIGNATURE))


def sign(folder: Path, key: Path) -> None:
    """Sign the list of sums with a private key (PEM).

    Raises:
        ReleaseError: OpenSSL cannot use the key.
    """
    _openssl("-sign", "-inkey", str(key.resolve()), "-rawin", "-in", SUMS, "-out", SIGNATURE, folder=folder)


def verify(folder: Path, key: Path) -> int:
    """Verify a release with a public key (PEM).

    Returns:
        the number of its files.

    Raises:
        ReleaseError: it is not signed with that key, or a file is not as its list says.
    """
    _openssl(
        "-verify",
        "-pubin",
        "-inkey",
        str(key.resolve()),
        "-rawin",
        "-in",
        SUMS,
        "-sigfile",
        SIGNATURE,
        folder=folder,
    )
    signed = (folder / SUMS).read_text(encoding="utf-8")
    said = {line[66:]: line[:64] for line in signed.splitlines()}
    there = {line[66:]: line[:64] for line in listing(folder).splitlines()}
    for name in sorted(said.keys() | there.keys()):
        if said.get(name) != there.get(name):
            how = (
                "is missing"
                if name not in there
                else "does not belong to it"
                if name not in said
                else "was changed"
            )
            raise ReleaseError(f"{folder}: {name} {how}; do not install it, and fetch the release again")
    return len(said)


def _digest(wheel: Path, folder: Path) -> str:
    """What every table that runs this wheel has on record."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return digest_of({package: folder / package for package in PACKAGES})


def _describe(out: Path, version: str, origin: Origin, software: str) -> None:
    """Write the bill of materials, and of what and with what the release was built."""
    sums = {path.name: _sum(path) for path in sorted(out.iterdir()) if path.suffix in (".whl", ".gz")}
    facts = {
        "version": version,
        "commit": origin.commit,
        "committed": datetime.fromtimestamp(origin.epoch_s, UTC).isoformat(),
        "python": platform.python_version(),
        "setuptools": version_of("setuptools"),
        "software": software,
        "sha256": sums,
    }
    (out / "provenance.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    document = bill_of_materials(out / "requirements", version, origin.commit, origin.epoch_s, sums)
    (out / "sbom.cdx.json").write_text(document, encoding="utf-8")
    for path in (out, *out.rglob("*")):
        os.utime(path, (origin.epoch_s, origin.epoch_s))


def _made(source: Path, hook: str, out: Path, epoch_s: int) -> Path:
    """The one file that a hook of the build system makes of a folder of sources."""
    before = set(out.iterdir())
    environment = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": str(epoch_s),
    }
    command = [sys.executable, "-c", _HOOK, hook, str(out)]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{hook} failed: {done.stderr.strip()}")
    (file,) = set(out.iterdir()) - before
    return file


def _beside(source: Path) -> Iterator[str]:
    yield from BESIDE
    for pattern in _UNITS:
        yield from (path.relative_to(source).as_posix() for path in sorted(source.glob(pattern)))


def _copy(source: Path, target: Path) -> None:
    """Copy a file or a folder without what Python compiled; only who may run a file is kept of its mode."""
    if source.is_dir():
        for path in sorted(source.iterdir()):
            if path.name != "__pycache__":
                _copy(path, target / path.name)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


@contextmanager
def _plain_umask() -> Iterator[None]:
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _openssl(*words: str, folder: Path) -> None:
    command = ["openssl", "pkeyutl", *words]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ReleaseError(f"{folder}: {error.strerror}; name a release's folder, and install openssl") from error
    if done.returncode:
        why = (done.stdout + done.stderr).strip().splitlines()
        does = "is not signed with this key" if "-verify" in words else "cannot be signed"
        raise ReleaseError(f"{folder}: {SUMS} {does}: {why[0] if why else 'openssl gives no reason'}")


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], capture_output=True, check=True).stdout


def _notes(source: Path, version: str) -> str:
    try:
        return notes((source / CHANGELOG).read_text(encoding="utf-8"), version)
    except NotesError as error:
        raise ReleaseError(str(error)) from error


def _build_commit(out: Path, key: Path | None) -> str:
    """Build the commit and sign it if there is a key; returns what to say of it."""
    commit, epoch = _git("log", "-1", "--format=%H %ct").decode().split()
    tags = _git("tag", "--points-at", "HEAD").decode().split()
    with TemporaryDirectory() as folder:
        source = Path(folder)
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        version = version_in(source)
        problems = disagreements(version, (source / CHANGELOG).read_text(encoding="utf-8"), tags)
        if problems and key is not None:
            raise ReleaseError("; ".join(["nothing was built, for what is signed is a release", *problems]))
        build(source, Origin(commit, int(epoch)), out)
    if key is not None:
        sign(out, key)
    software = json.loads((out / "provenance.json").read_text(encoding="utf-8"))["software"]
    return summary(out, version, commit, _sum(out / SUMS), software, key, problems)


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m tools.release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    of_build = commands.add_parser("build")
    of_build.add_argument("out", type=Path)
    of_build.add_argument("--key", type=Path, help="the private key (PEM); without it the release is not signed")
    of_verify = commands.add_parser("verify")
    of_verify.add_argument("folder", type=Path)
    of_verify.add_argument("key", type=Path, help="the public key (PEM), from elsewhere than the release")
    arguments = parser.parse_args(words)
    try:
        if arguments.command == "verify":
            print(
                f"{arguments.folder}: signed, and its {verify(arguments.folder, arguments.key)} files are as signed"
            )
            return 0
        print(_build_commit(arguments.out, arguments.key))
    except (ReleaseError, NotesError, subprocess.CalledProcessError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
