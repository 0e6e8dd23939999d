"""A release: its bytes do not depend on who builds it where and when, and nothing of it can be changed unseen."""

import json
import os
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path

import cyclonedx.schema
import jsonschema
import pytest
from project import ROOT
from referencing import Registry, Resource

from tools import release
from tools.bill_of_materials import LICENCES, locked_packages
from tools.release import BESIDE, SOURCES, Origin, ReleaseError, build, sign, verify

ORIGIN = Origin("0123456789abcdef0123456789abcdef01234567", 1_750_000_000)

pytestmark = pytest.mark.skipif(
    find_spec("setuptools") is None or shutil.which("openssl") is None,
    reason="a release needs setuptools and openssl",
)


def checkout(folder: Path, mode: int = 0o644) -> Path:
    """The sources of a release in another folder; its files have another time and mode."""
    for name in (*SOURCES, *BESIDE, "systemd"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("image"), dirs_exist_ok=True)
        elif not (folder / name).exists():
            folder.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder)
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(mode | path.stat().st_mode & 0o100)
            os.utime(path, (2_000_000_000, 2_000_000_000))
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release") / "table-controller"
    build(ROOT, ORIGIN, out)
    return out


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A private key, and its public one."""
    return new_keys(tmp_path_factory.mktemp("keys"))


def new_keys(folder: Path) -> tuple[Path, Path]:
    private, public = folder / "release.key", folder / "release.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", private], check=True)
    subprocess.run(["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)
    return private, public


@pytest.fixture
def signed(built: Path, keys: tuple[Path, Path], tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(built, tmp_path / "release"))
    sign(folder, keys[0])
    return folder


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its bytes and mode."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_another_place_time_mask_and_locale_give_the_same_bytes(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = checkout(tmp_path / "a longer name than here", mode=0o600)
    for name, value in {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "77"}.items():
        monkeypatch.setenv(name, value)
    before = os.umask(0o077)
    try:
        build(source, ORIGIN, tmp_path / "again")
    finally:
        os.umask(before)
    assert contents(tmp_path / "again") == contents(built)


def test_it_has_what_is_installed_and_nothing_else(built: Path) -> None:
    there = set(contents(built))
    said = {line[66:] for line in (built / release.SUMS).read_text(encoding="utf-8").splitlines()}
    assert said == there - {release.SUMS}
    units = {str(path.relative_to(ROOT)) for path in (ROOT / "systemd").glob("*") if path.is_file()}
    assert units <= there
    assert {path.name for path in built.iterdir() if path.is_file()} - {"CHANGELOG.md", "LICENSE"} == {
        "RELEASE-NOTES.md",
        "SHA256SUMS",
        "provenance.json",
        "sbom.cdx.json",
        *(name for name in there if name.startswith("table_controller-")),
    }


def test_the_facts_name_commit_and_tools(built: Path) -> None:
    facts = json.loads((built / "provenance.json").read_text(encoding="utf-8"))
    assert (facts["commit"], facts["committed"]) == (ORIGIN.commit, "2025-06-15T15:06:40+00:00")
    assert facts["setuptools"] == metadata("setuptools")["Version"]


def test_a_signed_release_is_verified_by_tools_of_others_too(signed: Path, keys: tuple[Path, Path]) -> None:
    assert verify(signed, keys[1]) == len(contents(signed)) - 2
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(keys[1]), "-rawin", "-in", "SHA256SUMS"]
    subprocess.run([*command, "-sigfile", "SHA256SUMS.sig"], cwd=signed, check=True, capture_output=True)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=signed, check=True)


def test_each_file_that_is_changed_added_or_taken_away_is_named(signed: Path, keys: tuple[Path, Path]) -> None:
    for name, (data, _) in contents(signed).items():
        if name in (release.SUMS, release.SIGNATURE):
            continue
        (signed / name).write_bytes(data + b"\n")
        with pytest.raises(ReleaseError, match=re.escape(f"{name} was changed")):
            verify(signed, keys[1])
        (signed / name).unlink()
        with pytest.raises(ReleaseError, match=re.escape(f"{name} is missing")):
            verify(signed, keys[1])
        (signed / name).write_bytes(data)
    (signed / "systemd/extra").write_text("")
    with pytest.raises(ReleaseError, match=re.escape("systemd/extra does not belong to it")):
        verify(signed, keys[1])


def test_a_list_that_was_written_anew_is_not_signed(signed: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    other = new_keys(tmp_path)
    with pytest.raises(ReleaseError, match="SHA256SUMS is not signed with this key"):
        verify(signed, other[1])
    (signed / "requirements/run.txt").write_text("")
    (signed / release.SUMS).write_text(release.listing(signed), encoding="utf-8")
    with pytest.raises(ReleaseError, match="SHA256SUMS is not signed with this key"):
        verify(signed, keys[1])
    (signed / release.SIGNATURE).unlink()
    with pytest.raises(ReleaseError, match="SHA256SUMS is not signed with this key"):
        verify(signed, keys[1])


# -- the bill of materials -----------------------------------------------------------------------------------------


def test_the_bill_of_materials_is_valid_cyclonedx(built: Path) -> None:
    schemas = Path(cyclonedx.schema.__file__).parent / "_res"
    parts = {
        name: json.loads((schemas / name).read_text(encoding="utf-8"))
        for name in os.listdir(schemas)
        if "json" in name
    }
    registry: Registry[object] = Registry().with_resources(
        (f"http://cyclonedx.org/schema/{name}", Resource.from_contents(part))
        for name, part in parts.items()
        if "$schema" in part
    )
    document = json.loads((built / "sbom.cdx.json").read_text(encoding="utf-8"))
    schema = parts["bom-1.6.SNAPSHOT.schema.json"]
    jsonschema.Draft7Validator(schema, registry=registry).validate(document)


def test_it_names_every_package_of_the_locks_with_version_hashes_and_licence(built: Path) -> None:
    document = json.loads((built / "sbom.cdx.json").read_text(encoding="utf-8"))
    named = {one["name"]: one for one in document["components"]}
    packages = locked_packages(ROOT / "requirements")
    assert set(named) == {package.name for package in packages}
    for package in packages:
        component = named[package.name]
        assert component["version"] == package.version
        assert {one["content"] for one in component["hashes"]} == set(package.hashes) != set()
        assert component["licenses"], f"requirements/{LICENCES}: {package.name}"
    archives = {one["content"] for one in document["metadata"]["component"]["hashes"]}
    assert archives == {release._sum(path) for path in built.glob("table_controller-*")}


def test_licences_are_those_of_the_packages_themselves() -> None:
    written: dict[str, str] = json.loads((ROOT / "requirements" / LICENCES).read_text(encoding="utf-8"))
    assert set(written) == {package.name for package in locked_packages(ROOT / "requirements")}
    for name, licence in written.items():
        try:
            of_package = metadata(name).get("License-Expression")
        except PackageNotFoundError:
            continue
        assert of_package in (None, licence), name


def test_a_lock_without_hashes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.txt").write_text("h11==0.16.0\n")
    with pytest.raises(ValueError, match=r"'h11==0\.16\.0' is no package with its hashes"):
        locked_packages(tmp_path, ["run"])
